// Package backups finds readable copies beside a save that cannot be read.
package backups

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varview/decoder/engine/openfile"
	"varview/decoder/engine/span"
	"varview/model"
	"varview/model/compare"
)

// A Backup is a copy of a save that can be read completely.
type Backup struct {
	Path    string
	When    time.Time // time of its last change
	Differs string    // how its values differ from what is left in the save
	Locked  string    // name of a newer copy that is encrypted with another key; "" if there is none
}

// Limits of the search.
const (
	maxEntries = 10_000    // entries of a folder
	maxOpened  = 8         // files opened
	maxSize    = 256 << 20 // bytes of a file
)

// IsNeeded reports whether a document reads so badly that it is worth looking for a backup. errors is the
// number of its known errors.
func IsNeeded(d *model.Document, errors int) bool {
	if in, _ := d.Within(); in != "" || d.Named() == "-" || d.IsLocked() || d.IsOther() {
		return false
	}
	return errors > 0 || d.Size() == 0
}

// errNone says that there is no backup, ErrLocked besides that some copy is encrypted with an unknown key.
var (
	errNone   = errors.New("there is no intact copy beside it")
	ErrLocked = errors.New("encrypted")
)

// Find returns the newest backup of a document that can be read without an error. The error is errNone if
// there is none.
func Find(ctx context.Context, d *model.Document) (*Backup, error) {
	done, err := d.Use()
	if err != nil {
		return nil, err
	}
	defer done()
	locked := ""
	for i, f := range candidates(d.Named()) {
		if i == maxOpened {
			break
		}
		b, err := look(ctx, d, f)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, ErrLocked) && locked == "":
			locked = filepath.Base(f.Path)
		case err == nil && b != nil:
			b.Locked = locked
			return b, nil
		}
	}
	if locked != "" {
		return nil, fmt.Errorf("%w that can be read; %s is %w", errNone, locked, ErrLocked)
	}
	return nil, errNone
}

// look opens a candidate. It returns nil if the file is not whole.
func look(ctx context.Context, d *model.Document, f *Backup) (*Backup, error) {
	x, err := open(ctx, d, f.Path)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	if x.IsLocked() {
		return nil, ErrLocked
	}
	if whole, err := isIntact(ctx, x); err != nil || !whole {
		return nil, err
	}
	if f.Differs, err = differs(ctx, d, x); err != nil {
		return nil, err
	}
	return f, nil
}

// isIntact reports whether a copy can be read without a problem that damage may have caused.
func isIntact(ctx context.Context, x *model.Document) (bool, error) {
	whole, err := x.IsWhole(ctx)
	if err != nil || !whole || x.Format == "" {
		return false, err
	}
	err = x.Check(ctx, new(model.Progress), func(p model.BufferProblem) bool {
		whole = p.Severity < span.Error && !p.IsEvidence()
		return whole
	})
	return whole, err
}

// open opens a backup with the keys and schemas of a document, as a copy that no other program can
// change.
func open(ctx context.Context, d *model.Document, path string) (*model.Document, error) {
	o := d.Options()
	o.ReadOnly, o.Guard, o.Alone, o.Bound = true, false, false, true
	return model.OpenCopy(ctx, path, o)
}

// candidates returns the files beside a save that may be its backups, newest first. If the save is a
// symbolic link, they may also be beside the file that it leads to.
func candidates(path string) []*Backup {
	found := beside(path)
	if file, err := filepath.EvalSymlinks(path); err == nil && filepath.Clean(file) != filepath.Clean(path) {
		found = append(found, beside(file)...)
	}
	slices.SortStableFunc(found, func(a, b *Backup) int { return b.When.Compare(a.When) })
	return found
}

func beside(path string) (found []*Backup) {
	folder, name := filepath.Split(path)
	add := func(in string, fits func(name string) bool) {
		for _, x := range names(in) {
			if !fits(x) {
				continue
			}
			info, err := os.Lstat(filepath.Join(in, x))
			if err == nil && openfile.IsRegular(info.Mode()) && info.Size() > 0 && info.Size() <= maxSize {
				found = append(found, &Backup{Path: filepath.Join(in, x), When: info.ModTime()})
			}
		}
	}
	add(folder, func(other string) bool { return isBackup(name, other) })
	for _, x := range names(folder) {
		if slices.Contains(folders, strings.ToLower(x)) {
			add(filepath.Join(folder, x), func(other string) bool { return isOf(name, other) })
		}
	}
	return found
}

// names returns the names in a folder.
func names(folder string) []string {
	if folder == "" {
		folder = "."
	}
	f, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer f.Close()
	list, _ := f.Readdirnames(maxEntries)
	slices.Sort(list)
	return list
}

var (
	// folders are the folders in which games and people keep backups.
	folders = []string{"backup", "backups", "bak", "old"}
	// words are what is added to the name of a backup.
	words = []string{"~", "bak", "backup", "old", "orig", "prev", "previous", "tmp", "temp", "copy"}
)

const separators = "._- ~()"

// isBackup reports whether name is the name of a save with a word or a number that marks a backup:
// save.dat~, save.dat.1, save.bak, save_old2.dat. A number without a dot may belong to another slot.
func isBackup(name, other string) bool {
	added, ok := addition(name, other)
	if !ok || added == "" {
		return false
	}
	digits := strings.TrimRight(added, separators+"0123456789")
	word := strings.Trim(digits, separators)
	switch {
	case digits == "": // only a number
		return added[0] == '.' || strings.Contains(added, "~")
	case added[0] != digits[0]:
		return false
	}
	return slices.Contains(words, strings.ToLower(word))
}

// isOf reports whether name, in a folder of backups, is the name of a save, perhaps with something after
// it, such as a date or a number.
func isOf(name, other string) bool {
	added, ok := addition(name, other)
	return ok && (added == "" || strings.ContainsRune(separators, rune(added[0])) || !isDigit(name[len(stem(name))-1]) && isDigit(added[0]))
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// stem returns a name without its extension.
func stem(name string) string {
	if s := strings.TrimSuffix(name, filepath.Ext(name)); s != "" {
		return s
	}
	return name
}

// addition returns what other has besides the name of a save: after it, in place of its extension, or
// before the extension.
func addition(name, other string) (added string, ok bool) {
	if added, ok = strings.CutPrefix(other, name); ok {
		return added, true
	}
	added, ok = strings.CutPrefix(other, stem(name))
	if ending := filepath.Ext(name); ok && ending != name {
		added = strings.TrimSuffix(added, ending)
	}
	return added, ok
}

const named = 3 // changes that are listed

// differs describes how the values of a backup differ from those left in a document.
func differs(ctx context.Context, d, backup *model.Document) (string, error) {
	if d.Size() == 0 || d.IsForeign() || d.Missing != nil {
		return "nothing is left here", nil
	}
	if d.Format != backup.Format {
		return "what is left here cannot be compared with it", nil
	}
	const most = 10_000
	changes, more, err := compare.First(ctx, d.Innermost().Tree(), backup.Innermost().Tree(), compare.Options{WholeVectors: true}, most)
	if err != nil {
		return "", err
	}
	kinds := map[compare.Kind]int64{}
	var first, parts []string
	for _, c := range changes {
		if kinds[c.Kind]++; c.Kind != compare.Added && len(first) < named {
			first = append(first, c.Path)
		}
	}
	say := func(n int64, what string) {
		if n > 0 {
			parts = append(parts, span.Grouped(n)+" "+what)
		}
	}
	say(kinds[compare.Added], "missing here")
	say(kinds[compare.Removed], "only here")
	say(int64(len(changes))-kinds[compare.Added]-kinds[compare.Removed], "different")
	if len(parts) == 0 {
		return "all values that are left here are in it", nil
	}
	text := "values: " + strings.Join(parts, ", ")
	if more {
		text += " and more"
	}
	if len(first) > 0 {
		text += " (" + strings.Join(first, ", ") + ")"
	}
	return text, nil
}

// Said describes a backup in a sentence: its name, time and differences.
func (b *Backup) Said(save string) string {
	name := b.Path
	if in, err := filepath.Rel(filepath.Dir(save), b.Path); err == nil {
		name = in
	}
	text := fmt.Sprintf("%s, written %s, is intact; %s", name, b.When.Format("2006-01-02 15:04"), b.Differs)
	if b.Locked != "" {
		text += "; " + b.Locked + " is newer and encrypted"
	}
	return text
}

// DamagedName returns an unused name beside a save, under which the save is kept when a backup replaces
// it.
func DamagedName(path string) string {
	name := path + ".damaged"
	for i := 2; i < 1000; i++ {
		if _, err := os.Lstat(name); errors.Is(err, os.ErrNotExist) {
			break
		}
		name = fmt.Sprintf("%s.damaged%d", path, i)
	}
	return name
}

// Take replaces the file of a document by a backup. It keeps the old file under another name, which it
// returns; "" if the document's options say to keep none. The file must be as it was when it was opened.
func Take(ctx context.Context, d *model.Document, b *Backup, o model.SaveOptions) (kept string, err error) {
	x, err := open(ctx, d, b.Path)
	if err != nil {
		return "", err
	}
	defer x.Close()
	if o.Path == "" && !d.Options().NoBackup {
		o.Keep = DamagedName(d.Named())
	}
	return o.Keep, d.ReplaceBy(ctx, x, o, new(model.Progress))
}

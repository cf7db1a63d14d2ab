package model

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"varview/decoder/background"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/internal/filelock"
	"varview/internal/folders"
	"varview/model/journal"
)

// errJournal says that a journal does not fit its file.
var errJournal = errors.New("the journal of unsaved edits does not fit the file")

// Unsaved are edits of a file that were not saved before the program ended.
type Unsaved struct {
	*journal.Content
	Name       string // of the journal
	IsAlive    bool   // the program that edits the file still runs; nothing but the header is read
	Unreadable error  // why nothing can be read of it, nil if something can
}

const (
	journalSuffix = ".journal"
	asideSuffix   = journalSuffix + ".unreadable"
)

// unsavedFolder is where journals are.
func unsavedFolder() (string, error) {
	state, err := folders.State()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(state, "unsaved")
	return folder, os.MkdirAll(folder, 0o700)
}

// journalKey is what the names of all journals of a file begin with.
func journalKey(path string) (key, absolute string, err error) {
	if absolute, err = filepath.Abs(path); err != nil {
		return "", "", err
	}
	if real, err := filepath.EvalSymlinks(absolute); err == nil {
		absolute = real
	} else if folder, err := filepath.EvalSymlinks(filepath.Dir(absolute)); err == nil { // the file itself is gone
		absolute = filepath.Join(folder, filepath.Base(absolute))
	}
	sum := sha256.Sum256([]byte(absolute))
	return hex.EncodeToString(sum[:12]) + "-", absolute, nil
}

// KeepUnsaved writes from now on all edits of the document into a journal, until
// CloseJournal. Others see that the file is being edited. A document that cannot be edited,
// or has no file, keeps nothing.
func (d *Document) KeepUnsaved() error {
	if d.options.ReadOnly || d.path == "-" || d.history.journal != nil {
		return nil
	}
	folder, err := unsavedFolder()
	if err != nil {
		return fmt.Errorf("unsaved edits cannot be kept: %w", err)
	}
	key, path, err := journalKey(d.path)
	if err != nil {
		return err
	}
	name := filepath.Join(folder, key+strconv.FormatUint(rand.Uint64(), 36)+journalSuffix)
	w, err := journal.Create(name, journal.Header{Path: path, PID: os.Getpid(), Started: time.Now()})
	if err != nil {
		return fmt.Errorf("unsaved edits cannot be kept: %w", err)
	}
	d.history.journal = &Journal{Writer: w, key: key}
	return nil
}

// CloseJournal ends the journal, once all is on disk. It stays if keep is set and there are
// edits that were not saved.
func (d *Document) CloseJournal(keep bool) error {
	j := d.history.journal
	if j == nil {
		return nil
	}
	d.history.journal = nil
	return j.Close(keep && d.IsModified())
}

// Journal is where edits are kept, nil if they are not.
func (d *Document) Journal() *Journal { return d.history.journal }

// Lost returns why edits are not kept any more, nil while they are.
func (j *Journal) Lost() error {
	if j == nil || j.Err() == nil {
		return nil
	}
	return fmt.Errorf("unsaved edits are no longer kept against a crash: %w", j.Err())
}

// patience is how long the disk may take for the last edits when the program is ended.
const patience = time.Second

// Keep waits until all edits so far are on disk, though not for ever, and reports whether they
// are. The journal stays.
func (j *Journal) Keep() bool {
	if j == nil {
		return false
	}
	var err error
	flushing := background.Start(func() { err = j.Flush() })
	select {
	case <-flushing.Done():
		return err == nil
	case <-time.After(patience):
		return false
	}
}

// Others lists the processes that have the file open too.
func (j *Journal) Others() (pids []int) {
	if j == nil {
		return nil
	}
	names, _ := filepath.Glob(filepath.Join(filepath.Dir(j.Name()), j.key+"*"+journalSuffix))
	for _, name := range names {
		if locked, _ := isLocked(name); name == j.Name() || !locked {
			continue
		}
		if u := readAlive(name); u.Unreadable == nil {
			pids = append(pids, u.PID)
		}
	}
	return pids
}

// isLocked reports whether the program that writes a journal still runs, or why that is not
// known.
func isLocked(name string) (bool, error) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	free, err := filelock.Try(f)
	return err == nil && !free, err
}

// FindUnsaved returns a function that lists the edits of the document's file that other runs
// of the program have not saved, the latest first, and removes journals without any. It may
// run in the background.
func (d *Document) FindUnsaved() func() ([]*Unsaved, error) {
	if d.path == "-" {
		return func() ([]*Unsaved, error) { return nil, nil }
	}
	own, path, secret := "", d.path, d.secret()
	if j := d.history.journal; j != nil {
		own = j.Name()
	}
	return func() ([]*Unsaved, error) { return unsavedOf(path, own, secret) }
}

// UnsavedOf lists the unsaved edits of a file that need not be there any more.
func UnsavedOf(path string) ([]*Unsaved, error) { return unsavedOf(path, "", nil) }

func unsavedOf(path, own string, secret []byte) ([]*Unsaved, error) {
	key, _, err := journalKey(path)
	if err != nil {
		return nil, err
	}
	return findUnsaved(key, own, secret)
}

// AllUnsaved lists the unsaved edits of all files, the latest first.
func AllUnsaved() ([]*Unsaved, error) { return findUnsaved("", "", nil) }

// findUnsaved lists the journals whose names begin with a key, without one's own.
func findUnsaved(key, own string, secret []byte) (found []*Unsaved, err error) {
	folder, err := unsavedFolder()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := filepath.Join(folder, e.Name())
		switch {
		case !strings.HasPrefix(e.Name(), key) || name == own:
		case strings.HasSuffix(name, journalSuffix):
			if u := readUnsaved(name, secret); u != nil {
				found = append(found, u)
			}
		case strings.HasSuffix(name, asideSuffix):
			found = append(found, unreadable(name, errAside))
		}
	}
	slices.SortFunc(found, func(a, b *Unsaved) int { return b.When.Compare(a.When) })
	return found, nil
}

// openJournal opens a journal to be read; tests put others in its place.
var openJournal = func(name string) (journal.File, error) { return os.Open(name) }

// errAside says that a journal was set aside.
var errAside = errors.New("set aside")

// unreadable returns the entry for a journal that cannot be read.
func unreadable(name string, err error) *Unsaved {
	c := &journal.Content{}
	if info, err := os.Stat(name); err == nil {
		c.Size, c.When = info.Size(), info.ModTime()
	}
	return &Unsaved{Content: c, Name: name, Unreadable: source.Plain(err)}
}

// readUnsaved reads a journal; nil if it is certain that it has no edits, or that these were
// saved. Only then it is removed.
func readUnsaved(name string, secret []byte) *Unsaved {
	f, err := openJournal(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unreadable(name, err)
	}
	defer f.Close()
	locked, unknown := isLocked(name)
	if locked {
		return readAlive(name)
	}
	c, err := journal.Read(f, secret)
	if err != nil {
		u := unreadable(name, err)
		if err == journal.ErrNothing && mayBeginNow(u.When) {
			return nil
		}
		return u
	}
	if !c.IsEmpty() && !isSaved(c) {
		return &Unsaved{Content: c, Name: name}
	}
	if unknown == nil && !mayBeginNow(c.When) {
		os.Remove(name)
	}
	return nil
}

// mayBeginNow reports whether a journal that was written at a time may be one that is being made.
func mayBeginNow(written time.Time) bool { return time.Since(written) < time.Minute }

// readAlive reads whose journal it is, of a program that still runs.
func readAlive(name string) *Unsaved {
	u := unreadable(name, nil)
	u.IsAlive = true
	f, err := openJournal(name)
	if err == nil {
		defer f.Close()
		u.Header, err = journal.ReadHeader(f)
	}
	u.Unreadable = source.Plain(err)
	return u
}

// IsAside reports whether the journal was set aside: the user knows that it cannot be read.
func (u *Unsaved) IsAside() bool { return u.Unreadable == errAside }

// isSaved reports whether the program ended when the file was saved and the journal not yet
// dropped.
func isSaved(c *journal.Content) bool {
	if c.Saved == "" {
		return false
	}
	sum, err := sumOf(c.Path)
	return err == nil && sum == c.Saved
}

// sumOf is the sum of a file as it is now.
func sumOf(path string) (string, error) {
	f, err := source.OpenFile(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return journal.Sum(f)
}

// State says what became of the file since: "", "the file has changed since" or "the file is
// gone".
func (u *Unsaved) State() string {
	if u.Base.Sum == "" { // it cannot be read which file it was
		return ""
	}
	switch sum, err := sumOf(u.Path); {
	case err != nil:
		return source.Gone
	case sum != u.Base.Sum:
		return "the file has changed since"
	}
	return ""
}

// Loss says what of the edits cannot be read, "" if all can.
func (u *Unsaved) Loss() string {
	all := u.Edits()
	switch {
	case u.Unreadable != nil:
		return fmt.Sprintf("cannot be read: %v; they stay in %s", u.Unreadable, u.Name)
	case u.Err != nil && u.Missing > 0:
		return fmt.Sprintf("%d of %s cannot be read: %v", u.Missing, span.Counted(int64(all), "step"), source.Plain(u.Err))
	case u.Missing > 0:
		return fmt.Sprintf("%d of %s cannot be read", u.Missing, span.Counted(int64(all), "step"))
	case u.Damaged:
		return "the journal is damaged, but all steps can be read"
	}
	return ""
}

// Discard drops the edits. A journal that cannot be read as a whole is set aside, and stays.
func (u *Unsaved) Discard() error {
	switch {
	case u.IsAside():
		return nil
	case u.Unreadable != nil || u.Damaged || u.Missing > 0:
		return os.Rename(u.Name, strings.TrimSuffix(u.Name, journalSuffix)+asideSuffix)
	}
	return os.Remove(u.Name)
}

package model

import (
	"cmp"
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

	"varview/decoder/engine/background"
	"varview/decoder/engine/openfile"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/internal/atomicfile"
	"varview/internal/filelock"
	"varview/internal/folders"
	"varview/model/journal"
)

// errJournal says that a journal does not fit its file.
var errJournal = errors.New("the journal of unsaved edits does not fit the file")

// Unsaved are edits of a file that were not saved before the program ended.
type Unsaved struct {
	*journal.Content
	Name       string // file name of the journal
	IsAlive    bool   // the program that edits the file still runs; only the header was read
	Unreadable error  // why nothing can be read of it; nil if something can
}

const (
	journalSuffix = ".journal"
	asideSuffix   = journalSuffix + ".unreadable"
)

// unsavedFolder returns the folder of the journals.
func unsavedFolder() (string, error) {
	state, err := folders.State()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(state, "unsaved")
	return folder, os.MkdirAll(folder, 0o700)
}

// journalKey returns the common prefix of the names of all journals of a file.
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

// KeepUnsaved writes all edits of the document from now on into a journal, until CloseJournal. Other
// programs see that the file is being edited. A document that cannot be edited, or has no file, keeps
// nothing.
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

// CloseJournal closes the journal once all is on disk. It stays if keep is set and there are unsaved
// edits. Otherwise the steps that led to what was saved stay, for FindSaved.
func (d *Document) CloseJournal(keep bool) error {
	j, h := d.history.journal, d.history
	if j == nil {
		return nil
	}
	h.journal = nil
	if keep = keep && d.IsModified(); keep || !d.keepsSteps() {
		return j.Close(keep)
	}
	d.beginWith(j, h.saved, h.written)
	if err := j.Close(true); err != nil {
		return errors.Join(err, os.Remove(j.Name()))
	}
	return keepSaved(j.Name())
}

// keepsSteps reports whether the steps that led to the saved file are kept, beside its backup.
func (d *Document) keepsSteps() bool {
	h := d.history
	return h.backedUp && h.saved >= 0 && len(h.steps) > 0 && h.written != "" && !d.options.NoBackup
}

// keepSaved makes a journal without edits that of the steps of a saved file.
func keepSaved(name string) error {
	key, _, _ := strings.Cut(filepath.Base(name), "-")
	return os.Rename(name, filepath.Join(filepath.Dir(name), key+"-"+savedSuffix))
}

// savedSuffix ends the name of the journal of the steps that led to the file as it was saved last.
const savedSuffix = "saved"

// FindSaved returns a function that looks for the steps with which the file was saved before it was opened,
// and returns another one, which makes them those of a document that was not edited meanwhile, and reports
// whether it did: they can be undone. They are kept as long as the file's backup is. The first function may run in the background.
func (d *Document) FindSaved() func() (adopt func() bool) {
	nothing := func() bool { return false }
	j := d.history.journal
	_, path, err := journalKey(d.path)
	if err != nil || j == nil {
		return func() func() bool { return nothing }
	}
	name, secret, latest := filepath.Join(filepath.Dir(j.Name()), j.key+savedSuffix), d.secret(), d.latest
	return func() func() bool {
		if statError(name) != nil {
			return nothing
		}
		if statError(atomicfile.BackupName(path)) != nil {
			os.Remove(name)
			return nothing
		}
		done, err := d.Use()
		if err != nil {
			return nothing
		}
		defer done()
		c, err := readSaved(name, secret)
		if err != nil || len(c.Past.Steps) == 0 {
			return nothing
		}
		if sum, err := journal.Sum(latest); err != nil || sum != c.Base.Sum {
			return nothing
		}
		return func() bool {
			h := d.history
			if len(h.steps) > 0 || d.latest != latest || h.take(c.Past) != nil {
				return false
			}
			h.before, h.written = h.at, c.Base.Sum
			return true
		}
	}
}

func readSaved(name string, secret []byte) (*journal.Content, error) {
	f, err := openJournal(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return journal.Read(f, secret)
}

// Journal returns the journal in which edits are kept; nil if they are not.
func (d *Document) Journal() *Journal { return d.history.journal }

// Lost returns why edits are no longer kept; nil while they are.
func (j *Journal) Lost() error {
	if j == nil || j.Err() == nil {
		return nil
	}
	return fmt.Errorf("unsaved edits are no longer kept against a crash: %w", j.Err())
}

// patience is how long the disk may take for the last edits when the program ends.
const patience = time.Second

// Keep waits for a limited time until all edits so far are on disk, and reports whether they are. The
// journal stays.
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

// Others returns the ids of the other processes that have the file open.
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

// isLocked reports whether the program that writes a journal still runs, or why that is not known.
func isLocked(name string) (bool, error) {
	f, err := openfile.Open(name, os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	free, err := filelock.Try(f)
	return err == nil && !free, err
}

// FindUnsaved returns a function that lists the edits of the document's file that other runs of the
// program have not saved, latest first, and removes journals without edits. The function may run in the
// background.
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

// UnsavedOf lists the unsaved edits of a file, which may no longer exist.
func UnsavedOf(path string) ([]*Unsaved, error) { return unsavedOf(path, "", nil) }

func unsavedOf(path, own string, secret []byte) ([]*Unsaved, error) {
	key, _, err := journalKey(path)
	if err != nil {
		return nil, err
	}
	return findUnsaved(key, own, secret)
}

// AllUnsaved lists the unsaved edits of all files, latest first.
func AllUnsaved() ([]*Unsaved, error) { return findUnsaved("", "", nil) }

// findUnsaved lists the journals whose names begin with key, except own.
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
	slices.SortFunc(found, func(a, b *Unsaved) int { // a disk may give what is written in a few milliseconds one time
		return cmp.Or(b.When.Compare(a.When), b.Started.Compare(a.Started))
	})
	return found, nil
}

// openJournal opens a journal for reading; tests replace it.
var openJournal = func(name string) (journal.File, error) { return openfile.Read(name) }

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

// readUnsaved reads a journal. It returns nil, and removes the journal or keeps it for FindSaved, only if it is certain that the
// journal has no edits, or that they were saved.
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
	switch {
	case unknown != nil:
	case c.IsEmpty() && c.Base.Steps > 0: // it was killed after saving
		keepSaved(name)
	case !mayBeginNow(c.When):
		os.Remove(name)
	}
	return nil
}

// mayBeginNow reports whether a journal last written at a time may be one that is just being created.
func mayBeginNow(written time.Time) bool { return time.Since(written) < time.Minute }

// readAlive reads the header of a journal whose program still runs.
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

// isSaved reports whether the program ended after saving the file and before dropping the journal.
func isSaved(c *journal.Content) bool {
	if c.Saved == "" {
		return false
	}
	sum, err := sumOf(c.Path)
	return err == nil && sum == c.Saved
}

// sumOf returns the checksum of the current file.
func sumOf(path string) (string, error) {
	f, err := source.OpenFile(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return journal.Sum(f)
}

// State returns what became of the file since: "", "the file has changed since" or "the file is gone".
func (u *Unsaved) State() string {
	if u.Base.Sum == "" { // unknown which content the file had
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

// Loss describes which of the edits cannot be read; "" if all can.
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

// Discard drops the edits. A journal that cannot be read completely is set aside instead of removed.
func (u *Unsaved) Discard() error {
	switch {
	case u.IsAside():
		return nil
	case u.Unreadable != nil || u.Damaged || u.Missing > 0:
		return os.Rename(u.Name, strings.TrimSuffix(u.Name, journalSuffix)+asideSuffix)
	}
	return os.Remove(u.Name)
}

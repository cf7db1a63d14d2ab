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
	"varview/internal/filelock"
	"varview/internal/folders"
	"varview/model/journal"
)

// errJournal says that a journal does not fit its file.
var errJournal = errors.New("the journal of unsaved edits does not fit the file")

// Unsaved are edits of a file that were not saved before the program ended.
type Unsaved struct {
	*journal.Content
	Name    string // of the journal
	IsAlive bool   // the program that edits the file still runs; nothing but the header is read
}

const journalSuffix = ".journal"

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
		if name == j.Name() || !isLocked(name) {
			continue
		}
		if h, err := journal.ReadHeader(name); err == nil {
			pids = append(pids, h.PID)
		}
	}
	return pids
}

// isLocked reports whether the program that writes a journal still runs.
func isLocked(name string) bool {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	free, err := filelock.Try(f)
	return err == nil && !free
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
		if strings.HasPrefix(e.Name(), key) && strings.HasSuffix(name, journalSuffix) && name != own {
			if u := readUnsaved(name, secret); u != nil {
				found = append(found, u)
			}
		}
	}
	slices.SortFunc(found, func(a, b *Unsaved) int { return b.When.Compare(a.When) })
	return found, nil
}

// readUnsaved reads a journal; nil if it has nothing that is of use to anybody.
func readUnsaved(name string, secret []byte) *Unsaved {
	info, err := os.Stat(name)
	if err != nil {
		return nil
	}
	if isLocked(name) {
		h, err := journal.ReadHeader(name)
		if err != nil {
			return nil
		}
		return &Unsaved{Content: &journal.Content{Header: h, Size: info.Size(), When: info.ModTime()}, Name: name, IsAlive: true}
	}
	c, err := journal.Read(name, secret)
	if err == nil && c.Edits() > 0 && !isSaved(c) {
		return &Unsaved{Content: c, Name: name}
	}
	if time.Since(info.ModTime()) > time.Minute { // else it may be one that is being made
		os.Remove(name)
	}
	return nil
}

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
	switch sum, err := sumOf(u.Path); {
	case err != nil:
		return source.Gone
	case sum != u.Base.Sum:
		return "the file has changed since"
	}
	return ""
}

// Discard drops the edits.
func (u *Unsaved) Discard() error { return os.Remove(u.Name) }

package model

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"varview/decoder/edit"
	"varview/model/journal"
	"varview/model/patch"
)

// unsavedJournal is the journal of a file with these edits, as a killed program leaves it.
func unsavedJournal(t *testing.T, edits map[string]string, order ...string) (path, name string) {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	path = write(t, dictionary(text("name"), text("Ann"), text("level"), integer(7), text("gold"), integer(5)))
	d, err := Open(t.Context(), path, Options{})
	must(t, err)
	must(t, d.KeepUnsaved())
	name = d.Journal().Name()
	begun, err := os.ReadFile(name)
	must(t, err)
	for _, key := range order {
		set(t, d, key, edits[key])
	}
	must(t, d.CloseJournal(true))
	must(t, d.Close())
	if len(order) == 0 { // the program was killed before an edit
		must(t, os.WriteFile(name, begun, 0o600))
	}
	old := time.Now().Add(-2 * time.Minute)
	must(t, os.Chtimes(name, old, old))
	return path, name
}

// set sets a value of a document.
func set(t *testing.T, d *Document, path, literal string) {
	t.Helper()
	tr, err := d.Begin(d.Innermost())
	must(t, err)
	n, err := tr.Reader().Resolve(path)
	must(t, err)
	must(t, tr.Set(t.Context(), n, edit.Content{Literal: literal}, edit.Options{}))
	_, err = tr.Commit(t.Context(), "set "+path, Cursor{}, Cursor{})
	must(t, err)
}

// TestJournalErrors: whatever keeps a journal from being read, it stays, and is named.
func TestJournalErrors(t *testing.T) {
	edits := map[string]string{"$.level": "8", "$.gold": "6"}
	path, name := unsavedJournal(t, edits, "$.level", "$.gold")
	real := openJournal
	defer func() { openJournal = real }()
	for _, failed := range []error{syscall.EACCES, syscall.EIO, syscall.EMFILE, syscall.ENFILE, syscall.ESTALE} {
		openJournal = func(string) (journal.File, error) { return nil, &os.PathError{Op: "open", Path: name, Err: failed} }
		list, err := UnsavedOf(path)
		if err != nil || len(list) != 1 || list[0].Unreadable != failed || !strings.Contains(list[0].Loss(), name) {
			t.Errorf("%v: %+v, %v", failed, list, err)
		}
		openJournal = func(name string) (journal.File, error) {
			f, err := os.Open(name)
			return failing{f, failed}, err
		}
		list, err = UnsavedOf(path)
		if err != nil || len(list) != 1 || !errors.Is(list[0].Unreadable, failed) {
			t.Errorf("reading: %v: %+v, %v", failed, list, err)
		}
	}
	openJournal = real
	if list, err := UnsavedOf(path); err != nil || len(list) != 1 || list[0].Edits() != 2 || list[0].Loss() != "" {
		t.Errorf("%+v, %v", list, err)
	}
}

// A failing journal cannot be read.
type failing struct {
	*os.File
	err error
}

func (f failing) ReadAt([]byte, int64) (int, error) { return 0, f.err }

// TestJournalStays: only a journal without edits is removed. What of another cannot be read is
// counted, and it is set aside, not removed, when it is discarded.
func TestJournalStays(t *testing.T) {
	edits := map[string]string{"$.level": "8", "$.gold": "6", "$.name": `"Bob"`}
	for about, c := range map[string]struct {
		order  []string
		change func(b []byte) []byte
		loss   string // part of what is said, "" where the journal is removed
		lead   int
	}{
		"without an edit":  {nil, nil, "", 0},
		"without a byte":   {[]string{"$.gold"}, func(b []byte) []byte { return nil }, "there is nothing in it", 0},
		"another version":  {[]string{"$.gold"}, func(b []byte) []byte { return []byte("varview journal 7\nwhatever") }, "another version of varview", 0},
		"no journal":       {[]string{"$.gold"}, func(b []byte) []byte { return []byte("whatever") }, "the journal is damaged", 0},
		"zeros":            {[]string{"$.gold"}, func(b []byte) []byte { return make([]byte, len(b)) }, "the journal is damaged", 0},
		"a bit of the top": {[]string{"$.gold", "$.name"}, func(b []byte) []byte { b[3] ^= 4; return b }, "the journal is damaged", 0},
		"the tally": {[]string{"$.gold", "$.name"}, func(b []byte) []byte {
			const top = 30 // within the record before it
			b[top+strings.Index(string(b[top:]), "\xfevj3")+30] ^= 1
			return b
		}, "all steps can be read", 2},
		"zeros at the end": {[]string{"$.gold", "$.name"}, func(b []byte) []byte { return append(b, make([]byte, 5000)...) }, "1 of 3 steps cannot be read", 2},
		"its last byte":    {[]string{"$.gold", "$.name"}, func(b []byte) []byte { return b[:len(b)-1] }, "1 of 2 steps cannot be read", 1},
		"a step": {[]string{"$.level", "$.gold", "$.name"}, func(b []byte) []byte {
			b[strings.Index(string(b), `"set $.gold"`)] ^= 1
			return b
		}, "2 of 3 steps cannot be read", 1},
	} {
		t.Run(about, func(t *testing.T) {
			path, name := unsavedJournal(t, edits, c.order...)
			if c.change != nil {
				b, err := os.ReadFile(name)
				must(t, err)
				must(t, os.WriteFile(name, c.change(b), 0o600))
				old := time.Now().Add(-2 * time.Minute)
				must(t, os.Chtimes(name, old, old))
			}
			for range 2 {
				list, err := UnsavedOf(path)
				must(t, err)
				if c.loss == "" {
					if _, err := os.Stat(name); len(list) > 0 || err == nil {
						t.Fatalf("it stays: %v", list)
					}
					return
				}
				if len(list) != 1 || !strings.Contains(list[0].Loss(), c.loss) || len(list[0].Lead) != c.lead {
					t.Fatalf("%d journals, %q", len(list), list[0].Loss())
				}
			}
			list, err := UnsavedOf(path)
			must(t, err)
			was, err := os.ReadFile(name)
			must(t, err)
			must(t, list[0].Discard())
			if is, err := os.ReadFile(name + ".unreadable"); err != nil || string(is) != string(was) {
				t.Errorf("it is not set aside: %v", err)
			}
			if list, err := UnsavedOf(path); err != nil || len(list) != 1 || !list[0].IsAside() {
				t.Errorf("%v, %v", list, err)
			}
			if left, _ := filepath.Glob(name); len(left) > 0 {
				t.Error("it is there twice")
			}
		})
	}
}

// TestJournalBegins: a journal without a byte is not named while another program may be making it, and
// stays.
func TestJournalBegins(t *testing.T) {
	path, name := unsavedJournal(t, nil)
	must(t, os.WriteFile(name, nil, 0o600))
	if list, err := UnsavedOf(path); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := os.Stat(name); err != nil {
		t.Error(err)
	}
}

// TestPatchOf: the patch of unsaved edits says which bytes were edited and which they have led to, and leads to
// these; the edits stay unsaved.
func TestPatchOf(t *testing.T) {
	path, name := unsavedJournal(t, map[string]string{"$.level": "8", "$.name": `"Bob"`}, "$.level", "$.name")
	list, err := UnsavedOf(path)
	must(t, err)
	d, err := Open(t.Context(), path, Options{})
	must(t, err)
	defer d.Close()
	p, err := d.PatchOf(t.Context(), list[0])
	must(t, err)
	if len(p) != 4 || p[0].Kind != patch.Sum || p[3].Kind != patch.Sum {
		t.Fatalf("%+v", p)
	}
	x, err := d.Begin(d.Innermost())
	must(t, err)
	must(t, x.Apply(t.Context(), p, edit.Options{}))
	if is, err := patch.SumOf(x.Reader().Tree.Source); is != p[3] || err != nil {
		t.Errorf("%+v, %v", is, err)
	}
	if _, err := os.Stat(name); err != nil || d.IsModified() {
		t.Errorf("%v, modified: %v", err, d.IsModified())
	}
}

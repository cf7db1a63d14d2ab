package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/model/patch"
)

var base = source.Bytes("the content of the file")

// step is one that puts text at an offset.
func step(label string, off, n int64, text string) *Step {
	return &Step{Label: label, Was: 10, Is: 11, After: Cursor{Offset: off, Depth: 2, Index: 1},
		Groups: [][]Splice{{{Offset: off, Length: n, New: PiecesOf(source.Memory([]byte(text)), base)}}},
		Ops:    patch.Patch{{Kind: patch.Set, Path: "$." + label, Old: "1", New: text}}}
}

// text is what a step puts in.
func text(t testing.TB, s *Step) string {
	var all []byte
	for _, splices := range s.Groups {
		for _, x := range splices {
			p, err := Join(x.New, base)
			if err != nil {
				t.Fatal(err)
			}
			b := make([]byte, p.Size())
			p.ReadAt(b, 0)
			all = append(all, b...)
		}
	}
	return string(all)
}

// create makes a journal, which write fills, and returns its name.
func create(t testing.TB, secret []byte, write func(*Writer)) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x.journal")
	w, err := Create(name, Header{Path: "/saves/a.dat", PID: 7, Started: time.Unix(1_700_000_000, 0).UTC()})
	if err != nil {
		t.Fatal(err)
	}
	w.Begin(Base{Size: base.Size(), Title: "Godot 4"}, base, secret, &Past{Steps: []*Step{step("past", 0, 0, "before")}, At: 1})
	write(w)
	if err := w.Close(true); err != nil {
		t.Fatal(err)
	}
	return name
}

// someEvents are edits, some of which are undone.
func someEvents(w *Writer) {
	w.Add(Event{Kind: Did, Step: step("one", 1, 2, "first")})
	w.Add(Event{Kind: Did, Step: step("two", 3, 0, "second")})
	w.Add(Event{Kind: Did, Step: step("three", 3, 0, "third")})
	w.Add(Event{Kind: Joined, Since: 2, Label: "both"})
	w.Add(Event{Kind: Undid})
	w.Add(Event{Kind: Redid})
	w.Add(Event{Kind: Did, Step: step("four", 3, 0, "fourth")})
	w.Add(Event{Kind: Undid})
}

// open reads a journal.
func open(name string, secret []byte) (*Content, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, secret)
}

func TestJournal(t *testing.T) {
	for _, secret := range [][]byte{nil, []byte("the key of the file")} {
		c, err := open(create(t, secret, someEvents), secret)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := Sum(base)
		if c.Path != "/saves/a.dat" || c.PID != 7 || err != nil || c.Base.Sum != sum || c.Base.Title != "Godot 4" {
			t.Errorf("%+v, %+v", c.Header, c.Base)
		}
		var lead string
		for _, l := range c.Lead {
			lead += fmt.Sprint(l.Step.Label, l.Undone, text(t, l.Step), " ")
		}
		if lead != "onefalsefirst bothfalsesecondthird " {
			t.Errorf("leads there: %s", lead)
		}
		if len(c.Past.Steps) != 1 || c.Past.At != 1 || text(t, c.Past.Steps[0]) != "before" || len(c.Events) != 8 || c.Edits() != 2 {
			t.Errorf("%d, %d", len(c.Past.Steps), len(c.Events))
		}
		if ops := c.Ops(); len(ops) != 3 || ops[2].New != "third" {
			t.Errorf("%+v", ops)
		}
	}
}

// Steps undone past the save lead back from there.
func TestJournalUndoneSave(t *testing.T) {
	c, err := open(create(t, nil, func(w *Writer) { w.Add(Event{Kind: Undid}) }), nil)
	if err != nil || len(c.Lead) != 1 || !c.Lead[0].Undone || c.Ops()[0].New != "1" {
		t.Errorf("%+v, %v", c.Lead, err)
	}
}

// Nothing of an encrypted file is written in the clear, and nothing can be read without its
// key.
func TestJournalEncrypted(t *testing.T) {
	secret := []byte("the key of the file")
	name := create(t, secret, someEvents)
	all, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"first", "second", "one", "before", string(secret)} {
		if bytes.Contains(all, []byte(word)) || bytes.Contains(all, []byte(json.RawMessage(word))) {
			t.Errorf("%q is in it", word)
		}
	}
	for _, other := range [][]byte{nil, []byte("another")} {
		c, err := open(name, other)
		if err != nil || c.Locked != 8 || c.Edits() != 8 || len(c.Events) != 0 || len(c.Past.Steps) != 0 {
			t.Errorf("%+v, %v", c, err)
		}
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// Data is divided among the pieces again, whatever their sizes, and what is of the base is
// not written.
func TestJournalData(t *testing.T) {
	long := bytes.Repeat([]byte("0123456789"), dataSize/4)
	s := step("long", 0, 0, string(long))
	s.Groups[0][0].New = append(s.Groups[0][0].New, Piece{IsBase: true, Offset: 4, Length: 7}, Piece{Length: 3, Data: source.Memory([]byte("end"))})
	name := create(t, nil, func(w *Writer) {
		w.Add(Event{Kind: Did, Step: s})
		w.Add(Event{Kind: Did, Step: step("next", 0, 0, "more")})
	})
	c, err := open(name, nil)
	if err != nil || len(c.Lead) != 2 {
		t.Fatalf("%+v, %v", c, err)
	}
	if got := text(t, c.Lead[0].Step); got != string(long)+"contentend" {
		t.Errorf("%d bytes, %q", len(got), got[len(got)-20:])
	}
	if got := text(t, c.Lead[1].Step); got != "more" {
		t.Error(got)
	}
}

// What cannot be kept ends the journal with an error, until it begins anew.
func TestJournalTooLarge(t *testing.T) {
	large := &Step{Groups: [][]Splice{{{New: []Piece{{Length: maxData + 1, Data: source.Memory(nil)}}}}}}
	create(t, nil, func(w *Writer) {
		w.Add(Event{Kind: Did, Step: large})
		if err := w.Flush(); !errors.Is(err, errTooLarge) {
			t.Error(err)
		}
		w.Then(func() error { t.Error("called all the same"); return nil })
		w.Forget()
		if err := w.Flush(); err != nil || w.HasBegun() {
			t.Error(err)
		}
	})
}

// The names of a journal and of its folder are on disk before a journal counts as written; an error of
// that is one of the journal.
func TestCreateSyncs(t *testing.T) {
	for _, fails := range []string{"", "x.journal", "journals"} {
		dir := filepath.Join(t.TempDir(), "journals")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		name, broken := filepath.Join(dir, "x.journal"), errors.New("no power")
		var synced []string
		w, err := createWith(name, Header{}, func(name string) error {
			synced = append(synced, name)
			if filepath.Base(name) == fails {
				return broken
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		err = w.Flush()
		if (fails == "") != (err == nil) || fails != "" && !errors.Is(err, broken) {
			t.Errorf("%q cannot be synced: %v", fails, err)
		}
		if fails == "" && !slices.Equal(synced, []string{name, dir}) {
			t.Errorf("synced %q, not the folders of the journal and of its folder", synced)
		}
		w.Close(false)
	}
}

func TestCloseForgets(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.journal")
	w, err := Create(name, Header{})
	if err == nil {
		err = w.Close(false)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("it is still there")
	}
}

// A sum differs wherever a byte of a small file does.
func TestSum(t *testing.T) {
	b := bytes.Repeat([]byte{1, 2, 3}, 1000)
	was, err := Sum(source.Bytes(b))
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 1500, 2999} {
		b[i]++
		if is, err := Sum(source.Bytes(b)); err != nil || is == was {
			t.Errorf("byte %d: the same, %v", i, err)
		}
		b[i]--
	}
	large := &zeros{size: summedWhole + 1}
	if _, err := Sum(large); err != nil || large.read > 2*samples*sampleSize {
		t.Errorf("%d bytes are read, %v", large.read, err)
	}
}

// zeros is a source of zeros.
type zeros struct{ size, read int64 }

func (z *zeros) Size() int64 { return z.size }
func (z *zeros) ReadAt(p []byte, off int64) (int, error) {
	z.read += int64(len(p))
	clear(p)
	return len(p), nil
}

// FuzzRead: whatever a journal holds, reading it ends, and what is read fits together.
func FuzzRead(f *testing.F) {
	for _, secret := range [][]byte{nil, []byte("key")} {
		all, err := os.ReadFile(create(f, secret, someEvents))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(all, true)
		f.Add(all[:len(all)-5], false)
	}
	f.Fuzz(func(t *testing.T, data []byte, sums bool) {
		if sums {
			data = withSums(data)
		}
		c, err := read(data, []byte("key"))
		if err != nil {
			return
		}
		for _, l := range c.Lead {
			for _, splices := range l.Step.Groups {
				for _, s := range splices {
					if p, err := Join(s.New, base); err == nil {
						source.Whole(p).Slice(span.Between(0, p.Size()))
					}
				}
			}
		}
		c.Ops()
	})
}

// withSums makes the checksums of records right, so that their content is looked at.
func withSums(data []byte) []byte {
	data = bytes.Clone(data)
	for at := len(magic); at+headSize <= len(data); {
		size := int(data[at+8]) | int(data[at+9])<<8 | int(data[at+10])<<16
		if at+headSize+size > len(data) {
			break
		}
		copy(data[at:], mark)
		putSum(data[at : at+headSize+size])
		at += headSize + size
	}
	return data
}

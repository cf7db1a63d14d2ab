package packed

import (
	"bytes"
	"fmt"
	"os"
	"testing"
)

// What was remembered is found by a later run, by mode and bytes, and is nowhere in the clear.
func TestStore(t *testing.T) {
	folder := t.TempDir()
	s := &Store{folder: folder}
	packed := []byte("packed bytes of gold 120")
	s.Remember(2, []byte("gold 120"), packed)
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
	later := &Store{folder: folder}
	if got := later.Find(2, []byte("gold 120")); !bytes.Equal(got, packed) {
		t.Errorf("found %q", got)
	}
	if later.Find(0, []byte("gold 120")) != nil || later.Find(2, []byte("gold 121")) != nil {
		t.Error("found what was not remembered")
	}
	b, err := os.ReadFile(later.files()[0])
	if err != nil || bytes.Contains(b, []byte("gold")) {
		t.Errorf("in the clear: %q, %v", b, err)
	}
	later.Remember(2, []byte("gold 120"), packed)
	if len(later.fresh) != 0 {
		t.Error("remembered twice")
	}
	if (*Store)(nil).Find(2, nil) != nil || (*Store)(nil).Save() != nil {
		t.Error("a store without a place remembers")
	}
}

// Damaged files, and too many of them, do no harm.
func TestStoreLimits(t *testing.T) {
	folder := t.TempDir()
	for i := range maxFiles + 3 {
		s := &Store{folder: folder}
		s.Remember(2, fmt.Append(nil, i), []byte("x"))
		if err := s.Save(); err != nil {
			t.Fatal(err)
		}
	}
	s := &Store{folder: folder}
	if n := len(s.files()); n != maxFiles {
		t.Errorf("%d files are kept", n)
	}
	for _, name := range s.files() {
		if err := os.Truncate(name, 21); err != nil {
			t.Fatal(err)
		}
	}
	if s.Find(2, fmt.Append(nil, maxFiles+2)) != nil {
		t.Error("found in a cut file")
	}
}

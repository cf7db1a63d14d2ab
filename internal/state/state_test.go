package state

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func open(t *testing.T, folder string) *Store {
	t.Helper()
	s, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func save(t *testing.T, s *Store) {
	t.Helper()
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
}

// What one run remembers, the next one knows.
func TestNextRun(t *testing.T) {
	folder := t.TempDir()
	when := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	s := open(t, folder)
	s.Remember(func(d *Data) { d.Searches.Add("gold") })
	s.Remember(func(d *Data) { d.Commands.Add("goto <0>") })
	s.Remember(func(d *Data) { d.Open("/a/save", when) })
	s.Remember(func(d *Data) { d.SetMark("/a/save", Mark{Name: "boss", Path: "$[0].boss", Offset: 7}) })
	s.Remember(func(d *Data) { d.SetLayout("80x24", Layout{Tree: 40}) })
	save(t, s)

	d := open(t, folder).Data()
	if got := fmt.Sprint(d.Searches, d.Commands, d.MarksOf("/a/save"), d.Layouts["80x24"].Tree); got != "[gold] [goto <0>] [{boss 0 $[0].boss 7}] 40" {
		t.Error(got)
	}
	if f := d.Files[0]; f.Path != "/a/save" || !f.Opened.Equal(when) {
		t.Error(f)
	}
	if info, err := os.Stat(filepath.Join(folder, "state.json")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
}

// Each text is kept once, and no more texts than the limit.
func TestHistory(t *testing.T) {
	var h History
	for _, typed := range []string{"a", "b", "", strings.Repeat("x", 2001), "a"} {
		h.Add(typed)
	}
	if got := fmt.Sprint(h); got != "[b a]" {
		t.Error(got)
	}
	for i := range 1000 {
		h.Add(fmt.Sprint(i))
	}
	if len(h) != maxTyped || h[len(h)-1] != "999" {
		t.Error(len(h), h[len(h)-1])
	}
}

// Marks are replaced by name, and files that were not used for long are forgotten.
func TestFiles(t *testing.T) {
	d := Data{}
	d.SetMark("/old", Mark{Name: "a", Offset: 1})
	d.SetMark("/old", Mark{Name: "b", Offset: 2})
	d.SetMark("/old", Mark{Name: "a", Offset: 3})
	if got := fmt.Sprint(d.MarksOf("/old")); got != "[{b 0  2} {a 0  3}]" {
		t.Error(got)
	}
	d.DeleteMark("/old", "b")
	if got := fmt.Sprint(d.MarksOf("/old")); got != "[{a 0  3}]" {
		t.Error(got)
	}
	for i := range maxFiles {
		d.Open(fmt.Sprint("/", i), time.Time{})
	}
	if len(d.Files) != maxFiles || d.Files[0].Path != "/99" || d.MarksOf("/old") != nil {
		t.Error(len(d.Files), d.Files[0], d.MarksOf("/old"))
	}
	for i := range 2 * maxLayouts {
		d.SetLayout(fmt.Sprint(i), Layout{Used: time.Unix(int64(i), 0)})
	}
	if len(d.Layouts) != maxLayouts || d.Layouts["0"] != nil || d.Layouts["99"] == nil {
		t.Error(len(d.Layouts))
	}
}

// Programs that write at the same time lose nothing of each other's changes.
func TestTogether(t *testing.T) {
	folder := t.TempDir()
	var all sync.WaitGroup
	for i := range 8 {
		s := open(t, folder)
		all.Go(func() {
			for j := range 5 {
				s.Remember(func(d *Data) { d.Searches.Add(fmt.Sprint(i, "-", j)) })
				if err := s.Save(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := len(open(t, folder).Data().Searches); n != 40 {
		t.Errorf("%d searches are kept, want 40", n)
	}
}

// What is about the content of an encrypted file is never written, not even with something that is
// remembered later.
func TestForNow(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	s.RememberForNow(func(d *Data) { d.Searches.Add("secret") })
	s.Remember(func(d *Data) { d.Searches.Add("gold") })
	save(t, s)
	if got := s.Data().Searches; !slices.Contains(got, "secret") {
		t.Error(got)
	}
	content, err := os.ReadFile(filepath.Join(folder, "state.json"))
	if err != nil || strings.Contains(string(content), "secret") || !strings.Contains(string(content), "gold") {
		t.Errorf("%s, %v", content, err)
	}
}

// A store in memory makes no file.
func TestInMemory(t *testing.T) {
	t.Chdir(t.TempDir())
	s := InMemory()
	s.Remember(func(d *Data) { d.Searches.Add("gold") })
	save(t, s)
	if entries, err := os.ReadDir("."); len(entries) > 0 || err != nil {
		t.Error(entries, err)
	}
}

// A damaged file counts as missing, and one of another version is left alone.
func TestUnusable(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "state.json")
	put := func(content string) {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, damaged := range []string{"", "{", "[]", `{"version":1,"files":{}}`, strings.Repeat("[", 5<<20)} {
		put(damaged)
		s := open(t, folder)
		s.Remember(func(d *Data) { d.Searches.Add("gold") })
		save(t, s)
		if got := open(t, folder).Data().Searches; fmt.Sprint(got) != "[gold]" {
			t.Errorf("after %.20q: %v", damaged, got)
		}
	}
	const other = `{"version":99}`
	put(other)
	s, err := Open(folder)
	if err == nil || !strings.Contains(err.Error(), "99") {
		t.Error(err)
	}
	s.Remember(func(d *Data) { d.Searches.Add("gold") })
	save(t, s)
	if content, _ := os.ReadFile(path); string(content) != other {
		t.Errorf("it was replaced by %s", content)
	}
}

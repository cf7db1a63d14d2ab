package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"varview/internal/state"
)

// remembering opens a file with a store on disk, and returns what that holds.
func remembering(t *testing.T, path string) (s *screen, kept func() string) {
	t.Helper()
	folder := t.TempDir()
	store, err := state.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	s = openUnsized(t, path, termenv.Ascii)
	s.m.desk.State = store
	s.run(s.m.Init())
	s.resizeTo(80, 24)
	return s, func() string {
		content, err := os.ReadFile(filepath.Join(folder, "state.json"))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
}

// The files that were opened are remembered, and what tells of their content, but not of
// that of an encrypted one.
func TestRemembers(t *testing.T) {
	for file, encrypted := range map[string]bool{"godot4/save-player-stats.bin": false, "wrapped/godot4-gdec-pass-small.bin": true} {
		path, err := filepath.Abs(filepath.Join("../testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		s, kept := remembering(t, path)
		s.run(s.m.desk.Remember(func(d *state.Data) { d.Searches.Add("secret") }))
		if got := s.m.desk.State.Data().Searches; len(got) != 1 {
			t.Errorf("%s: this run remembers %v", file, got)
		}
		content := kept()
		if !strings.Contains(content, filepath.Base(path)) {
			t.Errorf("%s: not in %s", file, content)
		}
		if strings.Contains(content, "secret") == encrypted {
			t.Errorf("%s: %s", file, content)
		}
	}
}

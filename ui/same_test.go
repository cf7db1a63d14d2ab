package ui

import (
	"path/filepath"
	"testing"

	"github.com/muesli/termenv"
)

// The text that an editor shows is the value: entered unchanged, it changes
// nothing.
func TestUnchangedValues(t *testing.T) {
	const mostRows = 30 // rows of a file that are tested
	for _, folder := range []string{"godot4", "godot3", "pandemonium", "elephant"} {
		files, err := filepath.Glob("../testdata/" + folder + "/*.bin")
		if err != nil || len(files) == 0 {
			t.Fatalf("no files in %s: %v", folder, err)
		}
		for i, file := range files {
			if i%3 > 0 || testing.Short() && i%5 > 0 {
				continue
			}
			t.Run(folder+"/"+filepath.Base(file), func(t *testing.T) {
				s := openScreen(t, file, 80, 24, termenv.Ascii)
				for range mostRows {
					s.unchanged("e")
					s.unchanged("r")
					at := s.selected()
					s.press("l")
					if s.press("j"); s.selected() == at {
						break
					}
				}
				if s.m.desk.Doc.Steps() > 0 {
					t.Error("something was changed")
				}
			})
		}
	}
}

// unchanged opens an editor with a key, and enters its text unchanged.
func (s *screen) unchanged(key string) {
	s.t.Helper()
	s.press(key)
	e := s.editor()
	if e == nil || e.Text() == "" && !e.IsText {
		s.press("esc")
		return
	}
	row := s.selected()
	for _, way := range []string{"", "ctrl+t"} {
		if way != "" {
			s.press(key, way)
		}
		if s.editor().Big {
			s.press("ctrl+s")
		} else {
			s.press("enter")
		}
		if s.editor() != nil || s.m.desk.Message.Text != "nothing changes: it is the same already" {
			s.t.Errorf("%s %s: %s", key, row, s.frame())
			s.press("esc")
			return
		}
	}
}

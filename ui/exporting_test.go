package ui

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/muesli/termenv"
)

// The end of the name says what is exported: of a table what it shows, sorted, filtered, without hidden
// columns.
func TestExportByName(t *testing.T) {
	row := func(a, b int32) []byte {
		return dictionary(str("a"), integer(a), str("b"), integer(b), str("c"), integer(0))
	}
	s := openScreen(t, save(t, array(row(1, 9), row(2, 3), row(3, 5))), 80, 24, termenv.Ascii)
	folder := t.TempDir()
	want := func(name, content string) {
		t.Helper()
		path := filepath.Join(folder, name)
		s.enter(":", "export "+path)
		if got, err := os.ReadFile(path); err != nil || string(got) != content {
			t.Errorf("%s: %q (%v), want %q\n%s", name, got, err, content, s.frame())
		}
	}
	want("all.csv", "index,a,b,c\n0,1,9,0\n1,2,3,0\n2,3,5,0\n")
	want("o.json", `[{"type":"Dictionary","args":["s:a","i:1","s:b","i:9","s:c","i:0"]},{"type":"Dictionary","args":["s:a","i:2","s:b","i:3","s:c","i:0"]},`+
		`{"type":"Dictionary","args":["s:a","i:3","s:b","i:5","s:c","i:0"]}]`+"\n")
	want("o.txt", "[{ \"a\": 1, \"b\": 9, \"c\": 0 }, { \"a\": 2, \"b\": 3, \"c\": 0 }, { \"a\": 3, \"b\": 5, \"c\": 0 }]\n")
	s.press("t", "l", "l", "l", "-", "s")
	s.enter("&", "a>1")
	want("shown.csv", "index,a,b\n1,2,3\n2,3,5\n")
	want("shown.json", "[\n{\"index\":1,\"values\":{\"a\":\"i:2\",\"b\":\"i:3\"}},\n{\"index\":2,\"values\":{\"a\":\"i:3\",\"b\":\"i:5\"}}\n]\n")
	want("shown.txt", "index  a  b\n1      2  3\n2      3  5\n")
	want("shown.tsv", "index\ta\tb\n1\t2\t3\n2\t3\t5\n")
}

// That a file is empty is a problem, until it has a value, and again after that is undone.
func TestProblemsOfNothing(t *testing.T) {
	s := openScreen(t, save(t, nil), 120, 40, termenv.Ascii)
	s.press("!")
	s.wantShown("1 warning")
	s.wantShown("the file is empty")
	s.press("esc", "a")
	s.typeText("5")
	s.press("enter", "!")
	s.wantShown("no problems found")
	s.press("esc", "u", "!")
	s.wantShown("the file is empty")
}

// An empty file is of the kind that its name says: nothing of another kind is written into it.
func TestEmptyByName(t *testing.T) {
	for ending, title := range map[string]string{".json": "JSON", ".cfg": "ConfigFile", ".ini": "INI", ".tres": "Godot 4 text", ".msgpack": "MessagePack"} {
		name := filepath.Join(t.TempDir(), "empty"+ending)
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		s := openScreen(t, name, 120, 36, termenv.Ascii)
		s.wantShown("─ " + title)
		s.wantShown("This file is empty")
		s.press("a")
		if s.editor() != nil {
			s.typeText("5")
			s.press("enter")
			s.wantShown("this buffer holds a single value")
			s.press("esc")
		}
		s.press("ctrl+s")
		s.wantFile(name, nil)
	}
}

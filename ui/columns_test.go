package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

// openText opens a new file with a text.
func openText(t *testing.T, name, content string, width, height int) *screen {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return openScreen(t, path, width, height, termenv.Ascii)
}

const inventory = `{"slots": [
  {"slot": 1, "id": "sword", "qty": 5},
  {"slot": 20, "id": "a long bow", "tag": null},
  {},
  {"slot": 300, "qty": -12, "id": "cup"}
]}
`

// The records of a list stand under the names of its members, numbers at the right.
func TestColumns(t *testing.T) {
	s := openText(t, "a.json", inventory, 120, 30)
	frame := s.frame()
	for _, want := range []string{
		"▾ slots  4 ×  slot  id            qty  tag   ",
		"▸ [0]          1  \"sword\"         5        ",
		"▸ [1]         20  \"a long bow\"       null ",
		"[2]       empty  ",
		"▸ [3]        300  \"cup\"         -12        ",
	} {
		if !strings.Contains(frame, want) {
			t.Errorf("no %q in\n%s", want, frame)
		}
	}
	s.press("j", "j", "l") // a record that is unfolded has rows of its own
	s.wantShown("slot  1 ")
	s.wantShown("[3]        300")
}

// Columns that have become wider stay so, and the row of the list keeps its name and count while it is above the others.
func TestColumnsStay(t *testing.T) {
	s := openText(t, "a.json", `{"slots": [`+strings.Repeat(`{"id": "a", "share": 0.5}, `, 40)+`{"id": "b", "share": 0.44999999999999996}]}`, 100, 20)
	head := func(mark string) string {
		_, line, _ := strings.Cut(s.frame(), mark+" slots  41 ×  id")
		line, _, _ = strings.Cut(line, " │")
		return line
	}
	s.press("j", "l")
	s.wantShown("▾ slots  41 ×  id   share")
	s.press("G")
	s.wantShown("0.44999999999999996")
	wide := head("▴")
	if s.press("g", "g"); wide == "" || head("▾") != wide {
		t.Errorf("the columns are %q, then %q", wide, head("▾"))
	}
}

// What a description or a capture lists stands in columns too: the titles of the records first, and what a message
// is before its kind.
func TestColumnsOfFamilies(t *testing.T) {
	for _, c := range []struct {
		file, keys string
		want       []string
	}{
		{"kaitai/save.sav", "", []string{"▾ items  3 ×             kind    len_name  name ", `▸ [1]  healing x5      potion         7  "healing" `, `magic  "SAVE"                       contents`}},
		{"resource/godot3-external-0.res", "", []string{"▾ resources  2 ×  title          count  weight", `▸ [0]           "r kgnmjs jn"   -451     0.0`}},
		{"captures/mp-enet-norelay.pcap", "esc h h", []string{"(121)  from → to         what", "▸ [0]            1556008229 → 1    Game is 1 "}},
	} {
		s := openScreen(t, "../testdata/"+c.file, 200, 40, termenv.Ascii)
		s.press(strings.Fields(c.keys)...)
		for _, want := range c.want {
			s.wantShown(want)
		}
	}
}

// The lines of a text are beside the tree, with one cursor; X shows the bytes, and that is remembered.
func TestTextPane(t *testing.T) {
	s := openText(t, "a.json", inventory, 120, 30)
	s.wantShown(`2 │  {"slot": 1, "id": "sword", "qty": 5},`)
	s.press("j", "j", "j", "tab", "down") // from the comma before it, at the end of the line above
	s.wantShown("$.slots[1].tag@key")
	s.press("X")
	s.wantShown("20 20:7b") // blanks and a bracket
	s.press("X")
	s.wantShown(`6  ]}`)
}

// A value that was edited shows what the file has in its place, and a folded one how many were.
func TestBefore(t *testing.T) {
	s := openText(t, "a.json", inventory, 120, 30)
	s.enter(":", "set $.slots[1].slot=7")
	s.enter(":", "set $.slots[0].qty=15")
	s.enter(":", "set $.slots[0].id=\"axe\"")
	s.enter(":", "goto $.slots[0].qty")
	s.wantShown("qty  5 → 15")
	s.wantShown(`id  "sword" → "axe"`)
	s.enter(":", "goto $.slots[1].slot")
	s.wantShown("slot  20 → 7")
	s.press("h", "h")
	s.wantShown("•[1] •1    20→7")
	s.enter(":", "goto $.slots[0]")
	s.press("D") // what follows has another index now, and shows what it was all the same or nothing
	if frame := s.frame(); strings.Contains(frame, "null →") {
		t.Error(frame)
	}
}

// tab in the editor of a container completes keys that values like it have, one after the other.
func TestKeysAreCompleted(t *testing.T) {
	s := openText(t, "a.json", inventory, 200, 40)
	s.enter(":", "goto $.slots[2]")
	s.press("e", "left")
	s.typeText("q")
	s.press("tab")
	s.typeText(": 1, i")
	s.press("tab")
	s.typeText(": ")
	s.press("tab") // a value is typed here
	s.typeText("2")
	s.wantShown(`{"qty": 1, "id": 2}`)
	s.wantShown("▸ [3]        300") // the tree is beside it
	s.press("ctrl+s")
	if got, want := s.literalOf("$.slots[2]"), `{"qty": 1, "id": 2}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A dictionary of records that are alike has columns too, and is a table; one of records that differ has none.
func TestColumnsOfDictionary(t *testing.T) {
	s := openText(t, "a.json", `{"quests": {"bees": {"stage": 1, "done": true}, "main": {"stage": 13, "done": false, "notes": []}},
"player": {"pos": {"x": 1}, "stats": {"str": 2}}}`, 120, 30)
	s.wantShown("▾ quests  2 ×  stage  done   notes ")
	s.wantShown("▸ bees           1  true  ")
	s.wantShown("▸ main          13  false  (0)")
	s.wantShown("▾ player  (2)  ")
	s.enter("/", "bees")
	s.press("t")
	s.wantShown(`"main" │    13  false`)
}

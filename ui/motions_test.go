package ui

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"varview/ui/desk"
)

// A number before a key says how far, how often or where.
func TestCounts(t *testing.T) {
	s := openStats(t)
	s.press("5", "j")
	s.wantSelected("xp ")
	s.press("2", "k")
	s.wantSelected("class")
	s.press("1", "2", "G")
	s.wantSelected("▸ rotation")
	s.press("3", "g")
	s.wantSelected("name")
	s.press("3", "}")
	s.wantSelected("xp ")
	s.press("9", "9", "9", "9", "9", "j")
	s.wantSelected("▸ color")
	s.press("4", "d d")
	s.wantShown("d takes no number before it")
	s.press("4")
	s.wantShown("4  then a key")
	s.press("esc", "k")
	s.wantSelected("pet")
	s.press("tab", "3", "2", "G")
	s.wantOffset(32)
	s.press("2", "j")
	s.wantOffset(48)
	s.press("3", "h")
	s.wantOffset(45)
}

// A key that does nothing says so.
func TestNoAction(t *testing.T) {
	s := openStats(t)
	s.press("f12")
	for keys, want := range map[string]string{"%": "no action on %; ? lists all", "z q": "no action on zq", "7 %": "no action on %"} {
		s.press(strings.Fields(keys)...)
		s.wantShown(want)
	}
	s.press("z")
	s.wantShown("z in the middle  t at the top  b at the bottom")
	s.click(8, 3)
	s.wantSelected("name")
}

// Marks are kept for the file, also those of bytes, and listed.
func TestMarks(t *testing.T) {
	s := openStats(t)
	s.press("j", "j")
	s.enter(":", "mark the boss")
	s.wantShown("$[0].name is marked the boss")
	s.press("tab", "9", "l", "m", "b")
	s.wantShown("is marked b")
	at := s.m.desk.Explorer.Offset()
	s.press("g", "'", "b")
	s.wantOffset(at)
	s.press("tab")
	s.enter(":", "goto 'the boss")
	s.wantSelected("name")
	s.enter(":", "goto .version") // which is before the cursor
	s.wantSelected("version")
	s.wantNotShown("wrapped around")
	s.enter(":", "marks")
	s.wantShown("the boss     $[0].name")
	s.press("esc")
	s.press("'", "x")
	s.wantShown("no mark x; there are the boss, b")
	s.enter(":", "unmark b")
	s.press("'", "b")
	s.wantShown("no mark b; there are the boss")
	s.enter(":", "mark "+strings.Repeat("x", 61))
	s.wantShown("at most 60 bytes")
}

// A mark is there in the next run, but not that of an encrypted file.
func TestMarksOfNextRun(t *testing.T) {
	s, kept := remembering(t, "testdata/saves/save-player-stats.bin")
	s.press("j", "m", "a")
	if !strings.Contains(kept(), "$[0].version") {
		t.Errorf("not kept: %s", kept())
	}
	s, kept = remembering(t, "../testdata/wrapped/godot4-gdec-pass-small.bin")
	s.press("esc", "m", "a")
	s.press("'")
	s.wantShown("a 0x0")
	if strings.Contains(kept(), `"marks"`) {
		t.Errorf("kept: %s", kept())
	}
}

// Jumps of all kinds can be undone and made again.
func TestJumps(t *testing.T) {
	s := openScreen(t, "testdata/saves/save-settings.bin", 80, 24, termenv.Ascii)
	start := s.selected()
	s.press("G")
	last := s.selected()
	s.enter("/", "master")
	found := s.selected()
	s.enter(":", "goto 0x20")
	s.wantOffset(0x20)
	for i, want := range []string{found, last, start} {
		s.press("ctrl+o")
		if s.m.desk.Focus != desk.OnTree {
			t.Fatalf("%d: not in the tree", i)
		}
		s.wantSelected(want)
	}
	s.press("ctrl+o")
	s.wantShown("there is no place to go back to")
	for _, want := range []string{last, found} {
		s.press("ctrl+n")
		s.wantSelected(want)
	}
	s.press("ctrl+n")
	s.wantOffset(0x20)
	if s.m.desk.Focus != desk.OnBytes {
		t.Error("not in the bytes")
	}
	s.press("ctrl+n")
	s.wantShown("there is no place to go forward to")
}

// Jumps lead back to another open file, to the place in it that was left, and on from there.
func TestJumpsBetweenFiles(t *testing.T) {
	first, second := save(t, array(integer(1), integer(2))), save(t, array(str("a"), str("b")))
	s := openScreen(t, first, 100, 24, termenv.Ascii)
	s.press("G")
	s.enter(":", "e "+second)
	s.wantSelected("▾ $")
	s.press("G")
	s.wantSelected("[1]  \"b\"")
	for _, want := range []string{"▾ $", "[1]  2", "▾ $"} {
		s.press("ctrl+o")
		s.wantSelected(want)
	}
	s.press("ctrl+o")
	s.wantShown("there is no place to go back to")
	for _, want := range []string{"[1]  2", "▾ $", "[1]  \"b\""} {
		s.press("ctrl+n")
		s.wantSelected(want)
	}
	s.press("ctrl+^")
	s.wantSelected("[1]  2")
	s.press("ctrl+o")
	s.wantSelected("[1]  \"b\"")
}

// Jumps lead back to another buffer, and out of a document in the bytes of a value, which is closed
// then.
func TestJumpsBetweenBuffers(t *testing.T) {
	s := openRepo(t, "wrapped/godot4-gcpf-zstd-small.bin", 100, 24)
	s.press("G")
	last := s.selected()
	s.press("<")
	s.wantShown("● 0 GCPF")
	s.press("ctrl+o")
	s.wantSelected(last)
	s.press("ctrl+n")
	s.wantShown("● 0 GCPF")

	s = openScreen(t, save(t, dictionary(str("hp"), integer(7), str("blob"), packedBytes(dictionary(str("gold"), integer(5))))), 100, 24, termenv.Ascii)
	s.press("G", "o")
	s.wantShown("save.bin: $.blob")
	s.press("G", "ctrl+o", "ctrl+o")
	s.wantSelected("▸ blob")
	s.press("ctrl+n")
	s.wantShown("there is no place to go forward to")
	s.press("q")
	if !s.quit {
		t.Error("the document in the bytes is still open")
	}
}

// Places to go back to follow an edit that moves them.
func TestJumpsFollowEdits(t *testing.T) {
	s := openScreen(t, save(t, array(str("one"), str("two"), str("three"))), 80, 24, termenv.Ascii)
	s.press("G", "g", "j")
	s.wantSelected("[0]  \"one\"")
	s.typeText("e\x15a much longer text\r")
	s.press("ctrl+o")
	s.wantSelected("[2]  \"three\"")
}

// Levels are unfolded at once, and single values of them folded.
func TestLevels(t *testing.T) {
	s := openScreen(t, save(t, array(array(array(integer(1)), integer(2)), array(array(integer(3))))), 80, 24, termenv.Ascii)
	want := func(rows string) {
		t.Helper()
		var got []string
		found, _ := s.m.desk.Explorer.Rows(80)
		for _, r := range found {
			got = append(got, strings.Repeat(" ", r.Indent)+r.Label)
		}
		if strings.Join(got, "|") != rows {
			t.Errorf("%s\nwant %s", strings.Join(got, "|"), rows)
		}
	}
	s.press("=")
	want("$| [0]|  [0]|   [0]|  [1]| [1]|  [0]|   [0]")
	s.press("2", "=")
	want("$| [0]|  [0]|  [1]| [1]|  [0]")
	s.press("j", "h")
	want("$| [0]| [1]|  [0]")
	s.press("l")
	want("$| [0]|  [0]|  [1]| [1]|  [0]")
	s.press("_")
	want("$| [0]| [1]")
	s.press("1", "=")
	want("$| [0]| [1]")
	s.press("=", "-")
	want("$")
}

// What is around the rows in view is shown above them, and a click goes there.
func TestAround(t *testing.T) {
	var many [][]byte
	for range 60 {
		many = append(many, integer(7))
	}
	s := openScreen(t, save(t, dictionary(str("items"), dictionary(str("list"), array(many...)))), 100, 24, termenv.Ascii)
	s.press("=", "5", "0", "j")
	lines := strings.Split(s.frame(), "\n")
	for i, want := range []string{"  ▴ $  (1)", "    ▴ items  (1)", "      ▴ list  (60)"} {
		if !strings.Contains(lines[1+i], want) {
			t.Errorf("line %d is %s, want %s", i, lines[1+i], want)
		}
	}
	s.click(10, 2)
	s.wantSelected("▾ items")
	s.press("ctrl+o", "2", "0", "k")
	for keys, row := range map[string]int{"z t": 0, "z z": 9, "z b": 18} {
		s.press(keys)
		s.wantRowAt(row)
	}
}

package ui

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
)

// wantOther checks the first bytes that a file holds now.
func wantOther(t *testing.T, path string, want []byte) {
	t.Helper()
	if is, err := os.ReadFile(path); err != nil || string(is) != string(want) {
		t.Errorf("%s is % x (%v), not % x", path, is, err, want)
	}
}

// compareWith opens a save and compares it with another one.
func compareWith(t *testing.T, here, there []byte, width, height int) (s *screen, other string) {
	t.Helper()
	s = openScreen(t, save(t, here), width, height, termenv.Ascii)
	other = filepath.Join(t.TempDir(), "other.bin")
	if err := os.WriteFile(other, there, 0o644); err != nil {
		t.Fatal(err)
	}
	s.enter(":", "diff "+other)
	return s, other
}

// wantCompared checks the selected row, and what another file has in its place.
func (s *screen) wantCompared(is, was string) {
	s.t.Helper()
	for line := range strings.Lines(s.frame()) {
		if _, row, ok := strings.Cut(line, "›"); ok {
			here, there, _ := strings.Cut(row, "│")
			if !strings.HasPrefix(strings.TrimSpace(here), is) || !strings.HasPrefix(strings.TrimSpace(there), was) {
				s.t.Errorf("%q beside %q, want %q and %q", here, there, is, was)
			}
			return
		}
	}
	s.t.Error("no row is selected")
}

// wantHeading checks what is said over rows that are compared, and the name of the other file.
func (s *screen) wantHeading(said, name string) {
	s.t.Helper()
	for line := range strings.Lines(s.frame()) {
		if here, there, ok := strings.Cut(line, "this file  │"); ok && strings.Trim(here, "│ ") == said && strings.HasPrefix(there, " "+name) {
			return
		}
	}
	s.t.Errorf("%q beside %q is not over the rows:\n%s", said, name, s.frame())
}

// What differs from another file is marked in the tree, with rows for what only that has; values are
// taken from it, and given to it.
func TestDiff(t *testing.T) {
	there := stream(dictionary(str("hp"), integer(7), str("list"), array(integer(1), integer(9), integer(2)), str("old"), str("y")))
	s, other := compareWith(t, stream(dictionary(str("hp"), integer(5), str("list"), array(integer(1), integer(2)), str("new"), str("x"))), there, 100, 24)
	s.wantHeading("4 changes", "other.bin")
	s.wantShown("▾•[0] •4")
	s.wantCompared("• hp  5", "7")
	s.wantShown(" other.bin  02 00 00 00 07 00 00 00 ")
	s.press("c")
	s.wantCompared("- [1]", "9")
	s.wantShown(" $[0].list[1]")
	s.wantShown("only the other file has it")
	s.press("j")
	s.wantSelected("[1]  2")
	s.press("k", "e") // there is nothing to edit
	s.wantCompared("- [1]", "9")
	s.press("c")
	s.wantCompared("- old", "\"y\"")
	s.press("c")
	s.wantSelected("+ new  \"x\"")
	s.press("c")
	s.wantShown("there is no further change")
	s.press("C", "C", "C")
	s.wantCompared("• hp  5", "7")
	s.press("d", "o")
	s.wantShown("take $[0].hp; u undoes it")
	s.wantSelected("✓ hp  7")
	s.wantHeading("3 changes", "other.bin")
	s.press("d", "o")
	s.wantShown("this value does not differ: c goes to the next that does")
	s.press("c", "d", "o", "c", "d", "o", "c", "d", "o")
	s.wantHeading("no changes", "other.bin")
	for _, key := range []string{"c", "d o"} {
		s.press(strings.Fields(key)...)
		s.wantShown("the files hold the same values")
	}
	s.wantBytes(there)
	s.press("u", "u")
	s.wantHeading("2 changes", "other.bin")
	s.press("u", "u")
	s.wantHeading("4 changes", "other.bin")
	s.press("g", "c", "d", "p")
	s.wantShown("save it to other.bin?")
	s.press("y")
	s.wantShown("saved other.bin")
	s.wantHeading("3 changes", "other.bin")
	wantOther(t, other, stream(dictionary(str("hp"), integer(5), str("list"), array(integer(1), integer(9), integer(2)), str("old"), str("y"))))
	s.press("esc")
	s.wantNotShown("this file  │")
	s.wantNotShown("old  \"y\"")
	s.press("d", "o")
	s.wantShown("no file is compared")
	s.enter(":", "diff /no/such/file")
	s.wantShown("no such file")
	s.enter(":", "diff")
	s.wantShown("with what?")
}

// In a wide window the values of the other file are beside those of this one.
func TestDiffBeside(t *testing.T) {
	s, _ := compareWith(t, stream(dictionary(str("hp"), integer(5), str("new"), str("x"))), stream(dictionary(str("hp"), integer(7), str("old"), str("y"))), 120, 40)
	for _, want := range []string{" this file  │ other.bin ", "│ 7 ", "│ \"y\" "} {
		s.wantShown(want)
	}
	s.wantSelected("• hp  5                               int")
	s.wantNotShown("7 → 5")
}

// The bytes of both files begin at the same place; of an entry that was renamed they are those of its key.
func TestDiffBytes(t *testing.T) {
	long := func(end string) []byte { return str(strings.Repeat("the same ", 9) + end) }
	s, _ := compareWith(t, stream(dictionary(str("name"), long("Bob"), str("hp"), str("found in the old mill by the river"))), stream(dictionary(str("name"), long("Al"), str("xp"), str("found in the old mill by the river"))), 80, 24)
	s.wantSelected(`• name  … the same Bob"`)
	if n := strings.Count(s.frame(), " +0x4: "); n != 2 {
		t.Errorf("%d sides begin with the length:\n%s", n, s.frame())
	}
	s.press("c")
	s.wantShown("other.bin  +0x8: 78 70 00 00 ")
	s.wantShown("this file  +0x8: 68 70 00 00 ")
}

// Only what differs can be left of the tree, also while it is edited.
func TestDiffOnly(t *testing.T) {
	here := stream(dictionary(str("a"), integer(1), str("hp"), integer(5), str("list"), array(integer(1), integer(2)), str("z"), integer(0)))
	s, _ := compareWith(t, here, stream(dictionary(str("a"), integer(1), str("hp"), integer(7), str("list"), array(integer(1), integer(9), integer(2)), str("z"), integer(0))), 100, 24)
	s.press("z", "d")
	s.wantShown("only what differs")
	s.wantNotShown(" a  1")
	s.wantNotShown(" z  0")
	s.wantNotShown("[1]  2")
	s.wantCompared("• hp  5", "7")
	s.press("j", "j")
	s.wantCompared("- [1]", "9")
	s.press("k", "k", "d", "o")
	s.wantShown("▾•list •1")
	s.wantShown("- [1]  ")
	s.press("j", "j", "d", "o")
	s.wantHeading("no changes", "other.bin")
	s.press("u", "u", "z", "d")
	s.wantShown(" z  0")
	s.press("esc", "esc")
	s.wantNotShown("from other.bin")
}

// Whatever keys are pressed while another file is compared, in windows of any size, the frame fits, and all
// edits can be undone.
func TestDiffKeys(t *testing.T) {
	here, there := slotsOf(1, 2, 3, 4, 5, 6), slotsOf(2, 9, 3, 4, 8, 7, 6)
	keys := strings.Fields("c C c do do zd j k j k l h g G ctrl+d ctrl+u } H dd D e5\r u ctrl+r &qty\r esc tab - = J t / \r V + I enter")
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 1))
		s, _ := compareWith(t, here, there, 40+r.IntN(170), 10+r.IntN(50))
		for range 60 {
			switch key := keys[r.IntN(len(keys))]; {
			case strings.HasPrefix(key, "ctrl"), key == "esc", key == "tab", key == "enter":
				s.press(key)
			default:
				s.typeText(key)
			}
			if r.IntN(10) == 0 {
				s.send(tea.WindowSizeMsg{Width: 40 + r.IntN(170), Height: 10 + r.IntN(50)})
			}
			s.frame()
		}
		s.press("esc", "esc", "esc", "esc", "esc")
		for range 70 {
			s.press("u")
		}
		s.wantBytes(here)
	}
}

// slotsOf is a save with a list of dictionaries that have these ids.
func slotsOf(ids ...int32) []byte {
	var all [][]byte
	for _, id := range ids {
		all = append(all, dictionary(str("id"), integer(id), str("qty"), integer(2*id%5), str("tags"), array(str("a"), integer(id%3))))
	}
	return stream(dictionary(str("slots"), array(all...), str("gold"), integer(ids[0])))
}

// Reloaded after another program has changed it, the file is compared again.
func TestDiffReloaded(t *testing.T) {
	state := func(hp int32) []byte { return stream(dictionary(str("hp"), integer(hp), str("name"), str("x"))) }
	s, _ := compareWith(t, state(5), state(7), 100, 24)
	s.wantCompared("• hp  5", "7")
	if err := os.WriteFile(s.path, state(6), 0o644); err != nil {
		t.Fatal(err)
	}
	s.press("R")
	s.wantCompared("• hp  6", "7")
}

// The file is compared with what is saved, with the file before that, and with a revision of git.
func TestDiffVersions(t *testing.T) {
	s := openEdited(t)
	s.enter(":", "diff saved")
	s.wantHeading("1 change", "saved")
	s.wantCompared("• [0]  37", "3")
	s.press("d", "p")
	s.wantShown("saved is read-only")
	s.press("esc")
	s.enter(":", "diff ~")
	s.wantShown("save.bin~: no such file")
	s.press("ctrl+s")
	s.enter(":", "diff ~")
	s.wantHeading("1 change", "save.bin~")
	s.press("esc")
	dir := filepath.Dir(s.path)
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "first"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	s.enter(":", "diff git:HEAD")
	s.wantHeading("no changes", "git:HEAD")
	s.press("esc")
	s.enter(":", "set $[0]=1")
	s.enter(":", "diff git:HEAD")
	s.wantCompared("• [0]  1", "37")
	s.press("esc")
	s.enter(":", "diff git:nothing")
	s.wantShown("git: ")
}

// Notes are hidden, and passed over.
func TestDiffNotes(t *testing.T) {
	s := openScreen(t, save(t, array(integer(5), str("x"))), 100, 24, termenv.Ascii)
	other := filepath.Join(t.TempDir(), "other.bin")
	wide := words(2|1<<16, 5, 0)
	if err := os.WriteFile(other, array(wide, str("y")), 0o644); err != nil {
		t.Fatal(err)
	}
	s.enter(":", "diff "+other)
	s.wantHeading("1 change, 1 note", "other.bin")
	s.wantShown("│ stored otherwise ")
	s.wantCompared(`• [1]  "x"`, `"y"`)
	s.press("c")
	s.wantShown("there is no further change")
	s.press("z", "d")
	s.wantNotShown("stored otherwise")
}

// Saves of another program are listed with what they have changed, raise alerts, and can be gone
// back over.
func TestWatchSaves(t *testing.T) {
	state := func(hp int32) []byte { return stream(dictionary(str("hp"), integer(hp), str("name"), str("x"))) }
	s := openScreen(t, save(t, state(5)), 80, 24, termenv.Ascii)
	s.enter(":", "watch hp>")
	s.wantShown("cannot watch: ")
	s.enter(":", "watch [0].hp>10")
	s.wantShown("watching save.bin; :watch lists its saves")
	saved := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(s.path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		s.run(s.m.differ.LookAtSaves())
		s.run(s.m.differ.LookAtSaves())
	}
	saved(state(7)[:30])
	saved(state(7))
	s.wantShown(": $[0].hp 5 → 7; :watch lists them")
	saved(state(700))
	s.wantShown("alert: [0].hp>10, it is 700")
	s.enter(":", "watch")
	s.wantShown("~ $[0].hp  5 → 7")
	s.wantShown("~ $[0].hp  7 → 700")
	s.wantShown("2 saves since ")
	s.press("g", "enter") // the tree has the last save already
	s.wantShown("nothing changes: it is the same already")
	s.wantShown("hp  5 → 7 → 700")
	s.press("h", "h")
	s.wantShown("[0] •1")
	s.press("l", "j")
	s.typeText("&was:7 700\r")
	s.wantShown("only was:7 700: 1")
	s.press("esc")
	s.typeText("&was:5 7 700\r")
	s.wantShown("only was:5 7 700: 1")
	s.press("esc")
	s.typeText("&was:7 5 700\r")
	s.wantNotShown("only was:7 5 700: 1")
	s.press("esc")
	s.typeText("/was:5")
	s.wantShown("was: is for the filter")
	s.press("esc")
	s.typeText("&changed\r")
	s.wantShown("only changed: 1")
	s.press("esc", "g", "z d")
	s.wantShown("only changed: 1")
	s.press("z d", "g", "c")
	s.wantNotShown("only changed")
	s.wantSelected("hp  5 → 7 → 700")
	s.wantBytes(state(700))
	s.enter(":", "watch")
	s.press("G", "k", "enter")
	s.wantShown("go back over 1 save; u undoes it")
	s.wantBytes(state(7))
	s.press("u")
	s.wantBytes(state(700))
	s.enter(":", "unwatch")
	s.wantShown("no longer watched")
}

// A save of another program while a value is typed, or a question asked, is shown once that is done: what was typed is set where
// it was meant for. A save of one's own is none of the game's, and can be undone.
func TestWatchWhileTyping(t *testing.T) {
	state := func(hp int32) []byte { return stream(dictionary(str("hp"), integer(hp), str("gold"), integer(1))) }
	moved := stream(dictionary(str("a new key"), integer(3), str("hp"), integer(7), str("gold"), integer(2)))
	for _, test := range []struct {
		name   string
		before []string // keys before the other program saves
		after  []string
		want   []byte
	}{
		{"a value is set", []string{"e", "4", "4"}, []string{"enter"}, state(44)},
		{"a value is not set", []string{"e", "4", "4"}, []string{"esc"}, moved},
		{"a key is renamed", []string{"r", "x"}, []string{"esc"}, moved},
		{"the first of two keys", []string{"d"}, []string{"d"}, stream(dictionary(str("gold"), integer(1)))},
		{"a question is withdrawn", []string{"e", "x", "enter"}, []string{"esc", "esc"}, moved},
		{"bytes are overwritten", []string{"tab", "l", "l", "l", "l", "r"}, []string{"2", "c", "esc"}, state(44)},
		{"bytes are half typed", []string{"tab", "l", "l", "l", "l", "r", "2"}, []string{"c", "esc"}, state(44)},
		{"no byte is typed", []string{"tab", "r", "2"}, []string{"esc"}, moved},
		{"bytes are selected and filled", []string{"tab", "l", "l", "l", "l", "v", "F", "2", "c"}, []string{"enter"}, state(44)},
		{"a byte is edited in the inspector", []string{"tab", "l", "l", "l", "l", "I", "tab", "e", "4", "4"}, []string{"enter"}, state(44)},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := openScreen(t, save(t, state(5)), 80, 24, termenv.Ascii)
			s.enter(":", "watch")
			s.enter(":", "goto [0].hp")
			s.press(test.before...)
			if err := os.WriteFile(s.path, moved, 0o644); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				s.run(s.m.differ.LookAtSaves())
			}
			s.wantBytes(state(5))
			s.press(test.after...)
			s.run(s.m.differ.LookAtSaves())
			s.wantBytes(test.want)
		})
	}
	s := openScreen(t, save(t, state(5)), 80, 24, termenv.Ascii)
	s.enter(":", "watch")
	s.enter(":", "goto [0].hp")
	s.press("e", "9", "enter", "ctrl+s")
	for range 2 {
		s.run(s.m.differ.LookAtSaves())
	}
	s.wantNotShown(":watch lists them")
	s.wantBytes(state(9))
	s.press("u")
	s.wantBytes(state(5))
}

// conflicting opens a save with the list of the conflicts with another one: of a value that both have
// changed, of one that we have removed, and of one that both have added.
func conflicting(t *testing.T) *screen {
	t.Helper()
	files := map[string][]byte{
		"base.bin":   stream(dictionary(str("hp"), integer(5), str("list"), array(integer(1), integer(2)), str("gold"), integer(9))),
		"theirs.bin": stream(dictionary(str("hp"), integer(7), str("list"), array(integer(1), integer(3)), str("gold"), integer(10), str("new"), str("y"))),
	}
	s := openScreen(t, save(t, stream(dictionary(str("hp"), integer(6), str("list"), array(integer(1)), str("gold"), integer(9), str("new"), str("x")))), 80, 24, termenv.Ascii)
	dir := filepath.Dir(s.path)
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s.enter(":", "merge "+filepath.Join(dir, "base.bin")+" "+filepath.Join(dir, "theirs.bin"))
	return s
}

// Conflicts of a merge are chosen one by one; nothing is merged before.
func TestMerge(t *testing.T) {
	s := conflicting(t)
	s.wantShown("3 of 3 conflicts without a choice: save.bin and theirs.bin, from base.bin")
	s.wantShown("› ?       $[0].hp  both have changed it")
	s.wantShown("   base    5")
	s.wantShown("   ours    6")
	s.wantShown("   theirs  7")
	s.press("t")
	s.wantShown("theirs  $[0].hp")
	s.wantShown("› ?       $[0].list[1]  we have removed it, they have changed it")
	s.wantShown("   ours    there is no such value")
	s.press("enter")
	s.wantShown("2 conflicts without a choice: o keeps ours")
	s.press("b", "o")
	s.wantShown("0 of 3 conflicts without a choice")
	s.press("g", "]", "c")
	s.wantShown("there is no further conflict")
	s.press("enter")
	s.wantShown("merged theirs.bin; u undoes it")
	s.wantBytes(stream(dictionary(str("hp"), integer(7), str("list"), array(integer(1), integer(2)), str("gold"), integer(10), str("new"), str("x"))))
	s.press("u")
	s.wantBytes(stream(dictionary(str("hp"), integer(6), str("list"), array(integer(1)), str("gold"), integer(9), str("new"), str("x"))))
	s = conflicting(t)
	s.press("o", "t", "t", "k", "k", "b", "enter")
	s.wantBytes(stream(dictionary(str("hp"), integer(5), str("list"), array(integer(1), integer(3)), str("gold"), integer(10), str("new"), str("y"))))
	s = conflicting(t)
	s.press("o", "o", "esc")
	s.wantBytes(stream(dictionary(str("hp"), integer(6), str("list"), array(integer(1)), str("gold"), integer(9), str("new"), str("x"))))
	s.enter(":", "merge "+filepath.Join(filepath.Dir(s.path), "base.bin"))
	s.wantShown("needs two files")
}

// Without conflicts a merge is made at once.
func TestMergeFree(t *testing.T) {
	s := openScreen(t, save(t, stream(dictionary(str("hp"), integer(5), str("gold"), integer(9)))), 80, 24, termenv.Ascii)
	dir := filepath.Dir(s.path)
	for name, gold := range map[string]int32{"base.bin": 9, "theirs.bin": 10} {
		if err := os.WriteFile(filepath.Join(dir, name), stream(dictionary(str("hp"), integer(4), str("gold"), integer(gold))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s.enter(":", "merge "+filepath.Join(dir, "base.bin")+" "+filepath.Join(dir, "theirs.bin"))
	s.wantShown("taken from theirs.bin; u undoes it")
	s.wantBytes(stream(dictionary(str("hp"), integer(5), str("gold"), integer(10))))
}

// In a wide window the tree stays beside the conflicts, at the value of the selected one.
func TestMergeBeside(t *testing.T) {
	s := conflicting(t)
	s.send(tea.WindowSizeMsg{Width: 170, Height: 30})
	s.wantShown("│ ›    hp  6")
	s.press("j") // which this file does not have
	s.wantShown("│ ›    hp  6")
}

// Where the other file has a key twice, our value can be removed for both.
func TestMergeRepeatedKey(t *testing.T) {
	s := openScreen(t, save(t, stream(dictionary(str("new"), str("x")))), 80, 24, termenv.Ascii)
	dir := filepath.Dir(s.path)
	theirs := stream(dictionary(str("new"), str("y"), str("new"), str("z")))
	for name, data := range map[string][]byte{"base.bin": stream(dictionary()), "theirs.bin": theirs} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s.enter(":", "merge "+filepath.Join(dir, "base.bin")+" "+filepath.Join(dir, "theirs.bin"))
	s.press("b", "b", "enter")
	s.wantShown("merged theirs.bin; u undoes it")
	s.wantBytes(stream(dictionary()))
}

// A colour between its sliders, and the conflicts of a merge, wait as what is typed does.
func TestWatchBesideSliders(t *testing.T) {
	colours := func(before ...[]byte) []byte {
		return stream(dictionary(append(before, str("tint"), words(20, 0, 0, 0, 0), str("gold"), integer(1))...))
	}
	s := openScreen(t, save(t, colours()), 80, 24, termenv.Ascii)
	s.enter(":", "watch")
	s.enter(":", "goto [0].tint")
	s.press("o", "l")
	if err := os.WriteFile(s.path, colours(str("a new key"), integer(3)), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s.run(s.m.differ.LookAtSaves())
	}
	s.press("enter")
	s.wantShown("Color(0.0039, 0, 0, 0)")
	s.press("u")
	s.run(s.m.differ.LookAtSaves())
	s.wantBytes(colours(str("a new key"), integer(3))) // which is shown now
}

// On a record, all that differs in it is taken or given, in one step; another record stays as it is.
func TestTakeRecord(t *testing.T) {
	record := func(id string, qty, left int32) []byte {
		return dictionary(str("id"), str(id), str("qty"), integer(qty), str("left"), integer(left))
	}
	here := stream(array(record("a", 1, 2), record("b", 3, 4)))
	there := stream(array(record("new", 9, 9), record("a", 5, 6), record("b", 7, 8)))
	s, other := compareWith(t, here, there, 120, 36)
	s.typeText(":goto [0][1]\r")
	s.press("d o")
	s.wantShown("take $[0][1]; u undoes it")
	s.wantBytes(stream(array(record("a", 1, 2), record("b", 7, 8))))
	s.press("u")
	s.wantBytes(here)
	s.press("d p", "y")
	wantOther(t, other, stream(array(record("new", 9, 9), record("a", 5, 6), record("b", 3, 4))))
}

// In the columns of a watched file's records stands what the save before had in their place.
func TestWatchRecords(t *testing.T) {
	records := func(hp int32) []byte {
		return stream(array(dictionary(str("id"), str("a"), str("hp"), integer(hp)), dictionary(str("id"), str("b"), str("hp"), integer(1))))
	}
	s := openScreen(t, save(t, records(5)), 80, 24, termenv.Ascii)
	s.enter(":", "watch")
	must(t, os.WriteFile(s.path, records(7), 0o644))
	for range 2 {
		s.run(s.m.differ.LookAtSaves())
	}
	s.wantShown(`"a"  5→7`)
	s.wantShown(`"b"    1`)
}

// Both sides of a conflict that git has left are merged by values: only what both have changed is asked for.
func TestMergeSides(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	side := func(gold, hp int, items string) string {
		return fmt.Sprintf("{\n  \"gold\": %d,\n  \"hp\": %d,\n  \"items\": [%s]\n}\n", gold, hp, items)
	}
	path := filepath.Join(t.TempDir(), "s.json")
	git := func(want int, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@b"}, args...)...)
		cmd.Dir = filepath.Dir(path)
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want {
			t.Fatalf("%v: %s", args, out)
		}
	}
	write := func(content, message string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		git(0, "add", ".")
		git(0, "commit", "-qm", message)
	}
	git(0, "init", "-qb", "main")
	write(side(10, 50, `"a"`), "base")
	git(0, "checkout", "-qb", "other")
	write(side(20, 50, `"a", "b"`), "theirs")
	git(0, "checkout", "-q", "main")
	write(side(30, 60, `"a"`), "ours")
	git(1, "merge", "-q", "other")
	s := openScreen(t, path, 80, 24, termenv.Ascii)
	s.press("!")
	s.wantShown("m merges both by values")
	s.press("m")
	s.wantShown("1 of 1 conflict without a choice: s.json and the other side, from the base")
	s.wantShown("$.gold: both have changed it")
	s.press("t", "enter", "ctrl+s")
	if is, err := os.ReadFile(path); err != nil || string(is) != side(20, 60, `"a", "b"`) {
		t.Errorf("saved is %s (%v)", is, err)
	}
	s.press("!", "m")
	s.wantShown("is no conflict that git has left")
}

// Of a conflict outside a repository each side can be kept, but the merge by values, which needs the base, changes nothing.
func TestConflictAlone(t *testing.T) {
	const conflict = "{\n\t\"version\": 3,\n<<<<<<< HEAD\n\t\"gold\": 100,\n=======\n\t\"gold\": 200,\n>>>>>>> feature\n\t\"name\": \"Bo\"\n}\n"
	s := openText(t, "conf.json", conflict, 110, 30)
	s.press("!", "m")
	s.wantShown("what both sides come from is needed")
	s.wantBytes([]byte(conflict))
	s.press("l", "r")
	s.wantBytes([]byte("{\n\t\"version\": 3,\n\t\"gold\": 200,\n\t\"name\": \"Bo\"\n}\n"))
}

// The sliders of a colour fit a window of ten rows.
func TestLowSliders(t *testing.T) {
	s := openScreen(t, "testdata/saves/save-player-stats.bin", 60, 10, termenv.Ascii)
	s.enter("/", "key:color")
	s.press("o")
	s.wantShown("red")
}

package ui

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"varview/decoder/engine/span"
	"varview/model/search"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/hex"
)

func openStats(t testing.TB) *screen {
	t.Helper()
	return openScreen(t, "testdata/saves/save-player-stats.bin", 100, 24, termenv.Ascii)
}

// act does an action where the keys go to.
func (s *screen) act(a action.Action) {
	s.t.Helper()
	do := s.m.tree.Do
	switch d, doing := s.m.desk.Dialogs.Top().(interface {
		Do(action.Action) tea.Cmd
	}); {
	case doing:
		do = d.Do
	case s.m.problems.Pane() != nil:
		do = s.m.problems.Pane().Do
	case s.m.desk.Focus == desk.OnBytes:
		do = s.m.hex.Do
	}
	s.run(do(a))
}

// actionTests do an action, after some keys, and check what it did.
var actionTests = []struct {
	action action.Action
	before []string
	want   func(*screen)
}{
	{action.ShowTable, nil, func(s *screen) { s.wantShown(`›`); s.wantShown("18 rows") }},
	{action.ShowRecords, nil, func(s *screen) { s.wantShown("it is not a capture") }},
	{action.FollowNode, []string{"2", "0", "g"}, func(s *screen) { s.wantShown(`· path:"Game`) }},
	{action.FollowMethod, []string{"2", "0", "g"}, func(s *screen) { s.wantShown(`· method:"`) }},
	{action.FollowPeer, []string{"2", "0", "g"}, func(s *screen) { s.wantShown("· from:") }},
	{action.FollowFlow, nil, func(s *screen) { s.wantShown("· flow:1") }},
	{action.ShowStats, nil, func(s *screen) { s.wantShown("share  largest  kind") }},
	{action.SortColumn, []string{"t"}, func(s *screen) { s.wantShown("▲") }},
	{action.FilterRows, []string{"t"}, func(s *screen) { s.wantShown("rows with: ") }},
	{action.HideColumn, []string{"t"}, func(s *screen) { s.wantShown("1 hidden column") }},
	{action.ShowColumns, []string{"t", "-"}, func(s *screen) { s.wantNotShown("hidden column") }},
	{action.FillDown, []string{"t"}, func(s *screen) { s.wantShown("fill value of 11 rows below") }},
	{action.Increase, []string{"j"}, func(s *screen) { s.wantSelected("• version  4") }},
	{action.Decrease, []string{"j"}, func(s *screen) { s.wantSelected("• version  2") }},
	{action.ExtendDown, []string{"j"}, func(s *screen) { s.press("x"); s.wantSelected("class") }},
	{action.ExtendUp, []string{"j", "j"}, func(s *screen) { s.press("x"); s.wantSelected("class") }},
	{action.CopyAs, []string{"j"}, func(s *screen) { s.wantShown("$[0].version"); s.wantShown("path") }},
	{action.SelectRows, []string{"t"}, func(s *screen) { s.wantShown("1 selected row") }},
	{action.Frequencies, []string{"t", "l"}, func(s *screen) { s.wantShown("values; enter shows only the rows with it") }},
	{action.Narrow, []string{"t", "l"}, func(s *screen) { s.wantShown(`value  `) }},
	{action.Widen, []string{"t", "l"}, func(s *screen) { s.wantShown(`value  `) }},
	{action.Down, nil, func(s *screen) { s.wantSelected("version") }},
	{action.Up, []string{"j", "j"}, func(s *screen) { s.wantSelected("version") }},
	{action.Right, []string{"j", "j", "j", "j", "j", "j", "j", "j", "j", "j"}, func(s *screen) { s.wantSelected("▾ position"); s.wantShown("x  128.25") }},
	{action.Left, []string{"j", "j"}, func(s *screen) { s.wantSelected("▾ [0]") }},
	{action.HalfPageDown, nil, func(s *screen) { s.wantSelected("mana") }},
	{action.HalfPageUp, []string{"G"}, func(s *screen) { s.wantSelected("mana") }},
	{action.PageDown, nil, func(s *screen) { s.wantSelected("▸ color") }},
	{action.PageUp, []string{"G"}, func(s *screen) { s.wantSelected("▾ [0]") }},
	{action.First, []string{"G"}, func(s *screen) { s.wantSelected("▾ [0]") }},
	{action.Last, nil, func(s *screen) { s.wantSelected("▸ color") }},
	{action.NextSibling, []string{"j"}, func(s *screen) { s.wantSelected("name") }},
	{action.PreviousSibling, []string{"j", "j"}, func(s *screen) { s.wantSelected("version") }},
	{action.Parent, []string{"j", "j"}, func(s *screen) { s.wantSelected("▾ [0]") }},
	{action.AlignMiddle, []string{"tab", "4", "0", "j"}, func(s *screen) { s.wantShown("│00f8") }},
	{action.AlignTop, []string{"tab", "4", "0", "j"}, func(s *screen) { s.wantShown("│0140") }},
	{action.AlignBottom, []string{"tab", "4", "0", "j"}, func(s *screen) { s.wantShown("│00b0") }},
	{action.Mark, []string{"j"}, func(s *screen) { s.press("a"); s.wantShown("$[0].version is marked a") }},
	{action.ShowMessage, []string{"j", "m", "a", "k"}, func(s *screen) { s.wantShown("│  $[0].version is marked a") }},
	{action.GoToMark, []string{"j", "m", "a", "G"}, func(s *screen) { s.wantShown("a $[0].version"); s.press("a"); s.wantSelected("version") }},
	{action.Forward, []string{"G", "ctrl+o"}, func(s *screen) { s.wantSelected("▸ color") }},
	{action.UnfoldAll, nil, func(s *screen) {
		s.press("G")
		s.wantSelected("▸ color")
		s.press("ctrl+o")
		s.wantSelected("▾ [0]")
	}},
	{action.FoldSiblings, []string{"G", "l"}, func(s *screen) { s.wantSelected("▸ color") }},
	{action.Zoom, nil, func(s *screen) { s.wantTree(98) }},
	{action.BorderLeft, nil, func(s *screen) { s.wantShown("ctrl+w  hjkl move the border"); s.wantTree(52) }},
	{action.BorderRight, []string{"ctrl+w h", "h", "esc"}, func(s *screen) { s.wantTree(52) }},
	{action.BorderReset, []string{"ctrl+w h", "esc"}, func(s *screen) { s.wantTree(56) }},
	{action.Toggle, nil, func(s *screen) { s.wantSelected("▸ [0]") }},
	{action.FoldAll, []string{"G", "l"}, func(s *screen) { s.wantSelected("▸ [0]") }},
	{action.Flip, nil, func(s *screen) { s.wantSelected("▸ [0]") }},
	{action.Edit, []string{"j"}, func(s *screen) { s.wantShown("✎    version  3") }},
	{action.EditOutside, []string{"j"}, func(s *screen) { s.wantShown("✎    version  3") }},
	{action.TypeOutside, []string{"j", "e"}, func(s *screen) { s.wantShown("✎    version  3") }},
	{action.Rename, []string{"j"}, func(s *screen) { s.press("end", "2", "enter"); s.wantSelected("• version2  3") }},
	{action.AsText, []string{"j", "j", "e"}, func(s *screen) { s.wantShown(`name  "Aria"`) }},
	{action.Undo, nil, func(s *screen) { s.wantShown("nothing to undo") }},
	{action.Redo, nil, func(s *screen) { s.wantShown("nothing to redo") }},
	{action.PreviousChange, []string{"j", "e", "3", "4", "enter", "G"}, func(s *screen) { s.wantOffset(0x20); s.wantSelected("• version  34") }},
	{action.Repeat, nil, func(s *screen) { s.wantShown("there is no edit to repeat") }},
	{action.NextChange, []string{"j", "e", "3", "4", "enter", "g"}, func(s *screen) { s.wantOffset(0x20); s.wantSelected("• version  34") }},
	{action.Save, nil, func(s *screen) { s.wantShown("nothing to save") }},
	{action.AddAfter, []string{"j"}, func(s *screen) {
		s.typeText("new\r1\r")
		s.wantSelected("• new  1")
		s.press("k")
		s.wantSelected("version")
	}},
	{action.AddBefore, []string{"j"}, func(s *screen) {
		s.typeText("new\r1\r")
		s.wantSelected("• new  1")
		s.press("j")
		s.wantSelected("version")
	}},
	{action.AddInside, nil, func(s *screen) {
		s.typeText("new\r1\r")
		s.wantSelected("• new  1")
		s.press("G")
		s.wantSelected("• new")
	}},
	{action.Duplicate, []string{"j"}, func(s *screen) {
		s.press("end", "2", "enter")
		s.wantSelected("• version2  3")
		s.press("k")
		s.wantSelected("version ")
	}},
	{action.Delete, []string{"j"}, func(s *screen) { s.wantSelected("name"); s.wantShown("[0]  (17)") }},
	{action.MoveDown, []string{"j"}, func(s *screen) { s.wantSelected("• version"); s.press("k"); s.wantSelected("name") }},
	{action.MoveUp, []string{"j", "j"}, func(s *screen) { s.wantSelected("name"); s.press("j"); s.wantSelected("• version") }},
	{action.Copy, []string{"j"}, func(s *screen) { s.wantShown("copied $[0].version"); s.wantSelected("version") }},
	{action.Cut, []string{"j"}, func(s *screen) { s.wantSelected("name"); s.press("p"); s.wantSelected("• version  3") }},
	{action.PasteAfter, []string{"j", "x"}, func(s *screen) { s.wantSelected("• version"); s.press("k"); s.wantSelected("name") }},
	{action.PasteBefore, []string{"j", "x", "j"}, func(s *screen) { s.wantSelected("• version"); s.press("j"); s.wantSelected("class") }},
	{action.InsertBytes, []string{"tab", "j"}, func(s *screen) { s.wantShown("INSERT hex"); s.typeText("41\x1b"); s.wantOffset(9) }},
	{action.AppendBytes, []string{"tab", "j"}, func(s *screen) { s.wantShown("INSERT hex"); s.typeText("41\x1b"); s.wantOffset(10) }},
	{action.OverwriteBytes, []string{"tab", "j"}, func(s *screen) {
		s.wantShown("OVERWRITE hex")
		s.typeText("13\x1b")
		s.wantOffset(9)
		s.wantByte(8, 0x13)
	}},
	{action.DeleteByte, []string{"tab", "G"}, func(s *screen) { s.wantOffset(714); s.wantShown("a new problem") }},
	{action.SelectBytes, []string{"tab"}, func(s *screen) { s.press("l"); s.wantShown("selected 0x0–0x1 · 2 bytes") }},
	{action.SelectAround, []string{"tab"}, func(s *screen) { s.wantShown("selected 0x0–0x3 · 4 bytes") }},
	{action.FillBytes, []string{"tab", "v", "l"}, func(s *screen) { s.typeText("41\r"); s.wantByte(1, 0x41) }},
	{action.NextReference, nil, func(s *screen) { s.wantShown("nothing refers to this") }},
	{action.Back, nil, func(s *screen) { s.wantShown("there is no place to go back to") }},
	{action.Outer, nil, func(s *screen) { s.wantShown("there is only this buffer") }},
	{action.Inner, nil, func(s *screen) { s.wantShown("there is only this buffer") }},
	{action.OtherPane, nil, func(s *screen) { s.wantShown("r overwrite"); s.press("l"); s.wantOffset(1) }},
	{action.Inspect, nil, func(s *screen) { s.wantShown("big-endian"); s.press("I"); s.wantShown("tab bytes") }},
	{action.PaneBefore, nil, func(s *screen) { s.wantShown("r overwrite"); s.press("l"); s.wantOffset(1) }},
	{action.Draw, []string{"G"}, func(s *screen) { s.wantShown("less, more"); s.press("esc"); s.wantShown("tab bytes") }},
	{action.ChangeOver, nil, func(s *screen) { s.wantShown("this is no text: it is shown as bytes") }},
	{action.Search, nil, func(s *screen) { s.wantShown("╰ /") }},
	{action.Filter, nil, func(s *screen) {
		s.typeText("hp")
		s.wantShown("╰ &hp")
		s.wantShown("1 of 2")
		s.press("enter", "G")
		s.wantShown("only hp: 1 of 2")
		s.wantSelected("max_hp")
		s.press("k", "k")
		s.wantSelected("▾ [0]")
		s.press("esc", "j")
		s.wantSelected("version")
	}},
	{action.ListHits, []string{"/", "h", "p", "enter"}, func(s *screen) {
		s.wantShown("2 hits for hp")
		s.press("j", "enter")
		s.wantSelected("max_hp")
	}},
	{action.ListHits, []string{"/", "l", "e", "v", "e", "l", " ", "|", " ", "v", "e", "r", "enter"}, func(s *screen) {
		s.wantShown("hits for level | ver, the best first")
		s.press("g", "enter") // a part of it is before it in the file
		s.wantSelected("level")
	}},
	{action.NextSame, []string{"j"}, func(s *screen) { s.wantShown("key:/^version$/: 1 of 1"); s.wantShown("wrapped around") }},
	{action.PreviousSame, []string{"j"}, func(s *screen) { s.wantShown("key:/^version$/: 1 of 1"); s.wantShown("wrapped around") }},
	{action.Command, nil, func(s *screen) { s.wantShown("╰ :") }},
	{action.NextHit, nil, func(s *screen) { s.wantShown("no search yet") }},
	{action.PreviousHit, nil, func(s *screen) { s.wantShown("no search yet") }},
	{action.NextProblem, nil, func(s *screen) { s.wantShown("no problems found") }},
	{action.PreviousProblem, nil, func(s *screen) { s.wantShown("no problems found") }},
	{action.ListProblems, nil, func(s *screen) { s.wantShown("Every byte is as the engine expects it.") }},
	{action.Reload, nil, func(s *screen) { s.wantShown("reloaded") }},
	{action.Palette, nil, func(s *screen) { s.typeText("undo\r"); s.wantShown("nothing to undo") }},
	{action.JumpTo, nil, func(s *screen) { s.typeText("hp\r"); s.wantSelected("hp") }},
	{action.OtherFile, nil, func(s *screen) { s.wantShown("no other file is open") }},
	{action.Help, nil, func(s *screen) { s.wantShown("edit the value, a container as text") }},
	{action.Cancel, []string{"/"}, func(s *screen) { s.wantShown("tab bytes") }},
	{action.Suspend, nil, func(s *screen) {
		if !s.suspended {
			s.t.Error("not suspended")
		}
		s.suspended, s.m.canSuspend = false, func() bool { return false }
		s.press("ctrl+z")
		if s.wantShown("the program cannot be suspended here"); s.suspended {
			s.t.Error("suspended where nothing would wake it")
		}
	}},
	{action.TakeBackup, nil, func(s *screen) { s.wantShown("the file has no errors") }},
	{action.Recover, nil, func(s *screen) { s.wantShown("there are no unsaved edits of this file") }},
	{action.Quit, nil, func(s *screen) {
		if !s.quit {
			s.t.Error("still there")
		}
	}},
	{action.GoThere, listed, func(s *screen) { s.wantShown("non-zero-padding)"); s.wantOffset(0xe) }},
	{action.Repair, listed, func(s *screen) { s.wantShown("1 problem ") }},
	{action.RepairAll, listed, func(s *screen) { s.wantShown("repair all 2?") }},
	{action.MergeSides, listed, func(s *screen) { s.wantShown("is no conflict that git has left") }},
	{action.NextCause, listed, func(s *screen) { s.wantShown("no other cause") }},
	{action.PreviousCause, listed, func(s *screen) { s.wantShown("no other cause") }},
	{action.ShowErrors, listed, func(s *screen) { s.wantShown("✗ 0 errors hidden") }},
	{action.ShowWarnings, listed, func(s *screen) { s.wantShown("! 2 warnings hidden") }},
	{action.ShowNotes, listed, func(s *screen) { s.wantShown("· 0 notes hidden") }},
	{action.CloseList, listed, func(s *screen) { s.wantShown("! problems") }},
	{action.NextDifference, merging, func(s *screen) { s.wantShown("there is no further conflict") }},
	{action.PreviousDifference, merging, func(s *screen) { s.wantShown("there is no further conflict") }},
	{action.TakeDifference, differing, func(s *screen) { s.wantHeading("1 change", "saved") }},
	{action.GiveDifference, differing, func(s *screen) { s.wantShown("saved is read-only") }},
	{action.OnlyChanges, differing, func(s *screen) { s.wantShown("only what differs") }},
	{action.ChooseOurs, merging, func(s *screen) { s.wantShown("› ours    $[0].hp") }},
	{action.ChooseTheirs, merging, func(s *screen) { s.wantShown("› theirs  $[0].hp") }},
	{action.ChooseBase, merging, func(s *screen) { s.wantShown("› base    $[0].hp") }},
	{action.MakeMerge, merging, func(s *screen) { s.wantShown("1 conflict without a choice: o keeps ours") }},
}

// differing are the keys that show two differences.
var differing = slices.Concat(strings.Split(`:set $[0].name="x"`, ""), []string{"enter"}, strings.Split(":set $[0].hp=5", ""), []string{"enter"},
	strings.Split(":diff saved", ""), []string{"enter"})

// merging are the keys that open the list of conflicts, of which there is one.
var merging = slices.Concat(strings.Split(":set $[0].hp=5", ""), []string{"enter"}, strings.Split(":merge saved testdata/saves/save-settings.bin", ""), []string{"enter"})

// listed are the keys that open the list of problems, in a file that has some.
var listed = []string{"!"}

// Every key of every action works, and so does the action without a key.
func TestEveryAction(t *testing.T) {
	tested := map[action.Action]bool{}
	for _, test := range actionTests {
		tested[test.action] = true
		entry := action.Default().Entry(test.action)
		do := func(name string, f func(*screen)) {
			t.Run(fmt.Sprintf("%s/%s", test.action, name), func(t *testing.T) {
				s := openStats(t)
				if entry.Rooms&action.Problems != 0 && entry.Rooms&action.Panes == 0 || test.action == action.GoThere {
					s = openGodot4(t, flawed())
				}
				if entry.Rooms == action.Records {
					s = openRepo(t, "captures/mp-enet-norelay.pcap", 80, 24)
				}
				s.press(test.before...)
				f(s)
				test.want(s)
			})
		}
		for _, name := range entry.Keys {
			do(fmt.Sprintf("%q", name), func(s *screen) { s.press(name) })
		}
		if test.action != action.AsText && test.action != action.TypeOutside && test.action != action.Cancel { // of an editor, and here of a prompt
			do("without a key", func(s *screen) { s.act(test.action) })
		}
	}
	for _, e := range action.Default() {
		if !tested[e.Action] {
			t.Errorf("no test for %s", e.Action)
		}
	}
}

// The help is made from the actions, the commands and the kinds of fields, and
// names all of them.
func TestHelpNamesEverything(t *testing.T) {
	s := openStats(t)
	s.send(tea.WindowSizeMsg{Width: 120, Height: 240})
	s.press("?")
	frame := s.frame()
	for _, e := range action.Default() {
		if !strings.Contains(frame, "  "+e.Shown()+" ") || !strings.Contains(frame, e.Help) || e.Title == "" {
			t.Errorf("%s (%s, %s) is not in the help", e.Action, e.Shown(), e.Help)
		}
		for _, k := range e.Keys {
			if _, special := keyTypes[strings.TrimPrefix(k, "alt+")]; !special && len(k) > 1 && !strings.Contains(k, " ") {
				t.Errorf("%s: the tests do not know the key %s", e.Action, k)
			}
		}
	}
	for _, c := range s.m.commands.list {
		if !strings.Contains(frame, ":"+c.names[0]) || !strings.Contains(frame, c.does) {
			t.Errorf("command %s is not in the help", c.names[0])
		}
	}
	for _, k := range span.Kinds() {
		if !strings.Contains(frame, fmt.Sprintf("%c  %s", k.Mark(), k)) {
			t.Errorf("kind %s is not in the help", k)
		}
	}
}

// The help scrolls, and any other key closes it.
func TestHelpScrolls(t *testing.T) {
	s := openScreen(t, "testdata/saves/save-player-stats.bin", 60, 16, termenv.Ascii)
	s.press("?")
	first := s.frame()
	for _, k := range []string{"j", "ctrl+d", "ctrl+f", " ", "G"} {
		before := s.frame()
		s.press(k)
		if s.frame() == before {
			t.Errorf("%s does not scroll the help", k)
		}
	}
	s.press("j", "j", "ctrl+d")
	s.wantShown("worth knowing")
	for _, k := range []string{"k", "ctrl+u", "ctrl+b"} {
		before := s.frame()
		s.press(k)
		if s.frame() == before {
			t.Errorf("%s does not scroll the help back", k)
		}
	}
	s.press("g", "k")
	if s.frame() != first {
		t.Error("the help does not scroll to its beginning")
	}
	s.wheel(5, 5, tea.MouseButtonWheelDown)
	if s.frame() == first {
		t.Error("the wheel does not scroll the help")
	}
	s.press("x", "a", "i", ":") // mean nothing here
	s.wantShown("esc close")
	s.press("esc")
	s.wantShown("tab bytes")
}

// The help can be searched; the keys for that do nothing else.
func TestHelpSearch(t *testing.T) {
	s := openStats(t)
	s.press("?", "/")
	s.typeText("SAVE")
	s.wantShown("/SAVE")
	s.press("enter")
	if line := strings.Split(s.frame(), "\n")[1]; !strings.Contains(line, "ctrl+s") {
		t.Errorf("the first line is %s", line)
	}
	s.press("n")
	if line := strings.Split(s.frame(), "\n")[1]; !strings.Contains(line, "not saved before") {
		t.Errorf("the next line is %s", line)
	}
	s.press("N")
	if line := strings.Split(s.frame(), "\n")[1]; !strings.Contains(line, "ctrl+s") {
		t.Errorf("the line before is %s", line)
	}
	s.press("/", "q", "backspace", "backspace", "/", "x", "esc", "?")
	s.wantShown("tab bytes")
	if s.quit || s.m.desk.Doc.IsModified() {
		t.Error("a key did something else")
	}
}

// The keys of the pane come first, and a wide window has two columns.
func TestHelpOfPane(t *testing.T) {
	s := openScreen(t, "testdata/saves/save-player-stats.bin", 120, 40, termenv.Ascii)
	for keys, want := range map[string]string{"?": "  Edit  ", "tab ?": "  Bytes, in their pane  ", "! ?": "  In the list of problems  "} {
		s.press(strings.Fields(keys)...)
		if line := strings.Split(s.frame(), "\n")[1]; !strings.Contains(line, "  Used most; ") || !strings.Contains(s.frame(), want) {
			t.Errorf("%s: the help is %s", keys, s.frame())
		}
		s.press("esc", "esc")
		if s.m.desk.Focus == desk.OnBytes {
			s.press("tab")
		}
	}
	s.press("?")
	s.typeText("/no such key\r")
	s.wantShown("not found")
}

// Keys in the bytes move by bytes and rows; the tree follows.
func TestBytesPane(t *testing.T) {
	s := openStats(t)
	s.press("tab")
	for _, step := range []struct {
		key  string
		want int64
	}{
		{"j", 8}, {"down", 16}, {"l", 17}, {"right", 18}, {"h", 17}, {"left", 16}, {"k", 8}, {"up", 0}, {"h", 0}, {"k", 0},
		{"ctrl+d", 72}, {"ctrl+u", 0}, {"ctrl+f", 144}, {"pgdown", 288}, {"ctrl+b", 144}, {"pgup", 0}, {"G", 715}, {"l", 715},
		{"j", 715}, {"g", 0}, {"end", 715}, {"home", 0},
	} {
		s.press(step.key)
		if got := s.m.desk.Explorer.Offset(); got != step.want {
			t.Fatalf("%s: at %#x, want %#x", step.key, got, step.want)
		}
		s.frame()
	}
	s.enter(":", "goto $.position.y")
	s.enter(":", "goto $[0].position.y")
	s.wantSelected("y  4.0")
	s.press("tab")
	s.wantShown("tab bytes")
	s.press("k")
	s.wantSelected("x  128.25")
}

func TestGoTo(t *testing.T) {
	tests := []struct {
		typed  string
		offset int64
		shown  string
	}{
		{"goto 0x2c", 0x2c, "0x2c"},
		{"goto 44", 44, ""},
		{"g 0", 0, ""},
		{"0x10", 0x10, ""},
		{"goto $[0].level", 0x6c, "level"},
		{"$[0].stats.strength", -1, ""},
		{"goto [0].hp", -1, "hp"},
		{"goto", 0, ":goto needs an offset or a path"},
		{"goto 0xzz", 0, "is not an offset"},
		{"goto 716", 0, "after the last byte, 0x2cb"},
		{"goto 99999999999999999999", 0, "is not an offset"},
		{"goto $[0].nothing", 0, "has no"},
		{"goto $[5]", 0, "has no"},
		{"frobnicate now", 0, "no command :frobnicate; :help lists them"},
		{"exprot a.json", 0, "no command :exprot; did you mean :export?"},
		{"", 0, ""},
		{"   ", 0, ""},
		{"theme", 0, ":theme needs"},
		{"theme solarized", 0, "neither dark, light"},
		{"theme light", 0, ""},
		{"help", 0, "edit the value, a container as text"},
		{"reload", 0, "reloaded"},
	}
	for _, test := range tests {
		t.Run(test.typed, func(t *testing.T) {
			s := openStats(t)
			s.enter(":", test.typed)
			if test.offset >= 0 {
				s.wantOffset(test.offset)
			}
			s.wantShown(test.shown)
		})
	}
	for _, quit := range []string{"quit", "q"} {
		if s := openStats(t); true {
			s.enter(":", quit)
			if !s.quit {
				t.Errorf(":%s does not quit", quit)
			}
		}
	}
}

// A prompt takes every key; escape, and backspace in an empty one, leave it.
func TestPrompt(t *testing.T) {
	s := openStats(t)
	s.press("/", "q", "j", "?", "n", "R")
	s.wantShown("/qj?nR")
	if s.quit {
		t.Fatal("q in a prompt quits")
	}
	s.press("backspace")
	s.wantShown("/qj?n ")
	s.press("esc")
	s.wantShown("tab bytes")
	s.press("/", "backspace")
	s.wantShown("tab bytes")
	s.press("/", "a")
	s.send(tea.WindowSizeMsg{Width: 60, Height: 16})
	s.wantShown("/a")
	s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("pasted \x1b[31m\ttext\n"), Paste: true})
	s.frame()
	for range 100 {
		s.press("冒")
	}
	s.frame()
	s.press("ctrl+c")
	s.wantShown("tab bytes")
	if s.quit {
		t.Error("ctrl+c in a prompt quits")
	}
}

func TestThemes(t *testing.T) {
	s := openScreen(t, "testdata/saves/save-player-stats.bin", 80, 24, termenv.TrueColor)
	dark := s.m.View()
	s.send(backgroundMsg{dark: false})
	light := s.m.View()
	if dark == light {
		t.Error("a light background changes nothing")
	}
	s.enter(":", "theme dark")
	s.press("esc")
	dark = s.m.desk.Styles.Window(dark)
	if s.m.View() != dark {
		t.Error(":theme dark is not the dark theme on its background")
	}
	s.send(backgroundMsg{dark: false})
	s.press("esc")
	if s.m.View() != dark {
		t.Error("the background overrides a theme that was asked for")
	}
	s.enter(":", "theme no-such")
	s.press("esc")
	if s.m.View() != dark {
		t.Error("a theme that does not exist changes the colours")
	}
	for _, name := range themes.Names() {
		s.enter(":", "theme "+name)
		s.frame()
	}
}

func TestSearchKeys(t *testing.T) {
	s := openScreen(t, save(t, array(str("hit one"), str("other"), str("hit two"))), 80, 24, termenv.Ascii)
	first, second := int64(8+8), int64(8+16+16+8)
	s.enter("/", "hit")
	s.wantOffset(first)
	s.wantSelected("[0]")
	s.press("n")
	s.wantOffset(second)
	s.press("n")
	s.wantOffset(first)
	s.wantShown("wrapped around")
	s.press("N")
	s.wantOffset(second)
	s.press("N")
	s.wantOffset(first)
	s.enter("/", "zebra")
	s.wantOffset(first)
	s.wantShown("not found: zebra")
	s.enter("/", "") // the same again
	s.wantShown("not found: zebra")
	s.enter("/", "x:1")
	s.wantShown("pairs of hex digits")
	s.enter("/", "x:6f 74 68")
	s.wantOffset(8 + 16 + 8)
	s.press("esc")
	if s.m.desk.Hit.Length != 0 {
		t.Error("esc leaves the hit marked")
	}
}

// The result of a search is dropped after another was started, or after it was
// stopped.
func TestLateResultsAreDropped(t *testing.T) {
	s := openScreen(t, save(t, array(str("aaa"), str("bbb"))), 80, 24, termenv.Ascii)
	begin := func(what string) tea.Cmd {
		q, err := search.ParseQuery(what)
		if err != nil {
			t.Fatal(err)
		}
		cmd := s.m.find.Find(q)
		s.m.desk.Seeking.Release() // time passes
		return cmd
	}
	late, next := begin("aaa"), begin("bbb")
	s.run(late)
	s.wantOffset(0)
	s.wantShown("searching")
	s.run(next)
	s.wantOffset(8 + 12 + 8)

	stopped := begin("aaa")
	s.press("esc")
	s.run(stopped)
	s.wantOffset(8 + 12 + 8)

	path := s.m.find.GoToPath("$[0]")
	begin("bbb")
	s.run(path)
	s.wantOffset(8 + 12 + 8)

	reloaded := begin("aaa")
	s.press("R")
	s.run(reloaded)
	s.wantOffset(8 + 12 + 8)
}

func TestMouse(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 24}, {60, 16}, {200, 60}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			s := openScreen(t, "testdata/saves/save-player-stats.bin", size.width, size.height, termenv.Ascii)
			l, height := &s.m.layout, s.m.tree.Layout.Height
			s.click(8, 3) // the third row
			s.wantSelected("name")
			s.click(3, 1)
			s.wantSelected("▸ [0]")
			s.click(8, 1)
			s.wantSelected("▾ [0]")
			s.click(8, height+30) // below everything
			s.wantSelected("▾ [0]")

			s.press("G")
			bottom := s.frame()
			s.wheel(5, 3, tea.MouseButtonWheelUp)
			if height < 19 && s.frame() == bottom {
				t.Error("the wheel does not scroll the tree")
			}
			s.press("g")

			x, y := 1, 1+height+1
			if !l.stacked {
				x, y = 1+l.treeWidth+1, 1
			}
			s.wheel(x+12, y, tea.MouseButtonWheelDown)
			if want := int64(min(3*l.hex.PerRow, max(0, (716-1)/l.hex.PerRow-(l.hex.Height-1))*l.hex.PerRow)); s.m.desk.Top != want {
				t.Errorf("the bytes are scrolled to %d, want %d", s.m.desk.Top, want)
			}
			s.wheel(x+12, y, tea.MouseButtonWheelUp)
			digits := x + l.hex.OffsetDigits + 1
			s.click(digits+3*2+1, y+1) // third byte of the second row
			s.wantOffset(int64(l.hex.PerRow + 2))
			s.wantShown("tab tree")
			s.click(x+hex.Columns(l.hex.PerRow, l.hex.OffsetDigits)-1-l.hex.PerRow+1, y) // second character
			s.wantOffset(1)
			s.click(x, y) // an offset is no byte
			s.wantOffset(1)
			s.click(0, 0)
			s.click(size.width-1, size.height-1)
			s.wantOffset(1)
			s.click(8, 2)
			s.wantSelected("version")
			s.wantShown("tab bytes")
			s.press("/")
			s.click(8, 3)
			s.press("esc")
			s.wantSelected("version")
		})
	}
}

func TestResizeKeepsTheCursor(t *testing.T) {
	s := openStats(t)
	s.press("G", "l", "j", "j")
	want := s.selected()
	for _, size := range []struct{ width, height int }{{60, 16}, {200, 60}, {61, 40}, {120, 17}, {30, 5}, {1, 1}, {0, 0}, {300, 100}, {100, 24}} {
		s.send(tea.WindowSizeMsg{Width: size.width, Height: size.height})
		s.frame()
		switch {
		case size.width == 0:
		case size.width < minWidth || size.height < minHeight:
			if size.width >= 30 {
				s.wantShown("varview needs")
			}
			s.press("k", "j") // keys work all the same
		default:
			if got := s.selected(); strings.Split(got, " ")[0] != strings.Split(want, " ")[0] {
				t.Errorf("%v: selected %q, want %q", size, got, want)
			}
		}
	}
	s.wantSelected(want)
}

// TestTallerWindowIsFull checks that a window that grows at the end of the file shows more of the
// bytes before, not empty rows.
func TestTallerWindowIsFull(t *testing.T) {
	s := openScreen(t, save(t, str(strings.Repeat("x", 4000))), 80, 24, termenv.Ascii)
	s.press("tab", "G")
	s.send(tea.WindowSizeMsg{Width: 200, Height: 60})
	offsets := regexp.MustCompile(`│[0-9a-f]{4}`).FindAllString(s.frame(), -1)
	if len(offsets) < 50 {
		t.Errorf("%d rows of bytes in a window of 60, want at least 50:\n%s", len(offsets), s.frame())
	}
}

func TestReload(t *testing.T) {
	s := openScreen(t, save(t, array(str("one"), str("two"))), 80, 24, termenv.Ascii)
	s.enter(":", "goto 30")
	if err := os.WriteFile(s.path, array(str("one"), str("2"), str("three"), str("four")), 0o600); err != nil {
		t.Fatal(err)
	}
	s.look()
	s.wantShown("changed by another program: R reloads")
	s.press("R")
	s.wantShown("reloaded")
	s.wantShown("$  (4)")
	s.wantOffset(30)
	if strings.Contains(s.frame(), "R reloads") {
		t.Error("the offer stays")
	}

	if err := os.Remove(s.path); err == nil { // not on Windows, where the file is open
		s.look()
		s.wantShown("the file is gone: :w! writes it again")
		s.press("R")
		s.wantShown("cannot reload")
		s.wantShown("$  (4)")
	}
	if err := os.WriteFile(s.path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.press("R")
	s.wantShown("0 B")
	s.frame()
}

// Before the file is read the program shows what it can, and says so.
func TestBeforeTheIndex(t *testing.T) {
	many := slices.Repeat([][]byte{words(23, 1, 0)}, 400_000) // more than one look passes
	s := openUnread(t, save(t, array(array(many...), str("behind"))), 80, 24, termenv.Ascii)
	s.wantShown("reading…")
	s.press("G")
	s.wantShown(" working ─")
	s.press("tab", "G")
	s.wantShown("not read that far yet")
	s.run(s.m.Init())
	s.wantShown("[1]  \"behind\"")
	s.wantOffset(s.m.desk.Doc.Size() - 1)
	if frame := s.frame(); strings.Contains(frame, "reading") || strings.Contains(frame, "working") {
		t.Errorf("still reading:\n%s", frame)
	}
}

// Rows that wait for the index are tried again soon, also when the next tick was to come later.
func TestTickWhereRowsWait(t *testing.T) {
	many := slices.Repeat([][]byte{words(23, 1, 0)}, 400_000)
	s := openUnsized(t, save(t, array(array(many...), str("behind"))), termenv.Ascii)
	s.m.tick()
	if s.m.ticking != progressEvery {
		t.Fatalf("without a window the next tick comes after %v", s.m.ticking)
	}
	s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	if s.m.ticking != retryEvery {
		t.Errorf("a row waits, and the next tick comes after %v", s.m.ticking)
	}
	s.send(tickMsg{progressEvery})
	if s.m.ticking != retryEvery {
		t.Errorf("after the slow tick the next one comes after %v", s.m.ticking)
	}
}

// Results and keys that arrive before the size of the window is known do no harm.
func TestBeforeTheWindowSize(t *testing.T) {
	stats, err := os.ReadFile("testdata/saves/save-player-stats.bin")
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{stats, nil} {
		s := openUnsized(t, save(t, data), termenv.Ascii) // a copy: among the keys is the one that saves
		s.run(s.m.Init())
		s.send(tickMsg{})
		if view := s.m.View(); view != "" {
			t.Errorf("drawn in no window: %q", view)
		}
		for _, e := range action.Default() {
			s.press(e.Keys...)
			s.press("esc")
		}
		s.press("tab", "ctrl+d", "ctrl+f", "ctrl+u", "G", "]", "[", "!")
		s.click(3, 3)
		s.wheel(3, 3, tea.MouseButtonWheelDown)
		s.press("esc")
		s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		s.frame()
	}
}

// Bubble Tea does not turn the mouse on again.
func TestResumeTurnsTheMouseOn(t *testing.T) {
	s := openStats(t)
	_, cmd := s.m.Update(tea.ResumeMsg{})
	if cmd == nil || fmt.Sprintf("%T", cmd()) != fmt.Sprintf("%T", tea.EnableMouseCellMotion()) {
		t.Error("the mouse stays off")
	}
}

// TestDocumentedKeys checks that docs/keys.md has all keys, commands and marks of
// field kinds.
func TestDocumentedKeys(t *testing.T) {
	data, err := os.ReadFile("../docs/keys.md")
	if err != nil {
		t.Fatal(err)
	}
	want := func(code, what string) {
		if !strings.Contains(string(data), code) {
			t.Errorf("docs/keys.md has no %s (%s)", code, what)
		}
	}
	for _, e := range action.Default() {
		for _, k := range strings.Fields(e.Shown()) {
			want("`"+k+"`", e.Help)
		}
	}
	for _, c := range openStats(t).m.commands.list {
		want("`:"+c.names[0], c.does)
	}
	for _, k := range span.Kinds() {
		want(fmt.Sprintf("| `%c` | %s |", k.Mark(), k), k.Meaning())
	}
}

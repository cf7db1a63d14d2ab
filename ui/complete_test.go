package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

// popup returns the first words of what is offered.
func (s *screen) popup() (first []string) {
	s.t.Helper()
	lines := strings.Split(s.frame(), "\n")
	rule := 0
	for i, line := range lines {
		if strings.HasPrefix(line, "├") && strings.Trim(line, "├─┤") == "" {
			rule = i
		}
	}
	if rule == 0 {
		return nil
	}
	for _, line := range lines[rule+1 : len(lines)-1] {
		if words := strings.Fields(strings.TrimLeft(strings.Trim(line, "│"), " ›")); len(words) > 0 {
			first = append(first, words[0])
		}
	}
	return first
}

// What is typed is completed: commands, paths of the file, values, types, dialects, themes, and
// parts of queries.
func TestCompletion(t *testing.T) {
	for _, test := range []struct{ typed, offered, line string }{
		{":\t", "apply as", ":apply"},
		{":go", "goto", ":goto"},
		{":wr", "write", ":write"},
		{":g", "goto", ":goto"},
		{":set $[0].cl", "$[0].class", ":set $[0].class"},
		{":set $[0].m", "$[0].max_hp $[0].mana", ":set $[0].max_hp"},
		{":goto xp", "$[0].xp $[0].xp_to_next", ":goto $[0].xp"},
		{":goto $[0].position.", "$[0].position.x $[0].position.y $[0].position.z", ":goto $[0].position.x"},
		{":$[0].st", "$[0].stats", ":$[0].stats"},
		{":set $[0].hp=", "83", ":set $[0].hp=83"},
		{":type Vector3", "Vector3 Vector3i", ":type Vector3"},
		{":as god", "godot4", ":as godot4"},
		{":as godot4 s", "stream", ":as godot4 stream"},
		{":theme d", "dark", ":theme dark"},
		{":find hp ty", "type:", ":find hp type:"},
		{":find hp type:Vector3", "Vector3 Vector3i", ":find hp type:Vector3"},
		{":buffer ", "0", ":buffer 0"},
		{":help und", "undo", ":help undo"},
		{":export out --", "--text --typed", ":export out --text"},
		{":goto $[0].nothing", "", ":goto $[0].nothing"},
		{":frobnicate ", "", ":frobnicate"},
	} {
		t.Run(test.typed, func(t *testing.T) {
			s := openScreen(t, "testdata/saves/save-player-stats.bin", 100, 30, termenv.Ascii)
			s.press("j")
			s.typeText(test.typed)
			if strings.HasSuffix(test.typed, "\t") {
				s.press("shift+tab", "tab")
			}
			if got := strings.Join(s.popup(), " "); !strings.HasPrefix(got, test.offered) || test.offered == "" && got != "" {
				t.Errorf("offered are %q, want %q", got, test.offered)
			}
			if !strings.HasSuffix(test.typed, "\t") {
				s.press("tab")
			}
			s.wantShown("╰ " + test.line)
		})
	}
}

// Marks are offered where they can be typed.
func TestCompletionOfMarks(t *testing.T) {
	s := openStats(t)
	s.press("j")
	s.enter(":", "mark boss")
	for _, typed := range []string{":goto '", ":unmark "} {
		s.typeText(typed)
		if got := strings.Join(s.popup(), " "); got != "boss" {
			t.Errorf("%s: offered are %q", typed, got)
		}
		s.press("tab")
		s.wantShown("╰ " + typed + "boss")
		s.press("esc")
	}
}

// tab goes through what is offered and round again, and shift+tab back.
func TestCompletionCycles(t *testing.T) {
	s := openStats(t)
	s.typeText(":set $[0].m")
	s.press("tab", "tab")
	s.wantShown("╰ :set $[0].mana ")
	s.press("tab")
	s.wantShown("╰ :set $[0].max_hp ")
	s.press("shift+tab")
	s.wantShown("╰ :set $[0].mana ")
	s.typeText("=1.5\r")
	s.wantShown("mana  1.5")
}

// Files are offered, and folders with what is in them, and last what is beside the open file.
func TestCompletionOfFiles(t *testing.T) {
	s := openScreen(t, save(t, array(integer(1))), 100, 24, termenv.Ascii)
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"saves/one.dat", "saves/two.dat", "sound.txt"} {
		must(t, os.MkdirAll(filepath.Dir(name), 0o700))
		must(t, os.WriteFile(name, []byte("x"), 0o600))
	}
	s.typeText(":e s")
	if got := s.popup(); strings.Join(got, " ") != "saves"+string(filepath.Separator)+" sound.txt save.bin" {
		t.Errorf("offered are %q", got)
	}
	s.press("tab")
	s.typeText("t")
	if got := s.popup(); strings.Join(got, " ") != filepath.Join("saves", "two.dat") {
		t.Errorf("offered are %q", got)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What was typed comes back with the arrows, but no secret.
func TestHistory(t *testing.T) {
	s := openStats(t)
	s.enter(":", "goto 0x10")
	s.enter(":", "password letmein")
	s.enter(":", "key 00")
	s.enter(":", "goto 0x20")
	s.press(":", "up")
	s.wantShown("╰ :goto 0x20 ")
	s.press("up")
	s.wantShown("╰ :goto 0x10 ")
	s.press("up")
	s.wantShown("╰ :goto 0x10 ")
	s.press("down", "down")
	s.wantShown("╰ : ")
	s.press("esc")
	s.enter("/", "hp")
	s.press("&", "up")
	s.wantShown("╰ &hp ")
	s.wantSelected("hp")
	s.press("esc", ":", "up")
	s.wantShown("╰ :goto 0x20 ")
}

// Wrong input says what would be right, and the only value of a stream may be left out.
func TestWrongInput(t *testing.T) {
	s := openScreen(t, save(t, stream(dictionary(str("hp"), integer(5), str("slots"), array(integer(1), integer(2), integer(3))))), 100, 24, termenv.Ascii)
	s.enter(":", "goto slots[99]")
	s.wantShown("$[0].slots has no [99]; it has 3 elements, 0–2")
	s.enter(":", "goto hp")
	s.wantSelected("hp  5")
	s.enter(":", "set hp=7")
	s.wantSelected("• hp  7")
	s.enter(":", "goto nothing")
	s.wantShown("$[0] has no .nothing; it has .hp .slots")
	s.enter(":", "goto $[4]")
	s.wantShown("$ has no [4]; it has 1 element, [0]")
	s.enter(":", "help nothing")
	s.wantShown("no command, key or action nothing")
}

func TestExplain(t *testing.T) {
	s := openStats(t)
	for topic, want := range map[string]string{"goto": ":goto :g OFFSET or PATH", ":w": ":w :write :w! :write! [FILE]", "ctrl+g": "list-hits", "undo": "undo the last change", "ctrl+6": "other-file"} {
		s.enter(":", "help "+topic)
		s.wantShown(want)
		s.press("esc")
	}
	s.enter(":", "info")
	s.wantShown("godot4 · stream")
	s.press("esc")
	s.enter(":", "check")
	s.wantShown("Every byte is as the engine expects it.")
}

func TestExport(t *testing.T) {
	s := openScreen(t, save(t, array(integer(1), str("two"))), 80, 24, termenv.Ascii)
	for _, test := range []struct{ args, want string }{{"", "[\"i:1\",\"s:two\"]\n"}, {" --text", "[1, \"two\"]\n"}} {
		out := filepath.Join(t.TempDir(), "x.json")
		s.enter(":", "export "+out+test.args)
		got, err := os.ReadFile(out)
		must(t, err)
		if string(got) != test.want {
			t.Errorf("%s: %s, want %s", test.args, got, test.want)
		}
		s.enter(":", "export "+out+test.args)
		s.wantShown("exists already")
	}
	s.enter(":", "export "+filepath.Join(t.TempDir(), "x")+" --typed")
	s.wantShown("--typed is for Elephant")
	s.enter(":", "export")
	s.wantShown(":export needs a file name")
}

// Two files are open at a time, each with its edits, and quitting asks for both.
func TestOtherFile(t *testing.T) {
	s := openScreen(t, save(t, array(integer(1), str("first"))), 100, 24, termenv.Ascii)
	other := save(t, array(integer(2), str("second")))
	s.press("ctrl+^")
	s.wantShown("no other file is open")
	s.enter(":", "set $[0]=7")
	s.enter(":", "e "+other)
	s.wantShown(`"second"`)
	s.wantShown("ctrl+6 goes back")
	s.enter(":", "set $[0]=8")
	s.press("j", "j", "y", "ctrl+^")
	s.wantShown(`"first"`)
	s.wantShown("[0]  7")
	s.press("j", "p")
	s.wantShown(`"second"`)
	s.enter(":", "e "+save(t, array(integer(3))))
	s.wantShown("has changes that are not saved")
	s.press("q")
	s.wantShown("before quitting?")
	s.press("y")
	if s.quit {
		t.Fatal("the changes of the other file are lost")
	}
	s.wantShown("before quitting?")
	s.press("y")
	if !s.quit {
		t.Error("still there")
	}
	for path, want := range map[string][]byte{s.path: array(integer(7), str("first"), str("second")), other: array(integer(8), str("second"))} {
		if got, err := os.ReadFile(path); err != nil || string(got) != string(want) {
			t.Errorf("%s holds %x, want %x", path, got, want)
		}
	}
}

// A copied value is pasted into a file of another family in that one's notation.
func TestPasteElsewhere(t *testing.T) {
	s := openScreen(t, repoFile("elephant/v1-5-1-diffs-nested.bin"), 100, 24, termenv.Ascii)
	other := save(t, dictionary(str("k"), array(integer(1), words(0))))
	s.enter(":", "goto $.fieldAny.hp")
	s.press("y")
	s.enter(":", "e "+other)
	s.enter(":", "goto k")
	s.press("p")
	s.typeText("hp\r")
	s.wantSelected("• hp  4")
	s.enter(":", "goto k")
	s.press("y", "ctrl+^")
	s.enter(":", "goto $.fieldAny.loot")
	s.press("l")
	s.enter(":", "set $.fieldAny.loot=[5]")
	s.enter(":", "goto $.fieldAny.loot[0]")
	s.press("p")
	s.wantShown("undefined")
}

// What is recalled is all in view, also where little of it had room beside what was said before.
func TestRecalledIsInView(t *testing.T) {
	s := openScreen(t, "testdata/saves/save-player-stats.bin", 80, 24, termenv.Ascii)
	s.enter(":", "goto $[0].mana")
	s.press(":")
	s.frame()
	s.press("up")
	s.wantShown(":goto $[0].mana")
}

// Commands that read files take the names of those beside the open file, from any folder.
func TestNear(t *testing.T) {
	s := openText(t, "a.json", `{"hp": 3}`, 80, 24)
	other := filepath.Join(filepath.Dir(s.path), "b.json")
	if err := os.WriteFile(other, []byte(`{"hp": 4}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s.typeText(":diff b.\t")
	if got := s.frame(); !strings.Contains(got, "b.json") {
		t.Errorf("b.json is not offered:\n%s", got)
	}
	s.press("enter")
	s.wantHeading("1 change", "b.json")
	s.enter(":", "e b.json")
	s.wantShown("hp  4")
	s.enter(":", "guess no.sav")
	s.wantShown(`no file "no.sav", here or beside`)
}

// A name that is no command is a place, if a value has it.
func TestNameIsAPlace(t *testing.T) {
	s := openText(t, "a.json", `{"player": {"hp": 3}, "items": [1, 2], "version": 7}`, 80, 24)
	for _, name := range []string{"items", "version", "player"} {
		s.enter(":", name)
		s.wantShown("$." + name)
		s.wantNotShown("no command")
	}
	s.enter(":", "itmes")
	s.wantShown("no command :itmes")
	s.enter(":", "items now")
	s.wantShown("no command :items")
}

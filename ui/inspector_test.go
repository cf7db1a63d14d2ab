package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"varview/ui/desk"
)

// wantRow checks a row of the inspector: its label, and what its cells begin with.
func (s *screen) wantRow(label string, cells ...string) {
	s.t.Helper()
	want := append([]string{label}, cells...)
	for line := range strings.Lines(s.frame()) {
		for part := range strings.SplitSeq(line, "│") {
			fields := strings.Fields(strings.NewReplacer("›", " ", "=", " ").Replace(part))
			if len(fields) < len(want) || fields[0] != label {
				continue
			}
			for i := range want {
				if !strings.HasPrefix(fields[i], want[i]) {
					s.t.Errorf("%s is %q, want %q", label, fields, want)
				}
			}
			return
		}
	}
	s.t.Errorf("no row %s:\n%s", label, s.frame())
}

// capture keeps what is put on the clipboard.
func (s *screen) capture(into *string) {
	s.m.values.ToClipboard = func(text string) tea.Cmd {
		*into = text
		return nil
	}
}

// The inspector reads the content of the selected value, or the bytes at the cursor.
func TestInspector(t *testing.T) {
	s := openScreen(t, save(t, array(integer(-2), float(1.5), str("é"))), 180, 45, termenv.Ascii)
	s.press("j")
	s.wantRow("path", "$[0]")
	s.wantRow("bytes", "0x8–0xf", "·", "8")
	s.wantRow("literal", "-2")
	s.wantRow("JSON", `"i:-2"`)
	s.wantRow("i32", "-2", "-16777217")
	s.wantShown("=-2")
	s.wantRow("u16", "65534", "65279")
	if at := s.m.hex.Cursor(); at != 12 {
		t.Errorf("the cursor is at %#x while the inspector reads at 0xc", at)
	}
	s.press("j")
	s.wantRow("f32", "1.5")
	s.wantShown("=1.5")
	s.press("j")
	s.wantRow("UTF-8", `"é"`)
	s.press("tab", "l", "l")
	s.wantRow("u8", "0")
	s.enter(":", "goto 0")
	s.wantRow("u8", "28")
	s.wantRow("path", "$")
}

// How the value itself is read is edited as the value, anything else as bytes.
func TestInspectorEdits(t *testing.T) {
	s := openScreen(t, save(t, array(integer(7), str("ab"))), 180, 45, termenv.Ascii)
	s.press("j", "shift+tab")
	s.label("i32")
	s.press("enter", "ctrl+u", "-")
	s.wantShown("i32 is an integer from -2147483648 to 2147483647")
	s.press("9", "enter")
	s.wantShown("set $[0]; u undoes it")
	s.wantBytes(array(integer(-9), str("ab")))
	if s.m.desk.Focus != desk.OnInspector {
		t.Error("the focus has left the inspector")
	}
	s.wantRow("i32", "-9")
	s.press("u")
	s.wantRow("i32", "7")

	s.label("u16")
	s.press("l", "e", "ctrl+u")
	s.typeText("258\r")
	s.wantShown("set u16 at 0xc; u undoes it")
	s.wantBytes(array(integer(0x0201), str("ab")))
	s.wantSelected("• [0]  513")

	s.label("UTF-8")
	s.press("e", "ctrl+u", "é", "enter")
	s.wantShown("this takes 2 bytes, and there is room for 1")
	s.press("esc")
	s.label("path")
	s.press("e")
	s.wantShown("this follows from the value")
	s.label("literal")
	s.press("e", "ctrl+u", "5", "enter")
	s.wantBytes(array(integer(5), str("ab")))

	s.reopenReadOnly()
	s.press("j", "shift+tab")
	s.label("u8")
	s.press("e")
	s.wantShown("nothing can be changed")
}

// label selects a row of the inspector.
func (s *screen) label(label string) {
	s.t.Helper()
	s.press("g")
	for range 60 {
		for line := range strings.Lines(s.frame()) {
			if _, row, ok := strings.Cut(line, "│› "); ok && strings.HasPrefix(row, label+" ") {
				return
			}
		}
		s.press("j")
	}
	s.t.Fatalf("no row %s:\n%s", label, s.frame())
}

// What is selected is copied, big-endian to the right of little-endian; of what is cut the whole.
func TestInspectorCopies(t *testing.T) {
	s := openScreen(t, save(t, dictionary(str("hp"), integer(258), str("name"), str("Aria"))), 180, 45, termenv.Ascii)
	var clip string
	s.capture(&clip)
	s.press("j", "shift+tab")
	for _, c := range []struct{ label, key, want string }{{"path", "y", "$.hp"}, {"key", "y", `"hp"`}, {"type", "y", "int"}, {"literal", "y", "258"},
		{"JSON", "y", `"i:258"`}, {"bytes", "y", "0x14–0x1b · 8 bytes"}, {"u16", "y", "258"}, {"u16", "ly", "513"}, {"u32", "hy", "258"}, {"u32", "ly", "33619968"},
		{"bool", "y", "true"}, {"binary", "y", "00000010"}, {"colour", "y", "#02010000"}} {
		clip = ""
		s.label(c.label)
		s.typeText(c.key)
		if clip != c.want {
			t.Errorf("%s of %s copies %q, want %q", c.key, c.label, clip, c.want)
		}
	}
}

// In a narrow window it takes the place of the pane without the focus, and tab goes round.
func TestNarrowInspector(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}} {
		s := openScreen(t, "testdata/saves/save-player-stats.bin", size[0], size[1], termenv.Ascii)
		if strings.Contains(s.frame(), "big-endian") {
			t.Error("it is there before it is asked for")
		}
		s.press("I", "j")
		s.wantShown("$[0].version")
		s.wantSelected("version")
		if strings.Contains(s.frame(), "6e 61 6d 65") {
			t.Error("the bytes are still there")
		}
		s.press("tab")
		s.wantShown("6e 61 6d 65")
		s.wantShown("big-endian")
		s.press("tab")
		s.wantShown("y copy")
		s.wantShown("6e 61 6d 65")
		s.press("tab")
		s.wantSelected("version")
		s.press("I")
		s.wantShown("6e 61 6d 65")
	}
}

// The mouse selects a row and scrolls.
func TestInspectorMouse(t *testing.T) {
	s := openScreen(t, save(t, array(integer(7), str("ab"))), 180, 18, termenv.Ascii)
	s.press("j")
	s.click(s.m.desk.Width-10, 3)
	s.wantShown("│› type")
	s.press("tab")
	before := s.frame()
	s.wheel(s.m.desk.Width-10, 3, tea.MouseButtonWheelDown)
	if s.frame() == before {
		t.Error("the wheel does not scroll")
	}
	s.press("j")
	s.wantShown("│ value")
}

// Whether it is shown is remembered for windows of the size, unless it takes the place of the bytes there.
func TestInspectorIsRemembered(t *testing.T) {
	for _, size := range [][2]int{{160, 45}, {100, 30}} {
		path := save(t, array(integer(7)))
		s := openScreen(t, path, size[0], size[1], termenv.Ascii)
		s.press("I")
		was := strings.Contains(s.frame(), "big-endian") && size[0] > 150
		s.resizeTo(size[0]+1, size[1])
		s.press("I")
		s.resizeTo(size[0], size[1])
		if strings.Contains(s.frame(), "big-endian") != was {
			t.Errorf("%v: remembered is %t", size, !was)
		}
	}
}

// In a window for one pane it is that pane.
func TestInspectorAlone(t *testing.T) {
	s := openScreen(t, save(t, array(integer(7))), 40, 10, termenv.Ascii)
	s.press("I")
	s.wantShown("$")
	s.wantShown("literal")
	s.press("I")
	s.wantSelected("▾ $")
}

// There is nothing to inspect in an empty file, and no key does harm.
func TestInspectNothing(t *testing.T) {
	s := openScreen(t, save(t, nil), 180, 45, termenv.Ascii)
	s.press("shift+tab")
	if s.m.desk.Focus != desk.OnInspector {
		t.Fatal("the focus is elsewhere")
	}
	s.press("j", "k", "G", "g", "e", "enter", "y", "enter", "y", "a", "o", "l", "h", " ", "ctrl+d")
	s.click(s.m.desk.Width-10, 3)
	s.frame()
}

// The inspector asks before it changes bytes that are none of a value, such as its type, where tab leads from the tree.
func TestInspectorAsks(t *testing.T) {
	data := stream(dictionary(str("hp"), integer(5)))
	s := openScreen(t, save(t, data), 220, 60, termenv.Ascii)
	s.press("j", "tab", "tab", "e")
	s.typeText("9\r")
	s.wantShown("these bytes are the type of $[0].hp, not its value: change them?")
	s.wantBytes(data)
	s.press("n", "esc")
	s.wantBytes(data)
	s.press("shift+tab", "l", "l", "l", "l", "tab", "e")
	s.typeText("9\r")
	s.wantBytes(stream(dictionary(str("hp"), integer(9))))
}

package ui

import (
	"bytes"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"varview/ui/paint"
)

// bytes returns the bytes of the buffer that is shown.
func (s *screen) bytes() []byte {
	s.t.Helper()
	b := make([]byte, s.m.desk.Explorer.Buffer.Size())
	if n, _ := s.m.desk.Explorer.Bytes(b, 0); n < len(b) {
		s.t.Fatalf("%d of %d bytes", n, len(b))
	}
	return b
}

func (s *screen) wantByte(at int, want byte) {
	s.t.Helper()
	if got := s.bytes()[at]; got != want {
		s.t.Errorf("byte %#x is %#x, want %#x", at, got, want)
	}
}

func (s *screen) wantBytes(want []byte) {
	s.t.Helper()
	if got := s.bytes(); !bytes.Equal(got, want) {
		s.t.Errorf("bytes\n% x, want\n% x", got, want)
	}
}

// undoAll undoes everything and checks that the bytes are those of before.
func (s *screen) undoAll(want []byte) {
	s.t.Helper()
	for range s.m.desk.Doc.Steps() {
		s.press("u")
	}
	s.wantBytes(want)
	if s.m.desk.Doc.IsModified() {
		s.t.Error("modified, though all is taken back")
	}
}

// The values of a stream are set together, and undone together.
func TestSetStream(t *testing.T) {
	was := stream(integer(3), str("abc"), str("long enough"))
	s := openScreen(t, save(t, was), 80, 24, termenv.Ascii)
	s.enter(":", `set $=[3, "abcd"]`)
	s.wantBytes(stream(integer(3), str("abcd")))
	s.enter(":", `set $=[3, "abcd", true]`)
	s.wantBytes(stream(integer(3), str("abcd"), boolean(1)))
	s.undoAll(was)
}

// Values are typed in their rows; enter sets them, u undoes that.
func TestEditValues(t *testing.T) {
	tests := []struct {
		name      string
		was       []byte // of the first element
		keys, is  string // what is typed replaces the text there; \x05 goes to its end
		want      []byte
		wantShown string
	}{
		{"int", integer(3), "37\r", "[0]  37", integer(37), "set $[0]; u undoes it"},
		{"int from nothing", integer(3), "\x150x1f\r", "[0]  31", integer(31), ""},
		{"float of an int", float(1.5), "\x152\r", "[0]  2.0", float(2), ""},
		{"text", str("abc"), "\x05d \"é冒\r", `[0]  "abcd \"é冒"`, str("abcd \"é冒"), ""},
		{"text as a literal", str("abc"), "\x14\x15\"\\u263a\"\r", `[0]  "☺"`, str("☺"), ""},
		{"a literal as text", str("abc"), "\x14\x14d\r", `[0]  "abcd"`, str("abcd"), ""},
		{"empty text", str("abc"), "\x15\r", `[0]  ""`, str(""), ""},
		{"bool", boolean(1), "\x15false\r", "[0]  false", boolean(0), ""},
		{"array", array(integer(1)), "\x15[2, 3]\r", "[0]  (2)", array(integer(2), integer(3)), ""},
		{"vector as it is shown", words(5, 0, 0), "\x15(1, 2)\r", "[0]  (1, 2)", words(5, 0x3f800000, 0x40000000), "set $[0]; u undoes it"},
		{"null", words(0), "\x15null\r", "[0]  null", words(0), "nothing changes: it is the same already"},
		{"nothing wrong with blanks", integer(3), "\x15 4 \r", "[0]  4", integer(4), ""},
		{"left", integer(3), "7\x1b", "[0]  3", integer(3), "e edit"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			data := array(test.was, str("behind"))
			s := openScreen(t, save(t, data), 100, 24, termenv.Ascii)
			s.press("j", "e")
			s.wantShown("✎")
			s.typeText(test.keys)
			s.wantBytes(array(test.want, str("behind")))
			s.wantShown(test.is)
			s.wantShown(test.wantShown)
			s.undoAll(data)
		})
	}
}

// An error is shown while a value is typed, and enter keeps the editor open.
func TestEditErrors(t *testing.T) {
	data := array(integer(3), str("x"))
	s := openScreen(t, save(t, data), 100, 24, termenv.Ascii)
	s.press("j", "e", "end", "x")
	s.wantShown("✗ at character 2: this does not belong to a number")
	s.press("enter")
	s.wantShown("✗ at character 2: this does not belong to a number")
	s.wantShown("3x")
	s.press("backspace")
	s.wantShown("02 00 00 00 03 00 00 00  8 bytes")

	s.typeText(".5")
	s.wantShown("! the type is int, this is float")
	s.press("enter")
	s.wantShown("! enter again changes the type from int to float")
	s.wantBytes(data)
	s.press("0") // any other key closes the question
	s.wantShown("! the type is int, this is float")
	s.press("enter", "enter")
	s.wantBytes(array(float(3.5), str("x")))
	s.undoAll(data)

	s.enter(":", "set 2.5")
	s.wantShown("change the type from int to float?")
	s.press("esc")
	s.wantBytes(data)
	s.enter(":", "set 2.5")
	s.press("y")
	s.wantBytes(array(float(2.5), str("x")))
	s.undoAll(data)
}

// An error is underlined where it is.
func TestFaultIsMarked(t *testing.T) {
	s := openScreen(t, save(t, array(array(integer(1)))), 100, 24, termenv.TrueColor)
	s.press("j", "e")
	s.typeText("\x15[1, %, 3]")
	s.wantShown("at character 5")
	if got := s.editor().Fault(); got != 4 {
		t.Errorf("fault at byte %d, want 4", got)
	}
	want := (s.m.desk.Styles.Role(paint.Fault) + s.m.desk.Styles.Ground(true)).On("%")
	if view := s.m.View(); !bytes.Contains([]byte(view), []byte(want)) {
		t.Errorf("%q is not in %q", want, view)
	}
}

// A long text, or one of several lines, is edited over the panes.
func TestBigEditor(t *testing.T) {
	data := array(str("one\ntwo"), array(integer(1)))
	s := openScreen(t, save(t, data), 100, 24, termenv.Ascii)
	s.press("j", "e")
	s.wantShown("ctrl+s set")
	s.wantShown("│ one  ")
	s.press("enter", "3", "up", "up", "end", "!", "ctrl+s")
	s.wantBytes(array(str("one!\ntwo\n3"), array(integer(1))))
	s.undoAll(data)

	s.send(keyMsg("g"))
	s.press("j", "j", "e")
	s.wantShown("✎")
	s.press("esc")
	s.enter(":", `set $[0]="short"`)
	s.press("e")
	s.wantShown("✎    [0]")
	s.press("end")
	paste := keyMsg("a\nb")
	paste.Paste = true
	s.send(paste)
	s.wantShown("ctrl+s set")
	s.press("ctrl+s")
	s.wantBytes(array(str("shorta\nb"), array(integer(1))))
}

// Booleans are flipped, keys and types edited.
func TestFlipRenameRetype(t *testing.T) {
	data := dictionary(str("on"), boolean(1), integer(5), str("five"))
	s := openScreen(t, save(t, data), 100, 24, termenv.Ascii)
	s.press("j", " ")
	s.wantBytes(dictionary(str("on"), boolean(0), integer(5), str("five")))
	s.press(" ")
	s.wantBytes(data)
	if s.m.desk.Doc.IsModified() {
		t.Error("modified, though it is as it was")
	}
	s.press("r")
	s.typeText("one\r")
	s.wantBytes(dictionary(str("one"), boolean(1), integer(5), str("five")))
	s.wantSelected("• one")
	s.press("j", "r")
	s.typeText("50\r")
	s.wantBytes(dictionary(str("one"), boolean(1), integer(50), str("five")))
	s.enter(":", "type int")
	s.press("y")
	s.wantSelected("• [50]  0")
	s.enter(":", "type")
	s.wantShown(":type needs one of")
	s.undoAll(data)
	s.press("g", "r")
	s.wantShown("this has no key")
}

// A message says where nothing can be edited as a value.
func TestNothingToEdit(t *testing.T) {
	s := openScreen(t, repoFile("wrapped/godot4-gcpf-zstd-small.bin"), 100, 24, termenv.Ascii)
	s.press("<")
	for _, k := range []string{"e", "r", "a", "i", "A", "d d", "D", "J", "K", "x", "p"} {
		s.press(k)
		if s.editor() != nil || s.m.desk.Doc.Steps() > 0 {
			t.Fatalf("%s edits a wrapper", k)
		}
		if s.m.desk.Message.Text == "" {
			t.Errorf("%s says nothing", k)
		}
	}
	s.press("e")
	s.wantShown("there are no values here, only bytes")
	s = openStats(t)
	s.press("p")
	s.wantShown("nothing was copied yet")
	s.press("y", "g", "J")
	s.wantShown("this is the last already")
}

// During a long edit or a save nothing else is edited.
func TestBusy(t *testing.T) {
	s := openStats(t)
	s.press("j")
	s.m.desk.Task.Start(t.Context(), "working")
	for _, k := range []string{"e", "enter", "d d", "D", "J", "x", "u", "ctrl+r", "ctrl+s", "r", "a", "R"} {
		s.press(k)
		if s.editor() != nil || s.m.desk.Doc.Steps() > 0 {
			t.Fatalf("%s edits", k)
		}
		s.wantShown("working: wait until it ends, or press esc to stop it")
	}
	s.wantShown(" working ─")
	s.press("esc")
	s.m.desk.Task.Stop()
	s.press("d d")
	s.wantShown("[0]  (17)")
}

// Types are completed by tab.
func TestTypeIsCompleted(t *testing.T) {
	s := openScreen(t, save(t, array(integer(3))), 100, 24, termenv.Ascii)
	s.press("j")
	s.press(":")
	s.typeText("type fl\t\r")
	s.wantBytes(array(float(3)))
}

// While many values are set, the title says how far that is; of an edit that is not counted it says nothing.
func TestSetProgress(t *testing.T) {
	s := openScreen(t, save(t, array(array(integer(1), integer(2)), array(integer(3), integer(4)))), 100, 24, termenv.Ascii)
	s.enter(":", "set [*][*]=*2")
	s.wantShown("change 4 values?")
	if share := s.m.desk.Task.Share(); share < 0.5 {
		t.Errorf("once it is worked out, %g of the work is done", share)
	}
	s.press("esc", "j")
	s.m.values.Delete()
	s.m.desk.Task.Release()
	s.wantShown(" working ─")
}

// A long edit continues in the background and can be stopped.
func TestLongEdit(t *testing.T) {
	data := array(array(integer(1), integer(2)), str("x"))
	s := openScreen(t, save(t, data), 100, 24, termenv.Ascii)
	s.press("j")
	cmd := s.m.values.Delete()
	if cmd == nil || s.m.desk.Task.Name != "working" {
		t.Fatalf("task %q", s.m.desk.Task.Name)
	}
	s.wantNotShown("working")
	s.m.desk.Task.Release() // time passes
	s.wantShown(" working ─")
	s.wantBytes(data)
	s.run(cmd)
	s.wantBytes(array(str("x")))
	s.wantShown("delete $[0]; u undoes it")
	s.press("u")

	cmd = s.m.values.Delete()
	s.m.desk.Task.Release()
	s.press("esc")
	s.run(cmd)
	s.wantShown("stopped; nothing was changed")
	s.wantBytes(data)
}

// An error is shown whole in a narrow window, in both lines if it is long.
func TestEditErrorInTwoLines(t *testing.T) {
	s := openScreen(t, save(t, array(integer(3))), 80, 24, termenv.Ascii)
	s.press("j", "e")
	s.typeText("\x1599999999999999999999")
	s.wantShown("at character 1: an int must fit 64 bits: -9223372036854775808 to")
	s.wantShown("│ 9223372036854775807 ")
}

// The names of an enum are completed while one is typed, and other values that would read differently are
// shown.
func TestEditEnum(t *testing.T) {
	s := openScreen(t, "../testdata/kaitai/save.sav", 120, 30, termenv.Ascii)
	s.enter(":", "goto items[1].kind")
	s.press("e")
	s.press("tab")
	if frame := s.frame(); !strings.Contains(frame, "1 other value would read differently") {
		t.Error(frame)
	}
	s.press("tab", "enter")
	s.wantByte(0x2f, 1) // sword, potion, staff: after the last comes the first
	s.press("u")
	s.press("e", "ctrl+u")
	s.typeText("st")
	s.press("tab", "enter")
	s.wantByte(0x2f, 7)
}

// While a value with numbers of its own is edited, the names of these are shown.
func TestEditNamesParts(t *testing.T) {
	s := openRepo(t, "godot4/transform2d.bin", 80, 24)
	s.press("e")
	s.wantShown("in this order: x.x, x.y, y.x, y.y, origin.x, origin.y")
}

package ui

import (
	"context"
	"os"
	"testing"

	"github.com/muesli/termenv"
)

// Bytes are typed in the hex pane; one undo undoes all of them.
func TestTypeBytes(t *testing.T) {
	data := []byte("\x04\x00\x00\x00\x04\x00\x00\x00abcd")
	tests := []struct {
		name   string
		keys   string // from the first byte on
		want   string
		offset int64
	}{
		{"insert", "i41 42\x1b", "AB" + string(data), 2},
		{"insert after", "Ga4142\x1b", string(data) + "AB", 13},
		{"overwrite", "r0501\x1b", "\x05\x01" + string(data[2:]), 2},
		{"overwrite over the end", "Grff fe\x1b", string(data[:11]) + "\xff\xfe", 12},
		{"text", "Gi\té冒\x1b", "\x04\x00\x00\x00\x04\x00\x00\x00abcé冒d", 16},
		{"overwrite text", "Ghr\tXY\x1b", "\x04\x00\x00\x00\x04\x00\x00\x00abXY", 11},
		{"half a byte is none", "i4\x1b", string(data), 0},
		{"half a byte is dropped by tab", "i4\t\tff\x1b", "\xff" + string(data), 1},
		{"back over half a byte", "i4\b51\x1b", "Q" + string(data), 1},
		{"back over what was put in", "i4142\b\x1b", "A" + string(data), 1},
		{"back over what was there", "Gi\b\b\x1b", string(data[:9]) + "d", 9},
		{"back over what was written over", "rff\b\x1b", string(data), 0},
		{"back over appended bytes", "Grffff\b\x1b", string(data[:11]) + "\xff", 11},
		{"enter ends it", "i41\r", "A" + string(data), 1},
		{"no digit", "igz\x1b", string(data), 0},
		{"delete", "xx", string(data[2:]), 0},
		{"delete the last", "Gx", string(data[:11]), 10},
		{"delete all", "xxxxxxxxxxxxxx", "", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := openScreen(t, save(t, data), 80, 24, termenv.Ascii)
			s.press("tab")
			s.typeText(test.keys)
			s.frame()
			s.wantBytes([]byte(test.want))
			if s.m.hex.Typing() {
				t.Error("still typing")
			}
			if test.want != "" {
				s.wantOffset(test.offset)
			}
			steps := s.m.desk.Doc.Steps()
			if test.keys[0] != 'x' && steps > 1 {
				t.Errorf("%d steps", steps)
			}
			s.undoAll(data)
			for range steps {
				s.press("ctrl+r")
			}
			s.wantBytes([]byte(test.want))
		})
	}
}

// Bytes can be typed into an empty file.
func TestTypeIntoNothing(t *testing.T) {
	s := openScreen(t, save(t, nil), 80, 24, termenv.Ascii)
	s.press("tab", "x")
	s.wantShown("there are no bytes")
	s.press("i")
	s.typeText("000000\x1b")
	s.wantBytes([]byte{0, 0, 0})
	s.press("i")
	s.typeText("00\x1b")
	s.enter(":", "w")
	if got, err := os.ReadFile(s.path); err != nil || string(got) != "\x00\x00\x00\x00" {
		t.Errorf("%q (%v) was saved", got, err)
	}
}

// While bytes are typed the bottom line says so, and keys move.
func TestTypingIsShown(t *testing.T) {
	s := openStats(t)
	s.press("tab", "i")
	s.wantShown("INSERT hex digits")
	s.press("4")
	s.wantShown("|4_ 02 00 00")
	s.press("down", "right", "left", "end", "home")
	s.wantOffset(8)
	s.press("tab")
	s.wantShown("INSERT text")
	s.press("esc", "r")
	s.wantShown("OVERWRITE hex digits")
	s.press("g")
	s.wantShown("'g' is not a hex digit; tab changes to text, esc ends the typing")
	s.wantShown("OVERWRITE hex digits")
	s.click(s.m.desk.Width-3, 2)
	s.wantShown("OVERWRITE")
	s.press("esc")
	s.wantShown("r overwrite")
	if s.m.desk.Doc.Steps() > 0 {
		t.Error("something was typed")
	}
}

// A problem that typed bytes cause is reported at once.
func TestTypingBreaks(t *testing.T) {
	s := openScreen(t, save(t, array(str("abcd"))), 80, 24, termenv.Ascii)
	s.enter(":", "goto 0xc")
	s.press("r", "f", "f")
	s.wantShown("a new problem")
	s.wantShown("✗")
	s.press("esc", "u")
	s.press("j")
	if s.m.desk.Doc.ProblemCount(0) > 0 {
		t.Error("the problem stays")
	}
}

// A wrapper's bytes are edited, and its content is opened again.
func TestTypeIntoWrapper(t *testing.T) {
	const file = "wrapped/godot4-base64-dictionary.b64"
	s := openScreen(t, repoFile(file), 80, 24, termenv.Ascii)
	data, err := os.ReadFile(repoFile(file))
	if err != nil {
		t.Fatal(err)
	}
	s.press("<", "tab")
	s.typeText("r\tH\x1b") // another digit of base64: the first six bits
	want := append([]byte("H"), data[1:]...)
	s.wantBytes(want)
	if s.m.desk.Explorer.Buffer.Number != 0 || len(s.m.desk.Doc.Buffers) != 2 {
		t.Fatalf("buffer %d of %d", s.m.desk.Explorer.Buffer.Number, len(s.m.desk.Doc.Buffers))
	}
	s.wantShown("modified")
	s.press(">", "e")
	s.wantShown("nothing can be changed: buffer 0")
	s.press("esc", "u")
	s.wantBytes(data)
	if s.m.desk.Doc.IsModified() || s.m.desk.Explorer.Buffer.Number != 0 {
		t.Errorf("modified: %v, buffer %d", s.m.desk.Doc.IsModified(), s.m.desk.Explorer.Buffer.Number)
	}
}

// The content of a wrapper whose bytes are edited is opened in the background, also for undo:
// taking the result opens nothing.
func TestWrapperOpensInBackground(t *testing.T) {
	s := openScreen(t, repoFile("wrapped/godot4-base64-dictionary.b64"), 80, 24, termenv.Ascii)
	over, stop := context.WithCancel(context.Background())
	stop() // with which nothing can be opened
	s.press("<", "tab", "r", "tab")
	for _, key := range []string{"H", "u"} {
		before := s.m.desk.Doc
		_, cmd := s.m.Update(keyMsg(key))
		result := cmd()
		ctx := s.m.desk.Ctx
		s.m.desk.Ctx = over
		s.m.Update(result)
		s.m.desk.Ctx = ctx
		if s.m.desk.Doc == before || s.m.desk.Doc.IsModified() != (key == "H") {
			t.Errorf("%s: the same document: %v, modified: %v\n%s", key, s.m.desk.Doc == before, s.m.desk.Doc.IsModified(), s.frame())
		}
		s.press("esc")
	}
}

package ui

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"varview/decoder/engine/span"
)

func (s *screen) wantChosen(offset, length int64) {
	s.t.Helper()
	if got, want := s.m.desk.Chosen(), (span.Span{Offset: offset, Length: length}); got != want {
		s.t.Errorf("selected %v (%d), want %v (%d)", got, got.Length, want, want.Length)
	}
}

// Motions extend a selection in both directions, and what ends it ends it.
func TestSelectBytes(t *testing.T) {
	s := openScreen(t, save(t, array(integer(7), str("ab"))), 100, 24, termenv.Ascii)
	s.press("tab", "j", "l", "v")
	s.wantChosen(9, 1)
	s.press("l", "l")
	s.wantChosen(9, 3)
	s.wantShown("[00!00 00]")
	s.press("k", "h")
	s.wantChosen(2, 8)
	s.press("G")
	s.wantChosen(9, 19)
	s.press("v")
	if s.m.desk.Selection.Active {
		t.Error("v does not end it")
	}
	s.press("v", "esc")
	if s.m.desk.Selection.Active {
		t.Error("esc does not end it")
	}
	s.press("v", "tab")
	if s.m.desk.Selection.Active {
		t.Error("the tree does not end it")
	}
}

// V selects the field, then the value, then what is around that.
func TestSelectAround(t *testing.T) {
	s := openScreen(t, save(t, array(integer(7), str("ab"))), 100, 24, termenv.Ascii)
	s.press("tab")
	s.enter(":", "goto 0x18")
	for _, want := range []span.Span{{Offset: 24, Length: 2}, {Offset: 16, Length: 12}, {Offset: 0, Length: 28}, {Offset: 0, Length: 28}} {
		s.press("V")
		s.wantChosen(want.Offset, want.Length)
	}
	s.press("esc", "g", "v", "V")
	s.wantChosen(0, 2)
}

// Selected bytes are copied in every form, and put in elsewhere.
func TestCopyBytes(t *testing.T) {
	s := openScreen(t, save(t, array(integer(258), str("ab"))), 100, 24, termenv.Ascii)
	var clip string
	s.capture(&clip)
	s.press("tab")
	s.enter(":", "goto 12")
	for keys, want := range map[string]string{"h": "02 00 00 00 02 01 00 00", "b": "AgAAAAIBAAA=", "g": "PackedByteArray([2, 0, 0, 0, 2, 1, 0, 0])"} {
		s.press("y") // without a selection, the selected value
		s.wantShown("copy 8 bytes as")
		s.press(keys)
		s.wantShown("copied 8 bytes as")
		if clip != want {
			t.Errorf("%s copies %q, want %q", keys, clip, want)
		}
	}
	s.press("V", "y", "h")
	if clip != "02 01 00 00" {
		t.Errorf("copied %q", clip)
	}
	s.press("esc")
	s.enter(":", "goto 0x18")
	s.press("p")
	s.wantBytes(append(array(integer(258), str("ab"))[:24], 2, 1, 0, 0))
	s.press("u")
	s.enter(":", "goto 27")
	s.press("p") // beyond the end
	s.wantBytes(append(array(integer(258), str("ab"))[:27], 2, 1, 0, 0))
	s.press("u")
	s.enter(":", "goto 0")
	s.press("P")
	s.wantBytes(append([]byte{2, 1, 0, 0}, array(integer(258), str("ab"))...))
	s.press("u")
	s.enter(":", "goto 8")
	s.press("v", "l", "x")
	s.wantBytes(append(array()[:4], append([]byte{2, 0, 0, 0}, array(integer(258), str("ab"))[10:]...)...))
}

// Filling repeats the pattern, up to the end of the selection.
func TestFill(t *testing.T) {
	s := openScreen(t, save(t, array(integer(258), str("ab"))), 100, 24, termenv.Ascii)
	s.press("tab")
	s.enter(":", "goto 12")
	s.press("V")
	s.enter(":", "fill de ad be")
	s.wantShown("fill 4 bytes at 0xc; u undoes it")
	s.wantBytes(append(append(array(integer(0), str("ab"))[:12], 0xde, 0xad, 0xbe, 0xde), array(integer(0), str("ab"))[16:]...))
	if s.m.desk.Selection.Active {
		t.Error("the selection stays")
	}
	s.enter(":", "fill 1")
	s.wantShown("hex digits, two for each byte")
	s.press("u")
	s.wantBytes(array(integer(258), str("ab")))
	s.enter(":", "fill 00") // of the selected value
	s.wantShown("fill 8 bytes at 0x8")
}

// The sums of the selection, as md5sum prints that of "ab".
func TestSumsOfTheSelection(t *testing.T) {
	s := openScreen(t, save(t, array(str("ab"))), 180, 45, termenv.Ascii)
	s.press("tab")
	s.enter(":", "goto 0x10")
	s.press("V")
	s.wantShown("selected 0x10–0x11 · 2 bytes  entropy 1.00 bits a byte  CRC32 9e83486d")
	s.wantShown("MD5 187ef4436122d1cc2f40dc2b92f0eba0")
	s.wantRow("CRC32", "9e83486d")
	s.wantRow("SHA-256", "fb8e20fc2e4c3f248")
	s.press("V")
	s.wantShown("selected 0x8–0x13 · 12 bytes")
}

// Bytes are written to a file, and another file is not lost.
func TestExportBytes(t *testing.T) {
	s := openScreen(t, save(t, array(str("ab"))), 100, 24, termenv.Ascii)
	to := filepath.Join(t.TempDir(), "bytes")
	wrote := func(want []byte) {
		t.Helper()
		if got, _ := os.ReadFile(to); !bytes.Equal(got, want) {
			t.Errorf("wrote % x, want % x", got, want)
		}
	}
	s.press("j")
	s.enter(":", "export-bytes "+to)
	wrote(str("ab"))
	s.press("tab")
	s.enter(":", "goto 0x10")
	s.press("V", "y", "w")
	s.typeText(to + "\r")
	s.wantShown("exists already")
	wrote(str("ab"))
	s.enter(":", "export-bytes! "+to)
	wrote([]byte("ab"))
	s.enter(":", "export-bytes")
	s.wantShown(":export-bytes needs the name of a file")
}

// Dragging the mouse selects.
func TestDrag(t *testing.T) {
	s := openScreen(t, save(t, array(integer(7), str("ab"))), 100, 24, termenv.Ascii)
	l := &s.m.layout
	x := 1 + l.treeWidth + 1 + l.hex.OffsetDigits + 1
	at := func(column, row int, a tea.MouseAction) {
		s.send(tea.MouseMsg{X: x + 3*column + 1, Y: row, Action: a, Button: tea.MouseButtonLeft})
	}
	at(2, 1, tea.MouseActionPress)
	at(2, 1, tea.MouseActionMotion)
	if s.m.desk.Selection.Active {
		t.Error("a click selects")
	}
	at(5, 2, tea.MouseActionMotion)
	at(5, 2, tea.MouseActionRelease)
	s.wantChosen(2, 12)
	s.click(x+1, 1)
	if s.m.desk.Selection.Active {
		t.Error("a click does not end the selection")
	}
}

// While rows are selected the bottom line says what can be done with them.
func TestSelectedRowsAreHinted(t *testing.T) {
	s := openScreen(t, "testdata/saves/save-player-stats.bin", 80, 24, termenv.Ascii)
	s.press("j", "V", "j")
	s.wantShown("y copy  d delete  D duplicate  esc end")
	s.press("esc")
	s.wantNotShown("dd delete")
}

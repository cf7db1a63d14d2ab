package ui

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

// A file that nothing explains shows what is noticed in it, above its bytes.
func TestNoticed(t *testing.T) {
	body := []byte{0x9d, 0x1f, 0x83, 0xe7}
	for _, name := range []string{"rusty blade", "iron helmet", "long bow"} {
		body = append(binary.LittleEndian.AppendUint16(append(body, 0xb1, 0xf3, 0x07), uint16(len(name))), name...)
	}
	file := binary.LittleEndian.AppendUint32([]byte("MYGM"), crc32.ChecksumIEEE(body))
	s := openText(t, "slot1.dat", string(append(file, body...)), 100, 30)
	s.wantShown("unknown file")
	s.wantShown(`0x0   magic                         "MYGM"                      $ varview layers slot1.dat --try`)
	s.wantShown("0x4   crc32 of 0x8–")
	s.wantShown(`text after its length (u2le)  "rusty blade"`)
	s.wantShown("enter lists it all")
	s.wantShown("enter noticed")
	s.press("enter")
	s.wantShown(`0x4   crc32 of 0x8–`)
	s.press("j", "enter")
	s.wantOffset(4)
	s.enter(":", "guess long=8")
	s.wantShown("long  0x00002f  u2le")
	s.press("esc")
	s.enter(":", "guess gold")
	s.wantShown(":guess needs LABEL=VALUE")
	s.enter(":", "goto 0")
	s.typeText("i00")
	s.press("esc")
	s.wantNotShown(`"MYGM"`)
	s.wantShown("0x5   crc32 of 0x9–")
	s.press("u")
	s.wantShown(`"MYGM"`)
	other := filepath.Join(t.TempDir(), "slot2.dat")
	changed := bytes.Clone(append(file, body...))
	changed[12]++
	if err := os.WriteFile(other, changed, 0o600); err != nil {
		t.Fatal(err)
	}
	s.enter(":", "guess "+other)
	s.wantShown("0x000c u1")
	s.wantShown("1 place ")
	s.wantShown("slot1.dat                        slot2.dat") // above the columns
	s.press("esc")
	s.enter(":", "guess long=8 "+other+" long=8")
	s.wantShown("long  0x00002f  u2le")
	s.press("esc")
	s.enter(":", "guess long=8,9 "+other)
	s.wantShown("nothing was found")
	s.enter(":", "guess long=8 "+other)
	s.wantShown("long has 1 value for 2 files")
}

// From save to save the list of places goes on: R reads the file again and asks for the next value.
func TestGuessOn(t *testing.T) {
	s := openText(t, "a.sav", "XNBX\x00\x06\x51\x00\x07\x00\x51\x00\x00\x51\x09tail of it\x00", 120, 30)
	s.enter(":", "guess gold=81")
	s.wantShown(" places in a.sav")
	if err := os.WriteFile(s.m.desk.Doc.Path(), []byte("XNBX\x00\x06\x51\x00\x07\x00\x40\x00\x00\x51\x09tail of it\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.press("R")
	s.wantShown("╰ :guess gold=81,")
	s.typeText("64\r")
	s.wantShown("gold  0x00000a  u2le")
	s.wantNotShown("0x00000d")
	s.press("&")
	s.wantShown("╰ &")
	s.wantNotShown("0x00000a")
	s.press("esc")
	s.enter(":", "guess")
	s.press("R") // what is noticed is listed again
	s.wantShown("magic")
	s.wantShown(" in a.sav")
}

// Enter opens a stream that is noticed, and goes to what is in it.
func TestGuessStream(t *testing.T) {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	z.Write([]byte("\x07\x00\x0brusty blade\x0biron helmet\xb1\xf3\x9d\x1f\xe7\xd2\x04\x00\x00"))
	z.Close()
	s := openText(t, "slot1.dat", "MYGM\x9d\x1f\x83\xe7"+packed.String(), 120, 30)
	s.enter(":", "guess gold=1234")
	s.wantShown("in zlib at 0x8")
	s.press("enter")
	s.wantShown("slot1.dat: zlib at 0x8")
	s.wantOffset(31)
	if got := s.m.desk.Chosen(); !s.m.desk.Selection.Active || got.Length != 4 {
		t.Errorf("selected is %+v, not the u4le", got)
	}
	s.press("q")
	s.wantShown("own header")
}

// Beside bytes that nobody knows the inspector is shown from 120 columns on, next to what was noticed.
func TestInspectorOfUnknown(t *testing.T) {
	s := openScreen(t, save(t, []byte("XNBX\x00\x06\x4c\x79\x11\xc4 some bytes that nobody knows")), 120, 36, termenv.Ascii)
	s.wantShown("─ inspector ─")
	s.wantShown("u16        20056         22606")
	s.resizeTo(100, 36)
	s.wantNotShown("─ inspector ─")
}

// Of two unknown files the bytes are beside each other, aligned also behind bytes that only one has; places are taken from the other.
func TestBytesBeside(t *testing.T) {
	const common = "MAGI\x00\x01player\x00\x00\x00\x00end of it"
	here, there := "\x01\x02\x03\x04"+common+"\x00\x00\x00\x07tail", "\x01\x02\x03\x04"+common+"\xc9NSERTED BYTE\xfe\x00\x00\x00\x09tail" // no text that the zero ends
	s := openText(t, "a.sav", here, 100, 24)
	other := filepath.Join(t.TempDir(), "b.sav")
	if err := os.WriteFile(other, []byte(there), 0o600); err != nil {
		t.Fatal(err)
	}
	s.enter(":", "diff "+other)
	s.wantShown(" 2 places ")
	s.wantShown("0x001d bytes")
	tails := 0
	for line := range strings.Lines(s.frame()) {
		if a, b, ok := strings.Cut(line[min(len(line), 4):], "│"); ok && strings.Contains(a, "61 69 6c ") && strings.Contains(b, "61 69 6c ") {
			tails++
		}
	}
	if tails != 1 {
		t.Errorf("the ends are not beside each other:\n%s", s.frame())
	}
	s.press("d", "o")
	s.wantShown("insert 14 bytes")
	s.wantShown("›✓ 0x001d bytes")
	s.wantShown("   0x002b u4be") // moved by what was taken
	s.press("d", "o")
	s.wantShown("taken already")
	s.press("u")
	s.wantShown("›  0x001d bytes")
	s.wantShown("   0x001d u4be")
	s.press("d", "o", "c", "d", "o")
	s.wantNotShown("   0x")
	if is := s.m.desk.Explorer.Buffer.Size(); is != int64(len(there)) {
		t.Errorf("%d bytes, want %d", is, len(there))
	}
	s.press("ctrl+s")
	s.wantShown("saved a.sav")
	s.wantNotShown("nothing was found")
}

// TestDiffPacked: files that differ in packed bytes, of which no place in a stream tells what has changed, differ in these bytes.
func TestDiffPacked(t *testing.T) {
	dir := t.TempDir()
	for name, digits := range map[string]string{"a.sav": "48445231789c9b716cefe50defbbdb18d0000073d8059f", "b.sav": "48445231789c9b716ca4fae162e50defbbdb18d0000073d8059f"} {
		file, err := hex.DecodeString(digits)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), file, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s := openScreen(t, filepath.Join(dir, "a.sav"), 120, 30, termenv.Ascii)
	s.look()
	s.enter(":", "diff "+filepath.Join(dir, "b.sav"))
	s.wantShown("bytes(")
	s.enter(":", "diff "+filepath.Join(dir, "a.sav"))
	s.wantShown("nothing was found")
}

// What is pasted over the last bytes and goes on behind them says so.
func TestPasteOverTheEnd(t *testing.T) {
	s := openText(t, "a.sav", "XNBX\x00\x06 bytes that nobody knows", 120, 30)
	s.press("v", "l", "l", "l", "y", "h")
	s.press("esc", "G", "p")
	s.wantShown("overwrite 1 byte with 4 bytes at 0x1d")
}

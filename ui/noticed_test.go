package ui

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
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
	s.wantShown("1 place in slot1.dat")
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

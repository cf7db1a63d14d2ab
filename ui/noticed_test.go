package ui

import (
	"encoding/binary"
	"hash/crc32"
	"testing"
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
	s.wantShown(`0x000000  magic  "MYGM"`)
	s.wantShown("0x000004  crc32 of 0x8–")
	s.wantShown(`text after its length (u2le)  "rusty blade"`)
	s.wantShown("varview guess lists all of it")
}

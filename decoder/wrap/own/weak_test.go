package own

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/layer"
)

// TestCombinations computes those of the text for which catalogues of checksums give them.
func TestCombinations(t *testing.T) {
	for name, want := range map[string]uint64{"byte-sum": 0x1dd, "byte-minus": 0x23, "byte-xor": 0x31, "crc16-ccitt": 0x29b1, "crc16-xmodem": 0x31c3, "crc16-kermit": 0x2189, "crc16-x25": 0x906e, "crc16-arc": 0xbb3d, "crc16-modbus": 0x4b37, "crc16-genibus": 0xd64e, "crc16-usb": 0xb4c8, "fletcher16": 0x1ede} {
		if got := checksum.Number(name, []byte("123456789")); got != want {
			t.Errorf("%s: %x, want %x", name, got, want)
		}
	}
}

// TestWeakSumsAreSaid edits content beside checksums of one and two bytes, in usual places: that they were left is said, and nothing of
// numbers that are none.
func TestWeakSumsAreSaid(t *testing.T) {
	little, big := binary.LittleEndian.AppendUint16, binary.BigEndian.AppendUint16
	size := func(b string) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(len(b)))) }
	of := func(name, b string) uint16 { return uint16(checksum.Number(name, []byte(b))) }
	for title, around := range map[string]func(name, b string) (head, tail string){
		"behind a magic word": func(name, b string) (string, string) {
			return "SAVE" + string(little(nil, of(name, b))) + "\x01\x00" + size(b), ""
		},
		"behind the size, big-endian": func(name, b string) (string, string) { return "SAVE" + size(b) + string(big(nil, of(name, b))), "" },
		"at the end":                  func(name, b string) (string, string) { return "SAVE" + size(b), string(little(nil, of(name, b))) },
		"before zeros": func(name, b string) (string, string) {
			return "SAVE" + size(b), string(little(nil, of(name, b))) + "\x00\x00"
		},
		"in digits":             func(name, b string) (string, string) { return fmt.Sprintf("SAVE 9\nCRC %d\n", of(name, b)), "" },
		"in hexadecimal digits": func(name, b string) (string, string) { return fmt.Sprintf("SAVE 9\nsum: %04x\n", of(name, b)), "" },
		"of all behind it": func(name, b string) (string, string) {
			return "SAVE" + string(little(nil, of(name, "\x07\x00"+size(b)+b))) + "\x07\x00" + size(b), ""
		},
		"of all, with zeros in its place": func(name, b string) (string, string) {
			return "SAVE\x07\x00" + string(little(nil, of(name, "SAVE\x07\x00\x00\x00"+size(b)+b))) + size(b), ""
		},
	} {
		for _, name := range checksum.Weak() {
			if _, size := checksum.SumOf(name); size < 2 {
				continue
			}
			content, other := "{"+strings.Repeat(title, 3)+name+"}", "{"+strings.Repeat(title, 3)+"!}"
			head, tail := around(name, content)
			stale, is := staleAfter(t, head, content, tail, other)
			want, wantTail := around(name, other)
			if len(stale) == 0 && is != want+other+wantTail {
				t.Errorf("%s, %s: %q is left in silence, want %q %q", title, name, is, want, wantTail)
			}
		}
	}
	for _, name := range checksum.Weak()[:3] { // of one byte
		content, sum := "", byte(0)
		for n := 0; sum < leastByte || isNameByte(sum); n++ {
			content = fmt.Sprint("{", strings.Repeat(name, 5), n, "}")
			sum = byte(checksum.Number(name, []byte(content)))
		}
		if stale, is := staleAfter(t, "SAVEGAME"+string([]byte{sum})+size(content), content, "", content+"!"); len(stale) == 0 {
			t.Errorf("%s: %q is left in silence", name, is)
		}
	}
	byChance := ""
	for _, head := range []string{"SAVE\x07\x00\x00\x00", "MyGame\x00\x00\x02\x00\x01\x00", "RPG\x01", "v2.10\n", "SAVE 12\n"} {
		for n := range 100 {
			content := "{" + fmt.Sprint(n*7919) + "}"
			if stale, _ := staleAfter(t, head+size(content), content, "", content+"!"); len(stale) > 0 {
				byChance += fmt.Sprintf("%q before %s: %q\n", head, content, stale)
			}
		}
	}
	if n := strings.Count(byChance, "\n"); n > 3 {
		t.Errorf("of 500 files %d have such a number by chance:\n%s", n, byChance)
	}
}

// staleAfter returns what is said to be stale once the content between a header and a trailer is another one, and what is written.
func staleAfter(t *testing.T, head, content, tail, other string) (stale []string, is string) {
	t.Helper()
	l := open(t, Around(int64(len(head)), int64(len(tail))), head+content+tail)
	Complete(l, layer.Inner{Held: []source.Source{source.Bytes(content)}})
	is, err := rewrap(t, l, other, layer.Inner{})
	if err != nil {
		return []string{err.Error()}, ""
	}
	return said(l).Stale, is
}

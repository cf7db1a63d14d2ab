package secure

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
)

// TestDecode checks which bytes are a secure save, and where its base64 ends.
func TestDecode(t *testing.T) {
	device := strings.Repeat("6496af6d01", 4)
	text := base64.StdEncoding.EncodeToString([]byte(`{"gold":12}`))
	for _, c := range []struct {
		text  string
		whole bool
		end   int
		ok    bool
	}{
		{device + text, true, len(device + text), true},
		{device + text + "\r\n\x00\x00", true, len(device + text), true},
		{device + text[:10], false, len(device) + 8, true},
		{device + "e30=", true, 44, true},
		{device + text[:10], true, 0, false},
		{device + base64.StdEncoding.EncodeToString([]byte(`[1]`)), true, 0, false},
		{strings.ToUpper(device) + text, true, 0, false},
		{device[1:] + text, true, 0, false},
		{device, true, 0, false},
		{device + base64.StdEncoding.EncodeToString([]byte("{\x1b\x01")), true, 0, false},
		{hex.EncodeToString([]byte("{\"text\": \"0123456789–dash\", \"n\": [1, 2, 3]}")), true, 0, false}, // its 20th byte begins a character
	} {
		_, _, end, ok := decode([]byte(c.text), c.whole)
		if ok != c.ok || ok && end != c.end {
			t.Errorf("%q: %d, %t", c.text, end, ok)
		}
	}
}

// TestSums finds that what stands before the JSON is a checksum of it, so that it is no device.
func TestSums(t *testing.T) {
	for _, n := range []int{1, 100_000} {
		plain := fmt.Appendf(nil, `{"gold":12,"notes":"%s"}`, strings.Repeat("x", n))
		text := base64.StdEncoding.EncodeToString(plain)
		bytes, digest, crc := sha1.Sum(plain), md5.Sum(plain), binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(plain))
		digits, ofText := fmt.Appendf(nil, "%x", bytes), sha1.Sum([]byte(text))
		device := []byte(strings.Repeat("6496af6d01", 4))
		inBase64 := func(before ...[]byte) string {
			return base64.StdEncoding.EncodeToString(slices.Concat(slices.Concat(before...), plain))
		}
		for _, c := range []struct {
			name, text string
			want       bool
		}{
			{"a device", string(device) + text, true},
			{"a SHA-1", string(digits) + text, false},
			{"a SHA-1 of the text", fmt.Sprintf("%x%s", ofText, text), false},
			{"a SHA-1 of the text, in lines", fmt.Sprintf("%x\n%s\n", ofText, text), false},
			{"60 bytes of a device", inBase64(device[:20], device), true},
			{"20 bytes and a SHA-1", inBase64(device[:20], digits), false},
			{"a SHA-1 twice", inBase64(bytes[:], digits), false},
			{"a SHA-1 in bytes, and digits", inBase64(bytes[:], device), false},
			{"4 bytes, an MD5, digits", inBase64(device[:4], digest[:], digits), false},
			{"a SHA-1 without the zero at the end", base64.StdEncoding.EncodeToString(slices.Concat(device[:20], digits, plain, []byte{0})), false},
			{"a CRC-32", inBase64(device, device[:16], crc), false},
		} {
			src := source.Bytes([]byte(c.text))
			if got := Kind.Sniff(layer.NewSample(src, span.Between(0, src.Size()))); got != c.want {
				t.Errorf("%s before %d bytes: %t", c.name, len(plain), got)
			}
		}
	}
}

// TestLineEnds: lines without anything in them, which a decoder of base64 passes over, are no secure save.
func TestLineEnds(t *testing.T) {
	for _, n := range []int{native + 4, 4096} {
		if _, _, _, ok := decode(bytes.Repeat([]byte("\n"), n), true); ok {
			t.Errorf("%d line ends are a secure save", n)
		}
	}
}

package wrap

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zlib"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// zlibOf makes a zlib stream.
func zlibOf(plain []byte) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write(plain)
	z.Close()
	return b.Bytes()
}

func TestSniff(t *testing.T) {
	plain := mixed(100_000, 11)
	packed, small := zlibOf(plain), zlibOf(mixed(3000, 5))
	text := base64.StdEncoding.EncodeToString(plain)
	for _, c := range []struct {
		name  string
		data  string
		input string
		want  []Kind
	}{
		{"nothing", "", "", nil},
		{"nothing, as hex", "", "hex", []Kind{Hex}},
		{"anything, as base64", "\x00\x01", "base64", []Kind{Base64}},
		{"GCPF", "GCPF", "", []Kind{GCPF}},
		{"GDEC", "GDEC\x00", "", []Kind{GDEC}},
		{"GDEC, as binary", "GDEC\x00", "binary", []Kind{GDEC}},
		{"GCPF, as hex", "GCPF", "hex", []Kind{Hex}},
		{"zlib", string(packed), "", []Kind{Zlib}},
		{"zlib, as binary", string(packed), "binary", []Kind{Zlib}},
		{"zlib of nothing", string(zlibOf(nil)), "", []Kind{Zlib}},
		{"cut zlib", string(packed[:500]), "", []Kind{Zlib}},
		{"no deflate behind a zlib header", "\x78\x9c\xff\xff\xff\xff\xff\xff", "", nil},
		{"damaged zlib", string(put(small, len(small)/2, bytes.Repeat([]byte{0xff}, 10)...)), "", []Kind{Zlib}},
		{"zlib with a dictionary", "\x78\x20\x00\x00" + string(packed[2:]), "", nil},
		{"words", "save: 1", "", nil},
		{"a Variant", "\x1b\x00\x00\x00\x00\x00\x00\x00", "", nil},
		{"hex", "47435046", "", []Kind{Hex, Base64}},
		{"hex, as binary", "47435046", "binary", nil},
		{"a byte", "47", "", nil},
		{"hex with an odd digit", "47:4", "", nil},
		{"base64", "R0NQRg==", "", []Kind{Base64}},
		{"short base64", "R0M", "", []Kind{Base64}},
		{"half a magic", "GC\x00", "", nil},
		{"base64 without padding", "R0NQRg", "", []Kind{Base64}},
		{"URL-safe base64", "R0NQ-_==", "", nil},
		{"base64 with a digit too many", "R0NQR", "", []Kind{Base64}},
		{"base64 with padding in the middle", "Rg==R0NQ", "", nil},
		{"long base64", text, "", []Kind{Base64}},
		{"long base64 in lines", strings.ReplaceAll(text, "A", "A\n"), "", []Kind{Base64}},
		{"long base64 with a wrong character", text[:60_000] + "*" + text[60_001:], "", []Kind{Base64}},
		{"long hex", fmt.Sprintf("%x", plain), "", []Kind{Hex, Base64}},
		{"long hex with blanks", fmt.Sprintf("% x", plain), "", []Kind{Hex}},
		{"long hex with commas", strings.ReplaceAll(fmt.Sprintf("% x", plain), " ", ","), "", []Kind{Hex}},
		{"xxd", "00000000: 4743  GC\n", "", []Kind{Hex}},
		{"xxd with a damaged line", "00000000: 4743  GC\nhello\n", "", nil},
	} {
		src := source.Bytes("??" + c.data + "??")
		if got := Sniff(src, span.Span{Offset: 2, Length: int64(len(c.data))}, c.input); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
	}
}

func TestZlib(t *testing.T) {
	plain := mixed(5000, 12)
	good := zlibOf(plain)
	end := len(good)
	for _, c := range []struct {
		name  string
		data  []byte
		size  int // -1: no payload, -2: any number of right bytes
		state State
		want  []string
	}{
		{"good", good, 5000, Matches, nil},
		{"bytes behind", append(bytes.Clone(good), 1, 2), 5000, Matches, []string{fmt.Sprintf("warning trailing-bytes %d+2", end)}},
		{"bad checksum", put(good, end-1, good[end-1]^1), 5000, Differs, []string{fmt.Sprintf("error checksum %d+4", end-4)}},
		{"checksum cut", good[:end-2], 5000, Unknown, []string{fmt.Sprintf("error truncated-stream %d+2", end-4)}},
		{"no checksum", good[:end-4], 5000, Unknown, []string{fmt.Sprintf("error truncated-stream %d+0", end-4)}},
		{"cut", good[:end-40], -2, Unknown, []string{fmt.Sprintf("error truncated-stream %d+1", end-41)}},
		{"header alone", good[:2], 0, Unknown, []string{"error truncated-stream 2+0"}},
		{"no header", put(good, 0, 0, 0), -1, Unknown, []string{fmt.Sprintf("error unrecognized 0+%d", end)}},
		{"nothing", nil, -1, Unknown, []string{"error unrecognized 0+0"}},
	} {
		l := open(t, Zlib, c.data, Options{MaxUnpacked: 1 << 20})
		if got := problems(t, l, c.data); !slices.Equal(got, c.want) || l.Checksum() != c.state {
			t.Errorf("%s: %v %v, not %v", c.name, l.Checksum(), got, c.want)
		}
		checkTree(t, c.data, l)
		if c.size == -1 {
			if l.Payload != nil {
				t.Errorf("%s: has a payload", c.name)
			}
			continue
		}
		if got := payload(t, l); c.size >= 0 && len(got) != c.size || len(got) > len(plain) || !bytes.Equal(got, plain[:len(got)]) {
			t.Errorf("%s: %d bytes", c.name, len(got))
		}
	}
}

// TestZlibDamaged: what comes before damage is unpacked.
func TestZlibDamaged(t *testing.T) {
	plain := mixed(200_000, 13)
	data := zlibOf(plain)
	copy(data[len(data)/2:], bytes.Repeat([]byte{0xff}, 40))
	l := open(t, Zlib, data, Options{MaxUnpacked: 1 << 20})
	got := payload(t, l)
	if n := len(got) * 9 / 10; n < 10_000 || !bytes.Equal(got[:n], plain[:n]) {
		t.Errorf("%d bytes", len(got))
	}
	found := problems(t, l, data)
	if len(found) == 0 || !strings.HasPrefix(found[0], "error bad-stream ") {
		t.Error(found)
	}
	checkTree(t, data, l)
}

func TestZlibLimit(t *testing.T) {
	data := zlibOf(make([]byte, 1<<20))
	l := open(t, Zlib, data, Options{MaxUnpacked: 1000})
	if got := payload(t, l); !bytes.Equal(got, make([]byte, 1000)) {
		t.Errorf("%d bytes", len(got))
	}
	if got := problems(t, l, data); !slices.Equal(got, []string{fmt.Sprintf("warning too-large 2+%d", len(data)-2)}) {
		t.Error(got)
	}
}

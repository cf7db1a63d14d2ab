package checksum

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// digests are the check values of "123456789" in catalogues of checksums, as digits.
var digests = map[string]string{
	"crc32":  "cbf43926",
	"jamcrc": "340bc6d9",
	"md5":    "25f9e794323b453885f5181f1b624d0b",
	"sha1":   "f7c3bc1d808e04732adf679965ccc34ca7ae3441",
	"sha256": "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225",
}

const held = "123456789"

func whole(text string) (source.Source, span.Span) {
	return source.Bytes(text), span.Between(0, int64(len(text)))
}

// TestFind finds the check values in each form and place, and nothing if a digit differs.
func TestFind(t *testing.T) {
	for name, digits := range digests {
		b, _ := hex.DecodeString(digits)
		turned := slices.Clone(b)
		slices.Reverse(turned)
		forms := []string{held + digits, held + strings.ToUpper(digits) + "\r\n", held + "\r\n" + digits + "\x00\x00", digits + held, digits + "\n" + held, held + string(b), string(b) + held}
		if len(b) == 4 {
			forms = append(forms, held+string(turned), string(turned)+held)
		} else {
			in64 := base64.StdEncoding.EncodeToString(b)
			forms = append(forms, held+in64, held+"\n"+in64+"\n", in64+"\r\n"+held)
		}
		for _, text := range forms {
			src, region := whole(text)
			if p := Find(src, region, false); p == nil || p.Sum != name {
				t.Errorf("%s in %q: %+v", name, text, p)
				continue
			}
			isBinary := strings.HasPrefix(text, string(b)) || strings.HasPrefix(text, string(turned))
			if p := Find(src, region, true); (p == nil) != isBinary {
				t.Errorf("%s in %q, which is signed: %+v", name, text, p)
			}
			wrong := strings.Replace(text, held[:1], "~", 1)
			if src, region = whole(wrong); Find(src, region, false) != nil {
				t.Errorf("%s fits in %q", name, wrong)
			}
		}
	}
}

// TestGodotHash computes hash of Godot as 3.2.3 does: of the characters of a text, and of the bytes of a PoolByteArray.
func TestGodotHash(t *testing.T) {
	if is := hex.EncodeToString(named("djb2-bytes").of([]byte("h\u00e9"))); is != "0b888719" {
		t.Errorf("of the bytes: %s", is)
	}
	for text, want := range map[string]string{"": "00001505", "hello": "0f923099", "\u00e9": "0002b68e", "h\u00e9": "00597896", "\xe9": "0002b68e", "\x01\x00\xc8\xff": "7c5db6ad", "a\U0001f600": ""} {
		if want == "" {
			want = fmt.Sprintf("%08x", uint32((5381*33+'a')*33+0x1f600))
		}
		if is := hex.EncodeToString(named("djb2").of([]byte(text))); is != want {
			t.Errorf("%q: %s, not %s", text, is, want)
		}
	}
}

// TestRandom finds no checksum in bytes that have none, nor in numbers that look like one.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 6))
	for range 2000 {
		b := make([]byte, r.IntN(100))
		for i := range b {
			b[i] = byte(r.Uint32()) & byte(r.Uint32()|r.Uint32())
		}
		src, region := whole(string(b))
		if p := Find(src, region, false); p != nil {
			t.Errorf("%q: %+v", b, p)
		}
	}
	for _, text := range []string{"\xff\xff\xff\xff\xff\xff\xff\xff", "\xff\xff\xff\xff\x00\x00\x00\x00", "\x00\x00\x00\x00\xff\xff\xff\xff", ""} {
		src, region := whole(text)
		if p := Find(src, region, false); p != nil {
			t.Errorf("%q: %+v", text, p)
		}
	}
}

// unread is a source that fails the test when it is read.
type unread struct{ t *testing.T }

func (u unread) Size() int64 { return most + 1 }

func (u unread) ReadAt([]byte, int64) (int, error) {
	u.t.Error("a large file is read")
	return 0, os.ErrInvalid
}

// TestLarge finds nothing in a large file.
func TestLarge(t *testing.T) {
	if Find(unread{t}, span.Between(0, most+1), false) != nil {
		t.Error("found")
	}
}

// TestIsRandom: four bytes of two kinds are a checksum, unless most are those of a small number.
func TestIsRandom(t *testing.T) {
	for b, want := range map[string]bool{
		"\x9a\x42\x1c\x38": true, "\x5a\x5a\x00\x5a": true, "\xc1\xc1\x32\x32": true,
		"\x05\x00\x00\x00": false, "\xfb\xff\xff\xff": false, "\x00\x00\x07\x07": false, "\x07\x07\x07\x07": false,
		"\x82\xa7version\x03\xa5items": false, "\x82\xa7v\xe7rs\x99on\x03\xa5it\xe5ms": true,
	} {
		if IsRandom([]byte(b)) != want {
			t.Errorf("%x: %v", b, !want)
		}
	}
}

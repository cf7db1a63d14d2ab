package inspect

import (
	"encoding/hex"
	"math"
	"strings"
	"testing"
)

func TestForms(t *testing.T) {
	b := []byte{0xc8, 2, 0, 0xff}
	want := map[string]string{
		"hex": "c8 02 00 ff", "GDScript": "PackedByteArray([200, 2, 0, 255])", "base64": "yAIA/w==",
		"C": "const unsigned char bytes[4] = {\n\t0xc8, 0x02, 0x00, 0xff,\n};\n",
	}
	want["Go"] = "var bytes = []byte{\n\t0xc8, 0x02, 0x00, 0xff,\n}\n"
	want["Rust"] = "const BYTES: [u8; 4] = [\n\t0xc8, 0x02, 0x00, 0xff,\n];\n"
	want["Python"] = "data = bytes([\n\t0xc8, 0x02, 0x00, 0xff,\n])\n"
	want["C#"] = "byte[] bytes = {\n\t0xc8, 0x02, 0x00, 0xff,\n};\n"
	for _, f := range Forms {
		if got := f.Write(b); got != want[f.Name] {
			t.Errorf("%s: %q, want %q", f.Name, got, want[f.Name])
		}
	}
	if lines := strings.Count(cArray(make([]byte, 13)), "\n"); lines != 4 {
		t.Errorf("13 bytes in C take %d lines", lines)
	}
}

// The sums of "123456789", of which the check value of CRC-32 is the well-known one, and
// the digests those that md5sum and sha256sum print.
func TestSums(t *testing.T) {
	s := NewSummer()
	s.Write([]byte("12345"))
	s.Write([]byte("6789"))
	sums := s.Sums()
	if sums.CRC32 != 0xcbf43926 || hex.EncodeToString(sums.MD5[:]) != "25f9e794323b453885f5181f1b624d0b" ||
		hex.EncodeToString(sums.SHA256[:]) != "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225" {
		t.Errorf("%x", sums)
	}
	if want := math.Log2(9); math.Abs(sums.Entropy-want) > 1e-12 {
		t.Errorf("entropy %v, want %v", sums.Entropy, want)
	}
}

// Nothing varies in equal bytes; all values equally often are eight bits.
func TestEntropy(t *testing.T) {
	var c Counts
	c.Add(make([]byte, 100))
	if c.Entropy() != 0 {
		t.Errorf("zeros have %v", c.Entropy())
	}
	c = Counts{}
	for i := range 256 {
		c.Add([]byte{byte(i)})
	}
	if c.Entropy() != 8 {
		t.Errorf("all bytes have %v", c.Entropy())
	}
}

func TestParseHex(t *testing.T) {
	if b, err := ParseHex(" de ad BEEF "); err != nil || hex.EncodeToString(b) != "deadbeef" {
		t.Errorf("% x, %v", b, err)
	}
	for _, bad := range []string{"", "0", "xx"} {
		if _, err := ParseHex(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

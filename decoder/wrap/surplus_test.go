package wrap

import (
	"bytes"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

func insert(b []byte, at int, put ...byte) []byte {
	return append(append(bytes.Clone(b[:at]), put...), b[at:]...)
}

// TestCutMagic: a file that ends within a signature.
func TestCutMagic(t *testing.T) {
	for _, magic := range []string{"G", "GC", "GCP", "GD", "GDE"} {
		kinds := Sniff(source.Bytes(magic), span.Between(0, int64(len(magic))), "")
		want := GCPF
		if strings.HasPrefix(magic, "GD") {
			want = GDEC
		}
		if len(kinds) != 1 || kinds[0] != want {
			t.Errorf("%s: %v", magic, kinds)
			continue
		}
		if p := examine(t, want, []byte(magic), password("x"), nil); len(p.found) != 1 || p.found[0].Code != span.Truncated {
			t.Errorf("%s: %q", magic, p.told())
		}
	}
}

// TestSurplusDigit: a surplus digit in a text is reported but not located, a blank is.
func TestSurplusDigit(t *testing.T) {
	lines, bare := []byte("QUJD\nREVG\n"), []byte("QUJDREVG")
	checkDamage(t, []damage{
		{"digit", Base64, bare, insert(bare, 3, 'x'), "bad-digit 0+9", "9 base64 digits do not make whole bytes: one is lost or one is too many", "", nil},
		{"blank in a line", Base64, lines, insert(lines, 7, ' '), "bad-digit 7+1", "a blank between digits of a line", "delete the blanks between digits", nil},
	}, password("x"))
}

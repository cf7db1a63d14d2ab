package wrap

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// A text of digits is recognised even if only its beginning is whole.
func TestSniffStart(t *testing.T) {
	save := []byte("\x1b\x00\x00\x00\x02\x00\x00\x00\x04\x00\x00\x00\x02\x00\x00\x00hp\x00\x00\x02\x00\x00\x00\x07\x00\x00\x00" +
		"\x04\x00\x00\x00\x04\x00\x00\x00name\x04\x00\x00\x00\x05\x00\x00\x00Mira!\x00\x00\x00")
	text, digits := base64.StdEncoding.EncodeToString(save), hex.EncodeToString(save)
	zeros := strings.Repeat("\x00", 512)
	for _, test := range []struct {
		name, text string
		want       Kind
		ok         bool
	}{
		{"base64 twice", text + text, Base64, true},
		{"base64 and zeros", text + zeros, Base64, true},
		{"base64 that ends in zeros", text[:50] + zeros[:30], Base64, true},
		{"base64 and another save", text[:60] + string(save), Base64, true},
		{"hex and zeros", digits + zeros, Hex, true},
		{"hex and another save", digits + string(save), Hex, true},
		{"a checksum in hex before a save", "9e107d9d372bb6826bd81d3542a419d69e107d9d372bb6826bd81d3542a419d6" + string(save) + string(save), nil, false},
		{"few digits and zeros", text[:30] + zeros, Base64, true},
		{"a name and zeros", "SAVE" + zeros, nil, false},
		{"a name before a save", strings.Repeat("SaveGameOfTheHero", 3) + string(save) + string(save), nil, false},
	} {
		var got []Kind
		src := source.Bytes(test.text)
		if got = Sniff(src, span.Between(0, src.Size()), ""); (len(got) > 0) != test.ok || test.ok && got[0] != test.want {
			t.Errorf("%s: %v, want %v %v", test.name, got, test.want, test.ok)
		}
	}
}

// No binary file written by the engines is taken for digits.
func TestNoSaveIsDigits(t *testing.T) {
	n := 0
	err := filepath.WalkDir(filepath.Join("..", "..", "testdata"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if head := data[:min(len(data), 40)]; bytes.ContainsFunc(head, func(r rune) bool { return r < 9 || r > 13 && r < 32 }) {
			n++
			if slices.ContainsFunc(Sniff(source.Bytes(data), span.Between(0, int64(len(data))), ""), Kind.IsText) {
				t.Errorf("%s is taken for digits", path)
			}
		}
		return nil
	})
	if err != nil || n < 100 {
		t.Errorf("%d files: %v", n, err)
	}
}

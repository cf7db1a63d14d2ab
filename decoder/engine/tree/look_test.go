package tree

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"io"
	"testing"
)

// TestMayHold checks which texts are opened as what they hold.
func TestMayHold(t *testing.T) {
	const list = `[{"hp": 10, "name": "Ann"}]`
	packed := func(open func(io.Writer) io.WriteCloser) string {
		var b bytes.Buffer
		w := open(&b)
		io.WriteString(w, list)
		w.Close()
		return b.String()
	}
	dictionary := "\x1b\x00\x00\x00\x01\x00\x00\x00\x04\x00\x00\x00\x02\x00\x00\x00hp\x00\x00\x02\x00\x00\x00\x0a\x00\x00\x00"
	for text, want := range map[string]bool{
		list: true, "base64:AA==": true, "Vector2(1, 2)": true, "0123456789abcdef": true, "[player]": true,
		"": false, "Ann": false, "a text of some words": false, "eyes of the beholder, and more": false, "HealthPotionOfTheGreatBear": false,
		"eyesOfTheBeholderInTheDark": false, "WisdomOfTheAncientOnes": false, "AAAAAAAAAAAA/AAAAAAAAAAA": false, "https://example.org/a/long/path": false,
	} {
		if got := MayHold([]byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	for _, plain := range []string{
		list, `{"hp": 10, "n": 1}`, "{\n\t\"hp\": 10\n}", dictionary, "\x20\x00\x00\x00" + dictionary,
		packed(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }), packed(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }),
	} {
		if text := base64.StdEncoding.EncodeToString([]byte(plain)); !MayHold([]byte(text)) || !MayHold([]byte(text+`"}`)) {
			t.Errorf("%s of %q is not opened", text, plain)
		}
	}
}

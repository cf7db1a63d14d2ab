package network_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"varview/decoder/network/look"
	"varview/decoder/network/variants"
	"varview/decoder/wrap/fastlz"
)

// hero is { "name": "Aria" } of Godot 4.
const hero = "\x1b\x00\x00\x00\x01\x00\x00\x00\x04\x00\x00\x00\x04\x00\x00\x00name\x04\x00\x00\x00\x04\x00\x00\x00Aria"

func packed(t *testing.T, to func(io.Writer) io.WriteCloser, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := to(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestInto: what games send is shown as what it is, also if it is packed in several ways; other bytes stay bytes.
func TestInto(t *testing.T) {
	zip := packed(t, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, hero)
	z, _ := zstd.NewWriter(nil)
	both := base64.StdEncoding.EncodeToString([]byte(zip))
	const names = `{ "name": "Aria" }`
	for _, c := range []struct{ name, bytes, want string }{
		{"values", hero, names},
		{"two values", hero + hero, names + ", " + names},
		{"JSON", `{"hp": 3}`, `JSON {"hp": 3}`},
		{"text", "hello there", `"hello there"`},
		{"text that could be base64", "spawnall", `"spawnall"`},
		{"zlib", zip, "zlib: " + names},
		{"gzip", packed(t, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, hero), "gzip: " + names},
		{"zstd", string(z.EncodeAll([]byte(hero), nil)), "zstd: " + names},
		{"FastLZ", string(fastlz.Pack([]byte(strings.Repeat(hero, 3)))), "FastLZ: " + names + ", " + names + ", " + names},
		{"deflate", zip[2 : len(zip)-4], "deflate: " + names},
		{"deflate with bytes behind it", zip[2 : len(zip)-3], ""},
		{"zlib in base64", both, "base64: zlib: " + names},
		{"JSON in zlib", packed(t, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, `[1, 2]`), "zlib: JSON [1, 2]"},
		{"zlib behind its size", "\x1c\x00\x00\x00" + zip, "4 bytes of the game's own: zlib: " + names},
		{"JSON behind a byte", "\x07{\"hp\": 3}", "1 byte of the game's own: JSON {\"hp\": 3}"},
		{"MessagePack", "\x82\xa2hp\x53\xa4name\xa4Aria", `MessagePack {"hp": 83, "name": "Aria"}`},
		{"MessagePack behind bytes", "\x07\x00\x82\xa2hp\x53\xa4name\xb5Aria of the Long Lake", `2 bytes of the game's own: MessagePack {"hp": 83, "name": "Aria of the Long Lake"}`},
		{"MessagePack that is cut", "\x82\xa2hp\x53\xa4name\xa4Ari", ""},
		{"bytes like a list of MessagePack", "\x97\x01\x02\x03\x04\x05\x06\x07", ""},
		{"JSON and a zero", "{\"hp\": 3}\x00", "JSON {\"hp\": 3}\x00"},
		{"a line of base64", both + "\n", "base64: zlib: " + names},
		{"hexadecimal digits", hex.EncodeToString([]byte(hero)), "hex: " + names},
		{"a value and zeros", hero + "\x00\x00\x00\x00", ""},
		{"bytes like a bool and null", "\x01Jo\x00\x00\x00\x40\x40\x00\x00\x00\x40", ""},
		{"bytes", "\x9c\x01\xff\x00\x10\x22\x81\x90\x07", ""},
		{"zlib that is cut", zip[:len(zip)-6], ""},
		{"nothing", "", ""},
	} {
		var readers variants.Readers
		l := look.Into([]byte(c.bytes), readers.All("godot4")...)
		text, ok := l.AppendTitle(nil, 1000)
		if string(text) != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, not %q", c.name, text, c.want)
		}
	}
}

// TestIsCutJSON: a JSON text that ends early is cut; one that is wrong elsewhere is not, nor are other bytes.
func TestIsCutJSON(t *testing.T) {
	for _, c := range []struct {
		bytes string
		want  bool
	}{
		{`{"hp": 3, "na`, true}, {`[1, 2, 3, `, true}, {`{"hp": 3, "on": tru`, true}, {" {\"hp\": [1, 2]\n", true},
		{`{"hp": 3}`, false}, {`{"hp": 3}}`, false}, {`{"hp": 3, x`, false}, {"[player] joined", false}, {"{", false}, {"\x1b\x00\x00\x00", false}, {"", false},
	} {
		if got := look.IsCutJSON([]byte(c.bytes)); got != c.want {
			t.Errorf("%q: %v", c.bytes, got)
		}
	}
}

// TestReadsNoFurther: of bytes that are not one value, or not values that games send, no more is read than shows it.
func TestReadsNoFurther(t *testing.T) {
	odd := "\x01\x00\x00\x00\x07\x00\x00\x00" // a bool of 7, which is not passed at once
	b := []byte(hero + strings.Repeat("\x00\x00\x00\x00"+odd, 10_000))
	var readers variants.Readers
	r := readers.Of("godot4")
	for name, read := range map[string]func() bool{
		"one":    func() bool { _, ok := look.One(r, b); return ok },
		"likely": func() bool { _, ok := look.Likely(r, b); return ok },
	} {
		isRead := false
		if n := testing.AllocsPerRun(1, func() { isRead = read() }); isRead || n > 100 {
			t.Errorf("%s: %v, with %.0f allocations", name, isRead, n)
		}
	}
}

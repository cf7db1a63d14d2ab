package wrap

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
)

// mangle mangles bytes as programs do, with the standard library.
var mangle = map[Kind]func([]byte) []byte{
	ByteOrderMark: func(b []byte) []byte { return append([]byte("\xef\xbb\xbf"), b...) },
	TextMode:      func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) },
	Reencoded: func(b []byte) []byte {
		var chars []rune
		for _, c := range b {
			chars = append(chars, rune(c))
		}
		return []byte(string(chars))
	},
}

// manyBytes has all bytes, pairs of line ends, more changes than are remembered one by one, and some at the
// ends of pieces.
func manyBytes() []byte {
	var b []byte
	for i := range 256 {
		b = append(b, byte(i), '\r', '\n', '\n', byte(255-i), '\r')
	}
	b = append(b, mixed(source.MaxView-len(b)-1, 3)...)
	return append(append(b, '\r', '\n', 0xe9), mixed(source.MaxView, 4)...)
}

func TestMangled(t *testing.T) {
	o := Options{MaxUnpacked: 1 << 20}
	for kind, mangle := range mangle {
		for _, plain := range [][]byte{[]byte("\x00\n\xe9"), []byte("\x01\x80\r\n"), manyBytes(), load(t, "gcpf-deflate-multi-block.bin")} {
			data := mangle(plain)
			region := span.Between(0, int64(len(data)))
			found := false
			for _, k := range Mangled(source.Bytes(data), region) {
				found = found || k == kind
			}
			if !found {
				t.Errorf("%v: %d bytes are not taken for it", kind, len(data))
			}
			l := open(t, kind, data, o)
			if !bytes.Equal(payload(t, l), plain) {
				t.Errorf("%v: another payload than %d bytes", kind, len(plain))
				continue
			}
			checkTree(t, data, l)
			p := examine(t, kind, data, o, nil)
			if len(p.found) != 1 || p.found[0].Code != map[Kind]string{ByteOrderMark: layer.LeadingBOM, TextMode: layer.TextTransfer, Reencoded: layer.ReencodedBytes}[kind] || p.found[0].Severity != span.Error {
				t.Errorf("%v: %q", kind, p.told())
				continue
			}
			if repaired, _, err := p.repair(t, &p.found[0]); err != nil || !bytes.Equal(repaired, plain) {
				t.Errorf("%v: repaired to %d bytes, not %d: %v", kind, len(repaired), len(plain), err)
			}
			for name, c := range changes(len(plain)) {
				after, same := c.apply(plain)
				if !bytes.ContainsAny(after, "\n") || len(Mangled(source.Bytes(mangle(after)), span.Between(0, int64(len(mangle(after)))))) == 0 {
					continue // nothing would be left to recognise it by
				}
				if got := rewrapMangled(t, l, after, same); !bytes.Equal(got, mangle(after)) {
					t.Errorf("%v, %s: wrapped again as other bytes", kind, name)
				}
			}
		}
	}
}

// rewrapMangled wraps plain again.
func rewrapMangled(t *testing.T, l *Layer, plain []byte, same []Run) []byte {
	t.Helper()
	var out memory
	if _, err := l.Rewrap(context.Background(), source.Bytes(plain), same, &out, 0, nil); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestWindows1252: its characters are distinguished from Latin-1's, and are written again.
func TestWindows1252(t *testing.T) {
	text := "\x00€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸé"
	var want []byte
	for c := 0x80; c < 0xa0; c++ {
		want = append(want, byte(c))
	}
	want = append(append([]byte{0}, want...), 0xe9)
	l := open(t, Reencoded, []byte(text), Options{MaxUnpacked: 100})
	if got := payload(t, l); !bytes.Equal(got, want) {
		t.Errorf("%x", got)
	}
	if got := rewrapMangled(t, l, want, nil); string(got) != text {
		t.Errorf("%q", got)
	}
	p := examine(t, Reencoded, []byte(text), Options{MaxUnpacked: 100}, nil)
	if !strings.Contains(p.found[0].Message, "as Windows-1252 text") || !strings.Contains(p.found[0].Message, "33 bytes") {
		t.Error(p.told())
	}
}

// TestMarks: several marks that an editor has put before the file are undone at once.
func TestMarks(t *testing.T) {
	const data = "\xef\xbb\xbf\xef\xbb\xbf\x00a"
	p := examine(t, ByteOrderMark, []byte(data), Options{MaxUnpacked: 100}, nil)
	if got := p.told(); len(got) != 1 || !strings.Contains(got[0], "put 2 byte order marks") {
		t.Error(got)
	}
	checkRepairs(t, p)
	l := open(t, ByteOrderMark, []byte(data), Options{MaxUnpacked: 100})
	if got := rewrapMangled(t, l, []byte("b"), nil); string(payload(t, l)) != "\x00a" || string(got) != "\xef\xbb\xbf\xef\xbb\xbfb" {
		t.Errorf("%q", got)
	}
}

// TestNotMangled: bytes that no such program writes are not taken for mangled.
func TestNotMangled(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		data string
	}{
		{TextMode, ""}, {TextMode, "\x00\n"}, {TextMode, "\r\n\x00\n"}, {TextMode, "\x00\r"}, {TextMode, "none"},
		{ByteOrderMark, "\xef\xbb"}, {ByteOrderMark, "a\xef\xbb\xbf"},
		{Reencoded, "ascii"}, {Reencoded, "\xe9"}, {Reencoded, "é\xc3"}, {Reencoded, "Ā"}, {Reencoded, "�"}, {Reencoded, "€\u0080"},
	} {
		region := span.Between(0, int64(len(c.data)))
		for _, k := range Mangled(source.Bytes(c.data), region) {
			if k == c.kind {
				t.Errorf("%q is taken for %v", c.data, k)
			}
		}
		if l := open(t, c.kind, []byte(c.data), Options{MaxUnpacked: 100}); l.Missing == nil || l.Missing.Code != layer.Unrecognized {
			t.Errorf("%q opens as %v", c.data, c.kind)
		}
	}
	if l := open(t, TextMode, []byte("12345\r\n"), Options{MaxUnpacked: 5}); l.Missing == nil || !strings.Contains(l.Missing.Message, "--max-unpacked") {
		t.Errorf("%+v", l.Missing)
	}
}

// TestMangledCut: a character or line end cut in two by the end of the judged bytes counts neither for nor
// against mangling.
func TestMangledCut(t *testing.T) {
	const judged = 256 << 10
	text := bytes.Repeat([]byte("\x01\r\né"), judged)
	for skip := range 5 {
		data := text[5*1000-skip:]
		kinds := Mangled(source.Bytes(data), span.Between(0, int64(len(data))))
		if cut := skip == 1 || skip == 3; len(kinds) != 2 && !cut { // these begin within one
			t.Errorf("%q…: %v", data[:5], kinds)
		}
	}
}

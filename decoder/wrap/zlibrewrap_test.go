package wrap

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"io"
	"strings"
	"testing"
)

// inflated returns the content of a zlib stream by the standard library.
func inflated(t testing.TB, packed []byte) []byte {
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// TestRewrapZlib: the header stays, whatever its level and window.
func TestRewrapZlib(t *testing.T) {
	o := Options{MaxUnpacked: 1 << 20}
	plain := mixed(50_000, 3)
	stream := zlibOf(plain)
	for _, head := range []string{"\x78\x01", "\x78\x5e", "\x78\x9c", "\x78\xda", "\x08\x1d", "\x48\x89", "\x68\x81"} {
		l := open(t, Zlib, put(stream, 0, []byte(head)...), o)
		for name, c := range changes(len(plain)) {
			after, same := c.apply(plain)
			got := rewrap(t, l, after, same, o)
			if string(got[:2]) != head || !bytes.Equal(inflated(t, got), after) {
				t.Errorf("%x, %s: begins with %x", head, name, got[:2])
			}
		}
	}
}

// TestRewrapShort: what is packed again takes no more bytes than zlib takes at level 6 (measured), also if it is short.
func TestRewrapShort(t *testing.T) {
	o := Options{MaxUnpacked: 1 << 20}
	for plain, most := range map[string]int{
		"": 8, `{"gold": 5, "name": "Mira"}`: 33, strings.Repeat("DAELM\x00\x01\x00", 30): 19,
		`{"player":{"name":"Mira","gold":1250,"hp":83},"items":["potion","potion","rope"],"seen":[true,true,false]}`: 98,
	} {
		got := rewrap(t, open(t, Zlib, zlibOf([]byte("some other content")), o), []byte(plain), nil, o)
		if len(got) > most || string(inflated(t, got)) != plain {
			t.Errorf("%q takes %d bytes, zlib %d", plain, len(got), most)
		}
	}
}

// TestRewrapZlibDamage: a cut stream becomes whole, a wrong checksum right.
func TestRewrapZlibDamage(t *testing.T) {
	o := Options{MaxUnpacked: 1 << 20}
	stream := zlibOf(mixed(100_000, 3))
	for name, data := range map[string][]byte{
		"cut":          stream[:len(stream)/2],
		"checksum cut": stream[:len(stream)-2],
		"checksum":     put(stream, len(stream)-1, stream[len(stream)-1]^1),
	} {
		l := open(t, Zlib, data, o)
		after, same := change{10, 2, []byte("new")}.apply(payload(t, l))
		if got := rewrap(t, l, after, same, o); !bytes.Equal(inflated(t, got), after) {
			t.Errorf("%s: %d bytes", name, len(got))
		}
	}
}

// TestRewrapNested: an Elephant export string is wrapped again from the inside out, and begins as usual.
func TestRewrapNested(t *testing.T) {
	o := Options{MaxUnpacked: 1 << 20}
	outer := open(t, Base64, load(t, "elephant-export-savegame.txt"), o)
	inner := open(t, Zlib, payload(t, outer), o)
	after, same := change{20, 1, []byte("new")}.apply(payload(t, inner))
	text := rewrap(t, outer, rewrap(t, inner, after, same, o), nil, o)
	packed, err := base64.StdEncoding.DecodeString(string(text))
	if err != nil || !bytes.HasPrefix(text, []byte("eJ")) || !bytes.Equal(inflated(t, packed), after) {
		t.Errorf("%s: %v", text, err)
	}
}

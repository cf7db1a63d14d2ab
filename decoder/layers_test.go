package decoder

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/wrap"
	"varview/decoder/wrap/gcpf"
	"varview/decoder/wrap/layer"
)

// answer is the raw Godot 4 value { "hp": 42 }.
var answer = []byte("\x1b\x00\x00\x00\x01\x00\x00\x00\x04\x00\x00\x00\x02\x00\x00\x00hp\x00\x00\x02\x00\x00\x00\x2a\x00\x00\x00")

func deflated(data []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func inBase64(data []byte) []byte { return []byte(base64.StdEncoding.EncodeToString(data)) }
func inHex(data []byte) []byte    { return []byte(hex.EncodeToString(data)) }

// text returns the literal of a document's value.
func text(t testing.TB, d *Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := d.Tree.NewReader().WriteText(context.Background(), &b, &d.Tree.Base.Value); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// TestLayers: wrappers are taken off in any order.
func TestLayers(t *testing.T) {
	dump := []byte(hex.Dump(answer)) // as hexdump -C prints it
	for _, c := range []struct {
		name     string
		data     []byte
		input    string
		wrappers string
	}{
		{"bare", answer, "", ""},
		{"base64", inBase64(answer), "", "base64"},
		{"hex, which is base64 as well", inHex(answer), "", "hex"},
		{"hexdump", dump, "", "hex"},
		{"zlib", deflated(answer), "", "zlib"},
		{"base64 of zlib", inBase64(deflated(answer)), "", "base64 zlib"},
		{"zlib of base64", deflated(inBase64(answer)), "", "zlib base64"},
		{"hex of base64 of zlib of hex", inHex(inBase64(deflated(inHex(answer)))), "", "hex base64 zlib hex"},
		{"hex as base64", inHex(answer), "base64", "base64"},
	} {
		d := open(t, c.data, Options{Input: c.input})
		if got := strings.Join(d.Wrappers(), " "); got != c.wrappers {
			t.Errorf("%s: %s, want %s", c.name, got, c.wrappers)
		}
		if c.input == "" && (text(t, d) != `{ "hp": 42 }` || d.Framing != "raw") {
			t.Errorf("%s: %s, %s", c.name, text(t, d), d.Framing)
		}
		if n := len(d.Buffers()); n != len(d.Layers)+1 {
			t.Errorf("%s: %d buffers around %d layers", c.name, n, len(d.Layers))
		}
		for _, tr := range d.Buffers() {
			fieldsOf(t, tr)
		}
	}
}

// TestManyLayers: wrappers around wrappers end somewhere.
func TestManyLayers(t *testing.T) {
	data := answer
	for range maxLayers + 4 {
		data = inBase64(data)
	}
	d := open(t, data, Options{})
	if len(d.Layers) != maxLayers+1 || d.Missing == nil || d.Missing.Code != TooManyLayers {
		t.Errorf("%d layers, %+v", len(d.Layers), d.Missing)
	}
}

// TestInput: requests take precedence over detection.
func TestInput(t *testing.T) {
	if d := open(t, inBase64(answer), Options{Input: "binary"}); len(d.Layers) != 0 {
		t.Errorf("binary: %s", d.Wrappers())
	}
	if _, err := Open(context.Background(), source.Bytes(answer), Options{Input: "octal"}); err == nil || !strings.Contains(err.Error(), "binary, hex or base64") {
		t.Error(err)
	}
	if _, err := Open(context.Background(), source.Bytes(answer), Options{Keys: [][]byte{[]byte("short")}}); !errors.Is(err, wrap.ErrKeyLength) {
		t.Error(err)
	}
}

// TestLocked: without a key, or with a wrong one, the wrapper's own bytes are shown, and why no more.
func TestLocked(t *testing.T) {
	for _, name := range []string{"godot4-gdec-pass-small", "godot3-encrypted-pass-small"} {
		data := readFile(t, "../testdata/wrapped/"+name+".bin")
		for _, c := range []struct {
			passwords []string
			missing   string
		}{{nil, wrap.NeedsKey}, {[]string{"nobody"}, wrap.WrongKey}, {[]string{"hunter2"}, ""}, {[]string{"", "nobody", "hunter2", "x"}, ""}} {
			d := open(t, data, Options{Passwords: c.passwords})
			code := ""
			if d.Missing != nil {
				code = d.Missing.Code
			}
			if code != c.missing || len(d.Layers) != 1 || (d.Format == "godot") != (c.missing == "") {
				t.Errorf("%s: %q, %d layers, %s", name, code, len(d.Layers), d.Format)
			}
			if c.missing == "" && d.Framing != "stream" {
				t.Errorf("%s: %s", name, d.Framing)
			}
			for _, tr := range d.Buffers() {
				fieldsOf(t, tr)
			}
		}
	}
}

// TestDamagedSecret: if the key is right and the content damaged, what can be read is read.
func TestDamagedSecret(t *testing.T) {
	data := slices.Clone(readFile(t, "../testdata/wrapped/godot4-gdec-pass-small.bin"))
	data[60] ^= 1 // in the second of four blocks
	d := open(t, data, Options{Passwords: []string{"hunter2"}})
	if d.Missing != nil || d.Format != "godot" {
		t.Fatalf("%+v, %s", d.Missing, d.Format)
	}
	if codes := problemsOf(t, d.Layers[0].Tree, span.Error); !slices.Contains(codes, wrap.Checksum) {
		t.Errorf("problems %s", codes)
	}
}

// TestDeferred: slow wrappers stay closed on request.
func TestDeferred(t *testing.T) {
	data := inBase64(bytes.Repeat(answer, 100))
	d := open(t, data, Options{Defer: 1000})
	if d.Missing == nil || d.Missing.Code != Deferred || len(d.Buffers()) != 1 {
		t.Fatalf("%+v", d.Missing)
	}
	fieldsOf(t, d.Tree)
	if d := open(t, data, Options{Defer: 1 << 20}); d.Missing != nil {
		t.Errorf("%+v", d.Missing)
	}
}

// TestMaxUnpacked: a bomb is unpacked up to the limit, and says so.
func TestMaxUnpacked(t *testing.T) {
	plain := bytes.Repeat(answer, 100)
	for _, data := range [][]byte{deflated(make([]byte, 1<<20)), inBase64(plain), inHex(plain)} {
		d := open(t, data, Options{MaxUnpacked: 1000})
		if size := d.Layers[0].Payload.Size(); size != 1000 {
			t.Errorf("%d bytes unpacked", size)
		}
		if codes := problemsOf(t, d.Layers[0].Tree, span.Note); !slices.Contains(codes, wrap.TooLarge) {
			t.Errorf("%s: problems %s", d.Wrappers(), codes)
		}
	}
}

// TestCancelledUnwrap: opening ends with its context.
func TestCancelledUnwrap(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, source.Bytes(inBase64(bytes.Repeat(answer, 1<<16))), Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestLostBlock: if the second block of a GCPF cannot be unpacked, the values in the other blocks are
// there, and the bytes of the lost one are reported, not shown as values.
func TestLostBlock(t *testing.T) {
	data := slices.Clone(readFile(t, "../testdata/wrapped/godot4-gcpf-brotli-multi-block.bin"))
	whole := open(t, data, Options{})
	lost := blockSpan(t, whole, 1)
	for i := range lost.Length {
		data[lost.Offset+i] ^= 0x55
	}
	d := open(t, data, Options{Dialect: "godot4", Framing: "stream"})
	if codes := problemsOf(t, d.Layers[0].Tree, span.Error); !slices.Equal(codes, []string{layer.BadBlock}) {
		t.Errorf("outside: %s", codes)
	}
	codes := problemsOf(t, d.Tree, span.Warning)
	if !slices.Contains(codes, span.Unreadable) || slices.Contains(codes, span.NulInText) {
		t.Errorf("inside: %s", codes)
	}
	hole := span.Span{Offset: 4096, Length: 4096}
	known := map[string]bool{}
	for _, f := range fieldsOf(t, whole.Tree) {
		known[f] = true
	}
	d.Tree.EachField(context.Background(), func(f tree.OwnedField) error {
		if f.Kind != span.Gap && f.Offset < hole.End() && f.End() > hole.Offset && !(f.Kind == span.Data && f.Offset < hole.Offset) {
			t.Fatalf("%s in the hole, at %v", f.Kind, f.Span)
		}
		if row := fmt.Sprintf("%d %d %s %s", f.Offset, f.Length, f.Kind, f.Path); f.End() <= hole.Offset && !known[row] {
			t.Errorf("%s before the hole is new", row)
		}
		return nil
	})
}

// blockSpan returns the span of block i of a GCPF.
func blockSpan(t *testing.T, d *Document, i int) span.Span {
	t.Helper()
	var blocks []span.Span
	d.Layers[0].Tree.EachField(context.Background(), func(f tree.OwnedField) error {
		if f.Kind == span.Data {
			blocks = append(blocks, f.Span)
		}
		return nil
	})
	if len(blocks) <= i {
		t.Fatalf("%d blocks", len(blocks))
	}
	return blocks[i]
}

// TestReferencesInText: paths of references in a whole text are those of look-ups.
func TestReferencesInText(t *testing.T) {
	for _, name := range []string{"v1-5-1-ref-graph", "v1-5-1-ref-two-way-list", "v1-5-1-ref-typed-array-of-refs", "v1-1-0-ref-parent-child", "v1-5-1-savegame-complete"} {
		o := Options{Schemas: schemas(t, "schemas-game.gml")}
		d := open(t, readFile(t, elephantFiles+name+".bin"), o)
		slow := text(t, d)
		if err := d.Tree.BuildIndex(context.Background()); err != nil {
			t.Fatal(err)
		}
		if quick := text(t, d); quick != slow || !strings.Contains(quick, "ref($") {
			t.Errorf("%s:\n%s\n%s", name, quick, slow)
		}
	}
}

// TestWrongPasswords: whatever a wrong password makes of a file, it is not taken for values.
func TestWrongPasswords(t *testing.T) {
	for _, name := range []string{"godot4-gdec-pass-small", "godot3-encrypted-pass-small"} {
		data := readFile(t, "../testdata/wrapped/"+name+".bin")
		for i := range 100 {
			d := open(t, data, Options{Passwords: []string{fmt.Sprint("pw", i)}})
			if d.Missing == nil || d.Missing.Code != wrap.WrongKey {
				t.Errorf("%s, pw%d: %s %s", name, i, d.Dialect, d.Framing)
			}
		}
		for _, cut := range []int{1, 16, 40} {
			d := open(t, data[:len(data)-cut], Options{Passwords: []string{"nobody"}})
			if d.Missing == nil || d.Missing.Code != wrap.WrongKey {
				t.Errorf("%s without its last %d bytes: %s %s", name, cut, d.Dialect, d.Framing)
			}
			d = open(t, data[:len(data)-cut], Options{Passwords: []string{"hunter2"}})
			if d.Missing != nil || d.Format != "godot" {
				t.Errorf("%s without its last %d bytes, with the password: %+v", name, cut, d.Missing)
			}
		}
	}
}

// TestLockedBehindHole: an encrypted payload in a GCPF that has lost a block is decrypted as far as it is
// there, and the file always opens.
func TestLockedBehindHole(t *testing.T) {
	secret := readFile(t, "../testdata/wrapped/godot4-gdec-pass-small.bin")
	for lost := range (len(secret) + 15) / 16 {
		data := stored(secret, 16, lost)
		d := open(t, data, Options{Passwords: []string{"hunter2"}})
		if d.Layers[0].Kind != gcpf.Kind || len(d.Layers) < 2 && d.Missing == nil && lost > 0 {
			t.Errorf("block %d lost: %s, %+v", lost, d.Wrappers(), d.Missing)
		}
		for _, tr := range d.Buffers() {
			fieldsOf(t, tr)
		}
	}
}

// TestFindPacked finds the description of what a stream holds, if one comes with the program, also if its end is missing.
func TestFindPacked(t *testing.T) {
	nbt := readFile(t, "../testdata/kaitai/level.nbt")
	for _, c := range []struct {
		step string
		data []byte
		want string
	}{{"gzip", nbt, "nbt"}, {"zlib", nbt, "nbt"}, {"gzip", nbt[:len(nbt)-9], "nbt"}, {"gzip", append(bytes.Clone(nbt[:8]), make([]byte, 300)...), ""}, {"zlib", []byte(`{"gold": 5}`), ""}} {
		var packed bytes.Buffer
		w := io.WriteCloser(gzip.NewWriter(&packed))
		if c.step == "zlib" {
			w = zlib.NewWriter(&packed)
		}
		w.Write(c.data)
		w.Close()
		r, f, err := FindPacked(t.Context(), source.Bytes(packed.Bytes()), "level.dat", nil)
		got := ""
		if r != nil {
			got = f.Info().Dialect.Name
		}
		if err != nil || got != c.want || r != nil && r.Chain() != c.step {
			t.Errorf("%s: %q, not %q, %v", c.step, got, c.want, err)
		}
	}
}

// stored makes a GCPF of deflated blocks, one of them damaged.
func stored(plain []byte, size, lost int) []byte {
	var table, blocks []byte
	for i := 0; i <= len(plain)/size; i++ {
		b := deflated(plain[i*size : min(len(plain), (i+1)*size)])
		if i == lost {
			clear(b)
		}
		table = binary.LittleEndian.AppendUint32(table, uint32(len(b)))
		blocks = append(blocks, b...)
	}
	head := binary.LittleEndian.AppendUint32([]byte("GCPF\x01\x00\x00\x00"), uint32(size))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(plain)))
	return slices.Concat(head, table, blocks, []byte("GCPF"))
}

// TestKeyed names the step of a key of several bytes that makes bytes a text, and none for bytes that are random or plain.
func TestKeyed(t *testing.T) {
	text := []byte(strings.Repeat(`{"name":"Mira","gold":42,"bag":["rope","oil"],"note":"the quick brown fox jumps over the lazy dog"}`, 3))
	random := make([]byte, len(text))
	r := rand.New(rand.NewPCG(1, 46))
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	for _, c := range []struct {
		b    []byte
		want string
	}{
		{keyed(text, "swordfish", func(c, k byte) byte { return c ^ k }), "xor"},
		{keyed(text, "\xd5\x01\x9c", func(c, k byte) byte { return c ^ k }), "xor"},
		{random, ""}, {nil, ""},
		{append([]byte("\x01\x00\x07\x00SAVE\x9c\x02\x00"), text[:150]...), ""},
	} {
		if got := Keyed(context.Background(), c.b); got != c.want {
			t.Errorf("%.20q: %q, want %q", c.b, got, c.want)
		}
	}
}

package decoder

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant"
)

// openHostile opens data and returns the document and the codes of its problems.
func openHostile(t *testing.T, data string, o Options) (*Document, []string) {
	t.Helper()
	d, err := Open(context.Background(), source.Bytes(data), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	var codes []string
	err = d.Tree.Check(context.Background(), tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) { codes = append(codes, p.Code) })
	if err != nil {
		t.Fatal(err)
	}
	return d, codes
}

func exportOf(t *testing.T, d *Document) (plain, typed string) {
	t.Helper()
	r := d.Tree.NewReader()
	root, err := r.Resolve("$")
	if err != nil {
		t.Fatal(err)
	}
	var p, y bytes.Buffer
	f := d.Tree.Reading.(*elephant.Reading)
	if err := f.WriteJSON(context.Background(), &p, r, &root.Value); err != nil {
		t.Fatal(err)
	}
	if err := f.WriteTyped(context.Background(), &y, r, &d.Tree.Base.Value); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(y.Bytes()) {
		t.Errorf("the typed form is no JSON: %q", y.String())
	}
	return strings.TrimSpace(p.String()), strings.TrimSpace(y.String())
}

// TestHostileElephant: frames and tags that no writer would choose, but that the specification defines.
func TestHostileElephant(t *testing.T) {
	const head, foot = "PELE\x01\x05\x01\x00", "TNAH"
	for _, c := range []struct {
		name, data, dialect, json, codes string
		o                                Options
	}{
		{"footer, then bytes", head + "\x01\x05" + foot + "XXXX", "elephant-1.5.1", "5", "trailing-bytes", Options{}},
		{"footer, then bytes that end with one", head + "\x01\x05" + foot + "XXXX" + foot, "elephant-1.5.1", "5", "trailing-bytes", Options{}},
		{"two blocks", head + "\x01\x05" + foot + head + "\x01\x06" + foot, "elephant-1.5.1", "5", "trailing-bytes", Options{}},
		{"the second of two blocks", head + "\x01\x05" + foot + head + "\x01\x06" + foot, "elephant-1.5.1", "6", "", Options{Offset: 14}},
		{"in other bytes", "HEAD" + head + "\xcd\x02\x00\x01\x05\x06" + foot + "tail", "elephant-1.5.1", "[5,6]", "", Options{Offset: 4, Length: 18}},
		{"both sets of tags", "PELE\x00\x04\x01\x00\xcd\x02\x00\x0e\x0f\x01\x00\x01\x07\xcd\x01\x00\x01\x08" + foot, "elephant-1.4.0", "[[7],[8]]", "", Options{}},
		{"1.1.0 with the later header", "PELE\x00\x01\x01\x00\x0f\x02\x00\x01\x07\x08" + foot, "elephant-1.1.0", "[7,8]", "engine-cannot-read", Options{}},
		{"1.0.0 constructor with the tag any", "ATMC\x00\x00\x01\x00\xccC\x00\x00\x00\x00", "elephant-1.0.0",
			`{"__Elephant_Constructor__":"C","__Elephant_Schema_Version__":0}`, "engine-cannot-read", Options{}},
		{"any before any", head + "\xcc\xcc\x01\x07" + foot, "elephant-1.5.1", "7", "", Options{}},
		{"undefined takes no bytes", head + "\xcd\x02\x00\xcd\x02\x00\xcf\x01\x00\xcf" + foot, "elephant-1.5.1", "[[null,null],[null]]", "", Options{}},
		{"an array in itself", head + "\xcd\x01\x00\xcd\xff\xff\x00\x00" + foot, "elephant-1.5.1", `[{"__Elephant_Circular_Ref__":""}]`, "", Options{}},
		{"a reference to what follows", head + "\xcd\x02\x00\xcd\xff\xff\x01\x00\x00\x00" + foot, "elephant-1.5.1", "[null,[]]", "dangling-reference", Options{}},
		{"a member twice", head + "\xce\x02\x00a\x00\x01\x05a\x00\x01\x06" + foot, "elephant-1.5.1", `{"a":6}`, "repeated-key", Options{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, codes := openHostile(t, c.data, c.o)
			if got := strings.Join(codes, " "); d.Dialect != c.dialect || got != c.codes {
				t.Errorf("%s with %q, not %s with %q", d.Dialect, got, c.dialect, c.codes)
			}
			if plain, _ := exportOf(t, d); plain != c.json {
				t.Errorf("%s, not %s", plain, c.json)
			}
		})
	}
}

// TestHostileWrappers: headers that claim more than the bytes hold.
func TestHostileWrappers(t *testing.T) {
	full := strings.Repeat("\xff", 4)
	for _, c := range []struct{ name, data, missing string }{
		{"block size 0", "GCPF\x01\x00\x00\x00\x00\x00\x00\x00\x64\x00\x00\x00", "block-size"},
		{"4 G blocks of 1 byte", "GCPF\x01\x00\x00\x00\x01\x00\x00\x00" + full, "truncated"},
		{"1 block of 4 GiB", "GCPF\x01\x00\x00\x00" + full + full + "\x08\x00\x00\x00\x08\x00\x00\x00\x01\x01\x01\x01", ""},
		{"mode of no kind", "GCPF\x09\x00\x00\x00\x00\x10\x00\x00\x10\x00\x00\x00\x01\x00\x00\x00\x00GCPF", "unknown-mode"},
		{"cipher text of 2^64 bytes", "GDEC\x01\x00\x00\x00" + strings.Repeat("\x01", 16) + full + full + strings.Repeat("\x03", 64), "wrong-key"},
		{"cipher text of 2^63 bytes", "GDEC" + strings.Repeat("\x01", 16) + "\x00\x00\x00\x00\x00\x00\x00\x80" + strings.Repeat("\x03", 80), "wrong-key"},
		{"a header cut", "GDEC\x01\x02", "truncated"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, _ := openHostile(t, c.data, Options{Passwords: []string{""}, MaxUnpacked: 1 << 20})
			got := ""
			if d.Missing != nil {
				got = d.Missing.Code
			}
			if got != c.missing {
				t.Errorf("missing %q, not %q", got, c.missing)
			}
			for i, tr := range d.Buffers() {
				at := int64(0)
				if tr.Source.Size() > 1<<20 {
					continue
				}
				err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
					if f.Offset != at || f.Length <= 0 {
						t.Fatalf("buffer %d: field %+v at %d", i, f, at)
					}
					at = f.End()
					return nil
				})
				if err != nil || at != tr.Source.Size() {
					t.Errorf("buffer %d: tiled up to %d of %d: %v", i, at, tr.Source.Size(), err)
				}
			}
		})
	}
}

// TestHostileSqueeze: a row that represents terabytes yields no more than is allowed.
func TestHostileSqueeze(t *testing.T) {
	row := "00000000  00 01 02 03 04 05 06 07  08 09 0a 0b 0c 0d 0e 0f  |................|\n*\n"
	d, _ := openHostile(t, row+"7ffffffffffffff0\n", Options{MaxUnpacked: 4096})
	if n := d.Layers[0].Payload.Size(); n != 4096 {
		t.Errorf("%d bytes", n)
	}
}

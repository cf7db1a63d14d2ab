package wrap

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	_ "varview/internal/lessgc"
)

// key3 and key4 are the keys of files of Godot 3 and 4.
const (
	key3 = "030a11181f262d343b424950575e656c737a81888f969da4abb2b9c0c7ced5dc"
	key4 = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
)

// realFiles are files that engines and tools wrote. Their sizes and the MD5 of their payloads were made
// with other programs: zlib, gzip and base64 of Python, zstd, Brotli of Node.js, openssl, and the bytes
// given to xxd and hexdump.
var realFiles = []struct {
	name, key, password string
	kind                Kind
	title               string
	size                int64
	md5                 string
}{
	{"gcpf-brotli-multi-block.bin", "", "", GCPF, "GCPF, Brotli, 2 blocks of 4,096 bytes", 6324, "0b9edb62dd3f361673a1b4ddd2b4cea7"},
	{"gcpf-brotli-small.bin", "", "", GCPF, "GCPF, Brotli, 1 block of 4,096 bytes", 132, "4e4580a6d39befca230c1264100b15ba"},
	{"gcpf-deflate-empty.bin", "", "", GCPF, "GCPF, Deflate, 1 block of 4,096 bytes", 0, "d41d8cd98f00b204e9800998ecf8427e"},
	{"gcpf-deflate-multi-block.bin", "", "", GCPF, "GCPF, Deflate, 10 blocks of 4,096 bytes", 40012, "5851107a63bc54ee0c867c02bd74dc38"},
	{"gcpf-fastlz-exact-one-block.bin", "", "", GCPF, "GCPF, FastLZ, 2 blocks of 4,096 bytes", 4096, "eb1abd7213f576f43fe2586e2ab59731"},
	{"gcpf-fastlz-multi-block.bin", "", "", GCPF, "GCPF, FastLZ, 10 blocks of 4,096 bytes", 40012, "5851107a63bc54ee0c867c02bd74dc38"},
	{"gcpf-fastlz-small.bin", "", "", GCPF, "GCPF, FastLZ, 1 block of 4,096 bytes", 56, "08ac87627fae85e700e56b56ddd7abb2"},
	{"gcpf-gzip-small.bin", "", "", GCPF, "GCPF, gzip, 1 block of 4,096 bytes", 56, "08ac87627fae85e700e56b56ddd7abb2"},
	{"gcpf-zstd-exact-one-block.bin", "", "", GCPF, "GCPF, Zstandard, 2 blocks of 4,096 bytes", 4096, "eb1abd7213f576f43fe2586e2ab59731"},
	{"gcpf-zstd-multi-block.bin", "", "", GCPF, "GCPF, Zstandard, 10 blocks of 4,096 bytes", 40012, "5851107a63bc54ee0c867c02bd74dc38"},
	{"godot3-compressed-fastlz-nil.bin", "", "", GCPF, "GCPF, FastLZ, 1 block of 4,096 bytes", 8, "f6bd6b3389b872033d462029172c8612"},
	{"godot3-compressed-gzip-several.bin", "", "", GCPF, "GCPF, gzip, 2 blocks of 4,096 bytes", 6712, "59540d130cdcb19d3a04c00dea41f857"},
	{"pandemonium-compressed-fastlz-player.bin", "", "", GCPF, "GCPF, FastLZ, 2 blocks of 4,096 bytes", 6864, "a83798338efaf51f2e5611fd39b0c2d8"},
	{"gdec-key-empty.bin", key4, "", GDEC, "GDEC of Godot 4", 0, "d41d8cd98f00b204e9800998ecf8427e"},
	{"gdec-key-fixed-iv.bin", "895581f6f4b54a5b57ff9d63961f49fad6ad3f88425ba6b0d8863c28f16b6ad0", "", GDEC, "GDEC of Godot 4", 64, "f90687645b8a56e6b6f0870e88991017"},
	{"gdec-key-plain-multiple-of-16.bin", key4, "", GDEC, "GDEC of Godot 4", 40, "c2690b5d0b0a5841309085e29de35d34"},
	{"gdec-pass-unicode.bin", "", "pässwörd-鍵", GDEC, "GDEC of Godot 4", 56, "3d3f2ac53ce1213306434e85b20dafbb"},
	{"godot3-encrypted-key-several.bin", key3, "", GDEC, "GDEC of Godot 3", 6712, "59540d130cdcb19d3a04c00dea41f857"},
	{"godot3-encrypted-pass-empty-password.bin", "", "", GDEC, "GDEC of Godot 3", 40, "849fcef5d7cf28e7a27e97922dba871f"},
	{"godot3-encrypted-pass-objects.bin", "", "obj", GDEC, "GDEC of Godot 3", 2064, "64fbe24714a113ad58336b86573abf02"},
	{"godot3-encrypted-zero-key.bin", strings.Repeat("00", 32), "", GDEC, "GDEC of Godot 3", 32, "9eb7fe7b9c9a4f1473e4c202519d98a3"},
	{"base64-dictionary.b64", "", "", Base64, "base64", 104, "d6fde749503512ed5a0f1daf2112bdfc"},
	{"godot3-base64-array-mixed.bin", "", "", Base64, "base64", 492, "df3e5e3d604ae246635dc5036a8df698"},
	{"elephant-export-savegame.txt", "", "", Base64, "base64", 298, "88e5342fabd4ac155038ebb6acc5485c"},
	{"z.base64", "", "", Base64, "base64", 276, "fe004193257b5d54ef66a58303fcc5bc"},
	{"z.xxd", "", "", Hex, "xxd", 276, "fe004193257b5d54ef66a58303fcc5bc"},
	{"z-autoskip.xxd", "", "", Hex, "xxd", 276, "fe004193257b5d54ef66a58303fcc5bc"},
	{"z.hexdump-C", "", "", Hex, "hexdump -C", 276, "fe004193257b5d54ef66a58303fcc5bc"},
	{"z.xxd-p", "", "", Hex, "hex", 276, "fe004193257b5d54ef66a58303fcc5bc"},
	{"z.xxd-i", "", "", Hex, "hex", 276, "fe004193257b5d54ef66a58303fcc5bc"},
	{"z-from-64.xxd", "", "", Hex, "xxd", 212, "e668e4f7f54a852caea9348760bebdd0"},
}

func load(t testing.TB, name string) []byte {
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// options returns the options for a file with a key in hexadecimal digits, or a password.
func options(t testing.TB, key, password string) Options {
	o := Options{MaxUnpacked: 1 << 30, Password: &password}
	if key != "" {
		k, err := hex.DecodeString(key)
		if err != nil {
			t.Fatal(err)
		}
		o.Key = k
	}
	return o
}

// open unwraps data, and closes it when the test ends.
func open(t testing.TB, k Kind, data []byte, o Options) *Layer {
	l, err := Open(context.Background(), k, source.Bytes(data), span.Between(0, int64(len(data))), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// payload is all that a layer holds.
func payload(t testing.TB, l *Layer) []byte {
	if l.Payload == nil {
		t.Fatalf("no payload: %+v", l.Missing)
	}
	b, err := io.ReadAll(io.NewSectionReader(l.Payload, 0, l.Payload.Size()))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// problems returns the codes and spans of all problems of a wrapper.
func problems(t testing.TB, l *Layer, data []byte) []string {
	var all []string
	tr := tree.New(source.Bytes(data), l.Reading, l.Region)
	err := tr.Check(context.Background(), tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) {
		if p.Message == "" || p.Offset < 0 || p.Length < 0 || p.End() > int64(len(data)) {
			t.Errorf("problem %+v of %d bytes", p, len(data))
		}
		all = append(all, fmt.Sprintf("%v %s %d+%d", p.Severity, p.Code, p.Offset, p.Length))
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestRealFiles(t *testing.T) {
	for _, c := range realFiles {
		data := load(t, c.name)
		src := source.Bytes(data)
		if kinds := Sniff(src, span.Between(0, src.Size()), ""); len(kinds) == 0 || kinds[0] != c.kind {
			t.Errorf("%s: %v", c.name, kinds)
		}
		l := open(t, c.kind, data, options(t, c.key, c.password))
		plain := payload(t, l)
		if int64(len(plain)) != c.size || fmt.Sprintf("%x", md5.Sum(plain)) != c.md5 || l.Title != c.title {
			t.Errorf("%s: %s, %d bytes %x", c.name, l.Title, len(plain), md5.Sum(plain))
		}
		if c.kind == GDEC && l.Checksum() != Matches {
			t.Errorf("%s: checksum %v", c.name, l.Checksum())
		}
		if found := problems(t, l, data); len(found) > 0 {
			t.Errorf("%s: %v", c.name, found)
		}
		checkTree(t, data, l)
	}
}

// TestNested: ElephantExportString makes base64 of a zlib stream of the buffer.
func TestNested(t *testing.T) {
	outer := open(t, Base64, load(t, "elephant-export-savegame.txt"), Options{MaxUnpacked: 1 << 20})
	packed := payload(t, outer)
	kinds := Sniff(outer.Payload, span.Between(0, outer.Payload.Size()), "")
	if !slices.Equal(kinds, []Kind{Zlib}) {
		t.Fatal(kinds)
	}
	inner := open(t, Zlib, packed, Options{MaxUnpacked: 1 << 20})
	if inner.Checksum() != Matches || len(problems(t, inner, packed)) > 0 {
		t.Errorf("checksum %v, %v", inner.Checksum(), problems(t, inner, packed))
	}
	if plain := payload(t, inner); fmt.Sprintf("%x", md5.Sum(plain)) != "f6808f31009815cc40869ede31c9d54a" {
		t.Errorf("%d bytes, %x", len(plain), md5.Sum(plain))
	}
	checkTree(t, packed, inner)
}

// checkTree checks that the fields of a wrapper tile its bytes, and that a reader finds in any order what a
// walk meets.
func checkTree(t testing.TB, data []byte, l *Layer) {
	tr := tree.New(source.Bytes(data), l.Reading, l.Region)
	var fields []span.Field
	var paths []string
	at := int64(0)
	err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		if f.Offset != at || f.Length <= 0 || !strings.HasPrefix(string(f.Path), "$") || f.Label == "" {
			t.Fatalf("field %+v of %s at %d", f.Field, f.Path, at)
		}
		at = f.End()
		fields, paths = append(fields, f.Field), append(paths, string(f.Path))
		return nil
	})
	if err != nil || at != int64(len(data)) {
		t.Fatalf("fields end at %d of %d: %v", at, len(data), err)
	}
	r := tr.NewReader()
	for i, f := range fields {
		if i > 100 && i%499 != 0 {
			continue // each look-up passes over what is before it
		}
		n, err := r.At(f.End() - 1)
		if err != nil || !slices.Contains(r.AppendFields(nil, n), f) {
			t.Fatalf("%+v is not found: %v", f, err)
		}
		if len(f.Label) == 0 || tr.Reading.TypeName(&n.Value) == "" || r.Path(n) != paths[i] {
			t.Fatalf("%+v of %q %s, not %s", f, tr.Reading.TypeName(&n.Value), r.Path(n), paths[i])
		}
		if lit := r.AppendLiteral(nil, &n.Value, 40); len(lit) > 40+len("…") {
			t.Fatalf("%+v: literal %s", f, lit)
		}
		var seen []span.Field
		if err := r.EachFieldIn(f.Offset, f.End(), func(f span.Field, _ bool) { seen = append(seen, f) }); err != nil || len(seen) != 1 || seen[0] != f {
			t.Fatalf("in view are %v, not %+v: %v", seen, f, err)
		}
	}
}

// fieldsOf are all fields of a wrapper.
func fieldsOf(t testing.TB, l *Layer, data []byte) (fields []span.Field) {
	tr := tree.New(source.Bytes(data), l.Reading, l.Region)
	err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		fields = append(fields, f.Field)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fields
}

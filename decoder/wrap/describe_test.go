package wrap

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// rowsOf returns the rows of a wrapper's tree: type and text.
func rowsOf(t *testing.T, data []byte, l *Layer) (rows []string) {
	tr := tree.New(source.Bytes(data), l.Reading, l.Region)
	r, s := tr.NewReader(), tr.Scanner()
	err := s.Run(context.Background(), func(ev tree.Event) bool {
		if ev != tree.Leave {
			v := s.Value()
			rows = append(rows, fmt.Sprintf("%s: %s", tr.AppendType(nil, s.Window(), v), r.AppendLiteral(nil, v, 60)))
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// meanings returns the fields of a wrapper with their meanings.
func meanings(t *testing.T, data []byte, l *Layer) (all []string) {
	tr := tree.New(source.Bytes(data), l.Reading, l.Region)
	err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		all = append(all, fmt.Sprintf("%d+%d %v %s: %s", f.Offset, f.Length, f.Kind, f.Label, f.Value))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestDescriptions: rows, fields and JSON of a small file of each kind.
func TestDescriptions(t *testing.T) {
	zlib := zlibOf([]byte("abcabcabcabc"))
	for _, c := range []struct {
		name, key, json string
		kind            Kind
		data            []byte
		rows, fields    []string
	}{
		{"gcpf-fastlz-exact-one-block.bin", "", `{"wrapper":"gcpf","payload_size":4096,"mode":"FastLZ","block_size":4096,"plain_size":4096,"blocks":2}`, GCPF, nil,
			[]string{"header: FastLZ, 4,096 bytes in blocks of 4,096 bytes", "block lengths: 2 lengths", "blocks: 75 bytes → 4,096 bytes",
				"block 0: 65 bytes → 4,096", "block 1: 10 bytes → 0", "end: GCPF"},
			[]string{"0+4 magic magic: GCPF", "4+4 flags mode: FastLZ", "8+4 length block size: 4096", "12+4 length plain size: 4096",
				"16+4 length block length: 65", "20+4 length block length: 10",
				"24+65 data block: 09fc0f00001d000000f40f2004e0fd00e0fd00e0fd00e0fd00e0fd00e0fd00e0fd00e0fd00e0fd00e0fd00e0fd00e0fd00e0fd00e0fd00e0fd00e08d00020000…",
				"89+10 data block: 010000e0020102000000", "99+4 magic magic: GCPF"}},
		{"gdec-key-empty.bin", key4, `{"wrapper":"gdec","payload_size":0,"generation":4,"plain_size":0,"md5":"d41d8cd98f00b204e9800998ecf8427e"}`, GDEC, nil,
			[]string{"header: plain 0 bytes, MD5 d41d8cd98f00b204e9800998ecf8427e", "cipher text: 0 bytes"}, nil},
		{"godot3-encrypted-zero-key.bin", strings.Repeat("00", 32), `{"wrapper":"gdec","payload_size":32,"generation":3,"plain_size":32,"md5":"9eb7fe7b9c9a4f1473e4c202519d98a3"}`, GDEC, nil,
			[]string{"header: plain 32 bytes, MD5 9eb7fe7b9c9a4f1473e4c202519d98a3", "cipher text: 32 bytes"},
			[]string{"0+4 magic magic: GDEC", "4+4 flags mode: AES-256", "8+16 hash MD5: 9eb7fe7b9c9a4f1473e4c202519d98a3", "24+8 length plain size: 32",
				fmt.Sprintf("32+32 data cipher text: %x", load(t, "godot3-encrypted-zero-key.bin")[32:])}},
		{"", "", `{"wrapper":"zlib","payload_size":12}`, Zlib, zlib,
			[]string{"header: deflate", fmt.Sprintf("deflate stream: %d bytes → 12", len(zlib)-6), fmt.Sprintf("checksum: %x", zlib[len(zlib)-4:])},
			[]string{"0+1 flags method and window: 78", "1+1 flags flags: 9c", fmt.Sprintf("2+%d data deflate stream: %x", len(zlib)-6, zlib[2:len(zlib)-4]),
				fmt.Sprintf("%d+4 hash Adler-32: %x", len(zlib)-4, zlib[len(zlib)-4:])}},
		{"", "", `{"wrapper":"base64","payload_size":4,"form":"base64"}`, Base64, []byte("R0NQ\nRg==\n"),
			[]string{"digits: R0NQ", "digits: Rg=="},
			[]string{"0+4 data digits: 52304e51", `4+1 text text: \n`, "5+2 data digits: 5267", `7+3 text text: ==\n`}},
	} {
		if c.data == nil {
			c.data = load(t, c.name)
		}
		l := open(t, c.kind, c.data, options(t, c.key, ""))
		if got := rowsOf(t, c.data, l); !slices.Equal(got, c.rows) {
			t.Errorf("%v %s: rows %q", c.kind, c.name, got)
		}
		if got := meanings(t, c.data, l); c.fields != nil && !slices.Equal(got, c.fields) {
			t.Errorf("%v %s: fields %q", c.kind, c.name, got)
		}
		var out strings.Builder
		tr := tree.New(source.Bytes(c.data), l.Reading, l.Region)
		if err := tr.NewReader().WriteJSON(context.Background(), &out, &tr.Base.Value); err != nil || out.String() != c.json {
			t.Errorf("%v %s: %s %v", c.kind, c.name, out.String(), err)
		}
	}
}

// TestNames: the names in the output of info and formats.
func TestNames(t *testing.T) {
	var names []string
	for _, k := range Kinds() {
		names = append(names, k.String())
		if k.Meaning() == "" {
			t.Errorf("%v has no meaning", k)
		}
	}
	if got := strings.Join(names, " "); got != "gcpf rscc gdec capture base64 zlib secure hex checksum byte-order-mark text-transfer re-encoded utf-16le utf-16be shift_jis windows-1252 iso-8859-1" {
		t.Error(got)
	}
}

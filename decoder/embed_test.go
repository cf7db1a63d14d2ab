package decoder_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// described opens bytes by a description, and checks that the fields tile them.
func described(t *testing.T, text string, data []byte) *tree.Tree {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.ksy")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := decoder.ReadDescription(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	src, region := source.Bytes(data), span.Between(0, int64(len(data)))
	tr := tree.New(src, f.Open(src, region), region)
	at := int64(0)
	err = tr.EachField(context.Background(), func(f tree.OwnedField) error {
		if f.Offset != at || f.Length <= 0 {
			t.Fatalf("%v %s follows %#x", f.Span, f.Path, at)
		}
		at = f.End()
		return nil
	})
	if err != nil || at != region.Length {
		t.Fatalf("the fields end at %#x of %#x (%v)", at, region.Length, err)
	}
	return tr
}

// le returns numbers of 4 bytes and texts, one after the other.
func le(parts ...any) (b []byte) {
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			b = binary.LittleEndian.AppendUint32(b, uint32(p))
		case string:
			b = append(b, p...)
		}
	}
	return b
}

const (
	head   = "meta: {endian: le, ks-opaque-types: true}\nseq: [{id: n, type: u4}, {id: v, type: "
	foot   = ", size: n}, {id: after, type: u1}]"
	inline = "}, {id: after, type: u1}]"
)

// TestEmbedded: values of other formats are part of the tree of a described one, with their paths, JSON and
// problems.
func TestEmbedded(t *testing.T) {
	dict3 := le(18, 1, 4, 2, "hp\x00\x00", 2, 7)
	dict4 := le(27, 1, 4, 2, "hp\x00\x00", 2, 7)
	msgpack := "\x82\xa2hp\x07\xa1l\x92\x01\xc3"
	list := "2e01000001000000" + "00000000" + "0000000000001c40" // ds_list of one real, 7
	for _, c := range []struct {
		typ, data, path, literal, json, problems string
	}{
		{"godot4_variant" + foot, string(dict4), "v.hp", "7", `{"type":"Dictionary","args":["s:hp","i:7"]}`, ""},
		{"godot3_variant" + foot, string(dict3), "v.hp", "7", `{"type":"Dictionary","args":["s:hp","i:7"]}`, ""},
		{"godot_variant" + foot, string(dict4), "v.hp", "7", `{"type":"Dictionary","args":["s:hp","i:7"]}`, ""},
		{"godot_variant" + foot, string(dict3), "v.hp", "7", `{"type":"Dictionary","args":["s:hp","i:7"]}`, ""},
		{"godot4_variant" + inline, string(dict4), "v.hp", "7", `{"type":"Dictionary","args":["s:hp","i:7"]}`, ""},
		{"msgpack" + inline, msgpack, "v.l[1]", "true", `{"hp":7,"l":[1,true]}`, ""},
		{"json" + foot, `{"a": [1, {"b": "x"}]}`, "v.a[1].b", `"x"`, `{"a":[1,{"b":"x"}]}`, ""},
		{"json" + inline, `[1, 2.5]`, "v[1]", `2.5`, `[1,2.5]`, ""},
		{"json, terminator: 0" + inline, "[1, 2.5]\x00", "v[1]", `2.5`, `[1,2.5]`, ""},
		{"json, terminator: 0" + inline, "25\x00", "v", `25`, `25`, ""},
		{"json, process: xor(1)" + foot, "Z0-3\\", "v[1]", "2", `[1,2]`, ""},
		{"json, size: n, process: zlib}, {id: after, type: u1, -varview-value: v._sizeof + 85}]", "\x78\x9c\x8b\x36\xd4\x31\x8a\x05\x00\x03\xd5\x01\x48", "v[1]", "2", `[1,2]`, ""}, // 5 bytes
		{"gamemaker_ds" + foot, list, "v[0]", "7", `{"type":"ds_list","id":302,"value":[7.0]}`, ""},
		{"godot4_variant" + foot, string(le(99, 1)), "v", "<unknown-type>", `{"type":"Damaged","problem":"unknown-type","offset":4}`, "unknown-type $.v"},
		{"godot4_variant" + foot, string(dict4) + "zz", "v.hp", "7", `{"type":"Dictionary","args":["s:hp","i:7"]}`, "trailing-bytes $.v"},
		{"msgpack" + foot, "\x82\xa1a\x01\xa1a\x02", "v.a", "1", `{"type":"map","args":["a",1,"a",2]}`, "repeated-key $.v.a#2@key"},
		{"unknown" + foot, "abcd", "after", "90", "", "expression-failed $.v"},
	} {
		tr := described(t, head+c.typ, append(append(le(len(c.data)), c.data...), 'Z'))
		r := tr.NewReader()
		if c.typ != "unknown"+foot {
			n, err := r.Resolve(c.path)
			if err != nil {
				t.Errorf("%s: %v", c.typ, err)
				continue
			}
			if got := string(r.AppendLiteral(nil, &n.Value, 80)); got != c.literal || r.Path(n) != "$."+c.path {
				t.Errorf("%s: %s is %s, not %s", c.typ, r.Path(n), got, c.literal)
			}
			n, _ = r.Resolve("v")
			var out bytes.Buffer
			if err := r.WriteJSON(context.Background(), &out, &n.Value); err != nil || strings.TrimSpace(out.String()) != c.json {
				t.Errorf("%s: %s, not %s (%v)", c.typ, out.String(), c.json, err)
			}
			if n, err = r.Resolve("after"); err != nil || string(r.AppendLiteral(nil, &n.Value, 80)) != "90" {
				t.Errorf("%s: what follows is not read (%v)", c.typ, err)
			}
		}
		var found []string
		tr.Check(context.Background(), tree.CheckOptions{Workers: 1}, func(p span.Problem, n *tree.Node) {
			found = append(found, p.Code+" "+tr.NewReader().Path(n))
		})
		if got := strings.Join(found, ", "); got != c.problems {
			t.Errorf("%s: problems %q, not %q", c.typ, got, c.problems)
		}
	}
}

// TestEmbeddedEdits: values in other formats are edited by their own formats, and sizes follow, also where they are packed,
// scrambled or digits.
func TestEmbeddedEdits(t *testing.T) {
	dict := string(le(27, 1, 4, 2, "hp\x00\x00", 2, 7))
	list := "2E01000001000000" + "00000000" + "0000000000001C40\n" // ds_list of one real, 7
	for _, c := range []struct{ typ, data, path, literal, want string }{
		{"godot4_variant" + foot, dict, "v.hp", "8", "v.hp=8"},
		{"godot4_variant" + foot, dict, "v.hp", "70000000000", "v.hp=70000000000"},
		{"godot4_variant" + foot, dict, "v.hp", `"a longer text"`, `v.hp="a longer text"`},
		{"godot4_variant" + foot, dict, "v.hp", "x", "!"},
		{"godot4_variant" + foot, dict, "v", `{"hp": 1, "mp": [2]}`, "v.mp[0]=2"},
		{"godot4_variant" + inline, dict, "v.hp", "70000000000", "v.hp=70000000000"},
		{"json" + foot, `{"hp": 7}`, "v.hp", "1234", "v.hp=1234"},
		{"json, terminator: 0" + inline, "{\"hp\": 7}\x00", "v.hp", "1234", "v.hp=1234"},
		{"json, size: 12, pad-right: 0x20}, {id: after, type: u1}]", `{"hp": 7}   `, "v.hp", "12345678", "!room for 12 bytes"},
		{"msgpack" + foot, "\x81\xa2hp\x07", "v.hp", "300", "v.hp=300"},
		{"gamemaker_ds" + foot, list, "v[0]", "12", "v[0]=12"},
		{"gamemaker_ds" + foot, list, "v[0]", `"text"`, `v[0]="text"`},
	} {
		all := append(append(le(len(c.data)), c.data...), 'Z')
		tr := described(t, head+c.typ, all)
		r := tr.NewReader()
		n, err := r.Resolve(c.path)
		if err != nil {
			t.Fatal(c.typ, err)
		}
		splices, err := tr.Reading.(edit.Editor).Set(context.Background(), r, n, edit.Content{Literal: c.literal}, edit.Options{Retype: true})
		if text, refused := strings.CutPrefix(c.want, "!"); refused || err != nil {
			if err == nil || !refused || !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %s=%s: %v", c.typ, c.path, c.literal, err)
			}
			continue
		}
		after := source.Memory(all).Splice(splices)
		is := make([]byte, after.Size())
		after.ReadAt(is, 0)
		rd := described(t, head+c.typ, is).NewReader()
		for _, want := range []string{c.want, "after=90"} {
			path, value, _ := strings.Cut(want, "=")
			if n, err = rd.Resolve(path); err != nil || string(rd.AppendLiteral(nil, &n.Value, 80)) != value {
				t.Errorf("%s: %s=%s: %v, %q", c.typ, c.path, c.literal, err, is)
			}
		}
	}
}

// TestEmbeddedDamage: values of other formats that are cut or changed leave no byte without a field.
func TestEmbeddedDamage(t *testing.T) {
	dict := le(27, 2, 4, 2, "hp\x00\x00", 28, 2, 2, 7, 4, 1, "a\x00\x00\x00", 1, 1, 1)
	for _, c := range []struct{ typ, data string }{
		{"godot4_variant" + foot, string(dict)}, {"godot_variant" + inline, string(dict)}, {"json" + foot, `{"a": [1, {"b": "x"}], "c": null}`},
		{"msgpack" + inline, "\x82\xa2hp\x07\xa1l\x92\x01\xc3"}, {"elephant" + foot, "\x01\x02\x03"}, {"gamemaker_ds, repeat: eos" + inline, "2e01000001000000"},
	} {
		all := append(append(le(len(c.data)), c.data...), 'Z')
		for n := range all {
			changed := append([]byte{}, all...)
			changed[n] ^= 0x81
			for _, data := range [][]byte{all[:n], changed} {
				tr := described(t, head+c.typ, data)
				var out bytes.Buffer
				if err := tr.NewReader().WriteJSON(context.Background(), &out, &tr.Base.Value); err != nil || !json.Valid(out.Bytes()) {
					t.Fatalf("%s: %s %v", c.typ, out.String(), err)
				}
				tr.Check(context.Background(), tree.CheckOptions{Workers: 1}, func(span.Problem, *tree.Node) {})
			}
		}
	}
}

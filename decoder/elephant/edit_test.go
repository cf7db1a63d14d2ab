package elephant_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/elephant"
	"varview/decoder/elephant/gml"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/internal/elephantref"
)

// files is where the real files are.
const files = "../../testdata/elephant/"

// A block is a file with the schemas of its game.
type block struct {
	name    string
	data    []byte
	libs    []*gml.Library
	schemas elephantref.Schemas
}

// realBlocks are the files that the library wrote, those without its own wrapper.
func realBlocks(t testing.TB) (blocks []block) {
	t.Helper()
	names, err := filepath.Glob(files + "*.bin")
	if err != nil || len(names) < 60 {
		t.Fatal(len(names), "files", err)
	}
	for _, name := range names {
		blocks = append(blocks, realBlock(t, name))
	}
	return blocks
}

func realBlock(t testing.TB, path string) block {
	t.Helper()
	b := block{name: filepath.Base(path), data: read(t, path), schemas: elephantref.Schemas{}}
	var truth struct{ Schemas *string }
	if err := json.Unmarshal(read(t, strings.TrimSuffix(path, ".bin")+".truth.json"), &truth); err != nil {
		t.Fatal(err)
	}
	if truth.Schemas != nil {
		stem := files + strings.TrimSuffix(*truth.Schemas, ".gml")
		l, err := gml.Load([]string{stem + ".gml"})
		if err != nil {
			t.Fatal(err)
		}
		b.libs = []*gml.Library{l}
		if b.schemas, err = elephantref.ReadSchemas(read(t, stem+".schema.json")); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// tree reads bytes with the block's schemas.
func (b *block) tree(data []byte) *tree.Tree {
	src := source.Bytes(data)
	region := span.Between(0, src.Size())
	h, _ := elephant.Sniff(src, region)
	rules, _ := elephant.ByVersion(h.Version)
	return tree.New(src, elephant.New(rules, b.libs).Open(src, region), region)
}

// TestReadingsOfOneFormat: what is learnt of one block does not count for another.
func TestReadingsOfOneFormat(t *testing.T) {
	rules, _ := elephant.ByName("1.5.1")
	f := elephant.New(rules, nil)
	for _, name := range []string{"A", "B", "C"} {
		src := source.Bytes(bytesOf(t, head151+"ce feff 0000 '"+name+" 80 0000"+foot))
		region := span.Between(0, src.Size())
		tr := tree.New(src, f.Open(src, region), region)
		root, err := tr.NewReader().Resolve("$")
		if err != nil {
			t.Fatal(err)
		}
		if got := string(tr.AppendType(nil, source.NewWindow(src), &root.Value)); got != name {
			t.Errorf("%s is read as %s", name, got)
		}
	}
}

// spliced is the block after an edit.
func spliced(t testing.TB, data []byte, splices []source.Splice) []byte {
	t.Helper()
	at := int64(0)
	for _, s := range splices {
		if s.Offset < at {
			t.Fatalf("splice at %d, the one before ends at %d", s.Offset, at)
		}
		at = s.End()
	}
	p := source.Memory(data).Splice(splices)
	out := make([]byte, p.Size())
	if n, err := p.ReadAt(out, 0); n < len(out) {
		t.Fatal(err)
	}
	return out
}

// literal is the text of a value.
func literal(t testing.TB, tr *tree.Tree, v *tree.Value) string {
	t.Helper()
	var out bytes.Buffer
	if err := tr.NewReader().WriteText(context.Background(), &out, v); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// each calls f for all values of a tree, elements and names included.
func each(t testing.TB, tr *tree.Tree, f func(*tree.Node)) {
	t.Helper()
	s := tr.Scanner()
	s.Elements = true
	err := s.Run(context.Background(), func(ev tree.Event) bool {
		if ev == tree.Enter || ev == tree.Atom {
			f(s.Current(ev))
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestOwnLiteral: setting a value to what it is changes nothing.
func TestOwnLiteral(t *testing.T) {
	for _, b := range realBlocks(t) {
		tr := b.tree(b.data)
		values := 0
		each(t, tr, func(n *tree.Node) {
			text := literal(t, tr, &n.Value)
			splices, err := tr.Reading.(edit.Editor).Set(context.Background(), tr.NewReader(), n, edit.Content{Literal: text}, edit.Options{})
			if err != nil && n.Damage == nil || len(splices) > 0 {
				t.Errorf("%s %s = %s: %d splices, %v", b.name, tr.NewReader().Path(n), text, len(splices), err)
			}
			values++
		})
		if values == 0 {
			t.Errorf("%s: no values", b.name)
		}
	}
}

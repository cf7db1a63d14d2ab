package godot

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A testFile is a file of testdata with the format that it is read in.
type testFile struct {
	name   string
	f      *Format
	data   []byte
	engine bool           // an engine wrote it
	found  map[string]int // its problems, if it is sound
}

// testFiles are the files of testdata that are in no wrapper. The damaged ones are
// read as one value and as a stream.
func testFiles(t testing.TB) []testFile {
	var all []testFile
	for _, dir := range []string{"godot3", "godot4", "pandemonium", "handmade", "damaged"} {
		names, err := filepath.Glob("../../testdata/" + dir + "/*.bin")
		if err != nil || len(names) == 0 {
			t.Fatal("no files in ", dir)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			short := filepath.Join(dir, strings.TrimSuffix(filepath.Base(name), ".bin"))
			if dir == "damaged" {
				all = append(all, testFile{name: short + " raw", f: formatOf("godot4 raw"), data: data},
					testFile{name: short + " stream", f: formatOf("godot4 stream"), data: data})
				continue
			}
			f := formatOf(readAs(t, short))
			all = append(all, testFile{short, f, data, dir != "handmade", problems(t, treeOf(f, data))})
		}
	}
	return all
}

// readAs says how a file of testdata is to be read.
func readAs(t testing.TB, name string) string {
	dir, base := filepath.Split(name)
	switch {
	case dir == "handmade/":
		for _, d := range []string{"godot4-docs", "godot3-early-docs", "godot4", "godot3", "pandemonium3"} {
			if rest, ok := strings.CutPrefix(base, d+"-"); ok {
				switch rest {
				case "double":
					return d + " double"
				case "stream":
					return d + " stream"
				case "big-endian-lengths":
					return d + " big-endian"
				}
				return d + " raw"
			}
		}
	case strings.HasPrefix(base, "p42-"):
		return "pandemonium4 " + framingOf(t, name)
	case strings.HasPrefix(base, "p53-"):
		return "pandemonium " + framingOf(t, name)
	}
	return strings.TrimSuffix(dir, "/") + " " + framingOf(t, name)
}

// framingOf is what the truth beside a file says.
func framingOf(t testing.TB, name string) string {
	var truth struct{ Framing string }
	data, err := os.ReadFile("../../testdata/" + name + ".truth.json")
	if err == nil {
		err = json.Unmarshal(data, &truth)
	}
	if err != nil {
		t.Fatal(err)
	}
	if truth.Framing == "raw" {
		return "raw"
	}
	return "stream"
}

// formatOf makes a format of "dialect framing".
func formatOf(as string) *Format {
	name, framing, _ := strings.Cut(as, " ")
	d, _ := ByName(name)
	f := &Format{Dialect: d, Double: framing == "double", BigEndian: framing == "big-endian"}
	if framing == "stream" || f.BigEndian {
		f.Framing = Stream
	}
	return f
}

func treeOf(f *Format, data []byte) *tree.Tree {
	return tree.New(source.Bytes(data), f, span.Between(0, int64(len(data))))
}

// eachNode calls each for all values of a tree in order, parts and keys too.
func eachNode(t testing.TB, r *tree.Reader, n *tree.Node, each func(*tree.Node)) {
	each(n)
	if n.Layout == tree.Leaf || n.Depth > 100 { // deeper it is the same again and again
		return
	}
	for i := int64(0); n.Count == tree.Unknown || i < n.Count; i++ {
		c, err := r.Child(n, i)
		if err == tree.ErrNoChild {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if key := r.Key(c); key != nil {
			eachNode(t, r, key, each)
		}
		eachNode(t, r, c, each)
	}
}

// again finds a node in another tree, by where it stands.
func again(t testing.TB, r *tree.Reader, n *tree.Node) *tree.Node {
	if n.Parent == nil {
		return r.Tree.Base
	}
	c, err := r.Child(again(t, r, n.Parent), n.Slot.Index)
	if err != nil {
		t.Fatal(r.Path(n), err)
	}
	if n.Slot.Key {
		return r.Key(c)
	}
	return c
}

// childTexts is what the children of n are written as, with their keys.
func childTexts(t testing.TB, r *tree.Reader, n *tree.Node) []string {
	texts := []string{}
	for i := int64(0); n.Layout != tree.Leaf; i++ {
		c, err := r.Child(n, i)
		if err != nil {
			break
		}
		text := textOf(t, r, &c.Value)
		if key := r.Key(c); key != nil {
			text = textOf(t, r, &key.Value) + ": " + text
		}
		texts = append(texts, text)
	}
	return texts
}

// canMultiply are the problems that a copy of a value brings along, or that stay
// with an unusual encoding.
var canMultiply = map[string]bool{span.ObjectByID: true, span.ObjectInData: true, span.EngineReadBack: true, span.RunsCode: true,
	span.WideNumber: true, span.SharedBit: true, span.NullObject: true}

// applied is a file after an edit, which must not add problems, and whose fields
// must cover it.
func applied(t testing.TB, file testFile, what string, splices []source.Splice) *tree.Reader {
	t.Helper()
	whole := source.Whole(source.Bytes(file.data)).Splice(splices)
	edited := make([]byte, whole.Size())
	if _, err := whole.ReadAt(edited, 0); err != nil && whole.Size() > 0 {
		t.Fatal(err)
	}
	tr := treeOf(file.f, edited)
	at := int64(0)
	err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		if f.Offset != at || f.Length <= 0 {
			t.Errorf("%s %s: a field at %d, not %d", file.name, what, f.Offset, at)
		}
		at = f.End()
		return nil
	})
	if err != nil || at != int64(len(edited)) {
		t.Errorf("%s %s: fields end at %d of %d: %v", file.name, what, at, len(edited), err)
	}
	for code, n := range problems(t, tr) {
		if n > file.found[code] && !canMultiply[code] {
			t.Errorf("%s %s: new problem %s", file.name, what, code)
		}
	}
	return tr.NewReader()
}

// problems counts the problems of a tree by their codes.
func problems(t testing.TB, tr *tree.Tree) map[string]int {
	found := map[string]int{}
	if err := tr.BuildIndex(context.Background(), func(p span.Problem, _ *tree.Scanner) { found[p.Code]++ }); err != nil {
		t.Fatal(err)
	}
	return found
}

func textOf(t testing.TB, r *tree.Reader, v *tree.Value) string {
	var b bytes.Buffer
	if err := r.WriteText(context.Background(), &b, v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// undigits are the bytes of hex digits.
func undigits(t testing.TB, digits string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

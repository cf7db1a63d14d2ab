package tree_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"runtime"
	"slices"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// words makes a buffer of little-endian words.
func words(ws ...uint32) []byte {
	var b []byte
	for _, w := range ws {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

func open(t testing.TB, dialect string, framing godot.Framing, data []byte) *tree.Tree {
	d, ok := godot.ByName(dialect)
	if !ok {
		t.Fatal("no dialect ", dialect)
	}
	return tree.New(source.Bytes(data), godot.New(godot.Settings{Dialect: d, Framing: framing}), span.Between(0, int64(len(data))))
}

// nests are values of Godot 4 and Pandemonium that hold another value of their kind, given as the bytes
// before and after it.
var nests = []struct {
	name, dialect string
	before, after []byte
}{
	{"arrays", "godot4", words(28, 1), nil},
	{"typed arrays of Godot 4", "godot4", words(28|2<<16, 4, 0x65646f4e, 1), nil},
	{"dictionaries as values", "godot4", words(27, 1, 2, 7), nil},
	{"dictionaries as keys", "godot4", words(27, 1), words(2, 7)},
	{"objects", "godot4", words(24, 4, 0x65646f4e, 1, 1, 0x61), nil},
	{"typed arrays of Pandemonium", "pandemonium", words(27, 26, 1), nil},
}

const deep = 15_000

// TestDeep opens values that are nested far deeper than engines follow. Anything that takes quadratic time
// or memory does not finish.
func TestDeep(t *testing.T) {
	for _, nest := range nests {
		t.Run(nest.name, func(t *testing.T) {
			data := bytes.Repeat(nest.before, deep)
			data = append(data, words(0)...)
			data = append(data, bytes.Repeat(nest.after, deep)...)
			tr := open(t, nest.dialect, godot.Raw, data)
			if err := tr.Check(context.Background(), tree.CheckOptions{}, func(span.Problem, *tree.Node) {}); err != nil {
				t.Fatal(err)
			}
			r := tr.NewReader()
			innermost := int64(len(nest.before) * deep)
			n, err := r.At(innermost)
			if err != nil || n.Start != innermost || n.Depth != deep+1 {
				t.Fatalf("%v %v", describe(n), err)
			}
			end, err := r.End(n.Parent)
			if err != nil || end != innermost+4+int64(len(nest.after)) {
				t.Fatalf("end %d %v", end, err)
			}
			outermost, err := r.Child(tr.Base, 0)
			if err != nil {
				t.Fatal(err)
			}
			if end, err := r.End(outermost); err != nil || end != int64(len(data)) {
				t.Fatalf("end %d %v", end, err)
			}
			down := outermost
			for down.Layout >= tree.Sequence && down.Depth <= deep {
				if nest.after != nil { // the way down leads through keys
					first, err := r.Child(down, 0)
					if err != nil {
						t.Fatal(err)
					}
					down = r.Key(first)
					if down.Depth > 8 { // each value follows its whole key
						break
					}
					continue
				}
				if down, err = r.Child(down, 0); err != nil {
					t.Fatal(err)
				}
			}
			if path := r.Path(n); len(path) < deep {
				t.Fatalf("path of %d bytes", len(path))
			}
		})
	}
}

// TestDeepPaths: of a long path the beginning and the end are returned.
func TestDeepPaths(t *testing.T) {
	data := append(bytes.Repeat(words(28, 1), deep), words(0)...)
	tr := open(t, "godot4", godot.Raw, data)
	r := tr.NewReader()
	for _, off := range []int64{0, 8, 8 * 2000, 8 * 4095, 8 * 4096, 8 * 4097, 8 * 50_000, 8 * 50_001, 8 * deep} {
		n, err := r.At(off)
		if err != nil {
			t.Fatal(err)
		}
		const half = 2048
		whole, cut := r.Path(n), r.NextPath(n)
		if want := whole[:min(half, len(whole))] + "…" + whole[max(0, len(whole)-half):]; cut != whole && (len(whole) <= 2*half || cut != want) {
			t.Errorf("at %#x: %d bytes, of %d", off, len(cut), len(whole))
		}
	}
}

// TestClassIsNoValue: a TypedArray names its class by a StringName; anything else there is not read, as it
// could nest without end.
func TestClassIsNoValue(t *testing.T) {
	data := bytes.Repeat(words(27, 23), 1<<20)
	tr := open(t, "pandemonium", godot.Raw, data)
	var codes []string
	tr.Check(context.Background(), tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) { codes = append(codes, p.Code) })
	if !slices.Equal(codes, []string{span.ContainerType}) {
		t.Error(codes)
	}
}

// TestTooDeep: everything below MaxDepth is a gap, and reported once.
func TestTooDeep(t *testing.T) {
	data := bytes.Repeat(words(28, 1), 8<<20/8)
	tr := open(t, "godot4", godot.Raw, data)
	deepest := 0
	if err := tr.Check(context.Background(), tree.CheckOptions{}, func(p span.Problem, n *tree.Node) {
		if p.Code == span.NestedTooDeep {
			deepest = max(deepest, n.Depth)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if deepest != tree.MaxDepth {
		t.Errorf("deepest %d", deepest)
	}
}

// TestIndexMemory: an index keeps few nodes where values are nested deep again and again, or a count
// exceeds the content.
func TestIndexMemory(t *testing.T) {
	chain := append(bytes.Repeat(words(28, 1), 20_000), words(0)...)
	many := append(words(28, 100), bytes.Repeat(chain, 100)...)
	for name, data := range map[string][]byte{
		"deep chains": many,
		"huge counts": bytes.Repeat(words(28, 0x7fffffff), 1<<18),
		"int keys":    append(words(27, 1<<20), bytes.Repeat(words(2, 1, 0), 1<<20)...),
	} {
		t.Run(name, func(t *testing.T) {
			tr := open(t, "godot4", godot.Raw, data)
			if err := tr.BuildIndex(context.Background()); err != nil {
				t.Fatal(err)
			}
			if n := tr.Nodes(); n > len(data)/4096+100 {
				t.Errorf("%d nodes for %d bytes", n, len(data))
			}
			if n := tr.Points(); n > 4<<10 {
				t.Errorf("%d points for %d bytes", n, len(data))
			}
			tr.NewReader().At(int64(len(data)) - 1)
		})
	}
}

// TestNoAllocation: passing values does not allocate memory for each.
func TestNoAllocation(t *testing.T) {
	data := append(words(28, 20_000), bytes.Repeat(words(27, 1, 2, 1, 28, 1, 4, 1, 'x'), 20_000)...)
	tr := open(t, "godot4", godot.Raw, data)
	for name, pass := range map[string]func(*tree.Tree) error{
		"index": func(tr *tree.Tree) error { return tr.BuildIndex(context.Background()) },
		"check": func(tr *tree.Tree) error {
			return tr.Check(context.Background(), tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) { t.Error(p) })
		},
	} {
		allocs := testing.AllocsPerRun(3, func() {
			fresh := tree.New(tr.Source, tr.Reading, span.Between(0, int64(len(data))))
			if err := pass(fresh); err != nil {
				t.Fatal(err)
			}
		})
		if allocs > 500 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}

// TestManyKeys: no key costs memory while one of them is looked for.
func TestManyKeys(t *testing.T) {
	const count = 20_000
	data := words(27, count)
	for i := range uint32(count) {
		data = append(data, words(2, i, 0)...)
	}
	r := open(t, "godot4", godot.Raw, data).NewReader()
	allocs := testing.AllocsPerRun(3, func() {
		n, err := r.Resolve("[19999]")
		if err != nil || r.Path(n) != "$[19999]" {
			t.Fatal(describe(n), err)
		}
	})
	if allocs > 100 {
		t.Errorf("%v allocations", allocs)
	}
}

// TestFieldsMemory: paths below huge keys stay short, and many keys cost little.
func TestFieldsMemory(t *testing.T) {
	key := bytes.Repeat([]byte("k"), 1<<20)
	data := append(words(27, 2, 4, 1<<20), key...)
	data = append(data, words(28, 1, 27, 1)...)
	data = append(append(data, words(28, 1<<16)...), make([]byte, 1<<18)...) // an array of nulls as a key
	data = append(data, words(0, 2, 1, 0)...)
	tr := open(t, "godot4", godot.Raw, data)
	longest := 0
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		longest = max(longest, len(f.Path))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if longest > 100 {
		t.Errorf("a path of %d bytes", longest)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("%d bytes allocated", used)
	}
}

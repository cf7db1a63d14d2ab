package tree_test

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// splices returns a random edit, which may keep the bytes well-formed or not.
func (d *document) splices(r *rand.Rand) []source.Splice {
	size := int64(len(d.bytes))
	var edit []source.Splice
	switch r.IntN(6) {
	case 0: // other bytes of the same number
		for at := r.Int64N(size + 1); at < size && len(edit) < 1+r.IntN(3); at += 1 + r.Int64N(size+1) {
			n := min(size-at, 1+r.Int64N(8))
			edit = append(edit, source.Put(at, n, garbage(r, n)))
			at += n
		}
	case 1: // any bytes
		for at := r.Int64N(size + 1); at <= size && len(edit) < 1+r.IntN(3); at += 1 + r.Int64N(size+1) {
			n := r.Int64N(min(size-at, 20) + 1)
			edit = append(edit, source.Put(at, n, garbage(r, r.Int64N(20))))
			at += n
		}
	default:
		edit = d.structural(r)
	}
	return edit
}

func garbage(r *rand.Rand, n int64) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32() >> (r.IntN(2) * 29))
	}
	return b
}

// structural duplicates or drops a child of a container and updates the count and the lengths of frames
// around; sometimes it does not update them.
func (d *document) structural(r *rand.Rand) (edit []source.Splice) {
	read := d.tree.NewReader()
	n, err := read.At(r.Int64N(int64(len(d.bytes)) + 1))
	if err != nil || n.Parent == nil || n.Parent.Layout == tree.Fixed || n.Slot.Key {
		return nil
	}
	end, err := read.End(n)
	start := n.Start
	if n.KeyAt != tree.Unknown {
		start = n.KeyAt
	}
	if err != nil || end <= start {
		return nil
	}
	by, count := int64(0), 0
	copied := slices.Clone(d.bytes[start:end])
	if r.IntN(2) == 0 {
		edit = append(edit, source.Put(start, 0, copied))
		by, count = end-start, 1
	} else {
		edit = append(edit, source.Put(start, end-start, nil))
		by, count = start-end, -1
	}
	if r.IntN(8) > 0 {
		edit = d.adjust(edit, read, n.Parent, count)
	}
	for p := n.Parent; p.Parent != nil && r.IntN(8) > 0; p = p.Parent {
		if p.Head > p.Start { // a frame
			edit = append(edit, d.number(span.Span{Offset: p.Start, Length: 4}, by))
		}
	}
	source.Sort(edit)
	return edit
}

// adjust changes the count of n.
func (d *document) adjust(edit []source.Splice, read *tree.Reader, n *tree.Node, by int) []source.Splice {
	fields := read.AppendFields(nil, n)
	for i := len(fields) - 1; i >= 0; i-- {
		if f := fields[i]; f.Kind == span.Length && f.End() <= n.Body && f.Offset >= n.Head {
			return append(edit, d.number(f.Span, int64(by)))
		}
	}
	return edit
}

// number adds to a little-endian number.
func (d *document) number(at span.Span, by int64) source.Splice {
	b := make([]byte, 8)
	copy(b, d.bytes[at.Offset:at.End()])
	binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)+uint64(by))
	return source.Put(at.Offset, at.Length, b[:at.Length])
}

// godotBuffer puts values of real files together: in arrays and dictionaries, one frame after the other or
// in one value.
func godotBuffer(t testing.TB, r *rand.Rand, dialect string, framing godot.Framing) []byte {
	names, _ := filepath.Glob("../../testdata/" + dialect + "-*.bin")
	dictionary := uint32(slices.Index(idTables[dialect], "Dictionary"))
	array := uint32(slices.Index(idTables[dialect], "Array"))
	var values [][]byte
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil || strings.Contains(name, "store") {
			continue
		}
		values = append(values, data)
	}
	if len(values) < 3 {
		t.Fatal("no values")
	}
	pick := func() []byte { return values[r.IntN(len(values))] }
	container := func() []byte {
		n := r.IntN(12)
		b := words(array, uint32(n))
		if r.IntN(2) == 0 {
			b = words(dictionary, uint32(n))
			for i := range n {
				b = append(append(b, words(2, uint32(i%5))...), pick()...)
			}
			return b
		}
		for range n {
			b = append(b, pick()...)
		}
		return b
	}
	var all []byte
	count := 3 + r.IntN(8)
	for range count {
		v := container()
		if framing == godot.Stream {
			all = append(all, words(uint32(len(v)))...)
		}
		all = append(all, v...)
	}
	if framing == godot.Raw {
		all = append(words(array, uint32(count)), all...)
	}
	return all
}

func godotFormat(dialect string, framing godot.Framing) func([]byte) (tree.Reading, span.Span) {
	d, _ := godot.ByName(dialect)
	return func(data []byte) (tree.Reading, span.Span) {
		return godot.New(godot.Settings{Dialect: d, Framing: framing}), span.Between(0, int64(len(data)))
	}
}

package explore

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/source"
	"varview/decoder/engine/source/sourcetest"
	"varview/decoder/engine/tree"
)

// A counting reading counts the values that are read.
type counting struct {
	tree.Reading
	read *int
}

func (c counting) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	*c.read++
	c.Reading.Read(w, parent, slot, off, v)
}

// TestDeepPath: the path of a value in keys nested in one another reads about as many values as there are levels, and leads to it.
func TestDeepPath(t *testing.T) {
	const deep = 6000
	data := cat(bytes.Repeat(words(27, 1), deep), words(0), bytes.Repeat(words(2, 7), deep))
	b := openFile(t, write(t, data), decoder.Options{Dialect: "godot4", Framing: "raw"}).Innermost()
	read := 0
	b.Tree().Reading = counting{b.Tree().Reading, &read}
	r := b.Tree().NewReader()
	n, err := r.At(8 * deep)
	if err != nil || n.Depth != deep+1 {
		t.Fatal(err)
	}
	read = 0
	path := r.Path(n)
	if most := 20 * deep; read > most {
		t.Errorf("a path of %d bytes reads %d values, more than %d", len(path), read, most)
	}
	if at, err := r.Resolve(path); err != nil || !at.Same(n) {
		t.Errorf("it leads elsewhere: %v", err)
	}
}

// TestDeepKeys: in values that are nested deeply, also in keys, a key passes all of them once at most.
func TestDeepKeys(t *testing.T) {
	if testing.Short() {
		t.Skip("counts for long in one goroutine")
	}
	const deep = 20_000
	for name, nest := range map[string]struct {
		before, after []byte
		levels        int
	}{
		"arrays":          {words(28, 1), nil, 1},
		"values":          {words(27, 1, 2, 7), nil, 1},
		"keys":            {words(27, 1), words(2, 7), 1},
		"keys and values": {words(27, 1, 27, 1, 2, 5), words(2, 7), 2},
		"between numbers": {words(28, 3, 2, 7), words(2, 8), 1},
	} {
		t.Run(name, func(t *testing.T) {
			data := cat(bytes.Repeat(nest.before, deep/nest.levels), words(0), bytes.Repeat(nest.after, deep/nest.levels))
			d := openFile(t, write(t, data), decoder.Options{Dialect: "godot4", Framing: "raw"})
			b := d.Innermost()
			read := 0
			b.Tree().Reading = counting{b.Tree().Reading, &read}
			x := New(b)
			x.SetHeight(40)
			if err := b.Index(context.Background()); err != nil {
				t.Fatal(err)
			}
			x.Indexed()
			most := deep * 3
			do := func(what string, f func() error) {
				t.Helper()
				if read = 0; f() != nil {
					t.Errorf("%s failed", what)
				}
				x.Rows(200)
				x.Describe(200)
				if read > most {
					t.Errorf("%s reads %d values of %d", what, read, deep)
				}
			}
			size := b.Size()
			do("the end", x.Last)
			most = deep * 21 / 10 // once, and once more where the innermost values end
			do("the middle", func() error { return x.GoTo(size / 2) })
			do("three quarters", func() error { return x.GoTo(size * 3 / 4) })
			most = deep / 3
			for range 3 {
				do("a row up", func() error { return x.MoveRows(-1) })
				do("a byte on", func() error { return x.MoveBytes(1) })
				do("some bytes back", func() error { return x.MoveBytes(-40) })
			}
			x.ToRows()
			do("rows", func() error { return x.MoveRows(40) })
		})
	}
}

// TestFirstFrame: what is shown first of a large value looks for its end once, not in each row and pane.
func TestFirstFrame(t *testing.T) {
	const once = 16 * source.MaxView // as many bytes take up a look-up's budget
	element := `{"name": "rope", "hp": 100},`
	data := "[" + strings.Repeat(element, 8*once/len(element)) + "{}]"
	b := openFile(t, write(t, []byte(data)), decoder.Options{}).Innermost()
	src := &sourcetest.Counted{Source: b.Tree().Source}
	b.Tree().Source = src
	x := New(b)
	x.SetHeight(24)
	for range 2 {
		x.Rows(80)
		x.Describe(80)
		x.Selected()
	}
	if src.Bytes < once || src.Bytes > 2*once {
		t.Errorf("the first frame reads %d bytes", src.Bytes)
	}
}

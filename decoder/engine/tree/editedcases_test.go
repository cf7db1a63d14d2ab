package tree_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// TestEditedSmall: a small buffer is read as a whole at once.
func TestEditedSmall(t *testing.T) {
	data := words(28, 2, 2, 7, 2, 8)
	tr := open(t, "godot4", godot.Raw, data)
	src := source.Memory(data)
	splices := []source.Splice{source.Put(4, 4, words(3))}
	var codes []string
	e, read := tr.Edited(src.Splice(splices), splices, func(p span.Problem) { codes = append(codes, p.Code) })
	if _, done := e.Indexed(); !done || !slices.Equal(codes, []string{span.Truncated}) || !slices.Equal(read, []span.Span{span.Between(0, 25)}) {
		t.Errorf("%v %v", codes, read)
	}
}

// TestEditedRegion: the part of a buffer that is read grows with bytes inserted at its ends, and moves with
// those inserted before.
func TestEditedRegion(t *testing.T) {
	d, _ := godot.ByName("godot4")
	data := append(append([]byte("head"), words(4, 0, 4, 0)...), "tail"...)
	tr := tree.New(source.Bytes(data), godot.New(godot.Settings{Dialect: d, Framing: godot.Stream}), span.Between(4, 20))
	for _, c := range []struct {
		at, n int64
		put   []byte
		want  span.Span
	}{
		{0, 4, nil, span.Between(0, 16)},
		{2, 0, []byte("ad"), span.Between(6, 22)},
		{4, 0, words(4, 0), span.Between(4, 28)},
		{20, 0, words(4, 0), span.Between(4, 28)},
		{12, 8, nil, span.Between(4, 12)},
		{20, 4, nil, span.Between(4, 20)},
		{0, 24, nil, span.Between(0, 0)},
	} {
		splices := []source.Splice{source.Put(c.at, c.n, c.put)}
		e, _ := tr.Edited(source.Memory(data).Splice(splices), splices, func(span.Problem) {})
		if e.Region != c.want {
			t.Errorf("%d bytes at %d for %d: %v, not %v", len(c.put), c.at, c.n, e.Region, c.want)
		}
	}
}

// TestBuildIndexGoesOn: a call continues where an earlier one stopped, and together they report the same as
// one that passes everything.
func TestBuildIndexGoesOn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 25))
	data := godotBuffer(t, r, "godot4", godot.Stream)
	data = bytes.Repeat(data, 100) // with objects, which have problems
	d := newDocument(data, 30, 0, 0, godotFormat("godot4", godot.Stream))
	want := d.known
	ended := 0
	for most := 0; most < len(want); most += 1 + len(want)/20 {
		d.known = nil
		tr := d.fresh()
		ctx, cancel := context.WithCancel(context.Background())
		tr.CheckRest(ctx, tree.CheckOptions{Workers: 1 + most%2}, func(p span.Problem, _ *tree.Node) {
			if d.known = append(d.known, p); len(d.known) > most {
				cancel()
			}
		})
		if _, done := tr.Checked(); !done {
			ended++
			d.finish(tr)
		}
		cancel()
		if !slices.Equal(d.known, want) {
			t.Fatalf("ended after %d problems: %d, not %d", most, len(d.known), len(want))
		}
	}
	if ended < 10 {
		t.Errorf("ended %d times before the end", ended)
	}
}

// TestEditedBeside: a tree can be indexed and read while another is made from it.
func TestEditedBeside(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 26))
	d := newDocument(godotBuffer(t, r, "godot4", godot.Raw), 30, 1<<20, 0, godotFormat("godot4", godot.Raw))
	for range 20 {
		tr := d.fresh()
		done := make(chan error)
		go func() { done <- tr.BuildIndex(context.Background()) }()
		splices := []source.Splice{source.Put(r.Int64N(d.content.Size()), 0, words(0))}
		e, _ := tr.EditedWithin(d.content.Splice(splices), splices, 1<<20, 0, func(span.Problem) {})
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		f, region := d.format(d.bytes)
		fresh := tree.New(e.Source, f, span.Between(region.Offset, e.Source.Size()))
		if err := e.CheckPoints(fresh); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEditedThroughout: of an edit that rewrites more than Edited may read again, it reads next to nothing, and what it leaves is
// read when it is asked for.
func TestEditedThroughout(t *testing.T) {
	const values = 1 << 20
	data := append(words(28, values), bytes.Repeat(words(2, 7), values)...)
	tr := open(t, "godot4", godot.Raw, data)
	if err := tr.BuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	splices := []source.Splice{source.Put(8, int64(len(data))-8, bytes.Repeat(words(2, 9), values))}
	counted := &countedReads{Source: source.Memory(data).Splice(splices)}
	e, _ := tr.Edited(counted, splices, func(p span.Problem) { t.Errorf("reported: %v", p) })
	if counted.n > 1<<16 {
		t.Errorf("%d bytes were read", counted.n)
	}
	n, err := e.NewReader().Resolve(fmt.Sprintf("$[%d]", values-1))
	if err != nil || n.Start != int64(len(data))-8 {
		t.Errorf("the last value is %v, %v", n, err)
	}
}

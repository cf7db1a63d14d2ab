package tree_test

import (
	"context"
	"errors"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A met is a value met in a full walk.
type met struct {
	*tree.Node
	tail, end int64
	path      string
}

// An owned field is a field with the position of its owner in the walk.
type owned struct {
	span.Field
	owner int
}

// A walk is a whole tree: values in file order, and fields.
type walk struct {
	values []met
	fields []owned
	root   *plain
}

// walkAll passes over the whole tree, whose fields must tile it.
func walkAll(t testing.TB, tr *tree.Tree) walk {
	s := tr.Scanner()
	s.Elements = true
	paths := tree.NewPather(tr, s)
	base := tr.Base
	w := walk{root: &plain{name: tr.Reading.TypeName(&base.Value), start: base.Start}}
	w.values = []met{{base, tree.Unknown, base.End, "$"}}
	var fields []span.Field
	at := int64(0)
	own := func(owner int) {
		for _, f := range fields {
			if f.Length <= 0 || f.Offset != at {
				t.Fatalf("field %+v at %d", f, at)
			}
			at = f.End()
			w.fields = append(w.fields, owned{f, owner})
		}
	}
	fields = tr.Reading.Fields(s.Window(), nil, &base.Value, fields)
	own(0)
	open, plains := []int{0}, []*plain{w.root}
	var key *plain
	err := s.Run(context.Background(), func(ev tree.Event) bool {
		fields = s.AppendFields(fields[:0], ev)
		paths.Step(ev)
		v := s.Value()
		if ev == tree.Leave {
			last := len(open) - 1
			m, p := &w.values[open[last]], plains[last]
			m.tail, m.end, p.end = v.Tail, v.End, v.End
			if string(paths.Path(ev)) != m.path {
				t.Fatalf("left as %s, entered as %s", paths.Path(ev), m.path)
			}
			own(open[last])
			open, plains = open[:last], plains[:last]
			return true
		}
		n := s.Current(ev)
		w.values = append(w.values, met{n, v.Tail, v.End, string(paths.Path(ev))})
		own(len(w.values) - 1)
		p := &plain{name: tr.Reading.TypeName(v), start: v.Start, end: v.End}
		parent := plains[len(plains)-1]
		if n.Slot.Key {
			key = p
		} else {
			if s.KeyAt() != tree.Unknown {
				p.key, key = parent.nextKey(key), nil
			}
			parent.children = append(parent.children, p)
		}
		if ev == tree.Enter {
			if n.Slot.Key {
				parent.keyOpen = p
				key = nil
			}
			open, plains = append(open, len(w.values)-1), append(plains, p)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if at != tr.Source.Size() {
		t.Fatalf("fields end at %d of %d", at, tr.Source.Size())
	}
	return w
}

// nextKey returns the key that belongs to the next value of p: the one just passed, or the one with
// children that was entered and left.
func (p *plain) nextKey(passed *plain) *plain {
	if passed == nil {
		passed = p.keyOpen
	}
	p.keyOpen = nil
	return passed
}

// holds checks that a reader finds the values of the walk.
func (w *walk) holds(t testing.TB, tr *tree.Tree) {
	r := tr.NewReader()
	for i := range w.values {
		w.findable(t, r, i)
	}
	for _, f := range w.fields {
		for _, off := range []int64{f.Offset, f.End() - 1} {
			n, err := r.At(off)
			if err != nil || !n.Same(w.values[f.owner].Node) {
				t.Fatalf("at %d: %v %v, not %s", off, describe(n), err, describe(w.values[f.owner].Node))
			}
		}
	}
	for i := 0; i < len(w.fields); i += 1 + len(w.fields)/20 {
		w.visible(t, r, w.fields[i].End()-1, w.fields[i].End()+30)
	}
}

// visible checks the fields that have bytes in [from, to).
func (w *walk) visible(t testing.TB, r *tree.Reader, from, to int64) {
	var got []span.Field
	if err := r.EachFieldIn(from, to, func(f span.Field, _ bool) { got = append(got, f) }); err != nil {
		t.Fatalf("%d–%d: %v", from, to, err)
	}
	for _, f := range w.fields {
		if f.End() <= from || f.Offset >= to {
			continue
		}
		if len(got) == 0 || got[0] != f.Field {
			t.Fatalf("%d–%d: %v, not %v", from, to, got, f.Field)
		}
		got = got[1:]
	}
	if len(got) > 0 {
		t.Fatalf("%d–%d: also %v", from, to, got)
	}
}

func describe(n *tree.Node) any {
	if n == nil {
		return "nothing"
	}
	return []any{n.Start, n.Body, n.Tail, n.End, n.Depth, n.Slot}
}

// findable checks all ways that lead to the i-th value or from it.
func (w *walk) findable(t testing.TB, r *tree.Reader, i int) {
	m := w.values[i]
	done, err := r.Finish(m.Node)
	if err != nil || done.Tail != m.tail || done.End != m.end || done.Serial != m.Serial {
		t.Fatalf("%s: finish %v %v, not %d %d", m.path, describe(done), err, m.tail, m.end)
	}
	if last, err := r.LastChild(m.Node); m.Layout != tree.Leaf && !m.Opaque && !(m.Layout == tree.Fixed && m.Stride == 0) {
		if want := w.last(i); want == nil && !errors.Is(err, tree.ErrNoChild) || want != nil && (err != nil || !last.Same(want)) {
			t.Fatalf("%s: last child %v %v, not %v", m.path, describe(last), err, describe(want))
		}
	}
	if m.Parent == nil {
		return
	}
	if m.Slot.Key {
		if v, err := r.Child(m.Parent, m.Slot.Index); err == nil && !r.Key(v).Same(m.Node) {
			t.Fatalf("%s: no key of its value", m.path)
		}
	} else if c, err := r.Child(m.Parent, m.Slot.Index); err != nil || !c.Same(m.Node) || c.KeyAt != m.KeyAt || c.Serial != m.Serial {
		t.Fatalf("%s: child %v %v, not %v", m.path, describe(c), err, describe(m.Node))
	}
	if p := r.Path(m.Node); p != m.path {
		t.Fatalf("path %s, not %s", p, m.path)
	}
	if n, err := r.Resolve(m.path); err != nil || !n.Same(m.Node) {
		t.Fatalf("%s: resolved to %v %v, not %v", m.path, describe(n), err, describe(m.Node))
	}
	if m.Numbered && m.Serial != tree.NoSerial {
		if n, err := r.Numbered(m.Serial); err != nil || !n.Same(m.Node) {
			t.Fatalf("%s: number %d is %v %v, not %v", m.path, m.Serial, describe(n), err, describe(m.Node))
		}
	}
	next, err := r.Next(m.Node)
	if want := w.following(i); want == nil && !errors.Is(err, tree.ErrNoChild) || want != nil && (err != nil || !next.Same(want) || next.Serial != want.Serial) {
		t.Fatalf("%s: next %v %v, not %v", m.path, describe(next), err, describe(want))
	}
}

// last returns the last child of the i-th value.
func (w *walk) last(i int) (last *tree.Node) {
	m := w.values[i]
	for _, n := range w.values[i+1:] {
		if n.Depth <= m.Depth {
			break
		}
		if n.Depth == m.Depth+1 && !n.Slot.Key {
			last = n.Node
		}
	}
	return last
}

// following returns the value after the i-th in their parent.
func (w *walk) following(i int) *tree.Node {
	m := w.values[i]
	slot := tree.Slot{Index: m.Slot.Index + 1}
	if m.Slot.Key {
		slot.Index--
	}
	for _, n := range w.values[i+1:] {
		if n.Depth < m.Depth {
			break
		}
		if n.Depth == m.Depth && n.Slot == slot {
			return n.Node
		}
	}
	return nil
}

// consistent checks everything about a tree: without an index, with only the places of frames, and with an
// index.
func consistent(t testing.TB, data []byte, f func() tree.Reading, region span.Span) walk {
	tr := tree.New(source.Bytes(data), f(), region)
	w := walkAll(t, tr)
	if len(w.values) > 1000 {
		return w // the rest is quadratic
	}
	w.holds(t, tr)
	for _, known := range []struct {
		perNode int64
		find    func(*tree.Tree, context.Context) error
	}{{0, (*tree.Tree).HopFrames}, {0, (*tree.Tree).BuildIndex}, {64, (*tree.Tree).BuildIndex}} {
		tr := tree.New(source.Bytes(data), f(), region)
		tr.SetSpacing(12, known.perNode)
		if err := known.find(tr, context.Background()); err != nil {
			t.Fatal(err)
		}
		again := walkAll(t, tr) // its values belong to this tree
		w.same(t, again)
		again.holds(t, tr)
	}
	return w
}

// same checks that another walk over the same bytes finds the same values.
func (w *walk) same(t testing.TB, other walk) {
	if len(w.values) != len(other.values) {
		t.Fatalf("%d values, then %d", len(w.values), len(other.values))
	}
	for i, m := range w.values {
		n := other.values[i]
		if m.path != n.path || m.tail != n.tail || m.end != n.end || m.Serial != n.Serial || !m.Same(n.Node) {
			t.Fatalf("%s %v, then %s %v", m.path, describe(m.Node), n.path, describe(n.Node))
		}
	}
}

package kaitai

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/change"
	"varview/decoder/formats/kaitai/read"
)

// An embedded is a value of another format, which that format reads as a tree.
type embedded struct {
	name string // of the type
	read *tree.Reader
	top  *tree.Node
	size int64 // of the region that it is in

	isHere bool                      // its bytes are in the buffer, not unpacked from it
	pack   func(plain []byte) []byte // returns the bytes from which others would be unpacked; nil where none are
}

// End implements read.Foreign.
func (e *embedded) End() int64 { return e.top.End }

// Whole implements read.Foreign.
func (e *embedded) Whole() int64 { return e.size }

// openForeign implements read.ForeignReader.
func (d *description) openForeign(name string, in *read.Buffer, region span.Span, isWhole bool) (read.Foreign, error) {
	var t *tree.Tree
	var pack func([]byte) []byte
	if d.embed != nil {
		t, pack = d.embed(name, in.Source(), region, isWhole)
	}
	if t == nil {
		return nil, fmt.Errorf("the type %s is not defined in any description", name)
	}
	e := &embedded{name: name, size: region.Length, read: t.NewReader(), isHere: in.IsFile() && t.Region == region && pack == nil, pack: pack}
	top, err := e.read.Child(t.Base, 0)
	if err == nil {
		e.top, err = e.read.Finish(top)
	}
	if err != nil {
		return nil, &read.Problem{Code: span.Truncated, Text: "no bytes are left for " + name, At: region}
	}
	return e, nil
}

// child returns the child of a node in a slot, or its key.
func (e *embedded) child(of *node, at tree.Slot) *node {
	n := &node{owner: of.owner, index: -1, kind: of.kind, embedded: e, cell: &read.Cell{State: read.Ready, Buf: of.cell.Buf}}
	c, err := e.read.Child(of.inner, at.Index)
	if err == nil && at.Key {
		c = e.read.Key(c)
	}
	if err == nil && c != nil {
		c, err = e.read.Finish(c)
	}
	if err != nil || c == nil {
		n.cell.Bad = &read.Problem{Code: span.Truncated, Text: "there is no such value in " + e.name}
		return n
	}
	n.inner = c
	return n
}

// fillInner sets what the tree knows of a value of another format. The value has no bytes in the tree if
// the file has them in another form.
func (r *reading) fillInner(n *node, v *tree.Value) {
	v.Object = n
	if n.inner == nil {
		v.Break(v.Head, r.problem(n.cell.Bad, v))
		return
	}
	x, count := n.inner.Value, n.embedded.read.Count(n.inner)
	if !n.inFile || !n.embedded.isHere {
		at := v.End
		if n.inner != n.embedded.top || !n.inFile {
			at = v.Head
		}
		if v.Close(at); count > 0 {
			v.Layout = max(x.Layout, tree.Sequence) // its parts have no sizes
			v.Contain(v.Layout, count, 0)
			v.Body, v.Fenced, v.End, v.Limit = at, true, at, at
		}
		return
	}
	at, end := v.Start, v.End
	*v = x
	v.Object, v.Type, v.Numbered, v.Refers, v.Marked, v.Open = n, valueType, false, false, false, false
	v.Start = at
	if n.inner == n.embedded.top {
		v.End = max(x.End, end)
		if v.Layout < tree.Sequence && n.terminator().Length > 0 {
			v.Tail = v.End
		}
	}
	if v.Layout >= tree.Sequence {
		v.Footed = x.HasFoot() || x.Tail < v.End
		v.Count, v.Fenced, v.Tail = count, true, tree.Unknown
	}
	v.Limit = max(v.Limit, v.End)
}

// terminator returns what follows a value of another format in the bytes of its attribute, if nothing is
// left over before it.
func (n *node) terminator() (s span.Span) {
	if c := n.cell; n.inner == n.embedded.top && n.inner.End == c.Tail {
		s = span.Between(c.Tail, c.End)
	}
	return s
}

func (e *embedded) fields(n *node, fields []span.Field) []span.Field {
	fields = e.read.Tree.Reading.Fields(e.read.Window(), &n.inner.Parent.Value, &n.inner.Value, fields)
	if n.inner.Layout < tree.Sequence {
		fields = n.appendTerminator(fields)
	}
	return fields
}

func (e *embedded) footFields(n *node, fields []span.Field) []span.Field {
	if f, ok := e.read.Tree.Reading.(tree.Footer); ok && n.inner.HasFoot() {
		fields = f.FootFields(e.read.Window(), &n.inner.Value, fields)
	}
	return n.appendTerminator(fields)
}

func (n *node) appendTerminator(fields []span.Field) []span.Field {
	if s := n.terminator(); s.Length > 0 {
		fields = append(fields, span.Field{Span: s, Kind: span.Terminator, Label: "terminator"})
	}
	return fields
}

func (e *embedded) describe(n *node) tree.Scalar {
	s := e.read.Plain(&n.inner.Value)
	if s.Kind == tree.Bytes && n.inner.Layout != tree.Leaf || s.Kind == tree.Text || !n.inFile || !e.isHere {
		s.Kind, s.Span, s.Note = tree.Bytes, span.Span{Offset: n.inner.Head}, string(e.read.AppendLiteral(nil, &n.inner.Value, 1<<10))
	}
	if d, ok := e.read.Tree.Reading.(tree.Describer); ok && n.inFile && e.isHere {
		return d.Describe(e.read.Window(), &n.inner.Value)
	}
	return s
}

// step returns the path step to a child.
func (e *embedded) step(dst []byte, of *node, at tree.Slot) []byte {
	if c := e.child(of, at); c.inner != nil {
		return append(dst, e.read.Step(c.inner)...)
	}
	return tree.AppendIndexStep(dst, at.Index)
}

// inspect reports the problems of a value other than its damage.
func (e *embedded) inspect(n *node, report func(span.Problem)) {
	if !n.inFile || !e.isHere { // its problems are those of the bytes that it is read from
		if n.inner == e.top {
			e.reportFirst(span.Between(n.cell.Start, n.cell.End), report)
		}
		return
	}
	e.read.Tree.Inspect(e.read.Window(), &n.inner.Parent.Value, n.inner.Slot, &n.inner.Value, report)
}

// reportFirst reports the first error in the value at other bytes.
func (e *embedded) reportFirst(at span.Span, report func(span.Problem)) {
	isFirst := true
	e.read.Tree.Check(context.Background(), tree.CheckOptions{Workers: 1}, func(p span.Problem, _ *tree.Node) {
		if isFirst && p.Severity == span.Error {
			isFirst, p.Span, p.Repair = false, at, ""
			report(p)
		}
	})
}

var _ tree.Keyed = (*reading)(nil)

// KeyIdentity implements tree.Keyed, for values of other formats.
func (r *reading) KeyIdentity(key *tree.Value, b []byte) []byte {
	defer r.lock()()
	n := r.nodeOf(key)
	if k, ok := n.embedded.read.Tree.Reading.(tree.Keyed); ok {
		return k.KeyIdentity(&n.inner.Value, b)
	}
	return b
}

// RepeatedKey implements tree.Keyed, for values of other formats.
func (r *reading) RepeatedKey(_ *source.Window, key *tree.Value) span.Problem {
	defer r.lock()()
	n := r.nodeOf(key)
	if k, ok := n.embedded.read.Tree.Reading.(tree.Keyed); ok {
		return k.RepeatedKey(n.embedded.read.Window(), &n.inner.Value)
	}
	return span.Problem{Span: key.Span(), Severity: span.Warning, Code: span.RepeatedKey, Message: "the key repeats an earlier one"}
}

// embedded writes a value as its own format does.
func (w *writer) embedded(e *embedded, n *tree.Node) {
	if w.Limited() {
		w.Dst = e.read.AppendLiteral(w.Dst, &n.Value, 1<<10)
		return
	}
	write := e.read.WriteText
	if w.isJSON {
		write = e.read.WriteJSON
	}
	var out bytes.Buffer // errors are those of the source, which the file's own reader reports
	write(context.Background(), &out, &n.Value)
	w.Dst = append(w.Dst, bytes.TrimRight(out.Bytes(), "\n")...)
}

// An innerEditor edits a value of another format.
type innerEditor struct {
	edit.Editor
	read *tree.Reader
	node *tree.Node
	top  *node // the attribute or element whose bytes that format reads
}

// editorOf returns the editor of a value that another format reads.
func (r *reading) editorOf(n *tree.Node) (e innerEditor, ok bool) {
	defer r.lock()()
	x := r.nodeOf(&n.Value)
	if x == nil || x.inner == nil {
		return e, false
	}
	e.node, e.read = x.inner, x.embedded.read.Tree.NewReader()
	for e.top = x; e.top.attr == nil && e.top.up != nil; {
		e.top = e.top.up
	}
	e.Editor, ok = x.embedded.read.Tree.Reading.(edit.Editor)
	return e, ok && e.top.attr != nil && e.top.cell.Type != nil
}

// within makes an edit of a value of another format, whose splices are given, an edit of the file that is described: sizes,
// and all that is kept equal to something, follow.
func (r *reading) within(e innerEditor, splices []source.Splice, err error, o edit.Options) ([]source.Splice, error) {
	switch {
	case o.Together != nil:
		return nil, edit.ErrAlone
	case err != nil || len(splices) == 0:
		return nil, err
	}
	by := int64(0)
	for _, s := range splices {
		by += s.Added() - s.Length
	}
	c, x := e.top.cell, e.top.embedded
	if by == 0 && !r.follows && x.isHere && c.Buf.IsFile() {
		if isKept, err := r.inPlace(e.top, splices, o); !isKept {
			return splices, err
		}
	}
	src := source.Whole(e.read.Tree.Source).Splice(splices)
	at := span.Between(c.Body, c.Tail+by)
	if x.pack != nil || e.top.attr.Process != nil { // all that is unpacked
		at = span.Span{Length: src.Size()}
	}
	data := make([]byte, at.Length)
	if _, err := src.ReadAt(data, at.Offset); err != nil {
		return nil, err
	}
	if x.pack != nil {
		data = x.pack(data)
	}
	defer r.lock()()
	return r.changed(e.top, o, func(f *change.File, v change.Value) error { return f.Replace(v, data) })
}

// inPlace reports whether a checksum is to follow an edit of a value of another format after which all is where it was.
func (r *reading) inPlace(n *node, splices []source.Splice, o edit.Options) (isKept bool, err error) {
	if o.Outcome != nil && r.streams.hasInstances {
		o.Outcome.Steers = true
	}
	return r.stale(read.Place{Of: n.owner, Attr: n.attr, Index: n.index}, splices, o)
}

// plain returns content as a literal: the other format does not know values of this tree.
func plain(ctx context.Context, c edit.Content) (edit.Content, error) {
	if c.Copy == nil {
		return c, nil
	}
	var text bytes.Buffer
	err := c.From.WriteText(ctx, &text, &c.Copy.Value)
	return edit.Content{Key: c.Key, Literal: text.String()}, err
}

// Types implements edit.Editor.
func (r *reading) Types(_ *tree.Reader, n *tree.Node) []string {
	if e, ok := r.editorOf(n); ok {
		return e.Types(e.read, e.node)
	}
	return nil
}

// Retyped implements edit.Editor.
func (r *reading) Retyped(ctx context.Context, _ *tree.Reader, n *tree.Node, name string) (string, error) {
	if e, ok := r.editorOf(n); ok {
		return e.Retyped(ctx, e.read, e.node, name)
	}
	return "", errors.New("the description says what type a value has")
}

package kaitai

import (
	"cmp"
	"fmt"
	"sync"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/change"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
)

// A reading reads one buffer.
type reading struct {
	*description
	mu       sync.Mutex
	region   span.Span
	doc      *read.Doc
	all      []piece        // all instances in the file; nil before they are looked for
	last     *survey        // of the stream that was looked at last
	surveyed *read.Struct   // whose stream that is; nil before that
	sums     change.Sums    // as they were looked for in the file before an edit
	clean    map[place]bool // instances without problems in them that are not in the tree where they lie
}

var _ interface {
	tree.Reopener
	tree.JSONWriter
	tree.Looker
	tree.Texter
	tree.Described
	edit.ByteEditor
	edit.Repairer
} = (*reading)(nil)

func newReading(d *description, src source.Source, region span.Span) *reading {
	return &reading{description: d, region: region, clean: map[place]bool{}, sums: change.Sums{}, doc: d.in.open(d.t, src, region, d.openForeign)}
}

func (r *reading) lock() (unlock func()) {
	r.mu.Lock()
	return r.mu.Unlock
}

// Numbers of types in tree.Value.
const (
	bufferType = iota + 1
	valueType
	partType // of an element: see plan
)

// nodeOf returns what the reading keeps of a value.
func (r *reading) nodeOf(v *tree.Value) *node {
	n, _ := v.Object.(*node)
	if v.Type == partType {
		return r.nodeOfPart(v)
	}
	return r.own(n)
}

// own returns the node of this reading in the place of a node of an earlier reading.
func (r *reading) own(n *node) *node {
	if n == nil || n.up == nil || n.of == r {
		return n
	}
	up := r.own(n.up)
	if up.kind == whole && up.object() == nil {
		return r.wholeNode()
	}
	if up.cell.Bad == nil && r.has(up, n.at.Index) {
		return r.child(up, n.at)
	}
	return r.lost(n)
}

// lost returns the node in the place of a value that there is no more.
func (r *reading) lost(n *node) *node {
	return &node{of: r, up: r.wholeNode(), at: n.at, owner: r.doc.Root, attr: n.attr, index: n.index, kind: n.kind, cell: &read.Cell{Buf: r.doc.Root.IO.Buf}}
}

// base is the node of the buffer.
var base = &node{kind: whole, cell: &read.Cell{}}

// wholeNode returns the node of the value in the buffer.
func (r *reading) wholeNode() *node {
	n := &node{of: r, up: base, kind: whole, inFile: true, index: -1}
	from, to := r.region.Offset, r.region.End()
	n.cell = &read.Cell{State: read.Ready, Val: expr.Value{Kind: expr.Struct, Ref: r.doc.Root}, Buf: r.doc.Root.IO.Buf, Start: from, Body: from, Tail: to, End: to}
	return n
}

// Reopen implements tree.Reopener. What is known of bytes that the edit leaves alone is kept.
func (r *reading) Reopen(src source.Source, region span.Span, splices []source.Splice) tree.Reading {
	again := newReading(r.description, src, region)
	defer r.lock()()
	again.doc.Recall(r.doc.Memory(splices, true))
	return again
}

// Root implements tree.Reading: the buffer holds one value.
func (r *reading) Root(size int64, region span.Span) tree.Value {
	v := tree.Value{Body: region.Offset, Limit: region.End(), Type: bufferType, Fenced: true, Object: base}
	v.Contain(tree.Sequence, 1, 0)
	v.End = size
	return v
}

// Read implements tree.Reading.
func (r *reading) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	*v = tree.Value{Start: off, Head: off, Body: off, Limit: parent.Limit, Type: valueType}
	if parent.Type == partType && r.readPart(w, parent, slot, v) {
		return
	}
	defer r.lock()()
	p := r.nodeOf(parent)
	switch {
	case parent.Type == bufferType:
		r.fill(r.wholeNode(), v)
	case !r.readElement(p, slot.Index, v):
		r.readNode(p, slot, v)
	}
}

// readNode reads a value of which the reading keeps a node.
func (r *reading) readNode(p *node, slot tree.Slot, v *tree.Value) {
	n := r.child(p, slot)
	if p.inner != nil {
		n.inFile = p.inFile && p.embedded.isHere
		r.fillInner(n, v)
		return
	}
	n.inFile = p.inFile && n.kind <= instance && (n.kind == attribute || n.steps != "" || p.array() != nil) && hasBytes(n.cell, v)
	if n.inFile && n.array() != nil {
		n.plan = r.plans[n.attr]
	}
	if r.fill(n, v); n.inner != nil && !n.isReference() {
		r.fillInner(n, v)
	}
}

// hasBytes reports whether a cell has bytes of the file where a value may have them.
func hasBytes(c *read.Cell, v *tree.Value) bool {
	return c.Buf != nil && c.Buf.IsFile() && c.Type != nil && c.Start >= v.Start && c.End <= v.Limit && c.State != read.Absent
}

// fill sets what the tree knows of a value.
func (r *reading) fill(n *node, v *tree.Value) {
	v.Object = n
	c := n.cell
	if n.inFile {
		v.Head = c.Start
	}
	s, a := n.object(), n.array()
	v.Body = v.Head
	if s != nil && n.inFile && !s.IO.Buf.IsFile() {
		v.Body = c.End
	}
	switch {
	case c.Bad != nil && n.inFile: // its end is known
		v.Close(c.End)
	case c.Bad != nil:
		v.Close(v.Head)
		v.Damage = r.problem(c.Bad, v)
	case s == nil && a == nil || n.isReference() && !r.isFirst(n):
		if v.Close(v.Head); n.array() != nil {
			v.Count = r.count(n)
		}
		if n.inFile {
			v.Close(c.End)
			if p := r.failure(n); p != nil {
				v.Break(v.Head, r.problem(p, v))
			}
		}
	default:
		count, isAll := r.found(n)
		if v.Marked = !isAll; v.Marked {
			count = tree.Unknown
		}
		v.Contain(tree.Sequence, count, 0)
		switch {
		case !n.inFile:
			v.Fenced, v.End, v.Limit = true, v.Head, v.Head
		case s != nil && s.Owns:
			v.Fenced, v.Footed, v.End, v.Limit = true, true, c.End, c.End
		}
	}
}

// Pass implements tree.Passer for the elements of arrays whose sizes their bytes say.
func (r *reading) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	if parent.Type == partType {
		partOf(parent).pass(parent, s)
		return
	}
	defer r.lock()()
	n := r.nodeOf(parent)
	if n == nil || n.array() == nil || !n.inFile || s.Levels < passedLevels {
		return
	}
	stop := read.PassUpTo{Until: s.Until, Enough: s.Enough, Largest: s.Until, Counting: !s.SizesOnly}
	if s.Tally != nil {
		stop.Largest = tree.LargeFrom - 1 // larger values are compared
	}
	s.Next.Index, s.Pos = n.array().Pass(s.Ahead(w), s.Next.Index, s.Pos, stop)
}

// passedLevels is the largest number of levels in elements that are passed at once.
const passedLevels = read.MeasureDepth + 2

// ChildAt implements tree.Described for the elements of arrays.
func (r *reading) ChildAt(v *tree.Value, i int64) (int64, bool) {
	if p := partOf(v); p != nil {
		return v.Body + i*p.each, p.kind == listPart && i < v.Count
	}
	defer r.lock()()
	n := r.nodeOf(v)
	a := n.array()
	if a == nil {
		return 0, false
	}
	if found, _ := a.Found(); i >= found {
		return 0, false
	}
	if !n.inFile {
		return v.Head, true
	}
	c := a.Cell(i)
	return c.Start, c.Bad == nil && c.Buf != nil
}

// HasChild implements tree.Marker, for values whose children are not all found.
func (r *reading) HasChild(_ *source.Window, v *tree.Value, slot tree.Slot, _ int64) bool {
	defer r.lock()()
	return r.has(r.nodeOf(v), slot.Index)
}

// failure returns why the attribute of a node could not be read, nil if it could.
func (r *reading) failure(n *node) *read.Problem {
	if s := n.owner; s != nil && s.Bad != nil && n.kind == attribute && n.index < 0 && len(s.Cells) > 0 && n.attr == s.Type.Seq[len(s.Cells)-1] {
		return s.Bad
	}
	return nil
}

// problem returns a problem as the tree reports it, in the bytes of v.
func (r *reading) problem(p *read.Problem, v *tree.Value) *span.Problem {
	at := p.At
	if p.In == nil || !p.In.IsFile() {
		at = span.Between(v.Head, max(v.Head, v.Body))
	}
	text := p.Text
	if p.Where.File != "" {
		text = fmt.Sprintf("%s (%v)", text, p.Where)
	}
	return &span.Problem{Span: at, Severity: span.Error, Code: p.Code, Message: text, Repair: p.Repair}
}

// Fields implements tree.Reading.
func (r *reading) Fields(_ *source.Window, _, v *tree.Value, fields []span.Field) []span.Field {
	put := func(from, to int64, kind span.Kind, label string) {
		if to > from {
			fields = append(fields, span.Field{Span: span.Between(from, to), Kind: kind, Label: label})
		}
	}
	if p := partOf(v); p != nil {
		return p.fields(v, fields)
	}
	defer r.lock()()
	if v.Type == bufferType {
		put(v.Start, v.Body, span.Gap, "gap")
		return fields
	}
	n := r.nodeOf(v)
	c := n.cell
	if n.inner != nil && n.inFile && n.embedded.isHere {
		put(v.Start, n.inner.Start, span.Gap, "gap")
		return n.embedded.fields(n, fields)
	}
	put(v.Start, v.Head, span.Gap, "gap")
	switch {
	case n.inner != nil && n.inFile:
		put(v.Head, c.End, span.Data, n.embedded.name)
	case v.Damage != nil || !n.inFile:
	case v.Layout == tree.Leaf:
		kind := kindOf(n.attr, c.Type)
		put(c.Start, min(c.Tail, c.End), kind, labelOf(kind))
		if at := c.Tail; at < c.End {
			r.putRest(n, at, put)
		}
	case v.Body > v.Head:
		put(v.Head, v.Body, span.Data, n.attr.Process.Name)
	}
	return fields
}

// labelOf names the bytes of a value.
func labelOf(k span.Kind) string { return cmp.Or(labels[k], "value") }

var labels = map[span.Kind]string{span.Magic: "contents", span.Text: "text", span.Data: "bytes"}

// putRest lists what follows the value in the bytes of its attribute.
func (r *reading) putRest(n *node, at int64, put func(from, to int64, kind span.Kind, label string)) {
	c, term := n.cell, int64(len(n.attr.EndOf(n.cell.Type)))
	if term > 0 && at+term <= c.End && !n.attr.Include {
		put(at, at+term, span.Terminator, "terminator")
		at += term
	}
	put(at, c.End, span.Padding, "padding")
}

// AppendField implements tree.Reading.
func (r *reading) AppendField(dst []byte, w *source.Window, v *tree.Value, f span.Field) []byte {
	if p := partOf(v); p.isPlainNumber() {
		s := scalarOf(p.number(w, v))
		return s.AppendNumber(dst)
	}
	defer r.lock()()
	n := r.nodeOf(v)
	if n != nil && n.inner != nil && n.inFile && n.embedded.isHere && f.Kind != span.Gap {
		return n.embedded.read.Tree.Reading.AppendField(dst, w, &n.inner.Value, f)
	}
	if b := w.View(f.Offset, min(f.Length, maxLooked)); f.Kind == span.Magic && int64(len(b)) == f.Length && isText(b) {
		return append(dst, b...)
	}
	if n == nil || f.Kind == span.Gap || f.Kind == span.Data || f.Kind == span.Padding || f.Kind == span.Terminator || f.Kind == span.Magic {
		return tree.AppendData(dst, w, f.Span)
	}
	if f.Kind == span.Text {
		if v, err := n.cell.Value(n.attr); err == nil {
			text := v.Text()
			return append(dst, text[:min(len(text), 1<<10)]...)
		}
	}
	return r.appendLiteral(dst, n, 1<<10)
}

// TypeName implements tree.Reading.
func (r *reading) TypeName(v *tree.Value) string {
	if p := partOf(v); p != nil {
		return p.typeName()
	}
	defer r.lock()()
	return r.nodeOf(v).typeName()
}

// ReadFoot implements tree.Footer: bytes that nothing reads end a value that has its own bytes.
func (r *reading) ReadFoot(_ *source.Window, v *tree.Value, off int64, lost bool, report func(span.Problem)) int64 {
	if lost {
		return off
	}
	defer r.lock()()
	n := r.nodeOf(v)
	if n.inner != nil {
		return max(off, n.inner.Tail, n.terminator().End())
	}
	if report != nil && n.attr == nil && off < v.End {
		report(span.Problem{Span: span.Between(off, v.End), Severity: span.Note, Code: span.TrailingBytes,
			Message: fmt.Sprintf("the description ends before the file does: it leaves the last %s of %d", span.Bytes(v.End-off), v.End-v.Start)})
	}
	return v.End
}

// FootFields implements tree.Footer.
func (r *reading) FootFields(_ *source.Window, v *tree.Value, fields []span.Field) []span.Field {
	defer r.lock()()
	if n := r.nodeOf(v); n.inner != nil {
		return n.embedded.footFields(n, fields)
	}
	return append(fields, span.Field{Span: span.Between(v.Foot, v.Tail), Kind: span.Gap, Label: "gap"})
}

// AppendStep implements tree.Stepper.
func (r *reading) AppendStep(dst []byte, _ *tree.Reader, parent *tree.Value, slot tree.Slot, _ *tree.Value) []byte {
	if p := partOf(parent); p != nil && p.kind == structPart {
		return tree.AppendTextStep(dst, p.names[slot.Index])
	} else if p != nil {
		return tree.AppendIndexStep(dst, slot.Index)
	}
	defer r.lock()()
	return r.step(dst, r.nodeOf(parent), slot)
}

// Lead implements tree.Described: a value that leads to one with children has its steps.
func (r *reading) Lead(v *tree.Value, step string) (child tree.Value, slot tree.Slot, ok bool) {
	if p := partOf(v); p != nil && (p.kind == numberPart || p.isText) {
		return child, slot, false
	}
	defer r.lock()()
	n := r.nodeOf(v)
	at, ok := r.slotOf(n, step)
	if !ok {
		return child, slot, false
	}
	c := r.child(n, at)
	child = tree.Value{Start: v.Head, Head: v.Head, Body: v.Head, Limit: v.Head, Type: valueType, Object: c}
	if child.Close(v.Head); c.array() != nil {
		child.Count = r.count(c) // no scanner passes its elements
	}
	if c.cell.Bad != nil {
		child.Damage = r.problem(c.cell.Bad, &child)
	}
	return child, at, true
}

// slotOf returns the slot of the child to which a step leads from a value that has no children in the tree.
func (r *reading) slotOf(n *node, step string) (at tree.Slot, ok bool) {
	if i, rest, isIndex := tree.CutIndexStep(step); n.object() == nil && n.inner == nil {
		return tree.Slot{Index: i}, isIndex && rest == "" && i < r.lengthOf(n)
	}
	for i := range r.count(n) {
		if at = (tree.Slot{Index: i}); string(r.step(nil, n, at)) == step {
			return at, true
		}
	}
	return at, false
}

// lengthOf returns the number of elements of a list, or of bytes.
func (r *reading) lengthOf(n *node) int64 {
	if n.kind != byteOf && n.cell.Bad == nil && n.array() == nil {
		if b, err := n.cell.Value(n.attr); err == nil && b.Kind == expr.Bytes {
			return int64(len(b.Data()))
		}
	}
	return r.count(n)
}

// Inspect implements tree.Inspector. What hears of a problem may ask the reading in turn.
func (r *reading) Inspect(_ *source.Window, parent *tree.Value, _ tree.Slot, v *tree.Value, report func(span.Problem)) {
	var all []span.Problem
	unlock := r.lock()
	if n := r.nodeOf(v); parent != nil && n != nil && v.Damage == nil {
		r.inspectNode(n, v, 0, func(p span.Problem) { all = append(all, p) })
	}
	unlock()
	for _, p := range all {
		report(p)
	}
}

// inspectNode reports the problems of a node of v, which is depth levels below an instance that is not in the
// tree where it lies, or 0.
func (r *reading) inspectNode(n *node, v *tree.Value, depth int, report func(span.Problem)) {
	r.count(n) // which finds all problems
	if s := n.object(); s != nil && !n.isAlias() && s.Bad != nil && len(s.Cells) == 0 {
		report(*r.problem(s.Bad, v))
	}
	if p := n.cell.Bad; p != nil {
		report(*r.problem(p, v))
		return
	}
	if p := r.unreported(n); p != nil {
		report(*r.problem(p, v))
	}
	if n.inner != nil {
		n.embedded.inspect(n, report)
		return
	}
	if (depth > 0 || n.isReference() && !r.isFirst(n)) && !n.isAlias() && depth < maxLevels {
		r.inspectBelow(n, v, depth, report)
	}
	if n.owner == nil || n.attr == nil || n.kind == param || n.array() != nil {
		return
	}
	if p := n.owner.Check(n.attr, n.cell, max(0, n.index)); p != nil {
		report(*r.problem(p, v))
	}
}

// inspectBelow reports the problems of the values in a node, unless it is known that there are none.
func (r *reading) inspectBelow(n *node, v *tree.Value, depth int, report func(span.Problem)) {
	if n.array() != nil && !n.attr.CanFail() {
		return
	}
	isClean := true
	if s := n.object(); s != nil {
		at := placeOf(s)
		if r.clean[at] {
			return
		}
		r.clean[at] = true // it may contain itself
		defer func() { r.clean[at] = isClean }()
	}
	for i := range r.count(n) {
		r.inspectNode(r.child(n, tree.Slot{Index: i}), v, depth+1, func(p span.Problem) {
			isClean = false
			report(p)
		})
	}
}

// unreported returns why the attribute of a node could not be read, if that is neither the damage of the
// node nor the problem of a value in it.
func (r *reading) unreported(n *node) *read.Problem {
	if a := n.array(); a != nil && a.Bad != nil && !n.isAlias() {
		if a.Len() > 0 {
			last := a.Cell(a.Len() - 1)
			if s, ok := last.Val.Ref.(*read.Struct); ok && s.Bad == a.Bad {
				return nil
			}
		}
		return a.Bad
	}
	p := r.failure(n)
	if s := n.object(); p == nil || n.inFile && n.object() == nil || s != nil && s.Bad == p || n.array() != nil {
		return nil
	}
	return p
}

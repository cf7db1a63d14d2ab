package kaitai

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/change"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

// Set implements edit.Editor.
func (r *reading) Set(ctx context.Context, in *tree.Reader, n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	c, err := plain(ctx, c)
	if err != nil {
		return nil, err
	}
	if p := partOf(&n.Value); p.isPlainNumber() && !p.isSummed && p.attr.Valid == nil && !r.streams.hasInstances && !r.steers(p.attr) {
		list := n.Object.(*node)
		splices, err := change.Number(list.owner, p.attr, p.typ, n.Span(), p.number(in.Window(), &n.Value), c.Literal)
		if err != nil {
			return nil, err
		}
		isKept, err := r.stale(read.Place{Of: list.owner, Attr: list.attr, Index: elementOf(&n.Value)}, splices, o)
		if !isKept {
			return splices, err
		}
	}
	if e, ok := r.editorOf(n); ok {
		splices, err := e.Set(ctx, e.read, e.node, c, byItself(o))
		return r.within(e, splices, err, o)
	}
	return r.change(n, o, func(f *change.File, v change.Value) error { return f.Set(v, c.Literal) })
}

// SetBytes implements edit.ByteEditor.
func (r *reading) SetBytes(ctx context.Context, _ *tree.Reader, n *tree.Node, data []byte) ([]source.Splice, error) {
	if e, ok := r.editorOf(n); ok {
		if b, ok := e.Editor.(edit.ByteEditor); ok {
			splices, err := b.SetBytes(ctx, e.read, e.node, data)
			return r.within(e, splices, err, edit.Options{})
		}
	}
	return r.change(n, edit.Options{}, func(f *change.File, v change.Value) error {
		if v.Type == nil || v.Type.Kind != spec.RawBytes {
			return errors.New("this value holds no bytes")
		}
		return f.Put(v, expr.Of(data))
	})
}

// change makes a change of a value and of what follows it.
func (r *reading) change(n *tree.Node, o edit.Options, do func(f *change.File, v change.Value) error) ([]source.Splice, error) {
	if o.Together != nil && r.follows {
		return nil, edit.ErrAlone
	}
	return r.alone(n, byItself(o), do)
}

// alone makes a change that other values follow.
func (r *reading) alone(n *tree.Node, o edit.Options, do func(f *change.File, v change.Value) error) ([]source.Splice, error) {
	if o.Together != nil {
		return nil, edit.ErrAlone
	}
	defer r.lock()()
	x, err := r.settable(n)
	if err != nil {
		return nil, err
	}
	return r.changed(x, o, do)
}

// changed makes a change of a value of which nothing else is asked.
func (r *reading) changed(x *node, o edit.Options, do func(f *change.File, v change.Value) error) ([]source.Splice, error) {
	f := r.file()
	f.Choices, f.AsksBeside = o.Choices, o.AsksBeside
	at := read.Place{Of: x.owner, Attr: x.attr, Index: x.index}
	err := do(f, change.Value{Place: at, Cell: *x.cell})
	if err == nil && (keeps(o) || o.Unequal != nil) {
		err = r.keepEqual(f, at, o)
	}
	if to := o.Outcome; to != nil {
		to.Steers = to.Steers || f.Steers || r.isReadAgain(at, x.cell)
		to.Misreads = to.Misreads || f.Misread
	}
	return f.Splices(), err
}

// isReadAgain reports whether an instance that is neither in a value nor around it may read bytes of it.
func (r *reading) isReadAgain(at read.Place, c *read.Cell) bool {
	if !r.streams.hasInstances || !c.Buf.IsFile() {
		return r.streams.hasInstances
	}
	path := at.Path()
	return slices.ContainsFunc(r.instances(), func(p piece) bool {
		if p.from >= c.End || p.to <= c.Start {
			return false
		}
		other := p.owner.path() + "." + p.attr.ID
		return !isIn(path, other) && !isIn(other, path)
	})
}

// isIn reports whether a path leads to a value or into it.
func isIn(path, value string) bool {
	rest, is := strings.CutPrefix(path, value)
	return is && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// maxKept bounds how often what was equal is made so again after one edit.
const maxKept = 200

// keepEqual makes numbers and checksums equal again to what they were equal to before an edit, until none changes any more, or asks.
// A field of many elements is one.
func (r *reading) keepEqual(f *change.File, at read.Place, o edit.Options) error {
	var kept []change.Equal
	for range maxKept {
		all := f.Unequal(at, r.sums)
		i := slices.IndexFunc(all, func(x change.Equal) bool { return isToFollow(&x, o) })
		if i < 0 {
			return tell(append(kept, all...), o)
		}
		field := all[i].Attr
		follow := slices.DeleteFunc(all, func(x change.Equal) bool { return x.Attr != field || !isToFollow(&x, o) })
		if err := f.KeepEqual(follow); err != nil {
			return err
		}
		paths := map[string]bool{}
		for _, x := range follow {
			paths[x.Path()] = true
		}
		kept = slices.DeleteFunc(kept, func(k change.Equal) bool { return paths[k.Path()] })
		kept = append(kept, follow...)
	}
	return errors.New("numbers and checksums that would follow depend on each other in a circle: --keep-equal=NAME names those that are to")
}

// isToFollow reports whether a number or checksum is to follow.
func isToFollow(x *change.Equal, o edit.Options) bool {
	return !edit.Leave.IsIn(o.Choices, x.Path(), x.Attr.ID) && edit.KeepEqual.IsIn(o.Choices, x.Path(), x.Attr.ID)
}

// tell says which numbers and checksums follow, and asks about others: once about a field of many elements.
func tell(all []change.Equal, o edit.Options) error {
	all = slices.DeleteFunc(all, func(x change.Equal) bool { return edit.Leave.IsIn(o.Choices, x.Path(), x.Attr.ID) })
	var errs []error
	for len(all) > 0 {
		x, follows := all[0], isToFollow(&all[0], o)
		isLike := func(y change.Equal) bool { return y.Attr == x.Attr && isToFollow(&y, o) == follows }
		left := slices.DeleteFunc(slices.Clone(all), isLike)
		ask, name := &edit.ChoiceError{Text: x.String()}, x.Path()
		if n := len(all) - len(left); n > 1 {
			ask.Text, name = fmt.Sprintf("%s; so it is %d times more", ask.Text, n-1), x.Attr.ID
		}
		if all = left; follows {
			if o.Outcome != nil {
				o.Outcome.Followed = append(o.Outcome.Followed, ask.Text+": it follows")
			}
			continue
		}
		ask.Choices = []edit.Choice{edit.KeepEqual.For(name), edit.Leave.For(name)}
		if x.Expr != "" {
			ask.Line = "-varview-value: " + x.Expr
			ask.Remember = func() (string, []byte, error) { return x.Attr.WithKey(ask.Line) }
		}
		if o.Outcome != nil {
			o.Outcome.Asked = append(o.Outcome.Asked, edit.Leave.For(name))
		}
		if o.Unequal != nil {
			errs = append(errs, o.Unequal(ask))
		}
	}
	return errors.Join(errs...)
}

// keeps reports whether some number is to follow.
func keeps(o edit.Options) bool {
	return slices.ContainsFunc(o.Choices, func(c edit.Choice) bool { return c.Kind() == edit.KeepEqual })
}

// stale reports whether an edit of a value at a place changes bytes of which something is a checksum that is to follow. If none
// is to, it asks.
func (r *reading) stale(at read.Place, splices []source.Splice, o edit.Options) (isKept bool, err error) {
	if !keeps(o) && o.Unequal == nil {
		return false, nil
	}
	defer r.lock()()
	all := change.Stale(nil, at, r.sums, splices)
	if slices.ContainsFunc(all, func(x change.Equal) bool { return isToFollow(&x, o) }) {
		return true, nil
	}
	return false, tell(all, o)
}

// file returns the file as it is changed from now on.
func (r *reading) file() *change.File {
	src := r.doc.Root.IO.Buf.Source()
	return change.NewFile(src, r.doc, func(now source.Source) *read.Doc {
		return r.in.open(r.t, now, span.Span{Offset: r.region.Offset, Length: r.region.Length + now.Size() - src.Size()}, r.openForeign)
	}, r.steers, func(a *spec.Attr) bool { return !r.deciding(a) })
}

// steers reports whether anything may depend on the value of an attribute.
func (r *reading) steers(a *spec.Attr) bool {
	return r.follows || r.overlaps || a.Repeat == spec.Until || a.IsUsed()
}

// byItself returns options for an edit that is made on its own.
func byItself(o edit.Options) edit.Options {
	o.Together = nil
	return o
}

// Insert implements edit.Editor.
func (r *reading) Insert(ctx context.Context, _ *tree.Reader, parent *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	if n := r.sibling(parent, c); n != nil {
		return r.alone(c.Copy, o, func(f *change.File, v change.Value) error { return f.Duplicate(v, index) })
	}
	c, err := plain(ctx, c)
	if err != nil {
		return nil, err
	}
	if e, ok := r.editorOf(parent); ok {
		splices, err := e.Insert(ctx, e.read, e.node, index, c, byItself(o))
		return r.within(e, splices, err, o)
	}
	return r.alone(parent, o, func(f *change.File, v change.Value) error { return f.Insert(v, index, c.Literal) })
}

// sibling returns the element that is copied into its own list; nil for another copy.
func (r *reading) sibling(list *tree.Node, c edit.Content) *node {
	if c.Copy == nil || c.From.Tree.Reading != tree.Reading(r) {
		return nil
	}
	defer r.lock()()
	x, p := r.nodeOf(&c.Copy.Value), r.nodeOf(&list.Value)
	if x == nil || p == nil || x.index < 0 || x.owner != p.owner || x.attr != p.attr {
		return nil
	}
	return x
}

// Delete implements edit.Editor.
func (r *reading) Delete(ctx context.Context, _ *tree.Reader, n *tree.Node, o edit.Options) ([]source.Splice, error) {
	if e, ok := r.editorOf(n); ok && e.top.inner != e.node {
		splices, err := e.Delete(ctx, e.read, e.node, byItself(o))
		return r.within(e, splices, err, o)
	}
	if r.isPart(n) {
		return nil, change.ErrElement
	}
	return r.alone(n, o, (*change.File).Delete)
}

// Move implements edit.Editor.
func (r *reading) Move(ctx context.Context, _ *tree.Reader, n *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	if e, ok := r.editorOf(n); ok && e.top.inner != e.node {
		splices, err := e.Move(ctx, e.read, e.node, to, byItself(o))
		return r.within(e, splices, err, o)
	}
	return r.alone(n, o, func(f *change.File, v change.Value) error { return f.Move(v, to) })
}

// Follows implements format.Follower: what a description computes has no bytes of its own, and sizes, numbers and values
// that are kept equal to something follow what they say.
func (r *reading) Follows(_ *tree.Reader, n *tree.Node) bool {
	defer r.lock()()
	x := r.nodeOf(&n.Value)
	return x != nil && x.attr != nil && (x.attr.Value != nil || x.attr.Follows())
}

// Located implements format.Locator.
func (r *reading) Located(n *tree.Node) []string {
	defer r.lock()()
	if x := r.nodeOf(&n.Value); x != nil && x.attr != nil {
		return x.attr.Located()
	}
	return nil
}

// IsLed implements format.Locator.
func (r *reading) IsLed(n *tree.Node) bool {
	defer r.lock()()
	x := r.nodeOf(&n.Value)
	return x != nil && x.steps != "" && x.up.object() != x.owner
}

// CanSet implements edit.Partial: the whole, what is computed and what is always the same cannot be set.
func (r *reading) CanSet(_ *tree.Reader, n *tree.Node) bool {
	if p := partOf(&n.Value); p.isPlainNumber() {
		return true
	}
	if _, ok := r.editorOf(n); ok {
		return true
	}
	defer r.lock()()
	x, err := r.settable(n)
	return err == nil && x.attr.Contents == nil
}

// isPart reports whether a value is a part that is there in any case.
func (r *reading) isPart(n *tree.Node) bool {
	defer r.lock()()
	x, err := r.settable(n)
	return err == nil && x.index < 0
}

// settable returns what the reading keeps of a value that has its own bytes.
func (r *reading) settable(n *tree.Node) (*node, error) {
	x := r.nodeOf(&n.Value)
	switch {
	case x == nil || n.Damage != nil || x.cell.Bad != nil:
		return nil, errors.New("this value could not be read")
	case x.attr == nil:
		return nil, errors.New("only the values inside it can be set")
	case x.attr.Value != nil:
		return nil, errors.New("this value is computed from others")
	case x.cell.State == read.Absent:
		return nil, errors.New("this value is absent: its condition does not hold")
	case x.cell.Type == nil || x.attr.Pos == nil && x.cell.Buf.IsFile() && !x.isReached():
		return nil, errors.New("this value has no bytes of its own in the file")
	case x.cell.Tail > x.cell.End:
		return nil, errors.New("this value ends with a byte of the next one")
	}
	return x, nil
}

// isReached reports whether only bytes lead to the node, and no value that is computed.
func (n *node) isReached() bool {
	for ; n != nil && !n.inFile; n = n.up {
		if n.kind == param || n.kind == instance && n.attr.Value != nil {
			return false
		}
	}
	return true
}

// Repair implements edit.Repairer: all values that are kept equal to something are set.
func (r *reading) Repair(ctx context.Context, _ *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	if e, ok := r.editorOf(n); ok {
		if x, ok := e.Editor.(edit.Repairer); ok {
			repair, err := x.Repair(ctx, e.read, e.node, p)
			repair.Splices, err = r.within(e, repair.Splices, err, edit.Options{})
			return repair, err
		}
	}
	defer r.lock()()
	f := r.file()
	err := f.Keep()
	return edit.Repair{Splices: f.Splices()}, err
}

package simple

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/notation"
)

// An editor is a reading whose values can be changed.
type editor struct{ *reading }

// An editing collects the splices of one edit.
type editing struct {
	*reading
	edit.Editing
	retype bool
	beside *tree.Node // a child of the container into which something is put; nil if there is none
	names  map[keyBytes]string
}

// keyBytes are the bytes of a key in a place.
type keyBytes struct {
	at    Place
	bytes string
}

func (e editor) begin(ctx context.Context, r *tree.Reader, o edit.Options) *editing {
	return &editing{reading: e.reading, Editing: edit.Begin(ctx, r, o), retype: o.Retype}
}

// put replaces n bytes.
func (e *editing) put(off, n int64, b *source.Pieces) {
	e.Replace(off, off+n, b)
}

// done returns the splices of an edit that gives parent count more children from an index on.
func (e *editing) done(parent *tree.Node, index, count int64) ([]source.Splice, error) {
	by := change{at: index, count: count, size: edit.Added(e.Splices)}
	grow := e.grow
	if e.Together != nil {
		grow = e.growTogether
	}
	if err := grow(parent, by); err != nil {
		return nil, err
	}
	if e.Offsets && e.Together == nil {
		source.Sort(e.Splices)
		if err := e.follow(); err != nil {
			return nil, err
		}
	}
	return e.Sorted(nil)
}

// follow adjusts the offsets in the buffer whose targets the edit moves. Offsets that the edit itself
// writes stay as written.
func (e *editing) follow() (err error) {
	if e.Splices, err = edit.Bytes(e.Reader.Tree.Source, 0, e.Reader.Tree.Source.Size()).Minimal(e.Splices); err != nil {
		return err
	}
	moved, made := source.NewMapping(e.Splices), e.Splices
	for s := e.Reader.Scan(e.Reader.Tree.Base); ; {
		switch ev := s.Next(); {
		case ev == tree.Done:
			return nil
		case ev == tree.Enter || ev == tree.Atom:
			for _, o := range e.offsetsIn(s.Value()) {
				is := o.base + int64(o.value)
				by := moved.Map(is) - moved.Map(o.base) - int64(o.value)
				if by == 0 || slices.ContainsFunc(made, func(s source.Splice) bool { return s.Offset < o.End() && o.Offset < s.End() }) {
					continue
				}
				b := slices.Clone(e.Window.View(o.Offset, o.Length))
				if !e.add(b, o.Offset, &o.number, by) {
					return fmt.Errorf("the offset at %#x has too few bits for the new place", o.Offset)
				}
				e.put(o.Offset, o.Length, source.Memory(b))
			}
		}
		if e.Ctx.Err() != nil {
			return e.Ctx.Err()
		}
	}
}

// offsetsIn returns the offsets among the fields of a value.
func (e *editing) offsetsIn(v *tree.Value) []offset {
	c := e.again(e.Window, v)
	c.wants = true
	c.run()
	all := c.offsets
	e.cursors.Put(c)
	return all
}

// grow adds to the counts and lengths of the values around an edit: parent gets more children, and all of
// them get more bytes, including those by which their headers grow.
func (e *editing) grow(parent *tree.Node, by change) error {
	for n := parent; n != nil && n.Parent != nil; n = n.Parent {
		if n.Type == column {
			by = change{rows: by.count, size: by.size}
			continue
		}
		head, err := e.head(n, by)
		if err != nil {
			return err
		}
		was := n.Body - n.Start
		if was > 0 || len(head) > 0 {
			e.put(n.Start, was, source.Memory(head))
		}
		by = change{size: by.size + int64(len(head)) - was}
	}
	return nil
}

// growTogether has the counts and lengths around this edit added to once all edits are made together.
func (e *editing) growTogether(parent *tree.Node, by change) error {
	if e.Offsets && by.size != 0 {
		return edit.ErrAlone
	}
	for n := parent; n != nil && n.Parent != nil; n, by.count = n.Parent, 0 {
		if by.count == 0 && (by.size == 0 || !n.Fenced) {
			continue // without a look at its header, which may be far away
		}
		c := e.seen(n)
		if by.count != 0 && (n.Type == column || len(c.indexes) > 0) {
			return edit.ErrAlone
		}
		if !n.Marked {
			if err := e.addTogether(c.count, by.count); err != nil {
				return err
			}
		}
		if c.size.Length > 0 {
			if err := e.addTogether(c.size, by.size); err != nil {
				return err
			}
		}
	}
	return nil
}

// addTogether adds to a number that several edits change, as long as the sum fits.
func (e *editing) addTogether(n number, by int64) error {
	if by == 0 {
		return nil
	}
	if n.Length == 0 {
		return edit.ErrAlone
	}
	field, r := slices.Clone(e.Window.View(n.Offset, n.Length)), e.reading
	add := func(by int64) ([]byte, error) {
		b := slices.Clone(field)
		if !r.add(b, n.Offset, &n, by) {
			return nil, edit.ErrAlone
		}
		return b, nil
	}
	if _, err := add(e.Together.Added(n.Offset) + by); err != nil {
		return err
	}
	e.Together.Add(n.Span, by, add)
	return nil
}

// Set implements edit.Editor. It keeps the width of numbers and lengths where the new value fits it.
func (e editor) Set(ctx context.Context, r *tree.Reader, n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	s := e.begin(ctx, r, o)
	if n.Parent == nil && s.isSequence() {
		return nil, errors.New("several values follow one another here: set one of them, such as $[0]")
	}
	root, err := s.Subject(n)
	switch {
	case err != nil:
		return nil, err
	case root == nil:
		return s.setEmpty(n, c)
	}
	if n, err = r.Finish(root); err != nil {
		return nil, err
	}
	if n.Damage != nil {
		return nil, errors.New("a damaged value cannot be set; delete or repair it")
	}
	if same, err := c.IsAlready(ctx, r, n); same || err != nil {
		return nil, err
	}
	return s.replace(n, c, o.Retype)
}

// replace puts content in the place of a value.
func (e *editing) replace(n *tree.Node, c edit.Content, retype bool) ([]source.Splice, error) {
	b, err := e.content(c, place(&n.Value), n)
	if err != nil {
		return nil, err
	}
	if is, was := e.typeOf(b, place(&n.Value)), e.TypeName(&n.Value); is != was && !retype && n.Type != column {
		return nil, &edit.TypeError{Was: was, Is: is}
	}
	if n.Slot.Key {
		if err := e.checkFreeKey(n.Parent, n.Slot.Index, b); err != nil {
			return nil, err
		}
	}
	e.put(n.Start, n.Tail-n.Start, b)
	return e.done(n.Parent, 0, 0)
}

// setEmpty puts a value into an empty buffer.
func (e *editing) setEmpty(base *tree.Node, c edit.Content) ([]source.Splice, error) {
	b, err := e.content(c, Place{}, nil)
	if err != nil {
		return nil, err
	}
	e.put(base.Body, 0, b)
	return e.done(nil, 0, 0)
}

// SetBytes implements edit.ByteEditor.
func (e editor) SetBytes(ctx context.Context, r *tree.Reader, n *tree.Node, b []byte) ([]source.Splice, error) {
	s := e.begin(ctx, r, edit.Options{})
	is := s.seen(n).scalar
	if n.Layout != tree.Leaf || n.Damage != nil || is.Kind != tree.Bytes && is.Kind != tree.Text {
		return nil, errors.New("bytes can be put only into a whole text or value of bytes")
	}
	if is.Note = ""; is.Name == "" && is.Kind == tree.Bytes {
		is.Name = s.TypeName(&n.Value)
	}
	bytes := s.leaf(Datum{Place: place(&n.Value), Scalar: is, Data: append([]byte{}, b...)}, n)
	if bytes == nil {
		return nil, fmt.Errorf("%s cannot hold %s", s.TypeName(&n.Value), span.Bytes(int64(len(b))))
	}
	s.put(n.Start, n.Tail-n.Start, source.Memory(bytes))
	return s.done(n.Parent, 0, 0)
}

// checkInsert returns an error if a container takes no such child.
func (e *editing) checkInsert(parent *tree.Node, c edit.Content) error {
	switch {
	case parent.Parent == nil && !e.isSequence():
		return edit.ErrSingle
	case parent.Layout < tree.Sequence:
		return fmt.Errorf("nothing can be inserted into %s", e.TypeName(&parent.Value))
	case parent.Layout == tree.Sequence && c.Key != "" && c.Copy == nil:
		return edit.ErrNumbered
	}
	return nil
}

// putKey puts the key of a new entry, which the container must not have yet, at a place.
func (e *editing) putKey(parent *tree.Node, at int64, c edit.Content) error {
	key, err := e.key(c, parent)
	if err == nil {
		err = e.checkFreeKey(parent, tree.Unknown, key)
	}
	if err == nil {
		e.put(at, 0, key)
	}
	return err
}

// Insert implements edit.Editor.
func (e editor) Insert(ctx context.Context, r *tree.Reader, parent *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	s := e.begin(ctx, r, o)
	if err := s.checkInsert(parent, c); err != nil {
		return nil, err
	}
	if parent.Type == column {
		return s.insertRow(parent, index, c)
	}
	at, err := s.OffsetOf(parent, index)
	if err != nil {
		return nil, err
	}
	if s.Lines {
		if s.beside, err = r.Child(parent, max(0, index-1)); err != nil && !errors.Is(err, tree.ErrNoChild) {
			return nil, err
		}
		if at > 0 && s.Window.Byte(at-1) != '\n' {
			s.put(at, 0, source.Memory([]byte(s.lineEnd())))
		}
		if c.Copy == nil && s.areApart(parent, index) { // a copy has what is before it
			s.put(at, 0, source.Memory([]byte(s.lineEnd())))
		}
	}
	if parent.Flags&isColumns != 0 {
		b, err := s.column(parent, c)
		s.put(at, 0, b)
		return s.finish(err, parent, index, 1)
	}
	if parent.Layout == tree.Pairs {
		if err := s.putKey(parent, at, c); err != nil {
			return nil, err
		}
	}
	in := inside(&parent.Value, false)
	if parent.Parent == nil {
		in = s.root
	}
	b, err := s.content(c, in, nil)
	s.put(at, 0, b)
	return s.finish(err, parent, index, 1)
}

// finish calls done, unless there was an error.
func (e *editing) finish(err error, parent *tree.Node, index, count int64) ([]source.Splice, error) {
	if err != nil {
		return nil, err
	}
	return e.done(parent, index, count)
}

// key returns the bytes of the key of content, or of a copied entry.
func (e *editing) key(c edit.Content, parent *tree.Node) (*source.Pieces, error) {
	if c = c.KeyContent(); c.Literal == "" && c.Copy == nil {
		return nil, edit.ErrNoKey
	}
	return e.content(c, inside(&parent.Value, true), nil)
}

// Delete implements edit.Editor.
func (e editor) Delete(ctx context.Context, r *tree.Reader, n *tree.Node, o edit.Options) ([]source.Splice, error) {
	s := e.begin(ctx, r, o)
	n, at, err := s.Extent(n)
	if err != nil {
		return nil, err
	}
	if n.Parent.Type == column {
		return s.deleteRow(n)
	}
	s.put(at.Offset, at.Length, nil)
	return s.done(n.Parent, n.Slot.Index, -1)
}

// Move implements edit.Editor.
func (e editor) Move(ctx context.Context, r *tree.Reader, n *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	s, err := e.begin(ctx, r, o), error(nil)
	switch {
	case n.Parent == nil || n.Parent.Type != column:
		err = s.MoveChild(s, n, to)
	case o.Together != nil:
		return nil, edit.ErrAlone
	default:
		err = s.moveRow(n, to)
	}
	return s.finish(err, nil, 0, 0)
}

// Absorbs implements edit.Mover.
func (e *editing) Absorbs(n *tree.Node) (bool, error) {
	if e.Lines && n.Tail > 0 && e.Window.Byte(n.Tail-1) != '\n' {
		return false, errors.New("the last line has no end: another value cannot follow it")
	}
	return edit.IsDamaged(e.Reader, n)
}

// OffsetOf implements edit.Mover.
func (e *editing) OffsetOf(parent *tree.Node, index int64) (int64, error) {
	if e.Lines && index == 0 && parent.Depth == 1 { // the lines that begin a file would be in a new section before them
		first, err := e.Reader.Child(parent, 0)
		if err == nil {
			return e.Reader.Key(first).Head, nil
		}
		in, err := e.Reader.Finish(parent)
		return in.Tail, err
	}
	return edit.Offset(e.Reader, parent, index, func(last *tree.Node) (bool, error) { return edit.IsDamaged(e.Reader, last) })
}

// Extent implements edit.Mover.
func (e *editing) Extent(n *tree.Node) (*tree.Node, span.Span, error) {
	if n.Parent == nil || n.Parent.Parent == nil && !e.isSequence() {
		return n, span.Span{}, edit.ErrOnly
	}
	n, at, err := e.EntryOf(n)
	if err == nil && n.KeyAt != tree.Unknown {
		at = span.Between(e.Reader.Key(n).Head, n.Tail)
	}
	return n, at, err
}

// content returns the bytes of content in a place. old is the value that it replaces; nil if it is new.
func (e *editing) content(c edit.Content, at Place, old *tree.Node) (*source.Pieces, error) {
	if c.Copy != nil {
		n, err := c.Copied()
		if err != nil {
			return nil, err
		}
		if other, ok := c.From.Tree.Reading.(editor); ok && other.family == e.family && place(&n.Value) == at && n.Type != column {
			return e.copied(c.From, n), nil
		}
		if c.Literal, err = edit.LiteralOf(e.Ctx, c.From, &n.Value, notation.MaxText); err != nil {
			return nil, err
		}
	}
	v, err := notation.Parse(c.Literal)
	if err != nil {
		return nil, err
	}
	b, err := e.value(&v, at, old)
	return source.Memory(b), err
}

// copied returns the bytes of a value of the same format; a line gets an end.
func (e *editing) copied(from *tree.Reader, n *tree.Node) *source.Pieces {
	b := edit.Bytes(from.Tree.Source, n.Start, n.Tail)
	if e.Lines && !n.Slot.Key && n.Tail > n.Start && from.Window().Byte(n.Tail-1) != '\n' {
		return source.Join(source.Piece{Src: b, Span: span.Span{Length: b.Size()}}, source.Piece{Src: source.Bytes(e.lineEnd()), Span: span.Span{Length: int64(len(e.lineEnd()))}})
	}
	return b
}

// value returns the bytes of a literal in a place. old is the value that it replaces; nil if it is new.
func (e *editing) value(v *notation.Value, at Place, old *tree.Node) ([]byte, error) {
	switch {
	case old != nil && (old.Type == column || old.Flags&isColumns != 0 && v.Kind == notation.List):
		return e.columns(v, old)
	case v.Kind == notation.List:
		return e.container(v, tree.Sequence, at, old)
	case v.Kind == notation.Pairs:
		return e.container(v, tree.Pairs, at, old)
	}
	d, err := e.datum(v, at)
	if err != nil {
		return nil, err
	}
	if b := e.leaf(d, old); b != nil {
		return b, nil
	}
	return nil, v.Errorf("%s has no value for this", e.Title)
}

// body returns the bytes of items in a container, and how many there are; before are the children of the old value.
func (e *editing) body(items []notation.Value, arePairs bool, in *tree.Value, before map[string]*tree.Node) (body []byte, n int64, err error) {
	keys := map[string]bool{}
	for ; len(items) > 0; n++ {
		name := strconv.FormatInt(n, 10)
		if arePairs {
			if name, body, err = e.appendKey(body, &items[0], inside(in, true), before); err != nil {
				return nil, 0, err
			}
			if keys[name] {
				return nil, 0, items[0].Errorf("the key %s is repeated", name)
			}
			keys[name], items = true, items[1:]
		}
		b, err := e.value(&items[0], inside(in, false), before[name])
		if err != nil {
			return nil, 0, err
		}
		body, items = append(body, b...), items[1:]
		if e.Lines && len(items) > 0 && len(body) > 0 && body[len(body)-1] != '\n' {
			body = append(body, e.lineEnd()...)
		}
	}
	return body, n, nil
}

// container returns the bytes of a list or of pairs. Children that are in the old value too keep their
// form.
func (e *editing) container(v *notation.Value, l tree.Layout, at Place, old *tree.Node) ([]byte, error) {
	if old != nil && (old.Layout != l || old.Overcounted()) {
		old = nil
	}
	before, err := e.children(old)
	if err != nil {
		return nil, err
	}
	head, err := e.newHead(v, l, at, 0)
	if old == nil && err != nil {
		return nil, err
	}
	in, _ := e.lookIn(source.Bytes(head), at)
	if old != nil {
		in = old.Value
	}
	body, n, err := e.body(v.Items, l == tree.Pairs, &in, before)
	if err != nil {
		return nil, err
	}
	if in.Marked {
		body = append(body, e.Terminator...)
	}
	if old != nil {
		head, err = e.head(old, change{at: min(n, old.Count), count: n - old.Count, size: int64(len(body)) - (old.Tail - old.Body), all: n != old.Count})
	} else {
		head, err = e.newHead(v, l, at, int64(len(body)))
	}
	return append(head, body...), err
}

// newHead returns the leading fields of a new container for the items of a literal.
func (e *editing) newHead(v *notation.Value, l tree.Layout, at Place, size int64) ([]byte, error) {
	n := int64(len(v.Items))
	if l == tree.Pairs {
		n /= 2
	}
	return e.header(at, l, n, size)
}

// appendKey appends the bytes of a key, unchanged if the key was there before. name is its literal.
func (e *editing) appendKey(dst []byte, key *notation.Value, at Place, before map[string]*tree.Node) (name string, _ []byte, err error) {
	b, err := e.value(key, at, nil)
	if err != nil {
		return "", nil, err
	}
	name = e.nameOf(b, at)
	if was := before[name]; was != nil {
		old, err := e.Reader.Finish(e.Reader.Key(was))
		if err != nil {
			return "", nil, err
		}
		return name, append(dst, e.Window.View(old.Start, old.Tail-old.Start)...), nil
	}
	return name, append(dst, b...), nil
}

// maxNames is the number of keys whose literals are kept.
const maxNames = 1 << 12

// nameOf returns the literal of a key, of which many values have the same.
func (e *editing) nameOf(b []byte, at Place) string {
	key := keyBytes{at, string(b)}
	name, ok := e.names[key]
	if !ok {
		name = e.literal(source.Memory(b), at)
		if e.names == nil {
			e.names = map[keyBytes]string{}
		}
		if len(e.names) < maxNames {
			e.names[key] = name
		}
	}
	return name
}

// children returns the children of a value by the literals of their keys, or by their numbers; nil for nil.
func (e *editing) children(n *tree.Node) (map[string]*tree.Node, error) {
	if n == nil {
		return nil, nil
	}
	return edit.Children(e.Ctx, e.Reader, n, notation.MaxText)
}

// checkFreeKey returns an error if an entry of parent, other than entry number except, has the key.
func (e *editing) checkFreeKey(parent *tree.Node, except int64, key *source.Pieces) error {
	return edit.CheckFreeKey(e.Ctx, e.Reader, e.Together, parent, except, e.literal(key, inside(&parent.Value, true)), notation.MaxText)
}

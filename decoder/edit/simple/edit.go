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
func (e *editing) put(off, n int64, b *source.Pieces) { e.Replace(off, off+n, b) }

// done returns the splices of an edit that gives parent count more children from an index on.
func (e *editing) done(parent *tree.Node, index, count int64) ([]source.Splice, error) {
	by := change{at: index, count: count}
	switch {
	case e.Err != nil:
	case e.Together != nil:
		by.size = edit.Added(e.Splices)
		e.growTogether(parent, by)
	default:
		by.size = edit.Added(e.Splices)
		e.grow(parent, by)
		if e.Offsets && e.Err == nil {
			source.Sort(e.Splices)
			e.follow()
		}
	}
	return e.Sorted()
}

// follow adjusts the offsets in the buffer whose targets the edit moves. Offsets that the edit itself
// writes stay as written.
func (e *editing) follow() {
	made, err := edit.Bytes(e.Reader.Tree.Source, 0, e.Reader.Tree.Source.Size()).Minimal(e.Splices)
	if !e.Keep(err) {
		return
	}
	e.Splices = made
	moved := source.NewMapping(made)
	for s := e.Reader.Scan(e.Reader.Tree.Base); e.Keep(e.Ctx.Err()); {
		switch ev := s.Next(); {
		case ev == tree.Done:
			return
		case ev == tree.Enter || ev == tree.Atom:
			for _, o := range e.offsetsIn(s.Value()) {
				is := o.base + int64(o.value)
				by := moved.Map(is) - moved.Map(o.base) - int64(o.value)
				if by == 0 || slices.ContainsFunc(made, func(s source.Splice) bool { return s.Offset < o.End() && o.Offset < s.End() }) {
					continue
				}
				b := slices.Clone(e.Window.View(o.Offset, o.Length))
				if !e.add(b, o.Offset, &o.number, by) {
					e.Keep(fmt.Errorf("the offset at %#x has too few bits for the new place", o.Offset))
				}
				e.put(o.Offset, o.Length, source.Memory(b))
			}
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
func (e *editing) grow(parent *tree.Node, by change) {
	for n := parent; n != nil && n.Parent != nil && e.Err == nil; n = n.Parent {
		if n.Type == column {
			by = change{rows: by.count, size: by.size}
			continue
		}
		head, was := e.head(n, by), n.Body-n.Start
		if was > 0 || len(head) > 0 {
			e.put(n.Start, was, source.Memory(head))
		}
		by = change{size: by.size + int64(len(head)) - was}
	}
}

// growTogether has the counts and lengths around this edit added to once all edits are made together.
func (e *editing) growTogether(parent *tree.Node, by change) {
	if e.Offsets && by.size != 0 {
		e.BeAlone()
	}
	for n := parent; n != nil && n.Parent != nil && e.Err == nil; n, by.count = n.Parent, 0 {
		if by.count == 0 && (by.size == 0 || !n.Fenced) {
			continue // without a look at its header, which may be far away
		}
		c := e.seen(n)
		if by.count != 0 && (n.Type == column || len(c.indexes) > 0) {
			e.BeAlone()
		}
		if !n.Marked {
			e.addTogether(c.count, by.count)
		}
		if c.size.Length > 0 {
			e.addTogether(c.size, by.size)
		}
	}
}

// addTogether adds to a number that several edits change, as long as the sum fits.
func (e *editing) addTogether(n number, by int64) {
	if by == 0 {
		return
	}
	field, r := slices.Clone(e.Window.View(n.Offset, n.Length)), e.reading
	add := func(by int64) ([]byte, error) {
		b := slices.Clone(field)
		if !r.add(b, n.Offset, &n, by) {
			return nil, edit.ErrAlone
		}
		return b, nil
	}
	if _, err := add(e.Together.Added(n.Offset) + by); e.Keep(err) {
		e.Together.Add(n.Span, by, add)
	}
}

// Set implements edit.Editor. It keeps the width of numbers and lengths where the new value fits it.
func (e editor) Set(ctx context.Context, r *tree.Reader, n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	s := e.begin(ctx, r, o)
	if n.Parent == nil && s.isSequence() {
		return nil, errors.New("several values follow one another here: set one of them, such as $[0]")
	}
	root := s.Subject(n)
	switch {
	case s.Err != nil:
		return nil, s.Err
	case root == nil:
		s.put(n.Body, 0, s.content(c, Place{}, nil))
		return s.done(nil, 0, 0)
	}
	if n = s.Finish(root); s.Err == nil && n.Damage != nil {
		s.Keep(errors.New("a damaged value cannot be set; delete or repair it"))
	}
	if s.Err != nil {
		return nil, s.Err
	}
	if s.renumber(n, &c) {
		return s.Sorted()
	}
	if same, err := c.IsAlready(ctx, r, n); same || err != nil {
		return nil, err
	}
	s.replace(n, c, o.Retype)
	return s.done(n.Parent, 0, 0)
}

// renumber puts a whole number in the place of another that takes as many bytes, if nothing else depends on it. Otherwise it reports false.
func (e *editing) renumber(n *tree.Node, c *edit.Content) bool {
	is, err := strconv.ParseInt(c.Literal, 10, 64)
	if isAlone := n.Layout == tree.Leaf && n.Damage == nil && !n.Slot.Key && n.Type != column; err != nil || c.Copy != nil || !isAlone || e.Lines {
		return false
	}
	old, d := e.seen(n), Datum{Place: place(&n.Value), Scalar: tree.Scalar{Kind: tree.Int, Bits: uint64(is)}}
	defer e.cursors.Put(old)
	if was := old.scalar.Kind; was != tree.Int && was != tree.Uint || is < 0 && was == tree.Uint {
		return false
	}
	b := e.inPlace(n, d, old)
	if int64(len(b)) != n.Tail-n.Start || !e.areNumber(b, n.Type, d) {
		return false
	}
	if d.Bits != old.scalar.Bits {
		e.put(n.Start, n.Tail-n.Start, source.Memory(b))
	}
	return true
}

// areNumber reports whether bytes are a whole number of a type.
func (e *editing) areNumber(b []byte, typ uint16, d Datum) bool {
	v, s, _ := e.lookIn(source.Bytes(b), d.Place)
	return v.Damage == nil && v.Type == typ && (s.Kind == tree.Int || s.Kind == tree.Uint) && s.Bits == d.Bits
}

// replace puts content in the place of a value.
func (e *editing) replace(n *tree.Node, c edit.Content, retype bool) {
	b := e.content(c, place(&n.Value), n)
	if e.Err != nil {
		return
	}
	if is, was := e.typeOf(b, place(&n.Value)), e.TypeName(&n.Value); is != was && !retype && n.Type != column {
		e.Keep(&edit.TypeError{Was: was, Is: is})
	} else if n.Slot.Key {
		e.checkFreeKey(n.Parent, n.Slot.Index, b)
	}
	e.put(n.Start, n.Tail-n.Start, b)
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

// Insert implements edit.Editor.
func (e editor) Insert(ctx context.Context, r *tree.Reader, parent *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	s := e.begin(ctx, r, o)
	if err := c.CheckInsert(r, parent, s.isSequence(), false); err != nil {
		return nil, err
	}
	if parent.Type == column {
		s.insertRow(parent, index, c)
		return s.done(parent, index, 1)
	}
	s.checkFirst(parent, index)
	at := s.OffsetOf(parent, index)
	if s.Lines && s.Err == nil {
		s.insertLine(parent, index, at, c.Copy == nil)
	}
	switch {
	case s.Err != nil:
	case parent.Flags&isColumns != 0:
		s.put(at, 0, s.column(parent, c))
	default:
		if parent.Layout == tree.Pairs {
			s.put(at, 0, s.newKey(parent, c))
		}
		in := inside(&parent.Value, false)
		if parent.Parent == nil {
			in = s.root
		}
		if s.Err == nil {
			s.put(at, 0, s.content(c, in, nil))
		}
	}
	return s.done(parent, index, 1)
}

// insertLine puts the line ends that a new line needs before it.
func (e *editing) insertLine(parent *tree.Node, index, at int64, isNew bool) {
	beside, err := e.Reader.Child(parent, max(0, index-1))
	if e.beside = beside; !errors.Is(err, tree.ErrNoChild) {
		e.Keep(err)
	}
	if at > 0 && e.Window.Byte(at-1) != '\n' {
		e.put(at, 0, source.Memory([]byte(e.lineEnd())))
	}
	if isNew && e.areApart(parent, index) { // a copy has what is before it
		e.put(at, 0, source.Memory([]byte(e.lineEnd())))
	}
}

// newKey returns the bytes of the key of content, or of a copied entry, which the container must not have yet.
func (e *editing) newKey(parent *tree.Node, c edit.Content) *source.Pieces {
	if c = c.KeyContent(); c.Literal == "" && c.Copy == nil {
		e.Keep(edit.ErrNoKey)
		return nil
	}
	key := e.content(c, inside(&parent.Value, true), nil)
	if e.Err == nil {
		e.checkFreeKey(parent, tree.Unknown, key)
	}
	return key
}

// Delete implements edit.Editor.
func (e editor) Delete(ctx context.Context, r *tree.Reader, n *tree.Node, o edit.Options) ([]source.Splice, error) {
	s := e.begin(ctx, r, o)
	n, at := s.Extent(n)
	switch {
	case s.Err != nil:
	case n.Parent.Type == column:
		s.deleteRow(n)
	default:
		s.Cut(at.Offset, at.End())
	}
	return s.done(n.Parent, n.Slot.Index, -1)
}

// Move implements edit.Editor.
func (e editor) Move(ctx context.Context, r *tree.Reader, n *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	s := e.begin(ctx, r, o)
	if n.Parent == nil || n.Parent.Type != column {
		s.checkFirst(n.Parent, min(n.Slot.Index, to))
		s.MoveChild(s, n, to)
	} else if s.BeAlone(); s.Err == nil {
		s.moveRow(n, to)
	}
	return s.done(nil, 0, 0)
}

// checkFirst ends an edit that puts something before or in the place of child index, if that is lines without the key of others: they are
// a child of their own only where nothing is before them.
func (e *editing) checkFirst(parent *tree.Node, index int64) {
	if !e.Lines || parent == nil || index > 0 {
		return
	}
	if first, err := e.Reader.Child(parent, 0); err == nil && first.KeyAt != tree.Unknown && isAbsent(e.Reader.Key(first)) {
		e.Keep(errors.New("entries before all sections stay there"))
	}
}

// isAbsent reports whether a key has no bytes.
func isAbsent(key *tree.Node) bool { return key.Slot.Key && key.Tail == key.Head }

// Absorbs implements edit.Mover.
func (e *editing) Absorbs(n *tree.Node) bool {
	if e.Lines && n.Tail > 0 && e.Window.Byte(n.Tail-1) != '\n' {
		e.Keep(errors.New("the last line has no end: another value cannot follow it"))
	}
	return e.Err == nil && e.IsDamaged(n)
}

// OffsetOf implements edit.Mover.
func (e *editing) OffsetOf(parent *tree.Node, index int64) int64 {
	if e.Lines && index == 0 && parent.Depth == 1 { // the lines that begin a file would be in a new section before them
		first, err := e.Reader.Child(parent, 0)
		if err == nil {
			return e.Reader.Key(first).Head
		}
		return e.Finish(parent).Tail
	}
	return e.Offset(parent, index, e.IsDamaged)
}

// Extent implements edit.Mover.
func (e *editing) Extent(n *tree.Node) (*tree.Node, span.Span) {
	if n.Parent == nil || n.Parent.Parent == nil && !e.isSequence() {
		e.Keep(edit.ErrOnly)
		return n, span.Span{}
	}
	n, at := e.EntryOf(n)
	if e.Err == nil && n.KeyAt != tree.Unknown {
		at = span.Between(e.Reader.Key(n).Head, n.Tail)
	}
	return n, at
}

// content returns the bytes of content in a place. old is the value that it replaces; nil if it is new.
func (e *editing) content(c edit.Content, at Place, old *tree.Node) *source.Pieces {
	if c.Copy != nil {
		n, err := c.Copied()
		if !e.Keep(err) {
			return nil
		}
		if other, ok := c.From.Tree.Reading.(editor); ok && other.family == e.family && place(&n.Value) == at && n.Type != column && !isAbsent(n) {
			return e.copied(c.From, n)
		}
		c.Copy = n
	}
	return source.Memory(e.value(e.parsed(c), at, old))
}

// parsed returns content as a literal.
func (e *editing) parsed(c edit.Content) *notation.Value {
	text := e.Literal(&c)
	if e.Err != nil {
		return &notation.Value{}
	}
	v, err := notation.Parse(text)
	e.Keep(err)
	return &v
}

// copied returns the bytes of a value of the same format; a line gets an end.
func (e *editing) copied(from *tree.Reader, n *tree.Node) *source.Pieces {
	b := edit.Bytes(from.Tree.Source, n.Start, n.Tail)
	if e.Lines && !n.Slot.Key && n.Tail > n.Start && from.Window().Byte(n.Tail-1) != '\n' {
		return source.Concat(b, source.Memory([]byte(e.lineEnd())))
	}
	return b
}

// value returns the bytes of a literal in a place. old is the value that it replaces; nil if it is new.
func (e *editing) value(v *notation.Value, at Place, old *tree.Node) []byte {
	switch {
	case e.Err != nil:
		return nil
	case old != nil && (old.Type == column || old.Flags&isColumns != 0 && v.Kind == notation.List):
		return e.columns(v, old)
	case v.Kind == notation.List:
		return e.container(v, tree.Sequence, at, old)
	case v.Kind == notation.Pairs:
		return e.container(v, tree.Pairs, at, old)
	}
	d, err := e.datum(v, at)
	if !e.Keep(err) {
		return nil
	}
	b := e.leaf(d, old)
	if b == nil {
		e.Keep(v.NotIn(e.Title, at.Key))
	}
	return b
}

// body returns the bytes of items in a container, and how many there are; before are the children of the old value.
func (e *editing) body(items []notation.Value, arePairs bool, in *tree.Value, before map[string]*tree.Node) (body []byte, n int64) {
	keys := map[string]bool{}
	for ; len(items) > 0 && e.Err == nil; n++ {
		name := strconv.FormatInt(n, 10)
		if arePairs {
			var key []byte
			if name, key = e.key(&items[0], inside(in, true), before); keys[name] {
				e.Keep(items[0].Errorf("the key %s is repeated", name))
			}
			body, keys[name], items = append(body, key...), true, items[1:]
		}
		body = append(body, e.value(&items[0], inside(in, false), before[name])...)
		items = items[1:]
		if e.Lines && len(items) > 0 && len(body) > 0 && body[len(body)-1] != '\n' {
			body = append(body, e.lineEnd()...)
		}
	}
	return body, n
}

// container returns the bytes of a list or of pairs. Children that are in the old value too keep their
// form.
func (e *editing) container(v *notation.Value, l tree.Layout, at Place, old *tree.Node) []byte {
	if old != nil && (old.Layout != l || old.Overcounted()) {
		old = nil
	}
	before := e.children(old)
	var in tree.Value
	if old != nil {
		in = old.Value
	} else {
		in, _, _ = e.lookIn(source.Bytes(e.newHead(v, l, at, 0)), at)
	}
	body, n := e.body(v.Items, l == tree.Pairs, &in, before)
	if in.Marked {
		body = append(body, e.Terminator...)
	}
	switch {
	case e.Err != nil:
		return nil
	case old != nil:
		return append(e.head(old, change{at: min(n, old.Count), count: n - old.Count, size: int64(len(body)) - (old.Tail - old.Body), all: n != old.Count}), body...)
	}
	return append(e.newHead(v, l, at, int64(len(body))), body...)
}

// newHead returns the leading fields of a new container for the items of a literal.
func (e *editing) newHead(v *notation.Value, l tree.Layout, at Place, size int64) []byte {
	n := int64(len(v.Items))
	if l == tree.Pairs {
		n /= 2
	}
	return e.header(at, l, n, size)
}

// key returns the literal and the bytes of a key, unchanged if the key was there before.
func (e *editing) key(key *notation.Value, at Place, before map[string]*tree.Node) (name string, b []byte) {
	b = e.value(key, at, nil)
	if e.Err != nil {
		return "", nil
	}
	name = e.nameOf(b, at)
	if was := before[name]; was != nil && !isAbsent(e.Reader.Key(was)) {
		old := e.Finish(e.Reader.Key(was))
		b = e.Window.View(old.Start, old.Tail-old.Start)
	}
	return name, b
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
func (e *editing) children(n *tree.Node) map[string]*tree.Node {
	if n == nil || e.Err != nil {
		return nil
	}
	all, err := edit.Children(e.Ctx, e.Reader, n, notation.MaxText)
	e.Keep(err)
	return all
}

// checkFreeKey ends the edit if an entry of parent, other than entry number except, has the key.
func (e *editing) checkFreeKey(parent *tree.Node, except int64, key *source.Pieces) {
	e.Keep(edit.CheckFreeKey(e.Ctx, e.Reader, e.Together, parent, except, e.literal(key, inside(&parent.Value, true)), notation.MaxText))
}

// literal returns the literal of a value, given its bytes and place.
func (e *editing) literal(b *source.Pieces, at Place) string {
	r := newReading(e.family)
	r.root = at
	t := tree.New(b, r, span.Between(0, b.Size()))
	text, err := edit.LiteralOf(e.Ctx, t.NewReader(), &t.Base.Value, notation.MaxText)
	if err == nil {
		return text
	}
	if !errors.Is(err, edit.ErrTooLong) {
		e.Keep(err)
	}
	return err.Error() // any text that is not a literal
}

// typeOf returns the name of the type of a value, given its bytes and place.
func (e *editing) typeOf(b *source.Pieces, at Place) string {
	v, _, err := e.lookIn(b, at)
	e.Keep(err)
	return e.TypeName(&v)
}

// Types implements edit.Editor.
func (e editor) Types(r *tree.Reader, n *tree.Node) []string {
	if n.Parent == nil {
		return nil
	}
	var names []string
	for _, name := range e.reading.Types {
		if e.begin(context.Background(), r, edit.Options{}).sample(name, place(&n.Value)) != "" {
			names = append(names, name)
		}
	}
	return names
}

// Retyped implements edit.Editor. It converts numbers, bools and texts to one another.
func (e editor) Retyped(ctx context.Context, r *tree.Reader, n *tree.Node, name string) (string, error) {
	s := e.begin(ctx, r, edit.Options{})
	text, ok, err := notation.Retype(ctx, r, &n.Value, samples(name), func(text string) bool { return s.isOf(text, name, place(&n.Value)) })
	if err == nil && !ok {
		err = fmt.Errorf("%s has no type %s", e.Title, name)
	}
	return text, err
}

// samples are literals of new values, one of which may have the named type.
func samples(name string) []string { return slices.Concat(notation.Samples, []string{name + "()"}) }

// sample returns the literal of a value of the named type, or of any type if the name is empty; "" if there
// is none.
func (e *editing) sample(name string, at Place) string {
	all := samples(name)
	if i := slices.IndexFunc(all, func(text string) bool { return e.isOf(text, name, at) }); i >= 0 {
		return all[i]
	}
	return ""
}

// isOf reports whether text is the literal of a value of the named type.
func (e *editing) isOf(text, name string, at Place) bool {
	v, err := notation.Parse(text)
	if err != nil {
		return false
	}
	e.Err = nil
	b := e.value(&v, at, nil)
	return e.Err == nil && (name == "" || e.typeOf(source.Memory(b), at) == name)
}

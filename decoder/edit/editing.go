package edit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// An Editing collects the splices of one edit. The editor of a format embeds it, and adds what is particular to
// the format: counts, lengths, padding, offsets.
type Editing struct {
	Ctx      context.Context
	Reader   *tree.Reader
	Window   *source.Window
	Together *Together // edits together with which this one is made; nil if there are none
	Splices  []source.Splice
	Err      error // the first error, with which the edit ends: whatever is put after it is of no use
}

// Keep keeps an error, unless there was one before. It reports whether there is none.
func (e *Editing) Keep(err error) bool {
	if e.Err == nil {
		e.Err = err
	}
	return e.Err == nil
}

// Begin begins an edit.
func Begin(ctx context.Context, r *tree.Reader, o Options) Editing {
	return Editing{Ctx: ctx, Reader: r, Window: r.Window(), Together: o.Together}
}

// Put replaces n bytes at an offset.
func (e *Editing) Put(off, n int64, b []byte) {
	if n > 0 || len(b) > 0 {
		e.Splices = append(e.Splices, source.Put(off, n, b))
	}
}

// Replace puts bytes in the place of those from start to end.
func (e *Editing) Replace(start, end int64, b *source.Pieces) {
	e.Splices = append(e.Splices, source.Splice{Span: span.Between(start, end), New: b})
}

// Cut removes the bytes from start to end.
func (e *Editing) Cut(start, end int64) { e.Put(start, end-start, nil) }

// Added returns by how many bytes splices make a buffer longer.
func Added(splices []source.Splice) (by int64) {
	for i := range splices {
		by += splices[i].Added() - splices[i].Length
	}
	return by
}

// Add adds to the number in a span, to which other edits may add too.
func (e *Editing) Add(s span.Span, by int64, add Adder) {
	switch {
	case e.Err != nil:
	case e.Together != nil:
		e.Together.Add(s, by, add)
	default:
		b, err := add(by)
		e.Keep(err)
		e.Put(s.Offset, s.Length, b)
	}
}

// BeAlone ends the edit if it is to be made together with others.
func (e *Editing) BeAlone() {
	if e.Together != nil {
		e.Keep(ErrAlone)
	}
}

// Sorted returns the splices in order, or the first error.
func (e *Editing) Sorted() ([]source.Splice, error) {
	if e.Err != nil {
		return nil, e.Err
	}
	source.Sort(e.Splices)
	return e.Splices, cmp.Or(e.Window.Err(), e.Ctx.Err())
}

// Subject returns the value that is set: for a buffer its only one, nil if it has none.
func (e *Editing) Subject(n *tree.Node) *tree.Node {
	if n.Parent != nil {
		return n
	}
	n, err := e.Reader.Child(n, 0)
	if !errors.Is(err, tree.ErrNoChild) {
		e.Keep(err)
	}
	return n
}

// Finish returns a value with a known end; with an error the value as it is.
func (e *Editing) Finish(n *tree.Node) *tree.Node {
	done, err := e.Reader.Finish(n)
	if e.Keep(err); err != nil {
		return n
	}
	return done
}

// IsDamaged reports what the function of the same name does.
func (e *Editing) IsDamaged(n *tree.Node) bool {
	bad, err := IsDamaged(e.Reader, n)
	return e.Keep(err) && bad
}

// IsWrittenAs reports whether the literal of a value is text, without the blanks around it.
func (e *Editing) IsWrittenAs(n *tree.Node, text string) bool {
	same, err := IsWrittenAs(e.Ctx, e.Reader, &n.Value, strings.TrimSpace(text))
	return e.Keep(err) && same
}

// Literal returns what an edit inserts as a literal.
func (e *Editing) Literal(c *Content) string {
	if c.Copy == nil {
		return c.Literal
	}
	text, err := LiteralOf(e.Ctx, c.From, &c.Copy.Value, MaxLiteral)
	e.Keep(err)
	return text
}

// MaxLiteral is the largest size of a literal in bytes.
const MaxLiteral = 1 << 30

// ChildAt returns a child, or the error that there is none at the index.
func ChildAt(r *tree.Reader, parent *tree.Node, index int64) (*tree.Node, error) {
	n, err := r.Child(parent, index)
	if errors.Is(err, tree.ErrNoChild) {
		err = fmt.Errorf("index %d is out of range", index)
	}
	return n, err
}

// Copied returns the value that is copied, which must not be damaged, with a known end: of a buffer its only value.
func (c *Content) Copied() (*tree.Node, error) {
	n, err := c.From.Finish(c.Copy)
	if err == nil && n.Parent == nil {
		if n, err = c.From.Child(n, 0); err == nil {
			n, err = c.From.Finish(n)
		}
	}
	if err != nil {
		return nil, err
	}
	if bad, err := IsDamaged(c.From, n); bad || err != nil {
		return nil, cmp.Or(err, errors.New("a damaged value cannot be copied"))
	}
	return n, nil
}

// EntryOf returns an entry or element, or the one whose key n is, with a known end, and its bytes with those of the key.
// A key without a value is returned itself.
func (e *Editing) EntryOf(n *tree.Node) (*tree.Node, span.Span) {
	if n.Slot.Key {
		value, err := e.Reader.Child(n.Parent, n.Slot.Index)
		if err == nil {
			n = value
		} else if !errors.Is(err, tree.ErrNoChild) {
			e.Keep(err)
		}
	}
	done := e.Finish(n)
	start := done.Start
	if done.KeyAt != tree.Unknown {
		start = done.KeyAt
	}
	return done, span.Between(start, done.Tail)
}

// A Mover says how the children of a format's values follow one another.
type Mover interface {
	// Extent returns what EntryOf does, if that may be deleted and moved.
	Extent(n *tree.Node) (*tree.Node, span.Span)

	// Absorbs reports whether bytes after a child would become part of it.
	Absorbs(n *tree.Node) bool

	// OffsetOf returns the offset of the child index of a value, with its key, or the end of the last child.
	OffsetOf(parent *tree.Node, index int64) int64

	// InsertAt inserts bytes at an offset of parent.
	InsertAt(parent *tree.Node, at int64, b *source.Pieces)

	// Swap exchanges the bytes [a, b) and [b, c), which are children of parent.
	Swap(parent *tree.Node, a, b, c int64)
}

// InsertAt implements Mover.
func (e *Editing) InsertAt(_ *tree.Node, at int64, b *source.Pieces) { e.Replace(at, at, b) }

// Swap implements Mover by moving the smaller part.
func (e *Editing) Swap(_ *tree.Node, a, b, c int64) {
	from, to, at := b, c, a
	if b-a <= c-b {
		from, to, at = a, b, c
	}
	e.Replace(at, at, Bytes(e.Reader.Tree.Source, from, to))
	e.Cut(from, to)
}

// MoveChild makes n, with its key, the child with index to of its parent. Together with other edits it comes
// before the child that had that index before all of them.
func (e *Editing) MoveChild(m Mover, n *tree.Node, to int64) {
	n, at := m.Extent(n)
	switch {
	case e.Err != nil:
	case n.Slot.Key:
		e.Keep(errors.New("a key without a value cannot be moved"))
	case e.Together != nil:
		e.moveTogether(m, n, at, to)
	case to != n.Slot.Index:
		e.exchange(m, n, at, to)
	}
}

// exchange makes n, which takes the bytes at a place, the child with index to.
func (e *Editing) exchange(m Mover, n *tree.Node, at span.Span, to int64) {
	other, err := ChildAt(e.Reader, n.Parent, to)
	if !e.Keep(err) {
		return
	}
	other, there := m.Extent(other)
	last, a, b, c := n, there.Offset, at.Offset, at.End()
	if to > n.Slot.Index {
		last, a, b, c = other, at.Offset, at.End(), there.End()
	}
	if e.Err == nil && m.Absorbs(last) {
		e.Keep(ErrAfterDamage)
	}
	if e.Err == nil {
		m.Swap(n.Parent, a, b, c)
	}
}

func (e *Editing) moveTogether(m Mover, n *tree.Node, from span.Span, before int64) {
	at := m.OffsetOf(n.Parent, before)
	if e.Err == nil && m.Absorbs(n) {
		e.Keep(ErrAlone)
	}
	if e.Err == nil {
		e.Cut(from.Offset, from.End())
		m.InsertAt(n.Parent, at, Bytes(e.Reader.Tree.Source, from.Offset, from.End()))
	}
}

// ErrAfterDamage is returned if inserted bytes would become part of a gap.
var ErrAfterDamage = errors.New("nothing can be inserted after a damaged value: it takes all bytes up to the end")

// Offset returns the offset at which the child index of a value begins with its key, or the end of its last
// child. absorbs reports whether bytes that are inserted after that child would become part of it.
func (e *Editing) Offset(parent *tree.Node, index int64, absorbs func(last *tree.Node) bool) int64 {
	n, err := e.Reader.Child(parent, index)
	switch {
	case err == nil && n.KeyAt != tree.Unknown:
		return n.KeyAt
	case err == nil:
		return n.Start
	case !errors.Is(err, tree.ErrNoChild):
		e.Keep(err)
		return 0
	}
	some, end := int64(0), parent.Body // end of the last child
	last, err := e.Reader.LastChild(parent)
	if err == nil {
		some = last.Slot.Index + 1
	} else if !errors.Is(err, tree.ErrNoChild) {
		e.Keep(err)
	}
	if index != some {
		e.Keep(fmt.Errorf("index %d is out of range; the last is %d", index, some))
	}
	if e.Err != nil {
		return 0
	}
	done := e.Finish(parent)
	if some > 0 {
		if absorbs(last) {
			e.Keep(ErrAfterDamage)
		}
		end, err = e.Reader.End(last)
		e.Keep(err)
	}
	children := done.Tail // end of the children
	if done.Footed {
		children = done.Foot
	}
	if end != children { // a key without its value
		e.Keep(ErrAfterDamage)
	}
	return end
}

// maxDamageDepth is the depth to which the last values of a container are examined.
const maxDamageDepth = 32

// IsDamaged reports whether n, or the last value in it, ends in bytes that cannot be read, so that nothing
// can follow it.
func IsDamaged(r *tree.Reader, n *tree.Node) (bool, error) {
	if r.Tree.IsResynced() { // damage can be anywhere
		return holdsDamage(r, n)
	}
	for range maxDamageDepth {
		if n.Damage != nil {
			return true, nil
		}
		if n.Layout < tree.Sequence {
			return false, nil
		}
		last, err := r.LastChild(n)
		if errors.Is(err, tree.ErrNoChild) {
			return n.Count > 0, nil
		}
		if err != nil {
			return false, err
		}
		if n.Count != tree.Unknown && last.Slot.Index+1 < n.Count {
			return true, nil
		}
		n = last
	}
	return false, nil
}

// holdsDamage reports whether any value in n is damaged.
func holdsDamage(r *tree.Reader, n *tree.Node) (bool, error) {
	if n.Damage != nil || n.Layout < tree.Sequence {
		return n.Damage != nil, nil
	}
	s := r.Scan(n)
	s.PassOrdinary = true
	for {
		switch ev := s.Next(); {
		case s.Window().Err() != nil:
			return false, s.Window().Err()
		case ev == tree.Done, ev == tree.Leave && s.Depth() <= n.Depth:
			v := s.Value()
			return v.HasGap() || v.Damage != nil, nil
		case s.Value().Damage != nil:
			return true, nil
		}
	}
}

// Bytes returns the bytes of a source from start to end, without copying them.
func Bytes(src source.Source, start, end int64) *source.Pieces {
	pieces := source.Whole(src)
	if p, ok := src.(*source.Pieces); ok {
		pieces = p
	}
	return pieces.Slice(span.Between(start, end))
}

// errDiffers ends a comparison.
var errDiffers = errors.New("differs")

// A comparer accepts writes as long as they equal the rest of a text.
type comparer struct{ rest string }

func (c *comparer) Write(b []byte) (int, error) {
	if len(b) > len(c.rest) || c.rest[:len(b)] != string(b) {
		return 0, errDiffers
	}
	c.rest = c.rest[len(b):]
	return len(b), nil
}

// IsWrittenAs reports whether the literal of a value is text.
func IsWrittenAs(ctx context.Context, r *tree.Reader, v *tree.Value, text string) (bool, error) {
	c := comparer{text}
	err := r.WriteText(ctx, &c, v)
	if errors.Is(err, errDiffers) {
		return false, nil
	}
	if err == nil {
		err = r.Window().Err()
	}
	return err == nil && c.rest == "", err
}

// ErrTooLong is returned for a literal that exceeds its limit.
var ErrTooLong = errors.New("the value is too large to be written as text")

// A limited is a buffer of limited size.
type limited struct {
	bytes.Buffer
	left int
}

func (b *limited) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, ErrTooLong
	}
	return b.Buffer.Write(p)
}

// LiteralOf returns the literal of a value; the error is ErrTooLong if it has more than limit bytes.
func LiteralOf(ctx context.Context, r *tree.Reader, v *tree.Value, limit int) (string, error) {
	b := limited{left: limit}
	if err := r.WriteText(ctx, &b, v); err != nil {
		return "", err
	}
	return b.String(), r.Window().Err()
}

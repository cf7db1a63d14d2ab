package elephant

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// An editor makes one edit.
type editor struct {
	ctx context.Context
	f   *Reading
	r   *tree.Reader // without a budget
	w   *source.Window
	o   edit.Options

	patches []patch
	dead    []span.Span         // what goes away
	gone    map[int64]bool      // where what goes away without a replacement begins
	aimed   map[uint32]bool     // numbers that new references lead to
	merged  map[*literal]uint32 // numbers of old values that have become what a literal says
	filled  map[int64]bool      // arrays that have got new elements or tags, by their Body
	marks   *marks              // of the block as it is; empty as long as nothing depends on them
	scanned bool
	ctors   map[string]uint16 // indexes of constructors that new values have
	full    bool              // no index was left for one
}

func newEditor(ctx context.Context, f *Reading, r *tree.Reader, o edit.Options) *editor {
	own := r.Tree.NewReader()
	return &editor{ctx: ctx, f: f, r: own, w: own.Window(), o: o, marks: &marks{},
		gone: map[int64]bool{}, filled: map[int64]bool{}, merged: map[*literal]uint32{}, aimed: map[uint32]bool{}, ctors: map[string]uint16{}}
}

// finish makes splices of the patches. References to what goes away are seen to.
func (e *editor) finish() ([]source.Splice, error) {
	switch {
	case len(e.patches) == 0:
		return nil, nil
	case e.full:
		return nil, errors.New("the block has no index left for another constructor")
	}
	if err := e.orphans(); err != nil {
		return nil, err
	}
	splices, err := e.link()
	if err == nil {
		err = e.w.Err()
	}
	return splices, err
}

// put puts parts in place of a span in the container v.
func (e *editor) put(v *tree.Value, s span.Span, parts ...part) {
	if s.Length > 0 || len(parts) > 0 {
		e.patches = append(e.patches, patch{s, v.Body - 1, parts})
	}
}

// putBytes puts bytes in place that depend on nothing.
func (e *editor) putBytes(v *tree.Value, off, n int64, b ...byte) {
	e.put(v, span.Span{Offset: off, Length: n}, part{new: &fragment{b: b}})
}

// remove takes the span of a child of v away.
func (e *editor) remove(v *tree.Value, s span.Span) {
	e.put(v, s)
	if s.Length > 0 {
		e.dead = append(e.dead, s)
		e.gone[s.Offset] = true
	}
}

// need has the marks of the block collected.
func (e *editor) need() error {
	if e.scanned {
		return nil
	}
	m, err := scanMarks(e.ctx, e.f, e.r.Tree)
	if err != nil {
		return err
	}
	if m.lost {
		return errors.New("this edit moves references or constructors, and a part of the block cannot be read that may hold some; " +
			"a missing schema is loaded with --schema or :schema")
	}
	e.marks, e.scanned = m, true
	return nil
}

// needFor has them collected if v, or what is in it, depends on others or others
// on it.
func (e *editor) needFor(v *tree.Value) error {
	switch {
	case v.Type != tArray && v.Type != tStruct:
		return nil
	case v.Refers, !e.f.Rules.ctorTags && v.Serial != tree.NoSerial && v.Serial == v.SerialEnd:
		return nil
	}
	return e.need()
}

// whole returns n with its end.
func (e *editor) whole(n *tree.Node) (*tree.Node, error) {
	if n.End != tree.Unknown {
		return n, nil
	}
	done, err := e.r.Finish(n)
	if err == nil {
		err = e.w.Err()
	}
	return done, err
}

// readable says why a value cannot be edited: it, or the value it is in, cannot be
// read.
func (e *editor) readable(n *tree.Node) error {
	switch {
	case n.Damage == nil || n.Layout != tree.Leaf:
		return nil
	case n.Damage.Code == span.MissingSchema:
		return errors.New("this struct cannot be read: " + n.Damage.Message + "; its bytes can be edited")
	}
	return errors.New("this value is damaged: " + n.Damage.Message + "; its bytes can be edited")
}

// contentOf is where the value with a number lies, without its tag.
func (e *editor) contentOf(serial uint32) (span.Span, *tree.Node, error) {
	n, err := e.r.Numbered(serial)
	if err == nil {
		n, err = e.whole(n)
	}
	if err != nil {
		return span.Span{}, nil, err
	}
	return span.Between(e.f.tagsEnd(e.w, &n.Value), n.End), n, nil
}

// entry is the span of a child with its name.
func entry(n *tree.Node) span.Span {
	if n.KeyAt != tree.Unknown {
		return span.Between(n.KeyAt, n.End)
	}
	return span.Between(n.Start, n.End)
}

// counted is how many children v has by its count.
func (e *editor) counted(v *tree.Value) int64 {
	if v.Type == tArray && v.Sub == 0 {
		return 0
	}
	return int64(e.w.U16(e.countAt(v)))
}

// countAt is where the count of an array or of a struct with names stands.
func (e *editor) countAt(v *tree.Value) int64 {
	if v.Type == tArray && v.Sub != 0 {
		return v.Body - 3
	}
	return v.Body - 2
}

// setCount writes how many children v has.
func (e *editor) setCount(v *tree.Value, n int64) error {
	limit, what := e.f.Rules.room(v.Type), "elements"
	if v.Type == tStruct {
		what = "members"
	}
	if n > int64(limit) {
		return fmt.Errorf("%s has room for %d %s at most", typeName(v.Type), limit, what)
	}
	if n != e.counted(v) {
		e.putBytes(v, e.countAt(v), 2, binary.LittleEndian.AppendUint16(nil, uint16(n))...)
	}
	return nil
}

// tag is the tag byte of a type in this block.
func (e *editor) tag(t typeID) byte {
	switch {
	case t&ctorElement != 0:
		return byte(t)
	case t < tAny:
		return byte(t)
	}
	low := !e.f.Rules.highTags
	if e.f.Rules.lowTags && e.f.Rules.highTags { // 1.4.0: as the block has them
		base := &e.r.Tree.Base.Value
		low = e.f.firstTag(e.w, &tree.Value{Head: base.Body}) < int(tAny)
	}
	if low {
		return byte(t - lowTags)
	}
	return byte(t)
}

// Reader is the reader that the edit reads the block with.
func (e *editor) Reader() *tree.Reader { return e.r }

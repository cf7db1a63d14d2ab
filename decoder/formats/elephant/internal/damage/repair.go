// Package damage lists the suspects of a damaged block, the fields that may have caused its problems, and
// repairs problems.
package damage

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/blockedit"
	"varview/decoder/formats/elephant/internal/datatype"
	"varview/decoder/formats/elephant/internal/literal"
)

// A repairer repairs one problem.
type repairer struct {
	*blockedit.Editor
	n     *tree.Node // the node for which the problem was reported
	p     *span.Problem
	drops string
}

// Reasons why a repair cannot be made.
var (
	errNoRepair = errors.New("there is no repair for this")
	errStale    = errors.New("the bytes have changed since this was reported")
)

// repairs holds the repair of each problem code.
var repairs = map[string]func(*repairer) error{
	block.WrongHeader:   (*repairer).header,
	block.WrongVersion:  (*repairer).version,
	block.WrongFooter:   (*repairer).footer,
	block.MissingFooter: (*repairer).footer,
	block.ForeignTag:    (*repairer).foreignTag,
	block.Dangling:      (*repairer).noReference,
	block.RefKind:       (*repairer).refTag,
	block.CtorIndex:     (*repairer).ctorIndex,
	block.WrongSkip:     (*repairer).wrongSkip,
	span.BoolValue:      (*repairer).bools,
	span.InvalidUTF8:    (*repairer).text,
	span.RepeatedKey:    (*repairer).repeated,
	span.TrailingBytes:  (*repairer).trailing,
	span.Truncated:      (*repairer).cut,
	span.LengthOverrun:  (*repairer).cut,
	span.MissingValue:   (*repairer).cut,
}

// Repair repairs a problem of n; see edit.Repairer. One repair of missing bytes repairs
// everything that they leave open.
func (f Judging) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	repair, ok := repairs[p.Code]
	if !ok {
		return edit.Repair{}, errNoRepair
	}
	if p.Offset < 0 || p.Length < 0 || p.End() > r.Tree.Source.Size() {
		return edit.Repair{}, errStale
	}
	e := &repairer{Editor: blockedit.New(ctx, f.Reading, r, edit.Options{Orphans: edit.Inherit}), n: n, p: p}
	e.Keep(repair(e))
	splices, err := e.Done()
	return edit.Repair{Splices: splices, Loss: e.drops}, err
}

// block returns the value of the whole block.
func (e *repairer) block() *tree.Value { return &e.Reader.Tree.Base.Value }

// write replaces bytes that nothing depends on.
func (e *repairer) write(s span.Span, b ...byte) error {
	e.PutBytes(e.block(), s.Offset, s.Length, b...)
	return nil
}

func (e *repairer) header() error {
	at := e.block().Head
	if e.block().Body-at < block.HeaderSize {
		return errStale
	}
	return e.write(span.Span{Offset: at, Length: 4}, []byte(e.Block.Header.RightMagic(e.Block.RightVersion()))...)
}

func (e *repairer) version() error {
	at := e.block().Head
	if e.block().Body-at < block.HeaderSize {
		return errStale
	}
	return e.write(span.Span{Offset: at + 4, Length: 4}, binary.LittleEndian.AppendUint32(nil, e.Block.RightVersion().Version)...)
}

// footer writes the footer over the bytes in its place, or before them.
func (e *repairer) footer() error {
	at := e.p.Offset
	left := e.Reader.Tree.Region.End() - at
	if left < 0 {
		return errStale
	}
	if e.p.Settled && (left == 0 || left > int64(len(block.MagicFooter))) { // its place is not known
		return errNoRepair
	}
	if foot := e.Window.View(at, min(left, 4)); !block.IsFooterLike(string(foot), left) {
		return e.write(span.Span{Offset: at}, []byte(block.MagicFooter)...)
	}
	return e.write(span.Span{Offset: at, Length: min(left, 4)}, []byte(block.MagicFooter)...)
}

// fewBytes is the largest number of non-zero bytes whose loss is not mentioned.
const fewBytes = 16

// trailing removes the bytes after the footer, or between the value and a footer that ends
// the block.
func (e *repairer) trailing() error {
	if e.p.Settled {
		return e.afterFooter()
	}
	base, end := e.Finish(e.Reader.Tree.Base), e.Reader.Tree.Region.End()
	h := &e.Block.Header
	switch {
	case !h.Footed:
		return e.write(span.Between(base.Tail, end))
	case h.AtEnd:
		return e.write(span.Between(base.Tail, base.Limit))
	}
	return e.write(span.Between(base.Tail, end), []byte(block.MagicFooter)...)
}

// afterFooter removes the bytes after the footer, from the place where they were found.
func (e *repairer) afterFooter() error {
	rest := span.Between(e.p.Offset, e.Reader.Tree.Region.End())
	if foot := int64(len(block.MagicFooter)); rest.Offset < foot || string(e.Window.View(rest.Offset-foot, foot)) != block.MagicFooter {
		return errStale
	}
	switch {
	case block.IsBlock(e.Window.View(rest.Offset, min(rest.Length, block.HeaderSize))):
		e.drop("the block that begins after the footer, " + span.Bytes(rest.Length))
	case rest.Length > fewBytes && e.Window.ZerosBefore(rest.Offset, rest.End()) < rest.Length:
		e.drop(span.Bytes(rest.Length) + " after the footer")
	}
	return e.write(rest)
}

func (e *repairer) foreignTag() error {
	tag := e.Window.Byte(e.p.Offset)
	if !e.Block.Rules.IsForeign(tag) || e.p.Length != 1 {
		return errStale
	}
	return e.write(e.p.Span, e.Block.Rules.NativeTag(tag))
}

// wrongSkip removes a number from a list of skipped members.
func (e *repairer) wrongSkip() error {
	v := &e.n.Value
	if v.Flags&block.BySchema == 0 || v.Layout != tree.Sequence || !e.Block.Rules.Skips {
		return errStale
	}
	if list := e.SkipList(v); e.p.Offset < list.Offset || e.p.End() > list.End() || e.p.Length != 2 {
		return errStale
	}
	e.Put(v, e.p.Span)
	return nil
}

// bools sets a bool to 1, or all odd bools of an array, the first of which was reported.
func (e *repairer) bools() error {
	array := e.n
	if array.Parent != nil && array.Parent.Layout == tree.Fixed {
		array = array.Parent
	}
	if array.Type != datatype.Bool && (array.Type != datatype.Array || array.Layout != tree.Fixed || datatype.ID(array.Sub) != datatype.Bool) {
		return errStale
	}
	where := e.p.Span
	if array.Layout == tree.Fixed {
		where = span.Between(where.Offset, array.Tail)
	}
	for at, b := range e.Window.Pieces(where) {
		for i, c := range b {
			if c > 1 {
				e.PutBytes(&array.Value, at+int64(i), 1, 1)
			}
		}
	}
	return e.Window.Err()
}

// maxBadBytes is the largest number of bytes of a text that are replaced. Bytes with more errors are not
// text.
const maxBadBytes = 1 << 16

// text replaces each byte of a text or a name that is not valid UTF-8.
func (e *repairer) text() error {
	start, end := e.n.Body, e.n.Tail-1
	switch {
	case e.n.Damage != nil, !datatype.IsText(e.n.Type) && e.n.Type != datatype.MemberName:
		return errStale
	case e.n.Type == datatype.MemberName:
		start = e.n.Start
	}
	for count := 0; ; count++ {
		bad, _ := tree.ScanText(e.Window, start, end-start, tree.RuneSize)
		if bad == tree.Unknown {
			return e.Window.Err()
		}
		if count == maxBadBytes {
			return fmt.Errorf("more than %d bytes of this text are not valid UTF-8; it may not be text", maxBadBytes)
		}
		e.PutBytes(e.block(), bad, 1, []byte("\ufffd")...)
		start = bad + 1
	}
}

// An opening is a value that is open where the bytes end; the block itself is the first.
type opening struct {
	whole   int64 // children that are complete
	pending int64 // where the name of the next child begins, if it is there; otherwise Unknown
}

// A cut is the place where the bytes of a block end too early.
type cut struct {
	open []opening
	in   *tree.Node // the innermost value with children that is open
	last *tree.Node // the value or name that is itself cut off; nil if the bytes end between two
}

// cut repairs a block that ends too early, wherever the problem was reported: it removes
// the value that is cut off and closes all open ones. If reading resumes after an array,
// only the array is closed.
func (e *repairer) cut() error {
	base := e.Reader.Tree.Base
	if base.Body-base.Head < block.HeaderSize {
		return errors.New("a block without a complete header and version holds nothing")
	}
	if e.p.Code == span.LengthOverrun && e.n.Type == datatype.Array && e.n.HasGap() && e.n.End < e.n.Limit {
		end := e.closeArray(e.n, e.n.Count, e.n.Tail)
		return e.write(span.Between(end, e.n.End))
	}
	c := e.findCut()
	if e.Err != nil || c.in == nil {
		return errStale
	}
	if c.last != nil && (c.last.Damage.Code == span.ReadFailed || c.last.Damage.Code == span.Unreadable) {
		return errors.New("a part cannot be read: " + c.last.Damage.Message)
	}
	e.close(c)
	return nil
}

// findCut reads up to the place where the bytes end too early.
func (e *repairer) findCut() (c cut) {
	c.open = []opening{{pending: tree.Unknown}}
	s := e.Reader.Scan(e.Reader.Tree.Base)
	e.Keep(s.Run(e.Ctx, func(ev tree.Event) bool {
		v, top := s.Value(), &c.open[len(c.open)-1]
		switch {
		case ev == tree.Enter:
			c.open = append(c.open, opening{pending: tree.Unknown})
			return true
		case ev == tree.Atom && v.Damage != nil && v.End == v.Limit:
			c.in, c.last = s.Node(), s.Subject()
			return false
		case ev == tree.Leave && top.whole < v.Count:
			c.in = s.Subject()
			return false
		case ev == tree.Leave:
			c.open = c.open[:len(c.open)-1]
			if len(c.open) == 0 {
				return false
			}
			top = &c.open[len(c.open)-1]
		}
		if s.Slot().Key {
			top.pending = v.Start
		} else {
			top.whole, top.pending = top.whole+1, tree.Unknown
		}
		return true
	}))
	e.Keep(e.Window.Err())
	return c
}

// close closes all open values.
func (e *repairer) close(c cut) {
	limit, at := c.in.Limit, c.in.Tail
	if c.in.Footed {
		at = c.in.Foot
	}
	if c.last != nil {
		at = e.closeLast(&c)
	} else if top := &c.open[len(c.open)-1]; top.pending != tree.Unknown {
		at = top.pending
		e.drop("the name " + e.beginning(at, e.Block.TextEnd(e.Window, at, limit)) + ", which has no value")
	}
	depth := len(c.open) - 1
	for n := c.in; n.Parent != nil; n = n.Parent {
		at = e.closeOne(n, c.open[depth].whole, at)
		depth--
		c.open[depth].whole++ // it is complete now
	}
	var tail []byte
	if c.open[0].whole == 0 { // nothing is left of the only value
		tail = append(tail, e.Tag(datatype.Undefined))
	}
	if e.Block.Header.Footed && !e.Block.Header.AtEnd {
		tail = append(tail, block.MagicFooter...)
	}
	if limit > at || len(tail) > 0 {
		e.PutBytes(e.block(), at, limit-at, tail...)
	}
}

// drop records that something readable is removed.
func (e *repairer) drop(what string) {
	if e.drops != "" {
		e.drops += ", "
	}
	e.drops += what
}

// closeLast ends the value that is itself cut off, or removes it and returns where it began. An array ends
// after its last complete element. A text that is the only value ends where the bytes do.
func (e *repairer) closeLast(c *cut) int64 {
	n, top := c.last, &c.open[len(c.open)-1]
	switch {
	case !n.Damage.IsShortage():
		e.drop(fmt.Sprintf("%s and everything after it (%s), which cannot be read: %s", e.Reader.Path(n), span.Bytes(n.Limit-n.Start), n.Damage.Message))
	case n.Type == datatype.Array && n.Damage.Code == span.LengthOverrun:
		top.whole++
		return e.closeArray(n, n.Count, n.Tail)
	case n.Type == datatype.Array && n.Tail-e.Block.TagsEnd(e.Window, &n.Value) == 2 && (e.Window.U16(n.Tail-2) != block.MarkRef || e.Block.Rules.CtorTags):
		e.PutBytes(&n.Value, n.Tail-2, 2, 0, 0)
		top.whole++
		return n.Tail
	case datatype.IsText(n.Type) && c.in.Type == datatype.File:
		top.whole++
		e.PutBytes(e.block(), n.Limit, 0, 0)
		return n.Limit
	}
	if n.Damage.IsShortage() {
		e.dropLast(n)
	}
	if top.pending != tree.Unknown {
		return top.pending
	}
	return n.Start
}

// dropLast records what can be read in a value that is removed.
func (e *repairer) dropLast(n *tree.Node) {
	there := ""
	if (datatype.IsText(n.Type) || n.Slot.Key) && n.Limit > n.Tail {
		there = ", of which " + e.beginning(n.Tail, n.Limit) + " is there"
	}
	switch {
	case n.Slot.Key && there != "":
		e.drop("a name" + there)
	case n.Slot.Key:
	case n.KeyAt != tree.Unknown:
		e.drop("the member " + e.Reader.Path(n) + there)
	case there != "", n.Flags&block.Constructed != 0:
		e.drop(e.Reader.Path(n) + there)
	}
}

// beginning returns the first characters of a text that is cut off.
func (e *repairer) beginning(from, to int64) string {
	const some = 64
	text := string(e.Window.View(from, min(some, to-from)))
	return `"` + literal.Shown(strings.ToValidUTF8(text, "\ufffd")) + `"`
}

// closeOne ends a value after a number of complete children. It returns the new end of its bytes.
func (e *repairer) closeOne(n *tree.Node, whole, at int64) int64 {
	switch {
	case n.Type == datatype.Array:
		return e.closeArray(n, whole, at)
	case n.Layout == tree.Pairs:
		e.SetCount(&n.Value, whole)
	case e.Block.Rules.Skips:
		e.skipFrom(n, whole)
	default:
		e.spellOut(n, whole)
	}
	return at
}

// closeArray sets the count of an array. An empty array has no element tag.
func (e *repairer) closeArray(n *tree.Node, whole, at int64) int64 {
	e.PutBytes(&n.Value, n.Body-3, 2, binary.LittleEndian.AppendUint16(nil, uint16(whole))...)
	if whole == 0 {
		return n.Body - 1
	}
	return at
}

// skipFrom skips all members of a schema from one on.
func (e *repairer) skipFrom(n *tree.Node, from int64) {
	list := e.SkipList(&n.Value)
	at := list.Offset
	for i := from; i < n.Count; i++ {
		if e.Block.IsSkipped(e.Window, &n.Value, i) {
			continue
		}
		for at < list.End() && int64(e.Window.U16(at)) <= i {
			at += 2
		}
		e.PutBytes(&n.Value, at, 0, binary.LittleEndian.AppendUint16(nil, uint16(i+1))...)
	}
}

// spellOut stores the first members of a schema with their names and tags: without lists of skipped members
// a struct with a schema must store all of them.
func (e *repairer) spellOut(n *tree.Node, whole int64) {
	schema := e.Block.SchemaOf(&n.Value)
	if limit := e.Block.Rules.Room(datatype.Struct); whole > int64(limit) {
		e.Keep(fmt.Errorf("%s has room for at most %d members", datatype.Name(n.Type), limit))
		return
	}
	head := binary.LittleEndian.AppendUint16([]byte{e.Block.Rules.VersionByte(0, true)}, uint16(whole))
	e.PutBytes(&n.Value, e.Block.VersionAt(e.Window, &n.Value), 1, head...)
	e.EachChild(n, func(child *tree.Node) {
		if i := child.Slot.Index; i < whole {
			m := &schema.Members[i]
			name := append([]byte(m.Name), 0)
			if t := m.Type; t != datatype.Any {
				name = append(name, e.Tag(t))
			}
			e.PutBytes(&n.Value, child.Start, 0, name...)
		}
	})
}

// noReference makes a reference undefined, unless a schema gives it another type.
func (e *repairer) noReference() error {
	n, at := e.n, map[int64]bool{e.p.Offset: true}
	switch {
	case !n.Refers:
		return errStale
	case e.Block.DanglingRepair(&n.Parent.Value, &n.Value) == "":
		return fmt.Errorf("%s cannot become undefined: the schema says %s", e.Reader.Path(n), datatype.Name(n.Type))
	case n.Flags&block.Tagged != 0:
		from := e.Block.TagsEnd(e.Window, &n.Value) - 1
		return e.write(span.Between(from, n.End), e.Tag(datatype.Undefined))
	case n.Parent.Type == datatype.Array:
		e.WidenAround(n.Parent, at)
	default:
		e.Skip(n)
	}
	return nil
}

// refTag gives a reference the tag of its target. The elements of an array get tags of
// their own.
func (e *repairer) refTag() error {
	n := e.n
	if !n.Refers || !block.Leads(&n.Value) {
		return errStale
	}
	target, err := e.Reader.Numbered(n.Sub)
	if err != nil {
		return err
	}
	is := target.Type
	switch {
	case is == n.Type:
		return errStale
	case e.Block.RefTagRepair(&n.Parent.Value, &n.Value) == "":
		return fmt.Errorf("%s cannot get another tag: the schema says %s", e.Reader.Path(n), datatype.Name(n.Type))
	case n.Flags&block.Tagged != 0:
		return e.write(span.Span{Offset: e.Block.TagsEnd(e.Window, &n.Value) - 1, Length: 1}, e.Tag(is))
	}
	e.Widen(n.Parent, func(other *tree.Node) bool {
		if other.Start == n.Start {
			e.PutBytes(&n.Parent.Value, n.Start, 0, e.Tag(is))
		}
		return other.Start == n.Start
	})
	return nil
}

// ctorIndex gives a constructor the index that the library writes, in all of its structs that can be read.
func (e *repairer) ctorIndex() error {
	n := e.n
	if n.Flags&block.Named == 0 || e.Block.Rules.CtorTags {
		return errStale
	}
	m, err := block.ScanMarks(e.Ctx, e.Block, e.Reader.Tree)
	if err != nil {
		return err
	}
	is, own, next := e.Block.CtorIndex(&n.Value), e.Block.NameAt(e.Window, &n.Value), 0
	for _, c := range m.Named {
		if c.At < own {
			next++
		}
	}
	if _, ok := m.Named[uint16(next)]; ok {
		return fmt.Errorf("the index %d is another constructor's", next)
	}
	if !block.IsUnlikelyIndex(is, next) {
		return errNoRepair
	}
	index := binary.LittleEndian.AppendUint16(nil, uint16(next))
	e.PutBytes(e.block(), own-2, 2, index...) // even if the struct cannot be read
	for _, c := range m.Ctors {
		if c.Index == is && c.At != own {
			e.PutBytes(e.block(), c.At-2, 2, index...)
		}
	}
	return nil
}

// repeated deletes the members of the same name before this one: the library keeps the
// last.
func (e *repairer) repeated() error {
	key := e.n
	if !key.Slot.Key || key.Damage != nil {
		return errStale
	}
	parent := key.Parent
	name := blockedit.NameOf(e.Window, &key.Value)
	var earlier []*tree.Node
	e.EachChild(parent, func(n *tree.Node) {
		if n.KeyAt >= key.Start || n.KeyAt == tree.Unknown {
			return
		}
		if k := e.Reader.Key(n); k.Damage == nil && k.End-k.Start == key.End-key.Start && bytes.Equal(blockedit.NameOf(e.Window, &k.Value), name) {
			earlier = append(earlier, n)
		}
	})
	if len(earlier) == 0 {
		return errStale
	}
	for _, n := range earlier {
		e.NeedFor(&n.Value)
		e.Remove(&parent.Value, blockedit.Entry(n))
	}
	e.drops = fmt.Sprintf("the first of two members %s", literal.Shown(string(name)))
	if len(earlier) > 1 {
		e.drops = fmt.Sprintf("the %d members %s before this", len(earlier), literal.Shown(string(name)))
	}
	e.SetCount(&parent.Value, e.Counted(&parent.Value)-int64(len(earlier)))
	return nil
}

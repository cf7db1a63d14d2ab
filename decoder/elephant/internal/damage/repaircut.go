package damage

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/elephant/internal/literal"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// An opening is a value that is open where the bytes end; the block itself is the first.
type opening struct {
	whole   int64 // children that are complete
	pending int64 // where the name of the next child begins, if it is there; otherwise Unknown
}

// A cut is the place where the bytes of a block end too early.
type cut struct {
	open []opening
	in   *tree.Node // the innermost value with children that is open
	last *tree.Node // the value or name that is itself cut off, nil if the bytes end between two
}

// cut repairs a block that ends too early, wherever the problem was reported: it removes
// the value that is cut off and closes all open ones. If reading resumes after an array,
// only the array is closed.
func (e *repairer) cut() error {
	base := e.r.Tree.Base
	if base.Body-base.Head < block.HeaderSize {
		return errors.New("a block without a complete header and version holds nothing")
	}
	if e.p.Code == span.LengthOverrun && e.n.Type == datatype.Array && e.n.HasGap() && e.n.End < e.n.Limit {
		end := e.closeArray(e.n, e.n.Count, e.n.Tail)
		return e.write(span.Between(end, e.n.End))
	}
	c, err := e.findCut()
	if err != nil {
		return err
	}
	if c.in == nil {
		return errStale
	}
	if c.last != nil && (c.last.Damage.Code == span.ReadFailed || c.last.Damage.Code == span.Unreadable) {
		return errors.New("a part cannot be read: " + c.last.Damage.Message)
	}
	return e.close(c)
}

// findCut reads up to the place where the bytes end too early.
func (e *repairer) findCut() (c cut, err error) {
	c.open = []opening{{pending: tree.Unknown}}
	s := e.r.Scan(e.r.Tree.Base)
	err = s.Run(e.ctx, func(ev tree.Event) bool {
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
	})
	if err == nil {
		err = e.w.Err()
	}
	return c, err
}

// close closes all open values.
func (e *repairer) close(c cut) error {
	limit, at := c.in.Limit, c.in.Tail
	if c.in.Footed {
		at = c.in.Foot
	}
	if c.last != nil {
		at = e.closeLast(&c)
	} else if top := &c.open[len(c.open)-1]; top.pending != tree.Unknown {
		at = top.pending
		e.drop("the name " + e.beginning(at, e.f.TextEnd(e.w, at, limit)) + ", which has no value")
	}
	depth := len(c.open) - 1
	for n := c.in; n.Parent != nil; n = n.Parent {
		end, err := e.closeOne(n, c.open[depth].whole, at)
		if err != nil {
			return err
		}
		at = end
		depth--
		c.open[depth].whole++ // it is complete now
	}
	var tail []byte
	if c.open[0].whole == 0 { // nothing is left of the only value
		tail = append(tail, e.Tag(datatype.Undefined))
	}
	if e.f.Header.Footed && !e.f.Header.AtEnd {
		tail = append(tail, block.MagicFooter...)
	}
	if limit > at || len(tail) > 0 {
		e.PutBytes(e.block(), at, limit-at, tail...)
	}
	return nil
}

// drop records something readable that is removed.
func (e *repairer) drop(what string) {
	if e.drops != "" {
		e.drops += ", "
	}
	e.drops += what
}

// closeLast ends the value that is itself cut off, or removes it and then returns where it
// began. An array ends after its last complete element. A text that is the only value ends
// where the bytes do.
func (e *repairer) closeLast(c *cut) int64 {
	n, top := c.last, &c.open[len(c.open)-1]
	switch {
	case !n.Damage.IsShortage():
		e.drop(fmt.Sprintf("%s and everything after it (%s), which cannot be read: %s", e.r.Path(n), span.Bytes(n.Limit-n.Start), n.Damage.Message))
	case n.Type == datatype.Array && n.Damage.Code == span.LengthOverrun:
		top.whole++
		return e.closeArray(n, n.Count, n.Tail)
	case n.Type == datatype.Array && n.Tail-e.f.TagsEnd(e.w, &n.Value) == 2 && (e.w.U16(n.Tail-2) != block.MarkRef || e.f.Rules.CtorTags):
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
		e.drop("the member " + e.r.Path(n) + there)
	case there != "", n.Flags&block.Constructed != 0:
		e.drop(e.r.Path(n) + there)
	}
}

// beginning returns the first characters of a text that is cut off.
func (e *repairer) beginning(from, to int64) string {
	const some = 64
	text := string(e.w.View(from, min(some, to-from)))
	return `"` + literal.Shown(strings.ToValidUTF8(text, "\ufffd")) + `"`
}

// closeOne ends a value after a number of complete children. It returns where the bytes of
// the value then end.
func (e *repairer) closeOne(n *tree.Node, whole, at int64) (int64, error) {
	switch {
	case n.Type == datatype.Array:
		return e.closeArray(n, whole, at), nil
	case n.Layout == tree.Pairs:
		return at, e.SetCount(&n.Value, whole)
	case e.f.Rules.Skips:
		e.skipFrom(n, whole)
		return at, nil
	}
	return at, e.spellOut(n, whole)
}

// closeArray gives an array a count. An empty array has no element tag.
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
		if e.f.IsSkipped(e.w, &n.Value, i) {
			continue
		}
		for at < list.End() && int64(e.w.U16(at)) <= i {
			at += 2
		}
		e.PutBytes(&n.Value, at, 0, binary.LittleEndian.AppendUint16(nil, uint16(i+1))...)
	}
}

// spellOut stores the first members of a schema with their names and tags: a schema cannot
// store fewer members than all in versions without lists of skipped members.
func (e *repairer) spellOut(n *tree.Node, whole int64) error {
	schema := e.f.SchemaOf(&n.Value)
	if limit := e.f.Rules.Room(datatype.Struct); whole > int64(limit) {
		return fmt.Errorf("%s has room for %d members at most", datatype.Name(n.Type), limit)
	}
	head := binary.LittleEndian.AppendUint16([]byte{e.f.Rules.VersionByte(0, true)}, uint16(whole))
	e.PutBytes(&n.Value, e.f.VersionAt(e.w, &n.Value), 1, head...)
	return e.EachChild(n, func(child *tree.Node) error {
		if i := child.Slot.Index; i < whole {
			m := &schema.Members[i]
			name := append([]byte(m.Name), 0)
			if t := datatype.ID(m.Type); t != datatype.Any {
				name = append(name, e.Tag(t))
			}
			e.PutBytes(&n.Value, child.Start, 0, name...)
		}
		return nil
	})
}

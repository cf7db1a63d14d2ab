package damage

import (
	"errors"
	"fmt"

	"varview/decoder/godot/internal/types"
	"varview/decoder/godot/internal/variant"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// close mends what is cut: of what is open at the end of the buffer or frame it
// cuts off what is not whole, and lets all that it lies in count what is left.
func (m *mending) close() error {
	if n := m.n; n.Damage != nil && n.End < n.Limit && m.p.Code != span.MissingPadding {
		return m.closeHere()
	}
	if m.n.Depth == 0 && m.n.Type == types.Stream && m.p.Length > 0 { // part of a frame's length
		m.Cut(m.p.Offset, m.p.End())
		m.whole = true
		return nil
	}
	top, err := m.top()
	if err != nil {
		return err
	}
	tip, err := m.tip(top)
	if err != nil {
		return err
	}
	isFrame := top.Head > top.Start
	if isFrame && m.p.Offset == top.Start && tip.Damage != nil && !variant.IsShort(&tip.Value) {
		return m.frameLength(top) // what is wrong with the value is another problem
	}
	return m.closeAt(top, tip, lastKey(top, tip))
}

// top is the bare value, or the one of a frame, that the problem lies in.
func (m *mending) top() (*tree.Node, error) {
	n := m.n
	if m.p.Length == 0 && n.Limit != m.p.Offset || n.Depth == 0 { // it lies behind the last byte of the value
		var err error
		if n, err = m.Reader.At(max(0, m.p.Offset-1)); err != nil {
			return nil, err
		}
	}
	if n.Depth == 0 {
		return nil, errors.New("no value stands there")
	}
	for n.Depth > 1 {
		n = n.Parent
	}
	m.n = n
	return n, nil
}

// tip is the last value that the bytes of top hold: one that is cut, or behind
// which some are missing.
func (m *mending) tip(top *tree.Node) (tip *tree.Node, err error) {
	if top.Layout < tree.Sequence {
		return top, nil
	}
	s := m.Reader.Scan(top)
	s.Brisk = true
	err = s.Run(m.Ctx, func(ev tree.Event) bool {
		if ev == tree.Atom || ev == tree.Leave {
			if top.Limit-s.Pos() < 4 || s.Depth() <= top.Depth { // nothing more fits
				tip = s.Subject()
			}
		}
		return tip == nil
	})
	if err == nil && tip == nil {
		err = errors.New("the end of the value was not found")
	}
	return tip, err
}

// lastKey is the outermost key around tip, or tip itself: the bytes end before its
// value. It is nil if there is none.
func lastKey(top, tip *tree.Node) (key *tree.Node) {
	for n := tip; n.Depth > top.Depth; n = n.Parent {
		if n.Slot.Key {
			key = n
		}
	}
	return key
}

// closeAt closes all that is open around tip. If cut is not nil, it is taken away
// with all that follows.
func (m *mending) closeAt(top, tip, cut *tree.Node) error {
	if cut == nil && tip.Damage != nil && !(variant.IsShort(&tip.Value) && variant.KeepsStart(&tip.Value)) {
		cut = tip
	}
	if tip.Damage != nil {
		switch tip.Damage.Code {
		case span.Unreadable, span.ReadFailed, span.NestedTooDeep:
			return errors.New("what cannot be read here is not to be cut off: " + tip.Damage.Message)
		}
	}
	in, left := tip.Parent, tip.Slot.Index+1
	var err error
	switch {
	case cut != nil:
		if err = m.cutOff(top, tip, cut); err != nil || cut.Parent.Type == types.Stream {
			m.whole = true
			return err
		}
		in, left = cut.Parent, cut.Slot.Index
	case tip.Damage != nil:
		err = m.keepStart(&tip.Value)
	case tip.Layout >= tree.Sequence:
		err = m.closeContainer(top, tip)
	default:
		m.endAt(top, tip)
	}
	for ; err == nil && in.Depth >= top.Depth; in = in.Parent {
		err = m.setCount(&in.Value, left)
		left = in.Slot.Index + 1
	}
	if err != nil {
		return err
	}
	return m.frameLength(top)
}

// frameLength lets the length of a frame be that of the value that is left.
func (m *mending) frameLength(top *tree.Node) error {
	m.whole = true
	if top.Head == top.Start {
		return nil
	}
	n := top.Limit - top.Head
	for i := range m.Splices {
		n += m.Splices[i].Added() - m.Splices[i].Length
	}
	length, err := m.Format.AppendFrameLength(nil, n)
	if err == nil && n != int64(m.Format.FrameLength(m.Window, top.Start)) {
		m.Put(top.Start, 4, length)
	}
	return err
}

// cutOff takes a value away, with its key and all that follows.
func (m *mending) cutOff(top, tip, cut *tree.Node) error {
	from := cut.Start
	if cut.KeyAt != tree.Unknown {
		from = cut.KeyAt
	}
	if cut.Parent.Type == types.Raw {
		return errors.New("nothing would be left of the only value")
	}
	m.Cut(from, top.Limit)
	m.drops = m.dropped(tip, cut)
	return nil
}

// maxFixed is the size of the largest value of fixed size, a Projection in 64 bits.
const maxFixed = 16 * 8

// dropped says what can be read of what is cut off.
func (m *mending) dropped(tip, cut *tree.Node) string {
	v := &cut.Value
	switch name := string(m.Format.AppendType(nil, m.Window, v)); {
	case cut.Slot.Key && tip.Damage != nil && !variant.IsShort(&tip.Value) && tip.HasGap():
		return fmt.Sprintf("the key %s, and %s behind it that cannot be read", m.literal(v), span.Bytes(tip.End-tip.Tail))
	case cut.Slot.Key && v.Damage == nil:
		return fmt.Sprintf("the key %s, whose value is not there", m.literal(v))
	case cut.Slot.Key:
		return ""
	case !variant.IsShort(v) || v.End-v.Tail > maxFixed:
		return span.Bytes(v.End-v.Tail) + " that cannot be read"
	case cut.KeyAt != tree.Unknown:
		return "the key " + m.literal(&m.Reader.Key(cut).Value) + ", whose value is cut"
	case types.Of(v.Type).Shape == types.ShapeFixed && v.Limit-v.Head-4 >= 4:
		return "what is there of the last " + name
	}
	return ""
}

func (m *mending) literal(v *tree.Value) string {
	return string(m.Reader.AppendLiteral(nil, v, 80))
}

// closeHere mends a value in the middle of others, behind which reading goes on: it
// ends there, or is taken away.
func (m *mending) closeHere() error {
	n := m.n
	if variant.IsShort(&n.Value) && variant.KeepsStart(&n.Value) {
		return m.keepStart(&n.Value)
	}
	m.drops = span.Bytes(n.End-n.Tail) + " that cannot be read"
	from, to := n.Start, n.End
	if n.Slot.Key {
		value, err := m.wholeValue(n)
		if err != nil {
			return err
		}
		if value == nil {
			return m.cutKey()
		}
		m.drops += ", and the value behind that key: " + m.literal(&value.Value)
		to = value.End
	} else if n.KeyAt != tree.Unknown {
		m.drops += ", and the key " + m.literal(&m.Reader.Key(n).Value) + " before them"
		from = n.KeyAt
	}
	m.Cut(from, to)
	return m.setCount(&n.Parent.Value, n.Parent.Count-1)
}

// wholeText is how many of the n bytes at off are there without a last character
// that is cut.
func (m *mending) wholeText(off, n int64) int64 {
	for back := int64(1); back <= min(n, 5); back++ {
		c := m.Window.Byte(off + n - back)
		if c&0xc0 == 0x80 { // it goes on
			continue
		}
		size := int64(1)
		for bit := byte(0x40); c >= 0xc0 && c&bit != 0 && size < 6; bit >>= 1 {
			size++
		}
		if size > back {
			return n - back
		}
		break
	}
	return n
}

// closeContainer lets a container count the children that are there.
func (m *mending) closeContainer(top, tip *tree.Node) error {
	left := int64(0)
	last, err := m.Reader.LastChild(tip)
	if err == nil {
		left = last.Slot.Index + 1
	} else if !errors.Is(err, tree.ErrNoChild) {
		return err
	}
	if err := m.setCount(&tip.Value, left); err != nil {
		return err
	}
	if m.isShort(top, tip) || left < tip.Count {
		m.Cut(tip.Tail, top.Limit)
	}
	return nil
}

// endAt lets the bytes end behind tip, with its padding, if something is missing
// there.
func (m *mending) endAt(top, tip *tree.Node) {
	if missing := types.Pad(tip.Tail - tip.Start); missing > 0 || m.isShort(top, tip) {
		m.Put(tip.Tail, top.Limit-tip.Tail, make([]byte, missing))
	}
}

// isShort reports whether something around n counts more than the bytes hold, n
// being the last.
func (m *mending) isShort(top, n *tree.Node) bool {
	for ; n.Depth > top.Depth; n = n.Parent {
		if n.Slot.Index+1 < n.Parent.Count {
			return true
		}
	}
	return false
}

// setCount lets v count so many children.
func (m *mending) setCount(v *tree.Value, n int64) error {
	if n == v.Count || v.Layout < tree.Sequence {
		return nil
	}
	if v.Type != types.NodePath {
		return m.Recount(v, n-v.Count)
	}
	names := min(n, int64(v.Sub))
	_, flags := m.Format.PathFlags(m.Window, v)
	return m.RecountPath(v, names-int64(v.Sub), n-names-(v.Count-int64(v.Sub)), flags)
}

package damage

import (
	"errors"
	"fmt"
	"math"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// closeEnd repairs a value that is cut off by the end of the buffer or frame: it removes
// the incomplete parts and sets the counts and lengths of all values around them.
func (m *repairing) closeEnd() {
	if n := m.n; n.Damage != nil && n.End < n.Limit && m.p.Code != span.MissingPadding {
		m.closeInside()
		return
	}
	if m.n.Depth == 0 && m.n.Type == types.Stream && m.p.Length > 0 { // part of a frame's length
		m.Cut(m.p.Offset, m.p.End())
		m.whole = true
		return
	}
	top := m.top()
	if m.Err != nil {
		return
	}
	tip := m.tip(top)
	switch isFrame := top.Head > top.Start; {
	case m.Err != nil:
	case isFrame && m.p.Offset == top.Start && tip.Damage != nil && !variant.IsShort(&tip.Value):
		m.frameLength(top) // the value has another problem
	default:
		m.closeAt(top, tip, lastKey(top, tip))
	}
}

// top returns the bare value, or the value of a frame, that contains the problem.
func (m *repairing) top() *tree.Node {
	n := m.n
	if m.p.Length == 0 && n.Limit != m.p.Offset || n.Depth == 0 { // the problem is after the last byte of the value
		at, err := m.Reader.At(max(0, m.p.Offset-1))
		if n = at; !m.Keep(err) {
			return nil
		}
	}
	if n.Depth == 0 {
		m.Keep(errors.New("there is no value there"))
	}
	for n.Depth > 1 {
		n = n.Parent
	}
	m.n = n
	return n
}

// tip returns the last value in the bytes of top. It is cut off, or bytes are missing after
// it.
func (m *repairing) tip(top *tree.Node) (tip *tree.Node) {
	if top.Layout < tree.Sequence {
		return top
	}
	isFull := func(pos int64) bool { return top.Limit-pos < 4 } // nothing else fits
	s := m.Reader.ScanEnd(top)
	if isFull(s.Pos()) {
		s = m.Reader.Scan(top)
	}
	s.PassOrdinary = true
	m.Keep(s.Run(m.Ctx, func(ev tree.Event) bool {
		if ev == tree.Atom || ev == tree.Leave {
			if isFull(s.Pos()) || s.Depth() <= top.Depth {
				tip = s.Subject()
			}
		}
		return tip == nil
	}))
	if tip == nil {
		m.Keep(errors.New("the end of the value was not found"))
	}
	return tip
}

// lastKey returns the outermost key that is tip or contains it; nil if there is none. The bytes end before
// the value of that key.
func lastKey(top, tip *tree.Node) (key *tree.Node) {
	for n := tip; n.Depth > top.Depth; n = n.Parent {
		if n.Slot.Key {
			key = n
		}
	}
	return key
}

// closeAt closes all values around tip. If cut is not nil, it is removed with everything
// after it.
func (m *repairing) closeAt(top, tip, cut *tree.Node) {
	if cut == nil && tip.Damage != nil && !(variant.IsShort(&tip.Value) && variant.CanShorten(&tip.Value)) {
		cut = tip
	}
	if tip.Damage != nil {
		switch tip.Damage.Code {
		case span.Unreadable, span.ReadFailed, span.NestedTooDeep:
			m.Keep(errors.New("unreadable bytes here must not be cut off: " + tip.Damage.Message))
			return
		}
	}
	in, left := tip.Parent, tip.Slot.Index+1
	switch {
	case cut != nil:
		m.cutOff(top, tip, cut)
		if m.Err != nil || cut.Parent.Type == types.Stream {
			m.whole = true
			return
		}
		in, left = cut.Parent, cut.Slot.Index
	case tip.Damage != nil:
		m.shorten(&tip.Value)
	case tip.Layout >= tree.Sequence:
		m.closeContainer(top, tip)
	default:
		m.endAt(top, tip)
	}
	for ; m.Err == nil && in.Depth >= top.Depth; in = in.Parent {
		m.setCount(&in.Value, left)
		left = in.Slot.Index + 1
	}
	m.frameLength(top)
}

// frameLength sets the length of a frame to that of the remaining value.
func (m *repairing) frameLength(top *tree.Node) {
	m.whole = true
	if top.Head == top.Start {
		return
	}
	n := top.Limit - top.Head + edit.Added(m.Splices)
	length, err := m.Format.AppendFrameLength(nil, n)
	if m.Keep(err); n != int64(m.Format.FrameLength(m.Window, top.Start)) {
		m.Put(top.Start, 4, length)
	}
}

// cutOff removes a value, with its key and everything after it.
func (m *repairing) cutOff(top, tip, cut *tree.Node) {
	from := cut.Start
	if cut.KeyAt != tree.Unknown {
		from = cut.KeyAt
	}
	if cut.Parent.Type == types.Raw {
		m.Keep(errors.New("no part of the only value would remain"))
	}
	m.Cut(from, top.Limit)
	m.drops = m.dropped(tip, cut)
}

// maxFixed is the size of the largest value of fixed size, a Projection in 64 bits.
const maxFixed = 16 * 8

// dropped describes the readable part of the bytes that are cut off.
func (m *repairing) dropped(tip, cut *tree.Node) string {
	v := &cut.Value
	switch name := string(m.Format.AppendType(nil, m.Window, v)); {
	case cut.Slot.Key && tip.Damage != nil && !variant.IsShort(&tip.Value) && tip.HasGap():
		return fmt.Sprintf("the key %s and %s after it that cannot be read", m.literal(v), span.Bytes(tip.End-tip.Tail))
	case cut.Slot.Key && v.Damage == nil:
		return fmt.Sprintf("the key %s, whose value is missing", m.literal(v))
	case cut.Slot.Key:
		return ""
	case !variant.IsShort(v) || v.End-v.Tail > maxFixed:
		return span.Bytes(v.End-v.Tail) + " that cannot be read"
	case cut.KeyAt != tree.Unknown:
		return "the key " + m.literal(&m.Reader.Key(cut).Value) + ", whose value is cut"
	case types.Of(v.Type).Shape == types.ShapeFixed && v.Limit-v.Head-4 >= 4:
		return "the beginning of the last " + name
	}
	return ""
}

func (m *repairing) literal(v *tree.Value) string {
	return string(m.Reader.AppendLiteral(nil, v, 80))
}

// closeInside repairs a value after which reading resumes: the value ends there, or
// is removed.
func (m *repairing) closeInside() {
	n := m.n
	if variant.IsShort(&n.Value) && variant.CanShorten(&n.Value) {
		m.shorten(&n.Value)
		return
	}
	m.drops = span.Bytes(n.End-n.Tail) + " that cannot be read"
	from, to := n.Start, n.End
	if n.Slot.Key {
		value := m.wholeValue(n)
		if value == nil {
			m.cutKey()
			return
		}
		m.drops += ", and the value of that key: " + m.literal(&value.Value)
		to = value.End
	} else if n.KeyAt != tree.Unknown {
		m.drops += ", and the key " + m.literal(&m.Reader.Key(n).Value) + " before them"
		from = n.KeyAt
	}
	m.Cut(from, to)
	m.setCount(&n.Parent.Value, n.Parent.Count-1)
}

// wholeText returns the length of the n bytes of text at off without an incomplete
// character at their end.
func (m *repairing) wholeText(off, n int64) int64 {
	for back := int64(1); back <= min(n, 5); back++ {
		c := m.Window.Byte(off + n - back)
		if c&0xc0 == 0x80 { // inside a character
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

// closeContainer sets the count of a container to the number of children that exist.
func (m *repairing) closeContainer(top, tip *tree.Node) {
	left := int64(0)
	last, err := m.Reader.LastChild(tip)
	if err == nil {
		left = last.Slot.Index + 1
	} else if !errors.Is(err, tree.ErrNoChild) {
		m.Keep(err)
	}
	if m.setCount(&tip.Value, left); m.countsMore(top, tip) || left < tip.Count {
		m.Cut(tip.Tail, top.Limit)
	}
}

// endAt ends the bytes after tip and its padding, if something is missing there.
func (m *repairing) endAt(top, tip *tree.Node) {
	if missing := types.Pad(tip.Tail - tip.Start); missing > 0 || m.countsMore(top, tip) {
		m.Put(tip.Tail, top.Limit-tip.Tail, make([]byte, missing))
	}
}

// countsMore reports whether a value around n, the last value, counts more children
// than exist.
func (m *repairing) countsMore(top, n *tree.Node) bool {
	for ; n.Depth > top.Depth; n = n.Parent {
		if n.Slot.Index+1 < n.Parent.Count {
			return true
		}
	}
	return false
}

// setCount sets the count of v to n children.
func (m *repairing) setCount(v *tree.Value, n int64) {
	if n == v.Count || v.Layout < tree.Sequence {
		return
	}
	if v.Type != types.NodePath {
		m.Recount(v, n-v.Count)
		return
	}
	names := min(n, int64(v.Sub))
	flags := m.Format.PathFlags(m.Window, v)
	m.RecountPath(v, names-int64(v.Sub), n-names-(v.Count-int64(v.Sub)), flags)
}

// shorten makes a string or packed array end where the bytes end.
func (m *repairing) shorten(v *tree.Value) {
	switch types.Of(v.Type).Shape {
	case types.ShapePacked:
		if v.Count > math.MaxInt32 {
			m.Keep(errors.New("no packed array is that long"))
			return
		}
		n := min(v.Count, (v.End-v.Body)/int64(v.Stride))
		if m.holdsText(v.Body, v.End) && m.drops == "" {
			m.drops = span.Bytes(v.End-v.Body) + ", with texts, that would become numbers"
		}
		m.PutU32(v.Body-4, uint32(n))
		m.Cut(v.Body+n*int64(v.Stride), v.End)
		return
	case types.ShapeBytes:
		m.endText(v, v.Body-4, v.End-v.Body, false)
		return
	}
	off := v.Head + 4
	if v.Type >= types.Raw {
		off = v.Start
	}
	n := v.End - off - 4
	if v.End == v.Limit {
		n = m.wholeText(off+4, n)
	} else { // the next value begins after its padding
		for left := n - 3; n > max(0, left) && m.Window.Byte(off+3+n) == 0; {
			n--
		}
	}
	nul := v.Type == types.Entry && (n == 0 || m.Window.Byte(off+3+n) != 0)
	m.endText(v, off, n, nul)
}

// holdsText reports whether there is a string with its header between two offsets, as hardly ever among numbers.
func (m *repairing) holdsText(from, to int64) bool {
	const least, most = 2, 64
	for at := from; at+8 < to; at++ {
		n := int64(m.Window.U32(at + 4))
		if m.Window.U32(at) == 4 && n >= least && n <= most && at+8+n <= to && isReadable(m.Window.View(at+8, n)) {
			return true
		}
	}
	return false
}

// endText sets the length of the string or bytes at off, which extend to the end of
// v, to n. A NUL is added if nul is set.
func (m *repairing) endText(v *tree.Value, off, n int64, nul bool) {
	size := n
	if nul {
		size++
	}
	if size > math.MaxInt32 {
		m.Keep(errors.New("this would be too long"))
		return
	}
	m.PutU32(off, uint32(size))
	end := off + 4 + n
	m.Put(end, v.End-end, make([]byte, size-n+types.Pad(size)))
}

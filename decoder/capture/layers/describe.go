package layers

import (
	"encoding/binary"
	"net/netip"
	"strconv"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// AppendField implements tree.Reading.
func (r *Reading) AppendField(dst []byte, w *source.Window, v *tree.Value, f span.Field) []byte {
	switch kindOf(v) {
	case messageGroup:
		return r.messages.AppendField(dst, w, v, f)
	case fieldType:
	default:
		return tree.AppendData(dst, w, f.Span)
	}
	u := r.unit(w, v.Start-int64(v.Sub), r.region.End())
	defer r.pool.Put(u)
	n := &u.nodes[v.Flags]
	b := u.bytes[n.start:min(n.end, len(u.bytes))]
	switch {
	case n.says != "":
		return append(dst, n.says...)
	case n.meaning == number:
		return strconv.AppendUint(dst, n.value(b), 10)
	case n.meaning == bitmask:
		return strconv.AppendUint(append(dst, "0x"...), n.value(b), 16)
	case n.meaning == address:
		a, _ := netip.AddrFromSlice(b)
		return a.AppendTo(dst)
	case n.meaning == text:
		return tree.AppendText(dst, w, f.Span)
	}
	return tree.AppendData(dst, w, f.Span)
}

// value returns the number in the bytes of a field.
func (n *node) value(b []byte) (x uint64) {
	if !n.little {
		for _, c := range b {
			x = x<<8 | uint64(c)
		}
		return x
	}
	var all [8]byte
	copy(all[:], b)
	return binary.LittleEndian.Uint64(all[:])
}

// Describe implements tree.Describer.
func (r *Reading) Describe(w *source.Window, v *tree.Value) tree.Scalar {
	s := tree.Scalar{Span: v.Span()}
	if kindOf(v) != fieldType {
		return s
	}
	u := r.unit(w, v.Start-int64(v.Sub), r.region.End())
	defer r.pool.Put(u)
	n := &u.nodes[v.Flags]
	switch n.meaning {
	case number, bitmask:
		return tree.Scalar{Kind: tree.Uint, Bits: n.value(u.bytes[n.start:n.end])}
	case text:
		s.Kind = tree.Text
	case address:
		a, _ := netip.AddrFromSlice(u.bytes[n.start:n.end])
		s.Note = a.String()
	default:
		s.Note = n.says
	}
	return s
}

package damage

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"varview/decoder/godot/internal/types"
	"varview/decoder/godot/internal/variant"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A storedText is a string among the leading fields of a value.
type storedText struct {
	off int64 // of its length
	nul bool  // the length counts a NUL
}

func (t storedText) next(w *source.Window) int64 {
	n := int64(w.U32(t.off))
	return t.off + 4 + n + types.Pad(n)
}

// texts returns the strings among the leading fields of v whose lengths exist.
func texts(f *variant.Format, w *source.Window, v *tree.Value, all *[2]storedText) []storedText {
	found := all[:0]
	add := func(off int64) int64 {
		if off+4 > v.Limit {
			return v.Limit
		}
		t := storedText{off: off, nul: v.Type == types.Entry}
		found = append(found, t)
		return t.next(w)
	}
	at := v.Head + 4
	switch types.Of(v.Type).Shape {
	case types.ShapeText:
		if v.Type >= types.Raw {
			at = v.Start
		}
		add(at)
	case types.ShapeSignal:
		add(at)
	case types.ShapePath:
		if w.U32(at)&types.SharedBit == 0 {
			add(at)
		}
	case types.ShapeObject:
		if v.Flags&types.WideFlag == 0 || f.Dialect.NoFlags {
			add(at)
		}
	case types.ShapeTyped:
		if at+4 <= v.Limit && f.HasClass(v) {
			add(at + 8)
		}
	case types.ShapeArray, types.ShapeDict:
		kinds := v.Flags & 15
		if v.Type == types.Array {
			kinds &= 3
		}
		for ; f.Dialect.Typed && kinds != 0; kinds >>= 2 {
			switch kinds & 3 {
			case types.KindBuiltin:
				at += 4
			case types.KindClass, types.KindScript:
				at = add(at)
			}
		}
	}
	return found
}

// text repairs the characters of a string.
func (m *repairing) text() error {
	var all [2]storedText
	for _, t := range texts(m.Format, m.Window, &m.n.Value, &all) {
		if m.p.Offset < t.off+4 || m.p.Offset >= t.next(m.Window) {
			continue
		}
		return m.rewriteText(t, func(text []byte) []byte {
			switch m.p.Code {
			case span.InvalidUTF8:
				return validText(m.Format, text)
			case span.NulInText:
				return bytes.ReplaceAll(text, []byte{0}, nil)
			}
			return bytes.TrimLeft(text, "\ufeff")
		})
	}
	return errors.New("there is no string there")
}

// validText replaces each invalid byte by U+FFFD.
func validText(f *variant.Format, text []byte) []byte {
	valid := make([]byte, 0, len(text)+16)
	for len(text) > 0 {
		if n := f.RuneSize(text); n > 0 {
			valid = append(valid, text[:n]...)
			text = text[n:]
			continue
		}
		valid = utf8.AppendRune(valid, utf8.RuneError)
		text = text[1:]
	}
	return valid
}

// rewriteText changes the characters of a string.
func (m *repairing) rewriteText(t storedText, change func([]byte) []byte) error {
	n := int64(m.Window.U32(t.off))
	start, end := t.off+4, min(t.next(m.Window), m.n.Limit)
	nul := t.nul && n > 0 && m.Window.Byte(start+n-1) == 0
	if nul {
		n--
	}
	if n > variant.MaxRewritten || start+n > m.n.Limit {
		return errors.New("the string is too long to rewrite")
	}
	m.Out = nil
	m.Entry(change(m.bytes(start, n)), nul)
	m.Put(t.off, end-t.off, m.Out)
	return nil
}

// bytes returns the n bytes at off.
func (m *repairing) bytes(off, n int64) []byte {
	b := make([]byte, 0, n)
	for int64(len(b)) < n {
		more := m.Window.View(off+int64(len(b)), n-int64(len(b)))
		if len(more) == 0 {
			break
		}
		b = append(b, more...)
	}
	return b
}

// terminate adds the NUL that the length of a packed string should count.
func (m *repairing) terminate() error {
	v := &m.n.Value
	if v.Type != types.Entry || v.Damage != nil {
		return errNoSuchProblem
	}
	n := int64(m.Window.U32(v.Start))
	end := v.Start + 4 + n
	m.PutU32(v.Start, uint32(n+1))
	m.Put(end, v.Tail-end, make([]byte, 1+types.Pad(n+1)))
	return nil
}

// upgradePath writes a NodePath in the current form.
func (m *repairing) upgradePath() error {
	v := &m.n.Value
	if v.Type != types.NodePath || v.Layout != tree.Leaf || v.Damage != nil {
		return errNoSuchProblem
	}
	p, ok := variant.OldPath(m.Window, v)
	if !ok {
		return errors.New("a subname of this path is empty, or the path is too long to rewrite")
	}
	m.Out = nil
	m.PutPath(&p)
	m.Put(v.Head+4, v.Tail-v.Head-4, m.Out)
	return nil
}

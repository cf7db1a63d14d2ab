package godot

import (
	"bytes"
	"errors"
	"unicode/utf8"

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
	return t.off + 4 + n + pad(n)
}

// texts are the strings among the leading fields of v, as far as their lengths are
// there.
func (f *Format) texts(w *source.Window, v *tree.Value, all *[2]storedText) []storedText {
	found := all[:0]
	add := func(off int64) int64 {
		if off+4 > v.Limit {
			return v.Limit
		}
		t := storedText{off: off, nul: v.Type == tEntry}
		found = append(found, t)
		return t.next(w)
	}
	at := v.Head + 4
	switch typeOf(v.Type).shape {
	case shapeText:
		if v.Type >= tRaw {
			at = v.Start
		}
		add(at)
	case shapeSignal:
		add(at)
	case shapePath:
		if w.U32(at)&shared == 0 {
			add(at)
		}
	case shapeObject:
		if v.Flags&flagWide == 0 || f.Dialect.noFlags {
			add(at)
		}
	case shapeTyped:
		if at+4 <= v.Limit && f.hasClass(v) {
			add(at + 8)
		}
	case shapeArray, shapeDict:
		kinds := v.Flags & 15
		if v.Type == tArray {
			kinds &= 3
		}
		for ; f.Dialect.typed && kinds != 0; kinds >>= 2 {
			switch kinds & 3 {
			case kindBuiltin:
				at += 4
			case kindClass, kindScript:
				at = add(at)
			}
		}
	}
	return found
}

// text puts right what is wrong with the characters of a string.
func (m *mending) text() error {
	var all [2]storedText
	for _, t := range m.f.texts(m.w, &m.n.Value, &all) {
		if m.p.Offset < t.off+4 || m.p.Offset >= t.next(m.w) {
			continue
		}
		return m.retext(t, func(text []byte) []byte {
			switch m.p.Code {
			case span.InvalidUTF8:
				return m.f.validText(text)
			case span.NulInText:
				return bytes.ReplaceAll(text, []byte{0}, nil)
			}
			for bytes.HasPrefix(text, byteOrderMark) {
				text = text[len(byteOrderMark):]
			}
			return text
		})
	}
	return errors.New("no string stands there")
}

// validText puts U+FFFD in place of each byte that is no valid text.
func (f *Format) validText(text []byte) []byte {
	valid := make([]byte, 0, len(text)+16)
	for len(text) > 0 {
		if n := f.runeSize(text); n > 0 {
			valid = append(valid, text[:n]...)
			text = text[n:]
			continue
		}
		valid = utf8.AppendRune(valid, utf8.RuneError)
		text = text[1:]
	}
	return valid
}

// retext gives a string other characters.
func (m *mending) retext(t storedText, change func([]byte) []byte) error {
	n := int64(m.w.U32(t.off))
	start, end := t.off+4, min(t.next(m.w), m.n.Limit)
	nul := t.nul && n > 0 && m.w.Byte(start+n-1) == 0
	if nul {
		n--
	}
	if n > maxMended || start+n > m.n.Limit {
		return errors.New("the string is too long to be written anew")
	}
	m.out = nil
	m.entry(change(m.bytes(start, n)), nul)
	m.put(t.off, end-t.off, m.out)
	return nil
}

// bytes are the n bytes at off.
func (m *mending) bytes(off, n int64) []byte {
	b := make([]byte, 0, n)
	for int64(len(b)) < n {
		more := m.w.View(off+int64(len(b)), n-int64(len(b)))
		if len(more) == 0 {
			break
		}
		b = append(b, more...)
	}
	return b
}

// terminate lets the length of a packed string count a NUL behind it.
func (m *mending) terminate() error {
	v := &m.n.Value
	if v.Type != tEntry || v.Damage != nil {
		return errForeign
	}
	n := int64(m.w.U32(v.Start))
	end := v.Start + 4 + n
	m.putU32(v.Start, uint32(n+1))
	m.put(end, v.Tail-end, make([]byte, 1+pad(n+1)))
	return nil
}

// oldPath is what a NodePath in the old form says.
func (f *Format) oldPath(w *source.Window, v *tree.Value) (nodePath, bool) {
	n := int64(w.U32(v.Head + 4))
	text := w.View(v.Head+8, n)
	if int64(len(text)) < n {
		return nodePath{}, false
	}
	return cutPath(bytes.Clone(text))
}

// renewPath writes a NodePath in the form of today.
func (m *mending) renewPath() error {
	v := &m.n.Value
	if v.Type != tNodePath || v.Layout != tree.Leaf || v.Damage != nil {
		return errForeign
	}
	p, ok := m.f.oldPath(m.w, v)
	if !ok {
		return errors.New("a subname of this path is empty, or it is too long to be written anew")
	}
	m.out = nil
	m.putPath(&p)
	m.put(v.Head+4, v.Tail-v.Head-4, m.out)
	return nil
}

package damage

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// text repairs the characters of a string.
func (m *repairing) text() error {
	for _, f := range m.Format.Fields(m.Window, nil, &m.n.Value, nil) {
		if f.Kind != span.Text || !f.Contains(m.p.Offset) {
			continue
		}
		return m.rewriteText(f.Offset-4, func(text []byte) []byte {
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

// rewriteText changes the characters of the string at an offset.
func (m *repairing) rewriteText(off int64, change func([]byte) []byte) error {
	n := int64(m.Window.U32(off))
	start, end := off+4, min(off+4+n+types.Pad(n), m.n.Limit)
	nul := m.n.Type == types.Entry && n > 0 && m.Window.Byte(start+n-1) == 0
	if nul {
		n--
	}
	if n > variant.MaxRewritten || start+n > m.n.Limit {
		return errors.New("the string is too long to rewrite")
	}
	m.Out = nil
	m.Entry(change(m.Bytes(start, n)), nul)
	m.Put(off, end-off, m.Out)
	return nil
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

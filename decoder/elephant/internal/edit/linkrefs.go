package edit

import (
	"encoding/binary"
	"errors"

	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/elephant/internal/literal"
)

// errTooMany is returned if a reference cannot name its target.
var errTooMany = errors.New("references can lead to the first 65536 arrays and structs of a block only; the target would come later")

// value gives a numbered value that begins at start its new number.
func (l *linker) value(serial uint32, at, start int64, inPlace bool) (int64, error) {
	l.out.keep(at, start, inPlace)
	if c := l.copied; c != nil {
		c.placed[serial] = l.count
		l.count++
		return start, nil
	}
	if end, ok := l.moved[serial]; ok && l.begins != int64(serial) {
		return end, l.refer(l.placed[serial])
	}
	l.begins = noneBegins
	if serial <= block.MarkRef || l.e.aimed[serial] {
		l.placed[serial] = l.count
	}
	l.count++
	return start, nil
}

const noneBegins = -1

// refer writes a reference.
func (l *linker) refer(to uint32) error {
	if to > block.MarkRef {
		return errTooMany
	}
	b := binary.LittleEndian.AppendUint16([]byte{0xff, 0xff}, uint16(to))
	l.out.add(b)
	return nil
}

// reference continues after an old reference.
func (l *linker) reference(m *block.RefMark, at int64, inPlace bool) (int64, error) {
	to, ok := l.numberOf(m.To)
	if !m.Leads() {
		var err error
		if to, err = l.nowhere(m.To); err != nil {
			return 0, err
		}
		ok = true
	}
	switch {
	case !ok:
		l.out.keep(at, m.At-2, inPlace)
		return m.At + 2, l.hoist(m.To, m.Kind)
	case to > block.MarkRef:
		return 0, errTooMany
	}
	l.out.keep(at, m.At, inPlace)
	if to == m.To {
		l.out.keep(m.At, m.At+2, inPlace)
	} else {
		l.out.add(binary.LittleEndian.AppendUint16(nil, uint16(to)))
	}
	return m.At + 2, nil
}

// numberOf returns the new number of an old value, if it has been placed.
func (l *linker) numberOf(serial uint32) (uint32, bool) {
	if c := l.copied; c != nil && serial >= c.first && serial < c.end {
		to, ok := c.placed[serial]
		return to, ok
	}
	to, ok := l.placed[serial]
	return to, ok
}

// hoist writes a value in the place of a reference to it.
func (l *linker) hoist(serial uint32, kind datatype.ID) error {
	content, target, err := l.e.contentOf(serial)
	if err != nil {
		return err
	}
	if target.Type != kind {
		return errors.New(l.e.r.Path(target) + " cannot replace a reference to it, whose tag says " + datatype.Name(kind))
	}
	outer := l.copied
	l.copied = nil
	l.moved[serial], l.begins = content.End(), int64(serial)
	err = l.walk(content, false)
	l.copied = outer
	return err
}

// newReference writes a reference or, in its place, its target.
func (l *linker) newReference(t *literal.Target) error {
	to, ok := uint32(0), true
	if old, merged := l.e.merged[t.Lit]; merged {
		t = &literal.Target{Serial: old, Kind: t.Kind}
	}
	switch {
	case t.Nowhere:
		var err error
		if to, err = l.nowhere(t.Serial); err != nil {
			return err
		}
	case t.Lit != nil:
		to = l.fresh[t.Lit]
	default:
		to, ok = l.placed[t.Serial]
	}
	switch {
	case ok:
		return l.refer(to)
	case t.Serial > block.MarkRef && !l.e.aimed[t.Serial]:
		return errTooMany
	}
	return l.hoist(t.Serial, t.Kind)
}

// nowhere returns a number for a reference that leads nowhere, so that it still leads
// nowhere.
func (l *linker) nowhere(serial uint32) (uint32, error) {
	switch {
	case serial >= l.count:
		return serial, nil
	case l.count > block.MarkRef:
		return 0, errors.New("a reference that leads nowhere would lead to a value after the edit, and no number is left for it")
	}
	return block.MarkRef, nil
}

// constructor keeps a constructor's name only at its first use.
func (l *linker) constructor(c *block.CtorMark, at int64, inPlace bool) int64 {
	l.out.keep(at, c.At, inPlace)
	first := !l.named[c.Index]
	l.named[c.Index] = true
	switch named := l.e.marks.Named[c.Index]; {
	case first && c.Size == 0:
		l.out.keep(named.At, named.At+named.Size, false)
	case !first:
		return c.At + c.Size
	}
	l.out.keep(c.At, c.At+c.Size, inPlace)
	return c.At + c.Size
}

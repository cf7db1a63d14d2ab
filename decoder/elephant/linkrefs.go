package elephant

import (
	"encoding/binary"
	"errors"
)

// errTooMany says that a reference cannot name its target.
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
	if serial <= markRef || l.e.aimed[serial] {
		l.placed[serial] = l.count
	}
	l.count++
	return start, nil
}

const noneBegins = -1

// refer puts a reference in place.
func (l *linker) refer(to uint32) error {
	if to > markRef {
		return errTooMany
	}
	b := binary.LittleEndian.AppendUint16([]byte{0xff, 0xff}, uint16(to))
	l.out.add(b)
	return nil
}

// reference goes on behind an old reference.
func (l *linker) reference(m *refMark, at int64, inPlace bool) (int64, error) {
	to, ok := l.numberOf(m.to)
	if !m.leads() {
		var err error
		if to, err = l.nowhere(m.to); err != nil {
			return 0, err
		}
		ok = true
	}
	switch {
	case !ok:
		l.out.keep(at, m.at-2, inPlace)
		return m.at + 2, l.hoist(m.to, m.kind)
	case to > markRef:
		return 0, errTooMany
	}
	l.out.keep(at, m.at, inPlace)
	if to == m.to {
		l.out.keep(m.at, m.at+2, inPlace)
	} else {
		l.out.add(binary.LittleEndian.AppendUint16(nil, uint16(to)))
	}
	return m.at + 2, nil
}

// numberOf is the new number of an old value, if it has been met.
func (l *linker) numberOf(serial uint32) (uint32, bool) {
	if c := l.copied; c != nil && serial >= c.first && serial < c.end {
		to, ok := c.placed[serial]
		return to, ok
	}
	to, ok := l.placed[serial]
	return to, ok
}

// hoist puts a value in the place of a reference to it.
func (l *linker) hoist(serial uint32, kind typeID) error {
	content, target, err := l.e.contentOf(serial)
	if err != nil {
		return err
	}
	if target.Type != kind {
		return errors.New(l.e.r.Path(target) + " cannot take the place of a reference to it, whose tag says " + typeName(kind))
	}
	outer := l.copied
	l.copied = nil
	l.moved[serial], l.begins = content.End(), int64(serial)
	err = l.walk(content, false)
	l.copied = outer
	return err
}

// newReference puts a reference in place, or what it leads to.
func (l *linker) newReference(t *target) error {
	to, ok := uint32(0), true
	if old, merged := l.e.merged[t.lit]; merged {
		t = &target{serial: old, kind: t.kind}
	}
	switch {
	case t.nowhere:
		var err error
		if to, err = l.nowhere(t.serial); err != nil {
			return err
		}
	case t.lit != nil:
		to = l.fresh[t.lit]
	default:
		to, ok = l.placed[t.serial]
	}
	switch {
	case ok:
		return l.refer(to)
	case t.serial > markRef && !l.e.aimed[t.serial]:
		return errTooMany
	}
	return l.hoist(t.serial, t.kind)
}

// nowhere is the number of a reference that leads nowhere, and is to lead nowhere
// still.
func (l *linker) nowhere(serial uint32) (uint32, error) {
	switch {
	case serial >= l.count:
		return serial, nil
	case l.count > markRef:
		return 0, errors.New("a reference that leads nowhere would lead to a value after the edit, and no number is left for it")
	}
	return markRef, nil
}

// constructor sees to a constructor's name standing at its first use, and there
// only.
func (l *linker) constructor(c *ctorMark, at int64, inPlace bool) int64 {
	l.out.keep(at, c.at, inPlace)
	first := !l.named[c.index]
	l.named[c.index] = true
	switch named := l.e.marks.named[c.index]; {
	case first && c.size == 0:
		l.out.keep(named.at, named.at+named.size, false)
	case !first:
		return c.at + c.size
	}
	l.out.keep(c.at, c.at+c.size, inPlace)
	return c.at + c.size
}

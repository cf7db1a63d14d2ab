package godot

import (
	"bytes"
	"errors"
	"math"

	"varview/decoder/span"
	"varview/decoder/tree"
)

// errBehindDamage says that bytes would become part of a gap.
var errBehindDamage = errors.New("nothing can be put behind a damaged value: it claims all bytes up to the end")

// merges reports whether v can become the value of a literal part by part.
func (e *editing) merges(v *tree.Value, l *literal) bool {
	if v.Damage != nil && v.Layout == tree.Leaf {
		return l.kind == tDamage
	}
	if !e.sameType(v, l) {
		return false
	}
	switch typeOf(v.Type).shape {
	case shapeObject:
		byID := v.Flags&flagWide != 0 && !e.f.Dialect.noFlags
		return byID == l.byID && (v.Layout == tree.Pairs) == l.whole
	case shapePath:
		return v.Layout != tree.Leaf
	}
	return true
}

// mergeAtom changes what differs in a value without children of its own.
func (e *editing) mergeAtom(v *tree.Value, l *literal) error {
	at := v.Head + 4
	switch typeOf(v.Type).shape {
	case shapeBool:
		if e.w.U32(at) != 0 != (l.id != 0) {
			e.putU32(at, uint32(l.id))
		}
	case shapeNumber:
		return e.mergeScalar(v, l)
	case shapeText:
		return e.mergeText(v, at, l.text)
	case shapeFixed:
		return e.mergeNumbers(v.Body, typeID(v.Sub), v.Count, l)
	case shapeRID:
		if e.f.Dialect.ridHasID {
			e.mergeID(at, l.id)
		}
	case shapeObject:
		if l.byID {
			e.mergeID(at, l.id)
		}
	case shapeSignal:
		name := *v
		name.Tail -= 8
		if err := e.mergeText(&name, at, l.text); err != nil {
			return err
		}
		e.mergeID(v.Tail-8, l.id)
	case shapeBytes, shapePacked:
		return e.mergePacked(v, l)
	case shapeUnknown:
		if v.Damage.Code != string(l.text) {
			return fail(int(l.at), "damage of another kind stands here: <%s>", v.Damage.Code)
		}
	}
	return nil
}

func (e *editing) mergeID(at int64, id uint64) {
	if e.w.U64(at) != id {
		e.put(at, 8, appendComponent(nil, tInt64, id))
	}
}

// mergeScalar changes an int or float. What was stored in 64 bits stays so.
func (e *editing) mergeScalar(v *tree.Value, l *literal) error {
	b, err := e.fresh(l)
	if err != nil {
		return err
	}
	at, wide := v.Head+4, v.Tail-v.Head > 8
	if v.Type == tInt {
		n, _ := e.int(l)
		if was := int64(int32(e.w.U32(at))); !wide && was == n || wide && int64(e.w.U64(at)) == n {
			return nil
		}
		if wide {
			b = append(b[:4], appendComponent(nil, tInt64, uint64(n))...)
		}
	} else {
		x, _ := e.float(l, 64)
		if e.f.Dialect.noFlags {
			x, _ = e.float(l, 32)
		}
		if sameFloat(e.f.float(e.w, v), x) {
			return nil
		}
		if wide {
			b = append(b[:4], appendComponent(nil, tFloat64, math.Float64bits(x))...)
		}
	}
	if len(b) == 12 && !wide {
		e.put(v.Head+2, 2, []byte{byte(v.Flags) | flagWide, byte(v.Flags >> 8)})
	}
	e.put(at, v.Tail-at, b[4:])
	return nil
}

// mergeText changes the string at off, which ends v.
func (e *editing) mergeText(v *tree.Value, off int64, text []byte) error {
	if v.Damage != nil {
		e.out = nil
		e.entry(text, v.Type == tEntry)
		e.put(off, v.Tail-off, e.out)
		return nil
	}
	n := textLength(e.w, v, off)
	if n == int64(len(text)) && e.sameBytesAt(off+4, text) {
		return nil
	}
	if int64(len(text)) > math.MaxInt32-8 {
		return errors.New("a string has at most 2 GiB")
	}
	// A string of a packed array without its NUL is read all the same.
	nul := v.Type == tEntry && (n < int64(e.w.U32(off)) || bytes.HasSuffix(text, []byte{0}))
	e.out = nil
	e.entry(text, nul)
	e.putU32(off, uint32(len(text)+boolInt(nul)))
	e.put(off+4, v.Tail-off-4, e.out[4:])
	return nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// mergeNumbers changes those of the n numbers at off that differ.
func (e *editing) mergeNumbers(off int64, comp typeID, n int64, l *literal) error {
	var run []byte // new bytes that end before the number in turn
	size := width(comp)
	for i := range n {
		bits, err := e.component(l, int(i), comp)
		if err != nil {
			return err
		}
		at := off + i*size
		was := bitsAt(e.w, comp, at)
		if sameNumber(comp, was, bits) {
			e.put(at-int64(len(run)), int64(len(run)), run)
			run = nil
			continue
		}
		run = appendComponent(run, comp, bits)
	}
	e.put(off+n*size-int64(len(run)), int64(len(run)), run)
	return nil
}

// sameNumber reports whether two stored numbers are the same.
func sameNumber(comp typeID, a, b uint64) bool {
	if width(comp) == 4 {
		a, b = uint64(uint32(a)), uint64(uint32(b))
	}
	return a == b || isNaN(comp, a) && isNaN(comp, b)
}

// mergePacked changes a packed array of numbers or vectors, and the padding of one
// of bytes if the length changes.
func (e *editing) mergePacked(v *tree.Value, l *literal) error {
	comp, each := typeID(v.Sub), int64(max(1, len(typeOf(v.Type).parts)))
	is := int64(e.encoder.count(l)) / each
	both := min(v.Count, is)
	if err := e.mergeNumbers(v.Body, comp, both*each, l); err != nil {
		return err
	}
	e.out = nil
	rest := literal{parts: &parts{kids: l.kids[both*each:]}}
	if err := e.components(&rest, comp); err != nil {
		return err
	}
	e.put(v.Body+both*int64(v.Stride), (v.Count-both)*int64(v.Stride), e.out)
	if typeOf(v.Type).shape == shapeBytes && is != v.Count {
		e.repad(v, is)
	}
	return e.recount(v, is-v.Count)
}

// repad brings the padding of a byte array to what n bytes need.
func (e *editing) repad(v *tree.Value, n int64) {
	at := v.Body + v.Count
	switch have, need := v.Tail-at, pad(n); {
	case have > need:
		e.cut(at, at+have-need)
	case have < need:
		e.put(v.Tail, 0, make([]byte, need-have))
	}
}

// recount adds to the count of v, whatever that claimed before. Bit 31 stays where
// it is not part of the number.
func (e *editing) recount(v *tree.Value, added int64) error {
	at := v.Body - 4
	count := e.w.U32(at)
	mark := uint32(0)
	if hasSharedBit(v.Type) {
		mark = count & shared
	}
	n := int64(count &^ mark)
	if n > math.MaxInt32 && typeOf(v.Type).shape == shapeStrings && v.Count == 0 {
		n = 0 // a negative count is read as empty
	}
	if n += added; n > math.MaxInt32 && added > 0 {
		return errors.New(e.f.TypeName(v) + " holds at most " + span.Counted(math.MaxInt32, "value"))
	}
	if added != 0 {
		e.putU32(at, uint32(n)|mark)
	}
	return nil
}

package simple

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/charset"
	"varview/decoder/value/notation"
)

// datum returns the meaning of a literal without children.
func (r *reading) datum(v *notation.Value, at Place) (d Datum, err error) {
	d.Place = at
	switch v.Kind {
	case notation.Word, notation.Number:
		d.Scalar, err = v.Scalar()
	case notation.Text:
		d.Kind, d.Data = tree.Text, v.Text
	case notation.Call:
		if d.Name = v.Name; slices.Contains(r.Numbers, v.Name) {
			number, err := notation.Parse(cmp.Or(strings.TrimSpace(string(v.Text)), "0"))
			if err != nil || number.Kind != notation.Number {
				return d, v.Errorf("%s must hold a number", v.Name)
			}
			d.Scalar, err = number.Scalar()
			d.Name = v.Name
			return d, err
		}
		err = d.readHex(v)
	}
	return d, err
}

// readHex reads what is in the parentheses of bin(00ff), ext(5, 00ff) or
// timestamp(2020-01-01T00:00:00Z).
func (d *Datum) readHex(v *notation.Value) error {
	digits := string(v.Text)
	if code, rest, ok := strings.Cut(digits, ","); ok {
		n, err := strconv.ParseInt(strings.TrimSpace(code), 10, 64)
		if err != nil {
			return v.Errorf("%s must begin with a number", v.Name)
		}
		d.Code, d.Coded, digits = n, true, rest
	}
	b, err := hex.DecodeString(strings.TrimSpace(digits))
	if err == nil {
		d.Data = append([]byte{}, b...)
		return nil
	}
	if d.Note = digits; d.Coded {
		return v.Errorf("%s must hold hexadecimal digits, two for each byte", v.Name)
	}
	return nil
}

// isNumber reports whether the scalar is an integer or a float.
func isNumber(s *tree.Scalar) bool { return s.Kind >= tree.Int && s.Kind <= tree.Float64 }

func isFloat(s *tree.Scalar) bool { return s.Kind == tree.Float32 || s.Kind == tree.Float64 }

// isSameNumber reports whether a value is a number, spelled and of a kind as another is.
func isSameNumber(s, d tree.Scalar) bool {
	d.NoPoint = s.NoPoint
	return isNumber(&s) && isFloat(&s) == isFloat(&d) && string(s.AppendNumber(nil)) == string(d.AppendNumber(nil))
}

// means reports whether the bytes hold the datum, and nothing else.
func (r *reading) means(b []byte, d Datum) bool {
	v, s, _ := r.lookIn(source.Bytes(b), d.Place)
	if v.Damage != nil || v.Layout != tree.Leaf || v.Tail != int64(len(b)) {
		return false
	}
	switch {
	case isNumber(&d.Scalar):
		return (d.Name == "" || d.Name == r.TypeName(&v)) && isSameNumber(s, d.Scalar)
	case s.Kind != d.Kind:
		return false
	case d.Kind == tree.Null, d.Kind == tree.Bool:
		return s.Bits == d.Bits
	case d.Data == nil:
		return d.Note == "" || s.Note == d.Note
	case d.Kind == tree.Bytes && (d.Name != s.Name && d.Name != r.TypeName(&v) || d.Coded && d.Code != s.Code):
		return false
	}
	return bytes.Equal(b[s.Span.Offset:s.Span.End()], d.Data)
}

// lookIn reads the value that new bytes hold.
func (r *reading) lookIn(b source.Source, at Place) (tree.Value, tree.Scalar, error) {
	w := r.windows.Get().(*source.Window)
	defer r.windows.Put(w)
	w.Reset(b)
	c := r.cursor(w, 0, b.Size(), at)
	defer r.cursors.Put(c)
	c.run()
	return c.value, c.scalar, w.Err()
}

// seen reads a value again, and returns the cursor behind it.
func (e *editing) seen(n *tree.Node) *Cursor {
	c := e.again(e.Window, &n.Value)
	c.run()
	return c
}

// leaf returns the bytes of a datum: in the form of the value that it replaces, if it fits that, or else in
// the shortest. It returns nil if the format has no such value.
func (e *editing) leaf(d Datum, old *tree.Node) []byte {
	e.likeOf(&d, old)
	isSpelled := e.Spell != nil && (isNumber(&d.Scalar) || d.Kind == tree.Bool)
	switch {
	case old == nil && isSpelled:
		d.Kind, d.Data = tree.Text, e.Spell(d.Scalar, nil)
	case old != nil && old.Layout == tree.Leaf && old.Damage == nil:
		c := e.seen(old)
		defer e.cursors.Put(c)
		if isSpelled {
			d.Kind, d.Data = tree.Text, e.Spell(d.Scalar, e.Window.View(c.scalar.Span.Offset, c.scalar.Span.Length))
		}
		e.formOf(&d, &c.scalar)
		b := e.inPlace(old, d, c)
		if b != nil && e.means(b, d) && (!e.Lines || e.Encode(d) != nil) { // at the beginning of a line it may mean something else
			return b
		}
	}
	return e.shortest(d)
}

// shortest returns the bytes of a datum in the shortest form; nil if the format has no such value. Data may be text in
// hex digits, and a value without data one with its first content.
func (e *editing) shortest(d Datum) []byte {
	if e.Floats && d.Name == "" && d.Kind == tree.Int {
		d.Kind, d.Bits = tree.Float64, math.Float64bits(float64(int64(d.Bits)))
	}
	b := e.Encode(d)
	switch {
	case b != nil && e.means(b, d):
		return b
	case d.Kind != tree.Bytes || d.Coded:
		return nil
	}
	also := d
	if also.Kind = tree.Text; len(d.Data) == 0 {
		also.Kind, also.Data = tree.Bytes, nil
	}
	if b := e.Encode(also); b != nil && e.means(b, also) && e.typeOf(source.Memory(b), d.Place) == d.Name {
		return b
	}
	return nil
}

// formOf gives a datum the form of the old value.
func (e *editing) formOf(d *Datum, was *tree.Scalar) {
	if d.Kind == tree.Text && e.note(e.Window, was.Span) != "" {
		d.Data = charset.ToCESU8(d.Data)
	}
	if isFloats := e.Floats && d.Name == ""; d.Kind == tree.Int && (e.retype && isFloats || !e.retype && isFloat(was)) {
		d.Kind, d.Bits = tree.Float64, math.Float64bits(float64(int64(d.Bits)))
	}
	if !e.retype && d.Name == "" && d.Coded && was.Coded {
		d.Name = was.Name
	}
}

// likeOf gives a datum in a format of lines the value that it replaces, or one in a place like its, and the line end.
func (e *editing) likeOf(d *Datum, old *tree.Node) {
	if !e.Lines {
		return
	}
	if old == nil {
		old = e.similar(d.Place)
	}
	if old != nil && old.Layout == tree.Leaf {
		d.Like = slices.Clone(e.Window.View(old.Head, old.Tail-old.Head))
	}
	switch {
	case bytes.HasSuffix(d.Like, []byte("\r\n")):
		d.LineEnd = "\r\n"
	case bytes.HasSuffix(d.Like, []byte("\n")):
		d.LineEnd = "\n"
	default:
		d.LineEnd = e.lineEnd()
	}
}

// similar returns a value or key in a place like that of a new one: beside it, or else the first in the file; nil if there is
// none among the first.
func (e *editing) similar(at Place) *tree.Node {
	const most = 16 // containers in which it is looked for
	isSimilar := func(n *tree.Node) bool { return n != nil && place(&n.Value).In == at.In }
	for i := int64(0); e.Reader != nil && !isSimilar(e.beside) && i < most; i++ {
		root, err := e.Reader.Child(e.Reader.Tree.Base, 0)
		if err == nil {
			e.beside, err = e.Reader.Child(root, i)
		}
		if err == nil && !isSimilar(e.beside) {
			e.beside, err = e.Reader.Child(e.beside, 0)
		}
		if err != nil {
			e.beside = nil
		}
	}
	switch {
	case !isSimilar(e.beside):
		return nil
	case at.Key:
		return e.Reader.Key(e.beside)
	}
	return e.beside
}

// areApart reports whether there is a blank line between the sections of a file where another one is put in.
func (e *editing) areApart(file *tree.Node, index int64) bool {
	if file.Depth != 1 || index == 0 {
		return false
	}
	section, err := e.Reader.Child(file, max(1, index-1)) // nothing is before the first
	if err != nil {
		if !errors.Is(err, tree.ErrNoChild) {
			e.Keep(err)
		}
		return false
	}
	key := e.Reader.Key(section)
	line, _, isLine := bytes.Cut(e.Window.View(key.Start, key.Head-key.Start), []byte("\n"))
	return isLine && len(bytes.TrimSpace(line)) == 0
}

// lineEnd returns the line end of a text, by its beginning.
func (e *editing) lineEnd() string {
	if e.Reader != nil {
		if b := e.Window.View(0, source.MaxView); bytes.Contains(b, []byte("\n")) && !bytes.Contains(b, []byte("\r\n")) {
			return "\n"
		}
	}
	return "\r\n"
}

// inPlace returns the bytes of an old value with only its number, or its text or data and their length,
// replaced; nil if that is not possible.
func (e *editing) inPlace(old *tree.Node, d Datum, c *Cursor) []byte {
	s := &c.scalar
	is, field := d.Data, s.Span
	switch {
	case isNumber(&d.Scalar) && isNumber(s):
		field = c.scalarAt
		is = e.number(field.Length, numberAs(d.Scalar, s.Kind))
	case d.Data == nil || d.Kind != s.Kind:
		return nil
	}
	start := e.Window.View(old.Start, field.Offset-old.Start)
	b := slices.Concat(start, is, e.Window.View(field.End(), old.Tail-field.End()))
	if by := int64(len(is)) - field.Length; by != 0 && !c.untied && !e.add(b, old.Start, &c.length, by) {
		return nil
	}
	return b
}

// numberAs returns the bits of a number as another kind, whether it fits or not.
func numberAs(s tree.Scalar, kind tree.ScalarKind) uint64 {
	if kind == tree.Float32 && s.Kind == tree.Float64 {
		return uint64(math.Float32bits(float32(math.Float64frombits(s.Bits))))
	}
	return s.Bits
}

// number returns a number as its lowest size bytes.
func (r *reading) number(size int64, x uint64) []byte {
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(x >> (8 * i))
	}
	if !r.LittleEndian {
		slices.Reverse(b)
	}
	return b
}

// add adds to a number in b, whose first byte is at offset start of the buffer. It reports whether the sum
// fits.
func (r *reading) add(b []byte, start int64, n *number, by int64) bool {
	sum := n.value + uint64(by)
	if n.Length == 0 || by < 0 && n.value < uint64(-by) || n.bits < 64 && sum >= 1<<n.bits {
		return false
	}
	at := b[n.Offset-start:][:n.Length]
	x := sum
	if whole := int(8 * n.Length); n.bits < whole { // always a single byte
		x |= uint64(at[0]) &^ (1<<n.bits - 1)
	}
	copy(at, r.number(n.Length, x))
	return true
}

// A change is what an edit adds to the fields before the children of a container.
type change struct {
	at    int64 // index of the first child that is inserted or deleted
	count int64 // number of children
	rows  int64 // number of values in each column
	size  int64 // in bytes

	all bool // another number of children takes the place of all
}

// head returns the leading fields of a container after a change.
func (e *editing) head(n *tree.Node, by change) []byte {
	if n.Flags&isFixed != 0 && by.count != 0 {
		e.Keep(fmt.Errorf("%s always has %s", e.TypeName(&n.Value), span.Counted(n.Count, "value")))
	}
	c := e.seen(n)
	head := slices.Clone(e.Window.View(n.Start, n.Body-n.Start))
	fits := (by.count == 0 || n.Marked || e.add(head, n.Start, &c.count, by.count)) &&
		(by.rows == 0 || e.add(head, n.Start, &c.rows, by.rows)) &&
		(c.size.Length == 0 || e.add(head, n.Start, &c.size, by.size))
	for _, x := range c.indexes {
		moved := x.moved(by.at, by.count)
		if by.all && x.after {
			moved = n.Count + by.count - int64(x.value)
		} else if by.all {
			moved = -int64(x.value)
		}
		fits = fits && e.add(head, n.Start, &x.number, moved)
	}
	if fits {
		return head
	}
	return e.widened(n, by)
}

// widened returns the leading fields of a container after a change for which its lengths and counts are too narrow.
func (e *editing) widened(n *tree.Node, by change) []byte {
	if n.Flags&isColumns != 0 {
		e.Keep(fmt.Errorf("%s cannot have this number of columns", e.TypeName(&n.Value)))
	}
	if n.Overcounted() {
		e.Keep(fmt.Errorf("%s counts more values than there are; repair that first", e.TypeName(&n.Value)))
	}
	return e.header(place(&n.Value), n.Layout, n.Count+by.count, e.Finish(n).End-n.Body+by.size)
}

// moved returns the change of an index when count children are inserted at an index or, if negative,
// deleted from it on.
func (x *index) moved(at, count int64) int64 {
	is := int64(x.value)
	switch {
	case count > 0 && (at < is || at == is && x.after):
		return count
	case count < 0 && at < is:
		return -min(-count, is-at)
	}
	return 0
}

// header returns the leading fields of a container in the shortest form.
func (e *editing) header(at Place, l tree.Layout, n, size int64) []byte {
	head := e.Header(at, l, n, size)
	if head == nil {
		e.Keep(fmt.Errorf("%s has no container for %s", e.Title, span.Counted(n, "value")))
	}
	return head
}

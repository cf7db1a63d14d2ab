package simple

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A Place tells where a value is read or written, as far as its form depends on it.
type Place struct {
	In  uint32 // argument of Inside for the value around it; 0 in the buffer
	Key bool   // it is a key
}

// place returns the place of a value that was read.
func place(v *tree.Value) Place { return Place{v.Sub, v.Flags&isKey != 0} }

// inside returns the place of a child of a value.
func inside(v *tree.Value, key bool) Place { return Place{v.Inner, key} }

// Flags of a tree.Value.
const (
	isKey     = 1 << iota // it is a key
	isColumns             // its children are columns
	isFixed               // its type says how many children it has
	isZipped              // the children are two columns, whatever the bytes say: keys and values
	isText                // it is text
	isOdd                 // Inspect has something to look at: Warn was called, or it is text that is not ASCII
)

// A Cursor points to a byte of a value. Its methods read fields of the value and move it past them.
type Cursor struct {
	r        *reading
	w        *source.Window
	at       int64
	last     span.Span // the last field read
	read     number    // the last number read
	scalarAt span.Span // field of the value's number
	length   number    // last number of kind span.Length
	lengths  []named   // all of them
	count    number    // number of children, if a field gives it
	size     number    // length of the children in bytes, if a field gives it
	rows     number    // number of values in each column, if there are columns
	indexes  []index   // fields that are the index of a child
	offsets  []offset  // fields that are offsets, if wants is set
	wants    bool      // they are
	untied   bool      // no length field gives the length of the text
	stopped  bool      // nothing more is read
	found    bool      // HasChild has moved to the key
	isRead   bool      // the value was read, through what the window was then
	through  uint64    // serial number of its source
	value    tree.Value
	scalar   tree.Scalar

	list span.Lister // collects the fields, if they are asked for

	least    int64 // texts and raw bytes of so many bytes go to contents; 0 if none are wanted
	contents []span.Span

	wanted int64  // offset of the field whose meaning is asked for, or tree.Unknown
	dst    []byte // the meaning is appended to it
	from   int    // length of dst before

	report func(span.Problem) // takes problems that do not stop reading; nil if they are not asked for
}

// A number is a field that holds an unsigned number in its lowest bits. Without a length it is unset.
type number struct {
	span.Span
	bits  int
	value uint64
}

// A named is a number with the label of its field.
type named struct {
	number
	label string
}

// An offset is a number that tells where something begins, counted from a byte of the buffer.
type offset struct {
	number
	base int64
}

// An index is a number that is the index of a child.
type index struct {
	number
	after bool // the index is that of the first child after some others
}

// cursor returns a cursor at the beginning of a value, which ends before limit.
func (r *reading) cursor(w *source.Window, start, limit int64, at Place) *Cursor {
	c := r.cursors.Get().(*Cursor)
	c.reset(r, w, start, limit, at)
	return c
}

// reset places a cursor at the beginning of a value, which ends before limit.
func (c *Cursor) reset(r *reading, w *source.Window, start, limit int64, at Place) {
	lengths, contents := c.lengths[:0], c.contents[:0]
	*c = Cursor{} // which is cleared in place, as no other literal is
	c.r, c.w, c.wanted, c.lengths, c.contents = r, w, tree.Unknown, lengths, contents
	c.next(start, limit, at)
}

// next places a cursor at the beginning of another value that is only passed: what it has noted for edits of the one before
// stays.
func (c *Cursor) next(start, limit int64, at Place) {
	c.at, c.stopped, c.found, c.isRead, c.scalar.Kind, c.lengths, c.contents = start, false, false, false, tree.Bytes, c.lengths[:0], c.contents[:0]
	v := &c.value
	*v = tree.Value{}
	v.Start, v.Head, v.Body, v.Tail, v.Limit, v.Sub, v.Inner = start, start, start, tree.Unknown, limit, at.In, at.In
	if at.Key {
		v.Flags = isKey
	}
}

// again returns a cursor at the beginning of a value that was read before.
func (r *reading) again(w *source.Window, v *tree.Value) *Cursor {
	return r.cursor(w, v.Start, v.Limit, place(v))
}

// Place returns where the value is.
func (c *Cursor) Place() Place { return place(&c.value) }

// Inside sets how the children of the value are read: Place returns it for them. Without it they are read
// like the value itself.
func (c *Cursor) Inside(in uint32) { c.value.Inner = in }

// run reads the value.
func (c *Cursor) run() {
	if c.value.Flags&isKey != 0 && !c.found && c.r.Description.HasChild != nil {
		c.r.Description.HasChild(c)
	}
	c.found, c.isRead, c.through = false, true, c.w.Serial()
	c.r.Value(c)
	isNothing := c.at == c.value.Start && !c.value.Marked && c.scalar.Kind != tree.Text
	if isNothing && c.value.Damage == nil { // otherwise the same value would follow for ever
		c.stop(span.Between(c.at, c.value.Limit), span.UnknownType, "no value begins here")
	}
	if c.value.Damage == nil && c.value.Layout == tree.Leaf {
		c.value.Close(c.at)
	}
}

// Peek returns the next byte; 0 at the end. The cursor does not move.
func (c *Cursor) Peek() byte {
	if c.at >= c.value.Limit {
		return 0
	}
	return c.w.Byte(c.at)
}

// field makes a field of the next n bytes and returns its offset, or tree.Unknown if reading has stopped.
func (c *Cursor) field(n int64, kind span.Kind, label string) int64 {
	if c.stopped {
		return tree.Unknown
	}
	if left := c.value.Limit - c.at; n > left {
		c.stop(span.Between(c.at, c.value.Limit), span.Truncated,
			fmt.Sprintf("%s is cut: %s needs %s, but %s left", c.r.TypeName(&c.value), label, span.Bytes(n), span.BytesAre(left)))
		return tree.Unknown
	}
	at := c.at
	c.last = span.Span{Offset: at, Length: n}
	if !c.list.Put(n, kind, label) {
		c.list.Tail = c.list.At // so that nothing shorter is listed in its place
	}
	c.at += n
	if c.least > 0 && n >= c.least && (kind == span.Text || kind == span.Data) {
		c.contents = append(c.contents, c.last)
	}
	return at
}

// stop ends the value before the cursor: the rest of it cannot be read.
func (c *Cursor) stop(at span.Span, code, message string) {
	if c.value.Damage == nil {
		c.value.Break(c.at, &span.Problem{Span: at, Severity: span.Error, Code: code, Message: message, Engine: c.r.Engine[code]})
	}
	c.stopped = true
}

// Fail records that the value cannot be read because of the last field read. The bytes after that field are
// a gap.
func (c *Cursor) Fail(code, message string) {
	if !c.stopped {
		c.stop(c.last, code, message)
	}
}

// Warn reports something unusual about the last field read.
func (c *Cursor) Warn(code, message string) {
	if c.value.Flags |= isOdd; c.report != nil && !c.stopped {
		c.report(span.Problem{Span: c.last, Severity: span.Warning, Code: code, Message: message, Engine: c.r.Engine[code]})
	}
}

// Type names the type of the value, which is one of Description.Types.
func (c *Cursor) Type(name string) { c.value.Type = c.r.typeNumber(name) }

// typeNumber returns the number of a type in tree.Value.
func (f *family) typeNumber(name string) uint16 { return uint16(slices.Index(f.Types, name) + 1) }

// Number reads and returns an unsigned number of 1 to 8 bytes. label names its field in
// the output.
func (c *Cursor) Number(size int, kind span.Kind, label string) uint64 {
	return c.bits(size, 8*size, kind, label)
}

// Low reads a byte and returns its lowest n bits; the others are part of the type.
func (c *Cursor) Low(n int, kind span.Kind, label string) uint64 {
	return c.bits(1, n, kind, label)
}

// bits reads the lowest n bits of a number of size bytes.
func (c *Cursor) bits(size, n int, kind span.Kind, label string) (x uint64) {
	at := c.field(int64(size), kind, label)
	if at == tree.Unknown {
		return 0
	}
	switch {
	case size == 1:
		x = uint64(c.w.Byte(at))
	case c.r.LittleEndian:
		for i, b := range c.w.View(at, int64(size)) {
			x |= uint64(b) << (8 * i)
		}
	default:
		for _, b := range c.w.View(at, int64(size)) {
			x = x<<8 | uint64(b)
		}
	}
	x &= 1<<n - 1
	c.read = number{c.last, n, x}
	if kind == span.Length {
		c.length = c.read
		c.lengths = append(c.lengths, named{c.read, label})
	}
	if c.means() {
		c.dst = strconv.AppendUint(c.dst, x, 10)
	}
	return x
}

// means reports whether the meaning of the last field read is wanted, and removes what was appended for it
// before.
func (c *Cursor) means() bool {
	if c.last.Offset != c.wanted || c.last.Length == 0 {
		return false
	}
	c.dst = c.dst[:c.from]
	return true
}

// Means sets the meaning of the last field read, if that is not its number.
func (c *Cursor) Means(text string) {
	if !c.stopped && c.means() {
		c.dst = append(c.dst, text...)
	}
}

// SaysType names the type of the value, which the field that was read last says.
func (c *Cursor) SaysType(name string) {
	c.Type(name)
	c.Means(name)
}

// number makes the value the number or bool in the field that was read last.
func (c *Cursor) number(kind tree.ScalarKind, bits uint64) {
	c.scalar, c.scalarAt = tree.Scalar{Kind: kind, Bits: bits, NoPoint: c.r.Floats}, c.last
	c.value.Body = max(c.value.Body, c.last.Offset)
	if !c.stopped && c.means() {
		c.dst = c.scalar.AppendNumber(c.dst)
	}
}

// Null makes the value null.
func (c *Cursor) Null() { c.scalar = tree.Scalar{Kind: tree.Null} }

// Bool makes the value a bool; its field is the last one read.
func (c *Cursor) Bool(b bool) {
	bits := uint64(0)
	if b {
		bits = 1
	}
	c.number(tree.Bool, bits)
}

// Uint reads the value as an unsigned integer of 1 to 8 bytes.
func (c *Cursor) Uint(size int) { c.number(tree.Uint, c.Number(size, span.Value, "value")) }

// Int reads the value as an integer of 1 to 8 bytes in two's complement.
func (c *Cursor) Int(size int) {
	unused := 64 - 8*size
	c.number(tree.Int, uint64(int64(c.Number(size, span.Value, "value")<<unused)>>unused))
}

// Float reads the value as an IEEE 754 float of 4 or 8 bytes.
func (c *Cursor) Float(size int) {
	kind := tree.Float64
	if size == 4 {
		kind = tree.Float32
	}
	c.number(kind, c.Number(size, span.Value, "value"))
}

// Text reads the value as n bytes of UTF-8 text.
func (c *Cursor) Text(n uint64) {
	c.payload(n, span.Text, "text")
	c.text()
}

// TextUntil reads the value as UTF-8 text up to a byte that ends it.
func (c *Cursor) TextUntil(end byte) {
	n := c.Until(0, string([]byte{end}))
	if n == c.Left() && !c.stopped {
		c.stop(span.Between(c.at, c.value.Limit), span.Truncated, fmt.Sprintf("%s is cut: the byte %d at its end is missing", c.r.TypeName(&c.value), end))
	}
	c.field(n, span.Text, "text")
	c.Raw(uint64(n))
	c.text()
	c.Number(1, span.Terminator, "end")
	c.untied = true
}

// longASCII is the length in bytes of the longest text that is looked at while it is read.
const longASCII = 1 << 10

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// text makes the value the text in the last field read.
func (c *Cursor) text() {
	c.scalar.Kind = tree.Text
	c.value.Flags |= isText
	if c.last.Length > longASCII || !isASCII(c.w.View(c.last.Offset, c.last.Length)) {
		c.value.Flags |= isOdd
	}
	if !c.stopped && c.means() {
		if note := c.r.note(c.w, c.last); note != "" {
			c.dst = tree.AppendEscaped(c.dst, []byte(note), 0)
		} else {
			c.dst = tree.AppendText(c.dst, c.w, c.last)
		}
	}
}

// Bytes reads the value as n bytes of data.
func (c *Cursor) Bytes(n uint64) {
	c.payload(n, span.Data, "data")
	if !c.stopped && c.means() {
		c.dst = tree.AppendData(c.dst, c.w, c.last)
	}
}

// payload reads n bytes of text or data. If fewer are left, the problem is at the length field; without a
// length field the value is cut.
func (c *Cursor) payload(n uint64, kind span.Kind, label string) {
	if left := c.value.Limit - c.at; !c.stopped && n > uint64(left) && c.length.Length > 0 {
		c.stop(c.length.Span, span.LengthOverrun, fmt.Sprintf("%s of %s, but %s left", c.r.TypeName(&c.value), span.Bytes(clamp(n)), span.BytesAre(left)))
	}
	c.field(clamp(n), kind, label)
	c.Raw(n)
}

// Raw makes the n bytes before the cursor, which were read as fields, the value's data.
func (c *Cursor) Raw(n uint64) {
	if !c.stopped {
		c.value.Body = c.at - clamp(n)
		c.scalar = tree.Scalar{Span: span.Between(c.value.Body, c.at)}
	}
}

// Tag gives data a name and a type number for JSON and literals.
func (c *Cursor) Tag(name string, code int64) {
	c.scalar.Name, c.scalar.Code, c.scalar.Coded = name, code, true
}

// Note adds an explanation for people to data, in literals and JSON.
func (c *Cursor) Note(text string) { c.scalar.Note = text }

// Offset declares that the last number read is an offset, counted from the byte at base. It follows when an
// edit moves its target. It has an effect only if Description.Offsets is set.
func (c *Cursor) Offset(base int64) {
	if c.wants && !c.stopped {
		c.offsets = append(c.offsets, offset{c.read, base})
	}
}

// Index declares that the last number read is the index of a child, which follows when children are
// inserted or deleted before it. If after is set, it is the index of the first child after a group, and a
// child inserted there belongs to the group.
func (c *Cursor) Index(after bool) { c.indexes = append(c.indexes, index{c.read, after}) }

// Counts declares that the last number read is the number of children.
func (c *Cursor) Counts() { c.count = c.read }

// Start returns the offset of the value in the buffer.
func (c *Cursor) Start() int64 { return c.value.Start }

// Within declares that the n bytes from here on hold the value's children, and nothing else. The field with
// the label, of kind span.Length, gives n or a number that differs from it by a constant, and follows when they
// change.
func (c *Cursor) Within(label string, n uint64) {
	left, field := c.value.Limit-c.at, number{}
	for _, l := range c.lengths {
		if l.label == label {
			field = l.number
		}
	}
	if !c.stopped && n > uint64(left) {
		c.stop(field.Span, span.LengthOverrun, fmt.Sprintf("%s of %s, but %s left", c.r.TypeName(&c.value), span.Bytes(clamp(n)), span.BytesAre(left)))
	}
	if !c.stopped {
		c.size, c.value.Limit, c.value.Fenced = field, c.at+clamp(n), true
	}
}

// Items makes the value a container of the n values that follow. Nothing can be read after it.
func (c *Cursor) Items(n uint64) { c.contain(tree.Sequence, n) }

// Fixed makes the value a container of the n values that follow, as its type says: none can be inserted or
// deleted. Nothing can be read after it.
func (c *Cursor) Fixed(n uint64) {
	c.value.Flags |= isFixed
	c.contain(tree.Sequence, n)
}

// Pairs makes the value a container of the n pairs of key and value that follow. Nothing
// can be read after it.
func (c *Cursor) Pairs(n uint64) { c.contain(tree.Pairs, n) }

// ItemsUntil makes the value a container of the values that follow, as long as Description.HasChild returns
// true; then its Foot is read. Nothing can be read after it.
func (c *Cursor) ItemsUntil() { c.containUntil(tree.Sequence) }

// PairsUntil is ItemsUntil for pairs of key and value.
func (c *Cursor) PairsUntil() { c.containUntil(tree.Pairs) }

func (c *Cursor) containUntil(l tree.Layout) {
	if !c.stopped {
		c.value.Marked, c.value.Footed = true, true
		c.contain(l, 0)
		if c.value.Count, c.count = tree.Unknown, (number{}); c.r.Lines {
			c.value.MinChild = 0 // an empty value has no bytes
		}
	}
}

// Left returns the number of bytes up to the end of the file.
func (c *Cursor) Left() int64 { return c.value.Limit - c.at }

// Ahead returns the next bytes, as many as a usual line has.
func (c *Cursor) Ahead() []byte { return c.w.View(c.at, min(usualLine, c.Left())) }

// usualLine is the number of bytes that are looked at for a line.
const usualLine = 256

// At returns the byte n bytes after the next one; 0 if there is none.
func (c *Cursor) At(n int64) byte {
	if n < 0 || n >= c.Left() {
		return 0
	}
	return c.w.Byte(c.at + n)
}

// Until returns the place, counted from the next byte, of the first byte at or after from that is in set; that of the end if
// there is none. It is usually near: asking for all that is left would fetch that again for each value.
func (c *Cursor) Until(from int64, set string) int64 {
	for view := int64(usualLine); from < c.Left(); view *= 2 {
		b := c.w.View(c.at+from, min(view, c.Left()-from))
		all := len(b)
		for i := range len(set) {
			if at := bytes.IndexByte(b, set[i]); at >= 0 {
				b = b[:at]
			}
		}
		if from += int64(len(b)); len(b) < all {
			return from
		}
		if all == 0 {
			break
		}
	}
	return c.Left()
}

// Field reads n bytes that do not matter to the value.
func (c *Cursor) Field(n int64, kind span.Kind, label string) {
	c.field(n, kind, label)
	if !c.stopped && c.means() {
		c.dst = tree.AppendText(c.dst, c.w, c.last)
	}
}

// Begin declares that everything read so far only precedes the value.
func (c *Cursor) Begin() {
	if !c.stopped {
		c.value.Head = c.at
	}
}

// Loose reads n bytes of UTF-8 text whose length no field gives.
func (c *Cursor) Loose(n int64) {
	c.untied = true
	if c.Text(uint64(n)); !c.stopped && c.value.Body == c.value.Head { // it is all of the value, not the payload behind a header
		c.value.Body = c.at
	}
}

// maxBare is the largest number of columns that may be empty.
const maxBare = 1 << 12

// Columns makes the value a container of n columns with the same number of values each, which follow column
// by column. That number is the last one read. Nothing can be read after it.
func (c *Cursor) Columns(n uint64) {
	if c.stopped {
		return
	}
	c.rows = c.read
	if c.value.Rows = uint32(min(c.rows.value, math.MaxUint32)); c.value.Rows == 0 && n > maxBare {
		n = 0
	}
	c.value.Flags |= isColumns
	c.contain(tree.Sequence, n)
	c.value.MinChild = uint16(min(c.value.Rows, 1))
	if c.count == c.rows {
		c.count = number{}
	}
	if c.count.Length == 0 {
		c.value.Flags |= isZipped
	}
}

func (c *Cursor) contain(l tree.Layout, n uint64) {
	if !c.stopped {
		c.value.Body = c.at
		c.value.Contain(l, clamp(n), 1)
		if c.value.Fenced {
			c.value.End = c.value.Limit
		}
		if c.count.Length == 0 && c.length.value == n && c.value.Flags&isFixed == 0 {
			c.count = c.length
		}
		c.stopped = true
	}
}

// clamp limits a number from a file so that sums with offsets cannot overflow. No file is
// that long.
func clamp(n uint64) int64 { return int64(min(n, 1<<60)) }

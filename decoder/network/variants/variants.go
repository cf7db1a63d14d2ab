// Package variants finds the values in a payload, which are Variants or MessagePack, and writes them as text. It
// uses the readings of files, and adds the short forms in which Godot 4 sends bools and ints.
package variants

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"varview/decoder/diagnose"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
	"varview/decoder/formats/json"
	"varview/decoder/formats/msgpack"
)

// Form is how a value is written.
type Form uint8

// The forms.
const (
	Plain    Form = iota // as everywhere else
	Bool                 // one byte, its highest bit is the value
	Int                  // a byte that says how many bytes follow: 1, 2, 4 or 8
	Unmarked             // the bytes of a PackedByteArray, without its type and length
)

// A Value is a Variant in a payload.
type Value struct {
	span.Span
	Form Form
}

// A Reader reads the values of one format. It belongs to one goroutine.
type Reader struct {
	Title  string // of the format, if its values are not Variants: "MessagePack"
	format tree.Reading
	begins func(b []byte) bool
	window source.Window // over bytes
	bytes  []byte
}

// NewReader returns a reader of a dialect, which must exist. double says that components have 64 bits and
// are not marked.
func NewReader(dialect string, double bool) *Reader {
	d, ok := godot.ByName(dialect)
	if !ok {
		panic("variants: no dialect " + dialect)
	}
	return &Reader{format: godot.New(godot.Settings{Dialect: d, Double: double && d.HasDouble()}), begins: Begins}
}

// readerOf returns a reader of a family.
func readerOf(of format.Family) *Reader {
	d := of.Dialects()[0]
	return &Reader{Title: d.Title, format: of.Formats(&format.Request{Dialect: d.Name}, nil, span.Span{})[0].Open(nil, span.Span{}), begins: func(b []byte) bool {
		return of.Sniff(source.Bytes(b), span.Between(0, int64(len(b)))) != format.None
	}}
}

// JSON reads what is in JSON texts. It may be used by many goroutines, but not for Next.
var JSON = readerOf(json.Family)

// Readers are the readers of all dialects that games send. They belong to one goroutine.
type Readers struct {
	Double      bool // components have 64 bits and are not marked
	list        map[string]*Reader
	messagePack *Reader
}

// Of returns the reader of a dialect.
func (r *Readers) Of(dialect string) *Reader {
	if r.list == nil {
		r.list = map[string]*Reader{}
	}
	if r.list[dialect] == nil {
		r.list[dialect] = NewReader(dialect, r.Double)
	}
	return r.list[dialect]
}

// All returns the readers of Godot 4 and Godot 3, that of a dialect first, and that of MessagePack.
func (r *Readers) All(first string) []*Reader {
	if r.messagePack == nil {
		r.messagePack = readerOf(msgpack.Family)
	}
	if first == "godot3" {
		return []*Reader{r.Of("godot3"), r.Of("godot4"), r.messagePack}
	}
	return []*Reader{r.Of("godot4"), r.Of("godot3"), r.messagePack}
}

// Use makes b the payload that Next reads.
func (r *Reader) Use(b []byte) {
	r.bytes = b
	r.window.Reset(source.Bytes(b))
}

// levels is the depth to which nested values are passed at once.
const levels = 32

// Next returns the value at an offset of the payload, which must end at or before limit. Its problems go to
// report. If it cannot be read, ok is false and the span is that of what could be read.
func (r *Reader) Next(at, limit int64, report func(span.Problem)) (v Value, ok bool) {
	if f, isVariant := r.format.(*godot.Format); isVariant {
		list := godot.Values(at, limit, 1)
		s := tree.Stretch{Pos: at, Until: limit, Levels: levels}
		if f.Pass(&r.window, &list, &s); s.Next.Index == 1 {
			return Value{Span: span.Between(at, s.Pos)}, true
		}
	}
	return r.inspect(at, limit, report)
}

// inspect reads a value that is not ordinary.
func (r *Reader) inspect(at, limit int64, report func(span.Problem)) (Value, bool) {
	t := tree.New(source.Bytes(r.bytes[:limit]), r.format, span.Between(at, limit))
	s := t.Scanner()
	s.NoResync = true
	ok := true
	s.Report = func(p span.Problem) {
		if p.Code == span.TrailingBytes && s.Depth() == 0 {
			return // the value is not all that there is
		}
		ok = ok && (p.Severity < span.Error || p.IsLocal())
		report(p)
	}
	end := limit
	for ev := s.Next(); ev != tree.Done; ev = s.Next() {
		if v := s.Value(); s.Depth() == 1 && ev != tree.Enter {
			end = v.Tail
		}
	}
	return Value{Span: span.Between(at, end)}, ok
}

// Begins reports whether bytes begin like a value of the format. Of less than 32 bytes of MessagePack the first value in them must be a text.
func (r *Reader) Begins(b []byte) bool { return r.begins(b) }

// Begins reports whether bytes begin like a Variant: with the number of a type, and few flags.
func Begins(b []byte) bool {
	const mostTypes, mostFlags = 39, 0x0f
	return len(b) >= 4 && b[0] < mostTypes && b[1] == 0 && b[2] <= mostFlags && b[3] == 0
}

// IsOdd reports whether a value of the payload b is one that games hardly ever send, so that it may well
// belong to another dialect.
func (r *Reader) IsOdd(b []byte, v Value) bool {
	return diagnose.RateClean(context.Background(), tree.New(source.Bytes(b[:v.End()]), r.format, v.Span)).Oddness > 0
}

// NextShort is Next for a value in one of the forms of Godot 4's calls.
func (r *Reader) NextShort(at, limit int64, report func(span.Problem)) (v Value, ok bool) {
	if at >= limit {
		report(truncated(at, limit, "a value"))
		return Value{Span: span.Between(at, limit)}, false
	}
	switch first := r.bytes[at]; first & typeBits {
	case typeBool:
		return Value{span.Between(at, at+1), Bool}, true
	case typeInt:
		end := at + 1 + 1<<(first>>widthShift)
		if end > limit {
			report(truncated(at, limit, "an int"))
			return Value{span.Between(at, limit), Int}, false
		}
		return Value{span.Between(at, end), Int}, true
	}
	return r.Next(at, limit, report)
}

// First byte of a value in a short form.
const (
	typeBits   = 0x3f
	typeBool   = 1
	typeInt    = 2
	boolBit    = 0x80
	widthShift = 6
)

func truncated(at, limit int64, what string) span.Problem {
	return span.Problem{Span: span.Between(at, limit), Severity: span.Error, Code: span.Truncated,
		Message: fmt.Sprintf("%s is cut: %s left", what, span.BytesAre(limit-at))}
}

// short returns the meaning of a value in a short form: 0 or 1 for a bool.
func short(b []byte, form Form) int64 {
	if form == Bool {
		return int64(b[0] >> 7)
	}
	var wide [8]byte
	n := copy(wide[:], b[1:])
	unused := 64 - 8*n
	return int64(binary.LittleEndian.Uint64(wide[:])<<unused) >> unused
}

// AppendJSON appends a value of the payload b in the form of export.
func (r *Reader) AppendJSON(dst, b []byte, v Value) []byte {
	switch x := b[v.Offset:v.End()]; v.Form {
	case Bool:
		return strconv.AppendBool(dst, short(x, Bool) != 0)
	case Int:
		return append(strconv.AppendInt(append(dst, `"i:`...), short(x, Int), 10), '"')
	}
	out := bytes.NewBuffer(dst)
	if n := r.reader(b, v); n != nil { // errors are those of a source, which memory does not have
		n.Tree.NewReader().WriteJSON(context.Background(), out, &n.value.Value)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// AppendLiteral appends a value of the payload b in the notation of var_to_str, cut to about limit bytes.
func (r *Reader) AppendLiteral(dst, b []byte, v Value, limit int) []byte {
	switch x := b[v.Offset:v.End()]; v.Form {
	case Bool:
		return strconv.AppendBool(dst, short(x, Bool) != 0)
	case Int:
		return strconv.AppendInt(dst, short(x, Int), 10)
	}
	n := r.reader(b, v)
	if n == nil {
		return dst
	}
	return n.AppendLiteral(dst, &n.value.Value, limit)
}

// Paths of a value itself, and of all values in it at any depth.
const (
	Itself     = "$"
	Everything = "..*"
)

// Held returns the values in a value of the payload b that a path with wildcards leads to, as literals cut to about limit
// bytes, and at most some.
func (r *Reader) Held(b []byte, v Value, path string, most, limit int) (literals []string) {
	if v.Form == Bool || v.Form == Int {
		if path == Everything || path == Itself {
			literals = append(literals, string(r.AppendLiteral(nil, b, v, limit)))
		}
		return literals
	}
	n := r.reader(b, v)
	pattern, err := tree.ParsePattern(path)
	if n == nil || err != nil {
		return nil
	}
	errEnough := errors.New("enough")
	_ = pattern.Each(context.Background(), n.Tree.NewReader(), func(child *tree.Node) error { // what can be read of a damaged value
		if literals = append(literals, string(n.AppendLiteral(nil, &child.Value, limit))); len(literals) == most {
			return errEnough
		}
		return nil
	})
	return literals
}

// AppendAll appends values of the payload b as literals, as many as there is room for in about limit bytes.
func (r *Reader) AppendAll(dst, b []byte, values []Value, limit int) []byte {
	end := len(dst) + limit
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if len(dst) >= end {
			return append(dst, "…"...)
		}
		dst = r.AppendLiteral(dst, b, v, end-len(dst))
	}
	return dst
}

// A valueReader is a reader of the tree of one value.
type valueReader struct {
	*tree.Reader
	value *tree.Node
}

// Marked returns the Variant of a PackedByteArray with some bytes.
func Marked(data []byte) []byte {
	const packedByteArray = 29
	b := binary.LittleEndian.AppendUint32(nil, packedByteArray)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(data)))
	b = append(b, data...)
	return append(b, make([]byte, -len(b)&3)...)
}

func (r *Reader) reader(b []byte, v Value) *valueReader {
	if v.Form == Unmarked {
		b = Marked(b[v.Offset:v.End()])
		v.Span = span.Between(0, int64(len(b)))
	}
	t := tree.New(source.Bytes(b[:v.End()]), r.format, v.Span)
	read := t.NewReader()
	n, err := read.Child(t.Base, 0)
	if err != nil {
		return nil
	}
	return &valueReader{read, n}
}

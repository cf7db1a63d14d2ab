package tree

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"hash/maphash"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// A Loss counts what the JSON of WriteMeaning loses of its values.
type Loss struct {
	Types     map[string]int64 // values of types that JSON does not have, by name
	Keys      int64            // keys that are not text
	Repeated  int64            // keys that repeat one in the same object
	NotFinite int64            // numbers that are infinite or not a number
	Large     int64            // whole numbers beyond 2⁵³, which many readers of JSON round
	NotUTF8   int64            // texts that are not UTF-8
	Damaged   int64            // values that cannot be read
}

// Add adds what another loss has counted.
func (l *Loss) Add(more *Loss) {
	for name, n := range more.Types {
		l.countType(name, n)
	}
	l.Keys += more.Keys
	l.Repeated += more.Repeated
	l.NotFinite += more.NotFinite
	l.Large += more.Large
	l.NotUTF8 += more.NotUTF8
	l.Damaged += more.Damaged
}

func (l *Loss) countType(name string, n int64) {
	if l.Types == nil {
		l.Types = map[string]int64{}
	}
	l.Types[name] += n
}

// ownTypes are names of types that JSON has itself.
var ownTypes = func() map[string]bool {
	own := map[string]bool{}
	for name := range strings.FieldsSeq("null nil undefined bool boolean true false int integer float number real string str text array list dictionary map object struct") {
		own[name] = true
	}
	return own
}()

// WritePlain writes a value as JSON for programs that know no engine, on one line, without a line end: as
// WriteMeaning does, or in the format's own form if that is plain.
func (r *Reader) WritePlain(ctx context.Context, out io.Writer, v *Value) (*Loss, error) {
	if !r.Tree.can.PlainJSON {
		return r.WriteMeaning(ctx, out, v)
	}
	return &Loss{}, r.WriteJSON(ctx, OneLine{out}, v)
}

// A OneLine leaves out line ends, which JSON has only between its parts.
type OneLine struct{ W io.Writer }

// Write implements io.Writer.
func (o OneLine) Write(p []byte) (int, error) {
	for line := range bytes.SplitSeq(p, []byte{'\n'}) {
		if _, err := o.W.Write(line); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// WriteMeaning writes the meaning of a value as JSON on one line, without a line end: texts as strings,
// numbers as numbers, values with named parts as objects, others as lists, so that the path of a value
// leads to it in the JSON too. Everything else is text in the notation that users type, and what cannot be
// read is null. The result counts what is lost.
func (r *Reader) WriteMeaning(ctx context.Context, out io.Writer, v *Value) (*Loss, error) {
	m := &meaningWriter{Nest: Nest[*openMeaning]{Writer: NewWriter(ctx, out)}, r: r, loss: &Loss{}}
	Visit(r, v, m)
	return m.loss, m.Flush()
}

// AppendMeaningJSON appends what WriteMeaning writes. The result is dst if that is longer than limit bytes.
func (r *Reader) AppendMeaningJSON(dst []byte, v *Value, limit int) []byte {
	m := &meaningWriter{Nest: Nest[*openMeaning]{Writer: NewLiteral(dst, limit)}, r: r, loss: &Loss{}}
	Visit(r, v, m)
	if m.Full() || m.Top() != nil {
		return dst
	}
	return m.Dst
}

// A meaningWriter is a Visitor that writes the meaning of values as JSON.
type meaningWriter struct {
	Nest[*openMeaning]
	r    *Reader
	loss *Loss
}

// An openMeaning is a value that is being written.
type openMeaning struct {
	v     Value
	named bool   // it is an object
	keys  KeySet // keys of Pairs
}

// Before implements Visitor.
func (m *meaningWriter) Before(slot Slot) {
	m.Nest.Before(slot)
	if o := m.Top().Of; o.named && o.v.Layout != Pairs {
		m.name(&o.v, slot.Index)
	}
}

// Open implements Visitor.
func (m *meaningWriter) Open(v *Value) bool {
	if m.isKey() {
		m.key(v)
		return false
	}
	m.countType(v)
	if m.r.isPath(v) {
		m.literal(v)
		return false
	}
	o := &openMeaning{v: *v, named: v.Layout == Pairs || m.r.isNamed(v)}
	b := Brackets{Comma: ",", Colon: ":"}
	if !m.r.isAround(v) {
		m.Put(bracket(o.named, "{", "["))
		b.Close = bracket(o.named, "}", "]")
	}
	m.Begin(b, o)
	return true
}

// Close implements Visitor.
func (m *meaningWriter) Close() {
	o := m.Top()
	if m.Lacks() || o.Close == "" && !o.Some { // the bytes end before the value of a key, or before any value
		m.Put("null")
		m.loss.Damaged++
	}
	m.Nest.Close()
}

func bracket(named bool, object, list string) string {
	if named {
		return object
	}
	return list
}

// Atom implements Visitor.
func (m *meaningWriter) Atom(v *Value) {
	switch {
	case m.isKey():
		m.key(v)
	case v.Damage != nil:
		m.Put("null")
		m.loss.Damaged++
	case v.Layout == Fixed && !m.isText(v):
		m.countType(v)
		m.fixed(v)
	default:
		m.countType(v)
		m.scalar(v)
	}
}

// isKey reports whether the key of a pair comes next.
func (m *meaningWriter) isKey() bool {
	o := m.Top()
	return o != nil && o.Key
}

// countType counts a value whose type JSON does not have.
func (m *meaningWriter) countType(v *Value) {
	if v == &m.r.Tree.Base.Value {
		return
	}
	if name := m.r.Tree.Reading.TypeName(v); !ownTypes[strings.ToLower(name)] {
		m.loss.countType(name, 1)
	}
}

// isNamed reports whether the children of a value have names, by the path of the first.
func (r *Reader) isNamed(v *Value) bool {
	if v.Count == 0 {
		return false
	}
	r.step = r.AppendStep(r.step[:0], v, Slot{}, nil)
	return bytes.HasPrefix(r.step, []byte(".")) || bytes.HasPrefix(r.step, []byte(`["`))
}

// isPath reports whether the children of a value are parts of a path: two steps lead to the first.
func (r *Reader) isPath(v *Value) bool {
	return v.Layout == Sequence && r.isNamed(v) && r.step[0] == '.' && bytes.ContainsAny(r.step[1:], "[.")
}

// isAround reports whether v is the buffer around one bare value, which has its path.
func (r *Reader) isAround(v *Value) bool {
	if v != &r.Tree.Base.Value || v.Layout != Sequence {
		return false
	}
	r.step = r.AppendStep(r.step[:0], v, Slot{}, nil)
	return len(r.step) == 0
}

// EachRecord calls each for the values of the buffer or, if there is only one and it is a list without
// names, for its elements.
func (r *Reader) EachRecord(each func(*Node) error) error {
	first, err := r.Child(r.Tree.Base, 0)
	if path := r.Tree.can.Records; path != "" {
		if first, err = r.Resolve(path); err == nil {
			first, err = r.Child(first, 0)
		}
	} else if err == nil && first.Layout == Sequence && !r.isNamed(&first.Value) {
		if _, next := r.Next(first); errors.Is(next, ErrNoChild) {
			first, err = r.Child(first, 0)
		}
	}
	for n := first; err == nil; n, err = r.Next(n) {
		if err := each(n); err != nil {
			return err
		}
	}
	if errors.Is(err, ErrNoChild) {
		return nil
	}
	return err
}

// name writes the name of child i before its value.
func (m *meaningWriter) name(parent *Value, i int64) {
	m.r.step = m.r.AppendStep(m.r.step[:0], parent, Slot{Index: i}, nil)
	if name, ok := bytes.CutPrefix(m.r.step, []byte(".")); ok {
		m.Dst = AppendQuoted(m.Dst, name)
	} else {
		m.Dst = append(m.Dst, bytes.Trim(m.r.step, "[]")...)
	}
	m.Put(":")
}

// key writes a key as text.
func (m *meaningWriter) key(v *Value) {
	var text []byte
	if s := m.r.Plain(v); v.Damage == nil && s.Kind == Text && s.Len() <= MaxKey {
		text = m.valid(s.View(m.r.win, 0, MaxKey))
	} else {
		m.loss.Keys++
		text = m.r.AppendLiteral(nil, v, MaxKey)
	}
	if m.Top().Of.keys.add(maphash.Bytes(keySeed, text)) > 0 {
		m.loss.Repeated++
	}
	m.Dst = AppendQuoted(m.Dst, text)
}

// valid returns text with invalid UTF-8 replaced.
func (m *meaningWriter) valid(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	m.loss.NotUTF8++
	return bytes.ToValidUTF8(text, []byte(string(utf8.RuneError)))
}

// fixed writes a value whose children are found by arithmetic.
func (m *meaningWriter) fixed(v *Value) {
	named := m.r.isNamed(v)
	m.Put(bracket(named, "{", "["))
	around := &Node{Value: *v, KeyAt: Unknown, Depth: 1, Parent: m.r.Tree.Base}
	for i := int64(0); i < v.Count && !m.Full(); i++ {
		if i > 0 {
			m.Put(",")
		}
		if named {
			m.name(v, i)
		}
		child, err := m.r.Child(around, i)
		switch {
		case err != nil:
			m.Put("null")
			m.loss.Damaged++
		case child.Layout == Fixed:
			m.fixed(&child.Value)
		default:
			m.scalar(&child.Value)
		}
	}
	m.Put(bracket(named, "}", "]"))
}

// maxExact is the largest whole number up to which a float64 holds all of them.
const maxExact = 1 << 53

// scalar writes a value without children.
func (m *meaningWriter) scalar(v *Value) {
	switch s := m.meant(v); s.Kind {
	case Null:
		m.Put("null")
	case Text:
		m.text(&s)
	case Bytes:
		m.literal(v)
	default:
		m.number(&s)
	}
}

// literal writes the literal of a value as text, or the text in it: for NodePath("a/b") that is a/b.
func (m *meaningWriter) literal(v *Value) {
	text := m.r.AppendLiteral(nil, v, flushAt)
	from, to := bytes.IndexByte(text, '"'), bytes.LastIndexByte(text, '"')
	if held := ""; from >= 0 && len(text)-to <= len(`")`) && json.Unmarshal(text[from:to+1], &held) == nil {
		text = []byte(held)
	}
	m.Dst = AppendQuoted(m.Dst, m.valid(text))
}

// isText reports whether a value is text with parts.
func (m *meaningWriter) isText(v *Value) bool {
	return m.r.Tree.can.describer != nil && m.r.scalar(v).Kind == Text
}

// meant returns the meaning of a value without children: a number with the digits that it has.
func (m *meaningWriter) meant(v *Value) Scalar {
	if m.r.Tree.can.describer != nil {
		return m.r.scalar(v)
	}
	if look := m.r.Look(v); look.Form == FormNumber {
		return Scalar{Kind: look.Number.Kind, Bits: look.Number.Bits}
	}
	return m.r.Plain(v)
}

// number writes a number, or true or false.
func (m *meaningWriter) number(s *Scalar) {
	if s.Own != nil && !json.Valid(s.Own) { // digits that only an engine reads
		s.Own = nil
	}
	switch {
	case !s.isFinite():
		m.loss.NotFinite++
		m.Put("null")
		return
	case s.Kind == Uint && s.Bits > maxExact, s.Kind == Int && s.Bits > maxExact && -s.Bits > maxExact:
		m.loss.Large++
	}
	switch {
	case s.Own == nil && s.Kind == Float32:
		m.Dst = appendPointed(m.Dst, float64(math.Float32frombits(uint32(s.Bits))), 32)
	case s.Own == nil && s.Kind == Float64:
		m.Dst = appendPointed(m.Dst, math.Float64frombits(s.Bits), 64)
	default:
		m.Dst = s.AppendNumber(m.Dst)
	}
}

// appendPointed appends a float like AppendFloat, but with a point, which distinguishes it from a whole
// number.
func appendPointed(dst []byte, x float64, bits int) []byte {
	start := len(dst)
	dst = AppendFloat(dst, x, bits)
	if bytes.ContainsAny(dst[start:], ".e") {
		return dst
	}
	return append(dst, ".0"...)
}

// text writes a text, with invalid UTF-8 replaced.
func (m *meaningWriter) text(s *Scalar) {
	if s.Note != "" { // its meaning in another encoding
		m.Dst = AppendQuoted(m.Dst, []byte(s.Note))
		return
	}
	if s.Own == nil && IsUTF8(m.r.win, s.Span) {
		m.Quoted(m.r.win, s.Span.Offset, s.Span.Length)
		return
	}
	var all []byte
	for at := int64(0); at < s.Len(); {
		b := s.View(m.r.win, at, s.Len())
		if len(b) == 0 {
			break
		}
		all = append(all, b...)
		at += int64(len(b))
	}
	m.Dst = AppendQuoted(m.Dst, m.valid(all))
}

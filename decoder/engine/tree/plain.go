package tree

import (
	"context"
	"hash/maphash"
	"io"
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// isBare reports whether v is the buffer and holds one bare value, which has the path and the literal of
// the buffer.
func (r *Reader) isBare(v *Value) bool {
	b := &r.Tree.Base.Value
	return v.Count == 1 && v.Fenced && v.Type == b.Type && v.Layout == b.Layout && v.Start == b.Start && v.Body == b.Body
}

// appendPlainStep appends the step to a child: its index, or its key as .name or ["any
// text"], or as a literal in brackets if it is not text.
func (r *Reader) appendPlainStep(dst []byte, parent *Value, slot Slot, key *Value) []byte {
	switch {
	case key == nil && r.isBare(parent):
		return dst
	case key == nil:
		if p := r.Tree.can.parter; p != nil && parent.Layout == Fixed {
			if name := p.PartName(r.win, parent, slot.Index); name != "" {
				return append(append(dst, '.'), name...)
			}
		}
		return AppendIndexStep(dst, slot.Index)
	case key.Layout < Sequence && key.Damage == nil:
		if s := r.scalar(key); s.Kind == Text && s.Note != "" {
			return AppendTextStep(dst, []byte(s.Note))
		} else if s.Kind == Text && s.Len() <= MaxKey {
			return AppendTextStep(dst, s.View(r.win, 0, MaxKey))
		}
	}
	dst = append(dst, '[')
	dst = r.AppendLiteral(dst, key, MaxKey)
	return append(dst, ']')
}

// appendPlainLiteral appends the literal of a value in the notation of the tree.
func (r *Reader) appendPlainLiteral(dst []byte, v *Value, limit int) []byte {
	p := r.plainWriter(NewLiteral(dst, limit))
	Visit(r, v, p)
	dst, p.Dst, r.writer = p.Literal(), nil, p
	return dst
}

// plainWriter returns a writer in the memory of the last one.
func (r *Reader) plainWriter(w Writer) *plainWriter {
	p := r.writer
	if r.writer = nil; p == nil {
		p = new(plainWriter)
	}
	*p = plainWriter{Nest: Nest[struct{}]{Writer: w, open: p.open[:0]}, r: r}
	return p
}

// writePlainText writes the literal of a value, however long; see WriteExact.
func (r *Reader) writePlainText(ctx context.Context, out io.Writer, v *Value, exact bool) error {
	w := NewWriter(ctx, out)
	w.Dst, r.text = r.text, nil
	p := r.plainWriter(w)
	p.exact = exact
	Visit(r, v, p)
	err := p.Flush()
	r.text, p.Writer, r.writer = p.Dst, Writer{}, p
	return err
}

// writePlainJSON writes a value as JSON without losing anything: Pairs with keys that a JSON object cannot
// have become {"type":"map","args":[key, value, …]}, with the name of their type.
func (r *Reader) writePlainJSON(ctx context.Context, out io.Writer, v *Value) error {
	keys := keyChecker{ctx: ctx, r: r, odd: map[int64]struct{}{}, full: v.Limit + 1}
	if !r.Tree.can.IsJSON {
		Visit(r, v, &keys)
	}
	p := plainWriter{Nest: Nest[struct{}]{Writer: NewWriter(ctx, out)}, r: r, keys: &keys}
	Visit(r, v, &p)
	p.Put("\n")
	return p.Flush()
}

// A plainWriter writes literals, or JSON if keys is set.
type plainWriter struct {
	Nest[struct{}]
	r     *Reader
	keys  *keyChecker
	at    int64 // offset up to which values have been written
	exact bool  // numbers that the file has as texts are written as these
}

// Open implements Visitor.
func (p *plainWriter) Open(v *Value) bool {
	if p.IsTooDeep() {
		return false
	}
	p.at = v.Body
	o := Brackets{Comma: ", ", Close: "]"}
	if p.keys != nil {
		o.Comma = ","
	}
	switch {
	case p.isMembered(v):
		if o.Close = "]}"; p.r.Tree.can.members.IsZipped(p.r.win, v) {
			p.zipped(v)
			p.Put(o.Close)
			return false
		}
		if v.Layout == Pairs { // a key and its value are a list
			o = Brackets{First: "[", Comma: "],[", Colon: ",", Last: "]", Close: o.Close}
		}
	case p.r.isBare(v):
		o.Close = ""
		if v.Body >= v.Limit {
			p.damaged(span.Truncated, v.Body)
		}
	case v.Layout != Pairs:
		p.Put("[")
	case p.keys == nil:
		o.Colon, o.Close = ": ", "}"
		p.Put("{")
	case p.keys.isObject(v):
		o.Colon, o.Close = ":", "}"
		p.Put("{")
	default:
		o.Colon, o.Close = ",", "]}"
		p.PutQuoted(`{"type":`, []byte(p.r.Tree.Reading.TypeName(v)))
		p.Put(`,"args":[`)
	}
	p.Begin(o, struct{}{})
	return true
}

// Close implements Visitor.
func (p *plainWriter) Close() {
	if p.Lacks() {
		p.damaged(span.MissingValue, p.at)
	}
	p.Nest.Close()
}

// hasMembers reports whether a value without children has members beside what it is.
func (p *plainWriter) hasMembers(v *Value) bool {
	if p.r.Tree.can.members == nil {
		return false
	}
	_, ok := p.r.Tree.can.members.AppendMembers(nil, p.r.win, v)
	return ok
}

// Atom implements Visitor.
func (p *plainWriter) Atom(v *Value) {
	p.at = v.End
	o := p.Top()
	isName := o != nil && o.Key && o.Colon == ":" // name in a JSON object
	if v.Damage != nil {
		p.damagedAtom(v, isName)
		return
	}
	s, name := p.r.scalar(v), p.r.Tree.Reading.TypeName(v)
	switch {
	case p.exact && s.JSON != nil:
		p.Dst = append(p.Dst, s.JSON...)
	case p.keys == nil && s.Kind != Bytes && s.Kind != Text && p.hasMembers(v):
		p.Put(name + "(")
		p.literal(p.r.win, name, &s)
		p.Put(")")
	case p.keys == nil:
		p.literal(p.r.win, name, &s)
	case isName:
		p.text(p.r.win, &s)
	case p.r.Tree.can.IsJSON:
		p.ownJSON(p.r.win, &s)
	case p.isMembered(v):
		p.json(p.r.win, name, &s)
		p.Put("}")
	default:
		p.json(p.r.win, name, &s)
	}
}

// damagedAtom writes a placeholder for a value, or for a name in a JSON object.
func (p *plainWriter) damagedAtom(v *Value, isName bool) {
	if isName {
		p.Put(`"<` + v.Damage.Code + `>"`)
	} else {
		p.damaged(v.Damage.Code, v.Start)
	}
}

// isMembered reports whether a value is an object with its type in JSON, and if so writes its beginning.
func (p *plainWriter) isMembered(v *Value) bool {
	m := p.r.Tree.can.members
	if p.keys == nil || m == nil {
		return false
	}
	members, ok := m.AppendMembers(nil, p.r.win, v)
	if ok {
		p.PutQuoted(`{"type":`, []byte(p.r.Tree.Reading.TypeName(v)))
		p.Put("," + string(members) + `"value":`)
		if v.Layout >= Sequence {
			p.Put("[")
		}
	}
	return ok
}

// zipped writes the children of the first and of the second child of v as pairs, by index.
func (p *plainWriter) zipped(v *Value) {
	var each [2]*Node
	readers := [2]*Reader{p.r.Of(p.r.Tree), p.r.Tree.NewReader()}                                     // each where it was last
	around := &Node{Value: *v, KeyAt: Unknown, Depth: p.r.Tree.Base.Depth + 1, Parent: p.r.Tree.Base} // the value of a file
	var err error
	for i, r := range readers {
		var list *Node
		if list, err = r.Child(around, int64(i)); err == nil {
			each[i], err = r.Child(list, 0)
		}
		if err != nil {
			return // they have no children
		}
	}
	sep := "["
	for err == nil && !p.Full() {
		p.Put(sep)
		for i, r := range readers {
			part := plainWriter{Nest: Nest[struct{}]{Writer: p.Writer}, r: r, keys: p.keys}
			Visit(r, &each[i].Value, &part)
			p.Writer = part.Writer
			if i == 0 {
				p.Put(",")
			}
			next, nextErr := r.Next(each[i])
			if each[i] = next; nextErr != nil {
				err = nextErr
			}
		}
		sep = "],["
	}
	p.Put("]")
}

// damaged writes a placeholder for a value that could not be read.
func (p *plainWriter) damaged(code string, off int64) {
	if p.keys == nil {
		p.Put("<" + code + ">")
		return
	}
	p.PutInt(`{"type":"Damaged","problem":"`+code+`","offset":`, off)
	p.Put("}")
}

// maxOdd bounds the memory of a keyChecker: after that many odd Pairs all others count as
// odd.
const maxOdd = 1 << 16

// A keyChecker is a Visitor that finds the odd Pairs, which cannot be JSON objects: a key is not valid text
// of at most 64 KiB, or repeats another one, or the object would look like one that represents another
// value.
type keyChecker struct {
	ctx  context.Context
	r    *Reader
	open []openKeys
	odd  map[int64]struct{} // starts of odd Pairs
	full int64              // Pairs from here on count as odd
	at   int64              // offset up to which values have been visited
	step int
}

// openKeys are the keys of an open value.
type openKeys struct {
	start int64
	odd   bool
	key   bool // a key comes next, or came last
	typed bool // one of the keys is "type"
	other bool // one of the keys is another one that the objects for other values have
	count int
	keys  KeySet
}

// isObject reports whether v, which was visited, can be a JSON object.
func (k *keyChecker) isObject(v *Value) bool {
	if k.r.Tree.can.IsJSON {
		return true
	}
	_, odd := k.odd[v.Start]
	return !odd && v.Start < k.full
}

// Before implements Visitor.
func (k *keyChecker) Before(slot Slot) { k.open[len(k.open)-1].key = slot.Key }

// Open implements Visitor.
func (k *keyChecker) Open(v *Value) bool {
	k.at = v.Body
	n := len(k.open)
	if n > 0 && k.open[n-1].key {
		k.open[n-1].odd = true
	}
	if n < cap(k.open) { // reuse the memory of an earlier value at this depth
		k.open = k.open[:n+1]
		k.open[n].keys.clear()
		k.open[n] = openKeys{start: v.Start, keys: k.open[n].keys}
	} else {
		k.open = append(k.open, openKeys{start: v.Start})
	}
	return true
}

// Close implements Visitor.
func (k *keyChecker) Close() {
	o := &k.open[len(k.open)-1]
	k.open = k.open[:len(k.open)-1]
	if !o.odd && !(o.typed && o.other) || o.start >= k.full {
		return
	}
	k.odd[o.start] = struct{}{}
	if len(k.odd) == maxOdd {
		k.full = k.at
	}
}

// Atom implements Visitor.
func (k *keyChecker) Atom(v *Value) {
	k.at = v.End
	if len(k.open) == 0 || !k.open[len(k.open)-1].key {
		return
	}
	o := &k.open[len(k.open)-1]
	if o.odd {
		return
	}
	var s Scalar
	if v.Damage == nil {
		s = k.r.scalar(v)
	}
	if s.Kind != Text || s.Span.Length > source.MaxView || o.count == maxKeys {
		o.odd = true
		return
	}
	text := k.r.win.View(s.Span.Offset, s.Span.Length)
	switch string(text) {
	case "type":
		o.typed = true
	case "args", "hex", "problem":
		o.other = true
	case "value":
		o.other = o.other || k.r.Tree.can.members != nil
	}
	o.count++
	o.odd = !utf8.Valid(text) || o.keys.add(maphash.Bytes(keySeed, text)) > 0
}

// Full implements Visitor.
func (k *keyChecker) Full() bool {
	k.step++
	return k.step%4096 == 0 && k.ctx.Err() != nil
}

package change

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"slices"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
	"varview/decoder/wrap/checksum"
)

// Sums are the checksums among the fields of structs of which the description says nothing more, as far as they were looked for.
type Sums map[*read.Struct][]fitting

// A fitting is a field that holds the checksum of some bytes.
type fitting struct {
	field read.Place
	in    *read.Struct // in which the bytes are: that of the field, or the one around it
	of    extent
	sum   func(b []byte) expr.Value
	title string // "the CRC-32"
	by    string // the function of it that -varview-value knows; "" for none
}

// An extent is bytes between two attributes, or what a process unpacks from one.
type extent struct {
	from, to edge
	isInside bool // of the attribute of from
	isZeroed bool // the checksum itself, in them, counts as zeros
	isCut    bool // or not at all
}

// An edge is an end of an attribute or, with nil, of the stream.
type edge struct {
	attr  *spec.Attr
	isEnd bool
}

func (e edge) at(s *read.Struct) (int64, bool) {
	at := span.Between(s.IO.Base, s.IO.End)
	if e.attr != nil {
		c := s.Of(e.attr)
		if at = span.Between(c.Start, c.End); c.Bad != nil || c.State == read.Absent || c.Buf != s.IO.Buf || c.Type == nil {
			return 0, false
		}
	}
	if e.isEnd {
		return at.End(), true
	}
	return at.Offset, true
}

// inside returns the bytes that a process unpacks from the attribute of the extent.
func (x *extent) inside(s *read.Struct) ([]byte, bool) {
	c := s.Of(x.from.attr)
	if in, ok := c.Val.Ref.(*read.Struct); ok && c.Bad == nil && in.IO.Buf != c.Buf {
		return in.IO.Buf.Append(nil, 0, in.IO.Buf.Source().Size()), true
	}
	return c.Val.Data(), c.Bad == nil && c.Val.Kind == expr.Bytes && c.State == read.Ready
}

// bytes returns the bytes in a struct of which a field is the checksum, unless they are too many.
func (x *extent) bytes(s *read.Struct, own *read.Cell) ([]byte, bool) {
	if x.isInside {
		return x.inside(s)
	}
	from, ok := x.from.at(s)
	to, isThere := x.to.at(s)
	if !ok || !isThere || to < from || to-from > mostSummed {
		return nil, false
	}
	b := s.IO.Buf.Append(nil, from, to)
	switch {
	case !x.isZeroed && !x.isCut:
		return b, true
	case own.Buf != s.IO.Buf || own.Start < from || own.End > to:
		return nil, false
	case x.isCut && (own.Start == from || own.End == to): // all behind it, or all before it
		return nil, false
	case x.isCut:
		return slices.Delete(b, int(own.Start-from), int(own.End-from)), true
	}
	clear(b[own.Start-from : own.End-from])
	return b, true
}

// The fewest and the most bytes of which a checksum is looked for, and most that are read to look for those of a struct.
const (
	leastSummed = 4
	mostSummed  = 8 << 20
	mostShort   = 1 << 20
	mostRead    = 4 * mostSummed
)

// isPlain reports whether the bytes are those between the edges, as they are stored.
func (x *extent) isPlain() bool { return !x.isInside && !x.isCut }

// String names the bytes for people.
func (x *extent) String() string {
	switch from, to := x.from.attr, x.to.attr; {
	case x.isInside:
		return "what unpacks from " + from.ID
	case x.isZeroed:
		return "all, with its own bytes 0"
	case x.isCut:
		return "all but itself"
	case from != nil && from == to && !x.from.isEnd:
		return from.ID
	case from == nil && x.to.isEnd:
		return "all up to " + to.ID
	case from == nil:
		return "all before " + to.ID
	case to == nil && x.from.isEnd:
		return "all behind " + from.ID
	case to == nil:
		return "all from " + from.ID + " on"
	case x.from.isEnd:
		return "all behind " + from.ID + " to " + to.ID
	default:
		return "all from " + from.ID + " to before " + to.ID
	}
}

// sumWords are those in the name of a field that is a checksum.
var sumWords = []string{"crc", "sum", "check", "chk", "hash", "digest", "md5", "sha", "adler", "fnv"}

// IsSum reports whether an attribute is a checksum by its name, and the description says nothing more of it.
func IsSum(a *spec.Attr) bool {
	return isUnsaidSum(a) && slices.ContainsFunc(sumWords, func(w string) bool { return strings.Contains(a.ID, w) })
}

func isUnsaidSum(a *spec.Attr) bool {
	isHash := a.Type.Kind == spec.RawBytes && a.Switch == nil && !a.IsContents && a.Process == nil && a.Kept == nil && a.Valid == nil && !a.IsUsed()
	return a.Repeat == spec.Once && a.Value == nil && (isHash || isNumber(a))
}

// isElement reports whether a struct is an element of a list.
func isElement(s *read.Struct) bool { return s.In.Of != nil && s.In.Index >= 0 }

// hashes are the sizes in bytes of checksums that are no numbers, or are described as bytes.
var hashes = []int{4, md5.Size, sha1.Size, sha256.Size, sha512.Size384, sha512.Size}

// maySum reports whether a field may be a checksum, by its look or, in elements of a list, of which one is like the next, by its name.
func maySum(p read.Place, c *read.Cell) bool {
	n := int(c.End - c.Start)
	if c.Bad != nil || c.Type == nil || c.Type.Kind == spec.RawBytes && !slices.Contains(hashes, n) {
		return false
	}
	return IsSum(p.Attr) || !isElement(p.Of) && (isShort(p.Attr, c) || n >= 4 && checksum.IsRandom(c.Buf.Append(nil, c.Start, c.End)))
}

// isShort reports whether a field is like a checksum of two bytes that has no name, which fits many bytes by chance.
func isShort(a *spec.Attr, c *read.Cell) bool {
	v, err := c.Val.Int64()
	return c.End-c.Start == 2 && err == nil && v > 0xff && !IsSum(a)
}

// isOfAll reports whether bytes are all of a stream but contents that are always the same and the i-th attribute, which is first or last.
func (x *extent) isOfAll(s *read.Struct, i, n int) bool {
	rest, isFirst := s.IO.Size()-int64(n), true
	for k, c := range s.Cells {
		isSame := s.Type.Seq[k].IsContents
		if isFirst = isFirst && (k >= i || isSame); k == i || isSame {
			rest -= c.End - c.Start
		}
	}
	return !x.isInside && rest <= 0 && (isFirst || i == len(s.Cells)-1) && n <= mostShort
}

// in returns the checksums among the fields of a struct and of those directly in it.
func (s Sums) in(o *read.Struct) (all []fitting) {
	if found, isKnown := s[o]; isKnown {
		return found
	}
	left := int64(mostRead)
	if !isElement(o) {
		defer func() { s[o] = all }()
	}
	if o.Owns && o.IO.Size() > mostSummed {
		return tooMuch(o)
	}
	o.Ensure()
	for i, a := range slices.Concat(o.Type.Seq, o.Type.Instances) {
		if !isElement(o) || IsSum(a) {
			all = append(all, fits(read.Place{Of: o, Attr: a, Index: -1}, o, i, a, &left)...)
		}
		h, ok := structOf(o, a)
		if !ok || h.IO.Buf != o.IO.Buf {
			continue
		}
		h.Ensure()
		for k := range h.Cells {
			if p := (read.Place{Of: h, Attr: h.Type.Seq[k], Index: -1}); !isElement(o) || IsSum(p.Attr) {
				all = append(append(all, fits(p, h, k, p.Attr, &left)...), fits(p, o, i, a, &left)...)
			}
		}
	}
	return all
}

// SumsOf returns what the fields of a file, and of structs directly in it, are checksums of, by their paths: "crc32 of data", with what
// -varview-value says of it; "" if it needs an instance.
func SumsOf(root *read.Struct) map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, x := range (Sums{}).in(root) {
		path := x.field.Path()[1:]
		if x.by == "" {
			continue
		}
		if all[path] == nil {
			all[path] = map[string]string{}
		}
		all[path][x.by+" of "+x.of.String()] = x.expr()
	}
	return all
}

// tooMuch returns the fields that are checksums by their names, of which it is not looked for what they are of.
func tooMuch(o *read.Struct) (all []fitting) {
	for _, a := range o.Type.Seq {
		if IsSum(a) {
			all = append(all, fitting{field: read.Place{Of: o, Attr: a, Index: -1}, in: o, title: "a checksum, perhaps"})
		}
	}
	return all
}

// extentsOf returns the bytes of which the i-th attribute of a struct, or a field in it, may be the checksum.
func extentsOf(s *read.Struct, own *spec.Attr, i int) (all []extent) {
	const most = 32 // attributes
	last := min(len(s.Cells), most)
	all = append(all, extent{from: edge{own, true}, to: edge{nil, true}}, extent{from: edge{}, to: edge{own, false}}, extent{to: edge{nil, true}, isZeroed: true}, extent{to: edge{nil, true}, isCut: true})
	for k, a := range s.Type.Seq[:last] {
		if a == own {
			continue
		}
		all = append(all, extent{from: edge{a, false}, to: edge{a, true}}, extent{from: edge{a, false}, isInside: true})
		if k > i {
			all = append(all, extent{from: edge{own, true}, to: edge{a, true}}, extent{from: edge{a, false}, to: edge{nil, true}})
		} else {
			all = append(all, extent{from: edge{a, false}, to: edge{own, false}}, extent{to: edge{a, true}})
		}
	}
	for _, a := range s.Type.Instances {
		if a != own && a.Value == nil {
			all = append(all, extent{from: edge{a, false}, to: edge{a, true}}, extent{from: edge{a, false}, isInside: true})
		}
	}
	return all
}

// fits returns of what a field in the i-th attribute of a struct is the checksum.
func fits(p read.Place, in *read.Struct, i int, own *spec.Attr, left *int64) (all []fitting) {
	if !isUnsaidSum(p.Attr) {
		return nil
	}
	c := p.Cell()
	is, err := c.Value(p.Attr)
	if !maySum(p, &c) || err != nil || is.Kind == expr.Int && is.N == 0 {
		return nil
	}
	seen := map[span.Span]bool{}
	for _, x := range extentsOf(in, own, i) {
		from, _ := x.from.at(in)
		to, _ := x.to.at(in)
		at := span.Between(from, max(from, to))
		b, ok := x.bytes(in, &c)
		if *left -= int64(len(b)); !ok || *left < 0 || len(b) < leastSummed || x.isPlain() && seen[at] {
			continue
		}
		if seen[at] = true; isShort(p.Attr, &c) && !x.isOfAll(in, i, len(b)) {
			continue
		}
		if title, name, sum := sumOf(is, &c, b); sum != nil {
			all = append(all, fitting{p, in, x, sum, title, name})
		}
	}
	return all
}

// sumsOf are the functions that sum up bytes to numbers of so many bytes.
var sumsOf = map[int64][]string{1: {"sum8", "xor8"}, 2: slices.Concat([]string{"crc16", "sum16", "fletcher16"}, checksum.CRC16), 4: {"crc32", "adler32", "sum32"}, 8: {"crc32", "adler32"}}

// sumOf returns which checksum of bytes a value is; nil for none.
func sumOf(is expr.Value, c *read.Cell, b []byte) (title, name string, sum func([]byte) expr.Value) {
	for _, name := range sumsOf[c.End-c.Start] {
		if v := expr.Sum(name, b); isEqual(v, is) && is.Kind == v.Kind {
			return "the " + name, name, func(b []byte) expr.Value { return expr.Sum(name, b) }
		}
	}
	way := checksum.Of(func() []byte { return b }).Matching(c.Buf.Append(nil, c.Start, c.End))
	if way == nil {
		return "", "", nil
	}
	return "the " + way.Title(), "", func(b []byte) expr.Value {
		sum := way.Compute(b)
		v := expr.Of(sum)
		if is.Kind == expr.Int {
			v = read.Number(c.Type, sum)
		}
		return v
	}
}

// Stale returns the checksums in the structs that a place is in, in the file before an edit, whose bytes its splices change. The file
// is nil for an edit that nothing follows, of bytes that are not packed.
func Stale(f *File, at read.Place, sums Sums, splices []source.Splice) (all []Equal) {
	for _, step := range at.Steps() {
		known := sums.in(step.Of)
		for _, x := range known {
			if last := len(all) - 1; !x.isStale(f, splices) || last >= 0 && all[last].at == x.field {
				continue
			}
			e := Equal{Attr: x.field.Attr, at: x.field}
			c := x.field.Cell()
			isByte := c.End-c.Start == 1 // which may as well be that of other bytes, which it still fits
			for _, y := range known {
				if y.field == x.field && (isByte || y.isStale(f, splices)) {
					e.add(y)
				}
			}
			all = append(all, e)
		}
	}
	return all
}

// add adds bytes of which the number may be the checksum.
func (e *Equal) add(x fitting) {
	if e.sums = append(e.sums, x); len(e.sums) == 1 {
		e.To, e.Expr = x.name(), x.expr()
		return
	}
	e.To, e.Expr = e.To+" or "+x.name(), ""
}

func (x *fitting) name() string {
	if x.sum == nil {
		return x.title
	}
	return x.title + " of " + x.of.String()
}

// expr returns what -varview-value says of the checksum; "" if there is no such expression.
func (x *fitting) expr() string {
	a := x.of.from.attr
	if x.by == "" || a == nil || a.Repeat != spec.Once || a.Type.Kind != spec.RawBytes && a.Type.User == nil || x.field.Of != x.in {
		return ""
	}
	if isAll := a == x.of.to.attr && !x.of.from.isEnd; !x.of.isInside && (!isAll || a.Process != nil) { // its name stands for what is unpacked
		return ""
	}
	return x.by + "(" + a.ID + ")"
}

// isStale reports whether splices of the file change bytes that the checksum is of, so that it is not theirs, and the edit does not
// set it itself.
func (x *fitting) isStale(f *File, splices []source.Splice) bool {
	end := x.of.to
	if x.of.isInside {
		end = edge{x.of.from.attr, true}
	}
	from, _ := x.of.from.at(x.in)
	to, _ := end.at(x.in)
	c := x.field.Cell()
	of, own := fileSpan(x.in.IO.Buf, span.Between(from, to)), fileSpan(c.Buf, span.Between(c.Start, c.End))
	if !slices.ContainsFunc(splices, func(s source.Splice) bool {
		return touches(s, of) || s.Added() != s.Length && (s.End() == of.Offset || s.Offset == of.End()) // what is inserted at an end is a part of it
	}) {
		return false
	}
	if f == nil {
		return !slices.ContainsFunc(splices, func(s source.Splice) bool { return touches(s, own) })
	}
	n, want, ok := f.sumNow(x)
	was, errWas := c.Value(x.field.Attr)
	is, err := n.Cell.Value(x.field.Attr)
	return errors.Join(errWas, err) == nil && (isEqual(was, is) || f.renewed[x.field]) && !(ok && isEqual(is, want))
}

func touches(s source.Splice, at span.Span) bool { return s.Offset < at.End() && s.End() > at.Offset }

// fileSpan returns where bytes of a buffer are in the file, packed as they may be.
func fileSpan(b *read.Buffer, at span.Span) span.Span {
	for !b.IsFile() {
		b, at = b.Outer()
	}
	return at
}

// sumNow returns the field of a checksum as it is now, and what it would have to be; ok is false if that is not certain.
func (f *File) sumNow(x *fitting) (n Value, want expr.Value, ok bool) {
	p, isThere := f.placeAt(x.field.Steps())
	around := read.Place{Of: x.in}.Steps()
	in := f.structAt(around[:len(around)-1])
	if !isThere || in == nil {
		return n, want, false
	}
	n = Value{p, p.Cell()}
	if x.sum != nil {
		var b []byte
		if b, ok = x.of.bytes(in, &n.Cell); ok {
			want = x.sum(b)
		}
	}
	return n, want, ok
}

// newSum returns the checksum of the bytes as they are now.
func (f *File) newSum(all []fitting) (expr.Value, error) {
	_, want, ok := f.sumNow(&all[0])
	for i := range all[1:] {
		_, other, isCertain := f.sumNow(&all[1+i])
		ok = ok && isCertain && isEqual(want, other)
	}
	if !ok {
		return want, errSum
	}
	return want, nil
}

var errSum = errors.New("it is not certain of which bytes")

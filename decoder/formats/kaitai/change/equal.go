package change

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

// An Equal is a number that no expression uses. It was equal to something before an edit, and is not any more.
type Equal struct {
	Attr *spec.Attr
	To   string // "the number of items"
	Expr string // what -varview-value says of it; "" if there is no such expression, or it may be equal to several things
	Was  int64
	Want int64

	at     read.Place // the number or the checksum before the edit, or the first number of a table after it
	places []follower // the number, or those of the elements of a table
	isOne  bool       // there is only one thing that it was equal to
	table  string     // what is said of a table; "" for a number alone
	name   string     // of the first number of a table: "tab[2]"
	text   string     // what is said of one in a new element; "" for others
	isCut  bool       // the table is too long to be compared as a whole
	sums   []fitting  // that a checksum was: bytes that it fits; nil for others
}

// A follower is a number by the steps that lead to it, and what it would have to be.
type follower struct {
	steps []read.Place
	want  expr.Value
}

// A measured is a size, a number or an offset before an edit and after it.
type measured struct {
	of       *spec.Attr // whose size or number it is; nil for another one
	isSaid   bool       // a field says it
	what     string
	expr     string // what -varview-value says of it; "" if there is no such expression
	was, now int64
}

// Unequal returns the numbers that an edit at a place, in the file before it, has made unequal to a size, a number of
// elements or an offset, and the checksums that it has made stale. Each comes before those that change with it.
func (f *File) Unequal(at read.Place, sums Sums) []Equal {
	all := slices.Concat(f.fresh(sums), f.unequal(at), Stale(f, at, sums, f.Splices())) // what is inside first: checksums of all change with it
	layers := func(e *Equal) int { return strings.Count(keyOf(e.at.Of.IO.Buf), "/") }
	slices.SortStableFunc(all, func(a, b Equal) int { return cmp.Compare(layers(&b), layers(&a)) })
	return all
}

// unequal returns the numbers among the structs that the place is in, and in those directly beside it.
func (f *File) unequal(at read.Place) (all []Equal) {
	if !f.depends {
		return nil
	}
	path := at.Steps()
	tables := f.newTables(path)
	changed := f.measured(path)
	var outer []measured // what has changed around the structs
	for k, step := range path {
		o, n := step.Of, f.structAt(path[:k])
		if n == nil {
			break
		}
		all = append(all, tables.unequalIn(o, n, streamOf(o), append(slices.Clip(changed[k]), outer...))...)
		outer = seenFrom("_parent.", append(slices.Clip(changed[k]), outer...))
		seen := func(h *read.Struct, all []measured) []measured {
			if h.IO.Buf != o.IO.Buf { // what is packed cannot say what becomes of that around it
				return slices.DeleteFunc(seenFrom("_parent.", changed[k]), func(m measured) bool { return m.of == nil || m.expr == "" })
			}
			return all
		}
		for i, a := range slices.Concat(o.Type.Seq, o.Type.Instances) {
			oh, ok := structOf(o, a)
			nh, isThere := structOf(n, a)
			if ok && isThere && a != step.Attr {
				all = append(all, tables.unequalIn(oh, nh, streamOf(o), seen(oh, append(slices.Clip(outer), runsBehind(o, n, i)...)))...)
			}
		}
		if k+1 < len(path) {
			outer = seen(path[k+1].Of, outer)
		}
	}
	return all
}

// measured returns what has changed in each of the structs on a path, and in those in it that are on the path.
func (f *File) measured(path []read.Place) [][]measured {
	all := make([][]measured, len(path))
	var inner []measured
	for k, step := range slices.Backward(path) {
		n := f.structAt(path[:k])
		if n == nil {
			continue
		}
		all[k] = append(measure(step.Of, n, step.Attr, k == 0), inner...)
		if inner = nil; k > 0 {
			inner = seenFrom(path[k-1].String()+".", all[k])
			inner = slices.DeleteFunc(inner, func(m measured) bool { return m.of == nil }) // offsets
		}
	}
	return all
}

// seenFrom returns what has changed as it is named elsewhere.
func seenFrom(path string, all []measured) []measured {
	all = slices.Clone(all)
	for i := range all {
		if all[i].expr != "" {
			all[i].expr = path + all[i].expr
		}
	}
	return all
}

// structOf returns the struct that an attribute of another one is.
func structOf(s *read.Struct, a *spec.Attr) (*read.Struct, bool) {
	s.Ensure()
	if a.Value != nil {
		return nil, false
	}
	x, ok := s.Of(a).Val.Ref.(*read.Struct)
	return x, ok
}

// structAt returns the struct that steps lead to now; nil for none.
func (f *File) structAt(steps []read.Place) *read.Struct {
	s := structAt(f.reading().Root, steps)
	if s != nil {
		s.Ensure()
	}
	return s
}

// placeAt returns the place that steps lead to now.
func (f *File) placeAt(steps []read.Place) (p read.Place, ok bool) {
	return placeAt(f.reading().Root, steps)
}

// placeAt returns the place that steps lead to from the root of a reading.
func placeAt(root *read.Struct, steps []read.Place) (p read.Place, ok bool) {
	last := len(steps) - 1
	s := structAt(root, steps[:last])
	return steps[last].In(s), s != nil
}

func structAt(s *read.Struct, steps []read.Place) *read.Struct {
	for _, step := range steps {
		c := step.In(s).Cell()
		var ok bool
		if s, ok = c.Val.Ref.(*read.Struct); !ok || c.Bad != nil {
			return nil
		}
	}
	return s
}

// measure returns what has changed of an attribute that an edit is in, and where the ones behind it are.
func measure(o, n *read.Struct, a *spec.Attr, isRoot bool) (all []measured) {
	add := func(what, expr string, was, now int64) {
		if was != now {
			all = append(all, measured{nil, false, what, expr, was, now})
		}
	}
	now := quantities(n, a)
	for _, m := range quantities(o, a) {
		if i := slices.IndexFunc(now, func(x measured) bool { return x.what == m.what }); i >= 0 && now[i].was != m.was {
			m.now = now[i].was
			all = append(all, m)
		}
	}
	all = append(all, lengths(a, o.Of(a), n.Of(a))...)
	if isRoot {
		add("the size of the file", "_io.size", o.IO.Size(), n.IO.Size())
	}
	for i := range min(len(o.Cells), len(n.Cells)) {
		x, y := &o.Cells[i], &n.Cells[i]
		id := o.Type.Seq[i].ID
		add("the offset of "+id, "", x.Start-o.IO.Base, y.Start-n.IO.Base)
		if isRoot && i > 0 && x.Start == y.Start {
			add("the size of all from "+id+" on", fmt.Sprintf("_io.size - %d", x.Start-o.IO.Base), o.IO.End-x.Start, n.IO.End-y.Start)
		}
	}
	if last := len(o.Cells) - 1; last >= 0 && o.End < o.IO.End {
		add("the offset of what follows "+o.Type.Seq[last].ID, "", o.End-o.IO.Base, n.End-n.IO.Base)
	}
	return all
}

// quantities returns the number of the elements of an attribute and its size, before an edit.
func quantities(s *read.Struct, a *spec.Attr) (all []measured) {
	c := s.Of(a)
	if x, ok := c.Val.Ref.(*read.Array); ok {
		all = append(all, measured{a, isSaid(a.RepeatExpr), "the number of " + a.ID, a.ID + ".size", x.Len(), 0})
	}
	if size, err := s.SizeOf(a.ID); err == nil {
		said := isSaid(a.Size) // how many bytes are stored
		all = append(all, measured{a, said && a.Process == nil, "the size of " + a.ID, a.ID + "._sizeof", int64(size.N), 0}, measured{a, said, "the size of " + a.ID + " as it is stored", "", c.End - c.Start, 0})
	}
	return all
}

// lengths returns that of a text which something fills up, in characters and in bytes: a number that was equal to both may be either.
func lengths(a *spec.Attr, o, n *read.Cell) (all []measured) {
	if a.Type.Kind != spec.Str || a.Repeat != spec.Once || o.End-o.Start != n.End-n.Start {
		return nil
	}
	was, _ := o.Value(a)
	now, _ := n.Value(a)
	size := "the size of " + a.ID + " in "
	count := func(v expr.Value) int64 { return int64(utf8.RuneCountInString(v.Text())) }
	chars := measured{a, true, size + "characters", a.ID + ".length", count(was), count(now)}
	data := measured{a, true, size + "bytes", "", o.Tail - o.Body, n.Tail - n.Body}
	isEither := chars.was == data.was && (chars.was != chars.now || data.was != data.now)
	for _, m := range []measured{chars, data} {
		if isEither || m.was != m.now {
			all = append(all, m)
		}
	}
	return all
}

// isSaid reports whether an expression that can change says a size or a number.
func isSaid(n expr.Node) bool {
	_, isFixed := expr.IsConstant(n)
	return n != nil && !isFixed
}

// unequalIn returns the numbers in a struct that were equal to something that has changed.
func (f *File) unequalIn(o, n *read.Struct, changed []measured) (all []Equal) {
	o.Ensure()
	n.Ensure()
	for i := range min(len(o.Cells), len(n.Cells)) {
		a := o.Type.Seq[i]
		was, errWas := o.Cells[i].Val.Int64()
		now, errNow := n.Cells[i].Val.Int64()
		at := read.Place{Of: o, Attr: a, Index: -1}
		if errors.Join(errWas, errNow) != nil || !isNumber(a) || was != now && !f.renewed[at] {
			continue
		}
		var e *Equal
		for _, m := range append(slices.Clip(changed), runsBehind(o, n, i)...) {
			switch {
			case m.was != was || isSmallIn(o, a, was) || !m.mayBe(a) || (m.of == nil || m.of.Owner != o.Type) && saysStill(o, n, a, was):
			case e == nil:
				e = &Equal{Attr: a, To: m.what, Expr: m.expr, Was: was, Want: m.now, isOne: true, at: at}
				e.places = []follower{{read.Place{Of: n, Attr: a, Index: -1}.Steps(), expr.Of(m.now)}}
			case m.now != e.Want:
				e.To, e.Expr, e.isOne = e.To+" or "+m.what, "", false
			}
		}
		if e != nil && (!f.renewed[at] || now != e.Want) {
			all = append(all, *e)
		}
	}
	return all
}

// saysStill reports whether a number in a struct is equal to something else there before an edit and after it: to what is directly behind
// it, or has its name.
func saysStill(o, n *read.Struct, a *spec.Attr, was int64) bool {
	now := sayable(n, a)
	return slices.ContainsFunc(sayable(o, a), func(m measured) bool {
		return m.was == was && m.mayBe(a) && m.isNextTo(a) && slices.ContainsFunc(now, func(x measured) bool { return x.what == m.what && x.was == was })
	})
}

// isSmallIn reports whether a number in a struct is so small that in elements of a list it is equal to others by chance.
func isSmallIn(s *read.Struct, a *spec.Attr, was int64) bool {
	return isElement(s) && was < smallSaid && !isNamed(a)
}

// runsBehind returns what has changed of the sizes of several attributes that follow the i-th directly.
func runsBehind(o, n *read.Struct, i int) (all []measured) {
	for j := i + 2; j < min(len(o.Cells), len(n.Cells)); j++ {
		was, now := o.Cells[j].End-o.Cells[i].End, n.Cells[j].End-n.Cells[i].End
		if was != now && o.Cells[j].End < o.IO.End {
			all = append(all, measured{nil, false, "the size of all from " + o.Type.Seq[i+1].ID + " to " + o.Type.Seq[j].ID, "", was, now})
		}
	}
	return all
}

// isNumber reports whether an attribute is a number of which the description says nothing more.
func isNumber(a *spec.Attr) bool { return a.Repeat == spec.Once && isUnsaid(a) }

// isUnsaid reports whether an attribute is a number, or an array of such, of which the description says nothing more.
func isUnsaid(a *spec.Attr) bool {
	isInt := a.Type.Kind == spec.Unsigned || a.Type.Kind == spec.Signed
	return isInt && a.Switch == nil && a.Enum == nil && a.Kept == nil && a.Valid == nil && !a.IsUsed()
}

// small is the number below which numbers are often equal by chance, and smallSaid that for what a field says already, and for numbers
// in elements of a list, of which one is like the next.
const (
	small     = 16
	smallSaid = 256
)

// words are those in the name of a number that say what it is.
var words = map[string][]string{
	"the offset": {"off", "ofs", "offs", "offset", "pos", "position", "start", "addr", "ptr"},
	"the size":   {"len", "length", "size", "sz", "bytes"},
	"the number": {"n", "num", "count", "cnt"},
}

// mayBe reports whether a number is equal to what was measured not only by chance: it is not small, or its name says so; and its name
// says nothing else.
func (m *measured) mayBe(a *spec.Attr) bool {
	isNamed, says, isSaid := m.isNextTo(a), false, false
	for what, all := range words {
		if slices.ContainsFunc(strings.Split(a.ID, "_"), func(word string) bool { return slices.Contains(all, word) }) {
			says, isSaid = true, isSaid || strings.HasPrefix(m.what, what)
		}
	}
	switch {
	case m.isSaid && m.was < smallSaid && !isNamed, says && !isSaid, m.what == "the offset of "+a.ID:
		return false
	case m.was == 0 && isNamed:
		return isSaid
	}
	return maybeEqual(a, m.was)
}

// isNextTo reports whether what was measured is directly behind a number that is named as one that says something, or has its name.
func (m *measured) isNextTo(a *spec.Attr) bool {
	isBefore := isNamed(a) && slices.Index(a.Owner.Seq, a)+1 == slices.Index(a.Owner.Seq, m.of)
	return m.of != nil && (isBefore || isNamedAfter(a.ID, m.of.ID))
}

// isNamedAfter reports whether two names have a word in common: item_count, items.
func isNamedAfter(name, of string) bool {
	words := strings.Split(of, "_")
	return slices.ContainsFunc(strings.Split(name, "_"), func(word string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.TrimSuffix(w, "s") == strings.TrimSuffix(word, "s") })
	})
}

// maybeEqual reports whether a number is large enough to be equal to another one not only by chance, or its name says that it is a
// size, a number or an offset.
func maybeEqual(a *spec.Attr, was int64) bool { return was >= small || was > 0 && isNamed(a) }

func isNamed(a *spec.Attr) bool {
	return slices.ContainsFunc([]string{"num", "count", "cnt", "len", "size", "off", "ofs", "pos", "rel", "start", "addr", "ptr", "total"}, func(word string) bool { return strings.Contains(a.ID, word) })
}

// Path returns where the number is, or the first one of a table: "head.total".
func (e *Equal) Path() string { return e.at.Path()[1:] }

// String says what the number was equal to.
func (e *Equal) String() string {
	switch {
	case e.text != "":
		return e.text
	case e.sums != nil:
		return fmt.Sprintf("%s (%v) was %s, and is not any more", e.Attr.ID, e.Attr.Place, e.To)
	}
	text := fmt.Sprintf("%s (%v) was %d, as was %s", e.Attr.ID, e.Attr.Place, e.Was, e.To)
	if e.table != "" {
		text = fmt.Sprintf("%s; %s was %d, as was %s", e.table, e.name, e.Was, e.To)
	}
	if e.isOne {
		text += fmt.Sprintf(", which is now %d", e.Want)
	}
	return text
}

// KeepEqual makes numbers equal again to what they were equal to, those on which nothing depends at once.
func (f *File) KeepEqual(all []Equal) error {
	last, twins := f.last, f.twins
	defer func() { f.last, f.twins = last, twins }() // the edit is the same
	var sets []follower
	for i := range all {
		e := &all[i]
		f.renewed[e.at] = true
		wanted, err := f.wanted(e)
		if err != nil {
			return err
		}
		sets = append(sets, wanted...)
	}
	if e := f.together(sets); e != nil {
		return f.put(e)
	}
	for _, x := range sets {
		p, ok := f.placeAt(x.steps)
		if !ok {
			return fmt.Errorf("%s does not exist any more", x.steps[len(x.steps)-1])
		}
		if err := f.Put(Value{p, p.Cell()}, x.want); err != nil {
			return err
		}
	}
	return nil
}

// together returns the edit that sets numbers at once; nil if one of them shares bytes with others, would move others or cannot be set.
func (f *File) together(sets []follower) (e *replacement) {
	for i, x := range sets {
		p, ok := f.placeAt(x.steps)
		if !ok {
			return nil
		}
		n := Value{p, p.Cell()}
		at, b, err := encode(n, x.want)
		if err != nil || n.Type.Kind == spec.Bits || int64(len(b)) != at.Length {
			return nil
		}
		set := &replacement{at: p, buf: n.Buf, span: at, new: b, want: &sets[i].want}
		if e == nil {
			e = set
		} else {
			e.also = append(e.also, set)
		}
	}
	return e
}

// wanted returns what a number, or those of a table, would have to be.
func (f *File) wanted(e *Equal) ([]follower, error) {
	switch {
	case e.sums != nil:
		want, err := f.newSum(e.sums)
		if err != nil {
			err = fmt.Errorf("%s (%v) was %s: %w; set it yourself", e.Attr.ID, e.Attr.Place, e.To, err)
		}
		return []follower{{e.at.Steps(), want}}, err
	case e.isCut:
		return nil, fmt.Errorf("%s: set them yourself", e.table)
	case !e.isOne:
		return nil, fmt.Errorf("%s (%v) was equal to %s: set it yourself", e.Attr.ID, e.Attr.Place, e.To)
	}
	return e.places, nil
}

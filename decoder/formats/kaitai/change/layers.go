package change

import (
	"cmp"
	"errors"
	"slices"
	"sort"
	"strconv"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/read"
)

// layers are what is changed in a file and in the buffers that processes unpack from it, by their keys. All is
// kept as splices of the bytes before the edit, so that the place of anything there can be mapped.
type layers map[string]*layer

type layer struct {
	buf     *read.Buffer // before the edit
	splices []splice     // in order
	moved   []int64      // by which the bytes behind the first splices are moved: behind none, one, two; not all are known
	steps   int          // splices that were looked at to find a place
	isStale bool         // the outer layer does not have the bytes yet
}

// find returns the first splice that ends at or behind an offset of the bytes before the edit or, isNow, whose new bytes end behind
// an offset of those as they are now. moved is by how much the splices before it move it.
func (l *layer) find(at int64, isNow bool) (i int, moved int64) {
	if len(l.moved) == 0 {
		l.moved = append(l.moved, 0)
	}
	for n := len(l.moved) - 1; n < len(l.splices); n++ {
		l.moved = append(l.moved, l.moved[n]+l.splices[n].by())
	}
	i = sort.Search(len(l.splices), func(i int) bool {
		l.steps++
		if isNow {
			return l.splices[i].End()+l.moved[i+1] > at
		}
		return l.splices[i].End() >= at
	})
	return i, l.moved[i]
}

// set sets a splice, in the place of n others.
func (l *layer) set(i, n int, s splice) {
	l.splices = slices.Replace(l.splices, i, i+n, s)
	l.moved, l.isStale = l.moved[:min(i+1, len(l.moved))], true
}

// A splice replaces bytes of a span.
type splice struct {
	span.Span
	new []byte
	mid int64 // between two parts that change places; 0 for others

	in []read.Place // steps to an attribute that the bytes make; nil for those of the edit itself
}

func (s *splice) by() int64 { return int64(len(s.new)) - s.Length }

// keyOf returns the key of a buffer before the edit: the offsets that lead to it.
func keyOf(b *read.Buffer) string {
	if b.IsFile() {
		return ""
	}
	outer, at := b.Outer()
	return keyOf(outer) + "/" + strconv.FormatInt(at.Offset, 10)
}

func (l layers) of(b *read.Buffer) *layer {
	key := keyOf(b)
	if l[key] == nil {
		if l[key] = (&layer{buf: b}); !b.IsFile() {
			outer, _ := b.Outer()
			l.of(outer)
		}
	}
	return l[key]
}

var errElsewhere = errors.New("it would have to change in bytes that the edit itself has made")

// now returns the layer of a buffer as the edit has left it so far; before are buffers before the edit.
func (l layers) now(b *read.Buffer, before map[string]*read.Buffer) (*layer, error) {
	key, err := l.keyNow(b)
	if err == nil && before[key] == nil {
		err = errElsewhere
	}
	if err != nil {
		return nil, err
	}
	return l.of(before[key]), nil
}

func (l layers) keyNow(b *read.Buffer) (string, error) {
	if b.IsFile() {
		return "", nil
	}
	outer, at := b.Outer()
	key, err := l.keyNow(outer)
	if err != nil || l[key] == nil {
		return key + "/" + strconv.FormatInt(at.Offset, 10), err
	}
	was, ok := l[key].back(at.Offset)
	if !ok {
		return "", errElsewhere
	}
	return key + "/" + strconv.FormatInt(was, 10), nil
}

// put replaces n bytes, more than none, at an offset of the bytes as they are now.
func (l *layer) put(at, n int64, b []byte) error {
	i, moved := l.find(at, true)
	if i < len(l.splices) {
		s := l.splices[i]
		from, to := s.Offset+moved, s.Offset+moved+int64(len(s.new))
		if at >= from && at+n <= to {
			s.new = slices.Concat(s.new[:at-from], b, s.new[at-from+n:])
			l.set(i, 1, s)
			return nil
		}
		if at+n > from {
			return errElsewhere
		}
	}
	l.set(i, 0, splice{Span: span.Span{Offset: at - moved, Length: n}, new: b})
	return nil
}

// make makes an edit, and those made with it.
func (l layers) make(e *replacement) {
	l.of(e.buf).place(splice{Span: e.span, new: e.new, mid: e.mid})
	for _, other := range e.also {
		l.of(other.buf).replace(other.span, other.new)
	}
}

// search returns where the splice of a span is, or would be.
func (l *layer) search(at span.Span) (i int, is bool) {
	return slices.BinarySearchFunc(l.splices, at, func(s splice, at span.Span) int {
		return cmp.Or(cmp.Compare(s.Offset, at.Offset), cmp.Compare(s.Length, at.Length)) // what is inserted precedes what is replaced
	})
}

// place adds a splice of the bytes before the edit.
func (l *layer) place(s splice) {
	i, _ := l.search(s.Span)
	l.set(i, 0, s)
}

// replace replaces the bytes of a span of the bytes before the edit, in which nothing else is replaced.
func (l *layer) replace(at span.Span, b []byte) {
	i, is := l.search(at)
	if !is {
		l.set(i, 0, splice{Span: at, new: b})
		return
	}
	s := l.splices[i]
	s.new = b
	l.set(i, 1, s)
}

// back returns where the byte at an offset was before the edit; ok is false if the edit has made it.
func (l *layer) back(at int64) (was int64, ok bool) {
	i, moved := l.find(at, true)
	if i == len(l.splices) || at < l.splices[i].Offset+moved {
		return at - moved, true
	}
	s := &l.splices[i]
	return s.Offset, at == s.Offset+moved && s.Length > 0
}

// forth returns where a value at an offset is now; ok is false if that is within replaced bytes. What is inserted
// at the offset precedes the value, unless it stays.
func (l *layer) forth(at int64, stays bool) (now int64, ok bool) {
	if l == nil {
		return at, true
	}
	i, moved := l.find(at, false)
	for now = at + moved; i < len(l.splices); i++ {
		l.steps++
		switch s := &l.splices[i]; {
		case s.Offset == at && stays:
			return now, true
		case s.Offset <= at && at < s.mid:
			return now + s.End() - s.mid, true
		case s.mid > 0 && s.mid <= at && at < s.End():
			return now - s.mid + s.Offset, true
		case s.Offset > at, s.Offset == at && s.Length > 0:
			return now, true
		case s.End() > at:
			return now, s.by() == 0
		default:
			now += s.by()
		}
	}
	return now, true
}

// insert inserts bytes at an offset of the bytes as they are now, which make the attribute that steps lead to. What was removed behind
// where that was before the edit is behind them.
func (l *layer) insert(at, was int64, b []byte, in []read.Place) {
	i, moved := l.find(at, true)
	for ; i > 0 && l.splices[i-1].Offset >= was && len(l.splices[i-1].new) == 0; i-- {
		moved = l.moved[i-1]
	}
	for k, s := range l.splices[:min(i+1, len(l.splices))] {
		if s.in != nil && len(s.in) == len(in) && leadsTo(in, s.in) {
			s.new = b // it was inserted already
			l.set(k, 1, s)
			return
		}
	}
	if i < len(l.splices) && l.splices[i].Offset+moved < at {
		s := l.splices[i]
		n := at - s.Offset - moved
		s.new = slices.Concat(s.new[:n], b, s.new[n:])
		l.set(i, 1, s)
		return
	}
	l.set(i, 0, splice{Span: span.Span{Offset: at - moved}, new: b, in: in})
}

// near returns the splices from the one that ends at an offset of the bytes before the edit to the one that begins at another.
func (l *layer) near(at span.Span) (all []splice) {
	if l == nil {
		return nil
	}
	i, _ := l.find(at.Offset, false)
	n := i
	for n < len(l.splices) && l.splices[n].Offset <= at.End() {
		n++
	}
	l.steps += n - i
	return l.splices[i:n]
}

// grown returns by how much a span has grown. What is inserted at one of its ends counts if it isIn the span. ok is
// false if more than the span was replaced at once.
func (l *layer) grown(at span.Span, isIn func(*splice) bool) (n int64, ok bool) {
	ok = true
	all := l.near(at)
	for i := range all {
		s := &all[i]
		switch {
		case s.Length == 0 && (s.Offset == at.Offset || s.Offset == at.End()):
			if isIn(s) {
				n += s.by()
			}
		case s.End() == at.Offset, s.Offset == at.End():
		case s.Offset >= at.Offset && s.End() <= at.End():
			n += s.by()
		default:
			ok = ok && s.by() == 0
		}
	}
	return n, ok
}

// made returns the file with the changes of all layers, and these.
func (l layers) made(src *source.Pieces) (*source.Pieces, []source.Splice, error) {
	keys := make([]string, 0, len(l))
	for key := range l {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int { return strings.Count(b, "/") - strings.Count(a, "/") })
	for _, key := range keys {
		x := l[key]
		if key == "" || !x.isStale {
			continue
		}
		x.isStale = false
		now := source.Whole(x.buf.Source()).Splice(x.changes())
		packed, err := x.buf.Pack(source.Read(now, span.Span{Length: now.Size()}))
		if err != nil {
			return nil, nil, err
		}
		outer, at := x.buf.Outer()
		l.of(outer).replace(at, packed)
	}
	file := l[""]
	if file == nil {
		return src, nil, nil
	}
	all := file.changes()
	return src.Splice(all), all, nil
}

func (l *layer) changes() []source.Splice {
	all := make([]source.Splice, len(l.splices))
	for i := range l.splices {
		s := &l.splices[i]
		all[i] = source.Put(s.Offset, s.Length, s.new)
	}
	return all
}

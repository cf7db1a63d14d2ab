package read

import (
	"maps"
	"sort"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/spec"
)

// A Memory is what a reading of a file has found out and what is still true of other bytes: where the elements of long arrays
// are, and the sizes of large values, as far as their bytes are the same and decide alone how they are read.
type Memory struct {
	arrays  map[key]index
	sizes   map[key]int64
	splices []source.Splice
	same    []unchanged
}

// A key is an attribute with a type, and where it begins in the file.
type key struct {
	a  *spec.Attr
	t  *spec.TypeRef
	at int64
}

// An index says where the elements of an array are.
type index struct {
	start  int64
	blocks []block
}

// A block is a place in an array from which some elements are read again.
type block struct {
	mark
	first   int64 // index of the first element
	isClean bool  // they have no problem
}

// unchanged are bytes that an edit has left alone, and how much further on they are now.
type unchanged struct {
	was span.Span
	by  int64
}

// minKnown is the smallest size of a value that is remembered, in bytes.
const minKnown = 1 << 10

// Memory returns what is known of the file and is true after an edit, whose splices are in order. The Doc must not be
// read by another goroutine than that which uses the memory, unless the memory isKept apart from it.
func (d *Doc) Memory(splices []source.Splice, isKept bool) *Memory {
	m := &Memory{sizes: d.sizes, splices: splices, arrays: map[key]index{}}
	for k, r := range d.arrays {
		m.arrays[k] = r.index()
	}
	if isKept {
		m.sizes = maps.Clone(d.sizes)
	}
	at, by := int64(0), int64(0)
	for i := 0; i <= len(splices); i++ {
		end := d.Root.IO.End
		if i < len(splices) {
			end = splices[i].Offset
		}
		if end > at {
			m.same = append(m.same, unchanged{span.Between(at, end), by})
		}
		if i < len(splices) {
			at, by = splices[i].End(), by+splices[i].Added()-splices[i].Length
		}
	}
	return m
}

// Recall lets the file be read with the help of a memory.
func (d *Doc) Recall(m *Memory) { d.memory = m }

// now returns the unchanged bytes that are at an offset now.
func (m *Memory) now(at int64) (u unchanged, ok bool) {
	i := sort.Search(len(m.same), func(i int) bool { return m.same[i].was.End()+m.same[i].by > at })
	if i == len(m.same) || at < m.same[i].was.Offset+m.same[i].by {
		return u, false
	}
	return m.same[i], true
}

// was returns where a value that begins at an offset now began before.
func (m *Memory) was(at int64) (was int64, ok bool) {
	by := int64(0)
	for i := range m.splices {
		s := &m.splices[i]
		if from := s.Offset + by; at == from {
			return s.Offset, true
		} else if at < from {
			break
		}
		by += s.Added() - s.Length
	}
	u, ok := m.now(at)
	return at - u.by, ok
}

// index returns what is known of the places of the elements, with a last block without elements if all are known.
func (r *Array) index() (x index) {
	x = index{r.start.at, r.marks[:len(r.marks):len(r.marks)]}
	if r.isAll && r.Bad == nil {
		x.blocks = append(x.blocks, block{mark: r.end, first: r.n})
	}
	return x
}

// AreAlike reports whether the elements of another array are read in the same way wherever their bytes are equal.
func (r *Array) AreAlike(other *Array) bool {
	return r.Attr == other.Attr && r.isClosed() && other.io.Buf.IsFile() && r.measured() != nil
}

func (r *Array) isClosed() bool {
	a := r.Attr
	return r.io.Buf.IsFile() && (a.Repeat == spec.Times || a.Repeat == spec.UntilEnd) && a.Switch == nil && a.IsClosed(&a.Type)
}

// note notes that there is a long array.
func (r *Array) note() {
	if d := r.Owner.doc; r.n > keptElements && r.stride == 0 && r.isClosed() {
		d.arrays[key{r.Attr, &r.Attr.Type, r.start.at}] = r
	}
}

// remembered returns what is remembered of an array that begins.
func (d *Doc) remembered(r *Array) index {
	if d.memory == nil || r.stride > 0 || r.start.left > 0 || !r.isClosed() {
		return index{}
	}
	at, ok := d.memory.was(r.start.at)
	if !ok {
		return index{}
	}
	return d.memory.arrays[key{r.Attr, &r.Attr.Type, at}]
}

// recall passes over elements that are remembered.
func (r *Array) recall() {
	if len(r.was.blocks) == 0 || r.io.left > 0 {
		return
	}
	u, ok := r.Owner.doc.memory.now(r.io.at)
	if !ok {
		return
	}
	all := r.was.blocks
	k := sort.Search(len(all), func(k int) bool { return all[k].at >= r.io.at-u.by })
	for ; k+1 < len(all) && all[k].at == r.io.at-u.by; k++ {
		from, to := &all[k], &all[k+1]
		n := to.first - from.first
		if from.left+to.left > 0 || to.at > u.was.End() || to.at+u.by > r.io.End || r.count >= 0 && r.n+n > r.count {
			return
		}
		r.marks = append(r.marks, block{mark{at: r.io.at}, r.n, from.isClean})
		if last := len(r.same) - 1; last >= 0 && r.same[last].was+r.same[last].count == from.first && r.same[last].now+r.same[last].count == r.n {
			r.same[last].count += n
		} else {
			r.same = append(r.same, sameRun{from.first, r.n, n})
		}
		r.kept, r.io.at = nil, to.at+u.by
		if r.n += n; r.pay(to.at-from.at) != nil {
			return // the next one fails
		}
	}
}

// blockOf returns the index of the block of an element that was found; -1 for none.
func (r *Array) blockOf(i int64) int {
	return sort.Search(len(r.marks), func(k int) bool { return r.marks[k].first > i }) - 1
}

// block returns the block of the element that is read next.
func (r *Array) block() *block {
	if k := len(r.marks); k == 0 || r.n-r.marks[k-1].first >= markEvery {
		r.marks = append(r.marks, block{r.io.mark(), r.n, true})
	}
	return &r.marks[len(r.marks)-1]
}

// A sameRun is a number of elements of an array that are the same as elements of that array in the reading that is remembered.
type sameRun struct{ was, now, count int64 }

// Same returns how many elements from the j-th on, which was found, are certainly the same as those of an array in the reading
// that is remembered, from the i-th on.
func (r *Array) Same(old *Array, i, j int64) int64 {
	all := r.sameAs(old)
	k := sort.Search(len(all), func(k int) bool { return all[k].was+all[k].count > i })
	if k == len(all) || i < all[k].was || j-i != all[k].now-all[k].was {
		return 0
	}
	return all[k].was + all[k].count - i
}

func (r *Array) sameAs(old *Array) []sameRun {
	m := r.Owner.doc.memory
	switch {
	case m == nil || r.Attr != old.Attr || r.stride != old.stride || r.stride == 0 && r.was.start != old.start.at:
		return nil
	case r.stride == 0 || r.same != nil || !r.isClosed():
		return r.same
	}
	r.same = []sameRun{}
	for _, u := range m.same {
		from := max(0, (u.was.Offset-old.start.at+r.stride-1)/r.stride)
		to := min(old.n, (u.was.End()-old.start.at)/r.stride)
		now := old.start.at + from*r.stride + u.by - r.start.at
		if to > from && now >= 0 && now%r.stride == 0 {
			r.same = append(r.same, sameRun{from, now / r.stride, to - from})
		}
	}
	return r.same
}

// IsSame reports whether a value is certainly the same as one in the reading that is remembered: its bytes are, and they
// alone decide how it is read.
func (p Place) IsSame(is, was *Cell) bool {
	m := p.Of.doc.memory
	if m == nil || was.Type == nil || was.Type != is.Type || was.Start >= was.End || is.End-is.Start != was.End-was.Start || !is.Buf.IsFile() || !was.Buf.IsFile() || is.Bit != was.Bit {
		return false
	}
	u, ok := m.now(is.Start)
	return ok && is.Start-was.Start == u.by && was.Start >= u.was.Offset && was.End <= u.was.End() && p.Attr.IsClosed(is.Type)
}

// sizeOf returns the size of a value at the position of a stream that is remembered; 0 for none.
func (d *Doc) sizeOf(t *spec.TypeRef, a *spec.Attr, io *Stream) int64 {
	if d.memory == nil || len(d.memory.sizes) == 0 || io.left > 0 || !io.Buf.IsFile() {
		return 0
	}
	u, ok := d.memory.now(io.at)
	size := d.memory.sizes[key{a, t, io.at - u.by}]
	if !ok || io.at+size > min(io.End, u.was.End()+u.by) {
		return 0
	}
	return size
}

// noteSize notes the size of a value that ends at the position of a stream.
func (d *Doc) noteSize(s *Struct, t *spec.TypeRef, a *spec.Attr, io *Stream) {
	if size := io.at - s.Start; size >= minKnown && io.left == 0 && s.mark.left == 0 && io.Buf.IsFile() && s.Bad == nil && s.suspended == nil && a.IsClosed(t) {
		d.sizes[key{a, t, s.Start}] = size
	}
}

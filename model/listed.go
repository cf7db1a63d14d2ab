package model

import (
	"cmp"
	"slices"
	"sort"

	"varview/decoder/engine/span"
)

// Listed is the known problems of a document as they are listed.
type Listed struct {
	Doc   *Document
	All   []BufferProblem // by buffer and offset
	More  int             // problems that were found, but not kept
	By    [3]int          // number of each severity, including problems not kept
	Count int             // problems and notes when the list was made
	Whole bool            // everything had been read and checked by then

	unconfirmed map[*Buffer]bool // buffers whose problems are still being checked
}

// growth is the length up to which a list is made again whenever there are more problems. A longer list is made again when its
// length has doubled, and at the end.
const growth = 1000

// ListProblems lists the problems known so far; whole says that everything has been read and checked. It returns the list as it
// was last, if that will do.
func (d *Document) ListProblems(last *Listed, whole bool) *Listed {
	count := d.ProblemCount(span.Note)
	if last != nil && last.Doc == d && last.isEnough(count, whole) {
		return last
	}
	f := &Listed{Doc: d, Count: count, Whole: whole, unconfirmed: map[*Buffer]bool{}}
	for s, n := span.Note, count; s <= span.Error; s++ {
		worse := 0
		if s < span.Error {
			worse = d.ProblemCount(s + 1)
		}
		f.By[s], n = n-worse, worse
	}
	for _, b := range d.Buffers {
		list, more := b.Problems()
		f.unconfirmed[b] = !whole && b.IsUnconfirmed()
		f.All = slices.Grow(f.All, len(list))
		f.More += more
		for i := range list {
			f.All = append(f.All, BufferProblem{Buffer: b, Diagnosis: list[i]})
		}
	}
	return f
}

// isEnough reports whether the list need not be made again now that there are a number of problems.
func (f *Listed) isEnough(count int, whole bool) bool {
	return f.Count == count && f.Whole == whole || !whole && f.Count > growth && count < 2*f.Count && count > f.Count
}

// From returns the position of the first problem at or after an offset of a buffer.
func (f *Listed) From(buffer int, off int64) int {
	return sort.Search(len(f.All), func(i int) bool {
		x := &f.All[i]
		return cmp.Or(cmp.Compare(x.Buffer.Number, buffer), cmp.Compare(x.Offset, off)) >= 0
	})
}

// Position returns the position of a problem of an earlier list, or the place at which it would be if it is gone.
func (f *Listed) Position(old *BufferProblem) (at int, same bool) {
	at = f.From(old.Buffer.Number, old.Offset)
	for i := at; i < len(f.All) && f.All[i].Buffer.Number == old.Buffer.Number && f.All[i].Offset == old.Offset; i++ {
		if x := &f.All[i]; x.Code == old.Code && x.Message == old.Message {
			return i, true
		}
	}
	return at, false
}

// CanRepair reports whether the repair of a problem can be made: one is known, and the check has confirmed the problem.
func (f *Listed) CanRepair(x *BufferProblem) bool { return x.Repair != "" && !f.unconfirmed[x.Buffer] }

// IsUnconfirmed reports whether the problems of a buffer are still being checked.
func (f *Listed) IsUnconfirmed(b *Buffer) bool { return f.unconfirmed[b] }

// Problems returns the number of errors and warnings.
func (f *Listed) Problems() int { return f.By[span.Warning] + f.By[span.Error] }

// IsEmpty reports whether there are no problems.
func (f *Listed) IsEmpty() bool { return f.By == [3]int{} }

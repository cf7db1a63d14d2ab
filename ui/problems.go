package ui

import (
	"fmt"
	"slices"
	"strings"

	"varview/decoder/span"
	"varview/model"
)

// A problemList holds the known problems as the pane lists them.
type problemList struct {
	doc   *model.Document
	list  []model.BufferProblem // by buffer and offset
	more  int                   // found, but not kept
	by    [3]int                // number of each severity, also of those not kept
	count int                   // problems and notes when the list was made
	whole bool                  // all was read and checked by then
}

// growth is the length up to which a list is rebuilt whenever there are more
// problems. A longer list is rebuilt when it has doubled, and at the end.
const growth = 1000

// knownProblems returns the problems known now.
func (m *Model) knownProblems() *problemList {
	_, whole := m.doc.Indexed()
	whole = whole && m.reading == nil && !m.doc.AwaitsDiagnosis()
	count := m.doc.ProblemCount(span.Note)
	if f := m.listed; f != nil && f.doc == m.doc {
		same := f.count == count && f.whole == whole
		if same || !whole && f.count > growth && count < 2*f.count && count > f.count {
			return f
		}
	}
	f := &problemList{doc: m.doc, count: count, whole: whole}
	for s, n := span.Note, count; s <= span.Error; s++ {
		worse := 0
		if s < span.Error {
			worse = m.doc.ProblemCount(s + 1)
		}
		f.by[s], n = n-worse, worse
	}
	for _, b := range m.doc.Buffers {
		list, more := b.Problems()
		f.list = slices.Grow(f.list, len(list))
		f.more += more
		for i := range list {
			f.list = append(f.list, model.BufferProblem{Buffer: b, Diagnosis: list[i]})
		}
	}
	m.listed = f
	return f
}

// isBefore reports whether a problem comes before an offset of a buffer.
func isBefore(f *model.BufferProblem, buffer int, off int64) bool {
	return f.Buffer.Number < buffer || f.Buffer.Number == buffer && f.Offset < off
}

// from is the position of the first problem that is not before an offset of a
// buffer.
func (f *problemList) from(buffer int, off int64) int {
	at, _ := slices.BinarySearchFunc(f.list, off, func(x model.BufferProblem, off int64) int {
		if isBefore(&x, buffer, off) {
			return -1
		}
		return 1
	})
	return at
}

// position returns the position of a problem of an earlier list, or the place at
// which it would be if it is gone.
func (f *problemList) position(old *model.BufferProblem) (at int, same bool) {
	at = f.from(old.Buffer.Number, old.Offset)
	for i := at; i < len(f.list) && f.list[i].Buffer.Number == old.Buffer.Number && f.list[i].Offset == old.Offset; i++ {
		if x := &f.list[i]; x.Code == old.Code && x.Message == old.Message {
			return i, true
		}
	}
	return at, false
}

// A visit is the last place that the keys for the next problem have gone to.
type visit struct {
	problem model.BufferProblem
	cursor  int64 // where the cursor was put
}

// stepProblem goes to the next problem, or to the previous one if by is -1. Several
// at one byte come one after the other; notes are left out.
func (m *Model) stepProblem(by int) {
	f := m.knownProblems()
	if f.problems() == 0 {
		m.say(m.noProblems(f))
		return
	}
	n := len(f.list)
	at := m.placeAmong(f, by)
	for i := 1; i <= n; i++ {
		if k := ((at+by*i)%n + n) % n; f.list[k].Severity > span.Note {
			m.goToProblem(&f.list[k])
			return
		}
	}
}

// placeAmong returns the problem under the cursor. Where there is none, it returns
// the one before the cursor for a step forward, and the one after it for a step
// back.
func (m *Model) placeAmong(f *problemList, by int) int {
	off, number := m.view.Offset(), m.view.Buffer.Number
	if v := m.visited; v != nil && v.cursor == off && v.problem.Buffer == m.view.Buffer {
		if at, same := f.position(&v.problem); same {
			return at
		}
	}
	if by > 0 {
		return f.from(number, off+1) - 1
	}
	return f.from(number, off)
}

// goToProblem puts the cursor on a problem and shows its message.
func (m *Model) goToProblem(f *model.BufferProblem) {
	m.showBuffer(f.Buffer)
	m.goToByte(f.Offset)
	m.visited = &visit{*f, m.view.Offset()}
	m.message = message{fmt.Sprintf("%s: %s (%s)", f.Severity, f.Message, f.Code), f.Severity == span.Error}
}

// noProblems is the message where no problem is known.
func (m *Model) noProblems(f *problemList) string {
	notes := ""
	if n := f.by[span.Note]; n > 0 {
		notes = "; " + span.Counted(int64(n), "note") + ": ! lists them"
	}
	if !f.whole {
		return "no problems so far" + notes + "; the file is still being read"
	}
	return "no problems found" + notes
}

// problems counts the errors and warnings.
func (f *problemList) problems() int { return f.by[span.Warning] + f.by[span.Error] }

// isEmpty reports whether there are no problems.
func (f *problemList) isEmpty() bool { return f.by == [3]int{} }

// whereIs is the path of the value that a problem is about, or the name of the
// wrapper. Only the end of a long path is returned.
func whereIs(f *model.BufferProblem) string {
	if f.Buffer.IsWrapper() {
		return f.Buffer.Title()
	}
	return endOf(f.Buffer.PathOf(&f.Diagnosis))
}

// endOf is the end of a path that is longer than any window shows.
func endOf(path string) string {
	const most = 800 // bytes
	if len(path) > most {
		path = "…" + strings.ToValidUTF8(path[len(path)-most:], "")
	}
	return path
}

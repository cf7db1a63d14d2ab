package text

import (
	"bytes"
	"sort"
	"strings"
	"unicode/utf8"
)

// longLine is the number of bytes from which a line is broken, at multiples of that number, so that where its
// rows begin can be told without reading all of it.
const longLine = 32 << 10

// Rows tells where the rows of a long text begin: at its lines, and where these are wider than a number of columns. It reads no
// more than that takes.
type Rows struct {
	size  int64
	width int
	look  func(dst []byte, from int64) (n int)

	rows []int64 // offsets at which the rows of a line, or of a part of it, begin; none if no line is known
	end  int64   // the end of the line or part
	buf  []byte

	counted, before int64 // a place, and the number of lines before it
}

// NewRows returns the rows of a text of size bytes, of which look reads some.
func NewRows(size int64, look func(dst []byte, from int64) (n int)) *Rows {
	return &Rows{size: size, look: look}
}

// Fit breaks lines that are wider than some columns.
func (l *Rows) Fit(width int) {
	if width = max(1, width); width != l.width {
		l.width, l.rows = width, l.rows[:0]
	}
}

// Read returns the bytes of [from, to), or the first of them that there are.
func (l *Rows) Read(from, to int64) []byte {
	if n := int(to - from); cap(l.buf) < n {
		l.buf = make([]byte, n)
	}
	return l.buf[:l.look(l.buf[:to-from], from)]
}

// firstLook is the number of bytes in which the end of a line is looked for first.
const firstLook = 512

// line returns the start and the end of the line that has a byte, or of the part of it in which rows begin
// anew.
func (l *Rows) line(at int64) (start, end int64) {
	start = at - at%longLine
	end = start + longLine
	if begin, ok := l.lineStart(at); ok {
		if first := (begin/longLine + 2) * longLine; at < first { // the first part is one to two times as long
			start, end = begin, first
		}
	}
	end = min(end, l.size)
	for from, n := at, int64(firstLook); from < end; from, n = from+n, 8*n {
		if i := bytes.IndexByte(l.Read(from, min(end, from+n)), '\n'); i >= 0 {
			return start, from + int64(i) + 1
		}
	}
	return start, end
}

// lineStart returns where the line with a byte begins; ok is false if that is more than two parts before.
func (l *Rows) lineStart(at int64) (start int64, ok bool) {
	low := max(0, at-2*longLine)
	for to, n := at, int64(firstLook); to > low; to, n = to-n, 8*n {
		from := max(low, to-n)
		if i := bytes.LastIndexByte(l.Read(from, to), '\n'); i >= 0 {
			return from + int64(i) + 1, true
		}
	}
	return 0, low == 0
}

// find breaks the line with a byte into rows.
func (l *Rows) find(at int64) {
	if len(l.rows) > 0 && at >= l.rows[0] && at < l.end {
		return
	}
	start, end := l.line(at)
	l.end, l.rows = end, append(l.rows[:0], start)
	s, columns := string(l.Read(start, end)), 0
	isWide := func(c rune) bool { return c >= utf8.RuneSelf }
	for i := 0; i < len(s); {
		if columns == 0 && len(s)-i <= l.width && !strings.ContainsFunc(s[i:], isWide) {
			break
		}
		_, n, w := Next(s[i:])
		if columns += w; columns > l.width && s[i] != '\n' {
			l.rows, columns = append(l.rows, start+int64(i)), w
		}
		i += n
	}
}

// Row returns where the row with a byte begins and ends.
func (l *Rows) Row(at int64) (start, end int64) {
	if size := l.size; at >= size {
		if at = max(0, size-1); size == 0 {
			return 0, 0
		}
	}
	l.find(at)
	i := sort.Search(len(l.rows), func(i int) bool { return l.rows[i] > at }) - 1
	if end = l.end; i+1 < len(l.rows) {
		end = l.rows[i+1]
	}
	return l.rows[i], end
}

// Moved returns the start of the row that is by rows below another one, or the last or first there is.
func (l *Rows) Moved(row int64, by int) int64 {
	for ; by > 0; by-- {
		_, end := l.Row(row)
		if end >= l.size {
			break
		}
		row = end
	}
	for ; by < 0 && row > 0; by++ {
		row, _ = l.Row(row - 1)
	}
	return row
}

// maxCounted is the largest number of bytes between two places whose lines are counted from one another.
const maxCounted = 16 << 20

// Number returns the number of the line in which a row begins, from 1, and whether it is the line's first
// row; 0 if it is too far from the lines that were counted.
func (l *Rows) Number(row int64) (n int64, isFirst bool) {
	isFirst = row == 0 || bytes.HasSuffix(l.Read(row-1, row), []byte("\n"))
	if row < l.counted/2 {
		l.counted, l.before = 0, 0
	}
	from, to := min(l.counted, row), max(l.counted, row)
	if to-from > maxCounted {
		return 0, isFirst
	}
	lines := int64(0)
	for at := from; at < to; at += longLine {
		lines += int64(bytes.Count(l.Read(at, min(to, at+longLine)), []byte("\n")))
	}
	if row < l.counted {
		lines = -lines
	}
	l.counted, l.before = row, l.before+lines
	return l.before + 1, isFirst
}

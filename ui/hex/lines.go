package hex

import (
	"bytes"
	"sort"
	"strings"
	"unicode/utf8"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/model/explore"
)

// maxLine is the number of bytes from which a line is broken, at multiples of that number, so that where its
// rows begin can be told without reading all of it.
const maxLine = 32 << 10

// A breaker tells where the rows of a text begin: at its lines, and where these are wider than the pane.
type breaker struct {
	explorer *explore.Explorer
	width    int
	text     model.Range // all of the text, as it was edited

	rows []int64 // offsets at which the rows of a line, or of a part of it, begin; none if no line is known
	end  int64   // the end of the line or part
	buf  []byte

	counted, before int64 // a place, and the number of lines before it
}

// set chooses the text and the width of the rows.
func (l *breaker) set(x *explore.Explorer, width int) {
	all := x.Buffer.Range(span.Between(0, x.Buffer.Size()))
	if all != l.text || x != l.explorer {
		l.counted, l.before = 0, 0
	}
	if all != l.text || x != l.explorer || width != l.width {
		l.explorer, l.text, l.width, l.rows = x, all, max(1, width), l.rows[:0]
	}
}

// read returns the bytes of [from, to), or the first of them that there are.
func (l *breaker) read(from, to int64) []byte {
	if n := int(to - from); cap(l.buf) < n {
		l.buf = make([]byte, n)
	}
	n, _ := l.explorer.Bytes(l.buf[:to-from], from)
	return l.buf[:n]
}

// firstLook is the number of bytes in which the end of a line is looked for first.
const firstLook = 512

// line returns the start and the end of the line that has a byte, or of the part of it in which rows begin
// anew.
func (l *breaker) line(at int64) (start, end int64) {
	start = at - at%maxLine
	end = start + maxLine
	if begin, ok := l.lineStart(at); ok {
		if first := (begin/maxLine + 2) * maxLine; at < first { // the first part is one to two times as long
			start, end = begin, first
		}
	}
	end = min(end, l.explorer.Buffer.Size())
	for from, n := at, int64(firstLook); from < end; from, n = from+n, 8*n {
		if i := bytes.IndexByte(l.read(from, min(end, from+n)), '\n'); i >= 0 {
			return start, from + int64(i) + 1
		}
	}
	return start, end
}

// lineStart returns where the line with a byte begins; ok is false if that is more than two parts before.
func (l *breaker) lineStart(at int64) (start int64, ok bool) {
	low := max(0, at-2*maxLine)
	for to, n := at, int64(firstLook); to > low; to, n = to-n, 8*n {
		from := max(low, to-n)
		if i := bytes.LastIndexByte(l.read(from, to), '\n'); i >= 0 {
			return from + int64(i) + 1, true
		}
	}
	return 0, low == 0
}

// find breaks the line with a byte into rows.
func (l *breaker) find(at int64) {
	if len(l.rows) > 0 && at >= l.rows[0] && at < l.end {
		return
	}
	start, end := l.line(at)
	l.end, l.rows = end, append(l.rows[:0], start)
	s, columns := string(l.read(start, end)), 0
	for i := 0; i < len(s); {
		if columns == 0 && len(s)-i <= l.width && isASCII(s[i:]) {
			break
		}
		_, n, w := text.Next(s[i:])
		if columns += w; columns > l.width && s[i] != '\n' {
			l.rows, columns = append(l.rows, start+int64(i)), w
		}
		i += n
	}
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool { return c >= utf8.RuneSelf }) < 0
}

// row returns where the row with a byte begins and ends.
func (l *breaker) row(at int64) (start, end int64) {
	if size := l.explorer.Buffer.Size(); at >= size {
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

// moved returns the start of the row that is by rows below another one, or the last or first there is.
func (l *breaker) moved(row int64, by int) int64 {
	for ; by > 0; by-- {
		_, end := l.row(row)
		if end >= l.explorer.Buffer.Size() {
			break
		}
		row = end
	}
	for ; by < 0 && row > 0; by++ {
		row, _ = l.row(row - 1)
	}
	return row
}

// maxCounted is the largest number of bytes between two places whose lines are counted from one another.
const maxCounted = 16 << 20

// number returns the number of the line in which a row begins, from 1, and whether it is the line's first
// row; 0 if it is too far from the lines that were counted.
func (l *breaker) number(row int64) (n int64, isFirst bool) {
	isFirst = row == 0 || bytes.HasSuffix(l.read(row-1, row), []byte("\n"))
	if row < l.counted/2 {
		l.counted, l.before = 0, 0
	}
	from, to := min(l.counted, row), max(l.counted, row)
	if to-from > maxCounted {
		return 0, isFirst
	}
	lines := int64(0)
	for at := from; at < to; at += maxLine {
		lines += int64(bytes.Count(l.read(at, min(to, at+maxLine)), []byte("\n")))
	}
	if row < l.counted {
		lines = -lines
	}
	l.counted, l.before = row, l.before+lines
	return l.before + 1, isFirst
}

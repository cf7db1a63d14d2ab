package wrap

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"varview/decoder/source"
)

// A rowShape is how rows of xxd or hexdump are written, as the widest at the
// beginning of a text shows.
type rowShape struct {
	form        form
	columns     int    // bytes of a full row
	offset      int    // digits of the offset
	upperOffset bool   // which has its letters in upper case
	upper       bool   // the bytes have
	head        string // between offset and first byte
	places      []int  // of the bytes, counted from the first one
	group       int    // xxd: bytes between which nothing stands
	text        int    // place of the text column, -1 without one
	lineEnd     string
}

// Where the text shows nothing else, xxd writes 16 bytes in groups of 2.
const (
	usualColumns = 16
	usualGroup   = 2
	textGap      = 2 // blanks before the text column
)

// rowShape looks at how the rows of the old text are written.
func (t *textLayer) rowShape(w *source.Window) *rowShape {
	s := &rowShape{form: t.form, columns: t.columns, offset: t.layout.OffsetDigits, upper: t.layout.Upper,
		head: ": ", text: -1, lineEnd: t.layout.LineEnd, group: t.layout.Group / 2}
	if t.form == formHexdump {
		s.head = "  "
	}
	if s.lineEnd == "" {
		s.lineEnd = "\n"
	}
	end := t.region.Offset + min(t.region.Length, sniffed)
	for at := t.region.Offset; at < end; {
		b := t.piece(w, at)
		at += max(1, int64(len(b)))
		s.learn(&t.lexer, bytes.TrimPrefix(b, []byte(byteOrderMark)))
	}
	s.complete(t)
	return s
}

// learn looks at a line.
func (s *rowShape) learn(x *lexer, b []byte) {
	runs, r := x.lexRow(nil, b)
	known := r.bytes == len(s.places) && (s.text >= 0 || !r.text)
	if r.bytes == 0 || r.bytes < len(s.places) || known || !fine(runs) {
		return
	}
	line := bytes.TrimRight(b, "\r\n")
	s.upperOffset = bytes.ContainsAny(line[:r.digits], "ABCDEF")
	s.places = s.places[:0]
	at, first := 0, 0
	for _, run := range runs {
		for i := 0; run.class == isDigits && i < run.n; i += 2 {
			if len(s.places) == 0 {
				first = at
			}
			s.places = append(s.places, at+i-first)
		}
		at += run.n
	}
	if head := string(line[r.digits:first]); strings.HasPrefix(head, s.head) {
		s.head = head
	}
	s.text = -1
	if r.text {
		s.text = s.textColumn(line[first:])
	}
}

// textColumn is where the text column of the row just looked at begins.
func (s *rowShape) textColumn(line []byte) int {
	last := s.places[len(s.places)-1] + 2
	if at := len(line) - len(s.places); s.form == formXXD && at > last && len(bytes.TrimLeft(line[last:at], " ")) == 0 {
		return at // the text can begin with a blank itself
	}
	return len(line) - len(bytes.TrimLeft(line[last:], " "))
}

// complete fills in what no row shows.
func (s *rowShape) complete(t *textLayer) {
	shown := len(s.places)
	if shown == 0 {
		s.places = []int{0}
	}
	s.offset = max(s.offset, leastOffset)
	if s.group == 0 {
		s.group = usualGroup
		if shown > usualGroup { // with nothing between
			s.group = math.MaxInt
		}
	}
	if t.size > int64(t.width) {
		if s.columns == 0 {
			s.columns = t.width
		}
		return
	}
	s.columns = max(t.width, usualColumns) // there is one row only
	if s.text < 0 {
		return
	}
	for s.columns = shown; s.place(s.columns)+2+textGap <= s.text; s.columns++ {
	}
}

// place is where byte i of a row stands, counted from the first one.
func (s *rowShape) place(i int) int {
	for n := len(s.places); n <= i; n++ {
		at := s.places[n-1] + 2
		switch {
		case s.form == formHexdump && n%8 == 0:
			at += 2
		case s.form == formHexdump, n%s.group == 0:
			at++
		}
		s.places = append(s.places, at)
	}
	return s.places[i]
}

// appendOffset appends an offset.
func (s *rowShape) appendOffset(dst []byte, offset uint64, digits int) []byte {
	if s.upperOffset {
		return fmt.Appendf(dst, "%0*X", digits, offset)
	}
	return fmt.Appendf(dst, "%0*x", digits, offset)
}

// appendRow appends what stands behind the offset of a row of some bytes.
func (s *rowShape) appendRow(dst, row []byte) []byte {
	dst = append(dst, s.head...)
	first := len(dst)
	for i, c := range row {
		dst = pad(dst, first+s.place(i))
		dst = appendHex(dst, c, s.upper)
	}
	if s.text < 0 || max(len(dst), first+s.text)+len(row)+4 > pieceSize {
		return dst
	}
	if s.form == formHexdump {
		dst = append(pad(append(dst, ' '), first+s.text), '|')
	} else {
		dst = pad(append(dst, "  "...), first+s.text)
	}
	for _, c := range row {
		if c < ' ' || c > '~' {
			c = '.'
		}
		dst = append(dst, c)
	}
	if s.form == formHexdump {
		dst = append(dst, '|')
	}
	return dst
}

// pad fills up with blanks to a length of n.
func pad(dst []byte, n int) []byte {
	for len(dst) < n {
		dst = append(dst, ' ')
	}
	return dst
}

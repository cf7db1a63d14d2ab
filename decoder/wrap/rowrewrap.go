package wrap

import (
	"bytes"
	"io"

	"varview/decoder/source"
)

// A rowCopier writes rows as xxd or hexdump do. It goes along the old text; a
// row whose bytes stay as they are is copied, another is made anew. Where the
// size changes, or nothing tells how wide rows are, what is wrong is left out, and
// rows that are not all alike are all made anew.
type rowCopier struct {
	*wrapping
	*textLayer
	out   *output
	bytes *source.Window // of the new plain bytes
	shape *rowShape
	clean bool // what is wrong is left out

	n       int64  // old bytes so far
	started bool   // an offset was met
	base    int64  // offset that the first byte has here in the old text
	newBase int64  // and in the new one
	had     bool   // a row with bytes was met
	row     []byte // new bytes of the last row
	star    []byte // line for rows left out that is not yet written
	starred bool   // the old rows have one here
	done    bool   // all new bytes are written

	open bool // the last line has no end yet
	made bool // and is no old one
	line []byte
	runs []run
}

func newRowCopier(w *wrapping, t *textLayer, out *output) *rowCopier {
	return &rowCopier{wrapping: w, textLayer: t, out: out, bytes: source.NewWindow(w.plain),
		shape: t.rowShape(source.NewWindow(w.src)),
		clean: w.plain.Size() != t.size || t.uneven && t.columns == 0}
}

func (c *rowCopier) all() error {
	if c.plain.Size() == 0 { // hexdump prints nothing then
		return nil
	}
	err := c.eachPiece(c.wrapping, c.piece)
	if err == nil {
		err = c.keepStar()
	}
	if err == nil && !c.done {
		err = c.makeRows(0, c.plain.Size())
	}
	if err == nil && c.open && c.layout.Final {
		_, err = c.out.WriteString(c.shape.lineEnd)
	}
	c.progress(c.plain.Size(), c.plain.Size())
	return err
}

// piece goes along a line of the old text.
func (c *rowCopier) piece(at int64, b []byte) error {
	mark := 0
	if c.bom && at == c.region.Offset {
		mark = min(len(byteOrderMark), len(b))
	}
	runs, r := c.lexRow(c.runs[:0], b[mark:])
	c.runs = runs
	if r.star {
		if err := c.keepStar(); err != nil {
			return err
		}
		c.starred, c.star = true, bytes.Clone(b)
		return nil
	}
	if err := c.place(r.offset); err != nil {
		return err
	}
	switch {
	case r.bytes > 0:
		return c.oldRow(b, mark, runs, r)
	case c.had && c.n == c.size:
		return c.trailing(b, mark, fine(runs), r)
	case c.done:
		return nil
	}
	return c.copyLine(b)
}

// place finds out how many bytes a row left out stands for, from the offset of
// the line behind it, which is negative where it has none.
func (c *rowCopier) place(offset int64) error {
	if offset < 0 {
		return c.keepStar()
	}
	if !c.started {
		c.started, c.base = true, offset
	}
	if n := offset - c.base - c.n; c.starred && c.had && n > 0 {
		if err := c.leftOut(min(n, c.size-c.n)); err != nil {
			return err
		}
	}
	c.starred = false
	if err := c.keepStar(); err != nil {
		return err
	}
	c.base = offset - c.n
	if !c.done {
		c.newBase = c.base
	}
	return nil
}

// keepStar writes a star that waits, unless it would stand behind the end.
func (c *rowCopier) keepStar() error {
	b := c.star
	c.star = nil
	if b == nil || c.clean && c.done {
		return nil
	}
	return c.copyLine(b)
}

// leftOut goes along n old bytes that a star stands for.
func (c *rowCopier) leftOut(n int64) error {
	at, end := c.n, min(c.n+n, c.plain.Size())
	c.n += n
	if c.done {
		return nil
	}
	same, err := c.repeats(at, end)
	switch {
	case err != nil:
		return err
	case same && end == c.n && (end < c.plain.Size() || !c.clean): // an offset follows
		err = c.keepStar()
	default:
		c.star = nil
		err = c.makeRows(at, end)
	}
	if err != nil {
		return err
	}
	return c.atEnd(end)
}

// repeats reports whether new bytes repeat the last row.
func (c *rowCopier) repeats(at, end int64) (bool, error) {
	for i := 0; at < end; i++ {
		if i%10_000 == 0 && c.ctx.Err() != nil {
			return false, c.ctx.Err()
		}
		b, err := c.view(at, min(end-at, int64(len(c.row))))
		if err != nil || !bytes.Equal(b, c.row[:len(b)]) {
			return false, err
		}
		at += int64(len(b))
	}
	return true, nil
}

// view gives new bytes, valid until the next call.
func (c *rowCopier) view(at, n int64) ([]byte, error) {
	b := c.bytes.View(at, n)
	if err := c.bytes.Err(); err != nil {
		return nil, err
	}
	if hole := c.bytes.TakeHole(); hole != nil {
		return nil, lacking(hole)
	}
	if int64(len(b)) < n {
		return nil, io.ErrUnexpectedEOF
	}
	return b, nil
}

// oldRow goes along a row with bytes.
func (c *rowCopier) oldRow(b []byte, mark int, runs []run, r row) error {
	at := c.n
	c.n += int64(r.bytes)
	c.had = true
	if c.done {
		return nil
	}
	if c.clean && c.uneven {
		if _, err := c.out.Write(b[:mark]); err != nil {
			return err
		}
		return c.makeRows(0, c.plain.Size())
	}
	if at>>16 != c.n>>16 {
		c.progress(at, c.plain.Size())
	}
	n := int64(r.bytes)
	if c.n == c.size {
		n = max(n, int64(c.shape.columns))
	}
	n = min(n, c.plain.Size()-at)
	is, err := c.view(at, n)
	if err != nil {
		return err
	}
	c.row = append(c.row[:0], is...)
	if c.isRow(b[mark:], runs) {
		err = c.copyLine(b)
	} else {
		err = c.makeRow(b[:mark], b[mark:], at, r)
	}
	if err != nil {
		return err
	}
	return c.atEnd(at + n)
}

// isRow reports whether an old line can stay as the row that it is to be.
func (c *rowCopier) isRow(line []byte, runs []run) bool {
	if c.clean {
		free := c.lexer
		free.columns = 0 // there may be fewer rows to tell their width
		if _, r := free.lexRow(nil, line); r.bytes != len(c.row) || !fine(runs) {
			return false
		}
	}
	i := 0
	for _, r := range runs {
		for _, d := range line[:r.n] {
			if r.class != isDigits && r.class != isLost {
				continue
			}
			if i/2 == len(c.row) || c.row[i/2]>>(4-i%2*4)&15 != hexValue(d) {
				return false
			}
			i++
		}
		line = line[r.n:]
	}
	return i == 2*len(c.row)
}

// atEnd makes the rows behind end, where the old ones end.
func (c *rowCopier) atEnd(end int64) error {
	c.done = end == c.plain.Size()
	if c.done || c.n < c.size {
		return nil
	}
	return c.makeRows(end, c.plain.Size())
}

// trailing goes along a line behind the last row: only the offset at the end says
// something of the bytes.
func (c *rowCopier) trailing(b []byte, mark int, fine bool, r row) error {
	switch {
	case !c.clean, r.offset < 0:
		return c.copyLine(b)
	case !fine:
		return nil
	}
	c.line = c.shape.appendOffset(c.line[:0], uint64(c.newBase+c.plain.Size()), r.digits)
	c.line = append(c.line, bytes.TrimRight(b[mark+r.digits:], "\r\n")...)
	return c.writeMade()
}

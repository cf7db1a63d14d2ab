package wrap

import (
	"bytes"
	"math"
)

// copyLine writes a line of the old text.
func (c *rowCopier) copyLine(b []byte) error {
	if c.open && c.made {
		if _, err := c.out.WriteString(c.shape.lineEnd); err != nil {
			return err
		}
	}
	_, err := c.out.Write(b)
	c.open, c.made = !bytes.HasSuffix(b, []byte("\n")), false
	return err
}

// writeMade writes the line that was made.
func (c *rowCopier) writeMade() error {
	if c.open {
		if _, err := c.out.WriteString(c.shape.lineEnd); err != nil {
			return err
		}
	}
	_, err := c.out.Write(c.line)
	c.open, c.made = true, true
	return err
}

// makeRow writes the row at some offset in place of an old line. An offset that
// cannot be read stays as it is.
func (c *rowCopier) makeRow(mark, line []byte, at int64, r row) error {
	c.line = append(c.line[:0], mark...)
	if r.offset < 0 {
		c.line = append(c.line, line[:r.digits]...)
	} else {
		c.line = c.shape.appendOffset(c.line, uint64(c.newBase+at), c.shape.offset)
	}
	c.line = c.shape.appendRow(c.line, c.row)
	return c.writeMade()
}

// makeRows writes rows of the bytes from at to end, behind which a line with an
// offset comes. Where the old text leaves out rows, these do, but for the very
// last one.
func (c *rowCopier) makeRows(at, end int64) error {
	placed := c.started // the rows before have an offset
	squeeze := c.stars && c.newBase <= math.MaxInt64-c.plain.Size()
	held := 0 // rows like the last one that are not written
	for i := 0; at < end; i++ {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		n := min(int64(c.shape.columns), end-at)
		b, err := c.view(at, n)
		if err != nil {
			return err
		}
		at += n
		if squeeze && placed && at < c.plain.Size() && bytes.Equal(b, c.row) && (c.form == formHexdump || isZero(b)) {
			held++
			continue
		}
		if err := c.release(held, at-n); err != nil {
			return err
		}
		held = 0
		c.row = append(c.row[:0], b...)
		if err := c.makeRow(nil, nil, at-n, row{}); err != nil {
			return err
		}
		placed = true
		if i%1000 == 0 {
			c.progress(at, c.plain.Size())
		}
	}
	c.done = end == c.plain.Size()
	return c.release(held, end)
}

// release writes what stands for a number of rows before the offset end. xxd
// writes a single one.
func (c *rowCopier) release(held int, end int64) error {
	switch {
	case held == 0:
		return nil
	case held == 1 && c.form == formXXD:
		return c.makeRow(nil, nil, end-int64(len(c.row)), row{})
	}
	c.line = append(c.line[:0], '*')
	return c.writeMade()
}

func isZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

package wrap

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
)

// columns is how many bytes xxd and hexdump print in a row.
const columns = 16

// rewrapRows writes the plain bytes as xxd or hexdump -C prints them, from the offset
// on that the first row of the old text has.
func (t *textLayer) rewrapRows(w *wrapping, out *output) error {
	at, in := t.first, w.reader()
	if at > math.MaxInt64-w.plain.Size() {
		at = 0
	}
	var row, last [columns]byte
	before := 0 // bytes of the last row
	squeezed := false
	for {
		n, err := io.ReadFull(in, row[:])
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return err
		}
		switch {
		case n == 0 && (before == 0 || t.form == formXXD):
			return nil
		case n == 0:
			_, err = fmt.Fprintf(out, "%08x%s", at, t.lineEnd)
			return err
		case t.form == formHexdump && n == before && n == columns && row == last:
			if !squeezed {
				squeezed = true
				if _, err := out.WriteString("*" + t.lineEnd); err != nil {
					return err
				}
			}
		default:
			squeezed = false
			if _, err := out.WriteString(t.row(at, row[:n]) + t.lineEnd); err != nil {
				return err
			}
		}
		at, before, last = at+int64(n), n, row
	}
}

// row is the line of a row without its end.
func (t *textLayer) row(at int64, row []byte) string {
	shown := bytes.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '.'
		}
		return r
	}, bytes.Clone(row))
	var digits strings.Builder
	for i, c := range row {
		fmt.Fprintf(&digits, "%02x", c)
		if t.form == formHexdump || i%2 == 1 {
			digits.WriteByte(' ')
		}
		if t.form == formHexdump && i == 7 {
			digits.WriteByte(' ')
		}
	}
	if t.form == formHexdump {
		return fmt.Sprintf("%08x  %-49s |%s|", at, digits.String(), shown)
	}
	return fmt.Sprintf("%08x: %-40s %s", at, digits.String(), shown)
}

// isZero reports whether all bytes are zero.
func isZero(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }

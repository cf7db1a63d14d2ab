package hexdump

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"varview/decoder/wrap/digits"
	"varview/decoder/wrap/layer"
)

// columns is the number of bytes that xxd and hexdump print in a row.
const columns = 16

// rowPacker writes rows as xxd or hexdump -C prints them, beginning at the offset of the
// old text's first row.
type rowPacker struct {
	digits.Old
	dump  bool  // as hexdump -C does
	first int64 // offset of the first byte
}

// Rewrap implements layer.Packer.
func (t *rowPacker) Rewrap(w *layer.Rewrapping) (int64, error) {
	out := w.Output(0)
	if err := t.write(w, out); err != nil {
		return 0, err
	}
	return out.Finish()
}

func (t *rowPacker) write(w *layer.Rewrapping, out *layer.Output) error {
	at, in := t.first, w.Reader()
	if at > math.MaxInt64-w.Plain.Size() {
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
		case n == 0 && (before == 0 || !t.dump):
			return nil
		case n == 0:
			_, err = fmt.Fprintf(out, "%08x%s", at, t.LineEnd)
			return err
		case t.dump && n == before && n == columns && row == last:
			if !squeezed {
				squeezed = true
				if _, err := out.WriteString("*" + t.LineEnd); err != nil {
					return err
				}
			}
		default:
			squeezed = false
			if _, err := out.WriteString(t.row(at, row[:n]) + t.LineEnd); err != nil {
				return err
			}
		}
		at, before, last = at+int64(n), n, row
	}
}

// row is the line of a row without its end.
func (t *rowPacker) row(at int64, row []byte) string {
	shown := bytes.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '.'
		}
		return r
	}, bytes.Clone(row))
	var text strings.Builder
	for i, c := range row {
		fmt.Fprintf(&text, "%02x", c)
		if t.dump || i%2 == 1 {
			text.WriteByte(' ')
		}
		if t.dump && i == 7 {
			text.WriteByte(' ')
		}
	}
	if t.dump {
		return fmt.Sprintf("%08x  %-49s |%s|", at, text.String(), shown)
	}
	return fmt.Sprintf("%08x: %-40s %s", at, text.String(), shown)
}

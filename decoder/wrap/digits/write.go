package digits

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
)

// A layout is how a text writes its digits, as far as its first 64 KiB show: the text between its first
// groups, and between its first lines.
type layout struct {
	sep, lineEnd      string
	perGroup, perLine int // digits
	upper, crlf       bool
}

// longestGap is the longest text between two digits that counts as a part of the layout.
const longestGap = 64

// layout finds out how the text is written.
func (d *decoder) layout() (y layout) {
	b := d.win.View(d.region.Offset, min(d.region.Length, source.MaxView))
	if i := bytes.IndexByte(b, '\n'); i > 0 && b[i-1] == '\r' {
		y.crlf = true
	}
	var gap []byte
	isFine, column, group := false, 0, 0
	for _, r := range d.text.runs(nil, b, d.region.Offset) {
		text := b[:r.n]
		b = b[r.n:]
		if r.kind() != span.Data && r.class != isLost {
			gap = append(gap, text...)
			isFine = isFine && r.class == isText && len(gap) <= longestGap
			continue
		}
		switch {
		case bytes.IndexByte(gap, '\n') >= 0:
			if isFine && y.lineEnd == "" {
				y.lineEnd, y.perLine = string(gap), column
			}
			column, group = 0, 0
		case len(gap) > 0:
			if isFine && y.sep == "" {
				y.sep, y.perGroup = string(gap), group
			}
			group = 0
		}
		n := r.n
		if r.class == isHalf {
			n = 2
		}
		isFine, column, group = true, column+n, group+n
		gap = gap[:0]
		y.upper = y.upper || !d.base64 && bytes.ContainsAny(text, "ABCDEF")
	}
	return y
}

// A packer writes a text again with its old layout. The text before the first digit and after the last
// stays.
type packer struct {
	text   *text
	layout layout
	before span.Span
	tail   []byte // base64: text between the padding characters
	after  span.Span
	padded bool  // base64: padding completes the last group of four digits
	begin  int64 // offset of the first row
	cut    bool  // the old payload is incomplete
	apart  bool  // the lines are texts of their own
}

// packer returns the packer for a payload of size bytes.
func (d *decoder) packer(size int64, cut bool) *packer {
	pads, end := d.pads(), d.last
	if len(pads) > 0 {
		end = pads[len(pads)-1] + 1
	}
	tail := bytes.ReplaceAll(d.win.View(d.last, end-d.last), []byte("="), nil)
	return &packer{text: d.text, layout: d.layout(), before: span.Between(d.region.Offset, d.first), tail: tail, after: span.Between(end, d.region.End()),
		padded: len(pads) > 0 || size%3 == 0, begin: d.row.begin, cut: cut, apart: d.apart}
}

// errApart says why a text with padding before the end of its lines is not written again.
var errApart = errors.New("the lines of base64 are texts of their own, which would become one: --input binary --as lines edits each as a text")

// CanRewrap implements layer.Packer.
func (p *packer) CanRewrap() error {
	if p.cut {
		return layer.ErrCut
	}
	if p.apart {
		return errApart
	}
	return nil
}

// Rewrap implements layer.Packer. Wrong characters are not written again.
func (p *packer) Rewrap(w *layer.Rewrapping) (int64, error) {
	out := w.Output(0)
	write := p.write
	if p.text.rows != nil {
		write = p.writeRows
	}
	if err := write(w, out); err != nil {
		return 0, err
	}
	return out.Finish()
}

func (p *packer) write(w *layer.Rewrapping, out *layer.Output) error {
	if err := w.Keep(out, p.before); err != nil {
		return err
	}
	lines := &lines{layout: p.layout, out: out}
	encoder := struct {
		io.Writer
		io.Closer
	}{hex.NewEncoder(lines), io.NopCloser(nil)}
	if p.text.base64 {
		encoding := base64.StdEncoding
		if !p.padded {
			encoding = base64.RawStdEncoding
		}
		e := base64.NewEncoder(encoding, lines)
		encoder.Writer, encoder.Closer = e, e
	}
	if _, err := io.Copy(encoder, w.Reader()); err != nil {
		return err
	}
	if err := encoder.Close(); err != nil {
		return err
	}
	out.Write(p.tail)
	return w.KeepEnd(out, p.after)
}

// lines writes digits in groups and lines.
type lines struct {
	layout
	out    *layer.Output
	column int
}

// Write implements io.Writer.
func (l *lines) Write(digits []byte) (int, error) {
	if l.upper {
		digits = bytes.ToUpper(digits)
	}
	for _, c := range digits {
		switch {
		case l.lineEnd != "" && l.column == l.perLine:
			l.out.WriteString(l.lineEnd)
			l.column = 0
		case l.sep != "" && l.column > 0 && l.column%l.perGroup == 0:
			l.out.WriteString(l.sep)
		}
		l.column++
		if err := l.out.WriteByte(c); err != nil { // a later write returns the error too
			return 0, err
		}
	}
	return len(digits), nil
}

// writeRows writes rows as xxd or hexdump -C prints them, beginning at the offset of the
// old text's first row.
func (p *packer) writeRows(w *layer.Rewrapping, out *layer.Output) error {
	lineEnd := "\n"
	if p.layout.crlf {
		lineEnd = "\r\n"
	}
	at, in := p.begin, w.Reader()
	if at > math.MaxInt64-w.Plain.Size() {
		at = 0
	}
	var row, last [16]byte
	for before, star := 0, false; ; before, last = len(row), row {
		n, err := io.ReadFull(in, row[:])
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return err
		}
		if n == 0 {
			break
		}
		line := p.row(at, row[:n])
		at += int64(n)
		if p.text.rows.dump && n == before && row == last {
			if star {
				continue
			}
			line = "*"
		}
		star = line == "*"
		if _, err := out.WriteString(line + lineEnd); err != nil {
			return err
		}
	}
	if p.text.rows.dump && w.Plain.Size() > 0 {
		fmt.Fprintf(out, "%08x%s", at, lineEnd)
	}
	return nil
}

// row returns a row without its line end.
func (p *packer) row(at int64, row []byte) string {
	shown := bytes.Clone(row)
	var digits strings.Builder
	for i, c := range row {
		if c < ' ' || c > '~' {
			shown[i] = '.'
		}
		fmt.Fprintf(&digits, "%02x", c)
		if p.text.rows.dump || i%2 == 1 {
			digits.WriteByte(' ')
		}
		if p.text.rows.dump && i == 7 {
			digits.WriteByte(' ')
		}
	}
	if p.text.rows.dump {
		return fmt.Sprintf("%08x  %-49s |%s|", at, digits.String(), shown)
	}
	return fmt.Sprintf("%08x: %-40s %s", at, digits.String(), shown)
}

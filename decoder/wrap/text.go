package wrap

import (
	"bytes"
	"context"
	"errors"

	"varview/decoder/source"
	"varview/decoder/span"
)

// openText decodes base64 or hexadecimal text.
func openText(ctx context.Context, l *Layer, src source.Source, o Options) error {
	win := source.NewWindow(src)
	d, err := decodeText(ctx, newLexer(win, l.Kind, l.Region), win, o)
	if (err == nil || errors.Is(err, errFull)) && d.hasStray() {
		d.spool.close()
		again := d.lexer
		again.stray = true
		d, err = decodeText(ctx, again, win, o)
	}
	l.Title = formNames[d.form]
	cut := errors.Is(err, errFull)
	if err != nil && !cut {
		d.spool.close()
		return err
	}
	if cut {
		at := min(d.at, l.Region.End()-1) // what was held back can be what is too much
		d.note(span.Between(at, l.Region.End()), span.Warning, TooLarge, onlyFirst(o.MaxUnpacked))
	}
	if err := l.hold(&d.spool); err != nil {
		return err
	}
	l.again = &textLayer{lexer: d.lexer, layout: d.layout(), size: l.Payload.Size(), last: d.last, first: d.rows.begin,
		cut: cut, padded: d.isPadded(), joined: d.joined, rough: d.isRough()}
	f := &textFormat{format: format{layer: l}, lexer: d.lexer, notes: d.notes}
	f.about = struct {
		about
		Form string `json:"form"`
	}{l.describe(), formNames[d.form]}
	l.Format = f
	return nil
}

// decodeText goes over a whole text.
func decodeText(ctx context.Context, x lexer, win *source.Window, o Options) (*textDecoder, error) {
	d := &textDecoder{lexer: x, ctx: ctx, win: win, spool: spool{limit: o.MaxUnpacked}, progress: o.progress}
	return d, d.decode()
}

// newLexer finds out how the text of a region is written.
func newLexer(w *source.Window, k Kind, region span.Span) lexer {
	x := lexer{region: region}
	x.bom = string(w.View(region.Offset, min(region.Length, 3))) == byteOrderMark
	if k == Base64 {
		x.padFrom = padding(w, region)
		return x
	}
	head := w.View(region.Offset, min(region.Length, sniffed))
	if x.bom {
		head = head[len(byteOrderMark):]
	}
	x.form = hexForm(head)
	if x.form == formPlain {
		x.tight = isTight(head)
	} else {
		x.columns = x.widest(head)
	}
	return x
}

// padding is where the padding at the end of a base64 text begins.
func padding(w *source.Window, region span.Span) int64 {
	n := min(region.Length, source.MaxView)
	tail := w.View(region.End()-n, n)
	return region.End() - n + int64(len(bytes.TrimRight(tail, "= \t\r\n")))
}

// hexForm tells in which form a hexadecimal text is written, by its first line
// that is not empty, or the second where the first has a damaged offset.
func hexForm(head []byte) form {
	line, rest, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	next, _, _ := bytes.Cut(rest, []byte("\n"))
	line, next = bytes.TrimRight(line, " \t\r"), bytes.TrimRight(next, " \t\r")
	for _, f := range []form{formXXD, formHexdump} {
		if f.has(line) || f.has(next) && f.hasDamaged(line) {
			return f
		}
	}
	return formPlain
}

// hasDamaged reports whether a line is a row whose offset has one wrong character.
func (f form) hasDamaged(line []byte) bool {
	x := lexer{form: f}
	at := x.offsetEnd(line)
	if at < leastOffset {
		return false
	}
	wrong := 0
	for i, c := range line[:at] {
		if hexChars[c] != charDigit {
			if wrong++; wrong > 1 {
				return false
			}
			line = bytes.Clone(line)
			line[i] = '0'
		}
	}
	return wrong == 1 && f.has(line)
}

// has reports whether a line is a row of xxd or hexdump.
func (f form) has(line []byte) bool {
	x := lexer{form: f}
	at := x.offsetEnd(line)
	if at < leastOffset || f == formXXD && (at+1 >= len(line) || line[at+1] != ' ') || f == formHexdump && !bytes.HasPrefix(line[at:], []byte("  ")) {
		return false
	}
	_, r := x.lexRow(nil, line)
	return r.offset >= 0 && r.bytes > 0
}

// widest is the number of bytes in the widest row of a text that has nothing
// wrong, the last row left out; 0 if there is none.
func (x *lexer) widest(head []byte) (columns int) {
	for {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		if len(rest) == 0 {
			return columns
		}
		if runs, r := x.lexRow(nil, line); fine(runs) {
			columns = max(columns, r.bytes)
		}
		head = rest
	}
}

// fine reports whether all runs are digits and text.
func fine(runs []run) bool {
	for _, r := range runs {
		if classKinds[r.class] == span.Gap {
			return false
		}
	}
	return true
}

// isTight reports whether hexadecimal digits follow one another with nothing
// between them but line ends.
func isTight(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	line = bytes.TrimRight(line, " \t\r")
	for _, c := range line {
		if hexChars[c] == charBlank || c == '\\' || c|0x20 == 'x' {
			return false
		}
	}
	return true
}

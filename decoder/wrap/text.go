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
	d := &textDecoder{ctx: ctx, win: source.NewWindow(src), spool: spool{limit: o.MaxUnpacked}, progress: o.progress}
	d.lexer = newLexer(d.win, l.Kind, l.Region)
	l.Title = formNames[d.form]
	l.Text = d.layout()
	err := d.decode()
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
	l.again = &textLayer{lexer: d.lexer, layout: l.Text, size: l.Payload.Size(), last: d.last,
		cut: cut, joined: d.joined, rough: d.lost > 1 || d.lost == 1 && d.wrong, stars: d.rows.stars, width: d.rows.width, uneven: d.rows.uneven}
	f := &textFormat{format: format{layer: l}, lexer: d.lexer, notes: d.notes}
	f.about = struct {
		about
		Form string `json:"form"`
	}{l.describe(), formNames[d.form]}
	l.Format = f
	return nil
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
// that is not empty.
func hexForm(head []byte) form {
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	line = bytes.TrimRight(line, " \t\r")
	for _, f := range []form{formXXD, formHexdump} {
		x := lexer{form: f}
		if at := x.offsetEnd(line); at >= leastOffset && (f == formXXD && at+1 < len(line) && line[at+1] == ' ' || f == formHexdump && bytes.HasPrefix(line[at:], []byte("  "))) {
			if _, r := x.lexRow(nil, line); r.offset >= 0 && r.bytes > 0 {
				return f
			}
		}
	}
	return formPlain
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

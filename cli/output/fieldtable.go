package output

import (
	"bufio"
	"context"
	"io"
	"strconv"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model"
)

const (
	bytesPerRow = 8
	bytesShown  = 64 // bytes of a field; the number of further bytes is printed
	kindWidth   = 10 // "terminator"
	maxIndent   = 20 // largest indentation in columns; deeper values are not indented further
	longestPath = 200

	flushAt = 64 << 10 // bytes of text that are collected before they are written
)

// A dumper prints fields in columns: offset, bytes, kind, meaning, path.
type dumper struct {
	out     *bufio.Writer
	win     *source.Window
	colors  *Palette
	offset  int // widths in columns
	meaning int
	path    int
	width   int // width of the terminal; 0 if there is none
	line    []byte
	text    []byte
}

// WriteFields prints all fields of the given buffers: those of the whole file, each with its title, or a
// single one without a title. Lines fit into width columns; 0 means no limit.
func WriteFields(ctx context.Context, out io.Writer, buffers []*model.Buffer, title func(*model.Buffer) string, colors *Palette, width int, p *model.Progress) error {
	for _, b := range buffers {
		t := b.Tree()
		d := newDumper(bufio.NewWriterSize(out, flushAt), source.NewWindow(t.Source), colors, width)
		if len(buffers) > 1 {
			if err := d.title(title(b), b.Number > 0); err != nil {
				return err
			}
		}
		if b.Size() > 0 {
			if err := d.heading(); err != nil {
				return err
			}
		}
		err := t.EachField(ctx, func(f tree.OwnedField) error {
			p.Set(f.Offset, b.Size())
			return d.field(f)
		})
		if err != nil {
			return err
		}
		if err := d.out.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// newDumper returns a dumper whose lines fit into width columns; 0 means no limit.
func newDumper(out *bufio.Writer, win *source.Window, colors *Palette, width int) *dumper {
	d := &dumper{out: out, win: win, colors: colors, offset: offsetDigits(win.Size()), meaning: 40, path: longestPath, width: width}
	if width > 0 {
		rest := max(width-d.offset-3*bytesPerRow-kindWidth-7, 24)
		d.meaning = min(max(rest*11/20, min(rest-12, 24)), 48)
		d.path = rest - d.meaning
	}
	return d
}

// offsetDigits returns the number of hex digits of a file's offsets: 8, or more if the file
// has over 4 GiB.
func offsetDigits(size int64) int { return max(8, len(strconv.FormatInt(max(size-1, 0), 16))) }

// title prints the title of a buffer, after an empty line if apart is set.
func (d *dumper) title(line string, apart bool) error {
	if apart {
		if err := d.end(); err != nil { // an empty line
			return err
		}
	}
	if d.width > 0 {
		line = text.Cut(line, d.width)
	}
	d.line = append(d.line[:0], line...)
	return d.end()
}

func (d *dumper) heading() error {
	d.line = d.colors.dim.on(d.line[:0])
	d.column([]byte("offset"), d.offset)
	d.column([]byte("bytes"), 3*bytesPerRow-1)
	d.column([]byte("kind"), kindWidth)
	d.column([]byte("meaning"), d.meaning)
	d.line = d.colors.dim.off(append(d.line, "path"...))
	return d.end()
}

// field prints a field, on several lines if it is long.
func (d *dumper) field(f tree.OwnedField) error {
	style := d.colors.kind(f.Kind)
	shown := min(f.Length, bytesShown)
	for at := int64(0); at < shown; at += bytesPerRow {
		row, lost := d.view(f.Offset+at, min(bytesPerRow, shown-at))
		d.begin(f.Offset + at)
		d.bytes(row, lost, style)
		if at == 0 {
			d.line = style.on(d.line)
			d.column(kindNames[f.Kind], kindWidth)
			d.line = style.off(d.line)
		} else {
			d.line = append(d.line, manyBlanks[:kindWidth+2]...)
		}
		d.text = d.appendMeaning(d.text[:0], &f, at, row)
		if at > 0 || f.SamePath {
			d.line = appendCut(d.line, d.text, d.meaning)
		} else {
			d.column(d.text, d.meaning)
			d.newPath(f.Path)
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	if f.Length > shown {
		if err := d.remark(d.colors.dim, "… "+span.Bytes(f.Length-shown)+" more"); err != nil {
			return err
		}
	}
	if f.Damage != nil {
		return d.remark(d.colors.error, "^ "+f.Damage.Message+" ("+f.Damage.Code+")")
	}
	return nil
}

// begin begins a line with its offset.
func (d *dumper) begin(off int64) {
	d.line = appendOffset(d.colors.dim.on(d.line[:0]), off, d.offset)
	d.line = append(d.colors.dim.off(d.line), "  "...)
}

// view returns the n bytes at off, and a bit for each that its wrapper could not unpack.
func (d *dumper) view(off, n int64) (row []byte, lost uint) {
	if row = d.win.View(off, n); d.win.TakeHole() == nil {
		return row, 0
	}
	for i := range n {
		d.win.View(off+i, 1)
		if d.win.TakeHole() != nil {
			lost |= 1 << i
		}
	}
	row = d.win.View(off, n)
	d.win.TakeHole()
	return row, lost
}

// remark prints a line about the field above it.
func (d *dumper) remark(style paint, s string) error {
	d.line = style.on(append(d.line[:0], manyBlanks[:d.offset+2]...))
	s = text.Clean(s)
	if d.width > 0 {
		s = text.Cut(s, d.width-d.offset-2)
	}
	d.line = style.off(append(d.line, s...))
	return d.end()
}

// newPath prints the path of a field. Paths are already escaped, but marks and wide characters in them
// still have to be cleaned.
func (d *dumper) newPath(path []byte) {
	d.line = d.colors.dim.on(d.line)
	switch over := len(path) - d.path; {
	case over <= 0 && isPlain(path):
		d.line = append(d.line, path...)
	case over > 0 && isPlain(path[over:]):
		d.line = append(append(d.line, "…"...), path[over+1:]...)
	default:
		const bytesPerColumn = 16
		path = path[max(0, len(path)-bytesPerColumn*d.path):]
		d.line = append(d.line, text.CutLeft(text.Clean(string(path)), d.path)...)
	}
	d.line = d.colors.dim.off(d.line)
}

// appendMeaning appends the text to the right of a row of a field, which begins with the field's byte at.
func (d *dumper) appendMeaning(dst []byte, f *tree.OwnedField, at int64, row []byte) []byte {
	isData := f.Kind == span.Data || f.Kind == span.Gap
	if at > 0 && !isData {
		return dst
	}
	dst = append(dst, manyBlanks[:min(2*max(f.Depth-1, 0), maxIndent)]...)
	if isData {
		dst = appendPrintable(dst, row)
		if at == 0 {
			dst = append(dst, manyBlanks[:bytesPerRow-len(row)+2]...)
			dst = append(dst, span.Bytes(f.Length)...)
			if f.Label != f.Kind.String() && f.Label != "bytes" {
				dst = append(append(dst, ", "...), f.Label...)
			}
		}
		return dst
	}
	if f.Label != f.Kind.String() {
		dst = append(append(dst, f.Label...), ' ')
	}
	return appendValue(dst, f)
}

// appendValue appends the decoded value of a field. The bytes of padding and terminators need no text.
func appendValue(dst []byte, f *tree.OwnedField) []byte {
	switch f.Kind {
	case span.Padding, span.Terminator:
		return dst
	case span.Text:
		dst = append(dst, '"')
		dst = append(dst, f.Value...)
		return append(dst, '"')
	}
	return append(dst, f.Value...)
}

// bytes prints a row in hex, with ?? for lost bytes.
func (d *dumper) bytes(row []byte, lost uint, style paint) {
	d.line = style.on(d.line)
	for i, c := range row {
		if lost>>i&1 != 0 {
			d.line = append(d.line, "?? "...)
			continue
		}
		d.line = append(d.line, hexDigits[c>>4], hexDigits[c&15], ' ')
	}
	d.line = style.off(d.line)
	d.line = append(d.line, manyBlanks[:3*(bytesPerRow-len(row))+1]...)
}

// column appends text, cut or padded to width columns, and a gap.
func (d *dumper) column(s []byte, width int) {
	if len(s) <= width && isPlain(s) {
		d.line = append(d.line, s...)
		d.line = append(d.line, manyBlanks[:width-len(s)+2]...)
		return
	}
	d.line = append(append(d.line, text.Fit(text.Clean(string(s)), width)...), "  "...)
}

// end writes the line without trailing blanks.
func (d *dumper) end() error {
	for len(d.line) > 0 && d.line[len(d.line)-1] == ' ' {
		d.line = d.line[:len(d.line)-1]
	}
	_, err := d.out.Write(append(d.line, '\n'))
	return err
}

// WriteFieldsJSON prints all fields of the given buffers, each as a line of JSON.
func WriteFieldsJSON(ctx context.Context, out io.Writer, label string, buffers []*model.Buffer, p *model.Progress) error {
	w := bufio.NewWriterSize(out, flushAt)
	var line []byte
	for _, b := range buffers {
		err := b.Tree().EachField(ctx, func(f tree.OwnedField) error {
			p.Set(f.Offset, b.Size())
			line = appendFieldJSON(line[:0], label, b.Number, &f)
			_, err := w.Write(line)
			return err
		})
		if err != nil {
			return err
		}
	}
	return w.Flush()
}

// appendFieldJSON appends a field as a line of "dump --json". There are so many of them that an Object takes a fifth longer.
func appendFieldJSON(dst []byte, label string, buffer int, f *tree.OwnedField) []byte {
	dst = beginLine(dst, "", label).Int("buffer", int64(buffer))
	dst = strconv.AppendInt(append(dst, `,"offset":`...), f.Offset, 10)
	dst = strconv.AppendInt(append(dst, `,"length":`...), f.Length, 10)
	dst = append(append(dst, `,"kind":"`...), f.Kind.String()...)
	dst = append(append(dst, `","label":"`...), f.Label...)
	dst = AppendPathJSON(append(dst, `","path":`...), f.Path)
	dst = tree.AppendQuoted(append(dst, `,"value":`...), f.Value)
	return append(dst, "}\n"...)
}

// AppendPathJSON appends a path as a JSON string; the middle of a long one is replaced by "…".
func AppendPathJSON(dst, path []byte) []byte { return tree.AppendQuoted(dst, tree.CutPath(path)) }

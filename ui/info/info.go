// Package info describes what the cursor is on.
package info

import (
	"bytes"
	"fmt"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model/compare"
	"varview/model/explore"
	"varview/themes"
	"varview/ui/desk"
	"varview/ui/paint"
)

// A Pane is the lines below the tree and the bytes.
type Pane struct{ *desk.Desk }

// Height is the number of lines.
const Height = 2

// View describes the cursor's place and the byte under it.
func (p Pane) View() []string {
	width := p.Width - 2
	switch {
	case p.Selection.Active:
		return p.selection(width)
	case p.Explorer.Buffer.IsPlain():
		return p.plain(width)
	}
	d := p.Explorer.Describe(2 * width)
	if d.Pending {
		return []string{
			p.Styles.Line([]paint.Piece{paint.In(themes.Key, fmt.Sprintf(" %#x", p.Explorer.Offset()))}, width, false),
			p.Styles.Line([]paint.Piece{paint.In(themes.Dim, " not read that far yet")}, width, false),
		}
	}
	where := d.Type
	switch {
	case d.NoBytes:
		where = text.Join(where, fmt.Sprintf("no bytes at %#x", d.Value.Offset))
	case d.Packed:
		where = text.Join(where, "unpacked from "+d.Value.String(), span.Bytes(d.Value.Length))
	case d.Value.Length > 0:
		where = text.Join(where, d.Value.String(), span.Bytes(d.Value.Length))
	}
	second := p.field(d, width)
	role := themes.Key
	if c := p.Explorer.Difference(); c != nil && p.Under == desk.OnTree {
		if line := p.differing(c, width); line != nil {
			second = line
		}
		switch {
		case c.B == nil:
			role, d.Path, where = themes.Removed, c.Path, "only the other file has it"
		case c.A == nil:
			where = text.Join(where, "only this file has it")
		}
	}
	where = text.Head(where, width*2/3)
	path := text.CutLeft(text.Clean(d.Path), width-3-text.Width(where))
	first := []paint.Piece{paint.Plain(" "), paint.In(role, text.Fit(path, width-2-text.Width(where))), paint.In(themes.Dim, where), paint.Plain(" ")}
	return []string{p.Styles.Line(first, width, false), p.Styles.Line(second, width, false)}
}

// plain describes the cursor's place in a buffer without values.
func (p Pane) plain(width int) []string {
	at := []paint.Piece{paint.In(themes.Key, fmt.Sprintf(" %#x", p.Explorer.Offset())), paint.In(themes.Dim, " of "+span.Bytes(p.Explorer.Buffer.Size()))}
	kind := "this is not a save: " + p.Doc.Title
	if p.Doc.IsUnexplained() {
		kind = "it is not known what this is: ! says what was tried"
	}
	what := []paint.Piece{paint.Plain(" "), paint.In(themes.Note, text.Head(kind, width-2))}
	return []string{p.Styles.Line(at, width, false), p.Styles.Line(what, width, false)}
}

// mostFields is the number of fields of a value that are shown before its meaning.
const mostFields = 8

// field explains the value or the byte under the cursor: its problem, its fields and its meaning.
func (p Pane) field(d explore.Description, width int) []paint.Piece {
	pieces := []paint.Piece{paint.Plain(" ")}
	problem := func() {
		pieces = append(pieces, paint.In(paint.SeverityRoles[d.Severity], paint.SeverityMarks[d.Severity]+" "+text.Head(d.Problem, width)+"  "))
	}
	isNote := d.Severity == span.Note // which is worth less than what is there
	if d.Problem != "" && !isNote {
		problem()
	}
	for _, note := range d.Notes {
		pieces = append(pieces, paint.In(themes.Ref, text.Head(note, 4*width)+"  "))
	}
	f := d.Field
	for _, own := range d.Fields {
		if p.ShowsText() || len(d.Fields) > mostFields {
			break // the text beside the tree shows them, or the inspector
		}
		pieces = append(pieces, paint.In(themes.OfKind(own.Kind.String()), fmt.Sprintf("%c %s %s  ", own.Kind.Mark(), own.Label, span.Grouped(own.Length))))
	}
	if d.Each != "" {
		pieces = append(pieces, paint.In(themes.Value, fmt.Sprintf("%c %s  ", span.Value.Mark(), d.Each)))
	}
	if f.Length > 0 {
		pieces = append(pieces, paint.In(themes.OfKind(f.Kind.String()), fmt.Sprintf("%c %s", f.Kind.Mark(), f.Kind)))
		if f.Label != f.Kind.String() {
			pieces = append(pieces, paint.Plain(" "+f.Label))
		}
		pieces = append(pieces, paint.In(themes.Dim, " · "+text.Join(f.Span.String(), span.Bytes(f.Length))+"  "))
	}
	if d.Meaning != "" {
		pieces = append(pieces, paint.In(themes.Dim, "→ "), paint.Plain(text.Head(d.Meaning, width)))
	}
	if f.Length > 0 {
		pieces = append(pieces, paint.In(themes.Dim, "  "+f.Kind.Meaning()))
	}
	if d.Problem != "" && isNote {
		pieces = append(pieces, paint.Plain("  "))
		problem()
	}
	return pieces
}

// differing returns the bytes of a value in this file and in the other one, those that differ underlined; of a text its
// characters, of a number its literal. Where the bytes are too many, those before the first difference are left out on both sides, in a narrow window those of this file. It
// returns nil if the first bytes of both are the same.
func (p Pane) differing(c *compare.Change, width int) (line []paint.Piece) {
	d, _ := p.Explorer.Differing()
	was, is := firstBytes(d.There(), c.A, false), firstBytes(d.Here(), c.B, false)
	both := c.A != nil && c.B != nil
	if both && bytes.Equal(was, is) { // what differs is its key
		was, is = firstBytes(d.There(), c.A, true), firstBytes(d.Here(), c.B, true)
		if bytes.Equal(was, is) {
			return nil
		}
	}
	if both && width >= 60 {
		width /= 2
	}
	const leastName = len("this file")
	name := text.CutLeft(text.Clean(d.Name), max(leastName, width/2))
	asText := p.Explorer.Buffer.IsText()
	if both && !asText {
		if a, b := numeral(d.There(), c.A), numeral(d.Here(), c.B); a != nil && b != nil && !bytes.Equal(a, b) {
			was, is, asText = a, b, true
		}
	}
	side := func(name string, role themes.Role, b, _ []byte) []paint.Piece { return textSide(name, role, b, width) }
	if asText {
		was, is = oneLine(c.A, was), oneLine(c.B, is)
	} else {
		name = text.CutLeft(text.Clean(d.Name), max(leastName, width-3*max(len(was), len(is))-4))
		from, most := 0, max(4, (width-max(leastName, text.Width(name))-4)/3)
		if both && max(len(was), len(is)) > most {
			from, most = alike(was, is)&^3, most-3
		}
		side = func(name string, role themes.Role, b, other []byte) []paint.Piece {
			return oneSide(name, role, b, other, from, most, width)
		}
	}
	if c.A == nil || both && width < p.Width-2 {
		line = side("this file", themes.Added, is, was)
	}
	if c.A != nil {
		line = append(line, side(name, themes.Removed, was, is)...)
	}
	return line
}

// numeral returns the literal of a number; nil of any other value.
func numeral(r *tree.Reader, n *tree.Node) []byte {
	if r.Look(&n.Value).Form != tree.FormNumber {
		return nil
	}
	return r.AppendLiteral(nil, &n.Value, maxCompared)
}

// alike returns the number of bytes at the beginning that are the same.
func alike(a, b []byte) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// textSide returns a text of one of two files, without what is between it and others, in width columns.
func textSide(name string, role themes.Role, b []byte, width int) []paint.Piece {
	pieces := []paint.Piece{paint.In(role, " "+name+"  ")}
	shown := text.Head(strings.Trim(string(b), " \t\r\n:=,"), max(1, width-paint.Columns(pieces)-1))
	return append(pieces, paint.Plain(text.Fit(shown, max(1, width-paint.Columns(pieces)))))
}

// oneLine returns the text of a list or dictionary without its line breaks and indents.
func oneLine(n *tree.Node, b []byte) []byte {
	if n == nil || !explore.CanOpen(n) {
		return b
	}
	return bytes.Join(bytes.Fields(b), []byte(" "))
}

// oneSide returns most bytes of one of two files, beginning with b[from], in width columns.
func oneSide(name string, role themes.Role, b, other []byte, from, most, width int) []paint.Piece {
	line := []paint.Piece{paint.In(role, " "+name+"  ")}
	if from > 0 {
		line = append(line, paint.In(themes.Dim, fmt.Sprintf("+%#x: ", from)))
	}
	for i := from; i < min(len(b), from+most); i++ {
		digits := paint.In(themes.Dim, fmt.Sprintf("%02x", b[i]))
		if other != nil && (i >= len(other) || other[i] != b[i]) {
			digits.Role, digits.Differs = role, true
		}
		line = append(line, digits, paint.Plain(" "))
	}
	if from+most < len(b) {
		line = append(line, paint.In(themes.Dim, "…"))
	}
	return append(line, paint.Plain(strings.Repeat(" ", max(1, width-paint.Columns(line)))))
}

// maxCompared is the number of bytes of a value that are compared.
const maxCompared = 4096

// firstBytes returns the first bytes of a value, or of its key if it has one; none if the value is not there.
func firstBytes(r *tree.Reader, n *tree.Node, ofKey bool) []byte {
	if n == nil {
		return nil
	}
	if key := r.Key(n); ofKey && key != nil {
		n = key
	}
	end, err := r.End(n)
	if err != nil {
		end = n.Start + maxCompared
	}
	return r.Window().View(n.Start, min(maxCompared, end-n.Start))
}

// selection describes the selected bytes.
func (p Pane) selection(width int) []string {
	s, sums := p.Chosen(), &p.Summed
	first := []paint.Piece{paint.Plain(" "), paint.In(themes.Key, "selected "+s.String()), paint.In(themes.Dim, " · "+span.Bytes(s.Length))}
	second := []paint.Piece{paint.Plain(" ")}
	say := func(line *[]paint.Piece, label, text string) {
		*line = append(*line, paint.In(themes.Dim, label+" "), paint.In(themes.Value, text+"  "))
	}
	switch {
	case !sums.Done:
		second = append(second, paint.In(themes.Dim, fmt.Sprintf("summing %.0f%%", 100*sums.Job.Share())))
	case sums.Err != nil:
		second = append(second, paint.In(themes.Error, "✗ "+sums.Err.Error()))
	default:
		first = append(first, paint.Plain("  "))
		say(&first, "entropy", fmt.Sprintf("%.2f bits a byte", sums.Sums.Entropy))
		say(&first, "CRC32", fmt.Sprintf("%08x", sums.Sums.CRC32))
		say(&second, "MD5", fmt.Sprintf("%x", sums.Sums.MD5))
		say(&second, "SHA-256", fmt.Sprintf("%x", sums.Sums.SHA256))
	}
	return []string{p.Styles.Line(first, width, false), p.Styles.Line(second, width, false)}
}

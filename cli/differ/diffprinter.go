package differ

import (
	"bufio"
	"cmp"
	"fmt"
	"io"

	"varview/cli/env"
	"varview/cli/output"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model/compare"
	"varview/model/patch"
)

// A diffPrinter prints changes.
type diffPrinter struct {
	*diffOptions
	a, b    *tree.Reader
	path    func(string) string // returns the path in the files of one in the documents
	out     *bufio.Writer
	colors  *output.Palette
	width   int
	tally   output.DifferenceTally
	bytes   int64 // ranges of bytes that differ
	differs bool  // something differs
	line    []byte
	limit   int   // bytes of a literal
	others  bool  // the files are of different formats: types that only one of them has are counted, not printed
	typed   int64 // values that differ only in such a type
	nameB   string
	time    string // time of the save; "" if two files are compared
}

func (e commands) newDiffPrinter(a, b *env.File, o *diffOptions, out io.Writer) (*diffPrinter, error) {
	p := &diffPrinter{diffOptions: o, a: a.Tree.NewReader(), b: b.Tree.NewReader(), path: a.PathOf, limit: output.MaxLiteral, out: bufio.NewWriterSize(out, 64<<10), nameB: env.DisplayName(b.Name),
		others: a.Format != b.Format && !o.strict && !o.json && !o.isShort()}
	if o.json {
		p.limit = patch.MaxLiteral
		return p, nil
	}
	var err error
	p.colors, err = e.Palette()
	p.width = e.TerminalWidth()
	return p, err
}

// head prints the names of the files before the first difference, if there are several.
func (p *diffPrinter) head() {
	if p.label == "" || p.differs || p.json || p.isShort() {
		return
	}
	p.out.Write(output.AppendFileHead(nil, p.label))
}

// isShort reports whether changes are not printed individually.
func (o *diffOptions) isShort() bool { return o.stat || o.names }

// print prints a change.
func (p *diffPrinter) print(c *compare.Change) error {
	p.tally.Add(c)
	if p.others && c.Kind == compare.Retyped && c.Note {
		p.typed++
		return nil
	}
	p.head()
	p.differs = true
	if p.isShort() {
		return nil
	}
	at := *c
	at.Path = p.path(c.Path)
	d := output.Difference{Change: &at}
	if c.A != nil {
		d.Old, d.OldPlain = p.values(p.a, c.A)
	}
	if c.B != nil {
		d.New, d.NewPlain = p.values(p.b, c.B)
	}
	if c.Kind == compare.Retyped {
		d.OldType, d.NewType = storedAs(p.a, c.A), storedAs(p.b, c.B)
		if d.OldType == d.NewType {
			d.OldType, d.NewType = d.OldType+sizeOf(c.A), d.NewType+sizeOf(c.B)
		}
	}
	if p.json {
		p.line = output.AppendDifferenceJSON(p.line[:0], &d, p.time, p.label)
	} else {
		p.line = output.AppendDifference(p.line[:0], &d, p.colors, p.width)
	}
	_, err := p.out.Write(p.line)
	return err
}

// values returns a value as its literal and, if JSON is printed, as plain JSON.
func (p *diffPrinter) values(r *tree.Reader, n *tree.Node) (literal string, plain []byte) {
	if p.json {
		plain = r.AppendMeaningJSON(nil, &n.Value, output.MaxPlain)
	}
	return string(r.AppendLiteral(nil, &n.Value, p.limit)), plain
}

func storedAs(r *tree.Reader, n *tree.Node) string {
	return string(r.Tree.AppendType(nil, r.Window(), &n.Value))
}

func sizeOf(n *tree.Node) string {
	if n.End == tree.Unknown {
		return ""
	}
	return fmt.Sprintf(" of %d bytes", n.End-n.Start)
}

// end prints the rest, and reports whether the files differ.
func (p *diffPrinter) end() (bool, error) {
	differs := p.differs
	if !p.patch && p.bytes == 0 {
		differs = p.tally.Changes() > 0 || p.strict && p.tally.Notes() > 0
	}
	label := ""
	if p.label != "" {
		label = text.Clean(p.label) + ": "
	}
	switch {
	case p.typed > 0:
		fmt.Fprintf(p.out, "%s%s stored in another type; --strict lists them\n", label, span.CountedAre(p.typed, "value"))
	case p.names && differs:
		fmt.Fprintln(p.out, text.Clean(cmp.Or(p.label, p.nameB)))
	case !p.stat || p.label != "" && !p.differs:
	case p.json:
		p.out.Write(append(p.tally.AppendJSON(nil, p.label, p.bytes), '\n'))
	default:
		fmt.Fprintln(p.out, label+p.sum())
	}
	return differs, p.out.Flush()
}

// sum says how much differs.
func (p *diffPrinter) sum() string {
	inBytes := span.Counted(p.bytes, "difference") + " in the bytes"
	switch {
	case p.bytes == 0:
		return p.tally.String()
	case p.tally.Changes()+p.tally.Notes() == 0:
		return inBytes
	}
	return p.tally.String() + ", " + inBytes
}

// alert prints that a condition has become true.
func (p *diffPrinter) alert(condition, literal string) {
	if p.json {
		p.line = output.AppendAlertJSON(p.line[:0], p.time, condition, literal)
	} else {
		p.line = output.AppendAlert(p.line[:0], condition, literal, p.colors)
	}
	p.out.Write(p.line)
}

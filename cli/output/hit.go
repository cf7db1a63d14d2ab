package output

import (
	"bufio"
	"fmt"
	"io"
	"sort"

	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/text"
)

// A Found is a hit of find: its place, and the value that it is in.
type Found struct {
	span.Span
	Buffer  int
	Path    string
	Type    []byte
	Literal []byte
	Plain   []byte // the value as JSON, for JSON; nil if longer than MaxPlain
}

// AppendFoundJSON appends a hit as a line of "find --json". file is the name of the file if there are
// several; otherwise "".
func AppendFoundJSON(dst []byte, f *Found, file string) []byte {
	o := beginLine(dst, "", file).Int("buffer", int64(f.Buffer)).Path("path", f.Path).Int("offset", f.Offset).Int("length", f.Length)
	return o.Bytes("type", f.Type).Bytes("value", f.Literal).Raw("plain", f.Plain).Line()
}

// MaxPlain is the number of bytes up to which a value is printed as JSON.
const MaxPlain = 16 << 10

// MaxLiteral is the number of bytes of a literal that are printed.
const MaxLiteral = 1 << 10

const (
	alignedHits = 200 // hits that are aligned with one another
	alignedPath = 48  // columns of the longest path with which others are aligned
)

// A HitTable writes hits as lines for people: path, offset, literal.
type HitTable struct {
	out    *bufio.Writer
	colors *Palette
	label  string // prefix of each line
	digits int    // of an offset
	width  int    // width of the terminal; 0 for no limit
	paths  int    // columns of the longest path so far
	held   []hitRow
	line   []byte
}

type hitRow struct {
	path    string
	offset  int64
	literal string
}

// NewHitTable returns a table for the hits in a buffer of the given size, whose lines fit into width
// columns; 0 means no limit. They begin with the name of the file, if it is not "".
func NewHitTable(out *bufio.Writer, file string, size int64, colors *Palette, width int) *HitTable {
	if file != "" {
		file = text.Clean(file) + ": "
	}
	return &HitTable{out: out, label: file, colors: colors, digits: offsetDigits(size), width: width}
}

// Write writes a hit, once the width of the first paths is known.
func (t *HitTable) Write(f *Found) error {
	row := hitRow{text.Clean(tree.CutPath(f.Path)), f.Offset, text.Clean(string(f.Literal))}
	if n := text.Width(row.path); n <= alignedPath {
		t.paths = max(t.paths, n)
	}
	t.held = append(t.held, row)
	if len(t.held) < alignedHits {
		return nil
	}
	return t.Flush()
}

// Flush writes the hits that are held back.
func (t *HitTable) Flush() error {
	for _, row := range t.held {
		path := row.path
		if text.Width(path) < t.paths {
			path = text.Fit(path, t.paths)
		}
		literal := row.literal
		if t.width > 0 {
			literal = text.Cut(literal, max(t.width-text.Width(t.label)-text.Width(path)-t.digits-4, 8))
		}
		t.line = append(append(append(t.line[:0], t.label...), path...), "  "...)
		t.line = t.colors.dim.off(appendOffset(t.colors.dim.on(t.line), row.offset, t.digits))
		t.line = append(append(append(t.line, "  "...), literal...), '\n')
		if _, err := t.out.Write(t.line); err != nil {
			return err
		}
	}
	t.held = t.held[:0]
	return nil
}

// A LossList lists the values that a conversion changes or loses.
type LossList struct {
	out    *bufio.Writer // output of JSON; nil for a list for people
	file   string        // name of the file if there are several; otherwise ""
	tell   func(line string)
	lost   int64
	counts map[string]int64 // number of changed values for each reason
}

// maxListed is the largest number of lost values that are listed for people.
const maxListed = 20

// maxReasons is the largest number of reasons that are counted.
const maxReasons = 1000

// NewLossList returns a list that is written to out as JSON, one value per line, with the file if it is
// one of several; or that is passed to tell line by line.
func NewLossList(out io.Writer, json bool, file string, tell func(line string)) *LossList {
	l := &LossList{file: file, tell: tell, counts: map[string]int64{}}
	if json {
		l.out = bufio.NewWriter(out)
	}
	return l
}

// Add adds a value.
func (l *LossList) Add(x format.Loss) {
	switch {
	case l.out != nil:
		l.out.Write(beginLine(nil, "", l.file).Path("path", x.Path).Text("type", x.Type).Text("outcome", x.Outcome.String()).Text("reason", x.Reason).Line())
	case x.Outcome == format.Changed:
		if len(l.counts) < maxReasons || l.counts[x.Reason] > 0 {
			l.counts[x.Reason]++
		}
	default:
		if l.lost++; l.lost <= maxListed {
			l.tell(fmt.Sprintf("%s: %s%s", x.Path, x.Reason, became[x.Outcome]))
		}
	}
}

// became describes what happens to a value.
var became = map[format.Outcome]string{format.Dropped: "; left out", format.Nulled: "; null takes its place",
	format.Described: "; a Dictionary takes its place", format.Texted: "; its text takes its place"}

// End ends the list.
func (l *LossList) End() error {
	if l.out != nil {
		return l.out.Flush()
	}
	if more := l.lost - maxListed; more > 0 {
		l.tell(fmt.Sprintf("%d more like these; --json lists all", more))
	}
	var reasons []string
	for reason := range l.counts {
		reasons = append(reasons, reason)
	}
	sort.Strings(reasons)
	for _, reason := range reasons {
		l.tell(fmt.Sprintf("%s (%d)", reason, l.counts[reason]))
	}
	return nil
}

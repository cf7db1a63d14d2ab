package output

import (
	"fmt"
	"strconv"
	"strings"

	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model/compare"
	"varview/ui/text"
)

// A Difference is a change between two files, with its values as text.
type Difference struct {
	*compare.Change
	Old, New         string // literals
	OldType, NewType string // of a retyped value
}

// AppendDifferenceJSON appends a change as a line of JSON. file, if it is not "", is the
// file that is compared, of several.
func AppendDifferenceJSON(dst []byte, d *Difference, file string) []byte {
	dst = append(dst, '{')
	if file != "" {
		dst = append(tree.AppendQuoted(append(dst, `"file":`...), []byte(file)), ',')
	}
	dst = append(append(append(dst, `"change":"`...), d.Kind.String()...), `","severity":"`...)
	if d.Note {
		dst = append(dst, `note","path":`...)
	} else {
		dst = append(dst, `change","path":`...)
	}
	dst = AppendPathJSON(dst, []byte(d.Path))
	if d.NewPath != "" {
		dst = AppendPathJSON(append(dst, `,"new_path":`...), []byte(d.NewPath))
	}
	if d.A != nil {
		dst = tree.AppendQuoted(append(dst, `,"old":`...), []byte(d.Old))
	}
	if d.B != nil {
		dst = tree.AppendQuoted(append(dst, `,"new":`...), []byte(d.New))
	}
	if d.Kind == compare.Retyped {
		dst = tree.AppendQuoted(append(dst, `,"old_type":`...), []byte(d.OldType))
		dst = tree.AppendQuoted(append(dst, `,"new_type":`...), []byte(d.NewType))
	}
	return append(dst, "}\n"...)
}

// AppendDifference appends a change as lines for people: its path, what was there after "-",
// and what is there now after "+". They fit into width columns; 0 is no limit.
func AppendDifference(dst []byte, d *Difference, colors *Palette, width int) []byte {
	path := string(appendShownPath(nil, d.Path))
	if d.NewPath != "" {
		path += " → " + string(appendShownPath(nil, d.NewPath))
	}
	switch d.Kind {
	case compare.Moved, compare.Renamed:
		if d.Note {
			return colors.note(dst, path+": the keys have another order")
		}
		return append(append(append(append(dst, path...), ": "...), d.Kind.String()...), '\n')
	case compare.Retyped:
		what := d.OldType + " → " + d.NewType
		switch {
		case d.A.Layout != tree.Leaf:
		case d.Old != d.New:
			what = d.Old + " → " + d.New + ", " + what
		default:
			what = d.Old + ", " + what
		}
		line := path + ": " + text.Clean(what)
		if width > 0 {
			line = text.Cut(line, width)
		}
		return colors.note(dst, line)
	}
	dst = append(append(dst, path...), '\n')
	if d.A != nil {
		dst = colors.side(dst, colors.removed, "- ", d.Old, width)
	}
	if d.B != nil {
		dst = colors.side(dst, colors.added, "+ ", d.New, width)
	}
	return dst
}

func (p *Palette) note(dst []byte, line string) []byte {
	return append(p.dim.off(append(p.dim.on(dst), line...)), '\n')
}

func (p *Palette) side(dst []byte, in paint, mark, literal string, width int) []byte {
	line := mark + text.Clean(literal)
	if width > 0 {
		line = text.Cut(line, width)
	}
	return append(in.off(append(in.on(dst), line...)), '\n')
}

// A DifferenceTally counts changes by their kinds.
type DifferenceTally struct {
	kinds [compare.Retyped + 1]int64
	notes int64
}

// Add counts a change.
func (t *DifferenceTally) Add(c *compare.Change) {
	if c.Note {
		t.notes++
		return
	}
	t.kinds[c.Kind]++
}

// Changes returns how many there are that are no notes, and Notes how many are.
func (t *DifferenceTally) Changes() (n int64) {
	for _, k := range t.kinds {
		n += k
	}
	return n
}

// Notes returns the number of notes.
func (t *DifferenceTally) Notes() int64 { return t.notes }

// String sums them up: "3 changes: 1 added, 2 changed; 1 note".
func (t *DifferenceTally) String() string {
	var parts []string
	for k, n := range t.kinds {
		if n > 0 {
			parts = append(parts, span.Grouped(n)+" "+compare.Kind(k).String())
		}
	}
	line := span.Counted(t.Changes(), "change")
	if len(parts) > 0 {
		line += ": " + strings.Join(parts, ", ")
	}
	if t.notes > 0 {
		line += "; " + span.Counted(t.notes, "note")
	}
	return line
}

// AppendJSON appends the counts as an object of JSON.
func (t *DifferenceTally) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	for k, n := range t.kinds {
		dst = strconv.AppendInt(append(dst, fmt.Sprintf("%q:", compare.Kind(k))...), n, 10)
		dst = append(dst, ',')
	}
	return append(strconv.AppendInt(append(dst, `"notes":`...), t.notes, 10), '}')
}

package output

import (
	"fmt"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model/compare"
	"varview/model/diff"
)

// A Difference is a change between two files, with its values as text.
type Difference struct {
	*compare.Change
	Old, New         string // literals
	OldType, NewType string // types of a value whose type changed

	OldPlain, NewPlain []byte // the values as JSON, for JSON; nil if longer than MaxPlain
}

// AppendDifferenceJSON appends a change as a line of JSON. time is the time of the save, and file the
// compared file if there are several; either may be "".
func AppendDifferenceJSON(dst []byte, d *Difference, time, file string) []byte {
	severity := "change"
	if d.Note {
		severity = "note"
	}
	o := beginLine(dst, time, file).Text("change", d.Kind.String()).Text("severity", severity).Path("path", d.Path)
	if d.NewPath != "" {
		o = o.Path("new_path", d.NewPath)
	}
	if d.A != nil {
		o = o.Text("old", d.Old)
	}
	if d.B != nil {
		o = o.Text("new", d.New)
	}
	o = o.Raw("old_plain", d.OldPlain).Raw("new_plain", d.NewPlain)
	if d.Kind == compare.Retyped {
		o = o.Text("old_type", d.OldType).Text("new_type", d.NewType)
	}
	if d.Deep {
		o = o.Bool("deep", true)
	}
	return o.Line()
}

// AppendAlertJSON appends a line of JSON that says that a condition has become true, with the literal of
// its value.
func AppendAlertJSON(dst []byte, time, condition, literal string) []byte {
	return beginLine(dst, time, "").Text("alert", condition).Text("value", literal).Line()
}

// AppendAlert appends an alert as a line for people.
func AppendAlert(dst []byte, condition, literal string, colors *Palette) []byte {
	line := "alert: " + text.Clean(condition) + ", it is " + text.Clean(literal)
	return append(colors.error.off(append(colors.error.on(dst), line...)), '\n')
}

// AppendFileHead appends a line that precedes the differences in one of several files.
func AppendFileHead(dst []byte, file string) []byte {
	return append(append(append(dst, "== "...), text.Clean(file)...), '\n')
}

// AppendOneSided appends that only one of two folders has a file, as JSON or as a line for people.
func AppendOneSided(dst []byte, file string, k compare.Kind, json bool) []byte {
	if json {
		return beginLine(dst, "", file).Text("change", k.String()).Text("severity", "change").Text("path", "$").Line()
	}
	return append(append(append(append(append(dst, "== "...), text.Clean(file)...), ": "...), k.String()...), '\n')
}

// maxRetyped is the length in bytes up to which a literal is shown with its types.
const maxRetyped = 60

// AppendDifference appends a change as lines for people: its path, the old value after "-", and the new
// one after "+". They fit into width columns; 0 means no limit.
func AppendDifference(dst []byte, d *Difference, colors *Palette, width int) []byte {
	path := text.Clean(tree.CutPath(d.Path))
	if d.NewPath != "" {
		path += " → " + text.Clean(tree.CutPath(d.NewPath))
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
		case d.A.Layout > tree.Fixed || len(d.Old) > maxRetyped:
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
	if d.Deep {
		path += ": compared as a whole, nested too deep"
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

// A DifferenceTally counts changes by kind.
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

// Changes returns the number of changes that are not notes.
func (t *DifferenceTally) Changes() (n int64) {
	for _, k := range t.kinds {
		n += k
	}
	return n
}

// Notes returns the number of notes.
func (t *DifferenceTally) Notes() int64 { return t.notes }

// String sums up the changes: "3 changes: 1 added, 2 changed; 1 note".
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

// AppendJSON appends the counts as a JSON object, with the file if it is one of several, and with the
// number of differences in its bytes if it has no values.
func (t *DifferenceTally) AppendJSON(dst []byte, file string, bytes int64) []byte {
	o := beginLine(dst, "", file)
	for k, n := range t.kinds {
		o = o.Int(compare.Kind(k).String(), n)
	}
	return o.Int("notes", t.notes).Count("bytes", bytes).End()
}

// DifferentBytes are the bytes of a file that differ from another's, of which the first are kept to be
// shown.
type DifferentBytes struct {
	Was, Is  span.Span
	Old, New []byte
	As       string // what they may be: "u4le 95 → 120"; "" if that is not known
}

// AppendJSON appends the bytes as a line of JSON, with the time and the file as AppendDifferenceJSON.
func (d *DifferentBytes) AppendJSON(dst []byte, time, file string) []byte {
	o := beginLine(dst, time, file).Text("change", "changed").Text("severity", "change").Text("path", "$")
	o = o.Int("offset", d.Was.Offset).Int("length", d.Was.Length).Int("new_offset", d.Is.Offset).Int("new_length", d.Is.Length)
	return o.Hex("old", d.Old).Hex("new", d.New).Line()
}

// Append appends the bytes as lines for people.
func (d *DifferentBytes) Append(dst []byte, colors *Palette) []byte {
	dst = append(dst, fmt.Sprintf("%#x, %s → %#x, %s", d.Was.Offset, span.Bytes(d.Was.Length), d.Is.Offset, span.Bytes(d.Is.Length))...)
	dst = append(append(dst, strings.TrimRight("  "+text.Clean(d.As), " ")...), '\n')
	if d.Was.Length > 0 {
		dst = colors.side(dst, colors.removed, "- ", string(tree.AppendHex(nil, d.Old, d.Was.Length)), 0)
	}
	if d.Is.Length > 0 {
		dst = colors.side(dst, colors.added, "+ ", string(tree.AppendHex(nil, d.New, d.Is.Length)), 0)
	}
	return dst
}

// AppendConflictJSON appends a conflict as a line of JSON.
func AppendConflictJSON(dst []byte, c *diff.Conflict) []byte {
	return Begin(dst).Path("conflict", c.Path).Some("base", c.Base).Some("ours", c.Ours).Some("theirs", c.Theirs).Text("why", c.Why).Line()
}

// AppendConflict appends a conflict as lines for people.
func AppendConflict(dst []byte, c *diff.Conflict, colors *Palette) []byte {
	dst = append(append(dst, "conflict at "...), text.Clean(tree.CutPath(c.Path))...)
	dst = append(append(append(dst, ": "...), text.Clean(c.Why)...), '\n')
	if c.Base != "" {
		dst = colors.side(dst, colors.dim, "  base   ", c.Base, 0)
	}
	if c.Ours != "" {
		dst = colors.side(dst, colors.removed, "  ours   ", c.Ours, 0)
	}
	if c.Theirs != "" {
		dst = colors.side(dst, colors.added, "  theirs ", c.Theirs, 0)
	}
	return dst
}

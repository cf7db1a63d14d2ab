package text

import (
	"bytes"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/format"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

var (
	_ tree.Shortcutter = (*reading)(nil)
	_ tree.Reopener    = (*reading)(nil)
	_ format.Starter   = (*reading)(nil)
)

// A reading reads one text.
type reading struct {
	textual.Editor
	engine *types.Dialect
	src    source.Source
	region span.Span
	typed  atomic.Pointer[typedHead]  // of the typed container that was asked for last
	ids    func() [2]map[string]int64 // the places of external and of other resources by their ids

	sections func() map[string]string // of a ConfigFile: paths of the sections' values by steps with their names
}

// Open implements format.Format.
func (f *Format) Open(src source.Source, region span.Span) tree.Reading {
	return newReading(&f.Format, f.engine, src, region)
}

func newReading(f *textual.Format, engine *types.Dialect, src source.Source, region span.Span) *reading {
	r := &reading{Editor: textual.NewEditor(f), engine: engine, src: src, region: region}
	r.ids, r.sections = sync.OnceValue(r.readIDs), sync.OnceValue(r.readSections)
	return r
}

// Reopen implements tree.Reopener.
func (r *reading) Reopen(src source.Source, region span.Span) tree.Reading {
	return newReading(r.Base(), r.engine, src, region)
}

// ReadsAs implements tree.Twin: references mean resources by their ids.
func (r *reading) ReadsAs(other tree.Reading) bool {
	a, b := r.ids(), other.(*reading).ids()
	return maps.Equal(a[0], b[0]) && maps.Equal(a[1], b[1])
}

// typeName is the grammar's Name.
func typeName(v *tree.Value) string {
	switch {
	case textual.IsBuffer(v):
		return "text"
	case v.Inner == inFile:
		return "file"
	case v.Inner == inTag && isConfig(v):
		return "section"
	case v.Inner == inTag:
		return "tag"
	case v.Type == 0:
		return "value"
	}
	return types.Of(idOf(v)).Name
}

// textOf returns the content of a name or an attribute as text.
func (r *reading) textOf(w *source.Window, v *tree.Value) string {
	switch s := r.Describe(w, v); {
	case s.Kind != tree.Text:
		return string(s.AppendNumber(nil))
	case s.Own != nil:
		return string(s.Own)
	default:
		return string(textual.All(w, s.Span))
	}
}

// Fields implements tree.Reading.
func (r *reading) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	fields = r.Editor.Fields(w, parent, v, fields)
	if id := idOf(v); (id == types.Property || id == types.Name) && len(fields) > 0 && fields[len(fields)-1].Label == "value" {
		fields[len(fields)-1].Kind, fields[len(fields)-1].Label = span.Text, "name"
	}
	return fields
}

// ReadFoot implements tree.Footer: the bracket of a head that no tag follows is after all values.
func (r *reading) ReadFoot(w *source.Window, v *tree.Value, off int64, known bool, report func(span.Problem)) int64 {
	if textual.IsBuffer(v) && r.isFile() && off < v.Limit && w.Byte(off) == ']' {
		off++
	}
	return r.Editor.ReadFoot(w, v, off, known, report)
}

// Shortcut implements tree.Shortcutter: $.properties are those of the main resource, and the name of a section
// leads to its values.
func (r *reading) Shortcut(v *tree.Value, rest string) string {
	if v.Inner == inFile && isConfig(v) {
		return r.section(rest)
	}
	if v.Inner != inFile || !r.isFile() || !strings.HasPrefix(rest, ".properties") {
		return rest
	}
	main, ok := r.ids()[1][""]
	if !ok {
		return rest
	}
	return ".resources[" + strconv.FormatInt(main, 10) + "]" + rest
}

// section returns the path to which one that begins with the name of a section leads.
func (r *reading) section(rest string) string {
	const list = ".sections"
	if tail, ok := strings.CutPrefix(rest, list); ok && (tail == "" || tail[0] == '[') {
		return rest
	}
	for step, to := range r.sections() {
		if tail, ok := strings.CutPrefix(rest, step); ok && (tail == "" || strings.IndexByte(".[@", tail[0]) >= 0) {
			return to + tail
		}
	}
	return rest
}

// NameOf implements format.Namer: a section of a ConfigFile is shown by its name.
func (r *reading) NameOf(n *tree.Reader, v *tree.Node) string {
	if v.Slot.Key || v.Inner != inTag || v.Rows != kindSection {
		return ""
	}
	name, err := n.Child(v, 0)
	if err != nil || name.Damage != nil {
		return ""
	}
	return string(tree.AppendTextStep(nil, []byte(r.textOf(n.Window(), &name.Value))))
}

// readSections returns the paths of the values of all sections by steps with their names, with #2 for the second
// of a name.
func (r *reading) readSections() map[string]string {
	all, seen := map[string]string{}, map[string]int{}
	t := tree.New(r.src, r, r.region).NewReader()
	for i := int64(0); ; i++ {
		to := ".sections" + string(tree.AppendIndexStep(nil, i))
		if _, err := t.Resolve("$" + to); err != nil {
			return all
		}
		step := `[""]` // of values before all sections
		if name, err := t.Resolve("$" + to + ".name"); err == nil {
			step = "[" + string(t.AppendLiteral(nil, &name.Value, maxTag)) + "]"
		}
		if word := step[2 : len(step)-2]; tree.IsIdentifier([]byte(word)) {
			step = "." + word
		}
		if seen[step]++; seen[step] > 1 {
			step = fmt.Sprintf("%s#%d", step, seen[step])
		}
		all[step] = to + ".properties"
	}
}

// readIDs reads the ids of all resources. The id of the main resource is "". It looks at the lines that
// begin like tags, outside of texts and comments.
func (r *reading) readIDs() [2]map[string]int64 {
	all, counts := [2]map[string]int64{{}, {}}, [2]int64{}
	w, inText, inComment, atLine := source.NewWindow(r.src), false, false, true
	for at, end := r.region.Offset, r.region.End(); at < end; at++ {
		b := w.View(at, min(source.MaxView, end-at))
		if len(b) == 0 {
			break
		}
		i := 0
		for ; i < len(b); i++ {
			c := b[i]
			if c == '[' && atLine && !inText {
				if len(b)-i < maxTag && i > 0 && at+int64(len(b)) < end {
					break // the line may continue in what is read next
				}
				line := tagLine(b[i:])
				if kind := kindOf(line); kind <= kindResources {
					is := readTag(line)
					if _, ok := all[kind][is["id"]]; !ok { // of two with an id, the engine takes the first
						all[kind][is["id"]] = counts[kind]
					}
					counts[kind]++
				}
			}
			switch {
			case c == '\\' && inText:
				i++
			case c == '"' && !inComment:
				inText = !inText
			case c == ';' && !inText:
				inComment = true
			case c == '\n':
				inComment = false
			}
			atLine = c == '\n'
		}
		at += int64(i) - 1
	}
	return all
}

// maxTag is the number of bytes that are searched for the id of a tag.
const maxTag = 4 << 10

var tagText = lazy.Regexp(`\b(id|type|path)[ \t]*=[ \t]*(?:"((?:\\.|[^"\\])*)"|([0-9]+))`)

// tagLine returns the line with which b begins, as far as it is searched.
func tagLine(b []byte) []byte {
	line, _, _ := bytes.Cut(b[:min(len(b), maxTag)], []byte("\n"))
	return line
}

// readTag returns the id, type and path of the tag on a line, of each the first.
func readTag(line []byte) map[string]string {
	is := map[string]string{}
	for _, m := range tagText().FindAllSubmatch(line, -1) {
		if _, ok := is[string(m[1])]; !ok {
			text, _ := unescape(nil, m[2])
			is[string(m[1])] = string(append(text, m[3]...))
		}
	}
	return is
}

// tagAt returns what a tag of a file says.
func tagAt(w *source.Window, v *tree.Value) map[string]string {
	return readTag(tagLine(w.View(v.Head, min(maxTag, v.Limit-v.Head))))
}

// Start implements format.Starter: it is the main resource.
func (r *reading) Start() string {
	if _, ok := r.ids()[1][""]; !ok || !r.isFile() {
		return ""
	}
	return "$.properties"
}

package text

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// A reading reads one text.
type reading struct {
	textual.Editor
	engine *types.Dialect
	src    source.Source
	region span.Span
	typed  atomic.Pointer[typedHead] // of the typed container that was asked for last
	tags   func() *tagReader         // of a file

	sections func() []string // of a ConfigFile: the steps to them
}

// Open implements format.Format.
func (f *Format) Open(src source.Source, region span.Span) tree.Reading {
	return newReading(&f.Format, f.engine, src, region)
}

func newReading(f *textual.Format, engine *types.Dialect, src source.Source, region span.Span) *reading {
	r := &reading{Editor: textual.NewEditor(f), engine: engine, src: src, region: region}
	r.tags, r.sections = sync.OnceValue(r.readTags), sync.OnceValue(r.readSections)
	return r
}

// Reopen implements tree.Reopener.
func (r *reading) Reopen(src source.Source, region span.Span, _ []source.Splice) tree.Reading {
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
	case v.Inner == inProperties && v.Rows == kindSection:
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
		return string(w.All(s.Span))
	}
}

// Fields implements tree.Reading.
func (r *reading) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	fields = r.Editor.Fields(w, parent, v, fields)
	id, last := idOf(v), len(fields)-1
	if id != types.Property && id != types.Name || last < 0 || fields[last].Label != "value" {
		return fields
	}
	name := &fields[last]
	name.Kind, name.Label = span.Text, "name"
	if id == types.Property {
		return fields
	}
	bracket := span.Field{Span: span.Span{Offset: name.Offset, Length: 1}, Kind: span.Type, Label: "bracket"}
	end := bracket
	end.Offset = name.End() - 1
	name.Span = span.Between(bracket.End(), end.Offset)
	if name.Length == 0 {
		fields = fields[:last]
	}
	return append(slices.Insert(fields, last, bracket), end)
}

// MayBeText implements tree.Texter: names are texts without quotes.
func (r *reading) MayBeText(v *tree.Value) bool {
	id := idOf(v)
	return id == types.Property || id == types.Name || r.Editor.MayBeText(v)
}

// ReadFoot implements tree.Footer: the bracket of a head that no tag follows is after all values.
func (r *reading) ReadFoot(w *source.Window, v *tree.Value, off int64, known bool, report func(span.Problem)) int64 {
	if textual.IsBuffer(v) && r.isFile() && off < v.Limit && w.Byte(off) == ']' {
		off++
	}
	off = r.Editor.ReadFoot(w, v, off, known, report)
	if report != nil && r.isConfig() && v.Inner == 0 && !textual.IsBuffer(v) {
		at := off + int64(len(w.View(off, min(v.Limit-off, maxTag)))-len(bytes.TrimLeft(w.View(off, min(v.Limit-off, maxTag)), " \t")))
		if name := nextSection(w.View(at, min(v.Limit-at, maxTag))); name != "" {
			report(span.Problem{Span: span.Between(at, at+1), Severity: span.Error, Code: span.EngineRefuses, Settled: true, Engine: "the file does not load",
				Message: literal.Of(r.engine).Title + r.Place(w, at) + ": " + otherSection + name})
		}
	}
	return off
}

// Shortcut implements tree.Shortcutter: $.properties are those of the main resource, and $.sections[0].properties
// the entries of the first section.
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

// section returns a path that begins with the name of a section for one that begins with its number.
func (r *reading) section(rest string) string {
	number, tail, ok := strings.Cut(strings.TrimPrefix(rest, ".sections["), "]")
	i, err := strconv.Atoi(number)
	if !ok || err != nil || number == rest || i < 0 || i >= len(r.sections()) {
		return rest
	}
	step := r.sections()[i]
	if tail == ".name" {
		return step + "@key"
	}
	return step + strings.TrimPrefix(tail, ".properties")
}

// RepeatedKey implements tree.Keyed.
func (r *reading) RepeatedKey(w *source.Window, key *tree.Value) span.Problem {
	p := r.Editor.RepeatedKey(w, key)
	if idOf(key) == types.Name {
		p.Severity, p.Message, p.Engine = span.Note, "a section of this name began before", "its entries are added to the first"
	}
	return p
}

// readSections returns the steps to all sections.
func (r *reading) readSections() (all []string) {
	t := tree.New(r.src, r, r.region).NewReader()
	file, err := t.Child(t.Tree.Base, 0)
	if err != nil {
		return nil
	}
	for c, err := t.Child(file, 0); err == nil; c, err = t.Next(c) {
		all = append(all, t.Path(c)[len("$"):])
	}
	return all
}

// ids returns the places of external and of other resources by their ids. The id of the main resource is "".
func (r *reading) ids() [2]map[string]int64 { return r.tags().ids }

// readTags reads the tags. It looks at the lines that begin like tags, outside of texts and comments.
func (r *reading) readTags() *tagReader {
	x := &tagReader{ids: [2]map[string]int64{{}, {}}, faults: map[int64]string{}, isOld: r.engine == types.Text3, atLine: true}
	w, at, end := source.NewWindow(r.src), r.region.Offset, r.region.End()
	if string(w.View(at, min(int64(len(mark)), end-at))) == mark {
		at += int64(len(mark))
	}
	for at < end {
		b := w.View(at, min(source.MaxView, end-at))
		if len(b) == 0 {
			break
		}
		at += int64(x.read(b, at, at+int64(len(b)) == end))
	}
	return x
}

// A tagReader reads the tags of a file in their order.
type tagReader struct {
	ids    [2]map[string]int64 // the places of resources, by their kinds
	starts [2][]int64          // and where their tags are
	faults map[int64]string    // tags that are not expected where they are, with what the engine says of them

	isOld, inText, inComment, atLine bool

	file string // name of the first tag
	step int    // place in the order of tags of the last one that was expected
}

// read reads the bytes of a part of the text, which is at an offset, and returns how many it has read: at a tag that may continue in
// the next part it stops.
func (x *tagReader) read(b []byte, at int64, isLast bool) int {
	i := 0
	for ; i < len(b); i++ {
		c := b[i]
		if c == '[' && x.atLine && !x.inText {
			if len(b)-i < maxTag && i > 0 && !isLast {
				return i
			}
			x.tag(tagLine(b[i:]), at+int64(i))
		}
		switch {
		case c == '\\' && x.inText:
			i++
		case c == '"' && !x.inComment:
			x.inText = !x.inText
		case c == ';' && !x.inText:
			x.inComment = true
		case c == '\n':
			x.inComment = false
		}
		x.atLine = c == '\n'
	}
	return i
}

// tag numbers the resource of a tag, if it is one, and notes whether the engine expects the tag.
func (x *tagReader) tag(line []byte, at int64) {
	name := nameOf(line)
	if x.file == "" {
		x.file = name
		return
	}
	if fault := x.fault(name); fault != "" {
		x.faults[at] = fault
	}
	kind := kindOf(line)
	if kind > kindResources {
		return
	}
	id := readTag(line)["id"]
	if _, ok := x.ids[kind][id]; !ok { // of two with an id, the engine takes the first
		x.ids[kind][id] = int64(len(x.starts[kind]))
	}
	x.starts[kind] = append(x.starts[kind], at)
}

// steps are the places of tags in the order in which they follow one another.
var steps = map[string]int{"ext_resource": 1, "sub_resource": 2, "node": 3, "connection": 4, "editable": 4, "resource": 5}

// fault returns what the engine says of the next tag, if it does not expect it there.
func (x *tagReader) fault(name string) string {
	step, isScene := steps[name], x.file == "gd_scene"
	switch {
	case x.step == steps["resource"]:
		return "Extra tag found when parsing main resource file"
	case name == "resource" && isScene:
		return "found the 'resource' tag on a scene file!"
	case name == "node" && !isScene:
		return "found the 'node' tag on a resource file!"
	case step == steps["connection"] && x.step < steps["node"], step == 0 && x.step < steps["node"], step == 1 && x.step == 2 && !x.isOld:
		return "Unknown tag in file: " + name
	case step < steps["node"] && x.step >= steps["node"]:
		return "Parse Error"
	}
	x.step = max(x.step, step)
	return ""
}

// maxTag is the number of bytes that are searched for the id of a tag.
const maxTag = 4 << 10

var tagText = lazy.Regexp(`\b(id|type|path|from|to|signal|method)[ \t]*=[ \t]*(?:"((?:\\.|[^"\\])*)"|([0-9]+))`)

// tagLine returns the line with which b begins, as far as it is searched.
func tagLine(b []byte) []byte {
	line, _, _ := bytes.Cut(b[:min(len(b), maxTag)], []byte("\n"))
	return line
}

// readTag returns the attributes of these names of the tag on a line, of each the first.
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

package text

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/edit/textual"
	"varview/decoder/engine/format"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/scout"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/resource"
)

// Inspect implements tree.Inspector. Besides faults of the text it reports what loading it does.
func (r *reading) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	r.Editor.Inspect(w, parent, slot, v, report)
	if parent == nil {
		r.inspectMark(w, v, report)
	}
	if parent == nil || v.Damage != nil {
		return
	}
	if v.Inner == inFile && !isConfig(v) || v.Inner == inTag && hasProperties(v.Rows) {
		if end, ok := tagEnd(w, v); !ok {
			report(span.Problem{Span: span.Between(v.Head, v.Body), Severity: span.Error, Code: textual.OpenBracket, Engine: "the file does not load", Repair: "insert ]",
				Message: "] is missing" + r.Place(w, end) + ": the tag begins" + r.Place(w, v.Head)})
		}
	}
	if r.inspectValue(w, parent, slot, v, remarks{v, report}) {
		r.judge(w, parent, slot, v, report)
	}
}

const noMain = "the main resource is missing: the file ends before [resource]"

// remarks reports problems of a value, and what loading it does.
type remarks struct {
	v      *tree.Value
	report func(span.Problem)
}

func (m remarks) add(s span.Severity, code, message, engine string) {
	m.report(span.Problem{Span: span.Between(m.v.Head, max(m.v.Body, m.v.Head+1)), Severity: s, Code: code, Message: message, Engine: engine, Settled: code == resource.CodeIndex || code == span.EngineRefuses})
}

// loads reports what a resource of a class, in a file or in this one, does when it is loaded.
func (m remarks) loads(class, path string) {
	switch {
	case path != "" && resource.IsScript(class, path):
		m.add(span.Note, span.RunsCode, "the script "+path+" is loaded with this", "the script is loaded")
	case path != "":
		m.add(span.Note, span.LoadsFile, "the file "+path+" is loaded with this", "loaded")
	case resource.IsScript(class, ""):
		m.add(span.Note, span.RunsCode, span.Article(class)+" in the file: loading it compiles its code", "the code is compiled")
	}
}

// inspectFile reports what loading a file of resources does.
func (r *reading) inspectFile(w *source.Window, v *tree.Value, m remarks) {
	m.add(span.Note, span.ObjectInData, "loading the file creates its resources", "created")
	if n, newest := formatNumber(w.View(v.Head, min(maxTag, v.Limit-v.Head))), r.newest(); n > newest {
		m.add(span.Error, span.EngineRefuses, fmt.Sprintf("format=%d: %s reads up to %d", n, literal.Of(r.engine).Title, newest), "the file does not load: Saved with newer format version")
	}
	if _, ok := r.ids()[kindResources][""]; !ok && bytes.HasPrefix(w.View(v.Head, maxTag), []byte("[gd_resource")) {
		m.report(span.Problem{Span: span.Between(v.Head, v.Body), Severity: span.Error, Code: span.Truncated, Message: noMain, Engine: "the file does not load", Repair: "add one without properties"})
	}
}

// newest returns the newest format of files that the engine reads.
func (r *reading) newest() int {
	if r.engine == types.Text3 {
		return 2
	}
	return 4
}

// inspectResource reports what a resource loads, and an id that an earlier one has too.
func (r *reading) inspectResource(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, m remarks) {
	m.loads(notes(w, v))
	id := tagAt(w, v)["id"]
	if first, ok := r.ids()[v.Rows][id]; ok && first != slot.Index && parent.Rows == v.Rows && id != "" {
		m.add(span.Warning, span.EngineRefuses, "an earlier resource has the id "+literal.Quote([]byte(id))+" too", "references lead to only one of them")
	}
}

const tagWithout = "the engine does not load a tag %s without %s"

// needed are the attributes without which the engine does not load a tag, and how it says that one is missing.
var needed = map[string]struct {
	names []string
	says  string
}{
	"gd_resource":  {[]string{"type"}, "Missing '%s' field in 'gd_resource' tag"},
	"ext_resource": {[]string{"path", "type", "id"}, "Missing '%s' in external resource tag"},
	"sub_resource": {[]string{"type", "id"}, "Missing '%s' in external resource tag"},
	"connection":   {[]string{"from", "to", "signal", "method"}, "missing '%s' field from connection tag"},
	"editable":     {[]string{"path"}, "missing '%s' field from connection tag"},
}

// inspectTag reports a tag that the engine does not expect, or an attribute that it needs.
func (r *reading) inspectTag(w *source.Window, v *tree.Value, m remarks) {
	line := bytes.TrimRight(tagLine(w.View(v.Head, min(maxTag, v.Limit-v.Head))), " \t\r")
	name := nameOf(line)
	if fault := r.tags().faults[v.Head]; fault != "" {
		m.add(span.Error, span.EngineRefuses, "the tag "+name+" is not expected"+r.Place(w, v.Head), "the file does not load: "+fault)
	}
	r.inspectNext(w, v, m)
	need, ok := needed[name]
	if !ok || !bytes.HasSuffix(line, []byte{']'}) || bytes.Contains(line, []byte(`\"`)) { // its quotes may be those of other texts
		return
	}
	is := readTag(line)
	for _, attribute := range need.names {
		if _, ok := is[attribute]; !ok {
			m.add(span.Error, span.EngineRefuses, "a tag "+name+" without "+attribute+r.Place(w, v.Head), "the file does not load: "+fmt.Sprintf(need.says, attribute))
		}
	}
}

// notTag matches what may stand behind a tag that takes no properties, other than the next tag, and is read as if it belonged there.
var notTag = lazy.Regexp(`^(\]|[^\s"\[\](){},;=]+[ \t]*=|"(\\.|[^"\\\n])*"[ \t]*=)`)

// inspectNext reports what follows a tag that takes no properties, if it is not a tag.
func (r *reading) inspectNext(w *source.Window, v *tree.Value, m remarks) {
	end, ok := tagEnd(w, v)
	if !ok || hasProperties(v.Rows) {
		return
	}
	rest := w.View(end, min(maxTag, r.region.End()-end))
	at := len(lineComment().Find(rest))
	found := notTag().Find(rest[at:])
	if found == nil {
		return
	}
	p := span.Problem{Span: span.Span{Offset: end + int64(at), Length: int64(len(found))}, Severity: span.Error, Code: span.EngineRefuses, Settled: true, Engine: "the file does not load"}
	if p.Message = "a property that belongs to no tag, or to one below it" + r.Place(w, p.Offset); found[0] == ']' {
		p.Code, p.Message, p.Repair = textual.ExtraMark, "a bracket too many"+r.Place(w, p.Offset), "delete it"
	}
	m.report(p)
}

// needs returns an error if a value is an attribute, or its name, without which the engine does not load the tag.
func (r *reading) needs(n *tree.Reader, at *tree.Node) error {
	if at.Parent == nil || at.Parent.Inner != inTag && at.Parent.Inner != inFile || isConfig(&at.Parent.Value) {
		return nil
	}
	w := n.Window()
	tag := nameOf(tagLine(w.View(at.Parent.Head, min(maxTag, at.Parent.Limit-at.Parent.Head))))
	entry, err := n.Child(at.Parent, at.Slot.Index)
	if err != nil {
		return err
	}
	if name := strings.TrimPrefix(n.Step(entry), "."); slices.Contains(needed[tag].names, name) {
		return fmt.Errorf(tagWithout, tag, name)
	}
	return nil
}

// inspectValue reports what loading a value does. It returns false if the value cannot be read.
func (r *reading) inspectValue(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, m remarks) bool {
	switch id := idOf(v); {
	case v.Inner == inFile && r.isFile():
		r.inspectTag(w, v, m)
		r.inspectFile(w, v, m)
	case v.Inner == inTag:
		r.inspectTag(w, v, m)
		if v.Rows <= kindResources {
			r.inspectResource(w, parent, slot, v, m)
		}
	case v.Inner != 0 && v.Inner != inVectors:
	case id == types.Object && v.Layout >= tree.Sequence:
		class, _ := head(w, v)
		class = strings.Trim(class, `"`)
		m.add(span.Note, span.ObjectInData, "reading this creates an object of the class "+class, "created")
		m.loads(class, "")
	case id == types.Legacy:
		m.add(span.Note, span.Loose, string(r.AppendType(nil, w, v))+" is a value of Godot 2", "Godot 3 and 4 do not read it")
	case v.Layout >= tree.Sequence || isScalar(v) || id < types.Vector2:
	case types.Of(parentOf(parent)).Shape == types.ShapePacked:
	default:
		return r.inspectConstructor(w, v, id, m)
	}
	return true
}

// inspectConstructor does so for a value without children that is written as a constructor.
func (r *reading) inspectConstructor(w *source.Window, v *tree.Value, id types.ID, m remarks) bool {
	l, _, err := parse(tokenOf(w, v), v)
	refers := id == types.SubResource || id == types.ExtResource
	switch {
	case err != nil && id == types.Color && w.Byte(v.Head) == '#': // it becomes black
	case refers && r.isConfig():
		m.add(span.Error, span.EngineRefuses, noResources(id, r.Place(w, v.Head)), "the file does not load")
	case err != nil:
		m.report(span.Problem{Span: span.Between(v.Head, max(v.Body, v.Head+1)), Severity: span.Error, Code: textual.NoValue, Engine: "the file does not load",
			Message: "the " + types.Of(id).Name + r.Place(w, v.Head) + " cannot be read: " + err.Error(), Settled: wholeNumbers().Match(tokenOf(w, v))})
		return false
	case id == types.Resource:
		m.loads("", string(l.Text))
	case refers:
		switch i, ok := r.place(id, string(l.Text)); {
		case !r.isFile():
		case !ok:
			m.add(span.Error, resource.CodeIndex, noResource(&l, r.Place(w, v.Head)), "the file does not load")
		case r.tags().starts[referred[id]][i] > v.Head:
			m.add(span.Error, resource.CodeIndex, "the resource that this refers to comes later"+r.Place(w, v.Head), "the file does not load: it must come before")
		}
	}
	return true
}

// wholeNumbers matches a constructor whose numbers are sound, of which there are too few or too many.
var wholeNumbers = lazy.Regexp(`^\w+\(\s*(-?[0-9.]+\s*,\s*)*(-?[0-9.]+\s*)?\)$`)

const mark = "\xef\xbb\xbf" // byte order mark

// inspectMark reports a byte order mark, which the engine does not expect before a file.
func (r *reading) inspectMark(w *source.Window, v *tree.Value, report func(span.Problem)) {
	p := span.Problem{Span: span.Span{Offset: v.Body, Length: int64(len(mark))}, Severity: span.Error, Code: span.ByteOrderMark, Settled: true,
		Message: "a byte order mark begins the file", Engine: "the file does not load", Repair: "delete the mark"}
	if r.isConfig() {
		p.Engine = "all up to the first equals sign is read as one key"
	}
	if string(w.View(v.Body, p.Length)) == mark && (r.isFile() || r.isConfig()) {
		report(p)
	}
}

// tokenOf returns the text of a value without children.
func tokenOf(w *source.Window, v *tree.Value) []byte { return w.All(span.Between(v.Head, v.Tail)) }

// tagEnd returns the end of a tag's brackets; ok is false if the closing one is missing there.
func tagEnd(w *source.Window, v *tree.Value) (end int64, ok bool) {
	size := min(source.MaxView, v.Limit-v.Head)
	b := w.View(v.Head, size)
	depth, inText, line := 0, false, 0
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '\\' && inText:
			i++
		case c == '"':
			inText = !inText
		case c == '\n' && line == 0 && (inText || depth == 1):
			line = i
		case inText:
		case c == '[' && depth == 1 && i > 0 && b[i-1] == '\n' && isTag(b[i:]):
			return v.Head + int64(len(bytes.TrimRight(b[:cmp.Or(line, i)], " \t\r\n"))), false
		case strings.IndexByte("[({", c) >= 0:
			depth++
		case strings.IndexByte("])}", c) >= 0:
			if depth--; depth == 0 {
				return v.Head + int64(i) + 1, true
			}
		}
	}
	return v.Head + int64(len(bytes.TrimRight(b[:cmp.Or(line, len(b))], " \t\r\n\x00"))), v.Head+size < v.Limit
}

// repairAttribute deletes a word in a tag that is no attribute.
func repairAttribute(w *source.Window, at *tree.Node, p *span.Problem) (edit.Repair, error) {
	b := w.View(at.Start, p.End()-at.Start) // from the blanks before it on
	if !isName(b[len(b)-1]) {
		return edit.Repair{}, errors.New("there is no repair for this in a tag")
	}
	repair := edit.Repair{Splices: []source.Splice{source.Put(at.Start, p.End()-at.Start, nil)}}
	repair.NameLoss(w)
	return repair, nil
}

// closeHeader inserts the bracket that is missing at the end of a tag or of the name of a section.
func closeHeader(w *source.Window, end int64) (edit.Repair, error) {
	if w.Byte(end-1) == ']' {
		return edit.Repair{}, errors.New("its bracket is within quotes, of which one is missing")
	}
	return edit.Repair{Splices: []source.Splice{source.Put(end, 0, []byte{']'})}}, nil
}

// Repair implements edit.Repairer.
func (r *reading) Repair(ctx context.Context, n *tree.Reader, at *tree.Node, p *span.Problem) (edit.Repair, error) {
	if p.Code == textual.OpenBracket && (at.Inner == inFile || at.Inner == inTag && hasProperties(at.Rows)) {
		end, _ := tagEnd(n.Window(), &at.Value)
		return closeHeader(n.Window(), end)
	}
	if strings.HasPrefix(p.Message, noBracket) {
		name := bytes.TrimRight(n.Window().All(p.Span), " \t\r")
		return closeHeader(n.Window(), p.Offset+int64(len(name)))
	}
	if p.Code == textual.NoValue && at.Slot.Key && at.Parent != nil && (at.Parent.Inner == inFile || at.Parent.Inner == inTag) {
		return repairAttribute(n.Window(), at, p)
	}
	if p.Code == textual.NoValue && at.Parent != nil && packed(&at.Parent.Value) != nil {
		return edit.Repair{}, errors.New("which number is meant is not known")
	}
	if made, ok := r.respelled(n.Window(), p); ok {
		return edit.Repair{Splices: []source.Splice{made}}, nil
	}
	return r.Editor.Repair(ctx, n, at, p)
}

// respelled returns the splice of a repair that only spells a token in another way, or adds the main resource.
func (r *reading) respelled(w *source.Window, p *span.Problem) (s source.Splice, ok bool) {
	switch {
	case p.Repair == quoteKey:
		return source.Put(p.Offset, p.Length, []byte(literal.Quote(w.All(p.Span)))), true
	case p.Repair == spellOut:
		return source.Put(p.Offset, p.Length, spelledOut(w.All(p.Span), literal.Of(r.engine))), true
	case p.Message == noMain:
		return source.Put(r.region.End(), 0, []byte("\n[resource]\n")), true
	}
	return s, false
}

// parentOf returns the type of a container; Nil for a part of a file.
func parentOf(v *tree.Value) types.ID {
	if textual.IsBuffer(v) || v.Type == 0 {
		return types.Nil
	}
	return idOf(v)
}

// isFile reports whether the text is a .tres or .tscn.
func (r *reading) isFile() bool { return r.Grammar == grammars[kind{aFile, r.engine}] }

// notes returns the class and the path that a tag has, as messages have them.
func notes(w *source.Window, v *tree.Value) (class, path string) {
	is := tagAt(w, v)
	return tree.Prose([]byte(is["type"])), tree.Prose([]byte(is["path"]))
}

// referred are the lists of what values of a type refer to.
var referred = map[types.ID]uint32{types.ExtResource: kindExternal, types.SubResource: kindResources}

// place returns the index of the resource that a reference of a type has.
func (r *reading) place(id types.ID, to string) (index int64, ok bool) {
	index, ok = r.ids()[referred[id]][to]
	return index, ok
}

// Link implements format.Linker.
func (r *reading) Link(_ *tree.Reader, at *tree.Node) string {
	switch {
	case at.Damage != nil || isPart(&at.Value) || at.Layout >= tree.Sequence:
	case idOf(&at.Value) == types.SubResource:
		return "the resource that this refers to"
	case idOf(&at.Value) == types.ExtResource:
		return "the external resource that this refers to"
	}
	return ""
}

// Follow implements format.Linker.
func (r *reading) Follow(_ context.Context, n *tree.Reader, at *tree.Node) (*tree.Node, error) {
	id := idOf(&at.Value)
	l, _, err := parse(tokenOf(n.Window(), &at.Value), &at.Value)
	if err != nil {
		return nil, err
	}
	index, ok := r.place(id, string(l.Text))
	if !ok {
		return nil, nil
	}
	return n.Resolve(fmt.Sprintf("$.%s[%d]", partNames[referred[id]], index))
}

// Script implements format.Auditor.
func (r *reading) Script(n *tree.Reader, at *tree.Node, _ span.Span) format.Script {
	path, name := n.Path(at), ""
	switch {
	case at.Inner == inTag:
		class, file := notes(n.Window(), &at.Value)
		if name = file; file == "" {
			return scout.Source(n, path, class)
		}
	case at.Layout >= tree.Sequence:
		return scout.Source(n, path, "an object")
	default:
		if l, _, err := parse(tokenOf(n.Window(), &at.Value), &at.Value); err == nil {
			name = string(l.Text)
		}
	}
	return format.Script{Name: name, Path: path, Code: format.CodeAt(name)}
}

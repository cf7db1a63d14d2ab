package resource

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/scout"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// What Godot 3.2.3 does with damaged files.
const (
	failsToLoad = "loading fails (ERR_FILE_CORRUPT)"
	crashes     = "it crashes"
	repairEnd   = "add " + magic
)

// Traits implements tree.Traited.
func (r *reading) Traits() tree.Traits { return tree.Traits{Shortage: failsToLoad} }

// An inspector reports what is unusual about a value.
type inspector struct {
	*reading
	w      *source.Window
	parent *tree.Value
	v      *tree.Value
	report func(span.Problem)
}

func (in *inspector) add(s span.Severity, at, length int64, code, message, engine, repair string) {
	in.report(span.Problem{Span: span.Span{Offset: at, Length: length}, Severity: s, Code: code, Message: message, Engine: engine, Repair: repair,
		Settled: code == codeOffset || code == CodeIndex})
}

// Inspect implements tree.Inspector.
func (r *reading) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	if parent == nil || v.Damage != nil {
		return
	}
	w.SetBigEndian(r.head.big)
	in := &inspector{r, w, parent, v, report}
	if v.Layout >= tree.Sequence && v.Type != types.Record && v.Overcounted() {
		in.add(span.Error, v.Body-4, 4, span.LengthOverrun, fmt.Sprintf("%s counts %s, but %s left", r.TypeName(v), span.Grouped(v.Count), span.BytesAre(v.Limit-v.Body)), failsToLoad, "")
	}
	switch {
	case v.Type == types.Record:
		in.record(slot)
	case v.Type == types.Property, v.Type == types.Part:
		if _, _, ok := r.values.NameAt(w, v.Start); !ok {
			in.add(span.Error, v.Start, 4, CodeIndex, fmt.Sprintf("name %d of a table of %s", w.U32(v.Start), span.Counted(int64(len(r.head.texts)), "string")), crashes, "")
		}
	default:
		in.value()
	}
}

// value reports what is unusual about a value or a string of the file.
func (in *inspector) value() {
	v, w := in.v, in.w
	switch t := types.Of(v.Type); t.Shape {
	case types.ShapeText:
		at := v.Head + 4
		if v.Type == types.Entry {
			at = v.Start
		}
		n := int64(w.U32(at))
		if n == 0 || w.Byte(at+3+n) != 0 {
			in.add(span.Warning, at, 4, span.MissingNul, "a string without the NUL that its length should count", "what follows is read as text, up to the next NUL", "")
		}
		in.values.InspectText(w, v, at+4, in.values.TextLength(w, v, at), in.report)
	case types.ShapeBool:
		if n := w.U32(v.Body); n > 1 {
			in.add(span.Warning, v.Body, 4, span.BoolValue, fmt.Sprintf("a bool of %d", n), "read as true", "")
		}
	case types.ShapeReference:
		if in.values.Tables.ID(v.Type, variant.Reference(w, v)) == "" || v.Type == types.SubResource && in.head.target(variant.Reference(w, v)) < 0 {
			in.add(span.Warning, v.Head+8, 4, CodeIndex, fmt.Sprintf("%s %d, which does not exist", t.Name, variant.Reference(w, v)), "read as null", "")
		}
	case types.ShapePacked:
		if in.head.big && v.Count > 0 {
			in.add(span.Warning, v.Start, 4, span.EngineReadBack, "the numbers of an array in a big-endian file", "read in the other order: 1 as 16777216", "")
		}
	case types.ShapeRID:
		in.add(span.Note, v.Start, 4, span.EngineReadBack, "a RID means nothing in a file", "read as the int 0", "")
	}
}

// record reports what is unusual about a record, and what loading it does.
func (in *inspector) record(slot tree.Slot) {
	v := in.v
	switch v.Sub {
	case recordFile:
		if n := v.Start + in.head.magic + fixedHead; v.Body == n {
			in.add(span.Note, v.Start, n-v.Start, span.ObjectInData, "loading the file creates its resources", "created", "")
		}
	case recordExternal:
		in.external()
	case recordResource:
		in.resource(slot)
	}
}

func (in *inspector) external() {
	switch class, path := in.printed(in.w, in.v); {
	case class == "" && path == "":
	case IsScript(class, path):
		in.add(span.Note, in.v.Start, 4, span.RunsCode, "the script "+path+" is loaded with this file", "the script is loaded", "")
	default:
		in.add(span.Note, in.v.Start, 4, span.LoadsFile, "the file "+path+" is loaded with this one", "loaded", "")
	}
}

// maxPrinted is the number of bytes of a text that messages show.
const maxPrinted = 256

// printed returns the class of a record as it is printed, and the path of an external resource.
func (r *reading) printed(w *source.Window, v *tree.Value) (class, path string) {
	at := func(off int64) string {
		n := r.values.TextLength(w, &tree.Value{Type: types.Entry}, off)
		return variant.Printable(w.View(off+4, min(n, maxPrinted)))
	}
	if v.Sub == recordExternal {
		path = at(v.Body + 4 + int64(w.U32(v.Body)))
	}
	return at(v.Body), path
}

// code are the classes of Godot 3 and 4 that load native code. Those of scripts, also in languages that are added to the engine,
// end in Script.
var code = []string{"GDNativeLibrary", "NativeExtension", "GDExtension", "ScriptExtension"}

// IsScript reports whether a resource is code.
func IsScript(class, path string) bool {
	if strings.HasSuffix(class, "Script") || slices.Contains(code, class) {
		return true
	}
	for _, ending := range []string{".gd", ".gdc", ".cs", ".vs", ".gdns", ".gdnlib", ".gdextension"} {
		if strings.HasSuffix(path, ending) {
			return true
		}
	}
	return false
}

func (in *inspector) resource(slot tree.Slot) {
	v, table := in.v, in.head.table
	if slot.Index >= int64(len(table)) {
		return
	}
	x := table[slot.Index]
	switch {
	case x.offset != v.Head:
		in.add(span.Error, x.at, 8, codeOffset, fmt.Sprintf("resource %d is said to be at %#x, it is at %#x", slot.Index, x.offset, v.Head), failsToLoad,
			fmt.Sprintf("set the offset to %#x", v.Head))
	case v.Head > v.Start:
		in.add(span.Note, v.Start, v.Head-v.Start, codeUnused, span.Bytes(v.Head-v.Start)+" between two resources that belong to neither", "ignored", "")
	}
	if class, _ := in.printed(in.w, v); IsScript(class, "") {
		in.add(span.Note, v.Head, 4, span.RunsCode, span.Article(class)+" in the file: loading it compiles its code", "the code is compiled", "")
	}
}

// Script implements format.Auditor.
func (r *reading) Script(n *tree.Reader, at *tree.Node, _ span.Span) format.Script {
	n.Window().SetBigEndian(r.head.big)
	class, file := r.printed(n.Window(), &at.Value)
	if file == "" {
		return scout.Source(n, n.Path(at), class)
	}
	return format.Script{Name: file, Path: n.Path(at), Code: format.CodeAt(file)}
}

// Link implements format.Linker: references lead to resources, names to their strings, offsets to what
// begins there.
func (r *reading) Link(n *tree.Reader, at *tree.Node) string {
	if at.Damage != nil {
		return ""
	}
	switch {
	case at.Type == types.SubResource:
		return "the resource that this refers to"
	case at.Type == types.ExtResource:
		return "the external resource that this refers to"
	case at.Type == types.Property, at.Type == types.Part:
		return "the string of this name"
	case at.Parent.Type == types.Record && at.Parent.Sub == recordEntry:
		return "the resource of this entry"
	}
	return ""
}

// Follow implements format.Linker.
func (r *reading) Follow(_ context.Context, n *tree.Reader, at *tree.Node) (*tree.Node, error) {
	w := n.Window()
	w.SetBigEndian(r.head.big)
	path, index := "$.resources[%d]", int64(-1)
	switch at.Type {
	case types.SubResource:
		index = int64(r.head.target(variant.Reference(w, &at.Value)))
	case types.ExtResource:
		path, index = "$.external[%d]", int64(variant.Reference(w, &at.Value))
	case types.Property, types.Part:
		path, index = "$.strings[%d]", int64(w.U32(at.Start))
	default:
		index = at.Parent.Slot.Index
	}
	to, err := n.Resolve(fmt.Sprintf(path, index))
	if missing := (*tree.PathError)(nil); errors.As(err, &missing) {
		return nil, nil
	}
	return to, err
}

// Remedy implements tree.Remedier.
func (r *reading) Remedy(_, _ *tree.Value, p *span.Problem) string {
	if p.Code == span.TrailingBytes {
		return "delete these bytes"
	}
	return ""
}

// Repair implements edit.Repairer.
func (r *reading) Repair(ctx context.Context, n *tree.Reader, _ *tree.Node, p *span.Problem) (repair edit.Repair, err error) {
	e := r.begin(ctx, n, edit.Options{})
	switch p.Code {
	case span.TrailingBytes:
		e.Put(p.Offset, p.Length, nil)
		repair.NameLoss(e.Window)
	case codeEnd:
		e.Put(p.Offset, 0, []byte(magic))
	case codeOffset:
		err = e.reoffset(p)
	default:
		return repair, errors.New("there is no repair for this")
	}
	repair.Splices = e.Splices
	return repair, errors.Join(err, ctx.Err())
}

// reoffset corrects the offset in a problem to that of its resource.
func (e *editing) reoffset(p *span.Problem) error {
	for i := range e.head.table {
		if e.head.table[i].at != p.Offset {
			continue
		}
		to, err := e.Reader.Resolve(fmt.Sprintf("$.resources[%d]", i))
		if err == nil {
			e.Put(p.Offset, p.Length, e.number(types.Int64, to.Head-e.head.base))
		}
		return err
	}
	return errors.New("this is not the offset of a resource")
}

// Package resource reads and edits Godot's binary resources: .res, .scn and the files of other
// endings that have the same format. Their values are read, written and edited by the packages that
// do so for Variants; this
package resource

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// A reading reads one file.
type reading struct {
	*Format
	src     source.Source
	head    *head
	values  *variant.Format
	strings types.ID // the type of the table of strings
	file    []*part  // of the file
	outer   []*part  // for an external resource
}

// A part is a part of a record.
type part struct {
	name string
	is   types.ID // Entry for a string, Record, List or Properties, PoolStringArray, or a number
	kind span.Kind
	what string // its name for people: the label of its field, the type of a record
}

// The parts of all records.
var (
	partType       = &part{name: "type", is: types.Entry, what: "class"}
	partImport     = &part{name: "import_metadata", is: types.Int64, kind: span.Offset, what: "import metadata offset"}
	partFlags      = &part{name: "flags", is: types.Int32, kind: span.Flags, what: "flags"}
	partUID        = &part{name: "uid", is: types.Int64, kind: span.ID, what: "uid"}
	partScript     = &part{name: "script_class", is: types.Entry, what: "class"}
	partReserved   = &part{name: "reserved", is: types.Reserved, kind: span.Reserved, what: "reserved"}
	partStrings    = &part{name: "strings"}
	partExternal   = &part{name: "external", is: types.List, what: "external resources"}
	partTable      = &part{name: "table", is: types.List, what: "table"}
	partID         = &part{name: "id", is: types.Entry, what: "path"}
	partOffset     = &part{name: "offset", is: types.Int64, kind: span.Offset, what: "offset"}
	partResources  = &part{name: "resources", is: types.List, what: "resources"}
	partProperties = &part{name: "properties", is: types.Properties}
	partImported   = &part{name: "import", is: types.Reserved, kind: span.Data, what: "import metadata"}
	partPath       = &part{name: "path", is: types.Entry, what: "path"}
)

var (
	entryParts    = []*part{partID, partOffset}
	resourceParts = []*part{partType, partProperties}
)

// leaves are the parts that are numbers or bytes. The Sub of a value is the number of its part.
var leaves = []*part{partImport, partFlags, partUID, partReserved, partImported, partOffset}

// What a record is, in its Sub.
const (
	recordFile = iota
	recordExternal
	recordEntry
	recordResource
)

var recordNames = [...]string{"resource file", "external resource", "entry", "resource"}

// stringArray is the id of an array of strings.
const stringArray = 34

func (f *Format) open(src source.Source, region span.Span) *reading {
	h := readHead(src, region)
	r := &reading{Format: f, src: src, head: h, strings: f.dialect.Table[stringArray], outer: []*part{partType, partPath}}
	r.values = &variant.Format{Dialect: f.dialect, Double: h.wide, BigEndian: h.big, Tables: &tables{head: h}, PathProp: h.version < 3}
	r.file = []*part{partType, partImport}
	if h.major >= 4 {
		r.file = append(r.file, partFlags, partUID)
		if h.flags&flagScript != 0 {
			r.file = append(r.file, partScript)
		}
	}
	if h.flags&flagUIDs != 0 {
		r.outer = append(r.outer, partUID)
	}
	r.file = append(r.file, partReserved, partStrings, partExternal, partTable)
	if len(h.table) > 0 {
		r.file = append(r.file, partResources)
	}
	if h.imported > 0 {
		r.file = append(r.file, partImported)
	}
	return r
}

// Variant returns the format of the values.
func (r *reading) Variant() *variant.Format { return r.values }

// parts returns the parts of a record.
func (r *reading) parts(record *tree.Value) []*part {
	switch record.Sub {
	case recordFile:
		return r.file
	case recordExternal:
		return r.outer
	case recordEntry:
		return entryParts
	}
	return resourceParts
}

// partOf returns the part of a record that a child is.
func (r *reading) partOf(record *tree.Value, slot tree.Slot) *part {
	if p := r.parts(record); record.Type == types.Record && slot.Index < int64(len(p)) {
		return p[slot.Index]
	}
	return nil
}

// Root implements tree.Reading.
func (r *reading) Root(size int64, region span.Span) tree.Value {
	return r.values.Root(size, region)
}

// MaySpell implements tree.Speller: names of properties and parts of paths are numbers of strings.
func (r *reading) MaySpell(matches func([]byte) bool) bool {
	w := source.NewWindow(r.src)
	return slices.ContainsFunc(r.head.texts, func(s span.Span) bool { return matches(w.View(s.Offset, s.Length)) })
}

// Spellings implements tree.Speller.
func (r *reading) Spellings(w *source.Window, v *tree.Value) []string {
	if v.Type != types.Property && v.Type != types.Part || v.Damage != nil {
		return nil
	}
	text, _, ok := r.values.NameAt(w, v.Start)
	if !ok || v.Span().Contains(text.Offset) {
		return nil
	}
	return []string{string(w.View(text.Offset, text.Length))}
}

// Read implements tree.Reading.
func (r *reading) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	w.SetBigEndian(r.head.big)
	*v = tree.Value{Start: off, Head: off, Body: off, Limit: parent.Limit}
	switch parent.Type {
	case types.Raw:
		r.readFile(v)
	case types.Record:
		r.readPart(w, v, r.partOf(parent, slot))
	case types.List:
		r.readRecord(w, parent.Sub, slot, v)
	case types.Properties:
		if slot.Key {
			v.Type = types.Property
			r.values.ReadName(w, v)
			return
		}
		r.values.Read(w, &tree.Value{Type: types.Array, Limit: parent.Limit}, slot, off, v)
	default:
		r.values.Read(w, parent, slot, off, v)
	}
}

// fixedHead is the number of bytes before the class of the file, without the magic.
const fixedHead = 20

func (r *reading) readFile(v *tree.Value) {
	v.Type, v.Sub = types.Record, recordFile
	n := r.head.magic + fixedHead
	if v.Limit-v.Start < n {
		v.Break(v.Start+(v.Limit-v.Start)/4*4, cut(v.Start, v.Limit, "the file ends in its header"))
		return
	}
	v.Body += n
	v.Contain(tree.Sequence, int64(len(r.file)), 0)
	v.Footed = true
}

func cut(at, limit int64, message string) *span.Problem {
	return &span.Problem{Span: span.Between(at, limit), Severity: span.Error, Code: span.Truncated, Message: message, Engine: failsToLoad}
}

func (r *reading) readRecord(w *source.Window, list uint32, slot tree.Slot, v *tree.Value) {
	v.Type, v.Sub = types.Record, list
	if list == recordResource && slot.Index < int64(len(r.head.table)) {
		if to := r.head.table[slot.Index].offset; to > v.Start && to < v.Limit && isClass(w, to) {
			v.Head, v.Body = to, to
		}
	}
	v.Contain(tree.Sequence, int64(len(r.parts(v))), 4)
}

// isClass reports whether a class may be at an offset, of a resource that does not follow the one before.
func isClass(w *source.Window, off int64) bool {
	n := int64(w.U32(off))
	return n > 1 && n < 200 && w.Byte(off+4) >= 'A' && w.Byte(off+3+n) == 0
}

func (r *reading) readPart(w *source.Window, v *tree.Value, p *part) {
	v.Type, v.Sub = p.is, uint32(max(0, slices.Index(leaves, p)))
	switch p {
	case partReserved:
		r.plain(v, p, r.head.reserved())
		return
	case partImported:
		r.plain(v, p, max(0, v.Limit-4-v.Start))
		return
	}
	switch p.is {
	case types.Entry:
		r.values.Read(w, &tree.Value{Type: r.strings, Limit: v.Limit}, tree.Slot{}, v.Start, v)
	case types.Int32, types.Int64:
		r.plain(v, p, types.Width(p.is))
	default:
		r.readList(w, v, p)
	}
}

// reserved returns the number of bytes without a meaning.
func (h *head) reserved() int64 {
	if h.major < 4 {
		return 56
	}
	return 44
}

// plain ends v after n bytes.
func (r *reading) plain(v *tree.Value, p *part, n int64) {
	if v.Limit-v.Start < n {
		v.Break(v.Start, cut(v.Start, v.Limit, p.what+" is cut"))
		return
	}
	v.Close(v.Start + n)
}

// readList reads the count of a list, or of properties.
func (r *reading) readList(w *source.Window, v *tree.Value, p *part) {
	if p == partResources {
		v.Sub = recordResource
		v.Contain(tree.Sequence, int64(len(r.head.table)), 8)
		return
	}
	if v.Limit-v.Start < 4 {
		v.Break(v.Start, cut(v.Start, v.Limit, "the count of "+p.name+" is cut"))
		return
	}
	n := int64(w.U32(v.Start))
	v.Body += 4
	switch p {
	case partProperties:
		v.Contain(tree.Pairs, n, 4)
	case partStrings:
		v.Type = r.strings
		v.Contain(tree.Sequence, n, 4)
	case partExternal:
		v.Sub = recordExternal
		v.Contain(tree.Sequence, n, 8)
	case partTable:
		v.Sub = recordEntry
		v.Contain(tree.Sequence, n, 12)
	}
}

// ReadFoot implements tree.Footer: the magic at the end.
func (r *reading) ReadFoot(w *source.Window, v *tree.Value, off int64, lost bool, report func(span.Problem)) int64 {
	at := off
	if lost {
		at = v.Limit - 4
	}
	if at >= off && v.Limit-at >= 4 && string(w.View(at, 4)) == magic {
		return at + 4
	}
	if report != nil && !lost {
		report(span.Problem{Span: span.Between(off, min(off+4, v.Limit)), Severity: span.Warning, Code: codeEnd,
			Message: "the file does not end with " + magic, Engine: "accepted", Repair: repairEnd, Settled: true})
	}
	return off
}

// FootFields implements tree.Footer.
func (r *reading) FootFields(_ *source.Window, v *tree.Value, fields []span.Field) []span.Field {
	if gap := v.Tail - 4 - v.Foot; gap > 0 {
		fields = append(fields, span.Field{Span: span.Span{Offset: v.Foot, Length: gap}, Kind: span.Gap, Label: "gap"})
	}
	return append(fields, span.Field{Span: span.Span{Offset: v.Tail - 4, Length: 4}, Kind: span.Magic, Label: "magic"})
}

// Fields implements tree.Reading.
func (r *reading) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	w.SetBigEndian(r.head.big)
	l := span.Lister{Fields: fields, At: v.Start, Tail: v.Tail}
	if v.Layout >= tree.Sequence {
		l.Tail = v.Body
	}
	switch v.Type {
	case types.Record:
		if v.Sub != recordFile {
			l.Put(v.Head-v.Start, span.Gap, "gap")
			break
		}
		_ = l.Put(r.head.magic, span.Magic, "magic") && l.Put(4, span.Flags, labelOrder) && l.Put(4, span.Flags, "real64") &&
			l.Put(4, span.Version, "engine major") && l.Put(4, span.Version, "engine minor") && l.Put(4, span.Version, "format version")
	case types.List, types.Properties, r.strings:
		if parent.Type != types.Record {
			return r.values.Fields(w, parent, v, fields)
		}
		l.Put(l.Tail-l.At, span.Length, "count")
	default:
		if parent == nil || parent.Type != types.Record || v.Type == types.Entry {
			return r.values.Fields(w, parent, v, fields)
		}
		l.Put(l.Tail-l.At, leaves[v.Sub].kind, leaves[v.Sub].what)
	}
	return l.Fields
}

// labelOrder is the label of the word that gives the byte order. It is the only number without a byte
// order.
const labelOrder = "big-endian"

// AppendField implements tree.Reading.
func (r *reading) AppendField(dst []byte, w *source.Window, v *tree.Value, f span.Field) []byte {
	w.SetBigEndian(r.head.big)
	switch {
	case f.Label == labelOrder:
		return strconv.AppendBool(dst, r.head.big)
	case f.Kind == span.Flags && v.Type == types.Record, f.Kind == span.Version, f.Label == partFlags.what:
		return strconv.AppendUint(dst, uint64(w.U32(f.Offset)), 10)
	case f.Kind == span.Offset:
		return strconv.AppendUint(dst, w.U64(f.Offset), 10)
	case f.Label == partUID.what:
		return strconv.AppendInt(dst, int64(w.U64(f.Offset)), 10)
	case f.Kind == span.Magic:
		return tree.AppendText(dst, w, f.Span)
	}
	return r.values.AppendField(dst, w, v, f)
}

// TypeName implements tree.Reading.
func (r *reading) TypeName(v *tree.Value) string {
	switch v.Type {
	case types.Record:
		return recordNames[v.Sub]
	case types.Raw:
		return "resource file"
	}
	return r.values.TypeName(v)
}

// AppendType implements tree.TypeWriter. A resource is named by its class.
func (r *reading) AppendType(dst []byte, w *source.Window, v *tree.Value) []byte {
	if v.Type == types.Record && v.Damage == nil && v.Sub != recordEntry {
		w.SetBigEndian(r.head.big)
		class, path := r.printed(w, v)
		return append(dst, strings.TrimSuffix(class+" "+path, " ")...)
	}
	return append(dst, r.TypeName(v)...)
}

// AppendStep implements tree.Stepper.
func (r *reading) AppendStep(dst []byte, n *tree.Reader, parent *tree.Value, slot tree.Slot, key *tree.Value) []byte {
	n.Window().SetBigEndian(r.head.big)
	switch parent.Type {
	case types.Record:
		if p := r.partOf(parent, slot); p != nil {
			return append(append(dst, '.'), p.name...)
		}
		return dst
	case types.List:
		return tree.AppendIndexStep(dst, slot.Index)
	}
	return r.values.AppendStep(dst, n, parent, slot, key)
}

// Owner implements tree.Owner: components belong to their value, and parts without a name in the file to
// what contains them.
func (r *reading) Owner(v *tree.Value, around func(n int) *tree.Value) (up int) {
	parent := around(1)
	switch {
	case parent == nil || v.Damage != nil:
	case parent.Type == types.Record && (v.Type == types.Properties || isPart(v) && v.Type != types.List && v.Type != types.Entry || v.Type == types.Int32):
		up = 1
	case parent.Type == types.Record && v.Type == types.Int64 && leaves[v.Sub] != partUID:
		up = 1
	default:
		for parent != nil && parent.Layout == tree.Fixed && types.Of(parent.Type).Shape != types.ShapePacked {
			up++
			parent = around(up + 1)
		}
	}
	return up
}

// AppendOwner implements tree.Owner: the table is part of the resources.
func (r *reading) AppendOwner(dst, path []byte) []byte {
	if rest, ok := bytes.CutPrefix(path, []byte("$."+partTable.name)); ok {
		return append(append(dst, "$."+partResources.name...), rest...)
	}
	return append(dst, path...)
}

// Shortcut implements tree.Shortcutter: $.properties are those of the main resource, and the id of a
// resource is in the table.
func (r *reading) Shortcut(v *tree.Value, rest string) string {
	if v.Type != types.Record || v.Sub != recordFile {
		return rest
	}
	if strings.HasPrefix(rest, ".properties") && len(r.head.table) > 0 {
		return ".resources[" + strconv.Itoa(len(r.head.table)-1) + "]" + rest
	}
	if index, after, ok := strings.Cut(strings.TrimPrefix(rest, ".resources"), "]"); ok && len(index)+len(after)+1 < len(rest) && strings.HasPrefix(after, ".id") {
		return ".table" + index + "]" + after
	}
	return rest
}

// Start implements format.Starter: it is the main resource.
func (r *reading) Start() string {
	if len(r.head.table) == 0 {
		return ""
	}
	return "$.properties"
}

// isPart reports whether a value is of the file, not one that a property has.
func isPart(v *tree.Value) bool { return v.Type >= types.Record && v.Type <= types.Reserved }

// Look implements tree.Looker.
func (r *reading) Look(w *source.Window, v *tree.Value) tree.Look {
	if isPart(v) {
		return tree.Look{}
	}
	w.SetBigEndian(r.head.big)
	return r.values.Look(w, v)
}

// AppendMeaning implements tree.Meaner.
func (r *reading) AppendMeaning(dst []byte, w *source.Window, v *tree.Value) ([]byte, tree.Meaning) {
	w.SetBigEndian(r.head.big)
	switch v.Type {
	case types.Record, types.List:
		return dst, tree.Meaning{Compared: tree.List}
	case types.Reserved:
		return dst, tree.Meaning{Content: v.Span()}
	}
	return r.values.AppendMeaning(dst, w, v)
}

// AppendForm implements tree.Meaner.
func (r *reading) AppendForm(dst []byte, w *source.Window, v *tree.Value) []byte {
	w.SetBigEndian(r.head.big)
	return r.values.AppendForm(dst, w, v)
}

// KeyIdentity implements tree.Keyed.
func (r *reading) KeyIdentity(key *tree.Value, b []byte) []byte { return r.values.KeyIdentity(key, b) }

// RepeatedKey implements tree.Keyed.
func (r *reading) RepeatedKey(w *source.Window, key *tree.Value) span.Problem {
	return r.values.RepeatedKey(w, key)
}

// Edited implements tree.Learner.
func (r *reading) Edited(src source.Source, region span.Span) tree.Learner {
	return r.Format.open(src, region)
}

// Adopt implements tree.Learner: the head is read as a whole.
func (r *reading) Adopt(tree.Reading, span.Span, int64, uint32, uint32) {}

// Agrees implements tree.Learner.
func (r *reading) Agrees(was tree.Reading, _, _ int64) bool {
	a, b := r.head, was.(*reading).head
	return a.sum == b.sum && len(a.texts) == len(b.texts) && a.files == b.files && len(a.table) == len(b.table) && a.flags == b.flags && a.big == b.big
}

// Alike implements tree.Learner.
func (r *reading) Alike(was, is *tree.Value) bool { return was.Sub == is.Sub }

// Note implements tree.Learner.
func (r *reading) Note(*tree.Value) {}

// Kind implements tree.Learner.
func (r *reading) Kind(uint32) uint32 { return 0 }

// Family is Godot's binary resources.
var Family format.Family = family{}

type family struct{}

// A Format reads the files of an engine.
type Format struct {
	dialect  *types.Dialect
	declared bool // by the file
}

var formats = []*Format{{dialect: types.Resource4}, {dialect: types.Resource3}}

// infos describe the dialects, in the order of formats.
var infos = func() (all []*format.Dialect) {
	for _, f := range formats {
		d := f.dialect
		all = append(all, &format.Dialect{Name: d.Name, Format: "resource", Title: d.Title, About: d.About, Types: d.Types(), Generation: d.Generation(), Kin: "resources"})
	}
	return all
}()

// Name implements format.Family.
func (family) Name() string { return "resource" }

// Dialects implements format.Family.
func (family) Dialects() []*format.Dialect { return infos }

// Hints implements format.Family.
func (family) Hints() format.Hints {
	return format.Hints{
		Title:    "Godot resource",
		Literal:  `a literal: 42, 1.5, "text", true, [1, 2], { "k": 1 }, Vector2(1, 2), SubResource("id")`,
		Empty:    "null",
		Commands: "w   set 100   goto 0x1f4 or $.properties.name   quit",
	}
}

const magic = "RSRC"

// Sniff implements format.Family. The payload of an RSCC has no magic at its start.
func (family) Sniff(src source.Source, region span.Span) format.Claim {
	w := source.NewWindow(src)
	switch {
	case string(w.View(region.Offset, 4)) != magic && (region.Length <= leastSize || !isPlausible(w, region.Offset)):
		return format.None
	case string(w.View(region.End()-4, 4)) == magic:
		return format.Enclosed
	}
	return format.Signature
}

// leastSize is the size of the head of a file.
const leastSize = 40

// isPlausible reports whether the words at an offset can follow the magic.
func isPlausible(w *source.Window, off int64) bool {
	big := w.U32(off) != 0
	if word := w.U32(off); word != 0 && word != 1 && word != 1<<24 {
		return false
	}
	w.SetBigEndian(big)
	defer w.SetBigEndian(false)
	wide, major, minor, version, length := w.U32(off+4), w.U32(off+8), w.U32(off+12), w.U32(off+16), w.U32(off+20)
	return wide <= 1 && major-1 < 4 && minor < 100 && version < 100 && length-1 < 200 && w.Byte(off+23+int64(length)) == 0 && w.Byte(off+24) >= 'A'
}

// Formats implements format.Family: the file says which engine it is of.
func (family) Formats(r *format.Request, src source.Source, region span.Span) []format.Format {
	if r.Framing != "" && r.Framing != "raw" || r.Double {
		return nil
	}
	h := readHead(src, region)
	for _, f := range formats {
		declared := f.dialect == h.dialect()
		if r.Dialect == f.dialect.Name || r.Dialect == "" && declared {
			return []format.Format{&Format{f.dialect, declared}}
		}
	}
	return nil
}

// Info implements format.Format.
func (f *Format) Info() format.Info {
	i := format.Info{Framing: "raw", Declared: f.declared}
	for _, d := range infos {
		if d.Name == f.dialect.Name {
			i.Dialect = d
		}
	}
	return i
}

// Open implements format.Format.
func (f *Format) Open(src source.Source, region span.Span) tree.Reading { return f.open(src, region) }

package convert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/value/notation"
)

// A File is the content of a file of resources, apart from how it is stored.
type File struct {
	Target           // form in which it is stored
	Class     string // class of the main resource
	Script    string // class_name of its script; "" if there is none
	UID       int64  // -1 if there is none
	Wide      bool   // components have 64 bits
	External  []External
	Resources []Resource // the main one is the last
}

// A Target is how a file of resources is to be stored.
type Target struct {
	Engine *types.Dialect // dialect of the literals of values: Text3 or Text4
	Binary bool
}

// An External is another file that a file refers to.
type External struct {
	ID, Class, Path string
	UID             int64
}

// A Resource is one of those in a file.
type Resource struct {
	ID, Class  string
	Path       string                        // path of its properties in the tree
	Properties iter.Seq2[string, *tree.Node] // with their names
}

// A Filer is a reading of a file of resources.
type Filer interface {
	// File returns the content of the file. Its properties are read as they are asked for.
	File(r *tree.Reader) (*File, error)
}

// An Output stores the properties of resources in another form.
type Output interface {
	// Name begins a property. It returns false if none can have the name.
	Name(name string) bool
	// Value stores the value of the property, an element, a key or its value. The literal is a part of the text.
	Value(l *literal.Literal, text string) error
	// Open begins an Array, an array of strings, or a Dictionary, whose keys and values alternate. It lasts until Close.
	Open(kind types.ID)
	Close() error
}

// A FileConverter changes the content of a file to what another one can hold.
type FileConverter struct {
	*File
	losses
	to   Target
	ctx  context.Context
	r    *tree.Reader
	Seen map[types.ID]bool    // types of values that were written
	refs [2]map[string]string // new ids of external and internal resources by those in the file
}

// Files writes the file that r reads in another form. write gets its content with the new ids, and the
// properties one by one.
func Files(ctx context.Context, r *tree.Reader, q *format.ConvertRequest, to Target, write func(*FileConverter) error) error {
	x, ok := r.Tree.Reading.(Filer)
	switch {
	case !ok:
		return errors.New("only files of resources (.res and .tres) can be converted to this")
	case q.Lost == format.Described:
		return errors.New("a file of resources cannot have dictionaries in place of values: use --drop or --as-null")
	case q.Framing != "" || q.Bits != 0 || q.StringNames:
		return errors.New("framing, width and names cannot be chosen for files of resources")
	}
	if err := whole(ctx, r); err != nil {
		return err
	}
	f, err := x.File(r)
	if err != nil {
		return err
	}
	c := &FileConverter{File: f, losses: losses{q: q}, to: to, ctx: ctx, r: r, Seen: map[types.ID]bool{}}
	switch {
	case len(f.Resources) == 0:
		return errors.New("there is no resource in this file")
	case f.Target == to:
		return errors.New("the file already has this dialect")
	case f.Engine == to.Engine:
	case to.Engine != types.Text4:
		return errors.New("resources of Godot 4 cannot be converted to Godot 3")
	case f.Class == "PackedScene":
		return errors.New("a scene of Godot 3 is converted by Godot 4 itself, with all its project; resources are converted here")
	default:
		c.upgrade()
	}
	c.number()
	if err := write(c); err != nil {
		return err
	}
	if c.stops.Count > 0 {
		c.stops.Undescribed = true
		return &c.stops
	}
	return ctx.Err()
}

// CodeIndex is the code of an index or id that is missing in a table. What has it can be left out.
const CodeIndex = "bad-index"

// whole returns an error for the first value that cannot be read.
func whole(ctx context.Context, r *tree.Reader) (bad error) {
	err := r.Tree.Check(ctx, tree.CheckOptions{Workers: 1}, func(p span.Problem, n *tree.Node) {
		if p.Severity == span.Error && p.Code != span.EngineRefuses && p.Code != CodeIndex && bad == nil {
			bad = fmt.Errorf("%s: %s; a damaged file is not converted, repair it first", r.Path(n), p.Message)
		}
	})
	return cmp.Or(err, bad)
}

// upgrade gives the classes of Godot 3 the names that they have in Godot 4.
func (c *FileConverter) upgrade() {
	class := func(name, path string) string {
		switch to, ok := renamed()[name]; {
		case ok:
			c.note(path, name, fmt.Sprintf("the class %s is called %s", name, to))
			return to
		}
		return name
	}
	main := len(c.Resources) - 1
	for i := range c.External {
		c.External[i].Class = class(c.External[i].Class, fmt.Sprintf("$.external[%d]", i))
	}
	for i := range c.Resources {
		x := &c.Resources[i]
		path := strings.TrimSuffix(x.Path, ".properties")
		if x.Class != "Resource" {
			c.note(path, x.Class, "Godot 4 leaves out the properties of a "+x.Class+" that it has under other names or not at all")
		}
		x.Class = class(x.Class, path)
	}
	c.Class = c.Resources[main].Class
}

// number gives all resources ids that are valid in the other file. In text, the main one has none.
func (c *FileConverter) number() {
	c.refs = [2]map[string]string{{}, {}}
	for i := range c.External {
		x, id := &c.External[i], strconv.Itoa(i)
		if !c.to.Binary {
			id = strconv.Itoa(i + 1)
		}
		c.refs[0][x.ID], x.ID = id, id
	}
	used := map[string]bool{"": true}
	fresh := []int{len(c.Resources) - 1}
	for i := range c.Resources[:fresh[0]] {
		id := c.Resources[i].ID
		if _, err := strconv.ParseUint(id, 10, 31); used[id] || strings.Contains(id, "://") || err != nil && c.to.Engine == types.Text3 {
			fresh = append(fresh, i)
			continue
		}
		used[id] = true
		c.refs[1][id] = id
	}
	for _, i := range append(fresh[1:], fresh[0]) { // the main one last
		x := &c.Resources[i]
		id := FreshID(x.Class, c.to.Engine == types.Text3, used)
		if used[id] = true; c.refs[1][x.ID] == "" && i < fresh[0] {
			c.refs[1][x.ID] = id
		}
		x.ID = id
	}
}

// FreshID returns an unused id for a resource: a number, or an id like those that Godot 4 makes.
func FreshID(class string, isNumber bool, used map[string]bool) string {
	highest := int64(0)
	for id := range used {
		if n, err := strconv.ParseInt(id, 10, 31); err == nil {
			highest = max(highest, n)
		}
	}
	if isNumber {
		return strconv.FormatInt(highest+1, 10)
	}
	const letters = 36 * 36 * 36 * 36 * 36
	for n := uint64(len(used)); ; n++ {
		digits := strconv.FormatUint((n+1)*0x9e3779b97f4a7c15>>20%letters, 36)
		if id := class + "_" + strings.Repeat("0", max(0, 5-len(digits))) + digits; !used[id] {
			return id
		}
	}
}

// Properties gives the properties of a resource, as the other file has them, to an output, up to the first error.
func (c *FileConverter) Properties(r *Resource, out Output) error {
	for name, n := range r.Properties {
		path := tree.AppendTextStep([]byte(r.Path), []byte(name))
		f := &feeder{FileConverter: c, out: out, name: name, path: string(path), open: []entry{{}}}
		switch is3 := c.Engine != c.to.Engine; {
		case is3 && name == "__meta__" && c.r.Tree.Reading.TypeName(&n.Value) == "Dictionary":
			f.isMeta = true
		case is3 && strings.HasPrefix(name, "shader_param/"):
			f.name = "shader_parameter/" + name[len("shader_param/"):]
		}
		if tree.Visit(c.r, &n.Value, f); f.err != nil {
			return f.err
		}
	}
	return nil
}

// A feeder gives a property to an output, value by value as it is shown them. In the Dictionary in which Godot 3 keeps metadata
// it makes a property of each entry.
type feeder struct {
	*FileConverter
	out    Output
	name   string // of the property
	path   string
	isMeta bool
	slot   tree.Slot
	open   []entry // the property itself, and the containers that are open
	text   []byte
	err    error
}

// An entry is what is visited in an open container.
type entry struct {
	index    int64
	kind     types.ID        // of the container
	key      literal.Literal // as the other file has it
	original literal.Literal
	text     string // of the key
	isLost   bool   // the key is left out, and its value with it
}

// here returns the path of what is visited.
func (f *feeder) here() string {
	path := f.path
	for i := range f.open[1:] {
		switch e := &f.open[1+i]; {
		case e.kind != types.Dictionary:
			path += "[" + strconv.FormatInt(e.index, 10) + "]"
		case e.original.Kind == types.String:
			path = string(tree.AppendTextStep([]byte(path), e.original.Text))
		default:
			path += "[" + e.text + "]"
		}
	}
	return path
}

// Before implements tree.Visitor.
func (f *feeder) Before(slot tree.Slot) {
	f.slot = slot
	f.open[len(f.open)-1].index = slot.Index
}

// Full implements tree.Visitor.
func (f *feeder) Full() bool {
	f.err = cmp.Or(f.err, f.ctx.Err())
	return f.err != nil
}

// Open implements tree.Visitor. Keys and all that is neither an Array, an array of strings nor a Dictionary are taken as a whole.
func (f *feeder) Open(v *tree.Value) bool {
	name := f.r.Tree.Reading.TypeName(v)
	kind, brackets := types.Array, "[]"
	if t, _ := f.Engine.TypeNamed(name); t == types.Dictionary {
		kind, brackets = t, "{}"
	} else if types.Of(t).Shape == types.ShapeStrings {
		kind = t
	}
	if f.slot.Key || name != types.Of(kind).Name {
		f.Atom(v)
		return false
	}
	l := literal.Literal{Kind: kind, Parts: &literal.Parts{}}
	if typ := string(f.r.Tree.AppendType(nil, f.r.Window(), v)); typ != name {
		l, f.err = literal.Parse(f.Engine, typ+"("+brackets+")")
	}
	switch {
	case f.err != nil:
		return false
	case !f.isMeta || len(f.open) > 1:
		if !f.begin(&l, "") {
			return false
		}
		f.out.Open(l.Kind)
	}
	f.open = append(f.open, entry{kind: kind})
	return true
}

// Close implements tree.Visitor.
func (f *feeder) Close() {
	if !f.makesProperties() {
		f.err = cmp.Or(f.err, f.out.Close())
	}
	f.open = f.open[:len(f.open)-1]
}

// Atom implements tree.Visitor.
func (f *feeder) Atom(v *tree.Value) {
	f.text = f.r.AppendLiteral(f.text[:0], v, notation.MaxText)
	text := string(f.text)
	l, err := literal.Parse(f.Engine, text)
	switch {
	case err != nil:
	case f.slot.Key:
		f.key(l, text)
	case f.begin(&l, text):
		err = f.out.Value(&l, text)
	}
	if err != nil {
		f.err = fmt.Errorf("%s: %w", f.here(), err)
	}
}

// key keeps the key of an entry until it is known whether its value is left out.
func (f *feeder) key(l literal.Literal, text string) {
	e := &f.open[len(f.open)-1]
	e.key, e.original, e.text = l, l, text
	e.isLost = !f.makesProperties() && !f.fit(&e.key, f.here, text)
}

// makesProperties reports whether the entries that are visited become properties.
func (f *feeder) makesProperties() bool { return f.isMeta && len(f.open) == 2 }

// begin stores what precedes a value: the name of its property, or its key. It returns false if the value is left out.
func (f *feeder) begin(l *literal.Literal, text string) bool {
	e := &f.open[len(f.open)-1]
	if f.makesProperties() {
		name := textOf(&e.original)
		if !tree.IsIdentifier(name) {
			f.lose(l, f.here(), "Godot 4 has metadata only under names of letters and digits")
			return false
		}
		f.name = "metadata/" + string(name)
	}
	typ := l.TypeText()
	switch {
	case types.Of(e.kind).Shape == types.ShapeStrings:
		return true
	case e.isLost, !f.fit(l, f.here, text):
		return false
	case len(f.open) == 1, f.makesProperties():
		if !f.out.Name(f.name) {
			f.unnamed(f.here(), typ)
			return false
		}
	case e.kind == types.Dictionary:
		f.err = f.out.Value(&e.key, e.text)
	}
	return f.err == nil
}

// unnamed reports a property whose name is not valid in the other file.
func (c *FileConverter) unnamed(path, typ string) {
	outcome := c.q.Lost
	if outcome == format.Nulled {
		outcome = format.Stops
	}
	c.report(format.Loss{Path: path, Type: typ, Reason: c.to.Engine.Title + " has no property of this name", Outcome: outcome})
}

func textOf(l *literal.Literal) []byte {
	if l.Parts == nil {
		return nil
	}
	return l.Text
}

// fit changes a value, whose path is what a function returns, to what the other file can hold. It returns false if the value is
// left out.
func (c *FileConverter) fit(l *literal.Literal, path func() string, text string) bool {
	if reason := c.reason(l, text); reason != "" {
		return c.lose(l, path(), reason)
	}
	t := types.Of(l.Kind)
	to, _ := c.to.Engine.TypeNamed(t.Name)
	c.Seen[to] = true
	switch l.Kind = to; t.Shape {
	case types.ShapeReference:
		l.Text = []byte(c.refs[l.Kind-types.ExtResource][string(l.Text)])
	case types.ShapeArray, types.ShapeDict: // a key
		c.untype(l, path)
		for i := range l.Children {
			if !c.fit(&l.Children[i], path, text) {
				return false
			}
		}
	}
	return true
}

// untype makes a typed container an untyped one, if the file has no typed ones.
func (c *FileConverter) untype(l *literal.Literal, path func() string) {
	if none := (types.ContainerType{}); c.to.Binary && (l.Elem != none || l.Value != none) {
		c.note(path(), l.TypeText(), "its type is not stored in the file; the engine knows it if the property has it")
		l.Elem, l.Value = none, none
	}
}

// reason returns why a value has no counterpart; "" if it has one.
func (c *FileConverter) reason(l *literal.Literal, text string) string {
	switch types.Of(l.Kind).Shape {
	case types.ShapeReference:
		if l.Kind == types.Resource {
			return "a file refers to others by its table, not by a path in a value"
		} else if c.refs[l.Kind-types.ExtResource][string(l.Text)] == "" {
			return "it refers to a resource that is not in the file"
		}
	case types.ShapeObject:
		if l.Whole || l.ByID {
			return "an object in a file of resources must be a resource"
		}
	}
	if c.to.Binary {
		if types.Of(l.Kind).Shape == types.ShapePath {
			if _, err := literal.SplitPath(l); err != nil {
				return "a part of this path is empty"
			}
		}
		return ""
	}
	return c.unspelled(l, text)
}

// unspelled returns why a value cannot be written as text; "" if it can.
func (c *FileConverter) unspelled(l *literal.Literal, text string) string {
	t, is3 := types.Of(l.Kind), c.to.Engine == types.Text3
	switch t.Shape {
	case types.ShapeRID:
		if is3 {
			return c.to.Engine.Title + " has no RID"
		}
	case types.ShapeFixed, types.ShapePacked:
		isNaN := func(x literal.Literal) bool { return x.Kind == types.Float && text[x.At:x.End] == "nan" }
		if is3 && slices.ContainsFunc(l.Children, isNaN) {
			return c.to.Engine.Title + " reads no nan in a " + t.Name
		}
	case types.ShapeText:
		if slices.Contains(l.Text, 0) {
			return "a text ends at its first NUL"
		}
	}
	return ""
}

// note reports what is written as something that means nearly the same.
func (c *FileConverter) note(path, typ, reason string) {
	c.report(format.Loss{Path: path, Type: typ, Reason: reason, Outcome: format.Changed})
}

// lose reports a value without a counterpart. It makes the value null, or returns false if it is left out.
func (c *FileConverter) lose(l *literal.Literal, path, reason string) bool {
	outcome := c.report(format.Loss{Path: path, Type: l.TypeText(), Reason: reason, Outcome: c.q.Lost})
	*l = literal.Literal{}
	return outcome == format.Nulled
}

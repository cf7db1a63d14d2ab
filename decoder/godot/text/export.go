package text

import (
	"errors"
	"slices"

	"varview/decoder/godot/internal/types"
	"varview/decoder/textual"
	"varview/decoder/tree"
)

// An exporter writes the parts of a file as JSON, in the form of resources.
type exporter struct {
	*composer
	r     *tree.Reader
	class string // class of the main resource
	joins bool   // the next list continues the previous one
	some  bool   // tags of it have been
}

// each calls f for the children of a part, with the names of their keys.
func (x *exporter) each(n *tree.Node, f func(i int, name string, c *tree.Node)) {
	c, err := x.r.Child(n, 0)
	for i := 0; err == nil && !x.Full(); i++ {
		name := ""
		if key := x.r.Key(c); key != nil && key.Damage == nil {
			name = x.textOf(x.w, &key.Value)
		}
		f(i, name, c)
		c, err = x.r.Next(c)
	}
}

// Levels of parts. Attributes of resources are plain; all other values have their types.
var (
	ofParts = &types.Type{Shape: types.ShapeRecord}
	plain   = &types.Type{Shape: types.ShapeRecord}
)

// any writes a part of a file, or a value.
func (x *exporter) any(n *tree.Node) {
	switch {
	case textual.IsBuffer(&n.Value): // an empty ConfigFile
		x.Put(`{"type":"ConfigFile","sections":[]}`)
	case n.Inner == inFile:
		x.file(n)
	default:
		tree.Visit(x.r, &n.Value, x)
	}
}

// Open implements tree.Visitor. The main resource has the type of the file and no id.
func (x *exporter) Open(v *tree.Value) bool {
	o, is, some := tree.Brackets{Comma: ",", Colon: ":", Close: "}"}, ofParts, true
	switch v.Inner {
	case 0, inVectors:
		return x.composer.Open(v)
	case inList, inSections:
		o, is, some = tree.Brackets{Comma: ","}, nil, x.joins && x.some
		if !x.joins {
			x.Put("[")
			o.Close = "]"
		}
		x.joins = false
	case inConfig:
		x.Put(`{"type":"ConfigFile"`)
	case inBare:
		x.Put(`{"name":""`)
	case inTag:
		x.Put("{")
		if some = false; v.Rows <= kindResources {
			is = plain
		}
		if v.Rows == kindResources {
			some = x.identify(v)
		}
	default:
		x.Put("{")
		some = false
	}
	x.Begin(o, is)
	x.Top().Some = some
	return true
}

// identify writes the id and the type of a resource whose tag has none. It reports whether there is one.
func (x *exporter) identify(v *tree.Value) bool {
	is := tagAt(x.w, v)
	class, id := is["type"], is["id"]
	switch {
	case class == "":
		x.Put(`"id":"","type":`)
		x.Dst = tree.AppendQuoted(x.Dst, []byte(x.class))
	case id == "":
		x.Put(`"id":""`)
	}
	return class == "" || id == ""
}

// Atom implements tree.Visitor.
func (x *exporter) Atom(v *tree.Value) {
	switch o := x.Top(); {
	case o == nil || o.Of == nil || o.Of.Shape != types.ShapeRecord || v.Damage != nil && !o.Key:
		x.composer.Atom(v)
	case o.Key && v.Damage != nil:
		x.Put(`""`)
	case o.Key || o.Of == plain || idOf(v) == types.Name:
		x.plain(v, o.Of == plain)
	default:
		x.composer.Atom(v)
	}
}

// plain writes a text or number as JSON has it; asText makes numbers texts.
func (x *exporter) plain(v *tree.Value, asText bool) {
	switch s := x.Describe(x.w, v); {
	case v.Damage != nil:
		x.damaged(v.Damage.Code)
	case s.Kind == tree.Text:
		x.quote(&s)
	case s.Kind == tree.Int && asText:
		x.Put(`"` + string(s.AppendNumber(nil)) + `"`)
	default:
		x.Dst = s.AppendNumber(x.Dst)
	}
}

// file writes a .tres or .tscn.
func (x *exporter) file(n *tree.Node) {
	lists := map[string][]*tree.Node{}
	isScene := string(fileStart.FindSubmatch(x.w.View(n.Head, n.Body-n.Head))[1]) == "gd_scene"
	x.Put("{")
	if isScene {
		x.class = "PackedScene"
		x.Put(`"type":"PackedScene",`)
	}
	x.each(n, func(_ int, name string, c *tree.Node) {
		switch {
		case c.Inner == inList:
			lists[name] = append(lists[name], c)
		case name != "load_steps":
			if name == "type" && !isScene && c.Damage == nil {
				x.class = x.textOf(x.w, &c.Value)
			}
			x.Put(`"` + name + `":`)
			x.plain(&c.Value, false)
			x.Put(",")
		}
	})
	shown := partNames[:kindNodes]
	if isScene {
		shown = partNames[:kindEditable]
	}
	for i, name := range partNames[:kindOther+1] {
		if !slices.Contains(shown, name) && len(lists[name]) == 0 {
			continue
		}
		if i > 0 {
			x.Put(",")
		}
		x.Put(`"` + name + `":[`)
		for i, list := range lists[name] {
			x.joins, x.some = true, i > 0
			x.any(list)
		}
		x.Put("]")
	}
	x.Put("}")
}

var errNoPart = errors.New("this part of a file cannot be changed as a whole; change its values")

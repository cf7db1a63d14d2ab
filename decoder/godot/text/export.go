package text

import (
	"errors"
	"slices"

	"varview/decoder/textual"
	"varview/decoder/tree"
)

// An exporter writes the parts of a file as JSON, in the form of resources.
type exporter struct {
	*composer
	r *tree.Reader
}

// each calls f for the children of a part, with the names of their keys.
func (x *exporter) each(n *tree.Node, f func(i int, name string, c *tree.Node)) {
	c, err := x.r.Child(n, 0)
	for i := 0; err == nil && !x.Full(); i++ {
		name := ""
		if key := x.r.Key(c); key != nil && key.Damage == nil {
			s := x.Describe(x.w, &key.Value)
			if name = string(s.Own); s.Own == nil {
				name = string(all(x.w, s.Span))
			}
		}
		f(i, name, c)
		c, err = x.r.Next(c)
	}
}

// any writes a part of a file, or a value.
func (x *exporter) any(n *tree.Node) {
	switch {
	case textual.IsBuffer(&n.Value): // an empty ConfigFile
		x.Put(`{"type":"ConfigFile","sections":[]}`)
	case n.Inner == inFile:
		x.file(n)
	case n.Inner == inConfig:
		x.Put(`{"type":"ConfigFile","sections":`)
		sections, err := x.r.Child(n, 0)
		if err == nil {
			x.list(sections, "")
		} else {
			x.Put("[]")
		}
		x.Put("}")
	case n.Inner == inList || n.Inner == inSections:
		x.list(n, "")
	case n.Inner == inTag:
		x.tag(n, "")
	case n.Inner == inSection || n.Inner == inBare:
		x.section(n)
	case n.Inner == inProperties:
		x.properties(n)
	default:
		tree.Visit(x.r, &n.Value, x.composer)
	}
}

func (x *exporter) name(s string) {
	x.Dst = append(tree.AppendQuoted(x.Dst, []byte(s)), ':')
}

// list writes tags or sections. class is the type of the main resource.
func (x *exporter) list(n *tree.Node, class string) {
	x.Put("[")
	x.items(n, class, 0)
	x.Put("]")
}

// items writes the tags of a list behind others.
func (x *exporter) items(n *tree.Node, class string, before int) (count int) {
	x.each(n, func(i int, _ string, c *tree.Node) {
		if i+before > 0 {
			x.Put(",")
		}
		if c.Inner == inTag {
			x.tag(c, class)
		} else {
			x.any(c)
		}
		count++
	})
	return count
}

func (x *exporter) properties(n *tree.Node) {
	x.Put("{")
	x.each(n, func(i int, name string, c *tree.Node) {
		if i > 0 {
			x.Put(",")
		}
		x.name(name)
		tree.Visit(x.r, &c.Value, x.composer)
	})
	x.Put("}")
}

func (x *exporter) section(n *tree.Node) {
	x.Put("{")
	if n.Inner == inBare {
		x.Put(`"name":"",`)
	}
	x.each(n, func(i int, name string, c *tree.Node) {
		if i > 0 {
			x.Put(",")
		}
		if x.name(name); name == "name" {
			x.plain(c)
		} else {
			x.properties(c)
		}
	})
	x.Put("}")
}

// plain writes a text or number as JSON has it; asText makes numbers texts.
func (x *exporter) plain(c *tree.Node) {
	if c.Damage != nil {
		x.damaged(c.Damage.Code)
		return
	}
	if s := x.Describe(x.w, &c.Value); s.Kind == tree.Text {
		x.quote(&s)
	} else {
		x.literal(&s)
	}
}

// id writes an id as a text.
func (x *exporter) id(c *tree.Node) {
	if s := x.Describe(x.w, &c.Value); s.Kind == tree.Int && c.Damage == nil {
		x.Put(`"` + string(s.AppendNumber(nil)) + `"`)
		return
	}
	x.plain(c)
}

// tag writes a tag. Attributes of resources are plain, those of nodes and connections values. The main
// resource has the type of the file and no id.
func (x *exporter) tag(n *tree.Node, class string) {
	x.Put("{")
	var seen []string
	if n.Rows == kindResources {
		if names := x.names(n); !slices.Contains(names, "type") {
			x.Put(`"id":"","type":`)
			x.Dst = tree.AppendQuoted(x.Dst, []byte(class))
			seen = names[:0:0]
			seen = append(seen, "type")
		} else if !slices.Contains(names, "id") {
			x.Put(`"id":""`)
			seen = append(seen, "id")
		}
	}
	x.each(n, func(_ int, name string, c *tree.Node) {
		if len(seen) > 0 {
			x.Put(",")
		}
		seen = append(seen, name)
		x.name(name)
		switch {
		case c.Inner == inProperties:
			x.properties(c)
		case n.Rows == kindExternal || n.Rows == kindResources:
			x.id(c)
		default:
			tree.Visit(x.r, &c.Value, x.composer)
		}
	})
	x.Put("}")
}

// names returns the names of attributes.
func (x *exporter) names(n *tree.Node) (names []string) {
	x.each(n, func(_ int, name string, _ *tree.Node) { names = append(names, name) })
	return names
}

// file writes a .tres or .tscn.
func (x *exporter) file(n *tree.Node) {
	lists := map[string][]*tree.Node{}
	class := ""
	isScene := string(fileStart.FindSubmatch(x.w.View(n.Head, n.Body-n.Head))[1]) == "gd_scene"
	x.Put("{")
	if isScene {
		class = "PackedScene"
		x.Put(`"type":"PackedScene",`)
	}
	x.each(n, func(_ int, name string, c *tree.Node) {
		switch s := (tree.Scalar{}); {
		case c.Inner == inList:
			lists[name] = append(lists[name], c)
		case name != "load_steps":
			if name == "type" && !isScene && c.Damage == nil {
				s = x.Describe(x.w, &c.Value)
				class = string(s.View(x.w, 0, s.Len()))
			}
			x.name(name)
			x.plain(c)
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
		x.name(name)
		x.Put("[")
		count := 0
		for _, list := range lists[name] {
			count += x.items(list, class, count)
		}
		x.Put("]")
	}
	x.Put("}")
}

var errNoPart = errors.New("this part of a file cannot be changed as a whole; change its values")

package text

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"varview/decoder/format"
	"varview/decoder/godot/internal/convert"
	"varview/decoder/godot/internal/types"
	"varview/decoder/textual"
	"varview/decoder/tree"
)

var (
	_ format.Converter = converter{}
	_ convert.Filer    = (*reading)(nil)
)

// A converter is the family to which files of resources are converted.
type converter struct{ textual.Family }

// texts returns the attributes of a part of a file as texts, and its lists and properties by their names.
func (x *exporter) texts(n *tree.Node) (texts map[string]string, parts map[string]*tree.Node) {
	texts, parts = map[string]string{}, map[string]*tree.Node{}
	x.each(n, func(_ int, name string, c *tree.Node) {
		if c.Inner != 0 {
			parts[name] = c
		} else {
			texts[name] = x.textOf(x.w, &c.Value)
		}
	})
	return texts, parts
}

// File implements convert.Filer.
func (r *reading) File(n *tree.Reader) (*convert.File, error) {
	root, err := n.Child(n.Tree.Base, 0)
	if err != nil || root.Inner != inFile {
		return nil, errors.New("only files of resources are converted, and this is a value")
	}
	x := exporter{composer: &composer{reading: r, w: n.Window(), nest: nest{Writer: tree.NewLiteral(nil, math.MaxInt32)}}, r: n}
	head, lists := x.texts(root)
	if head["type"] == "" {
		return nil, errors.New("a scene as text is not converted: Godot itself saves it as .scn")
	}
	f := &convert.File{Target: convert.Target{Engine: r.engine}, Class: head["type"], Script: head["script_class"]}
	if f.UID, err = convert.ParseUID(head["uid"]); err != nil {
		return nil, err
	}
	for i, name := range partNames[:kindNodes] {
		if lists[name] == nil {
			continue
		}
		x.each(lists[name], func(index int, _ string, tag *tree.Node) {
			is, parts := x.texts(tag)
			if i == kindExternal {
				uid, bad := convert.ParseUID(is["uid"])
				f.External = append(f.External, convert.External{ID: is["id"], Class: is["type"], Path: is["path"], UID: uid})
				err = errors.Join(err, bad)
				return
			}
			if is["type"] == "" {
				is["type"] = f.Class
			}
			f.Resources = append(f.Resources, convert.Resource{ID: is["id"], Class: is["type"], Path: fmt.Sprintf("$.%s[%d].properties", name, index),
				Properties: func(yield func(string, string) bool) { x.eachProperty(parts["properties"], yield) }})
		})
	}
	return f, errors.Join(err, n.Window().Err())
}

// eachProperty calls f with the names and the literals of properties.
func (x *exporter) eachProperty(list *tree.Node, f func(name, text string) bool) {
	if list == nil {
		return
	}
	more := true
	x.each(list, func(_ int, name string, c *tree.Node) {
		more = more && f(name, convert.LiteralOf(x.reading, x.r, &c.Value))
	})
}

// Convert implements format.Converter.
func (converter) Convert(ctx context.Context, r *tree.Reader, q *format.ConvertRequest, out io.Writer) error {
	to := types.Text4
	if q.Dialect == types.Text3.Name {
		to = types.Text3
	}
	return convert.Files(ctx, r, q, convert.Target{Engine: to}, func(c *convert.FileConverter) error {
		w := bufio.NewWriter(out)
		if err := (speller{to}).file(c, w); err != nil {
			return err
		}
		return w.Flush()
	})
}

// file writes a file of resources as the engine does.
func (s speller) file(c *convert.FileConverter, w *bufio.Writer) error {
	text := func(s string) string {
		if s == "" {
			return ""
		}
		return string(quote([]byte(s), false))
	}
	id, format, steps := text, "3", ""
	if s.isOld() {
		id, format = func(id string) string { return id }, "2"
	}
	if n := len(c.External) + len(c.Resources); n > 1 {
		steps = strconv.Itoa(n)
	}
	tag(w, "gd_resource", "type", text(c.Class), "script_class", text(c.Script), "load_steps", steps, "format", format, "uid", text(convert.FormatUID(c.UID)))
	w.WriteString("\n")
	for _, x := range c.External {
		tag(w, "ext_resource", "type", text(x.Class), "uid", text(convert.FormatUID(x.UID)), "path", text(x.Path), "id", id(x.ID))
	}
	if len(c.External) > 0 {
		w.WriteString("\n")
	}
	for i := range c.Resources {
		x := &c.Resources[i]
		if i == len(c.Resources)-1 {
			tag(w, "resource")
		} else {
			tag(w, "sub_resource", "type", text(x.Class), "id", id(x.ID))
		}
		if err := c.Properties(x, func(p *convert.Property) error {
			line, err := s.line([]byte(p.Name), " = ", &p.Value, p.Text)
			switch {
			case errors.Is(err, errNoName):
				c.Unnamed(p)
				return nil
			case err != nil:
				return p.Value.Errorf("%s has no spelling of this", s.Title)
			}
			_, err = fmt.Fprintln(w, line)
			return err
		}); err != nil {
			return err
		}
		if i < len(c.Resources)-1 {
			w.WriteString("\n")
		}
	}
	return nil
}

// tag writes the line of a tag with those of its attributes that there are.
func tag(w *bufio.Writer, name string, attributes ...string) {
	w.WriteString("[" + name)
	for pair := range slices.Chunk(attributes, 2) {
		if pair[1] != "" {
			w.WriteString(" " + pair[0] + "=" + pair[1])
		}
	}
	w.WriteString("]\n")
}

package text

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/convert"
	"varview/decoder/formats/godot/internal/types"
)

// A converter is the family to which files of resources are converted.
type converter struct{ textual.Family }

// File implements convert.Filer.
func (r *reading) File(n *tree.Reader) (*convert.File, error) {
	if !r.isFile() {
		return nil, errors.New("only files of resources are converted, and this is a value")
	}
	f, err := convert.ReadFile(n, convert.Target{Engine: r.engine})
	if err == nil && f.Class == "" {
		err = errors.New("a scene as text is not converted: Godot itself saves it as .scn")
	}
	return f, err
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
			line, err := s.line(aFile, []byte(p.Name), &p.Value, p.Text)
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

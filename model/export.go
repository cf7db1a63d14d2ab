package model

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"varview/decoder/format"
	"varview/decoder/source"
	"varview/decoder/tree"
	"varview/internal/lineender"
)

// A Form is how values are exported.
type Form uint8

// The forms.
const (
	AsJSON  Form = iota // that of the family
	AsText              // the notation that is typed
	AsTyped             // JSON that loses nothing, of a family whose usual form does
)

// Export writes all values as they are now.
func (d *Document) Export(ctx context.Context, out io.Writer, form Form) error {
	done, err := d.Use()
	if err != nil {
		return err
	}
	defer done()
	if d.Missing != nil {
		return fmt.Errorf("there are no values: %s", d.WhyMissing().Message)
	}
	t := d.Innermost().Tree()
	if err := t.BuildIndex(ctx); err != nil { // with which references are written as paths
		return err
	}
	buffered := bufio.NewWriterSize(out, 1<<16)
	lines := &lineender.Writer{W: buffered}
	if err := writeValues(ctx, lines, t, form); err != nil {
		return err
	}
	return errors.Join(lines.End(), buffered.Flush())
}

// writeValues writes the values of a tree.
func writeValues(ctx context.Context, out io.Writer, t *tree.Tree, form Form) (err error) {
	r := t.NewReader()
	switch typed, ok := t.Reading.(format.TypedWriter); {
	case form == AsText:
		err = r.WriteLines(ctx, out)
	case form == AsTyped && !ok:
		return fmt.Errorf("--typed is for Elephant; the usual form loses nothing here")
	case form == AsTyped:
		err = typed.WriteTyped(ctx, out, r, &t.Base.Value)
	default:
		err = r.WriteJSON(ctx, out, &t.Base.Value)
	}
	if err == nil {
		err = r.Window().Err()
	}
	return err
}

// OpenOther opens another file with the options of this one, but for those that say what this one
// is.
func (d *Document) OpenOther(ctx context.Context, p *Progress, path string) (*Document, error) {
	o := d.Options()
	o.Dialect, o.Framing, o.Input, o.Double, o.Offset, o.Length = "", "", "", false, 0, 0
	src, err := source.OpenFile(path)
	if err != nil {
		return nil, err
	}
	return OpenSource(ctx, src, path, o, p)
}

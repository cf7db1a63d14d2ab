package decoder

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"varview/decoder/engine/format"
)

// ImportOptions control how values are written.
type ImportOptions struct {
	Dialect   string // name as in Dialects; "" if the values declare it
	Framing   string // "raw", "stream" or "sequence"; "" for raw
	Double    bool   // numbers of a double-precision build, which are not marked
	BigEndian bool   // frame lengths are big-endian
	Form      format.Form

	// Schemas, if set, returns the schemas of constructors, for values that do not contain what a schema
	// leaves open.
	Schemas func() []format.Schemas
}

// Check returns an error for options with which no values can be written.
func (o *ImportOptions) Check() error {
	if err := (&Options{Dialect: o.Dialect, Framing: o.Framing, Double: o.Double}).Check(); err != nil {
		return err
	}
	if o.BigEndian && o.Framing != "stream" {
		return errors.New("--big-endian is about the lengths of --framing stream")
	}
	if f, _ := families().ByDialect(o.Dialect); f != nil {
		if _, ok := f.(format.Importer); !ok {
			return cannotWrite(f)
		}
	}
	return nil
}

// maxAhead is the number of bytes that are examined to find the dialect that values declare.
const maxAhead = 4096

// Import reads values as JSON, in the form of WriteJSON or in the typed one, and writes their bytes. An
// error in the values contains its place in the JSON.
func Import(ctx context.Context, in io.Reader, out io.Writer, o ImportOptions) error {
	if err := o.Check(); err != nil {
		return err
	}
	ahead := bufio.NewReaderSize(in, maxAhead)
	const mark = "\ufeff" // of programs that save text
	if start, _ := ahead.Peek(len(mark)); string(start) == mark {
		ahead.Discard(len(mark))
	}
	r := &format.ImportRequest{Request: format.Request{Dialect: o.Dialect, Framing: o.Framing, Double: o.Double, Schemas: o.Schemas}, BigEndian: o.BigEndian, Form: o.Form}
	if f, _ := families().ByDialect(o.Dialect); f != nil {
		return f.(format.Importer).Import(ctx, ahead, out, r)
	}
	if o.Form != format.Exported {
		return errors.New("these values do not name their dialect; give --as DIALECT")
	}
	head, _ := ahead.Peek(maxAhead)
	for _, f := range Families {
		if i, ok := f.(format.Importer); ok && i.DeclaredIn(head) != "" {
			return i.Import(ctx, ahead, out, r)
		}
	}
	return errors.New("the values do not name their dialect; give --as DIALECT")
}

func cannotWrite(f format.Family) error {
	if _, ok := f.(format.Importer); ok {
		return fmt.Errorf("%s files are not converted to; \"varview import\" makes one of the JSON that \"varview export\" writes", f.Hints().Title)
	}
	return fmt.Errorf("%s files can be read and edited, but not created; \"varview export\" writes JSON and text", f.Hints().Title)
}

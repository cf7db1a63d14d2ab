package decoder

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"varview/decoder/format"
)

// ImportOptions say what values are written as.
type ImportOptions struct {
	Dialect   string // as in Dialects; "" where the values say it themselves
	Framing   string // "raw" or "stream"; "" for raw
	Double    bool   // numbers of a double-precision build that marks nothing
	BigEndian bool   // frame lengths are big-endian

	// Schemas, if set, gives the schemas of constructors, for values that do not say
	// what a schema leaves open.
	Schemas func() []format.Schemas
}

// Check reports options that no values could be written by.
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

// aheadBytes is how many bytes are looked at to find the dialect that values say they
// are of.
const aheadBytes = 4096

// Import reads values as JSON, in the form of WriteJSON or in the typed one, and writes
// the bytes of them. An error of the values says where in the JSON it was met.
func Import(ctx context.Context, in io.Reader, out io.Writer, o ImportOptions) error {
	if err := o.Check(); err != nil {
		return err
	}
	r := &format.ImportRequest{Request: format.Request{Dialect: o.Dialect, Framing: o.Framing, Double: o.Double, Schemas: o.Schemas}, BigEndian: o.BigEndian}
	if f, _ := families().ByDialect(o.Dialect); f != nil {
		return f.(format.Importer).Import(ctx, in, out, r)
	}
	ahead := bufio.NewReaderSize(in, aheadBytes)
	head, _ := ahead.Peek(aheadBytes)
	for _, f := range Families {
		if i, ok := f.(format.Importer); ok && i.DeclaredIn(head) != "" {
			return i.Import(ctx, ahead, out, r)
		}
	}
	return errors.New("the values do not say what they are of; --as DIALECT does")
}

func cannotWrite(f format.Family) error {
	return fmt.Errorf("%s files can be read, not written yet", f.Hints().Title)
}

package decoder

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"varview/decoder/elephant"
	"varview/decoder/elephant/gml"
	"varview/decoder/godot"
)

// ImportOptions say what values are written as.
type ImportOptions struct {
	Dialect   string // as in Dialects; "" where the values say it themselves, as Elephant's do
	Framing   string // "raw" or "stream"; "" for raw
	Double    bool   // numbers of a double-precision build that marks nothing
	BigEndian bool   // frame lengths are big-endian

	// Schemas, if set, gives the schemas of Elephant's constructors, for values that
	// do not say what a schema leaves open.
	Schemas func() []*gml.Library
}

// Check reports options that no values could be written by.
func (o *ImportOptions) Check() error {
	if err := o.reading().Check(); err != nil {
		return err
	}
	if o.BigEndian && o.Framing != "stream" {
		return errors.New("--big-endian is about the lengths of --framing stream")
	}
	return nil
}

// reading are the options that what is written is read by.
func (o *ImportOptions) reading() *Options {
	return &Options{Dialect: o.Dialect, Framing: o.Framing, Double: o.Double}
}

// Import reads values as JSON, in the form of the format's WriteJSON, or for
// Elephant in the typed one, and writes the bytes of them. An error of the values
// says where in the JSON it was met.
func Import(ctx context.Context, in io.Reader, out io.Writer, o ImportOptions) error {
	if err := o.Check(); err != nil {
		return err
	}
	if d, ok := godot.ByName(o.Dialect); ok {
		f := godot.Format{Dialect: d, Double: o.Double, BigEndian: o.BigEndian}
		if o.Framing == "stream" {
			f.Framing = godot.Stream
		}
		return f.Import(ctx, in, out)
	}
	ahead := bufio.NewReaderSize(in, maxAhead)
	rules := o.reading().rules()
	switch version := declaredVersion(ahead); {
	case version == "" && rules == nil:
		return errors.New("the values do not say what they are of; --as DIALECT does")
	case version != "" && rules != nil && version != rules.Name:
		return fmt.Errorf("the values say themselves that they are of Elephant %s, and it is %s that was asked for", version, rules.Name)
	}
	var libraries []*gml.Library
	if o.Schemas != nil {
		libraries = o.Schemas()
	}
	return elephant.Import(ctx, ahead, out, rules, libraries)
}

// maxAhead is how many bytes are looked at to find the version that values say
// they are of.
const maxAhead = 4096

// declaredVersion is the version of Elephant that values in the typed form are of,
// "" where their beginning does not say it.
func declaredVersion(in *bufio.Reader) string {
	head, _ := in.Peek(maxAhead)
	d := json.NewDecoder(bytes.NewReader(head))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return ""
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return ""
		}
		var block struct{ Version string }
		if key == "elephant" {
			_ = d.Decode(&block) // what is wrong with it Import says
			return block.Version
		}
		var other json.RawMessage
		if d.Decode(&other) != nil {
			return ""
		}
	}
	return ""
}

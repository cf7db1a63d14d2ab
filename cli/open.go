package cli

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"varview/decoder"
	"varview/decoder/source"
)

// openFlags say how a file is to be read.
type openFlags struct {
	dialect        string
	framing        string
	double         bool
	offset, length int64
}

func (o *openFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&o.dialect, "as", "", "dialect to read the file as (default: detected; see \"varview formats\")")
	flags.StringVar(&o.framing, "framing", "", "raw or stream (default: detected)")
	flags.BoolVar(&o.double, "double", false, "components are 64-bit without a mark, as a double-precision build of Godot 3 writes them")
	flags.Int64Var(&o.offset, "offset", 0, "where the values begin in the file, in bytes")
	flags.Int64Var(&o.length, "length", 0, "how many bytes they take (default: up to the end)")
}

func (o *openFlags) options(t decoder.Thoroughness) decoder.Options {
	return decoder.Options{Dialect: o.dialect, Framing: o.framing, Double: o.double, Offset: o.offset, Length: o.length, Thorough: t}
}

// openSource opens a file, or standard input for "-".
func (e *env) openSource(name string) (*source.File, error) {
	var src *source.File
	var err error
	if name == "-" {
		src, err = source.Spool(e.stdin)
	} else {
		src, err = source.OpenFile(name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return src, nil
}

// document opens a file and finds out what it holds.
func (e *env) document(ctx context.Context, name string, t decoder.Thoroughness) (*decoder.Document, func() error, error) {
	o := e.open.options(t)
	if err := o.Check(); err != nil {
		return nil, nil, err
	}
	src, err := e.openSource(name)
	if err != nil {
		return nil, nil, err
	}
	doc, err := decoder.Open(ctx, src, o)
	if err != nil {
		src.Close()
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return doc, src.Close, nil
}

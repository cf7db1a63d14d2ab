package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

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

func (o *openFlags) register(cmd *cobra.Command) {
	flags := cmd.PersistentFlags()
	flags.StringVar(&o.dialect, "as", "", "`DIALECT` to read the file as, see \"varview formats\" (default: detected)")
	flags.StringVar(&o.framing, "framing", "", "`FRAMING` of the values, raw or stream (default: detected)")
	flags.BoolVar(&o.double, "double", false, "vectors and the like have 64-bit floats without saying so (double-precision Godot 3)")
	flags.Var(byteCount{n: &o.offset}, "offset", "where the values begin in the file, in bytes, 0x for hex")
	flags.Var(byteCount{n: &o.length, min: 1}, "length", "how many bytes they take (default: up to the end)")
	cmd.RegisterFlagCompletionFunc("as", completeDialects)
	cmd.RegisterFlagCompletionFunc("framing", completeFramings)
}

func completeDialects(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, d := range decoder.Dialects() {
		names = append(names, cobra.CompletionWithDesc(d.Name, d.About))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func completeFramings(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, f := range decoder.Framings() {
		names = append(names, cobra.CompletionWithDesc(f.Name, f.About))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func (o *openFlags) options(t decoder.Thoroughness) decoder.Options {
	return decoder.Options{Dialect: o.dialect, Framing: o.framing, Double: o.double, Offset: o.offset, Length: o.length, Thorough: t}
}

// A file is a document together with the file that it was opened from.
type file struct {
	*decoder.Document
	name string
	src  *source.File
}

// openSource opens a file, or standard input for "-".
func (e *env) openSource(ctx context.Context, name string) (*source.File, error) {
	var src *source.File
	var err error
	if name == "-" {
		src, err = source.Spool(interruptible{ctx, e.stdin})
	} else {
		src, err = source.OpenFile(name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", displayName(name), err)
	}
	return src, nil
}

// openFile opens a file and finds out what it holds.
func (e *env) openFile(ctx context.Context, name string, t decoder.Thoroughness) (*file, error) {
	o := e.open.options(t)
	if err := o.Check(); err != nil {
		return nil, err
	}
	src, err := e.openSource(ctx, name)
	if err != nil {
		return nil, err
	}
	doc, err := decoder.Open(ctx, src, o)
	if err != nil {
		src.Close()
		return nil, fmt.Errorf("%s: %w", displayName(name), err)
	}
	return &file{doc, name, src}, nil
}

// close ends the use of the file. The error of what was done with it goes
// through here: the file's name is put before it, and a file that was changed
// meanwhile is one.
func (f *file) close(err *error) {
	if *err == nil {
		if what := f.src.Changed(); what != "" {
			*err = errors.New(what)
		}
	}
	if *err != nil {
		*err = fmt.Errorf("%s: %w", displayName(f.name), *err)
	}
	f.src.Close()
}

// tellGuess tells about a file that is not what it is read as, or is empty.
func (e *env) tellGuess(f *file) {
	switch {
	case f.src.Size() == 0:
		e.tell("%s: the file is empty", displayName(f.name))
	case f.Confidence == decoder.Weak:
		e.tell("%s: nothing reads this without problems; read as %s, %s", displayName(f.name), f.Title, f.Framing)
	}
}

// interruptible is a reader that gives up waiting when ctx is done.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i interruptible) Read(p []byte) (int, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		b := make([]byte, len(p)) // p belongs to the caller once Read has returned
		n, err := i.r.Read(b)
		done <- result{b[:n], err}
	}()
	select {
	case r := <-done:
		return copy(p, r.data), r.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}

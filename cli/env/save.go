package env

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"varview/cli/flags"
	"varview/decoder"
	"varview/decoder/engine/source"
	"varview/internal/atomicfile"
	"varview/model"
)

// Save writes an edited document. An unchanged one is only written if it goes to another file.
func (e *Env) Save(ctx context.Context, doc *model.Document, name string, o *flags.Edit) error {
	if !doc.IsModified() && len(o.Wrap) == 0 && !o.Unwrap {
		e.Tell("%s: nothing changes", DisplayName(name))
		if o.Path == "" || flags.IsSameFile(o.Path, name) {
			return nil
		}
	}
	if o.Path == "-" {
		return e.SaveToOutput(ctx, doc, o)
	}
	return e.SaveAs(ctx, doc, saveOptions(o))
}

func saveOptions(o *flags.Edit) model.SaveOptions {
	return model.SaveOptions{Path: o.Path, Unwrap: o.Unwrap, Force: o.Force, InPlace: o.InPlace, Wrap: o.Wrap, Generation: o.Generation}
}

// SaveAs writes a document to a file.
func (e *Env) SaveAs(ctx context.Context, doc *model.Document, o model.SaveOptions) error {
	s, err := doc.Save(o)
	if err != nil {
		return err
	}
	var p model.Progress
	done := e.Watch(p.Share, "saving", s.Path())
	err = s.Write(ctx, &p)
	done()
	if err != nil {
		return fmt.Errorf("%s: %w", s.Path(), OtherWays(err))
	}
	e.tellChecksums(doc, DisplayName(s.Path()), o)
	hint := "without --offset it follows"
	if doc.IsUnexplained() {
		hint = "a description keeps it, which varview ksy new begins"
	} else if doc.Skipped() == 0 {
		hint = "it may be chance; a recipe says what it is, with the step header"
	}
	for _, stale := range s.Stale(ctx) {
		e.Tell("%s: the %s was left as it was, and no longer fits: %s", DisplayName(s.Path()), stale, hint)
	}
	if as, err := s.Drift(ctx); err == nil && as != "" {
		e.Tell("%s: saved; it would now open as %s: use %s", DisplayName(s.Path()), as, doc.Flags())
	}
	doc.Saved(s)
	return nil
}

// tellChecksums reports what became of the checksums beside edited values.
func (e *Env) tellChecksums(doc *model.Document, name string, o model.SaveOptions) {
	if !doc.IsModified() || o.Unwrap {
		return
	}
	said := doc.Beside()
	for _, c := range said.Resized() {
		e.Tell("%s: the %s, follows", name, c)
	}
	for _, n := range said.Stale {
		e.Tell("%s: %s, was left as it was: it may be chance; a recipe says what it is, with the step header", name, n)
	}
	for _, c := range said.Sums {
		which, _, _ := strings.Cut(c, ", ")
		if doc.WhatOfChecksums() == model.Left {
			e.Tell("%s: the %s was left as it was, and no longer fits", name, which)
		} else {
			e.Tell("%s: the %s was computed anew", name, which)
		}
	}
	if said.IsUnsearched {
		e.Tell("%s: checksums beside more than 8 MiB are not looked for: if its header has one, it was left as it was", name)
	}
	for _, kind := range said.Unknown {
		e.Tell("%s: what looks like the %s of the save was left as it was: a recipe that has the secret of the game computes it anew", name, kind)
	}
}

// TellFollowed says which numbers and checksums have followed the edits of a transaction, and which sums Follow has set.
func (e *Env) TellFollowed(name string, t *model.Transaction, sums []decoder.Sum) {
	for _, text := range t.Followed() {
		e.Tell("%s: %s", DisplayName(name), text)
	}
	for _, sum := range sums {
		if sum.Of == "" {
			e.Tell("%s: %s looks like the %s of the save, and was left: no known way to compute it gives it", DisplayName(name), sum.Path, sum.Title())
			continue
		}
		e.Tell("%s: %s, the %s of %s, was computed anew", DisplayName(name), sum.Path, sum.Title(), sum.Of)
	}
}

// OtherWays adds to an error of saving with which flag the file, or another, could be written.
func OtherWays(err error) error {
	e := (*atomicfile.Error)(nil)
	switch errors.As(err, &e); {
	case e != nil && e.InPlace:
		return fmt.Errorf("%w; --in-place writes into it, once a copy is kept", err)
	case e != nil && e.Folder:
		return fmt.Errorf("%w; -o writes to another place", err)
	}
	return err
}

// SaveToOutput writes a document to standard output, once it is complete.
func (e *Env) SaveToOutput(ctx context.Context, doc *model.Document, o *flags.Edit) error {
	var p model.Progress
	done := e.Watch(p.Share, "saving", o.Path)
	f, err := source.Written(func(f *os.File) error { return doc.WriteTo(ctx, f, saveOptions(o), &p) })
	done()
	if err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	defer f.Close()
	e.tellChecksums(doc, "standard output", saveOptions(o))
	_, err = io.Copy(e.Stdout, io.NewSectionReader(f, 0, f.Size()))
	return err
}

// WriteOut writes a file, which is then complete or not there at all; "-" is standard output.
func (e *Env) WriteOut(ctx context.Context, o flags.Output, write func(context.Context, io.Writer) error) error {
	if o.Path == "-" {
		return write(ctx, e.Stdout)
	}
	var options atomicfile.Options
	if !o.Force {
		options.Unchanged = func() error { return flags.Absent(o.Path) }
	}
	err := atomicfile.Replace(ctx, o.Path, options, func(ctx context.Context, f *os.File) error {
		return write(ctx, f)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", o.Path, err)
	}
	return nil
}

// WritePatch writes the patch of a transaction as WriteOut does, if the options ask for it.
func (e *Env) WritePatch(ctx context.Context, o flags.Output, t *model.Transaction) error {
	if o.Path == "" {
		return nil
	}
	p := t.Patch()
	return e.WriteOut(ctx, o, func(_ context.Context, out io.Writer) error {
		b := bufio.NewWriter(out)
		return cmp.Or(p.Write(b), b.Flush())
	})
}

package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"varview/decoder"
	"varview/decoder/engine/background"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tempfile"
	"varview/decoder/guess"
	"varview/decoder/wrap"
	"varview/decoder/wrap/own"
	"varview/internal/atomicfile"
)

// SaveOptions says how a document is saved.
type SaveOptions struct {
	Path   string // "" for the file from which it was opened
	Unwrap bool   // without the wrappers
	Force  bool   // whether another file, or one that was changed meanwhile, is replaced
	Keep   string // path under which the old file is kept; "" for FILE~

	// InPlace writes into the file itself, once a copy of it is kept; see atomicfile.Options.
	InPlace bool

	Wrap       []string // new wrappers around everything, innermost first, as wrap.Make takes them
	Generation int      // Godot's major version that is to read encrypted wrappers; 0 keeps theirs
}

// A Saving is a document in the state in which it is saved.
type Saving struct {
	doc    *Document
	buffer *Buffer // the one that differs from the file, or the innermost one
	v      *version
	by     *Document // the document that is saved in place of doc; nil for doc itself
	path   string
	own    bool // it is saved to the file from which it was opened
	o      SaveOptions
	latest *hold             // the file as it was written
	outer  *decoder.Document // the wrappers around the values, as written
}

// Save prepares to save the current document. Write then writes the file and may run in the background;
// Saved records that it is done. The document must not be edited before that.
func (d *Document) Save(o SaveOptions) (*Saving, error) {
	s := &Saving{doc: d, o: o, path: o.Path, buffer: d.ChangedBuffer()}
	if s.buffer == nil {
		s.buffer = d.Innermost()
	}
	s.v = s.buffer.now.Load()
	switch {
	case d.options.within != nil && o.Path == "":
		if d.options.within.fixed != nil {
			return nil, fmt.Errorf("%w; :w NAME saves a copy", d.options.within)
		}
	case d.path == "-" && o.Path == "":
		return nil, errors.New("this came from standard input: give a name to save it under")
	case o.Path == "":
		s.path = d.path
	}
	s.own = o.Path == "" || sameFile(o.Path, d.path)
	switch {
	case d.options.ReadOnly && s.own:
		return nil, ErrReadOnly
	case o.Unwrap && s.own:
		return nil, errors.New("the unwrapped content has to be saved under another name, so that the game still finds its file")
	case o.Unwrap && d.Missing != nil:
		return nil, errors.New(d.WhyMissing().Message)
	case !s.own && !o.Unwrap && !o.Force && d.Recipe != nil && !d.Recipe.IsFor(o.Path):
		return nil, fmt.Errorf("%s takes its secret from the path of the file, so that it could not be read under another; if it is forced, the bytes are those for %s", d.Recipe.Name, d.path)
	}
	return s, nil
}

// sameFile reports whether two paths lead to the same file.
func sameFile(a, b string) bool {
	if a == b {
		return true
	}
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// Path returns where the document is saved.
func (s *Saving) Path() string { return s.path }

// Backup returns where Write keeps the old file; "" if it keeps none, or if the file is gone.
func (s *Saving) Backup() string {
	wanted := s.own && !s.doc.history.backedUp || s.o.InPlace
	if wanted && !s.doc.options.NoBackup && statError(s.path) == nil {
		if s.o.Keep != "" {
			return s.o.Keep
		}
		return atomicfile.BackupName(s.path)
	}
	return ""
}

// lost returns the error of bytes that another program has taken away, if that is what an error says.
func lost(err error) error {
	if hole := (*source.HoleError)(nil); errors.As(err, &hole) && (hole.Err == source.ErrOverwritten || hole.Err == source.ErrUnread) {
		return &LostError{hole}
	}
	return err
}

// replacing returns how the file is replaced.
func (s *Saving) replacing() atomicfile.Options {
	o := atomicfile.Options{Unchanged: s.unchanged, InPlace: s.o.InPlace, Backup: s.Backup()}
	if s.own {
		o.Lock = s.doc.history.lock
	}
	if (s.buffer.Number == 0 || s.o.Unwrap) && len(s.o.Wrap) == 0 {
		o.Size = s.v.content.Size()
	}
	return o
}

// Write writes the file, which replaces the old one only when all of it is on disk. If Write fails, the
// old file is untouched.
func (s *Saving) Write(ctx context.Context, p *Progress) error {
	done, err := s.doc.Use()
	if err != nil {
		return err
	}
	defer done()
	if s.doc.options.within != nil && s.own {
		return s.writeWithin(ctx, p)
	}
	if err := s.checkInPlace(); err != nil {
		return err
	}
	if s.o.Force {
		s.doc.file.file.Trust()
		s.doc.latest.file.Trust()
	}
	err = atomicfile.Replace(ctx, s.path, s.replacing(), func(ctx context.Context, f *os.File) error {
		if s.by != nil {
			return s.by.WriteTo(ctx, f, SaveOptions{}, p)
		}
		if err := s.write(ctx, f, p); err != nil || !s.own {
			return err
		}
		return s.doc.saving(f)
	})
	if err != nil {
		return lost(err)
	}
	if s.by != nil || !s.own && (s.doc.path != "-" || s.doc.options.within != nil) {
		return nil
	}
	src, err := source.OpenFile(s.path)
	if err != nil {
		return fmt.Errorf("saved, but it cannot be read again: %w", err)
	}
	return s.look(ctx, src)
}

// ReplaceBy saves another document in place of the document's file, if that has not changed.
func (d *Document) ReplaceBy(ctx context.Context, by *Document, o SaveOptions, p *Progress) error {
	s, err := d.Save(o)
	if err != nil {
		return err
	}
	s.by = by
	return s.Write(ctx, p)
}

// checkInPlace refuses to overwrite bytes that an open document still reads.
func (s *Saving) checkInPlace() error {
	if !s.o.InPlace || !s.own || !s.doc.options.Guard {
		return nil
	}
	s.doc.WaitForCopy()
	if !s.doc.file.file.IsCopied() {
		return errors.New("the file is too large to be written in place while it is open (--copy-limit)")
	}
	return nil
}

// unchanged returns an error if something speaks against replacing the file.
func (s *Saving) unchanged() error {
	if s.doc.isOverwritten() {
		return ErrOverwritten
	}
	if s.o.Force {
		return nil
	}
	if !s.own {
		if _, err := os.Lstat(s.path); err == nil {
			return fmt.Errorf("%s exists already", s.path)
		}
		return nil
	}
	if how := s.doc.Changed(); how != "" {
		return &ChangedError{how}
	}
	return nil
}

// isOverwritten reports whether bytes of the file are lost. What is appended to one that grows leaves them as they are.
func (d *Document) isOverwritten() bool {
	return d.options.Growing == nil && d.file.file.IsOverwritten()
}

// ErrOverwritten says that another program wrote into the file: bytes needed for saving are gone. A guarded document knows which.
var ErrOverwritten = errors.New("another program wrote into the file while it was open: the bytes that were not edited are gone; save the edits as a patch, or make them anew")

// A ChangedError says that another program has changed or removed the file.
type ChangedError struct{ How string }

// Error implements error.
func (e *ChangedError) Error() string {
	return e.How + " since it was opened; saving now would undo that"
}

// A LostError says that unedited bytes that have to be written are gone. The edits can still be saved as
// a patch.
type LostError struct{ Hole *source.HoleError }

// Error implements error.
func (e *LostError) Error() string {
	if e.Hole.Err == source.ErrUnread {
		return fmt.Sprintf("another program wrote into the file before %s was read", e.Hole.Span)
	}
	return fmt.Sprintf("another program has written over %s", e.Hole.Span)
}

// Unwrap returns the hole.
func (e *LostError) Unwrap() error { return e.Hole }

func statError(path string) error {
	_, err := os.Stat(path)
	return err
}

// write writes the bytes of the file: the buffer's, wrapped again as they were, and in new wrappers.
func (s *Saving) write(ctx context.Context, f *os.File, p *Progress) error {
	src, around, err := s.wrappings(ctx)
	defer func() {
		for _, w := range around {
			w.close()
		}
	}()
	if err != nil {
		return err
	}
	if len(around) == 0 {
		return copyBytes(ctx, f, src, p)
	}
	in, runs := s.inner(ctx), runsOf(s.v.content, s.buffer.base)
	for k, w := range around {
		in.Held = append([]source.Source{src}, in.Held...)
		out := f
		if k < len(around)-1 {
			if out, err = tempfile.Create(""); err != nil {
				return err
			}
			defer out.Close()
		}
		size, err := w.write(ctx, src, in, runs, out, p)
		if err != nil {
			return err
		}
		src, runs = sectionOf(out, size), nil
	}
	return nil
}

// inner says what the buffer that is saved holds. Buffers inside it are as they were opened.
func (s *Saving) inner(ctx context.Context) (in wrap.Inner) {
	for _, b := range s.doc.Buffers[s.buffer.Number+1:] {
		in.Held = append(in.Held, b.base)
	}
	if s.buffer == s.doc.Innermost() {
		in.Starts = sync.OnceValues(func() ([]int64, error) { return decoder.ValueStarts(ctx, s.v.tree) })
	}
	return in
}

// section is a part of a file as a source.
type section struct{ *io.SectionReader }

func sectionOf(f *os.File, size int64) source.Source {
	return section{io.NewSectionReader(f, 0, size)}
}

// runsOf lists the ranges of content that are also in base.
func runsOf(content *source.Pieces, base source.Source) (runs []wrap.Run) {
	content.List(func(at int64, piece source.Piece) bool {
		if source.Same(piece.Src, base) {
			runs = append(runs, wrap.Run{At: at, From: piece.Offset, Length: piece.Length})
		}
		return true
	})
	return runs
}

// look opens what was written, for the wrappers around the values, and to notice when somebody changes
// the file.
func (s *Saving) look(ctx context.Context, src *source.File) (err error) {
	s.latest = newHold(s.doc.options.share(src, true))
	if s.buffer.Number == 0 {
		return nil
	}
	o := s.doc.options.Options
	o.Schemas, o.Defer, o.Outer = nil, 0, s.doc.Outer()
	s.outer, err = decoder.Open(ctx, s.latest, o)
	if err != nil {
		return errors.Join(fmt.Errorf("saved, but it cannot be read again: %w", err), s.latest.release())
	}
	return nil
}

// Saved notes that Write has succeeded: the document now belongs to the written file. No other work on it
// may be running.
func (d *Document) Saved(s *Saving) {
	h := d.history
	if s.latest == nil {
		return // a copy under another name
	}
	if d.path == "-" && d.options.within == nil {
		d.path, d.Name = s.path, filepath.Base(s.path)
	}
	h.saved, h.backedUp = h.at, true
	h.closers = append(h.closers, d.latest.release)
	d.latest = s.latest
	if j := h.journal.begun(); j != nil && d.keepsSteps() {
		d.beginWith(j, h.saved, h.written) // if the program is killed, what was saved can be undone all the same
	} else {
		h.journal.forget()
	}
	if s.outer != nil {
		h.closers = append(h.closers, s.outer.Close)
		d.refresh(s.outer)
	}
	if len(s.v.changed) > 0 {
		s.buffer.restart(s.v, s.v.content)
	}
}

// refresh shows the wrappers as they were written, and leaves those read before to outer.
func (d *Document) refresh(outer *decoder.Document) {
	for i := range min(len(outer.Layers), len(d.Layers)) {
		d.Layers[i], outer.Layers[i] = outer.Layers[i], d.Layers[i]
		t := d.Layers[i].Tree
		d.Buffers[i].verified = Progress{}
		d.Buffers[i].restart(&version{tree: t}, t.Source)
	}
}

// Checksums says what happens to the checksums beside the values on saving.
type Checksums uint8

// What happens to checksums. Undecided is saved as Renewed; the terminal program asks first.
const (
	Undecided Checksums = iota
	Renewed             // they are computed anew
	Left                // they are written as they were
)

// Beside returns what is said of the game's own bytes beside the values, the outermost first: what checksums there are, and what the last
// saving has changed and left.
func (d *Document) Beside() (s own.Said) {
	for i, l := range d.Layers {
		s.Add(l.Layer, i)
	}
	if kind := d.LeftSum(); kind != "" {
		s.Unknown = append(s.Unknown, kind)
	}
	return s
}

// WhatOfChecksums returns what was decided about the checksums.
func (d *Document) WhatOfChecksums() Checksums { return d.options.Checksums }

// DecideChecksums decides what happens to the checksums.
func (d *Document) DecideChecksums(c Checksums) { d.options.Checksums = c }

// Stale lists the numbers and checksums that fitted, and do not fit what was written: those before the offset from which the file is
// read or in the first lines of a text, and those that are noticed in a file that nothing explains. It is called between Write and Saved.
func (s *Saving) Stale(ctx context.Context) (all []string) {
	if s.doc.IsUnexplained() {
		return s.staleSums()
	}
	fitted := s.doc.FollowingBefore(ctx)
	if len(fitted) == 0 {
		return nil
	}
	src, err := source.OpenFile(s.path)
	if err != nil {
		return nil
	}
	defer src.Close()
	is, err := decoder.Open(ctx, src, s.doc.options.Options)
	if err != nil {
		return nil
	}
	defer is.Close()
	fits := is.FollowingBefore(ctx)
	for _, f := range fitted {
		if !slices.Contains(fits, f) {
			all = append(all, f.Title)
		}
	}
	return all
}

// staleSums lists the checksums that are noticed in the bytes as they were before, and not in those that were written.
func (s *Saving) staleSums() (all []string) {
	was := guess.Sums(readSmall(s.buffer.base))
	if len(was) == 0 {
		return nil
	}
	is := guess.Sums(readSmall(s.v.content))
	for _, n := range was {
		if !slices.ContainsFunc(is, func(x guess.Notice) bool { return x.Offset == n.Offset }) {
			all = append(all, fmt.Sprintf("%s at %#x", n.What, n.Offset))
		}
	}
	return all
}

// readSmall reads a source in which all is noticed; it returns nil for a larger one.
func readSmall(src source.Source) []byte {
	if src.Size() > mostNoticed {
		return nil
	}
	return source.Read(src, span.Span{Length: src.Size()})
}

// Drift returns what the file will be opened as next time, if the edits have changed that because the
// bytes now suggest something else; "" if they have not. It is called between Write and Saved.
func (s *Saving) Drift(ctx context.Context) (as string, err error) {
	d := s.doc
	if s.buffer != d.Innermost() || d.Missing != nil || d.IsForeign() || s.o.Unwrap || len(s.o.Wrap) > 0 || s.o.Generation > 0 {
		return "", nil
	}
	now, err := d.Redetect(ctx, s.v.content)
	if err != nil || now.IsRead(d.Document) {
		return "", err
	}
	before, err := d.Redetect(ctx, s.buffer.base)
	if err != nil || before == now || !before.IsRead(d.Document) { // it was asked for
		return "", err
	}
	return now.Title, nil
}

// WriteTo writes the current document into an empty file, to which no document is saved.
func (d *Document) WriteTo(ctx context.Context, f *os.File, o SaveOptions, p *Progress) error {
	o.Path, o.Force = f.Name(), true
	s, err := d.Save(o)
	if err != nil {
		return err
	}
	done, err := d.Use()
	if err != nil {
		return err
	}
	defer done()
	if d.isOverwritten() {
		return ErrOverwritten
	}
	return s.write(ctx, f, p)
}

// copyBytes writes all of src.
func copyBytes(ctx context.Context, f *os.File, src source.Source, p *Progress) error {
	w := flusher{file: f}
	err := background.Writing(&w, func(out io.Writer) error {
		return copyTo(ctx, out, src, span.Between(0, src.Size()), p.Set)
	})
	if ctx.Err() != nil {
		return err // the file will be removed, so it need not reach the disk
	}
	return errors.Join(err, w.wait())
}

// flushEvery is the number of bytes of a large file that are sent to the disk at a time.
const flushEvery = 64 << 20

// A flusher sends written bytes to the disk while more are written, so that there is little to wait for
// at the end.
type flusher struct {
	file  *os.File
	fresh int64            // bytes written since the last flush began
	flush *background.Task // the last flush; nil before the first
	err   error            // error of the last flush, once it has ended
}

func (w *flusher) Write(b []byte) (int, error) {
	n, err := w.file.Write(b)
	if w.fresh += int64(n); err != nil || w.fresh < flushEvery {
		return n, err
	}
	if w.flush != nil {
		select {
		case <-w.flush.Done():
			if err := w.wait(); err != nil {
				return n, err
			}
		default:
			return n, nil
		}
	}
	w.fresh = 0
	w.flush = background.Start(func() { w.err = w.file.Sync() })
	return n, nil
}

// wait waits for the running flush and returns its error, which the system reports only once.
func (w *flusher) wait() error {
	if w.flush != nil {
		w.flush.Wait()
	}
	return w.err
}

// copyChunk is the number of bytes copied at a time. On Linux, writes of 1 MiB aligned to 1 MiB take
// several times as long.
const copyChunk = 128 << 10

// copyTo copies a part of src.
func copyTo(ctx context.Context, w io.Writer, src source.Source, part span.Span, progress func(done, all int64)) error {
	buf := make([]byte, min(copyChunk, part.Length))
	for at := part.Offset; at < part.End(); {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := buf[:min(int64(len(buf)), part.End()-at)]
		if n, err := src.ReadAt(b, at); n < len(b) {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return fmt.Errorf("reading the original at %#x: %w", at+int64(n), err)
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		at += int64(len(b))
		if progress != nil {
			progress(at-part.Offset, part.Length)
		}
	}
	return nil
}

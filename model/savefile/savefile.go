// Package savefile reads, changes and checks game saves and network packets from Go programs. It is the
// only package with a stable API; every other package may change at any time.
//
// A File is opened with Open or Read, whatever its format and the wrappers around it: both are detected,
// as by the command varview info. Values are found by paths such as $[0].player.hp, which
// docs/paths-and-literals.md describes, decoded into Go values, set, and saved. An edit changes the bytes
// of that value and the lengths and counts around it, and nothing else.
//
// A File must not be used by several goroutines at the same time. Offsets and lengths are in bytes of the
// innermost buffer, after all wrappers have been removed. Nothing in a file is trusted: damage is
// reported by Check, not by Open.
package savefile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"strings"

	"varview/decoder"
	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/internal/atomicfile"
	"varview/model"
)

var (
	// ErrNoValues says that the values of a file cannot be reached. The three that follow are ErrNoValues too.
	ErrNoValues = errors.New("the values cannot be reached")
	// ErrEncrypted says that no password or key was given, or not the right one.
	ErrEncrypted = fmt.Errorf("%w: the file is encrypted", ErrNoValues)
	// ErrEmpty says that a file has no bytes.
	ErrEmpty = fmt.Errorf("%w: the file is empty", ErrNoValues)
	// ErrUnknown says that a file is of another kind, or of one that nobody knows.
	ErrUnknown = fmt.Errorf("%w: the file is no save that is known", ErrNoValues)
	// ErrNotFound says that a path leads to no value.
	ErrNotFound = errors.New("there is no such value")
	// ErrType says that a Go value does not fit the value in the file, or the other way round.
	ErrType = errors.New("the types do not match")
	// ErrChanged says that another program has changed or removed the file since it was opened.
	ErrChanged = errors.New("the file has changed")
	// ErrLocked says that another program keeps the file locked.
	ErrLocked = errors.New("the file is locked")
)

// An Option says how a file is read. Everything else is detected.
type Option func(*options)

// options are what the Options set.
type options struct {
	model.Options
	ctx context.Context
}

// As sets the dialect, such as "godot4"; the command varview formats lists them.
func As(dialect string) Option { return func(o *options) { o.Dialect = dialect } }

// Framing sets how values follow one another: "raw" for one value, "stream" for values with their lengths
// before them, "sequence" for values alone.
func Framing(framing string) Option { return func(o *options) { o.Framing = framing } }

// Password adds a password to try on encrypted files.
func Password(p string) Option { return func(o *options) { o.Passwords = append(o.Passwords, p) } }

// Key adds a key of 32 bytes to try on encrypted files.
func Key(key [32]byte) Option { return func(o *options) { o.Keys = append(o.Keys, key[:]) } }

// Schemas adds a file or folder with schemas of Elephant's constructors: GML, or JSON.
func Schemas(path string) Option { return func(o *options) { o.GML = append(o.GML, path) } }

// MaxUnpacked sets how many bytes a wrapper may unpack to; the default is 1 GiB.
func MaxUnpacked(most int64) Option { return func(o *options) { o.MaxUnpacked = most } }

// NoBackup makes Save keep no copy of the old file. By default, the copy has the file's name with a ~
// appended.
func NoBackup() Option { return func(o *options) { o.NoBackup = true } }

// Context lets ctx end what takes long, on this File, with the error of ctx.
func Context(ctx context.Context) Option { return func(o *options) { o.ctx = ctx } }

// A File is an open save or packet, with the edits made to it.
type File struct {
	doc  *model.Document
	ctx  context.Context // ends everything that takes long
	from context.CancelFunc
	held []func() // close what texts hold
}

// Open opens the file at a path. Bytes that cannot be read as values are not an error but are reported by
// Check; errors are about the options or from the system. The file must be closed.
func Open(path string, options ...Option) (*File, error) {
	return open(options, func(ctx context.Context, o model.Options) (*model.Document, error) {
		return model.Open(ctx, path, o)
	})
}

// Read opens what a reader returns up to its end. Such a file can only be saved with SaveAs.
func Read(r io.Reader, options ...Option) (*File, error) {
	return open(options, func(ctx context.Context, o model.Options) (*model.Document, error) {
		return model.OpenInput(ctx, r, o)
	})
}

// with returns what Options set.
func with(all []Option) options {
	o := options{model.Options{Options: decoder.Options{Thorough: decoder.Settle}, Bound: true}, context.Background()}
	for _, set := range all {
		set(&o)
	}
	return o
}

func open(all []Option, from func(context.Context, model.Options) (*model.Document, error)) (*File, error) {
	o := with(all)
	if err := o.Check(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(o.ctx)
	doc, err := from(ctx, o.Options)
	if err != nil {
		cancel()
		return nil, err
	}
	return &File{doc: doc, ctx: ctx, from: cancel}, nil
}

// Close releases the file. Edits that were not saved are lost.
func (f *File) Close() error {
	defer f.from()
	for _, done := range f.held {
		done()
	}
	return f.doc.Close()
}

// Dialect returns the format of the values, such as "godot4"; "" if they cannot be reached.
func (f *File) Dialect() string { return f.doc.Dialect }

// Wrappers returns what is around the values, outermost first, such as "GCPF Zstandard".
func (f *File) Wrappers() (titles []string) {
	for _, l := range f.doc.Layers {
		titles = append(titles, l.Title)
	}
	return titles
}

// check returns an error if the values cannot be reached.
func (f *File) check() error {
	switch {
	case f.ctx.Err() != nil:
		return context.Cause(f.ctx)
	case f.doc.IsLocked():
		return fmt.Errorf("%w: %s", ErrEncrypted, strings.TrimPrefix(f.doc.WhyMissing().Message, "the file is encrypted: "))
	case f.doc.Missing != nil:
		return fmt.Errorf("%w: %s", ErrNoValues, f.doc.WhyMissing().Message)
	case f.doc.Size() == 0:
		return ErrEmpty
	case f.doc.IsForeign():
		return fmt.Errorf("%w: %s", ErrUnknown, f.doc.Title)
	}
	return nil
}

// Get finds the value at a path, which may lead on into the values that a text holds; "" and "$" are the whole content.
// The error is ErrNotFound if there is no such value, or ErrNoValues.
func (f *File) Get(path string) (Value, error) {
	if err := f.check(); err != nil {
		return Value{}, err
	}
	in, path, done, err := f.doc.Reach(f.ctx, path)
	if err != nil {
		done()
		return Value{}, notFound(err)
	}
	if in != f.doc {
		f.held = append(f.held, done)
	}
	r := in.Innermost().Tree().NewReader()
	n, err := r.Resolve(path)
	if err != nil {
		return Value{}, notFound(err)
	}
	return Value{r, n}, nil
}

// Values returns all values in the order of the file, each before those inside it, without keys. It ends
// with the first error.
func (f *File) Values() iter.Seq2[Value, error] {
	return func(yield func(Value, error) bool) {
		if err := f.check(); err != nil {
			yield(Value{}, err)
			return
		}
		r := f.doc.Innermost().Tree().NewReader()
		s := r.Scan(r.Tree.Base)
		for {
			switch ev := s.Next(); {
			case ev == tree.Done:
				if err := r.Window().Err(); err != nil {
					yield(Value{}, err)
				}
				return
			case (ev == tree.Enter || ev == tree.Atom) && !s.Slot().Key:
				if n := s.Current(ev); n.Parent != nil && !yield(Value{r, n}, nil) {
					return
				}
			}
		}
	}
}

// A Field is a range of bytes with one meaning. The fields of a file are in order and cover it.
type Field struct {
	Offset, Length int64
	Kind           string // "length", "padding", "value"
	Label          string // its name in the value: "count", "x"
	Path           string // path of the value to which it belongs
	Text           string // what the bytes mean
}

// errEnough ends an iteration early.
var errEnough = errors.New("no more is wanted")

// Fields returns the fields of all bytes. It ends with the first error.
func (f *File) Fields() iter.Seq2[Field, error] {
	return func(yield func(Field, error) bool) {
		err := f.doc.Innermost().Tree().EachField(f.ctx, func(o tree.OwnedField) error {
			if !yield(Field{o.Offset, o.Length, o.Kind.String(), o.Label, string(o.Path), string(o.Value)}, nil) {
				return errEnough
			}
			return nil
		})
		if err != nil && err != errEnough {
			yield(Field{}, err)
		}
	}
}

// A Problem is something in a file that is damaged, or that the engine would not write.
type Problem struct {
	Offset, Length int64
	Severity       string // "error", "warning" or "note"
	Code           string // a stable name such as "length-overrun"; docs/problems.md lists them
	Path           string // path of the value that it is about
	Message        string // one sentence
	Repair         string // what varview repair would do; "" if no repair is known
}

// Check returns all problems of the values and of the wrappers around them. It ends with the first error,
// which says that the file could not be read, not that it has problems.
func (f *File) Check() iter.Seq2[Problem, error] {
	return func(yield func(Problem, error) bool) {
		more := true
		report := func(p model.BufferProblem) bool {
			more = more && yield(problemOf(&p.Diagnosis), nil)
			return more
		}
		err := f.doc.Check(f.ctx, new(model.Progress), report)
		if err != nil && more {
			yield(Problem{}, err)
		}
	}
}

func problemOf(p *diagnose.Diagnosis) Problem {
	return Problem{p.Offset, p.Length, p.Severity.String(), p.Code, p.Path, p.Message, p.Repair}
}

// Save replaces the file by one with the edits, in the same wrappers, once all of it is on disk. The
// error is ErrChanged if another program has changed or removed the file since it was opened.
func (f *File) Save() error { return f.save(model.SaveOptions{}) }

// SaveAs writes the file with the edits to a path. Nothing must be there, or the error is fs.ErrExist.
func (f *File) SaveAs(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	return f.save(model.SaveOptions{Path: path})
}

func (f *File) save(o model.SaveOptions) error {
	s, err := f.doc.Save(o)
	if err != nil {
		return err
	}
	err = s.Write(f.ctx, new(model.Progress))
	if changed := (*model.ChangedError)(nil); errors.As(err, &changed) || errors.Is(err, model.ErrOverwritten) {
		err = fmt.Errorf("%w: %w", ErrChanged, err)
	} else if errors.Is(err, atomicfile.ErrBusy) {
		err = fmt.Errorf("%w: %w", ErrLocked, err)
	}
	if err != nil {
		return err
	}
	f.doc.Saved(s)
	return nil
}

// WriteTo implements io.WriterTo: it writes the file with the edits, in the same wrappers.
func (f *File) WriteTo(w io.Writer) (n int64, err error) {
	temp, err := source.Written(func(out *os.File) error { return f.doc.WriteTo(f.ctx, out, model.SaveOptions{}, new(model.Progress)) })
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, temp.Close()) }()
	return io.Copy(w, io.NewSectionReader(temp, 0, temp.Size()))
}

var _ io.WriterTo = (*File)(nil)

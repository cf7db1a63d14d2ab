package env

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/charmbracelet/x/term"

	"varview/decoder"
	"varview/decoder/engine/openfile"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/schemas"
)

// A File is a document and the name of its file on the command line.
type File struct {
	*model.Document
	Name string

	within string          // path of the value that holds the document, of one that Into has opened
	outer  *model.Document // that of the file; nil for Document
	done   func()          // closes what Into has opened
}

// Into opens what a path leads into with @open in place of the file, and returns the rest of the path; any other path as it is.
func (f *File) Into(ctx context.Context, path string) (string, error) {
	if !strings.Contains(path, "@open") {
		return path, nil
	}
	in, rest, done, err := f.Reach(ctx, path)
	if err != nil || in == f.Document {
		done()
		return path, err
	}
	f.within, f.outer, f.done, f.Document = "$"+tree.Steps(strings.TrimSuffix(path, rest[len("$"):])), f.Document, done, in
	return rest, nil
}

// PathOf returns the path in the file of a value with a path in the document.
func (f *File) PathOf(path string) string {
	if f.outer == nil {
		return path
	}
	return f.within + strings.TrimPrefix(path, "$")
}

// OpenFile opens a file for reading, and detects its format.
func (e *Env) OpenFile(ctx context.Context, name string, t decoder.Thoroughness) (*File, error) {
	doc, err := e.OpenBound(ctx, name, t, model.Options{ReadOnly: true})
	return &File{Document: doc, Name: name}, err
}

// openValues is OpenFile for commands that need values.
func (e *Env) openValues(ctx context.Context, name string) (*File, error) {
	f, err := e.OpenFile(ctx, name, decoder.Settle)
	if err != nil {
		return nil, err
	}
	if err := f.CheckValues(); err != nil {
		f.Finish(&err)
		return nil, err
	}
	return f, nil
}

// OpenBound opens a file for a command; reading ends when ctx is done.
func (e *Env) OpenBound(ctx context.Context, name string, t decoder.Thoroughness, o model.Options) (*model.Document, error) {
	o.Bound, o.Loader = true, e.Loader()
	return e.OpenDocument(ctx, name, t, o)
}

// OpenDocument opens a file, a pipe as a shell names it for <(COMMAND), or standard input for "-". It
// fills in the options of o that flags set.
func (e *Env) OpenDocument(ctx context.Context, name string, t decoder.Thoroughness, o model.Options) (doc *model.Document, err error) {
	if err := e.Flags.Check(); err != nil {
		return nil, err
	}
	if name == "-" {
		if err := e.takeInput(); err != nil {
			return nil, err
		}
	}
	given := e.Flags.Options(t)
	given.Defer, given.Growing = o.Defer, o.Growing
	if given.Methods, err = e.Methods(name); err != nil {
		return nil, err
	}
	o.Options = given
	if o.Defer == 0 { // it is unpacked now
		done := e.showUnpacking(&o.Options, name)
		defer done()
	}
	switch {
	case name == "-":
		doc, err = model.OpenInput(ctx, e.Stdin, o)
	case !isPipe(name):
		doc, err = e.openBeside(ctx, name, o)
	case o.Alone:
		err = errors.New("a pipe cannot be saved in place: give -o OUT, or -o - for standard output")
	default:
		doc, err = model.OpenPipe(ctx, name, o)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", DisplayName(name), err)
	}
	return doc, nil
}

// openBeside opens a file. If its dialect is uncertain, the dialects of the files beside it count.
func (e *Env) openBeside(ctx context.Context, name string, o model.Options) (*model.Document, error) {
	doc, err := model.Open(ctx, name, o)
	if err != nil {
		return nil, err
	}
	likelier := e.company.prefer(ctx, name, doc, o.Options)
	if len(likelier) == 0 || doc.Alternative == nil && doc.Dialect == likelier[0] {
		return doc, nil
	}
	doc.Close()
	o.Prefer = append(slices.Clone(likelier), o.Prefer...)
	return model.Open(ctx, name, o)
}

// isPipe reports whether a file is a pipe.
func isPipe(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode()&os.ModeNamedPipe != 0
}

func (e *Env) takenInput() *atomic.Bool {
	if e.input == nil {
		e.input = new(atomic.Bool)
	}
	return e.input
}

// takeInput claims standard input, which can be read once: a second reader would find nothing left, and
// take that for an empty file.
func (e *Env) takeInput() error {
	switch {
	case isClosed(e.Stdin):
		return errors.New("standard input is closed")
	case e.takenInput().Swap(true):
		return errors.New("standard input can be only one of the files: it is read once")
	}
	return nil
}

// OpenInput opens something that is read once, a file or standard input for "-".
func (e *Env) OpenInput(ctx context.Context, name string) (io.ReadCloser, error) {
	if name == "-" {
		if err := e.takeInput(); err != nil {
			return nil, err
		}
		return io.NopCloser(source.Interruptible(ctx, e.Stdin)), nil
	}
	open := func() (io.ReadCloser, error) { return openfile.Read(name) }
	if isPipe(name) {
		open = func() (io.ReadCloser, error) { return source.OpenPipe(ctx, name) }
	}
	in, err := open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, source.Plain(err))
	}
	return in, nil
}

// ReadSide reads a file that goes with a save, standard input for "-", or a pipe that a shell has made
// for <(COMMAND). It works like source.ReadRegular, with an error that names the file.
func (e *Env) ReadSide(ctx context.Context, name string, most int64) (b []byte, err error) {
	switch {
	case name != "-" && isPassed(name) && isPipe(name):
		return readPipe(ctx, name, most)
	case name != "-":
		b, err = source.ReadRegular(name, most)
	default:
		if err = e.takeInput(); err == nil {
			b, err = source.ReadAtMost(source.Interruptible(ctx, e.Stdin), most)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", DisplayName(name), err)
	}
	return b, nil
}

// ReadSecret is ReadSide for a password: the file may be a pipe, and what is typed in a terminal is one
// line that is not shown.
func (e *Env) ReadSecret(ctx context.Context, name string, most int64) (b []byte, err error) {
	switch {
	case name == "-" && term.IsTerminal(e.Stdin.Fd()):
		fmt.Fprint(e.Stderr, "password: ")
		defer fmt.Fprintln(e.Stderr)
		return term.ReadPassword(e.Stdin.Fd())
	case name == "-" || !isPipe(name):
		return e.ReadSide(ctx, name, most)
	}
	return readPipe(ctx, name, most)
}

// isPassed reports whether a name belongs to a file that was open when the program started.
func isPassed(name string) bool {
	return strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/self/fd/")
}

// readPipe reads all of a pipe, at most most bytes.
func readPipe(ctx context.Context, name string, most int64) (b []byte, err error) {
	in, err := source.OpenPipe(ctx, name)
	if err == nil {
		defer in.Close()
		b, err = source.ReadAtMost(in, most)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

// Loader returns the loader of schemas for Elephant's files.
func (e *Env) Loader() *schemas.Loader {
	if e.schemas == nil {
		e.schemas = schemas.NewLoader(e.Flags.Schemas, func(err error) { e.Tell("%v", err) })
	}
	return e.schemas
}

// Finish ends the use of the file. It prefixes the error of what was done with it with the file's name.
// If the file has changed meanwhile, that is an error too.
func (f *File) Finish(err *error) {
	if f.outer != nil {
		f.done()
		f.Document = f.outer
	}
	if *err == nil {
		if what := f.Changed(); what != "" {
			*err = errors.New(what)
		}
	}
	if closed := f.Document.Close(); *err == nil {
		*err = closed
	}
	if *err != nil {
		*err = fmt.Errorf("%s: %w", DisplayName(f.Name), *err)
	}
}

// FinishBeside is Finish for one of several files, whose error already names its file.
func (f *File) FinishBeside(err *error) {
	var own error
	if f.Finish(&own); *err == nil {
		*err = own
	}
}

// CheckWrappers reports the problems of the file as a whole and of its wrappers, and shows progress.
func (e *Env) CheckWrappers(ctx context.Context, f *File, report func(*span.Problem)) error {
	var p model.Progress
	done := e.Watch(p.Share, "unpacking", f.Name)
	defer done()
	return f.CheckWrappers(ctx, &p, func(x model.BufferProblem) bool {
		report(&x.Problem)
		return true
	})
}

// HasSchemas reports whether the values can be laid out by schemas, and refer to one another.
func (f *File) HasSchemas() bool { return f.Hints().Schemas }

// WarnOfGuess prints a warning if a file is empty, if it is not what it is read as, or if its values
// cannot be read.
func (e *Env) WarnOfGuess(f *File) {
	switch {
	case f.Size() == 0:
		e.Tell("%s: the file is empty", DisplayName(f.Name))
	case f.Missing != nil:
		e.Tell("%s: %s", DisplayName(f.Name), f.MissingText())
	case f.IsUnexplained():
		e.Tell("%s: %s", DisplayName(f.Name), f.WrappedIn()+f.ForeignKind())
	case f.IsForeign():
		e.Tell("%s: this is no save or packet that varview reads: %s", DisplayName(f.Name), f.WrappedIn()+f.ReadAs())
	case !f.Fits() && f.Confidence == decoder.Weak:
		e.Tell("%s: no dialect reads this without problems; read as %s", DisplayName(f.Name), f.WrappedIn()+f.ReadAs())
	case f.Alternative != nil && f.Alternative.Likelier:
		or := f.Alternative.Format.Info()
		e.Tell("%s: read as %s; this is more likely %s, with damage (%s)", DisplayName(f.Name), f.WrappedIn()+f.ReadAs(), or.Title(), or.Flags())
	}
}

// CheckNotEmpty returns an error if nobody says what a file without any content is: that is a save which was lost.
func (f *File) CheckNotEmpty() error {
	const most = 4 << 10
	switch {
	case f.Size() == 0:
		return errors.New("the file is empty")
	case f.Confidence != decoder.Given && f.Size() <= most && len(bytes.TrimSpace(source.NewWindow(f.Buffers[0].Tree().Source).View(0, f.Size()))) == 0:
		return errors.New("the file is empty but for blanks")
	}
	return nil
}

// CheckReadable returns why a wrapper cannot be opened, or nil.
func (f *File) CheckReadable() error {
	if f.Missing != nil {
		return errors.New(f.MissingText())
	}
	return nil
}

// CheckValues returns why there are no values, or nil.
func (f *File) CheckValues() error { return checkValues(f.Document) }

func checkValues(doc *model.Document) error {
	switch {
	case doc.Missing != nil:
		return errors.New(MissingText(doc.WhyMissing()))
	case doc.IsUnexplained():
		return fmt.Errorf("there are no values: %s", (&File{Document: doc}).ForeignKind())
	case doc.IsForeign():
		return fmt.Errorf("there are no values: this is no save or packet that varview reads: %s; --as DIALECT reads it anyway, --ksy FILE by a description of its format", doc.Title)
	}
	return nil
}

// Resolve finds the value at a path; it gives up when ctx is done, since the file of a command then
// cannot be read.
func Resolve(ctx context.Context, r *tree.Reader, path string) (*tree.Node, error) {
	n, err := r.Resolve(path)
	return n, cmp.Or(ctx.Err(), err, r.Window().Err())
}

// BeginValues begins a transaction on the values of a document.
func BeginValues(doc *model.Document) (*model.Transaction, error) {
	if err := checkValues(doc); err != nil {
		return nil, err
	}
	return doc.Begin(doc.Innermost())
}

// BufferOf returns the buffer of a document with a number.
func BufferOf(doc *model.Document, number int) (*model.Buffer, error) {
	if number < 0 || number >= len(doc.Buffers) {
		return nil, fmt.Errorf("there is no buffer %d: the file has %s, counted from 0", number, span.Counted(int64(len(doc.Buffers)), "buffer"))
	}
	return doc.Buffers[number], nil
}

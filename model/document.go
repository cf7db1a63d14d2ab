// Package model holds an open document: its buffers, what is wrong in them, edits and their
// history, and saving. It knows neither rows nor a terminal.
package model

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"varview/decoder"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/guess"
	"varview/decoder/score"
	"varview/decoder/wrap"
	"varview/internal/atomicfile"
	"varview/internal/folders"
	"varview/internal/lineender"
	"varview/model/schemas"
)

// Options say how to open a file. The Schemas among them are made from GML.
type Options struct {
	decoder.Options
	GML         []string // files and folders with schemas of Elephant's constructors, used before those found near the save
	ReadOnly    bool     // nothing can be edited or saved
	Undescribed bool     // no description is looked for
	NoBackup    bool     // saving keeps no copy of the file as it was
	Alone       bool     // the file is locked until the document is closed, so that nobody else saves it meanwhile

	// Guard keeps the bytes as they were opened, whatever another program does to the file. A file of up
	// to CopyLimit bytes is copied to a private file in the background; in a larger one, bytes that
	// another program has overwritten are noticed when they are read.
	Guard     bool
	CopyLimit int64

	Checksums Checksums // what becomes of checksums beside the values when they are saved

	// Loader, if set, loads the schemas in place of GML, once for many documents, and reports what cannot
	// be read of them.
	Loader *schemas.Loader

	// Beside are files that this one is compared with: schemas found near them are used for this one as
	// well.
	Beside []string

	// Bound says that once the context that the file is opened with is done, reading fails with the
	// context's error.
	Bound bool

	within *within // the value that holds the bytes; nil for a file
}

// A Document is an open file.
type Document struct {
	*decoder.Document
	Name        string           // name to show: the last part of the path, or "standard input"
	Buffers     []*Buffer        // buffers by number: the file is 0, followed by what each wrapper holds
	Notices     []error          // what could not be read when schemas were last loaded
	helpNotices []error          // those about descriptions and recipes
	Libraries   []format.Schemas // libraries in which schemas are looked up, in this order; nil if none are needed
	Earlier     *Earlier         // what its values were in saves before; nil if there was none

	path      string        // "-" for standard input
	described format.Format // that a file describes; nil if it is none
	stamp     string        // of its files, when it was read
	options   Options
	file      *hold           // what is read
	latest    *hold           // the file as it was last saved, or as it was opened
	isKept    bool            // a later document still needs the bytes, and will close the file
	reported  map[string]bool // what has been reported about the schemas, also by the document from which this one was opened
	history   *history
	ahead     ahead                   // opened for an edit that has not been made yet
	basis     int                     // number of the history's turns when the document was opened, if it shares the history
	judged    *wrap.Missing           // replaces Missing where that blames a password that has opened an outer wrapper
	texts     map[*tree.Tree][]holder // what BuildIndex has found; nil before
	before    []guess.File            // see Before
	unbind    func() bool             // releases the document from the context it is bound to; nil if it is not bound

	life   sync.RWMutex // held for reading by all work on the document
	closed bool
}

// Open opens the file at path. It reads no more of the file than detection needs. The error is about the
// file or the options; it is atomicfile.ErrBusy if Alone is set and another program has the file locked.
func Open(ctx context.Context, path string, o Options) (*Document, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	var lock *atomicfile.Lock
	if o.Alone {
		var err error
		if lock, err = atomicfile.Acquire(ctx, path); err != nil {
			return nil, err
		}
	}
	src, err := source.OpenFile(path)
	var d *Document
	if err == nil {
		d, err = OpenSource(ctx, src, path, o, nil)
	}
	if err != nil {
		lock.Release()
		return nil, err
	}
	d.history.lock = lock
	return d, nil
}

// OpenInput opens what is read from standard input, to its end.
func OpenInput(ctx context.Context, in io.Reader, o Options) (*Document, error) {
	return openPiped(ctx, source.Interruptible(ctx, in), "-", o)
}

// OpenPipe opens what is written into the pipe at path, to its end. Like standard input, the document
// cannot be saved without a name.
func OpenPipe(ctx context.Context, path string, o Options) (*Document, error) {
	in, err := source.OpenPipe(ctx, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return openPiped(ctx, in, "-", o)
}

func openPiped(ctx context.Context, in io.Reader, path string, o Options) (*Document, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	src, err := source.Spool(in)
	if err != nil {
		return nil, err
	}
	return OpenSource(ctx, src, path, o, nil)
}

// OpenWritten opens a document as it would be saved. The new document has no path, and the recipe and the description of the old one.
func OpenWritten(ctx context.Context, d *Document, o Options) (*Document, error) {
	o.Recipe, o.Described = d.Recipe, d.described
	src, err := source.Written(func(f *os.File) error { return d.WriteTo(ctx, f, SaveOptions{}, new(Progress)) })
	if err != nil {
		return nil, err
	}
	return OpenSource(ctx, src, "-", o, nil)
}

// OpenSource opens a file that is open already; path is its path or "-". Progress p, which may be nil,
// shows how far unwrapping is.
func OpenSource(ctx context.Context, src *source.File, path string, o Options, p *Progress) (*Document, error) {
	d, err := newDocument(ctx, o.share(src, false), path, o, p, edited{})
	if err == nil {
		d.judgeLock(0)
		d.dropReported(nil)
	}
	return d, err
}

// findHelp finds the recipe and the description of a file that lie beside it or the configuration, and, if there is
// none, a known recipe. If both are there, the recipe unpacks what the description reads. The error is that of a recipe
// that does not fit the path; others are reported.
func (d *Document) findHelp(ctx context.Context, do *decoder.Options, loader *schemas.Loader) (err error) {
	findsRecipe := d.findsRecipe(do)
	mayBeDescribed := d.mayBeDescribed(do)
	folders := []string{filepath.Dir(d.path), filepath.Dir(folders.Config())}
	switch {
	case findsRecipe && d.options.within == nil:
		findsRecipe, err = d.findRecipe(ctx, do, loader, [][]*decoder.Recipe{loader.Recipes(folders[0]), loader.Recipes(folders[1])}, false)
	case do.Recipe != nil:
		do.Recipe, err = do.Recipe.For(d.path)
	}
	if err != nil {
		return err
	}
	var described [][]format.Format
	var unfit error
	if named := do.Described; mayBeDescribed && (named != nil || do.Input == "") {
		if described = [][]format.Format{{named}}; named == nil {
			described = [][]format.Format{loader.Descriptions(folders[0]), loader.Descriptions(folders[1])}
		}
		var f format.Format
		if f, unfit = decoder.FindDescription(ctx, do.Selected(d.file), d.path, do.Recipe, described); f != nil && (named == nil || f == named) {
			do.Described = f // which reads the file as it is
			return nil
		}
	}
	if findsRecipe && do.Recipe == nil {
		err = d.findKnown(ctx, do, loader, described)
	}
	if unfit != nil && do.Described == nil {
		loader.Report(unfit)
	}
	return err
}

// findKnown finds a known recipe. It unpacks what the description reads that a user has named, if that is packed.
func (d *Document) findKnown(ctx context.Context, do *decoder.Options, loader *schemas.Loader, described [][]format.Format) (err error) {
	if described != nil {
		switch r, f, err := decoder.FindPacked(ctx, do.Selected(d.file), d.path, described); {
		case err != nil:
			return err
		case r != nil && (do.Described == nil || f == do.Described):
			do.Recipe, do.Described = r, f
		}
	}
	if do.Described != nil {
		return nil
	}
	_, err = d.findRecipe(ctx, do, loader, nil, true)
	return err
}

// findsRecipe reports whether recipes are looked for.
func (d *Document) findsRecipe(do *decoder.Options) bool {
	return do.Recipe == nil && !do.NoRecipe && do.Input == "" && (d.path != "-" || d.options.within != nil)
}

// mayBeDescribed reports whether descriptions are tried: those who name what the file is need none.
func (d *Document) mayBeDescribed(do *decoder.Options) bool {
	return d.path != "-" && !d.options.Undescribed && do.Dialect == "" && do.Framing == "" && !do.Double
}

// findRecipe finds a recipe among a user's own and, if known is set, those that come with the program. It reports whether
// others may be looked for: those of the user could be read.
func (d *Document) findRecipe(ctx context.Context, do *decoder.Options, loader *schemas.Loader, own [][]*decoder.Recipe, known bool) (goesOn bool, err error) {
	do.Recipe, err = decoder.FindRecipe(ctx, do.Selected(d.file), d.path, own, known)
	if goesOn = err == nil; !goesOn {
		loader.Report(err)
	}
	if do.Recipe == nil {
		return goesOn, nil
	}
	do.Recipe, err = do.Recipe.For(d.path)
	return goesOn, err
}

// namesBeside returns the names for values that are found beside the first of some files.
func namesBeside(files []string, report func(error)) format.Names {
	for _, file := range files {
		names, err := decoder.ReadNames(file, []string{filepath.Dir(file), filepath.Dir(folders.Config())})
		if err != nil {
			report(err)
		}
		if len(names.List) > 0 {
			return names
		}
	}
	return format.Names{}
}

// replaceIn has an edited buffer opened in place of the one in the file.
func (e *edited) replaceIn(do *decoder.Options) {
	if !e.isChanged() {
		return
	}
	do.Instead = func(buffer int) source.Source {
		if buffer == e.buffer.Number {
			return e.v.content
		}
		return nil
	}
	if e.buffer.Number == 0 && do.Length > 0 {
		do.Length += e.v.content.Size() - e.buffer.base.Size()
	}
}

// newDocument opens a document that shares the file. Progress p, which may be nil, shows how far
// unwrapping is. The edited buffer in e replaces that buffer of the file.
func newDocument(ctx context.Context, f *shared, path string, o Options, p *Progress, e edited) (*Document, error) {
	var err error
	d := &Document{Name: filepath.Base(path), path: path, options: o, file: newHold(f), latest: newHold(f), history: &history{}}
	if path == "-" {
		d.Name = "standard input"
	}
	if o.within != nil {
		d.Name = o.within.name()
	}
	if o.Bound {
		d.unbind = context.AfterFunc(ctx, func() { d.file.letGo(ctx.Err()) })
	}
	do := o.Options
	loader := o.Loader
	if loader == nil {
		loader = schemas.NewLoader(o.GML, func(err error) { d.Notices = append(d.Notices, err) })
	}
	load := loader.For(path, o.Beside...)
	do.Schemas = func() []format.Schemas {
		d.Libraries = load()
		return d.Libraries
	}
	if path != "-" {
		do.Names = sync.OnceValue(func() format.Names { return namesBeside(append([]string{path}, o.Beside...), loader.Report) })
	}
	if err := d.findHelp(ctx, &do, loader); err != nil {
		return nil, errors.Join(err, d.release())
	}
	d.described, d.helpNotices = do.Described, d.Notices
	d.stamp = d.DescriptionStamp()
	if p != nil {
		do.Progress = p.Set
	}
	e.replaceIn(&do)
	do.Name = filepath.Base(path)
	doc, err := decoder.Open(ctx, d.file, do)
	if err != nil {
		return nil, errors.Join(err, d.release())
	}
	d.Document = doc
	for i, t := range doc.Buffers() {
		d.Buffers = append(d.Buffers, newBuffer(d, i, t))
	}
	if doc.Missing == nil {
		d.Innermost().now.Load().expectNotes(doc.Notes())
	}
	if e.isChanged() && e.buffer.Number < len(d.Buffers) {
		d.Buffers[e.buffer.Number].takeOver(e)
	}
	return d, nil
}

// Close releases what the document holds, and closes the file if no other document reads it. It waits for
// the work on the document, which ends with read errors.
func (d *Document) Close() error {
	if d.isKept {
		return nil
	}
	return d.close()
}

func (d *Document) close() error {
	d.file.letGo(errClosed)
	d.life.Lock()
	defer d.life.Unlock()
	if d.closed {
		return nil
	}
	d.closed = true
	return errors.Join(d.ahead.put(nil, nil), d.Document.Close(), d.release(), d.history.close())
}

// release releases the document's shares in the file.
func (d *Document) release() error {
	if d.unbind != nil {
		d.unbind()
	}
	return errors.Join(d.file.release(), d.latest.release())
}

// Use begins a piece of work on the document, which done ends. A closed document cannot be used.
func (d *Document) Use() (done func(), err error) {
	d.life.RLock()
	if d.closed {
		d.life.RUnlock()
		return nil, errClosed
	}
	return d.life.RUnlock, nil
}

// Changed describes how the file on disk differs from what was opened or last saved; "" if it does not.
// It may take long for a guarded file that another program has written.
func (d *Document) Changed() string { return d.latest.file.Changed() }

// Named returns the name under which the file was opened; "-" for standard input.
func (d *Document) Named() string { return d.path }

// Path returns the absolute path of the file; "" for standard input.
func (d *Document) Path() string {
	if d.path == "-" {
		return ""
	}
	path, err := filepath.Abs(d.path)
	if err != nil {
		return d.path
	}
	return path
}

// Size returns the size of the file in bytes when it was opened.
func (d *Document) Size() int64 { return d.file.Size() }

// Innermost returns the buffer that was unwrapped last: the one with the values, or the one that Missing
// is about.
func (d *Document) Innermost() *Buffer { return d.Buffers[len(d.Buffers)-1] }

// Values returns the number of values at the root; negative while it is unknown.
func (d *Document) Values() int64 {
	t := d.Innermost().Tree()
	return t.NewReader().Count(t.Base)
}

// CountValues returns the number of values at the root. If it is unknown, CountValues passes over them,
// but not over values inside whose end is known.
func (d *Document) CountValues() int64 {
	if n := d.Values(); n >= 0 {
		return n
	}
	t := d.Innermost().Tree()
	last, err := t.NewReader().LastChild(t.Base)
	if err != nil {
		return 0
	}
	return last.Slot.Index + 1
}

// IsDeferred reports whether unpacking the document was put off, at least in part.
func (d *Document) IsDeferred() bool {
	return d.Missing != nil && d.Missing.Code == decoder.Deferred || d.IsUnfinished()
}

// Indexed returns the share of all buffers that has been passed, from 0 to 1, and whether that is all.
func (d *Document) Indexed() (share float64, done bool) {
	var passed, all int64
	done = true
	for _, b := range d.Buffers {
		p, a, ready := b.work()
		passed, all, done = passed+p, all+a, done && ready
	}
	if done || all == 0 {
		return 1, done
	}
	return float64(passed) / float64(all), false
}

// OpenCopy opens a private copy of the file at path, which nobody else can change. It is meant to be
// looked at, or to be the source of patches.
func OpenCopy(ctx context.Context, path string, o Options) (*Document, error) {
	f, _, err := source.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return openPiped(ctx, source.Interruptible(ctx, f), path, o)
}

// IsWhole reports whether the file can be read to its end without an error.
func (d *Document) IsWhole(ctx context.Context) (bool, error) {
	switch {
	case d.Size() == 0 || d.IsForeign():
		return false, nil
	case d.Missing != nil:
		return d.IsLocked(), nil
	}
	whole := true
	for _, b := range d.Buffers {
		has, err := score.HasProblem(ctx, b.Tree(), false, func(p *span.Problem) bool { return p.Severity == span.Error })
		if err != nil {
			return false, err
		}
		whole = whole && !has
	}
	return whole, nil
}

// A Form is the notation in which values are exported.
type Form uint8

// The forms of an export.
const (
	AsJSON  Form = iota // the usual form of the family
	AsText              // the notation in which values are typed
	AsTyped             // JSON that loses nothing, for a family whose usual form does
)

// Export writes all values as they are now.
func (d *Document) Export(ctx context.Context, out io.Writer, form Form) error {
	done, err := d.Use()
	if err != nil {
		return err
	}
	defer done()
	switch {
	case d.Missing != nil:
		return fmt.Errorf("there are no values: %s", d.WhyMissing().Message)
	case d.IsForeign():
		return fmt.Errorf("there are no values: %s", d.Title)
	}
	t := d.Innermost().Tree()
	if err := t.BuildIndex(ctx); err != nil { // references are written as paths, which need it
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

// OpenOther opens another file with the options of this one, except those that describe this file.
func (d *Document) OpenOther(ctx context.Context, p *Progress, path string) (*Document, error) {
	o := d.Options()
	o.Dialect, o.Framing, o.Input, o.Double, o.Offset, o.Length = "", "", "", false, 0, 0
	src, err := source.OpenFile(path)
	if err != nil {
		return nil, err
	}
	return OpenSource(ctx, src, path, o, p)
}

package model

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"

	"varview/decoder"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/wrap"
	"varview/model/schemas"
)

// A Change changes the options of a document.
type Change func(*Options)

// As reads the values in another dialect and framing; an empty one is detected.
func As(dialect, framing string) Change {
	return func(o *Options) { o.Dialect, o.Framing = dialect, framing }
}

// WithPassword tries a password, which may be empty, on encrypted content, besides those given before.
func WithPassword(password string) Change {
	return func(o *Options) { o.Passwords = append(slices.Clip(o.Passwords), password) }
}

// WithKey tries a key of 32 bytes in the same way.
func WithKey(key []byte) Change {
	return func(o *Options) { o.Keys = append(slices.Clip(o.Keys), key) }
}

// WithMaxUnpacked lets a wrapper hold at most that many bytes.
func WithMaxUnpacked(most int64) Change { return func(o *Options) { o.MaxUnpacked = most } }

// Further unpacks what was put off; what is unpacked in part is unpacked further.
func (d *Document) Further() Change {
	const times = 16
	next := int64(0)
	if d.IsUnfinished() && d.options.Defer < math.MaxInt64/times {
		next = d.options.Defer * times
	}
	return func(o *Options) { o.Defer = next }
}

// withSchemas adds a GML file or folder, which is searched before those already there.
func withSchemas(path string) Change {
	return func(o *Options) {
		o.GML = append([]string{path}, slices.DeleteFunc(slices.Clone(o.GML), func(p string) bool { return p == path })...)
	}
}

// Beside uses schemas that are found near other files for the document too.
func Beside(files ...string) Change {
	return func(o *Options) { o.Beside = append(slices.Clip(files), o.Beside...) }
}

// WithoutSchemasOf returns those of some files that have schemas near them with which the document was
// not opened; nil if it needs no schemas. Only regular files count.
func (d *Document) WithoutSchemasOf(files ...string) (missing []string) {
	if !d.Hints().Schemas {
		return nil
	}
	known := [][]string{nil}
	for _, f := range append([]string{d.path}, d.options.Beside...) {
		known = append(known, decoder.FindSchemas(f))
	}
	for _, f := range files {
		found := decoder.FindSchemas(f)
		if !slices.ContainsFunc(known, func(k []string) bool { return slices.Equal(k, found) }) {
			missing, known = append(missing, f), append(known, found)
		}
	}
	return missing
}

// Reopen opens the same bytes again with other options, and unpacks whatever they are wrapped in; p shows
// how far that is. Both documents have to be closed. A password or key that opens nothing is not kept,
// and what was reported about the schemas is not reported again.
func (d *Document) Reopen(ctx context.Context, p *Progress, changes ...Change) (*Document, error) {
	done, err := d.Use()
	if err != nil {
		return nil, err
	}
	defer done()
	o := d.changed(changes)
	if err := o.Check(); err != nil {
		return nil, err
	}
	b := d.ChangedBuffer()
	if b == nil {
		b = d.Buffers[0]
	}
	return d.reopen(ctx, p, o, b, b.now.Load())
}

// reopen opens the document again with the edited bytes: buffer b as in version v. The document that it
// returns is meant to take over from this one.
func (d *Document) reopen(ctx context.Context, p *Progress, o Options, b *Buffer, v *version) (*Document, error) {
	turns := d.history.turns
	again, err := newDocument(ctx, d.latest.file, d.path, o, p, edited{b, v})
	if err != nil {
		return nil, err
	}
	again.basis, again.Earlier = turns, d.Earlier
	again.judgeLock(len(d.Layers))
	if again.IsLocked() && again.WhyMissing().Code == wrap.WrongKey {
		again.options.Passwords, again.options.Keys = d.options.Passwords, d.options.Keys
	}
	again.dropReported(d.reported)
	again.history.turns = -1 // it has no turns of its own
	return again, nil
}

// TakeOver moves the edits and their history to the document from old, from which it was opened. It
// returns false if old was edited meanwhile, so that the document has to be opened again. Afterwards old
// must not be used; operations that still read it end, or closing the last document waits for them.
func (d *Document) TakeOver(old *Document) bool {
	switch {
	case d.history.turns >= 0: // it was opened from the file on disk, which has no edits
		if d.history.journal == nil {
			d.history.journal, old.history.journal = old.history.journal, nil
			d.history.journal.forget()
		}
		old.history.journal = nil
		return true
	case d.basis != old.history.turns:
		return false
	}
	d.history, old.history = old.history, &history{}
	if len(d.history.steps) > 0 || old.IsModified() { // the first step is noted afterwards
		d.history.kept = append(d.history.kept, old)
		old.isKept = true
	}
	return true
}

// Reload opens the file as it is on disk now. Standard input cannot be opened again.
func (d *Document) Reload(ctx context.Context, p *Progress) (*Document, error) {
	if d.path == "-" {
		return nil, errors.New("standard input cannot be read again")
	}
	o := d.changed(nil)
	if r, ok := o.Described.(format.Custom); ok && len(r.Files()) > 0 {
		again, err := r.Reread()
		if err != nil {
			return nil, err
		}
		o.Described = again
	}
	src, err := source.OpenFile(d.path)
	if err != nil {
		return nil, err
	}
	again, err := OpenSource(ctx, src, d.path, o, p)
	if err == nil && o.Growing == nil { // what has come is no change
		again.follows(ctx, d)
	}
	return again, err
}

// Options returns the options of the document for opening another file; none of them puts off unpacking.
func (d *Document) Options() Options {
	o := d.changed(nil)
	o.within = nil
	return o
}

// changed returns the document's options with changes. They put off unpacking only if a change says so,
// as documents are reopened in the background.
func (d *Document) changed(changes []Change) Options {
	o := d.options
	o.Defer = 0
	for _, change := range changes {
		change(&o)
	}
	return o
}

// AddSchemas opens the same bytes again with the schemas of a GML file or folder added. The notices are
// about that path alone. If nothing in it can be used, the error says why.
func (d *Document) AddSchemas(ctx context.Context, p *Progress, path string) (*Document, error) {
	partly, err := schemas.Check(path)
	if err != nil {
		return nil, err
	}
	again, err := d.Reopen(ctx, p, withSchemas(path))
	if err == nil {
		again.Notices = partly
	}
	return again, err
}

// IsLocked reports whether a key or password would open more of the file.
func (d *Document) IsLocked() bool {
	return d.Missing != nil && (d.Missing.Code == wrap.NeedsKey || d.Missing.Code == wrap.WrongKey)
}

// WhyMissing returns why the values cannot be read; nil if they can. It differs from Missing if the given
// password has opened an encrypted wrapper, and Missing is about another wrapper inside.
func (d *Document) WhyMissing() *wrap.Missing {
	if d.judged != nil {
		return d.judged
	}
	return d.Missing
}

// judgeLock asks for another password, instead of calling the given one wrong, if it has opened an
// encrypted layer around the one that is locked, and more layers are open than before.
func (d *Document) judgeLock(before int) {
	if !d.IsLocked() || len(d.Layers) <= before {
		return
	}
	for _, l := range d.Layers[:len(d.Layers)-1] {
		if l.Kind.NeedsKey() {
			d.judged = &wrap.Missing{Code: wrap.NeedsKey, Message: "its content is encrypted again: give the password or key for that too"}
		}
	}
}

// dropReported drops the notices that were reported before.
func (d *Document) dropReported(reported map[string]bool) {
	var fresh []error
	d.reported = maps.Clone(reported)
	if d.reported == nil {
		d.reported = map[string]bool{}
	}
	for _, err := range d.Notices {
		if !reported[err.Error()] {
			fresh = append(fresh, err)
		}
		d.reported[err.Error()] = true
	}
	d.Notices = fresh
}

// IsEncrypted reports whether the file can use a key or password.
func (d *Document) IsEncrypted() bool {
	return slices.ContainsFunc(d.Layers, func(l decoder.Layer) bool { return l.Kind.NeedsKey() })
}

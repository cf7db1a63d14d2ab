package diff

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/compare"
	"varview/model/patch"
	"varview/model/watch"
)

// A Watching follows a file that other programs save.
type Watching struct {
	Saves []*FileSave // newest first
	Began time.Time

	path    string
	options model.Options
	file    watch.Watcher
	last    *model.Document // a copy of the file as it was last saved
	cut     int             // number of looks at a file that cannot be read to its end
	when    []watch.Condition
}

// A FileSave is what one save of a file has changed.
type FileSave struct {
	Time    time.Time
	Changes []FileChange
	Count   int           // number of all changes, of which only the first are listed
	Alerts  []string      // conditions that the save has made true, with the value
	Damaged bool          // the file could not be read to its end
	Way     error         // why there is no way back to before this save; nil if there is
	back    []patch.Patch // the way back to the save before: one patch, or none if there is no way
}

// Before returns what values were that a save has changed, as far as it is listed.
func (s *FileSave) Before() (all []model.Previous) {
	for _, c := range s.Changes {
		if c.Kind == compare.Changed || c.Kind == compare.Added {
			all = append(all, model.Previous{Path: c.Path, Was: c.Old})
		}
	}
	return all
}

// A FileChange is a change as text.
type FileChange struct {
	Kind     compare.Kind
	Path     string
	Old, New string
}

const (
	maxFileChanges = 200 // changes of a save that are listed
	maxCutLooks    = 6   // looks after which a file is taken as it is, although it is incomplete
	shownLiteral   = 200 // bytes of a literal of a change
)

// Watch begins to follow the file of a document. Each condition raises an alert when it becomes true.
func Watch(ctx context.Context, d *model.Document, conditions ...string) (*Watching, error) {
	if d.Named() == "-" {
		return nil, fmt.Errorf("%s cannot be watched", d.Name)
	}
	o := d.Options()
	o.ReadOnly, o.Guard = false, false
	w := &Watching{Began: time.Now(), path: d.Named(), options: o, file: watch.Watcher{Path: d.Named()}}
	for _, typed := range conditions {
		c, err := watch.ParseCondition(typed)
		if err != nil {
			return nil, err
		}
		w.when = append(w.when, c)
	}
	err := w.file.See()
	if err == nil {
		w.last, err = model.OpenCopy(ctx, w.path, o)
	}
	if err != nil {
		return nil, err
	}
	if w.last.Missing != nil {
		return nil, errors.Join(errors.New(w.last.WhyMissing().Message), w.last.Close())
	}
	for i := range w.when {
		w.when[i].Becomes(w.last.Tree.NewReader())
	}
	return w, nil
}

// IsOf reports whether w follows the file of a document.
func (w *Watching) IsOf(d *model.Document) bool { return w.path == d.Named() }

// Look checks whether the file was saved, and returns what has changed; nil if it was not saved. It may
// run in the background, but only once at a time.
func (w *Watching) Look(ctx context.Context) (*FileSave, error) {
	saved, err := w.file.Look()
	if err != nil || !saved {
		return nil, err
	}
	is, err := model.OpenCopy(ctx, w.path, w.options)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	whole, err := is.IsWhole(ctx)
	if w.cut++; err != nil || !whole && w.cut < maxCutLooks || is.Missing != nil {
		w.file.Forget()
		return nil, errors.Join(err, is.Close())
	}
	w.cut = 0
	s := &FileSave{Time: time.Now(), Damaged: !whole}
	if err := w.compare(ctx, s, is); err != nil {
		return nil, errors.Join(err, is.Close())
	}
	w.last.Close()
	w.last, w.Saves = is, append([]*FileSave{s}, w.Saves...) // a new list, since the old one is in use
	return s, nil
}

// compare finds what differs between the last save and the next one, and the way back.
func (w *Watching) compare(ctx context.Context, s *FileSave, is *model.Document) error {
	a, b := w.last.Tree.NewReader(), is.Tree.NewReader()
	err := compare.Trees(ctx, w.last.Tree, is.Tree, compare.Options{Alike: is.ReadsAs(w.last.Document), SameDialect: is.Dialect == w.last.Dialect}, func(c *compare.Change) error {
		if c.Note {
			return nil
		}
		if s.Count++; s.Count <= maxFileChanges {
			x := FileChange{Kind: c.Kind, Path: c.Path}
			if c.A != nil {
				x.Old = string(a.AppendLiteral(nil, &c.A.Value, shownLiteral))
			}
			if c.B != nil {
				x.New = string(b.AppendLiteral(nil, &c.B.Value, shownLiteral))
			}
			s.Changes = append(s.Changes, x)
		}
		return nil
	})
	inBytes := 0
	if err == nil {
		inBytes, err = w.compareBytes(ctx, s, is)
	}
	if err != nil {
		return err
	}
	for i := range w.when {
		if becomes, literal := w.when[i].Becomes(b); becomes {
			s.Alerts = append(s.Alerts, w.when[i].Text+", it is "+literal)
		}
	}
	t, err := is.Begin(is.Innermost())
	switch {
	case err != nil:
	case inBytes > 0:
		err = errUnclaimed
	default:
		_, err = Become(ctx, t, w.last.Tree, compare.Options{SameDialect: is.Dialect == w.last.Dialect})
	}
	if s.Way = err; err == nil {
		s.back = []patch.Patch{t.Ops()}
	}
	return ctx.Err()
}

var errUnclaimed = errors.New("bytes that no value claims have changed")

// compareBytes finds which bytes differ that no value claims, and returns in how many places.
func (w *Watching) compareBytes(ctx context.Context, s *FileSave, is *model.Document) (places int, err error) {
	head := func(src source.Source, at span.Span) string {
		return string(tree.AppendHex(nil, source.NewWindow(src).View(at.Offset, min(at.Length, shownLiteral/4)), at.Length))
	}
	err = Outside(ctx, w.last.Document, is.Document, func(from, to source.Source, was, now span.Span) error {
		places++
		if s.Count++; s.Count <= maxFileChanges {
			s.Changes = append(s.Changes, FileChange{Kind: compare.Changed, Path: fmt.Sprintf("%#x", was.Offset), Old: head(from, was), New: head(to, now)})
		}
		return nil
	})
	return places, err
}

// at returns the values before the newest back saves.
func (w *Watching) at(ctx context.Context, back int) (*tree.Tree, error) {
	t, err := w.last.Begin(w.last.Innermost())
	if err != nil {
		return nil, err
	}
	for _, s := range w.Saves[:back] {
		if s.Way != nil {
			return nil, fmt.Errorf("cannot go back to before the save of %s: %w", s.Time.Format(time.TimeOnly), s.Way)
		}
		for _, p := range s.back {
			if err := t.Apply(ctx, p, edit.Options{}); err != nil {
				return nil, err
			}
		}
	}
	return t.Reader().Tree, nil
}

// GoBack sets the values to what they were before the newest back saves.
func (w *Watching) GoBack(ctx context.Context, t *model.Transaction, back int) error {
	was, err := w.at(ctx, back)
	if err != nil {
		return err
	}
	_, err = Become(ctx, t, was, compare.Options{SameDialect: t.Buffer().Document().Dialect == w.last.Dialect})
	return err
}

// Close stops following the file.
func (w *Watching) Close() error { return w.last.Close() }

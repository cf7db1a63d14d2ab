// Package diff compares a document with other files and with other versions of itself, takes values from
// them, merges them, and follows a file that other programs save.
package diff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/compare"
)

// Differences are the changes that lead to a document from another file or another version of it.
type Differences struct {
	Other   *model.Document
	Name    string // name of the other file or version
	CanGive bool   // the other is a file that can be changed
	Changes []*compare.Change
	More    bool  // there are more changes than are listed
	Apart   int64 // where the bytes of the files first differ although no values do; -1 if they do not

	what       string     // what was asked for
	path, name string     // of the document
	here       *tree.Tree // the tree that was compared

	toHere, toThere map[uint32]uint32 // numbered values of the one, with their counterparts in the other
}

// IsOfDisk reports whether the other is the file on disk.
func (x *Differences) IsOfDisk() bool { return x.what == "saved" }

// maxDifferences is the largest number of changes in Differences.
const maxDifferences = 10_000

// What git keeps while a merge is not decided, as names for Open: what both sides come from, and the other side.
const (
	GitBase   = "git::1"
	GitTheirs = "git::3"
)

// stages are what these are called.
var stages = map[string]string{GitBase: "the base", GitTheirs: "the other side"}

// Open opens what a document is compared with: a file, "saved" for the file on disk, "~" for the file
// before its last save, or git:REVISION.
//
// Schemas of the document, and schemas found near the beside files, are used for it too.
func Open(ctx context.Context, d *model.Document, what string, p *model.Progress, beside ...string) (*Differences, error) {
	x := &Differences{Name: what, what: what, path: d.Named(), name: d.Name}
	o := d.Options()
	o.ReadOnly, o.Guard, o.Beside = true, false, append([]string{d.Named()}, beside...)
	rev, isGit := strings.CutPrefix(what, "git:")
	var err error
	switch {
	case what == "":
		return nil, errors.New("compare with what? a file, saved, ~ for the file before its last save, or git:REVISION")
	case d.Named() == "-" && (what == "saved" || what == "~" || isGit):
		return nil, fmt.Errorf("%s is not a file on disk", d.Name)
	case what == "saved":
		x.Other, err = model.OpenCopy(ctx, d.Named(), o)
	case what == "~":
		x.Name = filepath.Base(d.Named()) + "~"
		x.Other, err = model.OpenCopy(ctx, d.Named()+"~", o)
	case isGit:
		x.Name = cmp.Or(stages[what], what)
		x.Other, err = openRevision(ctx, d, rev, o)
	default:
		x.Name, x.CanGive = filepath.Base(what), true
		o.ReadOnly, o.Dialect, o.Framing = false, "", ""
		var src *source.File
		if src, err = source.OpenFile(what); err == nil {
			x.Other, err = model.OpenSource(ctx, src, what, o, p)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", x.Name, err)
	}
	if x.Other.Missing != nil {
		err = errors.New(x.Other.WhyMissing().Message)
		x.Other.Close()
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return x, nil
}

// OtherFiles returns the names that, read as in Open, are not versions of the document itself.
func OtherFiles(names ...string) []string {
	return slices.DeleteFunc(names, func(name string) bool {
		return name == "" || name == "saved" || name == "~" || strings.HasPrefix(name, "git:")
	})
}

// openRevision opens the file as it is in a git revision.
func openRevision(ctx context.Context, d *model.Document, rev string, o model.Options) (*model.Document, error) {
	if rev == "" || strings.HasPrefix(rev, "-") {
		return nil, errors.New("git: needs a revision, as in git:HEAD")
	}
	dir, name := filepath.Split(d.Named())
	src, err := source.Written(func(f *os.File) error { return writeRevision(ctx, f, dir, rev+":./"+name) })
	if err != nil {
		return nil, err
	}
	return model.OpenSource(ctx, src, d.Named(), o, nil)
}

// Renew opens the version of the document that is compared again if that has been saved since. The one before
// stays open.
func (x *Differences) Renew(ctx context.Context, d *model.Document) error {
	if d.IsModified() || x.what != "saved" && x.what != "~" {
		return nil
	}
	again, err := Open(ctx, d, x.what, nil)
	if err == nil {
		x.Other = again.Other
	}
	return err
}

// Compare finds the changes that lead from the other values to a document's current ones. It may run in
// the background.
func (x *Differences) Compare(ctx context.Context, d *model.Document) error {
	done, err := d.Use()
	if err != nil {
		return err
	}
	defer done()
	if d.Missing != nil {
		return model.ErrNoValues
	}
	x.here, x.Changes, x.More, x.Apart = d.Innermost().Tree(), nil, false, -1
	x.toHere, x.toThere = map[uint32]uint32{}, map[uint32]uint32{}
	o := compare.Options{Alike: d.ReadsAs(x.Other.Document), SameDialect: d.Dialect == x.Other.Dialect, Paired: func(there, here uint32) { x.toHere[there], x.toThere[here] = here, there }}
	err = compare.Trees(ctx, x.there(), x.here, o, func(c *compare.Change) error {
		if x.More = len(x.Changes) == maxDifferences; x.More {
			return errEnough
		}
		x.Changes = append(x.Changes, c)
		return nil
	})
	switch {
	case errors.Is(err, errEnough):
		return nil
	case err == nil && len(x.Changes) == 0:
		return source.Differences(ctx, d.Buffers[0].Tree().Source, x.Other.Buffers[0].Tree().Source, 1, func(s source.Splice) bool {
			x.Apart = s.Offset
			return false
		})
	}
	return err
}

var errEnough = errors.New("enough")

// IsOf reports whether d is the document that was compared, also after edits. The bytes of a value have a
// name but no path.
func (x *Differences) IsOf(d *model.Document) bool { return x.path == d.Named() && x.name == d.Name }

// IsFrom reports whether a tree is the one that was compared.
func (x *Differences) IsFrom(t *tree.Tree) bool { return x.here == t }

// there returns the tree of the other values.
func (x *Differences) there() *tree.Tree { return x.Other.Innermost().Tree() }

// Here returns a reader of this document's values, as they were compared.
func (x *Differences) Here() *tree.Reader  { return x.here.NewReader() }
func (x *Differences) There() *tree.Reader { return x.there().NewReader() }

// Take sets a value to what it is in the other file.
func (x *Differences) Take(ctx context.Context, t *model.Transaction, c *compare.Change) error {
	if t.Reader().Tree != x.here {
		return model.ErrOutdated
	}
	return one(ctx, t, x.There(), x.toHere, c.Reversed())
}

// Give sets a value of the other file to what it is here, and saves that file. If it cannot be saved, nothing is set.
func (x *Differences) Give(ctx context.Context, c *compare.Change) error {
	t, err := x.Other.Begin(x.Other.Innermost())
	if err != nil {
		return err
	}
	if err := one(ctx, t, x.Here(), x.toThere, c); err != nil {
		return err
	}
	if x.Other, err = t.Commit(ctx, "give "+c.Path, model.Cursor{}, model.Cursor{}); err != nil {
		return err
	}
	s, err := x.Other.Save(model.SaveOptions{})
	if err == nil {
		err = s.Write(ctx, new(model.Progress))
	}
	if err != nil {
		_, failed := x.Other.Undo(context.WithoutCancel(ctx))
		return errors.Join(err, failed)
	}
	x.Other.Saved(s)
	return nil
}

// one makes a single change to the values of another tree without the others. twins are the numbered values of
// that tree with their counterparts.
func one(ctx context.Context, t *model.Transaction, to *tree.Reader, twins map[uint32]uint32, c *compare.Change) error {
	b, err := newBecoming(ctx, t, to, false)
	if err == nil {
		b.link = func(serial uint32) string {
			here, known := twins[serial]
			n, err := b.here.Numbered(here)
			if !known || err != nil {
				return ""
			}
			return b.here.Path(n)
		}
		err = b.one(ctx, c)
	}
	if err != nil {
		return err
	}
	return b.Finish(ctx)
}

// one makes a single change: an element goes to where its neighbours are now.
func (b *becoming) one(ctx context.Context, c *compare.Change) error {
	path := b.pathOf(c.InA)
	switch {
	case c.Note && c.Kind == compare.Moved:
		return b.reorder(ctx, b.pathOf(c.A), c.A, c.B)
	case c.Kind == compare.Added:
		at := c.Before
		if at == math.MaxInt64 && c.InA.Layout == tree.Pairs {
			at = c.B.Slot.Index
		}
		return b.insertAt(ctx, path, at, c.B)
	case c.Kind == compare.Removed:
		return b.deleteChild(ctx, path, c.A.Slot.Index)
	case c.Kind == compare.Renamed:
		return b.rename(ctx, path, c.A.Slot.Index, c.B)
	case c.Kind == compare.Moved:
		count, err := b.t.ChildCount(c.InA)
		if err != nil {
			return err
		}
		return b.movesIn(ctx, path)(c.A.Slot.Index, min(c.B.Slot.Index, max(0, count-1)))
	}
	return b.set(ctx, b.pathOf(c.A), c.B)
}

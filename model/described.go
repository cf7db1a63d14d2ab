package model

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"varview/decoder"
	"varview/decoder/engine/format"
)

// Description returns the description by which the document is read; nil if there is none, or if it comes with the
// program.
func (d *Document) Description() format.Custom {
	if r, ok := d.described.(format.Custom); ok && len(r.Files()) > 0 {
		return r
	}
	return nil
}

// Kept returns what the edits have changed besides what was edited: the checksums, sizes and counts that a description keeps right, of
// the first outermost values. It is "", or what a message goes on with.
func (d *Document) Kept() string {
	const most = 100
	t := d.Innermost().Tree()
	f, ok := t.Reading.(format.Follower)
	if !ok {
		return ""
	}
	var all []string
	r := t.NewReader()
	n, err := r.Resolve("$")
	if err == nil {
		n, err = r.Child(n, 0)
	}
	for i := 0; i < most && err == nil; i++ {
		if d.Innermost().ChangedIn(n.Start, n.End) && f.Follows(r, n) {
			all = append(all, strings.TrimPrefix(r.Path(n), "$."))
		}
		n, err = r.Next(n)
	}
	if len(all) == 0 {
		return ""
	}
	return ", kept right: " + strings.Join(all, ", ")
}

// descriptionFiles returns the files of the description, or that beside the document which has a mistake.
func (d *Document) descriptionFiles() []string {
	if r := d.Description(); r != nil {
		return r.Files()
	}
	for _, err := range d.helpNotices {
		if p := (*format.DescriptionProblem)(nil); errors.As(err, &p) && d.described == nil {
			return []string{filepath.Join(filepath.Dir(d.path), p.File)}
		}
	}
	return nil
}

// IsMisdescribed reports whether no description is used, as the one beside the document has a mistake.
func (d *Document) IsMisdescribed() bool {
	return d.Description() == nil && d.descriptionFiles() != nil
}

// Redescribe reads the description as it is now, or the one beside the document that had a mistake, and returns all that is wrong with it.
func (d *Document) Redescribe() (again format.Format, problems []*format.DescriptionProblem, err error) {
	if r := d.Description(); r != nil {
		problems, err = r.Check()
		again, unusable := r.Reread()
		return again, problems, errors.Join(err, unusable)
	}
	file := d.descriptionFiles()[0]
	problems, err = decoder.CheckDescription(file, nil)
	again, unusable := ReadDescription(file)
	return again, problems, errors.Join(err, unusable)
}

// DescriptionStamp tells versions of the description on disk apart; "" without one.
func (d *Document) DescriptionStamp() string {
	var stamp strings.Builder
	for _, name := range d.descriptionFiles() {
		if f, err := os.Stat(name); err == nil {
			fmt.Fprintln(&stamp, name, f.Size(), f.ModTime().UnixNano())
		}
	}
	return stamp.String()
}

// FirstStamp returns the stamp of the description when the document was opened.
func (d *Document) FirstStamp() string { return d.stamp }

// WithDescription reads the values by a description; nil reads them without any.
func WithDescription(f format.Format) Change {
	return func(o *Options) {
		o.Described, o.Undescribed = f, f == nil
		o.Dialect, o.Framing, o.Double, o.Input = "", "", false, ""
	}
}

// ReadDescription reads the description in a file.
func ReadDescription(file string) (format.Format, error) { return decoder.ReadDescription(file, nil) }

// DescribedShare returns the share of the document's bytes that its description explains, from 0 to 1.
func (d *Document) DescribedShare(ctx context.Context) (float64, error) {
	t := d.Innermost().Tree()
	gaps, err := t.Gaps(ctx)
	if err != nil || t.Source.Size() == 0 {
		return 1, err
	}
	left := int64(0)
	if u, ok := t.Reading.(format.Unpacker); ok {
		left = u.Unknown()
	}
	for _, g := range gaps {
		left += g.Length
	}
	return 1 - float64(left)/float64(t.Source.Size()), nil
}

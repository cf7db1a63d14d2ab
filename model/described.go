package model

import (
	"context"
	"fmt"
	"os"
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

// DescriptionStamp tells versions of the description on disk apart; "" without one.
func (d *Document) DescriptionStamp() string {
	r := d.Description()
	if r == nil {
		return ""
	}
	var stamp strings.Builder
	for _, name := range r.Files() {
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

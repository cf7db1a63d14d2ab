package model

import (
	"cmp"
	"context"
	"errors"

	"varview/decoder"
	"varview/decoder/source"
)

// A Disk is how the file on disk differs from what was opened or saved last, without the
// edits.
type Disk struct {
	Size, Was int64        // of the file, in bytes
	Changes   []ByteChange // what is where; the buffer is that of the document
	More      bool         // there are more changes
}

// MaxDiskChanges is the number of changes that a Disk has at most.
const MaxDiskChanges = 2000

// apart is the number of equal bytes that divide two changes.
const apart = 4

// OffsetNow is where a byte of the buffer as it was opened or saved last is now.
func (b *Buffer) OffsetNow(off int64) int64 {
	return source.Map(b.now.Load().content.Since(b.base), off)
}

// CompareDisk reads the file on disk and compares what it holds: the values, where both are
// read alike, else the bytes of the file. It may run in the background.
func (d *Document) CompareDisk(ctx context.Context) (*Disk, error) {
	done, err := d.Use()
	if err != nil {
		return nil, err
	}
	defer done()
	src, err := source.OpenFile(d.path)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	o := d.options.Options
	o.Defer, o.Outer = 0, d.Outer()
	other, err := decoder.Open(ctx, src, o)
	if err != nil {
		return nil, err
	}
	defer other.Close()
	x := &Disk{Size: src.Size(), Was: d.latest.Size()}
	buffer := d.Innermost()
	trees := other.Buffers()
	if other.Missing != nil || d.Missing != nil || len(trees) != len(d.Buffers) || other.Format != d.Format {
		buffer = d.Buffers[0]
	}
	t := trees[buffer.Number]
	is := &version{tree: t, content: source.Whole(t.Source)}
	var failed error
	err = source.Differences(ctx, buffer.saved.content, is.content, apart, func(s source.Splice) bool {
		if x.More = len(x.Changes) == MaxDiskChanges; x.More {
			return false
		}
		failed = eachChange(buffer.Number, buffer.saved, is, []source.Splice{s}, func(c ByteChange) bool {
			x.Changes = append(x.Changes, c)
			return true
		})
		return failed == nil
	})
	err = cmp.Or(err, failed)
	if hole := (*source.HoleError)(nil); errors.As(err, &hole) { // what was opened is gone there
		c := ByteChange{Buffer: buffer.Number, At: hole.Span, Was: hole.Span}
		c.Path, c.Field, err = fieldsIn(t.NewReader(), hole.Span)
		x.Changes, x.More = append(x.Changes, c), true
	}
	return x, err
}

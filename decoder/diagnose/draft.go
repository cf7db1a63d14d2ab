package diagnose

import (
	"io"

	"varview/decoder/source"
	"varview/decoder/span"
)

// A change puts other bytes in the place of a span.
type change struct {
	span.Span
	new []byte
}

func (c *change) grows() int64 { return int64(len(c.new)) - c.Length }

func (c *change) splice() source.Splice { return source.Put(c.Offset, c.Length, c.new) }

// moved is a region as it is after the change, which lies in it.
func (c *change) moved(region span.Span) span.Span {
	if c.Offset < region.Offset {
		region.Offset += c.grows()
		return region
	}
	region.Length += c.grows()
	return region
}

// A draft is a source with a change made, for as long as a trial takes.
type draft struct {
	base source.Source
	change
}

// Size implements source.Source.
func (d *draft) Size() int64 { return d.base.Size() + d.grows() }

// ReadAt implements source.Source.
func (d *draft) ReadAt(p []byte, off int64) (n int, err error) {
	if off < d.Offset {
		n = int(min(int64(len(p)), d.Offset-off))
		if got, err := d.base.ReadAt(p[:n], off); got < n {
			return got, err
		}
	}
	if n < len(p) && off+int64(n) < d.Offset+int64(len(d.new)) {
		n += copy(p[n:], d.new[off+int64(n)-d.Offset:])
	}
	if n == len(p) {
		return n, nil
	}
	at := off + int64(n) - d.grows()
	if at >= d.base.Size() {
		return n, io.EOF
	}
	got, err := d.base.ReadAt(p[n:], at)
	return n + got, err
}

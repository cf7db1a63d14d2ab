package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/internal/atomicfile"
	"varview/model/inspect"
)

// A Range is a part of a buffer as it is now, whatever is edited later.
type Range struct {
	span.Span

	buffer *Buffer
	src    source.Source
}

// Range returns a part of the buffer.
func (x *Explorer) Range(s span.Span) Range { return Range{s, x.Buffer, x.Buffer.Tree().Source} }

// copyTo writes the bytes of the range.
func (r Range) copyTo(ctx context.Context, w io.Writer, p *Progress) error {
	done, err := r.buffer.doc.use()
	if err != nil {
		return err
	}
	defer done()
	return copyTo(ctx, w, r.src, r.Span, p.Set)
}

// Sums sums the bytes. It may run in the background.
func (r Range) Sums(ctx context.Context, p *Progress) (inspect.Sums, error) {
	s := inspect.NewSummer()
	err := r.copyTo(ctx, s, p)
	return s.Sums(), err
}

// maxCopied is the number of bytes that can be copied or filled at once: the history, or
// the clipboard, keeps them all.
const maxCopied = 64 << 20

// errManyBytes says that a range is too long for the memory.
var errManyBytes = fmt.Errorf("more than %s at once", span.Bytes(maxCopied))

// Bytes reads the bytes. It may run in the background.
func (r Range) Bytes(ctx context.Context, p *Progress) ([]byte, error) {
	if r.Length > maxCopied {
		return nil, fmt.Errorf("%w: :export-bytes FILE writes them to a file", errManyBytes)
	}
	var b bytes.Buffer
	err := r.copyTo(ctx, &b, p)
	return b.Bytes(), err
}

// Save writes the bytes to a file, which must not exist unless force is set. It may run in
// the background.
func (r Range) Save(ctx context.Context, path string, force bool, p *Progress) error {
	return atomicfile.Replace(ctx, path, atomicfile.Options{New: !force}, func(ctx context.Context, f *os.File) error {
		return r.copyTo(ctx, f, p)
	})
}

// Wider returns the bytes of the field or the value that the bytes of s lie in and that
// has more of them: the field first, then the value, and then those around it.
func (x *Explorer) Wider(s span.Span) span.Span {
	isMore := func(t span.Span) bool {
		return t.Length > s.Length && t.Offset <= s.Offset && t.End() >= s.End()
	}
	if isMore(x.field.Span) {
		return x.field.Span
	}
	for n := x.owner; n != nil && n.Depth > 0; n = n.Parent {
		if end, err := x.read.End(n); err == nil && isMore(span.Between(n.Start, end)) {
			return span.Between(n.Start, end)
		}
	}
	if all := span.Between(0, x.Buffer.Size()); isMore(all) {
		return all
	}
	return s
}

// Fill puts a pattern, as often as it fits, in place of the bytes of s.
func (x *Explorer) Fill(s span.Span, pattern []byte) Intention {
	at := x.Cursor()
	return Intention{fmt.Sprintf("fill %s at %#x", span.Bytes(s.Length), s.Offset), at, func(_ context.Context, t *Transaction) (Cursor, error) {
		if s.Length > maxCopied {
			return at, errManyBytes
		}
		if len(pattern) == 0 {
			return at, errors.New("nothing to fill with")
		}
		b := slices.Repeat(pattern, int(s.Length)/len(pattern)+1)
		return at, t.Bytes(s.Offset, s.Length, b[:s.Length])
	}}
}

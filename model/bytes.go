package model

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"io"
	"os"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/atomicfile"
	"varview/model/inspect"
)

// A Range is a range of a buffer's current bytes; later edits do not change it.
type Range struct {
	span.Span

	buffer *Buffer
	now    *tree.Tree // the tree and not its source, because ranges are compared
}

// Range returns a part of the buffer.
func (b *Buffer) Range(s span.Span) Range { return Range{s, b, b.Tree()} }

// copyTo writes the bytes of the range.
func (r Range) copyTo(ctx context.Context, w io.Writer, p *Progress) error {
	done, err := r.buffer.doc.Use()
	if err != nil {
		return err
	}
	defer done()
	return copyTo(ctx, w, r.now.Source, r.Span, p.Set)
}

// Sums computes checksums of the bytes. It may run in the background.
func (r Range) Sums(ctx context.Context, p *Progress) (inspect.Sums, error) {
	s := inspect.NewSummer()
	err := r.copyTo(ctx, s, p)
	return s.Sums(), err
}

// MaxCopied is the number of bytes that can be copied or filled at once: the history or the clipboard
// keeps all of them.
const MaxCopied = 64 << 20

// ErrManyBytes says that a range is too long to be held in memory.
var ErrManyBytes = fmt.Errorf("more than %s at once", span.Bytes(MaxCopied))

// Bytes reads the bytes. It may run in the background.
func (r Range) Bytes(ctx context.Context, p *Progress) ([]byte, error) {
	if r.Length > MaxCopied {
		return nil, fmt.Errorf("%w: :export-bytes FILE writes them to a file", ErrManyBytes)
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

// Image reads the image that a range holds. It may run in the background.
func (r Range) Image() (image.Image, error) {
	done, err := r.buffer.doc.Use()
	if err != nil {
		return nil, err
	}
	defer done()
	return inspect.Image(io.NewSectionReader(r.now.Source, r.Offset, r.Length))
}

const (
	entropyParts = 512       // parts of a buffer, at most
	leastEntropy = 256       // bytes in a part, at least: fewer cannot vary much
	wholeEntropy = 64 << 20  // size up to which all bytes count
	entropyPart  = 128 << 10 // bytes that count in each part of a larger buffer
)

// Entropies returns the entropy of equally long parts of the range, in bits per byte; it is negative for
// a part that cannot be read. In a long range only the beginning of each part counts. It may run in the
// background.
func (r Range) Entropies(ctx context.Context, p *Progress) ([]float64, error) {
	done, err := r.buffer.doc.Use()
	if err != nil {
		return nil, err
	}
	defer done()
	parts := make([]float64, min(entropyParts, max(1, r.Length/leastEntropy)))
	all := int64(len(parts))
	buf := make([]byte, entropyPart)
	for i := range parts {
		from, to := r.Offset+int64(i)*r.Length/all, r.Offset+int64(i+1)*r.Length/all
		if r.Length > wholeEntropy {
			to = min(to, from+entropyPart)
		}
		var counts inspect.Counts
		read := 0
		for at := from; at < to; at += int64(len(buf)) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			n, holes := source.ReadAround(r.now.Source, buf[:min(int64(len(buf)), to-at)], at)
			if len(holes) == 0 {
				counts.Add(buf[:n])
				read += n
			}
		}
		if parts[i] = -1; read > 0 {
			parts[i] = counts.Entropy()
		}
		p.Set(int64(i+1), all)
	}
	return parts, nil
}

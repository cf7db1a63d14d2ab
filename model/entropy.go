package model

import (
	"context"

	"varview/decoder/source"
	"varview/model/inspect"
)

const (
	entropyParts = 512       // of a buffer that get a figure of their own, at most
	leastEntropy = 256       // bytes of such a part: fewer cannot vary much
	wholeEntropy = 64 << 20  // the size up to which all bytes count
	entropyPart  = 128 << 10 // bytes that count of each part of a larger buffer
)

// Entropies are how much the bytes vary in parts of equal length of a range, in bits a byte;
// negative where none can be read. Of a long range only the beginning of each part counts. It
// may run in the background.
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

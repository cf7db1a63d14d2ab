package gdec

import (
	"context"
	"crypto/md5"
	"errors"
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// otherSize finds the plain size with which the MD5 matches, among those that the cipher
// text can have, and gives it to the layer.
func (f *opening) otherSize(ctx context.Context, all []header) error {
	is := f.Payload.(*payload).header
	if is.plain() > verifyAtOnce {
		return nil
	}
	for _, h := range all {
		there := f.Region.End() - h.start
		if there <= 0 || there%cipherSize != 0 || there > verifyAtOnce {
			continue
		}
		h.Size = uint64(there)
		h.bound(f.Region)
		was := *is
		if err := f.use(&h); err != nil {
			return err
		}
		size, err := f.Payload.(*payload).matching(ctx)
		if err != nil {
			return err
		}
		if size >= 0 {
			h.Size = uint64(size)
			h.bound(f.Region)
			if err := f.use(&h); err != nil {
				return err
			}
			f.Payload.(*payload).sum = h.MD5
			f.SetChecksum(layer.Matches)
			f.describe(&h)
			return nil
		}
		if err := f.use(&was); err != nil {
			return err
		}
		if err := f.Verify(ctx, f.o.Progress); err != nil {
			return err
		}
	}
	return nil
}

// matching returns the size with which the MD5 matches, if it ends in the last cipher
// block, otherwise -1. The payload has all bytes up to these sizes.
func (p *payload) matching(ctx context.Context) (int64, error) {
	from := p.size - min(p.size, cipherSize)
	sum := md5.New()
	buf := make([]byte, 256<<10)
	for at := int64(0); at < p.size; {
		if err := ctx.Err(); err != nil {
			return -1, err
		}
		limit := from
		if at >= from {
			limit = p.size
		}
		b := buf[:min(int64(len(buf)), limit-at)]
		if err := layer.ReadAt(p, b, at); err != nil {
			if hole := (*source.HoleError)(nil); errors.As(err, &hole) {
				return -1, nil
			}
			return -1, err
		}
		if at += int64(len(b)); at <= from {
			sum.Write(b)
			continue
		}
		for i := range b {
			sum.Write(b[i : i+1])
			if [cipherSize]byte(sum.Sum(nil)) == p.header.MD5 {
				return from + int64(i) + 1, nil
			}
		}
	}
	return -1, nil
}

// repairCutPadding adds the cipher text of the zeros after the plain bytes.
func (p *payload) repairCutPadding(problem *part.Problem) {
	there := p.header.end - p.header.start
	cut := there % cipherSize
	if p.header.Generation != 4 || cut == 0 {
		return
	}
	before := p.header.IV
	if there > cipherSize && layer.ReadAt(p.src, before[:], p.header.end-cut-cipherSize) != nil {
		return
	}
	p.block.Encrypt(before[:], before[:])
	missing := cipherSize - cut
	problem.Message += "; only filler is missing"
	problem.RepairBy(fmt.Sprintf("add %s to fill up the last cipher block", span.Bytes(missing)), source.Put(p.header.end, 0, before[cut:]))
}

package wrap

import (
	"context"
	"crypto/md5"
	"errors"
	"fmt"

	"varview/decoder/source"
)

// ReadsWell notes that the payload reads without a problem from its first byte to
// its last. Where its MD5 differs all the same, and nothing else speaks against
// the key, it is the MD5 that is wrong, and a repair is offered for it. It must be
// called before problems are asked for.
func (l *Layer) ReadsWell() { l.readsWell.Store(true) }

// otherSize looks for the plain size with which the MD5 matches, among those that
// the cipher text can have, and makes l a layer of it.
func (l *Layer) otherSize(ctx context.Context, src source.Source, all []GDECHeader, key []byte, o Options) error {
	if l.GDEC.plain() > verifyAtOnce {
		return nil
	}
	for _, h := range all {
		there := l.Region.End() - h.start
		if there <= 0 || there%cipherSize != 0 || there > verifyAtOnce {
			continue
		}
		h.Size = uint64(there)
		h.bound(l.Region)
		was := *l.GDEC
		if err := l.useGDEC(&h, src, key, o); err != nil {
			return err
		}
		size, err := l.Payload.(*gdecPayload).matching(ctx)
		if err != nil {
			return err
		}
		if size >= 0 {
			h.Size = uint64(size)
			h.bound(l.Region)
			if err := l.useGDEC(&h, src, key, o); err != nil {
				return err
			}
			l.sum = h.MD5
			l.checksum.Store(int32(Matches))
			l.describeGDEC(&h, o)
			return nil
		}
		if err := l.useGDEC(&was, src, key, o); err != nil {
			return err
		}
		if err := l.verify(ctx, o.Progress); err != nil {
			return err
		}
	}
	return nil
}

// matching is the size with which the MD5 matches, if it ends in the last cipher
// block, else -1. The payload has all the bytes of these.
func (p *gdecPayload) matching(ctx context.Context) (int64, error) {
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
		if err := readAt(p, b, at); err != nil {
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

// cureCutPadding adds the cipher text of the zeros behind the plain bytes.
func (p *gdecPayload) cureCutPadding(found *finding) {
	there := p.header.end - p.header.start
	cut := there % cipherSize
	if p.header.Generation != 4 || cut == 0 {
		return
	}
	before := p.header.IV
	if there > cipherSize && readAt(p.src, before[:], p.header.end-cut-cipherSize) != nil {
		return
	}
	p.block.Encrypt(before[:], before[:])
	missing := cipherSize - cut
	found.Message += "; only filler is missing"
	found.cure(fmt.Sprintf("add %s to fill up the last cipher block", byteCount(missing)), source.Put(p.header.end, 0, before[cut:]))
}

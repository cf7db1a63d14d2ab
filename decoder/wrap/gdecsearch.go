package wrap

import (
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"hash"

	"varview/decoder/source"
	"varview/decoder/span"
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

// flipWork is how many bytes a search for a wrong byte puts through MD5 at most.
const flipWork = 256 << 20

// findFlipped looks for the one byte of start value or cipher text with which
// the MD5 matches; nil if there is none, or too many to look at.
func (p *gdecPayload) findFlipped() *finding {
	n := p.header.end - p.header.start
	if p.size == 0 || p.size != p.header.plain() || n%cipherSize != 0 || n*n > flipWork/255*2 {
		return nil
	}
	f := &flipper{p: p, packed: make([]byte, n+cipherSize), plain: make([]byte, n)}
	copy(f.packed, p.header.IV[:])
	if readAt(p.src, f.packed[cipherSize:], p.header.start) != nil {
		return nil
	}
	f.decrypt(0, n)
	return f.find()
}

// A flipper tries other bytes of a cipher text.
type flipper struct {
	p      *gdecPayload
	packed []byte // start value and cipher text
	plain  []byte // with the padding
}

// decrypt decrypts n bytes from off on.
func (f *flipper) decrypt(off, n int64) {
	for i := off; i < min(off+n, int64(len(f.plain))); i += cipherSize {
		if f.p.header.Generation == 3 {
			f.p.block.Decrypt(f.plain[i:], f.packed[i+cipherSize:i+2*cipherSize])
		} else {
			f.p.cfb(f.plain[i:i+cipherSize], f.packed[i:i+2*cipherSize], 0)
		}
	}
}

func (f *flipper) find() *finding {
	sum := md5.New() // of the plain bytes before those that change
	hashed := int64(0)
	from := int64(0)
	if f.p.header.Generation == 3 {
		from = cipherSize
	}
	for at := from; at < int64(len(f.packed)); at++ {
		off := max(0, at-cipherSize) &^ (cipherSize - 1) // of the first plain byte that can change
		if start := min(off, f.p.size); start > hashed {
			sum.Write(f.plain[hashed:start])
			hashed = start
		}
		was := f.packed[at]
		for c := range 256 {
			f.packed[at] = byte(c)
			if byte(c) != was && f.matches(off, sum) {
				return f.tell(at, was, byte(c))
			}
		}
		f.packed[at] = was
		f.decrypt(off, 2*cipherSize)
	}
	return nil
}

// matches reports whether the MD5 matches if the plain bytes from off on change.
func (f *flipper) matches(off int64, before hash.Hash) bool {
	f.decrypt(off, 2*cipherSize)
	cloned, err := before.(hash.Cloner).Clone()
	if err != nil {
		return false
	}
	sum := cloned.(hash.Hash)
	sum.Write(f.plain[min(off, f.p.size):f.p.size])
	return [cipherSize]byte(sum.Sum(nil)) == f.p.header.MD5 && isZero(f.plain[f.p.size:])
}

func (f *flipper) tell(at int64, was, is byte) *finding {
	where := f.p.header.start + at - cipherSize // the start value stands before the cipher text
	found := &finding{Problem: span.Problem{Span: span.Span{Offset: where, Length: 1}, Severity: span.Error, Code: WrongByte, Engine: gdecCorrupt}}
	found.Message = fmt.Sprintf("wrong byte: %02x stands here, and with %02x the MD5 of the plain bytes matches", was, is)
	return found.cure(fmt.Sprintf("set the byte to %02x", is), source.Put(where, 1, []byte{is}))
}

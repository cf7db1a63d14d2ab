package gdec

import (
	"crypto/cipher"
	"crypto/subtle"
	"errors"
	"io"
	"sync"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/layer"
)

// keptBytes is the number of plain bytes that are kept in memory.
const keptBytes = 1 << 20

// payload is the plain bytes. Those read last are kept.
type payload struct {
	*decrypter
	kept source.Source      // of the decrypter
	sum  [cipherSize]byte   // MD5 of the plain bytes, once that was compared
	fits func() layer.State // judgeKey, once
}

func newPayload(d *decrypter) *payload {
	p := &payload{decrypter: d, kept: source.Cached(d, keptBytes)}
	p.fits = sync.OnceValue(p.judgeKey)
	return p
}

// ReadAt implements io.ReaderAt.
func (p *payload) ReadAt(b []byte, off int64) (int, error) { return p.kept.ReadAt(b, off) }

// decrypter decrypts the bytes that are read.
type decrypter struct {
	src    source.Source
	block  cipher.Block
	header *header
	size   int64
}

// Size is the number of plain bytes.
func (p *decrypter) Size() int64 { return p.size }

// ReadAt implements io.ReaderAt.
func (p *decrypter) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	const chunk = 64 << 10
	var mem []byte
	done := 0
	for done < len(b) {
		at := off + int64(done)
		n := min(int64(len(b)-done), p.size-at, chunk)
		if n <= 0 {
			return done, io.EOF
		}
		if mem == nil {
			mem = make([]byte, min(int64(len(b)), chunk)+3*cipherSize)
		}
		if err := p.decrypt(b[done:done+int(n)], at, mem); err != nil {
			return p.partial(b, off, done, err)
		}
		done += int(n)
	}
	return done, nil
}

// decrypt fills b with the plain bytes from at on. mem has the length of b and three more
// cipher blocks.
func (p *decrypter) decrypt(b []byte, at int64, mem []byte) error {
	first := at &^ (cipherSize - 1)
	end := min(padded(at+int64(len(b))), p.header.end-p.header.start)
	packed := mem[cipherSize : cipherSize+end-first]
	if p.header.Generation == 3 {
		if err := layer.ReadAt(p.src, packed, p.header.start+first); err != nil {
			return err
		}
		for i := 0; i+cipherSize <= len(packed); i += cipherSize {
			p.block.Decrypt(packed[i:i+cipherSize], packed[i:i+cipherSize])
		}
		copy(b, packed[at-first:])
		return nil
	}
	before := mem[:cipherSize+end-first] // beginning with the cipher block before the first one
	if first == 0 {
		copy(before, p.header.IV[:])
		if err := layer.ReadAt(p.src, packed, p.header.start); err != nil {
			return err
		}
	} else if err := layer.ReadAt(p.src, before, p.header.start+first-cipherSize); err != nil {
		return err
	}
	p.cfb(b, before, int(at-first))
	return nil
}

// cfb fills b with the plain bytes from skip on of the cipher blocks after the first one in
// packed; the last may be cut off.
func (p *decrypter) cfb(b, packed []byte, skip int) {
	var key [cipherSize]byte
	for i := 0; len(b) > 0; i += cipherSize {
		p.block.Encrypt(key[:], packed[i:i+cipherSize])
		n := min(len(b), cipherSize-skip)
		from := i + cipherSize + skip
		subtle.XORBytes(b[:n], packed[from:from+n], key[skip:])
		b, skip = b[n:], 0
	}
}

// partial turns a hole of the cipher text into one of the plain bytes: CFB also
// loses the cipher block after it.
func (p *decrypter) partial(b []byte, off int64, done int, err error) (int, error) {
	clear(b[done:])
	var hole *source.HoleError
	if !errors.As(err, &hole) {
		return done, err
	}
	start := max(0, hole.Offset-p.header.start) &^ (cipherSize - 1)
	end := padded(hole.End() - p.header.start)
	if p.header.Generation == 4 {
		end += cipherSize
	}
	at := off + int64(done)
	if start > at { // the bytes before the hole can be read
		n, err := p.ReadAt(b[done:done+int(min(start-at, int64(len(b)-done)))], at)
		done += n
		if err != nil {
			return done, err
		}
	}
	return done, &source.HoleError{Span: span.Between(start, min(end, p.size)), Err: hole.Err}
}

// Package gdec opens the files of Godot's FileAccess.open_encrypted and open_encrypted_with_pass: a header
// with an MD5, and cipher text.
package gdec

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"sync"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// Kind is this kind of wrapper.
var Kind layer.Wrapper = kind{layer.Info{Name: "gdec", About: "encrypted by Godot's FileAccess.open_encrypted or open_encrypted_with_pass", File: true, Encrypted: true}}

type kind struct{ layer.Info }

var (
	_ layer.Deferrer = kind{}
	_ layer.Maker    = kind{}
)

// verifyAtOnce is the size in bytes up to which Open verifies the MD5.
const verifyAtOnce = 64 << 20

// PasswordKey returns the key that Godot derives from a password: the 32 ASCII characters
// of the lower-case hexadecimal MD5 of its UTF-8 bytes.
func PasswordKey(password string) []byte {
	sum := md5.Sum([]byte(password))
	return hex.AppendEncode(nil, sum[:])
}

func keyOf(o *layer.Options) []byte {
	if o.Key == nil && o.Password != nil {
		return PasswordKey(*o.Password)
	}
	return o.Key
}

// Empty implements layer.Maker.
func (kind) Empty(_ string, generation int) ([]byte, error) {
	h := header{Generation: generation, Mode: 1, MD5: md5.Sum(nil)}
	return h.bytes(), nil
}

// Sniff implements layer.Wrapper.
func (kind) Sniff(s *layer.Sample) bool {
	return layer.IsCut(s.Head, Magic) || hasMagic(s.Head, s.Window, s.Region)
}

// hasMagic reports whether bytes begin with the magic, or with one that differs in one byte if the file has
// the size that the header says.
func hasMagic(head []byte, w *source.Window, region span.Span) bool {
	return layer.IsNear(head, Magic) && (string(head[:len(Magic)]) == Magic || looksEncrypted(w, region))
}

// looksEncrypted reports whether the bytes of a region have the size that a GDEC header says, whatever the
// magic.
func looksEncrypted(w *source.Window, region span.Span) bool {
	three := header{start: region.Offset + header3Size}
	four := header{start: region.Offset + header4Size}
	fits := func(h *header, sizeAt int64) bool {
		h.Size = w.U64(region.Offset + sizeAt)
		h.end = region.End()
		return h.start <= h.end && h.fits(region)
	}
	return fits(&three, 24) && w.U32(region.Offset+4) == 1 || fits(&four, 20)
}

// Eager implements layer.Deferrer: bytes are decrypted on demand, and read at once only to
// verify the MD5.
func (kind) Eager(region span.Span, o layer.Options) int64 {
	if !o.HasKey() || region.Length > verifyAtOnce {
		return 0
	}
	return region.Length
}

// Open implements layer.Wrapper.
func (kind) Open(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) error {
	l.ShortTitle = "GDEC"
	magic := make([]byte, min(l.Region.Length, int64(len(Magic))))
	if err := layer.ReadAt(src, magic, l.Region.Offset); err != nil {
		return err
	}
	switch {
	case layer.IsCut(magic, Magic):
		l.CutHeader("GDEC", l.Region.Length)
		return nil
	case !hasMagic(magic, source.NewWindow(src), l.Region):
		l.Reject("GDEC", "these bytes do not begin with GDEC")
		return nil
	}
	all, err := headers(src, l.Region)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		l.CutHeader("GDEC", int64(len(Magic)))
		return nil
	}
	f := &opening{Layer: l, src: src, o: o, magic: string(magic), key: keyOf(&o)}
	if f.key == nil {
		l.Miss(layer.NeedsKey, "the file is encrypted: give its password or its key")
		f.describe(&all[0])
		return nil
	}
	l.Secret = f.key
	return f.decrypt(ctx, all)
}

// headers returns the headers of the generations that the bytes may have, the likeliest first. If the size
// fits only one, it returns that one.
func headers(src source.Source, region span.Span) ([]header, error) {
	three, whole3, err := readHeader(src, region, 3)
	if err != nil {
		return nil, err
	}
	four, whole4, err := readHeader(src, region, 4)
	if err != nil {
		return nil, err
	}
	fits3, fits4 := whole3 && three.fits(region), whole4 && four.fits(region)
	switch {
	case fits3 && !fits4, whole3 && !whole4 && three.Mode == 1:
		return []header{three}, nil
	case fits4 && !fits3:
		return []header{four}, nil
	case !whole4:
		return nil, nil
	case three.Mode == 1: // in Godot 4 that would be a quarter of an MD5
		return []header{three, four}, nil
	}
	return []header{four, three}, nil
}

// An opening is a wrapper that is being opened.
type opening struct {
	*layer.Layer
	src   source.Source
	o     layer.Options
	magic string // the magic, or what is in its place
	key   []byte
}

// decrypt gives the layer the payload of the header whose MD5 matches, or of the first.
func (f *opening) decrypt(ctx context.Context, all []header) error {
	for i := range all {
		h := &all[len(all)-1-i] // the likeliest last, so that it stays if none matches
		if err := f.use(h); err != nil {
			return err
		}
		if h.plain() > verifyAtOnce {
			continue
		}
		if err := f.Verify(ctx, f.o.Progress); err != nil {
			return err
		}
		if f.Checksum() == layer.Matches {
			f.describe(h) // describe finds out whether only padding is cut off
			return nil
		}
	}
	return nil
}

// use gives the layer the payload of a header.
func (f *opening) use(h *header) error {
	block, err := aes.NewCipher(f.key)
	if err != nil {
		return err
	}
	h.hasKey = true
	f.SetChecksum(layer.Unknown)
	p := newPayload(&decrypter{src: f.src, block: block, header: h, size: min(h.plain(), f.o.MaxUnpacked)})
	f.Payload, f.Packer, f.Check = p, &packer{p, f.Layer}, p.check
	f.describe(h)
	return nil
}

func (f *opening) describe(h *header) {
	f.Title, f.Generation = h.title(), h.Generation
	d := &reading{layer: f.Layer, header: h, magic: f.magic}
	d.Reading = f.Describe(struct {
		part.About
		Generation int    `json:"generation"`
		Size       uint64 `json:"plain_size"`
		MD5        string `json:"md5"`
	}{f.About(), h.Generation, h.Size, hex.EncodeToString(h.MD5[:])}, d.parts()...)
	if f.Payload != nil && h.plain() > f.o.MaxUnpacked {
		body := &d.Parts[1]
		body.Warn(body.Span, layer.TooLarge, layer.OnlyFirstOf(h.plain(), f.o.MaxUnpacked), "")
	}
	f.Reading = d
}

// check compares the MD5 of the payload. If bytes are missing, which is another problem, the result is
// unknown.
func (p *payload) check(ctx context.Context, progress func(done, all int64)) (layer.State, error) {
	if !p.header.isWhole() || p.size < p.header.plain() {
		return layer.Unknown, nil
	}
	sum := md5.New()
	buf := make([]byte, 256<<10)
	for at := int64(0); at < p.size; {
		if err := ctx.Err(); err != nil {
			return layer.Unknown, err
		}
		n, err := p.ReadAt(buf[:min(int64(len(buf)), p.size-at)], at)
		if hole := (*source.HoleError)(nil); errors.As(err, &hole) {
			return layer.Unknown, nil
		}
		if err != nil && err != io.EOF {
			return layer.Unknown, err
		}
		sum.Write(buf[:n])
		if at += int64(n); progress != nil {
			progress(at, p.size)
		}
	}
	if p.sum = [cipherSize]byte(sum.Sum(nil)); p.sum == p.header.MD5 {
		return layer.Matches, nil
	}
	return layer.Differs, nil
}

// KeyFits implements layer.Keyed.
func (p *payload) KeyFits() layer.State { return p.fits() }

// judgeKey returns what the plain bytes and the padding after them show about the key.
func (p *payload) judgeKey() layer.State {
	padding := p.judgePadding()
	switch {
	case padding == layer.Matches || p.size < cipherSize:
		return padding
	case !p.isNoise():
		return layer.Matches
	case p.size < leastNoise:
		return padding
	}
	return layer.Differs
}

// leastNoise is the number of plain bytes from which on noise shows that the key is wrong.
const leastNoise = 64

// isNoise reports whether the beginning of the plain bytes looks random, as it does with a wrong key.
func (p *payload) isNoise() bool {
	const enough = 256 << 10
	b := make([]byte, min(p.size, enough))
	n, _ := p.ReadAt(b, 0) // the bytes before a hole will do
	all := 0
	var counts [256]int
	seen := map[string]bool{} // repeated cipher blocks stay alike with a wrong key too
	for block := range slices.Chunk(b[:n], cipherSize) {
		if !seen[string(block)] {
			seen[string(block)] = true
			all += len(block)
			for _, c := range block {
				counts[c]++
			}
		}
	}
	squares := 0
	for _, c := range counts {
		squares += c * c
	}
	// χ² of random bytes is 255 ± 23, and varies more if there are few.
	return all < cipherSize || squares*256/all-all < 384+2048/all
}

// judgePadding returns whether the padding after the plain bytes is zero, as it is with the right key. With
// less than 4 bytes of padding the result is unknown.
func (p *payload) judgePadding() layer.State {
	n := padded(p.header.plain()) - p.header.plain()
	if n < 4 || !p.header.isWhole() || p.header.plain()+n > p.header.end-p.header.start {
		return layer.Unknown
	}
	b := make([]byte, n)
	mem := make([]byte, n+3*cipherSize)
	if p.decrypt(b, p.header.plain(), mem) != nil {
		return layer.Unknown
	}
	if !layer.IsZero(b) {
		return layer.Differs
	}
	return layer.Matches
}

// keptBytes is the number of plain bytes that are kept in memory.
const keptBytes = 1 << 20

// A payload is the plain bytes. Those read last are kept.
type payload struct {
	*decrypter
	kept source.Source      // of the decrypter
	sum  [cipherSize]byte   // MD5 of the plain bytes, once it was compared
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

// Size returns the number of plain bytes.
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

// decrypt fills b with the plain bytes from at on. mem has the length of b and three more cipher blocks.
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
	before := mem[:cipherSize+end-first] // begins with the cipher block before the first one
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

// cfb decrypts the cipher blocks after the first one in packed, and fills b with the plain bytes from skip
// on; the last block may be cut off.
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

// partial turns a hole of the cipher text into one of the plain bytes: CFB also loses the cipher block
// after it.
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

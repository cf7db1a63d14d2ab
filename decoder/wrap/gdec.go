package wrap

import (
	"context"
	"crypto/aes"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"io"

	"varview/decoder/source"
	"varview/decoder/span"
)

// verifyAtOnce is the size in bytes up to which Open verifies the MD5 of a GDEC.
const verifyAtOnce = 64 << 20

// PasswordKey is the key that Godot makes of a password: the 32 ASCII characters
// of the lower-case hexadecimal MD5 of its UTF-8 bytes.
func PasswordKey(password string) []byte {
	sum := md5.Sum([]byte(password))
	return hex.AppendEncode(nil, sum[:])
}

func (o *Options) key() []byte {
	switch {
	case o.Key != nil:
		return o.Key
	case o.Password != nil:
		return PasswordKey(*o.Password)
	}
	return nil
}

// openGDEC opens what FileAccess.open_encrypted wrote.
func openGDEC(ctx context.Context, l *Layer, src source.Source, o Options) error {
	magic := make([]byte, min(l.Region.Length, int64(len(gdecMagic))))
	if err := readAt(src, magic, l.Region.Offset); err != nil {
		return err
	}
	if kind, cut := isCutMagic(magic); cut && (kind == GDEC || len(magic) == 1) {
		l.cutMagic("GDEC")
		return nil
	}
	if string(magic) != gdecMagic && (!isNear(magic, gdecMagic) || !looksGDEC(source.NewWindow(src), l.Region)) {
		l.reject("GDEC", "these bytes do not begin with GDEC")
		return nil
	}
	l.magic = string(magic)
	all, err := gdecReadings(src, l.Region)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		l.cutGDEC()
		return nil
	}
	key := o.key()
	if key == nil {
		l.miss(NeedsKey, "the file is encrypted: give its password or its key")
		l.describeGDEC(&all[0], o)
		return nil
	}
	return l.decryptGDEC(ctx, src, all, key, o)
}

// gdecReadings are the generations that the bytes can be of, the likeliest
// first. Where the size fits one alone that is the only one.
func gdecReadings(src source.Source, region span.Span) ([]GDECHeader, error) {
	three, whole3, err := readGDEC(src, region, 3)
	if err != nil {
		return nil, err
	}
	four, whole4, err := readGDEC(src, region, 4)
	if err != nil {
		return nil, err
	}
	fits3, fits4 := whole3 && three.fits(region), whole4 && four.fits(region)
	switch {
	case fits3 && !fits4, whole3 && !whole4 && three.Mode == 1:
		return []GDECHeader{three}, nil
	case fits4 && !fits3:
		return []GDECHeader{four}, nil
	case !whole4:
		return nil, nil
	case three.Mode == 1: // in Godot 4 that would be a quarter of an MD5
		return []GDECHeader{three, four}, nil
	}
	return []GDECHeader{four, three}, nil
}

// decryptGDEC gives l the payload of the reading whose MD5 matches, or of the
// first.
func (l *Layer) decryptGDEC(ctx context.Context, src source.Source, all []GDECHeader, key []byte, o Options) error {
	for i := range all {
		h := &all[len(all)-1-i] // the likeliest last, to keep where none matches
		if err := l.useGDEC(h, src, key, o); err != nil {
			return err
		}
		if h.plain() > verifyAtOnce {
			continue
		}
		if err := l.verify(ctx, o.Progress); err != nil {
			return err
		}
		if l.Checksum() == Matches {
			l.describeGDEC(h, o) // which shows whether filler alone is cut
			return nil
		}
	}
	return l.otherSize(ctx, src, all, key, o)
}

// useGDEC makes l a layer of the given reading.
func (l *Layer) useGDEC(h *GDECHeader, src source.Source, key []byte, o Options) error {
	block, err := aes.NewCipher(key)
	if err != nil {
		return err
	}
	h.Key = key
	l.checksum.Store(int32(Unknown))
	p := &gdecPayload{src: src, block: block, header: h, size: min(h.plain(), o.MaxUnpacked)}
	l.Payload, l.again = p, &gdecLayer{p, l}
	l.verify = func(ctx context.Context, progress func(done, all int64)) error {
		return l.verifyGDEC(ctx, p, progress)
	}
	l.describeGDEC(h, o)
	return nil
}

func (l *Layer) describeGDEC(h *GDECHeader, o Options) {
	l.GDEC, l.Title = h, h.title()
	parts := h.parts(l)
	if l.Payload != nil && h.plain() > o.MaxUnpacked {
		parts[1].warn(parts[1].Span, TooLarge, tooLarge(h.plain(), o.MaxUnpacked), "")
	}
	l.Format = &gdecFormat{format: format{layer: l, parts: parts, about: struct {
		about
		Generation int    `json:"generation"`
		Size       uint64 `json:"plain_size"`
		MD5        string `json:"md5"`
	}{l.describe(), h.Generation, h.Size, hex.EncodeToString(h.MD5[:])}}}
}

// tooLarge is the message of a payload that is cut.
func tooLarge(all, limit int64) string {
	return "cut by --max-unpacked: only the first " + byteCount(limit) + " of " + byteCount(all) + " are unpacked"
}

// verifyGDEC compares the MD5 of the payload. Where bytes are missing, which is
// a problem of its own, it remains unknown.
func (l *Layer) verifyGDEC(ctx context.Context, p *gdecPayload, progress func(done, all int64)) error {
	if !p.header.isWhole() || p.size < p.header.plain() {
		return nil
	}
	sum := md5.New()
	buf := make([]byte, 256<<10)
	for at := int64(0); at < p.size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := p.ReadAt(buf[:min(int64(len(buf)), p.size-at)], at)
		if hole := (*source.HoleError)(nil); errors.As(err, &hole) {
			return nil // nobody can tell
		}
		if err != nil && err != io.EOF {
			return err
		}
		sum.Write(buf[:n])
		if at += int64(n); progress != nil {
			progress(at, p.size)
		}
	}
	state := Differs
	if l.sum = [cipherSize]byte(sum.Sum(nil)); l.sum == p.header.MD5 {
		state = Matches
	}
	l.checksum.Store(int32(state))
	return nil
}

// LooksWrong reports that the MD5 of a GDEC differs and that the key is the
// likely reason: with the right one the bytes that fill up the last cipher block
// are zero. It takes at least 4 of them to tell.
func (l *Layer) LooksWrong() bool {
	p, ok := l.Payload.(*gdecPayload)
	return ok && l.Checksum() == Differs && p.padding() == paddingWrong
}

// LooksRight reports that the bytes that fill up the last cipher block show that
// the key is right, whatever the MD5 says.
func (l *Layer) LooksRight() bool {
	p, ok := l.Payload.(*gdecPayload)
	return ok && p.padding() == paddingRight
}

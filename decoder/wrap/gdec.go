package wrap

import (
	"context"
	"crypto/aes"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
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
	if string(magic) != gdecMagic {
		l.reject("GDEC", "these bytes do not begin with GDEC")
		return nil
	}
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
			return nil
		}
	}
	return nil
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
	parts := h.parts(l.Region)
	if l.Payload != nil && h.plain() > o.MaxUnpacked {
		parts[1].warn(parts[1].Span, TooLarge, tooLarge(h.plain(), o.MaxUnpacked), "")
	}
	l.Format = &gdecFormat{format{layer: l, parts: parts, about: struct {
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
	if [cipherSize]byte(sum.Sum(nil)) == p.header.MD5 {
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

// gdecFormat adds what the MD5 says to the description of a GDEC.
type gdecFormat struct{ format }

// Inspect implements tree.Format.
func (f *gdecFormat) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	f.format.Inspect(w, parent, slot, v, report)
	if v.Type == tPart && v.Sub == 0 && f.layer.Checksum() == Differs {
		report(f.layer.gdecMismatch(f.parts[0].fields))
	}
}

// gdecMismatch tells what an MD5 that differs means.
func (l *Layer) gdecMismatch(fields []span.Field) span.Problem {
	p := span.Problem{Severity: span.Error, Code: Checksum, Engine: "loading fails (ERR_FILE_CORRUPT)"}
	for _, f := range fields {
		if f.Kind == span.Hash {
			p.Span = f.Span
		}
	}
	switch l.Payload.(*gdecPayload).padding() {
	case paddingWrong:
		p.Code, p.Message = WrongKey, "wrong key or password, or a damaged end: the MD5 differs and the padding is not zero"
	case paddingRight:
		p.Message = "damaged bytes: the MD5 differs, but the padding is zero, so the key is right"
	default:
		p.Message = "wrong key or password, or damaged bytes: the MD5 of the plain bytes differs"
	}
	return p
}

// AppendField implements tree.Format.
func (f *gdecFormat) AppendField(dst []byte, w *source.Window, v *tree.Value, field span.Field) []byte {
	switch field.Kind {
	case span.Flags:
		if w.U32(field.Offset) == 1 {
			return append(dst, "AES-256"...)
		}
		return fmt.Appendf(dst, "mode %d", w.U32(field.Offset))
	case span.Length:
		return strconv.AppendUint(dst, w.U64(field.Offset), 10)
	}
	return f.format.AppendField(dst, w, v, field)
}

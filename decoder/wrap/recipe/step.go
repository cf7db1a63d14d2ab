package recipe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/digits"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/own"
	"varview/decoder/wrap/part"
	"varview/decoder/wrap/zlib"
)

// A Step is one layer of a recipe; its fields are those of [[layer]].
type Step struct {
	Step     string      `toml:"step"`
	Key      string      `toml:"key,omitempty"` // for xor and aes
	KeyHex   string      `toml:"key-hex,omitempty"`
	IV       string      `toml:"iv,omitempty"` // start value of aes; the default is the first bytes
	IVHex    string      `toml:"iv-hex,omitempty"`
	Unpadded bool        `toml:"unpadded,omitempty"` // for aes: without PKCS#7
	Add      any         `toml:"add,omitempty"`      // number that the game adds to each character, or a list of them
	Password string      `toml:"password,omitempty"` // of which the key of aes is made, with the salt
	Rounds   int         `toml:"rounds,omitempty"`   // of PBKDF2
	Hash     string      `toml:"hash,omitempty"`     // with which the key is made
	KeyBytes int         `toml:"key-bytes,omitempty"`
	Fields   []own.Field `toml:"fields,omitempty"` // of a header
	Form     string      `toml:"form,omitempty"`   // form of lz-string: base64, uri, utf16; of a checksum: digits, DIGITS, bytes, big-endian
	Level    int         `toml:"level,omitempty"`  // level of gzip, deflate, zstd, brotli; 0 for the usual one
	Bytes    int         `toml:"bytes,omitempty"`  // that skip keeps; of a header whose fields are found
	Sum      string      `toml:"kind,omitempty"`   // of a checksum
	Start    bool        `toml:"start,omitempty"`  // a checksum is before the bytes
	End      bool        `toml:"end,omitempty"`    // skip is at the end
	Secret   string      `toml:"secret,omitempty"` // hashed after the bytes; the key of an HMAC
	Salt     string      `toml:"salt,omitempty"`   // hashed before them; of a password
}

// Kind returns the wrapper of a step.
func (s Step) Kind() (layer.Wrapper, error) {
	switch s.Step {
	case "base64":
		return digits.Base64, nil
	case "hex":
		return digits.Hex, nil
	case "zlib":
		return zlib.Kind, nil
	case "header":
		return s.header()
	case "checksum":
		p := &checksum.Place{Sum: s.Sum, Start: s.Start, Secret: s.Secret, Salt: s.Salt}
		return own.Summed(p), p.SetForm(s.Form)
	}
	return &kind{layer.Info{Name: s.Step, About: "a step of a recipe"}, s, codecs[s.Step]}, s.check()
}

// header returns the wrapper of a header with fields, or of one in which they are found. It is an error if a field is
// incomplete or wrong.
func (s *Step) header() (layer.Wrapper, error) {
	switch {
	case len(s.Fields) == 0 && s.Bytes <= 0:
		return nil, errors.New("header needs fields, or bytes, the number of bytes")
	case len(s.Fields) > 0 && s.Bytes > 0:
		return nil, errors.New("a header has fields or bytes, not both")
	case s.Bytes > 0:
		return own.Around(int64(s.Bytes), 0), nil
	}
	for i := range s.Fields {
		if err := s.Fields[i].Check(); err != nil {
			return nil, err
		}
	}
	return own.At(s.Fields, nil), nil
}

// A kind is a step as a kind of wrapper.
type kind struct {
	layer.Info
	step  Step
	codec codec
}

// Sniff implements layer.Wrapper: a step is only known from a recipe.
func (*kind) Sniff(*layer.Sample) bool { return false }

// mostBytes is the largest number of bytes before and after a step, all of which are in memory.
const mostBytes = 256 << 20

// Open implements layer.Wrapper.
func (k *kind) Open(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) error {
	if l.Title = k.Name; l.Region.Length > mostBytes {
		l.Reject(k.Name, fmt.Sprintf("a recipe is for files of at most %s", span.Bytes(mostBytes)))
		return nil
	}
	packed := make([]byte, l.Region.Length)
	if err := layer.ReadAt(src, packed, l.Region.Offset); err != nil {
		return err
	}
	limit := min(o.MaxUnpacked, mostBytes)
	plain := layer.Spool{Limit: limit}
	r, err := k.codec.unpack(&k.step, packed, limit)
	if err == nil {
		_, err = io.CopyBuffer(&plain, struct{ io.Reader }{r}, make([]byte, 64<<10))
	}
	if plain.Err != nil {
		plain.Close()
		return plain.Err
	}
	if err != nil && !errors.Is(err, layer.ErrFull) && !k.isDamaged(err, plain.Size()) {
		plain.Close()
		l.Reject(k.Name, fmt.Sprintf("the bytes cannot be unpacked as the recipe says, with %s: %v", k.Name, err))
		return nil
	}
	if err := l.Hold(&plain); err != nil {
		return err
	}
	body := part.At(k.Name, l.Region.Offset)
	body.Put(l.Region.Length, l.Region.End(), span.Data, k.Name)
	body.Text = fmt.Sprintf("%s → %s", span.Bytes(body.Length), span.Grouped(l.Payload.Size()))
	p := &packer{kind: k, was: packed, err: layer.Repackable(err)}
	switch {
	case err == nil:
		p.compare(l.Payload, &body)
	case errors.Is(err, layer.ErrFull):
		body.Warn(body.Span, layer.TooLarge, layer.OnlyFirst(limit), "")
	default:
		fail(&body, err, l.Payload.Size())
	}
	l.Packer = p
	d := l.Describe(l.About(), body)
	l.Reading = &d
	return ctx.Err()
}

// isDamaged reports whether an error is that of a damaged stream with a signature, of which enough could be unpacked to know that it is one.
func (k *kind) isDamaged(err error, unpacked int64) bool {
	const least = 64
	surplus := surplusError(0)
	return (k.Name == "gzip" || k.Name == "zstd") && unpacked >= least && !errors.As(err, &surplus)
}

// fail describes a damaged stream of which some bytes could be unpacked.
func fail(body *part.Part, err error, unpacked int64) {
	code, what := layer.Stopped(err, unpacked)
	if layer.Explain(err) == layer.ErrChecksum {
		code, what = layer.Checksum, "damaged bytes: the checksum of the stream is not that of the unpacked bytes"
	}
	body.Fail(body.Span, code, what, "")
}

// A packer runs a step in the direction of packing.
type packer struct {
	*kind
	was []byte // the old packed bytes
	err error  // why it cannot
}

// CanRewrap implements layer.Packer.
func (p *packer) CanRewrap() error { return p.err }

// Rewrap implements layer.Packer.
func (p *packer) Rewrap(w *layer.Rewrapping) (int64, error) {
	out := w.Output(0)
	if err := p.codec.pack(&p.step, out, w.Reader(), p.was); err != nil {
		return 0, err
	}
	return out.Finish()
}

// compare packs the payload again, to see whether the step can be reversed. Other bytes with the same
// content are noted; if the content differs, packing is refused.
func (p *packer) compare(plain source.Source, body *part.Part) {
	all := func() io.Reader { return io.NewSectionReader(plain, 0, plain.Size()) }
	packed := &packing{was: p.was, stops: p.codec.isStream}
	switch err := p.codec.pack(&p.step, packed, all(), p.was); {
	case errors.Is(err, errOther): // streams of the same content, whatever their bytes
	case err != nil:
		p.err = err
	case packed.Len() == 0 && packed.same == len(p.was):
		return
	case !p.codec.isStream:
		var again io.Reader
		if again, p.err = p.codec.unpack(&p.step, slices.Concat(p.was[:packed.same], packed.Bytes()), mostBytes); p.err == nil {
			p.err = same(again, all())
		}
	}
	if p.err != nil {
		p.err = fmt.Errorf("the bytes cannot be packed again as they were, with %s: %w", p.Name, p.err)
		body.Fail(body.Span, layer.BadStream, p.err.Error()+"; they can be read, but not edited", "")
		return
	}
	body.Note(body.Span, layer.OtherPacking, p.Name+" packs the same content into other bytes than the game does, so that an edit changes more of the file than itself", "")
}

// A packing takes packed bytes, if stops is set only as long as they are the old ones. It holds those from the first difference on.
type packing struct {
	bytes.Buffer
	was   []byte
	same  int // bytes before
	stops bool
}

var errOther = errors.New("other bytes")

func (p *packing) Write(b []byte) (int, error) {
	if p.Len() == 0 && bytes.HasPrefix(p.was[p.same:], b) {
		p.same += len(b)
		return len(b), nil
	} else if p.stops {
		return 0, errOther
	}
	return p.Buffer.Write(b)
}

// same returns an error if two readers do not have the same content, or that of reading it.
func same(a, b io.Reader) error {
	var x, y [32 << 10]byte
	for {
		n, errA := io.ReadFull(a, x[:])
		m, errB := io.ReadFull(b, y[:])
		switch isEnd := errA == io.EOF || errA == io.ErrUnexpectedEOF; {
		case errA != nil && !isEnd:
			return errA
		case !bytes.Equal(x[:n], y[:m]):
			return errors.New("the content has changed")
		case isEnd:
			return nil
		case errB != nil && errB != io.EOF && errB != io.ErrUnexpectedEOF:
			return errB
		}
	}
}

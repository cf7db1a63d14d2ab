package layer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/network/methods"
	"varview/decoder/wrap/fastlz"
	"varview/decoder/wrap/part"
)

// Options control unwrapping.
type Options struct {
	Password    *string          // nil if none is given; "" is a password
	Key         []byte           // 32 bytes, or nil; takes precedence over Password
	Methods     *methods.Library // names of methods that the messages of a capture call by number; nil if there is none
	Double      bool             // numbers in the messages of a capture are those of a double-precision build
	MaxUnpacked int64            // largest payload of one layer in bytes; at least 1

	// Defer lets Open defer long work: it then unpacks only the beginning of the payload, the more the
	// greater Defer is; 0 unpacks everything.
	Defer int64

	// Growing, if set, is for a file that grows: the next opening goes on where this one has ended.
	Growing *Growing

	// Progress, if set, is called from time to time with the number of the wrapper's bytes
	// that have been read; all is their total.
	Progress func(done, all int64)
}

// A Growing keeps what has been read of a file that grows.
type Growing struct{ Read io.Closer }

// Close releases what has been read, once no document needs it.
func (g *Growing) Close() {
	if g.Read != nil {
		_ = g.Read.Close() // of temporary files
	}
}

// keySize is the number of bytes of a key.
const keySize = 32

// ErrKeyLength is returned for a key that does not have 32 bytes.
var ErrKeyLength = errors.New("a key has 32 bytes, 64 hexadecimal digits")

// HasKey reports whether a key or password is given.
func (o *Options) HasKey() bool { return o.Key != nil || o.Password != nil }

// Report calls Progress, if it is set.
func (o *Options) Report(done, all int64) {
	if o.Progress != nil {
		o.Progress(done, all)
	}
}

// A Layer is an open wrapper. Its payload may be read by many goroutines until
// it is closed.
type Layer struct {
	Kind       Wrapper
	Title      string        // title for people: "GCPF, Zstandard, 3 blocks of 4,096 bytes"
	ShortTitle string        // title in two words: "GCPF Zstandard"
	Reading    tree.Reading  // describes the wrapper's own bytes
	Region     span.Span     // span of these in their source
	Payload    source.Source // the bytes inside; nil if they cannot be unwrapped
	Missing    *Missing      // why Payload is nil
	Secret     []byte        // key that it was decrypted with; nil if it is not encrypted
	Unfinished bool          // Payload is only the beginning, because of Options.Defer
	Generation int           // generation of the Godot version that wrote it, 3 or 4; 0 if the wrapper does not show it

	Packer Packer        // wraps the payload again; nil if that is impossible
	Memory Memory        // blocks as other programs packed them; nil if there is none
	Source source.Source // source from which the packer copies; it has the right numbers where those in the file are wrong
	Packed span.Span     // span of the wrapper in Source
	Inner  Inner         // what the payload holds when it is wrapped again

	// Stays says that a checksum beside the payload is written as it was, even if it no longer fits.
	Stays bool

	// Check compares the checksum of the payload, which takes a while; nil if there is none, or Open has
	// compared it.
	Check func(ctx context.Context, progress func(done, all int64)) (State, error)

	checksum  atomic.Int32
	readsWell atomic.Bool // set by the reader of the payload, used by the reading of an encrypted wrapper
	damage    atomic.Pointer[bool]
	closers   []io.Closer
}

// New returns a layer that Kind.Open can open.
func New(k Wrapper, src source.Source, region span.Span) *Layer {
	return &Layer{Kind: k, ShortTitle: k.String(), Region: region, Source: src, Packed: region}
}

// Missing describes why a payload cannot be unwrapped.
type Missing struct {
	Code    string // code of a problem: NeedsKey, Unrecognized …
	Message string // one sentence for a game developer
}

// A State says whether a checksum or a key matches.
type State int32

// The states of a checksum.
const (
	Unknown State = iota // there is none, it was not verified, or its bytes are not all there
	Matches
	Differs
)

// Checksum returns whether the checksum of the payload matches.
func (l *Layer) Checksum() State { return State(l.checksum.Load()) }

// SetChecksum sets what Checksum returns.
func (l *Layer) SetChecksum(s State) { l.checksum.Store(int32(s)) }

// Verify reads the whole payload to find out whether its checksum matches, unless that is known. The error
// is that of ctx, or of reading.
func (l *Layer) Verify(ctx context.Context, progress func(done, all int64)) error {
	if l.Check == nil || l.Checksum() != Unknown {
		return nil
	}
	state, err := l.Check(ctx, progress)
	if err == nil {
		l.SetChecksum(state)
	}
	return err
}

// A Keyed payload was decrypted.
type Keyed interface {
	// KeyFits returns whether the decrypted bytes show that the key is the right one.
	KeyFits() State
}

func (l *Layer) keyFits() State {
	if k, ok := l.Payload.(Keyed); ok {
		return k.KeyFits()
	}
	return Unknown
}

// LooksWrong reports whether the plain bytes contradict the key and the checksum does not confirm it.
func (l *Layer) LooksWrong() bool { return l.Checksum() != Matches && l.keyFits() == Differs }

// LooksRight reports whether the decrypted bytes show that the key is right, even if the
// checksum differs.
func (l *Layer) LooksRight() bool { return l.keyFits() == Matches }

// ReadsWell records that the whole payload was read without a problem. If its checksum differs, and nothing
// else contradicts the key, the checksum itself is then reported as wrong, with a repair. It must be called
// before the problems are read.
func (l *Layer) ReadsWell() { l.readsWell.Store(true) }

// DoesReadWell reports whether ReadsWell was called.
func (l *Layer) DoesReadWell() bool { return l.readsWell.Load() }

// NoteDamage records whether a reading of the whole wrapper has found an error.
func (l *Layer) NoteDamage(found bool) { l.damage.Store(&found) }

// IsDamaged returns what NoteDamage has recorded; known is false before that.
func (l *Layer) IsDamaged() (damaged, known bool) {
	found := l.damage.Load()
	return found != nil && *found, found != nil
}

// OnClose makes Close close c too.
func (l *Layer) OnClose(c io.Closer) { l.closers = append(l.closers, c) }

// Close releases the resources of the payload, which must not be read afterwards.
func (l *Layer) Close() error {
	var errs []error
	for _, c := range l.closers {
		errs = append(errs, c.Close())
	}
	l.closers = nil
	return errors.Join(errs...)
}

// Open unwraps the region of src. Any bytes can be opened; the error is that of ctx, of
// reading, of a temporary file, or ErrKeyLength.
func Open(ctx context.Context, k Wrapper, src source.Source, region span.Span, o Options) (*Layer, error) {
	if o.Key != nil && len(o.Key) != keySize {
		return nil, ErrKeyLength
	}
	l := New(k, src, region)
	if err := k.Open(ctx, l, src, o); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// Make returns a new, empty wrapper, which Rewrap writes around bytes.
func Make(ctx context.Context, k Maker, variant string, generation int, o Options) (*Layer, error) {
	b, err := k.Empty(variant, generation)
	if err != nil {
		return nil, err
	}
	o.MaxUnpacked = 1
	return Open(ctx, k, source.Bytes(b), span.Between(0, int64(len(b))), o)
}

// Miss records why there is no payload.
func (l *Layer) Miss(code, message string) { l.Payload, l.Missing = nil, &Missing{code, message} }

// About returns what the reading of a layer writes as JSON, with the size of its payload.
func (l *Layer) About() part.About {
	a := part.About{Wrapper: l.Kind.String()}
	if l.Payload != nil {
		size := l.Payload.Size()
		a.Size = &size
	}
	return a
}

// Describe sets the reading of a wrapper that consists of a few parts.
func (l *Layer) Describe(about any, parts ...part.Part) part.Reading {
	return part.Reading{Name: l.Kind.String(), Title: l.Title, About: about, Parts: parts}
}

// Reject makes l a layer whose bytes are not such a wrapper.
func (l *Layer) Reject(title, message string) {
	l.Title = title
	l.Miss(Unrecognized, message)
	p := part.At("header", l.Region.Offset)
	p.Put(l.Region.Length, l.Region.End(), span.Gap, "gap")
	p.Fail(p.Span, Unrecognized, message, "loading fails (ERR_FILE_UNRECOGNIZED)")
	d := l.Describe(l.About(), p)
	l.Reading = &d
}

// CutHeader makes l a layer that ends within its header, after a signature of some bytes.
func (l *Layer) CutHeader(title string, magic int64) {
	message := "the file ends in its header after " + span.Bytes(l.Region.Length)
	l.Title = title
	l.Miss(span.Truncated, message)
	p := part.At("header", l.Region.Offset)
	p.Text = "cut"
	p.Put(magic, l.Region.End(), span.Magic, "magic")
	p.Put(l.Region.End()-p.End(), l.Region.End(), span.Gap, "gap")
	p.Fail(span.Between(p.Offset, p.End()), span.Truncated, message, "loading fails (ERR_FILE_CORRUPT)")
	d := l.Describe(l.About(), p)
	l.Reading = &d
}

// NewClosed returns a layer that has not been opened, with the reason. None of its bytes
// are read.
func NewClosed(k Wrapper, region span.Span, why *Missing) *Layer {
	l := New(k, nil, region)
	l.Title, l.Missing = k.String(), why
	p := part.At("packed bytes", region.Offset)
	p.Put(region.Length, region.End(), span.Data, "packed bytes")
	p.Text = span.Bytes(region.Length)
	l.Reading = &closed{l.Describe(l.About(), p)}
	return l
}

// A closed describes a wrapper that has not been opened.
type closed struct{ part.Reading }

// AppendLiteral implements tree.LiteralWriter.
func (c *closed) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	return part.AppendCut(dst, span.Bytes(v.End-v.Start), limit)
}

// Reasons why packed bytes cannot be unpacked.
var (
	ErrEarly    = errors.New("the packed bytes end too early")
	ErrDamaged  = errors.New("the packed bytes are damaged")
	ErrChecksum = errors.New("its checksum differs")
	ErrTooMuch  = errors.New("it holds more bytes than a block may have")
)

// Explain converts the error of an unpacker to one of these errors.
func Explain(err error) error {
	switch {
	case err == nil, errors.Is(err, ErrTooMuch):
		return err
	case errors.Is(err, zlib.ErrChecksum), errors.Is(err, gzip.ErrChecksum), errors.Is(err, zstd.ErrCRCMismatch):
		return ErrChecksum
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, fastlz.ErrEarly):
		return ErrEarly
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, fastlz.ErrTooMuch):
		return ErrTooMuch
	}
	return ErrDamaged
}

// Stopped describes why only the first bytes of a stream could be unpacked, for the error of the unpacker.
func Stopped(err error, unpacked int64) (code, message string) {
	if code, err = BadStream, Explain(err); errors.Is(err, ErrEarly) {
		code = TruncatedData
	}
	return code, fmt.Sprintf("%v: only the first %s could be unpacked", err, span.Bytes(unpacked))
}

// Repackable returns why a stream cannot be packed again, for the error with which unpacking it ended, nil for none. One that is cut can:
// nothing follows it.
func Repackable(err error) error {
	if errors.Is(err, ErrFull) {
		return ErrCut
	}
	switch Explain(err) {
	case nil, ErrEarly, ErrChecksum:
		return nil
	}
	return errors.New("the stream is damaged, and everything after the damage would be lost")
}

// Codes of problems that only wrappers have; others are in package span. Codes says what each means.
const (
	Unrecognized   = "unrecognized"
	BadMagic       = "bad-magic"
	UnknownMode    = "unknown-mode"
	BlockSize      = "block-size"
	BlockCount     = "block-count"
	BadBlock       = "bad-block"
	WrongSize      = "wrong-size"
	MissingTrailer = "missing-trailer"
	TooLarge       = "too-large"
	NeedsKey       = "needs-key"
	WrongKey       = "wrong-key"
	Checksum       = "checksum"
	TruncatedData  = "truncated-stream"
	BadStream      = "bad-stream"
	OtherPacking   = "other-packing"
	BadDigit       = "bad-digit"
	DigitPadding   = "digit-padding"
	WrongOffset    = "wrong-offset"
	LeadingBOM     = "leading-bom"
	TextTransfer   = "text-transfer"
	OtherEncoding  = "other-encoding"
	ReencodedBytes = "re-encoded"
)

// Codes describes the codes of this package. A code that package span has too is described there.
var Codes = []span.Code{
	{Code: Unrecognized, Severity: span.Error, About: "the bytes are not the expected wrapper"},
	{Code: BadMagic, Severity: span.Error, About: "a signature of a wrapper has a byte that differs", Repair: "write the signature"},
	{Code: UnknownMode, Severity: span.Error, About: "the compression or cipher mode does not exist", Repair: "set the cipher mode to 1"},
	{Code: BlockSize, Severity: span.Error, About: "the block size of a GCPF is 0 or too large to be unpacked"},
	{Code: BlockCount, Severity: span.Error, About: "a GCPF has one block fewer than engines expect", Repair: "add the empty block"},
	{Code: BadBlock, Severity: span.Error, About: "a block of a GCPF does not unpack"},
	{Code: WrongSize, Severity: span.Error, About: "a wrapper holds more or fewer bytes than it says", Repair: "set the size to that of the bytes"},
	{Code: MissingTrailer, Severity: span.Warning, About: "the signature at the end of a GCPF is missing", Repair: "add the signature"},
	{Code: TooLarge, Severity: span.Warning, About: "there are more unpacked bytes than --max-unpacked allows"},
	{Code: NeedsKey, Severity: span.Error, About: "the file is encrypted and neither key nor password is given"},
	{Code: WrongKey, Severity: span.Error, About: "the key or password does not fit the encrypted file"},
	{Code: Checksum, Severity: span.Error, About: "a checksum does not match the bytes", Repair: "write the checksum of the bytes, if they are known to be right or nothing better can be recovered"},
	{Code: TruncatedData, Severity: span.Error, About: "a compressed stream ends early", Repair: "add the checksum, if only that is cut"},
	{Code: BadStream, Severity: span.Error, About: "a compressed stream is damaged"},
	{Code: OtherPacking, Severity: span.Note, About: "a step of a recipe packs the same content into other bytes than the game does, so that an edit changes more than itself"},
	{Code: BadDigit, Severity: span.Error, About: "a text has a character that is not a digit, or a digit without its pair", Repair: "delete a character that is not in the place of a digit"},
	{Code: DigitPadding, Severity: span.Warning, About: "a base64 text ends with too few or too many padding characters", Repair: "write the number that the digits need"},
	{Code: WrongOffset, Severity: span.Error, About: "the offset of a row of a hexadecimal dump does not match its bytes", Repair: "write the offset that the row has"},
	{Code: LeadingBOM, Severity: span.Error, About: "a program took the file for text and put a byte order mark before it", Repair: "delete the mark"},
	{Code: TextTransfer, Severity: span.Error, About: "the file went through a text-mode transfer, which put a 0D before each 0A", Repair: "delete these 0D bytes"},
	{Code: OtherEncoding, Severity: span.Warning, About: "a text in another encoding than UTF-8", Repair: "write it in UTF-8"},
	{Code: ReencodedBytes, Severity: span.Error, About: "a program read the file as text and saved it as UTF-8, so that bytes became two or three", Repair: "write each character as one byte again"},
}

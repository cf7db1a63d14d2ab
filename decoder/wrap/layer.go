package wrap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Options say how to unwrap.
type Options struct {
	Password    *string // nil: none given; "" is a password
	Key         []byte  // 32 bytes, or nil; wins over Password
	MaxUnpacked int64   // most bytes of payload that one layer may have; at least 1

	// Progress, if set, is told now and then how many of the wrapper's bytes are
	// read; all is how many there are.
	Progress func(done, all int64)
}

func (o *Options) hasKey() bool { return o.Key != nil || o.Password != nil }

func (o *Options) progress(done, all int64) {
	if o.Progress != nil {
		o.Progress(done, all)
	}
}

// ErrKeyLength says that a key does not have 32 bytes.
var ErrKeyLength = errors.New("a key has 32 bytes, 64 hexadecimal digits")

// A Layer is an open wrapper. Its payload may be read by many goroutines until
// it is closed.
type Layer struct {
	Kind    Kind
	Title   string        // for people: "GCPF, Zstandard, 3 blocks of 4,096 bytes"
	Format  tree.Reading  // describes the wrapper's own bytes
	Region  span.Span     // where these are in their source
	Payload source.Source // what it holds; nil if that cannot be had
	Missing *Missing      // why Payload is nil

	GCPF *GCPFHeader // of a GCPF whose header is whole
	GDEC *GDECHeader // of a GDEC whose header is whole

	checksum  atomic.Int32
	readsWell atomic.Bool
	magic     string           // of GDEC: what stands in its place
	sum       [cipherSize]byte // of GDEC: MD5 of the payload, where checksum is known
	verify    func(ctx context.Context, progress func(done, all int64)) error
	closers   []io.Closer

	src    source.Source // that the payload comes from, its numbers corrected
	packed span.Span     // of src
	again  rewrapper     // nil without a payload
}

// Missing says why a payload cannot be had.
type Missing struct {
	Code    string // as of a problem: NeedsKey, Unrecognized …
	Message string // one sentence for a game developer
}

// State is what is known of a checksum.
type State int32

// The states of a checksum.
const (
	Unknown State = iota // there is none, it was not verified, or its bytes are not all there
	Matches
	Differs
)

// Checksum tells whether the checksum of the payload matches: that of GDEC and
// zlib. GCPF has none.
func (l *Layer) Checksum() State { return State(l.checksum.Load()) }

// Verify reads the whole payload to find out whether its checksum matches,
// unless that is known. The error is that of ctx, or of reading.
func (l *Layer) Verify(ctx context.Context, progress func(done, all int64)) error {
	if l.verify == nil || l.Checksum() != Unknown {
		return nil
	}
	return l.verify(ctx, progress)
}

// Close frees what the payload needs; it must not be read any more.
func (l *Layer) Close() error {
	var errs []error
	for _, c := range l.closers {
		errs = append(errs, c.Close())
	}
	l.closers = nil
	return errors.Join(errs...)
}

// Open unwraps the region of src. Any bytes open; the error is that of ctx, of
// reading, of a temporary file, or ErrKeyLength.
func Open(ctx context.Context, k Kind, src source.Source, region span.Span, o Options) (*Layer, error) {
	if o.Key != nil && len(o.Key) != keySize {
		return nil, ErrKeyLength
	}
	l := &Layer{Kind: k, Region: region, src: src, packed: region}
	if err := l.open(ctx, src, o); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	l, err := l.withoutSurplus(ctx, src, o)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// open opens the region of src as it stands.
func (l *Layer) open(ctx context.Context, src source.Source, o Options) error {
	switch l.Kind {
	case GCPF:
		return openGCPF(ctx, l, src, o)
	case GDEC:
		return openGDEC(ctx, l, src, o)
	case Base64, Hex:
		return openText(ctx, l, src, o)
	case Zlib:
		return openZlib(ctx, l, src, o)
	case ByteOrderMark, TextMode, Reencoded:
		return openMangled(ctx, l, src, o)
	}
	return fmt.Errorf("there is no %v", l.Kind)
}

// miss notes that there is no payload.
func (l *Layer) miss(code, message string) {
	l.Payload, l.Missing = nil, &Missing{code, message}
}

// byteCount writes a number of bytes: "1 byte", "4,096 bytes".
func byteCount(n int64) string { return span.Counted(n, "byte") }

// Package network reads captures of networks: files of pcap and pcapng, the headers of their packets, and
// what the flows in them carry.
package network

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
)

// Options say how a capture is read.
type Options struct {
	// Flows sets what flows carry, by flow number. For other flows it is detected.
	Flows map[int]payload.Transport

	// MaxUnpacked is the largest unpacked size of a compressed capture in bytes; 0 for 64 GiB.
	MaxUnpacked int64

	// Flow is called when a flow begins. What is counted in it changes with each packet. It may be nil.
	Flow func(*payload.Flow)

	// Packet is called for each packet, before its payloads are handed over. It may be nil.
	Packet func(*pcap.Packet)
}

// A Summary counts what was read.
type Summary struct {
	Packets, Flows int
	First, Last    time.Time // times of the first and last packets that have a time
	Size           int64     // size of the unpacked capture, as far as it was read
	Cut            bool      // the capture exceeds Options.MaxUnpacked

	Known    []*payload.Flow // the first of the flows
	Sections []pcap.Section  // of pcapng
	Skipped  []span.Span     // see pcap.Reader.Skipped
}

const (
	// maxUnpacked is the default of Options.MaxUnpacked.
	maxUnpacked = 64 << 30

	// checkEvery is the number of packets after which the context is checked.
	checkEvery = 1024
)

// Read reads a capture, which may be compressed with gzip or zstd, from start to end. Damage is reported as
// problems, not as an error.
func Read(ctx context.Context, in io.Reader, o Options, h payload.Handler) (Summary, error) {
	r, err := NewReader(in, o, h)
	if err != nil {
		return Summary{}, err
	}
	defer r.Close()
	return r.Read(ctx)
}

// A Reader reads a capture that may grow.
type Reader struct {
	engine  *Engine
	packets *pcap.Reader
	opened  bool
	close   func()
}

// NewReader returns a reader of a capture, which may be compressed with gzip or zstd.
func NewReader(in io.Reader, o Options, h payload.Handler) (*Reader, error) {
	e := NewEngine(o, h)
	packed := &failing{Reader: in}
	plain, closePlain, err := unpack(packed)
	if err != nil {
		return nil, err
	}
	limit := o.MaxUnpacked
	if limit == 0 {
		limit = maxUnpacked
	}
	all := &limited{plain, packed, limit, h, &e.summary}
	r := pcap.NewReader(all, func(frame int, p span.Problem) {
		h.Problem(&payload.Problem{Problem: p, Frame: frame})
	})
	return &Reader{engine: e, packets: r, close: closePlain}, nil
}

// Read reads up to the present end of the capture. Damage is reported as problems, not as an error.
func (r *Reader) Read(ctx context.Context) (Summary, error) {
	is := &r.engine.summary
	if !r.opened {
		if ok, err := r.packets.Open(); !ok || err != nil {
			return *is, err
		}
		r.opened = true
	}
	for {
		p, err := r.packets.Next()
		if err == io.EOF {
			is.Packets = r.packets.Frames() // including packets that could not be read
			is.Sections, is.Skipped = r.packets.Sections(), r.packets.Skipped()
			r.packets.Resume()
			return *is, nil
		}
		if err != nil {
			return *is, err
		}
		r.engine.Packet(&p)
		if p.Frame%checkEvery == 0 && ctx.Err() != nil {
			return *is, ctx.Err()
		}
	}
}

// Close gives up what waits for more packets.
func (r *Reader) Close() {
	r.engine.Close()
	if e := r.engine; r.opened && e.summary.Flows == 0 && len(e.known) == 0 && !e.isOther {
		e.problem(0, payload.Bytes{}, payload.NotUnderstood, span.Note, "the capture has no packets of UDP or TCP: it was made of another interface, or with another filter")
	}
	r.close()
}

// Sniffed is the number of bytes by which Sniff recognises a capture.
const Sniffed = 4 << 10

// Sniff reports whether a file begins like a capture, which may be compressed. Its first bytes suffice.
func Sniff(head []byte) bool {
	if start := head[:min(len(head), len(magicZstd))]; !bytes.HasPrefix(start, magicGzip) && !bytes.Equal(start, magicZstd) {
		return IsPlain(head)
	}
	plain, closePlain, err := unpack(bytes.NewReader(head))
	if err != nil {
		return false
	}
	defer closePlain()
	var start [pcap.FileHeaderSize]byte
	n, _ := io.ReadFull(plain, start[:]) // the rest of the packed bytes is missing
	return IsPlain(start[:n])
}

// IsPlain reports whether a file begins like a capture that is not compressed.
func IsPlain(b []byte) bool {
	_, ok := pcap.ParseHeader(b)
	return ok
}

var magicGzip, magicZstd = []byte{0x1f, 0x8b}, []byte{0x28, 0xb5, 0x2f, 0xfd}

// unpack returns the bytes of a capture that may be compressed.
func unpack(in io.Reader) (plain io.Reader, closePlain func(), err error) {
	b := bufio.NewReaderSize(in, 64<<10)
	start, err := b.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch {
	case bytes.HasPrefix(start, magicGzip):
		g, err := gzip.NewReader(b)
		if err != nil {
			return b, func() {}, nil
		}
		return g, func() { _ = g.Close() }, nil
	case bytes.Equal(start, magicZstd):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}
	return b, func() {}, nil
}

// limited reads an unpacked capture. It ends, with a problem, where the capture cannot be unpacked or is
// too long.
type limited struct {
	io.Reader
	packed  *failing
	limit   int64
	h       payload.Handler
	summary *Summary
}

// Read implements io.Reader.
func (l *limited) Read(p []byte) (int, error) {
	left := l.limit - l.summary.Size
	if left <= 0 {
		l.summary.Cut = true
		l.problem("the unpacked capture exceeds the limit: the rest is left out")
		return 0, io.EOF
	}
	n, err := l.Reader.Read(p[:min(int64(len(p)), left)])
	l.summary.Size += int64(n)
	if err != nil && err != io.EOF && l.packed.err == nil {
		l.problem(fmt.Sprintf("the capture cannot be unpacked (%v): the rest is left out", err))
		err = io.EOF
	}
	return n, err
}

func (l *limited) problem(message string) {
	l.h.Problem(&payload.Problem{Problem: span.Problem{Severity: span.Error, Code: span.Unreadable, Message: message}})
}

// failing keeps the error of its reader: any other error is one of unpacking, which is damage.
type failing struct {
	io.Reader
	err error
}

// Read implements io.Reader.
func (f *failing) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		f.err = err
	}
	return n, err
}

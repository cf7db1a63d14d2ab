// Package capture opens a capture of a network: its payload is the messages in the capture.
package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network"
	"varview/decoder/network/buffer"
	"varview/decoder/network/layers"
	"varview/decoder/network/message"
	"varview/decoder/network/multiplayer"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
	"varview/decoder/network/places"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// Kind is this kind of wrapper.
var Kind layer.Wrapper = kind{layer.Info{Name: "capture", About: "a capture of a network (pcap, pcapng)"}}

type kind struct{ layer.Info }

var _ layer.Deferrer = kind{}

// Sniff implements layer.Wrapper.
func (kind) Sniff(s *layer.Sample) bool { return network.Sniff(s.Head) }

// Eager implements layer.Deferrer: only the beginning is read if the rest is to be
// deferred.
func (kind) Eager(span.Span, layer.Options) int64 { return 0 }

// firstShare divides Options.Defer into the limit, in bytes, up to which messages are read.
const firstShare = 1024

// Open implements layer.Wrapper.
func (kind) Open(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) error {
	s, found := &layer.Spool{Limit: o.MaxUnpacked}, &layer.Spool{Limit: math.MaxInt64, Memory: 1 << 20}
	w := &recorder{spool: s, places: places.NewWriter(found, l.Region.Offset)}
	s.Write(buffer.AppendHeader(nil, 0))
	options := multiplayer.Options{Methods: o.Methods, Double: o.Double}
	in := &progress{Reader: io.NewSectionReader(src, l.Region.Offset, l.Region.Length), all: l.Region.Length, report: o.Report}
	summary, err := read(ctx, in, network.Options{MaxUnpacked: o.Defer / firstShare}, options, w)
	if err == nil {
		err = errors.Join(s.Err, w.places.Finish())
	}
	if err != nil {
		s.Close()
		found.Close()
		return err
	}
	if err := l.Hold(s); err != nil {
		return err
	}
	index, err := l.Keep(found)
	if err != nil {
		return err
	}
	messages := buffer.NewPlaced(l.Payload, w.places.Index(index), o.Double)
	l.Payload = counted(l.Payload, w.messages)
	l.Unfinished = o.Defer > 0 && summary.Cut
	l.Title = fmt.Sprintf("capture, %s, %s", span.Counted(int64(summary.Packets), "packet"), span.Counted(w.messages, "message"))
	if l.Unfinished {
		l.Title += ", the beginning"
	}
	p := &packer{cut: errors.Is(w.err, layer.ErrFull), packed: isPacked(src, l.Region), size: summary.Size, limit: o.MaxUnpacked}
	describe(l, src, messages, p, o, summary)
	l.Packer = p
	return nil
}

// isPacked reports whether the file is compressed.
func isPacked(src source.Source, region span.Span) bool {
	head := source.NewWindow(src).View(region.Offset, min(region.Length, pcap.FileHeaderSize))
	_, isPcap := pcap.ParseHeader(head)
	_, isNG := pcap.SectionOrder(head)
	return !isPcap && !isNG
}

// read reads the messages of a capture.
func read(ctx context.Context, in io.Reader, o network.Options, m multiplayer.Options, h multiplayer.Handler) (network.Summary, error) {
	r := multiplayer.New(m, h)
	summary, err := network.Read(ctx, in, o, r)
	r.Flush()
	return summary, err
}

// counted returns a payload with the number of its messages in its header.
func counted(src source.Source, messages int64) source.Source {
	head := source.Bytes(buffer.AppendHeader(nil, messages))
	return source.Join(source.Piece{Src: head, Span: span.Between(0, head.Size())}, source.Piece{Src: src, Span: span.Between(head.Size(), src.Size())})
}

// describe makes the reading of the file. That of a compressed file has no details.
func describe(l *layer.Layer, src source.Source, messages *buffer.Placed, as *packer, o layer.Options, is network.Summary) {
	if !as.packed && !as.cut {
		l.Reading = layers.New(src, l.Region, messages, is)
		return
	}
	p := part.At("packets", l.Region.Offset)
	p.Put(l.Region.Length, l.Region.End(), span.Data, "packets")
	p.Text = span.Bytes(l.Region.Length)
	if as.cut {
		p.Warn(p.Span, layer.TooLarge, layer.OnlyFirst(o.MaxUnpacked), "")
	}
	d := l.Describe(l.About(), p)
	l.Reading = &d
}

// A recorder writes the messages of a capture as records.
type recorder struct {
	spool    *layer.Spool
	places   *places.Writer
	messages int64
	record   []byte
	err      error
}

// Message implements multiplayer.Handler. It leaves out a record that does not fit.
func (w *recorder) Message(m *message.Message) {
	if w.err != nil {
		return
	}
	w.record = buffer.Append(w.record[:0], m)
	if int64(len(w.record)) > w.spool.Left() {
		w.err = layer.ErrFull
		return
	}
	at := w.spool.Size()
	if _, w.err = w.spool.Write(w.record); w.err == nil {
		w.places.Add(m.Payload, w.messages, at)
		w.messages++
	}
}

// Problem implements multiplayer.Handler: the command check lists them.
func (w *recorder) Problem(*payload.Problem) {}

// progress reports how much of a file has been read.
type progress struct {
	io.Reader
	done, all int64
	report    func(done, all int64)
}

// Read implements io.Reader.
func (p *progress) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	p.done += int64(n)
	p.report(p.done, p.all)
	return n, err
}

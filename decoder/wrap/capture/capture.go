// Package capture opens a capture of a network: its payload is the messages in the capture.
package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network"
	"varview/decoder/network/message"
	"varview/decoder/network/multiplayer"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
	"varview/decoder/network/units"
	"varview/decoder/wrap/layer"
)

// Kind is this kind of wrapper.
var Kind layer.Wrapper = kind{layer.Info{Name: "capture", About: "a capture of a network (pcap, pcapng)"}}

type kind struct{ layer.Info }

var _ layer.Deferrer = kind{}

// Sniff implements layer.Wrapper. That of a compressed capture is in the wrapper of another kind.
func (kind) Sniff(s *layer.Sample) bool { return network.IsPlain(s.Head) }

// Eager implements layer.Deferrer: only the beginning is read if the rest is to be
// deferred.
func (kind) Eager(span.Span, layer.Options) int64 { return 0 }

// firstShare divides Options.Defer into the limit, in bytes, up to which messages are read.
const firstShare = 4096

// Open implements layer.Wrapper. Of a capture that grows, what was read before is not read again.
func (kind) Open(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) error {
	c, grows := &opened{}, o.Growing != nil
	if grows && o.Growing.Read != nil {
		c = o.Growing.Read.(*opened)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.begin(l, src, o); err != nil {
		return err
	}
	summary, err := c.packets.Read(ctx)
	if grows {
		c.messages.FlushHeld(time.Now().Add(-mostHeld))
	} else {
		c.packets.Close()
		c.messages.Flush()
	}
	switch err = cmp.Or(err, c.spool.Err); {
	case err == nil && grows:
		l.Payload, err = c.spool.Now()
	case err == nil:
		err = l.Hold(c.spool)
	case !grows:
		c.recorder.Close()
	}
	if err == nil {
		c.show(l, src, o, summary)
	}
	return err
}

// show makes the layer show the messages.
func (w *recorder) show(l *layer.Layer, src source.Source, o layer.Options, is network.Summary) {
	l.Unfinished = o.Defer > 0 && is.Cut
	count, messages := w.store.Count(), w.store.In(l.Payload, !l.Unfinished)
	l.Payload = messages.Buffer()
	l.Title = fmt.Sprintf("capture, %s, %s", span.Counted(int64(is.Packets), "packet"), span.Counted(count, "message"))
	if l.Unfinished {
		l.Title += ", the beginning"
	}
	var problems []span.Problem
	if !l.Unfinished { // see Store.In
		problems = slices.Clone(w.problems)
		slices.SortStableFunc(problems, func(a, b span.Problem) int { return cmp.Compare(a.Offset, b.Offset) })
	}
	p := &packer{cut: errors.Is(w.err, layer.ErrFull)}
	if p.cut {
		problems = append([]span.Problem{{Span: span.Span{Offset: l.Region.Offset, Length: 4}, Severity: span.Warning, Code: layer.TooLarge, Message: layer.OnlyFirst(o.MaxUnpacked)}}, problems...)
	}
	l.Packer, l.Reading = p, units.New(src, l.Region, units.Known{Summary: is, Messages: messages, Double: o.Double, Problems: problems})
}

// An opened is a capture, as far as it was read.
type opened struct {
	*recorder
	mu       sync.Mutex
	in       reader
	packets  *network.Reader
	messages *multiplayer.Reader
}

// Close implements io.Closer.
func (c *opened) Close() error {
	c.packets.Close()
	c.recorder.Close()
	return nil
}

// mostHeld is for how long a message of a capture that grows is held back until it is known what its flow carries.
const mostHeld = 300 * time.Millisecond

// begin begins to read a capture, or goes on.
func (c *opened) begin(l *layer.Layer, src source.Source, o layer.Options) (err error) {
	isNew, end, limit := c.packets == nil, l.Region.End(), o.Defer/firstShare
	if isNew {
		c.in.at, c.in.end = l.Region.Offset, l.Region.Offset
	}
	if o.Growing != nil {
		end, limit = wholeBlocks(src, c.in.end, end), 0
	}
	if c.in = (reader{src, c.in.at, end, l.Region, o.Report}); !isNew {
		return nil
	}
	c.recorder = newRecorder(l.Region.Offset, o)
	c.messages = multiplayer.New(multiplayer.Options{Methods: o.Methods, Double: o.Double}, multiplayer.Handler{Message: c.recorder.Message, Problem: c.recorder.Problem})
	if c.packets, err = network.NewReader(&c.in, network.Options{MaxUnpacked: limit}, c.messages); err != nil {
		c.recorder.Close()
	} else if o.Growing != nil {
		o.Growing.Read = c
	}
	return err
}

// wholeBlocks returns where the last block of a pcapng file ends that is there as a whole, beginning at a block.
func wholeBlocks(src source.Source, at, end int64) int64 {
	w := source.NewWindow(src)
	for at+pcap.BlockHeaderSize <= end {
		length := int64(w.U32(at + 4))
		if length < pcap.BlockHeaderSize || at+length > end {
			break
		}
		at += length
	}
	return at
}

// A reader reads a file up to an end that moves, and reports how much it has read.
type reader struct {
	src     source.Source
	at, end int64
	region  span.Span
	report  func(done, all int64)
}

// Read implements io.Reader.
func (r *reader) Read(b []byte) (int, error) {
	b = b[:min(int64(len(b)), r.end-r.at)]
	if len(b) == 0 {
		return 0, io.EOF
	}
	n, err := r.src.ReadAt(b, r.at)
	r.at += int64(n)
	r.report(r.at-r.region.Offset, r.region.Length)
	return n, err
}

// A recorder writes the messages of a capture as records.
type recorder struct {
	spool    *layer.Spool
	store    *units.Store
	problems []span.Problem // of the packets and connections
	at       int64          // offset of the capture
	heard    int            // number of problems and events
	record   []byte
	err      error
}

// mostProblems is the number of problems of packets and connections that are kept.
const mostProblems = 100_000

// newRecorder returns a recorder for a capture that begins at an offset.
func newRecorder(at int64, o layer.Options) *recorder {
	w := &recorder{at: at, spool: &layer.Spool{Limit: o.MaxUnpacked}, store: units.NewStore(at)}
	w.spool.Write(units.AppendHeader(nil, 0))
	return w
}

// Close discards what was recorded.
func (w *recorder) Close() { w.spool.Close() }

// Message records a message, unless it does not fit.
func (w *recorder) Message(m *message.Message) {
	if w.err != nil {
		return
	}
	w.record = units.Append(w.record[:0], m)
	if int64(len(w.record)) > w.spool.Left() {
		w.err = layer.ErrFull
		return
	}
	at := w.spool.Size()
	if _, w.err = w.spool.Write(w.record); w.err == nil {
		w.store.Add(m.Payload, at, w.spool.Size())
	}
}

// Problem keeps a problem.
func (w *recorder) Problem(p *payload.Problem) {
	switch {
	case p.IsComment || w.heard == mostProblems:
		return
	case !p.Event:
		is := p.Problem
		is.Offset += w.at
		w.problems = append(w.problems, is)
	}
	w.heard++
	w.store.Remark(p)
}

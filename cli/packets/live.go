package packets

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"varview/cli/env"
	"varview/decoder/engine/span"
	"varview/decoder/network"
	"varview/decoder/network/link"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
	"varview/model/messages"
)

// A Live prints the messages of packets as they come. It is safe for concurrent use.
type Live struct {
	*hold
	p      *printer
	engine *network.Engine
	each   func(m *message.Message, isNow bool)

	packet *pcap.Packet   // the current packet
	read   []int          // numbers of the messages that it completes
	shown  []shown        // messages whose faults have not been printed yet
	faults map[int]*fault // faults by the number of their packet
}

// A shown message is one that matches the query.
type shown struct {
	number int
	frames []int
	line   []byte // its JSON, which is printed with its faults
}

// A fault is what was done to a packet.
type fault struct {
	what []string
	told bool // it was printed without a message
}

// maxFaulty is the number of packets whose faults are kept for messages that end in a later packet.
const maxFaulty = 16 << 10

// NewLive returns a printer of the messages that match a query. It calls each with all messages; isNow says
// that the current packet is known to complete it.
func NewLive(e *env.Env, query string, o Options, each func(m *message.Message, isNow bool)) (*Live, error) {
	o.Extract = -1
	p, err := newPrinter(e, "packets", query, o)
	if err != nil {
		return nil, err
	}
	l := &Live{p: p, each: each, faults: map[int]*fault{}}
	do := p.each(func(err error) { p.err = err })
	do.Message, do.Packet, do.Flow = l.message, nil, nil
	l.hold = newHold(messages.NewReader(o.Options, do), p.out)
	l.engine = l.hold.reader.Engine()
	l.hold.finish = l.finish
	return l, nil
}

// Packet reads a packet and prints what it completes. judge is called with the numbers of the messages
// that it is known to complete, and returns what is done to the packet. The error is that of the output.
func (l *Live) Packet(x *pcap.Packet, judge func(numbers []int) (faults []string)) error {
	l.mu.Lock()
	defer l.unlock()
	l.packet, l.read = x, l.read[:0]
	l.engine.Packet(x)
	delete(l.faults, x.Frame-maxFaulty)
	if faults := judge(l.read); len(faults) > 0 {
		l.faults[x.Frame] = &fault{what: faults}
		if len(l.read) == 0 && !l.hold.reader.Holds(x.Frame) && l.p.query == nil {
			l.alone(x)
		}
	}
	l.packet = nil
	l.finish()
	return l.written()
}

// message prints a message, or keeps it until its faults are known.
func (l *Live) message(m *message.Message) {
	isNow := l.packet != nil && m.Payload.Frame() == l.packet.Frame
	if isNow {
		l.read = append(l.read, m.Number)
	}
	l.each(m, isNow)
	if l.p.Silent || !l.p.shows(m) {
		return
	}
	s := shown{number: m.Number, frames: slices.Clone(m.Payload.Frames)}
	if l.p.JSON {
		s.line = append(m.AppendJSON(nil), '\n')
	} else if err := l.p.message(m); err != nil {
		l.p.err = err
	}
	l.shown = append(l.shown, s)
}

// finish prints the faults of the messages that were shown.
func (l *Live) finish() {
	for _, s := range l.shown {
		all, untold := l.faultsOf(s.frames)
		switch {
		case l.p.JSON:
			l.p.out.Write(withFaults(s.line, all))
		case len(untold) > 0:
			fmt.Fprintf(l.p.out, "     !  message %d: %s\n", s.number, strings.Join(untold, ", "))
		}
	}
	l.shown = l.shown[:0]
}

// faultsOf returns the faults of packets, and those that have not been printed.
func (l *Live) faultsOf(frames []int) (all, untold []string) {
	for _, frame := range frames {
		if f := l.faults[frame]; f != nil {
			all = append(all, f.what...)
			if !f.told {
				untold = append(untold, f.what...)
			}
		}
	}
	return all, untold
}

// alone prints the faults of a packet that completes no message.
func (l *Live) alone(x *pcap.Packet) {
	f := l.faults[x.Frame]
	f.told = true
	if !l.p.JSON {
		fmt.Fprintf(l.p.out, "     !  frame %d, %s: %s\n", x.Frame, span.Bytes(int64(x.Wire)), strings.Join(f.what, ", "))
		return
	}
	l.p.out.Write(appendLine(nil, struct {
		Frame  int      `json:"frame"`
		Size   int      `json:"size"`
		Faults []string `json:"faults"`
	}{x.Frame, x.Wire, f.what}))
}

// Transport returns what transport a TCP flow between two addresses carries, as far as that is known.
func (l *Live) Transport(a, b netip.AddrPort) payload.Transport {
	l.mu.Lock()
	defer l.unlock()
	return l.engine.Transport(link.ProtoTCP, a, b)
}

func (l *Live) written() error { return errors.Join(l.p.err, l.p.out.Flush()) }

// Close prints what is left.
func (l *Live) Close() error {
	l.hold.close()
	l.mu.Lock()
	defer l.unlock()
	l.engine.Close()
	l.hold.reader.Flush()
	l.finish()
	return l.written()
}

// patience is how long a message may be held back while its flow is not known well.
const patience = 500 * time.Millisecond

// A hold makes sure that no message is held back for longer than patience. Its lock also guards the
// reader and the output.
type hold struct {
	mu     sync.Mutex
	reader *messages.Reader
	out    *bufio.Writer
	timer  *time.Timer
	closed bool

	finish func() // completes what is printed; may be nil
}

func newHold(r *messages.Reader, out *bufio.Writer) *hold {
	h := &hold{reader: r, out: out}
	h.timer = time.AfterFunc(time.Hour, h.expire)
	h.timer.Stop()
	return h
}

// unlock ends the use of the reader, and makes sure that what it holds back now will be printed.
func (h *hold) unlock() {
	if since, ok := h.reader.HeldSince(); ok && !h.closed {
		h.timer.Reset(time.Until(since.Add(patience)))
	} else {
		h.timer.Stop()
	}
	h.mu.Unlock()
}

// expire prints what has been held back for long enough.
func (h *hold) expire() {
	h.mu.Lock()
	defer h.unlock()
	if h.closed {
		return
	}
	h.reader.FlushHeld(time.Now().Add(-patience))
	if h.finish != nil {
		h.finish()
	}
	_ = h.out.Flush() // the next write reports the error too
}

func (h *hold) close() {
	h.mu.Lock()
	defer h.unlock()
	h.closed = true
}

// read reads a capture. It prints messages of a live one while it waits for more.
func (h *hold) read(ctx context.Context, in io.Reader, isLive bool) (network.Summary, error) {
	h.mu.Lock()
	defer h.unlock()
	if isLive {
		in = pausing{h, in}
	}
	return h.reader.Read(ctx, in)
}

// A pausing reader may wait for long; before it does, everything pending is printed.
type pausing struct {
	hold *hold
	io.Reader
}

// Read implements io.Reader. The caller holds the lock.
func (p pausing) Read(b []byte) (int, error) {
	if err := p.hold.out.Flush(); err != nil {
		return 0, err
	}
	p.hold.unlock()
	defer p.hold.mu.Lock()
	return p.Reader.Read(b)
}

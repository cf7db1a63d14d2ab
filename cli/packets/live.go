package packets

import (
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"varview/cli/env"
	"varview/decoder/capture/message"
	"varview/decoder/capture/payload"
	"varview/decoder/capture/pcap"
	"varview/model/messages"
)

// A Live prints the messages of packets as they come. Several goroutines may use it.
type Live struct {
	mu      sync.Mutex
	p       *printer
	reader  *messages.Live
	waiting *time.Timer // until what is held back is printed
}

// patience is how long messages may be held back for their flow to be known better.
const patience = 500 * time.Millisecond

// NewLive returns a printer of the messages for which a query holds. each is called with all
// messages.
func NewLive(e *env.Env, query string, o Options, each func(*message.Message)) (*Live, error) {
	o.Extract = -1
	p, err := newPrinter(e, "packets", query, o)
	if err != nil {
		return nil, err
	}
	l := &Live{p: p}
	do := p.each(func(err error) { p.err = err })
	show := do.Message
	do.Message = func(m *message.Message) {
		each(m)
		show(m)
	}
	l.reader = messages.NewLive(o.Options, do)
	l.waiting = time.AfterFunc(patience, l.flush)
	return l, nil
}

// Packet reads a packet and prints what it completes. The error is that of the output.
func (l *Live) Packet(x *pcap.Packet) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reader.Packet(x)
	l.waiting.Reset(patience)
	return l.written()
}

// Transport returns what a flow of TCP carries between two addresses, as far as that is known.
func (l *Live) Transport(a, b netip.AddrPort) payload.Transport {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reader.Transport(a, b)
}

// Note prints a line about the last packet, for people.
func (l *Live) Note(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.p.JSON {
		fmt.Fprintf(l.p.out, "     !  %s\n", text)
	}
}

// flush prints what is held back.
func (l *Live) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reader.Flush()
	_ = l.written() // the next packet reports it too
}

func (l *Live) written() error { return errors.Join(l.p.err, l.p.out.Flush()) }

// Close prints what is left.
func (l *Live) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting.Stop()
	l.reader.Close()
	return l.written()
}

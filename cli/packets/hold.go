package packets

import (
	"bufio"
	"context"
	"io"
	"sync"
	"time"

	"varview/decoder/network"
	"varview/model/messages"
)

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

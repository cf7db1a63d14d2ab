package live

import (
	"fmt"
	"io"
	"net"
	"slices"
	"time"

	"varview/decoder/background"
	"varview/decoder/capture"
	"varview/decoder/capture/websocket"
)

// maxLate is the number of delayed pieces of at most maxChunk bytes for each side of a connection,
// after which nothing more is read from it for now.
const maxLate = 1024

// A late piece waits until it is sent.
type late struct {
	when time.Time
	b    []byte
}

// passMessages passes on what comes from one side in whole messages, with their faults.
func (s *stream) passMessages(from, to net.Conn, isServer bool) error {
	queue := make(chan late, maxLate)
	sender := background.Start(func() { s.send(to, queue) })
	defer func() {
		close(queue)
		sender.Wait()
	}()
	b := make([]byte, maxChunk)
	for {
		n, err := from.Read(b)
		s.mu.Lock()
		all := s.divider.Add(isServer, b[:n])
		if err != nil {
			all = append(all, s.divider.End(isServer))
		}
		isDivided := s.divider.IsDivided()
		s.mu.Unlock()
		if !isDivided {
			s.tap.undivided(s)
		}
		for i := range all {
			if failed := s.message(&all[i], isServer, queue); failed != nil {
				return failed
			}
		}
		if err != nil {
			return nil
		}
	}
}

// message records a message, and queues what becomes of it.
func (s *stream) message(c *capture.Chunk, isServer bool, queue chan<- late) error {
	faults, err := s.record(c.Bytes, isServer)
	if err != nil {
		return err
	}
	if c.IsRequest && slices.ContainsFunc(s.tap.rules, func(f Fault) bool { return !f.isOnlyLate() }) {
		c.Bytes = websocket.WithoutExtensions(c.Bytes) // a lost message would take later ones with it
	}
	d := apply(faults, c)
	if d.said != "" {
		what := "%d bytes that are not a message: %s"
		if c.IsMessage {
			what = "the message of %d bytes: %s"
		}
		s.tap.note(fmt.Sprintf(what, len(c.Bytes), d.said))
	}
	when := time.Now().Add(d.delay)
	for range d.times {
		for piece := range slices.Chunk(c.Bytes, maxChunk) {
			queue <- late{when, piece}
		}
	}
	return nil
}

// send sends what is queued, each piece at its time, in its order.
func (s *stream) send(to io.Writer, queue <-chan late) {
	for l := range queue {
		select {
		case <-s.ctx.Done():
		case <-time.After(time.Until(l.when)):
		}
		_, _ = to.Write(l.b) // reading from there fails too
	}
}

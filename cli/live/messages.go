package live

import (
	"io"
	"net"
	"slices"
	"time"

	"varview/decoder/engine/background"
	"varview/decoder/network"
	"varview/decoder/network/websocket"
)

// maxLate is the number of delayed pieces of at most maxChunk bytes, for each side of a connection, at
// which reading from it pauses.
const maxLate = 1024

// A late piece waits to be sent.
type late struct {
	when     time.Time
	b        []byte
	comments []string
}

// pass passes on what comes from one side until it ends, with its faults. It returns the error of the tap.
func (s *stream) pass(from net.Conn, to io.Writer, isServer bool) error {
	queue := make(chan late, maxLate)
	sender := background.Start(func() { s.send(to, isServer, queue) })
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

// message prints a message, and queues it for delivery.
func (s *stream) message(c *network.Chunk, isServer bool, queue chan<- late) error {
	var d delivery
	var about []string
	err := s.came(c.Bytes, isServer, func(faults []Fault, origin string) passage {
		if c.IsRequest && slices.ContainsFunc(s.tap.rules, func(f Fault) bool { return !f.isOnlyLate() }) {
			c.Bytes = websocket.WithoutExtensions(c.Bytes) // otherwise a lost message would spoil later ones
		}
		d = apply(s.tap.random, faults, c, "message")
		p := passage{faults: d.faults}
		if d.times == 0 {
			src, dst := s.ends(isServer)
			p.lost = lostText(src, dst, len(c.Bytes), d.faults, origin)
		}
		about = comments(d.all(), origin)
		return p
	})
	if err != nil {
		return err
	}
	when := time.Now().Add(d.delay)
	for range d.times {
		more := about
		for piece := range slices.Chunk(c.Bytes, maxChunk) {
			queue <- late{when, piece, more}
			more = nil
		}
	}
	return nil
}

// send sends the queued pieces in order, each at its time.
func (s *stream) send(to io.Writer, isServer bool, queue <-chan late) {
	for l := range queue {
		select {
		case <-s.ctx.Done():
			continue
		case <-time.After(time.Until(l.when)):
		}
		if err := s.delivered(l.b, isServer, l.comments); err != nil {
			s.fail(err)
		}
		_, _ = to.Write(l.b) // reading from there fails too
	}
}

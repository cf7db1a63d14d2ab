package live

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"varview/decoder/engine/background"
	"varview/decoder/network"
	"varview/decoder/network/link"
	"varview/decoder/network/payload"
	"varview/decoder/network/websocket"
)

// maxChunk is the largest number of bytes of a stream that are passed on at once.
const maxChunk = 16 << 10

// A tcpProxy passes on connections.
type tcpProxy struct {
	tap     *tap
	stop    context.CancelCauseFunc
	server  string // "" if there is none
	clients atomic.Int32
}

func runTCP(ctx context.Context, stop context.CancelCauseFunc, t *tap, address, server string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	x := &tcpProxy{tap: t, stop: stop, server: server}
	t.announce("tcp", l.Addr(), server)
	var all sync.WaitGroup
	defer all.Wait()
	ctx, end := context.WithCancel(ctx)
	defer end()
	defer closing(ctx, l)()
	for {
		c, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		all.Add(1)
		start(stop, &all, func() { x.serve(ctx, c) })
	}
}

// closing closes c when the context is done, or when what it returns is called.
func closing(ctx context.Context, c io.Closer) (end func()) {
	stop := context.AfterFunc(ctx, func() { c.Close() })
	return func() {
		stop()
		c.Close()
	}
}

// serve passes on a connection, unless there are too many.
func (x *tcpProxy) serve(ctx context.Context, client net.Conn) {
	defer closing(ctx, client)()
	defer x.clients.Add(-1)
	if x.clients.Add(1) > maxClients {
		return
	}
	s := &stream{ctx: ctx, tap: x.tap, fail: x.fail, from: addrPort(client.RemoteAddr()), to: addrPort(client.LocalAddr())}
	var server net.Conn
	if x.server != "" {
		var d net.Dialer
		var err error
		if server, err = d.DialContext(ctx, "tcp", x.server); err != nil && ctx.Err() == nil {
			x.tap.isAbsent(x.server, err)
		}
		if err != nil {
			return // the client sees a closed connection, as from a missing server
		}
		defer closing(ctx, server)()
		s.to = addrPort(server.RemoteAddr())
	}
	err := s.open()
	if server == nil {
		err = errors.Join(err, s.pass(client, io.Discard, false))
	} else if err == nil {
		back := background.Start(func() {
			x.fail(s.pass(server, client, true))
			client.Close()
		})
		err = s.pass(client, server, false)
		server.Close()
		<-back.Done()
		back.Wait()
	}
	x.fail(err)
	x.fail(s.end())
}

// fail ends everything if the tap has failed.
func (x *tcpProxy) fail(err error) {
	if err != nil {
		x.stop(err)
	}
}

// A stream is a connection as TCP packets. The printed packets contain what was sent, the recorded ones
// what was delivered.
type stream struct {
	ctx      context.Context
	tap      *tap
	fail     func(error)    // ends everything, unless the error is nil
	from, to netip.AddrPort // client and server
	divider  *network.Divider

	mu        sync.Mutex
	sent, got sequence
}

// A sequence holds the numbers of the client's and the server's next bytes.
type sequence [2]uint32

// ends returns the source and the destination of the bytes from one side.
func (s *stream) ends(isServer bool) (src, dst netip.AddrPort) {
	if isServer {
		return s.to, s.from
	}
	return s.from, s.to
}

// segment makes the next packet in a sequence. It acknowledges nothing, as it is not known when the other side has done so.
func (s *stream) segment(q *sequence, isServer bool, flags uint8, b []byte) []byte {
	src, dst := s.ends(isServer)
	own := 0
	if isServer {
		own = 1
	}
	p := link.Segment(src, dst, q[own], 1, flags, b)
	q[own] += uint32(len(b))
	return p
}

// open makes the packets with which a connection begins.
func (s *stream) open() error {
	s.sent, s.got = sequence{1, 1}, sequence{1, 1}
	all := [][]byte{link.Segment(s.from, s.to, 0, 0, link.SYN, nil), link.Segment(s.to, s.from, 0, 1, link.SYN|link.ACK, nil), link.Segment(s.from, s.to, 1, 1, link.ACK, nil)}
	err := s.tap.packet(all[0], func([]Fault, string) passage { return passage{now: all} }) // recorded at the same time
	for _, b := range all[1:] {
		err = errors.Join(err, s.tap.packet(b, func([]Fault, string) passage { return passage{} }))
	}
	s.divider = network.NewDivider(payload.Stream)
	if slices.ContainsFunc(*s.tap.rules.Load(), func(f Fault) bool { return f.query != nil || !f.isOnlyLate() }) {
		s.divider = network.NewDivider(s.tap.live.Transport(s.from, s.to))
	}
	return err
}

func (s *stream) end() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	const flags = link.FIN | link.ACK
	return s.tap.packet(s.segment(&s.sent, false, flags, nil), func([]Fault, string) passage {
		return passage{now: [][]byte{s.segment(&s.got, false, flags, nil)}}
	})
}

// push is the flag that asks the receiver to hand over what it has.
const push = 8

// came prints what one side has sent. judge decides what becomes of the message that its last packet completes; all packets
// are recorded when they are delivered.
func (s *stream) came(b []byte, isServer bool, judge func([]Fault, string) passage) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(b) > 0 {
		n := min(len(b), link.MaxPayload)
		p := s.segment(&s.sent, isServer, link.ACK|push, b[:n])
		b = b[n:]
		this := judge
		if len(b) > 0 {
			this = func([]Fault, string) passage { return passage{} }
		}
		if err := s.tap.packet(p, this); err != nil {
			return err
		}
	}
	return nil
}

// delivered records what one side is delivered.
func (s *stream) delivered(b []byte, isServer bool, comments []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tap.delivered(s.segment(&s.got, isServer, link.ACK|push, b), comments...)
}

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
		if c.IsRequest && slices.ContainsFunc(*s.tap.rules.Load(), func(f Fault) bool { return !f.isOnlyLate() }) {
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

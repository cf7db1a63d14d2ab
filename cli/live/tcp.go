package live

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"sync"

	"varview/cli/env"
	"varview/decoder/background"
	"varview/decoder/capture"
	"varview/decoder/capture/link"
	"varview/decoder/capture/payload"
)

// maxChunk is the most bytes of a stream that are passed on at once.
const maxChunk = 16 << 10

// A tcpProxy passes on connections.
type tcpProxy struct {
	tap    *tap
	stop   context.CancelCauseFunc
	server string // "" if there is none

	mu    sync.Mutex
	conns map[net.Conn]bool
	over  bool
}

func runTCP(ctx context.Context, stop context.CancelCauseFunc, e *env.Env, t *tap, address, server string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	x := &tcpProxy{tap: t, stop: stop, server: server, conns: map[net.Conn]bool{}}
	announce(e, "tcp", l.Addr(), server)
	var all sync.WaitGroup
	defer all.Wait()
	defer x.close()
	closed := context.AfterFunc(ctx, func() {
		l.Close()
		x.close()
	})
	defer closed()
	for {
		c, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		if x.add(c) {
			all.Add(1)
			start(stop, &all, func() { x.serve(ctx, c) })
		}
	}
}

// add counts a connection, or closes it if there are too many.
func (x *tcpProxy) add(c net.Conn) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.over || len(x.conns) >= 2*maxClients {
		c.Close()
		return false
	}
	x.conns[c] = true
	return true
}

func (x *tcpProxy) close() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.over = true
	for c := range x.conns {
		c.Close()
	}
}

func (x *tcpProxy) remove(c net.Conn) {
	c.Close()
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.conns, c)
}

// serve passes on a connection.
func (x *tcpProxy) serve(ctx context.Context, client net.Conn) {
	defer x.remove(client)
	s := &stream{ctx: ctx, tap: x.tap, from: addrPort(client.RemoteAddr()), to: addrPort(client.LocalAddr())}
	var server net.Conn
	if x.server != "" {
		var d net.Dialer
		var err error
		if server, err = d.DialContext(ctx, "tcp", x.server); err != nil || !x.add(server) {
			return // the client sees a closed connection, as from a server that is not there
		}
		defer x.remove(server)
		s.to = addrPort(server.RemoteAddr())
	}
	err := s.open()
	if server == nil {
		err = errors.Join(err, s.pass(client, nil, false))
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

// A stream is a connection as packets of TCP.
type stream struct {
	ctx      context.Context
	tap      *tap
	from, to netip.AddrPort // client and server
	mu       sync.Mutex
	sent     [2]uint32        // sequence numbers of the client's and the server's next byte
	divider  *capture.Divider // nil without rules
}

// open makes the packets with which a connection begins.
func (s *stream) open() error {
	s.sent = [2]uint32{1, 1}
	err := errors.Join(
		s.packet(link.Segment(s.from, s.to, 0, 0, link.SYN, nil)),
		s.packet(link.Segment(s.to, s.from, 0, 1, link.SYN|link.ACK, nil)),
		s.packet(link.Segment(s.from, s.to, 1, 1, link.ACK, nil)))
	switch rules := s.tap.rules; {
	case slices.ContainsFunc(rules, func(f Fault) bool { return f.query != nil || !f.isOnlyLate() }):
		s.divider = capture.NewDivider(s.tap.live.Transport(s.from, s.to))
	case len(rules) > 0:
		s.divider = capture.NewDivider(payload.Stream)
	}
	return err
}

func (s *stream) end() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.packet(link.Segment(s.from, s.to, s.sent[0], s.sent[1], link.FIN|link.ACK, nil))
}

func (s *stream) packet(b []byte) error {
	_, err := s.tap.packet(b)
	return err
}

// pass passes on what comes from one side, until that ends. The error is that of the tap.
func (s *stream) pass(from, to net.Conn, isServer bool) error {
	if s.divider != nil && to != nil {
		return s.passMessages(from, to, isServer)
	}
	b := make([]byte, maxChunk)
	for {
		n, err := from.Read(b)
		if n > 0 {
			if _, failed := s.record(b[:n], isServer); failed != nil {
				return failed
			}
			if to != nil {
				if _, err := to.Write(b[:n]); err != nil {
					return nil
				}
			}
		}
		if err != nil {
			return nil
		}
	}
}

// record makes packets of bytes of one side. It returns the faults of the last one, with which a
// message is complete.
func (s *stream) record(b []byte, isServer bool) (faults []Fault, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	src, dst, own, other := s.from, s.to, 0, 1
	if isServer {
		src, dst, own, other = s.to, s.from, 1, 0
	}
	const push = 8
	for part := range slices.Chunk(b, link.MaxPayload) {
		p := link.Segment(src, dst, s.sent[own], s.sent[other], link.ACK|push, part)
		s.sent[own] += uint32(len(part))
		if faults, err = s.tap.packet(p); err != nil {
			return nil, err
		}
	}
	return faults, nil
}

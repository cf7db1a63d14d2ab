package live

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"time"

	"varview/cli/env"
	"varview/decoder/capture"
	"varview/decoder/capture/link"
)

const (
	maxClients = 1024            // clients at a time, each of which takes a socket
	maxIdle    = 2 * time.Minute // after which a client that says nothing is forgotten
	maxHeld    = 4096            // delayed packets
)

// A udpProxy passes on datagrams.
type udpProxy struct {
	tap    *tap
	stop   context.CancelCauseFunc
	conn   *net.UDPConn // that clients send to
	server *net.UDPAddr // nil if there is none

	mu      sync.Mutex
	clients map[netip.AddrPort]*net.UDPConn // to the server
	held    int
	all     sync.WaitGroup // of what reads from the server
}

func runUDP(ctx context.Context, stop context.CancelCauseFunc, e *env.Env, t *tap, address, server string) error {
	at, err := net.ResolveUDPAddr("udp", address)
	if err != nil {
		return err
	}
	x := &udpProxy{tap: t, stop: stop, clients: map[netip.AddrPort]*net.UDPConn{}}
	if server != "" {
		if x.server, err = net.ResolveUDPAddr("udp", server); err != nil {
			return err
		}
	}
	if x.conn, err = net.ListenUDP("udp", at); err != nil {
		return err
	}
	announce(e, "udp", x.conn.LocalAddr(), server)
	closed := context.AfterFunc(ctx, x.close)
	defer x.all.Wait()
	defer x.close()
	defer closed()
	b := make([]byte, 1<<16)
	for {
		n, from, err := x.conn.ReadFromUDPAddrPort(b)
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
		if err := x.fromClient(from, append([]byte(nil), b[:n]...)); err != nil {
			return err
		}
	}
}

func (x *udpProxy) close() {
	x.conn.Close()
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, c := range x.clients {
		c.Close()
	}
}

// fromClient takes a datagram of a client.
func (x *udpProxy) fromClient(from netip.AddrPort, payload []byte) error {
	to := addrPort(x.conn.LocalAddr())
	if x.server != nil {
		to = addrPort(x.server)
	}
	faults, err := x.tap.packet(link.Datagram(from, to, payload[:min(len(payload), link.MaxPayload)]))
	if err != nil || x.server == nil {
		return err
	}
	c, err := x.client(from)
	if err != nil || c == nil {
		return err
	}
	x.send(faults, payload, func(b []byte) { _, _ = c.Write(b) }) // what does not arrive is lost, as on any network
	return nil
}

// client returns the socket for a client, nil if there are too many.
func (x *udpProxy) client(from netip.AddrPort) (*net.UDPConn, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	c := x.clients[from]
	if c != nil || len(x.clients) >= maxClients {
		return c, nil
	}
	c, err := net.DialUDP("udp", nil, x.server)
	if err != nil {
		return nil, err
	}
	x.clients[from] = c
	x.all.Add(1)
	start(x.stop, &x.all, func() { x.fromServer(from, c) })
	return c, nil
}

// fromServer passes on what the server sends a client.
func (x *udpProxy) fromServer(client netip.AddrPort, c *net.UDPConn) {
	b := make([]byte, 1<<16)
	for {
		_ = c.SetReadDeadline(time.Now().Add(maxIdle))
		n, err := c.Read(b)
		if errors.Is(err, net.ErrClosed) || isTimeout(err) {
			break
		}
		if err != nil { // nobody listens there; perhaps later
			continue
		}
		payload := append([]byte(nil), b[:n]...)
		faults, err := x.tap.packet(link.Datagram(addrPort(x.server), client, payload[:min(n, link.MaxPayload)]))
		if err != nil {
			x.stop(err)
			break
		}
		x.send(faults, payload, func(b []byte) { _, _ = x.conn.WriteToUDPAddrPort(b, client) })
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	c.Close()
	delete(x.clients, client)
}

func isTimeout(err error) bool {
	var t net.Error
	return errors.As(err, &t) && t.Timeout()
}

// send sends a payload with its faults.
func (x *udpProxy) send(faults []Fault, payload []byte, write func([]byte)) {
	datagram := capture.NewMessage(payload)
	d := apply(faults, &datagram)
	if d.said != "" {
		x.tap.note(fmt.Sprintf("the packet of %d bytes: %s", len(payload), d.said))
	}
	send := func() {
		for range d.times {
			write(payload)
		}
	}
	x.mu.Lock()
	wait := d.delay > 0 && x.held < maxHeld
	if wait {
		x.held++
	}
	x.mu.Unlock()
	if !wait {
		send()
		return
	}
	time.AfterFunc(d.delay, func() {
		send()
		x.mu.Lock()
		x.held--
		x.mu.Unlock()
	})
}

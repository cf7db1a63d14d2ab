package live

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"varview/decoder/engine/span"
	"varview/decoder/network"
	"varview/decoder/network/link"
)

const (
	maxClients = 1024            // clients at a time, each of which takes a socket
	maxIdle    = 2 * time.Minute // after which a silent client is forgotten
	maxHeld    = 4096            // delayed packets
)

// A udpProxy passes on datagrams.
type udpProxy struct {
	tap    *tap
	stop   context.CancelCauseFunc
	ctx    context.Context // is done once it ends
	conn   *net.UDPConn    // to which clients send
	server *net.UDPAddr    // nil if there is none

	mu      sync.Mutex
	clients map[netip.AddrPort]*net.UDPConn // sockets to the server
	held    int
	dropped int64          // datagrams that the system has dropped
	all     sync.WaitGroup // goroutines that read from the server
}

func runUDP(ctx context.Context, stop context.CancelCauseFunc, t *tap, address, server string) error {
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
	_ = x.conn.SetReadBuffer(readBuffer) // the system may grant less
	t.announce("udp", x.conn.LocalAddr(), server)
	defer x.all.Wait()
	ctx, end := context.WithCancel(ctx)
	defer end()
	x.ctx = ctx
	defer closing(ctx, x.conn)()
	defer x.tellDrops()
	b := make([]byte, 1<<16)
	for looked := time.Now(); ; {
		if time.Since(looked) > time.Second {
			looked = time.Now()
			x.tellDrops()
		}
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

// tellDrops says how many datagrams the system has dropped before they could be read.
func (x *udpProxy) tellDrops() {
	x.mu.Lock()
	ports := map[uint16]bool{addrPort(x.conn.LocalAddr()).Port(): true}
	for _, c := range x.clients {
		ports[addrPort(c.LocalAddr()).Port()] = true
	}
	x.mu.Unlock()
	n := drops(ports)
	if n > x.dropped {
		x.tap.tell("%s came faster than they could be read, and are lost", span.Counted(n-x.dropped, "datagram"))
	}
	x.dropped = n // which is less if a client has gone
}

// fromClient handles a datagram from a client.
func (x *udpProxy) fromClient(from netip.AddrPort, payload []byte) error {
	d := &datagram{from: from, to: addrPort(x.conn.LocalAddr()), payload: payload}
	if x.server == nil {
		return x.tap.packet(d.packet(), nil)
	}
	d.to = addrPort(x.server)
	c, err := x.client(from)
	if err != nil {
		return err
	}
	if c != nil {
		d.write = func(b []byte) { _, _ = c.Write(b) } // what does not arrive is lost, as on any network
	}
	return x.pass(d)
}

// client returns the socket for a client; nil if there are too many.
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
	_ = c.SetReadBuffer(readBuffer)
	x.clients[from] = c
	x.all.Add(1)
	start(x.stop, &x.all, func() { x.fromServer(from, c) })
	return c, nil
}

// fromServer passes on what the server sends a client.
func (x *udpProxy) fromServer(client netip.AddrPort, c *net.UDPConn) {
	defer closing(x.ctx, c)()
	b := make([]byte, 1<<16)
	for {
		_ = c.SetReadDeadline(time.Now().Add(maxIdle))
		n, err := c.Read(b)
		if errors.Is(err, net.ErrClosed) || errors.Is(err, os.ErrDeadlineExceeded) {
			break
		}
		if err != nil { // nobody listens there; perhaps later
			x.tap.isAbsent(x.server, err)
			continue
		}
		d := &datagram{from: addrPort(x.server), to: client, payload: append([]byte(nil), b[:n]...)}
		d.write = func(b []byte) { _, _ = x.conn.WriteToUDPAddrPort(b, client) }
		if err := x.pass(d); err != nil {
			x.stop(err)
			break
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.clients, client)
}

// A datagram is one on its way.
type datagram struct {
	from, to netip.AddrPort
	payload  []byte
	write    func([]byte) // sends a payload; nil if it cannot be passed on
}

// packet returns the datagram with its IP header.
func (d *datagram) packet() []byte {
	return link.Datagram(d.from, d.to, d.payload[:min(len(d.payload), link.MaxPayload)])
}

// pass passes on a datagram with its faults. It is recorded before it is sent, so that the answer follows
// it.
func (x *udpProxy) pass(d *datagram) error {
	var fate delivery
	var origin string
	err := x.tap.packet(d.packet(), func(faults []Fault, from string) (p passage) {
		fate, origin = x.fate(d, faults), from
		p.faults = fate.faults
		switch {
		case fate.times == 0:
			p.lost = lostText(d.from, d.to, len(d.payload), fate.faults, origin)
		case fate.delay == 0:
			p.comments = comments(fate.faults, origin)
			p.now = slices.Repeat([][]byte{d.packet()}, fate.times)
		}
		return p
	})
	switch {
	case err != nil:
		return err
	case fate.delay == 0:
		d.send(fate.times)
		return nil
	}
	time.AfterFunc(fate.delay, func() {
		for range fate.times {
			if err := x.tap.delivered(d.packet(), comments(fate.all(), origin)...); err != nil {
				x.stop(err)
			}
		}
		d.send(fate.times)
		x.mu.Lock()
		x.held--
		x.mu.Unlock()
	})
	return nil
}

// fate decides what becomes of a datagram. One that will be delayed is counted.
func (x *udpProxy) fate(d *datagram, faults []Fault) delivery {
	if d.write == nil {
		return delivery{faults: []string{fmt.Sprintf("dropped, because there are %d clients already", maxClients)}}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.held >= maxHeld {
		faults = slices.Clone(faults)
		for i := range faults {
			faults[i].delay, faults[i].jitter, faults[i].reorder = 0, 0, 0
		}
	}
	c := network.NewMessage(d.payload)
	fate := apply(x.tap.random, faults, &c, "packet")
	if fate.delay > 0 {
		x.held++
	}
	return fate
}

func (d *datagram) send(times int) {
	for range times {
		d.write(d.payload)
	}
}

// comments returns the comments of a recorded packet about its faults.
func comments(faults []string, origin string) []string {
	if len(faults) == 0 {
		return nil
	}
	return []string{strings.Join(faults, ", ") + " (" + origin + ")"}
}

// lostText describes what was lost.
func lostText(from, to netip.AddrPort, size int, faults []string, origin string) string {
	return fmt.Sprintf("before this packet: %s from %s to %s: %s (%s)", span.Bytes(int64(size)), from, to, strings.Join(faults, ", "), origin)
}

// readBuffer is the size of the receive buffer that is asked for, in bytes. The system may grant less.
const readBuffer = 8 << 20

// drops returns how many datagrams the system has dropped because the receive buffers of sockets at some local ports were full;
// 0 where it does not say.
func drops(ports map[uint16]bool) (n int64) {
	for _, name := range []string{"/proc/net/udp", "/proc/net/udp6"} {
		b, _ := os.ReadFile(name)
		for line := range strings.Lines(string(b)) {
			cells := strings.Fields(line)
			if len(cells) < 13 {
				continue
			}
			port, err := strconv.ParseUint(cells[1][strings.LastIndexByte(cells[1], ':')+1:], 16, 16)
			dropped, failed := strconv.ParseInt(cells[len(cells)-1], 10, 64)
			if err == nil && failed == nil && ports[uint16(port)] {
				n += dropped
			}
		}
	}
	return n
}

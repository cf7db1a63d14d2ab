package live

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"varview/cli/env"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network"
	"varview/decoder/network/enet"
	"varview/decoder/network/payload"
)

// Replaying says what is sent again, and where.
type Replaying struct {
	To    string  // HOST:PORT
	Speed float64 // factor of the capture's speed; 0 to send without waiting
	Flow  int     // number of the only flow; 0 for all
	Far   bool    // To may be another machine
}

// A replay sends the datagrams of a capture again.
type replay struct {
	Replaying
	ctx    context.Context
	to     *net.UDPAddr
	conns  map[int]*net.UDPConn // by flow
	first  time.Time            // time of the first datagram in the capture
	began  time.Time            // time when it was sent again
	sent   int
	tell   func(format string, values ...any)
	warned bool // about ENet
	cut    int  // datagrams that were captured only in part
	err    error
}

// Replay sends the datagrams of the first sender of each UDP flow in a capture to a server, with the same
// times between them. It does not read the answers.
func Replay(ctx context.Context, e *env.Env, name string, o Replaying) error {
	r := &replay{Replaying: o, tell: e.Tell, conns: map[int]*net.UDPConn{}}
	var err error
	if r.to, err = net.ResolveUDPAddr("udp", o.To); err != nil {
		return fmt.Errorf("--to %s: %w", o.To, err)
	}
	if !r.to.IP.IsLoopback() && !o.Far {
		return fmt.Errorf("--to %s: that may be another machine: --to-network allows it", o.To)
	}
	in, err := e.OpenInput(ctx, name)
	if err != nil {
		return err
	}
	defer in.Close()
	defer r.close()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r.ctx = ctx
	options := network.Options{Datagram: func(p *payload.Payload) {
		if r.err == nil {
			if r.err = r.send(p); r.err != nil {
				stop()
			}
		}
	}}
	_, err = network.Read(ctx, in, options, problems{e, name, r})
	if err = errors.Join(r.err, err); err != nil {
		if r.err != nil {
			err = r.err
		}
		return fmt.Errorf("%s: %w", env.DisplayName(name), source.Plain(err))
	}
	fmt.Fprintf(e.Stdout, "%s of %s sent to %s\n", span.Counted(int64(r.sent), "datagram"), span.Counted(int64(len(r.conns)), "flow"), r.to)
	if r.cut > 0 {
		e.Tell("%s left out: the capture has only a part of each", span.Counted(int64(r.cut), "datagram"))
	}
	if r.sent == 0 {
		return env.ErrProblems
	}
	return nil
}

func (r *replay) close() {
	for _, c := range r.conns {
		c.Close()
	}
}

// send sends a datagram at its time.
func (r *replay) send(p *payload.Payload) error {
	switch {
	case p.Src != p.Flow.A || r.Flow > 0 && p.Flow.Number != r.Flow:
		return nil
	case p.Partial:
		r.cut++
		return nil
	}
	if err := r.wait(p.Time); err != nil {
		return err
	}
	c := r.conns[p.Flow.Number]
	if c == nil {
		if len(r.conns) >= maxClients {
			return fmt.Errorf("more than %d flows: --follow chooses one", maxClients)
		}
		var err error
		if c, err = net.DialUDP("udp", nil, r.to); err != nil {
			return err
		}
		r.conns[p.Flow.Number] = c
		if enet.IsFirst(p.Bytes) {
			r.warn(p.Flow.Number)
		}
	}
	_, _ = c.Write(p.Bytes) // a server that is not there yet answers with an error
	r.sent++
	return nil
}

// warn warns, at the first flow of ENet, that sending it again is of little use.
func (r *replay) warn(flow int) {
	if r.warned {
		return
	}
	r.warned = true
	r.tell("flow %d is ENet: a server expects the ids of a connection that it has agreed to itself, not those of the capture, and will most likely drop all but the first datagram", flow)
}

// wait waits until a datagram captured at a time is due.
func (r *replay) wait(captured time.Time) error {
	if r.Speed == 0 || captured.IsZero() {
		return r.ctx.Err()
	}
	if r.first.IsZero() {
		r.first, r.began = captured, time.Now()
	}
	after := time.Duration(float64(captured.Sub(r.first)) / r.Speed)
	select {
	case <-r.ctx.Done():
		return r.ctx.Err()
	case <-time.After(time.Until(r.began.Add(after))):
		return nil
	}
}

// problems reports the problems of the capture.
type problems struct {
	e    *env.Env
	name string
	of   *replay
}

// Payload implements payload.Handler.
func (problems) Payload(*payload.Payload) {}

// Closed implements payload.Handler.
func (problems) Closed(*payload.Flow) {}

// Problem implements payload.Handler.
func (p problems) Problem(x *payload.Problem) {
	switch {
	case x.Code == payload.NoCapture:
		p.of.err = errors.New(x.Message)
	case x.Frame == 0:
		p.e.Tell("%s: %#x: %s (%s)", env.DisplayName(p.name), x.Offset, x.Message, x.Code)
	}
}

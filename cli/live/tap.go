// Package live listens to the network, and passes on what it hears: listen and proxy.
package live

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"time"

	"varview/cli/env"
	"varview/cli/packets"
	"varview/decoder/background"
	"varview/decoder/capture/message"
	"varview/decoder/capture/pcap"
	"varview/decoder/source"
	"varview/decoder/span"
)

// Options say what is done with what is heard.
type Options struct {
	packets.Options
	Query  string
	Faults []Fault
}

// A tap prints and records packets. Several goroutines may use it.
type tap struct {
	mu    sync.Mutex
	live  *packets.Live
	out   *pcap.Writer // nil without a file
	file  *os.File
	frame int
	rules []Fault
	hits  []bool // which rules hold for a message of the packet at work
	tell  func(format string, values ...any)
	told  sync.Once // that a connection carries no messages
}

func newTap(e *env.Env, o Options) (*tap, error) {
	t := &tap{rules: o.Faults, hits: make([]bool, len(o.Faults)), tell: e.Tell}
	var err error
	if t.live, err = packets.NewLive(e, o.Query, o.Options, t.look); err != nil {
		return nil, err
	}
	if o.Output.Path == "" {
		return t, nil
	}
	flag := os.O_EXCL
	if o.Output.Force {
		flag = os.O_TRUNC
	}
	t.file, err = os.OpenFile(o.Output.Path, os.O_WRONLY|os.O_CREATE|flag, 0o644)
	if err == nil {
		t.out, err = pcap.NewWriter(t.file)
	}
	switch {
	case errors.Is(err, os.ErrExist):
		return nil, fmt.Errorf("%s: the file exists already; --force replaces it", o.Output.Path)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", o.Output.Path, source.Plain(err))
	}
	return t, nil
}

// look notes which rules hold for a message.
func (t *tap) look(m *message.Message) {
	for i := range t.rules {
		if m.Payload.Frame() == t.frame && t.rules[i].holds(m) {
			t.hits[i] = true
		}
	}
}

// packet records and prints a packet that begins with IP. It returns the faults that it is to
// have.
func (t *tap) packet(b []byte) (faults []Fault, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if t.out != nil {
		if err := t.out.Packet(b, now); err != nil {
			return nil, fmt.Errorf("%s: %w", t.file.Name(), source.Plain(err))
		}
	}
	t.frame++
	clear(t.hits)
	err = t.live.Packet(&pcap.Packet{Frame: t.frame, Data: b, At: span.Span{Length: int64(len(b))}, Wire: len(b), Time: now, Link: pcap.LinkRaw})
	for i := range t.rules {
		if t.hits[i] || t.rules[i].query == nil {
			faults = append(faults, t.rules[i])
		}
	}
	return faults, err
}

// undivided says once that a connection carries no messages to which rules could apply.
func (t *tap) undivided(s *stream) {
	if slices.ContainsFunc(t.rules, func(f Fault) bool { return !f.isOnlyLate() }) {
		t.told.Do(func() {
			t.tell("the connection from %s is encrypted, or carries neither WebSocket nor values with a length before each: only delay= applies to it", s.from)
		})
	}
}

// note prints what is done to the last packet.
func (t *tap) note(text string) { t.live.Note(text) }

func (t *tap) close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	err := t.live.Close()
	if t.file != nil {
		err = errors.Join(err, t.file.Close())
	}
	return err
}

// Run listens at an address until the context is done. What comes is passed on to a server,
// unless that is "", which only listens.
func Run(ctx context.Context, e *env.Env, network, address, server string, o Options) (err error) {
	t, err := newTap(e, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	switch {
	case network == "udp":
		err = runUDP(ctx, stop, e, t, address, server)
	default:
		err = runTCP(ctx, stop, e, t, address, server)
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return err
}

// start runs f in a goroutine, and counts it as done at its end. A panic ends everything.
func start(stop context.CancelCauseFunc, all *sync.WaitGroup, f func()) {
	task := background.Start(f)
	go func() {
		defer all.Done()
		defer func() {
			if p := background.Recovered(recover()); p != nil {
				stop(p)
			}
		}()
		task.Wait()
	}()
}

// announce says where it listens, which a script may wait for.
func announce(e *env.Env, network string, at net.Addr, server string) {
	if server == "" {
		e.Tell("listening at %s %s", network, at)
		return
	}
	e.Tell("listening at %s %s, and passing on to %s", network, at, server)
}

// addrPort returns an address of UDP or TCP.
func addrPort(a net.Addr) netip.AddrPort {
	p, _ := netip.ParseAddrPort(a.String())
	return netip.AddrPortFrom(p.Addr().Unmap(), p.Port())
}

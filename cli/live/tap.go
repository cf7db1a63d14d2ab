// Package live implements listen: it listens to the network, prints messages, and passes
// packets on.
package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"varview/cli/env"
	"varview/cli/packets"
	"varview/decoder/engine/background"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network/message"
	"varview/decoder/network/pcap"
	"varview/model/search"
)

// Options are the options of listen.
type Options struct {
	packets.Options
	Query  string
	Faults []Fault
	Seed   uint64 // of the random numbers, with which faults can be repeated; 0 for one that differs each time

	Tell  func(format string, values ...any) // says where it listens and what goes wrong; nil for standard error
	Began func(*Session)                     // is called once it listens; nil for nobody
}

// A Session listens. It is safe for concurrent use.
type Session struct {
	tap     *tap
	network string
}

// Fault replaces the rules for packets that come from now on.
func (s *Session) Fault(rules []string) error {
	faults, err := ParseFaults(rules)
	if err == nil {
		err = check(s.network, faults)
	}
	if err != nil {
		return err
	}
	s.tap.rules.Store(&faults)
	return nil
}

// check reports faults that a transport cannot have.
func check(network string, faults []Fault) error {
	if network == "tcp" && slices.ContainsFunc(faults, func(f Fault) bool { return f.reorder > 0 }) {
		return errors.New("reorder=: TCP keeps what is sent in its order")
	}
	return nil
}

// A tap prints packets as they were sent, and records them as they are delivered. It is safe for
// concurrent use.
type tap struct {
	mu    sync.Mutex
	live  *packets.Live
	file  *recording // nil without a file
	frame int
	rules atomic.Pointer[[]Fault]

	random *rand.Rand
	hits   []*search.Query // of the rules that match a message of the current packet
	missed sync.Map        // numbers of the flows in which rules were known to match too late
	tell   func(format string, values ...any)
	began  func(*Session) // nil if nobody wants to know
	told   sync.Once      // says that a connection carries no messages
	absent sync.Once      // says that there is no server
}

func newTap(e *env.Env, o Options) (*tap, error) {
	seed := cmp.Or(o.Seed, rand.Uint64())
	t := &tap{random: rand.New(rand.NewPCG(seed, seed)), tell: o.Tell, began: o.Began}
	t.rules.Store(&o.Faults)
	if t.tell == nil {
		t.tell = e.Tell
	}
	var err error
	if t.live, err = packets.NewLive(e, o.Query, o.Options, t.look); err != nil {
		return nil, err
	}
	if o.Output.Path != "" {
		if t.file, err = newRecording(o.Output); err != nil {
			return nil, err
		}
		if strings.EqualFold(filepath.Ext(o.Output.Path), ".pcap") {
			t.tell("%s: it is written as pcapng, because pcap has no comments", o.Output.Path)
		}
	}
	return t, nil
}

// look records which rules match a message of the current packet, and says so if it matches too late.
func (t *tap) look(m *message.Message, isNow bool) {
	for _, f := range *t.rules.Load() {
		if f.query == nil || !f.query.Holds(m) {
			continue
		}
		if isNow {
			t.hits = append(t.hits, f.query)
		} else {
			n := m.Payload.Flow.Number
			if _, wasTold := t.missed.LoadOrStore(n, true); !wasTold {
				t.tell("message %d and others that came before it was known what flow %d carries were passed on without the faults of their rule: --flow %d=%s says it from the start", m.Number, n, n, m.Protocol)
			}
		}
	}
}

// A passage is what becomes of a packet.
type passage struct {
	now      [][]byte // what is delivered and recorded at once
	comments []string // comments on each current packet
	lost     string   // what to record of a loss; "" if nothing is lost
	faults   []string // what is printed
}

// packet reads and prints a packet that begins with IP. judge decides what becomes of it: it is called
// with the rules that apply, and with the origin that comments mention. If judge is nil, the packet is
// delivered unchanged.
func (t *tap) packet(b []byte, judge func(faults []Fault, origin string) passage) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	t.frame++
	t.hits = t.hits[:0]
	x := &pcap.Packet{Frame: t.frame, Data: b, At: span.Span{Length: int64(len(b))}, Wire: len(b), Time: now, Link: pcap.LinkRaw}
	var failed error
	err := t.live.Packet(x, func(numbers []int) []string {
		p := passage{now: [][]byte{b}}
		if judge != nil {
			p = judge(t.faults(), t.origin(numbers))
		}
		failed = t.file.pass(now, p)
		return p.faults
	})
	return errors.Join(failed, err)
}

// faults returns the rules that match the current packet.
func (t *tap) faults() (faults []Fault) {
	for _, f := range *t.rules.Load() {
		if f.query == nil || slices.Contains(t.hits, f.query) {
			faults = append(faults, f)
		}
	}
	return faults
}

// origin says under which number a packet was printed. Its number in the file differs if an earlier
// packet was dropped, duplicated or delayed.
func (t *tap) origin(numbers []int) string {
	s := fmt.Sprintf("printed as frame %d", t.frame)
	for i, n := range numbers {
		if i == 0 {
			s += ", message"
		}
		s += fmt.Sprintf(" %d", n)
	}
	return s
}

// delivered records a packet that was not recorded when it came.
func (t *tap) delivered(b []byte, comments ...string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.file.packet(b, time.Now(), comments...)
}

// undivided reports, once, that a connection carries no messages to which rules could apply.
func (t *tap) undivided(s *stream) {
	if slices.ContainsFunc(*t.rules.Load(), func(f Fault) bool { return !f.isOnlyLate() }) {
		t.told.Do(func() {
			t.tell("the connection from %s is encrypted, or carries neither WebSocket nor values with a length before each: only delay= applies to it", s.from)
		})
	}
}

func (t *tap) close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return errors.Join(t.live.Close(), t.file.close())
}

// Run listens at an address until the context is done. It passes on what arrives to a server; if that is
// "", it only listens.
func Run(ctx context.Context, e *env.Env, network, address, server string, o Options) (err error) {
	if err := check(network, o.Faults); err != nil {
		return fmt.Errorf("--fault %w", err)
	}
	t, err := newTap(e, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if network == "udp" {
		err = runUDP(ctx, stop, t, address, server)
	} else {
		err = runTCP(ctx, stop, t, address, server)
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return err
}

// start runs f in a goroutine, and marks it as done at its end. A panic ends everything.
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

// announce reports where it listens, for which a script may wait, and what is done to all packets.
func (t *tap) announce(network string, at net.Addr, server string) {
	if server == "" {
		t.tell("listening at %s %s", network, at)
	} else {
		t.tell("listening at %s %s, and passing on to %s", network, at, server)
	}
	for _, f := range *t.rules.Load() {
		if text := f.String(); text != "" {
			t.tell("%s", text)
		}
	}
	if t.began != nil {
		t.began(&Session{t, network})
	}
}

// addrPort returns a UDP or TCP address.
func addrPort(a net.Addr) netip.AddrPort {
	p, _ := netip.ParseAddrPort(a.String())
	return netip.AddrPortFrom(p.Addr().Unmap(), p.Port())
}

// isAbsent says, once, that there is no server.
func (t *tap) isAbsent(server any, err error) {
	t.absent.Do(func() {
		t.tell("nobody listens at %s (%v): what clients send there is lost", server, source.Plain(err))
	})
}

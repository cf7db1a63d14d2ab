package cli

import (
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	progressAfter = time.Second            // what takes less shows nothing
	progressEvery = 100 * time.Millisecond // between two numbers
)

// A progress shows in one line how far a piece of work is.
type progress struct {
	out io.Writer
	now func() time.Time

	mu    sync.Mutex
	what  string
	next  time.Time
	shown bool
	ended bool // nothing is shown any more
}

// follow shows how far a piece of work is, which share tells, until the function
// that it returns is called.
func (p *progress) follow(share func() float64) (stop func()) {
	stopping, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.show(int64(1000*share()), 1000)
			case <-stopping:
				return
			}
		}
	}()
	return func() {
		close(stopping)
		<-stopped
		p.erase()
	}
}

// newProgress returns a progress that is shown on out by the clock now, once it has taken
// a while.
func newProgress(out io.Writer, now func() time.Time, what string) *progress {
	return &progress{out: out, now: now, what: what, next: now().Add(progressAfter)}
}

// turnTo lets the line say something else from now on.
func (p *progress) turnTo(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what = what
}

// show writes how much is done, if it is time for that.
func (p *progress) show(done, all int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if p.ended || now.Before(p.next) || all <= 0 {
		return
	}
	fmt.Fprintf(p.out, "\r\x1b[Kvarview: %s %d%%", p.what, min(100, int(100*float64(done)/float64(all))))
	p.next, p.shown = now.Add(progressEvery), true
}

// end takes the line away for good.
func (p *progress) end() {
	p.erase()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
}

// erase takes the line away.
func (p *progress) erase() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.shown = false
	}
}

// An aside writes to where the line of a progress may stand, which is taken away
// before.
type aside struct {
	io.Writer
	*progress
}

// Write implements io.Writer.
func (a aside) Write(b []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.clear()
	return a.Writer.Write(b)
}

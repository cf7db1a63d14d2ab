package output

import (
	"fmt"
	"io"
	"sync"
	"time"

	"varview/decoder/engine/background"
)

const (
	progressAfter = time.Second            // shorter work shows nothing
	progressEvery = 100 * time.Millisecond // shortest time between two numbers
)

// A Progress shows on one line how far a piece of work is.
type Progress struct {
	out io.Writer
	now func() time.Time

	mu    sync.Mutex
	what  string
	next  time.Time
	shown bool
	ended bool // nothing is shown any more
}

// Follow shows how far a piece of work is, as share returns it, until stop is called.
func (p *Progress) Follow(share func() float64) (stop func()) {
	stopping := make(chan struct{})
	showing := background.Start(func() {
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.Show(int64(1000*share()), 1000)
			case <-stopping:
				return
			}
		}
	})
	return func() {
		close(stopping)
		showing.Wait()
		p.Erase()
	}
}

// NewProgress returns a progress that appears on out once the work has taken a while; now is the clock.
func NewProgress(out io.Writer, now func() time.Time, what string) *Progress {
	return &Progress{out: out, now: now, what: what, next: now().Add(progressAfter)}
}

// TurnTo changes what the line says is being done.
func (p *Progress) TurnTo(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what = what
}

// Show shows how much is done, if it is time for that.
func (p *Progress) Show(done, all int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if p.ended || now.Before(p.next) || all <= 0 {
		return
	}
	fmt.Fprintf(p.out, "\r\x1b[Kvarview: %s %d%%", p.what, min(100, int(100*float64(done)/float64(all))))
	p.next, p.shown = now.Add(progressEvery), true
}

// End removes the line for good.
func (p *Progress) End() {
	p.Erase()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
}

// Erase removes the line.
func (p *Progress) Erase() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *Progress) clear() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.shown = false
	}
}

// An Aside writes where the line of a progress may be; it first erases the line.
type Aside struct {
	io.Writer
	*Progress
}

// Write implements io.Writer.
func (a Aside) Write(b []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.clear()
	return a.Writer.Write(b)
}

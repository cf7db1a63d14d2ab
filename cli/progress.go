package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/charmbracelet/x/term"

	"varview/decoder"
	"varview/model"
	"varview/ui/text"
)

const (
	progressAfter = time.Second            // what takes less shows nothing
	progressEvery = 100 * time.Millisecond // between two numbers
)

// A progress shows in one line how far a piece of work is.
type progress struct {
	out   io.Writer
	now   func() time.Time
	what  string
	next  time.Time
	shown bool
	ended bool // nothing is shown any more
}

// progress has what is done by the options shown on standard error, if that is a
// terminal. The function that it returns ends that.
func (e *env) progress(o *decoder.Options, name string) (done func()) {
	p := e.newProgress("unpacking", name)
	if p == nil {
		return func() {}
	}
	o.Progress, e.busy = p.show, p
	return func() {
		p.end()
		o.Progress, e.busy = nil, nil
	}
}

// watch shows how far a piece of work is that counts itself. Nothing is to be
// told before the function that it returns has ended that.
func (e *env) watch(work *model.Progress, doing, name string) (done func()) {
	p := e.newProgress(doing, name)
	if p == nil {
		return func() {}
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.show(int64(1000*work.Share()), 1000)
			case <-stop:
				return
			}
		}
	}()
	return func() {
		close(stop)
		<-stopped
		p.end()
	}
}

// newProgress is a progress on standard error, nil if that is no terminal.
func (e *env) newProgress(doing, name string) *progress {
	if !term.IsTerminal(e.stderr.Fd()) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return newProgress(e.stderr, time.Now, doing+" "+text.Cut(text.Clean(displayName(name)), 50))
}

func newProgress(out io.Writer, now func() time.Time, what string) *progress {
	return &progress{out: out, now: now, what: what, next: now().Add(progressAfter)}
}

// show writes how much is done, if it is time for that.
func (p *progress) show(done, all int64) {
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
	p.ended = true
}

// erase takes the line away.
func (p *progress) erase() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.shown = false
	}
}

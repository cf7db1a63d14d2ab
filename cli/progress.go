package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/charmbracelet/x/term"

	"varview/decoder"
	"varview/ui/text"
)

const (
	progressAfter = time.Second            // what takes less shows nothing
	progressEvery = 100 * time.Millisecond // between two numbers
)

// A progress shows in one line how far unpacking is.
type progress struct {
	out   io.Writer
	now   func() time.Time
	what  string
	next  time.Time
	shown bool
}

// progress has what is done by the options shown on standard error, if that is a
// terminal. The function that it returns ends that.
func (e *env) progress(o *decoder.Options, name string) (done func()) {
	if !term.IsTerminal(e.stderr.Fd()) || os.Getenv("TERM") == "dumb" {
		return func() {}
	}
	p := newProgress(e.stderr, time.Now, "unpacking "+text.Cut(text.Clean(displayName(name)), 50))
	o.Progress, e.busy = p.show, p
	return func() {
		p.erase()
		o.Progress, e.busy = nil, nil
	}
}

func newProgress(out io.Writer, now func() time.Time, what string) *progress {
	return &progress{out: out, now: now, what: what, next: now().Add(progressAfter)}
}

// show writes how much is done, if it is time for that.
func (p *progress) show(done, all int64) {
	now := p.now()
	if now.Before(p.next) || all <= 0 {
		return
	}
	fmt.Fprintf(p.out, "\r\x1b[Kvarview: %s %d%%", p.what, min(100, int(100*float64(done)/float64(all))))
	p.next, p.shown = now.Add(progressEvery), true
}

// erase takes the line away.
func (p *progress) erase() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.shown = false
	}
}

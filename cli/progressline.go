package cli

import (
	"os"
	"time"
	"varview/decoder"
	"varview/ui/text"

	"github.com/charmbracelet/x/term"
)

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

// watch shows how far a piece of work is, which share tells. Nothing is to be told
// before the function that it returns has ended that.
func (e *env) watch(share func() float64, doing, name string) (done func()) {
	p := e.newProgress(doing, name)
	if p == nil {
		return func() {}
	}
	stop := p.follow(share)
	return func() {
		stop()
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

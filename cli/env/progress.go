package env

import (
	"io"
	"os"
	"time"

	"github.com/charmbracelet/x/term"

	"varview/cli/output"
	"varview/decoder"
	"varview/internal/text"
	"varview/model"
)

// showUnpacking shows the progress of work with the options on standard error, if that is a terminal. The
// function that it returns ends that.
func (e *Env) showUnpacking(o *decoder.Options, name string) (done func()) {
	p := e.NewProgress("unpacking", name)
	if p == nil {
		return func() {}
	}
	o.Progress, e.busy = p.Show, p
	return func() {
		p.End()
		o.Progress, e.busy = nil, nil
	}
}

// Watch shows how far a piece of work is; share returns that, from 0 to 1. Tell must not be called until
// done has been called.
func (e *Env) Watch(share func() float64, doing, name string) (done func()) {
	p := e.NewProgress(doing, name)
	if p == nil {
		return func() {}
	}
	stop := p.Follow(share)
	return func() {
		stop()
		p.End()
	}
}

// WatchPrinting is Watch for work that prints: nothing is shown if it prints to the terminal.
func (e *Env) WatchPrinting(share func() float64, doing, name string) (done func()) {
	if e.TerminalWidth() > 0 && e.paged == nil {
		return func() {}
	}
	return e.Watch(share, doing, name)
}

// WatchEdits shows how far the edits of a transaction are, until done is called. Tell must not be called
// until then.
func (e *Env) WatchEdits(t *model.Transaction, doing, name string) (done func()) {
	t.Progress = &model.Progress{}
	return e.Watch(t.Progress.Share, doing, name)
}

// NewProgress returns a progress on standard error; nil if that is not a terminal.
func (e *Env) NewProgress(doing, name string) *output.Progress {
	if e.beside != nil || !term.IsTerminal(e.Stderr.Fd()) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	var out io.Writer = e.Stderr
	if e.paged != nil {
		out = unpaged{e.Stderr, e.paged}
	}
	return output.NewProgress(out, time.Now, doing+" "+text.Cut(text.Clean(DisplayName(name)), 50))
}

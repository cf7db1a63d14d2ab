// Package jobs is background work and how its results return. Nothing that takes long is done in Update:
// it is a job, whose result is handled there.
package jobs

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/model"
)

// A Result is the message with the result of background work. Update calls Take, if it is not nil.
type Result struct {
	Name string // name of the work, for the report about a panic
	Take func() tea.Cmd
}

// Alone returns work that uses nothing of the document as a command. Update calls the function that it
// returns.
func Alone(name string, work func() (take func() tea.Cmd)) tea.Cmd {
	return func() tea.Msg { return Result{name, work()} }
}

// A Pool is background work that can be waited for.
type Pool struct{ running sync.RWMutex }

// Go returns work as a command. Update calls the function that it returns, unless it is nil.
func (p *Pool) Go(name string, work func() (take func() tea.Cmd)) tea.Cmd {
	return func() tea.Msg {
		p.running.RLock()
		defer p.running.RUnlock()
		return Result{name, work()}
	}
}

// Pause waits until no work runs, and lets none start until resume is called.
func (p *Pool) Pause() (resume func()) {
	p.running.Lock()
	return p.running.Unlock
}

// A Job is background work of one kind, one at a time.
type Job struct {
	Name     string // shown while it runs; "" if it does not
	Progress *model.Progress

	number int // number of the running work; results of any other are late
	cancel context.CancelFunc
	hold   time.Duration // how long it may run while keys wait for it
	at     *work
}

// work is the state of running work.
type work struct {
	began atomic.Pointer[time.Time]
	ended atomic.Bool
}

// Start stops the current work and begins other work. Once that is done, late reports whether it has been
// stopped or replaced since.
func (j *Job) Start(ctx context.Context, name string) (working context.Context, p *model.Progress, late func() bool) {
	j.Stop()
	working, j.cancel = context.WithCancel(ctx)
	j.Name, j.Progress, j.at = name, new(model.Progress), new(work)
	number := j.number
	return working, j.Progress, func() bool { return number != j.number }
}

// Run runs work in the background, replacing the current work. The function that do returns handles the
// result, unless it is late; nil handles nothing.
func (j *Job) Run(ctx context.Context, pool *Pool, name string, do func(context.Context, *model.Progress) (take func() tea.Cmd)) tea.Cmd {
	ctx, progress, late := j.Start(ctx, name)
	at := j.at
	return pool.Go(name, func() func() tea.Cmd {
		now := time.Now()
		at.began.Store(&now)
		take := do(ctx, progress)
		at.ended.Store(true)
		return func() tea.Cmd {
			if late() {
				return nil
			}
			j.Stop()
			if take == nil {
				return nil
			}
			return take()
		}
	})
}

// Then returns work that may fail for Run: take gets what it has found, or report its error.
func Then[T any](report func(error) tea.Cmd, work func(context.Context, *model.Progress) (T, error), take func(T) tea.Cmd) func(context.Context, *model.Progress) func() tea.Cmd {
	return func(ctx context.Context, p *model.Progress) func() tea.Cmd {
		found, err := work(ctx, p)
		return func() tea.Cmd {
			if err != nil {
				return report(err)
			}
			return take(found)
		}
	}
}

// Hold makes keys wait for the work that has just begun, until it has run for most. Time before it starts
// running, or until its result is handled, does not count.
func (j *Job) Hold(most time.Duration) { j.hold = most }

// Release stops making keys wait.
func (j *Job) Release() { j.hold = 0 }

// Holds reports whether keys wait.
func (j *Job) Holds() bool {
	if !j.Runs() || j.hold == 0 {
		return false
	}
	began := j.at.began.Load()
	return began == nil || j.at.ended.Load() || time.Since(*began) < j.hold
}

// Shows reports whether work is being done that takes long enough to be shown.
func (j *Job) Shows() bool { return j.Runs() && !j.Holds() }

// Share returns how much of the work is done, from 0 to 1.
func (j *Job) Share() float64 {
	if j.Progress == nil {
		return 0
	}
	return j.Progress.Share()
}

// Runs reports whether work is being done.
func (j *Job) Runs() bool { return j.cancel != nil }

// Stop stops the current work, if there is any. Its result will be late.
func (j *Job) Stop() {
	if j.cancel != nil {
		j.cancel()
	}
	j.cancel, j.Name, j.hold = nil, "", 0
	j.number++
}

// Interrupt asks the current work to stop, but handles its result.
func (j *Job) Interrupt() {
	if j.cancel != nil {
		j.cancel()
	}
}

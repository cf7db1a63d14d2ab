// Package jobs is background work and how its results come back. Nothing that takes
// long is done in Update: it is a job, and what it has found is taken there.
package jobs

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/model"
)

// A Result is the message that brings what background work has found. Update calls
// Take, if there is something to be taken.
type Result struct {
	Name string // of the work, for the report about a panic
	Take func() tea.Cmd
}

// Alone returns work that uses nothing of the document as a command. What work returns
// is called in Update.
func Alone(name string, work func() (take func() tea.Cmd)) tea.Cmd {
	return func() tea.Msg { return Result{name, work()} }
}

// A Pool is background work whose end can be waited for.
type Pool struct{ running sync.RWMutex }

// Go returns work as a command. What work returns is called in Update; nil is not.
func (p *Pool) Go(name string, work func() (take func() tea.Cmd)) tea.Cmd {
	return func() tea.Msg {
		p.running.RLock()
		defer p.running.RUnlock()
		return Result{name, work()}
	}
}

// Pause waits until no work runs, and lets none begin until resume is called.
func (p *Pool) Pause() (resume func()) {
	p.running.Lock()
	return p.running.Unlock
}

// A Job is background work of one kind, one at a time.
type Job struct {
	Name     string // shown while it runs, "" if it does not
	Progress *model.Progress

	number int // of the work that runs; that of any other is late
	cancel context.CancelFunc
	hold   time.Duration // how long it may be at work while keys wait for it
	at     *work
}

// work is what is known of work while it is done.
type work struct {
	began atomic.Pointer[time.Time]
	ended atomic.Bool
}

// Start ends what runs and begins something else. Once that is done late reports
// whether it has been stopped, or other work begun, since.
func (j *Job) Start(ctx context.Context, name string) (working context.Context, p *model.Progress, late func() bool) {
	j.Stop()
	working, j.cancel = context.WithCancel(ctx)
	j.Name, j.Progress, j.at = name, new(model.Progress), new(work)
	number := j.number
	return working, j.Progress, func() bool { return number != j.number }
}

// Run runs work in the background in place of what runs. What it returns takes the
// result, unless that is late; nil takes nothing.
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

// Hold lets keys wait for what has just begun, until it has been at work for so long. How
// long it takes until work begins, or until its result is taken, does not count.
func (j *Job) Hold(most time.Duration) { j.hold = most }

// Release lets keys wait no longer.
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

// Share is how much of the work is done, from 0 to 1.
func (j *Job) Share() float64 {
	if j.Progress == nil {
		return 0
	}
	return j.Progress.Share()
}

// Runs reports whether work is being done.
func (j *Job) Runs() bool { return j.cancel != nil }

// Stop ends what runs, if something does. Its result will be late.
func (j *Job) Stop() {
	if j.cancel != nil {
		j.cancel()
	}
	j.cancel, j.Name, j.hold = nil, "", 0
	j.number++
}

// Interrupt asks what runs to end, and takes its result when it has.
func (j *Job) Interrupt() {
	if j.cancel != nil {
		j.cancel()
	}
}

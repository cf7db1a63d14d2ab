package ui

import (
	"context"
	"errors"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/model"
	"varview/ui/jobs"
)

// run begins a job that says what it has found.
func finish(j *jobs.Job, p *jobs.Pool, name string, found *[]string) tea.Cmd {
	return j.Run(context.Background(), p, name, func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		err := ctx.Err()
		return func() tea.Cmd {
			if errors.Is(err, context.Canceled) {
				name += " stopped"
			}
			*found = append(*found, name)
			return nil
		}
	})
}

// Only the result of what was begun last is taken, and none after Stop.
func TestLate(t *testing.T) {
	var p jobs.Pool
	var j jobs.Job
	var found []string
	first, second := finish(&j, &p, "first", &found), finish(&j, &p, "second", &found)
	if j.Name != "second" || !j.Runs() {
		t.Errorf("%q runs", j.Name)
	}
	for _, cmd := range []tea.Cmd{second, first} {
		cmd().(jobs.Result).Take()
	}
	if j.Runs() || j.Name != "" {
		t.Errorf("%q still runs", j.Name)
	}
	third := finish(&j, &p, "third", &found)
	j.Stop()
	third().(jobs.Result).Take()
	fourth := finish(&j, &p, "fourth", &found)
	j.Interrupt()
	fourth().(jobs.Result).Take()
	if len(found) != 2 || found[0] != "second" || found[1] != "fourth stopped" {
		t.Errorf("found %q", found)
	}
}

// Keys wait for what has just begun until it has been at work for long, and no longer than
// it runs.
func TestHold(t *testing.T) {
	var p jobs.Pool
	var j jobs.Job
	const most = 20 * time.Millisecond
	end, taken := make(chan bool), false
	begin := func() tea.Cmd {
		cmd := j.Run(context.Background(), &p, "work", func(context.Context, *model.Progress) func() tea.Cmd {
			<-end
			return func() tea.Cmd {
				taken = true
				return nil
			}
		})
		j.Hold(most)
		return cmd
	}
	cmd := begin()
	time.Sleep(2 * most)
	if !j.Holds() || j.Shows() {
		t.Error("keys do not wait until work begins")
	}
	result := make(chan tea.Msg)
	go func() { result <- cmd() }()
	for range 1000 {
		if !j.Holds() {
			break
		}
		time.Sleep(most / 10)
	}
	if j.Holds() || !j.Shows() {
		t.Error("keys wait for long work")
	}
	end <- true
	if msg := (<-result).(jobs.Result); !j.Holds() {
		t.Error("keys do not wait for the result")
	} else if msg.Take(); !taken || j.Holds() || j.Runs() {
		t.Error("keys wait for what has ended")
	}
	begin()
	if j.Release(); j.Holds() || !j.Runs() {
		t.Error("keys wait though they were released")
	}
}

// Pause waits for the work that runs.
func TestPause(t *testing.T) {
	var p jobs.Pool
	began, end, ended := make(chan bool), make(chan bool), make(chan bool)
	go p.Go("work", func() func() tea.Cmd {
		close(began)
		<-end
		close(ended)
		return nil
	})()
	<-began
	time.AfterFunc(time.Millisecond, func() { close(end) })
	resume := p.Pause()
	select {
	case <-ended:
	default:
		t.Error("paused while work runs")
	}
	resume()
	p.Go("more work", func() func() tea.Cmd { return nil })()
}

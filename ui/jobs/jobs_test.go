package jobs

import (
	"context"
	"errors"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/model"
)

// run begins a job that says what it has found.
func run(j *Job, p *Pool, name string, found *[]string) tea.Cmd {
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
	var p Pool
	var j Job
	var found []string
	first, second := run(&j, &p, "first", &found), run(&j, &p, "second", &found)
	if j.Name != "second" || !j.Runs() {
		t.Errorf("%q runs", j.Name)
	}
	for _, cmd := range []tea.Cmd{second, first} {
		cmd().(Result).Take()
	}
	if j.Runs() || j.Name != "" {
		t.Errorf("%q still runs", j.Name)
	}
	third := run(&j, &p, "third", &found)
	j.Stop()
	third().(Result).Take()
	fourth := run(&j, &p, "fourth", &found)
	j.Interrupt()
	fourth().(Result).Take()
	if len(found) != 2 || found[0] != "second" || found[1] != "fourth stopped" {
		t.Errorf("found %q", found)
	}
}

// Keys wait for what has just begun, and no longer than it runs.
func TestHold(t *testing.T) {
	var p Pool
	var j Job
	var found []string
	cmd := run(&j, &p, "long", &found)
	up := j.Hold(time.Nanosecond)().(Result)
	if !j.Holds || j.Shows() {
		t.Error("it does not hold, or shows")
	}
	up.Take()
	if j.Holds || !j.Shows() {
		t.Error("it holds, or does not show")
	}
	j.Hold(time.Hour)
	cmd().(Result).Take()
	if j.Holds {
		t.Error("it holds though it has ended")
	}
	run(&j, &p, "next", &found)
	j.Hold(time.Hour)
	up.Take()
	if !j.Holds {
		t.Error("the time of another job has ended it")
	}
}

// Pause waits for the work that runs.
func TestPause(t *testing.T) {
	var p Pool
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

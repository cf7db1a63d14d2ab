package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
)

// A terminal is the program in a pseudo-terminal that answers as a real one does.
type terminal struct {
	ctx     context.Context
	cmd     *exec.Cmd
	pty     *os.File
	started time.Time
	output  chan chunk // closed when the program has ended
	screen  *screen
	last    []byte // the end of what was drawn, for messages
}

// A chunk is the result of one read, and its time.
type chunk struct {
	at   time.Time
	data []byte
}

// openTerminal starts the program in a normal environment. The program ends with ctx.
func (b *bench) openTerminal(ctx context.Context, cols, rows int, args ...string) (*terminal, error) {
	return b.openProgram(ctx, cols, rows, b.bin, args...)
}

// openProgram is openTerminal for any program.
func (b *bench) openProgram(ctx context.Context, cols, rows int, name string, args ...string) (*terminal, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(slices.Clone(b.env), "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8")
	started := time.Now()
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err != nil {
		return nil, fmt.Errorf("%s in a pseudo-terminal: %w", name, err)
	}
	t := &terminal{
		ctx: ctx, cmd: cmd, pty: f, started: started, output: make(chan chunk, 4096), screen: newScreen(cols, rows),
	}
	go t.read()
	return t, nil
}

// close ends the program, whatever it is doing.
func (t *terminal) close() {
	t.cmd.Process.Kill()
	for range t.output {
	}
	t.cmd.Wait()
	t.pty.Close()
}

// queries are the questions that programs ask a terminal at the start, with the answers of a dark xterm.
var queries = []struct{ ask, answer string }{
	{"\x1b]11;?", "\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\"},
	{"\x1b]10;?", "\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\"},
	{"\x1b[6n", "\x1b[1;1R"},
	{"\x1b[c", "\x1b[?62;22c"},
}

func (t *terminal) read() {
	defer close(t.output)
	buf := make([]byte, 1<<16)
	for {
		n, err := t.pty.Read(buf)
		if n > 0 {
			at, data := time.Now(), bytes.Clone(buf[:n])
			for _, q := range queries {
				if bytes.Contains(data, []byte(q.ask)) {
					t.pty.WriteString(q.answer)
				}
			}
			t.output <- chunk{at, data}
		}
		if err != nil {
			return
		}
	}
}

// A burst is output without a pause, as a frame is written.
type burst struct {
	first, last time.Time
	changed     int // number of cells
}

// pause ends a burst: a frame is one write, and programs draw at most every few milliseconds.
// longestBurst ends it too, for a program that never pauses.
const (
	pause        = 5 * time.Millisecond
	longestBurst = time.Second
)

var errSilent = errors.New("no output")

// burst returns the next burst, or errSilent if none begins within wait.
func (t *terminal) burst(wait time.Duration) (burst, error) {
	at, err := t.next(wait)
	if err != nil {
		return burst{}, err
	}
	b := burst{first: at, last: at}
	for b.last.Sub(b.first) < longestBurst {
		at, err := t.next(pause)
		if err == errSilent {
			break
		}
		if err != nil {
			return b, err
		}
		b.last = at
	}
	b.changed = t.screen.changed()
	return b, nil
}

// next draws the next piece of output and returns its time, or errSilent if none comes within wait.
func (t *terminal) next(wait time.Duration) (time.Time, error) {
	select {
	case c, open := <-t.output:
		if !open {
			return time.Time{}, t.ended()
		}
		t.screen.feed(c.data)
		t.last = append(t.last, c.data...)
		t.last = t.last[max(len(t.last)-4096, 0):]
		return c.at, nil
	case <-time.After(wait):
		return time.Time{}, errSilent
	}
}

// shows draws output until the screen is as wanted, and returns the time of the last piece.
func (t *terminal) shows(wanted func(*screen) bool, limit time.Duration) (time.Time, error) {
	for end := time.Now().Add(limit); ; {
		at, err := t.next(time.Until(end))
		if err == errSilent {
			return at, fmt.Errorf("not shown within %v; the screen shows:\n%s", limit, t.screen.summary())
		}
		if err != nil || wanted(t.screen) {
			return at, err
		}
	}
}

// rest draws output for a time.
func (t *terminal) rest(d time.Duration) error {
	for end := time.Now().Add(d); ; {
		if _, err := t.next(time.Until(end)); err != nil {
			if err == errSilent {
				return nil
			}
			return err
		}
	}
}

// ended returns the error for a program that has ended.
func (t *terminal) ended() error {
	if err := t.ctx.Err(); err != nil {
		return err
	}
	state := "ended"
	if err := t.cmd.Wait(); err != nil {
		state = err.Error()
	}
	said := strings.Join(strings.Fields(ansi.Strip(string(t.last))), " ")
	return fmt.Errorf("the program stopped by itself (%s), having written: %s", state, cut(said, 300))
}

// cut shortens a message to its last n bytes.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return "…" + strings.ToValidUTF8(s[len(s)-n:], "")
}

// quietTime without a large change ends the search for the first full frame; firstFrameLimit ends it in
// any case.
const (
	quietTime       = 150 * time.Millisecond
	firstFrameLimit = 10 * time.Second
)

// firstFrame returns the time from exec to the last byte of the first full frame: the last burst that
// changed more than a twentieth of the screen, after which no other did so for quietTime. A progress
// counter in a corner is not a new frame, nor is a blank screen or a short line such as "opening".
func (t *terminal) firstFrame() (time.Duration, error) {
	large := t.screen.cols * t.screen.rows / 20
	var frame time.Time
	for {
		b, err := t.burst(quietTime)
		if err != nil && err != errSilent {
			return 0, err
		}
		if b.changed > large {
			frame = b.last
		}
		switch {
		case !frame.IsZero() && (err == errSilent || b.last.Sub(frame) >= quietTime):
			return frame.Sub(t.started), nil
		case time.Since(t.started) > firstFrameLimit:
			return 0, fmt.Errorf("no full frame that stays within %v; the screen shows:\n%s", firstFrameLimit,
				t.screen.summary())
		}
	}
}

// send presses one key and returns the time.
func (t *terminal) send(key string) time.Time {
	now := time.Now()
	t.pty.WriteString(key)
	return now
}

// enter types a text key by key, as a fast typist would: characters that arrive together would be a
// paste.
func (t *terminal) enter(text string) {
	for _, r := range text {
		t.send(string(r))
		time.Sleep(15 * time.Millisecond)
	}
}

// quiet waits until nothing has been drawn for gap.
func (t *terminal) quiet(gap, limit time.Duration) error {
	for end := time.Now().Add(limit); time.Now().Before(end); {
		if _, err := t.burst(gap); err == errSilent {
			return nil
		} else if err != nil {
			return err
		}
	}
	return fmt.Errorf("still drawing after %v", limit)
}

// idle waits until the program neither draws nor computes, so that background work is done, and returns
// how long that took.
func (t *terminal) idle(limit time.Duration) (time.Duration, error) {
	const rest = 300 * time.Millisecond
	for start := time.Now(); time.Since(start) < limit; {
		before, err := processorTime(t.cmd.Process.Pid)
		if err != nil {
			return 0, err
		}
		_, err = t.burst(rest)
		if err == nil {
			continue
		}
		if err != errSilent {
			return 0, err
		}
		after, err := processorTime(t.cmd.Process.Pid)
		if err == nil && after-before <= 20*time.Millisecond && !runnable(t.cmd.Process.Pid) {
			return max(time.Since(start)-rest, 0), nil
		}
	}
	return 0, fmt.Errorf("still working after %v", limit)
}

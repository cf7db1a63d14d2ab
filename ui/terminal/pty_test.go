//go:build unix

package terminal

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// A screen is the far side of a pseudo-terminal that answers nothing by itself.
type screen struct {
	io.Writer
	chunks chan string // what the program writes; closed at its end
	seen   string
}

// startOn runs a command on a new pseudo-terminal, in an environment that a
// terminal's program has.
func startOn(t *testing.T, command *exec.Cmd, environ ...string) *screen {
	t.Helper()
	for _, entry := range os.Environ() {
		// termenv takes a set CI for no terminal.
		if name, _, _ := strings.Cut(entry, "="); name != "CI" && name != "TMUX" && name != "TERM" {
			command.Env = append(command.Env, entry)
		}
	}
	command.Env = append(append(command.Env, "TERM=xterm-256color"), environ...)
	master, err := pty.StartWithSize(command, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	s := &screen{Writer: master, chunks: make(chan string, 1024)}
	t.Cleanup(func() {
		command.Process.Kill()
		master.Close()
	})
	go func() {
		defer close(s.chunks)
		buffer := make([]byte, 4096)
		for {
			n, err := master.Read(buffer)
			if err != nil {
				return
			}
			s.chunks <- string(buffer[:n])
		}
	}()
	return s
}

// until waits for the program to write text, and returns what it wrote before;
// it does not find it in 20 s or before the program's end.
func (s *screen) until(text string) (before string, found bool) {
	timeout := time.After(20 * time.Second)
	for {
		if before, after, found := strings.Cut(s.seen, text); found {
			s.seen = after
			return before, true
		}
		select {
		case chunk, open := <-s.chunks:
			if !open {
				return s.seen, false
			}
			s.seen += chunk
		case <-timeout:
			return s.seen, false
		}
	}
}

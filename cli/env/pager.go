package env

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// Page sends standard output through a pager if it is longer than the terminal. The pager is the program
// in VARVIEW_PAGER or PAGER, or less; with "cat" or an empty name, there is none. The pager ends when ctx
// is done.
func (e *Env) Page(ctx context.Context) {
	command := strings.Fields(pagerCommand())
	width, height, err := term.GetSize(e.Stdout.Fd())
	if err != nil || !term.IsTerminal(e.Stdout.Fd()) || len(command) == 0 || command[0] == "cat" || os.Getenv("TERM") == "dumb" {
		return
	}
	program, err := exec.LookPath(command[0])
	if err != nil {
		return
	}
	in, out, err := os.Pipe()
	if err != nil {
		return
	}
	pager := exec.CommandContext(ctx, program, command[1:]...)
	pager.Cancel = func() error { return pager.Process.Signal(syscall.SIGTERM) } // it then restores the terminal
	pager.WaitDelay = time.Second
	if os.Getenv("LESS") == "" {
		pager.Env = append(os.Environ(), "LESS=FRX")
	}
	pager.Stdout, pager.Stderr = e.Stdout, e.Stderr
	e.terminal, e.Stdout, e.paged = e.Stdout, out, new(atomic.Bool)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer in.Close()
		if fits(in, e.terminal, width, height, pager) {
			return
		}
		e.paged.Store(true)
		pager.Run() // its status says nothing about its input
	}()
	e.endPage = func() {
		out.Close()
		<-ended
		e.terminal, e.Stdout, e.endPage = nil, e.terminal, nil
	}
}

// EndPage waits until the pager has shown everything, if there is one.
func (e *Env) EndPage() {
	if e.endPage != nil {
		e.endPage()
	}
}

func pagerCommand() string {
	for _, name := range []string{"VARVIEW_PAGER", "PAGER"} {
		if command, ok := os.LookupEnv(name); ok {
			return command
		}
	}
	return "less"
}

// fits writes its input to the terminal if that has enough rows, and otherwise to the pager.
func fits(in, terminal *os.File, width, height int, pager *exec.Cmd) bool {
	var held bytes.Buffer
	b := make([]byte, 32<<10)
	rows := 0
	for rows < height {
		n, err := in.Read(b)
		held.Write(b[:n])
		if rows = rowsOf(held.Bytes(), width, height); err != nil && rows < height {
			terminal.Write(held.Bytes())
			return true
		}
	}
	pager.Stdin = io.MultiReader(&held, in)
	return false
}

// An unpaged writer writes to standard output until a pager shows it.
type unpaged struct {
	io.Writer
	paged *atomic.Bool
}

// Write implements io.Writer.
func (u unpaged) Write(p []byte) (int, error) {
	if u.paged.Load() {
		return len(p), nil
	}
	return u.Writer.Write(p)
}

// rowsOf returns the number of terminal rows that text takes, counting up to most.
func rowsOf(text []byte, width, most int) (rows int) {
	for line := range bytes.Lines(text) {
		if rows += max(1, (ansi.StringWidth(string(line))+width-1)/width); rows >= most {
			break
		}
	}
	return rows
}

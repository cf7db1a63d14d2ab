//go:build unix

package terminal

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// childVariable makes the test binary a Bubble Tea program that reports its
// keys on descriptor 3.
const childVariable = "VARVIEW_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		runProgram(os.NewFile(3, "report"))
		return
	}
	if os.Getenv(suspendVariable) != "" {
		fmt.Println("can be suspended:", CanSuspend())
		return
	}
	os.Exit(m.Run())
}

type backgroundMsg bool

type reporter struct{ report io.Writer }

func (m reporter) Init() tea.Cmd {
	return func() tea.Msg { return Query(os.Stdout) }
}

func (m reporter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		fmt.Fprintln(m.report, "key", msg)
		if msg.String() == "q" {
			return m, tea.Quit
		}
	case backgroundMsg:
		fmt.Fprintln(m.report, "dark", bool(msg))
	}
	return m, nil
}

func (m reporter) View() string { return "" }

func runProgram(report io.Writer) {
	var program *tea.Program
	input := NewInput(os.Stdin, func(dark bool) { program.Send(backgroundMsg(dark)) })
	program = tea.NewProgram(reporter{report}, tea.WithInput(input))
	if _, err := program.Run(); err != nil {
		fmt.Fprintln(report, err)
	}
	fmt.Fprintln(report, "end")
}

func TestBubbleTeaProgram(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	command := exec.Command(os.Args[0])
	command.ExtraFiles = []*os.File{w}
	screen := startOn(t, command, childVariable+"=1")
	w.Close()
	lines := make(chan string)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(r); scanner.Scan(); {
			lines <- scanner.Text()
		}
	}()
	expect := func(want ...string) time.Duration {
		t.Helper()
		start := time.Now()
		var got []string
		for range want {
			select {
			case line := <-lines:
				got = append(got, line)
			case <-time.After(20 * time.Second):
				t.Fatalf("got %q, want %q", got, want)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
		return time.Since(start)
	}

	if _, found := screen.until(query); !found {
		t.Fatal("no query")
	}
	write(t, screen, "\x1b]11;rgb:1e1e/")
	write(t, screen, "1e1e/2e2e\x1b\\")
	expect("dark true")
	write(t, screen, "a\x1b]11;rgb:ffff/ffff/ffff\a")
	expect("dark false", "key a")
	write(t, screen, "\x1b")
	t.Logf("esc after %v", expect("key esc"))
	write(t, screen, "\x1b]")
	t.Logf("alt+] after %v", expect("key alt+]"))
	write(t, screen, "\x1b[A")
	t.Logf("up after %v", expect("key up"))
	write(t, screen, "q")
	t.Logf("end after %v", expect("key q", "end"))
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
}

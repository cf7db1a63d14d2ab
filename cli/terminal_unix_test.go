//go:build unix

package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"varview/internal/text"
)

// onTerminal is what a command prints on a terminal of 90 columns.
func onTerminal(t *testing.T, args ...string) string {
	t.Helper()
	terminal, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal: ", err)
	}
	defer terminal.Close()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 30, Cols: 90}); err != nil {
		t.Fatal(err)
	}
	printed := make(chan string)
	go func() {
		b, _ := io.ReadAll(terminal) // ends with an error once the other side is closed
		printed <- string(b)
	}()
	status := Main(args, os.Stdin, tty, os.Stderr)
	tty.Close()
	if out := <-printed; status == 0 {
		return out
	}
	t.Fatalf("status %d", status)
	return ""
}

func TestDumpColours(t *testing.T) {
	t.Setenv("PAGER", "cat")
	t.Setenv("CI", "") // where it is set, no output counts as a terminal
	t.Setenv("COLORTERM", "")
	t.Setenv("TERM", "xterm-256color")
	t.Setenv("NO_COLOR", "")
	out := onTerminal(t, "dump", "../testdata/godot4/store-several-types.bin")
	if !strings.Contains(out, "\x1b[38;5;") {
		t.Errorf("no colours in %.200q", out)
	}
	t.Setenv("NO_COLOR", "1")
	if out := onTerminal(t, "dump", "../testdata/godot4/store-several-types.bin"); strings.Contains(out, "\x1b") {
		t.Errorf("colours in spite of NO_COLOR: %.200q", out)
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "dumb")
	if out := onTerminal(t, "dump", "../testdata/godot4/store-several-types.bin"); strings.Contains(out, "\x1b") {
		t.Errorf("colours on a dumb terminal: %.200q", out)
	}
}

// Marks after right-to-left text are for terminals only.
func TestMarks(t *testing.T) {
	t.Setenv("PAGER", "cat")
	t.Setenv("CI", "")
	t.Setenv("TERM", "xterm-256color")
	t.Setenv("NO_COLOR", "1")
	folder := t.TempDir()
	values, file, piped := filepath.Join(folder, "values"), filepath.Join(folder, "שלום.bin"), filepath.Join(folder, "piped")
	if err := os.WriteFile(values, []byte(`{"type":"Dictionary","args":["s:שלום","s:سلام"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if status := Main([]string{"import", values, "-o", file, "--as", "godot4"}, os.Stdin, os.Stdout, os.Stderr); status != 0 {
		t.Fatalf("status %d", status)
	}
	for _, args := range [][]string{{"dump", file}, {"dump", "--json", file}, {"info", file}, {"check", file}, {"get", file, "$"}, {"export", file},
		{"set", "--dry-run", file, `["שלום"]="سلام، שלום"`}, {"check", filepath.Join(folder, "שלום")}} {
		out, err := os.Create(piped)
		if err != nil {
			t.Fatal(err)
		}
		Main(args, os.Stdin, out, out)
		out.Close()
		if b, err := os.ReadFile(piped); err != nil || len(b) == 0 || strings.Contains(string(b), text.Mark) {
			t.Errorf("%q in a file: %q (%v)", args, b, err)
		}
	}
	for _, args := range [][]string{{"dump", file}, {"info", file}, {"check", file}, {"set", "--dry-run", file, `["שלום"]="سلام، שלום"`}} {
		if out := onTerminal(t, args...); !strings.Contains(out, text.Mark) {
			t.Errorf("%q on a terminal: %q", args, out)
		}
	}
}

// A pager shows what is longer than the terminal, in colours, and nothing else.
func TestPager(t *testing.T) {
	t.Setenv("CI", "")
	t.Setenv("COLORTERM", "")
	t.Setenv("TERM", "xterm-256color")
	t.Setenv("NO_COLOR", "")
	t.Setenv("PAGER", "sed s/^/paged:/")
	const file = "../testdata/godot4/store-several-types.bin"
	if out := onTerminal(t, "dump", file); strings.Count(out, "paged:") != strings.Count(out, "\n") || !strings.Contains(out, "\x1b[38;5;") {
		t.Errorf("a long output is not paged: %.300q", out)
	}
	if out := onTerminal(t, "get", file, "[0]"); strings.Contains(out, "paged:") || out == "" {
		t.Errorf("a short output is paged: %.300q", out)
	}
	if out := onTerminal(t, "set", file, "[0]=7", "--dry-run"); strings.Contains(out, "paged:") {
		t.Errorf("the output of an edit is paged: %.300q", out)
	}
	t.Setenv("VARVIEW_PAGER", "cat")
	if out := onTerminal(t, "dump", file); strings.Contains(out, "paged:") {
		t.Errorf("VARVIEW_PAGER=cat pages: %.300q", out)
	}
	t.Setenv("VARVIEW_PAGER", "head -n 2") // which ends before it has read all
	if out := onTerminal(t, "dump", file); strings.Count(out, "\n") != 2 {
		t.Errorf("a pager that ends early shows %.300q", out)
	}
	t.Setenv("VARVIEW_PAGER", "no-such-program --here")
	if out := onTerminal(t, "dump", file); !strings.Contains(out, "00000000") {
		t.Errorf("without the pager: %.300q", out)
	}
}

package env

import (
	"cmp"
	"io"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"varview/cli/output"
)

// Values of --color.
const (
	ColorAuto   = "auto"
	ColorAlways = "always"
	ColorNever  = "never"
)

// Palette returns the colours for standard output. It has none where that is no terminal, unless
// --color, FORCE_COLOR or CLICOLOR_FORCE asks for them, nor where --color or NO_COLOR forbids them.
func (e *Env) Palette() (*output.Palette, error) {
	forced := e.Color == ColorAlways
	if e.Color == "" || e.Color == ColorAuto {
		forced = os.Getenv("NO_COLOR") == "" && (isOn("FORCE_COLOR") || isOn("CLICOLOR_FORCE"))
	}
	if e.Color == ColorNever || e.TerminalWidth() == 0 && !forced {
		return &output.Palette{}, nil
	}
	return output.LoadPalette(e.Theme, e.screen(), forced && e.TerminalWidth() == 0)
}

// isOn reports whether a variable of the environment asks for something.
func isOn(name string) bool {
	value := os.Getenv(name)
	return value != "" && value != "0" && value != "false"
}

// RegisterQuiet adds the flag with which a command prints nothing on standard output.
func (e *Env) RegisterQuiet(cmd *cobra.Command) {
	quiet := cmd.Flags().BoolP("quiet", "q", false, "print nothing but errors: the exit status says it all")
	cmd.PreRunE = func(*cobra.Command, []string) (err error) {
		if *quiet {
			e.Stdout, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		}
		return err
	}
}

// ForPeople returns the writer of clean text to f, standard output or standard error.
func (e *Env) ForPeople(f *os.File) io.Writer {
	if term.IsTerminal(f.Fd()) || f == e.Stdout && e.terminal != nil {
		return f
	}
	return &output.Unmarked{W: f}
}

// screen is standard output, or the terminal in which a pager shows it.
func (e *Env) screen() *os.File { return cmp.Or(e.terminal, e.Stdout) }

// TerminalWidth is the width of the terminal that standard output goes to, 0 if
// it goes elsewhere.
func (e *Env) TerminalWidth() int {
	if !term.IsTerminal(e.screen().Fd()) {
		return 0
	}
	width, _, err := term.GetSize(e.screen().Fd())
	if err != nil || width <= 0 {
		return 80
	}
	return width
}

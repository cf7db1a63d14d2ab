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

// Palette returns the colours for standard output. There are none if it is not a terminal, unless
// --color, FORCE_COLOR or CLICOLOR_FORCE asks for them, or if --color or NO_COLOR forbids them.
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

// isOn reports whether an environment variable is set to something other than off.
func isOn(name string) bool {
	value := os.Getenv(name)
	return value != "" && value != "0" && value != "false"
}

// RegisterQuiet adds the flag that suppresses a command's standard output.
func (e *Env) RegisterQuiet(cmd *cobra.Command) {
	quiet := cmd.Flags().BoolP("quiet", "q", false, "print nothing but errors: the exit status says it all")
	cmd.PreRunE = func(*cobra.Command, []string) (err error) {
		if *quiet {
			e.Stdout, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		}
		return err
	}
}

// ForPeople returns a writer of clean text to f, which is standard output or standard error.
func (e *Env) ForPeople(f *os.File) io.Writer {
	if term.IsTerminal(f.Fd()) || f == e.Stdout && e.terminal != nil {
		return f
	}
	return &output.Unmarked{W: f}
}

// screen returns standard output, or the terminal in which a pager shows it.
func (e *Env) screen() *os.File { return cmp.Or(e.terminal, e.Stdout) }

// TerminalWidth returns the width of the terminal to which standard output goes; 0 if it goes elsewhere.
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

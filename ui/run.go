package ui

import (
	"context"
	"errors"
	"os"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"varview/model"
	"varview/ui/terminal"
)

// frameRate is the greatest number of frames a second. Every key waits for the next
// frame until its effect is seen.
const frameRate = 120

// Run shows an open document in the terminal until the user leaves or ctx is done.
// keys is the terminal that the keys come from; it is not standard input if the
// file came from there. Run closes the document.
func Run(ctx context.Context, doc *model.Document, theme string, keys, screen *os.File) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	environ := os.Environ()
	dark, known := terminal.Hint(environ)
	m, err := New(ctx, doc, theme, dark || !known, lipgloss.ColorProfile())
	if err != nil {
		return err
	}
	m.keeps = true
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithAltScreen(), tea.WithMouseCellMotion(), tea.WithFPS(frameRate), tea.WithOutput(screen)}
	var program *tea.Program
	if theme == "" && terminal.Queryable(environ) {
		// The answer arrives among the keys, or never; nothing waits for it.
		input := terminal.NewInput(keys, func(dark bool) { program.Send(backgroundMsg{dark}) })
		options = append(options, tea.WithInput(input))
		m.askBackground = func() tea.Msg {
			terminal.Query(screen)
			return nil
		}
	} else if keys != os.Stdin {
		options = append(options, tea.WithInput(keys))
	}
	m.toClipboard = func(text string) tea.Cmd {
		return func() tea.Msg {
			terminal.Copy(screen, environ, text)
			return nil
		}
	}
	program = tea.NewProgram(m, options...)
	_, err = program.Run()
	stop()
	m.doc.CloseJournal(err != nil)
	m.doc.Close()
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		return nil
	}
	return err
}

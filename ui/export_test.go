package ui

import (
	"context"
	"os"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"varview/decoder/engine/background"
	"varview/model"
	"varview/ui/dialog"
	"varview/ui/terminal"
)

// broken is a dialog that cannot be drawn.
type broken struct{ *dialog.Page }

func (broken) View() []string { panic("on purpose") }

// RunPanicking shows a document in the terminal, and panics in one part of the program when a
// value is copied.
func RunPanicking(ctx context.Context, doc *model.Document, part string, keys, screen *os.File) error {
	m, err := New(ctx, doc, Options{Theme: "dark"}, true, termenv.TrueColor)
	if err != nil {
		return err
	}
	m.values.ToClipboard = func(string) tea.Cmd {
		switch part {
		case "Update":
			panic("on purpose")
		case "View":
			return m.desk.Open(broken{m.desk.Page(nil)})
		case "command":
			return func() tea.Msg { panic("on purpose") }
		}
		return func() tea.Msg { // a goroutine
			background.Start(func() { panic("on purpose") }).Wait()
			return nil
		}
	}
	return run(ctx, m, keys, screen, nil, func(*terminal.Screen) {})
}

package file

import (
	"errors"
	"fmt"
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"
)

// Reveal shows the file in the system's file manager.
func (f *File) Reveal() tea.Cmd {
	if f.Doc.Path() == "-" {
		return f.Report(errors.New("this came from standard input, and is in no folder"))
	}
	path, err := filepath.Abs(f.Doc.Path())
	if err != nil {
		return f.Report(err)
	}
	cmd := revealing(path)
	return f.Go("showing the folder", func() func() tea.Cmd {
		err := cmd.Start()
		if err == nil {
			go cmd.Wait() // Explorer fails even if all is well
		}
		return func() tea.Cmd {
			if err != nil {
				return f.Report(fmt.Errorf("%s cannot be started: %w; the file is %s", cmd.Args[0], err, path))
			}
			return f.Say("shown by " + cmd.Args[0])
		}
	})
}

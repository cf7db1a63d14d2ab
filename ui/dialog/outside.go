package dialog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/model"
	"varview/ui/jobs"
)

// editorCommand returns the user's chosen editor: a command and its arguments.
func editorCommand() []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(os.Getenv(name)); len(words) > 0 {
			return words
		}
	}
	if runtime.GOOS == "windows" {
		return []string{"notepad"}
	}
	return []string{"vi"}
}

// Outside opens the typed text in the user's editor, and takes over the result.
func (e *Editor) Outside() tea.Cmd {
	if e.Private {
		return e.Say("the file is encrypted: what is typed is not written to disk for another editor")
	}
	command, text := editorCommand(), e.box.Text()
	return e.Start(&e.checking, "opening an editor", func(context.Context, *model.Progress) func() tea.Cmd {
		path, err := writeTemporary(text)
		return func() tea.Cmd {
			if err != nil {
				return e.Say(fmt.Sprintf("no file for the editor can be written: %v", err))
			}
			cmd := exec.Command(command[0], append(command[1:], path)...)
			if cmd.Stdin = os.Stdin; e.Terminal != nil {
				cmd.Stdin = e.Terminal
			}
			return tea.ExecProcess(cmd, func(err error) tea.Msg { return e.cameBack(command[0], path, err) })
		}
	})
}

// writeTemporary writes text to a file that only the user can read.
func writeTemporary(text string) (path string, err error) {
	f, err := os.CreateTemp("", "varview-*.txt")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
	}
	return f.Name(), err
}

// cameBack takes over what the external editor has left.
func (e *Editor) cameBack(name, path string, err error) tea.Msg {
	var text []byte
	if err == nil {
		text, err = os.ReadFile(path)
	}
	os.Remove(path)
	if err == nil && len(text) > tooLong {
		err = errors.New("the text is too long")
	}
	return jobs.Result{Name: "taking over what was edited", Take: func() tea.Cmd {
		if err != nil {
			e.Say(fmt.Sprintf("nothing was taken from %s: %v", name, err))
			return tea.EnableMouseCellMotion
		}
		typed := strings.TrimSuffix(string(text), "\n")
		if strings.Contains(typed, "\n") {
			e.Big = true
		}
		e.box.Single = !e.Big
		if e.box.Set(typed); e.Big {
			e.box.ToStart()
		}
		return tea.Batch(tea.EnableMouseCellMotion, e.check())
	}}
}

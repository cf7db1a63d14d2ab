package file

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/source"
	"varview/model"
	"varview/ui/dialog"
)

// Leave ends the program, or goes back to the document around this one. It asks first if something would
// be lost.
func (f *File) Leave() tea.Cmd {
	switch {
	case f.Task.Name == saving:
		return f.Say("still saving; esc stops it")
	case !f.Doc.IsModified():
		return f.settled()
	}
	question := "save before quitting?"
	if document, path := f.Doc.Within(); path != "" {
		question = fmt.Sprintf("save the bytes into %s of %s?", path, document)
	} else if f.other != nil {
		question = "save " + f.Doc.Name + " before quitting?"
	}
	f.Ask(question, "",
		dialog.Answer{Key: "y", Does: "save", Run: func() tea.Cmd { return f.Save(model.SaveOptions{}, true) }},
		dialog.Answer{Key: "n", Does: "discard", Run: f.settled})
	return nil
}

// QuitAnyway ends the program, whatever is lost.
func (f *File) QuitAnyway() tea.Cmd {
	f.Task.Stop()
	if len(f.around) > 0 {
		return f.leaveWithin()
	}
	return tea.Quit
}

// Reload opens the file as it is on disk. It asks first if something would be lost.
func (f *File) Reload() tea.Cmd {
	switch {
	case !f.Doc.IsModified():
		return f.reload()
	case f.Changed != "" && f.Changed != source.Gone:
		f.askDisk()
		return nil
	}
	f.Ask(fmt.Sprintf("reload %s and lose the changes?", f.Doc.Name), "",
		dialog.Answer{Key: "y", Does: "reload", Run: f.reload})
	return nil
}

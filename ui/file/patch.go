package file

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/model"
	"varview/model/patch"
	"varview/ui/edits"
	"varview/ui/jobs"
)

// WritePatch is :patch FILE: it writes the changes since the file was opened.
func (f *File) WritePatch(path string, force bool) tea.Cmd {
	p, err := f.Doc.Patch()
	switch {
	case path == "":
		err = errors.New(":patch needs a file name; it writes the changes, for :apply")
	case err == nil && len(p) == 0:
		err = errors.New("there are no changes to write as a patch")
	}
	if err != nil {
		return f.Report(err)
	}
	return jobs.Alone("writing a patch", func() func() tea.Cmd {
		err := p.Save(f.Ctx, path, force)
		if errors.Is(err, os.ErrExist) {
			err = fmt.Errorf("%s exists already; :patch! %s replaces it", path, path)
		}
		return func() tea.Cmd {
			f.Say("wrote the changes to " + path)
			return f.Report(err)
		}
	})
}

// ApplyPatch is :apply FILE: it reads a patch and makes its changes.
func (f *File) ApplyPatch(path string) tea.Cmd {
	if path == "" {
		return f.Report(errors.New(":apply needs the name of a patch"))
	}
	return jobs.Alone("reading a patch", func() func() tea.Cmd {
		p, err := readPatch(path)
		return func() tea.Cmd {
			if err != nil {
				return f.Report(err)
			}
			return f.Edits.Make(edits.Request{Intend: func(o edit.Options) model.Intention { return f.Explorer.Patch(p, o) }})
		}
	})
}

func readPatch(path string) (patch.Patch, error) {
	text, err := source.ReadRegular(path, patch.MaxSize)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p, err := patch.Read(bytes.NewReader(text))
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return p, err
}

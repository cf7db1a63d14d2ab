package file

import (
	"errors"
	"fmt"
	"io"
	"os"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/model"
	"varview/model/patch"
	"varview/ui/edits"
	"varview/ui/jobs"
)

// maxPatch is the largest patch in bytes that is read.
const maxPatch = 64 << 20

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
		f.Report(err)
		return nil
	}
	return jobs.Alone("writing a patch", func() func() tea.Cmd {
		err := p.Save(f.Ctx, path, force)
		if errors.Is(err, os.ErrExist) {
			err = fmt.Errorf("%s exists already; :patch! %s replaces it", path, path)
		}
		return func() tea.Cmd {
			f.Say("wrote the changes to " + path)
			f.Report(err)
			return nil
		}
	})
}

// ApplyPatch is :apply FILE: it reads a patch and makes its changes.
func (f *File) ApplyPatch(path string) tea.Cmd {
	if path == "" {
		f.Report(errors.New(":apply needs the name of a patch"))
		return nil
	}
	return jobs.Alone("reading a patch", func() func() tea.Cmd {
		p, err := readPatch(path)
		return func() tea.Cmd {
			if err != nil {
				f.Report(err)
				return nil
			}
			return f.Edits.Make(edits.Request{Intend: func(o edit.Options) model.Intention { return f.Explorer.Patch(p, o) }})
		}
	})
}

func readPatch(path string) (patch.Patch, error) {
	in, err := os.Open(path)
	if err != nil {
		if pe := (*os.PathError)(nil); errors.As(err, &pe) {
			err = fmt.Errorf("%s: %w", path, pe.Err)
		}
		return nil, err
	}
	defer in.Close()
	p, err := patch.Read(io.LimitReader(in, maxPatch))
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return p, err
}

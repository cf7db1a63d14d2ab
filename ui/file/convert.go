package file

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/model"
	"varview/model/bytesize"
	"varview/model/patch"
	"varview/ui/edits"
	"varview/ui/jobs"
)

// outcomes maps options to what becomes of values that another dialect lacks.
var outcomes = map[string]format.Outcome{"--drop": format.Dropped, "--as-null": format.Nulled, "--as-dictionary": format.Described}

// cutOption cuts a word off an argument, at its start or its end, and returns what it stands for.
func cutOption[T any](arg string, words map[string]T) (rest string, is T) {
	for word, x := range words {
		if rest, ok := strings.CutSuffix(" "+arg, " "+word); ok {
			return strings.TrimSpace(rest), x
		}
		if rest, ok := strings.CutPrefix(arg, word+" "); ok {
			return strings.TrimSpace(rest), x
		}
	}
	return arg, is
}

// Convert writes the values into another file in another dialect. arg is the file name, with options for
// values that the dialect lacks.
func (f *File) Convert(to, arg string, force bool) tea.Cmd {
	path, lost := cutOption(arg, outcomes)
	_, missing := os.Lstat(path)
	err := f.Busy()
	switch {
	case err != nil:
	case path == "" || strings.HasPrefix(path, "--"):
		err = fmt.Errorf(":convert %s needs the name of a file, and may have --drop, --as-null or --as-dictionary", to)
	case missing == nil && !force:
		err = fmt.Errorf("%s exists already; :convert! replaces it", path)
	}
	if err != nil {
		return f.Report(err)
	}
	doc, changed := f.Doc, int64(0)
	q := &format.ConvertRequest{Dialect: to, Lost: lost, Report: func(format.Loss) { changed++ }}
	return f.Start(&f.Task, "converting", func(ctx context.Context, p *model.Progress) func() tea.Cmd {
		err := doc.ConvertTo(ctx, q, model.SaveOptions{Path: path, Force: force}, p)
		said := "converted to " + to + ": " + path
		if info, err := os.Stat(path); err == nil {
			said += fmt.Sprintf(" (%s)", bytesize.Format(info.Size()))
		}
		if changed > 0 {
			said += fmt.Sprintf("; %s not exactly as before", span.Counted(changed, "value"))
		}
		return func() tea.Cmd {
			if err != nil {
				return f.Report(notConverted(err))
			}
			return f.Say(said + "; :e " + path + " opens it")
		}
	})
}

// notConverted says why nothing was written, and what to do about it.
func notConverted(err error) error {
	var lost *format.LossError
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("not converted: it was stopped")
	case errors.As(err, &lost):
		return fmt.Errorf("not converted: %s without a counterpart, the first at %w; %s", span.Counted(lost.Count, "value"), err, lost.Ways())
	}
	return fmt.Errorf("not converted: %w", err)
}

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

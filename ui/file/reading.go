package file

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/model"
	"varview/model/patch"
	"varview/ui/desk"
	"varview/ui/edits"
	"varview/ui/jobs"
)

// A watchedDescription is the description of a document as it was read.
type watchedDescription struct {
	of    *model.Document
	stamp string
}

// watchDescription reads the description again if it is not the one that the document was read by.
func (f *File) watchDescription(doc *model.Document, stamp string) tea.Cmd {
	switch {
	case doc != f.described.of:
		f.described = watchedDescription{doc, doc.FirstStamp()}
		f.Desk.Described = desk.Described{}
		if stamp == f.described.stamp {
			return f.measureDescribed()
		}
		return tea.Batch(f.measureDescribed(), f.watchDescription(doc, stamp)) // it has changed while another document was shown
	case stamp == f.described.stamp, f.AwaitsInput(): // it is read once that is done
		return nil
	}
	f.described.stamp = stamp
	return f.redescribe(doc.Description(), stamp)
}

// redescribe reads a description as it is now. What is wrong with it is shown; if it cannot be used, the values stay as
// they were.
func (f *File) redescribe(r format.Custom, stamp string) tea.Cmd {
	doc := f.Doc
	return f.Go("reading the description", func() func() tea.Cmd {
		problems, err := r.Check()
		again, unusable := r.Reread()
		return func() tea.Cmd {
			if doc != f.Doc {
				return nil
			}
			if err != nil || unusable != nil {
				f.describedAs(problems, true)
				return f.Report(errors.Join(err, unusable))
			}
			return f.describe(again, stamp, problems, filepath.Base(r.Files()[0])+" was read again")
		}
	})
}

// describe reads the same bytes by a description, or without any; the cursor stays on its value, or else at its byte.
func (f *File) describe(by format.Format, stamp string, problems []*format.DescriptionProblem, said string) tea.Cmd {
	offset, place := f.Explorer.Offset(), f.Explorer.Place()
	return f.reopen("reading by the description", said, func() tea.Cmd {
		if f.described = (watchedDescription{f.Doc, stamp}); stamp == "" {
			f.described.stamp = f.Doc.DescriptionStamp()
		}
		f.Desk.Described = desk.Described{}
		f.describedAs(problems, false)
		if f.Explorer.Place() != place {
			f.Report(f.Explorer.GoTo(offset))
		}
		return f.measureDescribed()
	}, model.WithDescription(by))
}

// describedAs shows what is wrong with the description.
func (f *File) describedAs(problems []*format.DescriptionProblem, isStale bool) {
	f.Desk.Described.Problems, f.Desk.Described.IsStale = problems, isStale
	f.Program.Arrange()
}

// measureDescribed finds out how much of the document its description explains.
func (f *File) measureDescribed() tea.Cmd {
	doc, ctx := f.Doc, f.Ctx
	if doc.Description() == nil {
		return nil
	}
	return f.Go("measuring what is described", func() func() tea.Cmd {
		share, err := doc.DescribedShare(ctx)
		return func() tea.Cmd {
			if doc == f.Doc && err == nil {
				f.Desk.Described.Share, f.Desk.Described.IsMeasured = share, true
			}
			return nil
		}
	})
}

// ReadBy is :ksy: it reads the same bytes by the description in a file, or without any.
func (f *File) ReadBy(name string) tea.Cmd {
	switch r := f.Doc.Description(); {
	case name == "" && r == nil:
		return f.Say("no description is used; :ksy FILE reads by one")
	case name == "":
		return f.Say("read by " + r.Files()[0])
	case name == "none" && r == nil:
		return f.Say("no description is used")
	case name == "none":
		return f.describe(nil, "", nil, "read without a description")
	}
	doc := f.Doc
	return f.Go("reading the description", func() func() tea.Cmd {
		by, err := model.ReadDescription(name)
		var problems []*format.DescriptionProblem
		if r, ok := by.(format.Custom); ok && err == nil {
			problems, err = r.Check()
		}
		return func() tea.Cmd {
			switch {
			case err != nil:
				return f.Report(fmt.Errorf(":ksy: %w", err))
			case doc != f.Doc:
				return nil
			}
			return f.describe(by, "", problems, fmt.Sprintf("read by %s, and again whenever that is saved", filepath.Base(name)))
		}
	})
}

// Describe is :describe NAME [TYPE]: it writes a field into the description, and reads by that again. The field is for the
// selected bytes; if none are, for as many at the cursor as the type has, or for those of the selected value.
func (f *File) Describe(arg string) tea.Cmd {
	name, typ, _ := strings.Cut(arg, " ")
	if name == "" {
		return f.Report(errors.New(":describe needs a name for the selected bytes, and may have a type: :describe gold u4"))
	}
	doc, buffer, at, cursor := f.Doc, f.Explorer.Buffer, f.Chosen(), f.Explorer.Offset()
	if f.Selection.Active {
		cursor = model.Selected
	}
	report := func(err error) tea.Cmd { return f.Report(fmt.Errorf(":describe: %w", err)) }
	return f.StartAlone(&f.Task, "describing", jobs.Then(report, func(ctx context.Context, _ *model.Progress) (format.Format, error) {
		return doc.Describe(ctx, buffer, at, cursor, name, strings.TrimSpace(typ))
	}, func(by format.Format) tea.Cmd {
		f.Selection.Active = false
		return f.describe(by, "", nil, name+" is written into "+filepath.Base(by.(format.Custom).Files()[0]))
	}))
}

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
	switch _, missing := os.Lstat(path); {
	case path == "" || strings.HasPrefix(path, "--"):
		return f.Report(fmt.Errorf(":convert %s needs the name of a file, and may have --drop, --as-null or --as-dictionary", to))
	case missing == nil && !force:
		return f.Report(fmt.Errorf("%s exists already; :convert! replaces it", path))
	}
	doc, changed := f.Doc, int64(0)
	q := &format.ConvertRequest{Dialect: to, Lost: lost, Report: func(format.Loss) { changed++ }}
	report := func(err error) tea.Cmd { return f.Report(notConverted(err)) }
	return f.StartAlone(&f.Task, "converting", jobs.Then(report, func(ctx context.Context, p *model.Progress) (said string, err error) {
		err = doc.ConvertTo(ctx, q, model.SaveOptions{Path: path, Force: force}, p)
		said = sized("converted to "+to+": "+path, path)
		if changed > 0 {
			said += fmt.Sprintf("; %s not exactly as before", span.Counted(changed, "value"))
		}
		return said + "; :e " + path + " opens it", err
	}, f.Say))
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
			return f.Edits.Make(edits.Request{Intention: f.Explorer.Patch(p)})
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

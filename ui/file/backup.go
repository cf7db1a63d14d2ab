package file

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/model"
	"varview/model/backups"
	"varview/ui/dialog"
)

// seekBackup looks once for an intact copy of a document that reads badly. It may run in the background.
func seekBackup(ctx context.Context, doc *model.Document) (*backups.Backup, error) {
	if !backups.IsNeeded(doc, doc.ProblemCount(span.Error)) {
		return nil, nil
	}
	return backups.Find(ctx, doc)
}

// offerBackup offers what was found, or records that there is nothing.
func (f *File) offerBackup(doc *model.Document, b *backups.Backup, err error) {
	if doc == f.Doc && (b != nil || err != nil) {
		f.sought, f.backup = doc, b
	}
}

// isDamaged reports whether the document still has the damage for which a backup is offered.
func (f *File) isDamaged() bool {
	return f.backup != nil && f.sought == f.Doc && f.Doc.Steps() == 0 && backups.IsNeeded(f.Doc, f.Doc.ProblemCount(span.Error))
}

// AskBackup asks whether an intact copy should replace the damaged file.
func (f *File) AskBackup() tea.Cmd {
	if f.isDamaged() {
		f.askBackup()
		return nil
	}
	doc, ctx := f.Doc, f.Ctx
	return f.Go("looking for an intact copy", func() func() tea.Cmd {
		b, err := seekBackup(ctx, doc)
		return func() tea.Cmd {
			f.offerBackup(doc, b, err)
			switch {
			case err != nil:
				f.Report(err)
			case b == nil:
				f.Say("the file has no errors, so no copy replaces it")
			case f.isDamaged():
				f.askBackup()
			default:
				f.Report(errors.New("save or undo your edits first"))
			}
			return nil
		}
	})
}

func (f *File) askBackup() {
	b := f.backup
	question := "take " + filepath.Base(b.Path)
	if !f.Doc.Options().NoBackup {
		question += ", and keep the damaged file as " + filepath.Base(backups.DamagedName(f.Doc.Named()))
	}
	f.Ask(question+"?", b.Said(f.Doc.Named()), dialog.Answer{Key: "t", Does: "take it", Run: func() tea.Cmd { return f.takeBackup(b) }})
}

// takeBackup replaces the file by an intact copy, and opens that.
func (f *File) takeBackup(b *backups.Backup) tea.Cmd {
	if err := f.Busy(); err != nil {
		return f.Report(err)
	}
	doc := f.Doc
	return f.Start(&f.Task, saving, func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		kept, err := backups.Take(ctx, doc, b, model.SaveOptions{})
		return func() tea.Cmd {
			if err != nil {
				return f.Report(notSaved(err))
			}
			said := filepath.Base(b.Path) + " has replaced it"
			if kept != "" {
				said += fmt.Sprintf("; the damaged file is %s", filepath.Base(kept))
			}
			return f.Reloaded(said, nil)
		}
	})
}

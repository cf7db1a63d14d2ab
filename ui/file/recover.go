package file

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/internal/ending"
	"varview/model"
	"varview/model/backups"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/edits"
	"varview/ui/jobs"
	"varview/ui/paint"
)

// StartKeeping keeps the edits made from now on, and looks for unsaved ones.
func (f *File) StartKeeping() tea.Cmd {
	if !f.Keeps {
		return nil
	}
	f.keep()
	if f.Unkept {
		return nil
	}
	return f.findUnsaved(false)
}

// keep keeps edits from now on, or says why they cannot be kept.
func (f *File) keep() {
	err := f.Doc.KeepUnsaved()
	f.Unkept = err != nil
	f.Report(err)
}

// EndKeeping stops keeping edits; if the user has quit, nothing is kept. If err has ended the program,
// all edits are on disk afterwards, and the returned error says so.
func (f *File) EndKeeping(err error) error {
	if len(f.around) > 0 { // the shown document is a copy
		for _, s := range f.around[1:] {
			f.Report(s.Doc.Close())
		}
		f.Report(f.Doc.Close())
		f.Doc, f.around = f.around[0].Doc, nil
	}
	docs := []*model.Document{f.Doc}
	if f.other != nil {
		docs = append(docs, f.other.Doc)
	}
	var failed []error
	kept := false
	for _, d := range docs {
		if err == nil {
			failed = append(failed, d.CloseJournal(false))
		} else {
			kept = d.Journal().Keep() && d.IsModified() || kept
		}
	}
	if err == nil {
		return errors.Join(failed...)
	}
	if kept {
		err = &ending.Noted{Err: err, Note: "the edits that were not saved are offered when the file is opened again"}
	}
	return err
}

// Recover asks what to do with unsaved edits.
func (f *File) Recover() tea.Cmd {
	if u := f.offers[f.Doc]; u != nil {
		return f.askUnsaved(u)
	}
	return f.findUnsaved(true)
}

// Offer says what was not saved, or which intact copy a damaged file has, and what the user can do about
// it; it returns "" once that was answered, or while the file is edited.
func (f *File) Offer() (said string, remedy key.Help) {
	u := f.offers[f.Doc]
	switch {
	case f.Doc.Steps() > 0:
	case u != nil:
		remedy = f.Actions.Hint("take or discard", action.Recover)
		return u.Said(), key.Help{Key: cmp.Or(remedy.Key, ":recover"), Desc: remedy.Desc}
	case f.locked && !f.Doc.IsLocked():
		return "unsaved edits are encrypted with another key", key.Help{Key: ":password", Desc: "then :recover"}
	case f.isDamaged():
		remedy = f.Actions.Hint("take it", action.TakeBackup)
		return f.Copy(), key.Help{Key: cmp.Or(remedy.Key, ":backup"), Desc: remedy.Desc}
	}
	return "", remedy
}

// findUnsaved looks for unsaved edits of the file, and offers them. If asked is set, it also says that
// there are none.
func (f *File) findUnsaved(asked bool) tea.Cmd {
	doc, find, saved := f.Doc, f.Doc.FindUnsaved(), f.Doc.FindSaved()
	return f.Go("looking for unsaved edits", func() func() tea.Cmd {
		list, err := find()
		found, lost := model.FirstUnsaved(list)
		adopt := saved()
		return func() tea.Cmd {
			if doc == f.Doc {
				adopt()
				f.offer(found, cmp.Or(err, lost), asked)
			}
			return nil
		}
	})
}

// offer offers unsaved edits, and if asked is set, asks about them.
func (f *File) offer(u *model.Offer, err error, asked bool) {
	f.locked = false
	delete(f.offers, f.Doc)
	switch {
	case err != nil:
		f.Report(err)
	case u != nil && u.Locked > 0:
		f.locked = true
		if asked {
			f.Say("unsaved edits are encrypted with another key of the file: :password, then :recover")
		}
	case u != nil:
		f.offers[f.Doc] = u
		if asked {
			f.askUnsaved(u)
		}
	case asked:
		f.Say("there are no unsaved edits of this file")
	}
}

// askUnsaved asks what to do with unsaved edits.
func (f *File) askUnsaved(u *model.Offer) tea.Cmd {
	return f.Ask(u.Said(), "",
		dialog.Answer{Key: "t", Does: "take", Run: func() tea.Cmd { return f.takeUnsaved(u) }},
		dialog.Answer{Key: "l", Does: "look", Run: func() tea.Cmd { return f.lookAtUnsaved(u) }},
		dialog.Answer{Key: "d", Does: "discard", Run: func() tea.Cmd { return f.askDiscard(u) }},
		dialog.Answer{Key: "esc", Does: "later", Run: func() tea.Cmd {
			delete(f.offers, f.Doc)
			return f.Say(":recover offers the edits again")
		}})
}

// askDiscard asks whether unsaved edits are to be lost for good.
func (f *File) askDiscard(u *model.Offer) tea.Cmd {
	return f.Ask("discard "+span.Counted(int64(len(u.Lead)), "edit")+" for good?", ":recover offers the edits again",
		dialog.Answer{Key: "y", Does: "discard", Run: func() tea.Cmd {
			f.Report(u.Discard())
			return f.findUnsaved(false)
		}})
}

// lookAtUnsaved lists unsaved edits over the panes. After that is closed, the question is asked again.
func (f *File) lookAtUnsaved(u *model.Offer) tea.Cmd {
	lines := [][]paint.Piece{{paint.In(themes.Title, "Edits that were not saved")}, nil}
	for _, op := range u.Ops() {
		lines = append(lines, []paint.Piece{paint.In(themes.Dim, op.Kind.String()+" "), paint.In(themes.Key, op.Path)})
		for _, line := range []paint.Piece{paint.In(themes.Padding, op.Old), paint.In(themes.Changed, op.New)} {
			if line.Text != "" {
				lines = append(lines, []paint.Piece{paint.Plain("    "), line})
			}
		}
	}
	page := f.Page(lines)
	page.Then = func() { f.askUnsaved(u) }
	return f.Open(page)
}

// takeUnsaved makes unsaved edits: with their history, unless the file has been edited or has changed since.
func (f *File) takeUnsaved(u *model.Offer) tea.Cmd {
	if err := f.Busy(); err != nil {
		return f.Report(err)
	}
	if u.State() != "" || f.Doc.IsModified() {
		return f.reapply(u)
	}
	doc := f.Doc
	ctx, progress, late := f.Task.Start(f.Ctx, "taking unsaved edits")
	return f.Go(f.Task.Name, func() func() tea.Cmd {
		d, err := doc.Recover(ctx, progress, u.Unsaved)
		return func() tea.Cmd {
			if late() {
				return desk.Closing(d)
			}
			f.Task.Stop()
			return f.recovered(u, d, err)
		}
	})
}

// recovered shows the document with the edits, or reports why they cannot be restored.
func (f *File) recovered(u *model.Offer, d *model.Document, err error) tea.Cmd {
	switch {
	case errors.Is(err, context.Canceled):
		return f.Say("stopped; :recover offers the edits again")
	case err != nil:
		return f.Report(fmt.Errorf("the unsaved edits cannot be restored: %w", err))
	}
	d.TakeOver(f.Doc)
	delete(f.offers, f.Doc)
	return f.replace(d, "restored; u undoes them one by one"+f.olderOf(u))
}

// olderOf says that there are older edits than those, or returns "".
func (f *File) olderOf(u *model.Offer) string {
	if len(u.Older) == 0 {
		return ""
	}
	return "; there is an older record: " + cmp.Or(f.Actions.Hint("", action.Recover).Key, ":recover")
}

// reapply makes the edits that still apply to a file that has changed since.
func (f *File) reapply(u *model.Offer) tea.Cmd {
	var r model.Reapplied
	return f.Edits.Make(edits.Request{
		Intention: f.Explorer.Repeat("take unsaved edits", u.Ops(), &r),
		Done:      func() { f.saidOf(u, &r) },
		Refused: func(err error) bool {
			f.saidOf(u, &r)
			return errors.Is(err, model.ErrNoChange)
		},
	})
}

// saidOf reports what became of unsaved edits. Their journal stays if some could not be made.
func (f *File) saidOf(u *model.Offer, r *model.Reapplied) {
	text := fmt.Sprintf("%s taken", span.Counted(int64(r.Made), "edit"))
	if r.Already > 0 {
		text += fmt.Sprintf(", %s in the file already", span.Grouped(int64(r.Already)))
	}
	if len(r.Failed) == 0 {
		f.Say(text + f.olderOf(u))
		delete(f.offers, f.Doc)
		f.Report(u.Discard())
		return
	}
	lines := [][]paint.Piece{{paint.In(themes.Title, "Edits that no longer apply")}, nil}
	for _, failed := range r.Failed {
		lines = append(lines, []paint.Piece{paint.Plain("  " + failed)})
	}
	lines = append(lines, nil, []paint.Piece{paint.In(themes.Dim, text+"; u undoes that. :recover offers all again, and can discard them.")})
	f.Open(f.Page(lines))
}

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

// Copy says which intact copy of a damaged file there is; "" if none is known.
func (f *File) Copy() string {
	if !f.isDamaged() {
		return ""
	}
	return f.backup.Said(f.Doc.Named())
}

// AskBackup asks whether an intact copy should replace the damaged file.
func (f *File) AskBackup() tea.Cmd {
	if f.isDamaged() {
		return f.askBackup()
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

func (f *File) askBackup() tea.Cmd {
	b := f.backup
	question := "take " + filepath.Base(b.Path)
	if !f.Doc.Options().NoBackup {
		question += ", and keep the damaged file as " + filepath.Base(backups.DamagedName(f.Doc.Named()))
	}
	return f.Ask(question+"?", b.Said(f.Doc.Named()), dialog.Answer{Key: "t", Does: "take it", Run: func() tea.Cmd { return f.takeBackup(b) }})
}

// takeBackup replaces the file by an intact copy, and opens that.
func (f *File) takeBackup(b *backups.Backup) tea.Cmd {
	doc := f.Doc
	report := func(err error) tea.Cmd { return f.Report(notSaved(err)) }
	return f.StartAlone(&f.Task, saving, jobs.Then(report, func(ctx context.Context, _ *model.Progress) (string, error) {
		return backups.Take(ctx, doc, b, model.SaveOptions{})
	}, func(kept string) tea.Cmd {
		said := filepath.Base(b.Path) + " has replaced it"
		if kept != "" {
			said += fmt.Sprintf("; the damaged file is %s", filepath.Base(kept))
		}
		return f.Reloaded(said, nil)
	}))
}

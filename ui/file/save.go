package file

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/internal/atomicfile"
	"varview/model"
	"varview/model/backups"
	"varview/model/bytesize"
	"varview/model/patch"
	"varview/ui/dialog"
	"varview/ui/edits"
	"varview/ui/jobs"
)

// saving is the name of the task.
const saving = "saving"

// Save writes the document in the background, and then quits if quit is set.
func (f *File) Save(o model.SaveOptions, quit bool) tea.Cmd {
	if err := f.Busy(); err != nil {
		return f.Report(err)
	}
	if o.Path == "" && !o.Force && !f.Doc.IsModified() {
		switch {
		case quit:
			return f.settled()
		case f.Changed != "":
			f.askDisk()
		default:
			f.Say("nothing to save")
		}
		return nil
	}
	s, err := f.Doc.Save(o)
	if err != nil {
		return f.Report(notSaved(err))
	}
	renews := ""
	if f.Doc.IsModified() && !o.Unwrap {
		renewed, undecided := f.renewed()
		if undecided != "" {
			return f.askChecksums(undecided, o, quit)
		}
		renews = f.Doc.Kept() + renewed
	}
	if len(f.around) > 0 && o.Path == "" {
		return f.putBack(s, quit)
	}
	backup := s.Backup()
	return f.Start(&f.Task, saving, func(ctx context.Context, p *model.Progress) func() tea.Cmd {
		if err := s.Write(ctx, p); err != nil {
			err = withRemedy(s.Path(), o, err)
			return func() tea.Cmd { return f.notWritten(err, o, quit) }
		}
		text := describe(s, o, backup) + renews + f.besides(ctx, s)
		return func() tea.Cmd { return f.saved(s, text, quit) }
	})
}

// renewed says which checksums a save computes anew, and which look like some but stay, or returns one of which that is
// undecided.
func (f *File) renewed() (said, undecided string) {
	beside := f.Doc.Beside()
	for _, title := range beside.Sums {
		which, state, _ := strings.Cut(title, ", ")
		switch what := f.Doc.WhatOfChecksums(); {
		case what == model.Undecided && state == wrong:
			return "", which
		case what != model.Left:
			name, _, _ := strings.Cut(which, " ")
			said += ", " + name + " renewed"
		}
	}
	if kinds := beside.Unknown; len(kinds) > 0 {
		said += "; what looks like its " + strings.Join(kinds, " and ") + " stayed as it was, so the game may refuse it: ! says more"
	}
	return said, ""
}

// besides says what a save has changed that was not edited, and what no longer fits.
func (f *File) besides(ctx context.Context, s *model.Saving) (said string) {
	beside := f.Doc.Beside()
	if sizes := beside.Resized(); len(sizes) > 0 {
		said += "; the " + strings.Join(sizes, " and the ")
	}
	if left := beside.Stale; len(left) > 0 {
		said += "; what may be chance stayed: " + strings.Join(left, "; ")
	}
	for _, stale := range s.Stale(ctx) {
		said += "; the " + stale + " stayed as it was, and no longer fits"
		if f.Doc.IsUnexplained() {
			said += ": :describe begins a description that keeps it"
		}
	}
	if as, err := s.Drift(ctx); err == nil && as != "" {
		said += fmt.Sprintf("; it would now open as %s: :as %s", as, strings.TrimSpace(f.Doc.Dialect+" "+f.Doc.Framing))
	}
	return said
}

// wrong is what the title of a checksum says of one that does not fit.
const wrong = "does not fit"

// askChecksums asks, once for each document, what to do with a checksum that did not fit before the edit.
func (f *File) askChecksums(which string, o model.SaveOptions, quit bool) tea.Cmd {
	decide := func(c model.Checksums) func() tea.Cmd {
		return func() tea.Cmd {
			f.Doc.DecideChecksums(c)
			return f.Save(o, quit)
		}
	}
	return f.Ask(fmt.Sprintf("the %s did not fit before the edit; compute it anew?", which), "nothing was saved",
		dialog.Answer{Key: "y", Does: "compute it anew", Run: decide(model.Renewed)},
		dialog.Answer{Key: "n", Does: "leave it as it is", Run: decide(model.Left)})
}

// describe says what was written.
func describe(s *model.Saving, o model.SaveOptions, backup string) string {
	text := sized("saved "+filepath.Base(s.Path()), s.Path())
	switch {
	case o.Unwrap:
		text += ", without its wrappers"
	case backup != "":
		text += ", the old file is " + filepath.Base(backup)
	}
	return text
}

// sized adds the size of a file to a message.
func sized(said, path string) string {
	if info, err := os.Stat(path); err == nil {
		said += fmt.Sprintf(" (%s)", bytesize.Format(info.Size()))
	}
	return said
}

// withRemedy adds to the reason why a file was not written what the user can do.
func withRemedy(path string, o model.SaveOptions, err error) error {
	switch _, missing := os.Lstat(path); {
	case errors.Is(err, context.Canceled):
		return errors.New("not saved: it was stopped; the file is as it was")
	case strings.HasPrefix(err.Error(), "saved, but "):
		return err
	case errors.Is(err, source.ErrUnread) && !o.Force:
		return fmt.Errorf("%w; :w! takes it as it is now", notSaved(err))
	case errors.As(err, new(*model.LostError)):
		return fmt.Errorf("%w; :patch NAME keeps the edits", notSaved(err))
	case errors.As(err, new(*model.ChangedError)):
		return err
	case o.Path == "":
		return fmt.Errorf("%w; :w NAME saves elsewhere", notSaved(err))
	case o.Force || missing != nil:
		return notSaved(err)
	}
	return fmt.Errorf("%w; :w! %s replaces it", notSaved(err), o.Path)
}

// notSaved adds "not saved" to an error that does not say so itself.
func notSaved(err error) error {
	if strings.HasPrefix(err.Error(), "not saved: ") {
		return err
	}
	return fmt.Errorf("not saved: %w", err)
}

// notWritten reports why a file was not written, or asks what to do about it.
func (f *File) notWritten(err error, o model.SaveOptions, quit bool) tea.Cmd {
	if e := (*atomicfile.Error)(nil); errors.As(err, &e) && e.InPlace {
		return f.Ask(e.Error(), "nothing was saved; :w NAME saves elsewhere",
			dialog.Answer{Key: "i", Does: "write into it, once a copy is kept", Run: func() tea.Cmd {
				o.InPlace = true
				return f.Save(o, quit)
			}})
	}
	if changed := (*model.ChangedError)(nil); errors.As(err, &changed) {
		return f.diskChanged(changed.How, f.askDisk)
	}
	return f.Report(err)
}

// saved records that a file was written.
func (f *File) saved(s *model.Saving, said string, quit bool) tea.Cmd {
	resume := f.Pause()
	edited := f.Doc.ChangedBuffer()
	f.Doc.Saved(s)
	f.writes++
	resume()
	if f.Keeps {
		f.keep() // what came from standard input has a name now
	}
	for _, b := range f.Doc.Buffers {
		if b != edited && b.IsWrapper() {
			f.ForgetLook(b) // the save has written it again
		}
	}
	f.CatchUp()
	f.Changed, f.disk = "", ""
	f.Say(said)
	if quit {
		return f.settled()
	}
	return f.Program.Edited()
}

// Write is :w, with or without a file name.
func (f *File) Write(path string, force, quit bool) tea.Cmd {
	return f.Save(model.SaveOptions{Path: path, Force: force}, quit)
}

// Unwrap saves the values without their wrappers.
func (f *File) Unwrap(path string, force bool) tea.Cmd {
	switch {
	case path == "":
		return f.Report(errors.New(":unwrap needs a file name for the unwrapped content"))
	case len(f.Doc.Buffers) == 1:
		return f.Report(errors.New("the file is not wrapped in anything: :w NAME saves it under another name"))
	}
	return f.Save(model.SaveOptions{Path: path, Unwrap: true, Force: force}, false)
}

// Leave ends the program, or goes back to the document around this one. It asks first if something would
// be lost.
func (f *File) Leave() tea.Cmd {
	switch {
	case f.Task.Name == saving:
		return f.Say("still saving; esc stops it")
	case !f.Doc.IsModified(), f.practises():
		return f.settled()
	}
	question := "save before quitting?"
	if document, path := f.Doc.Within(); path != "" {
		question = fmt.Sprintf("save the bytes into %s of %s?", path, document)
	} else if f.other != nil {
		question = "save " + f.Doc.Name + " before quitting?"
	}
	return f.Ask(question, "",
		dialog.Answer{Key: "y", Does: "save", Run: func() tea.Cmd { return f.Save(model.SaveOptions{}, true) }},
		dialog.Answer{Key: "n", Does: "discard", Run: f.settled})
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
	case f.Changed != "" && !source.IsGone(f.Changed):
		f.askDisk()
		return nil
	}
	return f.Ask(fmt.Sprintf("reload %s and lose the changes?", f.Doc.Name), "",
		dialog.Answer{Key: "y", Does: "reload", Run: f.reload})
}

// watchEvery is how often the file on disk is looked at, and growEvery how often one that grows: reading that again takes
// at most half of the time.
const (
	watchEvery = time.Second
	growEvery  = 300 * time.Millisecond
)

// Watch checks from time to time whether the file on disk has changed.
func (f *File) Watch() tea.Cmd {
	look, every := f.Look(), watchEvery
	if f.Grows {
		every = max(growEvery, f.took)
	}
	return tea.Tick(every, func(time.Time) tea.Msg { return look() })
}

// Look checks whether the file on disk has changed.
func (f *File) Look() tea.Cmd {
	doc, journal, ctx, seeks, writes := f.Doc, f.Doc.Journal(), f.Ctx, f.Doc != f.sought, f.writes
	return f.Go("looking at the file on disk", func() func() tea.Cmd {
		how, others, lost, stamp := doc.Changed(), journal.Others(), journal.Lost(), doc.DescriptionStamp()
		info, err := os.Stat(doc.Path())
		protected := err == nil && info.Mode().Perm()&0o222 == 0
		var backup *backups.Backup
		var none error
		if seeks {
			backup, none = seekBackup(ctx, doc)
		}
		return func() tea.Cmd {
			f.offerBackup(doc, backup, none)
			if doc != f.Doc {
				return nil
			}
			if writes != f.writes || f.Task.Name == saving {
				how = f.Changed // it was this program
			}
			isFirst := f.described.of == nil // nothing is shown of a description yet
			f.Unchanged = (isFirst || f.described == watchedDescription{doc, stamp}) && backup == nil && none == nil && lost == nil && how == f.Changed && slices.Equal(others, f.Others) && protected == f.Protected
			f.Others, f.Protected = others, protected
			if lost != nil && !f.Unkept {
				f.Unkept = true
				f.Report(lost)
			}
			if f.Grows && how != "" && !source.IsGone(how) && !doc.IsModified() && f.Busy() == nil {
				f.Reading.Waits = true
				return tea.Batch(f.grown(), f.Watch())
			}
			if f.Reading.Waits && how == "" {
				f.Reading.Waits = false
				return tea.Batch(f.ReadOn(), f.Watch())
			}
			return tea.Batch(f.watchDescription(doc, stamp), f.diskChanged(how, nil), f.Watch())
		}
	})
}

// grown reads a file that grows again.
func (f *File) grown() tea.Cmd {
	doc := f.Doc
	var took time.Duration
	return f.openThen("reading what came", "", func(ctx context.Context, p *model.Progress) (*model.Document, error) {
		began := time.Now()
		defer func() { took = time.Since(began) }()
		return doc.Reload(ctx, p)
	}, func() tea.Cmd {
		f.took = took
		return nil
	})
}

// diskChanged records how the file on disk differs, and finds out what differs in it. Then it calls then,
// if that is not nil.
func (f *File) diskChanged(how string, then func()) tea.Cmd {
	isGone := source.IsGone(how)
	switch {
	case how == f.Changed && then == nil:
		return nil
	case !isGone: // otherwise it is still known what was in it
		f.disk = ""
	}
	if f.Changed = how; isGone && then != nil {
		then()
	}
	if how == "" || isGone {
		return nil
	}
	doc, ctx := f.Doc, f.Ctx
	return f.Go("comparing the file on disk", func() func() tea.Cmd {
		disk, err := doc.CompareDisk(ctx)
		return func() tea.Cmd {
			if doc != f.Doc || f.Changed == "" {
				return nil
			}
			if err == nil {
				f.disk = disk
			}
			if then != nil {
				then()
			}
			return nil
		}
	})
}

// askDisk asks what to do about a file that another program has changed.
func (f *File) askDisk() {
	text := f.Changed
	if f.disk != "" {
		text += ": " + f.disk
	}
	f.askWhose(text)
}

// askWhose asks which of two versions of the file is to stay.
func (f *File) askWhose(text string) {
	mine := func() tea.Cmd { return f.Save(model.SaveOptions{Force: true}, false) }
	if source.IsGone(f.Changed) {
		f.Ask(text, "nothing was saved", dialog.Answer{Key: "w", Does: "write it again", Run: mine})
		return
	}
	answers := []dialog.Answer{{Key: "m", Does: "keep mine", Run: mine}, {Key: "t", Does: "take theirs", Run: f.reload}}
	if p, err := f.Doc.Patch(); err == nil && len(p) > 0 && f.Doc.ChangedBuffer() == f.Doc.Innermost() {
		answers = append(answers, dialog.Answer{Key: "b", Does: "both", Run: func() tea.Cmd { return f.takeBoth(p) }})
	}
	if f.disk != "" {
		answers = append(answers, dialog.Answer{Key: "l", Does: "look at both", Run: func() tea.Cmd { return f.Compare("saved", f.askDisk) }})
	}
	f.Ask(text, "nothing was saved", answers...)
}

var errNotMerged = errors.New("nothing was merged")

// takeBoth makes the edits again in the file that another program has saved. If that one has changed the same values,
// nothing happens.
func (f *File) takeBoth(edited patch.Patch) tea.Cmd {
	doc := f.Doc
	repeat := func(ctx context.Context, p *model.Progress) (*model.Document, error) {
		theirs, err := doc.Reload(ctx, p)
		if err != nil {
			return nil, err
		}
		var r model.Reapplied
		t, err := theirs.Begin(theirs.Innermost())
		if err == nil {
			err = t.Repeat(ctx, edited, &r)
		}
		if err == nil && len(r.Failed) > 0 {
			same := "both have changed the same"
			if slices.ContainsFunc(edited, func(op patch.Op) bool { return op.Kind == patch.Bytes }) {
				same += " bytes, or the other program has moved them"
			}
			err = fmt.Errorf("%w, %s: %s", errNotMerged, same, strings.Join(r.Failed, "; "))
		}
		if err != nil {
			return nil, errors.Join(err, theirs.Close())
		}
		return theirs, nil
	}
	return f.openThen("merging", "", repeat, func() tea.Cmd {
		return f.Edits.Make(edits.Request{Intention: f.Explorer.Repeat("merge", edited, new(model.Reapplied)), Done: func() {
			f.Say("your edits are in what the other program saved; ctrl+s saves both")
		}})
	})
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
		var p patch.Patch
		text, err := source.ReadRegular(path, patch.MaxSize)
		if err == nil {
			p, err = patch.Read(bytes.NewReader(text))
		}
		return func() tea.Cmd {
			if err != nil {
				return f.Report(fmt.Errorf("%s: %w", path, err))
			}
			return f.Edits.Make(edits.Request{Intention: f.Explorer.Patch(p)})
		}
	})
}

package file

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/model"
	"varview/model/backups"
	"varview/ui/dialog"
)

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
	doc, journal, ctx, seeks := f.Doc, f.Doc.Journal(), f.Ctx, f.Doc != f.sought
	return f.Go("looking at the file on disk", func() func() tea.Cmd {
		how, others, lost, stamp := doc.Changed(), journal.Others(), journal.Lost(), doc.DescriptionStamp()
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
			isFirst := f.described.of == nil // nothing is shown of a description yet
			f.Unchanged = (isFirst || f.described == watchedDescription{doc, stamp}) && backup == nil && none == nil && lost == nil && how == f.Changed && slices.Equal(others, f.Others)
			f.Others = others
			if lost != nil && !f.Unkept {
				f.Unkept = true
				f.Report(lost)
			}
			if f.Grows && how != "" && how != source.Gone && !doc.IsModified() && f.Busy() == nil {
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
	if how == f.Changed && then == nil {
		return nil
	}
	f.Changed, f.disk = how, nil
	if how == "" || how == source.Gone {
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
	if f.disk != nil {
		text += ": " + describeDisk(f.disk)
	}
	answers := []dialog.Answer{
		{Key: "k", Does: "keep mine", Run: func() tea.Cmd { return f.Save(model.SaveOptions{Force: true}, false) }},
		{Key: "t", Does: "take theirs", Run: f.reload},
	}
	if f.disk != nil {
		answers = append(answers, dialog.Answer{Key: "l", Does: "look at both", Run: func() tea.Cmd { return f.Compare("saved", f.askDisk) }})
	}
	f.Ask(text, "nothing was saved", answers...)
}

// describeDisk says in one line what differs.
func describeDisk(d *model.Disk) string {
	if len(d.Changes) == 0 {
		return "its values are the same"
	}
	what := span.Counted(int64(len(d.Changes)), "range")
	if d.More {
		what = "at least " + what
	}
	if by := d.Size - d.Was; by > 0 {
		what += fmt.Sprintf(", %s more", span.Bytes(by))
	} else if by < 0 {
		what += fmt.Sprintf(", %s less", span.Bytes(-by))
	}
	if path := d.Changes[0].Path; path != "" {
		what += ", first " + path
	}
	return what
}

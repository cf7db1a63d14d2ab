package file

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/guess"
	"varview/internal/atomicfile"
	"varview/model"
	"varview/model/explore"
	"varview/ui/desk"
	"varview/ui/jobs"
)

// OpenOther is :e FILE: it opens another file. The one that was on the desk stays open.
func (f *File) OpenOther(path string) tea.Cmd {
	switch {
	case len(f.around) > 0:
		return f.Report(errWithin)
	case path == "" && f.other == nil:
		return f.Report(errors.New(":e needs the name of a file"))
	case path == "" || f.other != nil && isSame(path, f.other.Doc.Path()):
		return f.Alternate()
	case isSame(path, f.Doc.Path()):
		return f.Say("this file is open already; R reloads it")
	case f.other != nil && f.other.Doc.IsModified():
		return f.Report(fmt.Errorf("%s has changes that are not saved; only two files can be open: ctrl+6 goes there", f.other.Doc.Name))
	}
	doc := f.Doc
	return f.StartAlone(&f.Opening, "opening", jobs.Then(f.Failing(path), func(ctx context.Context, p *model.Progress) (*model.Document, error) {
		return doc.OpenOther(ctx, p, path)
	}, f.openedOther))
}

// errWithin says that no other file can be opened while bytes of this one are shown as a document.
var errWithin = errors.New("these are the bytes of a value; q goes back to the file, and from there another one can be opened")

// errNotPutBack says that edited bytes have to be put back before leaving them with a jump.
var errNotPutBack = errors.New("these bytes have changes: ctrl+s puts them back, q asks about them")

// isSame reports whether two names are of the same file.
func isSame(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// openedOther puts another file on the desk.
func (f *File) openedOther(d *model.Document) tea.Cmd {
	var cmds []tea.Cmd
	if f.other != nil {
		f.Report(f.other.Doc.CloseJournal(false))
		cmds = append(cmds, desk.Closing(f.other.Doc))
	}
	cmds = append(cmds, f.leapTo(desk.NewShelf(d)), f.RememberOpened(), f.StartKeeping())
	f.Say("ctrl+6 goes back to " + f.other.Doc.Name)
	return tea.Batch(cmds...)
}

// swap puts a document on the desk, and keeps the other one open.
func (f *File) swap(s *desk.Shelf) (cmd tea.Cmd) {
	f.Changed, f.disk, f.Others, f.locked, f.Protected = "", "", nil, false, false
	f.other, cmd = f.Swap(s)
	return cmd
}

// Alternate goes to the other open file.
func (f *File) Alternate() tea.Cmd {
	if len(f.around) > 0 {
		return f.Report(errWithin)
	}
	if f.other == nil {
		return f.Say("no other file is open; :e FILE opens one")
	}
	if err := f.Busy(); err != nil {
		return f.Report(err)
	}
	return f.leapTo(f.other)
}

// leapTo puts a document on the desk, and records the previous one as the place to go back to.
func (f *File) leapTo(s *desk.Shelf) tea.Cmd {
	from := f.Explorer
	cmd := f.swap(s)
	f.Explorer.ArriveFrom(from)
	return cmd
}

// Return goes back to another open file that was left with a jump, and reports whether it is still open.
func (f *File) Return(x *explore.Explorer) (cmd tea.Cmd, shown bool, err error) {
	last := len(f.around) - 1
	within := last >= 0 && f.around[last].Has(x)
	if !within && (last >= 0 || f.other == nil || !f.other.Has(x)) {
		return nil, false, nil
	}
	err = f.Busy()
	if within && f.Doc.IsModified() {
		err = cmp.Or(err, errNotPutBack)
	}
	if err != nil {
		return nil, false, err
	}
	if within {
		cmd = f.leaveWithin()
	} else {
		cmd = f.swap(f.other)
	}
	return cmd, f.ShowLook(x), nil
}

// practises reports whether the tutorial's save is on the desk, of which nothing has to be kept.
func (f *File) practises() bool { return f.Practice != "" && f.Doc.Path() == f.Practice }

// settled is called once nothing in the document on the desk can be lost any more: the program goes back
// to the document around it, or from the tutorial to the other file, or ends, unless that has unsaved changes.
func (f *File) settled() tea.Cmd {
	if len(f.around) > 0 {
		return f.leaveWithin()
	}
	learned := f.practises()
	if f.other == nil || !learned && !f.other.Doc.IsModified() {
		return tea.Quit
	}
	cmd := f.swap(f.other)
	left := f.other.Doc
	f.other = nil
	f.Report(left.CloseJournal(false))
	if learned {
		return tea.Batch(cmd, desk.Closing(left))
	}
	return tea.Batch(cmd, desk.Closing(left), f.Leave())
}

// Other returns the other open document; nil if there is none.
func (f *File) Other() *model.Document {
	if f.other == nil {
		return nil
	}
	return f.other.Doc
}

// Export is :export: it writes the values as JSON, or as text if the name says so.
func (f *File) Export(arg string, force bool) tea.Cmd {
	path, form := cutOption(arg, map[string]model.Form{"--text": model.AsText, "--typed": model.AsTyped})
	if form == 0 && strings.EqualFold(filepath.Ext(path), ".txt") {
		form = model.AsText
	}
	doc := f.Doc
	return f.ExportTo(path, force, func(ctx context.Context, out io.Writer) error { return doc.Export(ctx, out, form) })
}

// ExportTo writes something into a file, which must not exist unless force is set.
func (f *File) ExportTo(path string, force bool, write func(context.Context, io.Writer) error) tea.Cmd {
	switch _, missing := os.Lstat(path); {
	case path == "" || strings.HasPrefix(path, "--"):
		return f.Report(errors.New(":export needs a file name, and may have --text or --typed: :export values.json"))
	case missing == nil && !force:
		return f.Report(fmt.Errorf("%s exists already; :export! replaces it", path))
	}
	return f.StartAlone(&f.Task, "exporting", func(ctx context.Context, p *model.Progress) func() tea.Cmd {
		err := atomicfile.Replace(ctx, path, atomicfile.Options{}, func(ctx context.Context, out *os.File) error {
			return write(ctx, out)
		})
		said := sized("exported to "+path, path)
		return func() tea.Cmd {
			f.Say(said)
			if errors.Is(err, context.Canceled) {
				err = errors.New("not exported: it was stopped")
			}
			return f.Report(err)
		}
	})
}

// Enter opens the content of a value's bytes as a document of its own. Unless always is set, it does so
// only if it is a save.
func (f *File) Enter(r model.Range, n *tree.Node, path string, always bool) tea.Cmd {
	doc := f.Doc
	return f.enter(path, func(ctx context.Context) (*model.Document, error) {
		inner, err := doc.OpenWithin(ctx, r, n, path)
		if err == nil && !always && !inner.IsSave() {
			inner.Close()
			err = errors.New("these bytes are not a save, image or text that varview knows")
		}
		return inner, err
	}, nil)
}

// EnterStream opens what was unpacked from a stream in the file as a document of its own, with bytes of it selected.
func (f *File) EnterStream(b *guess.Buffer, at span.Span) tea.Cmd {
	doc := f.Doc
	return f.enter(b.Name, func(ctx context.Context) (*model.Document, error) {
		return doc.OpenStream(ctx, b)
	}, func() error { return f.Select(at) })
}

// Inner shows the buffer that is farther inside; in the innermost, what the value at the cursor was unpacked from.
func (f *File) Inner() tea.Cmd {
	doc, x := f.Doc, f.Explorer
	u, ok := x.Buffer.Unpacked(x.Subject())
	if !ok {
		return f.StepBuffer(1)
	}
	return f.enter(u.Path, func(ctx context.Context) (*model.Document, error) {
		return doc.OpenUnpacked(ctx, u)
	}, func() error { return f.Explorer.GoTo(u.At.Offset) })
}

// enter opens a document inside the shown one, and calls then once it is shown; nil for nothing.
func (f *File) enter(path string, open func(context.Context) (*model.Document, error), then func() error) tea.Cmd {
	buffer := f.Explorer.Buffer
	return f.StartAlone(&f.Opening, "opening "+path, func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		inner, err := open(ctx)
		return func() tea.Cmd {
			switch {
			case errors.Is(err, context.Canceled):
				return nil
			case err != nil:
				return f.Report(err)
			}
			f.ShowBuffer(buffer) // another one may be shown by now
			from := f.Explorer
			was, cmd := f.Swap(desk.NewShelf(inner))
			f.Explorer.ArriveFrom(from)
			f.around = append(f.around, was)
			f.Changed, f.disk = "", ""
			if err := f.Doc.CanEdit(f.Explorer.Buffer); err != nil {
				f.Say("read-only: " + err.Error() + "; q goes back there")
			} else {
				f.Say(fmt.Sprintf("the bytes of %s: ctrl+s puts them back into %s, q goes back there", path, was.Doc.Name))
			}
			if then != nil {
				f.Report(then())
			}
			return cmd
		}
	})
}

// putBack puts the bytes of the document back into the value from which they were opened, and then leaves
// the document if leave is set.
func (f *File) putBack(s *model.Saving, leave bool) tea.Cmd {
	outer := f.around[len(f.around)-1]
	return f.Start(&f.Task, saving, func(ctx context.Context, p *model.Progress) func() tea.Cmd {
		var edit *model.Prepared
		err := s.Write(ctx, p)
		if err == nil {
			edit, err = outer.Doc.Prepare(ctx, outer.Explorer.Buffer, s.PutBack())
		}
		return func() tea.Cmd {
			var turn model.Turn
			if err == nil {
				turn, err = outer.Doc.Make(f.Ctx, edit)
			}
			if err == nil {
				err = outer.FollowTurn(turn)
			}
			if err != nil && !errors.Is(err, model.ErrNoChange) {
				return f.Report(notSaved(err))
			}
			document, path := f.Doc.Within()
			return f.saved(s, fmt.Sprintf("saved into %s of %s, which is not saved yet", path, document), leave)
		}
	})
}

// leaveWithin goes back to the document that contains the bytes.
func (f *File) leaveWithin() tea.Cmd {
	last := len(f.around) - 1
	to := f.around[last]
	f.around = f.around[:last]
	f.Opening.Stop()
	left, cmd := f.Swap(to)
	cmd = tea.Batch(desk.Closing(left.Doc), cmd, f.Program.Edited())
	if file := left.Doc.Begun(); file != "" {
		return tea.Batch(cmd, f.ReadBy(file))
	}
	return cmd
}

// Reveal shows the file in the system's file manager.
func (f *File) Reveal() tea.Cmd {
	if f.Doc.Path() == "-" {
		return f.Report(errors.New("this came from standard input, and is in no folder"))
	}
	path, err := filepath.Abs(f.Doc.Path())
	if err != nil {
		return f.Report(err)
	}
	cmd := revealing(path)
	return f.Go("showing the folder", func() func() tea.Cmd {
		err := cmd.Start()
		if err == nil {
			go cmd.Wait() // Explorer fails even if all is well
		}
		return func() tea.Cmd {
			if err != nil {
				return f.Report(fmt.Errorf("%s cannot be started: %w; the file is %s", cmd.Args[0], err, path))
			}
			return f.Say("shown by " + cmd.Args[0])
		}
	})
}

// Package file saves the file and opens it again, watches it on disk, and offers its unsaved edits.
package file

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/wrap"
	"varview/model"
	"varview/model/backups"
	"varview/model/bytesize"
	"varview/model/explore"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/edits"
	"varview/ui/jobs"
)

// A File is what concerns the open file as a whole: it saves it, opens it in other ways, watches it on
// disk, and offers unsaved edits.
type File struct {
	*desk.Desk
	Edits   *edits.Edits
	Changed string // how the file on disk differs; "" if it does not
	Others  []int  // ids of other processes that have the file open
	Spoils  bool   // there are faults for what is recorded
	Grows   bool   // the file is a recording that grows, and is read again when it has
	Keeps   bool   // edits are kept until they are saved, in case the program is killed
	Unkept  bool   // they cannot be

	Protected bool // nobody may write the file

	// Compare lists what differs from another version of the file, and calls left after the list is
	// closed.
	Compare func(what string, left func()) tea.Cmd

	around []*desk.Shelf // the documents around the shown one, whose bytes it shows as its own; the file first

	sought *model.Document // the document for which an intact copy was looked for
	backup *backups.Backup // the copy that was found for it; nil if there is none

	took   time.Duration // how long it took to read a file that grows
	writes int           // how often it was saved
	disk   string        // what another program has changed; "" while unknown
	other  *desk.Shelf   // the other open file; nil if there is none
	locked bool          // there are unsaved edits that another password opens

	described watchedDescription

	undescribe func() (cmd tea.Cmd, done bool) // takes back what :describe has written last; nil for nothing

	offers map[*model.Document]*model.Offer // unsaved edits, by the document for which they are offered
}

// New returns the File for the document on a desk.
func New(d *desk.Desk, e *edits.Edits) *File {
	return &File{Desk: d, Edits: e, offers: map[*model.Document]*model.Offer{}}
}

// An opener opens the document again.
type opener func(context.Context, *model.Progress) (*model.Document, error)

// openThen opens the document again in the background, by calling do. said is the message on success, and then
// is called once the document is shown; nil for nothing.
func (f *File) openThen(name, said string, do opener, then func() tea.Cmd) tea.Cmd {
	if f.Task.Runs() {
		return f.Report(fmt.Errorf("%s: wait until it ends, or press esc to stop it", f.Task.Name))
	}
	ctx, progress, late := f.Opening.Start(f.Ctx, name)
	var open tea.Cmd
	open = f.Go(name, func() func() tea.Cmd {
		d, err := do(ctx, progress)
		return func() tea.Cmd {
			if late() {
				return tea.Batch(desk.Closing(d), f.readRest())
			}
			cmd, isShown := f.opened(d, err, said, open)
			if isShown && then != nil {
				cmd = tea.Batch(cmd, then())
			}
			return cmd
		}
	})
	return open
}

// readRest reads what ReadOn left to the document that could not be opened.
func (f *File) readRest() tea.Cmd {
	if f.Reading.Buffer != nil {
		return nil
	}
	return f.ReadOn()
}

// reopen opens the same bytes with other options, and then calls then; nil for nothing.
func (f *File) reopen(name, said string, then func() tea.Cmd, changes ...model.Change) tea.Cmd {
	doc := f.Doc
	return f.openThen(name, said, func(ctx context.Context, p *model.Progress) (*model.Document, error) {
		return doc.Reopen(ctx, p, changes...)
	}, then)
}

// reload opens the file as it is on disk.
func (f *File) reload() tea.Cmd { return f.Reloaded("reloaded", nil) }

// Reloaded opens the file as it is on disk, with a message on success. What has changed glows for a while; changed says
// what is known of it.
func (f *File) Reloaded(said string, changed []model.Previous) tea.Cmd {
	doc := f.Doc
	glow := func() tea.Cmd {
		f.Doc.Note(changed)
		if e := f.Doc.Earlier; e != nil && e.New > 0 && said == "reloaded" {
			f.Say("reloaded, " + span.Counted(int64(e.New), "value") + " changed; &changed shows only these")
		}
		return tea.Tick(explore.Glow, func(time.Time) tea.Msg { return jobs.Result{Name: "glowing", Take: func() tea.Cmd { return nil }} })
	}
	return f.openThen("reloading", said, func(ctx context.Context, p *model.Progress) (*model.Document, error) {
		d, err := doc.Reload(ctx, p)
		if err != nil {
			err = fmt.Errorf("cannot reload: %w", err)
		}
		return d, err
	}, glow)
}

// Unpack unpacks what was put off before the first frame because it takes long, or unpacks again with
// another limit.
func (f *File) Unpack(size string) tea.Cmd {
	if size != "" {
		most, err := bytesize.Parse(size)
		if err != nil {
			return f.Report(err)
		}
		return f.reopen("unpacking", "unpacked up to "+bytesize.Format(most), nil, model.WithMaxUnpacked(most))
	}
	switch {
	case f.Doc.IsDeferred():
		name := "unpacking"
		if f.Doc.IsUnfinished() {
			name = "reading the rest"
		}
		return f.reopen(name, "", nil, f.Doc.Further())
	case f.Doc.IsCut():
		f.Say("it was cut by the limit: :unpack 2G unpacks up to 2 GiB")
	default:
		f.Say("there is nothing left to unpack")
	}
	return nil
}

// AddSchemas opens the file again with the schemas of a GML file or folder.
func (f *File) AddSchemas(path string) tea.Cmd {
	switch {
	case path == "":
		return f.Report(fmt.Errorf(":schema needs a GML file or a folder with GML files"))
	case f.Doc.Format != "" && !f.Doc.Hints().Schemas:
		return f.Report(fmt.Errorf("schemas are for Elephant's files; this is %s", f.Doc.Title))
	}
	doc := f.Doc
	return f.openThen("reading schemas", "schemas of "+path+" are used", func(ctx context.Context, p *model.Progress) (*model.Document, error) {
		return doc.AddSchemas(ctx, p, path)
	}, nil)
}

// WithSchemasOf opens the file again if there are schemas near some other files with which it was not
// opened, and then calls then.
func (f *File) WithSchemasOf(files []string, then func() tea.Cmd) tea.Cmd {
	missing := f.Doc.WithoutSchemasOf(files...)
	if len(missing) == 0 {
		return then()
	}
	return f.reopen("reading schemas", "", then, model.Beside(missing...))
}

// opened shows the document that was opened again, with the cursor where it was. again opens it once more
// if it was edited meanwhile.
func (f *File) opened(d *model.Document, err error, said string, again tea.Cmd) (cmd tea.Cmd, isShown bool) {
	if err != nil {
		f.Opening.Stop()
		if errors.Is(err, errNotMerged) {
			f.askWhose(err.Error())
		} else {
			f.Report(err)
		}
		return f.readRest(), false
	}
	if !d.TakeOver(f.Doc) {
		return tea.Batch(desk.Closing(d), again), false
	}
	f.Opening.Stop()
	cmd = f.replace(d, said)
	if f.locked {
		cmd = tea.Batch(cmd, f.findUnsaved(false))
	}
	return cmd, true
}

// replace shows another document of the file, with the cursor where it was.
func (f *File) replace(d *model.Document, said string) tea.Cmd {
	old, number, place, open := f.Doc, f.Explorer.Buffer.Number, f.Explorer.Place(), f.Explorer.Unfolded()
	f.Changed, f.disk = "", ""
	if u := f.offers[old]; u != nil {
		delete(f.offers, old)
		f.offers[d] = u
	}
	return f.Replace(d, said, func() error {
		if len(old.Buffers) != len(d.Buffers) {
			return nil
		}
		f.ShowBuffer(d.Buffers[number])
		f.Explorer.UnfoldPaths(open)
		return f.Explorer.Return(place)
	})
}

// Settle does what a newly opened document needs: it asks for a password, or unpacks. It reports problems
// with the schemas.
func (f *File) Settle() tea.Cmd {
	if n := len(f.Doc.Notices); n > 0 {
		more := ""
		if n > 1 {
			more = fmt.Sprintf(" (and %d more)", n-1)
		}
		f.Report(fmt.Errorf("%w%s", f.Doc.Notices[0], more))
	}
	switch {
	case f.Doc.IsLocked():
		return f.Open(f.passwordPrompt())
	case f.Doc.IsDeferred():
		return f.Unpack("")
	}
	return nil
}

// ReadAs reads the same bytes in another dialect, and framing if one is given.
func (f *File) ReadAs(arg string) tea.Cmd {
	words := strings.Fields(arg)
	if f.Doc.Missing != nil {
		return f.Report(fmt.Errorf("there are no values to read yet: %s", f.Doc.WhyMissing().Message))
	}
	switch len(words) {
	case 0:
		text := fmt.Sprintf("read as %s, %s", f.Doc.Dialect, f.Doc.Framing)
		if len(f.Doc.Also) > 0 {
			text += "; equally well: " + strings.Join(f.Doc.Also, ", ")
		}
		if f.Doc.Alternative != nil {
			or := f.Doc.Alternative.Format.Info()
			text += fmt.Sprintf("; perhaps a damaged %s, %s", or.Dialect.Name, or.Framing)
		}
		return f.Say(text)
	case 1:
		words = append(words, "")
	}
	if slices.Contains([]string{"raw", "stream", "sequence"}, words[0]) { // only a framing
		words[0], words[1] = f.Doc.Dialect, words[0]
	}
	return f.reopen("opening", "read as "+strings.TrimSpace(strings.Join(words, " ")), nil, model.As(words[0], words[1]))
}

// secretPrompt returns a prompt that shows a dot for each character that is typed.
func (f *File) secretPrompt(label string, enter func(string) tea.Cmd) *dialog.Prompt {
	p := dialog.NewPrompt(f, label, enter)
	p.Secret, p.Input.EchoMode, p.Input.EchoCharacter = true, textinput.EchoPassword, '•'
	p.Leave = "encrypted: :password asks again, :key takes hex digits"
	return p
}

// passwordPrompt asks for the password, which may be empty.
func (f *File) passwordPrompt() *dialog.Prompt {
	label := "password: "
	if f.Doc.Missing != nil && f.Doc.WhyMissing().Code == wrap.WrongKey {
		label = "wrong, try again; password: "
	}
	return f.secretPrompt(label, func(typed string) tea.Cmd {
		return f.reopen("opening", "", nil, model.WithPassword(typed))
	})
}

// keyPrompt asks for the key until it has the right length.
func (f *File) keyPrompt(label string) *dialog.Prompt {
	p := f.secretPrompt(label, func(typed string) tea.Cmd {
		key, err := hex.DecodeString(strings.TrimSpace(typed))
		if err != nil || len(key) != 32 {
			return f.Open(f.keyPrompt("not 64 hex digits; key: "))
		}
		return f.reopen("opening", "", nil, model.WithKey(key))
	})
	p.Aside = func() (string, bool) { return fmt.Sprintf("%d of 64", len(strings.TrimSpace(p.Input.Value()))), false }
	return p
}

// AskPassword is :password.
func (f *File) AskPassword(arg string) tea.Cmd { return f.askSecret(arg, f.passwordPrompt()) }

// AskKey is :key.
func (f *File) AskKey(arg string) tea.Cmd {
	return f.askSecret(arg, f.keyPrompt("key, 64 hex digits: "))
}

// askSecret opens a prompt for a secret. It refuses a secret typed after the command, which would show on
// the screen.
func (f *File) askSecret(arg string, prompt *dialog.Prompt) tea.Cmd {
	switch {
	case !f.Doc.IsEncrypted():
		return f.Report(errors.New("nothing here is encrypted"))
	case arg != "":
		return f.Report(errors.New("do not type it here: you are asked for it, and it is not shown"))
	}
	return f.Open(prompt)
}

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
		f.Program.Arrange()
		switch {
		case doc.IsMisdescribed():
			return f.redescribe(stamp)
		case stamp == f.described.stamp:
			return f.measureDescribed()
		}
		return tea.Batch(f.measureDescribed(), f.watchDescription(doc, stamp)) // it has changed while another document was shown
	case stamp == f.described.stamp, f.AwaitsInput(): // it is read once that is done
		return nil
	}
	f.described.stamp = stamp
	return f.redescribe(stamp)
}

// redescribe reads the description as it is now. What is wrong with it is shown; if it cannot be used, the values stay as
// they were. One that had a mistake when the document was opened need not be for it.
func (f *File) redescribe(stamp string) tea.Cmd {
	doc := f.Doc
	return f.Go("reading the description", func() func() tea.Cmd {
		again, problems, err := doc.Redescribe()
		return func() tea.Cmd {
			switch {
			case doc != f.Doc:
				return nil
			case err != nil:
				f.describedAs(problems, !doc.IsMisdescribed())
				return f.Report(err)
			case doc.IsMisdescribed():
				return f.reopen("reading by the description", "the description was read again", func() tea.Cmd { return f.watchDescription(f.Doc, f.Doc.FirstStamp()) })
			}
			return f.describe(again, stamp, problems, filepath.Base(doc.Description().Files()[0])+" was read again")
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

// Undescribe takes back what :describe has written last, and reports whether it has.
func (f *File) Undescribe() (cmd tea.Cmd, done bool) {
	if f.undescribe == nil || f.Busy() != nil {
		return nil, false
	}
	return f.undescribe()
}

// Describe is :describe NAME [TYPE]: it writes a field into the description, and reads by that again. The field is for the
// selected bytes; if none are, for as many at the cursor as the type has, or for those of the selected value.
func (f *File) Describe(arg string) tea.Cmd {
	name, typ, _ := strings.Cut(arg, " ")
	if name == "" {
		return f.Report(errors.New(":describe needs a name for the selected bytes, and may have a type, as in \":describe gold u4\""))
	}
	doc, buffer, at, cursor := f.Doc, f.Explorer.Buffer, f.Chosen(), f.Explorer.Offset()
	if f.Selection.Active {
		cursor = model.Selected
	}
	var undo func() error
	return f.StartAlone(&f.Task, "describing", jobs.Then(f.Failing(":describe"), func(ctx context.Context, _ *model.Progress) (by format.Format, err error) {
		by, undo, err = doc.Describe(ctx, buffer, at, cursor, name, strings.TrimSpace(typ))
		return by, err
	}, func(by format.Format) tea.Cmd {
		f.Selection.Active = false
		f.undescribe = func() (cmd tea.Cmd, done bool) {
			if f.Doc.Path() != doc.Path() || f.Doc.Steps() > 0 {
				return nil, false
			}
			f.undescribe = nil
			f.Say(name + " is described no more")
			if err := undo(); err != nil || doc.Description() != nil { // which is watched
				return f.Report(err), true
			}
			return f.describe(nil, "", nil, f.Message.Text), true
		}
		return f.describe(by, "", nil, name+" is written into "+filepath.Base(by.(format.Custom).Files()[0]))
	}))
}

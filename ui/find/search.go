// Package find goes to places: what is searched for, paths and offsets, references,
// changes.
package find

import (
	"context"
	"errors"
	"fmt"
	"io"

	tea "github.com/charmbracelet/bubbletea"

	"varview/model"
	"varview/model/search"
	"varview/ui/desk"
	"varview/ui/dialog"
)

// Find goes to places in the document on the desk.
type Find struct {
	*desk.Desk
	query search.Query
}

// Ask asks what to search for.
func (f *Find) Ask() tea.Cmd { return f.Open(dialog.NewPrompt(f, "/", f.typed)) }

// typed searches for what was typed. Nothing repeats the last search.
func (f *Find) typed(typed string) tea.Cmd {
	if typed != "" {
		q, err := search.ParseQuery(typed)
		if err != nil {
			f.Report(err)
			return nil
		}
		f.query = q
	}
	return f.Search(false)
}

// Search looks for the next hit of the query, or the previous one.
func (f *Find) Search(backward bool) tea.Cmd {
	if f.query.String() == "" {
		f.Say("no search yet: / starts one")
		return nil
	}
	buffer, query, from := f.Explorer.Buffer, f.query, f.Explorer.Spot()
	return f.Start(&f.Seeking, "searching", func(ctx context.Context, p *model.Progress) func() tea.Cmd {
		hit, wrapped, err := buffer.Search(ctx, query, from, backward, p)
		return func() tea.Cmd {
			f.found(hit, wrapped, err)
			return nil
		}
	})
}

// found goes to a hit.
func (f *Find) found(hit search.Hit, wrapped bool, err error) {
	if errors.Is(err, io.EOF) {
		err = fmt.Errorf("not found: %s", f.query)
	}
	if err != nil {
		f.Report(err)
		return
	}
	f.Hit = hit.Span
	if hit.IsValue {
		f.GoToNamed(hit.Node)
	} else {
		f.GoToByte(hit.Offset)
	}
	if wrapped {
		f.Say("the search wrapped around")
	}
}

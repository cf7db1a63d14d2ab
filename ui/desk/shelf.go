package desk

import (
	"context"
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"varview/model"
	"varview/model/explore"
)

// A Shelf is a document that is open but not on the desk, and how it was looked at.
type Shelf struct {
	Doc   *model.Document
	look  Look
	looks []Look
	focus Focus
}

// NewShelf returns a shelf with a document that has not been looked at.
func NewShelf(doc *model.Document) *Shelf {
	return &Shelf{Doc: doc, look: Look{Explorer: explore.New(doc.Innermost())}, looks: make([]Look, len(doc.Buffers))}
}

// Has reports whether a buffer of the document was looked at in this way.
func (s *Shelf) Has(x *explore.Explorer) bool {
	return s.look.Explorer == x || slices.ContainsFunc(s.looks, func(l Look) bool { return l.Explorer == x })
}

// Prepare works out an edit of the document without making it. It may run in the background.
func (s *Shelf) Prepare(ctx context.Context, in model.Intention) (*model.Prepared, error) {
	return s.Doc.Prepare(ctx, s.look.Explorer.Buffer, in)
}

// Make makes what was prepared. An edit that changes nothing becomes no step.
func (s *Shelf) Make(ctx context.Context, p *model.Prepared) error {
	turn, err := s.Doc.Make(ctx, p)
	switch {
	case errors.Is(err, model.ErrNoChange):
		return nil
	case err != nil:
		return err
	}
	s.look.Hit.Length, s.look.Selection = 0, Selection{}
	return s.look.Explorer.FollowTurn(turn)
}

// Swap exchanges the document on the desk with the one on the shelf.
func (d *Desk) Swap(s *Shelf) (old *Shelf, cmd tea.Cmd) {
	old = &Shelf{d.Doc, d.Look, d.looks, d.Under}
	d.stopLooking()
	d.Doc, d.Look, d.looks = s.Doc, s.look, s.looks
	d.SetFocus(s.focus)
	d.CatchUp()
	return old, d.Program.Opened()
}

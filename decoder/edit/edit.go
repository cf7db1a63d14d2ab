// Package edit says how values are changed: what a format that can be written
// offers, and what can stand against an edit.
package edit

import (
	"context"
	"fmt"

	"varview/decoder/source"
	"varview/decoder/tree"
)

// Content is what is put somewhere: a literal, or a copy of a value.
type Content struct {
	Key     string // literal of the key or name, where the place asks for one
	Literal string

	Copy *tree.Node // if not nil, instead of Literal; with its key where Key is empty
	From *tree.Reader
}

// Options settle what an edit would otherwise ask for.
type Options struct {
	Retype  bool    // the value gets the type of the literal, whatever it is: also int for 5 where a float stands
	Orphans Orphans // what becomes of references to what is taken away
}

// Orphans says what becomes of references whose target is taken away.
type Orphans uint8

const (
	Ask       Orphans = iota // the edit is refused with an OrphanError
	Inherit                  // the first reference becomes the value
	Undefined                // the references become undefined
)

// An Editor is a format whose values can be changed. An edit gives the splices
// that make it, in order and without overlap: those of the value, and of every
// length, count, padding and index that depends on it. An edit that changes
// nothing gives none. Nothing is changed by the Editor itself.
//
// Errors are a *SyntaxError, *TypeError or *OrphanError, or say in a sentence why
// the edit cannot be made.
type Editor interface {
	// Set gives n another value. A key or a name is set as any value. Content.Key
	// is not looked at.
	Set(ctx context.Context, r *tree.Reader, n *tree.Node, c Content, o Options) ([]source.Splice, error)

	// Insert puts a value into parent, before its child index, which may be the
	// number of its children. The base is the parent of frames.
	Insert(ctx context.Context, r *tree.Reader, parent *tree.Node, index int64, c Content, o Options) ([]source.Splice, error)

	// Delete takes n away, with its key.
	Delete(ctx context.Context, r *tree.Reader, n *tree.Node, o Options) ([]source.Splice, error)

	// Move makes n, with its key, the child to of its parent.
	Move(ctx context.Context, r *tree.Reader, n *tree.Node, to int64, o Options) ([]source.Splice, error)

	// Types names what n can be retyped to.
	Types(r *tree.Reader, n *tree.Node) []string

	// Retyped is the literal of the value of type name that comes nearest to n: the
	// same number or text, or else an empty value.
	Retyped(ctx context.Context, r *tree.Reader, n *tree.Node, name string) (literal string, err error)
}

// A SyntaxError says why a literal cannot be read.
type SyntaxError struct {
	At      int    // byte of the literal
	Message string // what is expected there
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("at character %d: %s", e.At+1, e.Message) }

// A TypeError says that a literal has another type than the value it would
// replace, which Options.Retype allows.
type TypeError struct {
	Was, Is string // names of types
}

func (e *TypeError) Error() string { return fmt.Sprintf("this is %s, and %s stands here", e.Is, e.Was) }

// An OrphanError says that references lead to what would be taken away.
type OrphanError struct {
	References int    // how many
	Target     string // path of the value, or of the first of several, that they lead to
	First      string // path of the first reference
}

func (e *OrphanError) Error() string {
	n := "a reference leads"
	if e.References > 1 {
		n = fmt.Sprintf("%d references lead", e.References)
	}
	return fmt.Sprintf("%s to %s, the first at %s", n, e.Target, e.First)
}

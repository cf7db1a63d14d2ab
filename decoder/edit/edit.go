// Package edit defines how values are changed and problems repaired: the interfaces of formats that can be
// written, and the errors of an edit.
package edit

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// Content is what an edit inserts: a literal, or a copy of a value.
type Content struct {
	Key     string // literal of the key or name, where one is needed
	Literal string

	Copy *tree.Node // value to insert instead of Literal, if not nil; with its key if Key is empty
	From *tree.Reader
}

// KeyContent returns the key of an entry that is inserted as content: the one given, or that of a copied entry. It has neither
// a literal nor a copy if there is none.
func (c *Content) KeyContent() Content {
	if c.Key == "" && c.Copy != nil {
		if key := c.From.Key(c.Copy); key != nil {
			return Content{Copy: key, From: c.From}
		}
	}
	return Content{Literal: c.Key}
}

// Err returns the error of reading what is copied. An Editor leaves it to its caller.
func (c *Content) Err() error {
	if c.From == nil {
		return nil
	}
	return c.From.Window().Err()
}

// IsAlready reports whether a literal is that of a value.
func (c *Content) IsAlready(ctx context.Context, r *tree.Reader, n *tree.Node) (bool, error) {
	if c.Copy != nil {
		return false, nil
	}
	return IsWrittenAs(ctx, r, &n.Value, strings.TrimSpace(c.Literal))
}

// Errors of edits that no format makes.
var (
	ErrNoKey    = errors.New("an entry needs a key")
	ErrNumbered = errors.New("the values in this one have numbers, not keys")
	ErrSingle   = errors.New("this buffer holds a single value; no other can be inserted")
	ErrOnly     = errors.New("the only value of a buffer cannot be deleted or moved")
)

// Options decide what an edit leaves open.
type Options struct {
	Retype  bool     // the value gets the type of the literal, even an int for 5 where it was a float
	Infer   bool     // what is written without a type, as a list or the parts of a vector, gets that of the value, unless Retype is set
	Orphans Orphans  // what happens to references to a deleted value
	Choices []Choice // decide what a ChoiceError leaves open

	// Unequal is called for a number that was equal to a size, a count or an offset before the edit and is not after
	// it, unless it is chosen to KeepEqual. An error stops the edit. With nil such numbers stay what they are.
	Unequal func(*ChoiceError) error

	// Steers, if set, is called if other values may read differently after the edit: nothing has proven that they do not.
	Steers func()

	// Misreads, if set, is called if nothing follows the edit and others keep their bytes, although the value says how many
	// these are.
	Misreads func()

	Together *Together // edits together with which this one is made; nil if there are none
}

// PartsOf returns the parts of a value, as a vector, that are typed without the name of its type: "1, 2" of "(1, 2)" and
// of "1 2". It returns "" for what cannot be such parts.
func PartsOf(typed string) string {
	parts := strings.TrimSpace(typed)
	if parts == "" || !strings.ContainsRune("(+-.0123456789", rune(parts[0])) {
		return ""
	}
	if strings.HasPrefix(parts, "(") && strings.HasSuffix(parts, ")") {
		parts = parts[1 : len(parts)-1]
	}
	if strings.Contains(parts, ",") {
		return parts
	}
	return strings.Join(strings.Fields(parts), ",")
}

// Orphans decides what happens to references whose target is deleted.
type Orphans uint8

const (
	Ask       Orphans = iota // the edit is refused with an OrphanError
	Inherit                  // the first reference becomes the value
	Undefined                // the references become undefined
)

// An Editor is a reading whose values can be changed. An edit returns the splices that make it, in order
// and without overlap: those of the value, and of every length, count, padding and index that depends on
// it. An edit that changes nothing returns none. The Editor itself changes nothing.
//
// With Options.Together the splices leave out the numbers to which other edits may add too: these are added
// to Together. The error is ErrAlone if the edit has to be made on its own.
//
// Errors are otherwise a *SyntaxError, *TypeError, *OrphanError or *ChoiceError, or describe in a sentence why the edit
// cannot be made.
type Editor interface {
	// Set replaces the value of n. A key or a name is set like any value. Content.Key is
	// ignored.
	Set(ctx context.Context, r *tree.Reader, n *tree.Node, c Content, o Options) ([]source.Splice, error)

	// Insert inserts a value into parent, before its child index, which may be the
	// number of its children. The base is the parent of frames.
	Insert(ctx context.Context, r *tree.Reader, parent *tree.Node, index int64, c Content, o Options) ([]source.Splice, error)

	// Delete removes n, with its key.
	Delete(ctx context.Context, r *tree.Reader, n *tree.Node, o Options) ([]source.Splice, error)

	// Move makes n, with its key, the child with index to of its parent.
	Move(ctx context.Context, r *tree.Reader, n *tree.Node, to int64, o Options) ([]source.Splice, error)

	// Types returns the types that n can be converted to.
	Types(r *tree.Reader, n *tree.Node) []string

	// Retyped returns the literal of the value of type name that is nearest to n: the
	// same number or text, or else an empty value.
	Retyped(ctx context.Context, r *tree.Reader, n *tree.Node, name string) (literal string, err error)
}

// A ByteEditor is an Editor that can put bytes into a value that holds bytes.
type ByteEditor interface {
	// SetBytes replaces the bytes that n holds by b.
	SetBytes(ctx context.Context, r *tree.Reader, n *tree.Node, b []byte) ([]source.Splice, error)
}

// A Partial is an Editor that cannot set all values: some are parts of a file or of a message, not more than what is in them.
type Partial interface {
	CanSet(r *tree.Reader, n *tree.Node) bool
}

// A SyntaxError reports why a literal cannot be read.
type SyntaxError struct {
	At      int    // offset in the literal in bytes
	Message string // what is expected there
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("at character %d: %s", e.At+1, e.Message) }

// A TypeError reports that a literal has another type than the value it would replace,
// which Options.Retype allows.
type TypeError struct {
	Was, Is string // names of types
}

func (e *TypeError) Error() string {
	return fmt.Sprintf("the new value is %s, the old one %s", e.Is, e.Was)
}

// A Choice decides what an edit leaves open.
type Choice string

// The choices. Their names are those of flags.
const (
	MakeEmpty Choice = "make-empty" // a value that gets another type becomes an empty one
	KeepBytes Choice = "keep-bytes" // a value that gets another type keeps its bytes
	KeepEqual Choice = "keep-equal" // a number that was equal to a size, a count or an offset stays equal to it
	Leave     Choice = "leave"      // such a number stays what it is
	Drop      Choice = "drop"       // what does not fit into another type is dropped
)

// A ChoiceError says what an edit leaves open. It can be made with one of Choices.
type ChoiceError struct {
	Text    string
	Choices []Choice

	Line     string                                       // that a description would say of it always; "" for none
	Remember func() (file string, text []byte, err error) // returns the description with that line; nil for none
}

func (e *ChoiceError) Error() string { return e.Text }

// An OrphanError reports references to a value that would be deleted.
type OrphanError struct {
	References int    // number of references
	Target     string // path of the value, or of the first of several
	First      string // path of the first reference
	OnlyNull   bool   // the references can become null, but none of them the value
}

func (e *OrphanError) Error() string {
	n := "a reference leads"
	if e.References > 1 {
		n = fmt.Sprintf("%d references lead", e.References)
	}
	return fmt.Sprintf("%s to %s, the first at %s", n, e.Target, e.First)
}

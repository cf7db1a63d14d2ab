// Package edit defines how values are changed and problems repaired: the interfaces of formats that can be
// written, and the errors of an edit.
package edit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
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

// CheckInsert returns an error if nothing can be inserted into a value as this content: it is a buffer of one value (unless
// isSequence is set), holds none, or its values have no keys. isList says that it holds values although it is one in the file.
func (c *Content) CheckInsert(r *tree.Reader, in *tree.Node, isSequence, isList bool) error {
	switch {
	case in.Parent == nil && !isSequence:
		return ErrSingle
	case in.Layout < tree.Sequence && !isList:
		return fmt.Errorf("nothing can be inserted into %s", r.Tree.Reading.TypeName(&in.Value))
	case in.Layout != tree.Pairs && c.Key != "" && c.Copy == nil:
		return ErrNumbered
	}
	return nil
}

// Errors of edits that no format makes.
var (
	ErrNoKey    = errors.New("an entry needs a key")
	ErrNumbered = errors.New("the values in this one have numbers, not keys")
	ErrSingle   = errors.New("this buffer holds a single value; no other can be inserted")
	ErrOnly     = errors.New("the only value of a buffer cannot be deleted or moved")
)

// A Never is the refusal of an edit that no other edit can make possible.
type Never string

// Error implements error.
func (n Never) Error() string { return string(n) }

// Options decide what an edit leaves open.
type Options struct {
	Retype  bool     // the value gets the type of the literal, even an int for 5 where it was a float
	Infer   bool     // what is written without a type, as a list or the parts of a vector, gets that of the value, unless Retype is set
	Orphans Orphans  // what happens to references to a deleted value
	Choices []Choice // decide what a ChoiceError leaves open

	AsksBeside bool // asks about a list that has as many elements as one that is edited, unless it is chosen by its path: "keep-equal=$.ids"

	// Unequal is called for a number that was equal to a size, a count or an offset before the edit and is not after it, unless it
	// follows. An error stops the edit. With nil such numbers stay what they are.
	Unequal func(*ChoiceError) error

	Outcome *Outcome // what the edit tells of itself; nil if nobody asks

	Together *Together // edits together with which this one is made; nil if there are none
}

// An Outcome is what edits tell of themselves.
type Outcome struct {
	Steers   bool     // other values may read differently: nothing has proven that they do not
	Misreads bool     // and keep bytes of which an edited value says that they are more or fewer
	Followed []string // what is said of numbers that follow as it is chosen
	Asked    []Choice // the answers that were possible where numbers were asked about
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

// For returns the choice for one number only, by its path or its name.
func (c Choice) For(number string) Choice { return c + "=" + Choice(number) }

// Kind returns the choice without the number that it is for.
func (c Choice) Kind() Choice {
	kind, _, _ := strings.Cut(string(c), "=")
	return Choice(kind)
}

// IsIn reports whether it is among choices for a number with some names. One for the number counts more than those for all.
func (c Choice) IsIn(all []Choice, names ...string) bool {
	for _, is := range all {
		if _, number, isFor := strings.Cut(string(is), "="); isFor && slices.Contains(names, number) {
			return is.Kind() == c
		}
	}
	return slices.Contains(all, c)
}

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

// EachChild calls f for the children of a value in order.
func EachChild(ctx context.Context, r *tree.Reader, parent *tree.Node, f func(c *tree.Node) error) error {
	c, err := r.Child(parent, 0)
	for ; err == nil; c, err = r.Next(c) {
		if err := cmp.Or(ctx.Err(), f(c)); err != nil {
			return err
		}
	}
	if errors.Is(err, tree.ErrNoChild) {
		return nil
	}
	return err
}

// Children returns the children of a value by the literals of their keys, or by their numbers. The error
// is ErrTooLong if a literal has more than limit bytes.
func Children(ctx context.Context, r *tree.Reader, parent *tree.Node, limit int) (map[string]*tree.Node, error) {
	all := map[string]*tree.Node{}
	return all, EachChild(ctx, r, parent, func(c *tree.Node) error {
		c, err := r.Finish(c)
		if err != nil {
			return err
		}
		name := strconv.FormatInt(c.Slot.Index, 10)
		if key := r.Key(c); key != nil {
			if name, err = LiteralOf(ctx, r, &key.Value, limit); err != nil {
				return err
			}
		}
		all[name] = c
		return nil
	})
}

// CheckFreeKey returns an error if an entry of parent, other than entry number except, has the key with
// the literal name. t may be nil.
func CheckFreeKey(ctx context.Context, r *tree.Reader, t *Together, parent *tree.Node, except int64, name string, limit int) error {
	identity := func(name string) string { // a StringName equals a String with the same text
		if strings.HasPrefix(name, `&"`) {
			return name[1:]
		}
		return name
	}
	free, err := t.TakeKey(parent, identity(name), except, func(use func(string, int64)) error {
		return EachChild(ctx, r, parent, func(c *tree.Node) error {
			other, err := LiteralOf(ctx, r, &r.Key(c).Value, limit)
			use(identity(other), c.Slot.Index)
			return err
		})
	})
	if err == nil && !free {
		err = fmt.Errorf("this %s already has the key %s; %w", r.Tree.Reading.TypeName(&parent.Value), name[:min(len(name), 80)], ErrTaken)
	}
	return err
}

// ErrTaken ends the error of an edit that would give a container a key which it has.
var ErrTaken = errors.New("its value can be set")

// EachAtom calls f for the values of a buffer that have no children and can be read.
func EachAtom(ctx context.Context, r *tree.Reader, f func(s *tree.Scanner, v *tree.Value)) error {
	for s, i := r.Scan(r.Tree.Base), 0; ; i++ {
		switch ev := s.Next(); {
		case ev == tree.Done:
			return s.Window().Err()
		case ev == tree.Atom && s.Value().Damage == nil:
			v := *s.Value()
			f(s, &v)
		}
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// NullReferences returns splices that put null in the place of all references to gone, which is deleted, or the error that
// there are some. It does not look into gone.
func NullReferences(ctx context.Context, r *tree.Reader, gone *tree.Node, o Options, refers func(w *source.Window, v *tree.Value) bool, null []byte) (splices []source.Splice, err error) {
	first := ""
	err = EachAtom(ctx, r, func(s *tree.Scanner, v *tree.Value) {
		if gone.Span().Contains(v.Start) || !refers(s.Window(), v) {
			return
		}
		if first == "" {
			first = r.Path(s.Current(tree.Atom))
		}
		splices = append(splices, source.Put(v.Head, v.Tail-v.Head, null))
	})
	if err == nil && len(splices) > 0 && o.Orphans != Undefined {
		err = &OrphanError{References: len(splices), Target: r.Path(gone), First: first, OnlyNull: true}
	}
	return splices, err
}

// A Repair is an edit that repairs a problem.
type Repair struct {
	Splices  []source.Splice
	Loss     string // readable content that it removes: `the first of two entries "hp"`; "" if there is none
	Does     string // what it does in these bytes: `write "0x10"`; "" if the problem says it
	Remains  bool   // what it removes is the end of an older content, which nothing reads and which is not named as a loss
	Intended bool   // what it removes is what the problem is: a comment, or one side of a merge
}

// A Repairer is a reading whose problems can be repaired.
type Repairer interface {
	// Repair repairs a problem that was reported for n with a text in Repair. n owns the first byte of the
	// problem's span. The splices are those of the problem and of every length, count and padding that
	// depends on it; if bytes are inserted or removed, also those of the frame around. The error describes
	// in a sentence why the repair cannot be made here.
	Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (Repair, error)
}

// fewLost is the number of bytes that a repair may remove in one place without naming them: the rest of a
// value that is cut.
const fewLost = 16

// NameLoss sets Loss to what a repair removes, unless it is set already: more than a few bytes that are not replaced. They
// make no sense as they are read now, but may be what somebody looks for; zeros before other bytes, if they are many, are
// where such bytes were.
func (r *Repair) NameLoss(w *source.Window) {
	if r.Loss != "" || r.Remains || r.Intended {
		return
	}
	lost, zeroed := int64(0), int64(0)
	for i := range r.Splices {
		s := &r.Splices[i]
		n := s.Length - s.Added()
		switch {
		case n <= fewLost || s.Added() > fewLost:
		case !isZero(w, s.Span):
			lost += n
		case n >= source.LeastZeroed && s.End() < w.Size():
			zeroed += n
		}
	}
	switch {
	case lost > 0:
		r.Loss = span.Bytes(lost) + " that make no sense as they are read now"
	case zeroed > 0:
		r.Loss = "what was where " + span.Bytes(zeroed) + " are zero"
	}
}

// isZero reports whether all bytes of a span are zero.
func isZero(w *source.Window, at span.Span) bool {
	for _, b := range w.Pieces(at) {
		if len(bytes.Trim(b, "\x00")) > 0 {
			return false
		}
	}
	return true
}

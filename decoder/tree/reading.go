package tree

import (
	"context"
	"io"

	"varview/decoder/source"
	"varview/decoder/span"
)

// A Reading knows what the values of one buffer look like. What it learns while it
// reads, if anything, is about that buffer. It may serve many goroutines.
//
// These methods are all that a format has to give. Whatever else it knows it says by
// implementing one of the interfaces below; the tree has an answer of its own for
// those that it does not implement.
type Reading interface {
	// Root describes the buffer as a whole, with the values within region.
	Root(size int64, region span.Span) Value

	// Read fills v with the value at off, which is the child slot of parent. It
	// looks at no child of it. A value that cannot be read is broken (Break).
	Read(w *source.Window, parent *Value, slot Slot, off int64, v *Value)

	// Fields appends the fields that v itself owns before its children, or all
	// if it has none. A gap at its end is not among them.
	Fields(w *source.Window, parent, v *Value, fields []span.Field) []span.Field

	// AppendField appends the decoded meaning of one of v's fields.
	AppendField(dst []byte, w *source.Window, v *Value, f span.Field) []byte

	// TypeName names the type of v, as the engine does.
	TypeName(v *Value) string
}

// An Inspector notices what is unusual about values that can be read.
type Inspector interface {
	// Inspect reports what is unusual about v, apart from its damage. Problems
	// are given without path. The buffer itself has no parent.
	Inspect(w *source.Window, parent *Value, slot Slot, v *Value, report func(span.Problem))
}

// A Passer passes over many ordinary values quickly.
type Passer interface {
	// Pass goes over children of parent of which Inspect would report nothing, nor
	// of what is in them, from where the stretch begins, and moves its beginning
	// behind them. It may stop at any child; for Pairs always before a key.
	Pass(w *source.Window, parent *Value, s *Stretch)
}

// A Describer knows what its values mean, so that the tree can write them as steps of
// paths, literals and JSON. Without it they are bytes.
type Describer interface {
	// Describe says what v means, which is not damaged and has no children.
	Describe(w *source.Window, v *Value) Scalar
}

// A Stepper has steps of paths other than .name, ["any text"] and [3].
type Stepper interface {
	// AppendStep appends the step of a path from parent to its child slot. key
	// is the child's key where parent has Pairs, else nil.
	AppendStep(dst []byte, r *Reader, parent *Value, slot Slot, key *Value) []byte
}

// A LiteralWriter has a notation of its own for values.
type LiteralWriter interface {
	// AppendLiteral appends the value as text that can be typed in. What would
	// make it longer than limit bytes, or what is nested too deep to be of use,
	// is left out and replaced by "…".
	AppendLiteral(dst []byte, r *Reader, v *Value, limit int) []byte

	// WriteText writes the value as text that can be typed in, however long.
	WriteText(ctx context.Context, out io.Writer, r *Reader, v *Value) error
}

// A JSONWriter has a JSON form of its own for values.
type JSONWriter interface {
	// WriteJSON writes the value in the format's JSON form.
	WriteJSON(ctx context.Context, out io.Writer, r *Reader, v *Value) error
}

// A TypeWriter has more to say of a value's type than its name.
type TypeWriter interface {
	// AppendType appends the type of v as people write it, with what a container
	// holds: "Array[int]".
	AppendType(dst []byte, w *source.Window, v *Value) []byte
}

// An EngineModel knows how the engine that reads the format takes problems that the
// tree itself finds.
type EngineModel interface {
	// Nesting is how many levels the engine follows before it gives up, 0 if it
	// knows no limit, and what it does then.
	Nesting() (levels int, engine string)

	// Shortage is what the engine does where bytes are missing, "" if that is not
	// known.
	Shortage() string
}

// A Stretch is where Pass goes over values.
type Stretch struct {
	Next   Slot   // the child that begins at Pos
	Pos    int64  //
	Until  int64  // the values passed end there or before
	Levels int    // how deep values in them may be nested
	Serial uint32 // number of the first numbered value from Pos on
	Refs   []Reference
}

// A Reference is a value at an offset that stands for a numbered one.
type Reference struct {
	To uint32
	At int64
}

// A Footer has values with fields of their own behind their children.
type Footer interface {
	// ReadFoot returns the offset behind the fields of v that follow its children,
	// which end at off, or are lost from some place on, so that only the last bytes
	// of v can tell whether they are there. It reports what is wrong with them, and
	// what stands behind them, if report is set.
	ReadFoot(w *source.Window, v *Value, off int64, lost bool, report func(span.Problem)) int64

	// FootFields appends these fields, which lie in [v.Foot, v.Tail).
	FootFields(w *source.Window, v *Value, fields []span.Field) []span.Field
}

// A Remedier knows the repairs of problems that are reported without one: those that
// the tree itself finds, as missing or surplus bytes, and the damage of values.
type Remedier interface {
	// Remedy describes the repair of a problem of v, a child of parent; it is "" where
	// there is none. The buffer itself has no parent.
	Remedy(parent, v *Value, p *span.Problem) string
}

// A Keyed format has Pairs values in which no two keys should have the same bytes.
type Keyed interface {
	// RepeatedKey is the problem of a key that repeats an earlier one.
	RepeatedKey(w *source.Window, key *Value) span.Problem
}

// A Learner is a Reading that learns while it reads.
type Learner interface {
	Reading

	// Edited returns a reading of the region of src, which holds the bytes after
	// an edit. It has learnt nothing yet.
	Edited(src source.Source, region span.Span) Learner

	// Adopt takes over what was, of the bytes before the edit, has learnt of a
	// part of them, which has moved by so many bytes, and of the values with the
	// numbers from on, up to to.
	Adopt(was Reading, part span.Span, by int64, from, to uint32)

	// Agrees reports whether both have learnt the same of what stands before an
	// offset, as far as it tells how to read what follows.
	Agrees(was Reading, wasAt, at int64) bool

	// Alike reports whether the children of two values are read in the same way,
	// though the values differ in their leading fields, or the children in their
	// slots.
	Alike(was, is *Value) bool

	// Kind is what was last found to have a number, 0 if that is not known.
	Kind(serial uint32) uint32
}

// A Resyncer finds where reading resumes after an unreadable value. Read breaks such a
// value with the code span.MissingSchema, or with another one where it is damaged.
type Resyncer interface {
	// Fork returns a reading that knows what this one has learnt before an offset, for
	// a trial; what it learns stays with it. One that is doubting also reports what
	// hardly any file has.
	Fork(before int64, doubting bool) Reading

	// MayBegin tells at a glance whether the child slot of parent could begin at
	// off, behind bytes that cannot be read and begin at lost.
	MayBegin(w *source.Window, parent *Value, slot Slot, off, lost int64) bool

	// AcceptsAmbiguous reports whether reading resumes at the first of several
	// possible places; otherwise it resumes only where there is just one.
	AcceptsAmbiguous() bool

	// Resynced takes note of where a reading went on behind bytes that it could
	// not read.
	Resynced(lost, end int64)
}

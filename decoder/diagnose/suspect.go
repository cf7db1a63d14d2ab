package diagnose

import (
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A Suspect is a field that could be wrong, and bytes that could stand there
// instead.
type Suspect struct {
	span.Span
	New    []byte // as many as the span has; valid until the next is tried
	Code   string // of the problem that it would be: span.WrongLength, span.WrongType …
	Was    string // what the field says: "a length of 3"
	Is     string // what it should say: "12"
	Doubts int    // how much speaks against it by itself; 0 for what engines write every day
}

// A Suspecter is a format that knows which of its fields could be wrong.
type Suspecter interface {
	// Suspects calls try with each way in which one of the leading fields of v could
	// be wrong, the likeliest first, until that returns false: lengths and counts of
	// what lies in v itself, types, flags. The fields are read as they are in w; what
	// comes behind v does not matter here. Counts of children are Recount's.
	Suspects(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, try func(Suspect) bool)

	// Recount gives what makes n the number of children of v (pairs count once); ok
	// is false where v has no such count, or none that large.
	Recount(w *source.Window, parent, v *tree.Value, n int64) (s Suspect, ok bool)

	// Resize gives what makes end the end of v, which is Fenced: a frame whose length
	// says where it ends. ok is false where nothing in v does.
	Resize(w *source.Window, parent, v *tree.Value, end int64) (s Suspect, ok bool)

	// Odd tells how unlikely a game is to store v in that place, 0 for most values: a
	// float of 1e-40, a vector as a key, text with control characters. It decides
	// between changes with which all can be read.
	Odd(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value) int
}

// A Texter is a format whose texts have a length before them.
type Texter interface {
	// Relength gives what makes the text of v say that it is by bytes longer than it
	// says, or shorter, and what makes the padding behind it right then; ok is false
	// where v is no such text, or the bytes do not look like it.
	Relength(w *source.Window, parent, v *tree.Value, by int64) (s Suspect, padding source.Splice, ok bool)
}

// A Headed format has buffers that begin with fields which say how all is read.
type Headed interface {
	// HeadBytes are the bytes that such fields have.
	HeadBytes() []byte
}

package format

import (
	"context"
	"io"

	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// What a reading may be able to do besides what every one can. Each is found by a type
// assertion; where it is missing the tree has an answer of its own, or the command says
// that the format cannot do it.
type (
	Inspector     = tree.Inspector     // notices what is unusual about values that can be read
	Passer        = tree.Passer        // passes over many ordinary values quickly
	Stepper       = tree.Stepper       // has steps of paths of its own
	LiteralWriter = tree.LiteralWriter // has a notation of its own for values
	JSONWriter    = tree.JSONWriter    // has a JSON form of its own
	TypeWriter    = tree.TypeWriter    // says more of a type than its name
	EngineModel   = tree.EngineModel   // knows what the engine does about depth and missing bytes
	Footer        = tree.Footer        // has fields behind the children of values
	Keyed         = tree.Keyed         // refuses keys that repeat
	Remedier      = tree.Remedier      // knows what puts missing or surplus bytes right
	Learner       = tree.Learner       // learns while it reads
	Resyncer      = tree.Resyncer      // finds where reading resumes after an unreadable value

	Editor   = edit.Editor   // values can be changed
	Repairer = edit.Repairer // problems can be put right

	Suspecter = diagnose.Suspecter // names the fields that could be the cause of problems
	Texter    = diagnose.Texter    // has texts with a length before them
	Headed    = diagnose.Headed    // begins with fields that say how all is read
)

// A MemberNamer names children of a tree.Sequence that have no name in the bytes: a
// schema gives it.
type MemberNamer interface {
	// MemberName is the name of the i-th child of parent, nil if it has none.
	MemberName(parent *tree.Value, i int64) []byte
}

// A Declarer has bytes in the file that say how all of it is read. Where an edit
// changes them, the file has to be opened again.
type Declarer interface {
	// Declares returns where these bytes are in a buffer with its values in region.
	Declares(region span.Span) span.Span
}

// A TypedWriter has a JSON form besides its usual one, in which no detail of the
// encoding is lost.
type TypedWriter interface {
	// WriteTyped writes the value in that form.
	WriteTyped(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error
}

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
	Describer     = tree.Describer     // knows what values mean, for the tree's own paths, literals and JSON
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

// An Importer is a family that writes the bytes of values given as JSON.
type Importer interface {
	// Import reads values as JSON, in the form that the family exports, and writes the
	// bytes of them. An error says where in the JSON it was met.
	Import(ctx context.Context, in io.Reader, out io.Writer, r *ImportRequest) error

	// DeclaredIn returns the dialect that values say they are of at the beginning of
	// their JSON, "" where they do not.
	DeclaredIn(head []byte) string
}

// An ImportRequest says what values are written as.
type ImportRequest struct {
	Request
	BigEndian bool // frame lengths are big-endian
}

// A Converter is a family whose dialects are converted into one another.
type Converter interface {
	// Convert writes the values that r reads in another dialect. An error names the
	// value that the dialect cannot express.
	Convert(ctx context.Context, r *tree.Reader, dialect string, out io.Writer) error
}

// A SchemaReader is a family whose structs are laid out by schemas in a game's sources.
type SchemaReader interface {
	// FindSchemas names the files and folders that may hold the schemas of a save.
	FindSchemas(save string) []string

	// ReadSchemas reads schemas. What can be read is returned together with an error
	// that says what cannot.
	ReadSchemas(paths []string) (Schemas, error)
}

// A CodeLister is a family with problems of its own.
type CodeLister interface {
	// Codes describes the problems that only this family has.
	Codes() []span.Code
}

// A HeaderJudge is a family with problems that concern only what a file says of its
// dialect: they do not speak against reading the content as another one.
type HeaderJudge interface {
	IsHeaderProblem(code string) bool
}

// A Hastener is a format that can be read with less care where only the beginning of a
// region is looked at.
type Hastener interface {
	Hasty() Format
}

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

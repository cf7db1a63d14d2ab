package format

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// An Importer is a family that encodes values given as JSON.
type Importer interface {
	// Import reads values as JSON, in the form that the family exports, or in another form that the request
	// names, and writes their bytes. An error contains its place in the text.
	Import(ctx context.Context, in io.Reader, out io.Writer, r *ImportRequest) error

	// DeclaredIn returns the dialect that values declare at the beginning of their JSON; "" if they do not.
	DeclaredIn(head []byte) string
}

// An ImportRequest says how values are to be written.
type ImportRequest struct {
	Request
	BigEndian bool // frame lengths are big-endian
	Form      Form // form of the text
}

// A Form is the form of a text that is imported.
type Form uint8

// The forms.
const (
	Exported Form = iota // the JSON that the family exports
	Plain                // any JSON: strings are text, objects have keys that are text
	Literals             // literals, one after the other
)

// A Converter is a family whose dialects are converted into one another.
type Converter interface {
	// Convert writes the values of r as the request asks. An error names the value that
	// cannot be written, or is a *LossError.
	Convert(ctx context.Context, r *tree.Reader, q *ConvertRequest, out io.Writer) error
}

// A SchemaReader is a family whose structs are laid out by schemas in a game's sources.
type SchemaReader interface {
	// FindSchemas returns the files and folders that may contain the schemas of a save.
	FindSchemas(save string) []string

	// ReadSchemas reads schemas. It returns what can be read, together with an error
	// about what cannot.
	ReadSchemas(paths []string) (Schemas, error)
}

// A DescriptionReader is a family whose formats users describe in files.
type DescriptionReader interface {
	// ReadDescription reads a description. Its imports are looked for in its folder and in the given ones.
	// An error contains the file and the line.
	ReadDescription(file string, dirs []string, embed Embedder) (Format, error)

	// Descriptions reads the descriptions in a folder, as far as they can be read, and reports why others
	// cannot.
	Descriptions(folder string, embed Embedder, report func(error)) []Format

	// FindDescription looks for the description of a file that begins with the given bytes among those of
	// folders, as Descriptions returns them; nil if there is none. The error says why none is taken, although
	// there are some for such files.
	FindDescription(file string, start []byte, folders [][]Format, embed Embedder) (Format, error)

	// KnownDescriptions returns the names and titles of the descriptions that come with the program. FindDescription returns
	// one of them for files that begin like theirs.
	KnownDescriptions() (names, titles []string)

	// CheckDescription returns all that is wrong with a description, in the order of its lines, found without any
	// data. The error says that the file cannot be read.
	CheckDescription(file string, dirs []string) ([]*DescriptionProblem, error)
}

// A DescriptionProblem is what is wrong with a description.
type DescriptionProblem struct {
	File   string
	Line   int    // from 1; 0 for none
	Column int    // in bytes, from 1; 0 for none
	Text   string // what is wrong, with a suggestion where there is one
	Source string // the line; "" if it is not known
}

// Error names the file, the line and the column.
func (p *DescriptionProblem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Text)
}

// Mark returns the line and, on a second one, a mark below the column; "" if the line is not known.
func (p *DescriptionProblem) Mark() string {
	if p.Source == "" {
		return ""
	}
	blank := func(r rune) rune {
		if r != '\t' {
			r = ' '
		}
		return r
	}
	before := p.Source[:min(max(p.Column-1, 0), len(p.Source))]
	return p.Source + "\n" + strings.Map(blank, before) + "^"
}

// A Custom format is one that a file describes.
type Custom interface {
	// Files returns the paths of the files of the description, its own first; nil if it comes with the program.
	Files() []string

	// Reread reads the description as it is now.
	Reread() (Format, error)

	// Check returns all that is wrong with the description as it is now, as CheckDescription does.
	Check() ([]*DescriptionProblem, error)

	// CanRead reports whether the format reads the whole file, if it is used only then.
	CanRead(src source.Source) bool

	// Fit returns what holds in all of some files of the format, which the description does not say yet, in the order of
	// its fields. Problems has why some of the files do not count, by their index.
	Fit(ctx context.Context, files []Region) (found []Fit, problems map[int]error, err error)

	// WithField returns the text of the description with a field for some bytes of what it reads, which are in a region of
	// a buffer; if its type has a size and cursor is not negative, for as many bytes there. Its type may be "", for the one
	// that the bytes look like. The description is not changed on disk. An error says why it would not read just these
	// bytes as the field.
	WithField(src source.Source, region, at span.Span, cursor int64, name, typ string) ([]byte, error)
}

// A Region is a part of a buffer.
type Region struct {
	Src source.Source
	At  span.Span
}

// A Fit is what holds in all files.
type Fit struct {
	Path string // of the field; "" for the file
	Says string // "is 2 in all files"
	Ksy  string // the line of a description that says so; "" for none
}

// A NameReader is a family whose values have names that users give them in files, or that games are known for.
type NameReader interface {
	// ReadNames reads the names for the values of a file. It looks for them in folders, in this order. An error contains
	// the file and the line.
	ReadNames(file string, folders []string) (Names, error)
}

// Names are those of the values of a file.
type Names struct {
	List  []string // by index, "" for a value without one
	Least int      // a file with fewer values has other ones
}

// An Embedder opens a value of a type that a description does not define but a family reads. The value
// begins where region does and, if isWhole, takes all of it. The tree is nil if no family has the type. pack
// is not nil where the tree is that of unpacked bytes: it returns those from which others would be unpacked.
type Embedder func(typ string, src source.Source, region span.Span, isWhole bool) (t *tree.Tree, pack func(plain []byte) []byte)

// A CodeLister is a family with problems of its own.
type CodeLister interface {
	// Codes describes the problems that only this family has.
	Codes() []span.Code
}

// A HeaderJudge is a family with problems that concern only how a file declares its dialect, and do not
// contradict reading the content in another one.
type HeaderJudge interface {
	IsHeaderProblem(code string) bool
}

// A PrefixReader is a format with a faster, less careful reading for the beginning of a
// region.
type PrefixReader interface {
	ForPrefix() Format
}

// A MemberNamer names children of a tree.Sequence that have no name in the bytes: a
// schema gives it.
type MemberNamer interface {
	// MemberName returns the name of the i-th child of parent; nil if it has none.
	MemberName(parent *tree.Value, i int64) []byte
}

// A Declarer has bytes in the file that determine how all of it is read. If an edit changes them, the file
// has to be opened again.
type Declarer interface {
	// Declares returns the span of these bytes in a buffer with its values in region.
	Declares(region span.Span) span.Span
}

// An Auditor knows which scripts loading a file would run.
type Auditor interface {
	// Script returns the script, or other file, that a problem with the code span.RunsCode or span.LoadsFile is
	// about. n is the value or key for which the problem was reported, at is its span.
	Script(r *tree.Reader, n *tree.Node, at span.Span) Script
}

// A Scout is a family that finds values in bytes and texts which would create objects or run code if a game
// decoded them, wherever they begin.
type Scout interface {
	// ScoutBytes calls found with each offset at which such a value may begin, and the dialect. Only
	// reading from there on tells whether it is one; few are.
	ScoutBytes(b []byte, found func(at int, dialect string))

	// ScoutText returns what parsing a text as a value would create or run, in order. spend takes the
	// number of bytes read, and reports whether more may be read.
	ScoutText(text []byte, spend func(int) bool) []Hazard
}

// A Hazard is what decoding a text does.
type Hazard struct {
	What   string // "script res://x.gd", "Node"
	Code   Code   // NoCode if it only creates an object
	IsFile bool   // it is what the whole text does as a file of its own
}

// A TypedWriter has a JSON form besides its usual one, in which no detail of the encoding is lost.
type TypedWriter interface {
	// WriteTyped writes the value in that form.
	WriteTyped(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error
}

// ErrNoLiteral begins errors that say what of a value no literal carries.
var ErrNoLiteral = errors.New("no text carries")

// A Speller has values of which a literal does not say how they are written, such as whether a text is in quotes: only
// a copy is written in the same way.
type Speller interface{ SpellsByCopy() bool }

// A StoredWriter has literals that say more of how a value is stored than those that users type.
type StoredWriter interface {
	// WriteStored writes the whole value as WriteText does, but so that it is stored in the same way where the literal is
	// put in. The error is an ErrNoLiteral if none carries that.
	WriteStored(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error
}

// A Linked reading has values that refer to others. A literal can refer only to what is already in the
// file.
type Linked interface {
	// WriteLinked writes the whole value as a StoredWriter does, but each reference as one to the path that link
	// returns for the number of its target; as an empty value where it returns "".
	WriteLinked(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value, link func(serial uint32) (path string)) error
}

// A Follower has values that follow from others, such as counts and offsets: an edit of these keeps them, and
// what is merged or patched is not they.
type Follower interface {
	Follows(r *tree.Reader, n *tree.Node) bool
}

// A Locator has values that say where others are: these follow from where the others have moved to, but another
// position may also lead to something else.
type Locator interface {
	// Located returns the names of the values beside n whose position it is.
	Located(n *tree.Node) []string
	// IsLed reports whether n is a value of another one that leads to it: it comes and goes with that one.
	IsLed(n *tree.Node) bool
}

// An Unpacker is a reading with values whose bytes are packed in those of the buffer, or of which only their bytes are known.
type Unpacker interface {
	// Unknown returns the number of bytes in fields that say no more than that they are unknown.
	Unknown() int64

	// IsPacked reports whether v is in bytes that are unpacked from a value around it.
	IsPacked(v *tree.Value) bool

	// Unpacked returns the bytes that v is in or that are unpacked from it; ok is false if v has its bytes in the buffer.
	Unpacked(v *tree.Value) (u Unpacked, ok bool)
}

// Unpacked is what is unpacked from a value.
type Unpacked struct {
	Path string    // of that value
	Data []byte    // what is unpacked
	By   Format    // that reads this
	At   span.Span // bytes of it that were asked for; empty for all
}

// A Binder has containers whose children cannot be inserted, deleted or moved for themselves: the columns of a
// table, of which all get or lose a row.
type Binder interface {
	// Bound returns the value whose content changes as a whole if the children of n do; nil if there is none.
	Bound(n *tree.Node) *tree.Node
}

// A Lister has records, such as the messages of a capture, which are listed, a row each, in the order in which they
// were made. Queries ask for them by named texts.
type Lister interface {
	// TextNames returns the names of the texts.
	TextNames() []TextName

	// Texts returns the texts of a value with a name; nil if it has none.
	Texts(w *source.Window, v *tree.Value, name string) []string

	// Listing describes the list.
	Listing() Listing

	// Record returns the record of a value; nil if it is not a record. It is valid until done is called.
	Record(w *source.Window, v *tree.Value) (record Record, done func())
}

// A Linker has values that refer to others in their buffer, which are searched for only when they are
// followed.
type Linker interface {
	// Link describes the target of a value: "the message that gives the id its path"; "" if it has none.
	Link(r *tree.Reader, n *tree.Node) string

	// Follow returns the target of a value; nil if it is not in the buffer. r has no budget.
	Follow(ctx context.Context, r *tree.Reader, n *tree.Node) (*tree.Node, error)
}

// A Holder is the reading of a wrapper in whose tree are values that the wrapper holds, besides its own
// parts: the messages of a capture in their packets.
type Holder interface {
	IsHeld(v *tree.Value) bool
}

// A Carrier has content that a buffer around it or inside it has as well: a capture has the packets in
// which its messages came.
type Carrier interface {
	// Piece returns the content that a value is or belongs to; ok is false if there is none.
	Piece(r *tree.Reader, n *tree.Node) (p Piece, ok bool)

	// Find returns the value with the content of a piece of the other buffer; nil if there is none. r has
	// no budget.
	Find(ctx context.Context, r *tree.Reader, p Piece) (*tree.Node, error)
}

// A Starter has a value other than the first that people look for.
type Starter interface {
	// Start returns its path; "" if there is none.
	Start() string
}

// A Piece is some content or a part of it: a record of a Lister, for example.
type Piece struct {
	Record int64       // number of the record, from 1
	Steps  []tree.Slot // steps from the record to the value
	IsNear bool        // the value is not in the record, which is the nearest one
}

// Descend returns the value of the piece in the tree of the record. If the trees differ, that is the last
// value on the way there.
func (p *Piece) Descend(r *tree.Reader, record *tree.Node) (*tree.Node, error) {
	n := record
	for _, s := range p.Steps {
		c, err := r.Child(n, s.Index)
		if errors.Is(err, tree.ErrNoChild) {
			break
		}
		if err != nil {
			return nil, err
		}
		if n = c; s.Key {
			n = r.Key(c)
		}
	}
	return n, nil
}

// StepsTo returns the steps to a value from one that it is or is in.
func StepsTo(n, from *tree.Node) (steps []tree.Slot) {
	for ; n != from; n = n.Parent {
		steps = append(steps, n.Slot)
	}
	slices.Reverse(steps)
	return steps
}

// A Written reading says other things of a file where the engine that has written it is known.
type Written interface{ SetEngine(name string) }

package tree

import (
	"context"
	"io"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// A Reading knows the layout of the values in one buffer. What it learns while it reads, if anything, is
// about that buffer. Several goroutines may use it.
//
// A format must have only these methods. It declares what else it can do by implementing the interfaces
// below; the tree has a default for each that is missing.
type Reading interface {
	// Root describes the buffer as a whole; its values are in region.
	Root(size int64, region span.Span) Value

	// Read fills v with the value at off, which is the child slot of parent. It does not
	// read children of v. A value that cannot be read is broken (Value.Break).
	Read(w *source.Window, parent *Value, slot Slot, off int64, v *Value)

	// Fields appends the fields of v itself: those before its children, or all if it has
	// none. A gap at its end is left out.
	Fields(w *source.Window, parent, v *Value, fields []span.Field) []span.Field

	// AppendField appends the decoded content of one of v's fields.
	AppendField(dst []byte, w *source.Window, v *Value, f span.Field) []byte

	// TypeName returns the engine's name for the type of v.
	TypeName(v *Value) string
}

// An Inspector finds problems of values that can be read.
type Inspector interface {
	// Inspect reports the problems of v other than Damage, without a path. For the buffer itself, parent is
	// nil.
	Inspect(w *source.Window, parent *Value, slot Slot, v *Value, report func(span.Problem))
}

// A Passer passes over many values at once.
type Passer interface {
	// Pass advances s over children of parent. They and everything in them must be ordinary: Inspect would
	// report nothing for them. If only sizes matter (SizesOnly), they must be values that Read would read
	// without damage. Pass may stop before any child; in Pairs only before a key.
	Pass(w *source.Window, parent *Value, s *Stretch)
}

// A Describer knows the meaning of its values, so that the tree can write them as steps of paths, literals
// and JSON. Without it they are bytes.
type Describer interface {
	// Describe returns the meaning of v, which is not damaged and has no children.
	Describe(w *source.Window, v *Value) Scalar
}

// A Placed reading may know, before anything is read, where some of its values begin.
type Placed interface {
	// Places returns a child of the buffer, with its offset, and where its children 0, every, 2*every … begin; none if that
	// is not known.
	Places() (in Slot, at, every int64, begin []int64)

	// Unplaced returns a reading that knows nothing before it has read it, for the bytes after an edit.
	Unplaced() Reading
}

// A Texter is a Describer that tells by what it has read of a value whether its meaning may be text.
type Texter interface{ MayBeText(v *Value) bool }

// A Stepper has path steps other than .name, ["any text"] and [3].
type Stepper interface {
	// AppendStep appends the path step from parent to its child slot. key is the child's
	// key if parent has Pairs, otherwise nil.
	AppendStep(dst []byte, r *Reader, parent *Value, slot Slot, key *Value) []byte
}

// An Owner lists fields under other paths than those of the values that they are in.
type Owner interface {
	// Owner returns how many levels around v the value is that owns the fields of v. around returns the
	// value n levels around v; nil if there is none.
	Owner(v *Value, around func(n int) *Value) (up int)

	// AppendOwner appends the path under which the fields of the value at a path are listed.
	AppendOwner(dst, path []byte) []byte
}

// A Shortcutter has values with shorter paths than those that AppendStep gives.
type Shortcutter interface {
	// Shortcut returns the steps of the path from v that rest abbreviates, or rest itself.
	Shortcut(v *Value, rest string) string
}

// A Parter is a Describer with values whose text or bytes have parts: of Fixed layout, and Opaque.
type Parter interface {
	// PartName returns the name of the i-th part of v; "" if parts are numbered.
	PartName(w *source.Window, v *Value, i int64) string

	// PartForm returns how a value is drawn that has parts, or whose children have parts.
	PartForm(w *source.Window, v *Value) Form
}

// A LiteralWriter has its own notation for values.
type LiteralWriter interface {
	// AppendLiteral appends the value in the notation that users type. Content that
	// exceeds limit bytes or is nested too deeply is replaced by "…".
	AppendLiteral(dst []byte, r *Reader, v *Value, limit int) []byte

	// WriteText writes the whole value in the notation that users type.
	WriteText(ctx context.Context, out io.Writer, r *Reader, v *Value) error
}

// A Titler has values with children whose literal is a title: it says what they are and is shown in place
// of the number of children.
type Titler interface {
	HasTitle(v *Value) bool
}

// A LineWriter writes the values of a buffer on separate lines, not as one value.
type LineWriter interface {
	// WriteLines writes all values of the buffer in the notation that users type, each on its own line.
	WriteLines(ctx context.Context, out io.Writer, r *Reader) error
}

// A JSONWriter has its own JSON form for values.
type JSONWriter interface {
	// WriteJSON writes the value in the format's JSON form.
	WriteJSON(ctx context.Context, out io.Writer, r *Reader, v *Value) error
}

// A Marker has values whose children end at a mark, such as brackets in text: the number of children is
// known only once they are passed.
type Marker interface {
	// HasChild reports whether the child slot of a Marked value begins at off. If it does not, no other
	// child follows.
	HasChild(w *source.Window, v *Value, slot Slot, off int64) bool
}

// A Membered reading has values whose type counts in JSON: they are objects with their type.
type Membered interface {
	// AppendMembers appends the members between the type of v and its value or children:
	// `"id":403,`. It reports whether v is such an object.
	AppendMembers(dst []byte, w *source.Window, v *Value) ([]byte, bool)

	// IsZipped reports whether v has two children, with the keys and the values of pairs.
	IsZipped(w *source.Window, v *Value) bool
}

// A TypeWriter has a longer name for types than TypeName.
type TypeWriter interface {
	// AppendType appends the type of v as users write it, with a container's element types: "Array[int]".
	AppendType(dst []byte, w *source.Window, v *Value) []byte
}

// Traits are what holds of all values of a reading.
type Traits struct {
	Levels   int    // levels of nesting that the engine follows; 0 if no limit is known
	TooDeep  string // its reaction to more levels
	Shortage string // its reaction to missing bytes; "" if that is not known

	// PassesSlowly says of a Passer that it reads each value, though it makes no events of them: that only sizes matter
	// saves it little.
	PassesSlowly bool

	// HeedsWants says of a Passer that it heeds Stretch.Wants, and passes no value that has parts with names.
	HeedsWants bool

	// LeavesGaps says that gaps among the fields are no problem: a description may leave bytes unread.
	LeavesGaps bool

	// IsJSON says that values are JSON already: all keys are text, and an object that looks like the form of another
	// value is just an object.
	IsJSON bool

	// OnlyText says that all scalars are text: numbers are those that texts spell.
	OnlyText bool

	// PlainJSON says of a JSONWriter that its JSON is plain: numbers, texts, lists and objects without types, and objects
	// for what JSON lacks, such as the name of an enum's value.
	PlainJSON bool

	// Records is the path of the list of the records, if that is not all that the buffer has.
	Records string
}

// A Traited reading has other Traits than zeros.
type Traited interface{ Traits() Traits }

// A Described reading follows a description, as of a user's own format. A value, such as a count or a switch, may
// determine how others are read and whether these are sound: edit.Options.Steers tells that an edit does.
type Described interface {
	// ChildAt returns the offset of the i-th child of v, a Sequence; ok is false if only reading on tells.
	ChildAt(v *Value, i int64) (off int64, ok bool)

	// Lead returns the value to which a path step leads from v, which has no children: one that lies elsewhere, is
	// computed, or is a part of v.
	Lead(v *Value, step string) (child Value, slot Slot, ok bool)

	// Choices returns the names that v may be set to; nil if there are none.
	Choices(v *Value) []string

	// Notes returns the documentation of a value, line by line.
	Notes(v *Value) []string

	// IsListed reports whether v only leads to a value that is a child of another one, and is found there by its name.
	IsListed(v *Value) bool
}

// A Speller is a reading of values with names, texts or numbers that are not in their bytes as they are: a name of an enum, a value that
// is computed or unpacked, a text in another encoding, the name of a property in a table of strings.
type Speller interface {
	// MaySpell reports whether such a name, text or number may match.
	MaySpell(matches func(text []byte) bool) bool

	// Spellings returns those of v; nil if there are none.
	Spellings(w *source.Window, v *Value) []string
}

// A Stretch is a run of values that Pass passes over. Pass advances Next and Pos, appends to Contents, and
// adds to Keys and Tally. No value in it has a number.
type Stretch struct {
	Next      Slot    // the child that begins at Pos
	Pos       int64   // offset up to which values are passed
	Until     int64   // limit of Pos
	Enough    int64   // Pass ends after a child that ends here or later
	Levels    int     // most levels of nesting that may be passed at once
	SizesOnly bool    // problems are not wanted
	Keys      *KeySet // earlier keys of the parent, which must not repeat; nil if they may
	Tally     *Tally  // counts what is passed; nil if that is not wanted

	LeastContent int64     // smallest length of a text or of raw bytes for Contents; 0 if none are wanted
	Contents     []Content // texts and raw bytes that were passed

	// Wants, if set, reports whether the text of a key may be looked for: Pass ends before such a key, and before one that is no
	// text, or is spelled with escapes. It is set only for a reading with Traits.HeedsWants.
	Wants func(key []byte) bool

	Memory any // the reading's own, from one call of Pass to the next

	IsTooDeep bool // Pass ended because the next value has more levels
}

// A Content is the text or the raw bytes of a value.
type Content struct {
	At int64 // a byte of the value itself
	span.Span
}

// Checks reports whether values must be ordinary; otherwise only sizes matter.
func (s *Stretch) Checks() bool {
	return !s.SizesOnly || s.Tally != nil || s.LeastContent > 0 || s.Wants != nil
}

// Ahead returns the bytes of the stretch that w has in memory, all of a short one.
func (s *Stretch) Ahead(w *source.Window) []byte {
	const short = 4 << 10
	left := s.Until - s.Pos
	if left <= short { // as on the way to a value that is near
		return w.View(s.Pos, left)
	}
	b := w.Ahead(s.Pos)
	return b[:min(int64(len(b)), left)]
}

// A reference is a value at an offset that refers to a numbered value.
type reference struct {
	To uint32
	At int64
}

// A Footer has values with fields after their children.
type Footer interface {
	// ReadFoot returns the end of the fields of v that follow its children, which end at off. lost is set
	// if the children could not be read to their end: only the last bytes of v can then show whether the
	// fields exist. It sets v.Open if the bytes end before the mark of a Marked value. Problems of these
	// fields, and of bytes after them, go to report if it is set. The tree itself reports the bytes after
	// the end of a fenced value without such fields, unless ReadFoot has (as span.TrailingBytes).
	ReadFoot(w *source.Window, v *Value, off int64, lost bool, report func(span.Problem)) int64

	// FootFields appends these fields, which are in [v.Foot, v.Tail).
	FootFields(w *source.Window, v *Value, fields []span.Field) []span.Field
}

// A Remedier knows the repairs of problems that are reported without one: those that the tree itself finds,
// such as missing or surplus bytes, and the damage of values.
type Remedier interface {
	// Remedy describes the repair of a problem of v, a child of parent; "" if there is none. The buffer
	// itself has no parent.
	Remedy(parent, v *Value, p *span.Problem) string
}

// A Keyed reading has Pairs values in which no two keys should be equal.
type Keyed interface {
	// KeyIdentity returns what equal keys have in common, of the bytes b of a key: for most b itself.
	KeyIdentity(key *Value, b []byte) []byte

	// RepeatedKey returns the problem of a key that repeats an earlier one.
	RepeatedKey(w *source.Window, key *Value) span.Problem
}

// A Reopener is a Reading that must be replaced when the bytes are edited: what it keeps of values is about
// the old bytes.
type Reopener interface {
	// Reopen returns a reading of the region of src, which holds the bytes after an edit, whose splices are in order.
	Reopen(src source.Source, region span.Span, splices []source.Splice) Reading
}

// A Twin is a Reading whose values depend on more than their own bytes.
type Twin interface {
	// ReadsAs reports whether another reading of the same format reads equal bytes as the same values.
	ReadsAs(other Reading) bool
}

// A Dependent is a Twin in which that holds only inside some values.
type Dependent interface {
	// AreAlike reports whether the children of two values, of this reading and of another one, are read in the same way
	// wherever their bytes are equal.
	AreAlike(a, b *Value) bool
}

// A Learner is a Reading that learns while it reads.
type Learner interface {
	Reading

	// Edited returns a reading of the region of src, which holds the bytes after an edit.
	// This reading has learnt nothing yet.
	Edited(src source.Source, region span.Span) Learner

	// Adopt copies what was, the reading of the bytes before the edit, has learnt about a part of them,
	// which has moved by the given number of bytes, and about the values with the numbers [from, to).
	Adopt(was Reading, part span.Span, by int64, from, to uint32)

	// Agrees reports whether both readings have learnt the same about the bytes before an offset, as far as
	// it affects how later bytes are read.
	Agrees(was Reading, wasAt, at int64) bool

	// Alike reports whether the children of two values are read in the same way, although
	// the values differ in their leading fields, or the children in their slots.
	Alike(was, is *Value) bool

	// Note records a value that has a number, Value.Serial, when a scanner passes it.
	Note(v *Value)

	// Kind returns the kind of the value last found with a number; 0 if it is not known.
	Kind(serial uint32) uint32
}

// A Resyncer finds where reading resumes after an unreadable value. Read breaks such a
// value with the code span.MissingSchema, or another code if it is damaged.
type Resyncer interface {
	// Fork returns a reading for a trial. It knows what this one has learnt before an offset; what the fork
	// learns stays in it. A strict fork also reports what is rare in real files.
	Fork(before int64, strict bool) Reading

	// IsPlausibleStart reports, by the first bytes alone, whether the child slot of parent could begin at
	// off, after unreadable bytes that begin at lost.
	IsPlausibleStart(w *source.Window, parent *Value, slot Slot, off, lost int64) bool

	// AcceptsAmbiguous reports whether reading resumes at the first of several possible
	// places; otherwise it resumes only where there is exactly one.
	AcceptsAmbiguous() bool

	// Resynced records that a reading resumed at end after unreadable bytes that begin at
	// lost.
	Resynced(lost, end int64)
}

// capabilities are the optional interfaces of a reading, looked up once for each tree; nil if the reading
// does not implement one.
type capabilities struct {
	Traits

	inspector Inspector
	passer    Passer
	describer Describer
	texter    Texter
	parter    Parter
	looker    Looker
	meaner    Meaner
	bounder   Bounder
	stepper   Stepper
	shortcuts Shortcutter
	literals  LiteralWriter
	lines     LineWriter
	json      JSONWriter
	members   Membered
	types     TypeWriter
	footer    Footer
	marker    Marker
	remedier  Remedier
	keyed     Keyed
	resyncer  Resyncer
	learner   Learner
}

func capabilitiesOf(f Reading) *capabilities {
	c := new(capabilities)
	c.lookUp(f)
	return c
}

// lookUp sets the capabilities to those of f.
func (c *capabilities) lookUp(f Reading) {
	c.inspector, _ = f.(Inspector)
	c.passer, _ = f.(Passer)
	c.describer, _ = f.(Describer)
	c.texter, _ = f.(Texter)
	c.parter, _ = f.(Parter)
	c.looker, _ = f.(Looker)
	c.meaner, _ = f.(Meaner)
	c.bounder, _ = f.(Bounder)
	c.stepper, _ = f.(Stepper)
	c.shortcuts, _ = f.(Shortcutter)
	c.literals, _ = f.(LiteralWriter)
	c.lines, _ = f.(LineWriter)
	c.json, _ = f.(JSONWriter)
	c.members, _ = f.(Membered)
	c.types, _ = f.(TypeWriter)
	c.footer, _ = f.(Footer)
	c.marker, _ = f.(Marker)
	c.remedier, _ = f.(Remedier)
	c.keyed, _ = f.(Keyed)
	c.resyncer, _ = f.(Resyncer)
	c.learner, _ = f.(Learner)
	c.Traits = Traits{}
	if t, ok := f.(Traited); ok {
		c.Traits = t.Traits()
	}
}

// AppendStep appends the path step from parent to its child slot. key is the child's key if
// parent has Pairs, otherwise nil.
func (r *Reader) AppendStep(dst []byte, parent *Value, slot Slot, key *Value) []byte {
	if s := r.Tree.can.stepper; s != nil {
		return s.AppendStep(dst, r, parent, slot, key)
	}
	return r.appendPlainStep(dst, parent, slot, key)
}

// AppendLiteral appends a value in the notation that users type. Content that exceeds
// limit bytes or is nested too deeply is replaced by "…".
func (r *Reader) AppendLiteral(dst []byte, v *Value, limit int) []byte {
	if l := r.Tree.can.literals; l != nil {
		return l.AppendLiteral(dst, r, v, limit)
	}
	return r.appendPlainLiteral(dst, v, limit)
}

// WriteText writes a whole value in the notation that users type.
func (r *Reader) WriteText(ctx context.Context, out io.Writer, v *Value) error {
	if l := r.Tree.can.literals; l != nil {
		return l.WriteText(ctx, out, r, v)
	}
	return r.writePlainText(ctx, out, v, false)
}

// WriteExact writes a value as WriteText does, but a number that the file has as a text as that text, so that it is
// stored in the same way where the literal is put in.
func (r *Reader) WriteExact(ctx context.Context, out io.Writer, v *Value) error {
	if r.Tree.can.literals != nil {
		return r.WriteText(ctx, out, v)
	}
	return r.writePlainText(ctx, out, v, true)
}

// WriteLines writes all values of the buffer in the notation that users type, each on its own line if there
// can be several.
func (r *Reader) WriteLines(ctx context.Context, out io.Writer) error {
	if l := r.Tree.can.lines; l != nil {
		return l.WriteLines(ctx, out, r)
	}
	return r.WriteText(ctx, out, &r.Tree.Base.Value)
}

// WriteJSON writes a value in the JSON form of its format.
func (r *Reader) WriteJSON(ctx context.Context, out io.Writer, v *Value) error {
	if j := r.Tree.can.json; j != nil {
		return j.WriteJSON(ctx, out, r, v)
	}
	return r.writePlainJSON(ctx, out, v)
}

// AppendType appends the type of a value as users write it, with a container's element
// types: "Array[int]".
func (t *Tree) AppendType(dst []byte, w *source.Window, v *Value) []byte {
	if x := t.can.types; x != nil {
		return x.AppendType(dst, w, v)
	}
	return append(dst, t.Reading.TypeName(v)...)
}

// inspect reports the problems of a value other than its damage.
func (c *capabilities) inspect(w *source.Window, parent *Value, slot Slot, v *Value, report func(span.Problem)) {
	if c.inspector != nil {
		c.inspector.Inspect(w, parent, slot, v, report)
	}
}

// Inspect reports the problems of a value other than its damage.
func (t *Tree) Inspect(w *source.Window, parent *Value, slot Slot, v *Value, report func(span.Problem)) {
	t.can.inspect(w, parent, slot, v, report)
}

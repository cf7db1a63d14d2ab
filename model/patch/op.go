package patch

// MaxLiteral is the length in bytes up to which a value is edited, copied and
// noted as text.
const MaxLiteral = 1 << 20

// Kind says what an Op does.
type Kind uint8

// String is the word that the operation begins with in a patch.
func (k Kind) String() string { return opNames[k] }

// The kinds of operations.
const (
	Set Kind = iota
	Insert
	Delete
	Move
	Bytes
)

// An Op is one edit in words that hold for other files too: paths and literals.
type Op struct {
	Kind    Kind
	Path    string // of the value before; of an inserted one after
	NewPath string // of the value after, where that differs
	Key     string // of an inserted or deleted one: the literal of its key, "" without
	Index   int64  // which child it is, or was before
	To      int64  // of a moved one: which child it is afterwards
	Old     string // literal before; of bytes in hexadecimal digits
	New     string // literal after, alike

	Buffer int   // of bytes
	Offset int64 // of bytes
	Long   bool  // a literal is too long to be kept
}

// inverse is the op that takes another one back.
func (o Op) inverse() Op {
	o.Old, o.New = o.New, o.Old
	switch o.Kind {
	case Insert:
		o.Kind = Delete
	case Delete:
		o.Kind = Insert
	case Move:
		o.Index, o.To = o.To, o.Index
	}
	if o.NewPath != "" {
		o.Path, o.NewPath = o.NewPath, o.Path
	}
	return o
}

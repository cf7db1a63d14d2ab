package patch

// MaxLiteral is the length in bytes up to which a value is edited, copied and recorded as text.
const MaxLiteral = 1 << 20

// Kind says what an Op does.
type Kind uint8

// String returns the word with which the operation begins in a patch.
func (k Kind) String() string { return opNames[k] }

// The kinds of operations.
const (
	Set Kind = iota
	Insert
	Delete
	Move
	Bytes
	Sum // states which bytes the buffer has at this point of the patch
)

// An Op is one edit in terms that also apply to other files: paths and literals.
type Op struct {
	Kind    Kind
	Path    string // path of the value before the edit; of an inserted one after it; of Sum, what SumOf returns
	NewPath string // path of the value after the edit, if it differs
	Key     string // literal of the key of an inserted or deleted value; "" if it has none
	Index   int64  // index of the child, or its index before the edit
	To      int64  // index of a moved child after the edit
	Old     string // literal before, also of what is moved; of bytes, hexadecimal digits
	New     string // literal after; of bytes, hexadecimal digits

	In string // what identifies the list elements around the value: lines of the path of an id, a tab, and its literal

	// Before and After are what comes before and after an element of a list that is inserted or deleted, without it: the path in it of
	// what identifies it, or "_", a tab, and its literal; AtEnd if nothing comes after it; "" if that is not known.
	Before, After string

	Buffer int   // for bytes
	Offset int64 // for bytes
	Long   bool  // a literal is too long to be kept
}

// AtEnd is Op.After of the last element of a list.
const AtEnd = "end"

// inverse returns the op that undoes o.
func (o Op) inverse() Op {
	o.Old, o.New = o.New, o.Old
	switch o.Kind {
	case Insert:
		o.Kind = Delete
	case Delete:
		o.Kind = Insert
	case Move:
		o.Index, o.To = o.To, o.Index
		o.Old, o.New = o.New, o.Old // it stays what it is
	}
	if o.NewPath != "" {
		o.Path, o.NewPath = o.NewPath, o.Path
	}
	return o
}

package elephantref

// A Value is a node of the file's tree. A reference is a node of its own.
type Value struct {
	Type   Datatype
	Num    float64 // bool (0 or 1) and all numbers but u64
	Int    uint64  // u64, and the bits of an f16
	Text   string  // string and text, as the bytes are
	Array  *ArrayValue
	Struct *StructValue
	Ref    *RefValue

	parent *Value
	name   string // in a struct
	index  int    // in an array
	nth    int    // number of members with that name before it
}

// An ArrayValue is the content of an array.
type ArrayValue struct {
	ID    int    // reference number; -1 in 1.0.0
	Elem  string // from the element tag; "" if empty
	Elems []*Value
}

// A StructValue is the content of a struct.
type StructValue struct {
	ID          int     // reference number; -1 in 1.0.0
	Constructed bool    // has a constructor; if not, the next five are not set
	Constructor string  // its name
	Unresolved  bool    // no constructor has that name: 1.0.0 makes a plain struct of it
	Index       int     // constructor index; in 1.0.0 the tag
	Version     int     // schema version, 0 for none
	Verbose     bool    // members have names and tags
	Skipped     []int   // numbers of left-out members as in the file; nil where there is no such list
	Members     []Entry // in file order, repeated names included
}

// An Entry is a member of a struct.
type Entry struct {
	Name  string
	Value *Value
}

// A RefValue is the content of a reference.
type RefValue struct {
	Kind     Datatype // from the tag before it: Array or Struct
	Index    int
	Dangling bool   // nothing with that number begins before it: GameMaker reads undefined
	Target   *Value // nil if dangling
}

// A field is a span of the input with one meaning.
type field struct {
	offset, length int
	kind           string
	owner          *Value
	key            bool
}

package format

import (
	"time"

	"varview/decoder/engine/span"
)

// A Listing describes the list of a Lister's records.
type Listing struct {
	Name      string     // name of a record: "message"
	Path      string     // path of the value whose children are the records
	Columns   []Column   // columns of a row after its number and time; the last one takes the remaining width
	TextNames []TextName // names of texts that queries about the records can ask for
	Remarks   []Remark   // in the order in which they became known; those of a list that grows stay where they are
	RemarkAs  string     // name of a remark: "connection line"
}

// A Remark is a line of a list between the records, which says what happens to what carries them.
type Remark struct {
	Before  int64 // number of the record before which it stands
	When    time.Time
	Problem span.Problem // what it says, where in the buffer around; a note without a code if nothing is wrong
	Flow    string       // query for the records and remarks of the same flow; "" if it concerns none, or several
	Facts   Facts
}

// Facts are what queries about records ask for.
type Facts interface {
	// Texts returns the texts with a name, one of the TextNames; for "" all texts in which a term without a prefix is
	// searched for; for "[hp]" the values under this key in it, for "[]" all values.
	Texts(name string) []string

	// Content returns the bytes in which x: searches.
	Content() []byte

	// HasProblem reports whether has:problem matches.
	HasProblem() bool
}

// A TextName names texts that queries can ask for, and describes what they can be.
type TextName struct {
	Name  string
	Shape TextShape
	Words []string // all possible texts; nil if they are not of Shape AnyText, or can be anything
	Also  string   // a text that is not of the shape; "" for none
	List  bool     // the texts are a list, and name[0] is the first of them, name[0].hp a value in what it stands for
}

// A TextShape says how texts are written.
type TextShape uint8

// The shapes.
const (
	AnyText TextShape = iota
	Number            // an integer in decimal digits
	Address           // an IP address, or one with a port
)

// A Column is a column of a list.
type Column struct {
	Name  string
	Right bool // its texts are right-aligned
	Most  int  // largest width of the column
	Level int  // columns with a higher level are left out first if the window is narrow; level 0 is always shown
}

// A Record is a row of a list, and what queries about records ask for.
type Record interface {
	Facts

	// Cells returns the texts of the columns, the last one cut to about limit bytes. Control characters in
	// them are not escaped.
	Cells(limit int) []Cell

	// When returns when the record was made; it is zero if that is not known.
	When() time.Time

	// Deed returns what the record does; records are added up by it.
	Deed() Deed

	// Alike returns the query for the records that have something in common with this one; "" if this one
	// does not have it.
	Alike(with Common) string

	// Problem returns the worst problem of the record; nil if there is none.
	Problem() *span.Problem
}

// A Cell is the text of a column.
type Cell struct {
	Text  string
	Short string // shown where Text does not fit; if it is "", Text is cut instead
}

// A Deed is what a record does.
type Deed struct {
	Kind   string // "rpc"
	Method string // method that is called; "" if there is none
	Path   string // path of the node whose method is called
	Group  string // distinguishes nodes whose methods have the same name but differ
	Wire   int    // bytes that it takes with all that is around it
	Copy   Copy
}

// A Copy says which records may be copies of one another, because a server passes them on.
type Copy struct {
	Of      uint64 // equal for copies; 0 if the record has none
	To      string // receiver
	IsFirst bool   // the record is the original
}

// Common is what records may have in common.
type Common uint8

// What records have in common.
const (
	SameNode Common = iota
	SameMethod
	SamePeer
	SameDeed
	SameFlow
)

// Commons lists them all.
var Commons = [...]Common{SameNode, SameMethod, SamePeer, SameDeed, SameFlow}

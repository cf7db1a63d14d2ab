package format

import (
	"time"

	"varview/decoder/span"
)

// A Listing describes the list of a Lister's records.
type Listing struct {
	Name      string   // of a record: "message"
	Path      string   // of the value whose children are the records
	Columns   []Column // of a row after its number and time; the last one takes the room that is left
	TextNames []string // that a query about the records can ask for
}

// A Column is a column of a list.
type Column struct {
	Name  string
	Right bool // its texts are aligned at the right
	Most  int  // columns of the window that it takes at most
	Level int  // columns with a higher level are left out first where the window is narrow; 0 is always there
}

// A Record is a row of a list, and what queries about records ask for.
type Record interface {
	Texts(name string) []string
	Content() []byte
	HasProblem() bool

	// Cells returns the texts of the columns, the last one cut to about limit bytes. Control
	// characters in them are not escaped.
	Cells(limit int) []string

	// When returns when the record was made; it is zero where that is not known.
	When() time.Time

	// Deed returns what the record does, by which records are added up.
	Deed() Deed

	// Alike returns the query for the records that have something in common with this one,
	// "" where it has no such thing.
	Alike(with Common) string

	// Problem returns the worst problem of the record, nil if there is none.
	Problem() *span.Problem
}

// A Deed is what a record does.
type Deed struct {
	Kind   string // "rpc"
	Method string // that is called, "" for none
	Path   string // of the node that it is called on
	Group  string // tells apart nodes whose methods of the same name are different ones
}

// Common is what records have in common.
type Common uint8

// What records have in common.
const (
	SameNode Common = iota
	SameMethod
	SamePeer
	SameDeed
)

// Commons lists them all.
var Commons = [...]Common{SameNode, SameMethod, SamePeer, SameDeed}

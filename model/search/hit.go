package search

import (
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A Hit is what a search has found.
type Hit struct {
	span.Span
	// Node is the value that was found, or the value or key whose bytes contain the hit;
	// nil if bytes were searched for anywhere.
	Node *tree.Node
	// IsValue is set if the hit is the value itself: the value matches a query about
	// values, or has a name that is not in the bytes.
	IsValue bool
	Rank    Rank
}

// A Rank says how good a hit is, the best first.
type Rank uint8

// The ranks.
const (
	ExactKey   Rank = iota // all of a key or name is the text or number
	ExactValue             // all of a string is the text, or a number matches the comparison
	PartOfKey              // the text is a part of a key or name
	Other
)

// rankOf ranks what was found.
func rankOf(inKey, isAll bool) Rank {
	switch {
	case inKey && isAll:
		return ExactKey
	case isAll:
		return ExactValue
	case inKey:
		return PartOfKey
	}
	return Other
}

// valueHit returns the hit of a value: its bytes, or only the first one if its end is not
// known yet.
func valueHit(n *tree.Node, rank Rank) Hit {
	h := Hit{Span: span.Span{Offset: n.Start, Length: 1}, Node: n, IsValue: true, Rank: rank}
	if n.End != tree.Unknown {
		h.Span = span.Between(n.Start, n.End)
	}
	return h
}

package edit

import (
	"context"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A Repair is an edit that puts a problem right.
type Repair struct {
	Splices []source.Splice
	Drops   string // what can be read and is lost with it: `the first of two entries "hp"`; "" for nothing
}

// A Repairer is a format that can put its problems right.
type Repairer interface {
	// Repair puts a problem right that was reported of n with a sentence on its
	// Repair. n owns the first byte of the problem's span. The splices are those of
	// the problem and of every length, count and padding that depends on it; where
	// bytes are put in or taken away, also those of the frame around. The error says
	// in a sentence why that cannot be done here.
	Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (Repair, error)
}

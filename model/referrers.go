package model

import (
	"math"
	"slices"

	"varview/decoder/tree"
)

// NextReferrer goes to the next reference to the selected value; from a reference
// to the next one to the same target, behind the last to the first. It is the
// i-th of all; all is 0 where nothing refers to the value, as far as it has been
// read. Back returns to where the first step began.
func (x *Explorer) NextReferrer() (i, all int, err error) {
	from := x.row
	serial, ok := x.referredSerial()
	if !ok {
		return 0, 0, nil
	}
	at, all := x.Buffer.Tree().Referrers(serial, math.MaxInt)
	if all == 0 {
		return 0, 0, nil
	}
	slices.Sort(at)
	if from.Refers {
		if i, ok = slices.BinarySearch(at, from.Start); ok {
			i = (i + 1) % all
		}
		i %= all
	}
	return i + 1, all, x.do(func() error {
		to, err := x.read.At(at[i])
		if err == nil {
			err = x.goToValue(to)
		}
		if err == nil {
			if !from.Same(x.cycling) {
				x.remember(from)
			}
			x.cycling = to
		}
		return err
	})
}

// referredSerial is the number of the selected value, or the one that it refers
// to.
func (x *Explorer) referredSerial() (serial uint32, ok bool) {
	switch n := x.row; {
	case x.inBytes || n == nil:
		return 0, false
	case n.Refers:
		return n.Sub, true
	default:
		return n.Serial, n.Numbered && n.Serial != tree.NoSerial
	}
}

// IsReferred reports whether NextReferrer leads from the selected value to
// another: it is a target, or one of the references to one that are gone through.
func (x *Explorer) IsReferred() bool {
	n := x.row
	return !x.inBytes && n != nil && (x.isReferred(n) || n.Refers && n.Same(x.cycling))
}

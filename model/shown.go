package model

import (
	"context"
	"math"
	"strings"

	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

const (
	shownEach   = 50_000    // number of values after a repair that are counted
	shownAll    = 4_000_000 // the same for all repairs of a transaction
	shownPaths  = 20_000    // number of values among which those that are lost are looked for
	namedValues = 3         // number of lost values that are named
	shownBytes  = 40        // bytes of the literal of one
)

// nameShown sets the loss of a repair to the values that are shown now and would not be any more, unless a
// loss is known already. A value that a repair lets read differently is none; it is shown before and after.
func (t *Transaction) nameShown(ctx context.Context, f *diagnose.Diagnosis, r *edit.Repair) error {
	if r.Loss != "" || r.Intended || t.buffer.layer != nil || len(r.Splices) == 0 || f.Code != span.WrongCount && !removes(r.Splices) {
		return nil
	}
	splices, err := t.now.content.Minimal(append([]source.Splice(nil), r.Splices...))
	if err != nil || len(splices) == 0 {
		return err
	}
	if t.shown >= shownAll {
		r.Loss = "what may be values: too many repairs were looked at to tell"
		return nil
	}
	repaired := t.now.tree.Repaired(t.now.content.Splice(splices), splices)
	before := shownValues(ctx, t.now.tree, splices, math.MaxInt64, nil)
	after := shownValues(ctx, repaired, splices, source.Map(splices, before.end), nil)
	t.shown += before.events + after.events
	lost := before.count - after.count
	if lost <= 0 || ctx.Err() != nil {
		return ctx.Err()
	}
	r.Loss = span.Counted(lost, "value") + " shown now" + t.namesOfLost(ctx, repaired, splices, lost)
	return nil
}

// removes reports whether bytes are removed.
func removes(splices []source.Splice) bool {
	for i := range splices {
		if splices[i].Length > splices[i].Added() {
			return true
		}
	}
	return false
}

// A shown is what is shown after the place of a repair.
type shown struct {
	count, events, end int64
}

// shownValues counts the values without children that can be read, from the last known place before splices
// on: up to an offset, to a frame after the splices, or to the limit. each, if set, is called for each of
// them, until it returns false.
func shownValues(ctx context.Context, t *tree.Tree, splices []source.Splice, upTo int64, each func(*tree.Scanner, tree.Event) bool) (x shown) {
	last := splices[len(splices)-1].End()
	s := t.ScannerAt(t.PlaceBefore(splices[0].Offset))
	s.Run(ctx, func(ev tree.Event) bool {
		if upTo != math.MaxInt64 && s.Pos() > upTo {
			return false
		}
		v := s.Value()
		if x.end = s.Pos(); upTo == math.MaxInt64 && (x.events >= shownEach || v.Fenced && ev != tree.Leave && s.Depth() <= 2 && v.Start > last && v.Start > 0) {
			return false
		}
		x.events++
		if ev != tree.Atom || s.Slot().Key || v.Damage != nil {
			return true
		}
		x.count += max(1, v.Count)
		return each == nil || each(s, ev)
	})
	return x
}

// namesOfLost names the first values that are lost.
func (t *Transaction) namesOfLost(ctx context.Context, repaired *tree.Tree, splices []source.Splice, lost int64) string {
	kept, literals := map[string]bool{}, map[string]int{} // a value may be shown in another place
	paths := repaired.NewReader()
	shownValues(ctx, repaired, splices, math.MaxInt64, func(s *tree.Scanner, ev tree.Event) bool {
		n := s.Current(ev)
		kept[paths.Path(n)] = true
		literals[string(paths.AppendLiteral(nil, &n.Value, shownBytes))]++
		return len(kept) < shownPaths
	})
	var names []string
	now := t.now.tree.NewReader()
	shownValues(ctx, t.now.tree, splices, math.MaxInt64, func(s *tree.Scanner, ev tree.Event) bool {
		n := s.Current(ev)
		literal := string(now.AppendLiteral(nil, &n.Value, shownBytes))
		if literals[literal]--; literals[literal] < 0 && !kept[now.Path(n)] {
			names = append(names, now.Path(n)+" = "+literal)
		}
		return len(names) <= namedValues && int64(len(names)) < lost
	})
	if len(names) == 0 {
		return ""
	}
	if len(names) > namedValues {
		names[namedValues] = "…"
	}
	return ": " + strings.Join(names, ", ")
}

package repair

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/span"
	"varview/decoder/work"
	"varview/model"
)

// round repairs what can be at once, and notes what is left.
func (r *repairer) round(ctx context.Context, t *model.Transaction, list []diagnose.Diagnosis) (made int, err error) {
	r.rounds++
	before, left, handled := r.made, []leftover{}, map[*diagnose.Diagnosis]bool{}
	leave := func(f *diagnose.Diagnosis, why string) {
		left, handled[f] = append(left, leftover{model.BufferProblem{Buffer: t.Buffer(), Diagnosis: *f}, why}), true
	}
	end, err := r.choose(list)
	if err != nil {
		return 0, err
	}
	together := t.Buffer().Together(list[:end], func(f *diagnose.Diagnosis) bool {
		why := r.whyNot(f, t.Buffer().Number)
		if why != "" {
			leave(f, why)
		}
		return why == ""
	})
	err = t.RepairAll(ctx, together, func(f *diagnose.Diagnosis, repair edit.Repair, err error) bool {
		why := r.whyNotMade(&repair, err)
		if why != "" {
			leave(f, why)
			return false
		}
		r.note(&model.BufferProblem{Buffer: t.Buffer(), Diagnosis: *f}, repair.Loss)
		return true
	})
	if err != nil || r.made > before {
		return int(r.made - before), cmp.Or(err, r.printRound())
	}
	for i := range list {
		if f := &list[i]; !handled[f] {
			leave(f, whyWaiting(f))
			r.found = r.found || r.asksFor(f)
		}
	}
	slices.SortStableFunc(left, func(a, b leftover) int { return cmp.Compare(a.Offset, b.Offset) })
	r.rest = left
	return 0, nil
}

// whyWaiting says why nothing was tried.
func whyWaiting(f *diagnose.Diagnosis) string {
	if f.Repair == "" {
		return diagnose.ErrNoRepair.Error()
	}
	return "what precedes it has to be repaired first"
}

// leave notes what is left in a buffer.
func (r *repairer) leave(left []leftover) {
	for _, f := range left {
		r.counts[f.Severity]++
	}
	r.left = append(r.left, left...)
}

// choose puts the cause that is asked for in the place of the likeliest one. As
// many problems are returned as hold then: all up to it, or all.
func (r *repairer) choose(list []diagnose.Diagnosis) (n int, err error) {
	i := slices.IndexFunc(list, func(f diagnose.Diagnosis) bool { return len(f.Alternatives) > 0 && r.asksFor(&f) })
	if r.o.Choose == 1 || r.chosen || i < 0 {
		return len(list), nil
	}
	f := &list[i]
	if r.o.Choose > len(f.Alternatives)+1 {
		return 0, fmt.Errorf("--choose %d: the problem at %#x has %s", r.o.Choose, f.Offset, span.Counted(int64(len(f.Alternatives)+1), "cause"))
	}
	*f, r.chosen = f.Alternatives[r.o.Choose-2], true
	return i + 1, nil
}

// whyNot says why a problem is not to be repaired, "" if it is.
func (r *repairer) whyNot(f *diagnose.Diagnosis, buffer int) string {
	switch asked := r.asksFor(f); {
	case !asked && f.Guess && r.asksForAll():
		return "it may be right: --code " + f.Code + " asks for it"
	case !asked:
		return "it was not asked for"
	}
	r.found = true
	switch {
	case r.tried[trialOf(f, buffer)]:
		return "the repair did not help"
	case r.rounds > 1 && r.budget.IsSpent():
		return fmt.Sprintf("%s after %s; run repair again to continue", work.UsedUp, span.Counted(int64(r.rounds-1), "round"))
	}
	return ""
}

// whyNotMade says why a repair is not made, "" if it is.
func (r *repairer) whyNotMade(repair *edit.Repair, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case r.o.List:
		return "it can be repaired"
	case repair.Loss != "" && !r.o.Drop:
		return fmt.Sprintf("its repair drops %s, for which --drop is needed", repair.Loss)
	case r.o.At >= 0 && r.made > 0:
		return "another problem was repaired there"
	}
	return ""
}

// note adds a repair that is made.
func (r *repairer) note(f *model.BufferProblem, drops string) {
	r.tried[trialOf(&f.Diagnosis, f.Buffer.Number)] = true
	r.made++
	r.lines = append(r.lines, roundLine{f.Offset, r.appendMade(nil, f, drops)})
}

// asksForAll reports whether no problem is asked for by itself.
func (r *repairer) asksForAll() bool { return r.o.At < 0 && len(r.o.Codes) == 0 }

// asksFor reports whether a problem is to be repaired, if it can be.
func (r *repairer) asksFor(f *diagnose.Diagnosis) bool {
	switch {
	case r.o.At >= 0 && (r.made > 0 || f.Offset != r.o.At && !f.Contains(r.o.At)):
		return false
	case len(r.o.Codes) > 0:
		return slices.Contains(r.o.Codes, f.Code)
	}
	return r.o.At >= 0 || r.o.List || f.Severity > span.Note && !f.Guess
}

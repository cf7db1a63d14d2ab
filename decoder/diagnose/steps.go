package diagnose

import (
	"varview/decoder/engine/tree"
	"varview/decoder/score"
)

// An eventID identifies an event of a reading.
type eventID struct {
	event      tree.Event
	slot       tree.Slot
	start, pos int64
	depth      int
}

func idOf(s *tree.Scanner, ev tree.Event) eventID {
	return eventID{ev, s.Slot(), s.Value().Start, s.Pos(), s.Depth()}
}

// charge adds the cost of a problem of the last event that no cause explains, while a search may want it.
func (r *run) charge(p *observation, ev tree.Event) {
	if r.ended || r.o.NoSearch {
		return
	}
	r.cost += score.Of(&p.Problem)
	r.charges[idOf(r.s, ev)] += score.Of(&p.Problem)
}

// A walk records the steps of a reading.
type walk struct {
	s       *tree.Scanner
	steps   []step
	cost    int64
	oddness int
	values  int
}

// next reads the next event, and records the step.
func (w *walk) next() tree.Event {
	if len(w.steps) == 2*maxSteps {
		w.steps = append(w.steps[:0], w.steps[maxSteps:]...)
	}
	st := step{clean: w.s.IsClean() && w.s.Depth() > 0, cost: w.cost, oddness: w.oddness, values: w.values}
	if st.clean {
		st.from = w.s.Checkpoint()
	}
	st.event = w.s.Next()
	if st.event != tree.Leave {
		w.values++
	}
	if st.event != tree.Done && st.clean {
		st.node = st.from.In()
		if st.event != tree.Leave {
			st.node = &tree.Node{Value: *w.s.Value(), Parent: st.node, Slot: w.s.Slot(), KeyAt: w.s.KeyAt(), Depth: st.node.Depth + 1}
		}
		w.steps = append(w.steps, st)
		if f, ok := w.s.Reading().(Suspecter); ok && st.event != tree.Leave {
			w.oddness += oddness(f, w.s, st.event)
		}
	}
	return st.event
}

// ratedBytes is the number of bytes before a problem whose values a rating counts: far more than make a difference.
const ratedBytes = 1 << 20

// stepsTo returns the last steps of the run's reading up to its last event, at most
// maxSteps.
func (r *run) stepsTo(ev tree.Event) []step {
	to := idOf(r.s, ev)
	for from := r.tree.PlaceBefore(to.pos); ; from = r.tree.PlaceBefore(max(0, to.pos-4*(to.pos-from))) {
		if r.rating != nil { // it counts all values near
			from = min(from, r.tree.PlaceBefore(max(0, to.pos-ratedBytes)))
		}
		if w := r.walk(from, to); len(w.steps) >= maxSteps || from == 0 {
			return w.steps[max(0, len(w.steps)-maxSteps):]
		}
	}
}

// walk reads from a known place (0 for the start) up to an event.
func (r *run) walk(from int64, to eventID) *walk {
	w := &walk{s: r.tree.ScannerAt(from)}
	if from > 0 {
		w.values = manyValues
	}
	for n := 0; w.s.Pos() <= to.pos; n++ {
		ev := w.next()
		at := idOf(w.s, ev)
		w.cost += r.charges[at]
		if at == to || ev == tree.Done || n%4096 == 0 && r.ctx.Err() != nil {
			break
		}
	}
	for i := range w.steps {
		w.steps[i].cost += r.cost - w.cost // the cost before the walk
	}
	return w
}

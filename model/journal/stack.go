package journal

import (
	"slices"

	"varview/model/patch"
)

// A stack is the steps that can be undone or redone.
type stack struct {
	units []unit
	at    int // number of steps that are done
}

// A unit is what is undone at once.
type unit struct {
	event int // the event that made it; -1, -2, … for the past
	label string
	steps []*Step
}

// begin fills the stack with steps of the past that are not known yet.
func (s *stack) begin(steps, at int) {
	*s = stack{at: at}
	for i := range steps {
		s.units = append(s.units, unit{event: -1 - i, steps: []*Step{{lost: true}}})
	}
}

// tops returns the events that made the steps done last: the last 16, last first, and then the 32nd, the
// 64th and so on.
func (s *stack) tops() (events []int) {
	for n := 1; n <= s.at; n = nextTop(n) {
		events = append(events, s.units[s.at-n].event)
	}
	return events
}

func nextTop(n int) int {
	if n < 16 {
		return n + 1
	}
	return 2 * n
}

// push adds a step to those that are done, replacing those that were undone.
func (s *stack) push(event int, step *Step) {
	s.units = append(s.units[:s.at], unit{event: event, steps: []*Step{step}})
	s.at++
}

// happen applies an event.
func (s *stack) happen(e Event, number int, step *Step) error {
	switch e.Kind {
	case Did:
		s.push(number, step)
	case Undid:
		if s.at == 0 {
			return errDamaged
		}
		s.at--
	case Redid:
		if s.at == len(s.units) {
			return errDamaged
		}
		s.at++
	case Joined:
		return s.join(e.Since, number, e.Label)
	default:
		return errDamaged
	}
	return nil
}

// join joins the units from since on.
func (s *stack) join(since, number int, label string) error {
	if since < 0 || since >= s.at {
		return errDamaged
	}
	one := unit{event: number, label: label}
	for _, u := range s.units[since:s.at] {
		one.steps = append(one.steps, u.steps...)
	}
	s.units, s.at = append(s.units[:since], one), since+1
	return nil
}

// catchUp applies many events that cannot be read: after them, as many steps were done as e says, made by
// the events that it names. known are the units that can be read. A step that is not among them is lost.
func (s *stack) catchUp(many int, e Event, known map[int]unit) {
	if e.At < 0 || e.At > maxSteps {
		return
	}
	keep, named := 0, map[int]int{} // number of steps that are the same, and events by the step that they made
	for i, n := 0, 1; i < len(e.On) && n <= e.At; i, n = i+1, nextTop(n) {
		at := e.At - n
		if named[at] = e.On[i]; keep == 0 && at < len(s.units) && s.units[at].event == e.On[i] {
			keep = at + 1
		}
	}
	if _, read := known[named[e.At-1]]; many == 1 && keep == e.At-1 && s.at > e.At && !read {
		s.join(keep, named[keep], "") // what else makes fewer of several
		return
	}
	s.at = keep
	for at := keep; at < e.At; at++ {
		if u, ok := known[named[at]]; ok {
			s.units, s.at = append(s.units[:s.at], u), s.at+1
		} else {
			s.push(named[at], &Step{lost: true, unsure: named[at] == 0})
		}
	}
}

// maxSteps is the largest believable number of missing steps.
const maxSteps = 1 << 17

// lead returns the steps that lead from those in the base to those that are done.
func (s *stack) lead(base []*Step) (lead []Lead) {
	same := s.common(base)
	for _, step := range slices.Backward(base[same:]) {
		if s.isUnsure(same) {
			step = &Step{lost: true}
		}
		lead = append(lead, Lead{Step: step, Undone: true})
	}
	for _, u := range s.units[:s.at] {
		n := min(same, len(u.steps))
		same -= n
		if rest := u.steps[n:]; n == 0 && len(rest) > 1 && !slices.ContainsFunc(rest, (*Step).isUnknown) {
			lead = append(lead, Lead{Step: join(rest, u.label)})
		} else {
			for _, step := range rest {
				lead = append(lead, Lead{Step: step})
			}
		}
	}
	return lead
}

// common returns the number of steps in the base that are still done.
func (s *stack) common(base []*Step) (n int) {
	for _, u := range s.units[:s.at] {
		for _, step := range u.steps {
			if n == len(base) || base[n] != step {
				return n
			}
			n++
		}
	}
	return n
}

// isUnsure reports whether it is uncertain that the n-th of the done steps differs from the one before.
func (s *stack) isUnsure(n int) bool {
	for _, u := range s.units[:s.at] {
		if n < len(u.steps) {
			return u.steps[n].unsure
		}
		n -= len(u.steps)
	}
	return false
}

// isUnknown reports whether a step can be made neither from its bytes nor from its operations.
func (s *Step) isUnknown() bool {
	return s.lost || s.torn && (len(s.Ops) == 0 || slices.ContainsFunc(s.Ops, func(op patch.Op) bool { return op.Long }))
}

package journal

import (
	"slices"

	"varview/model/patch"
)

// A stack are the steps that can be taken back or done again.
type stack struct {
	units []unit
	at    int // number of those that are done
}

// A unit is what undo takes back at once.
type unit struct {
	event int // that has made it; -1, -2, … for the past
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

// top is the event that has made the last step that is done, 0 if none is.
func (s *stack) top() int {
	if s.at == 0 {
		return 0
	}
	return s.units[s.at-1].event
}

// push puts a step on those that are done, in place of those that were taken back.
func (s *stack) push(event int, step *Step) {
	s.units = append(s.units[:s.at], unit{event: event, steps: []*Step{step}})
	s.at++
}

// happen follows an event.
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

// join makes one unit of those since one.
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

// catchUp follows events that cannot be read, from first up to the one before last, after which so
// many steps were done, the last of them made by the event on. Where it is not sure which steps
// were taken back and replaced, all that may have been are lost.
func (s *stack) catchUp(first, last, at, on int) {
	many, grown := last-first, at-s.at
	switch {
	case at < 0:
		return
	case at <= len(s.units) && (at == 0 || s.units[at-1].event == on): // none is missing below
		s.at = at
		return
	case many == 1 && grown < 0 && on == first:
		s.join(at-1, first, "")
		return
	case grown < many: // some were taken back
		s.at = max(0, min(at-1, s.at-(many-grown+1)/2))
	}
	for s.at < at && s.at < maxSteps {
		event := 0
		if s.at == at-1 {
			event = on
		}
		s.push(event, &Step{lost: true})
	}
}

// maxSteps is the number of steps that are believed to be missing.
const maxSteps = 1 << 17

// lead lists what leads from the steps that the base has to those that are done.
func (s *stack) lead(base []*Step) (lead []Lead) {
	same := s.common(base)
	for _, step := range slices.Backward(base[same:]) {
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

// common is the number of steps that the base has and that are still done.
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

// isUnknown reports whether a step can neither be made by its bytes nor by its operations.
func (s *Step) isUnknown() bool {
	return s.lost || s.torn && (len(s.Ops) == 0 || slices.ContainsFunc(s.Ops, func(op patch.Op) bool { return op.Long }))
}

package journal

import "slices"

// A stack has the steps that can be taken back or done again.
type stack struct {
	units []unit
	at    int // number of those that are done
}

// A unit is what undo takes back at once.
type unit struct {
	label string
	steps []*Step
}

// newStack returns the steps of the past.
func newStack(p *Past) (s stack) {
	for _, step := range p.Steps {
		s.units = append(s.units, unit{steps: []*Step{step}})
	}
	s.at = p.At
	return s
}

// happen follows an event.
func (s *stack) happen(e Event) error {
	switch {
	case e.Kind == Did && e.Step != nil:
		s.units = append(s.units[:s.at:s.at], unit{steps: []*Step{e.Step}})
		s.at++
	case e.Kind == Undid && s.at > 0:
		s.at--
	case e.Kind == Redid && s.at < len(s.units):
		s.at++
	case e.Kind == Joined && e.Since >= 0 && e.Since < s.at:
		one := unit{label: e.Label}
		for _, u := range s.units[e.Since:s.at] {
			one.steps = append(one.steps, u.steps...)
		}
		s.units, s.at = append(s.units[:e.Since:e.Since], one), e.Since+1
	default:
		return errDamaged
	}
	return nil
}

// lead lists what leads from the steps that the base has to those that are done.
func (s *stack) lead(base []*Step) (lead []Lead) {
	same := s.common(base)
	for _, step := range slices.Backward(base[same:]) {
		lead = append(lead, Lead{Step: step, Undone: true})
	}
	for _, u := range s.units[:s.at] {
		n := min(same, len(u.steps))
		same -= n
		if rest := u.steps[n:]; n == 0 && len(rest) > 1 {
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

// join makes one step of several.
func join(steps []*Step, label string) *Step {
	one := *steps[0]
	one.Label = label
	for _, s := range steps[1:] {
		one.Groups = append(slices.Clip(one.Groups), s.Groups...)
		one.Back = append(slices.Clip(one.Back), s.Back...)
		one.Ops = append(slices.Clip(one.Ops), s.Ops...)
		one.After, one.Is, one.Reopened, one.When = s.After, s.Is, one.Reopened || s.Reopened, s.When
	}
	return &one
}

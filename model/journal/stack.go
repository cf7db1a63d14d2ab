package journal

import "slices"

// A stack is the steps that can be undone or redone.
type stack struct {
	steps []*Step
	at    int // number of steps that are done
}

// happen applies an event.
func (s *stack) happen(e Event) error {
	switch {
	case e.Kind == Did && e.Step != nil:
		s.steps = append(s.steps[:s.at], e.Step)
		s.at++
	case e.Kind == Undid && s.at > 0:
		s.at--
	case e.Kind == Redid && s.at < len(s.steps):
		s.at++
	case e.Kind == Joined && e.Since >= 0 && e.Since < s.at:
		s.steps = append(s.steps[:e.Since], join(s.steps[e.Since:s.at], e.Label))
		s.at = len(s.steps)
	default:
		return errDamaged
	}
	return nil
}

// lead returns the steps that lead from those in the base to those that are done.
func (s *stack) lead(base []*Step) (lead []Lead) {
	done, same := s.steps[:s.at], 0
	for same < min(len(done), len(base)) && done[same] == base[same] {
		same++
	}
	for _, step := range slices.Backward(base[same:]) {
		lead = append(lead, Lead{Step: step, Undone: true})
	}
	for _, step := range done[same:] {
		lead = append(lead, Lead{Step: step})
	}
	return lead
}

// join joins several steps into one.
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

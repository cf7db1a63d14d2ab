package message

import (
	"strings"

	"varview/decoder/tree"
)

// Name returns the name of a part in paths: its label as an identifier.
func (p *Part) Name() string { return strings.ReplaceAll(p.Label, " ", "_") }

// PathAt returns the path of the part with a byte of the payload, from the message on:
// ".args[0]", "" for the message itself. The path of a Variant in an argument does not go
// into it.
func (m *Message) PathAt(at int64) string {
	var open []level
	for i := range m.Parts {
		p := &m.Parts[i]
		switch p.Role {
		case Close:
			open = open[:len(open)-1]
			continue
		case Open:
			open = append(nextOf(open), level{part: p})
			continue
		}
		open = nextOf(open)
		if p.Span.Contains(at) {
			return stepsTo(open, p)
		}
	}
	return ""
}

// A level is a list that is open, with the number of its elements so far.
type level struct {
	part *Part
	next int64
}

// nextOf counts one more element of the innermost list.
func nextOf(open []level) []level {
	if n := len(open); n > 0 {
		open[n-1].next++
	}
	return open
}

// stepsTo writes the path of a part in open lists.
func stepsTo(open []level, p *Part) string {
	var path []byte
	for i, l := range open {
		if l.part.Label == "" {
			path = tree.AppendIndexStep(path, open[i-1].next-1)
		} else {
			path = tree.AppendTextStep(path, []byte(l.part.Name()))
		}
	}
	if p.Label == "" {
		return string(tree.AppendIndexStep(path, open[len(open)-1].next-1))
	}
	return string(tree.AppendTextStep(path, []byte(p.Name())))
}

package measure

import (
	"fmt"

	"varview/decoder/engine/span"
)

// Unfit returns why a file is left out: the readers disagree on it, or it is
// damaged already.
func (f *File) Unfit() string {
	switch {
	case f.reading.Err != "":
		return f.reading.Err
	case len(f.Data) == 0:
		return "empty"
	}
	return ""
}

// HasObjects reports whether whole objects are in the file.
func (f *File) HasObjects() bool { return f.whole != nil && len(f.whole.Classes) > 0 }

// Ask returns the requested mutation, which replaces take bytes, all up to the end
// for -1. Its form shows whether it is a cut, a loss or an insertion.
func (f *File) Ask(at, take int64, put []byte) (Mutation, error) {
	if take < 0 {
		take = int64(len(f.Data)) - at
	}
	if at < 0 || take < 0 || at+take > int64(len(f.Data)) {
		return Mutation{}, fmt.Errorf("the file has %d bytes", len(f.Data))
	}
	m := Mutation{At: at, Old: f.Data[at : at+take], New: put, Field: f.at(at)}
	switch n := int64(len(put)); {
	case n == 0 && at+take == int64(len(f.Data)) && take > 1:
		m.Way = Cut
	case n == take && take == 1:
		m.Way = changedByte
	case n == take && m.Field != nil:
		m.Way = wrongLength
	case n == 0:
		m.Way = lostBytes
	default:
		m.Way = insertedBytes
	}
	return m, nil
}

// Fault names the fault of the verdict of a random damage, "" if there is none.
func (f *File) Fault(m *Mutation, v *Verdict) string {
	switch {
	case v.Class == valid || v.Class == silent:
		return ""
	case v.Class == missed:
		return "missed"
	case !v.Located:
		return "not located"
	case !v.Three:
		return "wrong cause"
	case !v.First:
		return "cause not first"
	case m.Way != Cut && f.isRestorable(m) && !v.Restores:
		return "not restored"
	}
	return ""
}

// Describe returns a line with the mutation and its result.
func (f *File) Describe(m *Mutation, v *Verdict) string {
	text := fmt.Sprintf("%s at %#x", m.Way, m.At)
	if x := m.Field; x != nil {
		text += fmt.Sprintf(" (%s %s, %#x+%d, %s)", x.Kind, x.Label, x.Offset, x.Length, x.Path)
	}
	if m.Way != Cut {
		text += fmt.Sprintf(": % x → % x", m.Old, m.New)
	}
	return text + fmt.Sprintf(": %s; as %s %s; located %v, first %v, three %v, restored %v", v.Class, v.Answer.Dialect, v.Answer.Framing, v.Located, v.First, v.Three, v.Restores)
}

// Lines lists the diagnoses, at most most of them.
func (v *Verdict) Lines(most int) (lines []string) {
	for i, x := range v.Answer.Diagnoses {
		if i == most {
			return append(lines, fmt.Sprintf("and %d more", len(v.Answer.Diagnoses)-i))
		}
		lines = append(lines, line(x.Buffer, &x.Problem, x.Path))
		for _, also := range x.Alternatives {
			lines = append(lines, "  or "+line(x.Buffer, &also.Problem, also.Path))
		}
	}
	return lines
}

func line(buffer int, p *span.Problem, path string) string {
	text := fmt.Sprintf("%s %s %#x+%d %s: %s", p.Severity, p.Code, p.Offset, p.Length, path, p.Message)
	if buffer > 0 {
		text = fmt.Sprintf("buffer %d: %s", buffer, text)
	}
	if p.Repair != "" {
		text += " [" + p.Repair + "]"
	}
	return text
}

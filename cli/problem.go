package cli

import (
	"strconv"
	"strings"

	"varview/decoder/diagnose"
	"varview/decoder/tree"
	"varview/model"
	"varview/ui/text"
)

// A label says which file a line is about, and how to name a place in it.
type label struct {
	name    string // of the file, for people
	buffers int    // how many it has: where it is more than one each is named
}

// append appends where a finding is: "save.dat: buffer 1 0x14 $[1]: ". The mark
// stands before the place.
func (l label) append(dst []byte, mark string, f *diagnose.Finding, b *model.Buffer) []byte {
	dst = append(append(text.Append(dst, l.name), ": "...), mark...)
	if l.buffers > 1 {
		dst = append(strconv.AppendInt(append(dst, "buffer "...), int64(b.Number), 10), ' ')
	}
	dst = strconv.AppendInt(append(dst, "0x"...), f.Offset, 16)
	return append(appendShownPath(append(dst, ' '), f.Path), ": "...)
}

// appendProblem appends a finding as a line for people, and its other causes as lines
// below.
func appendProblem(dst []byte, x *model.BufferFinding, l label) []byte {
	dst = append(l.append(dst, "", &x.Finding, x.Buffer), x.Severity.String()...)
	dst = appendWhat(append(dst, ": "...), &x.Finding)
	if x.Engine != "" {
		dst = text.Append(append(dst, "; the engine: "...), withoutError(x.Engine))
	}
	dst = appendRepair(dst, x.Repair)
	if x.Symptoms > 0 {
		dst = append(append(dst, "; explains "...), model.Counted(int64(x.Symptoms), "more problem")...)
	}
	dst = append(dst, '\n')
	for i := range x.Also {
		f := &x.Also[i]
		dst = appendWhat(l.append(dst, "  or ", f, x.Buffer), f)
		dst = append(appendRepair(dst, f.Repair), '\n')
	}
	return dst
}

// withoutError is what an engine reports, without the word that it begins with.
func withoutError(engine string) string {
	return strings.ReplaceAll(strings.TrimPrefix(engine, "error: "), ": error: ", ": ")
}

// appendWhat appends what is wrong: "a bool of 7 (bool-value)".
func appendWhat(dst []byte, f *diagnose.Finding) []byte {
	dst = append(text.Append(dst, f.Message), " ("...)
	return append(append(dst, f.Code...), ')')
}

func appendRepair(dst []byte, repair string) []byte {
	if repair == "" {
		return dst
	}
	return text.Append(append(dst, "; repair: "...), repair)
}

// appendProblemJSON appends a finding as a line of "check --json".
func appendProblemJSON(dst []byte, x *model.BufferFinding, name string) []byte {
	dst = beginProblemJSON(dst, x, name)
	if x.Engine != "" {
		dst = tree.AppendQuoted(append(dst, `,"engine":`...), []byte(x.Engine))
	}
	if x.Repair != "" {
		dst = tree.AppendQuoted(append(dst, `,"repair":`...), []byte(x.Repair))
	}
	if x.Symptoms > 0 {
		dst = strconv.AppendInt(append(dst, `,"symptoms":`...), int64(x.Symptoms), 10)
	}
	for i := range x.Also {
		dst = append(dst, separator(i, `,"also":[`)...)
		dst = appendAlsoJSON(append(dst, '{'), &x.Also[i])
	}
	if len(x.Also) > 0 {
		dst = append(dst, ']')
	}
	return append(dst, "}\n"...)
}

// beginProblemJSON appends what every object about a problem begins with.
func beginProblemJSON(dst []byte, x *model.BufferFinding, name string) []byte {
	dst = tree.AppendQuoted(append(dst, `{"file":`...), []byte(name))
	dst = append(append(dst, `,"severity":"`...), x.Severity.String()...)
	dst = append(append(dst, `","code":"`...), x.Code...)
	dst = strconv.AppendInt(append(dst, `","buffer":`...), int64(x.Buffer.Number), 10)
	dst = appendPlaceJSON(append(dst, ','), &x.Finding)
	return tree.AppendQuoted(append(dst, `,"message":`...), []byte(x.Message))
}

func appendPlaceJSON(dst []byte, f *diagnose.Finding) []byte {
	dst = strconv.AppendInt(append(dst, `"offset":`...), f.Offset, 10)
	dst = strconv.AppendInt(append(dst, `,"length":`...), f.Length, 10)
	return appendPath(append(dst, `,"path":`...), []byte(f.Path))
}

// appendAlsoJSON appends another cause, but for the brace that it begins with.
func appendAlsoJSON(dst []byte, f *diagnose.Finding) []byte {
	dst = append(append(appendPlaceJSON(dst, f), `,"code":"`...), f.Code...)
	dst = tree.AppendQuoted(append(dst, `","message":`...), []byte(f.Message))
	if f.Repair != "" {
		dst = tree.AppendQuoted(append(dst, `,"repair":`...), []byte(f.Repair))
	}
	return append(dst, '}')
}

// separator is what stands before the i-th of several things.
func separator(i int, first string) string {
	if i == 0 {
		return first
	}
	return ","
}

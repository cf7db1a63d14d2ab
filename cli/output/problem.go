package output

import (
	"strconv"
	"strings"

	"varview/decoder/diagnose"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model"
)

// A Label says which file a line is about, and how to name places in it.
type Label struct {
	Name    string // name of the file, for people
	Buffers int    // number of its buffers; if there are several, each place names its buffer
}

// Append appends the place of a problem: "save.dat: buffer 1 0x14 $[1]: ". The mark
// precedes the place.
func (l Label) Append(dst []byte, mark string, f *diagnose.Diagnosis, b *model.Buffer) []byte {
	dst = append(append(text.Append(dst, l.Name), ": "...), mark...)
	if l.Buffers > 1 {
		dst = append(strconv.AppendInt(append(dst, "buffer "...), int64(b.Number), 10), ' ')
	}
	dst = strconv.AppendInt(append(dst, "0x"...), f.Offset, 16)
	return append(appendShownPath(append(dst, ' '), f.Path), ": "...)
}

// AppendProblem appends a problem as a line for people, and its alternative causes as lines below it.
func AppendProblem(dst []byte, x *model.BufferProblem, l Label) []byte {
	dst = append(l.Append(dst, "", &x.Diagnosis, x.Buffer), x.Severity.String()...)
	dst = AppendMessage(append(dst, ": "...), &x.Diagnosis)
	if x.Engine != "" {
		dst = text.Append(append(dst, "; the engine: "...), withoutError(x.Engine))
	}
	dst = appendRepair(dst, x.Repair)
	if x.Symptoms > 0 {
		dst = append(append(dst, "; explains "...), span.Counted(int64(x.Symptoms), "more problem")...)
	}
	dst = append(dst, '\n')
	for i := range x.Alternatives {
		f := &x.Alternatives[i]
		dst = AppendMessage(l.Append(dst, "  or ", f, x.Buffer), f)
		dst = append(appendRepair(dst, f.Repair), '\n')
	}
	return dst
}

// withoutError returns an engine's message without the word "error" at its beginning.
func withoutError(engine string) string {
	return strings.ReplaceAll(strings.TrimPrefix(engine, "error: "), ": error: ", ": ")
}

// AppendMessage appends the message and code of a problem: "a bool of 7 (bool-value)".
func AppendMessage(dst []byte, f *diagnose.Diagnosis) []byte {
	dst = append(text.Append(dst, f.Message), " ("...)
	return append(append(dst, f.Code...), ')')
}

func appendRepair(dst []byte, repair string) []byte {
	if repair == "" {
		return dst
	}
	return text.Append(append(dst, "; repair: "...), repair)
}

// AppendProblemJSON appends a problem as a line of "check --json".
func AppendProblemJSON(dst []byte, x *model.BufferProblem, name string) []byte {
	dst = BeginProblemJSON(dst, x, name)
	if x.Engine != "" {
		dst = tree.AppendQuoted(append(dst, `,"engine":`...), []byte(x.Engine))
	}
	if x.Repair != "" {
		dst = tree.AppendQuoted(append(dst, `,"repair":`...), []byte(x.Repair))
	}
	if x.Symptoms > 0 {
		dst = strconv.AppendInt(append(dst, `,"symptoms":`...), int64(x.Symptoms), 10)
	}
	for i := range x.Alternatives {
		dst = append(dst, Separator(i, `,"also":[`)...)
		dst = appendAlsoJSON(append(dst, '{'), &x.Alternatives[i])
	}
	if len(x.Alternatives) > 0 {
		dst = append(dst, ']')
	}
	return append(dst, "}\n"...)
}

// BeginProblemJSON appends the beginning of every object about a problem.
func BeginProblemJSON(dst []byte, x *model.BufferProblem, name string) []byte {
	dst = tree.AppendQuoted(append(dst, `{"file":`...), []byte(name))
	dst = append(append(dst, `,"severity":"`...), x.Severity.String()...)
	dst = append(append(dst, `","code":"`...), x.Code...)
	dst = strconv.AppendInt(append(dst, `","buffer":`...), int64(x.Buffer.Number), 10)
	if x.Frame > 0 {
		dst = strconv.AppendInt(append(dst, `,"frame":`...), int64(x.Frame), 10)
	}
	dst = appendPlaceJSON(append(dst, ','), &x.Diagnosis)
	return tree.AppendQuoted(append(dst, `,"message":`...), []byte(x.Message))
}

func appendPlaceJSON(dst []byte, f *diagnose.Diagnosis) []byte {
	dst = strconv.AppendInt(append(dst, `"offset":`...), f.Offset, 10)
	dst = strconv.AppendInt(append(dst, `,"length":`...), f.Length, 10)
	return AppendPathJSON(append(dst, `,"path":`...), []byte(f.Path))
}

// appendAlsoJSON appends an alternative cause, without the opening brace.
func appendAlsoJSON(dst []byte, f *diagnose.Diagnosis) []byte {
	dst = append(append(appendPlaceJSON(dst, f), `,"code":"`...), f.Code...)
	dst = tree.AppendQuoted(append(dst, `","message":`...), []byte(f.Message))
	if f.As != "" {
		dst = tree.AppendQuoted(append(dst, `,"as":`...), []byte(f.As))
	}
	if f.Repair != "" {
		dst = tree.AppendQuoted(append(dst, `,"repair":`...), []byte(f.Repair))
	}
	return append(dst, '}')
}

// Separator returns what precedes the i-th item in a JSON list.
func Separator(i int, first string) string {
	if i == 0 {
		return first
	}
	return ","
}

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
	return append(text.Append(append(dst, ' '), tree.CutPath(f.Path)), ": "...)
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
	o := BeginProblemJSON(dst, x, name).Some("engine", x.Engine).Some("repair", x.Repair).Count("symptoms", int64(x.Symptoms))
	if len(x.Alternatives) > 0 {
		o = o.List("also", len(x.Alternatives), func(dst []byte, i int) []byte {
			f := &x.Alternatives[i]
			return Begin(dst).place(f).Text("code", f.Code).Text("message", f.Message).Some("as", f.As).Some("repair", f.Repair).End()
		})
	}
	return o.Line()
}

// BeginProblemJSON appends the beginning of every object about a problem.
func BeginProblemJSON(dst []byte, x *model.BufferProblem, name string) Object {
	o := Begin(dst).Text("file", name).Text("severity", x.Severity.String()).Text("code", x.Code)
	return o.Int("buffer", int64(x.Buffer.Number)).Count("frame", int64(x.Frame)).place(&x.Diagnosis).Text("message", x.Message)
}

// place appends where a problem is.
func (o Object) place(f *diagnose.Diagnosis) Object {
	return o.Int("offset", f.Offset).Int("length", f.Length).Path("path", f.Path)
}

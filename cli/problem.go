package cli

import (
	"strconv"

	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/ui/text"
)

// appendProblem appends a problem as a line for people.
func appendProblem(dst []byte, name string, p *span.Problem, path string) []byte {
	dst = append(appendClean(dst, name), ": 0x"...)
	dst = strconv.AppendInt(dst, p.Offset, 16)
	dst = append(dst, ' ')
	dst = append(appendClean(dst, path), ": "...)
	dst = append(dst, p.Severity.String()...)
	dst = append(dst, ": "...)
	dst = append(appendClean(dst, p.Message), " ("...)
	dst = append(append(dst, p.Code...), ')')
	if p.Engine != "" {
		dst = appendClean(append(dst, "; the engine: "...), p.Engine)
	}
	return append(dst, '\n')
}

// appendProblemJSON appends a problem as a line of "check --json".
func appendProblemJSON(dst []byte, name string, p *span.Problem, path string) []byte {
	dst = tree.AppendQuoted(append(dst, `{"file":`...), []byte(name))
	dst = append(append(dst, `,"severity":"`...), p.Severity.String()...)
	dst = append(append(dst, `","code":"`...), p.Code...)
	dst = strconv.AppendInt(append(dst, `","buffer":0,"offset":`...), p.Offset, 10)
	dst = strconv.AppendInt(append(dst, `,"length":`...), p.Length, 10)
	dst = tree.AppendQuoted(append(dst, `,"path":`...), []byte(path))
	dst = tree.AppendQuoted(append(dst, `,"message":`...), []byte(p.Message))
	if p.Engine != "" {
		dst = tree.AppendQuoted(append(dst, `,"engine":`...), []byte(p.Engine))
	}
	return append(dst, "}\n"...)
}

func appendClean(dst []byte, s string) []byte { return text.Append(dst, s) }

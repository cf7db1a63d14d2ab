package cli

import (
	"strconv"

	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/ui/text"
)

// A finding is a problem and where it was found.
type finding struct {
	span.Problem
	buffer int
	path   string
}

// appendText appends a problem as a line for people. Its buffer is named where
// the file has several.
func (p *finding) appendText(dst []byte, name string, buffers int) []byte {
	dst = append(appendClean(dst, name), ": "...)
	if buffers > 1 {
		dst = append(strconv.AppendInt(append(dst, "buffer "...), int64(p.buffer), 10), ' ')
	}
	dst = append(dst, "0x"...)
	dst = strconv.AppendInt(dst, p.Offset, 16)
	dst = append(dst, ' ')
	dst = append(appendClean(dst, p.path), ": "...)
	dst = append(dst, p.Severity.String()...)
	dst = append(dst, ": "...)
	dst = append(appendClean(dst, p.Message), " ("...)
	dst = append(append(dst, p.Code...), ')')
	if p.Engine != "" {
		dst = appendClean(append(dst, "; the engine: "...), p.Engine)
	}
	return append(dst, '\n')
}

// appendJSON appends a problem as a line of "check --json".
func (p *finding) appendJSON(dst []byte, name string) []byte {
	dst = tree.AppendQuoted(append(dst, `{"file":`...), []byte(name))
	dst = append(append(dst, `,"severity":"`...), p.Severity.String()...)
	dst = append(append(dst, `","code":"`...), p.Code...)
	dst = strconv.AppendInt(append(dst, `","buffer":`...), int64(p.buffer), 10)
	dst = strconv.AppendInt(append(dst, `,"offset":`...), p.Offset, 10)
	dst = strconv.AppendInt(append(dst, `,"length":`...), p.Length, 10)
	dst = tree.AppendQuoted(append(dst, `,"path":`...), []byte(p.path))
	dst = tree.AppendQuoted(append(dst, `,"message":`...), []byte(p.Message))
	if p.Engine != "" {
		dst = tree.AppendQuoted(append(dst, `,"engine":`...), []byte(p.Engine))
	}
	return append(dst, "}\n"...)
}

func appendClean(dst []byte, s string) []byte { return text.Append(dst, s) }

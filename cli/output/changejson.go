package output

import (
	"bufio"
	"encoding/hex"
	"strconv"

	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model"
)

// A changeJSON writes changes as JSON objects, one on each line, and a last one with the
// size of the buffer.
type changeJSON struct {
	out    *bufio.Writer
	buffer int
	line   []byte
}

func (j *changeJSON) change(c *model.ByteChange) error {
	j.begin()
	j.span(c.At)
	j.line = append(j.line, `,"was":{`...)
	j.span(c.Was)
	j.line = append(j.line, `},"old":"`...)
	j.line = hex.AppendEncode(j.line, c.Old)
	j.line = append(j.line, `","new":"`...)
	j.line = hex.AppendEncode(j.line, c.New)
	j.line = AppendPathJSON(append(j.line, `","path":`...), []byte(c.Path))
	j.line = tree.AppendQuoted(append(j.line, `,"field":`...), []byte(c.Field))
	return j.write()
}

func (j *changeJSON) end(before, after int64) error {
	j.begin()
	j.line = strconv.AppendInt(append(j.line, `"size":`...), after, 10)
	j.line = strconv.AppendInt(append(j.line, `,"was":{"size":`...), before, 10)
	j.line = append(j.line, '}')
	return j.write()
}

func (j *changeJSON) begin() {
	j.line = strconv.AppendInt(append(j.line[:0], `{"buffer":`...), int64(j.buffer), 10)
	j.line = append(j.line, ',')
}

func (j *changeJSON) span(s span.Span) {
	j.line = strconv.AppendInt(append(j.line, `"offset":`...), s.Offset, 10)
	j.line = strconv.AppendInt(append(j.line, `,"length":`...), s.Length, 10)
}

func (j *changeJSON) write() error {
	_, err := j.out.Write(append(j.line, "}\n"...))
	return err
}

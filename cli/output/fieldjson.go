package output

import (
	"context"
	"io"
	"strconv"

	"varview/decoder/source"
	"varview/decoder/tree"
	"varview/model"
	"varview/ui/text"
)

// WriteFieldsJSON prints all fields of the given buffers, each as a line of JSON.
func WriteFieldsJSON(ctx context.Context, out io.Writer, buffers []*model.Buffer) error {
	for _, b := range buffers {
		err := b.Tree().WriteFields(ctx, out, func(out io.Writer, _ *source.Window) tree.FieldWriter {
			return &jsonFields{out: out, buffer: b.Number}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// jsonFields is a tree.FieldWriter that writes lines of JSON.
type jsonFields struct {
	out    io.Writer
	buffer int
	text   []byte
}

// Field implements tree.FieldWriter.
func (j *jsonFields) Field(f *tree.OwnedField) error {
	j.text = appendFieldJSON(j.text, j.buffer, f)
	if len(j.text) < flushAt {
		return nil
	}
	return j.Flush()
}

// Flush implements tree.FieldWriter.
func (j *jsonFields) Flush() error {
	_, err := j.out.Write(j.text)
	j.text = j.text[:0]
	return err
}

// appendFieldJSON appends a field as a line of "dump --json".
func appendFieldJSON(dst []byte, buffer int, f *tree.OwnedField) []byte {
	dst = strconv.AppendInt(append(dst, `{"buffer":`...), int64(buffer), 10)
	dst = append(dst, `,"offset":`...)
	dst = strconv.AppendInt(dst, f.Offset, 10)
	dst = append(dst, `,"length":`...)
	dst = strconv.AppendInt(dst, f.Length, 10)
	dst = append(dst, `,"kind":"`...)
	dst = append(dst, f.Kind.String()...)
	dst = append(dst, `","label":"`...)
	dst = append(dst, f.Label...)
	dst = append(dst, `","path":`...)
	dst = AppendPathJSON(dst, f.Path)
	dst = append(dst, `,"value":`...)
	dst = tree.AppendQuoted(dst, f.Value)
	return append(dst, "}\n"...)
}

// maxPath is the length in bytes up to which a path is written whole. Without a limit,
// values nested thousands of levels deep would make the output grow with the square of
// their depth.
const maxPath = 2 * HalfPath

// HalfPath is the number of bytes of a longer path that are written of its beginning, and of its end.
const HalfPath = 2048

// AppendPathJSON appends a path as a JSON string; the middle of a longer one is replaced by
// "…".
func AppendPathJSON(dst, path []byte) []byte {
	if len(path) <= maxPath {
		return tree.AppendQuoted(dst, path)
	}
	head, tail := pathEnds(path)
	dst = tree.AppendEscaped(append(dst, '"'), head, '"')
	dst = append(dst, "…"...)
	return append(tree.AppendEscaped(dst, tail, '"'), '"')
}

// appendShownPath appends a path for people, shortened in the same way.
func appendShownPath(dst []byte, path string) []byte {
	if len(path) <= maxPath {
		return text.Append(dst, path)
	}
	head, tail := pathEnds([]byte(path))
	return text.Append(append(text.Append(dst, string(head)), "…"...), string(tail))
}

// pathEnds returns the beginning and the end of a path that is longer than maxPath.
func pathEnds(path []byte) (head, tail []byte) {
	head, tail = path[:HalfPath], path[len(path)-HalfPath:]
	for len(head) > 0 && path[len(head)]&0xc0 == 0x80 {
		head = head[:len(head)-1]
	}
	for len(tail) > 0 && tail[0]&0xc0 == 0x80 {
		tail = tail[1:]
	}
	return head, tail
}

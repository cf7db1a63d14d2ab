package variantedit

import (
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// setStream changes the values of a stream to those of a list. What does not change in a frame keeps its
// bytes; frames are added or removed at the end.
func (e *Editing) setStream(base *tree.Node, c edit.Content) ([]source.Splice, error) {
	l, err := e.contentLiteral(c)
	if err != nil {
		return nil, err
	}
	if l.Kind != types.Array || l.Elem.Kind != types.KindNone {
		return nil, l.Errorf("a list of the values of the stream is expected, in [ ]")
	}
	if same, err := edit.IsWrittenAs(e.Ctx, e.Reader, &base.Value, strings.TrimSpace(e.Text)); same || err != nil {
		return nil, err
	}
	frames, err := e.mergeList(e.Reader.Scan(base), &base.Value, l.Children)
	if err != nil {
		return nil, err
	}
	if frames < len(l.Children) {
		err = e.appendFrames(base, int64(frames), l.Children[frames:])
	}
	if err != nil {
		return nil, err
	}
	return e.Done(base)
}

// appendFrames adds values after the last frame of a stream.
func (e *Editing) appendFrames(base *tree.Node, frames int64, values []literal.Literal) error {
	at, err := e.OffsetOf(base, frames)
	if err != nil {
		return err
	}
	var all []byte
	for i := range values {
		b, err := e.encode(&values[i])
		if err != nil {
			return err
		}
		if all, err = e.Format.AppendFrameLength(all, int64(len(b))); err != nil {
			return err
		}
		all = append(all, b...)
	}
	e.Put(at, 0, all)
	return nil
}

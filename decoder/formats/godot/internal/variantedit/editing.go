// Package variantedit turns changes of values into splices: set, insert, delete, move, retype.
package variantedit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// An Editor implements edit.Editor for a format.
type Editor struct{ *variant.Format }

// An Editing collects the splices of one edit. The Encoder encodes the literal of the edit.
type Editing struct {
	encode.Encoder
	edit.Editing
}

// Begin begins an edit.
func Begin(ctx context.Context, f *variant.Format, r *tree.Reader, o edit.Options) *Editing {
	return &Editing{Encoder: encode.Encoder{Format: f}, Editing: edit.Begin(ctx, r, o)}
}

// parse parses the literal of the edit. What is typed, rather than copied, must not have a key twice.
func (e *Editing) parse(text string, isTyped bool) (literal.Literal, error) {
	e.Text = text
	l, err := literal.Parse(e.Format.Dialect, text)
	if err == nil && isTyped {
		err = encode.CheckKeys(e.Format, text, &l)
	}
	return l, err
}

// literal returns content as a literal; with an error null.
func (e *Editing) literal(c edit.Content) literal.Literal {
	l, err := e.parse(e.Literal(&c), c.Copy == nil)
	if !e.Keep(err) {
		return literal.Literal{}
	}
	return l
}

// text returns content that must be a text.
func (e *Editing) text(c edit.Content, message string) []byte {
	l := e.literal(c)
	if l.Kind != types.String {
		e.Keep(l.Errorf("%s", message))
		return nil
	}
	return l.Text
}

// encode returns the bytes of a literal.
func (e *Editing) encode(l *literal.Literal) []byte {
	e.Out = nil
	e.Keep(e.Value(l))
	return e.Out
}

// PutU32 replaces the number at off if it is a different one.
func (e *Editing) PutU32(off int64, n uint32) {
	if n != e.Window.U32(off) {
		e.Put(off, 4, e.Format.AppendBinary(nil, types.Int32, uint64(n)))
	}
}

// Recount adds to the count that v has stored, right or wrong. Bit 31 stays as it is if it is not part of
// the number.
func (e *Editing) Recount(v *tree.Value, added int64) {
	if added == 0 || e.Err != nil {
		return
	}
	at, f, name := v.Body-4, e.Format, e.Format.TypeName(v) // of many edits nothing else is kept
	count, mark := e.Window.U32(at), uint32(0)
	if types.HasSharedBit(v.Type) {
		mark = count & types.SharedBit
	}
	was := int64(count &^ mark)
	if was > math.MaxInt32 && types.Of(v.Type).Shape == types.ShapeStrings && v.Count == 0 {
		was = 0 // engines read a negative count as 0
	}
	e.Add(span.Span{Offset: at, Length: 4}, added, func(added int64) ([]byte, error) {
		n := was + added
		if n > math.MaxInt32 && added > 0 {
			return nil, errors.New(name + " holds at most " + span.Counted(math.MaxInt32, "value"))
		}
		return f.AppendBinary(nil, types.Int32, uint64(uint32(n)|mark)), nil
	})
}

// repad adjusts the padding of a byte array to n bytes.
func (e *Editing) repad(v *tree.Value, n int64) {
	at := v.Body + v.Count
	switch have, need := v.Tail-at, types.Pad(n); {
	case have > need:
		e.Cut(at, at+have-need)
	case have < need:
		e.Put(v.Tail, 0, make([]byte, need-have))
	}
}

// Done returns the splices of an edit in n, including those of the length of the frame around it, or the first error. n is nil if
// that length has been set.
func (e *Editing) Done(n *tree.Node) ([]source.Splice, error) {
	if e.Err == nil {
		source.Sort(e.Splices)
		e.frame(n)
	}
	return e.Sorted()
}

// frame adds the bytes that the edit adds to the length of the frame around n. A wrong
// length stays wrong by the same amount.
func (e *Editing) frame(n *tree.Node) {
	if n = frameAround(n); n == nil {
		return
	}
	for i := range e.Splices {
		if e.Splices[i].Offset < n.Head {
			return // the frame itself is inserted or removed
		}
	}
	e.lengthen(n.Start, e.Splices)
}

// frameAround returns the value of the frame around n; nil if there is none.
func frameAround(n *tree.Node) *tree.Node {
	if n == nil {
		return nil
	}
	if n = n.Around(1); n.Depth < 1 || n.Head == n.Start {
		return nil
	}
	return n
}

// lengthen adds the bytes that splices add to the length of the frame at an offset.
func (e *Editing) lengthen(frame int64, splices []source.Splice) {
	added := edit.Added(splices)
	if added == 0 {
		return
	}
	e.Add(span.Span{Offset: frame, Length: 4}, added, func(added int64) ([]byte, error) {
		return e.Format.AppendFrameLength(nil, int64(e.Format.FrameLength(e.Window, frame))+added)
	})
}

// framed returns the length of a frame that holds n bytes.
func (e *Editing) framed(n int64) []byte {
	length, err := e.Format.AppendFrameLength(nil, n)
	e.Keep(err)
	return length
}

// isFrames reports whether the children of a value are frames, which need no padding.
func (e *Editing) isFrames(v *tree.Value) bool {
	return v.Type == types.Stream && e.Format.Framing == variant.Stream
}

// frameOverruns reports whether the length of the frame n exceeds the bytes that
// exist: it would include bytes that are appended.
func (e *Editing) frameOverruns(n *tree.Node) bool {
	return n.Head > n.Start && n.Head+int64(e.Format.FrameLength(e.Window, n.Start)) > n.Parent.Limit
}

// content returns the bytes of a value for a slot of parent. A copy keeps its bytes if they
// have the same meaning here.
func (e *Editing) content(parent *tree.Value, slot tree.Slot, c edit.Content) *source.Pieces {
	w := e.Format.Constraint(parent, slot)
	if c.Copy != nil && isWhole(c.Copy) && sameBytes(e.Format, c.From.Tree.Reading) && w.Allows(c.Copy.Type) {
		return e.copied(c)
	}
	l := e.literal(c)
	fitting, fits := encode.Fit(l, w)
	if !fits && c.Copy != nil {
		e.Keep(e.mismatch(parent, slot, l.TypeText()))
	} else if !fits {
		e.Keep(e.mismatchAt(parent, slot, &l))
	}
	return source.Memory(e.encode(&fitting))
}

// copied returns the bytes of a copy, without the length of its frame and without its gap.
func (e *Editing) copied(c edit.Content) *source.Pieces {
	n, err := c.Copied()
	if !e.Keep(err) {
		return source.Memory(nil)
	}
	return e.Padded(c.From.Tree.Source, n.Head, n.Tail)
}

// Padded returns the bytes of a source from start to end, with the padding that may be
// missing at the end of a buffer.
func (e *Editing) Padded(src source.Source, start, end int64) *source.Pieces {
	bytes := edit.Bytes(src, start, end)
	if missing := e.Format.Dialect.Pad(end - start); missing > 0 {
		return source.Concat(bytes, source.Memory(make([]byte, missing)))
	}
	return bytes
}

// Bytes returns n bytes from an offset on, or those up to the end.
func (e *Editing) Bytes(off, n int64) []byte { return e.Window.All(span.Span{Offset: off, Length: n}) }

// SameBytesAt reports whether the bytes at off are b.
func (e *Editing) SameBytesAt(off int64, b []byte) bool {
	return bytes.Equal(e.Bytes(off, int64(len(b))), b)
}

// sameBytes reports whether another reading has the same bytes for every value.
func sameBytes(f *variant.Format, other tree.Reading) bool {
	if g, ok := other.(interface{ Variant() *variant.Format }); ok {
		return g.Variant().Dialect == f.Dialect && g.Variant().Double == f.Double && !f.Dialect.Resource // names and references are numbers that apply only to one file
	}
	return false
}

// mismatch returns the error that parent does not accept a type.
func (e *Editing) mismatch(parent *tree.Value, slot tree.Slot, is string) error {
	container := string(e.Format.AppendType(nil, e.Window, parent))
	return errors.New(encode.MismatchMessage(container, e.Format.Constraint(parent, slot).Name, is))
}

// mismatchAt returns the error that v does not accept a part of a literal.
func (e *Editing) mismatchAt(v *tree.Value, slot tree.Slot, child *literal.Literal) error {
	return child.Errorf("%s", e.mismatch(v, slot, child.TypeText()))
}

// maxKeyText is the largest length of text at which keys that are not strings are compared.
const maxKeyText = 1 << 20

// keyOf identifies a key of a Dictionary, or the name of a property, as encode.KeyName does a literal.
func (e *Editing) keyOf(r *tree.Reader, key *tree.Value, typesCount bool) string {
	switch {
	case key.Damage != nil:
		return "damage " + strconv.FormatInt(key.Start, 10)
	case types.Of(key.Type).Shape == types.ShapeText:
		l := literal.Literal{Kind: types.String, Parts: &literal.Parts{Text: r.Window().All(e.Format.TextOf(r.Window(), key))}}
		if key.Type == types.StringName {
			l.Kind = key.Type
		}
		return encode.KeyName(e.Format, "", &l, typesCount)
	}
	text, err := edit.LiteralOf(e.Ctx, r, key, maxKeyText)
	if err != nil && !errors.Is(err, edit.ErrTooLong) {
		e.Keep(err)
	}
	l, syntax := literal.Parse(e.Format.Dialect, text)
	if err != nil || syntax != nil {
		return "unlike " + strconv.FormatInt(key.Start, 10)
	}
	return encode.KeyName(e.Format, text, &l, typesCount)
}

// takeKey ends the edit if an entry of parent, other than entry number except, has the key.
func (e *Editing) takeKey(parent *tree.Node, except int64, key string) {
	free, err := e.Together.TakeKey(parent, key, except, func(use func(string, int64)) error {
		return e.eachKey(parent, func(id string, entry int64, _ *tree.Value) { use(id, entry) })
	})
	if !e.Keep(err) || free {
		return
	}
	var taken []byte
	e.Keep(e.eachKey(parent, func(id string, entry int64, is *tree.Value) {
		if id == key && entry != except && taken == nil {
			taken = e.Reader.AppendLiteral(nil, is, 80)
		}
	}))
	e.Keep(fmt.Errorf("this %s already has the key %s; %w", e.Format.TypeName(&parent.Value), taken, edit.ErrTaken))
}

// eachKey calls each for the keys of a value, with their identities.
func (e *Editing) eachKey(parent *tree.Node, each func(id string, entry int64, key *tree.Value)) error {
	return edit.EachChild(e.Ctx, e.Reader, parent, func(c *tree.Node) error {
		key := e.Finish(e.Reader.Key(c))
		each(e.keyOf(e.Reader, &key.Value, false), c.Slot.Index, &key.Value)
		return e.Err
	})
}

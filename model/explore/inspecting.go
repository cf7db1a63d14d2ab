package explore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/inspect"
	"varview/model/literals"
)

// inspected is the number of bytes that the inspector reads: the size of the widest kind.
const inspected = 8

// An Inspection is what can be said about the place of the cursor: the selected value, and what its bytes
// could be.
type Inspection struct {
	Value *tree.Node // the selected value; nil if there is none
	Description
	Key     string // literal of its key; "" if it has none
	Literal string // cut to a limit
	JSON    string // cut to a limit; "" if it takes too long to work out at once
	At      int64  // offset of the bytes: under the cursor or, for a selected row, of the value's content
	Bytes   []byte // bytes at the cursor: at most 8, fewer at the end or before a hole

	own *inspect.Interpretation // how the value itself is read at these bytes, nil where they are not a number of its own
	big bool
}

// Owns reports whether the value itself is read in this way.
func (i *Inspection) Owns(k *inspect.Interpretation, big bool) bool {
	return i.own == k && (!k.Both || i.big == big)
}

// Inspect describes the place of the cursor and the bytes at offset at, or at the cursor if at is
// negative. Texts are cut to about limit bytes.
func (x *Explorer) Inspect(at int64, limit int) Inspection {
	i := Inspection{At: x.offset}
	if n := x.Subject(); n != nil && n.Depth > 0 {
		i.Value, i.Description = n, x.describeValue(n, limit)
		if !x.inBytes {
			i.At = x.content(n, i.Fields)
		}
		if at >= 0 {
			i.At = at
		}
		if !x.Buffer.IsPart(&n.Value) {
			x.inspectValue(&i, limit)
		}
	}
	i.Bytes = make([]byte, max(0, min(inspected, x.Buffer.Size()-i.At)))
	n, holes := x.Bytes(i.Bytes, i.At)
	if len(holes) > 0 {
		n = min(n, int(max(0, holes[0].Offset-i.At)))
	}
	i.Bytes = i.Bytes[:n]
	return i
}

// content returns the offset of a value's content, after its header.
func (x *Explorer) content(n *tree.Node, fields []span.Field) int64 {
	if l := x.read.Look(&n.Value); l.Form == tree.FormNumber && l.Number.At.Length > 0 {
		return l.Number.At.Offset
	}
	for _, f := range fields {
		if f.Kind == span.Value || f.Kind == span.Text || f.Kind == span.Data {
			return f.Offset
		}
	}
	if n.Layout != tree.Leaf && n.Body < x.Buffer.Size() {
		return n.Body
	}
	return x.offset
}

// maxShownJSON is the size in bytes of the largest value whose JSON is worked out while a frame is drawn.
const maxShownJSON = 4 << 10

func (x *Explorer) inspectValue(i *Inspection, limit int) {
	n := i.Value
	if l := x.read.Look(&n.Value); l.Form == tree.FormNumber && l.Number.At.Offset == i.At {
		i.own, i.big = kindOfNumber(l.Number), l.Number.Big
	}
	if key := x.read.Key(n); key != nil {
		i.Key = x.literal(key, limit)
	}
	i.Literal = x.literal(n, limit)
	if n.End == tree.Unknown || n.End-n.Start > maxShownJSON || n.Damage != nil {
		return
	}
	out := headOfText{left: limit}
	if err := x.read.WriteJSON(context.Background(), &out, &n.Value); err == nil || errors.Is(err, literals.ErrLong) {
		i.JSON = strings.TrimSpace(out.String())
	}
	x.read.Window().TakeHole()
}

// kindOfNumber returns the way to read bytes that gives a number, nil if no way does.
func kindOfNumber(n tree.Number) *inspect.Interpretation {
	name := fmt.Sprintf("u%d", 8*n.At.Length)
	switch n.Kind {
	case tree.Bool:
		name = "bool"
	case tree.Int:
		name = "i" + name[1:]
	case tree.Float32, tree.Float64:
		name = "f" + name[1:]
	}
	for _, k := range inspect.Kinds {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// headOfText takes a limited number of bytes and then refuses more.
type headOfText struct {
	bytes.Buffer
	left int
}

func (h *headOfText) Write(b []byte) (int, error) {
	if len(b) > h.left {
		h.Buffer.Write(b[:h.left])
		h.left = 0
		return 0, literals.ErrLong
	}
	h.left -= len(b)
	return h.Buffer.Write(b)
}

// JSON returns a whole value in the JSON form of its format. It fails if the JSON is too long to be
// copied. It may run in the background.
func (x *Explorer) JSON(ctx context.Context, n *tree.Node) (string, error) {
	var out literals.Short
	err := x.Buffer.Tree().NewReader().WriteJSON(ctx, &out, &n.Value)
	if errors.Is(err, literals.ErrLong) {
		err = errors.New("the JSON of this value is too long to be copied: export writes it")
	}
	return strings.TrimSpace(out.String()), err
}

// PutRead puts b, what was typed as one way to read the bytes, in place of n bytes at off.
// The cursor stays where it is.
func (x *Explorer) PutRead(k *inspect.Interpretation, off, n int64, b []byte) (model.Intention, error) {
	if int64(len(b)) != n {
		return model.Intention{}, fmt.Errorf("this takes %s, and there is room for %d", span.Bytes(int64(len(b))), n)
	}
	at := x.Cursor()
	return x.intend(fmt.Sprintf("set %s at %#x", k.Name, off), func(_ context.Context, t *model.Transaction) (model.Cursor, error) {
		return at, t.Bytes(off, n, b)
	}), nil
}

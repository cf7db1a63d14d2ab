package kaitai

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
	"varview/decoder/value/charset"
	"varview/decoder/value/notation"
)

// Set implements edit.Editor.
func (r *reading) Set(ctx context.Context, _ *tree.Reader, n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	c, err := plain(ctx, c)
	if err != nil {
		return nil, err
	}
	if e, ok := r.editorOf(n); ok {
		return sameSize(e.Set(ctx, e.read, e.node, c, o))
	}
	defer r.lock()()
	x, err := r.settable(n)
	if err != nil {
		return nil, err
	}
	v, err := parse(x, c.Literal)
	if err != nil {
		return nil, err
	}
	return r.write(x, v)
}

// SetBytes implements edit.ByteEditor.
func (r *reading) SetBytes(ctx context.Context, _ *tree.Reader, n *tree.Node, data []byte) ([]source.Splice, error) {
	if e, ok := r.editorOf(n); ok {
		if b, ok := e.Editor.(edit.ByteEditor); ok {
			return sameSize(b.SetBytes(ctx, e.read, e.node, data))
		}
	}
	defer r.lock()()
	x, err := r.settable(n)
	if err != nil {
		return nil, err
	}
	if x.cell.Type.Kind != spec.RawBytes {
		return nil, errors.New("this value holds no bytes")
	}
	return r.write(x, expr.Of(data))
}

// Follows implements format.Follower: what a description computes has no bytes of its own.
func (r *reading) Follows(_ *tree.Reader, n *tree.Node) bool {
	defer r.lock()()
	x := r.nodeOf(&n.Value)
	return x != nil && x.attr != nil && x.attr.Value != nil
}

// settable returns what the reading keeps of a value that has its own bytes.
func (r *reading) settable(n *tree.Node) (*node, error) {
	x := r.nodeOf(&n.Value)
	switch {
	case x == nil || n.Damage != nil || x.cell.Bad != nil:
		return nil, errors.New("this value could not be read")
	case x.object() != nil || x.array() != nil:
		return nil, errors.New("only the values inside it can be set")
	case x.attr != nil && x.attr.Value != nil:
		return nil, errors.New("this value is computed from others")
	case x.cell.State == read.Absent:
		return nil, errors.New("this value is absent: its condition does not hold")
	case !x.inFile && (x.attr == nil || x.cell.Type == nil || x.cell.Buf.IsFile()):
		return nil, errors.New("this value has no bytes of its own in the file")
	case x.cell.Tail > x.cell.End:
		return nil, errors.New("this value ends with a byte of the next one")
	}
	return x, nil
}

// parse parses a literal as a value of the type of a node.
func parse(n *node, text string) (v expr.Value, err error) {
	text = strings.TrimSpace(text)
	if e := n.attr.Enum; e != nil {
		label := text[strings.LastIndexByte(text, ':')+1:]
		if v, ok := e.Values[label]; ok {
			return v, nil
		}
		if !notation.IsDigit((text + " ")[0]) && !strings.HasPrefix(text, "-") {
			return v, fmt.Errorf("%s has no %s; it has %s", shortName(e.Name), text, strings.Join(e.Order[:min(len(e.Order), 12)], ", "))
		}
	}
	l, err := notation.Parse(text)
	if err != nil {
		return v, err
	}
	kind := n.cell.Type.Kind
	switch {
	case kind == spec.Str && l.Kind == notation.Text:
		return expr.Of(string(l.Text)), nil
	case kind == spec.Str:
		return v, l.Errorf("a text in quotes is expected here")
	case kind == spec.RawBytes:
		b, err := hex.DecodeString(strings.Join(strings.Fields(string(l.Text)), ""))
		if err != nil || l.Kind != notation.Call || l.Name != "bytes" {
			return v, l.Errorf("bytes are written as hex digits: bytes(00ff)")
		}
		return expr.Of(b), nil
	case l.Kind != notation.Number && l.Kind != notation.Word:
		return v, l.Errorf("%s is expected here", n.valueType())
	}
	s, err := l.Scalar()
	if err != nil {
		return v, err
	}
	kinds := map[tree.ScalarKind]expr.Kind{tree.Bool: expr.Bool, tree.Int: expr.Int, tree.Uint: expr.Int, tree.Float64: expr.Float}
	v = expr.Value{Kind: kinds[s.Kind], N: s.Bits, Wide: s.Kind == tree.Uint && s.Bits > math.MaxInt64}
	if kind == spec.Float && v.Kind == expr.Int {
		v = expr.Of(v.Float())
	}
	if v.Kind != n.cell.Val.Kind || v.Kind == expr.Null {
		return v, l.Errorf("%s is expected here", n.valueType())
	}
	return read.Enumerated(v, n.attr), nil
}

// write returns the splices that give a node a value, nil if it has that.
func (r *reading) write(n *node, v expr.Value) ([]source.Splice, error) {
	c := &n.cell
	from, index := c.Start, max(0, n.index)
	is, err := c.Value(n.attr)
	if order, wrong := expr.Compare(is, v); err == nil && wrong == nil && order == 0 && v.Kind != expr.Float {
		return nil, nil // what fills it up may be anything
	}
	b, err := r.encode(n, v)
	if err != nil {
		return nil, err
	}
	if c.Type.Kind == spec.Bits {
		from, b = bitsAt(c, v.N)
	}
	if err := n.owner.Allows(n.attr, v, index); err != nil {
		return nil, err
	}
	if n.attr.Process != nil {
		if err := n.owner.Unprocess(n.attr, b[:c.Tail-c.Body], index); err != nil {
			return nil, err
		}
	}
	if bytes.Equal(b, c.Buf.Append(nil, from, from+int64(len(b)))) {
		return nil, nil
	}
	from, err = c.Buf.Stored(from, b)
	return []source.Splice{source.Put(from, int64(len(b)), b)}, err
}

// encode returns the bytes of an attribute with a value.
func (r *reading) encode(n *node, v expr.Value) ([]byte, error) {
	c, t := &n.cell, n.cell.Type
	switch t.Kind {
	case spec.Unsigned, spec.Signed, spec.Bits:
		if err := inRange(t, v); err != nil || t.Kind == spec.Bits {
			return nil, err
		}
		return n.owner.PutNumber(t, v.N), nil
	case spec.Float:
		if t.Size == 8 {
			return n.owner.PutNumber(t, v.N), nil
		}
		f := float32(v.Float())
		if math.IsInf(float64(f), 0) && !math.IsInf(v.Float(), 0) {
			return nil, errors.New("a float of 32 bits is at most 3.4028235e38")
		}
		return n.owner.PutNumber(t, uint64(math.Float32bits(f))), nil
	case spec.Str:
		b, err := charset.Encode(v.Text(), n.attr.Encoding)
		if err != nil {
			return nil, err
		}
		return fill(n, b)
	}
	if n.attr.IsContents && !bytes.Equal(v.Data(), n.attr.Contents) {
		return nil, fmt.Errorf("the description asks for bytes(%x) here", n.attr.Contents)
	}
	if c.Type.Kind != spec.RawBytes {
		return nil, errors.New("this value cannot be set")
	}
	return fill(n, v.Data())
}

func inRange(t *spec.TypeRef, v expr.Value) error {
	bits := t.Bits()
	low, high := expr.Of(0), expr.Of(uint64(math.MaxUint64)>>(64-bits))
	if t.Kind == spec.Signed {
		low, high = expr.Of(int64(-1)<<(bits-1)), expr.Of(uint64(math.MaxUint64)>>(65-bits))
	}
	a, err := expr.Compare(v, low)
	b, _ := expr.Compare(v, high)
	if err == nil && (a < 0 || b > 0) { // one bit is a boolean
		return fmt.Errorf("%s is from %s to %s", t, low.Digits(), high.Digits())
	}
	return nil
}

// fill returns the bytes of an attribute that hold a text or data and what follows it in a fixed size.
func fill(n *node, b []byte) ([]byte, error) {
	size := int(n.cell.End - n.cell.Start)
	a, term := n.attr, n.attr.EndOf(n.cell.Type)
	isFixed := (a.Size != nil || a.SizeEOS || a.IsContents) && a.Process == nil
	switch {
	case isFixed && len(b) > size:
		return nil, fmt.Errorf("there is room for %d bytes, and this has %d", size, len(b))
	case !isFixed && len(b) != int(n.cell.Tail-n.cell.Start):
		return nil, fmt.Errorf("the value has %d bytes, and this has %d: its size cannot change", n.cell.Tail-n.cell.Start, len(b))
	case term != nil && !a.Include && read.IndexUnit(b, term) >= 0:
		return nil, errors.New("the value would end at the terminator in it")
	case term != nil && a.Include && !isWhole(b, term, size):
		return nil, errors.New("the value ends with its terminator, and contains no other one")
	case a.Pad >= 0 && len(b) > 0 && int(b[len(b)-1]) == a.Pad && (term == nil || int(term[len(term)-1]) != a.Pad):
		return nil, errors.New("the value would lose its last byte, which is the padding's")
	}
	if !isFixed {
		return append(b, n.cell.Buf.Append(nil, n.cell.Tail, n.cell.End)...), nil
	}
	if len(b) < size && !a.Include && len(b)+len(term) <= size {
		b = append(b, term...)
	}
	if len(b) < size && a.Pad < 0 && term == nil {
		return nil, fmt.Errorf("the value has %d bytes, and this has %d: nothing fills the rest", size, len(b))
	}
	return append(b, bytes.Repeat([]byte{byte(max(a.Pad, 0))}, size-len(b))...), nil
}

// isWhole reports whether a value that includes its terminator is read as a whole in so many bytes.
func isWhole(b, term []byte, size int) bool {
	at := read.IndexUnit(b, term)
	return at >= 0 && at == len(b)-len(term) || at < 0 && len(b) == size
}

// bitsAt returns the bytes that a number of bits is in, with another value.
func bitsAt(c *read.Cell, value uint64) (from int64, b []byte) {
	from = c.Start
	if c.Bit > 0 {
		from--
	}
	size, first := c.Type.Size, int(c.Bit)
	b = c.Buf.Append(nil, from, from+int64(first+size+7)/8)
	for i := range size {
		at := first + i
		bit, mask := value>>(size-1-i)&1, byte(0x80)>>(at%8)
		if c.Type.Endian == spec.Little {
			bit, mask = value>>i&1, 1<<(at%8)
		}
		if b[at/8] &^= mask; bit != 0 {
			b[at/8] |= mask
		}
	}
	return from, b
}

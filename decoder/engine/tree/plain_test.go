package tree_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// plainReading has only the five required methods. Its buffers are lists of values: '(' with the count of
// pairs in it, '[' with the count of values in it, or a byte.
type plainReading struct{}

func (plainReading) Root(size int64, region span.Span) tree.Value {
	v := tree.Value{Body: region.Offset, Limit: region.End(), Fenced: true}
	v.Contain(tree.Sequence, tree.Unknown, 1)
	v.End = size
	return v
}

func (plainReading) Read(w *source.Window, parent *tree.Value, _ tree.Slot, off int64, v *tree.Value) {
	*v = tree.Value{Start: off, Head: off, Body: off + 2, Limit: parent.Limit}
	switch b := w.Byte(off); {
	case b == '(' && off+1 < v.Limit:
		v.Type = '('
		v.Contain(tree.Pairs, int64(w.Byte(off+1)-'0'), 1)
	case b == '[' && off+1 < v.Limit:
		v.Type = '['
		v.Contain(tree.Sequence, int64(w.Byte(off+1)-'0'), 1)
	default:
		v.Body = off
		v.Close(off + 1)
	}
}

func (plainReading) Fields(_ *source.Window, _, v *tree.Value, fields []span.Field) []span.Field {
	end := v.Body
	if v.Layout == tree.Leaf {
		end = v.Tail
	}
	if end > v.Start {
		fields = append(fields, span.Field{Span: span.Between(v.Start, end), Kind: span.Value, Label: "value"})
	}
	return fields
}

func (plainReading) AppendField(dst []byte, w *source.Window, _ *tree.Value, f span.Field) []byte {
	return tree.AppendHex(dst, w.View(f.Offset, f.Length), f.Length)
}

func (plainReading) TypeName(v *tree.Value) string {
	switch v.Type {
	case '(':
		return "pairs"
	case '[':
		return "list"
	}
	return "byte"
}

// A textReading also knows that its bytes are text.
type textReading struct{ plainReading }

func (textReading) Describe(_ *source.Window, v *tree.Value) tree.Scalar {
	return tree.Scalar{Kind: tree.Text, Span: v.Span()}
}

// TestPlain checks what the tree writes if a format has no notation of its own.
func TestPlain(t *testing.T) {
	for _, c := range []struct {
		reading           tree.Reading
		bytes, text, json string
	}{
		{plainReading{}, "a", "[byte(61)]", `[{"type":"byte","hex":"61"}]`},
		{plainReading{}, "a[2bc", "[byte(61), [byte(62), byte(63)]]", `[{"type":"byte","hex":"61"},[{"type":"byte","hex":"62"},{"type":"byte","hex":"63"}]]`},
		{plainReading{}, "(1ab", "[{byte(61): byte(62)}]", `[{"type":"pairs","args":[{"type":"byte","hex":"61"},{"type":"byte","hex":"62"}]}]`},
		{textReading{}, "(2abcd", `[{"a": "b", "c": "d"}]`, `[{"a":"b","c":"d"}]`},
		{textReading{}, "(2abad", `[{"a": "b", "a": "d"}]`, `[{"type":"pairs","args":["a","b","a","d"]}]`},
		{textReading{}, "(1[1ab", `[{["a"]: "b"}]`, `[{"type":"pairs","args":[["a"],"b"]}]`},
		{textReading{}, "(1a", `[{"a": <missing-value-of-key>}]`, `[{"a":{"type":"Damaged","problem":"missing-value-of-key","offset":3}}]`},
		{textReading{}, "", "[]", "[]"},
	} {
		tr := tree.New(source.Bytes(c.bytes), c.reading, span.Between(0, int64(len(c.bytes))))
		r := tr.NewReader()
		var text, json bytes.Buffer
		if err := r.WriteText(context.Background(), &text, &tr.Base.Value); err != nil || text.String() != c.text {
			t.Errorf("%s: %s, want %s (%v)", c.bytes, &text, c.text, err)
		}
		if err := r.WriteJSON(context.Background(), &json, &tr.Base.Value); err != nil || json.String() != c.json+"\n" {
			t.Errorf("%s: JSON %s, want %s (%v)", c.bytes, &json, c.json, err)
		}
	}
}

// TestPlainSteps checks the steps of paths that the tree writes.
func TestPlainSteps(t *testing.T) {
	for reading, want := range map[tree.Reading]string{plainReading{}: "$[0][byte(61)]", textReading{}: "$[0].a"} {
		tr := tree.New(source.Bytes("(1a[1b"), reading, span.Between(0, 6))
		r := tr.NewReader()
		n, err := r.Resolve(want + "[0]")
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Path(n); got != want+"[0]" || n.Start != 5 {
			t.Errorf("%s at %d, want %s", got, n.Start, want)
		}
	}
}

// TestPlainManyOdd checks that everything is exported even if more Pairs are odd than can be remembered;
// those after them then count as odd too.
func TestPlainManyOdd(t *testing.T) {
	const many = 1<<16 + 10
	data := "(1ab" + strings.Repeat("(2abac", many) + "(1ab"
	tr := tree.New(source.Bytes(data), textReading{}, span.Between(0, int64(len(data))))
	var out bytes.Buffer
	if err := tr.NewReader().WriteJSON(context.Background(), &out, &tr.Base.Value); err != nil {
		t.Fatal(err)
	}
	odd := `{"type":"pairs","args":["a","b","a","c"]},`
	if want := `[{"a":"b"},` + strings.Repeat(odd, many) + `{"type":"pairs","args":["a","b"]}]` + "\n"; out.String() != want {
		t.Errorf("%d bytes, want %d: %s…", out.Len(), len(want), out.String()[:100])
	}
}

// TestPlainCancelled checks that writing ends when it is cancelled.
func TestPlainCancelled(t *testing.T) {
	data := strings.Repeat("a", 1<<20)
	tr := tree.New(source.Bytes(data), textReading{}, span.Between(0, int64(len(data))))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out bytes.Buffer
	if err := tr.NewReader().WriteJSON(ctx, &out, &tr.Base.Value); !errors.Is(err, context.Canceled) || out.Len() > 0 {
		t.Errorf("%d bytes were written: %v", out.Len(), err)
	}
}

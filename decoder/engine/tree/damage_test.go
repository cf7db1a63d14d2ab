package tree_test

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// problems lists the codes of all problems in a buffer of Godot 4.
func problems(t *testing.T, framing godot.Framing, src source.Source) []string {
	d, _ := godot.ByName("godot4")
	tr := tree.New(src, godot.New(godot.Settings{Dialect: d, Framing: framing}), span.Between(0, src.Size()))
	var codes []string
	err := tr.Check(context.Background(), tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) { codes = append(codes, p.Code) })
	if err != nil {
		codes = append(codes, "error")
	}
	return codes
}

// TestProblems: every kind of damage is reported once, even in frames, and reading resumes after it.
func TestProblems(t *testing.T) {
	const unknown = 77
	for _, c := range []struct {
		name    string
		framing godot.Framing
		data    []byte
		want    []string
	}{
		{"nothing", godot.Raw, nil, []string{span.Truncated}},
		{"no frames", godot.Stream, nil, nil},
		{"three bytes", godot.Raw, []byte{1, 2, 3}, []string{span.Truncated}},
		{"three bytes behind the frames", godot.Stream, append(words(4, 0), 1, 2, 3), []string{span.Truncated}},
		{"bytes behind the value", godot.Raw, words(0, 9), []string{span.TrailingBytes}},
		{"bytes behind a vector in a frame", godot.Stream, words(16, 5, 0, 0, 9), []string{span.TrailingBytes}},
		{"bytes behind an array in a frame", godot.Stream, words(12, 28, 0, 9), []string{span.TrailingBytes}},
		{"bytes behind an int in a frame", godot.Stream, words(12, 2, 1, 9), []string{span.TrailingBytes}},
		{"frame of no bytes", godot.Stream, words(0, 4, 0), []string{span.FrameTooShort}},
		{"frame too short", godot.Stream, words(4, 2, 4, 0), []string{span.FrameTooShort}},
		{"frame past the end", godot.Stream, words(8, 2), []string{span.Truncated, span.LengthOverrun}},
		{"frame of 0xffffffff", godot.Stream, words(0xffffffff, 0), []string{span.LengthOverrun}},
		{"array past the end", godot.Raw, words(28, 0x7fffffff, 0), []string{span.LengthOverrun}},
		{"array in a frame past its end", godot.Stream, words(12, 28, 3, 0, 4, 0), []string{span.LengthOverrun}},
		{"array with an element cut", godot.Raw, words(28, 2, 2, 7, 2), []string{span.Truncated}},
		{"array with too few elements", godot.Raw, words(28, 2, 2, 7), []string{span.Truncated}},
		{"key without value", godot.Raw, words(27, 1, 2, 7), []string{"missing-value-of-key"}},
		{"unknown type in an array in a frame", godot.Stream, words(20, 28, 3, 0, unknown, 0, 4, 0), []string{span.UnknownType}},
		{"flags and high bits of an array", godot.Raw, words(28|0x0100|8<<16, 0), []string{span.HighTypeBits, span.UnknownFlags}},
		{"wrong element", godot.Raw, words(28|1<<16, 2, 1, 4, 0), []string{span.ElementType}},
		{"string of 0xffffffff bytes", godot.Raw, words(4, 0xffffffff, 0), []string{span.NegativeLength}},
		{"packed array of 0xffffffff", godot.Raw, words(30, 0xffffffff, 0), []string{span.NegativeLength}},
		{"bad bool", godot.Raw, words(1, 2), []string{span.BoolValue}},
	} {
		if got := problems(t, c.framing, source.Bytes(c.data)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
	}
}

// shrunk is a file that has become shorter since it was opened.
type shrunk struct {
	source.Bytes
	size int64
}

func (s shrunk) Size() int64 { return s.size }

// TestShrunk: where bytes are gone the reading ends, and says so a few times, not once for each value that
// might have been there.
func TestShrunk(t *testing.T) {
	stream := shrunk{bytes.Repeat(words(12, 28, 1, 0), 5_000), 1 << 40}
	if got := problems(t, godot.Stream, stream); !slices.Equal(got, []string{span.ReadFailed, "error"}) {
		t.Errorf("%d problems, the first %v", len(got), got[:min(3, len(got))])
	}
	raw := shrunk{append(words(28, 1, 28, 1<<30), make([]byte, 100_000)...), 1 << 40}
	if got := problems(t, godot.Raw, raw); len(got) != 2 || got[0] != span.ReadFailed {
		t.Errorf("%d problems, the first %v", len(got), got[:min(3, len(got))])
	}
}

// TestFrameNode: what is known about a frame before its children are passed.
func TestFrameNode(t *testing.T) {
	tr := open(t, "godot4", godot.Stream, words(16, 28, 1, 0, 9))
	r := tr.NewReader()
	n, err := r.Child(tr.Base, 0)
	if err != nil || n.End != 20 || n.Tail != tree.Unknown || n.HasGap() {
		t.Errorf("%v %v", describe(n), err)
	}
	if fields := r.AppendFields(nil, n); len(fields) != 4 {
		t.Errorf("%d fields: %v", len(fields), fields)
	}
	if n, err = r.Finish(n); err != nil || n.Tail != 16 || !n.HasGap() {
		t.Errorf("%v %v", describe(n), err)
	}
	if fields := r.AppendFields(nil, n); len(fields) != 5 || fields[4].Kind != span.Gap {
		t.Errorf("%d fields: %v", len(fields), fields)
	}
}

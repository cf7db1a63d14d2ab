package literals

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
	"varview/model/patch"
)

// ErrLong says that a literal is too long to be written.
var ErrLong = errors.New("too long")

// A Short is a buffer for the beginning of a text. It refuses more with ErrLong.
type Short struct {
	bytes.Buffer
	Most int // bytes; 0 for patch.MaxLiteral
}

func (s *Short) Write(b []byte) (int, error) {
	if left := cmp.Or(s.Most, patch.MaxLiteral) - s.Len(); len(b) > left {
		s.Buffer.Write(b[:left])
		return 0, ErrLong
	}
	return s.Buffer.Write(b)
}

// Stored returns the literal with which a value that r reads is stored elsewhere in the same way; ErrLong if it has more
// than patch.MaxLiteral bytes.
func Stored(ctx context.Context, r *tree.Reader, n *tree.Node) (string, error) {
	s, ok := r.Tree.Reading.(format.StoredWriter)
	if !ok {
		return Full(ctx, r, n)
	}
	var out Short
	err := s.WriteStored(ctx, &out, r, &n.Value)
	return out.String(), err
}

// Full is Stored, as far as users type it.
func Full(ctx context.Context, r *tree.Reader, n *tree.Node) (string, error) {
	var out Short
	err := r.WriteExact(ctx, &out, &n.Value)
	return strings.TrimSuffix(out.String(), "\n"), err
}

// FirstOf returns at most n bytes of the beginning of a text, in whole characters.
func FirstOf(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Unlinked returns the literal of a value of t in which references are replaced by empty values.
func Unlinked(ctx context.Context, t *tree.Tree, n *tree.Node) (string, error) {
	if n.Layout == tree.Leaf {
		return Stored(ctx, t.NewReader(), n)
	}
	return Linked(ctx, t, n, func(uint32) string { return "" })
}

// Linked returns the literal of a value of t in which references lead to the paths that link returns for the
// numbers of their targets; where it returns "", there is an empty value.
func Linked(ctx context.Context, t *tree.Tree, n *tree.Node, link func(serial uint32) string) (string, error) {
	linked, ok := t.Reading.(format.Linked)
	if !ok {
		return Stored(ctx, t.NewReader(), n)
	}
	var out Short
	err := linked.WriteLinked(ctx, &out, t.NewReader(), &n.Value, link)
	return out.String(), err
}

// StepIndex returns the index in a step of a path; ok is false if the step is not an index.
func StepIndex(step string) (int64, bool) {
	inner, ok := strings.CutPrefix(step, "[")
	if !ok {
		return 0, false
	}
	i, err := strconv.ParseInt(strings.TrimSuffix(inner, "]"), 0, 64)
	return i, err == nil && i >= 0
}

// StepKey returns the literal of the key in a step of a path.
func StepKey(step string) string {
	if name, ok := strings.CutPrefix(step, "."); ok {
		if !utf8.ValidString(name) {
			return `"` + name + `"` // what reads the literal refuses it, as it does in quotes
		}
		return string(tree.AppendQuoted(nil, []byte(name)))
	}
	return strings.TrimSpace(step[1 : len(step)-1])
}

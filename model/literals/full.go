package literals

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"varview/decoder/format"
	"varview/decoder/tree"
	"varview/model/patch"
)

// ErrLong ends the writing of a literal that is too long.
var ErrLong = errors.New("too long")

// A Short takes text of no more than patch.MaxLiteral bytes. It refuses more with ErrLong.
type Short struct{ bytes.Buffer }

func (s *Short) Write(b []byte) (int, error) {
	if s.Len()+len(b) > patch.MaxLiteral {
		return 0, ErrLong
	}
	return s.Buffer.Write(b)
}

// Full is the literal of a value that r reads; ErrLong where it has more than patch.MaxLiteral
// bytes.
func Full(ctx context.Context, r *tree.Reader, n *tree.Node) (string, error) {
	var out Short
	err := r.WriteText(ctx, &out, &n.Value)
	return strings.TrimSuffix(out.String(), "\n"), err
}

// FirstOf is the beginning of a text: at most n bytes of whole characters.
func FirstOf(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Unlinked is the literal of a value of t with empty values in place of what refers to
// others.
func Unlinked(ctx context.Context, t *tree.Tree, n *tree.Node) (string, error) {
	linked, ok := t.Reading.(format.Linked)
	if !ok || n.Layout == tree.Leaf {
		return Full(ctx, t.NewReader(), n)
	}
	var out Short
	err := linked.WriteUnlinked(ctx, &out, t.NewReader(), &n.Value)
	return out.String(), err
}

// StepIndex returns the index that a step of a path is, if it is one.
func StepIndex(step string) (int64, bool) {
	inner, ok := strings.CutPrefix(step, "[")
	if !ok {
		return 0, false
	}
	i, err := strconv.ParseInt(strings.TrimSuffix(inner, "]"), 0, 64)
	return i, err == nil && i >= 0
}

// StepKey is the literal of the key that a step names.
func StepKey(step string) string {
	if name, ok := strings.CutPrefix(step, "."); ok {
		return string(tree.AppendQuoted(nil, []byte(name)))
	}
	return strings.TrimSpace(step[1 : len(step)-1])
}

package model

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"varview/decoder/format"
	"varview/decoder/tree"
	"varview/model/patch"
)

// errLong ends the writing of a literal that is too long.
var errLong = errors.New("too long")

// shortText takes no more than MaxLiteral bytes.
type shortText struct{ bytes.Buffer }

func (s *shortText) Write(b []byte) (int, error) {
	if s.Len()+len(b) > patch.MaxLiteral {
		return 0, errLong
	}
	return s.Buffer.Write(b)
}

// fullLiteral is the literal of a value of t; errLong where it has more than
// MaxLiteral bytes.
func fullLiteral(ctx context.Context, t *tree.Tree, n *tree.Node) (string, error) {
	var out shortText
	err := t.NewReader().WriteText(ctx, &out, &n.Value)
	return strings.TrimSuffix(out.String(), "\n"), err
}

// unlinkedLiteral is the literal of a value of t with empty values in place of what refers to
// others.
func unlinkedLiteral(ctx context.Context, t *tree.Tree, n *tree.Node) (string, error) {
	linked, ok := t.Reading.(format.Linked)
	if !ok || n.Layout == tree.Leaf {
		return fullLiteral(ctx, t, n)
	}
	var out shortText
	err := linked.WriteUnlinked(ctx, &out, t.NewReader(), &n.Value)
	return out.String(), err
}

// CutAssignment cuts PATH=VALUE at the first "=" outside of brackets and quotes;
// ok is false where there is none.
func CutAssignment(s string) (path, value string, ok bool) {
	depth := 0
	for i, c := range tree.Unquoted(s) {
		switch {
		case c == '[', c == '{':
			depth++
		case c == ']', c == '}':
			depth--
		case c == '=' && depth <= 0:
			return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+1:]), true
		}
	}
	return "", "", false
}

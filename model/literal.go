package model

import (
	"context"
	"strings"

	"varview/decoder/format"
	"varview/decoder/tree"
	"varview/model/literals"
)

// unlinkedLiteral is the literal of a value of t with empty values in place of what refers to
// others.
func unlinkedLiteral(ctx context.Context, t *tree.Tree, n *tree.Node) (string, error) {
	linked, ok := t.Reading.(format.Linked)
	if !ok || n.Layout == tree.Leaf {
		return literals.Full(ctx, t, n)
	}
	var out literals.Short
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

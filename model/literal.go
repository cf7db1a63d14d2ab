package model

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"varview/decoder/tree"
)

// MaxLiteral is the length in bytes up to which a value is edited, copied and
// noted as text.
const MaxLiteral = 1 << 20

// errLong ends the writing of a literal that is too long.
var errLong = errors.New("too long")

// shortText takes no more than MaxLiteral bytes.
type shortText struct{ bytes.Buffer }

func (s *shortText) Write(b []byte) (int, error) {
	if s.Len()+len(b) > MaxLiteral {
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

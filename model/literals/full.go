package literals

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

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

// Full is the literal of a value of t; ErrLong where it has more than patch.MaxLiteral
// bytes.
func Full(ctx context.Context, t *tree.Tree, n *tree.Node) (string, error) {
	var out Short
	err := t.NewReader().WriteText(ctx, &out, &n.Value)
	return strings.TrimSuffix(out.String(), "\n"), err
}

// FirstOf is the beginning of a text: at most n bytes of whole characters.
func FirstOf(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

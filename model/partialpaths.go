package model

import (
	"context"
	"strings"

	"varview/decoder/parallel"
	"varview/model/search"
)

// PathsWith lists up to most values whose path has all parts in their order; without any, the first values.
// Where there is none, the characters of the parts need not be side by side.
func (b *Buffer) PathsWith(ctx context.Context, parts []string, most int) []Continuation {
	found := b.withPath(ctx, "*"+strings.Join(parts, "*")+"*", most)
	if len(found) == 0 {
		found = b.withPath(ctx, "*"+strings.Join(strings.Split(strings.Join(parts, ""), ""), "*")+"*", most)
	}
	return found
}

// withPath lists values whose path fits a pattern.
func (b *Buffer) withPath(ctx context.Context, pattern string, most int) (found []Continuation) {
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(pattern)
	q, err := search.ParseQuery(`path:"` + quoted + `"`)
	if err != nil {
		return nil
	}
	read := b.Tree().NewReader()
	b.Matches(ctx, q, parallel.SpareWorkers(), nil, func(hit search.Hit) bool {
		found = append(found, b.continuation(read, hit.Node))
		return len(found) < most && ctx.Err() == nil
	})
	return found
}

package paths

import (
	"context"
	"strings"

	"varview/decoder/engine/parallel"
	"varview/model"
	"varview/model/search"
)

// With returns up to most paths that contain all parts in order; without parts, the first paths. If there
// are none, the characters of a part need not be adjacent.
func With(ctx context.Context, b *model.Buffer, parts []string, most int) []Path {
	found := like(ctx, b, "*"+strings.Join(parts, "*")+"*", most)
	if len(found) == 0 {
		found = like(ctx, b, "*"+strings.Join(strings.Split(strings.Join(parts, ""), ""), "*")+"*", most)
	}
	return found
}

// like returns paths that fit a pattern.
func like(ctx context.Context, b *model.Buffer, pattern string, most int) (found []Path) {
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(pattern)
	q, err := search.ParseQuery(`path:"` + quoted + `"`)
	if err != nil {
		return nil
	}
	read := b.Tree().NewReader()
	b.Matches(ctx, q, parallel.SpareWorkers(), nil, func(hit search.Hit) bool {
		found = append(found, describe(read, hit.Node))
		return len(found) < most && ctx.Err() == nil
	})
	return found
}

package paths

import (
	"context"
	"slices"
	"strings"

	"varview/decoder/engine/parallel"
	"varview/model"
	"varview/model/search"
)

// With returns up to most paths that contain all parts in order, and then those of values that show the last part; without parts, the
// first paths. If there are none, the characters of a part need not be adjacent.
func With(ctx context.Context, b *model.Buffer, parts []string, most int) []Path {
	found := matches(ctx, b, inPath(parts...), most)
	if last := len(parts) - 1; last >= 0 && len(found) < most {
		shown := matches(ctx, b, inPath(parts[:last]...)+" value:"+quoted(parts[last]), most-len(found))
		found = append(found, slices.DeleteFunc(shown, func(p Path) bool { return slices.Contains(found, p) })...)
	}
	if len(found) == 0 {
		found = matches(ctx, b, inPath(strings.Split(strings.Join(parts, ""), "")...), most)
	}
	return found
}

// inPath returns a query for paths that contain all parts in order.
func inPath(parts ...string) string { return "path:" + quoted("*"+strings.Join(parts, "*")+"*") }

func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// matches returns the different paths of values that fit a query.
func matches(ctx context.Context, b *model.Buffer, query string, most int) (found []Path) {
	q, err := search.ParseQuery(query)
	if err != nil {
		return nil
	}
	read, seen := b.Tree().NewReader(), map[string]bool{}
	b.Matches(ctx, q, parallel.SpareWorkers(), nil, func(hit search.Hit) bool {
		if p := describe(read, hit.Node); !seen[p.Path] { // what only leads to a value has its path
			seen[p.Path] = true
			found = append(found, p)
		}
		return len(found) < most && ctx.Err() == nil
	})
	return found
}

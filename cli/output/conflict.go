package output

import (
	"varview/decoder/tree"
	"varview/model/diff"
	"varview/ui/text"
)

// AppendConflictJSON appends a conflict as a line of JSON.
func AppendConflictJSON(dst []byte, c *diff.Conflict) []byte {
	dst = AppendPathJSON(append(dst, `{"conflict":`...), []byte(c.Path))
	for _, side := range []struct{ name, literal string }{{"base", c.Base}, {"ours", c.Ours}, {"theirs", c.Theirs}} {
		if side.literal != "" {
			dst = append(append(append(dst, `,"`...), side.name...), `":`...)
			dst = tree.AppendQuoted(dst, []byte(side.literal))
		}
	}
	return append(tree.AppendQuoted(append(dst, `,"why":`...), []byte(c.Why)), "}\n"...)
}

// AppendConflict appends a conflict as lines for people.
func AppendConflict(dst []byte, c *diff.Conflict, colors *Palette) []byte {
	dst = append(append(dst, "conflict at "...), appendShownPath(nil, c.Path)...)
	dst = append(append(append(dst, ": "...), text.Clean(c.Why)...), '\n')
	if c.Base != "" {
		dst = colors.side(dst, colors.dim, "  base   ", c.Base, 0)
	}
	if c.Ours != "" {
		dst = colors.side(dst, colors.removed, "  ours   ", c.Ours, 0)
	}
	if c.Theirs != "" {
		dst = colors.side(dst, colors.added, "  theirs ", c.Theirs, 0)
	}
	return dst
}

package json

import (
	"bytes"
	"slices"
	"strconv"

	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/tree"
)

// structure writes the struct items[i] from its members.
func (j *jsonWriter) structure(items []item, i int) {
	from := len(j.order)
	for c := i + 1; c < items[i].next; c = items[c].next {
		j.order = append(j.order, c)
	}
	members := written(sorted(j.order[from:], items), items)
	j.Put("{")
	some := j.constructor(&items[i].Value)
	length := len(j.path)
	for _, m := range members {
		if some {
			j.Put(",")
		}
		j.Dst = tree.AppendQuoted(j.Dst, items[m].name)
		j.Put(":")
		j.path = append(append(j.path[:length], '.'), items[m].name...)
		j.writeItem(items, m)
		some = true
	}
	j.path, j.order = j.path[:length], j.order[:from]
	j.Put("}")
}

// sorted returns members in the order of their names.
func sorted(members []int, items []item) []int {
	compare := func(a, b int) int { return bytes.Compare(items[a].name, items[b].name) }
	if !slices.IsSortedFunc(members, compare) {
		slices.SortStableFunc(members, compare)
	}
	return members
}

// written removes the members that are not written: skipped members, and all but the last
// one with the same name, which is the one that the library keeps.
func written(members []int, items []item) []int {
	kept := members[:0]
	for at, m := range members {
		if items[m].Type == datatype.Skipped || at+1 < len(members) && bytes.Equal(items[members[at+1]].name, items[m].name) {
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

// constructor writes the beginning of a constructed struct; it reports whether the struct
// is one.
func (j *jsonWriter) constructor(v *tree.Value) bool {
	if v.Flags&block.Constructed == 0 {
		return false
	}
	j.Put(`"__Elephant_Constructor__":`)
	j.Dst = tree.AppendQuoted(j.Dst, []byte(j.f.CtorName(v)))
	version, _ := j.f.Rules.SchemaVersion(j.w.Byte(j.f.VersionAt(j.w, v)))
	j.Put(`,"__Elephant_Schema_Version__":`)
	j.Dst = strconv.AppendInt(j.Dst, int64(version), 10)
	return true
}

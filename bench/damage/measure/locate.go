package measure

import (
	"slices"
	"strings"

	"varview/decoder/engine/span"
)

// isLocated reports whether one of the new diagnoses names the damaged value, by its
// path or by a span at the damage. Notes do not count.
func (f *File) isLocated(m *Mutation, a *Answer, fresh []int) bool {
	return slices.ContainsFunc(fresh, func(i int) bool {
		x := &a.Diagnoses[i]
		return x.Severity > span.Note && f.locates(m, x)
	})
}

// locates reports whether a diagnosis names the damaged value. A cut file has to name
// the value that the cut goes through, not only what contains that.
func (f *File) locates(m *Mutation, x *diagnosis) bool {
	field := m.Field
	switch {
	case field != nil && f.isPacked(field):
		return x.Buffer > 0 || f.namesPacked(m, x)
	case x.Buffer != 0:
		return false
	case field == nil: // bytes after the end
		return overlap(x.Span, span.Between(m.At, m.At+int64(len(m.New))))
	case m.Way != Cut && len(m.New) != len(m.Old) && overlap(x.Span, f.neighbours(m)):
		return true
	case field.IsLeaf && x.Offset >= field.Owner.Offset && x.End() <= field.Owner.End():
		return true
	}
	path := withoutKey(x.Path)
	if path == field.Path || path == field.OwnerPath {
		return true
	}
	if m.Way != Cut {
		return overlap(x.Span, field.Span)
	}
	before := f.at(m.At - 1)
	between := m.At == field.Owner.Offset // two values
	return between && (path == field.ParentPath || before == nil || path == before.OwnerPath)
}

// withoutKey returns the path of an entry for that of its key, and that of the values
// for what is around them.
func withoutKey(path string) string {
	if path == "" {
		return "$"
	}
	return strings.TrimSuffix(path, "@key")
}

package spec

import (
	"iter"
	"slices"

	"varview/decoder/formats/kaitai/expr"
)

// Deciding returns what reports whether an attribute alone is the size, the number or the position of another one, or is kept
// equal to something.
func (t *Type) Deciding() func(*Attr) bool {
	names := map[string]bool{} // of those that others reach through further ones
	for a := range t.All() {
		for _, n := range []expr.Node{a.Size, a.Pos, a.RepeatExpr} {
			name := expr.NameOf(n)
			r := a.Owner.Find(name)
			names[name] = names[name] || r == nil || r.In == expr.InParams || !expr.IsName(n, name)
		}
	}
	return func(a *Attr) bool { return names[a.ID] || a.Follows() || len(a.Located()) > 0 }
}

// Follows reports whether an attribute follows from others of its type: it is kept equal to something, or it alone is the
// size or the number of another one.
func (a *Attr) Follows() bool {
	return a.Kept != nil || len(a.deciding(func(x *Attr) []expr.Node { return []expr.Node{x.Size, x.RepeatExpr} })) > 0
}

// Located returns the names of the attributes of its type whose position an attribute alone is.
func (a *Attr) Located() []string {
	return a.deciding(func(x *Attr) []expr.Node { return []expr.Node{x.Pos} })
}

// Packed returns the names of the attributes of its type whose size, as a process packs them, an attribute alone is.
func (a *Attr) Packed() []string {
	return a.deciding(func(x *Attr) []expr.Node {
		if x.Process == nil {
			return nil
		}
		return []expr.Node{x.Size}
	})
}

// deciding returns the names of the attributes of its type of which an expression is nothing but the name of this one.
func (a *Attr) deciding(of func(*Attr) []expr.Node) (names []string) {
	if a.Owner == nil {
		return nil
	}
	for _, x := range slices.Concat(a.Owner.Seq, a.Owner.Instances) {
		for _, n := range of(x) {
			if r := a.Owner.Find(a.ID); expr.IsName(n, a.ID) && r != nil && a.Owner.Attr(r) == a {
				names = append(names, x.ID)
			}
		}
	}
	return names
}

// Keeps reports whether the description keeps a value equal to something.
func (t *Type) Keeps() bool { return t.has(func(a *Attr) bool { return a.Kept != nil }) }

// Overlaps reports whether the terminator of a value may be a part of the next one.
func (t *Type) Overlaps() bool { return t.has(func(a *Attr) bool { return !a.Consume }) }

// LeavesGaps reports whether there may be bytes among the values that nothing reads: behind values in their own bytes, or
// before instances.
func (t *Type) LeavesGaps() bool {
	return t.has(func(a *Attr) bool {
		return a.IsInstance && a.Value == nil || a.Process != nil || slices.ContainsFunc(a.Types(), func(r *TypeRef) bool {
			return r.Kind == User && (r.User == nil || a.IsSized())
		})
	})
}

func (t *Type) has(is func(*Attr) bool) bool {
	for a := range t.All() {
		if is(a) {
			return true
		}
	}
	return false
}

// All returns the attributes, instances and parameters of all types of the description.
func (t *Type) All() iter.Seq[*Attr] {
	return func(yield func(*Attr) bool) {
		for _, x := range t.loader.order {
			for _, a := range slices.Concat(x.Seq, x.Instances, x.Params) {
				if !yield(a) {
					return
				}
			}
		}
	}
}

// checkKept reports values that are kept equal to something which depends on them.
func (l *loader) checkKept() error {
	for a := range l.order[0].All() {
		if a.Kept != nil && a.Owner.needs(a, a, map[*Attr]bool{}) {
			return a.fail("%s: -varview-value depends on %s itself", a.ID, a.ID)
		}
	}
	return nil
}

// needs reports whether what an attribute of the type is kept equal to, or computed from, depends on another one.
func (t *Type) needs(a, other *Attr, seen map[*Attr]bool) (does bool) {
	seen[a] = true
	for _, n := range []expr.Node{a.Kept, a.Value} {
		expr.EachName(n, func(name string) {
			r := t.Find(name)
			if r == nil || does {
				return
			}
			x := t.Attr(r)
			does = x == other || !seen[x] && t.needs(x, other, seen)
		})
	}
	return does
}

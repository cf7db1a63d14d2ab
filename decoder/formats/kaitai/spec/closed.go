package spec

import (
	"slices"

	"varview/decoder/formats/kaitai/expr"
)

// IsClosed reports whether values of the attribute, or elements of it, that have a type depend on nothing but their own bytes: wherever the
// same bytes are, they are read in the same way.
func (a *Attr) IsClosed(r *TypeRef) bool {
	_, isFixed := expr.IsConstant(a.Size)
	switch {
	case a.Size != nil && !isFixed, a.Process != nil && len(a.Process.Args) > 0, len(r.Args) > 0, a.Valid != nil, !a.endsItself(isFixed):
		return false
	}
	return a.isClosedIn(r)
}

// isClosedIn reports whether values of a type depend on nothing but the bytes that they have in the attribute.
func (a *Attr) isClosedIn(r *TypeRef) bool {
	return r.Kind != User || r.User != nil && r.User.closed[a.IsSized()]
}

// CanBeCopied reports whether a copy of the bytes of the attribute is read as they are, if it is as large.
func (a *Attr) CanBeCopied() bool {
	return a.Switch == nil && a.Repeat == Once && a.Process == nil && len(a.Type.Args) == 0 && a.isClosedIn(&a.Type)
}

// endsItself reports whether nothing behind or around the attribute is a part of it, and nothing in it follows from others.
func (a *Attr) endsItself(isOwn bool) bool {
	return (isOwn || !a.SizeEOS && a.EOSError) && a.Consume && a.Kept == nil && !a.NoParent && a.ParentExpr == nil && a.IO == nil
}

// findClosed finds whether values of the type depend on nothing but their own bytes, in their own stream and in that of
// others.
func (t *Type) findClosed() {
	t.closed = map[bool]bool{false: t.isClosed(false), true: t.isClosed(true)}
}

func (t *Type) isClosed(isOwn bool) bool {
	type use struct {
		*Type
		isOwn bool
	}
	depth, all := map[use]int{{t, isOwn}: 0}, []use{{t, isOwn}}
	for i := 0; i < len(all); i++ { // which grows
		x := all[i]
		if x.EndianOn != nil {
			return false
		}
		for _, a := range slices.Concat(x.Seq, x.Instances) {
			if !a.endsItself(x.isOwn) || !x.isOwn && (a.Pos != nil || a.Repeat == UntilEnd) || !a.looksUp(depth[x], x.isOwn) {
				return false
			}
			for _, r := range a.Types() {
				next := use{r.User, x.isOwn || a.IsSized()}
				switch _, isKnown := depth[next]; {
				case r.Kind != User || isKnown:
				case r.User == nil:
					return false
				default:
					depth[next] = depth[x] + 1
					all = append(all, next)
				}
			}
		}
	}
	return true
}

// looksUp reports whether the expressions of the attribute look no more than some levels up, and at no stream but one of
// the value itself.
func (a *Attr) looksUp(levels int, isOwn bool) bool {
	ok := true
	for _, n := range a.expressions() {
		up := 0
		expr.EachName(n, func(name string) {
			switch name {
			case "_parent":
				up++
			case "_io":
				ok = ok && isOwn && up == 0
			case "_root":
				ok = false
			}
		})
		ok = ok && up <= levels
	}
	return ok
}

// expressions returns all expressions of the attribute.
func (a *Attr) expressions() []expr.Node {
	all := []expr.Node{a.If, a.RepeatExpr, a.Size, a.Pos, a.IO, a.Value, a.ParentExpr, a.Kept}
	if a.Process != nil {
		all = append(all, a.Process.Args...)
	}
	if a.Switch != nil {
		all = append(all, a.Switch.On)
		for _, c := range a.Switch.Cases {
			all = append(all, c.When)
		}
	}
	for _, r := range a.Types() {
		all = append(all, r.Args...)
	}
	if v := a.Valid; v != nil {
		all = append(all, v.Expr)
		for _, b := range v.Bounds {
			all = append(all, b.Value)
		}
		for _, c := range v.AnyOf.Cases {
			all = append(all, c.When)
		}
	}
	return all
}

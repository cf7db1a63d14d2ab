package search

import (
	"bufio"
	"io"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// maxPath is the length in bytes of the longest path that can be found.
const maxPath = 4096

// A judge decides for single values whether a query holds for them.
type judge struct {
	s     *searcher
	scan  *tree.Scanner
	win   *source.Window
	paths *tree.Pather // nil if the query does not ask for paths
	read  *tree.Reader

	ev      tree.Event
	around  *tree.Value
	key     tree.Value // valid if hasKey is set
	hasKey  bool
	keyAt   int64 // offset of key, if that was the last one passed
	fields  []span.Field
	content []byte
}

func newJudge(s *searcher, scan *tree.Scanner) *judge {
	j := &judge{s: s, scan: scan, win: scan.Window(), read: s.tree.NewReader(), keyAt: tree.Unknown}
	if s.query.expr.uses(inPath) {
		j.paths = tree.NewPatherAt(s.tree, scan)
	}
	return j
}

// A verdict says whether an expression holds for a value, and why.
type verdict struct {
	holds   bool
	inKey   bool // a term was found in the key
	inValue bool // a term was found elsewhere
	rank    Rank
}

// with returns the verdict of two expressions that both hold.
func (a verdict) with(b verdict) verdict {
	return verdict{true, a.inKey || b.inKey, a.inValue || b.inValue, min(a.rank, b.rank)}
}

// hit judges the value of an event.
func (j *judge) hit(scan *tree.Scanner, ev tree.Event) (Hit, bool) {
	j.ev, j.around, j.hasKey = ev, scan.Around(ev), scan.KeyAt() != tree.Unknown
	if j.hasKey && j.keyAt != scan.KeyAt() {
		j.s.tree.Reading.Read(j.win, j.around, tree.Slot{Index: scan.Slot().Index, Key: true}, scan.KeyAt(), &j.key)
	}
	found := j.expr(j.s.query.expr)
	switch {
	case !found.holds:
		return Hit{}, false
	case found.inKey && !found.inValue:
		return Hit{Span: j.key.Span(), Node: scan.Current(ev), Rank: found.rank}, true
	}
	return valueHit(scan.Current(ev), found.rank), true
}

// expr decides whether an expression holds.
func (j *judge) expr(x *expr) verdict {
	switch x.op {
	case opTerm:
		return j.term(x.term)
	case opNot:
		return verdict{holds: !j.expr(x.parts[0]).holds, rank: Other}
	}
	all := verdict{holds: x.op == opAnd, rank: Other}
	for _, part := range x.parts {
		switch found := j.expr(part); {
		case found.holds:
			all = all.with(found)
		case x.op == opAnd:
			return found
		}
	}
	return all
}

// term decides whether a term holds.
func (j *judge) term(t *term) verdict {
	elsewhere := verdict{holds: true, inValue: true, rank: Other}
	switch t.in {
	case inType:
		elsewhere.holds = j.isOfType(t.glob)
	case inPath:
		if t.values != nil {
			elsewhere.holds = j.s.chosen[t].has(j.scan, j.ev)
			break
		}
		path := j.paths.Path(j.ev)
		loose := tree.Loose(path)
		elsewhere.holds = len(path) <= maxPath && (t.glob.matches(path) || len(loose) != len(path) && t.glob.matches(loose))
	case inBytes:
		elsewhere.holds = j.hasBytes(t.bytes)
	case inNamed:
		elsewhere.holds = j.hasText(t)
	case inProblem:
		elsewhere.holds = j.s.problems.hasKeyOrValue(j.scan, j.ev)
	default:
		return j.contents(t)
	}
	return elsewhere
}

// hasText reports whether a term is found in the texts of the value with its name.
func (j *judge) hasText(t *term) bool {
	r, ok := j.s.tree.Reading.(format.Lister)
	return ok && t.isIn(r.Texts(j.win, j.scan.Value(), t.name))
}

// contents searches the key and the value for a term.
func (j *judge) contents(t *term) verdict {
	found := verdict{rank: Other}
	switch isTest := t.test != nil && !t.isNumber(); {
	case isTest && t.in == inKey:
		return verdict{holds: j.hasKey && j.read.Meets(&j.key, t.test), inKey: true, rank: ExactKey}
	case isTest:
		return verdict{holds: j.read.Meets(j.scan.Value(), t.test), inValue: true, rank: ExactValue}
	}
	if t.in != inValue {
		if name := j.s.name(j.scan, j.ev); len(name) > 0 && t.matchesText(name) {
			found = found.with(verdict{inValue: true, rank: rankOf(true, t.isAllOf(name))})
		}
		if j.hasKey && j.key.Damage == nil && j.key.Layout < tree.Sequence {
			ok, isAll := j.inFields(t, j.around, &j.key)
			if !ok {
				ok, isAll = j.s.spelled(t, j.win, &j.key)
			}
			if ok {
				found = found.with(verdict{inKey: true, rank: rankOf(true, isAll)})
			}
		}
	}
	if t.in != inKey {
		ok, isAll := j.inFields(t, j.around, j.scan.Value())
		if !ok {
			ok, isAll = j.s.spelled(t, j.win, j.scan.Value())
		}
		if ok {
			found = found.with(verdict{inValue: true, rank: rankOf(false, isAll)})
		}
	}
	return found
}

// inFields searches the fields of a value for a term and, if the term is a number, its elements too.
// isAll is set if the term is all of a field.
func (j *judge) inFields(t *term, parent, v *tree.Value) (ok, isAll bool) {
	if v.Layout == tree.Fixed && t.seesNumbers() && j.inElements(t, v) {
		return true, true
	}
	j.fields = j.s.tree.Reading.Fields(j.win, parent, v, j.fields[:0])
	for _, f := range j.fields {
		switch f.Kind {
		case span.Text:
			found, all := j.inText(t, f.Span)
			ok, isAll = ok || found, isAll || all
		case span.Value, span.ID:
			if t.seesNumbers() && j.isField(t, v, f) {
				return true, true
			}
			if !ok && j.s.isText && isLetter(j.win.View(f.Offset, 1)) {
				ok, _ = j.inText(t, f.Span)
			}
		}
	}
	return ok, isAll
}

// isLetter reports whether a byte begins a word of a text, such as the name of a type, and no number.
func isLetter(b []byte) bool { return len(b) == 1 && ('a' <= b[0]|0x20 && b[0]|0x20 <= 'z') }

// isField reports whether the content of a field is the number or word of a term.
func (j *judge) isField(t *term, v *tree.Value, f span.Field) bool {
	j.content = j.s.tree.Reading.AppendField(j.content[:0], j.win, v, f)
	return j.win.TakeHole() == nil && t.matchesField(j.content)
}

// inElements searches the elements of a value, and their elements, for a number.
func (j *judge) inElements(t *term, v *tree.Value) bool {
	if v.Opaque || v.Stride == 0 {
		return false
	}
	var element tree.Value
	stride := int64(v.Stride)
	for i := int64(0); i < v.Count && v.Body+(i+1)*stride <= v.Tail; i++ {
		if i%4096 == 4095 && j.s.ctx.Err() != nil {
			return false
		}
		j.s.tree.Reading.Read(j.win, v, tree.Slot{Index: i}, v.Body+i*stride, &element)
		if ok, _ := j.inFields(t, v, &element); ok {
			return true
		}
	}
	return false
}

// inText searches a field of text for a term. isAll is set if it is all of the text.
func (j *judge) inText(t *term, f span.Span) (ok, isAll bool) {
	switch {
	case t.text != nil:
		found, ok := t.text.find(j.win, f, f.Offset)
		return ok, ok && found == f
	case t.regex == nil:
		return false, false
	case f.Length <= source.MaxView:
		text := j.win.View(f.Offset, f.Length)
		return t.regex.Match(text), t.isAllOf(text)
	}
	return t.regex.MatchReader(bufio.NewReader(io.NewSectionReader(j.s.tree.Source, f.Offset, f.Length))), false
}

// isOfType compares the type of the value, both as its name alone and with its element types.
func (j *judge) isOfType(g *glob) bool {
	v := j.scan.Value()
	j.content = append(j.content[:0], j.s.tree.Reading.TypeName(v)...)
	if g.matches(j.content) {
		return true
	}
	j.content = j.s.tree.AppendType(j.content[:0], j.win, v)
	return j.win.TakeHole() == nil && g.matches(j.content)
}

// hasBytes reports whether the bytes of a value match a pattern, not counting values inside that are
// stored one after another.
func (j *judge) hasBytes(p *pattern) bool {
	const piece = 32 << 10
	v, size := j.scan.Value(), int64(len(p.bytes))
	end := v.End
	if v.Layout >= tree.Sequence {
		end = v.Body
	}
	for at := v.Start; at < end; at += piece {
		b := j.win.View(at, min(piece+size-1, end-at))
		if j.win.TakeHole() == nil && p.index(b) >= 0 {
			return true
		}
	}
	return false
}

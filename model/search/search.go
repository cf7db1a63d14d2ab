// Package search searches the values of a tree with a query.
//
// ParseQuery parses a query. Next finds the hit after or before a place, Matches finds all hits in the
// order of their bytes, and Best and BestWithin find the first of the best hits.
package search

import (
	"context"
	"errors"
	"fmt"
	"io"

	"varview/decoder/diagnose"
	"varview/decoder/engine/format"
	"varview/decoder/engine/parallel"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// errFound ends a search early.
var errFound = errors.New("found")

// A Spot is where a search begins.
type Spot struct {
	Offset int64
	At     *tree.Node // the value selected there, since several can begin at one byte
}

// Next searches the values of a tree for the first hit after a spot, or with backward for
// the last one before it, and continues at the other end. It returns the hit and whether it
// wrapped around; the error is io.EOF if there is no hit. progress is called with the
// number of bytes searched.
func Next(ctx context.Context, t *tree.Tree, q Query, from Spot, backward bool, progress func(done, all int64)) (hit Hit, wrapped bool, err error) {
	if q.expr == nil {
		return hit, false, io.EOF
	}
	s, err := newSearcher(ctx, t, q, progress)
	if err != nil {
		return hit, false, err
	}
	progress(0, t.Source.Size())
	at, end := from.Offset, t.Source.Size()
	if s.names != nil {
		end++ // there can be values without bytes
	}
	if q.sole == nil || s.names != nil && q.sole.bytes == nil {
		if hit, err = s.besides(from, backward); err != io.EOF {
			return hit, false, err
		}
	}
	if backward {
		hit, err = s.last(0, at)
		if err == io.EOF {
			wrapped = true
			hit, err = s.last(at, end)
		}
	} else {
		hit, err = s.first(at+1, end)
		if err == io.EOF {
			wrapped = true
			hit, err = s.first(0, at+1)
		}
	}
	return hit, wrapped, err
}

type searcher struct {
	ctx      context.Context
	tree     *tree.Tree
	query    Query
	progress func(done, all int64)
	named
	problems valueSet                      // nil if the query does not ask for problems
	chosen   map[*term]valueSet            // values of paths that have conditions
	passed   int64                         // bytes searched in finished stretches
	places   *parallel.Spares[*candidates] // places of the bytes, or of a text that all hits contain; nil if none is known
}

func newSearcher(ctx context.Context, t *tree.Tree, q Query, progress func(done, all int64)) (s *searcher, err error) {
	s = &searcher{ctx: ctx, tree: t, query: q, progress: progress, named: namesOf(t, &q)}
	if q.isBytes() {
		s.places = newCandidates(t.Source, len(q.sole.bytes.bytes), q.sole.bytes.index)
	} else if required := q.expr.required(); required != nil && s.names == nil && s.spells == nil {
		s.places = newCandidates(t.Source, len(required.needle), required.index)
	}
	if q.expr.uses(inProblem) {
		s.problems, err = problemsOf(ctx, t)
	}
	s.chosen = map[*term]valueSet{}
	for term := range q.expr.terms() {
		if err == nil && term.values != nil {
			s.chosen[term], err = valuesAt(ctx, t, term)
		}
	}
	return s, err
}

// first returns the first hit that begins in [from, to).
func (s *searcher) first(from, to int64) (Hit, error) {
	return s.stretch(from, to, func(Hit) bool { return false })
}

// last returns the last hit that begins in [from, to). It goes back from one known place to the one
// before, and keeps the last hit between them.
func (s *searcher) last(from, to int64) (Hit, error) {
	for to > from {
		place := max(from, s.tree.PlaceBefore(to))
		if s.query.isBytes() {
			place = max(from, to-blockBytes)
		}
		var hit Hit
		found := false
		_, err := s.stretch(place, to, func(h Hit) bool { hit, found = h, true; return true })
		if err != io.EOF {
			return Hit{}, err
		}
		if found {
			return hit, nil
		}
		to = place
	}
	return Hit{}, io.EOF
}

// stretch searches [from, to). It returns the first hit for which more returns false; io.EOF if there is
// none.
func (s *searcher) stretch(from, to int64, more func(Hit) bool) (Hit, error) {
	var hit Hit
	found := func(h Hit) bool {
		if h.Offset >= to {
			return true
		}
		hit = h
		return more(h)
	}
	var err error
	if s.query.isBytes() {
		err = s.eachBytes(from, to, found)
	} else {
		err = s.eachHit(from, to, found)
	}
	s.passed += to - from
	switch {
	case errors.Is(err, errFound):
		return hit, nil
	case err != nil:
		return Hit{}, err
	}
	return Hit{}, io.EOF
}

// eachHit calls found for each hit in fields or values that begins in [from, to).
func (s *searcher) eachHit(from, to int64, found func(Hit) bool) error {
	w := &walk{s: s, from: from, to: to, found: found, reach: farAhead}
	if s.places == nil {
		return w.run(from)
	}
	w.places = s.begin()
	defer s.places.Put(w.places)
	if s.query.sole != nil {
		w.look(from)
	} else { // its key may be before
		w.place = s.scannerAt(from).Pos()
	}
	for w.err == nil && !w.stopped && w.place < to {
		at := w.place
		if w.err = w.run(at); w.err == nil && w.place == at { // no value could be read there
			w.look(at + 1)
		}
	}
	return w.err
}

// Only is a set of values given by a path that stands for one or many, in one or more trees.
type Only struct {
	values  map[string]bool // paths of the values
	around  map[string]bool // paths of the values around them
	longest int             // length of the longest path in values, in bytes
}

// NewOnly returns the values that a path stands for in any of the trees; the error is tree.ErrNoMatch if
// there are none.
func NewOnly(ctx context.Context, path string, trees ...*tree.Tree) (*Only, error) {
	p, err := tree.ParsePattern(path)
	if err != nil {
		return nil, err
	}
	o := &Only{values: map[string]bool{}, around: map[string]bool{}}
	for _, t := range trees {
		r := t.NewReader()
		err := p.Each(ctx, t.NewReader(), func(n *tree.Node) error {
			o.add(r.Path(n))
			return nil
		})
		if missing := (*tree.PathError)(nil); err != nil && !errors.As(err, &missing) {
			return nil, err
		}
	}
	if len(o.values) == 0 {
		return nil, fmt.Errorf("%w: %s", tree.ErrNoMatch, path)
	}
	return o, nil
}

func (o *Only) add(path string) {
	o.values[path] = true
	o.longest = max(o.longest, len(path))
	for prefix := range tree.Prefixes(path) {
		if prefix != path {
			o.around[prefix] = true
		}
	}
}

// Has reports whether a path is that of one of the values, or of something inside one.
func (o *Only) Has(path string) bool {
	for prefix := range tree.Prefixes(path) {
		if len(prefix) > o.longest {
			break
		}
		if o.values[prefix] {
			return true
		}
	}
	return false
}

// IsAround reports whether a path is that of something that contains one of the values.
func (o *Only) IsAround(path string) bool { return o.around[path] }

// A named is what a reading knows about names and texts that are not in the bytes as they are.
type named struct {
	names  format.MemberNamer // nil if all names are in the bytes
	spells tree.Speller       // nil if all texts and numbers are in the bytes
	isText bool               // the values are words in a text: SubResource("1")
}

// namesOf returns what a query has to ask the reading for: nothing if only bytes can match it.
func namesOf(t *tree.Tree, q *Query) (n named) {
	n.names, _ = t.Reading.(format.MemberNamer)
	n.spells, _ = t.Reading.(tree.Speller)
	_, n.isText = t.Reading.(diagnose.Text)
	if n.spells != nil && !q.isBytes() && !n.spells.MaySpell(q.expr.mayMatch) {
		return named{isText: n.isText}
	}
	return n
}

// mayMatch reports whether a text may be one that an expression looks for.
func (x *expr) mayMatch(s []byte) bool {
	for t := range x.terms() {
		if t.in <= inValue && (t.matchesText(s) || t.matchesField(s)) {
			return true
		}
	}
	return false
}

// spelled searches what a value says that is not in its bytes for a term. isAll is set if the term is all of
// it.
func (n *named) spelled(t *term, w *source.Window, v *tree.Value) (ok, isAll bool) {
	if n.spells == nil {
		return false, false
	}
	for _, s := range n.spells.Spellings(w, v) {
		if text := []byte(s); t.matchesText(text) || t.matchesField(text) {
			return true, t.text == nil || t.isAllOf(text)
		}
	}
	return false, false
}

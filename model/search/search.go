// Package search looks through the values of a tree for text, numbers, names and bytes.
package search

import (
	"bytes"
	"context"
	"errors"
	"io"

	"varview/decoder/format"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// errFound ends a search early.
var errFound = errors.New("found")

// A Hit is what a search has found.
type Hit struct {
	span.Span
	Named *tree.Node // the value, where its name was found, which has no bytes; else nil
}

// A Spot is where a search begins.
type Spot struct {
	Offset int64
	At     *tree.Node // the value that is selected there: several can begin at one byte
}

// Next searches the values of a tree for the first hit after a spot, or with backward
// the last one before it, and resumes at the other end. It returns the hit and whether it
// wrapped around; the error is io.EOF if there is no hit. progress is called with the
// number of bytes searched.
func Next(ctx context.Context, t *tree.Tree, q Query, from Spot, backward bool, progress func(done, all int64)) (hit Hit, wrapped bool, err error) {
	s := searcher{ctx: ctx, tree: t, query: q, progress: progress}
	s.names, _ = t.Reading.(format.MemberNamer)
	progress(0, t.Source.Size())
	at, end := from.Offset, t.Source.Size()
	if s.names != nil {
		end++ // values without bytes can be there
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
	names    format.MemberNamer // nil if all names are in the bytes
	passed   int64              // bytes searched in stretches that are done
}

// first is the first hit that begins in [from, to).
func (s *searcher) first(from, to int64) (Hit, error) {
	return s.stretch(from, to, func(Hit) bool { return false })
}

// last is the last hit that begins in [from, to). It goes back from one
// remembered place to the one before and keeps the last hit between them.
func (s *searcher) last(from, to int64) (Hit, error) {
	for to > from {
		place := max(from, s.tree.PlaceBefore(to))
		if s.query.bytes != nil {
			place = max(from, to-1<<20)
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

// stretch looks through [from, to). It returns the first hit for which more
// returns false, io.EOF if there is none.
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
	if s.query.bytes != nil {
		err = s.eachBytes(from, to, found)
	} else {
		err = s.eachText(from, to, found)
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

// eachBytes calls found for each place in [from, to) that has the bytes. What
// cannot be read is passed over.
func (s *searcher) eachBytes(from, to int64, found func(Hit) bool) error {
	size := int64(len(s.query.bytes))
	buf := make([]byte, 1<<20+size-1)
	for at := from; at < to; at += 1 << 20 {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		s.progress(s.passed+at-from, s.tree.Source.Size())
		n, holes := source.ReadAround(s.tree.Source, buf, at)
		end := min(to, at+1<<20)
		start := at
		for _, hole := range append(holes, span.Span{Offset: at + int64(n)}) {
			b := buf[start-at : hole.Offset-at]
			if !s.eachMatch(b, func(i int64) bool {
				return start+i >= end || found(Hit{Span: span.Span{Offset: start + i, Length: size}})
			}) {
				return errFound
			}
			start = hole.End()
		}
	}
	return nil
}

// eachMatch calls found for each place in b that has the bytes, until that
// returns false.
func (s *searcher) eachMatch(b []byte, found func(at int64) bool) bool {
	for i := 0; ; i++ {
		k := bytes.Index(b[i:], s.query.bytes)
		if k < 0 {
			return true
		}
		if i += k; !found(int64(i)) {
			return false
		}
	}
}

// eachText calls found for each name, string or number in [from, to) that matches.
func (s *searcher) eachText(from, to int64, found func(Hit) bool) error {
	w := &textWalk{s: s, from: from, to: to, found: found}
	if s.names != nil || s.query.number || s.query.word {
		return w.run(from)
	}
	w.places = newCandidates(s.tree.Source, &s.query)
	for w.look(from); w.err == nil && !w.stopped && w.place < to; {
		at := w.place
		if w.err = w.run(at); w.err == nil && w.place == at { // no value could be read there
			w.look(at + 1)
		}
	}
	return w.err
}

// match looks for the query in one field, at or after offset from.
func (s *searcher) match(scan *tree.Scanner, f span.Field, from int64) (span.Span, bool) {
	switch f.Kind {
	case span.Text:
		return s.inText(scan, f, from)
	case span.Value, span.ID:
		if !(s.query.number || s.query.word) || f.Offset < from {
			return span.Span{}, false
		}
		var text [64]byte
		b := s.tree.Reading.AppendField(text[:0], scan.Window(), scan.Value(), f)
		if scan.Window().TakeHole() != nil {
			return span.Span{}, false
		}
		if s.query.word {
			return f.Span, string(b) == s.query.text
		}
		return f.Span, s.query.equals(string(b))
	}
	return span.Span{}, false
}

// inText looks for the needle in a string, piece by piece.
func (s *searcher) inText(scan *tree.Scanner, f span.Field, from int64) (span.Span, bool) {
	const piece = 32 << 10
	overlap := int64(len(s.query.needle)) - 1
	for at := max(f.Offset, from); at < f.End(); at += piece {
		b := scan.Window().View(at, min(piece+overlap, f.End()-at))
		if i := s.query.index(b); i >= 0 {
			return span.Span{Offset: at + int64(i), Length: int64(len(s.query.needle))}, true
		}
	}
	return span.Span{}, false
}

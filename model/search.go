package model

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"varview/decoder/format"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A Query says what to look for.
type Query struct {
	text    string // as typed
	bytes   []byte // not nil: these bytes, wherever they are
	needle  []byte // else this text in keys and strings
	fold    bool   // whatever its case
	number  bool   // or a number equal to value
	value   float64
	whole   bool // or rather to integer: a float64 does not hold every int
	integer int64
	word    bool // or a value that is written like this: true, nan
}

// ParseQuery reads what was typed: "x:1b 00" looks for bytes, all else for
// text, and for a number if it is one. Text without capitals is found in any
// case.
func ParseQuery(s string) (Query, error) {
	q := Query{text: s}
	if digits, ok := strings.CutPrefix(s, "x:"); ok {
		b, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
		if err != nil || len(b) == 0 {
			return q, fmt.Errorf("x: wants pairs of hex digits, as in x:1b 00")
		}
		q.bytes = b
		return q, nil
	}
	if s == "" {
		return q, errors.New("nothing to look for")
	}
	q.needle = []byte(s)
	q.fold = strings.IndexFunc(s, unicode.IsUpper) < 0
	if q.fold {
		q.needle = bytes.ToLower(q.needle)
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil && strings.ContainsAny(s, "xXbBoO") {
		n, err = strconv.ParseInt(s, 0, 64)
	}
	if err == nil {
		q.integer, q.value, q.whole, q.number = n, float64(n), true, true
	} else if v, err := strconv.ParseFloat(s, 64); err == nil {
		q.value, q.number = v, v == v && !math.IsInf(v, 0)
	}
	switch s {
	case "true", "false", "nan", "inf", "-inf":
		q.word = true
	}
	return q, nil
}

// String is the query as it was typed.
func (q Query) String() string { return q.text }

// equals reports whether the text of a field is the number that is looked for.
func (q *Query) equals(text string) bool {
	if n, err := strconv.ParseInt(text, 10, 64); q.whole && err == nil {
		return n == q.integer
	}
	v, err := strconv.ParseFloat(text, 64)
	return err == nil && v == q.value && (!q.whole || int64(v) == q.integer)
}

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
	at     *tree.Node // the value that is selected there: several can begin at one byte
}

// Spot is where the cursor is.
func (x *Explorer) Spot() Spot {
	if n := x.row; !x.inBytes && n != nil && n.Depth > 0 && (n.Start == x.offset || n.Start == n.End) {
		return Spot{n.Start, n}
	}
	return Spot{Offset: x.offset}
}

// Search looks for the next hit behind a spot, or with backward the last one
// before it, and goes on at the other end of the buffer. It returns the hit,
// whether it went round, and io.EOF if there is none anywhere.
func (b *Buffer) Search(ctx context.Context, q Query, from Spot, backward bool, p *Progress) (hit Hit, wrapped bool, err error) {
	done, err := b.doc.use()
	if err != nil {
		return hit, false, err
	}
	defer done()
	s := search{ctx: ctx, buf: b, query: q, progress: p}
	s.names, _ = b.Tree().Reading.(format.MemberNamer)
	p.set(0, b.Size())
	at, end := from.Offset, b.Size()
	if s.names != nil {
		end++ // values without bytes can stand there
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

type search struct {
	ctx      context.Context
	buf      *Buffer
	query    Query
	progress *Progress
	names    format.MemberNamer // nil if all names are in the bytes
	passed   int64              // bytes searched in stretches that are done
}

// first is the first hit that begins in [from, to).
func (s *search) first(from, to int64) (Hit, error) {
	return s.stretch(from, to, func(Hit) bool { return false })
}

// last is the last hit that begins in [from, to). It goes back from one
// remembered place to the one before and keeps the last hit between them.
func (s *search) last(from, to int64) (Hit, error) {
	for to > from {
		place := max(from, s.buf.Tree().PlaceBefore(to))
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
func (s *search) stretch(from, to int64, more func(Hit) bool) (Hit, error) {
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

// eachBytes calls found for each place in [from, to) where the bytes stand. What
// cannot be read is passed over.
func (s *search) eachBytes(from, to int64, found func(Hit) bool) error {
	size := int64(len(s.query.bytes))
	buf := make([]byte, 1<<20+size-1)
	for at := from; at < to; at += 1 << 20 {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		s.progress.done.Store(s.passed + at - from)
		n, holes := s.buf.readAround(buf, at)
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

// eachMatch calls found for each place in b where the bytes stand, until that
// returns false.
func (s *search) eachMatch(b []byte, found func(at int64) bool) bool {
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
func (s *search) eachText(from, to int64, found func(Hit) bool) error {
	scan := s.scannerAt(from)
	scan.Elements = s.query.number || s.query.word
	var fields []span.Field
	stopped := false
	steps := 0
	err := scan.Run(s.ctx, func(ev tree.Event) bool {
		if steps++; steps%1024 == 0 {
			s.progress.done.Store(s.passed + max(0, scan.Pos()-from))
		}
		if ev == tree.Leave {
			return scan.Pos() < to
		}
		from := from
		if start := scan.Value().Start; start >= from && s.isNamed(scan, ev) {
			if !found(namedHit(scan.Current(ev))) {
				stopped = true
				return false
			}
			from = start + 1 // what else is found there is the same value
		}
		fields = scan.AppendFields(fields[:0], ev)
		for _, f := range fields {
			for at := from; at < f.End(); {
				h, ok := s.match(scan, f, at)
				if ok && !found(Hit{Span: h}) {
					stopped = true
					return false
				}
				if !ok || h.Offset >= to || f.Kind != span.Text {
					break
				}
				at = h.Offset + 1
			}
		}
		return scan.Pos() < to || ev == tree.Enter
	})
	if stopped {
		return errFound
	}
	return err
}

// match looks for the query in one field, at or behind offset from.
func (s *search) match(scan *tree.Scanner, f span.Field, from int64) (span.Span, bool) {
	switch f.Kind {
	case span.Text:
		return s.inText(scan, f, from)
	case span.Value, span.ID:
		if !(s.query.number || s.query.word) || f.Offset < from {
			return span.Span{}, false
		}
		var text [64]byte
		b := s.buf.Tree().Reading.AppendField(text[:0], scan.Window(), scan.Value(), f)
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
func (s *search) inText(scan *tree.Scanner, f span.Field, from int64) (span.Span, bool) {
	const piece = 32 << 10
	overlap := int64(len(s.query.needle)) - 1
	for at := max(f.Offset, from); at < f.End(); at += piece {
		b := scan.Window().View(at, min(piece+overlap, f.End()-at))
		if i := s.index(b); i >= 0 {
			return span.Span{Offset: at + int64(i), Length: int64(len(s.query.needle))}, true
		}
	}
	return span.Span{}, false
}

func (s *search) index(b []byte) int {
	if !s.query.fold {
		return bytes.Index(b, s.query.needle)
	}
	return indexFold(b, s.query.needle)
}

// indexFold is bytes.Index for a needle in lower case in text of any case.
func indexFold(b, needle []byte) int {
	first := needle[0]
	for i := 0; i+len(needle) <= len(b); i++ {
		if lower(b[i]) == first || first >= 0x80 || b[i] >= 0x80 {
			if bytes.EqualFold(b[i:i+len(needle)], needle) {
				return i
			}
		}
	}
	return -1
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

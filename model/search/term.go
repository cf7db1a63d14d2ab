package search

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"

	"varview/decoder/engine/format"
	"varview/decoder/engine/parallel"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/condition"
)

// A place is where a term is searched for.
type place uint8

const (
	anywhere  place = iota // in a key or its value
	inKey                  // in a key or name
	inValue                // in a value
	inType                 // in the name of its type
	inPath                 // in its path
	inBytes                // in its bytes
	inProblem              // in its problems
	inNamed                // in the texts of a record with a given name
)

// prefixes are typed before a term that is searched for in one place only.
var prefixes = map[place]string{inKey: "key:", inValue: "value:", inType: "type:", inPath: "path:", inBytes: "x:", inProblem: "has:"}

// A term is one thing to search for. It is found if any of the fields below that are set is found.
type term struct {
	in     place
	name   string // for inNamed
	typed  string // without the prefix
	text   *text
	test   *condition.Test // a comparison
	word   string          // a value that is written like this, such as true or nan; "" if there is none
	regex  *regexp.Regexp
	glob   *glob
	values *tree.Pattern // values that the path of inPath stands for
	bytes  *pattern
}

// String returns the term as it can be typed.
func (t *term) String() string {
	if key, isHeld := strings.CutPrefix(t.name, "["); isHeld {
		return strings.TrimSuffix(key, "]") + t.typed
	}
	if t.in == inNamed {
		return t.name + ":" + t.typed
	}
	return prefixes[t.in] + t.typed
}

// isAboutFields reports whether a query with only this term is about fields or bytes, not about values.
func (t *term) isAboutFields() bool {
	return t.in == inBytes || t.in == anywhere && t.regex == nil && (t.test == nil || t.isNumber())
}

// seesNumbers reports whether the term is compared with more than text.
func (t *term) seesNumbers() bool { return t.isNumber() || t.word != "" }

// isNumber reports whether values are compared with a number.
func (t *term) isNumber() bool { return t.test != nil && t.test.With.Kind == condition.Num }

// required returns a text that the bytes must contain if the term is found; nil if none is known.
func (t *term) required() *text {
	switch {
	case t.in > inValue || t.seesNumbers() || t.test != nil:
		return nil
	case t.regex != nil:
		if literal, _ := t.regex.LiteralPrefix(); literal != "" {
			return newText(literal, false)
		}
		return nil
	}
	return t.text
}

// matchesText reports whether the text or regular expression is found in a text.
func (t *term) matchesText(s []byte) bool {
	return t.text != nil && t.text.index(s) >= 0 || t.regex != nil && t.regex.Match(s)
}

// isAllOf reports whether the term is the whole of a text.
func (t *term) isAllOf(s []byte) bool {
	if t.regex != nil {
		at := t.regex.FindIndex(s)
		return at != nil && at[1]-at[0] == len(s)
	}
	return t.text != nil && len(t.text.needle) == len(s)
}

// matchesField reports whether the content of a field that is not text is the number or
// word of the term.
func (t *term) matchesField(content []byte) bool {
	if t.isNumber() {
		if order, ok := t.test.With.Num.CompareDigits(string(content)); ok && condition.Holds(t.test.Op, order) {
			return true
		}
	}
	return t.word != "" && string(content) == t.word
}

// quote returns a text as it is typed, with quotes if it has blanks or signs.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// A text is searched for in keys and strings.
type text struct {
	needle []byte
	fold   *folded // finds it in any case; nil if case matters
}

// newText returns a text to search for. With anyCase, the case of a text without capitals
// does not matter.
func newText(s string, anyCase bool) *text {
	t := &text{needle: []byte(s)}
	if anyCase && !hasCapitals(s) {
		t.needle = bytes.ToLower(t.needle)
		t.fold = fold(t.needle)
	}
	return t
}

func hasCapitals(s string) bool { return strings.IndexFunc(s, unicode.IsUpper) >= 0 }

// index returns the first place of the text in b; -1 if there is none.
func (t *text) index(b []byte) int {
	if t.fold != nil {
		return t.fold.index(b)
	}
	return bytes.Index(b, t.needle)
}

// find returns the first place of the text in a field, at or after from. It searches the
// field piece by piece.
func (t *text) find(w *source.Window, f span.Span, from int64) (span.Span, bool) {
	return findIn(w, f, from, int64(len(t.needle)), t.index)
}

// besides finds the next or previous value that is a hit at the byte at which the search begins.
func (s *searcher) besides(from Spot, backward bool) (hit Hit, err error) {
	if from.At == nil {
		return hit, io.EOF
	}
	ok, passed := false, false
	err = s.eachValueAt(from.Offset, func(n *tree.Node, h Hit, matches bool) bool {
		switch {
		case n.Same(from.At):
			passed = true
			return !backward
		case matches && passed != backward:
			hit, ok = h, true
			return backward
		}
		return true
	})
	if err == nil && !ok {
		err = io.EOF
	}
	return hit, err
}

// eachValueAt calls found for each value that begins at an offset, until found returns
// false; matches says whether the value is a hit.
func (s *searcher) eachValueAt(offset int64, found func(n *tree.Node, h Hit, matches bool) bool) error {
	scan := s.scannerAt(offset)
	w := &walk{s: s, to: offset + 1}
	w.prepare(scan)
	return scan.Run(s.ctx, func(ev tree.Event) bool {
		v := scan.Value()
		if ev == tree.Leave {
			return true
		}
		w.follow(ev)
		hit, matches := w.value(scan, ev)
		if v.Start < offset {
			return true
		}
		return v.Start == offset && found(scan.Current(ev), hit, matches)
	})
}

// scannerAt returns a scanner that passes everything from an offset on. Values without bytes have the
// same offset as what follows them, and a known place can be between them: if there can be such values,
// it begins at an earlier place.
func (s *searcher) scannerAt(from int64) *tree.Scanner {
	if s.names != nil {
		from = max(0, from-1)
	}
	return s.tree.ScannerAt(from)
}

// name returns the name that a schema gives the value of an event; nil if there is none.
func (s *searcher) name(scan *tree.Scanner, ev tree.Event) []byte {
	if s.names == nil || scan.Slot().Key {
		return nil
	}
	around := scan.Around(ev)
	described, _ := s.tree.Reading.(tree.Described)
	if around.Layout != tree.Sequence || described != nil && described.IsListed(scan.Value()) {
		return nil
	}
	return s.names.MemberName(around, scan.Slot().Index)
}

// ParseRecordQuery parses a query about records, with a prefix for each of the names.
func ParseRecordQuery(s string, names []format.TextName) (Query, error) {
	p := parser{text: s, names: names, places: []place{inBytes, inProblem}}
	x, err := p.parse()
	return Query{expr: x}, err
}

// named reads a term with a name as its prefix; nil if there is none here.
func (p *parser) named() (*term, error) {
	start, ahead := p.at, *p
	name := ahead.nameBefore(":")
	is := p.textName(name)
	if name == "" || is == nil {
		return nil, nil
	}
	if p.at = ahead.at; p.ends(p.at) {
		return nil, p.errorf(start, "%s: needs a text, with * and ?, or a comparison, as in %s:>100", name, name)
	}
	t, err := p.plain(inNamed)
	if err != nil {
		return nil, err
	}
	if t.name = name; t.text != nil { // and not a comparison or a regular expression
		t.glob, t.text, t.test, t.word = newGlob(string(t.text.needle)), nil, nil, ""
	}
	return t, p.possible(t, is, start)
}

// Holds reports whether a query about records matches r.
func (q Query) Holds(r format.Facts) bool { return q.expr.holds(r) }

func (x *expr) holds(r format.Facts) bool {
	switch x.op {
	case opTerm:
		return x.term.holds(r)
	case opNot:
		return !x.parts[0].holds(r)
	}
	for _, part := range x.parts {
		if part.holds(r) == (x.op == opOr) {
			return x.op == opOr
		}
	}
	return x.op == opAnd
}

func (t *term) holds(r format.Facts) bool {
	switch t.in {
	case inBytes:
		return t.bytes.index(r.Content()) >= 0
	case inProblem:
		return r.HasProblem()
	}
	texts := r.Texts(t.name)
	if isKey := strings.HasPrefix(t.name, "["); isKey && len(texts) == 0 {
		return false
	}
	return t.isIn(texts) || t.isNumber() && t.name == "" && t.isIn(r.Texts(heldName("")))
}

// heldName names the values that a record holds under a key, or, for "", all of them.
func heldName(key string) string { return "[" + key + "]" }

// isIn reports whether the term is found in any of the texts.
func (t *term) isIn(texts []string) bool {
	isOther := t.test != nil && t.test.Op == "!=" // not in any
	for _, s := range texts {
		text := []byte(s)
		found := t.glob != nil && t.glob.matches(text) || t.matchesText(text) || t.matchesField(text) || t.test != nil && !t.isNumber() && t.test.MeetsText(s)
		if found != isOther {
			return found
		}
	}
	return isOther
}

// maxValues limits the memory for the values that have problems, or that a path stands for.
const maxValues = 1 << 20

// A valueSet holds values that were found before the search.
type valueSet map[tree.ID]struct{}

func (s valueSet) add(n *tree.Node) { s[n.ID()] = struct{}{} }

// valuesAt finds the values that a path stands for.
func valuesAt(ctx context.Context, t *tree.Tree, path *term) (valueSet, error) {
	set := valueSet{}
	err := path.values.Each(ctx, t.NewReader(), func(n *tree.Node) error {
		if set.add(n); len(set) > maxValues {
			return fmt.Errorf("%s stands for more than %s", path, span.Counted(maxValues, "value"))
		}
		return nil
	})
	if missing := (*tree.PathError)(nil); errors.As(err, &missing) {
		return set, nil
	}
	return set, err
}

// problemsOf finds the values that have problems.
func problemsOf(ctx context.Context, t *tree.Tree) (valueSet, error) {
	set := valueSet{}
	err := t.CheckUntil(ctx, tree.CheckOptions{Workers: parallel.Workers()}, func(_ span.Problem, n *tree.Node) bool {
		set.add(n)
		return len(set) <= maxValues
	})
	if err == nil && len(set) > maxValues {
		err = fmt.Errorf("has:problem: more than %s have one", span.Counted(maxValues, "value"))
	}
	return set, err
}

// hasKeyOrValue reports whether a value or its key is in the set.
func (s valueSet) hasKeyOrValue(scan *tree.Scanner, ev tree.Event) bool {
	if s.has(scan, ev) || scan.KeyAt() == tree.Unknown {
		return s.has(scan, ev)
	}
	id := idOf(scan, ev)
	id.Start, id.Slot.Key = scan.KeyAt(), true
	_, ok := s[id]
	return ok
}

// has reports whether a value is in the set.
func (s valueSet) has(scan *tree.Scanner, ev tree.Event) bool {
	_, ok := s[idOf(scan, ev)]
	return ok
}

// idOf identifies the value of an event.
func idOf(scan *tree.Scanner, ev tree.Event) tree.ID {
	if v := scan.Value(); v.Start == v.End { // others may begin there too
		return scan.Current(ev).ID()
	}
	id := tree.ID{Start: scan.Value().Start, Depth: scan.Depth(), Slot: scan.Slot()}
	if ev == tree.Enter { // it is one of the values around the next one
		id.Depth--
	}
	return id
}

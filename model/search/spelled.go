package search

import (
	"varview/decoder/diagnose"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

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

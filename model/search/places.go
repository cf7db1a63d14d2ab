package search

// A Place is a part of a text, in bytes.
type Place struct{ From, To int }

// Places returns where a text contains what the query looks for in texts, in order and
// without overlap.
func (q Query) Places(s string) []Place {
	if q.expr == nil || s == "" {
		return nil
	}
	var all []Place
	text := []byte(s)
	for at := 0; at < len(text); {
		from, to := q.expr.firstIn(text[at:])
		if from < 0 {
			break
		}
		all = append(all, Place{at + from, at + to})
		at += to
	}
	return all
}

// firstIn returns the first place of a term in a text, the longest of those that begin there;
// from is -1 if there is none.
func (x *expr) firstIn(s []byte) (from, to int) {
	from = -1
	switch x.op {
	case opTerm:
		return x.term.firstIn(s)
	case opNot:
		return from, to
	}
	for _, part := range x.parts {
		if f, t := part.firstIn(s); f >= 0 && (from < 0 || f < from || f == from && t > to) {
			from, to = f, t
		}
	}
	return from, to
}

// firstIn does this for one term.
func (t *term) firstIn(s []byte) (from, to int) {
	switch {
	case t.text != nil:
		if i := t.text.index(s); i >= 0 {
			return i, i + len(t.text.needle)
		}
	case t.regex != nil:
		if at := t.regex.FindIndex(s); at != nil && at[1] > at[0] {
			return at[0], at[1]
		}
	}
	return -1, 0
}

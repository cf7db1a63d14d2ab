package gml

// A stream returns the tokens of a text with macros expanded. A token from a macro
// has the position where the macro is used.
type stream struct {
	lib     *Library
	file    *file
	frames  []frame // the text, and the macros that are being expanded
	spent   int     // bytes of macros expanded so far
	limit   int
	cut     bool   // there were too many: from here on macros are left as they are
	cutAt   token  // from this token on
	pending *macro // an ambiguous macro since the last token
}

type frame struct {
	lexer
	macro *macro
	at    token // token where it is used; its tokens have this use
}

// Macros may lengthen a text by macroBytes and by macroRatio times its size, and may be
// nested maxMacros deep.
const (
	macroBytes = 64 << 10
	macroRatio = 8
	maxMacros  = 64
)

func newStream(l *Library, f *file, text string, limit int) *stream {
	return &stream{lib: l, file: f, limit: limit, frames: []frame{{lexer: newLexer(text)}}}
}

func (s *stream) next() token {
	for {
		top := &s.frames[len(s.frames)-1]
		t := top.next()
		if len(s.frames) > 1 {
			if t.kind == tEnd {
				s.frames = s.frames[:len(s.frames)-1]
				continue
			}
			t.off, t.line, t.start, t.use = top.at.off, top.at.line, top.at.start, top.at.use
		}
		if t.kind == tWord && s.enter(&t) {
			continue
		}
		if s.pending != nil {
			u := use{ambiguous: s.pending}
			if t.use != nil {
				u.name = t.use.name
			}
			t.use, s.pending = &u, nil
		}
		return t
	}
}

// enter enters the macro that t names, unless there is none or it is
// already being expanded.
func (s *stream) enter(t *token) bool {
	m := s.file.macros[t.text]
	if m == nil {
		m = s.lib.macros[t.text]
	}
	if m == nil || s.cut || len(s.frames) > maxMacros {
		return false
	}
	for i := range s.frames {
		if s.frames[i].macro == m {
			return false
		}
	}
	if s.spent += 1 + len(m.text); s.spent > s.limit {
		s.cut, s.cutAt = true, *t
		return false
	}
	f := frame{lexer: newLexer(m.text), macro: m, at: *t}
	u := use{name: t.text}
	if t.use != nil {
		u = *t.use
	}
	if m.rival != nil {
		u.ambiguous, s.pending = m, m
	}
	f.at.use = &u
	s.frames = append(s.frames, f)
	return true
}

// maxReferences is the greatest length of a chain of enum members that refer to one
// another.
const maxReferences = 16

// integer returns the value of an expression that is a number, a datatype's constant or a member of an
// enum, with or without parentheses.
func (l *Library) integer(tokens []token, level int) (int64, bool) {
	tokens = unwrap(tokens)
	switch {
	case len(tokens) == 1 && tokens[0].kind == tNumber:
		return tokens[0].integer()
	case len(tokens) == 1:
		d, ok := datatypes[tokens[0].text]
		return int64(d), ok
	case len(tokens) != 3 || tokens[0].kind != tWord || !tokens[1].is(".") || tokens[2].kind != tWord || level > maxReferences:
		return 0, false
	}
	m := l.enums[tokens[0].text+"."+tokens[2].text]
	switch {
	case m == nil || m.torn:
		return 0, false
	case m.base == "":
		return m.add, true
	}
	s := newStream(l, m.file, m.base, maxExpressionText)
	var base []token
	for t := s.next(); t.kind != tEnd; t = s.next() {
		if base = append(base, t); len(base) > maxExpression || t.ambiguous() != nil {
			return 0, false
		}
	}
	n, ok := l.integer(base, level+1)
	return n + m.add, ok
}

// unwrap removes the parentheses around an expression.
func unwrap(tokens []token) []token {
	for len(tokens) > 2 && tokens[0].is("(") && tokens[len(tokens)-1].is(")") {
		tokens = tokens[1 : len(tokens)-1]
	}
	return tokens
}

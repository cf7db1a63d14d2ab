package gml

import "strings"

// cut returns the token that begins at pos, if there is one.
func (x *lexer) cut() token {
	c, following := x.src[x.pos], byte(0)
	if x.pos+1 < len(x.src) {
		following = x.src[x.pos+1]
	}
	switch {
	case isDigit(c), c == '.' && isDigit(following) && x.last < afterWord, c == '$' && digit(following) < 16:
		return x.number()
	case isWordByte(c):
		return x.word()
	case c == '"':
		return x.quoted(x.pos)
	case c == '\'':
		if n := strings.IndexAny(x.src[x.pos+1:], "'\r\n"); n >= 0 && x.src[x.pos+1+n] == '\'' {
			return x.token(tText, x.pos+n+2)
		}
	case c == '@' && (following == '"' || following == '\''):
		return x.verbatim(following)
	case c == '$' && following == '"' && x.last != afterIndex: // x[$"name"] is an accessor with a plain string
		return x.template()
	case c == '=' && following == '=':
		return x.token(tMark, x.pos+2)
	}
	return x.token(tMark, x.pos+1)
}

func (x *lexer) word() token {
	end := x.pos
	for end < len(x.src) && isWordByte(x.src[end]) {
		end++
	}
	t := x.token(tWord, end)
	if x.last != afterDot { // GML's other spelling of braces
		switch t.text {
		case "begin":
			t.kind, t.text = tMark, "{"
		case "end":
			t.kind, t.text = tMark, "}"
		}
	}
	return t
}

func (x *lexer) number() token {
	end := x.pos + 1
	for end < len(x.src) && (isWordByte(x.src[end]) || x.src[end] == '.' && end+1 < len(x.src) && isDigit(x.src[end+1])) {
		end++
	}
	return x.token(tNumber, end)
}

// quoted returns a string with escapes, whose first quote is at open.
func (x *lexer) quoted(open int) token {
	end, ok := quotedEnd(x.src, open)
	if ok {
		return x.token(tText, end)
	}
	t := x.token(tTemplate, end)
	x.problem(t, `this string has no end: " is missing in its line`)
	return t
}

// quotedEnd returns the end of the string that opens at open, or the end of its line if the
// string is not closed there.
func quotedEnd(src string, open int) (int, bool) {
	for i := open + 1; i < len(src); i++ {
		switch src[i] {
		case '"':
			return i + 1, true
		case '\r', '\n':
			return i, false
		case '\\':
			if i+1 < len(src) && src[i+1] != '\r' && src[i+1] != '\n' {
				i++
			}
		}
	}
	return len(src), false
}

// verbatim returns a string without escapes, which may extend over several lines.
func (x *lexer) verbatim(quote byte) token {
	n := strings.IndexByte(x.src[x.pos+2:], quote)
	if n >= 0 {
		return x.token(tText, x.pos+2+n+1)
	}
	t := x.token(tTemplate, len(x.src))
	x.problem(t, "this string has no end: "+string(quote)+" is missing")
	return t
}

// template returns a string with expressions in braces.
func (x *lexer) template() token {
	end, ok := templateEnd(x.src, x.pos+1)
	if ok {
		return x.token(tTemplate, end)
	}
	if x.resumes++; x.resumes > maxResumes {
		end = len(x.src)
	} else {
		end = x.lineEnd()
	}
	t := x.token(tTemplate, end)
	x.problem(t, `this template string has no end: " is missing`)
	return t
}

// maxTemplate is the depth to which braces and templates within a template may be nested.
const maxTemplate = 64

// templateEnd returns the end of the template whose quote is at open.
func templateEnd(src string, open int) (int, bool) {
	inside := []byte{'"'} // what is open: " for the text of a template, { for an expression
	for i := open + 1; i < len(src); i++ {
		c, text := src[i], inside[len(inside)-1] == '"'
		switch {
		case text && c == '\\' && i+1 < len(src):
			if src[i+1] != '\r' && src[i+1] != '\n' {
				i++
			}
		case text && (c == '\r' || c == '\n'):
			return 0, false
		case text && c == '"', !text && c == '}':
			inside = inside[:len(inside)-1]
			if len(inside) == 0 {
				return i + 1, true
			}
		case c == '{':
			inside = append(inside, '{')
		case text:
		case c == '"' && src[i-1] == '$':
			inside = append(inside, '"')
		case c == '"' && src[i-1] == '@', c == '\'' && src[i-1] == '@':
			n := strings.IndexByte(src[i+1:], c)
			if n < 0 {
				return 0, false
			}
			i += 1 + n
		case c == '"':
			end, ok := quotedEnd(src, i)
			if !ok {
				return 0, false
			}
			i = end - 1
		}
		if len(inside) > maxTemplate {
			return 0, false
		}
	}
	return 0, false
}

package gml

// A parser reads the declarations of one file.
type parser struct {
	*stream
	tok       token
	previous  token
	depth     int      // braces open
	open      token    // the outermost of these
	functions []opened // the functions around tok
	body      bool     // the next { opens the body of a function
	lost      *loss    // where text was last mistaken for something without an end
	report    func(token, string)
}

// A loss is a place after which text could not be distinguished.
type loss struct {
	at      token
	message string
}

// opened is a function whose body is being read.
type opened struct {
	depth int          // of its body
	owner *Constructor // nil if it is not a constructor with a name
}

// maxFunctions is the depth to which functions may be nested.
const maxFunctions = 1000

// parse adds what f declares.
func (l *Library) parse(f *file, report func(token, string)) {
	p := parser{report: report, stream: newStream(l, f, f.text, macroBytes+macroRatio*len(f.text))}
	p.frames[0].fail = func(at token, message string) { p.lost = &loss{at, message} }
	for p.advance(); p.tok.kind != tEnd; {
		switch {
		case p.tok.kind == tMark:
			p.mark()
		case p.tok.kind != tWord:
			p.advance()
		case p.tok.text == "function":
			p.function()
		case p.tok.text == wordSchema, p.tok.text == nameSchema:
			p.schema()
		default:
			p.body = p.body || isMethod(p.tok.text)
			p.advance()
		}
	}
	if p.depth > 0 {
		report(p.open, neverClosed)
		p.breakOff()
	}
	if p.cut {
		report(p.cutAt, "macros make this file too long: from here on they are left as they are")
	}
}

const neverClosed = "this { is never closed"

// breakOff notes which constructors contain the end of the file: their schemas may not have
// been seen.
func (p *parser) breakOff() {
	for _, f := range p.functions {
		if c := f.owner; c != nil && !c.HasSchema {
			c.cut = p.unclosed(&p.open, unfinished+neverClosed)
		}
	}
}

const unfinished = "the file could not be read to its end, "

// unclosed says why what begins at open has no end: a loss, if it continues to the end of
// the file, otherwise what text says.
func (p *parser) unclosed(open *token, text string) *SchemaError {
	if p.tok.kind == tEnd && p.lost != nil {
		return p.problem(Unreadable, &p.lost.at, unfinished+p.lost.message)
	}
	return p.problem(Unreadable, open, text)
}

func (p *parser) advance() {
	p.previous, p.tok = p.tok, p.next()
}

// mark counts braces.
func (p *parser) mark() {
	switch {
	case p.tok.is("{"):
		p.enterBody(nil, p.body)
		p.body = false
	case !p.tok.is("}"):
	case p.depth == 0:
		p.report(p.tok, "this } has no matching {")
	default:
		if n := len(p.functions); n > 0 && p.functions[n-1].depth == p.depth {
			p.functions = p.functions[:n-1]
		}
		p.depth--
	}
	p.advance()
}

func (p *parser) enterBody(owner *Constructor, isFunction bool) {
	if p.depth == 0 {
		p.open = p.tok
	}
	p.depth++
	if isFunction && len(p.functions) < maxFunctions {
		p.functions = append(p.functions, opened{p.depth, owner})
	}
}

// function reads "function Name(…) : Parent(…) constructor {".
func (p *parser) function() {
	at := p.tok
	p.advance()
	var name token
	parent := ""
	if p.tok.kind == tWord {
		name = p.tok
		p.advance()
	}
	if !p.tok.is("(") {
		return
	}
	p.arguments()
	if p.tok.is(":") {
		p.advance()
		parent = p.parent()
	}
	var owner *Constructor
	if p.tok.isWord("constructor") {
		p.advance()
		if name.kind == tWord {
			owner = p.lib.declare(&Constructor{Name: name.text, Parent: parent, File: p.file.name, Line: int(at.line)})
		}
		if owner == nil && name.kind == tWord {
			p.report(at, "this constructor is left out: there are more than can be kept")
		}
	}
	if p.tok.is("{") {
		p.enterBody(owner, true)
		p.advance()
	} else if owner != nil && p.tok.kind == tEnd {
		owner.cut = p.unclosed(&at, unfinished+"the body of this function is missing")
	}
}

// parent reads "Parent(…)" and returns the name.
func (p *parser) parent() string {
	name := ""
	for p.tok.kind == tWord && !p.tok.isWord("constructor") || p.tok.is(".") {
		name += p.tok.text
		p.advance()
		if p.previous.kind == tWord && !p.tok.is(".") {
			break
		}
	}
	if p.tok.is("(") {
		p.arguments()
	}
	return name
}

// arguments moves past a list in parentheses, with everything in it. It ends before the
// word constructor, so that a list without an end does no more harm.
func (p *parser) arguments() {
	open := p.tok
	for depth := 0; p.tok.kind != tEnd; {
		depth += nesting(&p.tok)
		p.advance()
		if depth == 0 {
			return
		}
		if p.tok.isWord("constructor") {
			break
		}
	}
	const message = "this ( is never closed"
	p.report(open, message)
	if p.tok.kind == tEnd && p.lost == nil {
		p.lost = &loss{open, message}
	}
}

// owner returns the constructor whose body contains tok, nil if that is the body of another
// function, or none.
func (p *parser) owner() *Constructor {
	if n := len(p.functions); n > 0 {
		return p.functions[n-1].owner
	}
	return nil
}

// problem reports a place that is also the reason why a version cannot be used.
func (p *parser) problem(reason Reason, at *token, text string) *SchemaError {
	return &SchemaError{Reason: reason, File: p.file.name, Line: int(at.line), Column: at.column(p.file.text), Text: text}
}

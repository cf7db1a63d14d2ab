package text

import (
	"bytes"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// A passing passes values that an engine takes as they are.
type passing struct {
	textual.Passing
	engine *literal.Engine
}

// passIn returns the grammar's Pass for an engine.
func passIn(engine *literal.Engine) func(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	g := &passing{engine: engine}
	g.Passing = textual.Passing{Array: typeOf(types.Array), Object: typeOf(types.Dictionary), Text: typeOf(types.String), Token: g.token,
		Escapes: escapes, Controls: true, AnyKey: true, Headed: true}
	return g.pass
}

// escapes are the letters of escapes that need no look at what follows them.
var escapes = func() *textual.Class {
	c := new(textual.Class)
	for i := ' '; i < 0x7f; i++ {
		c[i] = i|0x20 != 'u'
	}
	return c
}()

func (g *passing) pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	child := g.entry
	switch role := parent.Inner; {
	case textual.IsBuffer(parent):
		return
	case isConfig(parent):
		child = g.section
	case role == inProperties:
	case role != 0 && role != inVectors:
		return
	case packed(parent) != nil:
		array := idOf(parent)
		count, of := g.engine.Numbers(arrayName(w, parent))
		child = func(p *textual.Passer) int { return g.element(p, array, count, of) }
	default:
		fits := g.fitting(w, parent)
		child = func(p *textual.Passer) int { return p.Child(parent.Layout == tree.Pairs, fits) }
	}
	g.Pass(w, parent, s, child)
}

// fitting returns whether a value of a type may be in a container, as its type says; nil if it may have any.
func (g *passing) fitting(w *source.Window, in *tree.Value) func(typ uint16, isKey bool) bool {
	if !isTyped(in) {
		return nil
	}
	_, names := head(w, in)
	return func(typ uint16, isKey bool) bool {
		of, typed := contentOf(g.engine, names, tree.Slot{Key: isKey})
		return !typed || of.Any || typeOf(of.T) == typ
	}
}

// token passes a number, a word or a call with numbers.
func (g *passing) token(p *textual.Passer, i int) (typ uint16, end int) {
	if c := p.B[i]; c == '-' || digits[c] {
		return g.number(p, i, types.Float64)
	}
	end = i + wordLen(p.B[i:], inNumber)
	if end == len(p.B) {
		return 0, -1
	}
	switch string(p.B[i:end]) {
	case "null":
		return typeOf(types.Nil), end
	case "true", "false":
		return typeOf(types.Bool), end
	}
	name := p.B[i:end]
	if p.B[end] != '(' {
		return 0, -1
	}
	count, of := g.engine.Numbers(string(name))
	id, ok := types.TypeByName(string(name))
	if t := types.Of(id); !ok || t.Shape != types.ShapeFixed || len(t.Parts) != count || t.Comp != of || p.S.Wants != nil {
		return 0, -1
	}
	if end = g.numbers(p, end+1, count, of); end < 0 || end == len(p.B) || p.B[end] != ')' {
		return 0, -1
	}
	return typeOf(id), end + 1
}

// numbers passes numbers of a type with commas between them.
func (g *passing) numbers(p *textual.Passer, i, count int, of types.ID) int {
	for n := range count {
		if n > 0 {
			if i = p.Blank(i); i == len(p.B) || p.B[i] != ',' {
				return -1
			}
			i++
		}
		if _, i = g.number(p, p.Blank(i), of); i < 0 {
			return -1
		}
	}
	return i
}

// number passes a number that becomes one of a type and stays the same.
func (g *passing) number(p *textual.Passer, i int, of types.ID) (typ uint16, end int) {
	n, whole, exponent := textual.NumberLength(p.B[i:])
	end = i + n
	if n < 0 || end == len(p.B) || inNumber[p.B[end]] || whole > 18 || exponent > 0 && !g.isSmall(p.B[i:end], exponent) {
		return 0, -1
	}
	typ = typeOf(types.Float)
	if isOnly(string(p.B[i+1:end]), digits) && (p.B[i] != '-' || n > 1) {
		typ = typeOf(types.Int)
	}
	if of != types.Float32 && of != types.Float64 && (typ != typeOf(types.Int) || !isWithin(of, whole, p.B[i] == '-')) {
		return 0, -1
	}
	return typ, end
}

// isSmall reports whether a number with so many digits of an exponent is a small one, which the engine reads as a whole.
func (g *passing) isSmall(number []byte, exponent int) bool {
	if g.engine == literal.Godot3 && bytes.IndexByte(number, 'E') >= 0 {
		return false // it ends before the letter
	}
	return exponent <= 2 && number[len(number)-exponent-1] == '-'
}

// isWithin reports whether a type certainly has an int of so many digits.
func isWithin(of types.ID, digits int, isNegative bool) bool {
	switch of {
	case types.Int64:
		return true
	case types.Int32:
		return digits <= 9
	}
	return digits <= 2 && !isNegative
}

// element passes an element of a packed array: a text, or as many numbers of a type.
func (g *passing) element(p *textual.Passer, array types.ID, count int, of types.ID) (end int) {
	i, t := p.Separated(), types.Of(array)
	switch {
	case i < 0 || i >= len(p.B):
		return -1
	case t.Shape == types.ShapeStrings:
		if p.B[i] != '"' {
			return -1
		}
		return p.Ends(p.Value(i, 0))
	case count != t.Each(), count > 1 && p.S.Wants != nil:
		return -1
	}
	if count > 1 { // it has no head, and does not count
		if end = p.Ends(g.numbers(p, i, count, of)); end > 0 {
			p.Compare(i, end)
		}
		return end
	}
	typ, end := g.number(p, i, of)
	if end = p.Ends(end); end > 0 {
		p.Count(typ, i, end)
	}
	return end
}

// inKey has the bytes of names of entries that mean themselves.
var inKey = textual.ClassOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/.-:@")

// isSpace has blanks within a line.
var isSpace = textual.ClassOf(" \t\r")

// entry passes the next line NAME = VALUE.
func (g *passing) entry(p *textual.Passer) int {
	key, keyEnd, end := g.line(p, p.Blank(p.At), p.S.Levels)
	if end < 0 || !p.IsNew(key, keyEnd) {
		return -1
	}
	return end
}

// line passes a line NAME = VALUE, and returns where the name is and the value ends.
func (g *passing) line(p *textual.Passer, i, levels int) (key, keyEnd, end int) {
	key = i
	i += wordLen(p.B[i:], inKey)
	keyEnd = i
	i += wordLen(p.B[i:], isSpace)
	if keyEnd == key || i == len(p.B) || p.B[i] != '=' || p.Wants(key, keyEnd) {
		return 0, 0, -1
	}
	p.Content(key, keyEnd)
	i++
	i += wordLen(p.B[i:], isSpace)
	end = p.Value(i, levels)
	if end < 0 || p.Type == typeOf(types.Nil) {
		return 0, 0, -1
	}
	if next := end + wordLen(p.B[end:], isSpace); next == len(p.B) || p.B[next] != '\n' {
		return 0, 0, -1
	}
	return key, keyEnd, end
}

// inSection has the bytes of names of sections that mean themselves.
var inSection = func() *textual.Class {
	c := *inKey
	c[' '] = true
	return &c
}()

// section passes a section of a ConfigFile with its entries.
func (g *passing) section(p *textual.Passer) int {
	from := p.Blank(p.At)
	if from == len(p.B) || p.B[from] != '[' || p.S.Levels == 0 {
		return -1
	}
	i := from + 1 + wordLen(p.B[from+1:], inSection)
	if len(p.B)-i < len("]\n") || string(p.B[i:i+len("]\n")]) != "]\n" || p.Wants(from+1, i) {
		return -1
	}
	p.Content(from+1, i)
	i++
	var keys tree.FewKeys
	for name := i; ; {
		next := p.Blank(i)
		if next == len(p.B) {
			return -1
		}
		if p.B[next] == '[' {
			if !p.IsNew(from, name) {
				return -1
			}
			return i
		}
		key, keyEnd, end := g.line(p, next, p.S.Levels-1)
		if end < 0 || p.Checks && !keys.AddNew(p.B[key:keyEnd]) {
			return -1
		}
		i = end
	}
}

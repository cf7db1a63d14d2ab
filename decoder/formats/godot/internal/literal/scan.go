package literal

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"sync"

	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/value/notation"
)

// A Token is what VariantParser::get_token reads.
type Token struct {
	Kind    Kind
	At, End int
	Text    []byte // its bytes; of a text in a literal what it means
	Float   bool   // of a number: it has a point or an exponent
}

// A Kind is the kind of a token. Marks are their own kinds.
type Kind byte

// The kinds besides marks.
const (
	Ended   Kind = 0
	Broken  Kind = '!' // no token, and reading stops here
	Word    Kind = 'w'
	Number  Kind = '0'
	Text    Kind = '"'
	Name    Kind = '&' // a text with a prefix
	Color   Kind = '#'
	Damaged Kind = '<' // of literals: <code>
	odd     Kind = 1   // what begins no token of a literal
	control      = ' ' // this and what is below are blanks
)

var isMark = [256]bool{'{': true, '}': true, '[': true, ']': true, '(': true, ')': true, ':': true, ',': true, '.': true, '=': true}

// A Scanner reads the tokens of a text as an engine does.
type Scanner struct {
	*Engine
	At int // what is read

	b      []byte
	report func(Finding)
	lexer  *notation.Lexer // of literals: reads numbers and texts, and has the first error
}

// Scan returns a scanner of b, which calls report with what the engine refuses.
func (e *Engine) Scan(b []byte, report func(Finding)) Scanner {
	return Scanner{Engine: e, b: b, report: report}
}

// Next reads a token.
func (p *Scanner) Next() Token {
	p.blanks()
	t := Token{At: p.At, End: p.At}
	if p.At == len(p.b) || p.b[p.At] == 0 {
		return t
	}
	c := p.b[p.At]
	if p.own && p.literal(&t, c) {
		return t
	}
	switch {
	case isMark[c]:
		p.At++
		t.Kind = Kind(c)
	case c == '#':
		t.Kind = p.digits()
	case c == '"':
		t.Kind = p.quoted(Text)
	case strings.IndexByte(p.prefixes, c) >= 0:
		t.Kind = p.prefixed(c)
	case c == '-' || notation.IsDigit(c) || notation.IsLetter(c):
		t.Kind, t.Float = p.word()
	case p.own:
		p.At++
		t.Kind = odd
	default:
		t.Kind = p.refuse(t.At, t.At+1, "no value begins with "+strconv.Quote(string(rune(c))))
	}
	t.End = p.At
	t.Text = p.b[t.At:t.End]
	return t
}

// digits passes those of a colour.
func (p *Scanner) digits() Kind {
	for p.At++; p.At < len(p.b) && (notation.IsHex(p.b[p.At]) || p.own && notation.IsWord(p.b[p.At])); p.At++ {
	}
	return Color
}

// prefixed passes a text in quotes after a prefix.
func (p *Scanner) prefixed(prefix byte) Kind {
	if p.At++; p.At == len(p.b) || p.b[p.At] != '"' {
		return p.refuse(p.At-1, p.At, "a quote is expected after "+string(rune(prefix)))
	}
	return p.quoted(Name)
}

// wordEnd returns the length of the letters and dashes that begin a text.
func wordEnd(b []byte) int {
	if n := slices.IndexFunc(b, func(c byte) bool { return c != '-' && !notation.IsWord(c) }); n >= 0 {
		return n
	}
	return len(b)
}

// literal reads a number, a text or a mark of damage as the package notation has them. ok is false if none is next.
func (p *Scanner) literal(t *Token, c byte) (ok bool) {
	next := byte(0)
	if p.At+1 < len(p.b) {
		next = p.b[p.At+1]
	}
	x := p.lexer
	x.At = p.At
	switch {
	case notation.IsDigit(c) || c == '.' || c == '-' && next != 'i':
		t.Kind, t.Float = Number, x.Number()
		t.Text = p.b[p.At:x.At]
	case c == '<':
		name := p.b[p.At+1:]
		n := wordEnd(name)
		t.Kind, t.Text = Damaged, name[:n]
		x.At += 1 + n
		x.Expect('>')
	case c == '"':
		t.Kind, t.Text = Text, x.Quoted()
	case next == '"' && (c == '&' || c == '^'):
		x.At++
		t.Kind, t.Text = Name, x.Quoted()
	default:
		return false
	}
	if x.Err != nil {
		t.Kind = Broken
	}
	p.At, t.End = x.At, x.At
	return true
}

// accepts passes a mark if it is next.
func (p *Scanner) accepts(mark byte) bool {
	if p.blanks(); p.At == len(p.b) || p.b[p.At] != mark {
		return false
	}
	p.At++
	return true
}

// blanks passes blanks and comments.
func (p *Scanner) blanks() {
	for ; p.At < len(p.b) && p.b[p.At] != 0; p.At++ {
		if p.b[p.At] == ';' && !p.own {
			if n := bytes.IndexByte(p.b[p.At:], '\n'); n >= 0 {
				p.At += n
			} else {
				p.At = len(p.b) - 1
			}
		} else if c := p.b[p.At]; c > control || p.own && strings.IndexByte(" \t\r\n", c) < 0 {
			return
		}
	}
}

// word reads a word or a number.
func (p *Scanner) word() (is Kind, float bool) {
	from := p.At
	if p.b[p.At] == '-' {
		p.At++
	}
	switch {
	case p.At < len(p.b) && notation.IsDigit(p.b[p.At]), !p.signed && p.At > from:
		return Number, p.number()
	case p.At == len(p.b) || !notation.IsLetter(p.b[p.At]):
		return p.refuse(from, p.At, "a number is expected after -"), false
	}
	for p.At < len(p.b) && notation.IsWord(p.b[p.At]) {
		p.At++
	}
	return Word, false
}

// number passes digits, a point and an exponent. It reports whether there is one of them.
func (p *Scanner) number() (float bool) {
	digits := func() {
		for p.At < len(p.b) && notation.IsDigit(p.b[p.At]) {
			p.At++
		}
	}
	digits()
	if p.At < len(p.b) && p.b[p.At] == '.' {
		p.At++
		float = true
		digits()
	}
	if p.At < len(p.b) && (p.b[p.At] == 'e' || p.b[p.At] == 'E' && p.capital) {
		p.At++
		float = true
		if p.At < len(p.b) && (p.b[p.At] == '+' || p.b[p.At] == '-') {
			p.At++
		}
		digits()
	}
	return float
}

// quoted passes a text in quotes, whose escapes must be sound.
func (p *Scanner) quoted(kind Kind) Kind {
	half := -1 // where the first half of a pair is
	unpaired := func() Kind { return p.refuse(half, half+len(`\ud83d`), "half a surrogate pair") }
	for at := p.At + 1; at < len(p.b) && p.b[at] != 0; at++ {
		unit, size := rune(0), 1
		switch c := p.b[at]; {
		case c == '\\':
			if unit, size = p.escape(at); size == 0 {
				return Broken
			}
		case half >= 0:
			return unpaired()
		case c == '"':
			p.At = at + 1
			return kind
		}
		isFirst, isSecond := unit&^0x3ff == 0xd800, unit&^0x3ff == 0xdc00
		switch {
		case !p.surrogates:
		case half >= 0 && !isSecond:
			return unpaired()
		case half < 0 && isSecond:
			half = at
			return unpaired()
		case isFirst:
			half = at
		default:
			half = -1
		}
		at += size - 1
	}
	from := p.At
	p.At = len(p.b)
	if bytes.IndexByte(p.b[from:], 0) >= 0 {
		p.report(Finding{At: from, End: len(p.b), Refused: true, Message: "a NUL ends this text before its quote", Repair: "delete the NULs in it"})
		return Broken
	}
	return p.refuse(from, len(p.b), "no quote ends this text")
}

// escape returns the character of an escape and its length; 0 if it is refused.
func (p *Scanner) escape(at int) (unit rune, size int) {
	digits := 0
	if at+1 < len(p.b) && p.b[at+1] == 'u' {
		digits = 4
	} else if at+1 < len(p.b) && p.b[at+1] == 'U' && p.long {
		digits = 6
	}
	for i := range digits {
		if j := at + 2 + i; j >= len(p.b) || !notation.IsHex(p.b[j]) {
			p.refuse(at, min(j+1, len(p.b)), "an escape of "+strconv.Itoa(digits)+" hexadecimal digits is expected", "double the backslash")
			return 0, 0
		}
	}
	if digits > 0 {
		n, _ := strconv.ParseInt(string(p.b[at+2:at+2+digits]), 16, 32)
		unit = rune(n)
	}
	return unit, 2 + digits
}

// refuse reports what the engine refuses, and what puts it right, if anything does.
func (p *Scanner) refuse(at, end int, message string, repair ...string) Kind {
	if p.own {
		p.lexer.Fail(at, "%s", message)
		return Broken
	}
	p.report(Finding{At: at, End: max(end, at+1), Refused: true, Message: message, Repair: strings.Join(repair, "")})
	return Broken
}

func (p *Scanner) changes(at, end int, message string) {
	p.report(Finding{At: at, End: end, Message: message})
}

func short(b []byte) string { return strconv.Quote(string(b[:min(len(b), 40)])) }

// An Engine is what one engine accepts.
type Engine struct {
	Title string

	own        bool                        // literals of this program, rather than what an engine reads
	signed     bool                        // a sign belongs to a word; otherwise it is a number even alone
	capital    bool                        // E begins an exponent too
	prefixes   string                      // what may be before a quote
	long       bool                        // \U begins an escape of six digits
	surrogates bool                        // halves of surrogate pairs in escapes have to be pairs
	encoded    bool                        // a packed array of bytes may be a text in base64
	emptyRID   bool                        // a RID is one, and may have no number
	words      map[string]types.ID         // words that are values
	floats     string                      // words that are numbers, also in constructors
	calls      func() map[string]types.ID  // types with parentheses, by all their names
	elements   map[string]types.ID         // types that a container may say
	converts   func() map[[2]types.ID]bool // whether one type may be put into a typed container of another
}

// colors is how many digits a colour may have.
const colors = "3 4 6 8"

// conversions are Variant::can_convert_strict of Godot 4, besides those between an Array and packed arrays: in both
// directions, or in one.
const conversions = `bool=int bool=float int=float String=NodePath String=StringName Vector2=Vector2i Rect2=Rect2i Vector3=Vector3i
	Vector4=Vector4i Quaternion=Basis Transform2D=Transform3D Transform3D=Projection
	Quaternion>Transform3D Basis>Transform3D String>Color int>Color Object>RID Nil>Object`

// Godot3 is Godot 3.2, Godot4 is Godot 4.6.
var (
	Godot3 = &Engine{
		Title: "Godot 3",
		words: map[string]types.ID{"null": types.Nil, "nil": types.Nil, "true": types.Bool, "false": types.Bool, "inf": types.Float, "nan": types.Float},
		calls: sync.OnceValue(func() map[string]types.ID { return constructors(types.Text3) }),
	}
	godot4 = &Engine{
		Title:  "Godot 4",
		signed: true, capital: true, prefixes: "&@", long: true, surrogates: true, encoded: true, emptyRID: true,
		words: map[string]types.ID{"null": types.Nil, "nil": types.Nil, "true": types.Bool, "false": types.Bool, "inf": types.Float, "nan": types.Float,
			"-inf": types.Float, "inf_neg": types.Float},
		floats:   "inf -inf inf_neg nan",
		calls:    sync.OnceValue(func() map[string]types.ID { return constructors(types.Text4) }),
		elements: elementTypes(types.Text4),
		converts: sync.OnceValue(func() map[[2]types.ID]bool { return conversionsOf(types.Text4) }),
	}
)

// own is the notation of literals, in any dialect.
var own = &Engine{own: true, signed: true, floats: godot4.floats, words: map[string]types.ID{"null": types.Nil, "true": types.Bool, "false": types.Bool,
	"inf": types.Float, "-inf": types.Float, "inf_neg": types.Float, "nan": types.Float}}

// Any has the tokens of all engines.
var Any = &Engine{capital: true, prefixes: "&@^"}

// IsConstant reports whether a word is a value of some engine.
func IsConstant(word string) bool {
	_, ok := godot4.words[word]
	return ok
}

// Of returns the rules of the engine of a dialect.
func Of(d *types.Dialect) *Engine {
	if d.Name == types.Text3.Name {
		return Godot3
	}
	return godot4
}

func isIn(word, list string) bool { return strings.Contains(" "+list+" ", " "+word+" ") }

// constructors returns the types of a dialect that are written with parentheses. Godot 4 knows Godot 3's names of its types too.
func constructors(d *types.Dialect) map[string]types.ID {
	named, all := types.TypeByName, map[string]types.ID{}
	if d.Typed {
		named = d.TypeNamed
	}
	for name := range types.Names() {
		t, _ := named(name)
		switch shape := types.Of(t).Shape; {
		case t == types.Nil, shape == types.ShapeBool, shape == types.ShapeNumber, shape == types.ShapeText:
		case !d.Typed && (t == types.Array || t == types.Dictionary):
		case d.Has(t):
			all[name] = t
		}
	}
	for name, of := range map[string]string{"PackedIntArray": "PackedInt32Array", "PackedRealArray": "PackedFloat32Array", "Vector4Array": "PackedVector4Array"} {
		if t, ok := all[of]; ok {
			all[name] = t
		}
	}
	return all
}

// elementTypes returns the types that a container of a dialect may say.
func elementTypes(d *types.Dialect) map[string]types.ID {
	all := map[string]types.ID{}
	for _, t := range d.Table {
		if shape := types.Of(t).Shape; t != types.Nil && t != types.Unknown && shape != types.ShapeReference {
			all[types.Of(t).Name] = t
		}
	}
	return all
}

func conversionsOf(d *types.Dialect) map[[2]types.ID]bool {
	all := map[[2]types.ID]bool{}
	for _, pair := range strings.Fields(conversions) {
		i := strings.IndexAny(pair, "=>")
		from, _ := types.TypeByName(pair[:i])
		to, _ := types.TypeByName(pair[i+1:])
		all[[2]types.ID{from, to}] = true
		if pair[i] == '=' {
			all[[2]types.ID{to, from}] = true
		}
	}
	for _, t := range d.Table {
		if types.Of(t).IsPacked() {
			all[[2]types.ID{t, types.Array}], all[[2]types.ID{types.Array, t}] = true, true
		}
	}
	return all
}

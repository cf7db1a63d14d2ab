package rules

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"varview/decoder/formats/godot/internal/types"
)

// A Finding is what an engine refuses, or changes while it loads a text.
type Finding struct {
	At, End int    // its place in the text
	Refused bool   // the text does not load
	Perhaps bool   // it depends on the classes that the engine has
	Element bool   // it cannot be put into its typed container, which becomes empty
	Message string // what is wrong, or what becomes of it
	Repair  string // what puts it right; "" if nothing does
}

// A Value is what an engine reads.
type Value struct {
	Type  types.ID
	Int   int64   // of an int
	Float float64 // of a float
	at    int
	end   int
}

// A parser reads values as an engine does.
type parser struct{ Scanner }

// Read reads the value that begins b. It returns how many bytes belong to it; ok is false if the engine refuses it.
func (e *Engine) Read(b []byte, report func(Finding)) (v Value, n int, ok bool) {
	p := &parser{e.Scan(b, report)}
	v, ok = p.value(p.Next())
	return v, p.At, ok
}

func (p *Scanner) refuse(at, end int, message string) Kind {
	p.report(Finding{At: at, End: max(end, at+1), Refused: true, Message: message})
	return Broken
}

func (p *Scanner) changes(at, end int, message string) {
	p.report(Finding{At: at, End: end, Message: message})
}

// expect reads a token, which has to be of a kind.
func (p *parser) expect(kind Kind, what string) (Token, bool) {
	t := p.Next()
	return t, p.is(t, kind, what)
}

func (p *parser) is(t Token, kind Kind, what string) bool {
	if t.Kind != kind && t.Kind != Broken {
		p.refuse(t.At, t.End, what+" is expected")
	}
	return t.Kind == kind
}

// value reads the value that begins with a token.
func (p *parser) value(t Token) (v Value, ok bool) {
	v.at = t.At
	switch t.Kind {
	case Broken:
	case '{':
		v.Type = types.Dictionary
		_, _, ok = p.pairs('}', true)
	case '[':
		v.Type = types.Array
		_, ok = p.list()
	case Text:
		v.Type, ok = types.String, true
	case Name:
		v.Type, ok = types.StringName, true
	case Color:
		v.Type, ok = types.Color, true
		if !isIn(strconv.Itoa(t.End-t.At-1), colors) {
			p.changes(t.At, t.End, "this is no colour: it becomes black")
		}
	case Number:
		exact := false
		if v, exact = p.scalar(t); !exact {
			p.changes(t.At, t.End, "this exceeds 64 bits: it becomes "+strconv.FormatInt(v.Int, 10))
		}
		ok = true
	case Word:
		return p.wordValue(t)
	default:
		p.refuse(t.At, t.End, "a value is expected")
	}
	v.end = p.At
	return v, ok
}

// wordValue reads a value that begins with a word.
func (p *parser) wordValue(t Token) (v Value, ok bool) {
	v.at = t.At
	if v.Type, ok = p.words[string(t.Text)]; ok {
		v.end = t.End
		if string(t.Text) == "true" {
			v.Int = 1
		}
		return v, ok
	}
	if v.Type, ok = p.calls[string(t.Text)]; !ok {
		p.refuse(t.At, t.End, "it has no value "+short(t.Text))
		return v, false
	}
	ok = p.call(t, v.Type)
	v.end = p.At
	return v, ok
}

func short(b []byte) string { return strconv.Quote(string(b[:min(len(b), 40)])) }

// Int returns the int that an engine reads of a number; exact is false if the number is another.
func Int(digits string) (n int64, exact bool) {
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil && digits == "9223372036854775808" { // the engine looks for an overflow before the last digit only
		n = -n - 1
	}
	return n, err == nil
}

// scalar returns the value of a number; exact is false if an int exceeds 64 bits.
func (p *parser) scalar(t Token) (v Value, exact bool) {
	digits := string(t.Text)
	v.at, v.end = t.At, t.End
	if strings.ContainsAny(digits, ".eE") {
		v.Type = types.Float
		v.Float, _ = strconv.ParseFloat(strings.TrimRight(digits, "eE+-"), 64)
		return v, true
	}
	v.Type = types.Int
	if digits == "-" { // it is 0
		return v, true
	}
	v.Int, exact = Int(digits)
	return v, exact
}

// As returns the text of a number that becomes one of a type, and whether it is the same then.
func (v *Value) As(is types.ID) (_ string, same bool) {
	whole := v.Int
	if v.Type == types.Float {
		whole = int64(v.Float)
	}
	switch is {
	case types.Float32:
		x := float32(v.Float)
		if v.Type == types.Int {
			x = float32(v.Int)
		}
		return strconv.FormatFloat(float64(x), 'g', -1, 32), v.Type == types.Int || float64(x) == v.Float || x-x == 0 || v.Float-v.Float != 0
	case types.Float64, types.Float:
		return strconv.FormatFloat(max(v.Float, float64(v.Int)), 'g', -1, 64), true
	case types.Bool:
		is := v.Int != 0 || v.Float != 0
		return strconv.FormatBool(is), false
	case types.Int32:
		if v.Type == types.Float && v.Float != 0 && (v.Float >= 1<<31 || v.Float <= -1<<31-1) {
			whole = -1 << 31
		}
		whole = int64(int32(whole))
	case types.Byte:
		whole = int64(uint8(whole))
	}
	return strconv.FormatInt(whole, 10), v.Type == types.Int && whole == v.Int || v.Type == types.Float && float64(whole) == v.Float
}

// call reads the arguments of a type.
func (p *parser) call(t Token, id types.ID) bool {
	is := types.Of(id)
	if is.Shape == types.ShapeArray || is.Shape == types.ShapeDict {
		return p.typed(t, id)
	}
	if _, ok := p.expect('(', "("); !ok {
		return false
	}
	switch is.Shape {
	case types.ShapePath:
		_, ok := p.expect(Text, "a text in quotes")
		return ok && p.close()
	case types.ShapeStrings:
		return p.texts()
	case types.ShapeRID:
		n := p.Next()
		if n.Kind == ')' && p.emptyRID {
			return true
		}
		if !p.emptyRID {
			p.changes(t.At, n.End, "it becomes the number in it")
		}
		return p.is(n, Number, "a number") && p.close()
	case types.ShapeReference:
		return p.resource(id)
	case types.ShapeObject:
		return p.object()
	case types.ShapeFixed, types.ShapePacked, types.ShapeBytes:
		return p.components(t, is)
	}
	return p.close()
}

// components reads the numbers of a vector or of a packed array, or bytes as text.
func (p *parser) components(t Token, is *types.Type) bool {
	if from := p.At; p.encoded && is.Shape == types.ShapeBytes {
		if n := p.Next(); n.Kind == Text {
			return p.base64(n) && p.close()
		}
		p.At = from
	}
	count, ok := p.numbers(is.Comp)
	switch each := is.Each(); {
	case !ok:
	case is.Shape != types.ShapeFixed:
		if rest := count % each; rest > 0 {
			p.changes(t.At, p.At, fmt.Sprintf("an element of %s has %s: the last %d vanish", is.Name, plural(each, "number"), rest))
		}
	case count != each:
		p.refuse(t.At, p.At, fmt.Sprintf("%s has %s, not %d", is.Name, plural(each, "number"), count))
		return false
	}
	return ok
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func (p *parser) close() bool {
	_, ok := p.expect(')', ")")
	return ok
}

// numbers reads numbers up to the closing parenthesis.
func (p *parser) numbers(of types.ID) (count int, ok bool) {
	for t := p.Next(); ; t = p.Next() {
		if t.Kind == ')' && count == 0 {
			return 0, true
		}
		if !p.component(t, of) {
			return count, false
		}
		count++
		if t = p.Next(); t.Kind == ')' {
			return count, true
		}
		if !p.is(t, ',', ", or )") {
			return count, false
		}
	}
}

// component judges a number in a constructor.
func (p *parser) component(t Token, is types.ID) bool {
	if t.Kind == Word && isIn(string(t.Text), p.floats) {
		if types.Of(is).Name != "float" {
			p.changes(t.At, t.End, string(t.Text)+" is not a whole number")
		}
		return true
	}
	if !p.is(t, Number, "a number") {
		return false
	}
	v, exact := p.scalar(t)
	if text, same := v.As(is); !same || !exact {
		p.changes(t.At, t.End, "it becomes "+text)
	}
	return true
}

// Element judges an element of a packed array: the numbers or the text in b. isText says that texts are wanted.
func (e *Engine) Element(b []byte, array string, report func(Finding)) {
	id, ok := e.calls[array]
	if !ok {
		return // its head is refused
	}
	p, is := &parser{e.Scan(b, report)}, types.Of(id)
	if is.Shape == types.ShapeStrings {
		p.expect(Text, "a text in quotes")
		return
	}
	for i := range is.Each() {
		if i > 0 {
			if _, ok := p.expect(',', ","); !ok {
				return
			}
		}
		if !p.component(p.Next(), is.Comp) {
			return
		}
	}
	if t := p.Next(); t.Kind != Ended && t.Kind != Broken {
		p.refuse(t.At, t.End, ", or ) is expected")
	}
}

// Numbers returns how many numbers are in the parentheses of a type, of a packed array in each element, and what they become;
// 0 if it has none.
func (e *Engine) Numbers(name string) (count int, of types.ID) {
	if is := types.Of(e.calls[name]); is.Comp != 0 {
		return is.Each(), is.Comp
	}
	return 0, 0
}

// Trailing reports whether a comma may precede the closing parenthesis of a type.
func (e *Engine) Trailing(array string) bool {
	id, ok := e.calls[array]
	return !ok || types.Of(id).Shape == types.ShapeStrings
}

// Head judges what begins a container with a type: Array[int](, Object(Node, or PackedInt32Array(.
func (e *Engine) Head(b []byte, report func(Finding)) {
	p := &parser{e.Scan(b, report)}
	t := p.Next()
	id, ok := e.calls[string(t.Text)]
	switch {
	case t.Kind != Word:
	case !ok:
		p.refuse(t.At, t.End, "it has no type "+short(t.Text))
	case id == types.Array || id == types.Dictionary:
		p.typedHead(t)
	case id == types.Object:
		p.expect('(', "(")
		p.class()
	}
}

func (p *parser) texts() bool {
	for {
		t := p.Next()
		if t.Kind == ')' {
			return true
		}
		if !p.is(t, Text, "a text in quotes") {
			return false
		}
		if t = p.Next(); t.Kind == ')' {
			return true
		}
		if !p.is(t, ',', ", or )") {
			return false
		}
	}
}

func (p *parser) base64(t Token) bool {
	_, err := base64.StdEncoding.DecodeString(string(bytes.ReplaceAll(p.b[t.At+1:t.End-1], []byte(" "), nil)))
	if err != nil {
		p.refuse(t.At, t.End, "base64 is expected")
	}
	return err == nil
}

// resource reads a path, an id, or a path and a UID.
func (p *parser) resource(of types.ID) bool {
	t := p.Next()
	if (t.Kind != Number || of == types.Resource) && !p.is(t, Text, "a text in quotes") {
		return false
	}
	if t = p.Next(); t.Kind == ',' {
		if _, ok := p.expect(Text, "a text in quotes"); !ok {
			return false
		}
		t = p.Next()
	}
	return p.is(t, ')', ")")
}

// class reads the class of an object.
func (p *parser) class() bool {
	if _, ok := p.expect(Word, "the name of a class"); !ok {
		return false
	}
	_, ok := p.expect(',', ", after the class")
	return ok
}

func (p *parser) object() bool {
	if !p.class() {
		return false
	}
	_, _, ok := p.pairs(')', false)
	return ok
}

// pairs reads keys and values up to a closing mark; a key is a text unless it may be any value.
func (p *parser) pairs(end Kind, anyKey bool) (keys, values []Value, ok bool) {
	for t := p.Next(); t.Kind != end; t = p.Next() {
		if len(keys) > 0 {
			if !p.is(t, ',', ", or "+string(rune(end))) {
				return nil, nil, false
			}
			if t = p.Next(); t.Kind == end {
				break
			}
		}
		key, ok := Value{}, false
		if anyKey {
			key, ok = p.value(t)
		} else {
			ok = p.is(t, Text, "the name of a property in quotes")
		}
		if ok {
			_, ok = p.expect(':', ":")
		}
		if !ok {
			return nil, nil, false
		}
		v, ok := p.value(p.Next())
		if !ok {
			return nil, nil, false
		}
		keys, values = append(keys, key), append(values, v)
	}
	return keys, values, true
}

// list reads values up to the closing bracket.
func (p *parser) list() (all []Value, ok bool) {
	for t := p.Next(); t.Kind != ']'; t = p.Next() {
		if len(all) > 0 {
			if !p.is(t, ',', ", or ]") {
				return nil, false
			}
			if t = p.Next(); t.Kind == ']' {
				break
			}
		}
		v, ok := p.value(t)
		if !ok {
			return nil, false
		}
		all = append(all, v)
	}
	return all, true
}

// Key reads what an engine takes for the next key: all that is not a blank or a comment up to the equals sign. ok is false if a
// section or the end comes first.
func (e *Engine) Key(b []byte) (key string, ok bool) {
	p := &parser{e.Scan(b, func(Finding) {})}
	var all []byte
	for ; p.At < len(b); p.At++ {
		switch c := b[p.At]; {
		case c == ';':
			if n := bytes.IndexByte(b[p.At:], '\n'); n >= 0 {
				p.At += n
			} else {
				return "", false
			}
		case c == '[' && len(all) == 0:
			return "", false
		case c == '=':
			return string(all), true
		case c == '"':
			from := p.At
			if p.quoted(Text) == Broken {
				return "", false
			}
			all = append(all[:0], b[from+1:p.At-1]...)
			p.At--
		case c > control:
			all = append(all, c)
		}
	}
	return "", false
}

// Component judges the number of a component, which becomes one of a type.
func (e *Engine) Component(b []byte, is types.ID, report func(Finding)) {
	p := &parser{e.Scan(b, report)}
	if p.component(p.Next(), is) && p.At < len(b) {
		p.refuse(p.At, len(b), "one number is expected")
	}
}

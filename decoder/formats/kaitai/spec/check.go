package spec

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"varview/decoder/engine/format"
	"varview/decoder/engine/lazy"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/value/charset"
	"varview/decoder/value/spelling"
)

// Check returns all that is wrong with the description in a file, without any data: also what Load passes over,
// such as the types of expressions and names that they cannot find. The error says that the file cannot be read.
func Check(file string, dirs []string) ([]*Problem, error) {
	l := newLoader()
	l.isCheck = true
	_, err := l.load(file, dirs)
	if err = l.note(err); err != nil {
		return nil, err
	}
	for _, t := range l.order {
		t.check()
	}
	order := map[string]int{}
	for i, t := range l.order {
		if _, ok := order[t.File]; !ok {
			order[t.File] = i
		}
	}
	slices.SortStableFunc(l.found, func(a, b *Problem) int {
		return cmp.Or(order[a.File]-order[b.File], a.Line-b.Line)
	})
	for _, p := range l.found {
		if lines := strings.Split(string(l.texts[p.File]), "\n"); p.Line > 0 && p.Line <= len(lines) {
			p.Source = strings.TrimRight(lines[p.Line-1], "\r")
		}
	}
	return l.found, nil
}

var (
	isID = lazy.Regexp(`^[a-z][a-z0-9_]*$`)
	hump = lazy.Regexp(`([a-z])([A-Z])`)
)

// WrongID returns what is wrong with a name; "" for nothing.
func WrongID(name string) string {
	if isID().MatchString(name) {
		return ""
	}
	text := fmt.Sprintf("%q is not a name: a name has lower-case letters, digits and _, and begins with a letter", name)
	if lower := strings.ToLower(strings.ReplaceAll(hump().ReplaceAllString(name, "${1}_$2"), "-", "_")); isID().MatchString(lower) {
		text += "; did you mean " + lower + "?"
	}
	return text
}

func (t *Type) check() {
	if t.EndianOn != nil && (t.Parent == nil || t.Parent.EndianOn != t.EndianOn) {
		checkSwitch(scope{t: t}, t.EndianOn)
	}
	for _, a := range slices.Concat(t.Params, t.Seq, t.Instances) {
		a.check()
	}
}

func (t *Type) report(at Place, text string) { t.loader.note(at.fail("%s", text)) }

func (t *Type) checkEncoding(at Place, name string) {
	if _, err := charset.Decode(nil, name); err != nil {
		t.report(at, fmt.Sprintf("unknown encoding %q%s", name, meant(strings.ToUpper(name), []string{"UTF-8", "MUTF-8", "ASCII", "UTF-16LE", "UTF-16BE", "ISO-8859-1", "WINDOWS-1252"})))
	}
}

// typeNames returns the names of types that can be meant in t.
func (t *Type) typeNames() []string {
	names := []string{"u1", "u2", "u4", "u8", "s1", "s2", "s4", "s8", "f4", "f8", "str", "strz"}
	for in := t; in != nil; in = in.Parent {
		names = slices.AppendSeq(names, maps.Keys(in.Types))
	}
	return names
}

// Keys that attributes of some kinds do not have.
var (
	ofBytes    = []string{"size", "size-eos", "terminator", "include", "consume", "eos-error", "pad-right", "process"}
	notOfValue = append([]string{"pos", "io", "type", "contents", "repeat", "repeat-expr", "repeat-until", "encoding"}, ofBytes...)
)

func (a *Attr) check() {
	if a.isWrong {
		return
	}
	in := scope{t: a.Owner, a: a}
	if text := WrongID(a.ID); text != "" && !strings.HasPrefix(a.ID, "_unnamed") {
		a.Owner.report(a.at("id"), text)
	}
	a.checkKeys()
	a.checkText()
	in.checkOrder(a.If, a.Size)
	if a.Repeat == Times {
		in.checkOrder(a.RepeatExpr)
	}
	in.expect(a.If, expr.Bool)
	for _, n := range []expr.Node{a.Size, a.Pos} {
		in.expect(n, expr.Int)
	}
	in.expect(a.IO, expr.Stream)
	in.expect(a.ParentExpr, expr.Struct)
	in.expect(a.RepeatExpr, map[Repeat]expr.Kind{Times: expr.Int, Until: expr.Bool}[a.Repeat])
	if a.Value != nil {
		a.checkEnum(in.typeOf(a.Value))
	} else {
		a.checkEnum(a.elementType())
	}
	if a.Kept != nil {
		in.compare(a.Kept, a.elementType())
	}
	if a.Process != nil {
		a.checkProcess(in)
	}
	if a.Value != nil && a.Owner.needs(a, a, map[*Attr]bool{}) {
		a.Owner.report(a.at("value"), fmt.Sprintf("%s: its value depends on %s itself", a.ID, a.ID))
	}
	if slices.Contains(a.Owner.Seq, a) && a.mustHold(a.Owner, map[*Type]bool{}) {
		a.Owner.report(a.at("type"), fmt.Sprintf("%s: each %s holds another one, without end", a.ID, a.Owner.Name))
	}
	if a.Switch != nil {
		checkSwitch(in, a.Switch)
	}
	for _, r := range a.Types() {
		in.checkArgs(r)
	}
	a.checkValid(in)
}

// mustHold reports whether an attribute of seq, whatever is read, holds a value of type t.
func (a *Attr) mustHold(t *Type, seen map[*Type]bool) bool {
	in := a.Type.User
	if a.If != nil || a.Switch != nil || a.Repeat == UntilEnd || a.Repeat == Times || in == nil || seen[in] {
		return false
	}
	seen[in] = true
	return in == t || slices.ContainsFunc(in.Seq, func(b *Attr) bool { return b.mustHold(t, seen) })
}

// isKind reports whether an attribute always has a type of one of some kinds.
func (a *Attr) isKind(kinds ...Kind) bool {
	return a.Switch == nil && !a.isParam && slices.Contains(kinds, a.Type.Kind)
}

// unfit returns the keys that mean nothing for the attribute, and what it is.
func (a *Attr) unfit() (keys []string, of string) {
	switch {
	case a.Value != nil:
		return notOfValue, "a computed value"
	case a.isKind(Unsigned, Signed, Float, Bits):
		return append([]string{"contents", "encoding"}, ofBytes...), "a number"
	case a.IsContents:
		return []string{"size-eos", "encoding"}, "contents"
	case a.isKind(User):
		return []string{"encoding"}, "a value of a type of one's own"
	case a.isKind(RawBytes):
		return []string{"encoding"}, "bytes without a type"
	}
	return nil, ""
}

// checkKeys reports keys that mean nothing for the attribute.
func (a *Attr) checkKeys() {
	for _, key := range []string{"pos", "value"} {
		if at, ok := a.keys[key]; ok && !a.IsInstance {
			a.Owner.report(at, fmt.Sprintf("%s: only instances have a %s", a.ID, key))
		}
	}
	unfit, of := a.unfit()
	for _, key := range unfit {
		if at, ok := a.keys[key]; ok && (key != "process" || a.Value == nil) {
			a.Owner.report(at, fmt.Sprintf("%s: %s has no %s", a.ID, of, key))
		}
	}
	isNumber := a.isKind(Unsigned, Signed, Float, Bits, User)
	if isUnsized := a.Value == nil && !a.isParam && !isNumber && a.Switch == nil && !a.IsContents && !a.IsSized() && a.Type.Name != "strz"; isUnsized && a.Type.Kind != Other {
		a.Owner.report(a.at("type"), fmt.Sprintf("%s: size, size-eos or terminator is missing", a.ID))
	}
	if a.Size != nil && a.SizeEOS {
		a.Owner.report(a.at("size-eos"), fmt.Sprintf("%s: it has a size, and size-eos", a.ID))
	}
}

// checkOrder reports expressions of an attribute of a seq that use what is read after it.
func (in scope) checkOrder(all ...expr.Node) {
	for _, n := range all {
		expr.EachName(n, func(name string) {
			r, own := in.t.Find(name), in.t.Find(in.a.ID)
			if r != nil && own != nil && r.In == expr.InSeq && own.In == expr.InSeq && r.Index >= own.Index {
				in.report(n, &expr.NameError{Name: name, Text: fmt.Sprintf("%s is not read yet where %s begins", name, in.a.ID)})
			}
		})
	}
}

// checkProcess reports processes that are not a part of the language, and arguments that are too few, too many or of another type.
func (a *Attr) checkProcess(in scope) {
	args := map[string]int{"zlib": 0, "xor": 1, "rol": 1, "ror": 1}
	p := a.Process
	for _, n := range p.Args {
		in.typeOf(n)
	}
	switch want, ok := args[p.Name]; {
	case !ok:
		a.Owner.report(a.at("process"), fmt.Sprintf("%s: the process %s is not a part of the language and cannot be run%s", a.ID, p.Name, meant(p.Name, slices.Sorted(maps.Keys(args)))))
	case want != len(p.Args):
		a.Owner.report(a.at("process"), fmt.Sprintf("%s: %s has %d arguments, and is given %d", a.ID, p.Name, want, len(p.Args)))
	}
}

// checkText reports texts without an encoding, or with one that nobody knows.
func (a *Attr) checkText() {
	isText := slices.ContainsFunc(a.Types(), func(r *TypeRef) bool { return r.Kind == Str }) && !a.isParam && a.Value == nil
	switch {
	case isText && a.Encoding == "":
		a.Owner.report(a.at("type"), fmt.Sprintf("%s: a text needs an encoding, here or in meta", a.ID))
	case isText && a.keys["encoding"].Line > 0:
		a.Owner.checkEncoding(a.keys["encoding"], a.Encoding)
	}
}

func (a *Attr) checkEnum(t expr.Type) {
	if a.Enum != nil && !t.Is(expr.Int) {
		a.Owner.report(a.at("enum"), fmt.Sprintf("%s: only integers have an enum, and this is %v", a.ID, t.Kind))
	}
}

func (a *Attr) checkValid(in scope) {
	if a.Valid == nil {
		return
	}
	is := a.elementType()
	if a.Value != nil {
		is = a.valueType()
	}
	for _, b := range a.Valid.Bounds {
		in.compare(b.Value, is)
	}
	for _, c := range a.Valid.AnyOf.Cases {
		in.compare(c.When, is)
	}
	in.item = &is
	in.expect(a.Valid.Expr, expr.Bool)
}

func checkSwitch[T any](in scope, s *Switch[T]) {
	on := in.typeOf(s.On)
	in.on = &on
	for _, c := range s.Cases {
		in.compare(c.When, on)
	}
}

// checkArgs reports arguments of a type that it has no parameters for.
func (in scope) checkArgs(r *TypeRef) {
	if r.User == nil {
		return
	}
	if have, want := len(r.Args), len(r.User.Params); have != want {
		in.t.report(r.at, fmt.Sprintf("%s has %d parameters, and is given %d", r.Name, want, have))
		return
	}
	for i, n := range r.Args {
		is, want := in.typeOf(n), r.User.Params[i].valueType()
		if is.Comparable(want, false) != nil {
			in.t.report(r.at, fmt.Sprintf("%s is given %v for %s, which is %v", r.Name, is, r.User.Params[i].ID, want))
		}
	}
}

// A scope is where an expression stands.
type scope struct {
	t    *Type
	a    *Attr // nil for none
	item *expr.Type
	on   *expr.Type
}

func (in scope) report(n expr.Node, err error) {
	if w, ok := in.t.loader.written[n]; ok && err != nil {
		in.t.report(inText(w.Place, w.text, err), err.Error())
	}
}

func (in scope) typeOf(n expr.Node) expr.Type {
	t, err := expr.TypeOf(n, in)
	in.report(n, err)
	return t
}

// expect reports an expression whose value cannot be of a kind; n may be nil.
func (in scope) expect(n expr.Node, k expr.Kind) {
	if n != nil {
		in.report(n, expr.Expect(n, k, in))
	}
}

// compare reports an expression whose value cannot be equal to one of a type.
func (in scope) compare(n expr.Node, t expr.Type) {
	if err := in.typeOf(n).Comparable(t, false); err != nil {
		in.report(n, err)
	}
}

// TypeOf implements expr.Scope.
func (in scope) TypeOf(name string) (expr.Type, error) {
	isRepeated := in.a != nil && in.a.Repeat != Once
	switch {
	case name == "_index":
		return expr.Type{Kind: expr.Int}, nil
	case name == "_on" && in.on != nil:
		return *in.on, nil
	case name == "_" && in.item != nil:
		return *in.item, nil
	case name == "_" && isRepeated:
		return in.a.elementType(), nil
	}
	return in.AttrOf(in.t, name)
}

// AttrOf implements expr.Scope.
func (in scope) AttrOf(of any, name string) (expr.Type, error) {
	t := of.(*Type)
	switch name {
	case "_io":
		return expr.Type{Kind: expr.Stream}, nil
	case "_sizeof":
		return expr.Type{Kind: expr.Int}, nil
	case "_root":
		return expr.Type{Kind: expr.Struct, Of: t.Top}, nil
	case "_parent":
		if up := t.parentType(); up != nil {
			return expr.Type{Kind: expr.Struct, Of: up}, nil
		}
		return expr.Type{Kind: expr.Struct}, nil
	case "_is_le":
		return expr.Type{Kind: expr.Bool}, nil
	}
	if r := t.Find(name); r != nil {
		return t.Attr(r).valueType(), nil
	}
	return expr.Type{}, &expr.NameError{Name: name, Text: fmt.Sprintf("%s has no %s%s", t.Name, name, t.meant(name, of == in.t))}
}

// meant returns what a name that t does not have may mean, with what leads to it.
func (t *Type) meant(name string, isOwn bool) string {
	own := slices.Sorted(maps.Keys(t.refs))
	own = slices.DeleteFunc(own, func(n string) bool { return t.Find(n) == nil })
	near := spelling.Nearest(name, own)
	if up := t.parentType(); near == "" && isOwn && up != nil && up.Find(name) != nil {
		near = "_parent." + name
	} else if near == "" && isOwn && t.Top.Find(name) != nil {
		near = "_root." + name
	}
	if near == "" {
		return ""
	}
	return "; did you mean " + near + "?"
}

// Cast implements expr.Scope.
func (in scope) Cast(name string) (expr.Type, error) {
	name, isArray := strings.CutSuffix(name, "[]")
	if kind, ok := kindsNamed[name]; ok && !isArray {
		return expr.Type{Kind: kind}, nil
	}
	r, err := in.t.typeRef(in.t.Place, name)
	if err != nil {
		return expr.Type{}, &expr.NameError{Name: name, Text: fmt.Sprintf("unknown type %q%s", name, meant(name, in.t.typeNames()))}
	}
	if t := r.valueType(); !isArray {
		return t, nil
	} else {
		return expr.Type{Kind: expr.List, Elem: &t}, nil
	}
}

// parentType returns the type of what contains the values of t; nil if there are several, or none that is known.
func (t *Type) parentType() *Type {
	l := t.loader
	if l.parents == nil {
		l.parents = map[*Type]*Type{l.order[0]: nil}
		for a := range t.All() {
			for _, r := range a.Types() {
				if r.User != nil && !a.isParam {
					l.addParent(r.User, a)
				}
			}
		}
	}
	return l.parents[t]
}

func (l *loader) addParent(t *Type, a *Attr) {
	up := a.Owner
	if a.NoParent || a.ParentExpr != nil {
		up = nil
	}
	if known, ok := l.parents[t]; ok && known != up {
		up = nil
	}
	l.parents[t] = up
}

// valueType returns the type of the attribute's value in expressions.
func (a *Attr) valueType() (t expr.Type) {
	switch {
	case a.Value != nil && a.isTyping: // it depends on itself
		return t
	case a.Value != nil:
		a.isTyping = true
		t, _ = expr.TypeOf(a.Value, scope{t: a.Owner, a: a})
		a.isTyping = false
		if a.Enum != nil && t.Kind == expr.Int {
			t.Of = a.Enum
		}
		return t
	}
	elem := a.elementType()
	if a.Repeat != Once || a.isArray {
		return expr.Type{Kind: expr.List, Elem: &elem}
	}
	return elem
}

// elementType returns the type of an element of the attribute, or of its value if it is not repeated.
func (a *Attr) elementType() (t expr.Type) {
	for i, r := range a.Types() {
		if is := r.valueType(); i == 0 {
			t = is
		} else {
			t = t.Both(is)
		}
	}
	if a.Switch != nil && (a.Switch.Default == nil || len(a.Switch.Cases) == 0) && t.Kind != expr.Struct {
		return expr.Type{} // bytes, or nothing, where no case fits
	}
	if a.Enum != nil && (t.Kind == expr.Int || t.Kind == expr.Bool) {
		t = expr.Type{Kind: expr.Int, Of: a.Enum}
	}
	return t
}

// Kinds of the values of types, and of those that only expressions name.
var (
	kinds      = [...]expr.Kind{RawBytes: expr.Bytes, Unsigned: expr.Int, Signed: expr.Int, Float: expr.Float, Bits: expr.Int, Str: expr.Str, User: expr.Struct}
	kindsNamed = map[string]expr.Kind{"bytes": expr.Bytes, "bool": expr.Bool, "struct": expr.Struct, "io": expr.Stream}
)

func (r *TypeRef) valueType() expr.Type {
	switch {
	case r.Kind == Other:
		return expr.Type{Kind: kindsNamed[r.Name]}
	case r.Kind == Bits && r.Size == 1:
		return expr.Type{Kind: expr.Bool}
	case r.Kind == User && r.User != nil:
		return expr.Type{Kind: expr.Struct, Of: r.User}
	}
	return expr.Type{Kind: kinds[r.Kind]}
}

// A Place is where something is written in a description.
type Place struct {
	File   string
	Line   int // from 1; 0 for none
	Column int // in bytes from 1; 0 for none
}

// String names the file and the line.
func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

func (p Place) fail(format string, args ...any) error {
	return &Problem{File: p.File, Line: p.Line, Column: p.Column, Text: fmt.Sprintf(format, args...)}
}

// A Problem is what is wrong with a description.
type Problem = format.DescriptionProblem

// note keeps a problem where all of them are asked for, and returns it otherwise.
func (l *loader) note(err error) error {
	var p *Problem
	if err == nil || !l.isCheck || !errors.As(err, &p) {
		return err
	}
	for _, other := range l.found {
		if other.File == p.File && other.Line == p.Line { // the first on a line is the cause
			return nil
		}
	}
	l.found = append(l.found, p)
	return nil
}

// inText returns the place of an expression's error: that of a name, of what cannot be parsed, or of all of it.
func inText(at Place, text string, err error) Place {
	var name *expr.NameError
	var syntax *expr.SyntaxError
	switch {
	case errors.As(err, &name):
		if m := regexp.MustCompile(`\b` + regexp.QuoteMeta(name.Name) + `\b`).FindStringIndex(text); m != nil {
			at.Column += m[0]
		}
	case errors.As(err, &syntax) && syntax.In == text:
		at.Column += syntax.At
	}
	return at
}

// meant returns what a misspelt word may mean: "; did you mean size?", or "".
func meant(word string, known []string) string {
	if near := spelling.Nearest(word, known); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

var yamlLine = lazy.Regexp(`^(?:yaml: )?line \d+: `)

// maxYAMLLines is the largest number of lines of a description in which the place of an error is looked for.
const maxYAMLLines = 4000

// inYAML returns a problem for an error of the YAML reader, which names the line in which the part with the error begins, or
// the one before: a description is right up to the line with the error.
func inYAML(file string, text []byte, err error) *Problem {
	message := yamlLine().ReplaceAllString(strings.TrimPrefix(err.Error(), "yaml: "), "")
	p := &Problem{File: file, Text: message}
	lines := strings.SplitAfter(string(text), "\n")
	if len(lines) > maxYAMLLines {
		p.Text = strings.TrimPrefix(err.Error(), "yaml: ")
		return p
	}
	size := len(text)
	for p.Line = len(lines); p.Line > 1; p.Line-- {
		size -= len(lines[p.Line-1])
		if yaml.Unmarshal(text[:size], new(yaml.Node)) == nil {
			break
		}
	}
	line := lines[p.Line-1]
	p.Column = len(line) - len(strings.TrimLeft(line, " ")) + 1
	if tab := strings.IndexByte(line, '\t'); tab >= 0 && strings.Contains(message, "tab character") {
		p.Column, p.Text = tab+1, "a line cannot be indented with tabs"
	} else if colon := strings.LastIndex(line, ": "); colon >= 0 && strings.Contains(message, "mapping values are not allowed") {
		p.Column, p.Text = colon+1, "a colon is not expected here: a text with one needs quotes"
	}
	return p
}

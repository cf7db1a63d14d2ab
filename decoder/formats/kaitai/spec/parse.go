package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"varview/decoder/engine/lazy"
	"varview/decoder/formats/kaitai/expr"
)

func (t *Type) parse(n node, depth int) error {
	n.t, t.Place = t, n.place()
	t.loader.order = append(t.loader.order, t)
	if depth > maxNesting {
		return t.fail("types are nested too deep")
	}
	t.Types, t.Enums, t.refs = map[string]*Type{}, map[string]*expr.Enum{}, map[string]*expr.Ref{}
	if t.Parent != nil {
		t.Endian, t.EndianOn, t.BitEndian, t.Encoding, t.Opaque = t.Parent.Endian, t.Parent.EndianOn, t.Parent.BitEndian, t.Parent.Encoding, t.Parent.Opaque
	}
	err := n.pairs(func(key, value node) error { // what the others depend on
		if key.Value == "meta" {
			return value.pairs(t.meta)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return n.pairs(func(key, value node) error { return t.entry(key, value, depth) })
}

func (t *Type) entry(key, value node, depth int) (err error) {
	switch key.Value {
	case "meta":
	case "doc":
		t.Doc = value.prose()
	case "doc-ref":
		t.DocRef = value.prose()
	case "to-string", "-webide-representation":
		t.Text = value.title()
	case "params", "seq":
		if key.Value == "seq" {
			t.seqAt = key.place()
		}
		err = value.items(func(n node) error { return t.attr(n, key.Value == "params") })
	case "instances":
		t.instancesAt = key.place()
		err = value.pairs(func(name, n node) error {
			a, err := t.parseAttr(n, name.Value)
			if a.IsInstance = true; a.keys != nil {
				a.keys["id"] = name.place()
			}
			return cmp.Or(err, t.add(a, expr.InInstances, &t.Instances))
		})
	case "types":
		err = value.pairs(func(name, n node) error {
			inner := &Type{Name: name.name(), Parent: t, Top: t.Top, loader: t.loader}
			t.Types[name.Value] = inner
			return inner.parse(n, depth+1)
		})
	case "enums":
		err = value.pairs(func(name, n node) (err error) {
			t.Enums[name.Value], err = t.parseEnum(name.name(), n)
			return err
		})
	default:
		if !strings.HasPrefix(key.Value, "-") {
			err = key.unknown("a type", []string{"meta", "doc", "doc-ref", "to-string", "params", "seq", "instances", "types", "enums"})
		}
	}
	return err
}

func (t *Type) attr(n node, isParam bool) error {
	a, err := t.parseAttr(n, "")
	if a.isParam = isParam; isParam {
		return cmp.Or(err, t.add(a, expr.InParams, &t.Params))
	}
	if a.ID == "" {
		a.ID = "_unnamed" + strconv.Itoa(len(t.Seq))
	}
	return cmp.Or(err, t.add(a, expr.InSeq, &t.Seq))
}

func (t *Type) add(a *Attr, in expr.Group, all *[]*Attr) error {
	r := t.ref(a.ID)
	if r.Of != nil {
		return a.at("id").fail("%s is there already, in line %d", a.ID, t.Attr(r).Line)
	}
	r.Of, r.In, r.Index = t, in, len(*all)
	*all = append(*all, a)
	return nil
}

func (t *Type) meta(key, v node) (err error) {
	switch key.Value {
	case "id":
		t.Name = v.name()
	case "title":
		t.Title = v.Value
	case "endian":
		t.EndianOn, t.Endian, err = parseEndian(v)
	case "bit-endian":
		t.BitEndian = endians[v.Value]
	case "encoding":
		if t.Encoding = v.Value; t.loader.isCheck {
			t.checkEncoding(v.place(), v.Value)
		}
	case "ks-opaque-types":
		t.Opaque, err = v.boolean()
	case "file-extension":
		add := func(n node) error {
			t.Extensions = append(t.Extensions, strings.ToLower(strings.TrimPrefix(n.Value, ".")))
			return nil
		}
		if v.items(add) != nil { // a single one
			add(v)
		}
	case "imports":
		err = v.items(func(n node) error {
			t.imports = append(t.imports, n)
			return nil
		})
	default:
		known := []string{"application", "license", "ks-version", "ks-debug", "xref", "tags"}
		if t.loader.isCheck && !slices.Contains(known, key.Value) && !strings.HasPrefix(key.Value, "-") {
			err = key.unknown("meta", append(known, "id", "title", "endian", "bit-endian", "encoding", "ks-opaque-types", "file-extension", "imports"))
		}
	}
	return err
}

var endians = map[string]Endian{"le": Little, "be": Big}

func parseEndian(n node) (*Switch[Endian], Endian, error) {
	parse := func(v node) (Endian, error) {
		if e := endians[v.Value]; e != NoEndian {
			return e, nil
		}
		return 0, v.place().fail("%q is neither le nor be", v.Value)
	}
	if n.Kind == yaml.ScalarNode {
		e, err := parse(n)
		return nil, e, err
	}
	s, err := parseSwitch(n, parse)
	return s, NoEndian, err
}

// parseSwitch parses switch-on and cases.
func parseSwitch[T any](n node, parse func(node) (T, error)) (*Switch[T], error) {
	s, hasCases := &Switch[T]{}, false
	err := n.pairs(func(key, value node) (err error) {
		switch key.Value {
		case "switch-on":
			s.On, err = value.expression()
		case "cases":
			hasCases = true
			err = value.pairs(func(when, then node) error { return s.add(when, then, parse) })
		}
		return err
	})
	n.t.loader.late = append(n.t.loader.late, s.sort)
	switch {
	case err == nil && s.On == nil:
		err = n.place().fail("switch-on is missing")
	case err == nil && !hasCases:
		err = n.place().fail("cases is missing")
	}
	return s, err
}

func (s *Switch[T]) add(when, then node, parse func(node) (T, error)) error {
	chosen, err := parse(then)
	if when.Value == "_" {
		s.Default = &chosen
		return err
	}
	x, wrong := when.expression()
	s.Cases = append(s.Cases, Case[T]{x, chosen})
	return cmp.Or(err, wrong)
}

func (t *Type) parseEnum(name string, n node) (*expr.Enum, error) {
	e := &expr.Enum{Name: t.FullName() + "::" + name, Names: map[expr.Key]string{}, Values: map[string]expr.Value{}, Docs: map[string]string{}}
	return e, n.pairs(func(key, value node) error {
		x, _ := key.expression() // a key may be quoted
		v, _ := expr.IsConstant(x)
		if v.Kind != expr.Int {
			return key.place().fail("%q is not a number", key.Value)
		}
		name, doc := value.Value, ""
		if name == "" {
			value.pairs(func(key, value node) error {
				switch key.Value {
				case "id":
					name = value.Value
				case "doc":
					doc = value.prose()
				}
				return nil
			})
		}
		if text := WrongID(name); text != "" {
			t.report(value.start(), text)
		}
		if first, ok := e.Values[name]; ok {
			t.report(value.start(), fmt.Sprintf("%s is there already, as %s", name, first.Digits()))
		}
		v.Byte, v.Ref = false, e
		e.Names[v.Key()], e.Values[name], e.Docs[name] = name, v, doc
		e.Order = append(e.Order, name)
		return nil
	})
}

var builtin = lazy.Regexp(`^(?:[us][1248]|f[48]|b\d{1,2})(le|be)?$`)

// typeRef parses the use of a type.
func (t *Type) typeRef(at Place, text string) (TypeRef, error) {
	name, args, err := expr.ParseCall(text, t)
	if err != nil {
		return TypeRef{}, at.fail("%v", err)
	}
	r := TypeRef{Name: name, Kind: Other, Args: args}
	if m := builtin().FindStringSubmatch(name); m != nil {
		r.Kind = map[byte]Kind{'u': Unsigned, 's': Signed, 'f': Float, 'b': Bits}[name[0]]
		r.Size, _ = strconv.Atoi(strings.TrimSuffix(name[1:], m[1]))
		order := t.Endian
		if r.Kind == Bits {
			order = cmp.Or(t.BitEndian, Big)
		}
		if r.Endian = cmp.Or(endians[m[1]], order); r.Kind == Bits && (r.Size < 1 || r.Size > 64) {
			err = at.fail("%s: a number has 1 to 64 bits", name)
		}
		if r.Kind != Bits && r.Size > 1 && m[1] == "" {
			r.Name += [...]string{Little: "le", Big: "be"}[r.Endian]
		}
		return r, err
	}
	kinds := map[string]Kind{"str": Str, "strz": Str, "": RawBytes, "bytes": Other, "bool": Other, "struct": Other, "io": Other, "any": Other}
	if kind, ok := kinds[name]; ok || strings.HasSuffix(name, "[]") {
		if r.Kind = Other; ok {
			r.Kind = kind
		}
		return r, nil
	}
	r.Kind = User
	if r.User = t.findType(name); r.User == nil && t.Opaque {
		r.User = t.loader.findOpaque(name)
	}
	if r.User == nil && !t.Opaque {
		return r, at.fail("unknown type %q%s", name, meant(name, t.typeNames()))
	}
	return r, nil
}

// bind resolves the names of types and enums in t.
func (t *Type) bind() error {
	for _, a := range slices.Concat(t.Params, t.Seq, t.Instances) {
		if err := t.loader.note(a.bind()); err != nil {
			return err
		}
	}
	return nil
}

func (a *Attr) bind() (err error) {
	if a.isParam && a.Type.Kind == Other {
		a.Type.Name, a.isArray = strings.CutSuffix(a.Type.Name, "[]")
		if r, bad := a.Owner.typeRef(a.Place, a.Type.Name); bad == nil {
			a.Type = r
		}
	} else {
		for _, r := range a.Types() {
			args, at := r.Args, cmp.Or(r.at, a.Place)
			if *r, err = a.Owner.typeRef(at, r.Name); err == nil && r.Kind == Other && !a.isParam {
				err = at.fail("%s: the type %s is for parameters only", a.ID, r.Name)
			}
			if err == nil && r.Endian == NoEndian && r.Size > 1 && a.Owner.EndianOn == nil && !a.isParam {
				err = at.fail("%s: the byte order is not known; meta/endian is missing", r.Name)
			}
			if r.Args, r.at = args, at; err != nil {
				return err
			}
		}
	}
	if err == nil && a.enumName != "" {
		if a.Enum, err = a.Owner.findEnum(strings.Split(a.enumName, "::")); err != nil {
			err = a.at("enum").fail("%s: %v", a.ID, err)
		}
	}
	if err == nil && a.Valid != nil && a.Valid.InEnum && a.Enum == nil {
		err = a.fail("%s: in-enum needs an enum", a.ID)
	}
	return err
}

// String names the type for people: "u4le", "str", "png::chunk".
func (r *TypeRef) String() string {
	if r.Kind == RawBytes {
		return "bytes"
	}
	return r.Name
}

// parseAttr parses an attribute; id is its name if it is an instance.
func (t *Type) parseAttr(n node, id string) (*Attr, error) {
	a := &Attr{Place: n.place(), ID: id, Owner: t, Pad: -1, Encoding: t.Encoding, Consume: true, EOSError: true, keys: map[string]Place{}}
	problems := len(t.loader.found)
	err := n.pairs(a.set)
	if a.isWrong = len(t.loader.found) > problems; err == nil && !a.isWrong {
		err = a.checkRepeat()
		a.isWrong = err != nil
	}
	if !t.loader.isCheck {
		a.keys = nil
	}
	return a, err
}

// checkRepeat reports keys of a repetition that do not belong together.
func (a *Attr) checkRepeat() error {
	needed := map[Repeat]string{Times: "repeat-expr", Until: "repeat-until"}[a.Repeat]
	if _, ok := a.keys[needed]; needed != "" && !ok {
		return a.at("repeat").fail("%s: %s is missing", a.ID, needed)
	}
	for key, value := range map[string]string{"repeat-expr": "expr", "repeat-until": "until"} {
		if at, ok := a.keys[key]; ok && key != needed {
			return at.fail("%s: %s needs repeat: %s", a.ID, key, value)
		}
	}
	return nil
}

// at returns the place of a key; that of the attribute if it is not known.
func (a *Attr) at(key string) Place { return cmp.Or(a.keys[key], a.Place) }

// attrKeys are the keys of an attribute.
var attrKeys = []string{"id", "type", "size", "size-eos", "contents", "repeat", "repeat-expr", "repeat-until", "if", "pos", "io", "value", "enum", "encoding", "terminator", "include", "consume", "eos-error", "pad-right", "process", "valid", "parent", "doc", "doc-ref"}

// set sets what a key says.
func (a *Attr) set(key, v node) (err error) {
	a.keys[key.Value] = key.place()
	expression := map[string]*expr.Node{"if": &a.If, "size": &a.Size, "pos": &a.Pos, "io": &a.IO, "value": &a.Value, "repeat-expr": &a.RepeatExpr, "repeat-until": &a.RepeatExpr, "-varview-value": &a.Kept}
	if x := expression[key.Value]; x != nil {
		*x, err = v.expression()
		return err
	}
	flags := map[string]*bool{"size-eos": &a.SizeEOS, "include": &a.Include, "consume": &a.Consume, "eos-error": &a.EOSError}
	if x := flags[key.Value]; x != nil {
		*x, err = v.boolean()
		return err
	}
	texts := map[string]*string{"id": &a.ID, "encoding": &a.Encoding, "enum": &a.enumName}
	if x := texts[key.Value]; x != nil {
		*x, err = v.text()
		return err
	}
	switch key.Value {
	case "doc":
		a.Doc = v.prose()
	case "doc-ref":
		a.DocRef = v.prose()
	case "-webide-representation":
		a.Text = v.title()
	case "type":
		err = a.setType(v)
	case "repeat":
		kinds := map[string]Repeat{"eos": UntilEnd, "expr": Times, "until": Until}
		if a.Repeat = kinds[v.Value]; a.Repeat == Once {
			err = v.place().fail("%q is not a repetition: it must be eos, expr or until", v.Value)
		}
	case "contents":
		a.Contents, err = v.bytes()
		a.IsContents = true
	case "terminator":
		a.Terminator, err = v.terminator()
	case "pad-right":
		var b []byte
		if b, err = v.bytes(); err == nil && len(b) == 1 {
			a.Pad = int(b[0])
		}
	case "process":
		a.Process = &Process{}
		if a.Process.Name, a.Process.Args, err = expr.ParseCall(v.Value, v.t); err != nil {
			err = v.place().fail("%v", err)
		}
	case "valid":
		a.Valid, err = parseValid(v)
	case "parent":
		if v.Value == "false" {
			a.NoParent = true
		} else {
			a.ParentExpr, err = v.expression()
		}
	default:
		if !strings.HasPrefix(key.Value, "-") {
			err = key.unknown("an attribute", attrKeys)
		}
	}
	return err
}

func (a *Attr) setType(v node) (err error) {
	parse := func(v node) (TypeRef, error) {
		text, err := v.text()
		if err != nil {
			return TypeRef{}, err
		}
		name, args, err := expr.ParseCall(text, v.t)
		if err != nil {
			err = inText(v.start(), text, err).fail("%v", err)
		}
		return TypeRef{Name: name, Args: args, Kind: Other, at: v.place()}, err
	}
	if v.Kind == yaml.MappingNode {
		a.Switch, err = parseSwitch(v, parse)
		return err
	}
	a.Type, err = parse(v)
	return err
}

func parseValid(n node) (*Valid, error) {
	v := &Valid{}
	bounds := map[string]Bound{"eq": {Text: ", not "}, "min": {High: 1, Text: ", less than "}, "max": {Low: -1, Text: ", more than "}}
	bound := func(key string, value node) (err error) {
		b := bounds[key]
		b.Value, err = value.expression()
		v.Bounds = append(v.Bounds, b)
		return err
	}
	if n.Kind != yaml.MappingNode {
		return v, bound("eq", n)
	}
	return v, n.pairs(func(key, value node) (err error) {
		switch {
		case bounds[key.Value].Text != "":
			err = bound(key.Value, value)
		case key.Value == "expr":
			v.Expr, err = value.expression()
		case key.Value == "any-of":
			err = value.items(func(i node) error {
				one, err := i.expression()
				v.AnyOf.Cases = append(v.AnyOf.Cases, Case[bool]{When: one})
				return err
			})
			n.t.loader.late = append(n.t.loader.late, v.AnyOf.sort)
		case key.Value == "in-enum":
			v.InEnum, err = value.boolean()
		default:
			err = key.unknown("valid", []string{"eq", "min", "max", "expr", "any-of", "in-enum"})
		}
		return err
	})
}

package spec

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"varview/decoder/kaitai/expr"
)

// A typeParser parses a type.
type typeParser struct {
	t       *Type
	imports []node
}

func (p *typeParser) parse(n node, depth int) error {
	t := p.t
	t.Place = n.place()
	if depth > maxNesting {
		return t.fail("too many types in one another")
	}
	t.Types, t.Enums, t.index = map[string]*Type{}, map[string]*expr.Enum{}, map[string]Slot{}
	if t.Parent != nil {
		t.Endian, t.EndianOn, t.BitsLE, t.Encoding, t.Opaque = t.Parent.Endian, t.Parent.EndianOn, t.Parent.BitsLE, t.Parent.Encoding, t.Parent.Opaque
	}
	all, err := n.pairs()
	if err != nil {
		return err
	}
	for _, x := range all { // the others depend on these
		if x.key.Value == "meta" {
			if err := p.meta(x.value); err != nil {
				return err
			}
		}
	}
	for _, x := range all {
		if err := p.entry(x, depth); err != nil {
			return err
		}
	}
	return nil
}

func (p *typeParser) entry(x pair, depth int) (err error) {
	t := p.t
	switch x.key.Value {
	case "meta":
	case "doc":
		t.Doc = x.value.prose()
	case "doc-ref":
		t.DocRef = x.value.prose()
	case "to-string", "-webide-representation":
		t.Text = x.value.Value
	case "params", "seq":
		items, err := x.value.items()
		if err != nil {
			return err
		}
		for _, i := range items {
			if err := p.attr(i, x.key.Value == "params"); err != nil {
				return err
			}
		}
	case "instances":
		all, err := x.value.pairs()
		if err != nil {
			return err
		}
		for _, i := range all {
			a, err := t.parseAttr(i.value, i.key.Value)
			if err != nil {
				return err
			}
			a.IsInstance = true
			t.add(a, InInstances, &t.Instances)
		}
	case "types":
		all, err := x.value.pairs()
		if err != nil {
			return err
		}
		for _, i := range all {
			inner := typeParser{t: &Type{Name: i.key.Value, Parent: t, Top: t.Top, loader: t.loader}}
			if err := inner.parse(i.value, depth+1); err != nil {
				return err
			}
			t.Types[i.key.Value] = inner.t
		}
	case "enums":
		all, err := x.value.pairs()
		if err != nil {
			return err
		}
		for _, i := range all {
			if t.Enums[i.key.Value], err = t.parseEnum(i); err != nil {
				return err
			}
		}
	default:
		if !strings.HasPrefix(x.key.Value, "-") {
			return x.key.place().fail("a type has no %q", x.key.Value)
		}
	}
	return nil
}

func (p *typeParser) attr(n node, isParam bool) error {
	t := p.t
	a, err := t.parseAttr(n, "")
	if err != nil {
		return err
	}
	if isParam {
		t.add(a, InParams, &t.Params)
		return nil
	}
	if a.ID == "" {
		a.ID = "_unnamed" + strconv.Itoa(len(t.Seq))
	}
	t.add(a, InSeq, &t.Seq)
	return nil
}

func (t *Type) add(a *Attr, in Group, all *[]*Attr) {
	t.index[a.ID] = Slot{in, len(*all)}
	*all = append(*all, a)
}

func (p *typeParser) meta(n node) error {
	t := p.t
	all, err := n.pairs()
	if err != nil {
		return err
	}
	for _, x := range all {
		switch v := x.value; x.key.Value {
		case "id":
			t.Name = v.Value
		case "title":
			t.Title = v.Value
		case "endian":
			if t.EndianOn, t.Endian, err = parseEndian(v); err != nil {
				return err
			}
		case "bit-endian":
			t.BitsLE = v.Value == "le"
		case "encoding":
			t.Encoding = v.Value
		case "ks-opaque-types":
			if t.Opaque, err = v.boolean(); err != nil {
				return err
			}
		case "file-extension":
			items, err := v.items()
			if err != nil {
				items = []node{v}
			}
			for _, i := range items {
				t.Extensions = append(t.Extensions, strings.ToLower(strings.TrimPrefix(i.Value, ".")))
			}
		case "imports":
			if p.imports, err = v.items(); err != nil {
				return err
			}
		}
	}
	return nil
}

var endians = map[string]Endian{"le": Little, "be": Big}

func parseEndian(n node) (*Switch[Endian], Endian, error) {
	if e := endians[n.Value]; e != NoEndian {
		return nil, e, nil
	}
	s, err := parseSwitch(n, func(v node) (Endian, error) {
		if e := endians[v.Value]; e != NoEndian {
			return e, nil
		}
		return 0, v.place().fail("%q is neither le nor be", v.Value)
	})
	return s, NoEndian, err
}

// parseSwitch parses switch-on and cases.
func parseSwitch[T any](n node, parse func(node) (T, error)) (*Switch[T], error) {
	all, err := n.pairs()
	if err != nil {
		return nil, err
	}
	s := &Switch[T]{}
	for _, x := range all {
		switch x.key.Value {
		case "switch-on":
			if s.On, err = x.value.expression(); err != nil {
				return nil, err
			}
		case "cases":
			cases, err := x.value.pairs()
			if err != nil {
				return nil, err
			}
			for _, c := range cases {
				then, err := parse(c.value)
				if err != nil {
					return nil, err
				}
				if c.key.Value == "_" {
					s.Default = &then
					continue
				}
				when, err := c.key.expression()
				if err != nil {
					return nil, err
				}
				s.Cases = append(s.Cases, Case[T]{when, then})
			}
		}
	}
	if s.On == nil {
		return nil, n.place().fail("switch-on is missing")
	}
	return s, nil
}

func (t *Type) parseEnum(x pair) (*expr.Enum, error) {
	e := &expr.Enum{Name: t.FullName() + "::" + x.key.Value, Names: map[expr.Key]string{}, Values: map[string]expr.Value{}, Docs: map[string]string{}}
	all, err := x.value.pairs()
	if err != nil {
		return nil, err
	}
	for _, i := range all {
		v, ok := i.key.number()
		if !ok {
			return nil, i.key.place().fail("%q is no number", i.key.Value)
		}
		name := i.value.Value
		if more, err := i.value.pairs(); err == nil && name == "" {
			for _, m := range more {
				switch m.key.Value {
				case "id":
					name = m.value.Value
				case "doc":
					e.Docs[name] = m.value.prose()
				}
			}
		}
		v.Byte, v.Ref = false, e
		e.Names[v.Key()], e.Values[name] = name, v
		e.Order = append(e.Order, name)
	}
	return e, nil
}

var builtin = regexp.MustCompile(`^(?:([usf])([1248])(le|be)?|b(\d{1,2})(le|be)?)$`)

// typeRef parses the use of a type.
func (t *Type) typeRef(at Place, text string) (TypeRef, error) {
	name, args, err := expr.ParseCall(text)
	if err != nil {
		return TypeRef{}, at.fail("%v", err)
	}
	r := TypeRef{Name: name, Kind: Other, Args: args}
	if m := builtin.FindStringSubmatch(name); m != nil && !(m[1] == "f" && m[2] < "4") {
		if m[4] != "" {
			r.Kind = Bits
			if r.Size, _ = strconv.Atoi(m[4]); r.Size < 1 || r.Size > 64 {
				return r, at.fail("%s: a number has 1 to 64 bits", name)
			}
			r.Endian = endians[m[5]]
			if r.Endian == NoEndian {
				r.Endian = Big
				if t.BitsLE {
					r.Endian = Little
				}
			}
			return r, nil
		}
		r.Kind = map[string]Kind{"u": Unsigned, "s": Signed, "f": Float}[m[1]]
		r.Size = int(m[2][0] - '0')
		if r.Endian = endians[m[3]]; r.Endian == NoEndian {
			r.Endian = t.Endian
		}
		if r.Endian == NoEndian && t.EndianOn == nil && r.Size > 1 {
			return r, at.fail("%s: the byte order is not known; meta/endian is missing", name)
		}
		return r, nil
	}
	switch name {
	case "str", "strz":
		r.Kind = Str
		return r, nil
	case "":
		r.Kind = RawBytes
		return r, nil
	case "bytes", "bool", "struct", "io", "any", "f4", "f8":
		return r, nil
	}
	if strings.HasSuffix(name, "[]") {
		return r, nil
	}
	r.Kind = User
	if r.User = t.FindType(name); r.User == nil && t.Opaque {
		r.User = t.loader.findOpaque(name)
	}
	if r.User == nil && !t.Opaque {
		return r, at.fail("unknown type %q", name)
	}
	return r, nil
}

// bind resolves the names in t and the types in it.
func (t *Type) bind() error {
	for _, all := range [][]*Attr{t.Params, t.Seq, t.Instances} {
		for _, a := range all {
			if err := a.bind(); err != nil {
				return err
			}
		}
	}
	for _, inner := range t.Types {
		if err := inner.bind(); err != nil {
			return err
		}
	}
	return nil
}

// measure finds the sizes of t and the types in it: later, several goroutines look at them.
func (t *Type) measure() {
	t.FixedBits()
	for _, inner := range t.Types {
		inner.measure()
	}
}

func (a *Attr) bind() (err error) {
	isParam := false
	if s, ok := a.Owner.Find(a.ID); ok {
		isParam = s.In == InParams && a.Owner.Params[s.Index] == a
	}
	resolve := func(r *TypeRef) {
		name := r.Name
		args := r.Args
		if err == nil {
			*r, err = a.Owner.typeRef(a.Place, name)
			r.Args = args
		}
		if err == nil && r.Kind == Other && !isParam {
			err = a.fail("%s: the type %s is for parameters only", a.ID, r.Name)
		}
	}
	if isParam && a.Type.Kind == Other {
		a.Type.Name = strings.TrimSuffix(a.Type.Name, "[]")
		if r, bad := a.Owner.typeRef(a.Place, a.Type.Name); bad == nil {
			a.Type = r
		}
	} else {
		for _, r := range a.Types() {
			resolve(r)
		}
	}
	if err == nil && a.enumName != "" {
		if a.Enum, err = a.Owner.FindEnum(strings.Split(a.enumName, "::")); err != nil {
			err = a.fail("%s: %v", a.ID, err)
		}
	}
	if err == nil && a.Valid != nil && a.Valid.InEnum && a.Enum == nil {
		err = a.fail("%s: in-enum needs an enum", a.ID)
	}
	return err
}

// String names the type for people: "u4le", "str", "png::chunk".
func (r *TypeRef) String() string {
	switch r.Kind {
	case RawBytes:
		return "bytes"
	case Unsigned, Signed, Float:
		name := fmt.Sprintf("%c%d", " usf"[r.Kind], r.Size)
		switch {
		case r.Size > 1 && r.Endian == Little:
			name += "le"
		case r.Size > 1 && r.Endian == Big:
			name += "be"
		}
		return name
	}
	return r.Name
}

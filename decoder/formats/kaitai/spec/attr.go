package spec

import (
	"cmp"
	"strings"

	"go.yaml.in/yaml/v3"

	"varview/decoder/formats/kaitai/expr"
)

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

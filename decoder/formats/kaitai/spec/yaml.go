package spec

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"varview/decoder/formats/kaitai/expr"
)

// A node is a part of a description.
type node struct {
	*yaml.Node
	t *Type // in which it is
}

func (n node) place() Place { return Place{n.t.File, n.Line, n.Column} }

// at returns a part of n. An alias is replaced by its target.
func (n node) at(y *yaml.Node) node {
	if y.Kind == yaml.AliasNode && y.Alias != nil {
		y = y.Alias
	}
	return node{y, n.t}
}

// pairs calls do for the entries of a map, up to one with which it fails.
func (n node) pairs(do func(key, value node) error) error {
	if n.Kind != yaml.MappingNode && !n.isNull() {
		return n.place().fail("a map is expected here")
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.at(n.Content[i])
		err := do(key, n.at(n.Content[i+1]))
		if first := lines[key.Value]; first > 0 && key.Kind == yaml.ScalarNode && err == nil {
			err = key.place().fail("%s is given twice, first in line %d", key.Value, first)
		}
		lines[key.Value] = key.Line
		if err = n.t.loader.note(err); err != nil {
			return err
		}
	}
	return nil
}

// items calls do for the items of a list, up to one with which it fails.
func (n node) items(do func(node) error) error {
	if n.Kind != yaml.SequenceNode && !n.isNull() {
		return n.place().fail("a list is expected here")
	}
	for _, c := range n.Content {
		if err := n.t.loader.note(do(n.at(c))); err != nil {
			return err
		}
	}
	return nil
}

// unknown returns the problem of a key that something does not have.
func (n node) unknown(of string, known []string) error {
	return n.place().fail("%s has no %q%s", of, n.Value, meant(n.Value, known))
}

func (n node) isNull() bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// text returns a scalar as text.
func (n node) text() (string, error) {
	if n.Kind != yaml.ScalarNode {
		return "", n.place().fail("a single value is expected here")
	}
	return n.Value, nil
}

// prose returns the text of a doc, or of a list of them.
func (n node) prose() string {
	if n.Kind != yaml.SequenceNode {
		return strings.TrimSpace(n.Value)
	}
	var all []string
	for _, c := range n.Content {
		all = append(all, strings.TrimSpace(c.Value))
	}
	return strings.Join(all, "\n")
}

// title returns a text with expressions in braces: "{name}: {header.size:dec}".
func (n node) title() (all Title) {
	for rest := n.Value; rest != ""; {
		var p TitlePart
		var hasValue bool
		if p.Text, rest, hasValue = strings.Cut(rest, "{"); hasValue {
			var path string
			path, rest, _ = strings.Cut(rest, "}")
			path, form, _ := strings.Cut(path, ":")
			x, err := expr.Parse(path, n.t)
			if p.Value, p.IsHex = x, form == "hex"; err != nil {
				p.Value = &expr.Constant{Err: err}
			}
		}
		all = append(all, p)
	}
	return all
}

// number returns an integer as YAML 1.1 writes it: 0x0253_f2f4, 0b1010, 017, -1.
func (n node) number() (v expr.Value, ok bool) {
	if n.Kind != yaml.ScalarNode || n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		return v, false
	}
	text := strings.ReplaceAll(n.Value, "_", "")
	digits := strings.TrimLeft(text, "+-")
	if digits == "" || digits[0] < '0' || digits[0] > '9' {
		return v, false
	}
	v, err := expr.ParseInt(strings.TrimPrefix(text, "+"), 0)
	v.Byte = !v.Wide && v.N < 256
	return v, err == nil
}

func (n node) boolean() (bool, error) {
	b, ok := map[string]bool{"true": true, "yes": true, "on": true, "false": false, "no": false, "off": false}[strings.ToLower(n.Value)]
	if !ok {
		return false, n.place().fail("%q is neither true nor false", n.Value)
	}
	return b, nil
}

// expression parses a scalar as an expression.
func (n node) expression() (expr.Node, error) {
	if v, ok := n.number(); ok {
		x := &expr.Constant{Value: v}
		n.t.loader.keep(x, n, n.Value)
		return x, nil
	}
	if n.Kind == yaml.SequenceNode { // a list without quotes
		var all []string
		for _, i := range n.Content {
			all = append(all, n.at(i).Value)
		}
		return n.parse("[" + strings.Join(all, ", ") + "]")
	}
	text, err := n.text()
	if err != nil {
		return nil, err
	}
	return n.parse(text)
}

func (n node) parse(text string) (expr.Node, error) {
	x, err := expr.Parse(text, n.t)
	if err != nil {
		return nil, inText(n.start(), text, err).fail("%v", err)
	}
	n.t.loader.keep(x, n, text)
	return x, nil
}

// start returns where the text of a scalar begins.
func (n node) start() Place {
	at := n.place()
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		at.Column++
	}
	return at
}

// A written expression is one with its place.
type written struct {
	Place
	text string
}

// keep keeps the place of an expression for a check.
func (l *loader) keep(x expr.Node, n node, text string) {
	if l.isCheck {
		l.written[x] = written{n.start(), text}
	}
}

// bytes returns the bytes of "contents": text, a byte, or a list of these.
func (n node) bytes() ([]byte, error) {
	if n.Kind == yaml.SequenceNode {
		b := []byte{}
		for _, c := range n.Content {
			more, err := n.at(c).bytes()
			if err != nil {
				return nil, err
			}
			b = append(b, more...)
		}
		return b, nil
	}
	if v, ok := n.number(); ok {
		i, err := v.Int64()
		if err != nil || i < 0 || i > 255 {
			return nil, n.place().fail("%s is not a byte", n.Value)
		}
		return []byte{byte(i)}, nil
	}
	text, err := n.text()
	return []byte(text), err
}

// terminator returns the bytes that end a value.
func (n node) terminator() ([]byte, error) {
	if n.Kind == yaml.ScalarNode && strings.HasPrefix(strings.TrimSpace(n.Value), "[") {
		var b []byte
		for _, s := range strings.Split(strings.Trim(strings.TrimSpace(n.Value), "[]"), ",") {
			i, err := strconv.ParseUint(strings.TrimSpace(s), 0, 8)
			if err != nil {
				return nil, n.place().fail("%q is not a byte", s)
			}
			b = append(b, byte(i))
		}
		return b, nil
	}
	b, err := n.bytes()
	if err == nil && len(b) == 0 {
		err = n.place().fail("a terminator has at least one byte")
	}
	return b, err
}

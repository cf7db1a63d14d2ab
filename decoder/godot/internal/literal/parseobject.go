package literal

import (
	"varview/decoder/godot/internal/types"
	"varview/decoder/notation"
)

// object parses a class and properties, or an id. EncodedObjectAsID in quotes is an
// ordinary class.
func (p *parser) object(l Literal) (err error) {
	if p.Peek() == ')' {
		return nil
	}
	start, isWord := p.At, p.Peek() != '"'
	if l.Text, err = p.class("the class of the object"); err != nil {
		return err
	}
	if len(l.Text) == 0 {
		return notation.Errorf(start, "an object without a class is written Object()")
	}
	l.Whole = true
	if p.Accept(',') {
		if err = p.properties(l); err != nil {
			return err
		}
	}
	if isWord && string(l.Text) == idClass && len(l.Children) == 2 && string(l.Children[0].Text) == IDProperty && !p.d.NoFlags {
		id := &l.Children[1]
		if n, err := notation.ParseInt(p.Text[id.At:id.End]); err == nil && id.Kind == types.Int {
			*l.Parts = Parts{ID: uint64(n), ByID: true}
		}
	}
	return nil
}

// idClass and IDProperty are the class and the property that Godot gives an object that is
// stored as its id.
const (
	idClass    = "EncodedObjectAsID"
	IDProperty = "object_id"
)

func (p *parser) properties(l Literal) error {
	for p.Peek() != ')' {
		if p.Peek() != '"' {
			return notation.Errorf(p.At, "the name of a property is expected, in quotes")
		}
		if err := p.Nested(func() error { return p.property(l.Parts) }); err != nil {
			return err
		}
		if !p.Accept(',') {
			break
		}
	}
	return nil
}

func (p *parser) property(to *Parts) error {
	start := p.At
	name, err := p.Quoted()
	if err != nil {
		return err
	}
	to.Children = append(to.Children, Literal{Kind: types.String, At: int32(start), End: int32(p.At), Parts: &Parts{Text: name}})
	if err = p.Expect(':'); err != nil {
		return err
	}
	return p.child(to)
}

// class parses the name of a class: a word, or any quoted text.
func (p *parser) class(what string) ([]byte, error) {
	if p.Peek() == '"' {
		return p.Quoted()
	}
	start := p.At
	if word := p.Word(); word != "" && !notation.IsDigit(word[0]) {
		return []byte(word), nil
	}
	return nil, notation.Errorf(start, "%s is expected", what)
}

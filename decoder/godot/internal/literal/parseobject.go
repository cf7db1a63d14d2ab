package literal

import (
	"varview/decoder/godot/internal/types"
)

// object parses a class and properties, or an id. EncodedObjectAsID in quotes is an
// ordinary class.
func (p *parser) object(l Literal) (err error) {
	if p.peek() == ')' {
		return nil
	}
	start, isWord := p.at, p.peek() != '"'
	if l.Text, err = p.class("the class of the object"); err != nil {
		return err
	}
	if len(l.Text) == 0 {
		return Errorf(start, "an object without a class is written Object()")
	}
	l.Whole = true
	if p.accept(',') {
		if err = p.properties(l); err != nil {
			return err
		}
	}
	if isWord && string(l.Text) == idClass && len(l.Children) == 2 && string(l.Children[0].Text) == IDProperty && !p.d.NoFlags {
		id := &l.Children[1]
		if n, err := ParseInt(p.text[id.At:id.End]); err == nil && id.Kind == types.Int {
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
	for p.peek() != ')' {
		if p.peek() != '"' {
			return Errorf(p.at, "the name of a property is expected, in quotes")
		}
		if err := p.nested(func() error { return p.property(l.Parts) }); err != nil {
			return err
		}
		if !p.accept(',') {
			break
		}
	}
	return nil
}

func (p *parser) property(to *Parts) error {
	start := p.at
	name, err := p.quoted()
	if err != nil {
		return err
	}
	to.Children = append(to.Children, Literal{Kind: types.String, At: int32(start), End: int32(p.at), Parts: &Parts{Text: name}})
	if err = p.expect(':'); err != nil {
		return err
	}
	return p.child(to)
}

// class parses the name of a class: a word, or any quoted text.
func (p *parser) class(what string) ([]byte, error) {
	if p.peek() == '"' {
		return p.quoted()
	}
	start := p.at
	if word := p.word(); word != "" && !IsDigit(word[0]) {
		return []byte(word), nil
	}
	return nil, Errorf(start, "%s is expected", what)
}

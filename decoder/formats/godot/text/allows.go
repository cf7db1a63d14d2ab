package text

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
	"varview/decoder/value/notation"
)

// allows returns an error if the engine would not read content as it is meant, for what is in it as a whole: a number that no
// value holds, a key twice, a value of a wrong type in a typed container, a reference that leads nowhere. What is copied may have
// all but the last, as it has where it is.
func (r *reading) allows(ctx context.Context, c *edit.Content, o edit.Options) error {
	text := c.Literal
	if c.Copy != nil {
		if c.From.Tree.Reading == r {
			return nil
		}
		n, err := c.Copied()
		if err == nil {
			text, err = edit.LiteralOf(ctx, c.From, &n.Value, notation.MaxText)
		}
		if err != nil {
			return err
		}
	}
	l, err := literal.Parse(r.engine, text)
	if err != nil {
		return nil // it is reported where it is read
	}
	if err := l.Each(func(l *literal.Literal) error { return r.refers(l, o) }); err != nil || c.Copy != nil {
		return err
	}
	f := &variant.Format{Dialect: r.engine}
	if _, err = encode.Bytes(f, text, &l); err == nil {
		err = encode.CheckKeys(f, text, &l)
	}
	if err == nil {
		err = l.Each(func(l *literal.Literal) error { return vanishes(text, l) })
	}
	return err
}

// refers returns an error if a literal is a reference that leads to no resource of the file.
func (r *reading) refers(l *literal.Literal, o edit.Options) error {
	if _, is := referred[l.Kind]; !is || l.Parts == nil {
		return nil
	}
	_, ok := r.place(l.Kind, string(l.Text))
	switch {
	case r.isConfig():
		return l.Errorf("%s", noResources(l.Kind, ""))
	case ok || !r.isFile():
		return nil
	case o.Together != nil:
		return edit.ErrAlone // another edit may insert it
	}
	return l.Errorf("%s", noResource(l, ""))
}

// noResources says why a ConfigFile has no reference, at a place.
func noResources(id types.ID, place string) string {
	return "a ConfigFile has no resources to which " + types.Of(id).Name + place + " could refer"
}

// noResource says that a reference leads nowhere, at a place.
func noResource(l *literal.Literal, place string) string {
	return fmt.Sprintf("there is no %s with the id %s%s", types.Of(l.Kind).Name, literal.Quote(l.Text), place)
}

// vanishes returns an error if a literal is a number so small that it is read as 0.
func vanishes(text string, l *literal.Literal) error {
	if l.Kind != types.Float {
		return nil
	}
	number := text[l.At:l.End]
	digits, _, _ := strings.Cut(strings.ToLower(number), "e")
	if x, err := strconv.ParseFloat(number, 64); err == nil && x == 0 && strings.ContainsAny(digits, "123456789") {
		return l.Errorf("%s is read as 0", number)
	}
	return nil
}

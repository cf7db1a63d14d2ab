package simple

import (
	"context"
	"io"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/value/notation"
)

// An importer is a family whose values can be written.
type importer struct{ *family }

// DeclaredIn implements format.Importer: the JSON form does not name its format.
func (importer) DeclaredIn([]byte) string { return "" }

// Import implements format.Importer. It holds the text and the bytes in memory.
func (f importer) Import(ctx context.Context, in io.Reader, out io.Writer, r *format.ImportRequest) error {
	text, err := io.ReadAll(io.LimitReader(in, notation.MaxText+1))
	if err != nil {
		return err
	}
	v, err := notation.Parse(string(text))
	if err == nil && r.Form == format.Exported {
		err = f.fromExport(&v)
	}
	if err != nil {
		return err
	}
	e := &editing{reading: newReading(f.family), Editing: edit.Editing{Ctx: ctx}}
	values := []notation.Value{v}
	if r.Framing == format.Sequence && v.Kind == notation.List {
		values = v.Items
	}
	for i := range values {
		if b := e.structure(&values[i], r.Form); e.Err == nil {
			_, err = out.Write(b)
			e.Keep(err)
		}
	}
	return e.Err
}

// structure returns the bytes of the value of a buffer.
func (e *editing) structure(v *notation.Value, form format.Form) []byte {
	name, members := "", map[string]*notation.Value(nil)
	if e.Structure != nil && form == format.Exported && v.Kind == notation.Pairs {
		name, members = e.typed(v)
	}
	if name == "" {
		return e.value(v, Place{}, nil)
	}
	b, children, err := e.Structure(name, members)
	if err != nil {
		e.Keep(v.Errorf("%v", err))
	}
	in, _, _ := e.lookIn(source.Bytes(b), Place{})
	for _, c := range children {
		b = append(b, e.value(c, inside(&in, false), nil)...)
	}
	return b
}

// fromExport turns exported JSON into the values that it represents: texts into floats that JSON does not
// have, and objects with a type into data, or into pairs with keys that an object cannot have.
func (r *family) fromExport(v *notation.Value) error {
	switch v.Kind {
	case notation.Text:
		switch string(v.Text) {
		case "nan", "inf", "-inf":
			v.Kind = notation.Number
		}
		return nil
	case notation.Pairs:
		if name, rest := r.typed(v); name != "" {
			return r.fromTyped(v, name, rest)
		}
	}
	for i := range v.Items {
		if v.Kind == notation.Pairs && i%2 == 0 {
			continue // a key is text
		}
		if err := r.fromExport(&v.Items[i]); err != nil {
			return err
		}
	}
	return nil
}

// typed returns the type of an object whose first member is "type", and its other members; "" for other
// values.
func (r *family) typed(v *notation.Value) (name string, rest map[string]*notation.Value) {
	if len(v.Items) < 4 || string(v.Items[0].Text) != "type" || v.Items[1].Kind != notation.Text {
		return "", nil
	}
	rest = map[string]*notation.Value{}
	for i := 2; i < len(v.Items); i += 2 {
		rest[string(v.Items[i].Text)] = &v.Items[i+1]
	}
	if name = string(v.Items[1].Text); rest["value"] != nil && slices.Contains(r.Types, name) && (r.Structure != nil || slices.Contains(r.Numbers, name)) {
		return name, rest
	}
	if rest["args"] == nil && rest["hex"] == nil && rest["problem"] == nil {
		return "", nil
	}
	return name, rest
}

// fromTyped turns an object with a type into the value that it represents.
func (r *family) fromTyped(v *notation.Value, name string, rest map[string]*notation.Value) error {
	args, digits, code := rest["args"], rest["hex"], rest["code"]
	switch {
	case rest["value"] != nil && slices.Contains(r.Numbers, name):
		v.Kind, v.Name, v.Text = notation.Call, name, rest["value"].Text
		return nil
	case rest["value"] != nil:
		return r.fromExport(rest["value"])
	case args != nil && args.Kind == notation.List && len(args.Items)%2 == 0:
		v.Items = args.Items
		for i := range v.Items {
			if err := r.fromExport(&v.Items[i]); err != nil {
				return err
			}
		}
		return nil
	case digits != nil && digits.Kind == notation.Text:
		v.Kind, v.Name, v.Text = notation.Call, name, digits.Text
		if code != nil {
			v.Text = []byte(string(code.Text) + ", " + string(digits.Text))
		}
		return nil
	}
	return v.Errorf("%s cannot be imported", name)
}

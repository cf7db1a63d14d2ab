package read

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/spec"
	"varview/decoder/value/charset"
)

// damage returns why a value in a struct or directly beside those around it could not be read; nil if all could.
func (s *Struct) damage() *Problem {
	for ; s != nil; s = s.Parent {
		s.Ensure()
		for i := range s.Cells {
			if bad := s.Cells[i].Bad; bad != nil {
				return bad
			}
			if in, ok := s.Cells[i].Val.Ref.(*Struct); ok {
				if in.Ensure(); in.Bad != nil {
					return in.Bad
				}
			}
		}
		if s.Bad != nil {
			return s.Bad
		}
	}
	return nil
}

// checkKept reports a value that is not what it is kept equal to, and offers to set it unless damage may be why.
func (s *Struct) checkKept(a *spec.Attr, c *Cell, fail func(code, text string) *Problem) *Problem {
	want, isKept, err := Place{s, a, -1}.Kept(c)
	if err != nil {
		return fail(Unevaluated, ": "+err.Error())
	}
	if isKept {
		return nil
	}
	is, _ := c.Value(a)
	p := fail(NotKept, " is "+Show(is)+", and the description keeps it equal to "+Show(want))
	if bad := s.damage(); bad != nil && !a.IsUsed() {
		p.Text += ", but what that is computed from may be damaged: " + bad.Text
	} else {
		p.Repair = "set it to " + Show(want)
	}
	return p
}

// Check reports what does not meet the description: contents, valid, values that are kept equal to others, and texts that are not in their
// encoding. index is that of an element.
func (s *Struct) Check(a *spec.Attr, c *Cell, index int64) *Problem {
	if c.State == Absent || c.Bad != nil {
		return nil
	}
	fail := func(code, text string) *Problem {
		at := span.Between(c.Body, c.Tail)
		if at.Length == 0 && c.Type == nil {
			at = span.Span{Offset: s.Start}
		}
		return &Problem{Code: code, Text: a.ID + text, At: at, In: c.Buf, Where: a.Place}
	}
	if a.IsContents {
		if b := c.Buf.Append(nil, c.Body, c.End); !bytes.Equal(b, a.Contents) {
			return fail(WrongContent, fmt.Sprintf(" is %s, not %s", hex.EncodeToString(b), hex.EncodeToString(a.Contents)))
		}
	}
	if c.Type != nil && c.Type.Kind == spec.Str && c.State == OnDemand && c.Tail-c.Body <= maxData {
		if _, err := charset.Decode(c.Buf.Append(nil, c.Body, c.Tail), a.Encoding); err != nil {
			if wrong := (*charset.Error)(nil); errors.As(err, &wrong) {
				return fail(InvalidText, " is not valid "+wrong.Encoding)
			}
			return fail(Unevaluated, ": "+err.Error())
		}
	}
	if a.Kept != nil {
		if p := s.checkKept(a, c, fail); p != nil {
			return p
		}
	}
	if a.Valid == nil {
		return nil
	}
	v, err := c.Value(a)
	if err != nil {
		return fail(Unevaluated, ": "+err.Error())
	}
	text, err := invalid(a, v, &scope{Struct: s, index: index, item: &v})
	switch {
	case err != nil:
		return fail(Unevaluated, ": "+err.Error())
	case text != "":
		return fail(NotValid, " is "+Show(v)+text)
	}
	return nil
}

// invalid returns why a value would not be valid; "" if it is. It does not matter with an error.
func invalid(a *spec.Attr, v expr.Value, in expr.Env) (string, error) {
	x := a.Valid
	if x.InEnum {
		if _, ok := v.Label(); !ok {
			return ", which " + a.Enum.Name + " does not have", nil
		}
	}
	for _, b := range x.Bounds {
		bound, err := b.Value.Eval(in)
		if err != nil {
			return "", err
		}
		c, err := expr.Compare(v, bound)
		if err != nil {
			return "", err
		}
		if c < b.Low || c > b.High {
			return b.Text + Show(bound), nil
		}
	}
	if x.Expr != nil {
		if isValid, err := expr.Condition(x.Expr, in); !isValid {
			return ", for which the condition of valid does not hold", err
		}
	}
	if i, err := x.AnyOf.Find(v, in); err != nil || i < len(x.AnyOf.Cases) || i == 0 {
		return "", err
	}
	return ", which is not one of the valid values", nil
}

// shown is the number of bytes of a text or of data that messages show.
const shown = 32

// Show returns a value for people, cut if it is long.
func Show(v expr.Value) string {
	switch v.Kind {
	case expr.Null:
		return "null"
	case expr.Bool:
		return strconv.FormatBool(v.N != 0)
	case expr.Int, expr.Float:
		if name, ok := v.Label(); ok {
			return name + " (" + v.Digits() + ")"
		}
		return v.Digits()
	case expr.Str:
		text := []rune(v.Text())
		return strconv.Quote(string(text[:min(len(text), shown)]))
	case expr.Bytes:
		b := v.Data()
		return hex.EncodeToString(b[:min(len(b), shown)])
	}
	return v.Kind.String()
}

// Allows reports why an attribute may not have a value.
func (s *Struct) Allows(a *spec.Attr, v expr.Value, index int64) error {
	if a.Valid == nil {
		return nil
	}
	text, err := invalid(a, v, &scope{Struct: s, index: index, item: &v})
	if err == nil && text != "" {
		err = fmt.Errorf("the description does not allow it: %s is %s%s", a.ID, Show(v), text)
	}
	return err
}

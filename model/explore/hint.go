package explore

import "strings"

// HintAt returns a hint about what can be typed in place of a literal.
func (x *Explorer) HintAt(literal string, isText bool) string {
	starts := func(with string) bool { return literal != "" && strings.Contains(with, literal[:1]) }
	switch {
	case isText:
		return "what you type is the text; ctrl+t shows it as a literal, with quotes"
	case literal == "true" || literal == "false":
		return "true or false; in the tree the space bar switches it"
	case x.Buffer.Document().Hints().Prefixed:
		return x.Buffer.Document().Hints().Literal
	case strings.HasPrefix(literal, "Color("):
		return "red, green, blue, alpha from 0 to 1; or #rrggbb, #rrggbbaa"
	case literal == "inf", literal == "nan", starts("-0123456789") && strings.ContainsAny(literal, ".en"):
		return "a float: 1.5, 2e9, inf, -inf, nan"
	case starts("-0123456789"):
		return "a number: 42, -7, 0x1f, 0b101"
	case starts("[{"), strings.HasSuffix(literal, ")"):
		return "a literal like the current one"
	}
	return x.Buffer.Document().Hints().Literal
}

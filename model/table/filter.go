package table

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/value/spelling"
	"varview/model/search"
)

// A filter is what rows have to match: a text in any of their values, or a comparison of one of them.
type filter struct {
	column   int    // NoColumn for any value, KeyColumn for the key
	op       string // "~" means that the value contains the text
	text     []byte // folded for "~"
	number   float64
	whole    int64 // the number exactly, if isWhole is set
	isWhole  bool
	isNumber bool
	absent   bool // rows without the value match, since it is not equal to anything

	keyMatched bool // of the next row
	none       bool // the current row has had no such value yet
}

// operators are tried in this order.
var operators = []string{"==", "!=", "<=", ">=", "=", "<", ">", "~"}

// parseFilter parses a filter: text, or COLUMN, an operator and a value: hp>=10, name~mira, key=3. It
// returns nil for an empty filter.
func (t *Table) parseFilter(s string) (*filter, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return nil, nil
	}
	if name, value, ok := strings.Cut(s, ":"); ok && t.filterColumn(name) != NoColumn {
		return nil, fmt.Errorf("a column is compared with = or ~, as in %s=%s; to find this text, quote it: %q", name, value, s)
	}
	at := strings.IndexAny(s, "!<>=~")
	if at <= 0 || strings.HasPrefix(s, `"`) {
		return &filter{column: NoColumn, op: "~", text: bytes.ToLower([]byte(unquoted(s)))}, nil
	}
	name, rest := strings.TrimSpace(s[:at]), s[at:]
	f := &filter{column: t.filterColumn(name)}
	if f.column == NoColumn {
		return nil, t.unknownColumn(name, s)
	}
	for _, op := range operators {
		if value, ok := strings.CutPrefix(rest, op); ok {
			if op == "==" {
				op = "="
			}
			f.op, f.absent = op, op == "!="
			value = strings.TrimSpace(value)
			if value == "" || strings.ContainsAny(value[:1], "!<>=~") {
				return nil, fmt.Errorf("%s%s needs a value after it, as in %s%s10; a text that is empty or begins with a sign is quoted: %s%s%q", name, op, name, op, name, op, value)
			}
			f.text = []byte(unquoted(value))
			if x, err := strconv.ParseFloat(value, 64); err == nil {
				f.number, f.isNumber = x, true
				n, err := strconv.ParseInt(value, 10, 64)
				f.whole, f.isWhole = n, err == nil
			}
			if op == "~" {
				f.text = bytes.ToLower(f.text)
			}
			return f, nil
		}
	}
	return nil, errors.New("a filter is text, or a column, one of = != < <= > >= ~ and a value: hp>=10")
}

// filterColumn returns the column that a filter names; NoColumn if there is none.
func (t *Table) filterColumn(name string) int {
	column := t.ColumnNamed(name)
	if column < 0 && (name == "key" || name == "index") {
		return KeyColumn
	}
	return column
}

// unknownColumn returns the error for a filter with an unknown column.
func (t *Table) unknownColumn(name, typed string) error {
	about := ""
	if near := t.Nearest(name); near != "" {
		about = " did you mean " + near + "?"
	}
	return fmt.Errorf("there is no column %q;%s to find this text, quote it: %q", name, about, typed)
}

// Nearest returns the name of the column that was probably meant; "" if there is none.
func (t *Table) Nearest(name string) string {
	var names []string
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	return spelling.Nearest(name, names)
}

// unquoted returns a text without quotes around it.
func unquoted(s string) string {
	if text, err := strconv.Unquote(s); err == nil && strings.HasPrefix(s, `"`) {
		return text
	}
	return s
}

// maxFiltered is the length in bytes up to which a text, or the literal of any other value, is searched.
const maxFiltered = 4096

// matchesKey reports whether the key of a row matches.
func (f *filter) matchesKey(r *tree.Reader, w *source.Window, key *tree.Value) bool {
	return (f.column == KeyColumn || f.column == NoColumn) && f.matches(r, w, key)
}

// matches reports whether a value matches.
func (f *filter) matches(r *tree.Reader, w *source.Window, v *tree.Value) bool {
	s := r.Plain(v)
	switch x, ok := numberOf(&s); {
	case f.op == "~":
	case f.isWhole && s.Kind == tree.Int:
		return search.Holds(f.op, cmp.Compare(int64(s.Bits), f.whole))
	case ok && f.isNumber:
		return search.Holds(f.op, cmp.Compare(x, f.number))
	case ok: // a number and a text are different, and neither is less
		return f.op == "!="
	case f.isNumber && f.op != "=" && f.op != "!=":
		return false
	}
	var text []byte
	if s.Kind == tree.Text {
		text = s.View(w, 0, maxFiltered)
	} else {
		text = r.AppendLiteral(nil, v, maxFiltered)
	}
	if f.op == "~" {
		return bytes.Contains(bytes.ToLower(text), f.text)
	}
	return search.Holds(f.op, bytes.Compare(text, f.text))
}

// numberOf returns the number that a value means.
func numberOf(s *tree.Scalar) (float64, bool) {
	switch s.Kind {
	case tree.Int:
		return float64(int64(s.Bits)), true
	case tree.Uint:
		return float64(s.Bits), true
	case tree.Float64:
		return math.Float64frombits(s.Bits), true
	}
	return 0, false
}

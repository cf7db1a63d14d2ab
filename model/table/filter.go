package table

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/engine/tree"
	"varview/decoder/value/condition"
	"varview/decoder/value/spelling"
)

// A filter is what rows have to meet: a condition on their values.
type filter struct {
	expr   *condition.Expr
	leaves []*leaf
}

// A leaf is a comparison in a filter: of the value in a column, of any value, or of what a path leads to.
type leaf struct {
	test   *condition.Test
	column int // NoColumn for any value, KeyColumn for the key

	keyMatched bool // of the next row
	matched    bool // of the current row
	none       bool // the current row has had no such value yet

	rows   []uint32 // rows that meet it, if isPath is set
	isPath bool
}

// parseFilter parses a filter: text, or a condition on columns: hp>=10 && name~mira, key=3, or one in brackets, as in
// a path, with a filter after it: [tags#>2 && hp<10] axe. It returns nil for an empty filter.
func (t *Table) parseFilter(s string) (*filter, error) {
	f := &filter{}
	inBrackets, rest, ok := tree.CutCondition(strings.TrimSpace(s))
	if rest = strings.TrimSpace(rest); ok {
		f.expr = f.add(&leaf{test: &condition.Test{Typed: inBrackets[1 : len(inBrackets)-1]}, isPath: true})
	}
	switch x, err := t.parseColumns(f, rest); {
	case err != nil:
		return nil, err
	case f.expr == nil && x == nil:
		return nil, nil
	case x != nil && f.expr != nil:
		f.expr = &condition.Expr{Op: "&&", Parts: []*condition.Expr{f.expr, x}}
	case x != nil:
		f.expr = x
	}
	return f, nil
}

// add adds a comparison to the filter.
func (f *filter) add(l *leaf) *condition.Expr {
	f.leaves = append(f.leaves, l)
	return &condition.Expr{Test: l.test}
}

// parseColumns parses a condition on columns, or a text; nil for an empty one.
func (t *Table) parseColumns(f *filter, s string) (*condition.Expr, error) {
	if s == "" {
		return nil, nil
	}
	s = t.asCondition(s)
	if text, err := strconv.Unquote(s); err == nil && s[0] == '"' {
		return f.add(&leaf{test: condition.Has(text), column: NoColumn}), nil
	}
	if !strings.ContainsAny(s, "!<>=~") && !strings.Contains(s, "&&") && !strings.Contains(s, "||") {
		return f.add(&leaf{test: condition.Has(s), column: NoColumn}), nil
	}
	x, err := condition.Reader{AnyText: true, Operand: t.operand}.Read(s)
	if err != nil {
		return nil, err
	}
	for test := range x.Tests() {
		l := &leaf{test: test, column: NoColumn}
		if test.Op == "" {
			*test = *condition.Has(unquoted(test.Operand))
		} else if l.column = t.filterColumn(test.Operand); l.column == NoColumn {
			l.isPath = true
		}
		if with := &test.With; with.IsBare && with.Kind != condition.Num && test.Op != "~" && t.ColumnNamed(with.Text) >= 0 {
			return nil, fmt.Errorf("%s is a column, and a column is compared with a number or a text: %s%s%q", with.Text, test.Operand, test.Op, with.Text)
		}
		f.add(l)
	}
	return x, nil
}

// asCondition returns what is typed as in a search, name:Gem count:>95, as a condition: name~Gem && count>95.
func (t *Table) asCondition(s string) string {
	const operators = "!<>=~"
	if strings.ContainsAny(s, `"'&|([`) {
		return s
	}
	words := strings.Fields(s)
	for i, word := range words {
		name, rest, isPair := strings.Cut(word, ":")
		switch isPair = isPair && t.filterColumn(name) != NoColumn; {
		case isPair && rest != "" && strings.Contains(operators, rest[:1]):
			words[i] = name + rest
		case isPair && isNumber(rest):
			words[i] = name + "=" + rest
		case isPair:
			words[i] = name + "~" + rest
		case !strings.ContainsAny(word, operators):
			return s
		}
	}
	return strings.Join(words, " && ")
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// operand returns an error for what a filter cannot compare, or search for.
func (t *Table) operand(text string, compared bool) error {
	switch {
	case text == "" || !compared && strings.Contains(text, "!"):
		return errors.New("a filter is text, or a condition on columns: hp>=10 && name~axe")
	case !compared, t.filterColumn(text) != NoColumn, text == "_", strings.ContainsAny(text, ".[#@"):
		return nil
	}
	about := ""
	if near := t.Nearest(text); near != "" {
		about = " did you mean " + near + "?"
	}
	return fmt.Errorf("there is no column %q;%s to find this text, write it in quotes", text, about)
}

// filterColumn returns the column that a filter names; NoColumn if there is none.
func (t *Table) filterColumn(name string) int {
	column := t.ColumnNamed(name)
	if column < 0 && (name == "key" || name == "index") {
		return KeyColumn
	}
	return column
}

// Nearest returns the name of the column that was probably meant; "" if there is none.
func (t *Table) Nearest(name string) string { return spelling.Nearest(name, t.Names()) }

// Names returns the names of the columns.
func (t *Table) Names() (names []string) {
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	return names
}

// unquoted returns a text without quotes around it.
func unquoted(s string) string {
	if text, err := strconv.Unquote(s); err == nil && strings.HasPrefix(s, `"`) {
		return text
	}
	return s
}

// follow finds the rows that meet the comparisons of what paths lead to.
func (f *filter) follow(ctx context.Context, t *Table) error {
	for _, l := range f.leaves {
		if !l.isPath {
			continue
		}
		err := t.tree.NewReader().EachChild(ctx, t.Node, "["+l.test.Typed+"]", func(n *tree.Node) error {
			l.rows = append(l.rows, uint32(n.Slot.Index))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// begin begins a row, whose key has been seen.
func (f *filter) begin() {
	for _, l := range f.leaves {
		l.matched, l.none, l.keyMatched = l.keyMatched, l.test.Op == "!=", false // what is missing is not equal to anything
	}
}

// key sees the key of the next row.
func (f *filter) key(r *tree.Reader, key *tree.Value) {
	for _, l := range f.leaves {
		if !l.isPath && (l.column == KeyColumn || l.column == NoColumn) {
			l.keyMatched = r.Meets(key, l.test)
		}
	}
}

// cell sees a value of the current row.
func (f *filter) cell(r *tree.Reader, column int, v *tree.Value) {
	for _, l := range f.leaves {
		if !l.isPath && (l.column == NoColumn || l.column == column) {
			l.none = false
			l.matched = r.Meets(v, l.test) || l.column == NoColumn && l.matched // of several with the key of a column the last
		}
	}
}

// holds reports whether a row that has been seen meets the filter.
func (f *filter) holds(row int64) bool {
	is, _ := f.expr.Holds(func(test *condition.Test) (bool, error) {
		l := f.leaves[slices.IndexFunc(f.leaves, func(l *leaf) bool { return l.test == test })]
		if l.isPath {
			_, ok := slices.BinarySearch(l.rows, uint32(row))
			return ok, nil
		}
		return l.matched || l.none, nil
	})
	return is
}

package expr

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// A Cause is an attribute, or an element of an array, and the value with which an expression has the one that is
// wanted.
type Cause struct {
	Of    any    // Env, Object or Array
	Name  string // attribute of an Env or Object
	Index int64  // element of an Array
	Want  Value
}

// Name of the attribute or element, for people.
func (c *Cause) String() string {
	if c.Name == "" {
		return fmt.Sprintf("[%d]", c.Index)
	}
	return c.Name
}

// ErrFixed says that nothing in an expression can change.
var ErrFixed = errors.New("nothing that decides it can change")

// Solve turns an expression round: it returns what must change so that the expression has another value. Where
// either of two attributes would do, it is the one with the higher rank; the error says so if they have the same.
func Solve(n Node, want Value, e Env, rank func(*Cause) int) ([]Cause, error) {
	s := solver{e, rank}
	return s.solve(n, want)
}

type solver struct {
	Env
	rank func(*Cause) int
}

func (s *solver) solve(n Node, want Value) ([]Cause, error) {
	switch x := n.(type) {
	case *variable:
		if strings.HasPrefix(x.Name, "_") && x.Of == nil {
			return nil, ErrFixed
		}
		return []Cause{{Of: s.Env, Name: x.Name, Want: want}}, nil
	case *attr:
		return s.attr(x, want)
	case *index:
		of, err := x.x.Eval(s)
		if err != nil {
			return nil, err
		}
		i, err := EvalInt(x.i, s)
		return []Cause{{Of: of.Ref, Index: i, Want: want}}, err
	case *cast:
		return s.solve(x.x, want)
	case *ternary:
		isTrue, err := Condition(x.cond, s)
		switch {
		case err != nil:
			return nil, err
		case isTrue:
			return s.solve(x.yes, want)
		}
		return s.solve(x.no, want)
	}
	w, err := want.Int64()
	if err != nil {
		return nil, err
	}
	switch x := n.(type) {
	case *unary:
		switch x.op {
		case "-":
			return s.solve(x.x, Of(-w))
		case "~":
			return s.solve(x.x, Of(^w))
		}
	case *binary:
		return s.binary(x, w)
	}
	return nil, ErrFixed
}

func (s *solver) attr(n *attr, want Value) ([]Cause, error) {
	of, err := n.x.Eval(s)
	if err != nil {
		return nil, err
	}
	o, isObject := of.Ref.(object)
	switch {
	case isObject && n.args == nil && !strings.HasPrefix(n.name, "_"):
		return []Cause{{Of: o, Name: n.name, Want: want}}, nil
	case n.name != "to_i":
	case of.Kind == Str:
		return s.digits(n, of.Text(), want)
	default:
		return s.solve(n.x, want)
	}
	return nil, ErrFixed
}

// digits returns a number as text with as many characters as it has now, if these are enough.
func (s *solver) digits(n *attr, was string, want Value) ([]Cause, error) {
	base := int64(10)
	if len(n.args) > 0 {
		var err error
		if base, err = EvalInt(n.args[0], s); err != nil || base < 2 || base > 36 {
			return nil, ErrFixed
		}
	}
	w, err := want.Int64()
	if err != nil {
		return nil, err
	}
	text := strconv.FormatInt(w, int(base))
	if was == strings.ToUpper(was) {
		text = strings.ToUpper(text)
	}
	if more := len(was) - len(text); more > 0 {
		fill := "0"
		if was[0] == ' ' {
			fill = " "
		}
		text = strings.Repeat(fill, more) + text
	}
	return s.solve(n.x, Of(text))
}

// An inverse returns what one operand must be so that the result is w, given the other one and what the first is
// now. ok is false where nothing is exact.
type inverse func(w, other, now int64) (x int64, ok bool)

// inverses are those of the left operand and of the right one.
var inverses = map[string][2]inverse{
	"+": {minus, minus},
	"-": {
		func(w, y, _ int64) (int64, bool) { return w + y, true },
		func(w, x, _ int64) (int64, bool) { return x - w, true },
	},
	"*": {exactly, exactly},
	"/": {func(w, y, now int64) (int64, bool) {
		if y <= 0 {
			return 0, false
		}
		return w*y + ((now%y)+y)%y, true
	}},
	"<<": {func(w, y, _ int64) (int64, bool) {
		return w >> (y & 63), y >= 0 && y < 63 && w>>(y&63)<<(y&63) == w
	}},
	">>": {func(w, y, now int64) (int64, bool) {
		return w<<(y&63) | now&(1<<(y&63)-1), y >= 0 && y < 63
	}},
	"&": {within, within},
	"|": {without, without},
	"^": {differing, differing},
}

func minus(w, y, _ int64) (int64, bool)     { return w - y, true }
func within(w, y, now int64) (int64, bool)  { return now&^y | w, w&^y == 0 }
func without(w, y, now int64) (int64, bool) { return w&^y | now&y, w&y == y }
func differing(w, y, _ int64) (int64, bool) { return w ^ y, true }
func exactly(w, y, _ int64) (x int64, _ bool) {
	if y == 0 {
		return 0, w == 0
	}
	return w / y, w%y == 0
}

func (s *solver) binary(n *binary, w int64) ([]Cause, error) {
	x, err := EvalInt(n.x, s)
	if err != nil {
		return nil, err
	}
	y, err := EvalInt(n.y, s)
	if err != nil {
		return nil, err
	}
	if n.op == "+" || n.op == "|" {
		if parts, ok := s.parts(n, x, y, w); ok {
			return parts, nil
		}
	}
	operand := func(side int, of Node, other, now int64) ([]Cause, error) {
		back := inverses[n.op][side]
		if back == nil {
			return nil, ErrFixed
		}
		v, ok := back(w, other, now)
		causes, err := s.solve(of, Of(v))
		if err == nil && !ok {
			err = fmt.Errorf("%d is not possible", w)
		}
		return causes, err
	}
	left, errLeft := operand(0, n.x, y, x)
	right, errRight := operand(1, n.y, x, y)
	switch {
	case errLeft != nil && errRight != nil:
		if errLeft == ErrFixed {
			return right, errRight
		}
		return left, errLeft
	case errLeft != nil && !s.isAbove(left, right):
		return right, nil
	case errRight != nil && !s.isAbove(right, left):
		return left, nil
	}
	if err := cmp.Or(errLeft, errRight); err != nil {
		return nil, err
	}
	switch rankLeft, rankRight := s.lowest(left), s.lowest(right); {
	case rankLeft > rankRight:
		return left, nil
	case rankRight > rankLeft:
		return right, nil
	case n.op == "-": // an end less a start
		return left, nil
	}
	return nil, fmt.Errorf("either %v or %v could change", &left[0], &right[0])
}

// isAbove reports whether causes that have no value as it is now, if there are any, have a higher rank than others: the value may
// be another one once the rest of an edit is made.
func (s *solver) isAbove(none, others []Cause) bool {
	return len(none) > 0 && s.lowest(none) > s.lowest(others)
}

// lowest returns the lowest rank of causes that change together.
func (s *solver) lowest(all []Cause) int {
	lowest := s.rank(&all[0])
	for i := range all {
		lowest = min(lowest, s.rank(&all[i]))
	}
	return lowest
}

// parts solves a number that is put together from its higher and its lower bits.
func (s *solver) parts(n *binary, x, y, w int64) ([]Cause, bool) {
	high, low, lowest := n.x, n.y, y
	shift := zeros(high)
	if k := zeros(low); k > shift {
		high, low, lowest, shift = low, high, x, k
	}
	if shift == 0 || shift > 62 || w < 0 || lowest < 0 || lowest>>shift != 0 {
		return nil, false
	}
	below := w & (1<<shift - 1)
	a, errA := s.solve(high, Of(w-below))
	b, errB := s.solve(low, Of(below))
	return append(a, b...), errA == nil && errB == nil
}

// zeros returns the number of low bits that are zero in any value of an expression.
func zeros(n Node) int {
	b, ok := n.(*binary)
	if !ok {
		return 0
	}
	by, _ := IsConstant(b.y)
	switch k, err := by.Int64(); {
	case b.op == "<<" && err == nil && k > 0 && k < 63:
		return int(k) + zeros(b.x)
	case b.op == "*" && err == nil && k > 0:
		return bits.TrailingZeros64(uint64(k)) + zeros(b.x)
	case b.op == "+" || b.op == "|":
		return min(zeros(b.x), zeros(b.y))
	}
	return 0
}

// NameOf returns the name of the attribute that an expression is, "" if it is more than that.
func NameOf(n Node) string {
	switch x := n.(type) {
	case *variable:
		return x.Name
	case *attr:
		if x.args == nil {
			return x.name
		}
	}
	return ""
}

// IsName reports whether an expression is nothing but the name of an attribute.
func IsName(n Node, name string) bool {
	x, ok := n.(*variable)
	return ok && x.Name == name
}

// EachName calls each with the names of the attributes in an expression that are not reached through another one, and
// with all that the language defines: _io.
func EachName(n Node, each func(name string)) {
	all := func(nodes ...Node) {
		for _, x := range nodes {
			EachName(x, each)
		}
	}
	switch x := n.(type) {
	case *variable:
		each(x.Name)
	case *ternary:
		all(x.cond, x.yes, x.no)
	case *unary:
		all(x.x)
	case *binary:
		all(x.x, x.y)
	case *index:
		all(x.x, x.i)
	case *attr:
		all(append(slices.Clip(x.args), x.x)...)
		if x.name[0] == '_' {
			each(x.name)
		}
	case *cast:
		all(x.x)
	case *list:
		all(x.all...)
	case *format:
		all(x.parts...)
	case *call:
		all(x.args...)
	}
}

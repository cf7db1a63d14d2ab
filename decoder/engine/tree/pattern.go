package tree

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/value/condition"
)

// A Pattern is a path for many values: [*] and .* match any step, [hp<10] a step to a value that meets the
// condition, [-3:] some elements of a list, and two points any number of steps: $[0].slots[*].qty, ..durability.
type Pattern struct {
	prefix string // path of the value that contains all values of the pattern
	steps  []patternStep
}

// A patternStep is a step after the prefix.
type patternStep struct {
	deep bool   // any number of steps may come before it
	any  bool   // it matches any step
	step string // otherwise it matches only this step

	path string // the rest of the pattern, from this step on

	where *predicate // if any is set: condition that the value has to meet; nil if there is none
	slice *slice     // elements of a list that match as well; nil if there are none
}

// A slice is a range of elements of a list: [2:5], [-3:], [:2]. Negative numbers count from the end of the
// list.
type slice struct {
	from, to int64
	end      bool // it ends with the list
}

// parseSlice reads a slice in brackets, or the negative index of one element; nil if a step is neither.
func parseSlice(step string) *slice {
	inner, ok := strings.CutPrefix(strings.TrimSuffix(step, "]"), "[")
	if !ok {
		return nil
	}
	first, second, isRange := strings.Cut(inner, ":")
	from, err := parseIndex(first, isRange)
	to, err2 := parseIndex(second, true)
	switch {
	case err != nil || err2 != nil:
		return nil
	case isRange:
		return &slice{from, to, strings.TrimSpace(second) == ""}
	case from < 0:
		return &slice{from, from + 1, from == -1}
	}
	return nil
}

// parseIndex reads an index; 0 for blank text, if that may be missing.
func parseIndex(s string, mayMiss bool) (int64, error) {
	if s = strings.TrimSpace(s); s == "" && mayMiss {
		return 0, nil
	}
	return strconv.ParseInt(s, 0, 64)
}

// has reports whether an index is in the slice of a list of count elements.
func (s *slice) has(i, count int64) bool {
	at := func(x int64) int64 {
		if x < 0 {
			return x + count
		}
		return x
	}
	return i >= at(s.from) && (s.end || i < at(s.to))
}

// isSlice reports whether a step is a slice of several elements.
func isSlice(step string) bool { return strings.IndexByte(step, ':') >= 0 && parseSlice(step) != nil }

// maxSteps is the largest number of steps of a pattern after its first * or points.
const maxSteps = 32

// IsPattern reports whether a path has a step that matches many, a slice, or a condition.
func IsPattern(path string) bool {
	return hasStep(path, func(step, _ string) bool { return step == "." || standsForMany(step) })
}

// hasStep reports whether is is true for one of the steps of a path, up to what is none; rest is what follows the step.
func hasStep(path string, is func(step, rest string) bool) bool {
	for rest := Steps(path); rest != ""; {
		if rest = pastOpen(rest); !startsStep(rest) {
			return false
		}
		step, tail := splitStep(rest)
		if step == "" || is(step, tail) {
			return step != ""
		}
		rest = tail
	}
	return false
}

// IsDeep reports whether a pattern begins with two points: it is for values anywhere.
func IsDeep(path string) bool {
	rest := Steps(path)
	return strings.HasPrefix(rest, "..") && rest != ".."
}

// CutCondition cuts off the condition in brackets at the start of a text; ok is false if there is none.
func CutCondition(s string) (condition, rest string, ok bool) {
	if s == "" || s[0] != '[' {
		return "", s, false
	}
	step, rest := splitStep(s)
	return step, rest, IsCondition(step)
}

// pastOpen returns the steps after one that opens what a value holds, such as @open.
func pastOpen(steps string) string {
	if n := strings.IndexAny(steps, ".["); steps[0] == '@' && n > 0 {
		return steps[n:]
	}
	return steps
}

// HasConditions reports whether a path has a condition, or two points for any number of steps.
func HasConditions(path string) bool {
	return hasStep(path, func(step, rest string) bool { return step == "." && rest != "" || IsCondition(step) })
}

func standsForAny(step string) bool { return step == ".*" || step == "[*]" }

// standsForMany reports whether a step can stand for several values.
func standsForMany(step string) bool { return standsForAny(step) || IsCondition(step) || isSlice(step) }

// parseStep reads a step of a pattern.
func parseStep(step string) (x patternStep, err error) {
	switch {
	case standsForAny(step):
		x.any = true
	case IsCondition(step):
		x.any = true
		x.where, err = parsePredicate(step)
	default:
		x.step, x.slice = canonicalStep(step), parseSlice(step)
	}
	return x, err
}

// ParsePattern reads a pattern. A leading "$" or "$." may be missing.
func ParsePattern(path string) (*Pattern, error) {
	p := &Pattern{prefix: "$"}
	deep := false
	for rest := Steps(path); rest != ""; {
		if !startsStep(rest) {
			return nil, fmt.Errorf("%q is not a step of a path", rest)
		}
		if deep && strings.HasPrefix(rest, ".[") {
			rest = rest[1:]
		}
		step, tail := splitStep(rest)
		switch {
		case step == "" || step == "." && (deep || tail == "") || rest[0] == '#' || rest[0] == '@':
			return nil, fmt.Errorf("%q cannot be in a path for many values, or its bracket is not closed", rest)
		case step == ".":
			deep = true
		case len(p.steps) == 0 && !deep && !standsForMany(step):
			p.prefix += step
		default:
			x, err := parseStep(step)
			if err != nil {
				return nil, err
			}
			if x.deep, x.path = deep, "$"+rest; deep {
				x.path = "$.." + strings.TrimPrefix(rest, ".")
			}
			p.steps = append(p.steps, x)
			deep = false
		}
		rest = tail
	}
	if len(p.steps) > maxSteps {
		return nil, fmt.Errorf("a path for many values may have at most %d steps", maxSteps)
	}
	return p, nil
}

// Each calls each for all values that match the pattern, in file order, until each returns an error. The
// error is a *PathError if the value at the pattern's prefix does not exist.
func (p *Pattern) Each(ctx context.Context, r *Reader, each func(n *Node) error) error {
	return p.EachInto(ctx, r, each, nil)
}

// EachInto is Each that also calls into, if set, for all texts, which may hold values, on the way of the pattern, with the
// rest of the pattern for what a text holds.
func (p *Pattern) EachInto(ctx context.Context, r *Reader, each func(n *Node) error, into func(n *Node, rest string) error) error {
	in, err := r.Resolve(p.prefix)
	if err != nil {
		return err
	}
	return p.in(ctx, r, in, each, into)
}

// EachChild calls each for the children of a value that meet a condition in brackets, as Pattern.Each does.
func (r *Reader) EachChild(ctx context.Context, of *Node, condition string, each func(n *Node) error) error {
	p, err := ParsePattern(condition)
	if err != nil {
		return err
	}
	return p.in(ctx, r, of, each, nil)
}

// in is EachInto for the value at the pattern's prefix.
func (p *Pattern) in(ctx context.Context, r *Reader, in *Node, each func(n *Node) error, into func(n *Node, rest string) error) error {
	if len(p.steps) == 0 {
		return each(in)
	}
	m := patternMatch{p: p, r: r, s: r.Scan(in), inside: r.Tree.NewReader(), into: into}
	m.inside.Last = true
	if in.Layout == Leaf {
		return m.led(in, 0, each)
	}
	m.s.Elements = true
	m.open = append(m.open, uint64(1))
	m.wantKeys()
	for i := 1; ; i++ {
		if i%4096 == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if r.Passed != nil {
				r.Passed(m.s.Pos(), r.Tree.Source.Size())
			}
		}
		m.s.PassOrdinary = m.s.Wants != nil && m.open[len(m.open)-1]&^m.keys == 0
		ev := m.s.Next()
		if ev == Done || ev == Leave && len(m.open) == 1 {
			return r.win.Err()
		}
		if err := m.step(ev, each); err != nil {
			return err
		}
	}
}

// ErrNoMatch says that no value matches a pattern.
var ErrNoMatch = errors.New("no value has such a path")

// EachAt calls each for the value at a path, or for all values that match it, which another reader finds.
// The error is ErrNoMatch if there are none.
func (r *Reader) EachAt(ctx context.Context, path string, each func(n *Node) error) error {
	if !IsPattern(path) {
		n, err := r.Resolve(path)
		if err = cmp.Or(ctx.Err(), err, r.win.Err()); err != nil {
			return err
		}
		return each(n)
	}
	p, err := ParsePattern(path)
	if err != nil {
		return err
	}
	found, finder := false, r.Tree.NewReader()
	finder.Passed = r.Passed
	err = p.Each(ctx, finder, func(n *Node) error {
		found = true
		return each(n)
	})
	if err == nil && !found {
		err = ErrNoMatch
	}
	return err
}

// A patternMatch passes over the values that may match a pattern.
type patternMatch struct {
	p    *Pattern
	r    *Reader
	s    *Scanner
	open []uint64 // steps of the pattern that may come next, by level: a bit for each
	text []byte   // step to the next value
	keys uint64   // steps that are the text of a key, while the scanner passes the values behind all others: a bit for each

	into func(n *Node, rest string) error // for texts on the way of the pattern, if set

	inside *Reader // reads values in conditions
	list   int64   // start of the list whose elements were counted for a slice
	count  int64
}

// step handles an event.
func (m *patternMatch) step(ev Event, each func(n *Node) error) error {
	switch ev {
	case Leave:
		m.open = m.open[:len(m.open)-1]
		return nil
	case Passed:
		return m.passed(m.open[len(m.open)-1])
	}
	next := uint64(0)
	slot, v := m.s.Slot(), m.s.Value()
	parent := m.s.Around(ev)
	now := m.open[len(m.open)-1]
	switch {
	case slot.Key:
		if now != 0 {
			m.text = m.r.appendKeyStep(m.text[:0], parent, slot, v)
		}
	case now != 0:
		if parent.Layout != Pairs {
			m.text = m.r.AppendStep(m.text[:0], parent, slot, nil)
		}
		var err error
		if next, err = m.after(now, ev); err != nil {
			return err
		}
	}
	if ev == Enter {
		m.open = append(m.open, next&^m.end())
	}
	if ev == Atom && next&^m.end() != 0 {
		if err := m.beyond(next, v, each); err != nil {
			return err
		}
	}
	if next&m.end() == 0 {
		return nil
	}
	return each(m.s.Current(ev))
}

// wantKeys lets the scanner pass, many at once, the values behind other keys than those of the pattern, if it can.
func (m *patternMatch) wantKeys() {
	if can := m.r.Tree.can; !can.HeedsWants || can.stepper != nil {
		return
	}
	var names [][]byte
	for i, s := range m.p.steps {
		if name, is := s.key(); is {
			m.keys |= 1 << i
			names = append(names, name)
		}
	}
	m.s.Wants = func(key []byte) bool {
		return slices.ContainsFunc(names, func(name []byte) bool { return bytes.Equal(name, key) })
	}
	if m.into != nil {
		m.s.LeastContent = leastHolder
	}
}

// key returns the text of the key that a step leads to, if it leads to nothing else.
func (s *patternStep) key() (text []byte, is bool) {
	name, is := strings.CutPrefix(s.step, ".")
	if !is {
		is = strings.HasPrefix(s.step, `["`) && json.Unmarshal([]byte(s.step[1:len(s.step)-1]), &name) == nil
	}
	return []byte(name), is && !s.any && s.slice == nil
}

// passed looks for what may come next in the texts that were passed where some steps may come next.
func (m *patternMatch) passed(now uint64) error {
	next := uint64(0)
	for i, s := range m.p.steps {
		if s.deep {
			next |= now & (1 << i)
		}
	}
	if next == 0 || m.into == nil {
		return nil
	}
	return m.inside.EachHolder(m.s, func(n *Node) error { return m.lead(next, n) })
}

// beyond looks for what may come next in a value without children: in what a text holds, or in what a value leads to.
func (m *patternMatch) beyond(next uint64, v *Value, each func(n *Node) error) error {
	if m.into != nil && m.inside.MayHold(v) {
		return m.lead(next, m.s.Current(Atom))
	}
	if _, leads := m.r.Tree.Reading.(Described); !leads {
		return nil
	}
	for i := range m.p.steps {
		if next>>i&1 == 1 && !m.p.steps[i].deep {
			if err := m.led(m.s.Current(Atom), i, each); err != nil {
				return err
			}
		}
	}
	return nil
}

// led calls each for the values to which a value without children leads by the steps from the i-th on. What any number of steps
// may come before is found where it lies.
func (m *patternMatch) led(n *Node, i int, each func(n *Node) error) error {
	if i == len(m.p.steps) {
		return each(n)
	}
	s := &m.p.steps[i]
	if s.deep {
		return nil
	}
	if !s.any && s.slice == nil {
		next, _, err := m.inside.lead(n, s.step)
		if err != nil {
			return nil
		}
		return m.led(next, i+1, each)
	}
	for k := range max(0, n.Count) {
		next, _, err := m.inside.lead(n, string(AppendIndexStep(nil, k)))
		if err != nil {
			return nil
		}
		is := s.slice == nil || s.slice.has(k, n.Count)
		if is && s.where != nil {
			if is, err = s.where.holds(m.inside, next); err != nil {
				return err
			}
		}
		if is {
			if err := m.led(next, i+1, each); err != nil {
				return err
			}
		}
	}
	return nil
}

// lead calls into with what may come next in a text: what any number of steps may come before has all before it, too.
func (m *patternMatch) lead(next uint64, n *Node) error {
	deep := 0
	for i, s := range m.p.steps {
		if next>>i&1 == 1 && s.deep {
			deep = i
		}
	}
	for i, s := range m.p.steps[deep:] {
		if next>>(deep+i)&1 == 1 {
			if err := m.into(n, s.path); err != nil {
				return err
			}
		}
	}
	return nil
}

// end returns the bit for the end of the pattern: the value matches.
func (m *patternMatch) end() uint64 { return 1 << len(m.p.steps) }

// after returns which steps may come after the current one, if it may match those in now.
func (m *patternMatch) after(now uint64, ev Event) (next uint64, err error) {
	for i, s := range m.p.steps {
		if now>>i&1 == 0 {
			continue
		}
		if s.deep {
			next |= 1 << i
		}
		is := s.any || string(m.text) == s.step || strings.HasPrefix(s.step, ".") && string(Loose(m.text)) == s.step ||
			s.slice != nil && m.isIn(s.slice, ev)
		if is && s.where != nil {
			if is, err = s.where.holds(m.inside, m.s.Current(ev)); err != nil {
				return 0, err
			}
		}
		if is {
			next |= 1 << (i + 1)
		}
	}
	return next, nil
}

// isIn reports whether the current value is one of the elements of a list that a slice has.
func (m *patternMatch) isIn(s *slice, ev Event) bool {
	n := m.s.Current(ev)
	if n.Parent == nil || n.Parent.Layout == Pairs || string(m.text) != string(AppendIndexStep(nil, n.Slot.Index)) {
		return false
	}
	if (s.from < 0 || s.to < 0) && (n.Parent.Start != m.list || m.count == 0) {
		m.list, m.count = n.Parent.Start, m.inside.length(n.Parent)
	}
	return m.count != Unknown && s.has(n.Slot.Index, m.count)
}

// Steps returns a path without "$", and with the point that users may leave out.
func Steps(path string) string {
	path = strings.TrimSpace(path)
	if rest, ok := strings.CutPrefix(path, "$"); ok {
		return rest
	}
	if !startsStep(path) {
		return "." + path
	}
	return path
}

func startsStep(s string) bool { return s == "" || strings.ContainsRune(".[{#@", rune(s[0])) }

// CutIndexStep cuts off the first step of a path; ok is false if it is not an index.
func CutIndexStep(path string) (index int64, rest string, ok bool) {
	step, rest := splitStep(path)
	if step == "" || step[0] != '[' {
		return 0, "", false
	}
	index, err := strconv.ParseInt(step[1:len(step)-1], 0, 64)
	return index, rest, err == nil && index >= 0
}

// CountsKeys reports whether a path has the number of a repeated key: $.a#2.
func CountsKeys(path string) bool {
	quoted := false
	for i := 0; i < len(path); i++ {
		switch {
		case quoted && path[i] == '\\':
			i++
		case path[i] == '"':
			quoted = !quoted
		case path[i] == '#' && !quoted:
			return true
		}
	}
	return false
}

// SplitPath cuts off the last step of a path. The step is empty if there is none, or if the path does not
// end in one.
func SplitPath(path string) (around, step string) {
	rest := Steps(path)
	for rest != "" && startsStep(rest) {
		next, tail := splitStep(rest)
		if next == "" {
			return path, ""
		}
		around += step
		step, rest = next, tail
	}
	if rest != "" {
		return path, ""
	}
	return "$" + around, step
}

// Prefixes yields the paths of all values around a value, from the outside in, and its own: $, $.a, $.a[0].
func Prefixes(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		rest, more := strings.CutPrefix(path, "$")
		for more = more && yield("$"); more && rest != ""; {
			step, tail := splitStep(rest)
			if step == "" {
				step, tail = rest, ""
			}
			more = yield(path[:len(path)-len(tail)])
			rest = tail
		}
	}
}

// splitStep cuts off the first step of a path: .name, […] or {…}.
func splitStep(path string) (step, rest string) {
	switch path[0] {
	case '.':
		if end := strings.IndexAny(path[1:], ".[{#@"); end >= 0 {
			return path[:end+1], path[end+1:]
		}
		return path, ""
	case '{':
		if end := strings.IndexByte(path, '}'); end >= 0 {
			return path[:end+1], path[end+1:]
		}
	case '[':
		depth := 0
		for i, c := range condition.Unquoted(path) {
			switch c {
			case '[':
				depth++
			case ']':
				if depth--; depth == 0 {
					return path[:i+1], path[i+1:]
				}
			}
		}
	}
	return "", path
}

// canonicalStep returns a step as AppendStep writes it: without blanks outside of quotes,
// and text as in AppendTextStep, also where a dot is before what is no identifier.
func canonicalStep(step string) string {
	if name, ok := strings.CutPrefix(step, "."); ok && name != "" {
		return string(AppendTextStep(nil, []byte(name)))
	}
	if strings.HasPrefix(step, "[") {
		inner := strings.TrimSpace(step[1 : len(step)-1])
		var text string
		if strings.HasPrefix(inner, `"`) && json.Unmarshal([]byte(inner), &text) == nil && !strings.ContainsRune(text, '\ufffd') {
			return string(AppendTextStep(nil, []byte(text)))
		}
		return "[" + withoutBlanks(inner) + "]"
	}
	return step
}

func withoutBlanks(s string) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\' && i+1 < len(s):
			b.WriteByte(c)
			i++
			b.WriteByte(s[i])
			continue
		case c == '"':
			quoted = !quoted
		case c == ' ' && !quoted:
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

package tree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/engine/lazy"
	"varview/decoder/value/spelling"
)

// A PathError reports the step of a path that could not be followed.
type PathError struct {
	Path  string   // the part that exists
	Step  string   // step that the value at Path does not have
	Hints []string // steps to the first children of that value
	Count int64    // number of elements, if each has an index; otherwise Unknown
}

func (e *PathError) Error() string {
	switch {
	case e.Path == "$" && strings.HasPrefix(e.Step, ".") && (e.Count == 1 || slices.Equal(e.Hints, []string{"[0]"})):
		return fmt.Sprintf("%s has no %s; it has 1 element, [0]: did you mean [0]%s?", e.Path, e.Step, e.Step)
	case e.Count == 0:
		return fmt.Sprintf("%s has no %s; it is empty", e.Path, e.Step)
	case e.Count == 1:
		return fmt.Sprintf("%s has no %s; it has 1 element, [0]", e.Path, e.Step)
	case e.Count > 1:
		return fmt.Sprintf("%s has no %s; it has %d elements, 0–%d", e.Path, e.Step, e.Count, e.Count-1)
	}
	text, has := fmt.Sprintf("%s has no %s", e.Path, e.Step), "; it has "
	if meant := e.meant(); meant != "" {
		text, has = text+"; did you mean "+meant+"?", " It has "
	}
	switch n := len(e.Hints); {
	case n == 0:
		return text
	case n > maxHints:
		return text + has + strings.Join(e.Hints[:maxHints], " ") + " …"
	}
	return text + has + strings.Join(e.Hints, " ")
}

// meant returns the step that may be misspelt; "" if none is much like it.
func (e *PathError) meant() string {
	var names []string
	for _, s := range e.Hints {
		names = append(names, strings.TrimPrefix(s, "."))
	}
	near := spelling.Nearest(strings.TrimPrefix(e.Step, "."), names)
	if near == "" {
		return ""
	}
	return e.Hints[slices.Index(names, near)]
}

// Is reports that the error is an ErrNoMatch, too.
func (e *PathError) Is(target error) bool { return target == ErrNoMatch }

// Resolve returns the value at a path, which may be a pattern that matches one value. A leading "$" or "$."
// may be missing. The error is a *PathError if there is no such value, an *AmbiguousError if there are
// several, or ErrPending.
func (r *Reader) Resolve(path string) (*Node, error) {
	if IsPattern(path) {
		return r.resolvePattern(path)
	}
	rest := Steps(path)
	n := r.Tree.Base
	if n.Count == 1 { // a single bare value has the path $
		root, err := r.Child(n, 0)
		if err != nil {
			return nil, r.pathError(n, path, err)
		}
		n = root
	}
	return r.Follow(n, rest)
}

// An AmbiguousError reports a path that matches several values where one is wanted.
type AmbiguousError struct {
	Path          string
	First, Second string // paths of two of them
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%s matches several values: %s, %s, …", e.Path, e.First, e.Second)
}

// resolvePattern returns the only value that matches a pattern.
func (r *Reader) resolvePattern(path string) (only *Node, err error) {
	p, err := ParsePattern(path)
	if err != nil {
		return nil, err
	}
	err = p.Each(context.Background(), r, func(n *Node) error {
		if only != nil {
			return &AmbiguousError{path, r.Path(only), r.Path(n)}
		}
		only = n
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case only == nil:
		return nil, &PathError{Path: p.prefix, Step: strings.TrimPrefix("$"+Steps(path), p.prefix), Count: Unknown}
	}
	return only, nil
}

// Follow returns the value to which the steps of a path lead from n.
func (r *Reader) Follow(n *Node, rest string) (*Node, error) {
	for rest != "" {
		next, tail, err := r.FollowStep(n, rest)
		if err != nil {
			return nil, r.pathError(n, rest, err)
		}
		n, rest = next, tail
	}
	return n, nil
}

// isIndex reports whether the step to a child of n is its index, or is a shortcut for that.
func (r *Reader) isIndex(n *Node, step, index []byte) bool {
	c := r.Tree.can.shortcuts
	return string(step) == string(index) || c != nil && c.Shortcut(&n.Value, string(step)) == string(index)
}

// FollowStep takes the first step of rest, which is not empty, from n, and returns the other steps. The error is ErrNoChild if
// there is none.
func (r *Reader) FollowStep(n *Node, rest string) (next *Node, tail string, err error) {
	if step, _ := splitStep(rest); step == "." || standsForMany(step) { // of a pattern
		return nil, "", ErrNoChild
	}
	if c := r.Tree.can.shortcuts; c != nil {
		rest = c.Shortcut(&n.Value, rest)
	}
	switch {
	case n.Layout == Pairs:
		next, tail, err := r.followKey(n, rest, false)
		switch step, behind := splitStep(rest); {
		case !errors.Is(err, ErrNoChild):
		case strings.HasPrefix(step, ".") && !r.lacksLoose(n):
			return r.followKey(n, rest, true)
		case otherText().MatchString(step): // in a notation in which the format does not write it
			return r.followKey(n, string(Loose([]byte(step)))+behind, false)
		}
		return next, tail, err
	case n.Layout == Leaf:
		return r.lead(n, rest)
	}
	// The largest number of children that there is space for; Unknown if that takes reading.
	count := n.Count
	if n.MinChild > 0 && count != Unknown {
		count = min(count, (n.Limit-n.Body+int64(n.MinChild)-1)/int64(n.MinChild)) // the last may be cut off
	}
	step, tail := splitStep(rest)
	if i, ok := r.indexIn(n, step, count); ok {
		c, err := r.Child(n, i)
		return c, tail, err
	}
	step = canonicalStep(step)
	if _, ok := r.Tree.Reading.(Described); ok {
		return r.followLongest(n, rest, step, tail)
	}
	return r.followName(n, rest, step, tail, count)
}

// indexIn returns which child of n, of at most count, a step such as [2] names, [-1] the last one of a list; false if it
// names none, or if the children have other steps than their index.
func (r *Reader) indexIn(n *Node, step string, count int64) (int64, bool) {
	if step == "" || step[0] != '[' {
		return 0, false
	}
	i, err := strconv.ParseInt(step[1:len(step)-1], 0, 64)
	if err != nil {
		return 0, false
	}
	if i < 0 && r.isList(n) {
		if all := r.length(n); all != Unknown {
			i += all
		}
	}
	if i < 0 || count != Unknown && i >= count {
		return 0, false
	}
	return i, r.isIndex(n, r.AppendStep(nil, &n.Value, Slot{Index: i}, nil), AppendIndexStep(nil, i))
}

// followName takes the first step of rest from n, whose parts have names of their own: components, names of a NodePath,
// members of a schema. The step is the shortest that rest may begin with, and tail what is behind it.
func (r *Reader) followName(n *Node, rest, step, tail string, count int64) (*Node, string, error) {
	var buf []byte
	for i := int64(0); i < count; i++ {
		buf = r.AppendStep(buf[:0], &n.Value, Slot{Index: i}, nil)
		if string(buf) == step {
			c, err := r.Child(n, i)
			return c, tail, err
		}
		if string(buf) == string(AppendIndexStep(nil, i)) {
			break
		}
		if tail, ok := strings.CutPrefix(rest, string(buf)); ok && startsStep(tail) {
			c, err := r.Child(n, i)
			return c, tail, err
		}
	}
	return nil, "", ErrNoChild
}

// isList reports whether the children of a value have an index each.
func (r *Reader) isList(n *Node) bool {
	return string(r.AppendStep(nil, &n.Value, Slot{}, nil)) == "[0]"
}

// followLongest takes as many steps as lead to one child of n: a value that lies in n, but belongs to
// another one, has the steps to that one as well.
func (r *Reader) followLongest(n *Node, rest, step, tail string) (*Node, string, error) {
	var buf []byte
	best, length := int64(Unknown), 0
	for i := int64(0); n.Count == Unknown || i < n.Count; i++ {
		if n.Count == Unknown {
			if _, err := r.Child(n, i); err != nil {
				return nil, "", err
			}
		}
		buf = r.AppendStep(buf[:0], &n.Value, Slot{Index: i}, nil)
		if string(buf) == step && best == Unknown {
			if best = i; n.Count == Unknown { // where others may be longer, the number is known
				break
			}
		} else if after, ok := strings.CutPrefix(rest, string(buf)); ok && len(buf) > max(length, len(step)) && startsStep(after) {
			best, length, tail = i, len(buf), after
		}
	}
	if best == Unknown {
		return nil, "", ErrNoChild
	}
	c, err := r.Child(n, best)
	return c, tail, err
}

// lead takes the first step of rest from n, which has no children.
func (r *Reader) lead(n *Node, rest string) (*Node, string, error) {
	l, _ := r.Tree.Reading.(Described)
	if l == nil {
		return nil, "", ErrNoChild
	}
	step, tail := splitStep(rest)
	v, slot, ok := l.Lead(&n.Value, canonicalStep(step))
	if !ok {
		return nil, "", ErrNoChild
	}
	return newNode(n, &v, slot, Unknown), tail, nil
}

// otherText matches the step to a text key in another notation: [&"name"], for which .name may be typed too.
var otherText = lazy.Regexp(`\[[^\pL\pN\s"]"([\pL_][\pL\pN_]*)"\]`)

// Loose returns a path with .name for all text keys, whatever their notation.
func Loose(path []byte) []byte {
	if !bytes.Contains(path, []byte(`"]`)) {
		return path
	}
	return otherText().ReplaceAll(path, []byte(".$1"))
}

// cutRepeat cuts #2 off what follows the step to an entry: it is the second of those with the same key.
func cutRepeat(tail string) (repeat int, rest string) {
	digits, ok := strings.CutPrefix(tail, "#")
	if !ok {
		return 1, tail
	}
	end := strings.IndexFunc(digits, func(c rune) bool { return c < '0' || c > '9' })
	if end < 0 {
		end = len(digits)
	}
	if v, err := strconv.Atoi(digits[:end]); err == nil && v > 0 {
		return v, digits[end:]
	}
	return 1, tail
}

// followKey takes the first step of rest to an entry of n, or to its key. If loose is set, the key may be a
// text in another notation.
func (r *Reader) followKey(n *Node, rest string, loose bool) (*Node, string, error) {
	step, tail := splitStep(rest)
	isLast := r.Last && !strings.HasPrefix(tail, "#")
	repeat, tail := cutRepeat(tail)
	index, keyAt := int64(Unknown), int64(Unknown)
	if inner, ok := strings.CutPrefix(step, "{"); ok {
		i, err := strconv.ParseInt(strings.TrimSuffix(inner, "}"), 10, 64)
		if err != nil {
			return nil, "", ErrNoChild
		}
		index, isLast = i, false
	}
	want := canonicalStep(step)
	if index == Unknown && r.Budget == 0 && !loose && !isLast {
		var known bool
		if index, keyAt, known = r.foundKey(n, want, repeat); known {
			return r.entry(n, index, keyAt, tail)
		}
	}
	var buf []byte
	err := r.eachKey(n, func(s Slot, key *Value) bool {
		found := s.Index == index && !isLast
		if index == Unknown || isLast {
			buf = r.appendKeyStep(buf[:0], &n.Value, s, key)
			if loose {
				buf = Loose(buf)
			}
			if string(buf) == want || bytes.IndexByte(buf, ' ') >= 0 && canonicalStep(string(buf)) == want {
				repeat--
				found = repeat <= 0
			}
		}
		if found {
			index, keyAt = s.Index, key.Start
		}
		return !found || isLast
	})
	if err != nil {
		return nil, "", err
	}
	return r.entry(n, index, keyAt, tail)
}

// entry returns the value of an entry of n, or its key if the next step leads to that. keyAt is Unknown if
// there is no entry.
func (r *Reader) entry(n *Node, index, keyAt int64, tail string) (*Node, string, error) {
	if keyAt == Unknown {
		return nil, "", ErrNoChild
	}
	if t, ok := strings.CutPrefix(tail, "@key"); ok {
		return r.read(n, Slot{index, true}, Unknown, keyAt), t, nil
	}
	c, err := r.Child(n, index)
	return c, tail, err
}

// maxHints is the largest number of children that the text of a PathError names.
const maxHints = 6

// maxMeant is the largest number of children among which the one that was meant is looked for.
const maxMeant = 1000

// unclosed returns the step of a path whose bracket is not closed, with what follows it; "" if there is none.
func unclosed(path string) string {
	for step := "."; step != "" && path != ""; {
		step, path = splitStep(path)
	}
	if !strings.HasPrefix(path, "[") {
		return ""
	}
	return path
}

// pathError returns the error for a step that cannot be followed.
func (r *Reader) pathError(n *Node, rest string, err error) error {
	if !errors.Is(err, ErrNoChild) {
		return err
	}
	e := &PathError{Path: r.Path(n), Step: rest, Count: Unknown}
	if open := unclosed(rest); open != "" {
		return fmt.Errorf("the bracket of %s, which follows %s, is not closed", open, e.Path)
	}
	if rest != "" {
		if step, _ := splitStep(rest); step != "" {
			e.Step = step
		}
	}
	if n.Layout == Sequence || n.Layout == Fixed {
		index := string(AppendIndexStep(nil, 0))
		if c, err := r.Child(n, 0); err == nil && string(r.AppendStep(nil, &n.Value, c.Slot, nil)) == index || n.Count == 0 {
			if e.Count = r.Count(n); e.Count != Unknown {
				return e
			}
		}
	}
	e.Hints = r.firstSteps(n)
	return e
}

// firstSteps returns the steps to the first children of n.
func (r *Reader) firstSteps(n *Node) (steps []string) {
	if n.Layout == Pairs {
		r.eachKey(n, func(s Slot, key *Value) bool {
			steps = append(steps, string(r.appendKeyStep(nil, &n.Value, s, key)))
			return len(steps) < maxMeant
		})
		return steps
	}
	for i := range int64(maxMeant) {
		c, err := r.Child(n, i)
		if err != nil {
			break
		}
		steps = append(steps, string(r.AppendStep(nil, &n.Value, c.Slot, nil)))
	}
	return steps
}

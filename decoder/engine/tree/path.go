package tree

import (
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
)

// MaxKey is the length in bytes of the longest key that is written out in a path. A longer key, or a
// damaged one, is replaced by the position of its entry in braces: $.names{12}.
const MaxKey = 1024

// A Pather maintains the path of the value that a scanner is at. Call Step after every
// Enter and Atom event, and Path whenever it is needed.
type Pather struct {
	s      *Scanner
	r      *Reader
	path   []byte
	levels []pathLevel

	uncounted bool // keys that repeat earlier ones of the same value get no numbers
}

// A pathLevel is an open value: its path, and the keys passed in it.
type pathLevel struct {
	end  int // path[:end] is the path of the open value
	step int // path[:step] is the path of its current entry
	keys KeySet
}

// NewPather returns a pather for a scanner that is at the start of its tree.
func NewPather(t *Tree, s *Scanner) *Pather {
	p := &Pather{s: s, r: t.readerOver(s.win), path: []byte{'$'}}
	p.levels = append(p.levels, pathLevel{end: 1})
	return p
}

// NewPatherAt returns a pather for a scanner that may be anywhere. Steps to entries with
// repeated keys get no numbers.
func NewPatherAt(t *Tree, s *Scanner) *Pather {
	p := NewPather(t, s)
	p.uncounted = true
	var chain []*Node
	for n := s.Node(); n.Parent != nil; n = n.Parent {
		chain = append(chain, n)
	}
	for _, n := range slices.Backward(chain) {
		p.path = append(p.path, p.r.Step(n)...)
		if n.Slot.Key {
			p.path = append(p.path, "@key"...)
		}
		p.levels = append(p.levels, pathLevel{end: len(p.path), step: len(p.path)})
	}
	if l := &s.levels[len(s.levels)-1]; l.Layout == Pairs && !l.next.Key && l.nextAt != Unknown {
		slot := Slot{l.next.Index, true}
		key := p.r.read(s.Node(), slot, Unknown, l.nextAt)
		p.path = p.r.appendKeyStep(p.path, &l.Value, slot, &key.Value)
		p.levels[len(p.levels)-1].step = len(p.path)
	}
	return p
}

// Step records the event that the scanner has just returned.
func (p *Pather) Step(ev Event) {
	depth := p.s.eventDepth(ev)
	if ev == Leave {
		return
	}
	l := &p.levels[depth-1]
	parent := p.s.Parent()
	if ev == Enter {
		parent = p.s.outer()
	}
	if p.s.slot.Key {
		p.path = p.r.appendKeyStep(p.path[:l.end], parent, p.s.slot, p.s.Value())
		if !p.uncounted {
			p.path = appendNumber(p.path, l.keys.add(maphash.Bytes(keySeed, p.path[l.end:])))
		}
		l.step = len(p.path)
		p.path = append(p.path, "@key"...)
	} else {
		p.path = l.pathTo(p.path, p.r, parent, p.s.slot)
	}
	if ev == Enter {
		if depth == len(p.levels) {
			p.levels = append(p.levels, pathLevel{})
		}
		l := &p.levels[depth]
		l.end = len(p.path)
		l.keys.clear()
	}
}

// pathTo changes path, which leads to the open value or into it, so that it leads to a child of that value,
// parent. If the child is in an entry, its key has been passed.
func (l *pathLevel) pathTo(path []byte, r *Reader, parent *Value, slot Slot) []byte {
	if parent.Layout == Pairs {
		return path[:l.step]
	}
	return r.AppendStep(path[:l.end], parent, slot, nil)
}

// Path returns the path of the value of the last event. It is valid until the next.
func (p *Pather) Path(ev Event) []byte {
	if ev == Leave {
		return p.Open(p.s.Depth())
	}
	return p.path
}

// Open returns the path of the value of the given depth that is, or just was, open.
func (p *Pather) Open(depth int) []byte { return p.path[:p.levels[depth].end] }

// outer returns the value that contains the one entered last.
func (s *Scanner) outer() *Value {
	if n := len(s.levels); n > 1 {
		return &s.levels[n-2].Value
	}
	return &s.base.Value
}

// longPath is the length in bytes from which on a path has the positions of keys that are containers: else those of
// containers nested in their keys would be as long as their depth squared.
const longPath = 64 << 10

// appendKeyStep appends the step to an entry: its key, or its position if the key is too long or damaged.
func (r *Reader) appendKeyStep(dst []byte, parent *Value, slot Slot, key *Value) []byte {
	start := len(dst)
	isNested := start > longPath && key.Layout >= Sequence
	if !isNested {
		dst = r.AppendStep(dst, parent, slot, key)
	}
	if isNested || len(dst)-start > MaxKey || key.Damage != nil {
		dst = append(dst[:start], '{')
		dst = strconv.AppendInt(dst, slot.Index, 10)
		dst = append(dst, '}')
	}
	return dst
}

// Path returns the path of a node. If the budget does not suffice to find out whether its key repeats an
// earlier one, the number of the repetition is left out.
func (r *Reader) Path(n *Node) string { return r.PathWith(n, nil) }

// PathWith is Path with other indexes of list elements: those that index returns, unless it is nil.
func (r *Reader) PathWith(n *Node, index func(n *Node) int64) string {
	var near [16]*Node // memory of most
	chain := near[:0]
	for m := n; m.Parent != nil; m = m.Parent {
		chain = append(chain, m)
	}
	path := append(make([]byte, 0, 32), '$')
	for i := len(chain) - 1; i >= 0; i-- {
		if n := chain[i]; index != nil && n.Parent.Layout != Pairs && index(n) != n.Slot.Index {
			path = AppendIndexStep(path, index(n))
		} else {
			path = r.appendNodeStep(path, n)
		}
	}
	return string(path)
}

// maxPath is the length in bytes up to which a path is written whole. Without a limit, output for values
// nested thousands of levels deep would grow with the square of their depth.
const maxPath = 4096

// CutPath returns a path; the middle of a long one is replaced by "…".
func CutPath[T string | []byte](path T) T {
	if len(path) <= maxPath {
		return path
	}
	cut := func(part T) string { return strings.ToValidUTF8(string(part), "") }
	return T(cut(path[:maxPath/2]) + "…" + cut(path[len(path)-maxPath/2:]))
}

// NextPath is CutPath for callers that need the paths of many values in file order: it reads only the steps
// that differ from those of the last value.
func (r *Reader) NextPath(n *Node) string {
	if n.Parent == nil {
		return "$"
	}
	outer := r.outerPath(n.Parent)
	path := r.appendNodeStep(outer, n)
	r.pathOuter = path[:len(outer)]
	return string(CutPath(path))
}

// outerPath returns the path of a value around many others, valid until the next call. It is kept, also for the values inside.
func (r *Reader) outerPath(n *Node) []byte {
	var near [16]*Node // memory of most
	chain := near[:0]
	for ; n.Parent != nil && !(r.outer != nil && n.Depth == r.outer.Depth && n.Same(r.outer)); n = n.Parent {
		chain = append(chain, n)
	}
	if n.Parent == nil {
		r.outer, r.pathOuter = nil, append(r.pathOuter[:0], '$')
	}
	for _, n := range slices.Backward(chain) {
		r.outer, r.pathOuter = n, r.appendNodeStep(r.pathOuter, n)
	}
	return r.pathOuter
}

// Step returns the last step of the path of n, without a number for repeated keys: ".name", `["any text"]`,
// "[3]"; "" for the root.
func (r *Reader) Step(n *Node) string {
	if n.Parent == nil {
		return ""
	}
	key := &n.Value
	if !n.Slot.Key {
		k := r.Key(n)
		if k == nil {
			return string(r.AppendStep(nil, &n.Parent.Value, n.Slot, nil))
		}
		key = &k.Value
	}
	return string(r.appendKeyStep(nil, &n.Parent.Value, n.Slot, key))
}

// NumberedStep returns the last step of the path of n, which is not the root, with the number of a repeated key.
func (r *Reader) NumberedStep(n *Node) string { return string(r.appendNodeStep(nil, n)) }

func (r *Reader) appendNodeStep(path []byte, n *Node) []byte {
	parent, slot := &n.Parent.Value, n.Slot
	switch {
	case slot.Key:
		path = r.appendKeyStep(path, parent, slot, &n.Value)
		path = r.appendRepeat(path, n)
		return append(path, "@key"...)
	case n.KeyAt != Unknown:
		r.Tree.Reading.Read(r.win, parent, Slot{slot.Index, true}, n.KeyAt, &r.key)
		path = r.appendKeyStep(path, parent, slot, &r.key)
		return r.appendRepeat(path, n)
	default:
		return r.AppendStep(path, parent, slot, nil)
	}
}

// appendRepeat appends #2, #3 … if earlier entries of the same parent have the same step as n.
func (r *Reader) appendRepeat(path []byte, n *Node) []byte {
	if n.Slot.Index == 0 {
		return path
	}
	k, _ := r.tableOf(n.Parent)
	k.pass(r, func() bool { return int64(len(k.entries)) > n.Slot.Index })
	return appendNumber(path, k.earlier[n.Slot.Index])
}

// eachKey calls each for the keys of n in order, until each returns false.
func (r *Reader) eachKey(n *Node, each func(Slot, *Value) bool) error {
	s := r.Scan(n)
	s.seekChildren(n)
	for used := r.budget(s); ; {
		ev := s.Next()
		if ev == Done || ev == Leave && s.Depth() <= n.Depth {
			return nil
		}
		if ev != Leave && s.slot.Key && s.eventDepth(ev) == n.Depth+1 && !each(s.slot, &s.value) {
			return nil
		}
		if used(ev) {
			return ErrPending
		}
	}
}

// A Trail maintains the path of the values that a Visitor visits, starting from a given
// path.
type Trail struct {
	r      *Reader
	path   []byte
	levels []pathLevel
}

// NewTrail returns a trail that begins at a path.
func (r *Reader) NewTrail(path string) Trail {
	return Trail{r: r, path: []byte(path), levels: []pathLevel{{end: len(path), step: len(path)}}}
}

// Step moves to a child of the innermost open value, parent. key is nil, or the key of the
// child that follows.
func (t *Trail) Step(parent *Value, slot Slot, key *Value) {
	l := &t.levels[len(t.levels)-1]
	if key == nil {
		t.path = l.pathTo(t.path, t.r, parent, slot)
		return
	}
	t.path = t.r.appendKeyStep(t.path[:l.end], parent, slot, key)
	t.path = appendNumber(t.path, l.keys.add(maphash.Bytes(keySeed, t.path[l.end:])))
	l.step = len(t.path)
}

// Open enters the value of the last Step.
func (t *Trail) Open() { t.levels = append(t.levels, pathLevel{end: len(t.path), step: len(t.path)}) }

// Close leaves the innermost open value.
func (t *Trail) Close() { t.levels = t.levels[:len(t.levels)-1] }

// Path returns the current path, valid until the next step.
func (t *Trail) Path() []byte { return t.path }

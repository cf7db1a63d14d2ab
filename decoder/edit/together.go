package edit

import (
	"errors"
	"maps"
	"slices"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// Together is what edits share that are worked out for one unchanged tree, to be made at once. It holds
// what depends on all of them: numbers to which each adds, such as lengths and counts, and the keys in use.
// Keep includes the last edit, Drop leaves it out. A nil Together belongs to an edit that is made on its
// own.
//
// No two of the edits change the same value, or one inside another. Indexes are those of the unchanged
// tree: Insert and Move put a value before the child that had that index.
type Together struct {
	numbers map[int64]*number
	sums    []number                    // numbers to which the current edit adds
	used    map[keysOf]map[string]int64 // entries by key, for each value
	claims  []claim
	changed map[keysOf]change // values whose children change in number or order
	changes []change          // the same of the current edit

	Remains func(in *tree.Node) bool // reports whether other children of a value may still be deleted; nil if they come last first
}

// ErrAlone says that an edit depends on others in more than numbers and keys, and has to be made on its
// own.
var ErrAlone = errors.New("this edit cannot be made together with others")

// A number is a number to which edits add.
type number struct {
	span.Span
	by  int64
	add Adder
}

// An Adder returns the bytes of a number after by is added to it.
type Adder func(by int64) ([]byte, error)

// keysOf identifies a value with children.
type keysOf struct {
	start int64
	depth int
}

// A claim is a key that the current edit takes.
type claim struct {
	in  keysOf
	key string
	by  int64
}

// A change is that of the children of a value.
type change struct {
	in       keysOf
	isOnly   bool  // no other edit may change them as well
	isOther  bool  // of some child something else is known than that it is deleted, the last one first
	from, to int64 // the run of children that were deleted last
}

// ChangeChildren notes that the current edit changes the number or the order of the children of in. With isOnly it is right
// only if no other edit does. The error is ErrAlone if another one does. t may be nil.
func (t *Together) ChangeChildren(in *tree.Node, isOnly bool) error {
	if t == nil {
		return nil
	}
	c := change{in: keysOf{in.Start, in.Depth}, isOnly: isOnly, isOther: true}
	if was, is := t.changed[c.in]; is && (was.isOnly || isOnly) {
		return ErrAlone
	}
	t.changes = append(t.changes, c)
	return nil
}

// DeleteChild notes that the current edit deletes a child of in. Of the first one it returns how many children go that begin
// in, of any other 1. The error is ErrAlone if that is not known, or if the first one is deleted already. t may be nil.
func (t *Together) DeleteChild(in *tree.Node, index int64) (run int64, err error) {
	if t == nil {
		return 1, nil
	}
	c := change{in: keysOf{in.Start, in.Depth}, isOnly: index == 0, from: index, to: index + 1}
	was, is := t.changed[c.in]
	if is {
		c.isOther = was.isOther || index >= was.from
		if index == was.from-1 {
			c.to = was.to
		}
	}
	if was.isOnly || c.isOnly && (c.isOther || t.Remains != nil && t.Remains(in)) {
		return 0, ErrAlone
	}
	t.changes = append(t.changes, c)
	if !c.isOnly {
		return 1, nil
	}
	return c.to, nil
}

// Add adds to the number in a span. add returns its new bytes, of the same length.
func (t *Together) Add(s span.Span, by int64, add Adder) {
	if by != 0 {
		t.sums = append(t.sums, number{s, by, add})
	}
}

// Added returns what the included edits add to the number at an offset.
func (t *Together) Added(at int64) int64 {
	if n := t.numbers[at]; n != nil {
		return n.by
	}
	return 0
}

// Keep includes the edit that was just worked out.
func (t *Together) Keep() {
	for _, s := range t.sums {
		n := t.numbers[s.Offset]
		if n == nil {
			if t.numbers == nil {
				t.numbers = map[int64]*number{}
			}
			n = &number{s.Span, 0, s.add}
			t.numbers[s.Offset] = n
		}
		n.by += s.by
	}
	for _, c := range t.claims {
		t.used[c.in][c.key] = c.by
	}
	for _, c := range t.changes {
		if t.changed == nil {
			t.changed = map[keysOf]change{}
		}
		t.changed[c.in] = c
	}
	t.Drop()
}

// Drop forgets the edit that was just worked out.
func (t *Together) Drop() { t.sums, t.claims, t.changes = t.sums[:0], t.claims[:0], t.changes[:0] }

// Splices returns the splices of the numbers, in order: those of a file that is unpacked while it is read are far apart.
func (t *Together) Splices() ([]source.Splice, error) {
	return t.Settle(func(int64) bool { return true })
}

// Settle returns the splices of the numbers at offsets to which no more is added, in order, and forgets these.
func (t *Together) Settle(is func(at int64) bool) (all []source.Splice, err error) {
	for _, at := range slices.Sorted(maps.Keys(t.numbers)) {
		if !is(at) {
			continue
		}
		n := t.numbers[at]
		delete(t.numbers, at)
		if n.by == 0 {
			continue
		}
		b, err := n.add(n.by)
		if err != nil {
			return nil, err
		}
		all = append(all, source.Put(n.Offset, n.Length, b))
	}
	return all, nil
}

// TakeKey claims a key of parent for its entry by, or for a new one if that is tree.Unknown, and reports
// whether no other entry has it. each calls use with the current keys of parent. t may be nil.
func (t *Together) TakeKey(parent *tree.Node, key string, by int64, each func(use func(key string, entry int64)) error) (free bool, err error) {
	if t == nil {
		free = true
		err = each(func(other string, entry int64) { free = free && (other != key || entry == by) })
		return free, err
	}
	in := keysOf{parent.Start, parent.Depth}
	used, known := t.used[in]
	if !known {
		used = map[string]int64{}
		err = each(func(other string, entry int64) {
			if is, repeated := used[other]; !repeated || is == by {
				used[other] = entry
			}
		})
		if err != nil {
			return false, err
		}
		if t.used == nil {
			t.used = map[keysOf]map[string]int64{}
		}
		t.used[in] = used
	}
	if entry, taken := used[key]; taken && (entry != by || by == tree.Unknown) {
		return false, nil
	}
	t.claims = append(t.claims, claim{in, key, by})
	return true, nil
}

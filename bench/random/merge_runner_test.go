package random

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/compare"
	"varview/model/diff"
)

// A kind of list: how its elements are made, and where it is.
type kind struct {
	name      string
	template  string // a file that takes its values
	before    string // literals around the list
	after     string
	path      string // of the list
	open, end string // of its literal
	fresh     func(r *rand.Rand, old string) string
}

const godot, elephant = "godot4/save-inventory.bin", "elephant/v1-5-1-array-mixed.bin"

// The kinds of lists.
var kinds = []kind{
	{name: "bits", template: godot, before: `{"hp": 1, "list": `, after: `}`, path: "$[0].list", open: "[", end: "]", fresh: other("0", "1")},
	{name: "bools", template: godot, path: "$[0]", open: "[", end: "]", fresh: other("false", "true")},
	{name: "slots", template: godot, before: `{"slots": `, after: `, "gold": 3}`, path: "$[0].slots", open: "[", end: "]",
		fresh: mostly("null", func(r *rand.Rand) string {
			return fmt.Sprintf(`{ "id": "item %d", "count": %d }`, r.IntN(6), 1+r.IntN(3))
		})},
	{name: "dictionary or null", template: godot, path: "$[0]", open: "[", end: "]",
		fresh: mostly("null", func(r *rand.Rand) string { return fmt.Sprintf(`{ "hp": %d, "tags": [%d] }`, r.IntN(50), r.IntN(3)) })},
	{name: "names", template: godot, path: "$[0]", open: "[", end: "]", fresh: differing(func(r *rand.Rand) string { return `"` + names[r.IntN(len(names))] + `"` })},
	{name: "nested", template: godot, before: "[[0, 1, 1], [", after: "], [1, 0]]", path: "$[0][1][0]", open: "[", end: "]", fresh: differing(digit(3))},
	{name: "lists", template: godot, path: "$[0]", open: "[", end: "]",
		fresh: differing(func(r *rand.Rand) string { return fmt.Sprintf("[%d, %d]", r.IntN(3), r.IntN(3)) })},
	{name: "packed ints", template: godot, path: "$[0]", open: "PackedInt32Array(", end: ")", fresh: differing(digit(6))},
	{name: "packed strings", template: godot, path: "$[0]", open: "PackedStringArray(", end: ")", fresh: differing(func(r *rand.Rand) string { return `"` + names[r.IntN(4)] + `"` })},
	{name: "packed bytes", template: godot, before: `{"map": `, after: `}`, path: "$[0].map", open: "PackedByteArray(", end: ")", fresh: differing(digit(4))},
	{name: "Elephant bits", template: elephant, path: "$", open: "[", end: "]", fresh: other("0", "1")},
	{name: "Elephant values", template: elephant, before: `{list: `, after: `}`, path: "$.list", open: "[", end: "]",
		fresh: mostly("undefined", func(r *rand.Rand) string { return fmt.Sprintf(`{ kind: "%s", n: %d }`, names[r.IntN(5)], r.IntN(9)) })},
}

var names = []string{"Mira", "Torben", "Aiko", "Wolf", "Ines", "Jun", "Noor", "Pia", "Sven", "Tala", "Uma", "Zoe", "Bo", "Cleo", "Dag", "Eva"}

func other(a, b string) func(*rand.Rand, string) string {
	return func(r *rand.Rand, old string) string {
		if old == a || old == "" && r.IntN(2) == 0 {
			return b
		}
		return a
	}
}

func digit(n int) func(*rand.Rand) string {
	return func(r *rand.Rand) string { return fmt.Sprint(r.IntN(n)) }
}

func differing(one func(*rand.Rand) string) func(*rand.Rand, string) string {
	return func(r *rand.Rand, old string) string {
		for {
			if v := one(r); v != old {
				return v
			}
		}
	}
}

func mostly(empty string, one func(*rand.Rand) string) func(*rand.Rand, string) string {
	return differing(func(r *rand.Rand) string {
		if r.IntN(2) == 0 {
			return empty
		}
		return one(r)
	})
}

// A Tally counts the results of merges.
type MergeTally struct {
	Cases     int
	Conflicts int
	Chosen    int // of them those about the list, which were made with each choice
	Sets      int // cases in which both sides have only set values
	SetsDone  int // those of them that were merged

	// Merges that differ from the edits that were made: where fewer edits explain what a side has, and in
	// lists of the same length, which are merged by position, where that gives a side no more other values
	// than the fewest edits.
	Fewer, ByPosition int

	ByKind map[string]*[3]int // cases with only sets, merged ones, and those of Fewer
	Wrong  []string
}

// A Runner merges random lists.
type Merger struct {
	docs map[string]*model.Document
}

// NewRunner returns a runner with templates from the folder testdata.
func NewMerger(ctx context.Context, testdata string) (*Merger, error) {
	x := &Merger{docs: map[string]*model.Document{}}
	for _, name := range []string{godot, elephant} {
		data, err := os.ReadFile(filepath.Join(testdata, name))
		if err != nil {
			return nil, err
		}
		src, err := source.Written(func(f *os.File) error {
			_, err := f.Write(data)
			return err
		})
		if err != nil {
			return nil, err
		}
		if x.docs[name], err = model.OpenSource(ctx, src, name, model.Options{}, nil); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// Run merges n random lists, and returns the results.
func (x *Merger) Run(ctx context.Context, seed uint64, n int) (*MergeTally, error) {
	t := &MergeTally{ByKind: map[string]*[3]int{}}
	for _, k := range kinds {
		t.ByKind[k.name] = new([3]int)
	}
	for i := range n {
		if err := x.one(ctx, t, seed, uint64(i)); err != nil {
			return t, fmt.Errorf("seed %d, case %d: %w", seed, i, err)
		}
	}
	return t, nil
}

// one makes, merges and checks one case.
func (x *Merger) one(ctx context.Context, t *MergeTally, seed, number uint64) error {
	r := rand.New(rand.NewPCG(seed, number))
	k := &kinds[number%uint64(len(kinds))]
	var base []element
	for i := range 2 + r.IntN(22) {
		base = append(base, element{i, k.fresh(r, "")})
	}
	setsOnly := r.IntN(2) == 0
	a, b := newSide(base), newSide(base)
	next := len(base)
	for _, s := range [][2]*side{{a, b}, {b, a}} {
		for range 1 + r.IntN(4) {
			s[0].edit(r, setsOnly, s[1], next, func(old string) string { return k.fresh(r, old) })
			next++
		}
	}
	ours, conflicts, err := x.merge(ctx, k, base, a.list, b.list, nil)
	if err != nil {
		return err
	}
	theirs, conflictsToo, err := x.merge(ctx, k, base, b.list, a.list, nil)
	if err != nil {
		return err
	}
	t.Cases++
	text := fmt.Sprintf("seed %d, case %d, %s: base %s, ours %s, theirs %s: ", seed, number, k.name, literal(k, values(base)), literal(k, values(a.list)), literal(k, values(b.list)))
	merged := len(conflicts) == 0
	if merged != (len(conflictsToo) == 0) || merged && !slices.Equal(ours, theirs) {
		t.Wrong = append(t.Wrong, text+fmt.Sprintf("%s %v, exchanged %s %v", literal(k, ours), conflicts, literal(k, theirs), conflictsToo))
		return nil
	}
	if !a.moves && !b.moves {
		t.Sets++
		t.ByKind[k.name][0]++
		if merged {
			t.SetsDone++
			t.ByKind[k.name][1]++
		}
	}
	if !merged {
		t.Conflicts++
		wrong, err := x.checkChosen(ctx, t, k, base, a.list, b.list)
		if wrong != "" {
			t.Wrong = append(t.Wrong, text+wrong)
		}
		return err
	}
	isByPosition := slices.Equal(ours, byPosition(values(base), values(a.list), values(b.list)))
	hidden := fewest(base, a) < len(a.edits) || fewest(base, b) < len(b.edits) || a.hasHidden(base) || b.hasHidden(base)
	switch {
	case join(base, a, b).allows(ours), allowsShared(base, a, b, ours), allowsShared(base, b, a, ours):
	case hidden:
		t.Fewer++
		t.ByKind[k.name][2]++
	case isByPosition:
		t.ByPosition++
	default:
		t.Wrong = append(t.Wrong, text+"merged "+literal(k, ours))
	}
	return nil
}

// checkChosen checks a merge with a conflict about the list: it has what was chosen, whichever side is ours.
func (x *Merger) checkChosen(ctx context.Context, t *MergeTally, k *kind, base, a, b []element) (wrong string, err error) {
	sides := [2][]element{a, b}
	for ours := range sides {
		for which, want := range map[diff.Choice][]element{diff.KeepOurs: sides[ours], diff.TakeTheirs: sides[1-ours], diff.TakeBase: base} {
			made, conflicts, err := x.merge(ctx, k, base, sides[ours], sides[1-ours], func(*diff.Conflict) diff.Choice { return which })
			if err != nil || slices.ContainsFunc(conflicts, func(c diff.Conflict) bool { return c.Path != k.path || c.Choice != which }) {
				return "", err
			}
			if !slices.Equal(made, values(want)) {
				return fmt.Sprintf("choice %d: %s, %v", which, literal(k, made), conflicts), nil
			}
		}
	}
	t.Chosen++
	return "", nil
}

// fewest returns about the smallest number of edits that produce a side: one that moves a value which others are like, or several that
// move single ones.
func fewest(base []element, s *side) int {
	was, is := values(base), values(s.list)
	least := cost(was, is) - crossing(was, is)
	for _, x := range base {
		for at := range base {
			least = min(least, 1+cost(values((&edited{kind: moved, id: x.id, at: at}).make(slices.Clone(base))), is))
		}
	}
	return least
}

func literal(k *kind, list []string) string { return k.open + strings.Join(list, ", ") + k.end }

// merge merges two lists that come from a base, and returns the result and the conflicts.
func (x *Merger) merge(ctx context.Context, k *kind, base, ours, theirs []element, choose func(*diff.Conflict) diff.Choice) ([]string, []diff.Conflict, error) {
	var made [3]*model.Transaction
	for i, list := range [][]element{base, ours, theirs} {
		d := x.docs[k.template]
		t, err := d.Begin(d.Innermost())
		if err != nil {
			return nil, nil, err
		}
		root := "$"
		if k.template == godot {
			root = "$[0]"
		}
		n, err := t.Reader().Resolve(root)
		if err != nil {
			return nil, nil, err
		}
		if err := t.Set(ctx, n, edit.Content{Literal: "0"}, edit.Options{Retype: true}); err != nil { // nothing of it stays
			return nil, nil, err
		}
		if n, err = t.Reader().Resolve(root); err != nil {
			return nil, nil, err
		}
		text := k.before + literal(k, values(list)) + k.after
		if err := t.Set(ctx, n, edit.Content{Literal: text}, edit.Options{Retype: true}); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", text, err)
		}
		made[i] = t
	}
	conflicts, err := diff.MergeTrees(ctx, made[1], made[0].Reader().Tree, made[2].Reader().Tree, compare.Options{}, choose)
	if err != nil {
		return []string{err.Error()}, nil, nil
	}
	list, err := elements(made[1].Reader(), k.path)
	return list, conflicts, err
}

// elements returns the literals of the elements at a path.
func elements(r *tree.Reader, path string) (all []string, err error) {
	n, err := r.Resolve(path)
	if err != nil {
		return nil, err
	}
	for i := range n.Count {
		c, err := r.Child(n, i)
		if err != nil {
			return nil, err
		}
		all = append(all, string(r.AppendLiteral(nil, &c.Value, 1000)))
	}
	return all, nil
}

// Table returns the tally as text.
func (t *MergeTally) Table() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%d cases: %d merged, %d conflicts (%d made with what was chosen), %d wrong; %d with only sets, of which %d merged (%.1f %%)\n",
		t.Cases, t.Cases-t.Conflicts-len(t.Wrong), t.Conflicts, t.Chosen, len(t.Wrong), t.Sets, t.SetsDone, t.share())
	fmt.Fprintf(&out, "merged otherwise than was edited: %d where fewer edits explain it, %d by position\n", t.Fewer, t.ByPosition)
	for _, k := range kinds {
		c := t.ByKind[k.name]
		fmt.Fprintf(&out, "%-20s %5d with only sets, %5.1f %% merged; fewer edits %d\n", k.name, c[0], 100*float64(c[1])/float64(max(1, c[0])), c[2])
	}
	return out.String()
}

// share returns the percentage of the cases with only sets that were merged.
func (t *MergeTally) share() float64 { return 100 * float64(t.SetsDone) / float64(max(1, t.Sets)) }

// Err returns an error if any merge was wrong, or if too few cases with only sets were merged.
func (t *MergeTally) Err() error {
	switch {
	case len(t.Wrong) > 0:
		return fmt.Errorf("%d of %d merges are wrong: %s", len(t.Wrong), t.Cases, t.Wrong[0])
	case t.share() < 95:
		return fmt.Errorf("of lists in which only values were set %.1f %% were merged", t.share())
	}
	return nil
}

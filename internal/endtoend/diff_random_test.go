package endtoend

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/compare"
	"varview/model/diff"
)

// TestDiffRandomEdits holds that random edits, each in another list or dictionary, are found
// again exactly, and nothing else.
func TestDiffRandomEdits(t *testing.T) {
	long(t)
	t.Parallel()
	names := []string{"godot4/save-inventory.bin", "godot4/save-quest-flags.bin", "godot3/save-inventory.bin", "godot3/save-settings.bin", "elephant/v1-5-1-savegame-world.bin", "elephant/v1-0-0-savegame-world.bin"}
	kinds := map[string]int{}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(40) {
				e := &foundEdits{t: t, r: rand.New(rand.NewPCG(seed, 1))}
				e.run("testdata/" + name)
				for _, x := range e.made {
					kind, _, _ := strings.Cut(x, " ")
					kinds[kind]++
				}
			}
		})
	}
	for _, kind := range []string{"changed", "added", "removed"} {
		if kinds[kind] < 50 {
			t.Errorf("only %d were %s", kinds[kind], kind)
		}
	}
}

// foundEdits makes edits and looks for them.
type foundEdits struct {
	t    *testing.T
	r    *rand.Rand
	made []string // what is to be found: kind, path or old literal
}

func (e *foundEdits) run(name string) {
	ctx := context.Background()
	d, was := openModel(e.t, name, model.Options{}), openModel(e.t, name, model.Options{ReadOnly: true})
	defer d.Close()
	defer was.Close()
	tx, err := d.Begin(d.Innermost())
	if err != nil {
		e.t.Fatal(err)
	}
	e.edits(ctx, was, func() *model.Transaction { return tx })
	e.check(was, tx)
}

// edits makes edits in different lists and dictionaries, each in the transaction that pick
// returns.
func (e *foundEdits) edits(ctx context.Context, was *model.Document, pick func() *model.Transaction) {
	all := nodes(was.Innermost())
	taken := map[int64]bool{}
	for i := len(all) - 1; i >= 0 && len(e.made) < 5; i-- { // from the end on, so that paths before stay
		n := all[i]
		if e.r.IntN(6) > 0 || n.Slot.Key || n.Depth < 2 || n.Layout != tree.Leaf || n.Refers || taken[n.Parent.Start] || taken[n.Start] {
			continue
		}
		if e.edit(ctx, pick(), was.Tree.NewReader(), n) {
			for p := n.Parent; p != nil; p = p.Parent {
				taken[p.Start] = true
			}
		}
	}
}

// check checks that the edits are all that differs.
func (e *foundEdits) check(was *model.Document, tx *model.Transaction) {
	for _, alike := range []bool{false, true} {
		var found []string
		err := compare.Trees(context.Background(), was.Tree, tx.Reader().Tree, compare.Options{Alike: alike && was.ReadsAs(was.Document)}, func(c *compare.Change) error {
			if c.Note {
				return nil
			}
			found = append(found, c.Kind.String()+" "+e.what(c, was))
			return nil
		})
		slices.Sort(found)
		slices.Sort(e.made)
		if err != nil || !slices.Equal(found, e.made) {
			e.t.Errorf("made %q\nfound %q (%v)", e.made, found, err)
		}
	}
}

// what identifies a change: in a list with equal elements, any of them may be the missing one.
func (e *foundEdits) what(c *compare.Change, was *model.Document) string {
	if c.Kind == compare.Removed {
		r := was.Tree.NewReader()
		return r.Path(c.A.Parent) + " " + string(r.AppendLiteral(nil, &c.A.Value, 1000))
	}
	return c.Path
}

// edit makes an edit of a value, or beside it.
func (e *foundEdits) edit(ctx context.Context, tx *model.Transaction, was *tree.Reader, n *tree.Node) bool {
	path := was.Path(n)
	is, err := tx.Reader().Resolve(path)
	if err != nil {
		e.t.Fatal(path, err)
	}
	unique := fmt.Sprintf(`"unique %d"`, len(e.made))
	kind := e.r.IntN(3)
	if n.Parent.Layout == tree.Fixed { // a component, or an element of a packed array
		kind, unique = 0, fmt.Sprint(200+len(e.made))
	}
	switch {
	case kind == 0:
		if tx.Set(ctx, is, edit.Content{Literal: unique}, edit.Options{Retype: true}) == nil {
			e.made = append(e.made, "changed "+path)
			return true
		}
	case kind == 1:
		c := edit.Content{Literal: unique}
		if n.Parent.Layout == tree.Pairs {
			c.Key = fmt.Sprintf(`"new%d"`, len(e.made))
		}
		if tx.Insert(ctx, is.Parent, n.Slot.Index, c, edit.Options{}) == nil {
			at := path
			if c.Key != "" {
				at = was.Path(n.Parent) + ".new" + fmt.Sprint(len(e.made))
			}
			e.made = append(e.made, "added "+at)
			return true
		}
	default:
		literal := string(was.AppendLiteral(nil, &n.Value, 1000))
		if tx.Delete(ctx, is, edit.Options{}) == nil {
			e.made = append(e.made, "removed "+was.Path(n.Parent)+" "+literal)
			return true
		}
	}
	return false
}

// TestMergeRandomEdits holds that random edits of two files, in different lists and
// dictionaries, are all in what is merged, and nothing else.
func TestMergeRandomEdits(t *testing.T) {
	long(t)
	t.Parallel()
	ctx := context.Background()
	merged := 0
	for _, name := range []string{"godot4/save-inventory.bin", "godot3/save-settings.bin", "godot4/save-quest-flags.bin", "elephant/v1-5-1-savegame-world.bin"} {
		for seed := range uint64(40) {
			e := &foundEdits{t: t, r: rand.New(rand.NewPCG(seed, 2))}
			was := openModel(t, "testdata/"+name, model.Options{ReadOnly: true})
			var docs [2]*model.Document
			var txs [2]*model.Transaction
			for i := range txs {
				docs[i] = openModel(t, "testdata/"+name, model.Options{})
				tx, err := docs[i].Begin(docs[i].Innermost())
				if err != nil {
					t.Fatal(err)
				}
				txs[i] = tx
			}
			e.edits(ctx, was, func() *model.Transaction { return txs[e.r.IntN(2)] })
			conflicts, err := diff.MergeTrees(ctx, txs[0], was.Tree, txs[1].Reader().Tree, compare.Options{}, nil)
			if err != nil || len(conflicts) > 0 {
				t.Errorf("%s: %q: %v %v", name, e.made, conflicts, err)
			}
			e.check(was, txs[0])
			merged += len(e.made)
			for _, d := range append(docs[:], was) {
				d.Close()
			}
		}
	}
	if merged < 300 {
		t.Errorf("only %d edits were merged", merged)
	}
}

// TestMergeNone checks that an unchanged file adds nothing.
func TestMergeNone(t *testing.T) {
	ctx := context.Background()
	for _, pair := range [][2]string{{"godot4/save-inventory.bin", "godot4/save-player-stats.bin"}, {"godot3/save-settings.bin", "godot3/save-inventory.bin"},
		{"elephant/v1-5-1-savegame-world.bin", "elephant/v1-5-1-savegame-settings.bin"}} {
		base, other := openModel(t, "testdata/"+pair[0], model.Options{ReadOnly: true}), openModel(t, "testdata/"+pair[1], model.Options{})
		tx, err := other.Begin(other.Innermost())
		if err != nil {
			t.Fatal(err)
		}
		conflicts, err := diff.MergeTrees(ctx, tx, base.Tree, base.Tree, compare.Options{}, nil)
		if err != nil || len(conflicts) > 0 || len(tx.Splices()) > 0 {
			t.Errorf("%s: %v %v %v", pair, conflicts, tx.Splices(), err)
		}
		base.Close()
		other.Close()
	}
}

package endtoend

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/compare"
	"varview/model/diff"
)

// TestMergeChosen checks that values that two files have changed or removed in different ways become the
// chosen ones.
func TestMergeChosen(t *testing.T) {
	t.Parallel()
	conflicts := 0
	for _, name := range []string{"godot4/save-inventory.bin", "godot3/save-settings.bin", "godot4/save-quest-flags.bin", "elephant/v1-5-1-savegame-world.bin"} {
		for seed := range uint64(7) {
			for _, which := range []diff.Choice{diff.NotChosen, diff.KeepOurs, diff.TakeTheirs, diff.TakeBase} {
				conflicts += checkChosen(t, "testdata/"+name, seed, which)
			}
		}
	}
	if conflicts < 150 {
		t.Errorf("only %d conflicts", conflicts)
	}
}

// checkChosen makes different random edits at the same places of two copies of a file, and chooses
// one side for all conflicts.
func checkChosen(t *testing.T, name string, seed uint64, which diff.Choice) int {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(seed, 3))
	base := openModel(t, name, model.Options{ReadOnly: true})
	defer base.Close()
	var sides [2]*model.Transaction
	for i := range sides {
		d := openModel(t, name, model.Options{})
		defer d.Close()
		tx, err := d.Begin(d.Innermost())
		if err != nil {
			t.Fatal(err)
		}
		sides[i] = tx
	}
	for _, n := range scattered(base, r) {
		remover := r.IntN(3) // the side that removes the value, or none
		for i, tx := range sides {
			is, err := tx.Reader().Resolve(base.Tree.NewReader().Path(n))
			if err != nil {
				t.Fatal(err)
			}
			if i != remover {
				err = tx.Set(ctx, is, edit.Content{Literal: fmt.Sprintf(`"side %d"`, i)}, edit.Options{Retype: true})
			} else {
				err = tx.Delete(ctx, is, edit.Options{})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	want := map[diff.Choice]*tree.Reader{diff.NotChosen: sides[0].Reader(), diff.KeepOurs: sides[0].Reader(), diff.TakeTheirs: sides[1].Reader(), diff.TakeBase: base.Tree.NewReader()}[which]
	found, err := diff.MergeTrees(ctx, sides[0], base.Tree, sides[1].Reader().Tree, compare.Options{}, func(*diff.Conflict) diff.Choice { return which })
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range found {
		if c.Choice != which {
			t.Errorf("%s, seed %d: %+v", name, seed, c)
		}
	}
	err = compare.Trees(ctx, want.Tree, sides[0].Reader().Tree, compare.Options{}, func(c *compare.Change) error {
		if !c.Note {
			t.Errorf("%s, seed %d, choice %d: %s is %s", name, seed, which, c.Path, c.Kind)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return len(found)
}

// scattered returns some values of a file, each in another list or dictionary, the last one first.
func scattered(d *model.Document, r *rand.Rand) (some []*tree.Node) {
	all := nodes(d.Innermost())
	taken := map[int64]bool{}
	for i := len(all) - 1; i >= 0 && len(some) < 5; i-- {
		n := all[i]
		if r.IntN(6) > 0 || n.Slot.Key || n.Depth < 2 || n.Layout != tree.Leaf || n.Refers || taken[n.Parent.Start] || n.Parent.Layout == tree.Fixed || takesOne(d.Tree, n.Parent) {
			continue
		}
		some = append(some, n)
		for p := n.Parent; p != nil; p = p.Parent {
			taken[p.Start] = true
		}
	}
	return some
}

// takesOne reports whether a list accepts values of one type only.
func takesOne(t *tree.Tree, n *tree.Node) bool {
	kind := t.AppendType(nil, t.NewReader().Window(), &n.Value)
	return bytes.HasPrefix(kind, []byte("Packed")) || bytes.HasPrefix(kind, []byte("Pool")) || bytes.ContainsRune(kind, '[')
}

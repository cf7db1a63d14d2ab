package diff

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"varview/decoder/edit"
	"varview/model"
	"varview/model/compare"
	"varview/model/savetest"
)

// A row is an element of a list that its id identifies, wherever it is.
type row struct {
	ID  int `json:"id"`
	Q   int `json:"q"` // what one side changes
	Lvl int `json:"lvl"`
}

// rows are random elements, what one side has made of them, with another order, others and fewer of them, and what the other side
// has made of them, which changes only their levels.
func rows(r *rand.Rand) (base, ours, theirs []row) {
	for i := range 1 + r.IntN(6) {
		base = append(base, row{i, r.IntN(4), 1})
	}
	theirs, ours = slices.Clone(base), slices.Clone(base)
	ours[r.IntN(len(ours))].Lvl = 50
	for range 1 + r.IntN(3) {
		at := r.IntN(len(theirs) + 1)
		switch r.IntN(4) {
		case 0:
			theirs = slices.Insert(theirs, at, row{10 + r.IntN(90), r.IntN(4), 1})
		case 1:
			theirs = slices.Delete(theirs, max(0, at-1), at)
		case 2:
			r.Shuffle(len(theirs), func(i, j int) { theirs[i], theirs[j] = theirs[j], theirs[i] })
		default:
			if at < len(theirs) {
				theirs[at].Q = 9
			}
		}
	}
	return base, ours, theirs
}

// byID returns what both sides have made of the elements, in their order; ok is false if they have removed one that we have changed.
func byID(base, ours, theirs []row) (both []row, ok bool) {
	both, ok = slices.Clone(theirs), true
	for i, x := range ours {
		at := slices.IndexFunc(both, func(y row) bool { return y.ID == x.ID })
		if at >= 0 {
			both[at].Lvl = x.Lvl
		} else if x != base[i] {
			ok = false
		}
	}
	return both, ok
}

// inRows writes rows as JSON, and opens that.
func inRows(t *testing.T, all []row) *model.Document {
	text, err := json.Marshal(map[string][]row{"l": all})
	savetest.Must(t, err)
	return openAs(t, savetest.Write(t, text), "json", "")
}

func rowsOf(t *testing.T, x *model.Transaction) (all []row) {
	s := x.Reader().Tree.Source
	text := make([]byte, s.Size())
	_, err := s.ReadAt(text, 0)
	savetest.Must(t, err)
	is := map[string][]row{}
	savetest.Must(t, json.Unmarshal(text, &is))
	return is["l"]
}

// TestRecordsPatched: a patch of a list whose elements have ids never puts values of one into another, in a file in which others
// have changed: it gives what the ids tell, or is refused. If they are asked for, it is refused only where that is of need.
func TestRecordsPatched(t *testing.T) {
	made, r := 0, rand.New(rand.NewPCG(1, 2))
	for range 200 {
		base, ours, theirs := rows(r)
		for _, key := range []string{"", "id"} {
			x, to := begin(t, inRows(t, base)), inRows(t, theirs)
			_, err := Become(t.Context(), x, to.Tree, compare.Options{Alike: true, Key: key})
			savetest.Must(t, err)
			if is := rowsOf(t, x); !slices.Equal(is, theirs) {
				t.Fatalf("%v has become %v, not %v", base, is, theirs)
			}
			other := begin(t, inRows(t, ours))
			if err := other.Apply(t.Context(), x.Patch(), edit.Options{}); err != nil {
				continue
			}
			made++
			want, ok := byID(base, ours, theirs)
			if is := rowsOf(t, other); !ok || !slices.Equal(is, want) {
				t.Errorf("key %q: from %v to %v: %v has become %v, want %v", key, base, theirs, ours, is, want)
			}
		}
	}
	if made < 150 {
		t.Errorf("only %d patches fit", made)
	}
}

// TestRecordsMerged: a merge of lists whose elements have ids mixes none of them, and what both sides have stays.
func TestRecordsMerged(t *testing.T) {
	merged, r := 0, rand.New(rand.NewPCG(3, 4))
	for range 200 {
		base, ours, theirs := rows(r)
		for _, key := range []string{"", "id"} {
			x := begin(t, inRows(t, ours))
			conflicts, err := MergeTrees(t.Context(), x, inRows(t, base).Tree, inRows(t, theirs).Tree, compare.Options{Alike: true, Key: key}, nil)
			savetest.Must(t, err)
			is := rowsOf(t, x)
			want, ok := byID(base, ours, theirs)
			if len(conflicts) == 0 {
				merged++
				if !ok || !slices.Equal(is, want) {
					t.Errorf("key %q: %v, ours %v, theirs %v: %v, want %v", key, base, ours, theirs, is, want)
				}
				continue
			}
			for _, y := range is {
				if !slices.Contains(slices.Concat(ours, theirs, want), y) {
					t.Errorf("key %q: %v, ours %v, theirs %v: %v has a mixed %v", key, base, ours, theirs, is, y)
				}
			}
			for _, y := range ours {
				has := func(all []row) bool { return slices.ContainsFunc(all, func(z row) bool { return z.ID == y.ID }) }
				if has(theirs) && !has(is) {
					t.Errorf("key %q: %v, ours %v, theirs %v: %v lacks %v", key, base, ours, theirs, is, y)
				}
			}
		}
	}
	if merged < 150 {
		t.Errorf("only %d merges without conflicts", merged)
	}
}

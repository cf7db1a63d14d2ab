package explore

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/search"
)

// hitPaths searches a buffer until the search goes round, and says what was found
// and whether by its name; the cursor goes along.
func hitPaths(t *testing.T, x *Explorer, s string, backward bool) (paths []string) {
	t.Helper()
	spot := search.Spot{Offset: -1}
	if backward {
		spot.Offset = x.Buffer.Size() + 1
	}
	for ; ; spot = x.Spot() {
		hit, wrapped, err := x.Buffer.Search(context.Background(), query(t, s), spot, backward, new(model.Progress))
		if err == io.EOF || wrapped || len(paths) > 10_000 {
			return paths
		}
		must(t, err)
		n := hit.Node
		if hit.IsValue {
			must(t, x.GoToValue(n))
		} else {
			must(t, x.GoTo(hit.Offset))
			n, _ = x.Owner()
		}
		path := x.Path(n)
		if hit.IsValue {
			path += " by name"
		}
		paths = append(paths, path)
	}
}

// Names that a schema gives are found, also of members without bytes, of which
// several stand at one offset: those of diffsNested are in the order of its schema.
func TestSearchMemberNames(t *testing.T) {
	for _, test := range []struct {
		file, query string
		want        []string
	}{
		{"elephant/v1-5-1-diffs-nested.bin", "fieldA", []string{"$.fieldArray by name", "$.fieldAny by name"}},
		{"elephant/v1-5-1-ctor-three-versions.bin", "loot", []string{"$.loot by name"}},
		{"elephant/v1-5-1-ctor-three-versions.bin", "LOOT", nil},
		{"elephant/v1-5-1-ctor-three-versions.bin", "x:6c 6f 6f 74", nil},
	} {
		for _, indexed := range []bool{false, true} {
			doc := openReal(t, test.file)
			if indexed {
				buildIndex(t, doc)
			}
			x := New(doc.Innermost())
			got := hitPaths(t, x, test.query, false)
			slices.Sort(got)
			want := slices.Sorted(slices.Values(test.want))
			if !slices.Equal(got, want) {
				t.Errorf("%s in %s: %q, want %q", test.query, test.file, got, want)
			}
		}
	}
}

// Each member's name is found, in both directions, wherever others without bytes
// stand at the same offset.
func TestSearchEachMemberName(t *testing.T) {
	for _, name := range realNames(t, "elephant/*diffs-*.bin", "elephant/*ctor*.bin", "elephant/*savegame-[iqsp]*.bin") {
		doc := openReal(t, name)
		b := doc.Innermost()
		format, _ := b.Tree().Reading.(format.MemberNamer)
		var want []string
		s := b.Tree().Scanner()
		x := New(b)
		must(t, s.Run(context.Background(), func(ev tree.Event) bool {
			if ev != tree.Leave {
				n := s.Current(ev)
				if n.Parent.Layout == tree.Sequence {
					want = append(want, string(format.MemberName(&n.Parent.Value, n.Slot.Index)), x.Path(n)+" by name")
				}
			}
			return true
		}))
		for _, indexed := range []bool{false, true} {
			if indexed {
				buildIndex(t, doc)
				x.Indexed()
			}
			for _, letter := range []string{"e", "x"} {
				forth := named(hitPaths(t, New(b), letter, false))
				back := named(hitPaths(t, New(b), letter, true))
				slices.Reverse(back)
				if !slices.Equal(forth, back) {
					t.Errorf("%s: %q forward %q, backward %q", name, letter, forth, back)
				}
				if all := matching(want, letter); !slices.Equal(forth, all) {
					t.Errorf("%s: %q finds %q, want %q", name, letter, forth, all)
				}
			}
		}
	}
}

// named are the hits by name.
func named(paths []string) []string {
	return slices.DeleteFunc(paths, func(p string) bool { return len(p) < 8 || p[len(p)-8:] != " by name" })
}

// matching are the paths behind the names that a letter is in.
func matching(namesAndPaths []string, letter string) (paths []string) {
	for i := 0; i < len(namesAndPaths); i += 2 {
		if strings.Contains(strings.ToLower(namesAndPaths[i]), letter) {
			paths = append(paths, namesAndPaths[i+1])
		}
	}
	return paths
}

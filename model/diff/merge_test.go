package diff

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"varview/model"
	"varview/model/compare"
	"varview/model/savetest"
)

// hp is a dictionary with a number and a list, in which most merges happen.
func hp(n int32, elements ...int32) []byte {
	return dictionary(text("hp"), integer(n), text("list"), list(elements...))
}

// typed is an Array[int].
func typed(elements ...int32) []byte {
	b := list(elements...)
	return slices.Concat([]byte{b[0], 0, 1, 0, 2, 0, 0, 0}, b[4:])
}

// merges are what two files make of the one that both come from.
var merges = []struct {
	name               string
	base, ours, theirs []byte
	merged             []byte // without a choice
	conflicts          []string
}{
	{"nothing", hp(1, 1), hp(1, 1), hp(1, 1), hp(1, 1), nil},
	{"only we", hp(1, 1), hp(2, 1), hp(1, 1), hp(2, 1), nil},
	{"only they", hp(1, 1), hp(1, 1), hp(2, 1), hp(2, 1), nil},
	{"different values", hp(1, 1), hp(2, 1), hp(1, 5), hp(2, 5), nil},
	{"the same", hp(1, 1), hp(2, 1, 3), hp(2, 1, 3), hp(2, 1, 3), nil},
	{"both ends of a list", hp(1, 10, 20, 30), hp(1, 0, 10, 20, 30), hp(1, 10, 20, 30, 40), hp(1, 0, 10, 20, 30, 40), nil},
	{"elements of a list", hp(1, 10, 20, 30, 40), hp(1, 20, 30, 40), hp(1, 10, 20, 40), hp(1, 20, 40), nil},
	{"a value moves on", hp(1, 10, 20, 30), hp(1, 5, 10, 20, 30), hp(1, 10, 20, 31), hp(1, 5, 10, 20, 31), nil},
	{"a value just before", hp(1, 10, 20), hp(1, 10, 15, 20), hp(1, 10, 21), hp(1, 10, 15, 21), nil},
	{"a key and its value",
		dictionary(text("a"), array(text(long), integer(2))), dictionary(text("z"), array(text(long), integer(2))),
		dictionary(text("a"), array(text(long), integer(5))), dictionary(text("z"), array(text(long), integer(5))), nil},
	{"both have removed the same of several", array(integer(5), list(), list(), list()), array(integer(5), list(), list()), array(integer(5), list(), list()), array(integer(5), list(), list()), nil},
	{"both have moved the same", hp(1, 1, 2, 3, 4), hp(2, 4, 1, 2, 3), hp(1, 4, 1, 2, 3), hp(2, 4, 1, 2, 3), nil},
	{"both have added the same as there was", hp(1, 5, 7), hp(2, 5, 7, 7), hp(1, 5, 7, 7), hp(2, 5, 7, 7), nil},
	{"both have added the same elsewhere", hp(1, 5, 7), hp(2, 5, 7, 5), hp(1, 5, 7, 5), hp(2, 5, 7, 5), nil},
	{"keys of both",
		dictionary(), dictionary(text("a"), integer(1)), dictionary(text("b"), integer(2)), dictionary(text("a"), integer(1), text("b"), integer(2)), nil},
	{"bytes that end in padding", savetest.PackedBytes(3, 0, 1), savetest.PackedBytes(3, 0, 1), savetest.PackedBytes(0, 1, 3), savetest.PackedBytes(0, 1, 3), nil},
	{"both remove", hp(1, 10, 20), hp(1, 20), hp(1, 20), hp(1, 20), nil},

	{"one value", hp(1), hp(2), hp(3), hp(2), []string{"$.hp: both have changed it: 1; 2; 3"}},
	{"equal by chance is not renamed", dictionary(text("a"), list(1, 2)), dictionary(text("z"), list(1, 2)), dictionary(text("a"), list(1, 5)), dictionary(text("z"), list(1, 2)),
		[]string{"$.a: we have removed it, they have changed $.a[1]: [1, 2]; ; [1, 5]"}},
	{"one of several is not renamed", dictionary(text("a"), text(long), text("b"), text(long)), dictionary(text("y"), text(long), text("z"), text(long)),
		dictionary(text("a"), text("new"), text("b"), text(long)), dictionary(text("y"), text(long), text("z"), text(long)),
		[]string{"$.a: we have removed it, they have changed it: \"" + long + "\"; ; \"new\""}},
	{"removed and changed", hp(1, 10, 20), hp(1, 20), dictionary(text("hp"), integer(1), text("list"), array(text("x"), integer(20))), hp(1, 20),
		[]string{"$.list[0]: we have removed it, they have changed it: 10; ; \"x\""}},
	{"what is around is gone", hp(1, 10), dictionary(text("hp"), integer(1)), hp(1, 10, 20), dictionary(text("hp"), integer(1)),
		[]string{"$.list: we have removed it, they have added $.list[1]: [10]; ; [10, 20]"}},
	{"one key", dictionary(), dictionary(text("a"), integer(1)), dictionary(text("a"), integer(2)), dictionary(text("a"), integer(1)),
		[]string{"$.a: both have added it: ; 1; 2"}},
	{"one place", hp(1, 10), hp(1, 10, 20), hp(1, 10, 30), hp(1, 10, 20),
		[]string{"$.list[1]: both have added a value here: ours is $.list[1]: ; ; 30"}},
	{"both move", hp(1, 1, 2, 3, 4), hp(1, 4, 1, 2, 3), hp(1, 2, 3, 4, 1), hp(1, 4, 1, 2, 3),
		[]string{"$.list: both have changed which elements there are, or their order: [1, 2, 3, 4]; [4, 1, 2, 3]; [2, 3, 4, 1]"}},
	{"a removed one of several may be the one that has become typed", array(integer(5), list(), list(), list()), array(integer(5), list(), list()),
		array(integer(5), list(), list(), typed(7)), array(integer(5), list(), list()),
		[]string{"$: both have changed it, and it is not certain which element has become which: [5, [], [], []]; [5, [], []]; [5, [], [], Array[int]([7])]"}},
	{"removed, and only stored in another way", array(text("a"), list(7), text("b")), array(text("a"), text("b")), array(text("a"), typed(7), text("b")),
		array(text("a"), text("b")), nil},
	{"by position or moved on", hp(1, 1, 2, 3, 4, 5, 1), hp(1, 2, 3, 3, 5, 1, 1), hp(1, 1, 2, 4, 4, 5, 1), hp(1, 2, 3, 3, 5, 1, 1), []string{
		"$.list: both have changed it, and it is not certain which element has become which: [1, 2, 3, 4, 5, 1]; [2, 3, 3, 5, 1, 1]; [1, 2, 4, 4, 5, 1]"}},
	{"two parts of a list", hp(1, 8, 5, 5, 10, 6, 6), hp(1, 8, 5, 10, 6), hp(1, 8, 5, 7, 10, 7, 6), hp(1, 8, 5, 10, 6), []string{
		"$.list: both have changed it, and it is not certain which element has become which: [8, 5, 5, 10, 6, 6]; [8, 5, 10, 6]; [8, 5, 7, 10, 7, 6]"}},
}

// merged merges saves with one choice for all conflicts.
func merged(t *testing.T, base, ours, theirs []byte, choose func(*Conflict) Choice) (*model.Transaction, []Conflict) {
	t.Helper()
	x := begin(t, open(t, ours))
	conflicts, err := MergeTrees(context.Background(), x, open(t, base).Tree, open(t, theirs).Tree, compare.Options{}, choose)
	savetest.Must(t, err)
	return x, conflicts
}

func TestMerge(t *testing.T) {
	for _, c := range merges {
		t.Run(c.name, func(t *testing.T) {
			x, conflicts := merged(t, c.base, c.ours, c.theirs, nil)
			wantBytes(t, x, c.merged)
			var found []string
			for _, f := range conflicts {
				found = append(found, f.Path+": "+f.Why+": "+strings.Join([]string{f.Base, f.Ours, f.Theirs}, "; "))
			}
			if !slices.Equal(found, c.conflicts) {
				t.Errorf("conflicts %q, want %q", found, c.conflicts)
			}
		})
	}
}

// uncounted are forms of lists of numbers. The first two do not say how many elements they have.
var uncounted = []struct {
	dialect, framing string
	list             func(...int32) []byte
}{
	{"godot4", "stream", func(elements ...int32) (b []byte) {
		for _, n := range elements {
			b = slices.Concat(b, []byte{8, 0, 0, 0}, integer(n))
		}
		return b
	}},
	{"json", "", func(elements ...int32) []byte {
		b, _ := json.Marshal(elements)
		return bytes.ReplaceAll(b, []byte(","), []byte(", "))
	}},
	{"godot4", "raw", list},
}

// TestTakeMoved: one element that was moved goes to its place, also in such lists.
func TestTakeMoved(t *testing.T) {
	for _, form := range uncounted {
		a := openAs(t, savetest.Write(t, form.list(1, 2, 3, 4, 5, 6)), form.dialect, form.framing)
		b := openAs(t, savetest.Write(t, form.list(1, 3, 4, 5, 2, 6)), form.dialect, form.framing)
		changes, err := compare.All(t.Context(), a.Tree, b.Tree, compare.Options{})
		savetest.Must(t, err)
		if len(changes) != 1 || changes[0].Kind != compare.Moved {
			t.Fatalf("%d changes", len(changes))
		}
		x := begin(t, a)
		savetest.Must(t, one(t.Context(), x, b.Tree.NewReader(), nil, changes[0]))
		wantBytes(t, x, form.list(1, 3, 4, 5, 2, 6))
	}
}

// TestMergeUncounted: in lists that do not say how many elements they have, what was added also stays
// between its neighbours, and what both have added in one place is a conflict.
func TestMergeUncounted(t *testing.T) {
	for _, form := range uncounted {
		open := func(t *testing.T, elements []int32) *model.Document {
			return openAs(t, savetest.Write(t, form.list(elements...)), form.dialect, form.framing)
		}
		for _, c := range []struct {
			about                      string
			base, ours, theirs, merged []int32
			conflict                   string
		}{
			{"in the middle", []int32{1, 2, 3, 4}, []int32{1, 2, 3, 5}, []int32{1, 9, 2, 3, 4}, []int32{1, 9, 2, 3, 5}, ""},
			{"at the start and the end", []int32{1, 2, 3}, []int32{8, 1, 2, 3}, []int32{1, 2, 3, 9}, []int32{8, 1, 2, 3, 9}, ""},
			{"both at the end", []int32{1, 2, 3}, []int32{1, 2, 3, 8}, []int32{1, 2, 3, 9}, []int32{1, 2, 3, 8}, "$[3]: both have added a value here: ours is $[3]"},
			{"a removed neighbour", []int32{1, 2, 3, 4}, []int32{1, 2, 4}, []int32{9, 1, 2, 3, 4}, []int32{9, 1, 2, 4}, ""},
		} {
			t.Run(form.dialect+" "+form.framing+", "+c.about, func(t *testing.T) {
				x := begin(t, open(t, c.ours))
				conflicts, err := MergeTrees(t.Context(), x, open(t, c.base).Tree, open(t, c.theirs).Tree, compare.Options{}, nil)
				savetest.Must(t, err)
				wantBytes(t, x, form.list(c.merged...))
				found := ""
				for _, f := range conflicts {
					found += f.Path + ": " + f.Why
				}
				if found != c.conflict {
					t.Errorf("conflicts %q, want %q", found, c.conflict)
				}
			})
		}
	}
}

// TestBecomeTypes: in one dialect values also become of the types that they have in the other tree, where
// that is seen.
func TestBecomeTypes(t *testing.T) {
	float := binary.LittleEndian.AppendUint32([]byte{3, 0, 0, 0}, math.Float32bits(1))
	wide := []byte{2, 0, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0}
	for _, c := range []struct{ from, to, want []byte }{
		{array(integer(1), text("a"), integer(3)), array(float, text("b"), integer(3)), array(float, text("b"), integer(3))},
		{integer(1), float, float},
		{array(float, integer(3)), array(integer(1), wide), array(integer(1), integer(3))}, // a width is not seen
	} {
		x := begin(t, open(t, c.from))
		savetest.Must(t, become(t.Context(), x, open(t, c.to).Tree, compare.Options{Alike: true}))
		wantBytes(t, x, c.want)
	}
}

// TestMergeTypes: that a value has become one of another type which means the same is a change of it, where
// all files are of one dialect.
func TestMergeTypes(t *testing.T) {
	float := func(n float32) []byte {
		return binary.LittleEndian.AppendUint32([]byte{3, 0, 0, 0}, math.Float32bits(n))
	}
	wide := func(n byte) []byte { return []byte{2, 0, 1, 0, n, 0, 0, 0, 0, 0, 0, 0} }
	a := func(v []byte) []byte { return array(v, text("a")) }
	for _, c := range []struct {
		about                      string
		base, ours, theirs, merged []byte
		conflict                   string
	}{
		{"we set it", a(integer(1)), a(integer(2)), a(float(1)), a(integer(2)), "$[0]: we have changed it, they have retyped it"},
		{"they set it", a(integer(1)), a(float(1)), a(integer(2)), a(float(1)), "$[0]: we have retyped it, they have changed it"},
		{"we removed it", a(integer(1)), array(text("a")), a(float(1)), array(text("a")), "$[0]: we have removed it, they have retyped it"},
		{"they removed it", a(integer(1)), a(float(1)), array(text("a")), a(float(1)), "$[0]: we have retyped it, they have removed it"},
		{"both", a(integer(1)), a(float(1)), a(float(1)), a(float(1)), ""},
		{"only they", a(integer(1)), a(integer(1)), a(float(1)), a(float(1)), ""},
		{"other values", array(integer(1), integer(2)), array(integer(1), integer(3)), array(float(1), integer(2)), array(float(1), integer(3)), ""},
		{"a width", a(integer(1)), a(integer(2)), a(wide(1)), a(integer(2)), ""},
		{"one of several alike", array(integer(1), integer(1), integer(1)), array(integer(1), integer(1)), array(integer(1), integer(1), float(1)), array(integer(1), integer(1)),
			"$: both have changed it, and it is not certain which element has become which"},
	} {
		t.Run(c.about, func(t *testing.T) {
			x := begin(t, open(t, c.ours))
			conflicts, err := MergeTrees(t.Context(), x, open(t, c.base).Tree, open(t, c.theirs).Tree, compare.Options{Alike: true}, nil)
			savetest.Must(t, err)
			wantBytes(t, x, c.merged)
			found := ""
			for _, f := range conflicts {
				found += f.Path + ": " + f.Why
			}
			if found != c.conflict {
				t.Errorf("conflicts %q, want %q", found, c.conflict)
			}
			if c.conflict != "" {
				x = begin(t, open(t, c.ours))
				_, err := MergeTrees(t.Context(), x, open(t, c.base).Tree, open(t, c.theirs).Tree, compare.Options{Alike: true}, func(*Conflict) Choice { return TakeTheirs })
				savetest.Must(t, err)
				wantBytes(t, x, c.theirs)
			}
		})
	}
}

// TestChoices: with one choice for all conflicts there is the value of that side. The merges here
// change nothing but what they conflict about.
func TestChoices(t *testing.T) {
	for _, c := range merges {
		if len(c.conflicts) == 0 || c.name == "one place" || strings.HasSuffix(c.name, "is not renamed") { // where both values can stay
			continue
		}
		for which, want := range map[Choice][]byte{KeepOurs: c.ours, TakeTheirs: c.theirs, TakeBase: c.base} {
			t.Run(c.name, func(t *testing.T) {
				x, conflicts := merged(t, c.base, c.ours, c.theirs, func(*Conflict) Choice { return which })
				wantBytes(t, x, want)
				if err := Undecided(conflicts); err != nil {
					t.Errorf("choice %d: %v", which, err)
				}
			})
		}
	}
}

// What is chosen where it is not certain which element has become which replaces the list: what they have changed elsewhere is
// merged.
func TestChoicesOfElements(t *testing.T) {
	base, ours, theirs := hp(1, 8, 5, 5, 5, 9), hp(2, 8, 5, 5, 9), hp(1, 7, 8, 5, 6, 5, 9)
	for which, want := range map[Choice][]byte{
		NotChosen:  hp(2, 8, 5, 5, 9),
		KeepOurs:   hp(2, 8, 5, 5, 9),
		TakeTheirs: hp(2, 7, 8, 5, 6, 5, 9),
		TakeBase:   hp(2, 8, 5, 5, 5, 9),
	} {
		x, conflicts := merged(t, base, ours, theirs, func(*Conflict) Choice { return which })
		wantBytes(t, x, want)
		want := Conflict{Path: "$.list", Base: "[8, 5, 5, 5, 9]", Ours: "[8, 5, 5, 9]", Theirs: "[7, 8, 5, 6, 5, 9]", Why: whyUnclear,
			Choice: which, Possible: []Choice{KeepOurs, TakeTheirs, TakeBase}}
		if !reflect.DeepEqual(conflicts, []Conflict{want}) {
			t.Errorf("conflicts %+v, want %+v", conflicts, want)
		}
	}
}

// If both have added an element, theirs can be put after ours; having no element is not a choice.
func TestChoicesOfAdded(t *testing.T) {
	for which, want := range map[Choice][]byte{KeepOurs: hp(1, 10, 20), TakeTheirs: hp(1, 10, 20, 30), TakeBase: hp(1, 10, 20)} {
		x, conflicts := merged(t, hp(1, 10), hp(1, 10, 20), hp(1, 10, 30), func(*Conflict) Choice { return which })
		wantBytes(t, x, want)
		if err := Undecided(conflicts); (err != nil) != (which == TakeBase) {
			t.Errorf("choice %d: %v", which, err)
		}
	}
}

// A merge that was looked at is made with what was chosen, unless the document was edited since.
func TestMergeOfDocument(t *testing.T) {
	ctx := context.Background()
	d := open(t, hp(2, 1))
	x, err := OpenMerge(ctx, d, savetest.Write(t, hp(1, 1)), savetest.Write(t, hp(3, 1, 4)), nil)
	savetest.Must(t, err)
	defer x.Close()
	savetest.Must(t, x.Find(ctx, d))
	if len(x.Conflicts) != 1 || x.Left() != 1 {
		t.Fatalf("%+v", x.Conflicts)
	}
	if err := x.Make(ctx, begin(t, d), x.Choices()); err == nil || err.Error() != "$.hp: both have changed it" {
		t.Errorf("without a choice: %v", err)
	}
	x.Conflicts[0].Choice = TakeTheirs
	made := begin(t, d)
	savetest.Must(t, x.Make(ctx, made, x.Choices()))
	wantBytes(t, made, hp(3, 1, 4))
	if err := x.Make(ctx, made, x.Choices()); x.Left() != 0 || err != model.ErrOutdated {
		t.Errorf("made twice: %v", err)
	}
}

package godot_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// setStream sets a whole stream to a list.
func setStream(f *godot.Format, r *tree.Reader, list string) ([]source.Splice, error) {
	return f.Set(context.Background(), r, r.Tree.Base, edit.Content{Literal: list}, edit.Options{})
}

// TestSetStream: a stream set to its own list stays as it is. Set to another list, it has those values, and
// frames whose values stay keep their bytes.
func TestSetStream(t *testing.T) {
	some := literals(t)
	streams := 0
	for _, file := range Files(t) {
		r := TreeOf(file.Format, file.Data).NewReader()
		if file.Format.TypeName(&r.Tree.Base.Value) != "stream" {
			continue
		}
		own := childTexts(t, r, r.Tree.Base)
		for _, text := range []string{TextOf(t, r, &r.Tree.Base.Value), "[ " + strings.Join(own, " , ") + " ]"} {
			if splices, err := setStream(file.Format, r, text); err != nil || len(splices) > 0 {
				t.Errorf("%s: set to its own %.100s: %v, %v", file.Name, text, splices, err)
			}
		}
		if streams++; strings.HasPrefix(file.Name, "damaged/") {
			continue
		}
		rnd := rand.New(rand.NewPCG(1, uint64(streams)))
		for range 8 {
			checkSetStream(t, file, r, own, otherList(rnd, own, some[file.Format.Dialect.Name]))
		}
	}
	if streams < 8 {
		t.Errorf("only %d streams", streams)
	}
}

// literals are literals of values by dialect, except those with problems that they would bring along.
func literals(t *testing.T) map[string][]string {
	some := map[string][]string{}
	for _, file := range Files(t) {
		if strings.HasPrefix(file.Name, "damaged/") || file.Problems[span.RepeatedKey]+file.Problems[span.ByteOrderMark] > 0 {
			continue
		}
		r := TreeOf(file.Format, file.Data).NewReader()
		name := file.Format.Dialect.Name
		some[name] = append(some[name], childTexts(t, r, r.Tree.Base)...)
	}
	return some
}

var whole = regexp.MustCompile(`^-?\d+$`)

// otherList returns a list of some values, about half of them those of a stream.
func otherList(rnd *rand.Rand, own, some []string) []string {
	list := make([]string, rnd.IntN(len(own)+4))
	for i := range list {
		list[i] = some[rnd.IntN(len(some))]
		// An int in place of a float becomes a float.
		if i < len(own) && (rnd.IntN(2) == 0 || whole.MatchString(list[i]) && !whole.MatchString(own[i])) {
			list[i] = own[i]
		}
	}
	return list
}

func checkSetStream(t *testing.T, file File, r *tree.Reader, own, list []string) {
	t.Helper()
	text := "[" + strings.Join(list, ", ") + "]"
	splices, err := setStream(file.Format, r, text)
	if err != nil {
		t.Fatalf("%s: %v: %s", file.Name, err, text)
	}
	is := applied(t, file, text, splices)
	if got := childTexts(t, is, is.Tree.Base); !slices.Equal(got, list) {
		t.Fatalf("%s: set to %q, reads back as %q", file.Name, list, got)
	}
	for i := range min(len(own), len(list)) {
		if own[i] == list[i] && !bytes.Equal(frame(t, r, i), frame(t, is, i)) {
			t.Errorf("%s: the bytes of value %d have changed, its text %s has not", file.Name, i, own[i])
		}
	}
}

// frame is the bytes of a frame.
func frame(t *testing.T, r *tree.Reader, i int) []byte {
	t.Helper()
	n, err := r.Child(r.Tree.Base, int64(i))
	if err == nil {
		n, err = r.Finish(n)
	}
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, n.End-n.Start)
	if _, err := r.Tree.Source.ReadAt(b, n.Start); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSetStreamTo(t *testing.T) {
	for _, c := range []struct {
		change
		list string
	}{
		{change{"godot4 stream", "04000000 00000000", "$", "08000000 02000000 05000000"}, "[5]"},
		{change{"godot4 stream", "04000000 00000000", "$", "04000000 00000000 08000000 01000000 01000000"}, "[null, true]"},
		{change{"godot4 big-endian", "00000004 00000000", "$", "00000004 00000000 00000008 01000000 01000000"}, "[null, true]"},
		{change{"godot4 big-endian", "00000004 00000000 00000004 00000000", "$", "0000000c 02000100 00f2052a 01000000"}, "[5000000000]"},
		{change{"godot4 stream", "", "$", "04000000 00000000"}, "[null]"},
		{change{"godot4 stream", "04000000 00000000", "$", ""}, "[]"},
		// what follows a value in its frame stays
		{change{"godot4 stream", "0a000000 02000000 01000000 aabb 04000000 00000000", "$", "0a000000 02000000 02000000 aabb 04000000 00000000"}, "[2, null]"},
		// damaged values stay as they are
		{change{"godot4 stream", "06000000 01000000 0200 04000000 00000000", "$", "06000000 01000000 0200 08000000 02000000 05000000"}, "[<frame-too-short>, 5]"},
		{change{"godot4 stream", "04000000 04000000 04000000 00000000", "$", "04000000 04000000 08000000 02000000 05000000"}, "[<frame-too-short>, 5]"},
		{change{"godot4 stream", "04000000 04000000 04000000 00000000", "$", "at character 2: the damage here is of another kind: <frame-too-short>"}, "[<truncated>, 5]"},
		{change{"godot4 stream", "08000000 00000000", "$", behindDamage}, "[null, null]"}, // its length is too large
		{change{"godot4 stream", "04000000 00000000", "$", "at character 1: a list of the values of the stream is expected, in [ ]"}, "5"},
		{change{"godot4 stream", "04000000 00000000", "$", "at character 1: a list of the values of the stream is expected, in [ ]"}, "Array[int]([5])"},
		{change{"godot3 stream", "04000000 00000000", "$", "at character 2: Godot 3 has no StringName"}, `[&"a"]`},
	} {
		c.check(t, "set to "+c.list, func(f *godot.Format, r *tree.Reader, _ *tree.Node) ([]source.Splice, error) {
			return setStream(f, r, c.list)
		})
	}
}

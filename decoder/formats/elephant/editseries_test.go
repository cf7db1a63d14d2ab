package elephant_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/internal/elephantref"
)

// A series makes random edits of a block, and the same edits of its model.
type series struct {
	t    *testing.T
	rnd  *rand.Rand
	b    *Block
	data []byte
	tr   *tree.Tree
	root *Thing
	done map[string]int
}

func newSeries(t *testing.T, b *Block, seed uint64) *series {
	s := &series{t: t, rnd: rand.New(rand.NewPCG(seed, 7)), b: b, data: b.Data, done: map[string]int{}}
	s.root = s.decode("as it was")
	s.tr = b.Tree(b.Data)
	return s
}

func (s *series) decode(what string) *Thing {
	f, err := elephantref.Decode(s.data, s.b.Schemas)
	if err != nil {
		s.t.Fatalf("%s: %s: %v\n%x", s.b.Name, what, err, s.data)
	}
	return ThingOf(f, s.b.Schemas)
}

func (s *series) editor() edit.Editor { return s.tr.Reading.(edit.Editor) }

// node is the value at child indexes from the root.
func (s *series) node(path []int64) *tree.Node {
	r := s.tr.NewReader()
	n, err := r.Child(s.tr.Base, 0)
	for _, i := range path {
		if err == nil {
			n, err = r.Child(n, i)
		}
	}
	if err != nil {
		s.t.Fatalf("%s: %v: %v", s.b.Name, path, err)
	}
	return n
}

// step makes one edit. The second decoder must read what the model has.
func (s *series) step(round int) {
	want := duplicate(s.root)
	all := spots(want)
	if len(all) == 0 {
		return
	}
	at := all[s.rnd.IntN(len(all))]
	ops := []func(*Thing, spot) (string, []source.Splice, error){s.set, s.insert, s.insert, s.remove, s.move, s.refer, s.paste, s.skip, s.merge}
	what, splices, err := ops[s.rnd.IntN(len(ops))](want, at)
	switch {
	case what == "":
		return
	case err != nil:
		for _, allowed := range []string{"cannot become undefined", "in two ways at once", "has no references", "the schema says", "the tag says"} {
			if strings.Contains(err.Error(), allowed) {
				return
			}
		}
		s.t.Fatalf("%s round %d: %s: %v", s.b.Name, round, what, err)
	}
	before := s.data
	s.data = Spliced(s.t, s.data, splices)
	what += fmt.Sprintf("\n%x", before)
	got := s.decode(fmt.Sprint("round ", round, ": ", what))
	if diff := Differs(got, want); diff != "" {
		s.t.Fatalf("%s round %d: %s: %s\n%x\n%x", s.b.Name, round, what, diff, before, s.data)
	}
	back := Spliced(s.t, s.data, source.Memory(before).Inverse(splices))
	if !bytes.Equal(back, before) {
		s.t.Fatalf("%s round %d: %s: undone it is not as before", s.b.Name, round, what)
	}
	s.root, s.tr = got, s.b.Tree(s.data)
	s.done[strings.Fields(what)[0]]++
}

// TestSeries makes random edits of files, one after the other.
func TestSeries(t *testing.T) {
	done := map[string]int{}
	for i, b := range append(RealBlocks(t), BuiltBlocks(t, 5)...) {
		if strings.Contains(b.Name, "second-write") || i%3 > 0 || testing.Short() && i%9 > 0 {
			continue // in the first file the names of constructors are missing
		}
		s := newSeries(t, &b, uint64(i))
		for round := range 200 {
			s.step(round)
		}
		for what, n := range s.done {
			done[what] += n
		}
	}
	for _, what := range []string{"set", "insert", "delete", "move", "refer", "paste", "skip", "merge"} {
		if done[what] < 20 && !testing.Short() {
			t.Errorf("%d edits of the kind %s", done[what], what)
		}
	}
	t.Log(done)
}

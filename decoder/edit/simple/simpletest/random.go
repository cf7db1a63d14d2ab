package simpletest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// A value is a value of a tree, in memory.
type value struct {
	literal string
	keys    []string // their literals
	kids    []*value
	holds   bool // whether it can have children
	pairs   bool
	isAny   bool // what an edit makes beside what it was asked for
}

// valueOf reads a node with all in it. A text or a number has no children here.
func valueOf(t testing.TB, r *tree.Reader, n *tree.Node) *value {
	v := &value{literal: literalOf(r, n), holds: n.Layout == tree.Sequence || n.Layout == tree.Pairs, pairs: n.Layout == tree.Pairs}
	if !v.holds {
		return v
	}
	for c, err := r.Child(n, 0); err == nil; c, err = r.Next(c) {
		v.kids = append(v.kids, valueOf(t, r, c))
		if key := r.Key(c); key != nil {
			v.keys = append(v.keys, literalOf(r, key))
		}
	}
	return v
}

func literalOf(r *tree.Reader, n *tree.Node) string {
	return string(r.AppendLiteral(nil, &n.Value, math.MaxInt))
}

// equals compares an expected value with one that was read.
func (v *value) equals(is *value) bool {
	switch {
	case v.isAny:
		return true
	case !v.holds:
		return v.literal == is.literal
	}
	return is.holds && slices.Equal(v.keys, is.keys) && slices.EqualFunc(v.kids, is.kids, (*value).equals)
}

// all returns a value and those in it.
func (v *value) all() []*value {
	found := []*value{v}
	for _, kid := range v.kids {
		found = append(found, kid.all()...)
	}
	return found
}

// maxEdited is the size of a file that is not edited any more.
const maxEdited = 100_000

// testRandom makes random edits of the samples, and of random files: the values are then those of the same edits in
// memory, nothing new is reported, the peer reads the same, and undone all bytes are as they were.
func (s *Suite) testRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var whole []Sample
	for i := range s.Samples {
		if s.Samples[i].isWhole() {
			whole = append(whole, s.Samples[i])
		}
	}
	if s.Random != nil {
		for range 40 {
			x := s.Random(random)
			s.check(t, &x)
			whole = append(whole, x)
		}
	}
	var pool []*value // what is put into files
	for i := range whole {
		tr := Open(t, s.Family, whole[i].bytes(t))
		pool = append(pool, valueOf(t, tr.NewReader(), rootOf(t, tr)).all()...)
	}
	if _, can := Open(t, s.Family, whole[0].bytes(t)).Reading.(edit.Editor); !can {
		return
	}
	made, refused := 0, 0
	for i := range whole {
		x := &editing{t: t, Rand: random, suite: s, pool: pool, b: whole[i].bytes(t)}
		for range 10 {
			if x.step() {
				made++
			} else {
				refused++
			}
			if len(x.b) > maxEdited || t.Failed() {
				break
			}
		}
		s.checkSame(t, x.b, whole[i].Unused)
	}
	if 2*made < refused {
		t.Errorf("%d edits were refused, and only %d made", refused, made)
	}
}

// rootOf returns the outermost value.
func rootOf(t testing.TB, tr *tree.Tree) *tree.Node {
	t.Helper()
	n, err := tr.NewReader().Child(tr.Base, 0)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// An editing makes random edits of a file.
type editing struct {
	*rand.Rand
	t     *testing.T
	suite *Suite
	pool  []*value
	b     []byte
	named int // number of keys that were made
}

// A spot is a value in the tree and in memory.
type spot struct {
	n      *tree.Node
	v      *value
	around *spot
}

// step makes one edit, and reports whether it was not refused.
func (x *editing) step() bool {
	tr := Open(x.t, x.suite.Family, x.b)
	r := tr.NewReader()
	root := rootOf(x.t, tr)
	want := valueOf(x.t, r, root)
	at := x.choose(r, &spot{n: root, v: want})
	what, splices, err := x.edit(r, at)
	if what == "" || err != nil {
		return false
	}
	b, err := Spliced(x.t, tr, splices, err)
	if len(b) == 0 { // there is no value any more
		return true
	}
	after := Open(x.t, x.suite.Family, b)
	if got := valueOf(x.t, after.NewReader(), rootOf(x.t, after)); !want.equals(got) {
		x.t.Errorf("%x: %s (%v) gives %x, which is\n%s", x.b, what, err, b, got.literal)
	}
	FieldsOf(x.t, after)
	if was, is := ProblemsOf(x.t, tr), ProblemsOf(x.t, after); len(was) == 0 && !(&Sample{Problems: is}).isWhole() {
		x.t.Errorf("%x: %s gives %x: %q", x.b, what, b, is)
	}
	if x.suite.Peer != nil {
		if text, err := x.suite.Peer(b); err != nil || text != JSONOf(x.t, after) {
			x.t.Errorf("%x: %s gives %x, which is for the other reader\n%s (%v), not\n%s", x.b, what, b, text, err, JSONOf(x.t, after))
		}
	}
	x.b = b
	return true
}

// choose goes down to a random value.
func (x *editing) choose(r *tree.Reader, at *spot) *spot {
	for len(at.v.kids) > 0 && x.IntN(4) > 0 {
		i := x.IntN(len(at.v.kids))
		n, err := r.Child(at.n, int64(i))
		if err != nil {
			x.t.Fatal(err)
		}
		at = &spot{n, at.v.kids[i], at}
	}
	return at
}

// edit makes a random edit at a spot, also in memory, and says which; "" for none.
func (x *editing) edit(r *tree.Reader, at *spot) (what string, splices []source.Splice, err error) {
	e, v, retype := r.Tree.Reading.(edit.Editor), at.v, edit.Options{Retype: true}
	fresh := x.pool[x.IntN(len(x.pool))]
	index := x.IntN(len(v.kids) + 1)
	where := r.Path(at.n)
	op := x.IntN(6)
	switch {
	case op == 0 || !v.holds:
		splices, err = e.Set(x.t.Context(), r, at.n, edit.Content{Literal: fresh.literal}, retype)
		*v = *fresh
		return fmt.Sprintf("set %s=%s", where, fresh.literal), splices, err
	case op < 3 || len(v.kids) == 0:
		c := edit.Content{Literal: fresh.literal}
		if v.pairs {
			c.Key = x.name()
		}
		splices, err = e.Insert(x.t.Context(), r, at.n, int64(index), c, edit.Options{})
		at.eachColumn(r, func(v *value, isIt bool) {
			if v.kids = slices.Insert(v.kids, index, &value{isAny: true}); isIt {
				v.kids[index] = fresh
			}
			if v.pairs {
				v.keys = slices.Insert(v.keys, index, c.Key)
			}
		})
		return fmt.Sprintf("insert %s: %s into %s at %d", c.Key, c.Literal, where, index), splices, err
	}
	index = x.IntN(len(v.kids))
	child, err := r.Child(at.n, int64(index))
	if err != nil {
		return "", nil, err
	}
	switch {
	case op == 3:
		splices, err = e.Delete(x.t.Context(), r, child, edit.Options{})
		at.eachColumn(r, func(v *value, _ bool) { v.remove(index) })
		return fmt.Sprintf("delete %d of %s", index, where), splices, err
	case op == 4 && v.pairs:
		name := x.name()
		splices, err = e.Set(x.t.Context(), r, r.Key(child), edit.Content{Literal: name}, retype)
		v.keys[index] = name
		return fmt.Sprintf("rename %d of %s to %s", index, where, name), splices, err
	}
	to := x.IntN(len(v.kids))
	splices, err = e.Move(x.t.Context(), r, child, int64(to), edit.Options{})
	at.eachColumn(r, func(v *value, _ bool) {
		kid, key := v.remove(index)
		v.kids = slices.Insert(v.kids, to, kid)
		if v.pairs {
			v.keys = slices.Insert(v.keys, to, key)
		}
	})
	return fmt.Sprintf("move %d of %s to %d", index, where, to), splices, err
}

// name returns a key that no file has.
func (x *editing) name() string {
	x.named++
	return fmt.Sprintf(`"new%d"`, x.named)
}

// eachColumn calls do for a value, and for those beside it that get and lose children with it: columns.
func (at *spot) eachColumn(r *tree.Reader, do func(v *value, isIt bool)) {
	if r.Tree.Reading.TypeName(&at.n.Value) != "column" {
		do(at.v, true)
		return
	}
	for _, v := range at.around.v.kids {
		do(v, v == at.v)
	}
}

// remove takes out a child.
func (v *value) remove(i int) (kid *value, key string) {
	kid = v.kids[i]
	v.kids = slices.Delete(slices.Clone(v.kids), i, i+1)
	if v.pairs {
		key = v.keys[i]
		v.keys = slices.Delete(slices.Clone(v.keys), i, i+1)
	}
	return kid, key
}

// Package random uses the terminal program at random, without a terminal, makes random edits of saves and merges random lists, and holds
// what is promised of them. The three share a program.
package random

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/compare"
	"varview/model/diff"
	"varview/model/patch"
)

// The properties.
const (
	Forward  = "a patch gives the file after the edit, to the byte"
	Reverse  = "a reversed patch gives the file before the edit, to the byte"
	OneSided = "a merge with one changed side is that side, to the byte"
	ByValues = "merged by values, one changed side is that side"
	Apart    = "a merge of edits in different values has both"
	Becomes  = "a patch of a comparison makes of one file what the other is"
)

// Properties are all properties, in the order of the table.
var Properties = []string{Forward, Reverse, OneSided, ByValues, Apart, Becomes}

// A Count says how often a property was held, refused and broken.
type Count struct{ Held, Refused, Broken int }

// A Tally is what a run has found.
type Tally struct {
	Cases  int                          // edits that were made
	By     map[string]map[string]*Count // by format and property
	Broken []string
	Why    map[string]int // reasons of refusals, and how often
}

// A file is a save with the options that open it.
type file struct {
	path string
	data []byte
	o    model.Options
}

// A Runner edits files.
type Runner struct{ files []*file }

// maxSize is the size in bytes of the largest file that is edited.
const maxSize = 20 << 10

// NewRunner returns a runner for the files in folders. Every format is edited about as often as the others.
func NewRunner(ctx context.Context, folders ...string) (*Runner, error) {
	byFormat := map[string][]*file{}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			f, format, err := load(ctx, path)
			if f != nil {
				byFormat[format] = append(byFormat[format], f)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	x := &Runner{}
	most := 0
	for _, files := range byFormat {
		most = max(most, len(files))
	}
	for i := range most {
		for _, format := range slices.Sorted(maps.Keys(byFormat)) {
			files := byFormat[format]
			x.files = append(x.files, files[i%len(files)])
		}
	}
	return x, nil
}

// load reads a file. It is nil if it has no values that can be edited.
func load(ctx context.Context, path string) (*file, string, error) {
	data, err := os.ReadFile(path)
	if err != nil || len(data) > maxSize || strings.HasSuffix(path, ".truth.json") {
		return nil, "", err
	}
	f := &file{path: path, data: data, o: model.Options{Options: decoder.Options{Thorough: decoder.Settle}}}
	f.readTruth()
	d, err := f.open(ctx, data)
	if err != nil {
		return nil, "", err
	}
	defer d.Close()
	if d.Missing != nil || d.IsOther() || d.Innermost().IsWrapper() || d.Format == "capture" {
		return nil, "", nil
	}
	if _, err := d.Innermost().Editor(); err != nil {
		return nil, "", nil
	}
	return f, d.Dialect, nil
}

// readTruth adds the password or key that a truth names.
func (f *file) readTruth() {
	var truth struct{ Password, Key *string }
	data, err := os.ReadFile(strings.TrimSuffix(f.path, filepath.Ext(f.path)) + ".truth.json")
	if err != nil || json.Unmarshal(data, &truth) != nil {
		return
	}
	if truth.Password != nil {
		f.o.Passwords = append(f.o.Passwords, *truth.Password)
	}
	if truth.Key != nil {
		if key, err := hex.DecodeString(*truth.Key); err == nil {
			f.o.Keys = append(f.o.Keys, key)
		}
	}
}

// open opens bytes as if they were the file.
func (f *file) open(ctx context.Context, data []byte) (*model.Document, error) {
	src, err := source.Written(func(out *os.File) error {
		_, err := out.Write(data)
		return err
	})
	if err != nil {
		return nil, err
	}
	return model.OpenSource(ctx, src, f.path, f.o, nil)
}

// Run makes n random edits. The same seed makes the same edits.
func (x *Runner) Run(ctx context.Context, seed uint64, n int) (*Tally, error) {
	t := &Tally{By: map[string]map[string]*Count{}, Why: map[string]int{}}
	for i := range n {
		c := &trial{ctx: ctx, t: t, f: x.files[i%len(x.files)], r: rand.New(rand.NewPCG(seed, uint64(i))), number: i}
		if err := c.run(); err != nil {
			return nil, fmt.Errorf("case %d, %s: %w", i, c.f.path, err)
		}
	}
	return t, nil
}

// One makes one of the edits of Run.
func (x *Runner) One(ctx context.Context, seed uint64, i int) (*Tally, error) {
	t := &Tally{By: map[string]map[string]*Count{}, Why: map[string]int{}}
	c := &trial{ctx: ctx, t: t, f: x.files[i%len(x.files)], r: rand.New(rand.NewPCG(seed, uint64(i))), number: i}
	return t, c.run()
}

// A trial is an edit and what patches and merges make of it.
type trial struct {
	ctx    context.Context
	t      *Tally
	f      *file
	r      *rand.Rand
	number int

	dialect string
	before  *model.Document
	did     string
}

func (c *trial) run() (err error) {
	defer c.caught()
	if c.before, err = c.f.open(c.ctx, c.f.data); err != nil {
		return err
	}
	defer c.before.Close()
	c.dialect = c.before.Dialect
	first, err := c.before.Begin(c.before.Innermost())
	if err != nil {
		return err
	}
	all := nodes(c.before.Innermost())
	if len(all) == 0 {
		return nil
	}
	at := all[c.r.IntN(len(all))]
	did, err := c.edit(first, at)
	if err != nil || len(first.Splices()) == 0 {
		return nil // it cannot be made, which is another test's
	}
	c.did = did
	data := content(first)
	after, err := c.f.open(c.ctx, c.saved(first))
	if err != nil {
		return err
	}
	defer after.Close()
	if after.Dialect != c.dialect || after.Missing != nil || !bytes.Equal(content(c.begin(after)), data) {
		return nil // the edit has made it another kind of file
	}
	c.t.Cases++
	c.patches(first.Patch(), after, data)
	c.merges(after, data)
	c.apart(after, at, all)
	c.becomes(after)
	return nil
}

// caught counts a panic.
func (c *trial) caught() {
	if p := recover(); p != nil {
		c.count(Becomes, fmt.Errorf("panic: %v\n%s", p, debug.Stack()), true)
	}
}

// saved returns the file with the edits of a transaction.
func (c *trial) saved(t *model.Transaction) []byte {
	d, err := c.f.open(c.ctx, c.f.data)
	if err != nil {
		panic(err)
	}
	u, err := d.Begin(d.Innermost())
	for _, splices := range t.Splices() {
		by := int64(0)
		for _, s := range splices {
			var b []byte
			if s.New != nil {
				b, _ = readAll(s.New)
			}
			err = errors.Join(err, u.Bytes(s.Offset+by, s.Length, b))
			by += int64(len(b)) - s.Length
		}
	}
	if err != nil {
		panic(err)
	}
	if d, err = u.Commit(c.ctx, "edit", model.Cursor{}, model.Cursor{}); err != nil {
		panic(err)
	}
	defer d.Close()
	src, err := source.Written(func(f *os.File) error { return d.WriteTo(c.ctx, f, model.SaveOptions{}, new(model.Progress)) })
	if err != nil {
		panic(err)
	}
	defer src.Close()
	b, err := readAll(src)
	if err != nil {
		panic(err)
	}
	return b
}

func readAll(s source.Source) ([]byte, error) {
	b := make([]byte, s.Size())
	_, err := s.ReadAt(b, 0)
	return b, err
}

func (c *trial) begin(d *model.Document) *model.Transaction {
	t, err := d.Begin(d.Innermost())
	if err != nil {
		panic(err)
	}
	return t
}

// content returns the bytes of the values as a transaction has left them.
func content(t *model.Transaction) []byte {
	src := t.Reader().Tree.Source
	b := make([]byte, src.Size())
	_, _ = src.ReadAt(b, 0)
	return b
}

// count counts a property: held if err is nil, refused or broken if not.
func (c *trial) count(property string, err error, isBroken bool) {
	of := c.t.By[c.dialect]
	if of == nil {
		of = map[string]*Count{}
		c.t.By[c.dialect] = of
	}
	if of[property] == nil {
		of[property] = &Count{}
	}
	switch {
	case err == nil:
		of[property].Held++
	case isBroken:
		of[property].Broken++
		c.t.Broken = append(c.t.Broken, fmt.Sprintf("case %d, %s, %s:\n  %s\n  %v", c.number, c.f.path, c.did, property, err))
	default:
		of[property].Refused++
		c.t.Why[fmt.Sprintf("%s: case %d, %s, %s: %v", property, c.number, c.f.path, c.did, err)]++
	}
}

// patches holds what the patch of an edit gives in both directions.
func (c *trial) patches(ops patch.Patch, after *model.Document, data []byte) {
	var text bytes.Buffer
	if err := ops.Write(&text); err != nil {
		c.count(Forward, err, false)
		return
	}
	p, err := patch.Read(&text)
	if err != nil {
		c.count(Forward, err, true)
		return
	}
	t := c.begin(c.before)
	if err := t.Apply(c.ctx, p, edit.Options{}); err != nil {
		c.count(Forward, err, false)
	} else {
		c.same(Forward, content(t), data)
	}
	t = c.begin(after)
	if err := t.Apply(c.ctx, p.Reversed(), edit.Options{}); err != nil {
		c.count(Reverse, err, false)
	} else {
		c.same(Reverse, content(t), content(c.begin(c.before)))
	}
}

// same counts a property that holds if two contents are equal.
func (c *trial) same(property string, is, want []byte) {
	if !bytes.Equal(is, want) {
		at := 0
		for at < min(len(is), len(want)) && is[at] == want[at] {
			at++
		}
		near := func(b []byte) []byte { return b[max(0, at-24):min(len(b), at+40)] }
		c.count(property, fmt.Errorf("%d bytes, want %d; at %#x:\n    %q\n    %q", len(is), len(want), at, near(is), near(want)), true)
		return
	}
	c.count(property, nil, false)
}

// merges merges an edit with the file that it was made in.
func (c *trial) merges(after *model.Document, data []byte) {
	base := c.before.Innermost().Tree()
	for _, side := range [][2]*model.Document{{c.before, after}, {after, c.before}, {after, after}} {
		t := c.begin(side[0])
		conflicts, err := diff.MergeFiles(c.ctx, t, c.before, side[1], compare.Options{}, nil)
		if err != nil || len(conflicts) > 0 {
			c.count(OneSided, fmt.Errorf("%v %v", err, conflicts), true)
			continue
		}
		c.same(OneSided, content(t), data)
	}
	t := c.begin(c.before)
	conflicts, err := diff.MergeTrees(c.ctx, t, base, after.Innermost().Tree(), compare.Options{SameDialect: true}, nil)
	if err != nil || len(conflicts) > 0 {
		c.count(ByValues, fmt.Errorf("%v %v", err, conflicts), false)
		return
	}
	c.means(ByValues, t.Reader().Tree, after.Innermost().Tree())
}

// means counts a property that holds if two trees have the same values in the same form.
func (c *trial) means(property string, is, want *tree.Tree) {
	changes, err := compare.All(c.ctx, is, want, compare.Options{})
	changes = slices.DeleteFunc(changes, func(x *compare.Change) bool {
		t, n := is, x.A
		if n == nil {
			t, n = want, x.B
		}
		f, ok := t.Reading.(format.Follower)
		return ok && f.Follows(t.NewReader(), n)
	})
	if property != Becomes { // a merge cannot say that a width or layout is another
		changes = slices.DeleteFunc(changes, func(x *compare.Change) bool {
			return x.Kind == compare.Retyped && string(is.NewReader().AppendLiteral(nil, &x.A.Value, 1000)) == string(want.NewReader().AppendLiteral(nil, &x.B.Value, 1000))
		})
	}
	if err == nil && len(changes) > 0 {
		x := changes[0]
		literal := func(t *tree.Tree, n *tree.Node) string {
			if n == nil {
				return "nothing"
			}
			r := t.NewReader()
			return r.Tree.Reading.TypeName(&n.Value) + " " + string(r.AppendLiteral(nil, &n.Value, 200))
		}
		err = fmt.Errorf("%s is %s: %s, want %s", x.Path, x.Kind, literal(is, x.A), literal(want, x.B))
	}
	c.count(property, err, true)
}

// apart merges an edit with one elsewhere in the file.
func (c *trial) apart(after *model.Document, at *tree.Node, all []*tree.Node) {
	other := all[c.r.IntN(len(all))]
	if !areApart(at, other) {
		return
	}
	theirs := c.begin(c.before)
	did, err := c.edit(theirs, other)
	if err != nil || len(theirs.Splices()) == 0 {
		return
	}
	was := c.did
	defer func() { c.did = was }()
	c.did += ", and " + did
	t := c.begin(after)
	conflicts, err := diff.MergeTrees(c.ctx, t, c.before.Innermost().Tree(), theirs.Reader().Tree, compare.Options{SameDialect: true}, nil)
	if err != nil || len(conflicts) > 0 {
		c.count(Apart, fmt.Errorf("%v %v", err, conflicts), false)
		return
	}
	both := c.begin(after)
	if err := both.Apply(c.ctx, theirs.Ops(), edit.Options{}); err != nil {
		return // the edits are not independent
	}
	c.means(Apart, t.Reader().Tree, both.Reader().Tree)
}

// areApart reports whether neither value is in the container of the other.
func areApart(a, b *tree.Node) bool {
	isIn := func(n, in *tree.Node) bool {
		for ; n != nil; n = n.Parent {
			if n.ID() == in.ID() {
				return true
			}
		}
		return false
	}
	return a.Parent != nil && b.Parent != nil && !isIn(a, b.Parent) && !isIn(b, a.Parent)
}

// becomes makes of the file what the edited one is, and the other way round, by patches.
func (c *trial) becomes(after *model.Document) {
	c.becomesOf(c.before, after)
	c.becomesOf(after, c.before)
}

// becomesOf makes of one file what another is, and applies the patch of that.
func (c *trial) becomesOf(from, to *model.Document) {
	t, want := c.begin(from), to.Innermost().Tree()
	left, err := diff.Become(c.ctx, t, want, compare.Options{SameDialect: true})
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("left: %s", left[0].Path)
	}
	if err != nil {
		c.count(Becomes, err, false)
		return
	}
	c.means(Becomes, t.Reader().Tree, want)
	var text bytes.Buffer
	if t.Patch().Write(&text) != nil {
		return
	}
	p, err := patch.Read(&text)
	if err != nil {
		c.count(Becomes, err, true)
		return
	}
	u := c.begin(from)
	if err := u.Apply(c.ctx, p, edit.Options{}); err != nil {
		c.count(Becomes, fmt.Errorf("applied: %w", err), false)
		return
	}
	c.same(Becomes, content(u), content(t))
}

// Sum returns the counts of a property for all formats together.
func (t *Tally) Sum(property string) (all Count) {
	for _, by := range t.By {
		if n := by[property]; n != nil {
			all.Held, all.Refused, all.Broken = all.Held+n.Held, all.Refused+n.Refused, all.Broken+n.Broken
		}
	}
	return all
}

// Table returns the counts as text.
func (t *Tally) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d edits; held/refused/broken\n", t.Cases)
	for _, property := range Properties {
		fmt.Fprintln(&b, property)
		for _, format := range slices.Sorted(maps.Keys(t.By)) {
			if n := t.By[format][property]; n != nil {
				fmt.Fprintf(&b, "  %-22s %6d %5d %5d\n", format, n.Held, n.Refused, n.Broken)
			}
		}
		total := t.Sum(property)
		fmt.Fprintf(&b, "  %-22s %6d %5d %5d\n", "all", total.Held, total.Refused, total.Broken)
	}
	return b.String()
}

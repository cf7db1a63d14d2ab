package model

import (
	"bytes"
	"context"
	"slices"
	"sort"
	"strings"
	"sync/atomic"

	"varview/decoder/diagnose"
	"varview/decoder/engine/format"
	"varview/decoder/engine/parallel"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model/problems"
)

// A version is the state of a buffer after an edit. More may become known about it, but its bytes do not
// change.
type version struct {
	tree     *tree.Tree
	content  *source.Pieces // bytes of the tree
	changed  []span.Span    // what differs from the saved version; a span is empty where bytes were removed
	compared bool           // changed is known
	problems problems.List
	indexed  atomic.Bool    // Index is through
	first    []span.Problem // problems that were known before the check, and that it has still to pass

	examined Progress                      // how far Diagnose is
	found    atomic.Pointer[problems.List] // problems that Diagnose found; nil until it is done
	awaited  atomic.Pointer[problems.List] // what is shown until then; nil if nothing was known before, or Diagnose has nothing to do
	unsure   *problems.List                // problems known before an edit, in bytes after it; the reading decides whether they still hold; nil if there are none
	put      []span.Span                   // spans that edits have put in since something was known
}

// known returns the problems, with their causes once these are found.
func (v *version) known() *problems.List {
	if x := v.found.Load(); x != nil {
		return x
	}
	if x := v.awaited.Load(); x != nil {
		return x
	}
	return &v.problems
}

// read indexes and checks the version, if that has not been done. It leaves one core for the user
// interface.
func (v *version) read(ctx context.Context) error {
	err := v.tree.HopFrames(ctx)
	if err == nil {
		err = v.tree.BuildIndex(ctx)
	}
	if err == nil {
		err = v.tree.CheckRest(ctx, tree.CheckOptions{Workers: parallel.Workers() - 1}, v.reportRest)
	}
	v.indexed.Store(err == nil)
	if err == nil {
		v.settle(ctx)
	}
	return err
}

// expectNotes adds notes that the check has still to pass, so that what is to be said of the beginning or of the whole is
// known before the index is complete.
func (v *version) expectNotes(notes []span.Problem) {
	for _, p := range notes {
		v.report(p, nil)
	}
	v.first = slices.Clone(notes)
}

// reportRest is report for problems that may have been expected.
func (v *version) reportRest(p span.Problem, at *tree.Node) {
	if i := slices.Index(v.first, p); i >= 0 {
		v.first = slices.Delete(v.first, i, i+1)
		return
	}
	v.report(p, at)
}

// passed returns how many bytes the read has passed, and how many there are.
func (v *version) passed() (done, all int64) {
	all = v.tree.Source.Size()
	indexed, _ := v.tree.Indexed()
	checked, _ := v.tree.Checked()
	return (indexed + min(checked, all)) / 2, all
}

// report adds a problem found while reading.
func (v *version) report(p span.Problem, _ *tree.Node) {
	v.problems.Add(p)
	v.expectAlso(p)
}

// edited returns the version after an edit. It is not yet compared with the file, which takes time for
// each change.
func (b *Buffer) edited(v *version, splices []source.Splice) *version {
	e := &version{content: v.content.Splice(splices)}
	var read []span.Span
	if b.layer == nil && !v.problems.IsFull() {
		e.tree, read = v.tree.Edited(e.content, splices, e.problems.Add)
	} else { // a wrapper is opened again anyway
		e.tree = v.tree.Reopen(e.content, splices)
	}
	upTo, done := e.tree.Checked()
	e.problems.Keep(&v.problems, splices, read, upTo)
	e.indexed.Store(done)
	e.expect(v, splices)
	return e
}

// compare finds what differs between a version and the file, if that is not known. If the file cannot be
// read any more, everything that was put in counts.
func (b *Buffer) compare(v *version) {
	if v.compared {
		return
	}
	changes, err := b.differences(v)
	if err != nil {
		changes = v.content.Since(b.base)
	}
	by := int64(0)
	var was *source.Window // of a text
	if b.IsText() {
		was = source.NewWindow(b.base)
	}
	v.changed, v.compared = make([]span.Span, 0, len(changes)), true
	for _, s := range changes {
		c := span.Span{Offset: s.Offset + by, Length: s.Added()}
		if was != nil && c.Length == 0 && s.Offset > 0 && inWord(was.Byte(s.Offset-1)) && inWord(was.Byte(s.Offset)) {
			c.Offset, c.Length = c.Offset-1, 1 // the end of a number or word was removed
		}
		v.changed = append(v.changed, c)
		by += s.Added() - s.Length
	}
}

// inWord reports whether a byte may be in the middle of a number or a word.
func inWord(c byte) bool { return c == '.' || c == '_' || c-'0' < 10 || c|0x20-'a' < 26 }

// differences returns the splices that lead from the file's content to a version.
func (b *Buffer) differences(v *version) ([]source.Splice, error) {
	return b.saved.content.Minimal(v.content.Since(b.base))
}

// needsOpening reports whether an edit has changed bytes that determine how everything is read.
func (b *Buffer) needsOpening(v *version) bool {
	if b.layer != nil {
		return true
	}
	now := b.now.Load()
	f, ok := now.tree.Reading.(format.Declarer)
	if !ok {
		return false
	}
	was, err := readAll(now.content.Slice(f.Declares(now.tree.Region)))
	is, err2 := readAll(v.content.Slice(f.Declares(v.tree.Region)))
	return err != nil || err2 != nil || !bytes.Equal(was, is)
}

// readAll reads all bytes of a short source.
func readAll(src source.Source) ([]byte, error) {
	b := make([]byte, src.Size())
	_, err := src.ReadAt(b, 0)
	if len(b) == 0 {
		err = nil
	}
	return b, err
}

// fewUnsure is the number of problems that are looked up during an edit, so that the list does not shrink
// for a moment.
const fewUnsure = 100

// expect sets the problems that are shown for a version until it is diagnosed: those of the version
// before it whose bytes are still there, and those of the new bytes. Whether problems after the edit
// still hold is decided by reading the version.
func (v *version) expect(was *version, splices []source.Splice) {
	known := was.found.Load()
	if known == nil {
		known = was.awaited.Load()
	}
	if known == nil || v.indexed.Load() && !v.problems.HasEvidence() {
		return
	}
	m := problems.NewMoving(splices)
	v.put = m.Put(was.put)
	before, after := known.Moved(m).Divide(splices[0].Offset)
	if was.unsure != nil {
		list, _ := was.unsure.Moved(m).All()
		after.AddMissing(list)
	}
	v.awaited.Store(before)
	v.unsure = after
	reported, _ := v.problems.All()
	for _, f := range reported {
		v.expectAlso(f.Problem)
	}
	if v.indexed.Load() && after.Count(span.Note) <= fewUnsure {
		v.settle(context.Background())
	}
}

// expectAlso adds a problem to what is shown until a version is diagnosed, if it lies in bytes that were
// put in.
func (v *version) expectAlso(p span.Problem) {
	x := v.awaited.Load()
	if x == nil {
		return
	}
	i := sort.Search(len(v.put), func(i int) bool { return v.put[i].End() > p.Offset })
	if i < len(v.put) && v.put[i].Contains(p.Offset) {
		x.AddMissing([]diagnose.Diagnosis{{Problem: p}})
	}
}

// settle adds to what is shown until a version is diagnosed the problems after the edit that still hold,
// once all is indexed.
func (v *version) settle(ctx context.Context) {
	x := v.awaited.Load()
	if x == nil || v.unsure == nil {
		return
	}
	r := v.tree.NewReader()
	r.Budget = tree.LookUpBudget
	all, _ := v.unsure.All()
	var stand []diagnose.Diagnosis
	for i := range all {
		if ctx.Err() != nil {
			return
		}
		if v.stands(r, &all[i]) {
			stand = append(stand, all[i])
		}
	}
	x.AddMissing(stand)
}

// stands reports whether a problem still holds for the same value: its path leads to its offset, or
// reading reports it again.
func (v *version) stands(r *tree.Reader, f *diagnose.Diagnosis) bool {
	if f.Path == "" {
		return v.problems.Has(f.Offset, f.Code)
	}
	n, err := r.At(f.Offset)
	if err != nil {
		return false
	}
	inside, ok := strings.CutPrefix(r.Path(n), f.Path)
	return ok && (inside == "" || strings.ContainsRune(".[@", rune(inside[0])))
}

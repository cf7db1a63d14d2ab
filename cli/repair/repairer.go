// Package repair repairs the problems that checking a file finds, and reports what it has repaired and
// what is left.
package repair

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/cli/output"
	"varview/decoder"
	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/engine/work"
	"varview/decoder/score"
	"varview/decoder/wrap"
	"varview/model"
)

// run repairs a file, and prints to out what it repairs and what is left. In a folder it skips files that
// are not saves.
func run(ctx context.Context, e *env.Env, file files.File, o *Options, out io.Writer) (err error) {
	name := file.Path
	if err := o.check(name); err != nil {
		return err
	}
	if o.FromBackup {
		if err := takeBackup(ctx, e, name, o, out); err != nil {
			return fmt.Errorf("%s: %w", env.DisplayName(name), err)
		}
		return nil
	}
	r, err := newRepairer(ctx, e, name, o, out)
	if err != nil {
		return err
	}
	defer r.close()
	if file.Folder != "" && r.doc.IsOther() {
		return nil
	}
	err = r.all(work.With(ctx, r.budget))
	if err == nil && o.At >= 0 && !r.found {
		err = fmt.Errorf("there is no problem at %#x%s; \"varview check\" lists them", o.At, ofCodes(o.Codes))
	}
	if err == nil {
		err = r.finish(ctx)
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	switch {
	case errors.Is(err, env.ErrProblems), err == nil:
		return err
	}
	return fmt.Errorf("%s: %w", env.DisplayName(name), err)
}

// ofCodes lists the requested codes.
func ofCodes(codes []string) string {
	if len(codes) == 0 {
		return ""
	}
	return " with the code " + strings.Join(codes, " or ")
}

// A repairer repairs a file.
type repairer struct {
	*env.Env
	o    *Options
	name string
	to   io.Writer     // output
	out  *bufio.Writer // what is done, and what is left
	held bytes.Buffer  // the same, until it is true: the file is written
	line []byte

	first  *model.Document // the file's document
	doc    *model.Document // the current document: of the file, or of what toStage has written
	staged bool

	budget *work.Budget // for all rounds

	tried  map[trial]bool
	vain   map[trial]bool // what did not help and was taken back
	rest   []leftover     // of the current buffer
	found  bool           // a requested problem was found
	chosen bool           // the choice between several causes has been used
	isCut  bool           // missing bytes were repaired

	isScrambled bool // bytes of a wrapper are damaged, as its checksum shows, and so are values in it; others may be
	made        int64
	rounds      int
	lines       []roundLine // about the repairs of a transaction, by rounds and offsets
	left        []leftover
	counts      output.Tally // tally of everything that is left
}

// A roundLine is a line about a repair, with its offset.
type roundLine struct {
	offset int64
	line   []byte
}

// A trial is a repair that was made in a buffer.
type trial struct {
	model.Trial
	buffer int
}

func trialOf(f *diagnose.Diagnosis, buffer int) trial { return trial{model.TrialOf(f), buffer} }

// A leftover is a problem that was not repaired, and why.
type leftover struct {
	model.BufferProblem
	why string
}

func newRepairer(ctx context.Context, e *env.Env, name string, o *Options, out io.Writer) (*repairer, error) {
	doc, err := e.OpenBound(ctx, name, decoder.Through, model.Options{NoBackup: o.NoBackup, Alone: !o.List && o.Replaces(name)})
	if err != nil {
		return nil, err
	}
	r := &repairer{Env: e, o: o, name: name, first: doc, doc: doc, budget: work.New(doc.Size()), tried: map[trial]bool{}, vain: map[trial]bool{}}
	r.to = out
	if o.Path == "-" && !o.DryRun {
		r.to = e.ForPeople(e.Stderr)
	}
	r.out = bufio.NewWriter(r.to)
	if r.writes() {
		r.out.Reset(&r.held)
	}
	return r, nil
}

// writes reports whether a file is written at the end.
func (r *repairer) writes() bool { return !r.o.DryRun && !r.o.List }

func (r *repairer) close() {
	r.out.Flush()
	r.doc.Close()
	if r.first != r.doc {
		r.first.Close()
	}
}

// all repairs the wrappers, outermost first, and then the values.
func (r *repairer) all(ctx context.Context) (err error) {
	if r.isScrambled, err = r.scrambled(ctx); err != nil {
		return err
	}
	for i := 0; i < len(r.doc.Layers); i++ {
		if err := r.repairBuffer(ctx, i); err != nil {
			return err
		}
	}
	if r.doc.Missing != nil {
		return nil
	}
	return r.repairBuffer(ctx, len(r.doc.Layers))
}

// scrambled returns what isScrambled is.
func (r *repairer) scrambled(ctx context.Context) (is bool, err error) {
	if r.doc.Missing != nil || !slices.ContainsFunc(r.doc.Layers, func(l decoder.Layer) bool { return l.Checksum() == wrap.Differs }) {
		return false, nil
	}
	return score.HasProblem(ctx, r.doc.Tree, true, func(p *span.Problem) bool { return p.Severity == span.Error })
}

// repairBuffer repairs a buffer until nothing in it can be repaired any more.
func (r *repairer) repairBuffer(ctx context.Context, number int) error {
	for {
		again, err := r.edit(ctx, number)
		if err != nil {
			return err
		}
		if !again {
			r.leave(r.rest)
			return nil
		}
	}
}

// edit makes one transaction of repairs. It reports whether there may be more to repair, because the
// buffer is read again.
func (r *repairer) edit(ctx context.Context, number int) (again bool, err error) {
	t, err := r.begin(ctx, number)
	if err != nil {
		return false, err
	}
	made, chosen, before := r.made, r.chosen, maps.Clone(r.tried)
	for back := t.Mark(); ; back() {
		r.made, r.chosen, r.tried, r.lines = made, chosen, maps.Clone(before), nil
		r.isCut = false
		if err := r.allRounds(ctx, t); err != nil {
			return false, err
		}
		if !r.noteVain(before) {
			break
		}
	}
	if r.made == made {
		return false, nil
	}
	if err := r.printRounds(t); err != nil {
		return false, err
	}
	if r.o.DryRun {
		if err := r.preview(ctx, t); err != nil {
			return false, err
		}
	}
	r.doc, err = t.Commit(ctx, "repair", model.Cursor{}, model.Cursor{})
	r.budget.SpendReading(r.doc.Size())
	if !r.staged {
		r.first = r.doc
	}
	return true, err
}

// allRounds makes rounds of repairs until no more can be made; one in a wrapper, which is read again after each.
func (r *repairer) allRounds(ctx context.Context, t *model.Transaction) error {
	for {
		found, err := r.find(ctx, t)
		if err != nil {
			return err
		}
		if n, err := r.round(ctx, t, found); err != nil || n == 0 || t.Buffer().IsWrapper() {
			return err
		}
	}
}

// noteVain notes which of the repairs did not help, and reports whether there are any besides those made before.
func (r *repairer) noteVain(before map[trial]bool) bool {
	known := len(r.vain)
	for i := range r.rest {
		if is := trialOf(&r.rest[i].Diagnosis, r.rest[i].Buffer.Number); r.tried[is] && !before[is] {
			r.vain[is] = true
		}
	}
	return len(r.vain) > known
}

// begin begins a transaction on a buffer, as the repairs so far have left it.
func (r *repairer) begin(ctx context.Context, number int) (*model.Transaction, error) {
	if changed := r.doc.ChangedBuffer(); changed != nil && changed.Number != number {
		if err := r.toStage(ctx); err != nil {
			return nil, err
		}
	}
	return r.doc.Begin(r.doc.Buffers[number])
}

// maxFound is the largest number of problems that a round considers.
const maxFound = 10_000

// find returns the problems of a transaction's buffer, including its edits.
func (r *repairer) find(ctx context.Context, t *model.Transaction) (found []diagnose.Diagnosis, err error) {
	doing := "checking"
	if t.Buffer().IsWrapper() {
		doing = "unpacking"
	}
	var p model.Progress
	done := r.Watch(p.Share, doing, r.name)
	defer done()
	r.budget.SpendReading(t.Buffer().Size())
	err = t.Problems(ctx, &p, func(f diagnose.Diagnosis) bool {
		found = append(found, f)
		return len(found) < maxFound
	})
	return found, err
}

// Options says which problems are repaired, and where the result is written.
type Options struct {
	flags.Edit
	Codes  []string // codes of the problems; all if empty
	At     int64    // offset of a problem; negative for everywhere
	Choose int      // number of the chosen cause of several, from 1; 0 for the first, if no other is as likely
	Drop   bool     // whether repairs that drop readable content are made too
	List   bool     // list what can be repaired, and repair nothing

	FromBackup bool // an intact copy beside the file replaces it
}

// choosesRepairs reports whether flags say which repairs are made of a problem.
func (o *Options) choosesRepairs() bool { return o.Drop || o.Choose > 1 }

// choosesProblems reports whether flags say which problems are repaired, and how.
func (o *Options) choosesProblems() bool {
	return o.choosesRepairs() || o.At >= 0 || len(o.Codes) > 0
}

// check refuses flags that cannot be combined.
func (o *Options) check(name string) error {
	for _, code := range o.Codes {
		if !slices.ContainsFunc(model.Codes(), func(c span.Code) bool { return c.Code == code }) {
			return fmt.Errorf(`--code %s: there is no such code ("varview check --codes" lists them)`, code)
		}
	}
	switch {
	case o.FromBackup && (o.choosesProblems() || o.JSON || o.List || o.Path == "-"):
		return errors.New("--from-backup takes another file as a whole; it can only be combined with --dry-run, -o OUT and --force")
	case o.List && (o.DryRun || o.Path != "" || o.choosesRepairs()):
		return errors.New("--list repairs nothing; it can only be combined with --code, --at and --json")
	case o.DryRun, o.List:
		return nil
	case name == "-" && o.Path == "":
		return errors.New("standard input cannot be saved in place: give -o OUT, or -o - for standard output")
	}
	return o.Output.Check(name)
}

// toStage writes the document, as repairs of its wrappers have left it, into a temporary file and
// continues with that: the content of wrappers can only be edited once they are written.
func (r *repairer) toStage(ctx context.Context) error {
	o := model.Options{Options: r.Flags.Options(decoder.Through), GML: r.Flags.Schemas, NoBackup: true, Bound: true}
	if r.name != "-" {
		o.GML = append(o.GML, filepath.Dir(r.name)) // where schemas are found automatically
	}
	doc, err := model.OpenWritten(ctx, r.doc, o)
	if err != nil {
		return err
	}
	if r.doc != r.first {
		err = r.doc.Close()
	}
	r.doc, r.staged = doc, true
	return err
}

// writeStaged writes the document to where the repaired file belongs.
func (r *repairer) writeStaged(ctx context.Context) error {
	switch {
	case r.o.Path == "-":
		return r.SaveToOutput(ctx, r.doc, &r.o.Edit)
	case r.o.Path != "" && !flags.IsSameFile(r.o.Path, r.name):
		return r.SaveAs(ctx, r.doc, model.SaveOptions{Path: r.o.Path, Force: r.o.Force, InPlace: r.o.InPlace})
	}
	return env.OtherWays(r.first.ReplaceBy(ctx, r.doc, model.SaveOptions{Force: r.o.Force, InPlace: r.o.InPlace}, new(model.Progress)))
}

// round makes the repairs that can be made at once, and records what is left.
func (r *repairer) round(ctx context.Context, t *model.Transaction, list []diagnose.Diagnosis) (made int, err error) {
	r.rounds++
	lines, before, left, handled := len(r.lines), r.made, []leftover{}, map[*diagnose.Diagnosis]bool{}
	leave := func(f *diagnose.Diagnosis, why string) {
		left, handled[f] = append(left, leftover{model.BufferProblem{Buffer: t.Buffer(), Diagnosis: *f}, why}), true
	}
	end, err := r.choose(list)
	if err != nil {
		return 0, err
	}
	together := t.Buffer().Together(list[:end], func(f *diagnose.Diagnosis) bool {
		why := r.whyNot(f, t.Buffer().Number)
		if why != "" {
			leave(f, why)
		}
		return why == ""
	})
	err = t.RepairAll(ctx, together, func(f *diagnose.Diagnosis, repair edit.Repair, err error) bool {
		if repair.Remains && r.made > 0 { // the value before may end there because of a repair
			repair.Loss = "what follows it"
		}
		why := r.whyNotMade(&repair, err)
		if why != "" {
			leave(f, why)
			return false
		}
		r.note(&model.BufferProblem{Buffer: t.Buffer(), Diagnosis: *f}, &repair)
		return true
	})
	if err != nil || r.made > before {
		slices.SortStableFunc(r.lines[lines:], func(a, b roundLine) int { return cmp.Compare(a.offset, b.offset) })
		return int(r.made - before), err
	}
	for i := range list {
		if f := &list[i]; !handled[f] {
			leave(f, whyWaiting(f))
			r.found = r.found || r.asksFor(f)
		}
	}
	slices.SortStableFunc(left, func(a, b leftover) int { return cmp.Compare(a.Offset, b.Offset) })
	r.rest = left
	return 0, nil
}

// whyWaiting says why no repair was tried.
func whyWaiting(f *diagnose.Diagnosis) string {
	if f.Repair == "" {
		return diagnose.ErrNoRepair.Error()
	}
	return "what precedes it has to be repaired first"
}

// leave records what is left in a buffer.
func (r *repairer) leave(left []leftover) {
	for _, f := range left {
		r.counts[f.Severity]++
	}
	r.left = append(r.left, left...)
}

// choose replaces the likeliest cause by the requested one, in all merges that git has left. It returns how many problems
// are valid then: all up to that one, or all.
func (r *repairer) choose(list []diagnose.Diagnosis) (n int, err error) {
	i := slices.IndexFunc(list, func(f diagnose.Diagnosis) bool {
		return len(f.Alternatives) > 0 && (r.asksFor(&f) || f.Guess && r.asksForAll())
	})
	if r.o.Choose <= 1 || r.chosen || i < 0 {
		return len(list), nil
	}
	f := &list[i]
	if r.o.Choose > len(f.Alternatives)+1 {
		return 0, fmt.Errorf("--choose %d: the problem at %#x has %s", r.o.Choose, f.Offset, span.Counted(int64(len(f.Alternatives)+1), "cause"))
	}
	isMerge := f.Code == span.MergeConflict
	for j := i + 1; isMerge && j < len(list); j++ {
		if other := &list[j]; other.Code == f.Code && r.asksFor(other) {
			i, *other = j, other.Alternatives[r.o.Choose-2]
		}
	}
	*f, r.chosen = f.Alternatives[r.o.Choose-2], true
	return i + 1, nil
}

// whyNot says why a problem is not repaired; "" if it is.
func (r *repairer) whyNot(f *diagnose.Diagnosis, buffer int) string {
	switch asked := r.asksFor(f); {
	case !asked && f.Guess && r.asksForAll():
		return "it may be right: --code " + f.Code + " asks for it"
	case !asked:
		return "it was not asked for"
	}
	r.found = true
	switch {
	case r.isTooShort(buffer) && !r.doc.IsForeign():
		return "too few bytes are left to tell what they were: --as names the dialect"
	case f.Unsure && r.o.Choose == 0 && !r.o.List:
		return whyUnsure(f)
	case r.tried[trialOf(f, buffer)], r.vain[trialOf(f, buffer)]:
		return "the repair did not help"
	case r.rounds > 1 && r.budget.IsSpent():
		return fmt.Sprintf("%s after %s; run repair again to continue", work.UsedUp, span.Counted(int64(r.rounds-1), "round"))
	}
	return ""
}

// tooShort is the number of bytes that tell too little about what they were.
const tooShort = 24

// isTooShort reports whether the values in a buffer may as well be those of another dialect.
func (r *repairer) isTooShort(buffer int) bool {
	return buffer == len(r.doc.Layers) && r.doc.Confidence == decoder.Weak && r.Flags.Dialect == "" && r.doc.Buffers[buffer].Size() < tooShort
}

// whyUnsure names the other cause that is about as likely.
func whyUnsure(f *diagnose.Diagnosis) string {
	return fmt.Sprintf("another cause is about as likely: %s %s; --choose 1 repairs this one, --choose 2 the other", f.Alternatives[0].Path, f.Alternatives[0].Message)
}

// whyNotMade says why a repair is not made; "" if it is.
func (r *repairer) whyNotMade(repair *edit.Repair, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case r.o.List:
		return "it can be repaired"
	case r.isScrambled && !r.o.Drop:
		return "the checksum of the packed bytes shows that they are damaged: other values may be too, which would not be seen any more; --drop repairs it"
	case repair.Loss != "" && !r.o.Drop:
		return fmt.Sprintf("its repair drops %s, for which --drop is needed", repair.Loss)
	case r.o.At >= 0 && r.made > 0:
		return "another problem was repaired there"
	}
	return ""
}

// note adds a repair that is made.
func (r *repairer) note(f *model.BufferProblem, repair *edit.Repair) {
	r.tried[trialOf(&f.Diagnosis, f.Buffer.Number)] = true
	f.Repair = cmp.Or(repair.Does, f.Repair)
	r.isCut = r.isCut || f.IsShortage()
	r.made++
	r.lines = append(r.lines, roundLine{f.Offset, r.appendMade(nil, f, repair.Loss)})
}

// asksForAll reports whether no problem is asked for by itself.
func (r *repairer) asksForAll() bool { return r.o.At < 0 && len(r.o.Codes) == 0 }

// asksFor reports whether a problem is to be repaired, if it can be.
func (r *repairer) asksFor(f *diagnose.Diagnosis) bool {
	switch {
	case r.o.At >= 0 && (r.made > 0 || f.Offset != r.o.At && !f.Contains(r.o.At)):
		return false
	case len(r.o.Codes) > 0:
		return slices.Contains(r.o.Codes, f.Code)
	}
	isLoose := f.Code == span.Loose && f.Repair != "" && r.made > 0 // what a repair leaves is for all readers
	return r.o.At >= 0 || r.o.List || f.Severity > span.Note && !f.Guess || isLoose
}

// Each repairs the files that arguments mean, several of them concurrently, as Run does.
func Each(ctx context.Context, e *env.Env, from *files.Selected, names []string, o *Options) error {
	batch := &files.Batch{Env: e}
	all, err := from.All(ctx, batch, names)
	if err != nil {
		return err
	}
	if !from.Several(names) {
		return run(ctx, e, all[0], o, e.Out(o.JSON))
	}
	if err := o.checkSeveral(); err != nil {
		return err
	}
	var left atomic.Int64 // files with errors
	err = files.Each(ctx, batch, e.Out(o.JSON), slices.Values(files.Once(all)), func(ctx context.Context, one *env.Env, f files.File, out io.Writer) error {
		err := run(ctx, one, f, o, out)
		if errors.Is(err, env.ErrProblems) {
			left.Add(1)
			return nil
		}
		return err
	})
	if n := batch.Failed(); n > 0 {
		e.Tell("%d of %s could not be repaired", n, span.Counted(int64(len(all)), "file"))
	}
	if err == nil && left.Load() > 0 {
		return env.ErrProblems
	}
	return err
}

// checkSeveral reports flags that are about one file.
func (o *Options) checkSeveral() error {
	if err := o.CheckSeveral(); err != nil {
		return err
	}
	if o.At >= 0 || o.Choose > 1 {
		return errors.New("--at and --choose are about one file")
	}
	return nil
}

package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"varview/decoder"
	"varview/decoder/diagnose"
	"varview/decoder/span"
	"varview/model"
)

// maxRounds is how often a file is looked through for what repairs lay bare.
const maxRounds = 200

// A repairer repairs a file.
type repairer struct {
	*env
	o    *repairOptions
	name string
	out  *bufio.Writer // what is done, and left
	line []byte

	first *model.Document // of the file
	doc   *model.Document // as it is now: of the file, or of its stage
	stage *stage          // nil until one is needed

	tried  map[trial]bool
	rest   []leftover // of the buffer that is being repaired
	met    bool       // a problem that was asked for
	chosen bool       // which of several causes is meant, is used
	made   int64
	lines  [][]byte // about the repairs of a round, the last in the file first
	left   []leftover
	counts tally // of all that is left
}

// A trial is a repair that was made. One that is needed again did not help.
type trial struct {
	buffer  int
	offset  int64
	message string
}

// A leftover is a finding that was not repaired, and why.
type leftover struct {
	finding
	why string
}

func (e *env) newRepairer(ctx context.Context, name string, o *repairOptions) (*repairer, error) {
	doc, err := e.openModel(ctx, name, decoder.Through, model.Options{NoBackup: o.noBackup})
	if err != nil {
		return nil, err
	}
	for _, notice := range doc.Notices {
		e.tell("%v", notice)
	}
	r := &repairer{env: e, o: o, name: name, first: doc, doc: doc, tried: map[trial]bool{}}
	r.out = bufio.NewWriter(e.stdout)
	if o.out == "-" && !o.dryRun {
		r.out = bufio.NewWriter(e.stderr)
	}
	return r, nil
}

func (r *repairer) close() {
	r.out.Flush()
	r.doc.Close()
	if r.first != r.doc {
		r.first.Close()
	}
	if r.stage != nil {
		r.stage.remove()
	}
}

// all repairs the wrappers, the outermost first, and then the values.
func (r *repairer) all(ctx context.Context) error {
	for i := 0; i < len(r.doc.Layers); i++ {
		if err := r.mend(ctx, i); err != nil {
			return err
		}
	}
	if r.doc.Missing != nil {
		return nil
	}
	return r.mend(ctx, len(r.doc.Layers))
}

// mend repairs a buffer until nothing is left in it that can be repaired.
func (r *repairer) mend(ctx context.Context, number int) error {
	for range maxRounds {
		again, err := r.edit(ctx, number)
		if err != nil {
			return err
		}
		if !again {
			r.leave(r.rest)
			return nil
		}
	}
	return errors.New("each repair makes another one necessary; --at repairs a single problem")
}

// edit makes one transaction of repairs. It reports whether there may be more to
// repair, because the buffer is read anew.
func (r *repairer) edit(ctx context.Context, number int) (again bool, err error) {
	t, err := r.begin(ctx, number)
	if err != nil {
		return false, err
	}
	isWrapper := number < len(r.doc.Layers)
	made := 0
	var found []finding
	for range maxRounds {
		if found, err = r.find(ctx, t, number); err != nil {
			return false, err
		}
		n, err := r.round(ctx, t, found)
		if err != nil {
			return false, err
		}
		if made += n; n == 0 || isWrapper {
			break
		}
	}
	if made == 0 {
		return false, nil
	}
	if r.o.dryRun {
		if err := r.preview(t); err != nil {
			return false, err
		}
	}
	r.doc, err = t.Commit(ctx, "repair", model.Cursor{}, model.Cursor{})
	if r.stage == nil {
		r.first = r.doc
	}
	return true, err
}

// begin begins to edit a buffer, as the repairs before have left it.
func (r *repairer) begin(ctx context.Context, number int) (*editing, error) {
	if changed := r.doc.ChangedBuffer(); changed != nil && changed.Number != number {
		if err := r.toStage(ctx); err != nil {
			return nil, err
		}
	}
	return begin(r.doc, r.doc.Buffers[number])
}

// maxFound is how many findings a round takes.
const maxFound = 10_000

// find looks for what is wrong with a buffer as a transaction has left it.
func (r *repairer) find(ctx context.Context, t *editing, number int) (found []finding, err error) {
	if number < len(r.doc.Layers) {
		var o decoder.Options
		done := r.progress(&o, r.name)
		defer done()
		err := wrapperProblems(ctx, r.doc.Document, number, o.Progress, func(p span.Problem) {
			if len(found) < maxFound {
				found = append(found, inWrapper(p, number))
			}
		})
		return found, err
	}
	tr := t.Reader().Tree
	if err := tr.BuildIndex(ctx, nil); err != nil {
		return nil, err
	}
	var m meter
	done := r.watch(m.share, "checking", r.name)
	defer done()
	err = r.doc.Document.Diagnose(ctx, tr, diagnose.Options{Progress: m.set}, func(f diagnose.Finding) bool {
		found = append(found, finding{f, number})
		return len(found) < maxFound
	})
	return found, err
}

// round repairs what can be, and notes what is left. What is behind a cause is
// found as if that were repaired, and has to wait until it is.
func (r *repairer) round(ctx context.Context, t *editing, found []finding) (made int, err error) {
	end := slices.IndexFunc(found, func(f finding) bool { return f.Splices != nil }) + 1
	if end == 0 {
		end = len(found)
	}
	var left []leftover
	order := make([]int, end)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(found[b].Offset, found[a].Offset) })
	for _, i := range order {
		f := found[i]
		why, err := r.one(ctx, t, &f)
		switch {
		case err != nil:
			return made, err
		case why != "":
			left = append(left, leftover{f, why})
		default:
			made++
		}
	}
	if made > 0 {
		return made, r.tellRound()
	}
	slices.SortStableFunc(left, func(a, b leftover) int { return cmp.Compare(a.Offset, b.Offset) })
	for _, f := range found[end:] {
		why := "what stands before it has to be repaired first"
		if f.Repair == "" {
			why = diagnose.ErrNoRepair.Error()
		}
		left = append(left, leftover{f, why})
		r.met = r.met || r.asksFor(&f)
	}
	r.rest = left
	return 0, nil
}

// leave notes what is left in a buffer.
func (r *repairer) leave(left []leftover) {
	for _, f := range left {
		r.counts[f.Severity]++
	}
	r.left = append(r.left, left...)
}

// one repairs a finding, or says why not.
func (r *repairer) one(ctx context.Context, t *editing, f *finding) (why string, err error) {
	if !r.asksFor(f) {
		return "it was not asked for", nil
	}
	r.met = true
	cause := &f.Finding
	if r.o.choose > 1 && !r.chosen && len(f.Also) > 0 {
		if r.o.choose > len(f.Also)+1 {
			return "", fmt.Errorf("--choose %d: what is at %#x has %s", r.o.choose, f.Offset, model.Counted(int64(len(f.Also)+1), "cause"))
		}
		cause, r.chosen = &f.Also[r.o.choose-2], true
	}
	try := trial{f.buffer, cause.Offset, cause.Message}
	if r.tried[try] {
		return "the repair did not help", nil
	}
	repair, err := t.RepairOf(ctx, cause)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return err.Error(), nil
	case r.o.list:
		return "it can be repaired", nil
	case repair.Drops != "" && !r.o.drop:
		return fmt.Sprintf("its repair drops %s, for which --drop is needed", repair.Drops), nil
	}
	before := len(t.Splices())
	if _, err := t.Repair(ctx, *cause); err != nil {
		return err.Error(), ctx.Err()
	}
	if len(t.Splices()) == before {
		return "the repair changes nothing", nil
	}
	r.tried[try] = true
	r.made++
	r.lines = append(r.lines, r.appendMade(nil, &finding{*cause, f.buffer}, repair.Drops))
	return "", nil
}

// asksFor reports whether a finding is to be repaired, if it can be.
func (r *repairer) asksFor(f *finding) bool {
	switch {
	case r.o.at >= 0 && (r.made > 0 || f.Offset != r.o.at && !f.Contains(r.o.at)):
		return false
	case len(r.o.codes) > 0:
		return slices.Contains(r.o.codes, f.Code)
	}
	return r.o.at >= 0 || r.o.list || f.Severity > span.Note
}

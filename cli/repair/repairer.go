// Package repair makes the repairs that a check of a file finds, and says what it has
// repaired and what is left.
package repair

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"varview/cli/env"
	"varview/cli/output"
	"varview/decoder"
	"varview/decoder/diagnose"
	"varview/decoder/work"
	"varview/model"
)

// Run repairs a file, and prints what it repairs and what is left.
func Run(ctx context.Context, e *env.Env, name string, o *Options) (err error) {
	if err := o.check(name); err != nil {
		return err
	}
	r, err := newRepairer(ctx, e, name, o)
	if err != nil {
		return err
	}
	defer r.close()
	err = r.all(work.With(ctx, r.budget))
	if err == nil && o.At >= 0 && !r.found {
		err = fmt.Errorf("there is no problem at %#x%s", o.At, ofCodes(o.Codes))
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

// ofCodes names the codes that are asked for.
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
	out  *bufio.Writer // what is done, and left
	line []byte

	first  *model.Document // of the file
	doc    *model.Document // as it is now: of the file, or of what toStage has written
	staged bool

	budget *work.Budget // of all rounds

	tried  map[trial]bool
	rest   []leftover // of the buffer that is being repaired
	found  bool       // a problem that was asked for
	chosen bool       // which of several causes is meant, is used
	made   int64
	rounds int
	lines  []roundLine // about the repairs of a round
	left   []leftover
	counts output.Tally // of all that is left
}

// A roundLine is a line about a repair, and where that is.
type roundLine struct {
	offset int64
	line   []byte
}

// A trial is a repair that was made. One that is needed again did not help.
type trial struct {
	buffer  int
	offset  int64
	message string
}

func trialOf(f *diagnose.Diagnosis, buffer int) trial { return trial{buffer, f.Offset, f.Message} }

// A leftover is a problem that was not repaired, and why.
type leftover struct {
	model.BufferProblem
	why string
}

func newRepairer(ctx context.Context, e *env.Env, name string, o *Options) (*repairer, error) {
	doc, err := e.OpenBound(ctx, name, decoder.Through, model.Options{NoBackup: o.NoBackup, Alone: !o.List && o.Replaces(name)})
	if err != nil {
		return nil, err
	}
	r := &repairer{Env: e, o: o, name: name, first: doc, doc: doc, budget: work.New(doc.Size()), tried: map[trial]bool{}}
	r.out = bufio.NewWriter(e.ForPeople(e.Stdout))
	if o.Path == "-" && !o.DryRun {
		r.out = bufio.NewWriter(e.ForPeople(e.Stderr))
	}
	return r, nil
}

func (r *repairer) close() {
	r.out.Flush()
	r.doc.Close()
	if r.first != r.doc {
		r.first.Close()
	}
}

// all repairs the wrappers, the outermost first, and then the values.
func (r *repairer) all(ctx context.Context) error {
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

// repairBuffer repairs a buffer until nothing is left in it that can be repaired.
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

// edit makes one transaction of repairs. It reports whether there may be more to
// repair, because the buffer is read again.
func (r *repairer) edit(ctx context.Context, number int) (again bool, err error) {
	t, err := r.begin(ctx, number)
	if err != nil {
		return false, err
	}
	made := 0
	for {
		found, err := r.find(ctx, t)
		if err != nil {
			return false, err
		}
		n, err := r.round(ctx, t, found)
		if err != nil {
			return false, err
		}
		if made += n; n == 0 || t.Buffer().IsWrapper() {
			break
		}
	}
	if made == 0 {
		return false, nil
	}
	if r.o.DryRun {
		if err := r.preview(t); err != nil {
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

// begin begins to edit a buffer, as the repairs before have left it.
func (r *repairer) begin(ctx context.Context, number int) (*model.Transaction, error) {
	if changed := r.doc.ChangedBuffer(); changed != nil && changed.Number != number {
		if err := r.toStage(ctx); err != nil {
			return nil, err
		}
	}
	return r.doc.Begin(r.doc.Buffers[number])
}

// maxFound is the number of problems that a round considers.
const maxFound = 10_000

// find returns the problems of a transaction's buffer, with its edits.
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

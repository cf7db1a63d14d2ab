package check

import (
	"context"
	"errors"
	"fmt"

	"varview/cli/env"
	"varview/cli/output"
	"varview/decoder"
	"varview/decoder/diagnose"
	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/model/backups"
)

// examineProblems prints the problems of a file, first those of its wrappers and then those of the
// values, and a line that sums them up.
//
// The format is first detected from the file's beginning. If a problem may come from a wrong detection,
// it is detected again from the whole file.
func (c *checker) examineProblems(ctx context.Context, name string) (counts output.Tally, err error) {
	f, err := c.OpenFile(ctx, name, decoder.Quick)
	if err != nil {
		return counts, err
	}
	defer f.Finish(&err)
	p := &printer{checker: c, name: f.Name, file: f, label: output.Label{Name: env.DisplayName(name), Buffers: len(f.Buffers)}}
	if c.inFolder && f.IsOther() { // folders of saves contain pictures and settings too
		c.total.others++
		p.printLine(p.what())
		return p.counts, p.err
	}
	var progress model.Progress
	done := c.follow(name, progress.Share)
	err = f.Check(ctx, &progress, p.print)
	done()
	if err == nil && f.Missing == nil && f.Framing == "stream" && !c.JSON {
		p.values = f.CountValues()
	}
	if err == nil {
		err = p.lookBeside(ctx)
	}
	if err == nil {
		p.summary(p.what())
		err = p.err
	}
	return p.counts, err
}

// lookBeside reports an intact copy beside a damaged file.
func (p *printer) lookBeside(ctx context.Context) error {
	if !backups.IsNeeded(p.file.Document, int(p.counts[span.Error])) {
		return nil
	}
	b, err := backups.Find(ctx, p.file.Document)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, backups.ErrLocked):
		p.noteCopy(err.Error(), "varview repair --from-backup takes it, with its --password or --key")
	case err == nil:
		p.noteCopy(b.Said(p.file.Name), "varview repair --from-backup takes it")
	}
	return nil
}

// noteCopy reports what is known of a copy beside a damaged file.
func (p *printer) noteCopy(message, repair string) {
	note := span.Problem{Severity: span.Note, Code: model.IntactBackup, Message: message, Repair: repair}
	p.print(model.BufferProblem{Buffer: p.file.Buffers[0], Diagnosis: diagnose.Diagnosis{Problem: note, Path: "$"}})
}

// follow shows how far the check of a file is.
func (c *checker) follow(name string, share func() float64) (stop func()) {
	if c.shown == nil {
		return func() {}
	}
	c.shown.TurnTo("checking " + text.Cut(text.Clean(env.DisplayName(name)), 50))
	c.shown.Show(0, 1)
	return c.shown.Follow(share)
}

// A printer prints the problems of one file.
type printer struct {
	*checker
	name   string
	file   *env.File // nil for a capture
	label  output.Label
	counts output.Tally
	known  int64 // number of problems that are in the baseline
	values int64 // number of values at the root
	groups groups
	err    error
}

// print prints one problem. It reports whether that succeeded.
func (p *printer) print(x model.BufferProblem) bool {
	return p.found(&x.Problem, x.Path, func(line []byte) []byte {
		if p.JSON {
			return output.AppendProblemJSON(line, &x, p.name)
		}
		return output.AppendProblem(line, &x, p.label)
	})
}

// found prints a problem with appendLine, unless it is in the baseline.
func (p *printer) found(x *span.Problem, path string, appendLine func([]byte) []byte) bool {
	if p.baseline.Takes(p.name, x.Code, path) {
		p.known++
		return true
	}
	p.counts[x.Severity]++
	p.line = appendLine(p.line[:0])
	if _, err := p.out.Write(p.line); err != nil {
		p.err = err
	}
	return p.err == nil
}

// summary prints a line with what the file is, and its number of problems.
func (p *printer) summary(what string) { p.printLine(what + ": " + counted(p.counts, p.known)) }

// counted returns counts of problems in words: "1 error, 2 known".
func counted(t output.Tally, known int64) string {
	total := t.String()
	if total == "none" {
		total = "no problems"
		if known > 0 {
			total = "no new problems"
		}
	}
	if known > 0 {
		total += fmt.Sprintf(", %s known", span.Grouped(known))
	}
	return total
}

// printLine prints a line about the file for people.
func (p *printer) printLine(what string) {
	if p.JSON {
		return
	}
	p.line = append(text.Append(p.line[:0], p.label.Name), ": "...)
	p.line = append(append(p.line, what...), '\n')
	if _, err := p.out.Write(p.line); err != nil {
		p.err = err
	}
}

// what describes the file: "GCPF, Zstandard → Godot 4, stream of 3 values".
func (p *printer) what() string {
	f := p.file
	switch {
	case f.Size() == 0:
		return "an empty file"
	case f.Missing != nil:
		return f.WrappedIn()
	}
	what := f.ReadAs()
	if f.IsForeign() {
		return f.WrappedIn() + what
	}
	if f.Framing == "stream" {
		what = fmt.Sprintf("%s of %s", what, span.Counted(p.values, "value"))
	}
	if f.BigEndian {
		what += ", lengths big-endian"
	}
	if f.Confidence == decoder.Weak {
		what = "perhaps " + what
	}
	return f.WrappedIn() + what
}

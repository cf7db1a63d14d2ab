package repair

import (
	"context"
	"fmt"

	"varview/cli/env"
	"varview/cli/output"
	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
)

// label says which file the lines are about.
func (r *repairer) label() output.Label {
	return output.Label{Name: env.DisplayName(r.name), Buffers: len(r.doc.Buffers)}
}

// printRounds prints the repairs of a transaction.
func (r *repairer) printRounds(t *model.Transaction) error {
	for i := range r.lines {
		if _, err := r.out.Write(r.lines[i].line); err != nil {
			return err
		}
	}
	r.lines = nil
	if fewer := t.Fewer(); r.isCut && fewer != "" && !r.o.JSON {
		fmt.Fprintf(r.out, "%s: lost with what is missing, by the counts: %s\n", text.Append(nil, env.DisplayName(r.name)), text.Append(nil, fewer))
	}
	return nil
}

// appendMade appends a line about a repair that was made.
func (r *repairer) appendMade(dst []byte, f *model.BufferProblem, drops string) []byte {
	if r.o.JSON {
		return output.BeginProblemJSON(dst, f, r.name).Bool("repaired", true).Text("repair", f.Repair).Some("drops", drops).Line()
	}
	mark := "repaired: "
	if r.o.DryRun {
		mark = "would be repaired: "
	}
	dst = append(r.label().Append(dst, "", &f.Diagnosis, f.Buffer), mark...)
	dst = text.Append(append(output.AppendMessage(dst, &f.Diagnosis), ": "...), f.Repair)
	if drops != "" {
		dst = text.Append(append(dst, "; dropped: "...), drops)
	}
	return append(dst, '\n')
}

// preview prints the bytes that a transaction changes.
func (r *repairer) preview(ctx context.Context, t *model.Transaction) error {
	if err := r.out.Flush(); err != nil {
		return err
	}
	effect, err := t.Effect(ctx)
	if err != nil {
		return err
	}
	return r.PrintChanges(ctx, r.to, "", r.doc, t, effect, r.o.JSON)
}

// finish prints what is left and writes the file.
func (r *repairer) finish(ctx context.Context) error {
	for i := range r.left {
		if err := r.printLeft(&r.left[i]); err != nil {
			return err
		}
	}
	if !r.o.JSON {
		fmt.Fprintf(r.out, "%s: %s\n", text.Append(nil, env.DisplayName(r.name)), r.summary())
	}
	if err := r.out.Flush(); err != nil {
		return err
	}
	if r.writes() {
		if err := r.write(ctx); err != nil {
			return err
		}
		if _, err := r.held.WriteTo(r.to); err != nil {
			return err
		}
	}
	if r.counts[span.Error] > 0 {
		return env.ErrProblems
	}
	return nil
}

// printLeft prints what was not repaired, but for notes that nobody asked for. A
// list has only what can be.
func (r *repairer) printLeft(f *leftover) error {
	switch {
	case r.o.List && (f.Repair == "" || !r.asksFor(&f.Diagnosis)):
		return nil
	case r.o.List && r.o.JSON:
		r.line = output.AppendProblemJSON(r.line[:0], &f.BufferProblem, r.name)
	case r.o.List:
		r.line = output.AppendProblem(r.line[:0], &f.BufferProblem, r.label())
	case f.Severity == span.Note && !r.asksFor(&f.Diagnosis):
		return nil
	case r.o.JSON:
		r.line = output.BeginProblemJSON(r.line[:0], &f.BufferProblem, r.name).Bool("repaired", false).Text("why", f.why).Line()
	default:
		r.line = append(r.label().Append(r.line[:0], "", &f.Diagnosis, f.Buffer), "left: "...)
		r.line = append(append(r.line, f.Severity.String()...), ": "...)
		r.line = text.Append(append(output.AppendMessage(r.line, &f.Diagnosis), ": "...), f.why)
		r.line = append(r.line, '\n')
	}
	_, err := r.out.Write(r.line)
	return err
}

// summary says how much was repaired, and how much is left.
func (r *repairer) summary() string {
	left := r.counts
	left[span.Note] = 0
	rest := left.String()
	switch {
	case r.o.List:
		n := int64(0)
		for i := range r.left {
			if f := &r.left[i]; f.Repair != "" && r.asksFor(&f.Diagnosis) {
				n++
			}
		}
		return span.Counted(n, "problem") + " can be repaired"
	case r.made == 0 && rest == "none":
		return "nothing to repair"
	case r.made == 0:
		return "nothing repaired, left: " + rest
	case r.o.DryRun:
		return fmt.Sprintf("%s would be repaired, left: %s", span.Counted(r.made, "problem"), rest)
	}
	return fmt.Sprintf("%s repaired, left: %s", span.Counted(r.made, "problem"), rest)
}

// write writes the repaired file.
func (r *repairer) write(ctx context.Context) error {
	if !r.staged {
		return r.Save(ctx, r.doc, r.name, &r.o.Edit)
	}
	return r.writeStaged(ctx)
}

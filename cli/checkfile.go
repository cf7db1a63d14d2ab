package cli

import (
	"context"
	"fmt"

	"varview/decoder"
	"varview/decoder/diagnose"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model"
	"varview/ui/text"
)

// fewProblems is how many problems of a file are kept until all of it is read.
// A file with more is read again, so that none has to be kept.
const fewProblems = 32

// examineProblems prints the problems of a file and a line that sums them up:
// those of its wrappers, then those of the values in them.
//
// What the file is, is decided from its beginning at first. A problem that may
// come from reading it as the wrong thing has that decided again from all of it.
func (c *checker) examineProblems(ctx context.Context, name string) (counts tally, err error) {
	f, err := c.openFile(ctx, name, decoder.Quick)
	if err != nil {
		return counts, err
	}
	defer f.close(&err)
	p := &printer{checker: c, file: f, label: label{displayName(name), len(f.Buffers())}}
	if c.inFolder && f.IsOther() { // as pictures and settings lie beside saves
		c.total.others++
		p.passOver()
		return p.counts, p.err
	}
	done := c.progress(&f.options, name)
	err = f.layerProblems(ctx, func(buffer int, x span.Problem) { p.print(inWrapper(x, buffer)) })
	done()
	if err == nil && f.Missing == nil {
		err = p.valueProblems(ctx)
	}
	if err == nil {
		p.summary()
		err = p.err
	}
	return p.counts, err
}

// valueProblems prints the problems of the buffer with the values.
func (p *printer) valueProblems(ctx context.Context) error {
	few, err := p.firstProblems(ctx, p.file)
	if err == nil && few.evidence && p.file.Confidence != decoder.Given {
		p.file.options.Thorough = decoder.Through
		err = p.read(ctx, p.file)
	}
	switch {
	case err != nil:
		return err
	case few.evidence || few.more:
		return p.diagnose(ctx)
	}
	p.few(few.met)
	return nil
}

// findings are the problems that one quick pass met.
type findings struct {
	met      []metAt
	more     bool // there are more than these
	evidence bool // one of them speaks against the reading
}

// metAt is a problem and the value it was met at.
type metAt struct {
	span.Problem
	at *tree.Node
}

// firstProblems reads a file until it is read, has too many problems, or one that
// speaks against its reading.
func (c *checker) firstProblems(ctx context.Context, f *file) (found findings, err error) {
	enough, stop := context.WithCancel(ctx)
	defer stop()
	defer c.follow(f.name, f.Tree)()
	err = f.Tree.BuildIndex(enough, func(p span.Problem, s *tree.Scanner) {
		if found.more || found.evidence {
			return
		}
		found.met = append(found.met, metAt{p, s.Subject()})
		found.more = len(found.met) > fewProblems
		found.evidence = p.MayHaveCause()
		if found.more || found.evidence {
			stop()
		}
	})
	if enough.Err() != nil {
		err = ctx.Err()
	}
	return found, err
}

// follow shows how far the index of a tree is, until the function that it returns
// is called.
func (c *checker) follow(name string, t *tree.Tree) (stop func()) {
	size := float64(max(1, t.Source.Size()))
	return c.followShare(name, func() float64 {
		reached, _ := t.Indexed()
		return float64(reached) / size
	})
}

// followShare shows how far the check of a file is.
func (c *checker) followShare(name string, share func() float64) (stop func()) {
	if c.shown == nil {
		return func() {}
	}
	what := "checking " + text.Cut(text.Clean(displayName(name)), 50)
	if n := c.total.files + c.total.unread; n > 0 {
		what += fmt.Sprintf(" (file %s)", model.Grouped(n+1))
	}
	c.shown.turnTo(what)
	c.shown.show(0, 1)
	return c.shown.follow(share)
}

// A printer prints the problems of one file.
type printer struct {
	*checker
	file   *file
	label  label
	counts tally
	values int64 // at the root
	err    error
}

// few prints the problems of a file that has been read to its end.
func (p *printer) few(met []metAt) {
	r := p.file.Tree.NewReader()
	for _, x := range met {
		p.print(finding{diagnose.Finding{Problem: x.Problem, Path: r.Path(x.at)}, len(p.file.Layers)})
	}
	p.values = r.Count(p.file.Tree.Base)
}

// diagnose reads a file and prints all that is wrong with it as it is met, causes
// in place of what comes of them.
func (p *printer) diagnose(ctx context.Context) error {
	t := p.file.Tree
	var m meter
	defer p.followShare(p.file.name, m.share)()
	err := p.file.Diagnose(ctx, t, diagnose.Options{Progress: m.set}, func(f diagnose.Finding) bool {
		p.print(finding{f, len(p.file.Layers)})
		return p.err == nil
	})
	if err == nil && p.file.Framing == "stream" && !p.json {
		err = t.BuildIndex(ctx, nil) // which counts the values
		p.values = t.NewReader().Count(t.Base)
	}
	return err
}

// print prints one problem.
func (p *printer) print(x finding) {
	p.counts[x.Severity]++
	if p.json {
		p.line = x.appendJSON(p.line[:0], p.file.name)
	} else {
		p.line = x.appendText(p.line[:0], p.label)
	}
	if _, err := p.out.Write(p.line); err != nil {
		p.err = err
	}
}

// summary says in a line what the file is and how many problems it has.
func (p *printer) summary() {
	if p.json {
		return
	}
	total := p.counts.String()
	if total == "none" {
		total = "no problems"
	}
	p.tellOfFile(p.what() + ": " + total)
}

// passOver says what a file is that is no save.
func (p *printer) passOver() {
	if !p.json {
		p.tellOfFile(p.what())
	}
}

// tellOfFile prints a line about the file.
func (p *printer) tellOfFile(text string) {
	p.line = append(appendClean(p.line[:0], p.label.name), ": "...)
	p.line = append(append(p.line, text...), '\n')
	if _, err := p.out.Write(p.line); err != nil {
		p.err = err
	}
}

// what says what the file is: "GCPF, Zstandard → Godot 4, stream of 3 values".
func (p *printer) what() string {
	f := p.file
	switch {
	case f.src.Size() == 0:
		return "an empty file"
	case f.Missing != nil:
		return f.wrappedIn()
	}
	what := f.reading()
	if f.IsForeign() {
		return f.wrappedIn() + what
	}
	if f.Framing == "stream" {
		what = fmt.Sprintf("%s of %s", what, model.Counted(p.values, "value"))
	}
	if f.BigEndian {
		what += ", lengths big-endian"
	}
	if f.Confidence == decoder.Weak {
		what = "perhaps " + what
	}
	return f.wrappedIn() + what
}

package cli

import (
	"context"
	"fmt"

	"varview/decoder"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model"
)

// fewProblems is how many problems of a file are kept until all of it is read.
// A file with more is read again, so that none has to be kept.
const fewProblems = 32

// A finding is a problem and the value it was found at.
type finding struct {
	span.Problem
	at *tree.Node
}

// examine prints the problems of a file and a line that sums them up.
//
// What the file is, is decided from its beginning at first. A problem that may
// come from reading it as the wrong thing has that decided again from all of it.
func (c *checker) examine(ctx context.Context, name string) (counts tally, err error) {
	f, err := c.openFile(ctx, name, decoder.Quick)
	if err != nil {
		return counts, err
	}
	defer f.close(&err)
	few, err := c.firstProblems(ctx, f)
	if err != nil {
		return counts, err
	}
	p := &printer{checker: c, file: f}
	if few.doubtful {
		f.Document, err = decoder.Open(ctx, f.src, c.open.options(decoder.Through))
	}
	switch {
	case err != nil:
	case few.doubtful || few.more:
		err = p.stream(ctx)
	default:
		p.few(few.findings)
	}
	if err == nil {
		p.summary()
		err = p.err
	}
	return p.counts, err
}

// findings are the problems that one quick pass met.
type findings struct {
	findings []finding
	more     bool // there are more than these
	doubtful bool // they speak against the reading, which was not asked for
}

// firstProblems reads a file until it is read, has too many problems, or its
// reading is in doubt.
func (c *checker) firstProblems(ctx context.Context, f *file) (found findings, err error) {
	enough, stop := context.WithCancel(ctx)
	defer stop()
	err = f.Tree.BuildIndex(enough, func(p span.Problem, s *tree.Scanner) {
		if found.more || found.doubtful {
			return
		}
		found.findings = append(found.findings, finding{p, s.Subject()})
		found.more = len(found.findings) > fewProblems
		found.doubtful = p.IsEvidence() && f.Confidence != decoder.Given
		if found.more || found.doubtful {
			stop()
		}
	})
	if enough.Err() != nil {
		err = ctx.Err()
	}
	return found, err
}

// A printer prints the problems of one file.
type printer struct {
	*checker
	file   *file
	counts tally
	values int64 // at the root
	err    error
}

// few prints the problems of a file that has been read to its end.
func (p *printer) few(findings []finding) {
	r := p.file.Tree.NewReader()
	for _, x := range findings {
		p.print(x.Problem, r.Path(x.at))
	}
	p.values = r.Count(p.file.Tree.Base)
}

// stream reads a file and prints all problems as they are met. The path of the
// value that a problem is in is known once that value is passed.
func (p *printer) stream(ctx context.Context) error {
	s := p.file.Tree.Scanner()
	pather := tree.NewPather(p.file.Tree, s)
	var met []span.Problem
	s.Report = func(x span.Problem) { met = append(met, x) }
	return s.Run(ctx, func(ev tree.Event) bool {
		pather.Step(ev)
		if depth := s.Depth(); ev == tree.Enter && depth == 2 || ev == tree.Atom && depth == 1 {
			p.values++
		}
		for _, x := range met {
			p.print(x, string(pather.Path(ev)))
		}
		met = met[:0]
		return p.err == nil
	})
}

// print prints one problem.
func (p *printer) print(x span.Problem, path string) {
	p.counts[x.Severity]++
	if p.json {
		p.line = appendProblemJSON(p.line[:0], p.file.name, &x, path)
	} else {
		p.line = appendProblem(p.line[:0], displayName(p.file.name), &x, path)
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
	f := p.file
	what := f.Title + ", " + f.Framing
	if f.Framing == "stream" {
		what = fmt.Sprintf("%s of %s", what, model.Counted(p.values, "value"))
	}
	switch {
	case f.src.Size() == 0:
		what = "an empty file"
	case f.Confidence == decoder.Weak:
		what = "perhaps " + what
	}
	total := p.counts.String()
	if total == "none" {
		total = "no problems"
	}
	p.line = append(appendClean(p.line[:0], displayName(f.name)), ": "...)
	p.line = append(append(p.line, what...), ": "...)
	p.line = append(append(p.line, total...), '\n')
	if _, err := p.out.Write(p.line); err != nil {
		p.err = err
	}
}

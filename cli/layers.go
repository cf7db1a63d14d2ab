package cli

import (
	"context"
	"fmt"
	"strings"

	"varview/decoder"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/decoder/wrap"
	"varview/model"
)

// emptyFile is the code of a problem that no buffer can have.
const emptyFile = "empty-file"

// layerProblems reports what is wrong with the wrappers, the outermost first, and
// what only the file as a whole can have wrong: that it is empty, or that what
// is in the last wrapper cannot be had. The buffer is 0 for the file.
func (f *file) layerProblems(ctx context.Context, report func(buffer int, p span.Problem)) error {
	if f.src.Size() == 0 {
		report(0, span.Problem{Severity: span.Warning, Code: emptyFile, Message: "the file is empty"})
	}
	for i := range f.Layers {
		err := wrapperProblems(ctx, f.Document, i, f.options.Progress, func(p span.Problem) { report(i, p) })
		if err != nil {
			return err
		}
	}
	return nil
}

// wrapperProblems reports what is wrong with a wrapper, and of the last one why
// what is in it cannot be had.
func wrapperProblems(ctx context.Context, d *decoder.Document, i int, progress func(done, all int64), report func(span.Problem)) error {
	l := d.Layers[i]
	if err := l.Verify(ctx, progress); err != nil {
		return err
	}
	isMissing, told := d.Missing != nil && i == len(d.Layers)-1, false
	err := l.Tree.BuildIndex(ctx, func(p span.Problem, _ *tree.Scanner) {
		told = told || isMissing && p.Code == d.Missing.Code
		if p.Code == wrap.Checksum && isMissing && d.Missing.Code == wrap.WrongKey {
			return // which says the same
		}
		report(p)
	})
	if err == nil && isMissing && !told {
		report(span.Problem{Span: l.Region, Severity: span.Error, Code: d.Missing.Code, Message: d.Missing.Message})
	}
	return err
}

// missing says why the values cannot be had, and what to do about it.
func (f *file) missing() string { return whyMissing(f.Missing) }

func whyMissing(m *wrap.Missing) string {
	if m.Code == wrap.NeedsKey {
		return m.Message + " (--password or --key)"
	}
	return m.Message
}

// reading names what the values are read as: "Godot 4, stream".
func (f *file) reading() string {
	if f.IsFramed() && !f.IsForeign() {
		return f.Title + ", " + f.Framing
	}
	return f.Title
}

// wrappedIn names the wrappers in short and what joins them to the values, "" if
// there are none: "GCPF, Zstandard → ".
func (f *file) wrappedIn() string {
	var names []string
	for _, l := range f.Layers {
		kind, rest, _ := strings.Cut(l.Title, ", ")
		if how, _, more := strings.Cut(rest, ", "); more { // "Zstandard", and in how many blocks
			kind += ", " + how
		}
		names = append(names, kind)
	}
	if f.Missing != nil {
		return strings.Join(names, " → ")
	}
	return strings.Join(append(names, ""), " → ")
}

// bufferTitle says which buffer it is, how large, and what: "buffer 1, 88 bytes: zlib".
func (f *file) bufferTitle(i int, size int64) string {
	what := f.reading()
	if i < len(f.Layers) {
		what = f.Layers[i].Title
	}
	return fmt.Sprintf("buffer %d, %s: %s", i, model.ByteCount(size), what)
}

// plainSize is the size of the buffer with the values, or nil.
func (f *file) plainSize() *int64 {
	if f.Missing != nil {
		return nil
	}
	size := f.Tree.Source.Size()
	return &size
}

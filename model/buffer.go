package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"varview/decoder"
	"varview/decoder/diagnose"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A Buffer is one address space of a document: the file, or what a wrapper holds.
type Buffer struct {
	Number int

	doc      *Document
	layer    *decoder.Layer // the layer that the buffer shows; nil if the buffer holds the values
	verified Progress       // how much of the wrapper's payload has been compared with its checksum

	now   atomic.Pointer[version]
	saved *version      // the version in the file
	base  source.Source // the bytes of saved, which unchanged parts of later versions refer to
}

func newBuffer(d *Document, number int, t *tree.Tree) *Buffer {
	b := &Buffer{Number: number, doc: d}
	if number < len(d.Layers) {
		b.layer = &d.Layers[number]
	}
	b.restart(&version{tree: t}, t.Source)
	return b
}

// restart makes v, whose bytes base holds, the saved version.
func (b *Buffer) restart(v *version, base source.Source) {
	v.content, v.changed, v.compared = source.Whole(base), nil, true
	b.base, b.saved = base, v
	b.now.Store(v)
}

// edited is a buffer and one of its versions, from which a document is opened.
type edited struct {
	buffer *Buffer // nil for the buffer of the file
	v      *version
}

// isChanged reports whether the bytes differ from the file's.
func (e edited) isChanged() bool { return e.buffer != nil && len(e.v.changed) > 0 }

// takeOver gives a buffer that was opened from an edited one what that one knows about the bytes.
func (b *Buffer) takeOver(e edited) {
	v := b.now.Load()
	v.content, v.changed, v.compared = e.v.content, e.v.changed, true
	b.base, b.saved = e.buffer.base, e.buffer.saved
}

// Tree returns the tree of the current bytes. An edit replaces it.
func (b *Buffer) Tree() *tree.Tree { return b.now.Load().tree }

// Document returns the document that the buffer belongs to.
func (b *Buffer) Document() *Document { return b.doc }

// Size returns the number of bytes.
func (b *Buffer) Size() int64 { return b.Tree().Source.Size() }

// IsWrapper reports whether the buffer is a wrapper, which has parts and no values.
func (b *Buffer) IsWrapper() bool { return b.layer != nil }

// IsPart reports whether v is a part of a wrapper and not a value that the wrapper holds.
func (b *Buffer) IsPart(v *tree.Value) bool {
	h, ok := b.Tree().Reading.(format.Holder)
	return b.IsWrapper() && !(ok && h.IsHeld(v))
}

// Title returns what the buffer is, in a word or two: "GCPF Zstandard", "Godot 4".
func (b *Buffer) Title() string {
	if b.layer == nil {
		return b.doc.Title
	}
	return b.layer.ShortTitle
}

// Index reads the rest of the buffer; afterwards every value is found at once and all problems are known.
// It first verifies a wrapper's checksum, if that has not been done. It may run concurrently with
// everything else, but only once for each version of the buffer.
func (b *Buffer) Index(ctx context.Context) error {
	done, err := b.doc.Use()
	if err != nil {
		return err
	}
	defer done()
	v := b.now.Load()
	if b.layer != nil {
		if err := b.layer.Verify(ctx, b.verified.Set); err != nil && ctx.Err() != nil {
			return err // what cannot be read is a problem of its own
		}
		b.verified.Set(1, 1)
	}
	err = v.read(ctx)
	if ctx.Err() == nil && !v.problems.HasEvidence() {
		v.awaited.Store(nil)
	}
	return err
}

// Indexed returns the share of the buffer that Index has passed, from 0 to 1, and whether it is done.
func (b *Buffer) Indexed() (share float64, done bool) {
	passed, all, done := b.work()
	if done || all == 0 {
		return 1, done
	}
	return float64(passed) / float64(all), false
}

// work returns the number of bytes that Index has passed, and the number that it has to pass.
func (b *Buffer) work() (passed, all int64, done bool) {
	v := b.now.Load()
	passed, all = v.passed()
	if b.layer != nil && b.layer.Payload != nil {
		size := b.layer.Payload.Size()
		passed, all = passed+int64(b.verified.Share()*float64(size)), all+size
	}
	return passed, all, v.indexed.Load()
}

// ProblemCount returns the number of problems found so far of at least the given severity.
func (b *Buffer) ProblemCount(least span.Severity) int { return b.now.Load().known().Count(least) }

// WorstIn returns the most severe problem that begins in [start, end); ok is
// false if there is none.
func (b *Buffer) WorstIn(start, end int64) (worst span.Problem, ok bool) {
	return b.now.Load().known().WorstIn(start, end)
}

// isCut reports whether a wrapper unpacks to more than was allowed, as far as its problems are known.
func (b *Buffer) isCut() bool { return b.now.Load().problems.IsCut() }

// HoleAt returns the hole that contains the byte at off; it is empty if there is none.
func (b *Buffer) HoleAt(off int64) span.Span {
	var one [1]byte
	_, err := b.Tree().Source.ReadAt(one[:], off)
	var hole *source.HoleError
	if errors.As(err, &hole) && hole.Contains(off) {
		return hole.Span
	}
	return span.Span{}
}

// Resolve finds the value at a path. It may read the whole buffer.
func (b *Buffer) Resolve(path string) (*tree.Node, error) {
	done, err := b.doc.Use()
	if err != nil {
		return nil, err
	}
	defer done()
	return b.Tree().NewReader().Resolve(path)
}

// ResolveTyped is Resolve for a path that somebody has typed: in a stream of one value, [0] may be left
// out.
func (b *Buffer) ResolveTyped(path string) (*tree.Node, error) {
	n, err := b.Resolve(path)
	var missing *tree.PathError
	if !errors.As(err, &missing) || missing.Path != "$" || missing.Count != 1 {
		return n, err
	}
	rest := strings.TrimPrefix(strings.TrimSpace(path), "$")
	switch {
	case strings.HasPrefix(rest, "["):
		return n, err
	case !strings.HasPrefix(rest, "."):
		rest = "." + rest
	}
	return b.Resolve("$[0]" + rest)
}

// HasValues reports whether the buffer has values that can be edited, rather than only bytes.
func (b *Buffer) HasValues() bool {
	_, err := b.Editor()
	return err == nil
}

// CannotEditValues returns an error if the buffer has values that can be read but not edited.
func (b *Buffer) CannotEditValues() error {
	if b.IsWrapper() {
		return nil
	}
	if b.IsPlain() {
		return fmt.Errorf("there are no values here: this is %s", span.Article(b.doc.Title))
	}
	_, err := b.Editor()
	return err
}

// IsText reports whether the values are read from a text, which has lines.
func (b *Buffer) IsText() bool {
	_, ok := b.Tree().Reading.(diagnose.Text)
	return (ok || b == b.doc.Innermost() && b.doc.Hints().Text) && !b.IsPlain()
}

// IsPlain reports whether the buffer is known to contain no values: it is shown as bytes alone.
func (b *Buffer) IsPlain() bool { return b.doc.IsForeign() && b == b.doc.Innermost() }

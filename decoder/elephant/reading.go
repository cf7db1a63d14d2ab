package elephant

import (
	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/blockedit"
	"varview/decoder/elephant/internal/damage"
	"varview/decoder/elephant/internal/json"
	"varview/decoder/elephant/internal/literal"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A Reading reads one block. Bytes depend on the constructors named before them; a Reading learns these
// while it reads.
type Reading struct {
	*block.Reading // reads, lists fields, inspects, learns
	literals
	forms
	blockedit.Editing
	damage.Judging
}

type (
	literals = literal.Writing
	forms    = json.Writing
)

func newReading(b *block.Reading) *Reading {
	return &Reading{b, literals{Reading: b}, forms{Reading: b}, blockedit.Editing{Reading: b}, damage.Judging{Reading: b}}
}

// Fork implements tree.Resyncer.
func (f *Reading) Fork(before int64, strict bool) tree.Reading {
	fork, _ := block.Of(f.Reading.Fork(before, strict))
	return newReading(fork)
}

// Edited implements tree.Learner. The rules stay the same, whatever the header is now.
func (f *Reading) Edited(src source.Source, region span.Span) tree.Learner {
	edited, _ := block.Of(f.Reading.Edited(src, region))
	return newReading(edited)
}

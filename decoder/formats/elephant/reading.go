package elephant

import (
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/blockedit"
	"varview/decoder/formats/elephant/internal/damage"
	"varview/decoder/formats/elephant/internal/json"
	"varview/decoder/formats/elephant/internal/literal"
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

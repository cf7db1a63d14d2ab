package decoder

import (
	"context"
	"errors"
	"slices"

	"varview/decoder/detect"
	"varview/decoder/diagnose"
	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/score"
	"varview/decoder/wrap"
	"varview/decoder/wrap/own"
)

// A Document is a file opened as a tree of values.
type Document struct {
	Tree        *tree.Tree // tree of the values; if Missing is set, of the innermost wrapper's own bytes
	Layers      []Layer    // wrappers around the values, the outermost first
	Missing     *wrap.Missing
	Format      string // name of the family; "" if Missing is set or the file is foreign, as is the dialect
	Dialect     string
	Title       string // title of the dialect: "Godot 4"
	Framing     string
	BigEndian   bool     // frame lengths are big-endian
	Also        []string // other dialects that read the bytes as cleanly
	Rival       int64    // other length of the game's own header, with which the rest reads as well; 0 for none
	Confidence  detect.Confidence
	Alternative *detect.Alternative // another reading that is about as likely; nil if there is none

	Recipe    *Recipe         // recipe for unpacking the file; nil if it is only detected
	outer     int             // number of outermost wrappers that were known, without damage by other programs
	asked     Options         // options as requested, without what was detected
	mangled   []wrap.Kind     // damage by other programs, as the kinds of the first layers
	reading   *detect.Result  // how the values are read; nil if Missing is set, or there are none
	foreign   *detect.Foreign // set if the file is known to contain no values
	weighed   *detect.Result  // the best reading as values, even if it was not good enough; nil if Missing is set
	misframed *tree.Tree      // bytes with a header of the game's own that may as well be the damaged length of a frame; nil for none
	isSound   bool            // what is behind a header of the game's own that was found is sound in one reading
	near      *detect.Place   // header of the game's own that explains a damaged file about as well; nil for none
}

// A Layer is a wrapper that was opened, with the tree of its own bytes.
type Layer struct {
	*wrap.Layer
	Tree *tree.Tree
}

// Close releases the payloads of the wrappers. The trees must not be used any more.
func (d *Document) Close() error {
	var errs []error
	for _, l := range slices.Backward(d.Layers) {
		errs = append(errs, l.Close())
	}
	return errors.Join(errs...)
}

// IsForeign reports whether the file is known to contain no values. Title is its kind; the dialect has no
// meaning.
func (d *Document) IsForeign() bool { return d.foreign != nil }

// IsOther reports whether the file is known to be something else than a save or packet, and not a damaged
// one.
func (d *Document) IsOther() bool { return d.foreign != nil && d.foreign.Code == detect.NotASave }

// IsUnexplained reports whether it is not known what the file is: no dialect explains its bytes better than
// chance would.
func (d *Document) IsUnexplained() bool { return d.foreign != nil && d.foreign.Code == detect.NotKnown }

// IsOtherText reports whether the document is text that is read as no values. Its lines could be.
func (d *Document) IsOtherText() bool { return d.foreign != nil && d.foreign.IsText() }

// IsUnfinished reports whether a wrapper is unpacked only in part, because of Options.Defer.
func (d *Document) IsUnfinished() bool {
	return slices.ContainsFunc(d.Layers, func(l Layer) bool { return l.Unfinished })
}

// Buffers returns the trees of all buffers: the file is 0, each wrapper's payload follows it.
func (d *Document) Buffers() []*tree.Tree {
	var all []*tree.Tree
	for _, l := range d.Layers {
		all = append(all, l.Tree)
	}
	if d.Missing == nil {
		all = append(all, d.Tree)
	}
	return all
}

// Wrappers returns the kinds of the wrappers around the values, the outermost first, without checksums and
// the game's own bytes, which leave the values in plain view.
func (d *Document) Wrappers() []string {
	names := []string{}
	for _, l := range d.Layers {
		if !own.IsBeside(l.Kind) {
			names = append(names, l.Kind.String())
		}
	}
	return names
}

// Outer returns Options.Outer with which bytes are opened in the same wrappers, even if a checksum no
// longer fits.
func (d *Document) Outer() (kinds []wrap.Kind) {
	known := d.outer
	layers := d.Layers[min(len(d.mangled), len(d.Layers)):]
	for i, l := range layers {
		if own.IsBeside(l.Kind) {
			known = max(known, i+1)
		}
	}
	for _, l := range layers[:min(known, len(layers))] {
		kinds = append(kinds, wrap.AsOpened(l.Layer))
	}
	return kinds
}

// Notes returns the notes on the values that were read to detect their format.
func (d *Document) Notes() []span.Problem {
	if d.reading == nil {
		return nil
	}
	return d.reading.Notes
}

// Hints returns examples of what users can type where the values are open.
func (d *Document) Hints() format.Hints {
	if d.reading == nil {
		return format.Hints{}
	}
	return d.reading.Family.Hints()
}

// IsCommon reports whether programs other than games write the dialect too, and no wrapper of games is
// around it.
func (d *Document) IsCommon() bool {
	return d.reading != nil && len(d.Layers) == 0 && d.reading.Format.Info().Dialect.Common
}

// IsFramed reports whether values of the dialect can follow one another in a stream, or do in a sequence.
func (d *Document) IsFramed() bool {
	if d.reading == nil {
		return false
	}
	info := d.reading.Format.Info()
	return info.Dialect.Framed || info.Framing == format.Sequence
}

// diagnoseOthers returns the causes that other dialects show, which no note has told. If another is about as likely, it reports that;
// more is false if no further problem is wanted.
func (d *Document) diagnoseOthers(ctx context.Context, report func(diagnose.Diagnosis) bool) (others []diagnose.Diagnosis, more bool, err error) {
	others, err = d.causesInOthers(ctx)
	if err != nil || d.Alternative == nil {
		return others, true, err
	}
	if !report(d.alternativeProblem(others)) {
		return nil, false, nil
	}
	if d.Fits() {
		others = nil // the note tells them
	}
	return others, true, nil
}

// Diagnose reports the problems of the values as t reads them, as diagnose.Run does. If they clearly are
// not what was requested, or contain no values at all, it reports only that. If another dialect is about as
// likely, that comes first.
func (d *Document) Diagnose(ctx context.Context, t *tree.Tree, o diagnose.Options, report func(diagnose.Diagnosis) bool) error {
	if t == d.Tree {
		report = withUnknownChecksum(t, report)
	}
	p, ok, err := d.misread(ctx, t)
	if !ok && err == nil && d.IsForeign() {
		p, ok, err = d.foreign.Problem(ctx, t)
	}
	if err != nil {
		return err
	}
	if ok {
		report(diagnose.Diagnosis{Problem: p, Path: "$"})
		return nil
	}
	var others []diagnose.Diagnosis
	if t == d.Tree {
		var more bool
		if others, more, err = d.diagnoseOthers(ctx, report); err != nil || !more {
			return err
		}
	}
	damaged, err := d.isDamaged(ctx)
	if err != nil {
		return err
	}
	o.NoSearch = o.NoSearch || damaged
	near := d.near
	return diagnose.Run(ctx, t, o, func(f diagnose.Diagnosis) bool {
		if f.Severity != span.Note && t == d.Tree {
			d.doubt(&f, near)
			near = nil
		}
		f.Guess = f.Guess || t != d.Tree && isTail(t, &f, true) // of what an edit or a repair has left too
		if damaged && (f.IsEvidence() || f.Settled) {
			return true
		}
		if f.Severity != span.Note && others != nil {
			f.Alternatives, others = d.withOthers(ctx, &f, others), nil
		}
		return report(f)
	})
}

// misread reports whether the values can be read better in another way than was requested.
func (d *Document) misread(ctx context.Context, t *tree.Tree) (p span.Problem, ok bool, err error) {
	if d.reading == nil {
		return p, false, nil
	}
	return families().Misread(ctx, t, d.reading, d.request(&d.asked))
}

// isDamaged reports whether a wrapper is damaged; problems in its values are then only
// consequences. The messages of a capture are read each by itself, whatever is wrong with packets and connections.
func (d *Document) isDamaged(ctx context.Context) (damaged bool, err error) {
	if d.isList() {
		return false, nil
	}
	for _, l := range d.Layers[min(len(d.mangled), len(d.Layers)):] {
		damaged, known := l.IsDamaged()
		if !known {
			damaged, err = score.HasProblem(ctx, l.Tree, false, func(p *span.Problem) bool { return p.Severity == span.Error })
			if err != nil && ctx.Err() != nil { // read errors are reported elsewhere
				return damaged, ctx.Err()
			}
			l.NoteDamage(damaged)
		}
		if damaged {
			return true, nil
		}
	}
	return false, nil
}

// isList reports whether the values are messages, which have a list.
func (d *Document) isList() bool {
	if d.Tree == nil {
		return false
	}
	_, ok := d.Tree.Reading.(format.Lister)
	return ok
}

// ReadsAs reports whether the values of two documents are read in the same way wherever their bytes are equal, but for what a
// tree.Learner has learnt about others.
func (d *Document) ReadsAs(other *Document) bool {
	if d.reading == nil || other.reading == nil || d.asked.Double != other.asked.Double || d.reading.Format.Info() != other.reading.Format.Info() {
		return false
	}
	if twin, is := d.Tree.Reading.(tree.Twin); is {
		return twin.ReadsAs(other.Tree.Reading)
	}
	_, reopens := d.Tree.Reading.(tree.Reopener)
	return !reopens
}

// Flags returns the flags with which commands read the values as they are read now.
func (d *Document) Flags() string {
	if d.reading == nil {
		return ""
	}
	info := d.reading.Format.Info()
	return info.Flags()
}

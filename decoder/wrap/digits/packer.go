package digits

import (
	"varview/decoder/source"
	"varview/decoder/wrap/layer"
)

// Old is a text that is written again.
type Old struct {
	*Text
	Layout
	Size int64 // of the old payload
	Last int64 // end of the last digit of the old text
	Cut  bool  // the old payload is incomplete
}

// CanRewrap implements layer.Packer.
func (o *Old) CanRewrap() error {
	if o.Cut {
		return layer.ErrCut
	}
	return nil
}

// A Packer replaces the digits and keeps what is between them.
type Packer struct {
	Old
	Sextets bool // the digits are those of base64
	Padded  bool // base64: padding completes the last group of four digits
	Joined  bool // base64: padding within the text ends groups of digits
	Rough   bool // how wrong characters are read depends on one another
}

// Rewrap implements layer.Packer.
func (p *Packer) Rewrap(w *layer.Rewrapping) (int64, error) {
	out := w.Output(0)
	if err := newCopier(w, p, out).all(); err != nil {
		return 0, err
	}
	return out.Finish()
}

// eachPiece calls each for the pieces of the old text.
func (o *Old) eachPiece(w *layer.Rewrapping, each func(at int64, b []byte) error) error {
	win := source.NewWindow(w.Source)
	for at := w.Region.Offset; at < w.Region.End(); {
		if err := w.Ctx.Err(); err != nil {
			return err
		}
		b := o.Piece(win, at)
		if err := win.Err(); err != nil {
			return err
		}
		if hole := win.TakeHole(); hole != nil {
			return layer.Lacking(hole)
		}
		if err := each(at, b); err != nil {
			return err
		}
		at += int64(len(b))
	}
	return nil
}

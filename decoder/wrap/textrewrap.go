package wrap

import (
	"varview/decoder/source"
)

// textLayer wraps a payload again as text.
type textLayer struct {
	lexer
	layout
	size   int64 // of the old payload
	last   int64 // behind the last digit of the old text
	first  int64 // rows: offset of the first byte
	cut    bool  // the old payload is not whole
	padded bool  // base64: padding fills up the last group of four digits
	joined bool  // base64: padding within the text ends groups of digits
	rough  bool  // what wrong characters are taken for depends on each other
}

// canRewrap implements rewrapper.
func (t *textLayer) canRewrap() error {
	if t.cut {
		return errCut
	}
	return nil
}

// rewrap implements rewrapper.
func (t *textLayer) rewrap(w *wrapping) (int64, error) {
	out := w.output(0)
	var err error
	if t.form >= formXXD {
		err = t.rewrapRows(w, out)
	} else {
		err = newDigitCopier(w, t, out).all()
	}
	if err != nil {
		return 0, err
	}
	return out.finish()
}

// eachPiece goes over the old text.
func (t *textLayer) eachPiece(w *wrapping, each func(at int64, b []byte) error) error {
	win := source.NewWindow(w.src)
	for at := w.region.Offset; at < w.region.End(); {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		b := t.piece(win, at)
		if err := win.Err(); err != nil {
			return err
		}
		if hole := win.TakeHole(); hole != nil {
			return lacking(hole)
		}
		if err := each(at, b); err != nil {
			return err
		}
		at += int64(len(b))
	}
	return nil
}

// Package text opens base64 text.
package text

import (
	"bytes"
	"context"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/digits"
	"varview/decoder/wrap/layer"
)

// Kind is this kind of wrapper.
var Kind layer.Kind = kind{layer.Info{Name: "base64", About: "base64 text, as Marshalls.variant_to_base64 writes it", Text: true}}

type kind struct{ layer.Info }

// Open implements layer.Kind.
func (k kind) Open(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) error {
	w := source.NewWindow(src)
	n := &notation{padFrom: padding(w, l.Region)}
	t := &digits.Text{Notation: n, Title: k.Name, Digit: k.Name, Region: l.Region, BOM: digits.HasBOM(w, l.Region)}
	return digits.Open(ctx, l, t, src, o)
}

// padding returns where the padding at the end of a text begins.
func padding(w *source.Window, region span.Span) int64 {
	n := min(region.Length, source.MaxView)
	tail := w.View(region.End()-n, n)
	return region.End() - n + int64(len(bytes.TrimRight(tail, "= \t\r\n")))
}

// notation says how base64 represents bytes.
type notation struct {
	padFrom int64 // only padding follows from here on
}

// Lex implements digits.Notation.
func (n *notation) Lex(t *digits.Text, runs []digits.Run, b []byte, off int64) []digits.Run {
	for i := 0; i < len(b); {
		start, c := i, digits.Base64Chars[b[i]]
		for i++; i < len(b) && digits.Base64Chars[b[i]] == c; i++ {
		}
		switch c {
		case digits.CharDigit:
			runs = digits.Add(runs, i-start, digits.IsDigits)
		case digits.CharBlank:
			runs = digits.Add(runs, i-start, digits.IsText)
		default:
			for j := start; j < i; j++ {
				runs = digits.Add(runs, 1, n.mark(t, b[j], off+int64(j)))
			}
		}
	}
	return runs
}

// mark returns the class of a character that is neither digit nor blank.
func (n *notation) mark(t *digits.Text, c byte, off int64) digits.Class {
	switch {
	case c == '=' && off >= n.padFrom:
		return digits.IsText
	case t.Stray:
		return digits.IsOdd
	case c != '=':
		return digits.IsLost
	}
	return digits.IsWrong
}

// Cut implements digits.Notation.
func (*notation) Cut(t *digits.Text, b []byte) int { return len(b) }

// Skip implements digits.Notation.
func (*notation) Skip(b []byte) int { return 0 }

// CanTakeOut implements digits.Notation.
func (*notation) CanTakeOut(t *digits.Text, c digits.Class) bool { return t.Stray }

// Decode implements digits.Notation.
func (n *notation) Decode(d *digits.Decoder) digits.Decoding {
	return &decoding{Decoder: d, padFrom: n.padFrom}
}

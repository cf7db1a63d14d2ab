package info

import (
	"fmt"

	"varview/decoder/engine/span"
	"varview/themes"
	"varview/ui/paint"
)

// selection describes the selected bytes.
func (p Pane) selection(width int) []string {
	s, sums := p.Chosen(), &p.Summed
	first := []paint.Piece{paint.Plain(" "), paint.In(themes.Key, "selected "+s.String()), paint.In(themes.Dim, " · "+span.Bytes(s.Length))}
	second := []paint.Piece{paint.Plain(" ")}
	say := func(line *[]paint.Piece, label, text string) {
		*line = append(*line, paint.In(themes.Dim, label+" "), paint.In(themes.Value, text+"  "))
	}
	switch {
	case !sums.Done:
		second = append(second, paint.In(themes.Dim, fmt.Sprintf("summing %.0f%%", 100*sums.Job.Share())))
	case sums.Err != nil:
		second = append(second, paint.In(themes.Error, "✗ "+sums.Err.Error()))
	default:
		first = append(first, paint.Plain("  "))
		say(&first, "entropy", fmt.Sprintf("%.2f bits a byte", sums.Sums.Entropy))
		say(&first, "CRC32", fmt.Sprintf("%08x", sums.Sums.CRC32))
		say(&second, "MD5", fmt.Sprintf("%x", sums.Sums.MD5))
		say(&second, "SHA-256", fmt.Sprintf("%x", sums.Sums.SHA256))
	}
	return []string{p.Styles.Line(first, width, false), p.Styles.Line(second, width, false)}
}

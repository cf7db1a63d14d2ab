package decoder

import (
	"bytes"
	"encoding/hex"
	"math"
	"slices"
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// embed implements format.Embedder. A type has the name of a family or of a dialect, with _ for -, and may
// end in _variant. Of several readings it takes the likeliest with the fewest problems.
func embed(typ string, src source.Source, region span.Span, isWhole bool) (t *tree.Tree, pack func([]byte) []byte) {
	formats := embeddable(typ, src, region)
	best, least := cleanest(formats, src, region, isWhole)
	if least == 0 || !isWhole || best == nil {
		return best, nil
	}
	// GameMaker writes its structures in digits.
	digits := bytes.Clone(source.NewWindow(src).View(region.Offset, region.Length))
	b, err := hex.DecodeString(strings.TrimSpace(string(digits)))
	if err != nil || int64(len(digits)) < region.Length || len(b) == 0 {
		return best, nil
	}
	plain, inDigits := cleanest(formats, source.Bytes(b), span.Between(0, int64(len(b))), true)
	if inDigits < least {
		return plain, func(plain []byte) []byte { return inDigitsOf(digits, plain) }
	}
	return best, nil
}

// inDigitsOf returns bytes as hexadecimal digits that look like others, with the blanks around those.
func inDigitsOf(others, plain []byte) []byte {
	text := hex.AppendEncode(nil, plain)
	if !bytes.ContainsAny(others, "abcdef") {
		text = bytes.ToUpper(text)
	}
	return bytes.Replace(others, bytes.TrimSpace(others), text, 1)
}

// embeddable lists the ways to read a value of a type, the likeliest first.
func embeddable(typ string, src source.Source, region span.Span) []format.Format {
	name := strings.ReplaceAll(strings.TrimSuffix(typ, "_variant"), "_", "-")
	for _, f := range Families {
		r := format.Request{Framing: "raw"}
		if f.Name() != name {
			if !slices.ContainsFunc(f.Dialects(), func(d *format.Dialect) bool { return d.Name == name }) {
				continue
			}
			r.Dialect = name
		}
		return f.Formats(&r, src, region)
	}
	return nil
}

// cleanest returns the reading of a region with the fewest problems, and their number.
func cleanest(formats []format.Format, src source.Source, region span.Span, isWhole bool) (best *tree.Tree, least int) {
	least = math.MaxInt
	for _, f := range formats {
		t := tree.New(src, f.Open(src, region), region)
		problems := 0
		if len(formats) > 1 || isWhole {
			problems = countErrors(t, isWhole)
		}
		if problems < least {
			best, least = t, problems
		}
		if least == 0 {
			break
		}
	}
	return best, least
}

// countErrors counts the errors of the first value of a tree; if isWhole is set, also the bytes after it.
func countErrors(t *tree.Tree, isWhole bool) (n int) {
	s := t.Scanner()
	s.NoResync = true
	s.Report = func(p span.Problem) {
		if isTrailing := p.Code == span.TrailingBytes && s.Depth() == 0; isTrailing && isWhole || !isTrailing && p.Severity == span.Error {
			n++
		}
	}
	for s.Next() != tree.Done {
	}
	return n
}

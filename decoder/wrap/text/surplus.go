package text

import (
	"bytes"
	"context"
	"encoding/base64"
	"io"

	"github.com/klauspost/compress/zlib"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/digits"
	"varview/decoder/wrap/layer"
)

var _ layer.ShiftFinder = kind{}

// surplusText is the size of a text up to which a surplus digit is searched for.
const surplusText = 4 << 10

// maxPlain is the greatest size of the stream in such a text.
const maxPlain = 4 << 20

// FindShift implements layer.ShiftFinder: a digit is surplus if the text without it is
// a zlib stream whose checksum matches. Nothing else in texts can prove it.
func (kind) FindShift(ctx context.Context, l *layer.Layer, src source.Source, _ layer.Options) (*layer.Shift, error) {
	if l.Region.Length > surplusText {
		return nil, nil
	}
	text := make([]byte, l.Region.Length)
	if err := layer.ReadAt(src, text, l.Region.Offset); err != nil || !hasDigitTooMany(text) {
		return nil, err
	}
	first, last := -1, -1
	for i, c := range text {
		if digits.Base64Chars[c] != digits.CharDigit || i > 0 && c == text[i-1] {
			continue // without either of two equal digits the text is the same
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if isStream(layer.CutOut(text, i, 1)) {
			if first < 0 {
				first = i
			}
			for last = i; last+1 < len(text) && text[last+1] == c; last++ {
			}
		}
	}
	if first < 0 {
		return nil, nil
	}
	digit := span.Span{Offset: l.Region.Offset + int64(first), Length: 1}
	where := span.Between(digit.Offset, l.Region.Offset+int64(last)+1)
	return layer.NewSurplus(src, l.Region, digit, where, "the digits: without it the checksum of the zlib stream matches", ""), nil
}

// hasDigitTooMany reports whether a text is well-formed except for one surplus digit.
func hasDigitTooMany(text []byte) bool {
	body := bytes.TrimRight(text, "= \t\r\n")
	n := bytes.Count(text[len(body):], []byte("="))
	for _, c := range body {
		switch digits.Base64Chars[c] {
		case digits.CharDigit:
			n++
		case digits.CharWrong:
			return false
		}
	}
	return n%4 == 1
}

// isStream reports whether a text holds a zlib stream whose checksum matches.
func isStream(text []byte) bool {
	joined := bytes.TrimRight(bytes.Join(bytes.Fields(text), nil), "=")
	packed := make([]byte, base64.RawStdEncoding.DecodedLen(len(joined)))
	if _, err := base64.RawStdEncoding.Decode(packed, joined); err != nil {
		return false
	}
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return false
	}
	_, err = io.CopyN(io.Discard, z, maxPlain)
	return err == io.EOF // the checksum was read and matches
}

package decoder

import (
	"cmp"
	"slices"

	"varview/decoder/elephant"
	"varview/decoder/span"
	"varview/decoder/wrap"
)

// Codes describes the problems of all formats and wrappers, in the order of their
// codes.
func Codes() []span.Code {
	all := slices.Concat(span.Codes, elephant.Codes, wrap.Codes, foreignCodes, []span.Code{
		{Code: TooManyLayers, Severity: span.Error, About: "more wrappers around each other than are opened"},
	})
	slices.SortFunc(all, func(a, b span.Code) int { return cmp.Compare(a.Code, b.Code) })
	return all
}

package text

import (
	"varview/decoder/span"
	"varview/decoder/tree"
)

func inspect(v *tree.Value, b []byte, report func(span.Problem)) {}

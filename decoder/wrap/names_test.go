package wrap

import (
	"varview/decoder/wrap/digits"
	"varview/decoder/wrap/gcpf"
	"varview/decoder/wrap/gdec"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/mangled"
	"varview/decoder/wrap/wraptest"
	"varview/decoder/wrap/zlib"
)

// The kinds, and other names that the tests use often.
var (
	GCPF          = gcpf.Kind
	GDEC          = gdec.Kind
	Base64        = digits.Base64
	Zlib          = zlib.Kind
	ByteOrderMark = mangled.ByteOrderMark
	TextMode      = mangled.TextMode
	Reencoded     = mangled.Reencoded

	mixed       = wraptest.Mixed
	errDamaged  = layer.ErrDamaged
	PasswordKey = gdec.PasswordKey
)

type State = layer.State

// run returns a Run of plain bytes from at on, which were at from.
func run(at, from, length int64) Run { return Run{At: at, From: from, Length: length} }

package layer

import (
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"varview/decoder/fastlz"
)

// Why packed bytes do not unpack.
var (
	ErrEarly    = errors.New("the packed bytes end too early")
	ErrDamaged  = errors.New("the packed bytes are damaged")
	ErrChecksum = errors.New("its checksum differs")
	ErrTooMuch  = errors.New("it holds more bytes than a block may have")
)

// Explain converts the error of an unpacker to one of these errors.
func Explain(err error) error {
	switch {
	case err == nil, errors.Is(err, ErrTooMuch):
		return err
	case errors.Is(err, zlib.ErrChecksum), errors.Is(err, gzip.ErrChecksum), errors.Is(err, zstd.ErrCRCMismatch):
		return ErrChecksum
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, fastlz.ErrEarly):
		return ErrEarly
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, fastlz.ErrTooMuch):
		return ErrTooMuch
	}
	return ErrDamaged
}

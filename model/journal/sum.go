package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"varview/decoder/engine/source"
)

const (
	summedWhole = 64 << 20 // size in bytes up to which a whole file is summed
	samples     = 256      // parts of a larger file that are summed
	sampleSize  = 64 << 10
)

// Sum identifies content: it is the SHA-256 of all of it up to 64 MiB, and beyond that of its size and
// 256 parts.
func Sum(src source.Source) (string, error) {
	h, size := sha256.New(), src.Size()
	if size <= summedWhole {
		_, err := io.Copy(h, io.NewSectionReader(src, 0, size))
		return hex.EncodeToString(h.Sum(nil)), err
	}
	fmt.Fprintln(h, size)
	b := make([]byte, sampleSize)
	for i := range int64(samples) {
		if _, err := src.ReadAt(b, (size-sampleSize)/(samples-1)*i); err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

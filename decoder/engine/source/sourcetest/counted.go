// Package sourcetest has sources for tests.
package sourcetest

import "varview/decoder/engine/source"

// A Counted source counts its reads, and the bytes asked for.
type Counted struct {
	source.Source
	Reads int
	Bytes int64
}

// ReadAt implements io.ReaderAt.
func (c *Counted) ReadAt(p []byte, off int64) (int, error) {
	c.Reads++
	c.Bytes += int64(len(p))
	return c.Source.ReadAt(p, off)
}

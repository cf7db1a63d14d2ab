// Package sourcetest has sources for tests.
package sourcetest

import "varview/decoder/source"

// A Counted source counts its reads.
type Counted struct {
	source.Source
	Reads int
}

// ReadAt implements io.ReaderAt.
func (c *Counted) ReadAt(p []byte, off int64) (int, error) {
	c.Reads++
	return c.Source.ReadAt(p, off)
}

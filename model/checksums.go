package model

import "varview/decoder/wrap"

// Checksums says what becomes of the checksums beside the values when those are saved.
type Checksums uint8

// What becomes of checksums. What is not decided is as Renewed; the terminal program asks first.
const (
	Undecided Checksums = iota
	Renewed             // they are computed anew
	Left                // they are written as they were
)

// Checksums returns the titles of the checksums around the values, the outermost first: "MD5 at the end, fits".
func (d *Document) Checksums() (titles []string) {
	for _, l := range d.Layers {
		if wrap.IsChecksum(l.Kind) {
			titles = append(titles, l.Title)
		}
	}
	return titles
}

// WhatOfChecksums returns what was decided about the checksums.
func (d *Document) WhatOfChecksums() Checksums { return d.options.Checksums }

// DecideChecksums decides it.
func (d *Document) DecideChecksums(c Checksums) { d.options.Checksums = c }

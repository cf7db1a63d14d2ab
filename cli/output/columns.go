// Package output prints the output of commands: fields, changes and problems, as text in
// columns or as JSON, and the progress of a long piece of work.
package output

import (
	"varview/decoder/span"
	"varview/ui/text"
)

// appendCut appends text, cut to width columns.
func appendCut(dst, s []byte, width int) []byte {
	if len(s) <= width && isPlain(s) {
		return append(dst, s...)
	}
	return append(dst, text.Head(string(s), width)...)
}

// isPlain reports whether all of s is printable ASCII.
func isPlain(s []byte) bool {
	for _, c := range s {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// appendOffset appends an offset in hex.
func appendOffset(dst []byte, off int64, digits int) []byte {
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		dst = append(dst, hexDigits[off>>shift&15])
	}
	return dst
}

// appendPrintable appends bytes as ASCII text, with a dot for each that is not printable.
func appendPrintable(dst, row []byte) []byte {
	for _, c := range row {
		if c < ' ' || c > '~' {
			c = '.'
		}
		dst = append(dst, c)
	}
	return dst
}

const (
	hexDigits  = "0123456789abcdef"
	manyBlanks = "                                                                "
)

var kindNames = func() (names [][]byte) {
	for _, k := range span.Kinds() {
		names = append(names, []byte(k.String()))
	}
	return names
}()

package search

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
)

// A pattern is a sequence of bytes, some of which may be any.
type pattern struct {
	bytes []byte
	any   []bool
	run   []byte // the longest sequence of certain bytes
	at    int    // its place in the pattern
}

var errPattern = errors.New(`x: needs pairs of hex digits, with ?? for any byte, as in x:1b 00 ?? ff`)

// parsePattern reads pairs of hex digits, or ?? for any byte, with blanks anywhere.
func parsePattern(s string) (*pattern, error) {
	digits := strings.Join(strings.Fields(s), "")
	p := &pattern{}
	for ; len(digits) >= 2; digits = digits[2:] {
		b, err := hex.DecodeString(digits[:2])
		isAny := digits[:2] == "??"
		if err != nil && !isAny {
			return nil, errPattern
		}
		p.bytes, p.any = append(p.bytes, append(b, 0)[0]), append(p.any, isAny)
	}
	if digits != "" || len(p.bytes) == 0 {
		return nil, errPattern
	}
	start := 0
	for i, isAny := range append(p.any, true) {
		if isAny {
			if i-start > len(p.run) {
				p.run, p.at = p.bytes[start:i], start
			}
			start = i + 1
		}
	}
	if p.run == nil {
		return nil, errors.New("x: needs a byte that is not ??, as in x:1b ?? ff")
	}
	return p, nil
}

// index returns the first place of the pattern in b, -1 if it is not there.
func (p *pattern) index(b []byte) int {
	for i := 0; i+len(p.bytes) <= len(b); i++ {
		k := bytes.Index(b[i+p.at:], p.run)
		if i += k; k < 0 || i+len(p.bytes) > len(b) {
			return -1
		}
		if p.fits(b[i:]) {
			return i
		}
	}
	return -1
}

// fits reports whether b begins with bytes that match the pattern.
func (p *pattern) fits(b []byte) bool {
	for i, c := range p.bytes {
		if c != b[i] && !p.any[i] {
			return false
		}
	}
	return true
}

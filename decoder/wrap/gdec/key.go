package gdec

import (
	"slices"

	"varview/decoder/wrap/layer"
)

// KeyFits implements layer.Keyed.
func (p *payload) KeyFits() layer.State { return p.fits() }

// judgeKey returns what the plain bytes and the padding after them show about the key.
func (p *payload) judgeKey() layer.State {
	padding := p.judgePadding()
	switch {
	case padding == layer.Matches || p.size < cipherSize:
		return padding
	case !p.isNoise():
		return layer.Matches
	case p.size < leastNoise:
		return padding
	}
	return layer.Differs
}

// leastNoise is the number of plain bytes that can be noise in no good file, but for those
// of values that read without a problem.
const leastNoise = 64

// isNoise reports whether the plain bytes, judged by their beginning, look random, as a
// wrong key leaves them.
func (p *payload) isNoise() bool {
	const enough = 256 << 10
	b := make([]byte, min(p.size, enough))
	n, _ := p.ReadAt(b, 0) // the bytes before a hole are as good
	all := 0
	var counts [256]int
	seen := map[string]bool{} // a wrong key leaves cipher blocks that repeat themselves alike
	for block := range slices.Chunk(b[:n], cipherSize) {
		if !seen[string(block)] {
			seen[string(block)] = true
			all += len(block)
			for _, c := range block {
				counts[c]++
			}
		}
	}
	squares := 0
	for _, c := range counts {
		squares += c * c
	}
	// χ² of random bytes is 255 ± 23, and varies more if there are few.
	return all < cipherSize || squares*256/all-all < 384+2048/all
}

// judgePadding returns whether the padding after the plain bytes is zero, as it is with the
// right key. At least 4 bytes of padding are needed to know.
func (p *payload) judgePadding() layer.State {
	n := padded(p.header.plain()) - p.header.plain()
	if n < 4 || !p.header.isWhole() || p.header.plain()+n > p.header.end-p.header.start {
		return layer.Unknown
	}
	b := make([]byte, n)
	mem := make([]byte, n+3*cipherSize)
	if p.decrypt(b, p.header.plain(), mem) != nil {
		return layer.Unknown
	}
	if !layer.IsZero(b) {
		return layer.Differs
	}
	return layer.Matches
}

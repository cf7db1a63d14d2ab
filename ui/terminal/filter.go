package terminal

import (
	"bytes"
	"strings"
	"time"
)

const (
	esc = 0x1b
	bel = 0x07

	// replyStart is the beginning of a reply; 0 or 1 and a semicolon follow.
	replyStart = "\x1b]1"
	headLength = len(replyStart) + len("1;")

	// maxColor is the longest colour, in bytes, that a reply can hold. The
	// longest in use is rgba:ffff/ffff/ffff/ffff.
	maxColor = 64
	maxReply = headLength + maxColor + len("\x1b\\")
)

// A filter removes the terminal's replies to OSC 10 and OSC 11 from its input. A reply is ESC ] 1 0 ; or
// ESC ] 1 1 ; then at most maxColor printable ASCII characters, then BEL or ESC \.
type filter struct {
	onReply func(reply []byte)
	held    []byte // may be the beginning of a reply
}

// feed appends the held bytes and input to dst, without replies. It holds back an end that may be the
// beginning of a reply.
func (f *filter) feed(dst, input []byte) []byte {
	data := input
	if len(f.held) > 0 {
		data = append(f.held, input...)
		f.held = nil
	}
	for {
		start := bytes.IndexByte(data, esc)
		if start < 0 {
			return append(dst, data...)
		}
		dst = append(dst, data[:start]...)
		data = data[start:]
		switch length, verdict := scanReply(data); verdict {
		case isReply:
			f.onReply(data[:length])
			data = data[length:]
		case mayBeReply:
			f.held = bytes.Clone(data)
			return dst
		case noReply:
			dst = append(dst, data[0])
			data = data[1:]
		}
	}
}

// flush appends the held bytes to dst, since they are not a reply.
func (f *filter) flush(dst []byte) []byte {
	dst = append(dst, f.held...)
	f.held = nil
	return dst
}

// patience returns how long to wait for what follows the held bytes. People press escape by itself, and escape
// with ]; nobody types more of a reply than that.
func (f *filter) patience() time.Duration {
	switch n := len(f.held); {
	case n == 0:
		return 0
	case n == 1:
		return 4 * time.Millisecond
	case n < headLength:
		return 20 * time.Millisecond
	}
	return 100 * time.Millisecond
}

type verdict int

const (
	noReply verdict = iota
	mayBeReply
	isReply
)

// scanReply reports whether data, which begins with ESC, begins with a reply, and
// returns its length.
func scanReply(data []byte) (length int, _ verdict) {
	for i, b := range data {
		switch {
		case i < len(replyStart):
			if b != replyStart[i] {
				return 0, noReply
			}
		case i == len(replyStart):
			if b != '0' && b != '1' {
				return 0, noReply
			}
		case i < headLength:
			if b != ';' {
				return 0, noReply
			}
		case b == bel:
			return i + 1, isReply
		case b == esc && i+1 == len(data):
			return 0, mayBeReply
		case b == esc && data[i+1] == '\\':
			return i + 2, isReply
		case b < ' ' || b > '~' || i-headLength >= maxColor:
			return 0, noReply
		}
	}
	return 0, mayBeReply
}

// background returns the colour of a reply to OSC 11; ok is false for a reply to
// OSC 10, or one without a colour.
func background(reply []byte) (rgb [3]float64, ok bool) {
	spec, found := strings.CutPrefix(string(reply), "\x1b]11;")
	if !found {
		return rgb, false
	}
	return parseColor(strings.TrimRight(spec, "\a\x1b\\"))
}

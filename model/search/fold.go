package search

import (
	"bytes"
	"unicode/utf8"
)

// A folded is a needle in lower case that matches text in any case.
type folded struct {
	needle []byte
	ascii  bool
	at     int     // place in an ASCII needle of its rarest byte
	forms  [2]byte // that byte in lower and upper case
}

// rarity lists the bytes that are frequent in saves, the most frequent first. All others
// are rare.
const rarity = "\x00 etaoinsrhldcumpfgbywvk_0123456789"

func fold(needle []byte) *folded {
	f := &folded{needle: needle, ascii: true}
	rarest := -1
	for i, c := range needle {
		if c >= utf8.RuneSelf {
			f.ascii = false
		}
		rank := bytes.IndexByte([]byte(rarity), c)
		if rank < 0 {
			rank = len(rarity)
		}
		if rank > rarest {
			rarest, f.at, f.forms = rank, i, [2]byte{c, c}
		}
	}
	if c := f.forms[0]; c >= 'a' && c <= 'z' {
		f.forms[1] = c - 'a' + 'A'
	}
	return f
}

// index is bytes.Index that ignores case. It finds only text of the same length in bytes.
func (f *folded) index(b []byte) int {
	if !f.ascii {
		return f.indexAny(b)
	}
	next := [2]int{-1, -1} // next place of each form of the rarest byte, from the current place on
	for i := f.at; i+len(f.needle)-f.at <= len(b); i++ {
		for k, form := range f.forms {
			if next[k] < i && next[k] != len(b) {
				if n := bytes.IndexByte(b[i:], form); n >= 0 {
					next[k] = i + n
				} else {
					next[k] = len(b)
				}
			}
		}
		i = min(next[0], next[1])
		if start := i - f.at; start+len(f.needle) <= len(b) && bytes.EqualFold(b[start:start+len(f.needle)], f.needle) {
			return start
		}
	}
	return -1
}

// indexAny is index for a needle with any characters: a character that folds to one of them
// may begin with another byte.
func (f *folded) indexAny(b []byte) int {
	for i := 0; i+len(f.needle) <= len(b); i++ {
		if b[i] >= utf8.RuneSelf || f.needle[0] >= utf8.RuneSelf || b[i]|0x20 == f.needle[0]|0x20 {
			if bytes.EqualFold(b[i:i+len(f.needle)], f.needle) {
				return i
			}
		}
	}
	return -1
}

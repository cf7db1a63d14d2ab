// Package scout finds values that create objects or load scripts, in bytes and texts about which nothing
// else is known.
package scout

import (
	"encoding/binary"

	"varview/decoder/formats/godot/internal/types"
)

// Limits of the names that engines accept.
const (
	leastClass = 3
	maxClass   = 256
	maxScript  = 4096
)

// A kind is what a header with some id begins, in a dialect that an engine writes.
type kind struct {
	dialect string
	typed   bool // a container, which loads the script of its element type
}

// kinds lists them by id.
var kinds = func() (all [64][]kind) {
	for _, d := range types.Dialects() {
		for id, t := range d.Table {
			switch {
			case !d.Written():
			case t == types.Object:
				all[id] = append(all[id], kind{dialect: d.Name})
			case d.Typed && (t == types.Dictionary || t == types.Array):
				all[id] = append(all[id], kind{d.Name, true})
			}
		}
	}
	return all
}()

// mayBegin has the ids of these headers.
var mayBegin = func() (all [256]bool) {
	for id := range kinds {
		all[id] = kinds[id] != nil
	}
	return all
}()

// leastBytes is the size of the smallest of these values.
const leastBytes = 12

// Bytes calls found with each offset at which an object or a typed container with a script may
// begin, and the dialect.
func Bytes(b []byte, found func(at int, dialect string)) {
	for at, id := range b[:max(0, len(b)-leastBytes+1)] {
		if !mayBegin[id] || b[at+1] != 0 {
			continue
		}
		flags := int(binary.LittleEndian.Uint16(b[at+2:]))
		for _, k := range kinds[id] {
			if k.typed && isTyped(b[at+4:], flags) || !k.typed && flags&types.WideFlag == 0 && isObject(b[at+4:]) {
				found(at, k.dialect)
			}
		}
	}
}

// isObject reports whether an object's class and number of properties may begin here.
func isObject(b []byte) bool {
	name, rest := text(b, maxClass)
	if len(name) < leastClass || len(rest) < 4 {
		return false
	}
	for i, c := range name {
		switch {
		case c >= 'A' && c <= 'Z', c == '_':
		case i > 0 && (c >= 'a' && c <= 'z' || c >= '0' && c <= '9'):
		case i > 0 && c == 0: // the NUL with which the engine ends the name
			return true
		default:
			return false
		}
	}
	const leastProperty = 8
	return int64(binary.LittleEndian.Uint32(rest))*leastProperty <= int64(len(rest))
}

// Kinds of the element type in a container's flags: two bits each, for the key too.
const (
	kindMask   = 3
	kindScript = 3
)

// isTyped reports whether the element types of a container may begin here, one of which is a script.
func isTyped(b []byte, flags int) bool {
	if flags > 15 || flags&kindMask != kindScript && flags>>2 != kindScript {
		return false
	}
	if flags&kindMask != kindScript { // kind of the keys, which comes first
		if flags&kindMask < 2 {
			return len(b) > 4
		}
		_, b = text(b, maxScript)
	}
	name, _ := text(b, maxScript)
	return len(name) > 0
}

// text returns the text with its length at the beginning of b, and what follows it and its padding; nil if
// there is no text of at most that many bytes.
func text(b []byte, most int) (name, rest []byte) {
	if len(b) < 4 {
		return nil, nil
	}
	n := int64(binary.LittleEndian.Uint32(b))
	end := 4 + n + types.Pad(n)
	if n > int64(most) || end > int64(len(b)) {
		return nil, nil
	}
	return b[4 : 4+n], b[end:]
}

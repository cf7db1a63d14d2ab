package message

import (
	"varview/decoder/capture/variants"
	"varview/decoder/span"
)

// A Part is a step through the payload of a message: a field, a value, or where a list
// begins or ends. The fields and values tile the payload.
type Part struct {
	span.Field // of a list its name is the label
	Role       Role
	Form       variants.Form // of a value
	Points     int64         // of a length or an offset: where in the payload it says that something ends
	Means      string        // what the bytes of a field mean, "" where that is plain
}

// A Role is what a part is.
type Role uint8

// The roles.
const (
	Field Role = iota // bytes with one meaning
	Value             // a Variant
	Open              // what follows, up to its Close, is a list
	Close
)

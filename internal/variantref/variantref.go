// Package variantref is a second reader of Godot's and Pandemonium's Variant bytes,
// written from the specification alone. It reads any bytes as the engine does,
// damaged ones too: it ignores what engines ignore, and fails where they fail. It
// shares no code with the program's own decoder, is recursive, and reads all of its
// input in memory.
//
// It leaves out the mistakes of Pandemonium's reader with valid files (Projection,
// Vector4 in containers, w of a PoolVector4Array): these are read as they are
// stored.
package variantref

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Options are how to read.
type Options struct {
	Dialect   string // godot4, godot3, pandemonium, pandemonium4, pandemonium3, godot4-docs, godot3-early-docs
	Stream    bool   // frames of a length and a value, not one bare value
	BigEndian bool   // frame lengths are big-endian

	Objects bool     // full objects may be loaded
	Classes []string // of the game; nil for any
}

// A Frame is the engine's result for one value.
type Frame struct {
	Value string // in a form that distinguishes values to the bit; "" with an error
	Err   string // the engine's name of the error: ERR_INVALID_DATA
}

// A Reading is the engine's result for some bytes.
type Reading struct {
	Frames  []Frame
	Oddness string // a form that engines read but never write; "" if there is none

	Classes []string // of the full objects in it
}

// Same reports whether the engine reads the same from other bytes.
func (r *Reading) Same(other *Reading) bool {
	if len(r.Frames) != len(other.Frames) {
		return false
	}
	for i := range r.Frames {
		if r.Frames[i] != other.Frames[i] {
			return false
		}
	}
	return true
}

// The errors of the engines.
const (
	errData   = "ERR_INVALID_DATA"
	errEOF    = "ERR_FILE_EOF"
	errObject = "ERR_UNAUTHORIZED"
	errClass  = "ERR_UNAVAILABLE"
	errDepth  = "ERR_OUT_OF_MEMORY"
)

// Read reads bytes as the engine does. A dialect that does not exist is an error.
func Read(data []byte, o Options) (*Reading, error) {
	t := tables[o.Dialect]
	if t == nil {
		return nil, fmt.Errorf("variantref: no dialect %q", o.Dialect)
	}
	r := &Reading{}
	if !o.Stream {
		r.frame(data, t, o)
		return r, nil
	}
	var order binary.ByteOrder = binary.LittleEndian
	if o.BigEndian {
		order = binary.BigEndian
	}
	for len(data) > 0 {
		if len(data) < 4 {
			r.Frames = append(r.Frames, Frame{Err: errEOF})
			break
		}
		n := uint64(order.Uint32(data))
		data = data[4:]
		if n > uint64(len(data)) {
			r.Frames = append(r.Frames, Frame{Err: errEOF})
			break
		}
		r.frame(data[:n], t, o)
		data = data[n:]
	}
	return r, nil
}

// frame reads the value that data begins with.
func (r *Reading) frame(data []byte, t *table, o Options) {
	d := &decoder{table: t, data: data, reading: r, options: o}
	value, err := d.read()
	if err == "" && d.at < len(data) {
		d.odd("bytes after the value")
	}
	r.Frames = append(r.Frames, Frame{Value: value, Err: err})
}

// A decoder gives up by panicking with a failure, which read catches.
type decoder struct {
	*table
	data    []byte
	at      int
	depth   int
	options Options
	reading *Reading
}

type failure string

func (d *decoder) read() (value, err string) {
	defer func() {
		if e := recover(); e != nil {
			f, ok := e.(failure)
			if !ok {
				panic(e)
			}
			value, err = "", string(f)
		}
	}()
	var out strings.Builder
	d.value(&out)
	return out.String(), ""
}

// odd records a form that no engine writes; the first counts.
func (d *decoder) odd(what string) {
	if d.reading.Oddness == "" {
		d.reading.Oddness = what
	}
}

// take returns the next n bytes.
func (d *decoder) take(n int, err string) []byte {
	if n < 0 || n > len(d.data)-d.at {
		panic(failure(err))
	}
	d.at += n
	return d.data[d.at-n : d.at]
}

func (d *decoder) u32() uint32 { return binary.LittleEndian.Uint32(d.take(4, errData)) }
func (d *decoder) u64() uint64 { return binary.LittleEndian.Uint64(d.take(8, errData)) }

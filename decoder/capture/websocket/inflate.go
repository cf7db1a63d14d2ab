package websocket

import (
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/flate"
)

// windowSize is the most that deflate refers back.
const windowSize = 32 << 10

// messageEnd is what a sender leaves out at the end of each packed message, and an empty
// last block.
var messageEnd = []byte{0, 0, 0xff, 0xff, 1, 0, 0, 0xff, 0xff}

var errTooMuch = errors.New("it unpacks to more than a message may have")

// An inflater unpacks the messages of one side.
type inflater struct {
	reader io.ReadCloser
	window []byte // the end of what was unpacked before
}

// unpack unpacks a message. fresh says that it refers to none before it.
func (f *inflater) unpack(packed []byte, fresh bool) ([]byte, error) {
	in := io.MultiReader(bytes.NewReader(packed), bytes.NewReader(messageEnd))
	if fresh {
		f.window = f.window[:0]
	}
	if f.reader == nil {
		f.reader = flate.NewReaderDict(in, f.window)
	} else if err := f.reader.(flate.Resetter).Reset(in, f.window); err != nil {
		return nil, err
	}
	plain, err := io.ReadAll(io.LimitReader(f.reader, MaxMessage+1))
	if len(plain) > MaxMessage {
		plain, err = nil, errTooMuch
	}
	last := plain[max(0, len(plain)-windowSize):]
	kept := copy(f.window, f.window[max(0, len(f.window)+len(last)-windowSize):])
	f.window = append(f.window[:kept], last...)
	return plain, err
}

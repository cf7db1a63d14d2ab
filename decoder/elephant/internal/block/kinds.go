package block

import (
	"sync/atomic"

	"varview/decoder/elephant/internal/datatype"
)

// kindsPage is the number of values whose kinds one page stores.
const kindsPage = 256

// kinds remembers which numbered values that have been passed are arrays and which are
// structs, as far as references can name them. A nil one, in a trial reading, remembers
// nothing.
type kinds [(MarkRef + 1) / kindsPage]atomic.Pointer[[kindsPage]atomic.Uint32]

// of returns the datatype of a numbered value, 0 if it is not known.
func (k *kinds) of(serial uint32) datatype.ID {
	if k == nil || serial > MarkRef {
		return 0
	}
	page := k[serial/kindsPage].Load()
	if page == nil {
		return 0
	}
	return datatype.ID(page[serial%kindsPage].Load())
}

func (k *kinds) set(serial uint32, t datatype.ID) {
	if k == nil || serial > MarkRef {
		return
	}
	page := k[serial/kindsPage].Load()
	for page == nil {
		k[serial/kindsPage].CompareAndSwap(nil, new([kindsPage]atomic.Uint32))
		page = k[serial/kindsPage].Load()
	}
	page[serial%kindsPage].Store(uint32(t))
}

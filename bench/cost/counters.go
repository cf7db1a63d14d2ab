package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime/coverage"
)

// The layout of counter files, as in Go's internal/coverage.
const (
	fileHeader   = 32 // magic, version, hash of the meta-data, flavor of the counters, byte order
	flavorAt     = 24
	rawFlavor    = 1 // counters of 4 bytes; otherwise they are of variable length
	segmentStart = 16
	fileFooter   = 16
)

// executed returns how often a block of statements of the program was executed since the last call: 0 if it was not built
// with -cover -covermode=atomic -coverpkg=varview/...
func executed() (blocks int64, err error) {
	var b bytes.Buffer
	if coverage.WriteCounters(&b) != nil {
		return 0, nil
	}
	if err := coverage.ClearCounters(); err != nil {
		return 0, err
	}
	return sumCounters(b.Bytes())
}

// sumCounters adds up all counters of a counter file.
func sumCounters(b []byte) (sum int64, err error) {
	damaged := errors.New("counters that cannot be read")
	if len(b) < fileHeader+segmentStart+fileFooter {
		return 0, damaged
	}
	isRaw := b[flavorAt] == rawFlavor
	b = b[fileHeader : len(b)-fileFooter]
	functions := binary.LittleEndian.Uint64(b)
	texts := int(binary.LittleEndian.Uint32(b[8:]) + binary.LittleEndian.Uint32(b[12:]))
	start := segmentStart + texts
	start += -start & 3
	if start > len(b) {
		return 0, damaged
	}
	b = b[start:]
	next := func() (n uint64) {
		size := 4
		if isRaw && len(b) >= size {
			n = uint64(binary.LittleEndian.Uint32(b))
		} else if n, size = binary.Uvarint(b); size <= 0 {
			b, err = nil, damaged
			return 0
		}
		b = b[size:]
		return n
	}
	for ; functions > 0 && err == nil; functions-- {
		counters := next()
		next() // the package
		next() // the function
		for ; counters > 0 && err == nil; counters-- {
			sum += int64(next())
		}
	}
	return sum, err
}

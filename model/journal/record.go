package journal

import (
	"encoding/binary"
	"hash/crc32"
)

const (
	headSize = 9    // bytes of a record before its content
	sumAt    = 5    // where its checksum is
	isSealed = 0x80 // in the kind: the content is encrypted
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A record is one that is whole.
type record struct {
	kind    byte
	sealed  bool
	head    []byte // what is authenticated with a content that is encrypted
	content []byte
	sum     uint32
}

// encode returns a record, encrypted if s is not nil. before is the checksum of the record before it.
func encode(kind byte, content []byte, s *seal, number, before uint32) (b []byte, sum uint32) {
	size := len(content)
	if s != nil {
		size, kind = size+s.Overhead(), kind|isSealed
	}
	b = binary.LittleEndian.AppendUint32(make([]byte, 0, headSize+size), uint32(size))
	b = append(b, kind, 0, 0, 0, 0)
	if s != nil {
		b = s.Seal(b, s.nonce(number), content, b[:sumAt:sumAt])
	} else {
		b = append(b, content...)
	}
	sum = sumOf(b, before)
	binary.LittleEndian.PutUint32(b[sumAt:], sum)
	return b, sum
}

// sumOf is the checksum of a record.
func sumOf(b []byte, before uint32) uint32 {
	return crc32.Update(crc32.Update(before, castagnoli, b[:sumAt]), castagnoli, b[headSize:])
}

// decode reads the record that b begins with, and returns what follows it; ok is false if it is not whole.
func decode(b []byte, before uint32) (r record, rest []byte, ok bool) {
	if len(b) < headSize {
		return r, b, false
	}
	n := binary.LittleEndian.Uint32(b)
	if n > maxRecord || int64(n) > int64(len(b)-headSize) {
		return r, b, false
	}
	b, rest = b[:headSize+n], b[headSize+n:]
	sum := sumOf(b, before)
	if sum != binary.LittleEndian.Uint32(b[sumAt:]) {
		return r, b, false
	}
	return record{kind: b[4] &^ isSealed, sealed: b[4]&isSealed != 0, head: b[:sumAt], content: b[headSize:], sum: sum}, rest, true
}

// tallied returns the tally of a number of events.
func tallied(events int) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(events))
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// readTally returns the number of events of a tally; ok is false if it is damaged.
func readTally(b []byte) (events int, ok bool) {
	sum := crc32.Checksum(b[:4], castagnoli)
	return int(binary.LittleEndian.Uint32(b)), sum == binary.LittleEndian.Uint32(b[4:])
}

package journal

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// mark is the beginning of each record.
var mark = []byte{0xfe, 'v', 'j', '3'}

const (
	headSize = 25   // bytes of a record before its content
	sumAt    = 21   // offset of its checksum
	isSealed = 0x80 // flag in the kind: the content is encrypted
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A record is a complete record of a journal.
type record struct {
	id, number, event uint32
	kind              byte
	sealed            bool
	head              []byte // what is authenticated together with encrypted content
	content           []byte
}

// encode returns a record with its content, encrypted if s is not nil.
func (r *record) encode(content []byte, s *seal) []byte {
	size, kind := len(content), r.kind
	if s != nil {
		size, kind = size+s.Overhead(), kind|isSealed
	}
	b := append(make([]byte, 0, headSize+size), mark...)
	for _, n := range []uint32{r.id, uint32(size), r.number, r.event} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	b = append(append(b, kind), 0, 0, 0, 0)
	if s != nil {
		b = s.Seal(b, s.nonce(r.number), content, bytes.Clone(b[len(mark):sumAt]))
	} else {
		b = append(b, content...)
	}
	putSum(b)
	return b
}

// putSum puts the checksum of a record into it.
func putSum(b []byte) { binary.LittleEndian.PutUint32(b[sumAt:], sumOf(b)) }

func sumOf(b []byte) uint32 {
	return crc32.Update(crc32.Checksum(b[len(mark):sumAt], castagnoli), castagnoli, b[headSize:])
}

// open decrypts the content of a record, if it is encrypted.
func (r *record) open(s *seal) ([]byte, error) {
	switch {
	case !r.sealed:
		return r.content, nil
	case s == nil:
		return nil, errLocked
	}
	b, err := s.Open(nil, s.nonce(r.number), r.content, r.head)
	if err != nil {
		return nil, errLocked
	}
	return b, nil
}

// decode reads the record at the beginning of b; size is its number of bytes.
func decode(b []byte) (r record, size int, ok bool) {
	if len(b) < headSize || !bytes.HasPrefix(b, mark) {
		return r, 0, false
	}
	n := binary.LittleEndian.Uint32(b[8:])
	if n > maxRecord || int64(n) > int64(len(b)-headSize) {
		return r, 0, false
	}
	b = b[:headSize+n]
	if sumOf(b) != binary.LittleEndian.Uint32(b[sumAt:]) {
		return r, 0, false
	}
	kind := b[20]
	return record{id: binary.LittleEndian.Uint32(b[4:]), number: binary.LittleEndian.Uint32(b[12:]), event: binary.LittleEndian.Uint32(b[16:]),
		kind: kind &^ isSealed, sealed: kind&isSealed != 0, head: b[len(mark):sumAt], content: b[headSize:]}, len(b), true
}

// records returns the records of a journal up to the first that is not whole. cut says that there are bytes after them.
func records(b []byte) (all []record, cut bool) {
	at := len(magic)
	if !bytes.HasPrefix(b, []byte(magic)) {
		return nil, true
	}
	for at < len(b) {
		r, size, ok := decode(b[at:])
		switch {
		case ok && r.number == uint32(len(all)) && (len(all) == 0 || r.id == all[0].id):
		case len(all) == tallyAt && len(b)-at >= tallySize:
			r, size = record{number: tallyAt, kind: isTally}, tallySize
		default:
			return all, true
		}
		all = append(all, r)
		at += size
	}
	return all, false
}

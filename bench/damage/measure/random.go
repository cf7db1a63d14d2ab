package measure

import (
	"bytes"
	"math/rand/v2"

	"varview/decoder/engine/span"
)

// numbers are how many bytes random damage removes or inserts.
var numbers = [...]int64{1, 2, 4, 8}

// Random returns one random damage of any field: the way is drawn first, then the
// field, then what happens to it.
func (f *File) Random(r *rand.Rand) Mutation {
	for {
		if m, ok := f.draw(r); ok && !bytes.Equal(m.Apply(f.Data), f.Data) {
			return m
		}
	}
}

// draw draws a damage; ok is false where the file has no field for it.
func (f *File) draw(r *rand.Rand) (m Mutation, ok bool) {
	field := &f.Fields[r.IntN(len(f.Fields))]
	at := field.Offset + r.Int64N(field.Length)
	switch w := Way(r.IntN(int(ways))); w {
	case changedByte:
		return f.replace(w, at, []byte{byte(r.Uint32())}), true
	case flippedBits:
		return f.flip(field, r), true
	case wrongLength:
		if field = f.oneOf(span.Length, r); field == nil || !isBinary(field) {
			return m, false
		}
		return f.length(field, r), true
	case wrongType:
		if field = f.oneOf(span.Type, r); field == nil {
			return m, false
		}
		return f.replace(w, field.Offset, []byte{f.typeID(r)}), true
	case lostBytes:
		n := numbers[r.IntN(len(numbers))]
		if at+n >= int64(len(f.Data)) { // that would be a cut
			return m, false
		}
		return Mutation{w, at, f.Data[at : at+n], nil, f.at(at)}, true
	case insertedBytes:
		put := make([]byte, numbers[r.IntN(len(numbers))])
		for i := range put {
			put[i] = byte(r.Uint32())
		}
		return Mutation{w, at, nil, put, f.at(at)}, true
	}
	at = r.Int64N(int64(len(f.Data)))
	return Mutation{Cut, at, f.Data[at:], nil, f.at(at)}, true
}

// replace returns the mutation that puts other bytes at an offset.
func (f *File) replace(w Way, at int64, put []byte) Mutation {
	return Mutation{w, at, f.Data[at : at+int64(len(put))], put, f.at(at)}
}

// flip flips one to three bits of a field that are at most two bytes apart.
func (f *File) flip(field *Field, r *rand.Rand) Mutation {
	n := min(field.Length, 2)
	at := field.Offset + r.Int64N(field.Length-n+1)
	put := bytes.Clone(f.Data[at : at+n])
	for range 1 + r.IntN(3) {
		put[r.Int64N(n)] ^= 1 << r.IntN(8)
	}
	return f.replace(flippedBits, at, put)
}

// oneOf returns a random field of a kind, nil where there is none.
func (f *File) oneOf(k span.Kind, r *rand.Rand) *Field {
	var all []*Field
	for i := range f.Fields {
		if f.Fields[i].Kind == k {
			all = append(all, &f.Fields[i])
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[r.IntN(len(all))]
}

// typeIDs is a number above the ids of all types that engines write.
const typeIDs = 48

// typeID returns the id of a type, every other time any byte.
func (f *File) typeID(r *rand.Rand) byte {
	if r.IntN(2) == 0 {
		return byte(r.IntN(typeIDs))
	}
	return byte(r.Uint32())
}

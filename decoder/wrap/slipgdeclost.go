package wrap

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"hash"

	"varview/decoder/source"
)

// lost tries to put n bytes in at each place.
func (x *gdecSlips) lost(n int) {
	if len(x.all) < x.start-n || x.isEmpty() {
		return
	}
	packed := x.all[x.start-n:]
	for at := 0; at+n <= x.start && x.found == nil; at++ {
		head := append(append(bytes.Clone(x.all[:at]), make([]byte, n)...), x.all[at:x.start-n]...)
		x.fill(head, packed, at, n)
	}
	if x.found == nil && n == 1 {
		x.lostText()
	}
}

// isEmpty reports whether the header is that of no plain bytes, so that nothing can be
// lost but the start value's end.
func (x *gdecSlips) isEmpty() bool {
	if len(x.all) < x.sizeAt()+8 {
		return false
	}
	return string(x.all[:4]) == gdecMagic && md5.Sum(nil) == [cipherSize]byte(x.all[x.hashAt():]) && isZero(x.all[x.sizeAt():][:8])
}

// fill tries what n bytes of a header can have been.
func (x *gdecSlips) fill(head, packed []byte, at, n int) {
	known := bytes.Clone(head)
	sure := []byte(gdecMagic)
	if x.generation == 3 {
		sure = append(sure, 1, 0, 0, 0)
	}
	copy(head[at:at+n], sure[min(at, len(sure)):])
	if !bytes.HasPrefix(head, sure) {
		return
	}
	inHash := min(at+n, x.sizeAt()) - max(at, x.hashAt())
	inSize := min(at+n, x.sizeAt()+8) - max(at, x.sizeAt())
	for _, size := range x.sizes(head, len(packed), at, n, inSize > 0) {
		binary.LittleEndian.PutUint64(head[x.sizeAt():], size)
		undo := source.Put(x.region.Offset+int64(at), 0, bytes.Clone(head[at:at+n]))
		if x.generation == 4 && at+n > 28 {
			x.fillStart(head, packed, at, n)
			continue
		}
		sum, ok := x.sum(head, packed, -n)
		if ok && inHash > 0 {
			copy(known[at:at+n], head[at:at+n])
			copy(head[max(at, x.hashAt()):min(at+n, x.sizeAt())], sum[max(0, at-x.hashAt()):])
			undo = source.Put(x.region.Offset+int64(at), 0, bytes.Clone(head[at:at+n]))
		}
		switch {
		case ok && sum == [cipherSize]byte(head[x.hashAt():]):
			x.keep(undo, "from "+x.place(at))
			return
		case inHash <= 0 && n < maxSlip: // nobody can guess an MD5; the mode is what generation 4 has not
			x.guesses = append(x.guesses, gdecGuess{undo, string(head)})
		}
		copy(head[at:at+n], known[at:at+n])
	}
}

// sizes are the plain sizes that a cipher text can have, if some bytes of the size
// that the header says are unknown.
func (x *gdecSlips) sizes(head []byte, packed, at, n int, unknown bool) (all []uint64) {
	said := binary.LittleEndian.Uint64(head[x.sizeAt():])
	for size := max(0, packed-cipherSize+1); size <= packed; size++ {
		if padded(int64(size)) != int64(packed) {
			continue
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], uint64(size))
		for i := range b {
			if off := x.sizeAt() + i; unknown && off >= at && off < at+n {
				b[i] = head[off]
			}
		}
		if said == binary.LittleEndian.Uint64(b[:]) {
			all = append(all, uint64(size))
		}
	}
	return all
}

// fillStart tries what one lost byte of the start value can have been. Only the first
// cipher block depends on it.
func (x *gdecSlips) fillStart(head, packed []byte, at, n int) {
	size := int(binary.LittleEndian.Uint64(head[x.sizeAt():]))
	if n > 1 || size == 0 || x.left < 256*size {
		return
	}
	plain := x.plain(head, packed)
	if plain == nil || !isZero(plain[max(size, cipherSize):]) {
		return
	}
	x.left -= 256 * size
	p := &gdecPayload{block: x.block}
	first := append(make([]byte, cipherSize), packed[:cipherSize]...)
	for c := range 256 {
		head[at] = byte(c)
		copy(first, head[28:gdec4Header])
		p.cfb(plain[:cipherSize], first, 0)
		if md5.Sum(plain[:size]) == [cipherSize]byte(head[x.hashAt():]) {
			x.keep(source.Put(x.region.Offset+int64(at), 0, []byte{byte(c)}), "from the start value")
			return
		}
	}
}

// lostText tries each byte at each place of the cipher text.
func (x *gdecSlips) lostText() {
	n := len(x.all) - x.start + 1
	if len(x.all) < x.start || n > slipText || n == 0 || x.block == nil || !x.fits(x.all[:x.start], n) {
		return
	}
	head := x.all[:x.start]
	size := int(binary.LittleEndian.Uint64(head[x.sizeAt():]))
	h := &GDECHeader{Generation: x.generation}
	p := &gdecPayload{block: x.block, header: h, size: int64(size)}
	h.MD5 = [cipherSize]byte(head[x.hashAt():])
	f := &flipper{p: p, packed: make([]byte, cipherSize+n), plain: make([]byte, n)}
	if x.generation == 4 {
		copy(f.packed, head[28:])
	}
	copy(f.packed[cipherSize+1:], x.all[x.start:]) // as if the first byte were lost
	f.decrypt(0, int64(n))
	if !isZero(f.plain[max(size, n-cipherSize+n%cipherSize):]) {
		return
	}
	sum, hashed := md5.New(), int64(0)
	for at := cipherSize; at < cipherSize+n; at++ {
		off := int64(at-cipherSize) &^ (cipherSize - 1)
		if start := min(off, p.size); start > hashed {
			f.rest(sum, hashed, start)
			hashed = start
		}
		for c := range 256 {
			f.packed[at] = byte(c)
			if f.matches(off, sum) {
				x.keep(source.Put(x.region.Offset+int64(x.start+at-cipherSize), 0, []byte{byte(c)}), "from the cipher text")
				return
			}
		}
		if at+1 < cipherSize+n {
			f.packed[at] = f.packed[at+1]
		}
	}
}

// rest puts plain bytes that do not change any more through MD5.
func (f *flipper) rest(sum hash.Hash, from, to int64) {
	f.decrypt(from, to-from+cipherSize)
	sum.Write(f.plain[from:to])
}

// standsBehind reports that bytes stand behind the end of a GDEC, and that the
// padding speaks for their not standing there but earlier.
func (l *Layer) standsBehind() bool {
	p, ok := l.Payload.(*gdecPayload)
	return ok && p.header.end < l.Region.End() && p.padding() == paddingWrong
}

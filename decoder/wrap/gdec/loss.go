package gdec

import (
	"encoding/binary"

	"varview/decoder/wrap/layer"
)

// lost tries inserting n bytes at each place of the header. Those of magic and mode are
// known, those of size and MD5 follow from the cipher text.
func (x *shiftSearch) lost(n int) {
	packed := x.all[x.start-n:]
	for at := 0; at+n <= x.start && x.found == nil; at++ {
		if x.generation == 4 && at+n > x.sizeAt()+8 {
			return // what the start value was nothing shows
		}
		h := hidden{head: insertZeros(x.all[:x.start-n], at, n), at: at, n: n}
		if !h.put(0, []byte(Magic)) || x.generation == 3 && !h.put(4, []byte{1, 0, 0, 0}) {
			continue
		}
		for padding := range min(cipherSize, len(packed)+1) {
			if h.put(x.sizeAt(), binary.LittleEndian.AppendUint64(nil, uint64(len(packed)-padding))) {
				x.tryLoss(&h, packed)
			}
		}
	}
}

// tryLoss keeps a loss that the MD5 proves. Bytes of the MD5 itself may be lost.
func (x *shiftSearch) tryLoss(h *hidden, packed []byte) {
	how, hashIsLost, proven := "the MD5 of the plain bytes fits", h.hides(x.hashAt(), cipherSize), false
	if sum, ok := x.sum(h.head, packed, -h.n); ok {
		if proven = h.put(x.hashAt(), sum[:]); hashIsLost && !proven {
			return
		}
	}
	if !proven {
		how = "the sizes fit"
	}
	loss := layer.NewLoss(x.src, x.region, x.region.Offset+int64(h.at), h.lost(), x.place(h.at)+": with them "+how, corrupt)
	switch {
	case proven:
		x.found = loss
		return
	case h.hides(x.sizeAt(), 1) && h.at+h.n > x.sizeAt()+4:
		return // too little of the plain size is there to fit
	case hashIsLost:
		loss.Repair = "" // only the key tells what they were
	}
	x.guesses = append(x.guesses, guess{loss, string(h.head)})
}

// hidden is a header of which n bytes from at on are lost.
type hidden struct {
	head  []byte // with the lost bytes
	at, n int
}

func insertZeros(b []byte, at, n int) []byte {
	return append(append(append(make([]byte, 0, len(b)+n), b[:at]...), make([]byte, n)...), b[at:]...)
}

// lost returns a copy of the lost bytes.
func (h *hidden) lost() []byte { return append([]byte(nil), h.head[h.at:h.at+h.n]...) }

// hides reports whether some of n bytes are lost.
func (h *hidden) hides(at, n int) bool { return at < h.at+h.n && h.at < at+n }

// put writes bytes where they are lost, and reports whether those that are there agree.
func (h *hidden) put(at int, b []byte) bool {
	for i, c := range b {
		if isLost := at+i >= h.at && at+i < h.at+h.n; !isLost && h.head[at+i] != c {
			return false
		}
	}
	copy(h.head[at:], b)
	return true
}

// isShifted reports whether a file is a GDEC that has lost some bytes of its magic, or has
// bytes too many there: without that, the plain size fits.
func isShifted(head []byte, length int64) bool {
	if len(head) < header4Size+layer.MaxShift {
		return false
	}
	for _, x := range []shiftSearch{{generation: 3, start: header3Size}, {generation: 4, start: header4Size}} {
		for n := 1; n <= layer.MaxShift; n++ {
			packed := int(length) - x.start
			for at := range Magic {
				if x.fits(layer.CutOut(head[:x.start+n], at, n), packed-n) {
					return true
				}
				h := hidden{insertZeros(head[:x.start-n], at, n), at, n}
				if at+len(Magic)-min(at+n, len(Magic)) > 0 && h.put(0, []byte(Magic)) && x.fits(h.head, packed+n) {
					return true
				}
			}
		}
	}
	return false
}

package read

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/klauspost/compress/zlib"

	"varview/decoder/engine/deflate"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/spec"
)

// maxUnpacked is the largest unpacked size of a compressed value in bytes.
const maxUnpacked = 256 << 20

// A change is what a process does to the i-th byte, or undoes; nil for one that changes their number.
type change func(i int64, b byte, isUndone bool) byte

func (c change) apply(b []byte, from int64, isUndone bool) {
	for i := range b {
		b[i] = c(from+int64(i), b[i], isUndone)
	}
}

// process returns what a process makes of bytes, which it may change, and how.
func process(p *spec.Process, b []byte, sc *scope) ([]byte, change, error) {
	args, err := expr.EvalAll(p.Args, sc)
	if err == nil {
		err = sc.Spend(len(b))
	}
	if err != nil {
		return nil, nil, err
	}
	var c change
	switch by := append(args, expr.Value{})[0]; p.Name {
	case "zlib":
		b, err = unpack(b, sc)
		return b, nil, err
	case "xor":
		c, err = xor(by)
	case "rol", "ror":
		c, err = rotate(by, p.Name == "ror")
	default:
		err = fmt.Errorf("the process %s is not a part of the language and cannot be run", p.Name)
	}
	if err == nil {
		c.apply(b, 0, false)
	}
	return b, c, err
}

// unpack first finds the size: bytes that are refused take no memory.
func unpack(b []byte, sc *scope) ([]byte, error) {
	r, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, errors.New("the bytes are not zlib data")
	}
	n, err := io.Copy(io.Discard, io.LimitReader(r, maxUnpacked+1))
	switch {
	case err != nil:
		return nil, errors.New("the zlib data is damaged or cut off")
	case n > maxUnpacked:
		return nil, fmt.Errorf("the zlib data has more than %d bytes", maxUnpacked)
	}
	if err := sc.Spend(2 * int(n)); err != nil {
		return nil, err
	}
	out := make([]byte, n)
	r.(zlib.Resetter).Reset(bytes.NewReader(b), nil)
	_, err = io.ReadFull(r, out)
	return out, err
}

func rotate(by expr.Value, isRight bool) (change, error) {
	n, err := by.Int64()
	return func(_ int64, b byte, isUndone bool) byte {
		if isRight != isUndone {
			return bits.RotateLeft8(b, -int(n%8))
		}
		return bits.RotateLeft8(b, int(n%8))
	}, err
}

func xor(by expr.Value) (change, error) {
	key := by.Data()
	if by.Kind == expr.Int {
		n, err := by.Int64()
		if err != nil || n < -128 || n > 255 {
			return nil, errors.New("the key of xor is not a byte")
		}
		key = []byte{byte(n)}
	}
	if len(key) == 0 {
		return nil, errors.New("the key of xor has no bytes")
	}
	return func(i int64, b byte, _ bool) byte { return b ^ key[i%int64(len(key))] }, nil
}

// Pack returns the bytes from which the process of the attribute makes b; was are those that it has now.
func (p Place) Pack(b, was []byte) ([]byte, error) {
	if p.Attr.Process.Name == "zlib" {
		return pack(b, was)
	}
	_, c, err := process(p.Attr.Process, nil, &scope{Struct: p.Of, index: max(0, p.Index)})
	if err != nil {
		return nil, err
	}
	b = bytes.Clone(b)
	c.apply(b, 0, true)
	return b, nil
}

// pack packs bytes as the stream was.
func pack(b, was []byte) ([]byte, error) {
	head := [2]byte{0x78, 0x9c}
	if len(was) > 1 && was[0]&0xf == 8 { // zlib data, and not the zeros of a value that is made
		copy(head[:], was)
	}
	var out bytes.Buffer
	w := deflate.NewZlib(&out, head)
	_, err := w.Write(b)
	err = cmp.Or(err, w.Close())
	return out.Bytes(), err
}

package read

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/klauspost/compress/zlib"

	"varview/decoder/kaitai/expr"
	"varview/decoder/kaitai/spec"
)

// maxUnpacked is the largest unpacked size of a compressed value in bytes.
const maxUnpacked = 256 << 20

// process returns the result of a process on bytes, which it may change.
func process(p *spec.Process, b []byte, sc *scope) ([]byte, error) {
	var args []expr.Value
	for _, a := range p.Args {
		v, err := a.Eval(sc)
		if err != nil {
			return nil, err
		}
		args = append(args, v)
	}
	switch p.Name {
	case "zlib":
		r, err := zlib.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, errors.New("the bytes are no zlib data")
		}
		out, err := io.ReadAll(io.LimitReader(r, maxUnpacked+1))
		switch {
		case err != nil:
			return nil, errors.New("the zlib data is damaged or cut off")
		case len(out) > maxUnpacked:
			return nil, fmt.Errorf("the zlib data has more than %d bytes", maxUnpacked)
		}
		return out, nil
	case "xor":
		return b, xor(b, args)
	case "rol", "ror":
		if len(args) != 1 {
			return nil, fmt.Errorf("%s takes the number of bits", p.Name)
		}
		n, err := args[0].Int64()
		if err != nil {
			return nil, err
		}
		if p.Name == "ror" {
			n = -n
		}
		for i := range b {
			b[i] = bits.RotateLeft8(b[i], int(n%8))
		}
		return b, nil
	}
	return nil, fmt.Errorf("the process %s is not a part of the language and cannot be run", p.Name)
}

func xor(b []byte, args []expr.Value) error {
	if len(args) != 1 {
		return errors.New("xor takes a key")
	}
	key := args[0].Data()
	if args[0].Kind == expr.Int {
		n, err := args[0].Int64()
		if err != nil || n < -128 || n > 255 {
			return errors.New("the key of xor is no byte")
		}
		key = []byte{byte(n)}
	}
	if len(key) == 0 {
		return errors.New("the key of xor has no bytes")
	}
	for i := range b {
		b[i] ^= key[i%len(key)]
	}
	return nil
}

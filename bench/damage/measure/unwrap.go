package measure

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// An unwrapping unwraps bytes as the engines do. It shares nothing with package
// wrap but the libraries.
type unwrapping struct {
	key        []byte
	generation int    // of GDEC: 3 or 4
	odd        string // a form that no engine writes
}

var errCorrupt = errors.New("ERR_FILE_CORRUPT")
var errUnrecognized = errors.New("ERR_FILE_UNRECOGNIZED")

// all unwraps one wrapper after the other.
func (u *unwrapping) all(kinds []string, data []byte) (plain []byte, err error) {
	for _, kind := range kinds {
		if data, err = u.unwrap(kind, data); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// unwrap unwraps one wrapper.
func (u *unwrapping) unwrap(kind string, data []byte) ([]byte, error) {
	switch kind {
	case "gcpf":
		return u.gcpf(data)
	case "gdec":
		return u.gdec(data)
	case "base64":
		return base64.StdEncoding.DecodeString(string(bytes.TrimSpace(data)))
	case "zlib":
		r, err := zlib.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(io.LimitReader(r, mostPlain))
	}
	return nil, fmt.Errorf("no wrapper %s", kind)
}

// mostPlain is more than any file of a few KB holds.
const mostPlain = 16 << 20

// gcpf unpacks what open_compressed wrote. The trailer is not needed.
func (u *unwrapping) gcpf(data []byte) ([]byte, error) {
	if len(data) < 16 || string(data[:4]) != "GCPF" {
		return nil, errUnrecognized
	}
	mode, size, total := binary.LittleEndian.Uint32(data[4:]), binary.LittleEndian.Uint32(data[8:]), binary.LittleEndian.Uint32(data[12:])
	if mode > 4 || size == 0 {
		return nil, errCorrupt
	}
	blocks := int64(total/size) + 1
	if blocks*4 > int64(len(data)-16) {
		return nil, errCorrupt
	}
	at := 16 + blocks*4
	var plain []byte
	for i := range blocks {
		n := int64(binary.LittleEndian.Uint32(data[16+4*i:]))
		if n > int64(len(data))-at {
			return nil, errCorrupt
		}
		want := int64(size)
		if i == blocks-1 {
			want = int64(total % size)
		}
		block, err := u.block(mode, data[at:at+n])
		if err != nil || int64(len(block)) < want {
			return nil, errCorrupt
		}
		if int64(len(block)) > want && (mode != 0 || len(block) != 16) {
			u.odd = "a block that holds more than it should"
		}
		plain = append(plain, block[:want]...)
		at += n
	}
	if string(data[at:]) != "GCPF" {
		u.odd = "no trailer"
	}
	return plain, nil
}

func (u *unwrapping) block(mode uint32, packed []byte) ([]byte, error) {
	var r io.Reader
	var err error
	switch in := bytes.NewReader(packed); mode {
	case 0:
		return fastLZ(packed)
	case 1:
		r, err = zlib.NewReader(in)
	case 2:
		d, e := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostPlain))
		if e != nil {
			return nil, e
		}
		defer d.Close()
		r = d
	case 3:
		r, err = gzip.NewReader(in)
	case 4:
		r = brotli.NewReader(in)
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, mostPlain))
}

// fastLZ unpacks level 1 or 2, which the top bits of the first byte give.
func fastLZ(in []byte) (out []byte, err error) {
	defer func() {
		if recover() != nil { // bytes are missing
			out, err = nil, errCorrupt
		}
	}()
	far := in[0]>>5 == 1
	if in[0]>>5 > 1 {
		return nil, errCorrupt
	}
	for at, op := 1, in[0]&31; ; at++ {
		if op < 32 {
			out = append(out, in[at:at+int(op)+1]...)
			at += int(op) + 1
		} else {
			n := int(op>>5) + 2
			for more := op>>5 == 7; more; at++ {
				n += int(in[at])
				more = far && in[at] == 255
			}
			back := int(op&31)<<8 + int(in[at]) + 1
			if at++; far && back == 8192 {
				back += int(in[at])<<8 + int(in[at+1])
				at += 2
			}
			for range n {
				out = append(out, out[len(out)-back])
			}
		}
		if at >= len(in) || at == len(in)-1 && !far {
			return out, nil
		}
		op = in[at]
	}
}

// gdec deciphers what open_encrypted wrote.
func (u *unwrapping) gdec(data []byte) ([]byte, error) {
	head := 32
	if u.generation == 4 {
		head = 44
	}
	if len(data) < head || string(data[:4]) != "GDEC" {
		return nil, errUnrecognized
	}
	rest := data[4:head]
	if u.generation == 3 {
		if mode := binary.LittleEndian.Uint32(rest); mode > 1 {
			return nil, errCorrupt
		} else if mode == 0 {
			u.odd = "mode 0"
		}
		rest = rest[4:]
	}
	size := binary.LittleEndian.Uint64(rest[16:])
	if size > mostPlain || int64(size+15)&^15 > int64(len(data)-head) {
		return nil, errCorrupt
	}
	sealed := data[head : head+int(size+15)&^15]
	if len(data) > head+len(sealed) {
		u.odd = "bytes after the end"
	}
	c, err := aes.NewCipher(u.key)
	if err != nil {
		return nil, err
	}
	plain := make([]byte, len(sealed))
	if u.generation == 4 {
		feedback(c, plain, sealed, rest[24:40])
	} else {
		for i := 0; i < len(plain); i += 16 {
			c.Decrypt(plain[i:i+16], sealed[i:i+16])
		}
	}
	plain = plain[:size]
	if md5.Sum(plain) != [16]byte(rest[:16]) {
		return nil, errCorrupt
	}
	return plain, nil
}

// feedback deciphers in CFB mode with segments of a whole block.
func feedback(c cipher.Block, plain, sealed, last []byte) {
	var pad [16]byte
	for i := 0; i < len(sealed); i += 16 {
		c.Encrypt(pad[:], last)
		last = sealed[i : i+16]
		for j := range pad {
			plain[i+j] = last[j] ^ pad[j]
		}
	}
}

package hostile

import (
	"bytes"
	"compress/zlib"
	"crypto/aes"
	"crypto/md5"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"

	"github.com/klauspost/compress/zstd"
)

// wrapped are noise and zeros in wrappers, and wrappers around one another.
var wrapped = []Kind{
	{"gdec-noise", "an encrypted file whose content is noise", 300_000, func(n int) []byte { return gdec(noise(n)) }},
	{"gdec-wrong-sum", "the same with another MD5", 300_000, func(n int) []byte {
		b := gdec(noise(n))
		b[10] ^= 1
		return b
	}},
	{"gdec-shifted", "the same with 3 bytes too many", 300_000, func(n int) []byte {
		b := gdec(noise(n))
		return append(b[:n/2:n/2], append([]byte("abc"), b[n/2:]...)...)
	}},
	{"gcpf-noise", "a compressed file whose content is noise", 300_000, func(n int) []byte { return gcpf(noise(n), 4096) }},
	{"gcpf-tiny-blocks", "a compressed file with blocks of one byte", 125_000, func(n int) []byte { return gcpf(noise(n), 1) }},
	{"gcpf-zeros", "a compressed file of 60 blocks that unpack to 63 MB of zeros each", 60 * 63_000_000, gcpfZeros},
	{"gcpf-damaged", "a compressed file whose blocks do not unpack", 4_000_000, func(n int) []byte {
		b := gcpf(repeat(n, 1, 2, 3, 4), 64)
		for i := n/64*4 + 16; i+20 < len(b); i += 20 {
			b[i] ^= 0xff
		}
		return b
	}},
	{"gcpf-wrong-table", "a compressed file with lengths that lead nowhere", 1_000_000, func(n int) []byte {
		b := gcpf(repeat(n, 1, 2, 3, 4), 16)
		copy(b[16+n/16:], noise(n/16))
		return b
	}},
	{"base64-noise", "base64 text of noise", 300_000, func(n int) []byte {
		return base64.StdEncoding.AppendEncode(nil, noise(n))
	}},
	{"hex-noise", "hexadecimal text of noise", 300_000, func(n int) []byte { return hex.AppendEncode(nil, noise(n)) }},
	{"base64-damaged", "lines of base64 text with a wrong character in each", 10_000_000, func(n int) []byte {
		return bytes.Repeat([]byte("AAAAbbbbCCCCddddAAAAbbbbCCCCdddd!AAAbbbbCCCCddddAAAAbbbbCCCCddd\n"), n/65)
	}},
	{"zlib-noise", "a zlib stream of noise", 300_000, func(n int) []byte { return deflated(noise(n)) }},
	{"zlib-zeros", "a zlib stream of zeros", 1 << 30, func(n int) []byte { return deflated(make([]byte, n)) }},
	{"text-transfer-noise", "noise with 0D before each 0A", 300_000, func(n int) []byte {
		return bytes.ReplaceAll(noise(n), []byte("\n"), []byte("\r\n"))
	}},
	{"re-encoded-noise", "noise saved as UTF-8", 300_000, func(n int) []byte { return utf8Of(noise(n)) }},
	{"marked-noise", "noise after byte order marks", 300_000, func(n int) []byte {
		return append(bytes.Repeat([]byte("\xef\xbb\xbf"), n/6), noise(n/2)...)
	}},
	{"nested-noise", "16 wrappers around noise", 300_000, func(n int) []byte { return nested(noise(n)) }},
	{"nested-zeros", "16 wrappers around zeros", 100_000_000, func(n int) []byte { return nested(make([]byte, n)) }},
}

// gdec encrypts as Godot 3 does: AES-256-ECB with the hexadecimal MD5 of the password as the key.
func gdec(plain []byte) []byte {
	key := md5.Sum([]byte(Password))
	cipher, err := aes.NewCipher(hex.AppendEncode(nil, key[:]))
	if err != nil {
		panic(err) // the key has 32 bytes
	}
	sum := md5.Sum(plain)
	b := append([]byte("GDEC\x01\x00\x00\x00"), sum[:]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(plain)))
	head := len(b)
	b = append(b, plain...)
	b = append(b, make([]byte, -len(plain)&(aes.BlockSize-1))...)
	for text := b[head:]; len(text) > 0; text = text[aes.BlockSize:] {
		cipher.Encrypt(text, text)
	}
	return b
}

// gcpf compresses with Zstandard, each block by itself.
func gcpf(plain []byte, block int) []byte {
	z := encoder()
	defer z.Close()
	var blocks [][]byte
	for rest := plain; ; rest = rest[block:] {
		blocks = append(blocks, z.EncodeAll(rest[:min(block, len(rest))], nil))
		if len(rest) < block {
			return gcpfOf(blocks, block, len(plain))
		}
	}
}

// gcpfZeros has blocks as large as the program unpacks.
func gcpfZeros(size int) []byte {
	const block = 63_000_000
	z := encoder()
	defer z.Close()
	full, last := z.EncodeAll(make([]byte, block), nil), z.EncodeAll(make([]byte, size%block), nil)
	var blocks [][]byte
	for range size / block {
		blocks = append(blocks, full)
	}
	return gcpfOf(append(blocks, last), block, size)
}

func encoder() *zstd.Encoder {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true), zstd.WithZeroFrames(true))
	if err != nil {
		panic(err) // the options are constants
	}
	return z
}

func gcpfOf(blocks [][]byte, block, plain int) []byte {
	const zstandard = 2
	b := []byte("GCPF")
	for _, n := range []int{zstandard, block, plain} {
		b = u32(b, n)
	}
	for _, p := range blocks {
		b = u32(b, len(p))
	}
	for _, p := range blocks {
		b = append(b, p...)
	}
	return append(b, "GCPF"...)
}

func deflated(plain []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(plain)
	w.Close()
	return b.Bytes()
}

// utf8Of writes each byte as the character of Latin-1 that it is.
func utf8Of(b []byte) []byte {
	text := make([]rune, len(b))
	for i, c := range b {
		text[i] = rune(c)
	}
	return []byte(string(text))
}

// nested wraps 16 times. Text only sometimes, because each makes the file longer.
func nested(b []byte) []byte {
	for i := range 16 {
		switch i % 4 {
		case 0:
			b = gcpf(b, 4096)
		case 1:
			b = deflated(b)
		case 2:
			b = gdec(b)
		case 3:
			b = base64.StdEncoding.AppendEncode(nil, b)
		}
	}
	return b
}

func u32(b []byte, n int) []byte { return binary.LittleEndian.AppendUint32(b, uint32(n)) }

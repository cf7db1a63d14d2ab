package recipe

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"varview/decoder/value/charset"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/lzstring"
)

// A codec runs a step. On an error unpack returns the beginning; layer.ErrFull means that there is more
// than limit. was are the old packed bytes, of which pack keeps a header or an iv.
type codec struct {
	unpack func(s *Step, b []byte, limit int64) ([]byte, error)
	pack   func(s *Step, b, was []byte) ([]byte, error)
}

var (
	crypted = codec{func(s *Step, b []byte, _ int64) ([]byte, error) { return crypt(s, b, b, false) },
		func(s *Step, b, was []byte) ([]byte, error) { return crypt(s, b, was, true) }}
	codecs = map[string]codec{
		"gzip":    stream(openGzip, packGzip),
		"deflate": stream(func(r io.Reader) (io.Reader, error) { return flate.NewReader(r), nil }, packDeflate),
		"zstd":    stream(openZstd, packZstd),
		"brotli":  stream(func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil }, packBrotli),
		"lz4":     stream(func(r io.Reader) (io.Reader, error) { return lz4.NewReader(r), nil }, packLZ4),
		"lz-string": {func(s *Step, b []byte, limit int64) ([]byte, error) { return full(limit)(lzForm(s).Unpack(b, limit)) },
			func(s *Step, b, _ []byte) ([]byte, error) { return lzForm(s).Pack(b) }},
		"latin1": {func(_ *Step, b []byte, _ int64) ([]byte, error) { return charset.Encode(string(b), "ISO-8859-1") }, // each byte was written as a character
			func(_ *Step, b, _ []byte) ([]byte, error) {
				text, err := charset.Decode(b, "ISO-8859-1")
				return []byte(text), err
			}},
		"xor": {func(s *Step, b []byte, _ int64) ([]byte, error) { return xor(s, b, nil) }, xor},
		"add": {func(s *Step, b []byte, _ int64) ([]byte, error) { return add(b, -s.Add, utf8.Valid(b)) },
			func(s *Step, b, was []byte) ([]byte, error) { return add(b, s.Add, utf8.Valid(was)) }},
		"aes-cbc": crypted, "aes-ecb": crypted, "aes-gcm": crypted,
		"skip": {skip, unskip},
	}
)

// names lists the names of all steps.
func names() string {
	all := slices.AppendSeq([]string{"base64", "hex", "zlib", "checksum"}, maps.Keys(codecs))
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// stream makes a codec of a reader that unpacks and a writer that packs.
func stream(open func(io.Reader) (io.Reader, error), pack func(s *Step, w io.Writer, was []byte) (io.WriteCloser, error)) codec {
	return codec{
		func(_ *Step, b []byte, limit int64) ([]byte, error) {
			in := bufio.NewReader(bytes.NewReader(b))
			r, err := open(in)
			if err != nil {
				return nil, err
			}
			out, err := full(limit)(io.ReadAll(io.LimitReader(r, limit+1)))
			if rest, _ := io.Copy(io.Discard, in); err == nil && rest > 0 {
				err = surplusError(rest)
			}
			return out, err
		},
		func(s *Step, b, was []byte) ([]byte, error) {
			var out bytes.Buffer
			w, err := pack(s, &out, was)
			if err == nil {
				_, err = w.Write(b)
				err = cmp.Or(err, w.Close())
			}
			return out.Bytes(), err
		}}
}

// A surplusError says that some bytes follow the end of a packed stream.
type surplusError int64

// Error implements error.
func (surplusError) Error() string { return "bytes follow its end" }

// full returns a function that cuts bytes at a limit, with layer.ErrFull.
func full(limit int64) func([]byte, error) ([]byte, error) {
	return func(b []byte, err error) ([]byte, error) {
		if int64(len(b)) > limit {
			return b[:limit], layer.ErrFull
		}
		return b, err
	}
}

func lzForm(s *Step) *lzstring.Form { return lzstring.Forms[cmp.Or(s.Form, "base64")] }

func openGzip(r io.Reader) (io.Reader, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return z, nil
}

// packGzip keeps the header.
func packGzip(s *Step, w io.Writer, was []byte) (io.WriteCloser, error) {
	old, err := gzip.NewReader(bytes.NewReader(was))
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewWriterLevel(w, cmp.Or(s.Level, gzip.DefaultCompression))
	if err == nil {
		z.Header = old.Header
	}
	return z, err
}

func packDeflate(s *Step, w io.Writer, _ []byte) (io.WriteCloser, error) {
	return flate.NewWriter(w, cmp.Or(s.Level, flate.DefaultCompression))
}

func openZstd(r io.Reader) (io.Reader, error) {
	const window = 64 << 20 // largest window of a stream
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window))
}

func packZstd(s *Step, w io.Writer, _ []byte) (io.WriteCloser, error) {
	const usual = 3
	return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(cmp.Or(s.Level, usual))))
}

func packBrotli(s *Step, w io.Writer, _ []byte) (io.WriteCloser, error) {
	return brotli.NewWriterLevel(w, cmp.Or(s.Level, brotli.DefaultCompression)), nil
}

func packLZ4(_ *Step, w io.Writer, _ []byte) (io.WriteCloser, error) { return lz4.NewWriter(w), nil }

// bytesOf returns the bytes that a recipe gives as text or as digits.
func bytesOf(text, digits string) ([]byte, error) {
	b, err := hex.DecodeString(digits)
	if err != nil || text != "" && digits != "" {
		return nil, errors.New("bytes must be given as text, or as hexadecimal digits in pairs (-hex)")
	}
	return append(b, text...), nil
}

// check returns an error if a step is incomplete or wrong.
func (s *Step) check() error {
	key, err := bytesOf(s.Key, s.KeyHex)
	iv, err2 := bytesOf(s.IV, s.IVHex)
	n, isAES := ivSizes[s.Step], strings.HasPrefix(s.Step, "aes-")
	switch {
	case codecs[s.Step].pack == nil:
		return fmt.Errorf("there is no step %q: %s", s.Step, names())
	case err != nil || err2 != nil:
		return cmp.Or(err, err2)
	case s.Step == "xor" && len(key) == 0:
		return errors.New("xor needs a key, or key-hex")
	case s.Step == "skip" && s.Bytes <= 0:
		return errors.New("skip needs bytes, the number of bytes")
	case s.Step == "lz-string" && lzForm(s) == nil:
		return fmt.Errorf("lz-string has no form %q: base64, uri, utf16", s.Form)
	case isAES && len(key) != 16 && len(key) != 24 && len(key) != 32:
		return fmt.Errorf("%s needs a key of 16, 24 or 32 bytes (key, key-hex)", s.Step)
	case isAES && len(iv) > 0 && len(iv) != n:
		return fmt.Errorf("the iv of %s has %d bytes, not %d", s.Step, n, len(iv))
	}
	return nil
}

func xor(s *Step, b, _ []byte) ([]byte, error) {
	key, _ := bytesOf(s.Key, s.KeyHex)
	out := make([]byte, len(b))
	for i, c := range b {
		out[i] = c ^ key[i%len(key)]
	}
	return out, nil
}

// add adds a number to each character of UTF-8, or else to each byte.
func add(b []byte, by int, isText bool) (out []byte, err error) {
	if !isText {
		for _, c := range b {
			out = append(out, c+byte(by))
		}
		return out, nil
	}
	for _, r := range string(b) {
		if !utf8.ValidRune(r + rune(by)) {
			return nil, errors.New("the result is not a character")
		}
		out = utf8.AppendRune(out, r+rune(by))
	}
	return out, nil
}

func skip(s *Step, b []byte, _ int64) ([]byte, error) {
	switch {
	case len(b) < s.Bytes:
		return nil, io.ErrUnexpectedEOF
	case s.End:
		return b[:len(b)-s.Bytes], nil
	}
	return b[s.Bytes:], nil
}

func unskip(s *Step, b, was []byte) ([]byte, error) {
	if s.End {
		return slices.Concat(b, was[len(was)-s.Bytes:]), nil
	}
	return slices.Concat(was[:s.Bytes], b), nil
}

var ivSizes = map[string]int{"aes-cbc": aes.BlockSize, "aes-gcm": 12}

// crypt encrypts or decrypts. An iv in the first bytes stays, so that only edited bytes change.
func crypt(s *Step, b, first []byte, encrypt bool) ([]byte, error) {
	key, _ := bytesOf(s.Key, s.KeyHex)
	iv, _ := bytesOf(s.IV, s.IVHex)
	kept := 0
	if len(iv) == 0 {
		if kept = ivSizes[s.Step]; len(first) < kept {
			return nil, io.ErrUnexpectedEOF
		}
		iv = first[:kept]
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	if !encrypt {
		b = b[kept:]
	}
	head := bytes.Clone(first[:kept])
	if s.Step == "aes-gcm" {
		g, err := cipher.NewGCM(block)
		if err == nil && !encrypt {
			return g.Open(nil, iv, b, nil)
		}
		return g.Seal(head, iv, b, nil), err
	}
	if pad := aes.BlockSize - len(b)%aes.BlockSize; encrypt && !s.Unpadded {
		b = slices.Concat(b, bytes.Repeat([]byte{byte(pad)}, pad))
	}
	if len(b) == 0 || len(b)%aes.BlockSize != 0 {
		return nil, errors.New("the bytes are not whole blocks of 16")
	}
	out, step := make([]byte, len(b)), len(b)
	if s.Step == "aes-ecb" { // each block is encrypted by itself
		iv, step = make([]byte, aes.BlockSize), aes.BlockSize
	}
	for i := 0; i < len(b); i += step {
		mode := cipher.NewCBCDecrypter(block, iv)
		if encrypt {
			mode = cipher.NewCBCEncrypter(block, iv)
		}
		mode.CryptBlocks(out[i:], b[i:i+step])
	}
	if encrypt {
		return append(head, out...), nil
	} else if s.Unpadded {
		return out, nil
	}
	pad := int(out[len(out)-1])
	if pad == 0 || pad > aes.BlockSize || !bytes.HasSuffix(out, bytes.Repeat([]byte{byte(pad)}, pad)) {
		return nil, errors.New("the padding is wrong, as with a wrong key")
	}
	return out[:len(out)-pad], nil
}

package recipe

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rc4"
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
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"varview/decoder/engine/deflate"
	"varview/decoder/engine/lazy"
	"varview/decoder/value/charset"
	"varview/decoder/wrap/fastlz"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/lzstring"
)

// A codec runs a step. What unpack returns may end with an error, and be longer than limit. was are the old packed bytes, of which
// pack keeps a header or an iv. If isStream is set, pack writes bit by bit what unpack always reverses.
type codec struct {
	unpack   func(s *Step, b []byte, limit int64) (io.Reader, error)
	pack     func(s *Step, out io.Writer, plain io.Reader, was []byte) error
	isStream bool
}

// all unpacks bytes in memory; the error layer.ErrFull means that there are more than limit.
func (c codec) all(s *Step, b []byte, limit int64) ([]byte, error) {
	r, err := c.unpack(s, b, limit)
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(r, limit+1))
	if int64(len(out)) > limit {
		return out[:limit], layer.ErrFull
	}
	return out, err
}

var (
	crypted = inMemory(func(s *Step, b []byte, _ int64) ([]byte, error) { return crypt(s, b, b, false) },
		func(s *Step, b, was []byte) ([]byte, error) { return crypt(s, b, was, true) })
	codecs = map[string]codec{
		"gzip":    stream(openGzip, packGzip),
		"deflate": stream(func(r io.Reader) (io.Reader, error) { return flate.NewReader(r), nil }, packDeflate),
		"zstd":    stream(openZstd, packZstd),
		"brotli":  stream(func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil }, packBrotli),
		"lz4":     stream(func(r io.Reader) (io.Reader, error) { return lz4.NewReader(r), nil }, packLZ4),
		"lz-string": inMemory(func(s *Step, b []byte, limit int64) ([]byte, error) { return lzForm(s).Unpack(b, limit) },
			func(s *Step, b, _ []byte) ([]byte, error) { return lzForm(s).Pack(b) }),
		"latin1": inMemory(func(_ *Step, b []byte, _ int64) ([]byte, error) { return charset.Encode(string(b), "ISO-8859-1") }, // each byte was written as a character
			func(_ *Step, b, _ []byte) ([]byte, error) {
				text, err := charset.Decode(b, "ISO-8859-1")
				return []byte(text), err
			}),
		"xor": inMemory(func(s *Step, b []byte, _ int64) ([]byte, error) { return xor(s, b, nil) }, xor),
		"add": inMemory(func(s *Step, b []byte, _ int64) ([]byte, error) { return s.add(b, -1, utf8.Valid(b)) },
			func(s *Step, b, was []byte) ([]byte, error) { return s.add(b, 1, utf8.Valid(was)) }),
		"aes-cbc": crypted, "aes-ecb": crypted, "aes-gcm": crypted,
		"skip":   inMemory(skip, unskip),
		"fastlz": inMemory(unpackFastLZ, func(_ *Step, b, _ []byte) ([]byte, error) { return fastlz.Pack(b), nil }),
		"snappy": inMemory(unpackSnappy, packSnappy),
		"utf16": inMemory(func(s *Step, b []byte, _ int64) ([]byte, error) {
			text, err := charset.Decode(b, utf16Name(s, b))
			return []byte(text), err
		}, func(s *Step, b, was []byte) ([]byte, error) { return charset.Encode(string(b), utf16Name(s, was)) }),
		"rc4": inMemory(func(s *Step, b []byte, _ int64) ([]byte, error) { return arc4(s, b, nil) }, arc4),
		"tar": archived(readTar, writeTar), "zip": archived(readZip, writeZip), "pieces": archived(readPieces, writePieces),
	}
)

// names lists the names of all steps.
func names() string {
	all := slices.AppendSeq([]string{"base64", "hex", "zlib", "checksum", "header"}, maps.Keys(codecs))
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// inMemory makes a codec of functions that return all bytes.
func inMemory(unpack func(s *Step, b []byte, limit int64) ([]byte, error), pack func(s *Step, b, was []byte) ([]byte, error)) codec {
	return codec{
		unpack: func(s *Step, b []byte, limit int64) (io.Reader, error) {
			out, err := unpack(s, b, limit)
			if err == nil || int64(len(out)) > limit {
				return bytes.NewReader(out), nil
			}
			return io.MultiReader(bytes.NewReader(out), failing{err}), nil
		},
		pack: func(s *Step, out io.Writer, plain io.Reader, was []byte) error {
			b, err := io.ReadAll(plain)
			if err == nil {
				b, err = pack(s, b, was)
			}
			if err == nil {
				_, err = out.Write(b)
			}
			return err
		}}
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

// stream makes a codec of a reader that unpacks and a writer that packs.
func stream(open func(io.Reader) (io.Reader, error), pack func(s *Step, w io.Writer, was []byte) (io.WriteCloser, error)) codec {
	return codec{
		unpack: func(_ *Step, b []byte, limit int64) (io.Reader, error) {
			in := bufio.NewReader(bytes.NewReader(b))
			r, err := open(in)
			return &exact{r, in}, err
		},
		pack: func(s *Step, out io.Writer, plain io.Reader, was []byte) error {
			w, err := pack(s, out, was)
			if err == nil {
				_, err = io.Copy(w, plain)
				err = cmp.Or(err, w.Close())
			}
			return err
		}, isStream: true}
}

// A surplusError says that some bytes follow the end of a packed stream.
type surplusError int64

// Error implements error.
func (surplusError) Error() string { return "bytes follow its end" }

// An exact reader unpacks a stream, and fails at its end if any packed bytes are left.
type exact struct {
	io.Reader
	in *bufio.Reader
}

func (x *exact) Read(p []byte) (int, error) {
	n, err := x.Reader.Read(p)
	if err == io.EOF {
		if rest, _ := io.Copy(io.Discard, x.in); rest > 0 {
			err = surplusError(rest)
		}
	}
	return n, err
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
	in := bytes.NewReader(was)
	if _, err := gzip.NewReader(in); err != nil {
		return nil, err
	}
	return deflate.NewGzip(w, was[:len(was)-in.Len()], cmp.Or(s.Level, flate.DefaultCompression)), nil
}

func packDeflate(s *Step, w io.Writer, _ []byte) (io.WriteCloser, error) {
	return deflate.NewWriter(w, cmp.Or(s.Level, flate.DefaultCompression)), nil
}

func openZstd(r io.Reader) (io.Reader, error) {
	const window = 64 << 20 // largest window of a stream
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window))
}

// zstdFrames returns the frames of Zstandard with which b begins; the library does not say where they end.
func zstdFrames(b []byte) []byte {
	const (
		blockHeader = 3 // is it the last, its type, its size
		repeated    = 1 // type of a block of one byte
		checksum    = 4
	)
	at := 0
	for {
		var h zstd.Header
		if h.Decode(b[at:]) != nil || h.Skippable {
			return b[:at]
		}
		at += h.HeaderSize
		for last := false; !last && at+blockHeader <= len(b); {
			n := int(b[at]) | int(b[at+1])<<8 | int(b[at+2])<<16
			size := n >> 3
			if n>>1&3 == repeated {
				size = 1
			}
			last, at = n&1 == 1, at+blockHeader+size
		}
		if h.HasCheckSum {
			at += checksum
		}
		if at >= len(b) {
			return b
		}
	}
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
	case s.checkPassword() != nil:
		return s.checkPassword()
	case s.Step == "rc4" && len(key) == 0:
		return errors.New("rc4 needs a key, or key-hex")
	case s.Step == "add":
		_, err := s.adds()
		return err
	case strings.HasPrefix(s.Step, "aes-") && s.Password == "":
		return s.checkAES(len(key), len(iv))
	}
	return nil
}

// checkAES returns an error if AES has no keys or ivs of some bytes; no iv is one that the packed bytes begin with.
func (s *Step) checkAES(key, iv int) error {
	if key != 16 && key != 24 && key != 32 {
		return fmt.Errorf("%s needs a key of 16, 24 or 32 bytes (key, key-hex), or a password", s.Step)
	}
	if n := ivSizes[s.Step]; iv > 0 && iv != n {
		return fmt.Errorf("the iv of %s has %d bytes, not %d", s.Step, n, iv)
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

// adds returns the numbers that the step adds, one after the other, again and again.
func (s *Step) adds() (all []int, err error) {
	if s.Form != "" && s.Form != inINI {
		return nil, fmt.Errorf("add has no form %q: ini", s.Form)
	}
	switch x := s.Add.(type) {
	case int:
		all = []int{x}
	case int64:
		all = []int{int(x)}
	case []any:
		for _, n := range x {
			if n, ok := n.(int64); ok {
				all = append(all, int(n))
			}
		}
		if len(all) < len(x) {
			all = nil
		}
	}
	if len(all) == 0 {
		return nil, errors.New("add needs a number, or a list of numbers")
	}
	return all, nil
}

// add adds or takes away (sign -1) the step's numbers from each character of UTF-8, or else from each byte.
func (s *Step) add(b []byte, sign int, isText bool) (out []byte, err error) {
	by, err := s.adds()
	if err != nil {
		return nil, err
	}
	switch {
	case s.Form == inINI && !(isText && beginsINI().Match(b)):
		return nil, errors.New("an INI file begins with a section")
	case s.Form == inINI:
		last := 0
		for _, at := range textsOfINI().FindAllSubmatchIndex(b, -1) {
			for ; len(at) > 2; at = at[2:] {
				if from, to := at[2], at[3]; from >= 0 && err == nil {
					out = append(out, b[last:from]...)
					out, err = addTo(out, b[from:to], sign, by, ' ')
					last = to
				}
			}
		}
		return append(out, b[last:]...), err
	case isText:
		return addTo(nil, b, sign, by, 0)
	}
	for i, c := range b {
		out = append(out, c+byte(sign*by[i%len(by)]))
	}
	return out, nil
}

// inINI is the form of a step whose numbers begin again with each name and each value of an INI file.
const inINI = "ini"

var (
	textsOfINI = lazy.Regexp(`(?m)^\[(.*)\]|^([^="\r\n]*)="(.*)"`)
	beginsINI  = lazy.Regexp(`^\[.*\]`)
)

// addTo appends the characters of a text, to which the numbers are added. None may become less than the least one.
func addTo(out, text []byte, sign int, by []int, least rune) ([]byte, error) {
	i := 0
	for _, r := range string(text) {
		r += rune(sign * by[i%len(by)])
		if i++; r < least || !utf8.ValidRune(r) {
			return nil, errors.New("the result is not a character")
		}
		out = utf8.AppendRune(out, r)
	}
	return out, nil
}

// unpackFastLZ unpacks a block of FastLZ, whose size is not in it.
func unpackFastLZ(_ *Step, b []byte, limit int64) ([]byte, error) {
	const ratio = 256 // largest size of what an instruction makes, for each of its bytes
	out, err := fastlz.Unpack(make([]byte, 0, min(limit, ratio*int64(len(b)))), b)
	if errors.Is(err, fastlz.ErrTooMuch) {
		err = layer.ErrFull
	}
	return out, err
}

// framedSnappy begins a stream of Snappy's framing format; anything else is a block.
const framedSnappy = "\xff\x06\x00\x00sNaPpY"

func unpackSnappy(_ *Step, b []byte, limit int64) ([]byte, error) {
	if bytes.HasPrefix(b, []byte(framedSnappy)) {
		return io.ReadAll(io.LimitReader(snappy.NewReader(bytes.NewReader(b)), limit+1))
	}
	switch n, err := snappy.DecodedLen(b); {
	case err != nil:
		return nil, err
	case int64(n) > limit:
		return nil, fmt.Errorf("it holds %d bytes, more than --max-unpacked allows", n)
	}
	return snappy.Decode(nil, b)
}

func packSnappy(_ *Step, b, was []byte) ([]byte, error) {
	if !bytes.HasPrefix(was, []byte(framedSnappy)) {
		return snappy.Encode(nil, b), nil
	}
	var out bytes.Buffer
	w := snappy.NewBufferedWriter(&out)
	_, err := w.Write(b)
	err = cmp.Or(err, w.Close())
	return out.Bytes(), err
}

// utf16Name returns the name of the encoding of bytes: by their byte order mark, or as the step says.
func utf16Name(s *Step, b []byte) string {
	if bytes.HasPrefix(b, []byte("\xfe\xff")) || s.Form == "big-endian" {
		return "utf-16be"
	}
	return "utf-16le"
}

// arc4 encrypts or decrypts with RC4, which is the same.
func arc4(s *Step, b, _ []byte) ([]byte, error) {
	key, err := bytesOf(s.Key, s.KeyHex)
	if err != nil {
		return nil, err
	}
	c, err := rc4.NewCipher(key)
	if err != nil {
		return nil, err
	}
	out := make([]byte, len(b))
	c.XORKeyStream(out, b)
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
	if s.Password != "" {
		var err error
		if key, iv, kept, err = s.fromPassword(first, iv, kept); err != nil {
			return nil, err
		}
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
	step := len(b)
	if s.Step == "aes-ecb" { // each block is encrypted by itself
		iv, step = make([]byte, aes.BlockSize), aes.BlockSize
	}
	out := make([]byte, 0, len(b))
	for part := range slices.Chunk(b, step) {
		mode := cipher.NewCBCDecrypter(block, iv)
		if encrypt {
			mode = cipher.NewCBCEncrypter(block, iv)
		}
		out = out[:len(out)+step]
		mode.CryptBlocks(out[len(out)-step:], part)
	}
	switch {
	case encrypt:
		return append(head, out...), nil
	case s.Unpadded:
		return out, nil
	}
	return unpadded(out)
}

// unpadded returns decrypted blocks without their padding.
func unpadded(out []byte) ([]byte, error) {
	pad := int(out[len(out)-1])
	if pad == 0 || pad > aes.BlockSize || !bytes.HasSuffix(out, bytes.Repeat([]byte{byte(pad)}, pad)) {
		return nil, errors.New("the padding is wrong, as with a wrong key")
	}
	return out[:len(out)-pad], nil
}

package checksum

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"hash/fnv"
	"math/bits"
	"slices"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// A sum is a kind of checksum.
type sum struct {
	title  string
	size   int // in bytes
	number bool
	of     func(b []byte) []byte // computes it; of a number the most significant byte first
	keyed  func() hash.Hash      // that of an HMAC, of which the secret is the key; nil for others
}

// Kinds are the names of the checksums that are looked for, the likeliest first; keyed are those that take a secret.
var Kinds = []string{"crc32", "jamcrc", "adler32", "djb2", "fnv1a", "md5", "sha1", "sha1-html5", "sha256", "sha384", "sha512"}

var keyed = []string{"hmac-md5", "hmac-sha1", "hmac-sha256"}

var sums = map[string]sum{
	"crc32":       number("CRC-32", crc32.ChecksumIEEE),
	"jamcrc":      number("CRC-32 of GameMaker", func(b []byte) uint32 { return ^crc32.ChecksumIEEE(b) }), // buffer_crc32 leaves out the last inversion
	"adler32":     number("Adler-32", adler32.Checksum),
	"djb2":        number("String.hash of Godot", djb2),
	"fnv1a":       hashed("FNV-1a", true, func() hash.Hash { return fnv.New32a() }),
	"md5":         hashed("MD5", false, md5.New),
	"sha1":        hashed("SHA-1", false, sha1.New),
	"sha1-html5":  {"SHA-1 of GameMaker's HTML5", sha1.Size, false, latin, nil},
	"sha256":      hashed("SHA-256", false, sha256.New),
	"sha384":      hashed("SHA-384", false, sha512.New384),
	"sha512":      hashed("SHA-512", false, sha512.New),
	Size:          number("size", func(b []byte) uint32 { return uint32(len(b)) }),
	Length:        number("number of characters", func(b []byte) uint32 { return uint32(utf8.RuneCount(b)) }),
	"hmac-md5":    {"HMAC-MD5", md5.Size, false, nil, md5.New},
	"hmac-sha1":   {"HMAC-SHA-1", sha1.Size, false, nil, sha1.New},
	"hmac-sha256": {"HMAC-SHA-256", sha256.Size, false, nil, sha256.New},
}

// Functions are the names of those that sum up bytes for descriptions of formats, first the short ones of up to 4 bytes.
var (
	Short     = []string{"crc32", "adler32", "sum32", "sum16", "sum8", "xor8", "crc16"}
	Functions = append(slices.Clip(Short), "md5", "sha1", "sha256")
)

// Sum applies one of the functions. Of a number, which has up to 4 bytes, the most significant byte is the first.
func Sum(function string, b []byte) []byte {
	if w, ok := short[function]; ok {
		return binary.BigEndian.AppendUint32(nil, uint32(w.Of(b)))[4-w.Width:]
	}
	return sums[function].of(b)
}

// short are the functions that are a weak sum, which may take more bytes. Where a CRC-16 has no other name CRC-16/ARC is meant.
var short = map[string]Weak{"sum8": {"", 1, added}, "sum16": {"", 2, added}, "sum32": {"", 4, added}, "xor8": {"", 1, xored}, "crc16": {"", 2, crc(0x8005, 0, true, 0)}}

// A Weak sum is a number of all bytes that one or two hold: any number is one by chance.
type Weak struct {
	Name  string
	Width int64 // bytes that hold it
	Of    func(b []byte) uint64
}

// WeakKinds are the weak sums that are looked for. A sum of bytes may take more of them.
var WeakKinds = []Weak{
	{"byte-sum", 1, added},
	{"byte-minus", 1, func(b []byte) uint64 { return -added(b) & (1<<8 - 1) }}, // what must be added to get zero
	{"byte-xor", 1, xored},
	{"crc16-ccitt", 2, crc(0x1021, 0xffff, false, 0)},
	{"crc16-xmodem", 2, crc(0x1021, 0, false, 0)},
	{"crc16-genibus", 2, crc(0x1021, 0xffff, false, 0xffff)},
	{"crc16-kermit", 2, crc(0x1021, 0, true, 0)},
	{"crc16-x25", 2, crc(0x1021, 0xffff, true, 0xffff)},
	{"crc16-arc", 2, short["crc16"].Of},
	{"crc16-modbus", 2, crc(0x8005, 0xffff, true, 0)},
	{"crc16-usb", 2, crc(0x8005, 0xffff, true, 0xffff)},
	{"fletcher16", 2, fletcher},
}

func added(b []byte) (n uint64) {
	for _, c := range b {
		n += uint64(c)
	}
	return n
}

func xored(b []byte) (n uint64) {
	for _, c := range b {
		n ^= uint64(c)
	}
	return n
}

// fletcher is the checksum of Fletcher: the sum of the bytes, and that of all these sums, without 255s.
func fletcher(b []byte) uint64 {
	low, high := uint64(0), uint64(0)
	for _, c := range b {
		low = (low + uint64(c)) % 255
		high = (high + low) % 255
	}
	return high<<8 | low
}

// crc returns the CRC-16 of a polynomial as catalogues describe it: what it starts with, whether the least significant bit of a byte is its
// first and the result's, and what is inverted at last.
func crc(polynomial, start uint16, isReflected bool, inverted uint16) func(b []byte) uint64 {
	table := sync.OnceValue(func() (all [256]uint16) { // the least significant bit is the first
		for i := range all {
			crc := uint16(i)
			for range 8 {
				crc = crc>>1 ^ bits.Reverse16(polynomial)&-(crc&1)
			}
			all[i] = crc
		}
		return all
	})
	return func(b []byte) uint64 {
		n, of := bits.Reverse16(start), table()
		for _, c := range b {
			if !isReflected {
				c = bits.Reverse8(c)
			}
			n = n>>8 ^ of[byte(n)^c]
		}
		if !isReflected {
			n = bits.Reverse16(n)
		}
		return uint64(n ^ inverted)
	}
}

// The kinds of the numbers of bytes, and of characters in UTF-8, which are written like checksums. They are not looked for.
const (
	Size   = "size"
	Length = "length"
)

// number is a checksum that is a number of four bytes.
func number(title string, of func(b []byte) uint32) sum {
	return sum{title, 4, true, func(b []byte) []byte { return binary.BigEndian.AppendUint32(nil, of(b)) }, nil}
}

// hashed is a checksum that is a hash.
func hashed(title string, number bool, hash func() hash.Hash) sum {
	return sum{title, hash().Size(), number, func(b []byte) []byte {
		h := hash()
		h.Write(b)
		return h.Sum(nil)
	}, nil}
}

// latin is the hash that buffer_sha1 of GameMaker's HTML5 makes: of the two bytes of UTF-8 of each byte from 80 on.
func latin(b []byte) []byte {
	h := sha1.New()
	transform.NewWriter(h, charmap.ISO8859_1.NewDecoder()).Write(b)
	return h.Sum(nil)
}

// djb2 is String.hash of Godot: each character of UTF-8 is added to 33 times what was before; of what is no text each byte, as hash does in
// Godot 3.
func djb2(b []byte) uint32 {
	sum := uint32(5381)
	if !utf8.Valid(b) {
		for _, c := range b {
			sum = sum*33 + uint32(c)
		}
		return sum
	}
	for _, c := range string(b) {
		sum = sum*33 + uint32(c)
	}
	return sum
}

const (
	most  = 8 << 20 // size of the largest file that is searched for a checksum
	least = 4       // fewest bytes with a checksum
	ends  = 256     // number of bytes at each end that are searched

	apart = "\r\n\x00" // characters that set digits apart
)

// Find returns the place of a region's checksum; nil if none fits. Regions of more than 8 MiB are not searched. A signed region has a
// signature where a binary checksum would be.
func Find(src source.Source, region span.Span, signed bool) *Place {
	if region.Length <= least || region.Length > most {
		return nil
	}
	var all []spot
	for _, start := range []bool{true, false} {
		b := endOf(src, region, start)
		if all = append(all, spots(b, true, start)...); !start || !signed {
			all = append(all, spots(b, false, start)...)
		}
	}
	whole := sync.OnceValue(func() []byte { return source.Read(src, region) })
	for _, x := range all {
		held, ok := x.held(region, int64(len(x.is)))
		if !ok || held.Length < least || whole() == nil {
			continue
		}
		way := Of(func() []byte { return whole()[held.Offset-region.Offset:][:held.Length] }).Matching(x.is)
		if way != nil && way.Form != Decimal {
			x.Sum, x.Form = way.Sum, way.Form
			return &x.Place
		}
	}
	return nil
}

// endOf returns the first or the last bytes of a region.
func endOf(src source.Source, region span.Span, start bool) []byte {
	n := min(region.Length, ends)
	if !start {
		region.Offset = region.End() - n
	}
	return bytes.Clone(source.NewWindow(src).View(region.Offset, n))
}

// A spot is where a checksum may be at an end of a region, with its bytes.
type spot struct {
	Place
	is []byte
}

// spots lists those, the longest first, at an end that has some bytes, of which the bytes look like a checksum.
func spots(b []byte, isText, start bool) (all []spot) {
	for _, n := range sizes {
		of := map[bool][]int{false: {n}, true: slices.Compact([]int{2 * n, base64.StdEncoding.EncodedLen(n), base64.RawStdEncoding.EncodedLen(n)})}
		for _, size := range of[isText] {
			for _, x := range spotsOf(b, size, isText, start) {
				isDigest := Resembles(x.is) != "" || n == 4 && size == 2*n && areDigits(x.is) && isMixed(x.is)
				if isRandom := IsRandom(x.is); isRandom != isText && (isRandom || isDigest) {
					all = append(all, x)
				}
			}
		}
	}
	return all
}

// spotsOf lists the spots of some bytes. Behind digits and before them are characters that set them apart, or belong to what is hashed.
func spotsOf(b []byte, size int, isText, start bool) []spot {
	p, whole := Place{Start: start, placed: true}, len(b)
	if isText && !start {
		b = bytes.TrimRight(b, apart)
		p.Tail = int64(whole - len(b))
	}
	if len(b) < size {
		return nil
	}
	is, rest, trim := b[:size], b[size:], bytes.TrimLeft
	if !start {
		is, rest, trim = b[len(b)-size:], b[:len(b)-size], bytes.TrimRight
	}
	all := []spot{{p, is}}
	if p.Gap = int64(len(rest) - len(trim(rest, apart))); isText && p.Gap > 0 {
		all = append(all, spot{p, is})
	}
	return all
}

// HeldIn returns of how many bytes at the beginning of a region there is a checksum at its end; 0 if none fits.
func HeldIn(src source.Source, region span.Span) (n int64) {
	if p := Find(src, region, true); p != nil && !p.Start {
		held, _ := p.held(region, p.Size())
		n = held.Length
	}
	return n
}

// Locate returns the place in a region of a checksum of which only the end is known: line ends and zeros may be between or
// after it. A place that Find has returned is as it is, and nil is found. The result is nil if the region has no such place.
func (p *Place) Locate(src source.Source, region span.Span) *Place {
	if p == nil {
		p = Find(src, region, false)
	} else if !p.placed {
		p = p.locate(src, region)
	}
	if p != nil {
		if _, ok := p.held(region, p.Size()); ok {
			return p
		}
	}
	return nil
}

func (p Place) locate(src source.Source, region span.Span) *Place {
	p.placed = true
	for _, x := range spotsOf(endOf(src, region, p.Start), int(p.Size()), p.IsText(), p.Start) {
		p.Gap, p.Tail = x.Gap, x.Tail
		held, ok := p.held(region, p.Size())
		if b := source.Read(src, held); ok && b != nil && bytes.Equal(p.Compute(b), x.is) {
			return &p
		}
	}
	p.Gap = 0
	return &p
}

// sizes are those of checksums in bytes, the largest first.
var sizes = []int{sha512.Size, sha512.Size384, sha256.Size, sha1.Size, md5.Size, 4}

// areDigits reports whether all bytes are hexadecimal digits, with letters of one case.
func areDigits(b []byte) bool {
	return len(bytes.Trim(b, "0123456789abcdef")) == 0 || len(bytes.Trim(b, "0123456789ABCDEF")) == 0
}

// isMixed reports whether digits differ from one another as much as those of nearly all checksums do.
func isMixed(digits []byte) bool { return different(digits) >= 4 }

// IsRandom reports whether bytes differ from one another as much as those of nearly all checksums do, and are no small number.
// Longer ones must not be text, nor have a word in them.
func IsRandom(b []byte) bool {
	n := different(b)
	if len(b) == 4 {
		return n > 2 || n == 2 && bytes.Count(b, []byte{0}) < 2 && bytes.Count(b, []byte{0xff}) < 2
	}
	return n >= len(b)*3/4 && !hasWord(b) && slices.ContainsFunc(b, func(c byte) bool { return c < ' ' || c > '~' })
}

// hasWord reports whether there are five lower-case letters in a row, as in hardly any checksum.
func hasWord(b []byte) bool {
	n := 0
	return slices.ContainsFunc(b, func(c byte) bool {
		if n++; c < 'a' || c > 'z' {
			n = 0
		}
		return n == 5
	})
}

func different(b []byte) (n int) {
	var seen [256]bool
	for _, c := range b {
		if !seen[c] {
			seen[c] = true
			n++
		}
	}
	return n
}

// Resembles returns the kind of checksum that bytes could be by their length and look; "" if they are like
// none. Four bytes, or eight digits, can be anything.
func Resembles(b []byte) string {
	if HashAt(b) < len(b) {
		b = bytes.Trim(b, "\r\n\x00")
	}
	n := len(b)
	switch {
	case areDigits(b):
		if n /= 2; !isMixed(b) {
			return ""
		}
	case n > 0 && !IsRandom(b):
		digest, _ := base64.RawStdEncoding.DecodeString(string(bytes.TrimRight(b, "=")))
		if n = len(digest); n == 0 || !IsRandom(digest) {
			return ""
		}
	}
	for _, name := range Kinds {
		if s := sums[name]; s.size == n && n >= md5.Size {
			return s.title
		}
	}
	return ""
}

// HashAt returns how many bytes at the beginning of some a hash may take that is written in bytes; 0 for none. Few bytes of one
// are zeros, and many are no ASCII. Pictures are like hashes too: nothing is one in many bytes.
func HashAt(b []byte) int {
	const many = 256
	for _, n := range sizes {
		if n < md5.Size || n > len(b) || len(b) > many {
			continue
		}
		high := 0
		for _, c := range b[:n] {
			high += int(c >> 7)
		}
		if IsRandom(b[:n]) && high >= n/4 && b[0] > 0 && bytes.Count(b[:n], []byte{0}) <= 1 && !utf8.Valid(b[:n]) {
			return n
		}
	}
	return 0
}

// LooksAt returns the kind of checksum that the digits at an end of some bytes look like, how many they are, and how many characters
// are behind them; "" for none. If they are alone no digits are beside them, and those of base64 end with padding; others are hexadecimal.
func LooksAt(b []byte, start, alone bool) (kind string, n, tail int) {
	for _, x := range spots(b, true, start) {
		n, tail = len(x.is), int(x.Tail)
		beside := b[:len(b)-tail-n]
		if start {
			beside = b[n:min(len(b), n+1)]
		}
		isPart := len(beside) > 0 && areDigits(bytes.ToLower(beside[len(beside)-1:]))
		isHex := areDigits(x.is)
		if kind = Resembles(x.is); kind != "" && (isHex || alone && bytes.HasSuffix(x.is, []byte("="))) && !(alone && isPart) {
			return kind, n, tail
		}
	}
	return "", 0, 0
}

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
	"strings"
	"sync"
	"unicode/utf8"

	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// A sum is a kind of checksum.
type sum struct {
	name, title string
	size        int // in bytes, the fewest that hold it
	use         use
	number      func(b []byte) uint64 // computes one that is a number
	hash        func() hash.Hash      // the same for others
}

// A use says what a sum is there for.
type use uint8

const (
	strong use = iota // bytes hardly ever are it by chance: it is looked for everywhere
	weak              // any number of one or two bytes is one by chance
	keyed             // an HMAC, of which the secret is the key
	other             // it is not looked for
)

// The kinds of the numbers of bytes, and of characters in UTF-8, which are written like checksums.
const (
	Size   = "size"
	Length = "characters"
)

// sums are the kinds of checksums, of each use the likeliest first.
var sums = []sum{
	{"crc32", "CRC-32", 4, strong, wide(crc32.ChecksumIEEE), nil},
	{"jamcrc", "CRC-32 of GameMaker", 4, strong, func(b []byte) uint64 { return uint64(^crc32.ChecksumIEEE(b)) }, nil}, // buffer_crc32 leaves out the last inversion
	{"adler32", "Adler-32", 4, strong, wide(adler32.Checksum), nil},
	{"djb2", "hash of Godot", 4, strong, wide(djb2), nil},
	{"djb2-bytes", "hash of bytes of Godot", 4, strong, func(b []byte) uint64 { return uint64(hashed(b, false)) }, nil},
	{"fnv1a", "FNV-1a", 4, strong, func(b []byte) uint64 { h := fnv.New32a(); h.Write(b); return uint64(h.Sum32()) }, nil},
	{"md5", "MD5", md5.Size, strong, nil, md5.New},
	{"sha1", "SHA-1", sha1.Size, strong, nil, sha1.New},
	{"sha256", "SHA-256", sha256.Size, strong, nil, sha256.New},
	{"sha384", "SHA-384", sha512.Size384, strong, nil, sha512.New384},
	{"sha512", "SHA-512", sha512.Size, strong, nil, sha512.New},
	{ByteSum, "byte sum", 1, weak, added, nil},
	{"byte-minus", "byte minus", 1, weak, func(b []byte) uint64 { return -added(b) & (1<<8 - 1) }, nil}, // what must be added to get zero
	{"byte-xor", "byte xor", 1, weak, xored, nil},
	{"crc16-ccitt", "CRC-16 (crc16-ccitt)", 2, weak, crc(0x1021, 0xffff, false, 0), nil},
	{"crc16-xmodem", "CRC-16 (crc16-xmodem)", 2, weak, crc(0x1021, 0, false, 0), nil},
	{"crc16-genibus", "CRC-16 (crc16-genibus)", 2, weak, crc(0x1021, 0xffff, false, 0xffff), nil},
	{"crc16-kermit", "CRC-16 (crc16-kermit)", 2, weak, crc(0x1021, 0, true, 0), nil},
	{"crc16-x25", "CRC-16 (crc16-x25)", 2, weak, crc(0x1021, 0xffff, true, 0xffff), nil},
	{"crc16-arc", "CRC-16 (crc16-arc)", 2, weak, crc(0x8005, 0, true, 0), nil},
	{"crc16-modbus", "CRC-16 (crc16-modbus)", 2, weak, crc(0x8005, 0xffff, true, 0), nil},
	{"crc16-usb", "CRC-16 (crc16-usb)", 2, weak, crc(0x8005, 0xffff, true, 0xffff), nil},
	{"fletcher16", "fletcher16", 2, weak, fletcher, nil},
	{"hmac-md5", "HMAC-MD5", md5.Size, keyed, nil, md5.New},
	{"hmac-sha1", "HMAC-SHA-1", sha1.Size, keyed, nil, sha1.New},
	{"hmac-sha256", "HMAC-SHA-256", sha256.Size, keyed, nil, sha256.New},
	{Size, "size", 4, other, func(b []byte) uint64 { return uint64(len(b)) }, nil},
	{Length, "number of characters", 4, other, func(b []byte) uint64 { return uint64(utf8.RuneCount(b)) }, nil},
	{"sum32", "", 4, other, added, nil},
	{"sum16", "", 2, other, added, nil},
	{"sum8", "", 1, other, added, nil},
	{"xor8", "", 1, other, xored, nil},
	{"crc16", "", 2, other, crc(0x8005, 0, true, 0), nil}, // where it has no other name CRC-16/ARC is meant
}

// ByteSum is the sum of all bytes, which may take more than one. Of those that are carried further, nothing is left.
const ByteSum = "byte-sum"

// Functions are the names of those that sum up bytes for descriptions of formats: usual ones, first the short ones of up to 4 bytes, and
// others.
var (
	Short     = []string{"crc32", "adler32", "sum32", "sum16", "sum8", "xor8", "crc16"}
	Usual     = append(slices.Clip(Short), "md5", "sha1", "sha256")
	Functions = slices.Concat(Usual, CRC16, []string{"fletcher16", "djb2", "djb2_bytes", "fnv1a", "jamcrc"})

	CRC16 = []string{"crc16_ccitt", "crc16_xmodem", "crc16_genibus", "crc16_kermit", "crc16_x25", "crc16_modbus", "crc16_usb"} // but CRC-16/ARC
)

// named returns the sum of a name; one without a name for none.
func named(name string) *sum {
	if i := slices.IndexFunc(sums, func(s sum) bool { return s.name == name }); i >= 0 {
		return &sums[i]
	}
	return &sum{}
}

// of computes the sum of bytes. Of a number the most significant byte is the first.
func (s *sum) of(b []byte) []byte {
	if s.number != nil {
		return binary.BigEndian.AppendUint64(nil, s.number(b))[8-s.size:]
	}
	h := s.hash()
	h.Write(b)
	return h.Sum(nil)
}

// Sum applies one of the functions. Of a number, which has up to 4 bytes, the most significant byte is the first.
func Sum(function string, b []byte) []byte {
	return named(strings.ReplaceAll(function, "_", "-")).of(b)
}

// Number computes a kind that is a number.
func Number(name string, b []byte) uint64 { return named(name).number(b) }

// SumOf returns the title of a kind, "CRC-32" of "crc32", and the fewest bytes that hold it; 0 for what is no checksum.
func SumOf(name string) (title string, size int64) {
	s := named(name)
	if s.use != other {
		size = int64(s.size)
	}
	return s.title, size
}

// Numbers are the names of the kinds that are numbers: those that take 4 bytes and are looked for, and the weak ones of one or two.
func Numbers() []string { return slices.Concat(namesOf(strong, true), Weak()) }

// Weak are the names of the kinds of which any number of one or two bytes is one by chance.
func Weak() []string { return namesOf(weak, true) }

func namesOf(use use, isNumber bool) (all []string) {
	for _, s := range sums {
		if s.use == use && (s.number != nil || !isNumber) {
			all = append(all, s.name)
		}
	}
	return all
}

func wide(of func(b []byte) uint32) func(b []byte) uint64 {
	return func(b []byte) uint64 { return uint64(of(b)) }
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
	table := sync.OnceValue(func() (all [256]uint16) {
		for i := range all {
			all[i] = uint16(i) << 8
			for range 8 {
				all[i] = all[i]<<1 ^ polynomial&-(all[i]>>15)
			}
		}
		return all
	})
	return func(b []byte) uint64 {
		n, of := start, table()
		for _, c := range b {
			if isReflected {
				c = bits.Reverse8(c)
			}
			n = n<<8 ^ of[byte(n>>8)^c]
		}
		if isReflected {
			n = bits.Reverse16(n)
		}
		return uint64(n ^ inverted)
	}
}

// djb2 is hash of Godot of the characters of a text; of other bytes that of a PoolByteArray.
func djb2(b []byte) uint32 { return hashed(b, utf8.Valid(b) && bytes.IndexByte(b, 0) < 0) }

// hashed adds each character of a text, or each byte, to 33 times what was before.
func hashed(b []byte, isText bool) uint32 {
	sum, size := uint32(5381), 1
	for ; len(b) > 0; b = b[size:] {
		c := rune(b[0])
		if isText {
			c, size = utf8.DecodeRune(b)
		}
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
	whole := sync.OnceValue(func() []byte { return source.Read(src, region) })
	for _, start := range []bool{true, false} {
		b := endOf(src, region, start)
		all := spots(b, true, start)
		if !start || !signed {
			all = append(all, spots(b, false, start)...)
		}
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
		widths := []int{n}
		if isText {
			widths = []int{2 * n, base64.StdEncoding.EncodedLen(n)}
		}
		for _, width := range widths {
			for _, x := range spotsOf(b, width, isText, start) {
				if len(formsOf(x.is)) > 0 && IsRandom(x.is) != isText {
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
	if *p == (Place{}) {
		if p = Find(src, region, false); p == nil {
			return nil
		}
	}
	at := *p
	for _, x := range spotsOf(endOf(src, region, at.Start), int(at.Size()), at.IsText(), at.Start) {
		if at.placed {
			break
		}
		at.Gap, at.Tail = x.Gap, x.Tail
		held, ok := at.held(region, at.Size())
		b := source.Read(src, held)
		at.placed = ok && b != nil && bytes.Equal(at.Compute(b), x.is)
	}
	if !at.placed {
		at.Gap, at.placed = 0, true
	}
	if _, ok := at.held(region, at.Size()); !ok {
		return nil
	}
	return &at
}

// sizes are those of checksums in bytes, the largest first.
var sizes = []int{sha512.Size, sha512.Size384, sha256.Size, sha1.Size, md5.Size, 4}

// areDigits reports whether all bytes are hexadecimal digits, with letters of one case.
func areDigits(b []byte) bool {
	return len(bytes.Trim(b, "0123456789abcdef")) == 0 || len(bytes.Trim(b, "0123456789ABCDEF")) == 0
}

// AreDigits reports whether bytes are the hexadecimal digits, with letters, that a checksum of some bytes may have.
func AreDigits(b []byte, size int) bool {
	return len(b) == 2*size && areDigits(b) && isMixed(b) && len(bytes.Trim(b, "0123456789")) > 0
}

// isMixed reports whether digits differ from one another as much as those of nearly all checksums do.
func isMixed(digits []byte) bool { return Different(digits) >= 4 }

// IsRandom reports whether bytes differ from one another as much as those of nearly all checksums do, and are no small number.
// Longer ones must not be text, nor have a word in them.
func IsRandom(b []byte) bool {
	n := Different(b)
	if len(b) == 4 {
		return n > 2 || n == 2 && bytes.Count(b, []byte{0}) < 2 && bytes.Count(b, []byte{0xff}) < 2
	}
	return n >= len(b)*3/4 && !word().Match(b) && slices.ContainsFunc(b, func(c byte) bool { return c < ' ' || c > '~' })
}

// word is what hardly any checksum has.
var word = lazy.Regexp(`[a-z]{5}`)

// Different returns how many different bytes there are.
func Different(b []byte) (n int) {
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
	i := slices.IndexFunc(sums, func(s sum) bool { return s.size == n && s.hash != nil })
	if i < 0 {
		return ""
	}
	return sums[i].title
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

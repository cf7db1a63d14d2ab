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
	"io"
	"slices"
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// A sum is a kind of checksum.
type sum struct {
	title  string
	size   int // in bytes
	number bool
	keyed  bool // the secret is the key of an HMAC
	new    func() hash.Hash
}

// Kinds are the names of the checksums that are looked for, the likeliest first; keyed are those that take a secret.
var Kinds = []string{"crc32", "jamcrc", "adler32", "djb2", "fnv1a", "md5", "sha1", "sha1-html5", "sha256", "sha384", "sha512"}

var keyed = []string{"hmac-md5", "hmac-sha1", "hmac-sha256"}

const html5 = "sha1-html5"

var sums = map[string]sum{
	"crc32":       {"CRC-32", 4, true, false, func() hash.Hash { return crc32.NewIEEE() }},
	"jamcrc":      {"CRC-32 of GameMaker", 4, true, false, func() hash.Hash { return inverted{crc32.NewIEEE()} }},
	"adler32":     {"Adler-32", 4, true, false, func() hash.Hash { return adler32.New() }},
	"djb2":        {"String.hash of Godot", 4, true, false, newDJB2},
	"fnv1a":       {"FNV-1a", 4, true, false, func() hash.Hash { return fnv.New32a() }},
	"md5":         {"MD5", md5.Size, false, false, md5.New},
	"sha1":        {"SHA-1", sha1.Size, false, false, sha1.New},
	html5:         {"SHA-1 of GameMaker's HTML5", sha1.Size, false, false, func() hash.Hash { return latin{sha1.New()} }},
	"sha256":      {"SHA-256", sha256.Size, false, false, sha256.New},
	"sha384":      {"SHA-384", sha512.Size384, false, false, sha512.New384},
	"sha512":      {"SHA-512", sha512.Size, false, false, sha512.New},
	Size:          {"size", 4, true, false, func() hash.Hash { return new(counter) }},
	Length:        {"number of characters", 4, true, false, func() hash.Hash { return &counter{leavesOut: true} }},
	"hmac-md5":    {"HMAC-MD5", md5.Size, false, true, md5.New},
	"hmac-sha1":   {"HMAC-SHA-1", sha1.Size, false, true, sha1.New},
	"hmac-sha256": {"HMAC-SHA-256", sha256.Size, false, true, sha256.New},
}

// The kinds of the numbers of bytes, and of characters in UTF-8, which are written like checksums. They are not looked for.
const (
	Size   = "size"
	Length = "length"
)

// A word is the part of hash.Hash that is the same for all numbers of four bytes that are computed once.
type word struct{}

// Reset implements hash.Hash.
func (word) Reset() {}

// Size implements hash.Hash.
func (word) Size() int { return 4 }

// BlockSize implements hash.Hash.
func (word) BlockSize() int { return 1 }

// A counter counts the bytes that are written to it.
type counter struct {
	word
	n         uint32
	leavesOut bool // the bytes of a character but the first
}

// Write implements hash.Hash.
func (h *counter) Write(b []byte) (int, error) {
	for _, c := range b {
		if !h.leavesOut || c&0xc0 != 0x80 {
			h.n++
		}
	}
	return len(b), nil
}

// Sum implements hash.Hash.
func (h *counter) Sum(b []byte) []byte { return binary.BigEndian.AppendUint32(b, h.n) }

// inverted is GameMaker's buffer_crc32, which leaves out the last inversion.
type inverted struct{ hash.Hash }

// Sum implements hash.Hash.
func (h inverted) Sum(b []byte) []byte {
	s := h.Hash.Sum(nil)
	for i := range s {
		s[i] ^= 0xff
	}
	return append(b, s...)
}

// latin is buffer_sha1 of GameMaker's HTML5: each byte from 80 on is hashed as the two bytes of its UTF-8.
type latin struct{ hash.Hash }

// Write implements hash.Hash.
func (h latin) Write(b []byte) (int, error) {
	for part := range slices.Chunk(b, 4096) {
		utf8 := make([]byte, 0, 2*len(part))
		for _, c := range part {
			utf8 = append(utf8, string(rune(c))...)
		}
		h.Hash.Write(utf8)
	}
	return len(b), nil
}

// djb2 is String.hash of Godot: each character of UTF-8 is added to 33 times what was before. Bytes that are none have no
// sum: what follows them is left out.
type djb2 struct {
	word
	sum   uint32
	rest  []byte // the beginning of a character
	wrong bool   // the bytes are no text
}

func newDJB2() hash.Hash { return &djb2{sum: 5381} }

// Write implements hash.Hash.
func (h *djb2) Write(b []byte) (int, error) {
	all := b
	if len(h.rest) > 0 {
		all = append(h.rest, b...)
	}
	for i := 0; !h.wrong; {
		for ; i < len(all) && all[i] < utf8.RuneSelf; i++ {
			h.sum = h.sum*33 + uint32(all[i])
		}
		if !utf8.FullRune(all[i:]) {
			h.rest = slices.Clone(all[i:])
			break
		}
		c, n := utf8.DecodeRune(all[i:])
		h.wrong, h.sum, i = n == 1, h.sum*33+uint32(c), i+n
	}
	return len(b), nil
}

// Sum implements hash.Hash.
func (h *djb2) Sum(b []byte) []byte { return binary.BigEndian.AppendUint32(b, h.sum) }

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
	all := spots(endOf(src, region, true), true, true)
	if !signed {
		all = append(all, spots(endOf(src, region, true), false, true)...)
	}
	for _, isText := range []bool{true, false} {
		all = append(all, spots(endOf(src, region, false), isText, false)...)
	}
	b := make([]byte, region.Length)
	if len(all) == 0 || !isRead(src, region, b) {
		return nil
	}
	for _, x := range all {
		held, _, ok := x.spans(region, int64(len(x.is)))
		if !ok || held.Length < least {
			continue
		}
		way := Of(func() io.Reader { return bytes.NewReader(b[held.Offset-region.Offset:][:held.Length]) }).Matching(x.is)
		if way != nil && way.Form != Decimal {
			x.Sum, x.Form = way.Sum, way.Form
			return &x.Place
		}
	}
	return nil
}

// isRead reads a region, and reports whether it has all its bytes.
func isRead(src source.Source, region span.Span, b []byte) bool {
	n, _ := src.ReadAt(b, region.Offset)
	return n == len(b)
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
		of := []int{n}
		if isText {
			of = []int{2 * n, base64.StdEncoding.EncodedLen(n), base64.RawStdEncoding.EncodedLen(n)}
		}
		for _, size := range slices.Compact(of) {
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
	is, rest, trim := b[:min(size, len(b))], b[size:], bytes.TrimLeft
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
func HeldIn(src source.Source, region span.Span) int64 {
	p := Find(src, region, true)
	if p == nil || p.Start {
		return 0
	}
	held, _, _ := p.spans(region, p.Size())
	return held.Length
}

// Locate returns the place in a region of a checksum of which only the end is known: line ends and zeros may be between or
// after it. A place that Find has returned is as it is, and nil is found. The result is nil if the region has no such place.
func (p *Place) Locate(src source.Source, region span.Span) *Place {
	if p == nil {
		p = Find(src, region, false)
	} else if !p.placed {
		p = p.locate(src, region)
	}
	if p == nil {
		return nil
	}
	if _, _, ok := p.spans(region, p.Size()); !ok {
		return nil
	}
	return p
}

func (p Place) locate(src source.Source, region span.Span) *Place {
	all := spotsOf(endOf(src, region, p.Start), int(p.Size()), p.IsText(), p.Start)
	for p.placed = true; len(all) > 0; all = all[1:] {
		p.Gap, p.Tail = all[0].Gap, all[0].Tail
		held, at, ok := p.spans(region, p.Size())
		sum, err := p.Compute(io.NewSectionReader(src, held.Offset, held.Length))
		if is := all[0].is; ok && at.Length == int64(len(is)) && err == nil && bytes.Equal(sum, is) {
			break
		}
	}
	if len(all) == 0 {
		p.Gap = 0
	}
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

// IsRandom reports whether bytes differ from one another as much as those of nearly all checksums do.
// Longer ones must not be text.
func IsRandom(b []byte) bool {
	if len(b) == 4 {
		return different(b) >= 3
	}
	return different(b) >= len(b)*3/4 && slices.ContainsFunc(b, func(c byte) bool { return c < ' ' || c > '~' })
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

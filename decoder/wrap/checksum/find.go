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

// Sums are the names of the kinds of checksums that are looked for, the likeliest first; keyed are those that take a
// secret.
var Sums = []string{"crc32", "jamcrc", "adler32", "djb2", "fnv1a", "md5", "sha1", "sha1-html5", "sha256", "sha384", "sha512"}

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

// A counter counts the bytes that are written to it.
type counter struct {
	n         uint32
	leavesOut bool // the bytes of a character but the first
}

// Reset implements hash.Hash.
func (h *counter) Reset() { h.n = 0 }

// Size implements hash.Hash.
func (h *counter) Size() int { return 4 }

// BlockSize implements hash.Hash.
func (h *counter) BlockSize() int { return 1 }

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
	sum   uint32
	rest  []byte // the beginning of a character
	wrong bool   // the bytes are no text
}

func newDJB2() hash.Hash { return &djb2{sum: 5381} }

// Reset implements hash.Hash.
func (h *djb2) Reset() { *h = djb2{sum: 5381} }

// Size implements hash.Hash.
func (h *djb2) Size() int { return 4 }

// BlockSize implements hash.Hash.
func (h *djb2) BlockSize() int { return 1 }

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
)

// A trial is a place whose checksum is computed.
type trial struct {
	Place
	want []byte
	hash hash.Hash
}

// Find returns the place of a region's checksum; nil if none fits. Regions of more than 8 MiB are not
// searched. Others are read as a whole, but if no bytes look like a checksum, only a CRC-32 is computed. A
// signed region has a signature where a binary checksum would be.
func Find(src source.Source, region span.Span, signed bool) *Place {
	if region.Length <= least || region.Length > most {
		return nil
	}
	w := source.NewWindow(src)
	n := min(region.Length, ends)
	head := bytes.Clone(w.View(region.Offset, n))
	tail := bytes.Clone(w.View(region.End()-n, n))
	if int64(len(head)) < n || int64(len(tail)) < n {
		return nil
	}
	first := plausible(head, true)
	if signed {
		first = slices.DeleteFunc(first, func(p Place) bool { return !p.IsText() })
	}
	return compute(w, region, append(first, plausible(tail, false)...))
}

// HeldIn returns of how many bytes at the beginning of a region there is a checksum at its end; 0 if none fits.
func HeldIn(src source.Source, region span.Span) int64 {
	if p := Find(src, region, true); p != nil {
		return p.held(region)
	}
	return 0
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
	if _, _, _, ok := p.spans(region); !ok {
		return nil
	}
	return p
}

func (p Place) locate(src source.Source, region span.Span) *Place {
	w := source.NewWindow(src)
	b := w.View(region.End()-min(region.Length, ends), min(region.Length, ends))
	if p.Start {
		b = w.View(region.Offset, min(region.Length, ends))
	}
	p.placed = true
	if n := int(p.Size()); p.IsText() && len(b) > n {
		if !p.Start {
			p.Tail = int64(len(b) - len(bytes.TrimRight(b, "\r\n\x00")))
		}
		apart := p
		if len(b) >= n+int(p.Tail) {
			apart.Gap = int64(separated(b, p, n, p.Start))
		}
		if found := compute(w, region, []Place{p, apart}); found != nil {
			return found
		}
	}
	return &p
}

// hashed is what one hash is computed of, for all places that write it in some form.
type hashed struct {
	sum, salt, secret string
	held              span.Span
}

// compute returns the first place that fits.
func compute(w *source.Window, region span.Span, places []Place) *Place {
	var trials []trial
	hashes := map[hashed]hash.Hash{}
	for _, p := range places {
		p.placed = true
		held, _, at, ok := p.spans(region)
		if ok && held.Length >= least {
			of := hashed{p.Sum, p.Salt, p.Secret, held}
			if hashes[of] == nil {
				hashes[of] = p.hash()
			}
			trials = append(trials, trial{p, bytes.Clone(w.View(at.Offset, at.Length)), hashes[of]})
		}
	}
	for at := region.Offset; at < region.End(); {
		b := w.View(at, region.End()-at)
		if len(b) == 0 || w.Err() != nil || w.TakeHole() != nil {
			return nil
		}
		for of, h := range hashes {
			from, to := max(of.held.Offset, at), min(of.held.End(), at+int64(len(b)))
			if from < to {
				h.Write(b[from-at : to-at])
			}
		}
		at += int64(len(b))
	}
	for _, t := range trials {
		if bytes.Equal(t.write(t.hash), t.want) {
			return &t.Place
		}
	}
	return nil
}

// sizes are those of checksums in bytes, the largest first.
var sizes = []int{sha512.Size, sha512.Size384, sha256.Size, sha1.Size, md5.Size, 4}

// plausible lists the places at one end of a file whose bytes may be a checksum.
func plausible(b []byte, start bool) (all []Place) {
	add := func(n int, p Place) {
		for _, name := range Sums {
			if sums[name].size == n && (p.IsText() || name != html5) { // which returns digits
				p.Sum, p.Start = name, start
				all = append(all, p)
			}
		}
	}
	for _, n := range sizes {
		for _, form := range []Form{Lower, Base64, RawBase64} {
			p, size, ok := inDigits(b, n, form, start)
			if !ok {
				continue
			}
			add(n, p)
			if p.Gap = int64(separated(b, p, size, start)); p.Gap > 0 {
				add(n, p)
			}
		}
	}
	for _, n := range sizes {
		if len(b) <= n {
			continue
		}
		sum := b[len(b)-n:]
		if start {
			sum = b[:n]
		}
		if IsRandom(sum) {
			add(n, Place{Form: Binary})
			if n == 4 {
				add(n, Place{Form: Big})
			}
		}
	}
	return all
}

// isEnd reports whether a character ends a line or a text.
func isEnd(c byte) bool { return c == '\r' || c == '\n' || c == 0 }

// inDigits returns the place of the digits of a checksum of n bytes at an end of b, which line ends and zeros may follow,
// and the number of the digits. Those of form Lower may be upper case.
func inDigits(b []byte, n int, form Form, start bool) (p Place, size int, ok bool) {
	p.Form, size = form, 2*n
	encoding := p.encoding()
	if encoding != nil {
		size = encoding.EncodedLen(n)
	}
	if !start {
		whole := len(b)
		b = bytes.TrimRight(b, "\r\n\x00")
		p.Tail = int64(whole - len(b))
	}
	if len(b) < size {
		return p, 0, false
	}
	if sum := b[len(b)-size:]; !start {
		b = sum
	}
	switch b = b[:size]; {
	case encoding != nil:
		digest, err := encoding.DecodeString(string(b))
		return p, size, err == nil && len(digest) == n && n >= md5.Size && IsRandom(digest) // a CRC-32 is not written so
	case !isMixed(b):
		return p, 0, false
	case len(bytes.Trim(b, "0123456789abcdef")) > 0:
		p.Form = Upper
	}
	return p, size, p.Form == Lower || len(bytes.Trim(b, "0123456789ABCDEF")) == 0
}

// separated counts the line ends and zeros between digits and what is next to them.
func separated(b []byte, p Place, n int, start bool) (gap int) {
	if start {
		for n+gap < len(b) && isEnd(b[n+gap]) {
			gap++
		}
		return gap
	}
	rest := b[:len(b)-int(p.Tail)-n]
	return len(rest) - len(bytes.TrimRight(rest, "\r\n\x00"))
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
	case len(bytes.Trim(b, "0123456789abcdef")) == 0 || len(bytes.Trim(b, "0123456789ABCDEF")) == 0:
		if n /= 2; !isMixed(b) {
			return ""
		}
	case n > 0 && !IsRandom(b):
		digest, _ := base64.RawStdEncoding.DecodeString(string(bytes.TrimRight(b, "=")))
		if n = len(digest); n == 0 || !IsRandom(digest) {
			return ""
		}
	}
	for _, name := range Sums {
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

// Digits returns the hexadecimal digits at the beginning or end of b, or else those of a checksum in base64, with the
// line ends and zeros around them.
func Digits(b []byte, start bool) []byte {
	for _, n := range sizes[:len(sizes)-1] {
		p, size, ok := inDigits(b, n, Base64, start)
		if !ok {
			continue
		}
		if size += int(p.Tail); start {
			return b[:size]
		}
		return b[len(b)-size:]
	}
	isDigit := func(r rune) bool { return r < 0x80 && bytes.ContainsRune([]byte("0123456789abcdefABCDEF\r\n\x00"), r) }
	if start {
		return b[:len(b)-len(bytes.TrimLeftFunc(b, isDigit))]
	}
	return b[len(bytes.TrimRightFunc(b, isDigit)):]
}

package own

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"varview/decoder/engine/lazy"
	"varview/decoder/engine/span"
)

// Least values of numbers that are taken for lengths.
const (
	leastSize  = 8
	leastCount = 2
	leastByte  = 33      // of a length in one byte: versions and other small numbers are as common
	leastWord  = 1 << 12 // of a checksum in two bytes: years are smaller

	mostBeforeByte = 16 // bytes of a header that ends with such a length: longer ones end with any byte
)

// numbers are the types of a length, the likeliest first.
var numbers = []Field{{Type: digits}, {Type: hex}, {Type: "u64"}, {Type: "u64", Big: true}, {Type: "u32"}, {Type: "u32", Big: true}, {Type: "u16"}, {Type: "u16", Big: true}, {Type: "u8"}, {Type: varint}}

// A candidate is a number in a header or trailer that equals what it may measure.
type candidate struct {
	Field
	at, end  int
	isOdd    bool   // it is where games seldom write one
	isOther  bool   // its bytes are in the less likely order
	isChance bool   // it is no length, though it may be the reason that another is none
	kind     int    // of numbers
	n        uint64 // the number
}

// overlaps reports whether two candidates have bytes in common.
func (c *candidate) overlaps(d candidate) bool { return c.at < d.end && d.at < c.end }

// isNarrow reports whether a candidate is a number of one or two bytes.
func (c *candidate) isNarrow() bool { return c.width() > 0 && c.width() < 4 }

// rank orders candidates: the lower, the likelier one is a length.
func (c *candidate) rank() uint { return flags(c.isOther, c.isOdd, c.isNarrow()) }

// flags returns a number with a bit for each of some answers, the most significant first.
func flags(all ...bool) (n uint) {
	for _, is := range all {
		if n *= 2; is {
			n++
		}
	}
	return n
}

// extends reports whether a candidate is another one and more bytes, all zeros.
func (c *candidate) extends(d *candidate) bool {
	return (c.Big && c.end == d.end || !c.Big && c.at == d.at) && c.Big == d.Big && c.width() > d.width() && d.width() > 0
}

// A side is a header or a trailer in which numbers are looked for.
type side struct {
	*packer
	whole     *file
	b         []byte
	before    int64 // number of the layer's bytes before it; 0 for a header
	isBig     bool  // other numbers in it are big-endian
	isOrdered bool  // they show which order is theirs
	isSure    bool  // lengths were found, so that numbers that are more like chance are none
	taken     []candidate
	sizes     []candidate // numbers that equal what they may measure
}

// isHead reports whether the side is a header.
func (s *side) isHead() bool { return s.before == 0 }

// isBare reports whether bytes from one offset to another are in the side, and in none that is taken.
func (s *side) isBare(from, to int) bool {
	c := &candidate{at: from, end: to}
	return from >= 0 && to <= len(s.b) && !slices.ContainsFunc(s.taken, c.overlaps)
}

// inFile returns where a candidate is in the file.
func (s *side) inFile(c *candidate) span.Span {
	return span.Between(s.before+int64(c.at), s.before+int64(c.end))
}

// takeLengths takes the lengths. Of candidates that have bytes in common the likeliest is one.
func (s *side) takeLengths() {
	measured := s.takeByte()
	s.isSure = !s.isHead() && slices.ContainsFunc(s.head, func(f Field) bool { return f.Is != "" })
	all := s.candidates()
	s.sizes = all
	votes := s.votes(all)
	s.isBig, s.isOrdered = votes > 0, votes != 0
	for i := range all {
		s.judge(&all[i])
	}
	slices.SortStableFunc(all, func(c, d candidate) int { return cmp.Or(cmp.Compare(c.rank(), d.rank()), cmp.Compare(c.kind, d.kind)) })
	for _, c := range all {
		if s.mayTake(&c, all) {
			s.isSure, s.taken = true, append(s.taken, c)
		}
	}
	if len(s.taken) == 0 {
		s.left = append(s.left, measured...)
	}
	s.noteLeft(all)
}

// votes returns how much more speaks for big-endian numbers than against them: in a trailer, what is known of the header alone, if
// anything is.
func (s *side) votes(all []candidate) (votes int) {
	if !s.isHead() {
		for i := range s.head {
			votes += s.head[i].order()
		}
	}
	if votes != 0 {
		return votes
	}
	for i := range s.taken {
		votes += s.taken[i].order()
	}
	for i := range all {
		votes += s.vote(&all[i])
	}
	return votes + votesForBig(s.b)
}

// vote returns how much a candidate speaks for big-endian numbers, or against them: not at all if its bytes are a small number in the
// other order too.
func (s *side) vote(c *candidate) int {
	weight := int(c.width() / 2)
	isText, _ := s.textAround(c)
	doubts := flags(weight < 2, c.isOdd, c.n%(1<<8) == 0)
	switch votes := min(weight, 2-int(flags(c.isOdd))); { // the zeros of an odd one may be those of a number before it
	case weight == 0 || isText || bits.OnesCount(doubts) > 1:
		return 0
	case c.Big:
		return votes
	default:
		return -votes
	}
}

// judge notes whether a candidate is a length by itself.
func (s *side) judge(c *candidate) {
	c.isOther = c.width() > 1 && c.Big != s.isBig
	isText, doubt := s.textAround(c)
	if c.isChance = isText || s.isOfOthers(c) || !s.isEvidence(c, c.n); doubt != "" {
		c.doubt = "a part of " + doubt
	} else if c.n < 1<<7 && (c.Type == "u8" || c.Big && s.isBehindWord(c)) {
		c.doubt, c.sure = "a varint", 1<<7
	}
}

// isBehindWord reports whether the last byte of a big-endian number at the end of a header is behind a small number in little-endian order,
// of which the others are zeros.
func (s *side) isBehindWord(c *candidate) bool {
	return c.width() == 4 && c.at%4 == 1 && c.end == len(s.b) && number(s.b[c.at-1:c.end-1], false) < 1<<8
}

// mayTake reports whether a candidate is a length beside those that are taken. It notes what else it may be: wider numbers of the same
// bytes are chance by themselves, but not beside narrow ones.
func (s *side) mayTake(c *candidate, all []candidate) bool {
	isPart := slices.ContainsFunc(all, func(d candidate) bool { return !d.isChance && d.extends(c) })
	if c.isChance || isPart || s.isSure && s.isWeak(c) || !s.isBare(c.at, c.end) {
		return false
	}
	s.noteRivals(c, all)
	return true
}

// isWeak reports whether a candidate is less likely a length than what is known of the other side.
func (s *side) isWeak(c *candidate) bool {
	isWhole := c.end-c.at == len(s.b)
	isSmall := c.isNarrow() || !isWhole && (c.n%(1<<8) == 0 || c.n < 1<<8)
	return c.isOther && (isSmall || c.isOdd) || c.Type == "u8" || c.isOdd && (c.isNarrow() || c.n < 1<<8)
}

// noteRivals notes what else the bytes of a candidate may be, a part of another one.
func (s *side) noteRivals(c *candidate, all []candidate) {
	if i := slices.IndexFunc(all, func(d candidate) bool { return d.isChance && d.end-d.at > c.end-c.at && c.overlaps(d) }); i >= 0 {
		c.doubt, c.sure = fmt.Sprintf("a part of another number, of the %s before %#x", span.Bytes(int64(all[i].end-all[i].at)), all[i].end), 1<<8
	}
	if i := slices.IndexFunc(all, func(d candidate) bool { return s.isRival(c, &d, all) }); i >= 0 {
		c.doubt, c.sure, c.isShared = "a part of one in the other byte order", 0, c.Big && c.end == all[i].at+1 || !c.Big && all[i].end == c.at+1
	}
}

// isRival reports whether bytes of a candidate are as likely those of another one, in the other order, unless that has bytes of two in
// the same order.
func (s *side) isRival(c, d *candidate, all []candidate) bool {
	isText, _ := s.textAround(d)
	isLess := slices.ContainsFunc(all, func(e candidate) bool { return e.Big == c.Big && e.Type == c.Type && !e.overlaps(*c) && e.overlaps(*d) }) ||
		s.isOrdered && c.at == d.at && c.end == d.end || !c.isNarrow() && flags(c.isOdd) < flags(d.isOdd)
	return c.n == d.n && c.Big != d.Big && c.width() > 0 && d.width() >= c.width() && c.overlaps(*d) && !isText && !isLess
}

// candidates returns all candidates in a side.
func (s *side) candidates() (all []candidate) {
	lengths, largest := s.lengths(), uint64(s.whole.size()+s.in.Beside)
	for _, l := range lengths {
		largest = max(largest, uint64(l.value))
	}
	for at := range s.b {
		for kind, f := range numbers {
			size, ok := f.length(s.b[at:])
			c := candidate{Field: f, at: at, end: at + int(size), kind: kind}
			if !ok || !s.isBare(at, c.end) || !s.mayBe(&c) {
				continue
			}
			if c.n = f.number(s.b[at:c.end]); c.n <= largest && s.isLength(&c, lengths) {
				all = append(all, c)
			}
		}
	}
	return all
}

// isLength reports whether the number of a candidate equals one of some lengths, or one at its place.
func (s *side) isLength(c *candidate, lengths []length) bool {
	for _, l := range slices.Concat(lengths, s.lengthsAt(c)) {
		l.Type, l.Big = c.Type, c.Big
		if (l.Is == inverted || l.Is == negative) && c.width() < 4 {
			continue // any small number is one with zeros beside it
		}
		if c.n == uint64(l.held(l.value)) && c.n >= s.least(&l.Field, c.at, c.end) {
			c.Field, c.isOdd = l.Field, !c.isDigits() && !isAligned(s.b, c.at, c.end)
			c.isEither = l.Is == plainSize && l.value == s.whole.content(&Field{Is: packedSize}).Size()
			return true
		}
	}
	return false
}

// isEvidence reports whether a number is hardly by chance what it measures: two bytes in an odd place are, unless they stand right
// before that, and so are those that are a small number in the other order.
func (s *side) isEvidence(c *candidate, n uint64) bool {
	width := c.end - c.at
	switch {
	case c.isDigits():
		return standsAlone(s.b, c.at, c.end) && !s.isDecimal(c)
	case width == 2 && n%(1<<8) == 0 && (c.isOther || c.at%2 > 0), c.isOther && width == 2 && s.isOrdered:
		return false
	case s.isHead() && n < 1<<8 && s.isAmong(c) && c.at > farAhead:
		return false // any small number among others may be as large
	}
	return !c.isOdd || s.isOddEvidence(c, n)
}

// isOddEvidence is isEvidence for a number in an odd place: not for zeros and a byte, as in a float.
func (s *side) isOddEvidence(c *candidate, n uint64) bool {
	isInside := c.at > 0 && c.end < len(s.b)
	if n%(1<<16) == 0 || !s.isHead() && n < 1<<8 && isInside {
		return false
	}
	return c.end-c.at > 2 && (!c.isOther || n >= 1<<16) && n >= leastByte || n >= 1<<8 && c.end == len(s.b)
}

// isDecimal reports whether hexadecimal digits are as likely those of a decimal number, which is no size.
func (s *side) isDecimal(c *candidate) bool {
	return c.Type == hex && s.b[c.at] != '0' && len(bytes.Trim(s.b[c.at:c.end], "0123456789")) == 0 && !saysSize().Match(s.b[:c.at])
}

// isAmong reports whether other bytes are behind a candidate than zeros, a checksum, and a number of its type that measures something else.
func (s *side) isAmong(c *candidate) bool {
	end, all := c.end, slices.Concat(s.taken, s.sizes)
	for range 2 {
		i := slices.IndexFunc(all, func(d candidate) bool {
			return d.at == end && (d.isSum() || d.Is != c.Is && d.Type == c.Type && d.Big == c.Big)
		})
		if i >= 0 {
			end = all[i].end
		}
	}
	return len(bytes.Trim(s.b[end:], "\x00")) > 0
}

// farAhead is the offset in a header up to which a small number may be a size: behind a magic word and a version.
const farAhead = 8

// mayBe reports whether a candidate may be a length. Digits are all that stand there. In a trailer only what
// always has as many bytes is one: it is read from the end.
func (s *side) mayBe(c *candidate) bool {
	switch at, end := c.at, c.end; c.Type {
	case "u8": // what sets the digits of a checksum apart is none
		return len(s.b) <= mostBeforeByte && !slices.ContainsFunc(s.taken, func(t candidate) bool { return t.end == at && t.isText() })
	case varint:
		return s.isHead() && end-at > 1 && s.b[end-1] != 0 && (at == 0 || end == len(s.b)) // no zero is written at its end
	case digits:
		return at == 0 || !isDigit(s.b[at-1])
	case hex:
		return (at == 0 || strings.IndexByte(hexDigits, s.b[at-1]) < 0 || at == magicWord && s.b[at] == '0') && (end-at > 2 || saysSize().Match(s.b[:at]))
	}
	return true
}

// noteLeft notes the numbers of a side that measure something, and are yet no lengths: those that have no bytes in common with
// what is known or with one another.
func (s *side) noteLeft(all []candidate) {
	taken := s.taken
	for _, c := range all {
		if c.Type != "u8" && s.isBare(c.at, c.end) && !(s.isSure && c.isOther && c.isOdd) {
			s.taken = append(s.taken, c)
			s.left = append(s.left, left{c.Field, s.inFile(&c), c.n})
		}
	}
	s.taken = taken
}

// isOfOthers reports whether the number of a candidate is rather the size of bytes behind it in the same header or trailer, up to another
// number or the end.
func (s *side) isOfOthers(c *candidate) bool {
	rest := uint64(len(s.b) - c.end)
	return c.n == rest || c.n < rest && (!s.isHead() || c.n >= leastSize && rest-c.n <= 8)
}

// textAround reports whether the bytes of a number are rather letters of a text, and the zeros after or before it; doubt says what
// else they are if that is as likely.
func (s *side) textAround(c *candidate) (isText bool, doubt string) {
	before := c.at - s.lettersBefore(c.at)
	switch own := bytes.Trim(s.b[c.at:c.end], "\x00"); {
	case c.isDigits() || c.Type == varint:
		return false, ""
	case isLetter(s.b[c.at]) && s.isText(before, c.at+1) && !s.isText(before, c.at): // the last one of a magic word, or of a text with its length
		return true, ""
	case printable(own) < len(own):
		return false, ""
	}
	if s.endsText(c) {
		doubt = fmt.Sprintf("%q", s.b[before:c.at+1])
		return !s.isHead() || c.end < len(s.b), doubt
	}
	if run := printable(s.b[c.end:]); isLetter(s.b[c.end-1]) && run >= leastRun {
		doubt = fmt.Sprintf("%q", s.b[c.end-1:c.end+run])
		return c.isOther || !s.isHead(), doubt
	}
	return false, ""
}

const leastRun = 2 // letters beside a number that may be a text with its first or last byte

// endsText reports whether the first byte of a number may be the last letter of a text before it, and the others zeros behind that.
func (s *side) endsText(c *candidate) bool {
	const mostZero = 4 // zeros behind a text of a fixed size
	run := s.lettersBefore(c.at)
	isMagic := s.isHead() && run == c.at && c.width() >= 4 && run%4 != 3
	isPadded := len(s.b) >= c.end+mostZero && len(bytes.Trim(s.b[c.end:c.end+mostZero], "\x00")) == 0
	isLong := run >= leastRun && !isMagic || run > 0 && isPadded
	return isLetter(s.b[c.at]) && isLong && (c.Type == "u8" || isPadded || !s.isText(c.at-run, c.at))
}

// isText reports whether characters between two offsets are or end with a magic word, or are a text behind its length.
func (s *side) isText(from, to int) bool {
	const capitals, magic = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", 4
	n := to - from
	if s.isHead() && from == 0 && (n == magic || n == 2*magic) {
		return true
	}
	if word := bytes.TrimRight(s.b[from:to], capitals); n > magic && n-len(word) == magic { // of a chunk
		return true
	}
	return slices.ContainsFunc([]int{1, 2, 4}, func(width int) bool {
		return n > 1 && from >= width && slices.ContainsFunc([]bool{false, true}, func(big bool) bool { return number(s.b[from-width:from], big) == uint64(n) })
	})
}

// lettersBefore returns the number of printable characters before an offset that are in no field that is known.
func (s *side) lettersBefore(at int) (n int) {
	for ; n < at && isLetter(s.b[at-n-1]); n++ {
		if slices.ContainsFunc(s.taken, func(t candidate) bool { return t.end == at-n }) {
			break
		}
	}
	return n
}

func isLetter(c byte) bool { return c >= ' ' && c <= '~' }

// least returns the least value of a number, from at to end, that is taken for a measure: any under a name that says so. A size of one
// byte stands in a header right before what it measures.
func (s *side) least(f *Field, at, end int) uint64 {
	isSmall, isLast := f.Type == "u8" || f.width() == 0, s.isHead() && end == len(s.b)
	switch {
	case f.isDigits() && saysSize().Match(s.b[:at]):
		return 1
	case f.Type == digits && f.Is == Count && at == 0 && isLineEnd(s.b[end:]):
		return leastSize
	case f.Is == packedSize && at == 0 && isLast:
		return leastSize
	case isSmall && f.Is == Count, f.Type == "u8" && (f.Is != packedSize || !isLast):
		return math.MaxUint64
	case isSmall:
		return leastByte
	case f.Is == Count:
		return leastCount
	}
	return leastSize
}

// isAligned reports whether a number in b, from at to end, is where games write one: at a multiple of its width, or
// behind a text. Elsewhere, a small one with zeros may be the end of one number and the beginning of another.
func isAligned(b []byte, at, end int) bool {
	width := end - at
	text := b[max(0, at-leastText):at]
	return at%width == 0 || (len(b)-at)%width == 0 || len(text) > 0 && (text[len(text)-1] == '\n' || len(text) == leastText && printable(text) == leastText)
}

// votesForBig returns how many more words in bytes are small numbers in big-endian than in little-endian order. Words counted from
// the beginning have two votes, those from the end one.
func votesForBig(b []byte) (votes int) {
	for weight, part := range [][]byte{b[len(b)%4:], b} {
		for ; len(part) >= 4; part = part[4:] {
			little, big := binary.LittleEndian.Uint32(part), binary.BigEndian.Uint32(part)
			if bytes.Contains(part[:4], []byte("\xff\xff")) { // of -1, which is the same in both
				continue
			}
			votes += (weight + 1) * cmp.Compare(min(little, 1<<16), min(big, 1<<16))
		}
	}
	return votes
}

// standsAlone reports whether digits in b, from at to end, may be a size: no part of a date, a time, a version, an amount or a word,
// and under no name that says something else.
func standsAlone(b []byte, at, end int) bool {
	before, _ := bytes.CutSuffix(b[:at], []byte("0x"))
	more := goesOn().FindSubmatch(b[end:])
	isMore := more != nil && (more[1] == nil || !saysSize().Match(more[1])) || end-at == ofTime && minutes().Match(b[end:])
	return !isMore && !isPartOf(before, b[at:end])
}

const ofTime = 2 // digits of a number before or behind a colon that belongs to a time

// What is beside digits.
var (
	saysSize = lazy.Regexp(`(?i)(?:size|len|bytes|count|crc|sum|hash|adler|packed|plain)[a-z_]*[ :="]*$`) // a name that says that they are a size or a checksum
	goesOn   = lazy.Regexp(`^(?:[-/.,']\d|[\w%]| +([A-Za-z_]{2,})\b)`)                                    // more of a date or version, letters, or a word that says what they are
	minutes  = lazy.Regexp(`^:\d\d`)
	hours    = lazy.Regexp(`\d\d:$`)
	apart    = lazy.Regexp(`^(?:,|[A-Z_]{3,}:)?$`) // of a list of texts with their sizes, or a word that begins the file: SAVE:
	word     = lazy.Regexp(`^[A-Za-z_]+$`)
	isPart   = lazy.Regexp(`[-\w/.,'$+#]$|[A-Za-z_][ :="]*[:=][ "]*$`) // of what they are a part, or a name of something else
)

// isPartOf reports whether bytes before digits belong to them. A number of a fixed width, with zeros before it, may have any name, or be
// behind a magic word.
func isPartOf(before, digits []byte) bool {
	isFilled, n := digits[0] == '0', len(digits)
	switch {
	case apart().Match(before), saysSize().Match(before), isFilled && n >= 4 && word().Match(before),
		isFilled && n >= 8 && bytes.ContainsAny(before[len(before)-1:], " =:"):
		return false
	}
	return isPart().Match(before) || n == ofTime && hours().Match(before)
}

// isLineEnd reports whether bytes are the end of a line, and nothing else.
func isLineEnd(b []byte) bool { return len(b) > 0 && len(bytes.Trim(b, "\r\n")) == 0 }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNameByte(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

package guess

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"varview/decoder/engine/span"
	"varview/decoder/value/charset"
	"varview/decoder/wrap/checksum"
)

// A Notice is something that is noticed in unknown bytes.
type Notice struct {
	Buffer     string   `json:"buffer,omitempty"`
	Offset     int64    `json:"offset"`
	Length     int64    `json:"length"`
	What       string   `json:"what"`       // "text after its length (u2le)"
	Value      string   `json:"value"`      // as it would be read
	Likelihood float64  `json:"likelihood"` // 0 to 1: that it is no chance
	Ksy        []string `json:"ksy"`        // lines of a description that say it, without a name

	name string // for a description: "text"
	size string // whose size this number is: "text", or the name of a stream

	isFixed  bool    // a text of so many bytes in all files
	chance   float64 // logarithm of how often it would be noticed by chance
	form     string  // of the length of a text
	stream   int     // number of the buffer that the bytes unpack to; 0 for none
	from, to int64   // bytes that a checksum is of
	isZeroed bool    // it is of all, with its own as zeros
	part     part    // these, if it is of bytes that do not go on to the end
}

// Of which parts of a buffer more than texts is looked for, in bytes.
const (
	header   = 256 // numbers that may be sizes, counts, offsets and sums
	mostText = 1 << 20
	floats   = 4 << 10
	records  = 64 << 10 // in which records of equal length are looked for

	mostNotices = 2000 // of a buffer
)

// Opens returns the stream that a notice of the file is about; nil if it is about none.
func (f File) Opens(n *Notice) *Buffer {
	if n.stream == 0 {
		return nil
	}
	return &f[n.stream]
}

// lengthOfText is what a Notice says of a number before a text, of which the notice of that text speaks too.
const lengthOfText = "length of a text"

// goesOn are the commands that go on from what is noticed, by its name; FILE stands for the file, OFFSET for where it is.
// From all else goes on a description of the file.
var goesOn = map[string]string{
	"zlib":    "varview info FILE --offset OFFSET",
	"gzip":    "varview info FILE --offset OFFSET",
	"magic":   "varview layers FILE --try",
	"aes":     `FILE.layers with the game's key: [[layer]], step = "aes-cbc", key = "…"`,
	"salted":  `FILE.layers with the game's password: [[layer]], step = "aes-cbc", password = "…"`,
	"records": "varview guess FILE gold=120",
}

// Command returns the command that goes on from what is noticed in a file.
func (n *Notice) Command(file string) string {
	return strings.NewReplacer("FILE", file, "OFFSET", fmt.Sprint(n.Offset)).Replace(cmp.Or(goesOn[n.name], "varview ksy new FILE"))
}

// Sums returns the checksums that are surely noticed in bytes.
func Sums(data []byte) []Notice {
	return slices.DeleteFunc(Notices(Open(data)), func(n Notice) bool { return n.name != "checksum" || !n.IsSure() })
}

// IsSure reports whether what is noticed is hardly chance, and no notice of a text says it too.
func (n *Notice) IsSure() bool {
	const least = 0.95
	return n.Likelihood >= least && n.What != lengthOfText
}

// Where returns where it is, for people.
func (n *Notice) Where() string {
	if n.Buffer != "" {
		return fmt.Sprintf("%#x in %s", n.Offset, n.Buffer)
	}
	return fmt.Sprintf("%#x", n.Offset)
}

// Keyed returns the notice that all of a buffer is a text once a step with a key is undone.
func (b *Buffer) Keyed(step string) Notice {
	return Notice{Buffer: b.Name, Length: int64(len(b.Data)), What: "a text behind a step of a recipe", Value: step, Likelihood: 1, Ksy: []string{}, name: "magic"}
}

// Notices returns what is noticed in a file, in the order of its bytes. Of what overlaps the likeliest is left. Checksums and sizes
// are in others of its kind too.
func Notices(f File, others ...File) (all []Notice) {
	order := ""
	for i := range f {
		n := noticer{Buffer: &f[i], file: f, others: others, outer: order}
		n.magic()
		n.streams()
		n.sums()
		n.partSums()
		n.ends()
		n.orders()
		n.texts()
		n.wideTexts()
		if n.order == "" {
			n.orders()
			n.order = cmp.Or(n.order, order)
		}
		n.numbers()
		n.padding()
		n.floats()
		n.settle()
		n.counts()
		n.records()
		n.encrypted()
		order = cmp.Or(order, n.order)
		all = append(all, n.all...)
	}
	return all
}

type noticer struct {
	*Buffer
	file   File
	others []File
	all    []Notice
	order  string // byte order of which a likely notice speaks: le, be, or "" for none
	outer  string // that of the file, for a stream in it

	perText float64         // logarithm of how likely a byte is one of a text
	out     map[string]bool // types that no length of a text has
}

// mixed is the logarithm of how many files have one byte order for each that has both.
const mixed = 5

// orders finds the byte order of the likeliest number, and makes those of the other order less likely.
func (n *noticer) orders() {
	best := 0.99
	for i := range n.all {
		if x := &n.all[i]; x.order() != "" && x.Likelihood > best && (x.Length >= 4 || x.size == "text") {
			n.order, best = x.order(), x.Likelihood
		}
	}
	for i := range n.all {
		if x := &n.all[i]; n.order != "" && x.order() != "" && x.order() != n.order {
			x.setChance(x.chance + mixed)
		}
	}
}

// order returns the byte order of a number: le or be, "" if what is noticed has none.
func (n *Notice) order() string {
	if form, ok := strings.CutPrefix(n.Ksy[0], "type: u"); ok && len(form) == 3 {
		return form[1:]
	}
	return ""
}

// fits reports whether a form has the byte order of the file.
func (n *noticer) fits(form string) bool {
	return n.order == "" || len(form) < 3 || form[2:] == n.order
}

const whatFollows = "size of what follows"

// settle leaves the likeliest of what overlaps, in order.
func (n *noticer) settle() {
	slices.SortStableFunc(n.all, func(a, b Notice) int {
		return cmp.Or(cmp.Compare(a.chance, b.chance), cmp.Compare(a.Offset, b.Offset), cmp.Compare(b.Length, a.Length))
	})
	isText := map[int64]bool{} // where the length of a text is: at the end of a file it is the size of what follows as well
	for _, x := range n.all {
		isText[x.Offset] = isText[x.Offset] || x.name == "len_text" && x.Likelihood > likely
	}
	const least = 0.01 // of what is worth reading, but for texts among others
	var kept []Notice  // in the order of their bytes
	for _, x := range n.all {
		if x.Likelihood < least || isText[x.Offset] && strings.HasPrefix(x.What, whatFollows) {
			continue
		}
		i, found := slices.BinarySearchFunc(kept, x.Offset, func(k Notice, at int64) int { return cmp.Compare(k.Offset, at) })
		isFree := !found && (i == 0 || kept[i-1].Offset+kept[i-1].Length <= x.Offset) && (i == len(kept) || x.Offset+x.Length <= kept[i].Offset)
		if isFree {
			kept = slices.Insert(kept, i, x)
		}
	}
	n.all = kept
}

// add adds a notice; chance is the logarithm of how often it would be made by chance in the buffer.
func (n *noticer) add(at, length int, chance float64, name, what, value string, ksy ...string) *Notice {
	n.all = append(n.all, Notice{Buffer: n.Name, Offset: int64(at), Length: int64(length), What: what, Value: value, Ksy: ksy, name: name})
	x := &n.all[len(n.all)-1]
	x.setChance(chance)
	return x
}

func (n *Notice) setChance(chance float64) { n.chance, n.Likelihood = chance, 1/(1+math.Exp(chance)) }

// tried returns the logarithm of the number of numbers among which one at an offset is found: those before it, in some
// forms. Numbers that mean something are near the start, and mostly aligned.
func tried(at, size int) float64 {
	const before = 4 // where most are
	places := float64(3 * max(at, before))
	if at%size != 0 {
		places *= 2
	}
	return math.Log(places)
}

// encrypted notes that all bytes are like what AES leaves: whole blocks in which each byte is as frequent as others, and nothing sure is
// noticed. What may be chance is left out.
func (n *noticer) encrypted() {
	const block, least, most, near = 16, 64, 1 << 10, 0.93
	isSalted := bytes.HasPrefix(n.Data, []byte("Salted__")) // by OpenSSL or CryptoJS
	if len(n.Data)%block > 0 || len(n.Data) < least || !isSalted && slices.ContainsFunc(n.all, func(x Notice) bool { return x.IsSure() }) {
		return
	}
	seen, sample := map[byte]bool{}, n.Data[:min(len(n.Data), most)]
	for _, c := range sample {
		seen[c] = true
	}
	expected := 256 * (1 - math.Pow(255.0/256, float64(len(sample))))
	if float64(len(seen)) > near*expected {
		name := map[bool]string{true: "salted", false: "aes"}[isSalted]
		n.all = nil
		n.add(0, len(n.Data), -4, name, "bytes like what AES leaves", span.Bytes(int64(len(n.Data))), fmt.Sprintf("size: %d", len(n.Data)))
	}
}

// magic looks for letters at the start.
func (n *noticer) magic() {
	k := 0
	for k < min(8, len(n.Data)) && (n.Data[k] >= 'A' && n.Data[k] <= 'Z' || k > 0 && n.Data[k] > ' ' && n.Data[k] < 0x7f) {
		k++
	}
	if k > 4 && k < 8 { // mostly there are four, and a number may follow
		k = 4
	}
	if len(n.Data) > 8 && bytes.HasPrefix(n.Data[4:], []byte("\r\n\x1a\n")) { // as PNG begins
		k = 8
	}
	const mostWords = 16 // a text is no magic
	if k >= 3 && textAt(n.Data) <= mostWords {
		n.add(0, k, 2-1.5*float64(k), "magic", "magic", strconv.Quote(string(n.Data[:k])), "contents: ["+strings.ReplaceAll(fmt.Sprintf("% #x", n.Data[:k]), " ", ", ")+"]")
	}
}

// streams lists what is unpacked from the file.
func (n *noticer) streams() {
	if n.Name != "" {
		return
	}
	for i, b := range n.file[1:] {
		if b.length > 0 {
			n.add(b.at, b.length, -20, b.kind, b.kind+" stream", fmt.Sprintf("%d bytes, unpacked %d", b.length, len(b.Data)), "size: "+strconv.Itoa(b.length), "process: "+b.kind).stream = i + 1
		}
	}
}

const (
	leastText = 3 // characters of a text
	longWord  = 6 // characters of a word that is seldom made by chance
)

// texts looks for texts with their lengths, and those that end with a zero byte.
func (n *noticer) texts() {
	data := n.Data[:min(len(n.Data), mostText)]
	in := 0 // bytes of words
	for _, c := range data {
		if isOfWord(rune(c)) {
			in++
		}
	}
	share := float64(in) / float64(len(data)+1)
	n.perText = math.Log(min(0.5, max(0.33, share)))
	before := len(n.all)
	end := n.textsIn(data)
	if n.ruleOut(n.all[before:]); len(n.out) > 0 {
		n.all = n.all[:before]
		end = n.textsIn(data)
	}
	n.many(end)
}

// textsIn notes the texts in bytes, and returns how many of these were looked at.
func (n *noticer) textsIn(data []byte) (at int) {
	for at < len(data) && len(n.all) < mostNotices {
		k := textAt(data[at:])
		if k < leastText {
			at++
			continue
		}
		at += n.text(at, k)
	}
	return at
}

// ruleOut says which big-endian types no length has: nearly as many texts have only a shorter one, and the zeros before the others
// are those of other numbers.
func (n *noticer) ruleOut(texts []Notice) {
	const few = 3 // in a stream of a file with the other order
	fits := map[string]int{}
	for _, x := range texts {
		if x.size == "text" {
			fits[x.form]++
		}
	}
	shorter := fits["u1"]
	n.out = map[string]bool{}
	for _, form := range []string{"u2be", "u4be", "u8be"} {
		isFew := n.outer == "le" && (shorter > 0 || fits[form] < few)
		if fits[form] > 0 && cmp.Or(n.order, n.outer) != "be" && (2*shorter >= fits[form] || isFew) {
			n.out[form] = true
		}
		shorter += fits[form]
	}
}

// many makes texts with lengths of one type likelier that are more than there would be by chance: of so many that are as improbable as
// one, or more so, only as many as its chance says for the bytes that were looked at are none.
func (n *noticer) many(end int) {
	const doubt = 2 // logarithm of how many more than that there may be
	more := math.Log(float64(len(n.Data)+1) / float64(end+1))
	chances := map[string][]float64{}
	for _, x := range n.all {
		if x.name == "len_text" {
			chances[x.form] = append(chances[x.form], x.chance)
		}
	}
	for _, all := range chances {
		slices.Sort(all)
	}
	for i := range n.all {
		if x := &n.all[i]; x.form != "" {
			rank, _ := slices.BinarySearch(chances[x.form], math.Nextafter(x.chance, math.Inf(1)))
			x.setChance(x.chance - max(0, math.Log(float64(rank))+more-doubt))
		}
	}
}

// isOfWord reports whether texts mostly consist of such characters.
func isOfWord(r rune) bool { return r == ' ' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// textChance returns the logarithm of how often so many characters of words follow one another by chance.
func (n *noticer) textChance(text []byte) float64 {
	words := 0
	for _, r := range string(text) {
		if isOfWord(r) {
			words++
		}
	}
	return math.Log(float64(len(n.Data))) + float64(words)*n.perText
}

// textAt returns the number of bytes of characters at the start of b.
func textAt(b []byte) (n int) {
	for n < len(b) {
		r, size := utf8.DecodeRune(b[n:])
		if r < ' ' || r == 0x7f || r == utf8.RuneError || r > 0x24ff {
			break
		}
		n += size
	}
	return n
}

// text notes the text in k bytes of characters, and returns how many of them are settled.
func (n *noticer) text(at, k int) int {
	isEnded := at+k < len(n.Data) && n.Data[at+k] == 0
	fixed, all, least, others := 0, 0, leastText, 0.0
	if isEnded && len(n.others) > 0 {
		fixed, all = n.fixedAt(at)
		others = n.likeTexts(at, at+k, "")
	}
	if fixed > 0 {
		least = k // a part of it has no length
	}
	for _, form := range slices.Backward(wholes) { // the widest length first
		if size := n.sizedText(at, k, least, form); size > 0 {
			return size
		}
	}
	text := strconv.Quote(string(n.Data[at : at+k]))
	switch {
	case fixed > 0:
		chance := math.Log(float64(len(n.Data))) + float64(all)*n.perText
		n.add(at, fixed, chance, "text", fmt.Sprintf("text in %d bytes", fixed), text, "type: str", "size: "+strconv.Itoa(fixed), "terminator: 0", "encoding: UTF-8").isFixed = true
	case isEnded && (k > leastText || others < 0):
		n.add(at, k+1, n.textChance(n.Data[at:at+k])-1+others, "text", "text up to a zero byte", text, "type: strz", "encoding: UTF-8")
	case k >= 2*leastText:
		n.add(at, k, n.textChance(n.Data[at:at+k]), "text", "text", text, "type: str", "size: "+strconv.Itoa(k), "encoding: UTF-8")
	}
	return k
}

// sizedText notes the text in up to k bytes of characters, and at least some, that has its length before it, and returns that; 0 for none.
func (n *noticer) sizedText(at, k, least int, form string) int {
	from := at - sizeOf(form)
	if from < 0 || !n.fits(form) || n.out[form] {
		return 0
	}
	length := bitsOf(n.Data[from:at], form)
	if length < uint64(least) || length > uint64(k) || form == "u1" && int(length)+2 < k {
		return 0
	}
	size := int(length)
	byLength := n.chance(from, n.Data[from:at]) + math.Log(float64(k))
	if more := float64(k - size); more > 2 && byLength > more*n.perText { // the text goes on
		return 0
	}
	const perMore = 1.6 // logarithm of how many bytes are no character for each behind a text that is one
	chance := n.textChance(n.Data[at:at+size]) + byLength + perMore*float64(k-size) + n.likeTexts(from, at+size, form)
	x := n.add(from, at-from, chance, "len_text", lengthOfText, strconv.Itoa(size), "type: "+form)
	x.size, x.form = "text", form
	x = n.add(at, size, chance, "text", "text after its length ("+form+")", strconv.Quote(string(n.Data[at:at+size])), "type: str", sizeOfText, "encoding: UTF-8")
	x.form = form
	return size
}

// likeTexts returns the logarithm of how often the other files would have other texts where one begins with its length, or without one, ""
// where it ends with a zero byte.
func (n *noticer) likeTexts(from, end int, form string) (chance float64) {
	at := from
	if form != "" {
		at += sizeOf(form)
	}
	for _, f := range n.others {
		o := f.like(n.Buffer)
		if o == nil || at > len(o.Data) || bytes.HasPrefix(o.Data[from:], n.Data[from:end]) { // the same again says nothing
			continue
		}
		k := textAt(o.Data[at:])
		size := uint64(k)
		if form != "" {
			size = bitsOf(o.Data[from:at], form)
		} else if !bytes.HasPrefix(o.Data[at+k:], []byte{0}) {
			continue
		}
		if size >= leastText && size <= uint64(k) {
			chance += o.chance(from, o.Data[from:at]) + math.Log(float64(k)) + float64(size)*n.perText
		}
	}
	return chance
}

// fixedAt returns how many bytes a text with zeros behind it has in all files, if it is not as long in all, but what follows is where it is
// in the first, and how many these texts have together; 0 if it has no such size. Sizes are multiples of 4, so that zeros behind them are
// those of numbers.
func (n *noticer) fixedAt(at int) (size, all int) {
	size = math.MaxInt
	longest, isOther := 0, false
	for _, f := range append([]File{n.file}, n.others...) {
		b := f.like(n.Buffer)
		if b == nil || at > len(b.Data) {
			return 0, 0
		}
		rest := b.Data[at:]
		k := textAt(rest)
		filled := len(rest) - len(bytes.TrimLeft(rest[k:], "\x00"))
		if k == 0 || k == filled || filled == len(rest) {
			return 0, 0
		}
		isOther = isOther || all > 0 && k != longest
		all, longest, size = all+k, max(longest, k), min(size, filled/4*4)
	}
	if !isOther || longest >= size {
		return 0, 0
	}
	return size, all
}

// wideTexts looks for texts in UTF-16 with their lengths, in characters or bytes, and for longer ones without. Behind a zero those of
// one byte order are texts of the other one too, so that it is the order of most.
func (n *noticer) wideTexts() {
	data := n.Data[:min(len(n.Data), mostText)]
	var sized [2]int
	ends := []int{len(n.all)}
	for big, encoding := range []string{"UTF-16LE", "UTF-16BE"} {
		for at := 0; at < len(data) && len(n.all) < mostNotices; at++ {
			k := wideAt(data[at:], big)
			if k < leastText || at > 1 && wideAt(data[at-2:], big) > k {
				continue
			}
			if n.wide(at, k, encoding) || n.wide(at+2, k-1, encoding) { // the first character can be a length
				sized[big]++
			} else if k >= longWord {
				n.add(at, 2*k, -float64(k), "text", encoding+" text", quoted(data[at:at+2*k], encoding), "type: str", "size: "+strconv.Itoa(2*k), "encoding: "+encoding)
			}
		}
		ends = append(ends, len(n.all))
	}
	rarer := n.all[ends[1]:ends[2]]
	if sized[1] > sized[0] {
		rarer = n.all[ends[0]:ends[1]]
	}
	for i := range rarer {
		rarer[i].setChance(rarer[i].chance + mixed)
	}
}

// wide notes a text in UTF-16 of k characters, if its length is before it.
func (n *noticer) wide(at, k int, encoding string) bool {
	for _, form := range slices.Backward(wholes) {
		from := at - sizeOf(form)
		if from < 0 || k < leastText || !n.fits(form) {
			continue
		}
		const most = 2 // characters that numbers behind a text may look like
		length, size := bitsOf(n.Data[from:at], form), sizeOfText
		isIn := func(characters uint64) bool {
			return characters <= uint64(k) && characters >= uint64(max(k-most, leastText))
		}
		if isIn(length) {
			size += " * 2"
			k = int(length)
		} else if length%2 == 0 && isIn(length/2) {
			k = int(length / 2)
		} else {
			continue
		}
		chance := -float64(2*k + sizeOf(form))
		x := n.add(from, at-from, chance, "len_text", lengthOfText, strconv.FormatUint(length, 10), "type: "+form)
		x.size, x.form = "text", form
		n.add(at, 2*k, chance, "text", encoding+" text after its length ("+form+")", quoted(n.Data[at:at+2*k], encoding), "type: str", size, "encoding: "+encoding).form = form
		return true
	}
	return false
}

// quoted returns a text in an encoding in quotes.
func quoted(b []byte, encoding string) string {
	text, _ := charset.Decode(b, encoding)
	return strconv.Quote(text)
}

// wideAt returns the number of characters of ASCII, and of letters up to U+00FF, in UTF-16 at the start of b, big-endian if big is 1.
func wideAt(b []byte, big int) (n int) {
	for ; 2*n+1 < len(b) && b[2*n+1-big] == 0; n++ {
		if c := b[2*n+big]; c < ' ' || c >= 0x7f && c < 0xc0 {
			break
		}
	}
	return n
}

// A meaning is what a number may be: in words, and as -varview-value says it; "" if that does not.
type meaning struct {
	what, kept string
	packed     *Buffer            // the stream whose size it is; nil for another meaning
	in         func(f File) int64 // what it would be in another file
}

// ends looks for numbers near the start that are the size of the file, of a stream or of what unpacks from it.
func (n *noticer) ends() {
	of := "file"
	if n.Name != "" {
		of = "unpacked bytes"
	}
	sizes := map[uint64][]meaning{}
	add := func(size int, m meaning) { sizes[uint64(size)] = append(sizes[uint64(size)], m) }
	less := func(what string, rest int) meaning { // than the bytes of the buffer
		kept := strings.TrimSuffix(fmt.Sprint("_io.size - ", rest), " - 0")
		return meaning{what: what, kept: kept, in: func(f File) int64 { return f.like(n.Buffer).size() - int64(rest) }}
	}
	add(len(n.Data), less("size of the "+of, 0))
	for i := range n.file[1:] {
		if b := &n.file[i+1]; n.Name == "" && b.length > 0 {
			add(b.length, meaning{"size of the " + b.Name, "", b, func(f File) int64 { return f.like(b).packed() }})
			add(len(b.Data), meaning{"size of what unpacks from the " + b.Name, b.id() + "._sizeof", nil, func(f File) int64 { return f.like(b).size() }})
		}
	}
	for _, x := range n.all {
		if size := int(x.to - x.from); size > 0 && x.IsSure() && sizes[uint64(size)] == nil {
			add(size, less("size of what the checksum is of", len(n.Data)-size))
		}
	}
	const most = 64 // bytes behind what has a size
	grows := slices.ContainsFunc(n.others, func(f File) bool { b := f.like(n.Buffer); return b != nil && b.size() != n.size() })
	n.each(func(form string, at int, v uint64, b []byte) {
		all, end := sizes[v], at+len(b)
		switch rest := len(n.Data) - int(min(v, math.MaxInt32)); {
		case all != nil:
		case end > header && v == uint64(at):
			all = []meaning{less("size of what precedes", len(n.Data)-at)}
		case end > header:
		case rest == end && v > 0:
			all = []meaning{less(whatFollows, rest)}
		case grows && rest > 0 && rest <= end+most && v >= uint64(at):
			all = []meaning{less(fmt.Sprintf("size of all but %d bytes", rest), rest)}
		}
		for _, m := range all {
			n.number(at, form, m, v, b, len(sizes)+1)
		}
	})
}

// size returns the number of bytes of a buffer, and packed that of the stream that it was unpacked from; -1 if there is none.
func (b *Buffer) size() int64 {
	if b == nil {
		return -1
	}
	return int64(len(b.Data))
}

func (b *Buffer) packed() int64 {
	if b == nil {
		return -1
	}
	return int64(b.length)
}

// numbers looks for numbers near the start that are the offset of a text or of a stream, or a time.
func (n *noticer) numbers() {
	offsets := map[uint64]meaning{}
	for _, x := range n.all {
		if x.size == "" && x.Offset > 16 && x.IsSure() && (x.name == "text" || x.name == "zlib" || x.name == "gzip") {
			offsets[uint64(x.Offset)] = meaning{what: "offset of " + x.Value}
			if x.form != "" {
				offsets[uint64(x.Offset)-uint64(sizeOf(x.form))] = meaning{what: "offset of the length of " + x.Value}
			}
		}
	}
	n.each(func(form string, at int, v uint64, b []byte) {
		if m, ok := offsets[v]; ok && n.fits(form) && len(b) > 2 {
			n.number(at, form, m, v, b, max(len(offsets)+1, len(offsets)*len(offsets)/8)) // among many, small numbers are offsets by chance
		}
		if len(b) >= 4 && n.fits(form) && !n.isInside(at) {
			n.time(form, at, v)
		}
	})
}

// timeOf returns the time that a number may be: one from 2005 until next year. Fewer bytes are those of a float of more than 2,000,000
// or of a time from 2009 on; low bytes that are all zero, or few, are those of other numbers.
func timeOf(v, per uint64, size int) (t time.Time, ok bool) {
	from := time.Date(2005, 1, 1, 0, 0, 0, 0, time.UTC)
	if size == 4 {
		from = time.Unix(0x4a<<24, 0)
	}
	t = time.Unix(int64(v/per), 0).UTC()
	low := uint32(v)
	isSmall := low&0xffff == 0 || per > 1 && low < 1<<24
	return t, v/per < math.MaxInt32 && t.After(from) && t.Before(time.Now().AddDate(1, 0, 0)) && !isSmall
}

// time notes a number of 4 or 8 bytes that is a time. Of 8 bytes the higher ones are those of few other numbers; of 4 they are only in
// several files, of which each has a later one.
func (n *noticer) time(form string, at int, v uint64) {
	const range32 = 0.17 // of all numbers of 4 bytes that are times
	size := sizeOf(form)
	for i, unit := range []string{"seconds", "milliseconds"} {
		per := []uint64{1, 1000}[i]
		t, ok := timeOf(v, per, size)
		if !ok || size == 4 && (i > 0 || len(n.others) == 0 || at%size > 0) {
			continue
		}
		chance, high := math.Log(range32), 4-i // bytes that are the same, or nearly so, in all times
		if size == 8 {
			from := at
			if form == "u8le" {
				from += size - high
			}
			chance = n.chance(from, n.Data[from:from+high]) + 1
		}
		rising := n.risingTimes(at, form, per)
		if size == 4 && rising == 0 {
			continue
		}
		chance -= rising
		n.add(at, size, chance+tried(at, size), "time", "time in "+unit+" ("+form+")", t.Format(time.DateTime), "type: "+form)
	}
}

// risingTimes returns the logarithm of how many orders the times of the files that follow at an offset may have, if each is later than the
// one before; 0 if they are not, or one has none there.
func (n *noticer) risingTimes(at int, form string, per uint64) float64 {
	end := at + sizeOf(form)
	values := []uint64{bitsOf(n.Data[at:end], form)}
	for _, f := range n.others {
		o := f.like(n.Buffer)
		if o == nil || end > len(o.Data) {
			return 0
		}
		v := bitsOf(o.Data[at:end], form)
		if _, ok := timeOf(v, per, sizeOf(form)); !ok {
			return 0
		}
		values = append(values, v)
	}
	if !slices.IsSorted(values) {
		values = values[1:] // the file may be behind others
	}
	if !slices.IsSorted(values) {
		return 0
	}
	orders, _ := math.Lgamma(float64(len(slices.Compact(values)) + 1))
	return orders
}

// floats looks for floats with few digits: of all floats they are few, and none of them is like a small number. Those that follow
// one another speak for each other.
func (n *noticer) floats() {
	data := n.Data[:min(len(n.Data), floats)]
	for _, form := range []string{"f8le", "f8be", "f4le", "f4be"} {
		size := sizeOf(form)
		var told [8]int // where those end that are told with the one before, by their place among others
		for at := range data {
			if at < told[at%size] {
				continue
			}
			chance, end := math.Log(float64(4*len(data))), at
			for alike := n.alike(end, form); alike > 0; alike = n.alike(end, form) {
				chance += math.Log(alike) + n.chance(end, data[end:end+size])
				end += size
			}
			told[at%size] = end
			for ; at < end && chance < 0; at += size {
				n.add(at, size, chance, "float", "float ("+form+")", numberIn(data[at:at+size], form), "type: "+form)
			}
		}
	}
}

// alike returns how many floats have no more digits than one at an offset; 0 if there is none as it is in games, or it has many, as
// nearly all bytes would.
func (n *noticer) alike(at int, form string) float64 {
	const decades, signs = 9, 2
	size := sizeOf(form)
	if at < 0 || at+size > min(len(n.Data), floats) || !n.fits(form) {
		return 0
	}
	f := math.Abs(floatOf(bitsOf(n.Data[at:at+size], form), size))
	if f < 1e-3 || f >= 1e6 || math.IsNaN(f) {
		return 0
	}
	mantissa, _, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 8*size), "e")
	if digits := len(strings.Replace(mantissa, ".", "", 1)); digits <= size+1 && !n.isInside(at) {
		return signs * decades * math.Pow10(digits)
	}
	return 0
}

// counts looks for the number of texts that follow it, each so many bytes behind the one before: those are what else a record has.
func (n *noticer) counts() {
	const least = 3 // fewer are of many numbers
	var texts []span.Span
	for i, x := range n.all {
		if x.name == "text" && x.form != "" && i > 0 && n.all[i-1].size == "text" {
			x.Offset, x.Length = n.all[i-1].Offset, x.Length+n.all[i-1].Length
		}
		if x.name == "text" {
			texts = append(texts, span.Span{Offset: x.Offset, Length: x.Length})
		}
	}
	for len(texts) >= least {
		row, apart := 2, texts[1].Offset-texts[0].End()
		for row < len(texts) && texts[row].Offset-texts[row-1].End() == apart {
			row++
		}
		if row < least {
			texts = texts[1:]
			continue
		}
		for lead := range apart + 1 { // what a record has before its text
			n.count(int(texts[0].Offset-lead), row, int(apart)+1)
		}
		texts = texts[row:]
	}
	n.settle()
}

// count notes a number that ends at an offset, one of some places, if it is that of the texts behind it.
func (n *noticer) count(end, texts, places int) {
	for _, form := range wholes {
		if at := end - sizeOf(form); at >= 0 && n.fits(form) && bitsOf(n.Data[at:end], form) == uint64(texts) {
			b := n.Data[at:end]
			if isMagic := n.all[0].name == "magic" && n.all[0].Length == int64(at); b[0] == 0 && at > 0 && isOfWord(rune(n.Data[at-1])) && !isMagic {
				continue // the end of a text
			}
			n.add(at, len(b), n.chance(at, b)+math.Log(float64(places*len(wholes))), "count", "number of texts that follow ("+form+")", strconv.Itoa(texts), "type: "+form)
		}
	}
}

// footer is the number of bytes at the end in which numbers may be sizes and offsets.
const footer = 16

// each calls do for the numbers near the start, and those at the end.
func (n *noticer) each(do func(form string, at int, v uint64, b []byte)) {
	for _, form := range slices.Backward(wholes[1:]) {
		for at := 0; at+sizeOf(form) <= len(n.Data); at++ {
			if at+sizeOf(form) > header {
				at = max(at, len(n.Data)-footer)
			}
			b := n.Data[at : at+sizeOf(form)]
			do(form, at, bitsOf(b, form), b)
		}
	}
}

// number notes a number that means something, as one of several numbers would.
func (n *noticer) number(at int, form string, m meaning, v uint64, b []byte, several int) {
	if n.isInside(at) {
		return
	}
	ksy := []string{"type: " + form}
	if m.kept != "" {
		ksy = append(ksy, "-varview-value: "+m.kept)
	}
	places := tried(min(at, len(n.Data)-at), len(b))
	if m.packed != nil && m.packed.at == at+len(b) { // where a size mostly is
		places = math.Log(float64(len(wholes)))
	}
	for _, f := range n.others {
		o, at := f.like(n.Buffer), at
		if o != nil && at+len(b) > header {
			at += len(o.Data) - len(n.Data)
		}
		if m.in == nil || o == nil || at < 0 || at+len(b) > len(o.Data) {
			continue
		}
		is := o.Data[at : at+len(b)]
		if bitsOf(is, form) != uint64(m.in(f)) {
			return
		}
		places += o.chance(at, is)
	}
	x := n.add(at, len(b), n.chance(at, b)+math.Log(float64(several))+places, "size", m.what+" ("+form+")", strconv.FormatUint(v, 10), ksy...)
	if m.packed != nil {
		x.size = m.packed.Name
	}
}

// isInside reports whether an offset is inside a text or a stream.
func (n *noticer) isInside(at int) bool {
	return slices.ContainsFunc(n.all, func(x Notice) bool {
		return (x.name == "text" || x.name == "magic" || x.stream > 0) && x.Offset <= int64(at) && int64(at) < x.Offset+x.Length
	})
}

// leastSummed is the number of bytes that have a checksum.
const leastSummed = 8

// A sumPlace is where a checksum may be, and its form as a description names it; "" for a hash.
type sumPlace struct {
	at   int
	form string
}

// functions returns the checksums that are looked for. In a small file alone the few bytes of one are those of some by chance.
func (n *noticer) functions() []string {
	const fast = 3
	switch {
	case len(n.Data) > 1<<20:
		return checksum.Usual[:fast]
	case len(n.others) > 0 && len(n.Data) < 1<<14:
		return checksum.Functions
	}
	return checksum.Usual
}

// sums looks for checksums of what follows them, of what precedes them, and of what unpacks.
func (n *noticer) sums() {
	if len(n.Data) < 16 {
		return
	}
	const few = 12
	starts, step, functions := header/4, 1, n.functions()
	if len(n.Data) > 1<<16 {
		starts = few
	}
	if len(n.Data) > 1<<20 {
		step = 2
	}
	places, kinds := map[int]sumPlaces{}, map[int]int{}
	for _, name := range functions {
		size := len(checksum.Sum(name, nil))
		if kinds[size]++; places[size] == nil {
			places[size] = n.sumPlaces(size)
		}
	}
	for _, name := range functions {
		size := len(checksum.Sum(name, nil))
		if size == 1 && len(n.others) == 0 {
			continue // nearly all bytes are the sum of some by chance
		}
		x := summing{noticer: n, name: name, size: size, places: places[size], kinds: kinds[size]}
		for from := 0; from < min(starts, len(n.Data)-size-leastSummed); from += step {
			x.try(summed{from: from, to: len(n.Data), in: n.Buffer, several: starts})
			x.try(summed{from: from, to: len(n.Data) - size, in: n.Buffer, several: starts})
			if starts > few && from%2 == 0 {
				x.try(summed{to: len(n.Data), in: n.Buffer, isZeroed: true, own: from, several: starts})
			}
		}
		for i := range n.file[1:] {
			if n.Name == "" {
				x.try(summed{in: &n.file[i+1], several: starts})
			}
		}
	}
}

// sumPlaces returns where bytes of a size near the start and at the end are, by the checksum that they would be, the most significant
// byte first.
func (n *noticer) sumPlaces(size int) sumPlaces {
	places := sumPlaces{}
	for at := 0; at+size <= len(n.Data); at++ {
		if at > header/2 && at < len(n.Data)-2*size {
			at = len(n.Data) - 2*size
		}
		places.add(n.Data, at, size)
	}
	return places
}

type sumPlaces map[string][]sumPlace

// add adds the place of bytes at an offset.
func (p sumPlaces) add(data []byte, at, size int) {
	forms := []string{""}
	if size <= 4 {
		forms = slices.DeleteFunc(slices.Clone(wholes), func(form string) bool { return sizeOf(form) != size })
	}
	for _, form := range forms {
		sum := slices.Clone(data[at : at+size])
		if form != "" && !isBig(form) {
			slices.Reverse(sum)
		}
		p[string(sum)] = append(p[string(sum)], sumPlace{at, form})
	}
}

// A summing tries whether checksums of one kind are in a buffer.
type summing struct {
	*noticer
	name   string // of the function
	size   int
	places sumPlaces
	kinds  int // functions of that size
}

// A summed is bytes that a checksum may be of: those of a buffer between two offsets, of which the first is one of several, or all of
// a stream.
type summed struct {
	from, to int // 0 for a stream
	in       *Buffer
	several  int

	isZeroed bool // a checksum at own is among them, as zeros
	own      int

	partOf func(*Buffer) part // of which they are one, with the checksum at own; nil for other bytes
}

// data returns the bytes in a file whose buffer is larger by some bytes; nil if it has none.
func (r *summed) data(f File, by, size int) []byte {
	b := f.like(r.in)
	switch {
	case b == nil:
		return nil
	case r.partOf != nil:
		p := r.partOf(b)
		return b.Data[p.from:p.to]
	case r.to == 0:
		return b.Data
	case r.to+by < r.from+leastSummed, r.isZeroed && len(b.Data) < r.own+size:
		return nil
	case r.isZeroed:
		data := slices.Clone(b.Data)
		clear(data[r.own : r.own+size])
		return data
	}
	return b.Data[r.from : r.to+by]
}

// String names the bytes for people.
func (r *summed) String() string {
	switch {
	case r.to == 0:
		return "what unpacks from " + r.in.Name
	case r.isZeroed:
		return "all, with its own bytes 0"
	}
	return fmt.Sprintf("%#x–%#x", r.from, r.to-1)
}

// ranges returns how many as likely ones there are for a checksum that ends at an offset.
func (r *summed) ranges(end int) int {
	if r.partOf == nil && (r.from == 0 || r.from == end) { // as most are
		return 2
	}
	return 2 * r.several
}

// mayBe reports whether the checksum of the bytes may be at an offset: not in them.
func (r *summed) mayBe(at, end int) bool {
	if r.isZeroed || r.partOf != nil {
		return at == r.own
	}
	return r.to == 0 || end <= r.from || at >= r.to
}

// try notes where the checksum of bytes is.
func (x *summing) try(r summed) {
	data := r.data(x.file, 0, x.size)
	if data == nil {
		return
	}
	sum := checksum.Sum(x.name, data)
	for _, p := range x.places[string(sum)] {
		end := p.at + x.size
		if !r.mayBe(p.at, end) || x.isInside(p.at) || len(bytes.Trim(sum, "\x00")) == 0 {
			continue
		}
		others, ok := x.inOthers(p, &r, data)
		if !ok {
			continue
		}
		of, form, value := r.String(), "size: "+strconv.Itoa(x.size), fmt.Sprintf("%#x", sum)
		if p.form != "" {
			of, form, value = of+" ("+p.form+")", "type: "+p.form, fmt.Sprintf("%#x", bitsOf(sum, "u8be"))
		}
		chance := x.chance(p.at, x.Data[p.at:end]) + math.Log(float64(x.kinds*r.ranges(end))) + others
		chance += tried(min(p.at, len(x.Data)-p.at), min(x.size, 4))
		const rather = 1.4
		if isBehind := p.at >= r.to; x.name == "xor8" && r.to > 0 && (r.from > 0 || !isBehind) {
			chance = max(chance, map[bool]float64{true: rather, false: -rather}[isBehind]) // of bytes with the xor of 0 each is that of the others
		}
		kept := "protected"
		if r.isZeroed {
			kept = "before, [" + strings.TrimSuffix(strings.Repeat("0, ", x.size), ", ") + "], behind"
		}
		n := x.add(p.at, x.size, chance, "checksum", x.name+" of "+of, value, form, "-varview-value: "+x.name+"("+kept+")")
		switch n.isZeroed = r.isZeroed; {
		case r.partOf != nil:
			n.part = r.partOf(x.Buffer)
		case !r.isZeroed:
			n.from, n.to = int64(r.from), int64(r.to)
		}
	}
}

// inOthers returns the logarithm of how often the checksum of own bytes would be in the other files too by chance, if it is.
func (x *summing) inOthers(p sumPlace, r *summed, own []byte) (chance float64, ok bool) {
	for _, f := range x.others {
		o := f.like(x.Buffer)
		if o == nil {
			return 0, false
		}
		at, shift := p.at, len(o.Data)-len(x.Data)
		if r.partOf != nil {
			at = r.partOf(o).sum
		} else if at >= cmp.Or(r.to, r.in.at+r.in.length) {
			at += shift
		}
		data := r.data(f, shift, x.size)
		if data == nil || at+x.size > len(o.Data) {
			return 0, false
		}
		sum := checksum.Sum(x.name, data)
		if p.form != "" && !isBig(p.form) {
			slices.Reverse(sum)
		}
		if !bytes.HasPrefix(o.Data[at:], sum) {
			return 0, false
		}
		if !bytes.Equal(data, own) { // the same again says nothing
			chance += o.chance(at, sum)
		}
	}
	return chance, true
}

// A part is bytes that may have a checksum, and where that would be.
type part struct{ from, to, sum int }

// partsAt returns the parts of a buffer of which the numbers at an offset may tell: what precedes them, a chunk whose size they are, a
// section whose offset and size they are. Those that are not in it, or are all of it, are empty.
func partsAt(data []byte, at int, form string) []part {
	const size = 4
	end := at + size
	if end+size > len(data) {
		return make([]part, 11)
	}
	v, w := int(bitsOf(data[at:end], form)), int(bitsOf(data[end:end+size], form))
	all := []part{
		{0, at, at}, {4, at, at}, {6, at, at}, {8, at, at}, {12, at, at}, // behind a magic word, a version, a size
		{end, end + v, end + v}, {end, end + size + v, end + size + v}, // as PNG has it, with four letters
		{end + size, end + size + v, end}, {end, end + v, at - size},
		{v, v + w, end + size}, {v, v + w, at - size},
	}
	for i, p := range all {
		if sum := p.sum + size; p.to < p.from+leastSummed || p.sum < 0 || sum > p.from && p.sum < p.to || max(p.to, sum) >= len(data) {
			all[i] = part{}
		}
	}
	return all
}

// partSums looks for checksums of parts that numbers near the start tell.
func (n *noticer) partSums() {
	const most = 2 << 20 // bytes that are summed up
	size := 0
	for at := range min(len(n.Data), header) {
		for _, form := range []string{"u4le", "u4be"} {
			for i, p := range partsAt(n.Data, at, form) {
				if p == (part{}) || size > most {
					continue
				}
				size += p.to - p.from
				partOf := func(b *Buffer) part { return partsAt(b.Data, at, form)[i] }
				for _, name := range []string{"crc32", "adler32"} {
					x := summing{noticer: n, name: name, size: 4, places: sumPlaces{}, kinds: 2}
					x.places.add(n.Data, p.sum, x.size)
					x.try(summed{from: p.from, to: p.to, in: n.Buffer, several: header, partOf: partOf, own: p.sum})
				}
			}
		}
	}
}

// padding looks for runs of one byte.
func (n *noticer) padding() {
	const least = 16
	for at := 0; at < len(n.Data); {
		end := at + 1
		for end < len(n.Data) && n.Data[end] == n.Data[at] {
			end++
		}
		if end-at >= least && textAt(n.Data[at:at+1]) == 0 {
			n.add(at, end-at, n.chance(at+1, n.Data[at+1:end])+math.Log(float64(len(n.Data))), "padding", "padding", fmt.Sprintf("%d bytes %#02x", end-at, n.Data[at]), "size: "+strconv.Itoa(end-at))
		}
		at = end
	}
}

// records looks for records of equal length: a distance at which bytes are equal far more often than at others.
func (n *noticer) records() {
	data := n.Data[:min(len(n.Data), records)]
	const longest, least, fields = 128, 96, 4 // fewest bytes, also of a record
	if len(data) < least || n.length > 0 && n.Name == "" {
		return
	}
	counts := make([]float64, min(longest, len(data)/4)+1)
	best := fields
	for by := fields; by < len(counts); by++ {
		for i := by; i < len(data); i++ {
			if data[i] == data[i-by] {
				counts[by]++
			}
		}
		counts[by] /= float64(len(data) - by)
		if counts[by] > counts[best]*1.1 { // a multiple is no better
			best = by
		}
	}
	usual := max(counts[fields], slices.Sorted(slices.Values(counts[fields:]))[(len(counts)-fields)/2]) // numbers of four bytes are no records
	isPeak := best > fields && 2*best < len(counts) && counts[best] > 1.4*max(counts[best-1], counts[best+1]) && counts[2*best] > 0.8*counts[best]
	chance := math.Sqrt(max(usual, 0.01) / float64(len(data))) // of how much one differs
	if more := counts[best] - usual; isPeak && counts[best] > 0.2 && counts[best] > 1.3*usual && more > 6*chance {
		n.add(0, len(data), -3, "records", "records of equal length", fmt.Sprintf("%d bytes each", best), "size: "+strconv.Itoa(best), "repeat: eos")
	}
}

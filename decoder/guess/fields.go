package guess

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// knownFields are numbers that are noticed in a buffer, and the byte order of the file.
type knownFields struct {
	order   string         // le, be, or "" for an unknown one
	numbers map[int]string // types of numbers by their offsets
	inside  map[int]bool   // offsets of the other bytes of these
	notices []Notice
	texts   texts
	fixed   map[int]int // where texts in a fixed number of bytes end, by where they begin
}

// texts are those of a buffer that have their lengths before them, by the offset of each byte from that of the length on, and by the end.
type texts map[int]sizedText

// A sizedText is where a text is, and the type of the length before it; ended for one that a zero byte ends, which is a part of it, and ""
// for where a stream, or a text in a fixed number of bytes, begins or ends.
type sizedText struct {
	at, to int
	form   string
}

const ended = "strz"

// lead is the number of bytes of the length before the text.
func (s sizedText) lead() int {
	if s.form == ended {
		return 0
	}
	return sizeOf(s.form)
}

// sizeIn returns the number of bytes that a text of the same form has in a buffer from an offset on; ok is false if there is none.
func (s sizedText) sizeIn(b []byte, at int) (size int, ok bool) {
	from := at - s.lead()
	if from < 0 || at > len(b) {
		return 0, false
	}
	k := textAt(b[at:])
	if s.form == ended {
		return k + 1, k > 0 && at+k < len(b) && b[at+k] == 0
	}
	n := bitsOf(b[from:at], s.form)
	return int(n), n <= uint64(k)
}

// isSizedText reports whether a notice is of a text in UTF-8 with its length in bytes before it, or a zero byte behind it.
func (n *Notice) isSizedText() bool {
	return n.name == "text" && (n.isEnded() || n.form != "" && n.Ksy[1] == sizeOfText && n.Ksy[2] == "encoding: UTF-8")
}

// isEnded reports whether a notice is of a text that a zero byte ends.
func (n *Notice) isEnded() bool { return slices.Contains(n.Ksy, "type: "+ended) }

// add adds a text that is noticed.
func (t texts) add(n *Notice) {
	x := sizedText{int(n.Offset), int(n.Offset + n.Length), n.form}
	if n.isEnded() {
		x.form = ended
	}
	for at := x.at - x.lead(); at <= x.to; at++ {
		if _, isIn := t[at]; !isIn || at > x.at-x.lead() || x.form == ended {
			t[at] = x
		}
	}
}

// behind returns where a text, or its length, ends in two buffers that differ there at x and y, if the other one has a text there too.
func (t texts) behind(b []byte, x, y int) (p, q int, ok bool) {
	s, ok := t[x]
	if !ok || s.form == "" {
		return 0, 0, false
	}
	at := y + s.at - x // where the text begins
	size, ok := s.sizeIn(b, at)
	switch {
	case !ok:
		return 0, 0, false
	case x < s.at:
		return s.at, at, true
	}
	p, q = s.to, at+size
	return p, q, q >= y && p+q > x+y // a text that goes on alike behind its end in the other buffer is none that helps
}

// begins reports whether a text with its length begins in two buffers at x and y.
func (t texts) begins(b []byte, x, y int) bool {
	_, _, ok := t.behind(b, x, y)
	return ok && x == t[x].at-t[x].lead()
}

// isOf reports whether what differs from an offset on is a part of what differs from one to another offset: it adjoins, and no text
// begins or ends there.
func (t texts) isOf(at, from, to int) bool {
	s, isText := t[at]
	return at < to || at == to && (to == from || !isText || at != s.at && at != s.to)
}

// mostKnown is the largest size in bytes of a file in which fields are noticed.
const mostKnown = 1 << 20

// knownIn returns what is noticed in the first of several files.
func knownIn(files []File) (k knownFields) {
	for _, f := range files {
		if slices.ContainsFunc(f, func(b Buffer) bool { return len(b.Data) > mostKnown }) {
			return k
		}
	}
	for _, n := range Notices(files[0], files[1:]...) {
		if isText := (n.form != "" || n.isFixed || n.isEnded()) && n.Likelihood > 0.6; !isText && !n.IsSure() { // all files have a text there
			continue
		}
		k.notices = append(k.notices, n)
	}
	k.order = cmp.Or(k.orderOf(""), orderIn(files))
	return k
}

// orderOf returns the byte order of the likeliest number that is noticed in a buffer; "" if none is.
func (k *knownFields) orderOf(buffer string) (order string) {
	best := 0.0
	for _, n := range k.notices {
		if o := n.order(); o != "" && n.Likelihood > best && n.Buffer == buffer {
			order, best = o, n.Likelihood
		}
	}
	return order
}

// orderIn returns the byte order of aligned numbers of 4 bytes near the start of files: what is zero in all of them is their high byte.
func orderIn(files []File) string {
	const least, times = 2, 3 // numbers of an order, and how many more than of the other one
	var le, be int
	end := header
	for _, f := range files {
		end = min(end, len(f[0].Data))
	}
	for at := 0; at+4 <= end; at += 4 {
		var first, last byte
		isText := false
		for _, f := range files {
			b := f[0].Data[at:]
			first, last, isText = first|b[0], last|b[3], isText || textAt(b) >= leastText-1
		}
		switch {
		case isText || (first == 0) == (last == 0):
		case first == 0:
			be++
		default:
			le++
		}
	}
	switch {
	case be >= least && be > times*le:
		return "be"
	case le >= least && le > times*be:
		return "le"
	}
	return ""
}

// in returns what is known of a buffer.
func (k knownFields) in(b *Buffer) knownFields {
	k.numbers, k.inside, k.texts, k.fixed = map[int]string{}, map[int]bool{}, texts{}, map[int]int{}
	k.order = cmp.Or(k.orderOf(b.Name), k.order)
	for _, n := range k.notices {
		if n.Buffer == b.Name && n.isFixed {
			k.fixed[int(n.Offset)] = int(n.Offset + n.Length)
		}
		if n.Buffer == b.Name && n.isSizedText() {
			k.texts.add(&n)
		}
		form, isNumber := strings.CutPrefix(n.Ksy[0], "type: ")
		if n.Buffer != b.Name || !isNumber || n.Length > 8 || !strings.ContainsRune("usf", rune(form[0])) || sizeOf(form) != int(n.Length) {
			continue
		}
		k.numbers[int(n.Offset)] = form
		for at := n.Offset + 1; at < n.Offset+n.Length; at++ {
			k.inside[int(at)] = true
		}
	}
	return k
}

// mostNumbers is the number of bytes that are taken for numbers.
const mostNumbers = 32

// rowsOf returns a row for each field that the bytes from begin to end of each buffer are; numbers may have so many bytes before them.
func (k *knownFields) rowsOf(group []*Buffer, begin, end []int, before int) (rows []*Row) {
	if k.fixed[begin[0]] == end[0] && end[0] > 0 {
		return []*Row{rowOf(group, begin, end, "text")}
	}
	least, most, isText := math.MaxInt, 0, true
	for i, b := range group {
		least, most = min(least, end[i]-begin[i]), max(most, end[i]-begin[i])
		data := b.Data[begin[i]:end[i]]
		if k.texts[begin[0]].form == ended {
			data = bytes.TrimSuffix(data, []byte{0})
		}
		isText = isText && isPrintable(data)
	}
	switch {
	case isText && (least < most || most > 2):
		return []*Row{rowOf(group, begin, end, "text")}
	case least == 0 || least > mostNumbers:
		return []*Row{rowOf(group, begin, end, "bytes")}
	}
	first := segmenting{knownFields: k, group: group, begin: begin, size: least, before: min(before, around), behind: around}
	if least == most {
		fields, _ := first.fields()
		return first.rows(fields)
	}
	last := first // some have more bytes before the numbers, or behind them
	first.behind, last.before = 0, 0
	last.begin = make([]int, len(end))
	rest := make([]int, len(end))
	for i := range end {
		last.begin[i], rest[i] = end[i]-least, begin[i]+least
	}
	fields, cost := first.fields()
	if others, by := last.fields(); by <= cost {
		return append([]*Row{rowOf(group, begin, last.begin, "bytes")}, last.rows(others)...)
	}
	return append(first.rows(fields), rowOf(group, rest, end, "bytes"))
}

// sameRows returns rows for bytes that are the same in all buffers, but for those of a number that differs.
func (k *knownFields) sameRows(group []*Buffer, begin, end []int) []*Row {
	from, to := begin[0], end[0]
	for k.inside[from] {
		from++
	}
	for k.inside[to] {
		to--
	}
	if from >= to {
		return nil
	}
	moved := func(all []int, by int) (now []int) {
		for _, at := range all {
			now = append(now, at+by)
		}
		return now
	}
	return k.rowsOf(group, moved(begin, from-begin[0]), moved(end, to-end[0]), 0)
}

// rows returns the rows of fields, or one of bytes if there are none.
func (s *segmenting) rows(fields []segment) (rows []*Row) {
	if fields == nil {
		fields = []segment{{0, s.size, "bytes"}}
	}
	for _, f := range fields {
		low, high, isPair := s.halves(f)
		switch isAligned := (s.begin[0]+f.at)%f.size == 0; {
		case isPair && isAligned:
			rows = append(rows, s.row(f), s.row(low), s.row(high))
		case isPair:
			rows = append(rows, s.row(low), s.row(high), s.row(f))
		default:
			rows = append(rows, s.row(f))
		}
	}
	return rows
}

// halves returns the two numbers that one of 4 bytes may be as well, in the order of their bytes: in all files neither is 0, and both change.
func (s *segmenting) halves(f segment) (first, second segment, ok bool) {
	if f.size != 4 || f.form[0] != 'u' || s.numbers[s.begin[0]+f.at] != "" || s.areTimes(f.at, f.form) {
		return first, second, false
	}
	form := "u2" + f.form[2:]
	first, second = segment{f.at, 2, form}, segment{f.at + 2, 2, form}
	for i := range s.group {
		if bitsOf(s.bytes(i, first.at, 2), form) == 0 || bitsOf(s.bytes(i, second.at, 2), form) == 0 {
			return first, second, false
		}
	}
	return first, second, s.differs(first.at, 2) && s.differs(second.at, 2)
}

func (s *segmenting) row(f segment) *Row {
	from, to := make([]int, len(s.group)), make([]int, len(s.group))
	for i := range s.group {
		from[i], to[i] = s.begin[i]+f.at, s.begin[i]+f.at+f.size
	}
	return rowOf(s.group, from, to, f.form)
}

// rowOf returns the row for bytes of each buffer, as a type.
func rowOf(group []*Buffer, begin, end []int, form string) *Row {
	r := &Row{Buffer: group[0].Name, Type: form, group: group}
	for i, b := range group {
		r.Offsets, r.lengths = append(r.Offsets, int64(begin[i])), append(r.lengths, end[i]-begin[i])
		data, value := b.Data[begin[i]:end[i]], ""
		switch form {
		case "bytes":
			value = fmt.Sprintf("bytes(%x)", data)
		case "text":
			value = strconv.Quote(string(bytes.TrimRight(data, "\x00")))
		default:
			value, r.size = numberIn(data, form), int64(len(data))
		}
		r.Values, r.shown = append(r.Values, &value), append(r.shown, value)
		if form == "bytes" && len(data) == 0 {
			r.Values[i] = nil
		}
	}
	return r
}

// A segmenting divides bytes that differ into the numbers that they are likeliest, with bytes around them that do not differ.
type segmenting struct {
	*knownFields
	group []*Buffer
	begin []int
	size  int

	before, behind int // bytes around them that a number may have
}

// A segment is a number at a distance from the beginning.
type segment struct {
	at, size int
	form     string
}

// around is how many bytes beside those that differ a number may have at most.
const around = 7

// fields returns the numbers with the least cost, and that.
func (s *segmenting) fields() (all []segment, least float64) {
	n := s.size + 2*around
	cost, last := make([]float64, n+1), make([]segment, n+1) // up to each position
	for p := 1; p <= n; p++ {
		cost[p] = math.Inf(1)
	}
	for p := range n {
		at := p - around
		try := func(size int, form string, by float64) {
			if to := p + size; to <= n && cost[p]+by < cost[to] {
				cost[to], last[to] = cost[p]+by, segment{at, size, form}
			}
		}
		isIn := at >= 0 && at < s.size
		form, isKnown := s.numbers[s.begin[0]+at]
		switch {
		case isKnown && at < s.size && at+sizeOf(form) > 0 && s.isThere(at, sizeOf(form)) && s.differs(at, sizeOf(form)):
			try(sizeOf(form), form, 0)
			continue
		case !isIn || !s.differs(at, 1):
			try(1, "", 0)
		}
		if s.inside[s.begin[0]+at] {
			continue
		}
		for _, f := range s.forms(at) {
			try(f.size, f.form, f.cost)
		}
	}
	for p := n; p > 0; p -= last[p].size {
		if last[p].size == 0 { // they are a part of what is known
			return nil, math.Inf(1)
		}
		if last[p].form != "" {
			all = append([]segment{last[p]}, all...)
		}
	}
	return all, cost[n]
}

// differs reports whether some bytes, at a distance, are not the same in all buffers, or are not there.
func (s *segmenting) differs(at, size int) bool {
	first := s.bytes(0, at, size)
	for i := range s.group {
		if !bytes.Equal(s.bytes(i, at, size), first) || first == nil {
			return true
		}
	}
	return false
}

// isThere reports whether all buffers have some bytes at a distance.
func (s *segmenting) isThere(at, size int) bool {
	for i := range s.group {
		if s.bytes(i, at, size) == nil {
			return false
		}
	}
	return true
}

// bytes returns bytes of a buffer at a distance; nil if they are not there.
func (s *segmenting) bytes(i, at, size int) []byte {
	from, data := s.begin[i]+at, s.group[i].Data
	if from < 0 || from+size > len(data) {
		return nil
	}
	return data[from : from+size]
}

// A priced is a type with what it costs to believe that bytes are of it.
type priced struct {
	form string
	size int
	cost float64
}

// forms returns the types of numbers that bytes at a distance may be.
func (s *segmenting) forms(at int) (all []priced) {
	for _, size := range []int{1, 2, 4, 8} {
		inside := at < s.size && at+size > 0 && s.isFree(at, size) && s.differs(max(at, 0), min(at+size, s.size)-max(at, 0))
		for _, order := range []string{"le", "be"} {
			if isOther := s.order != "" && order != s.order; !inside || isOther && size > 1 || size == 1 && order == "be" {
				continue
			}
			by := 0.0
			if s.order == "" && order == "be" {
				by = 0.05
			}
			for _, kind := range []string{"u", "f"} {
				form := kind + strconv.Itoa(size) + order
				if cost := s.priceOf(at, size, form); size == 1 && kind == "u" {
					all = append(all, priced{"u1", 1, 2.25})
				} else if !math.IsInf(cost, 1) {
					all = append(all, priced{form, size, cost + by})
				}
			}
		}
	}
	return all
}

// isFree reports whether bytes are there in all buffers, do not differ outside what is divided, and are in no known number.
func (s *segmenting) isFree(at, size int) bool {
	for i := at; i < at+size; i++ {
		if _, isKnown := s.numbers[s.begin[0]+i]; isKnown || s.inside[s.begin[0]+i] || i < -s.before || i >= s.size+s.behind ||
			(i < 0 || i >= s.size) && s.differs(i, 1) {
			return false
		}
	}
	return true
}

// priceOf returns how little likely it is that bytes are numbers of a type; infinite if they are not. Numbers are rather
// small, and floats have few digits.
func (s *segmenting) priceOf(at, size int, form string) float64 {
	all, most := uint64(0), uint64(0)
	for i := range s.group {
		bits := bitsOf(s.bytes(i, at, size), form)
		all, most = all|bits, max(most, bits)
		if form[0] == 'f' && !isPlainFloat(bits, size) {
			return math.Inf(1)
		}
	}
	cost := s.equalCost(at, size, isBig(form))
	switch isFloat := form[0] == 'f'; {
	case isFloat && size == 4 && all&0xff == 0, isFloat && size == 8 && all&0xffffff == 0:
		return 1.9
	case isFloat && size >= 4:
		return 2.6
	case isFloat, size == 8 && most >= 1<<48:
		return math.Inf(1)
	case size == 8:
		return cost + 4.9
	case size == 4 && (most < 1<<24 || s.areTimes(at, form)):
		return cost + 2.0
	case size == 4:
		return cost + 4.6
	}
	return cost + 2.2
}

// areTimes reports whether numbers of 4 bytes are times in all files.
func (s *segmenting) areTimes(at int, form string) bool {
	for i := range s.group {
		if _, ok := timeOf(bitsOf(s.bytes(i, at, 4), form), 1, 4); !ok {
			return false
		}
	}
	return true
}

// equalCost is how little likely it is that the lowest bytes of whole numbers are the same, or that the highest are and not zero.
func (s *segmenting) equalCost(at, size int, isBig bool) (cost float64) {
	byteAt := func(i int) int { // the lowest is 0
		if isBig {
			return at + size - 1 - i
		}
		return at + i
	}
	for i := 0; i < size && !s.differs(byteAt(i), 1); i++ {
		cost += 0.5
	}
	for i := size - 1; i >= 0 && !s.differs(byteAt(i), 1); i-- {
		if s.bytes(0, byteAt(i), 1)[0] != 0 {
			cost += 0.1
		}
	}
	return cost
}

// isPlainFloat reports whether bits are those of a float as they are in games.
func isPlainFloat(bits uint64, size int) bool {
	f := math.Abs(floatOf(bits, size))
	return size >= 4 && (f == 0 || f >= 1e-3 && f < 1e9)
}

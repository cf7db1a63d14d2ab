package guess

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/value/charset"
)

// A Label is a value that is known, in each of the files.
type Label struct {
	Name   string
	Values []float64 // numbers; 0 for texts
	Texts  []string  // nil for numbers
}

// A Candidate is where a label may stand.
type Candidate struct {
	Label      string  `json:"label"`
	Offsets    []int64 `json:"offsets"` // one for each file, in the buffer
	Type       string  `json:"type"`    // u1, u2le, b24be, s4be, f8le; text for digits
	Factor     float64 `json:"factor"`  // with which the value is stored
	Buffer     string  `json:"buffer,omitempty"`
	Likelihood float64 `json:"likelihood"` // 0 to 1: that it is no chance

	score     float64 // logarithm of how improbable it is by chance
	size      int64   // in bytes in the first file
	low       int64   // offset of the lowest byte in the first file
	group     int     // buffer
	isAligned bool    // its offsets are multiples of its size
}

// ParseLabels reads labels as they are typed, each for so many files: NAME=VALUE[,VALUE...], a value for each file. One that is typed
// again goes on: its values are for further files.
func ParseLabels(typed []string, files int) (labels []Label, err error) {
	var all []string
	for _, t := range typed {
		name, values, _ := strings.Cut(t, "=")
		if i := slices.IndexFunc(all, func(l string) bool { return strings.HasPrefix(l, name+"=") }); i >= 0 {
			all[i] += "," + values
		} else {
			all = append(all, t)
		}
	}
	for _, t := range all {
		l, err := parseLabel(t)
		if n := int64(len(l.Values)); err == nil && files > 0 && n != int64(files) {
			err = fmt.Errorf("%s has %s for %s: it needs one for each", l.Name, span.Counted(n, "value"), span.Counted(int64(files), "file"))
		}
		if err != nil {
			return nil, err
		}
		labels = append(labels, l)
	}
	return labels, nil
}

func parseLabel(typed string) (l Label, err error) {
	name, values, _ := strings.Cut(typed, "=")
	l.Name = name
	isText := false
	for v := range strings.SplitSeq(values, ",") {
		x, err := strconv.ParseFloat(v, 64)
		isText = isText || err != nil
		l.Values, l.Texts = append(l.Values, x), append(l.Texts, v)
	}
	if !isText {
		l.Texts = nil
	}
	if slices.ContainsFunc(l.Texts, func(s string) bool { return len(s) < shortestLabel }) {
		return l, fmt.Errorf("%s: a text has at least %d characters", typed, shortestLabel)
	}
	return l, nil
}

// shortestLabel is the length of the shortest text that is looked for.
const shortestLabel = 2

// factors with which numbers are stored, and how unlikely each is, as a logarithm.
var factors = []struct{ by, cost float64 }{{1, 0}, {10, 3}, {100, 2}, {1000, 2.5}, {0.01, 3.5}}

// forms returns the types in which numbers are looked for, of which none is negative unless isSigned; text stands for digits.
func forms(isSigned bool) (all []string) {
	kind := "u"
	if isSigned {
		kind = "s"
	}
	all = []string{kind + "1"}
	for _, order := range []string{"le", "be"} {
		all = append(all, kind+"2"+order, kind+"4"+order, kind+"8"+order, "f4"+order, "f8"+order)
		if !isSigned {
			all = append(all, "u3"+order)
		}
	}
	return append(all, "text")
}

// formCosts say how unlikely some types are, as a logarithm.
var formCosts = map[string]float64{"u3le": 2, "u3be": 2, "f8le": 0.5, "f8be": 0.5, "text": 1}

// mostHits is the number of hits in the first file up to which the others are searched for hits at other offsets.
const mostHits = 64

// Places returns where labels may stand, for each the likeliest first, at most `most` of them.
func Places(files []File, labels []Label, most int) (all []Candidate) {
	groups := groupsOf(files)
	found := make([][]Candidate, len(labels))
	for g := range groups {
		for i, l := range labels {
			found[i] = append(found[i], search(groups[g], g, l)...)
		}
	}
	likeliest := make([][]Candidate, len(labels))
	for i := range found {
		likeliest[i] = best(found[i], 1000)
	}
	for i := range labels {
		for j, others := range likeliest {
			if j != i && len(others) > 0 {
				found[i] = slices.DeleteFunc(found[i], others[0].takesFrom)
				others[0].opposes(found[i])
			}
		}
		all = append(all, best(found[i], most)...)
	}
	for i := range all {
		all[i].Type = strings.Replace(all[i].Type, "u3", "b24", 1) // as a description names it
	}
	return all
}

// takesFrom reports whether a float, which is certain, has some of the bytes of a whole number: of those that are zero a smaller
// number has none.
func (c *Candidate) takesFrom(n Candidate) bool {
	if c.Type[0] != 'f' || c.Likelihood < 0.9 || n.Type[0] != 'u' && n.Type[0] != 's' || c.group != n.group {
		return false
	}
	a, b := c.Span(), n.Span()
	return a.Offset < b.End() && b.Offset < a.End() && b.Length > 1
}

// opposes makes worse places in the other byte order less likely, if this one is likely: a file has one order.
func (c *Candidate) opposes(others []Candidate) {
	const unlikely = 6 // a logarithm
	if c.Likelihood < 0.9 || !hasOrder(c.Type) {
		return
	}
	for i := range others {
		if o := &others[i]; o.score < c.score && hasOrder(o.Type) && isBig(o.Type) != isBig(c.Type) {
			o.score -= unlikely
		}
	}
}

// hasOrder reports whether a type has a byte order.
func hasOrder(form string) bool {
	return strings.HasSuffix(form, "le") || strings.HasSuffix(form, "be")
}

// groupsOf pairs the buffers of files: the files themselves, then what is unpacked from each in the same way.
func groupsOf(files []File) (groups [][]*Buffer) {
	for i := range files[0] {
		group := make([]*Buffer, len(files))
		for k := range files {
			if i >= len(files[k]) {
				return groups
			}
			group[k] = &files[k][i]
		}
		groups = append(groups, group)
	}
	return groups
}

// encodings are those in which a text is looked for, by what a candidate calls them.
var encodings = [][2]string{{"text", "UTF-8"}, {"utf-16le", "UTF-16LE"}, {"utf-16be", "UTF-16BE"}}

// A pattern is a way in which a label may be stored: its bytes in each file.
type pattern struct {
	form         string
	factor, cost float64 // how unlikely it is, as a logarithm
	bytes        [][]byte
}

// patternsOf returns the ways in which a label may be stored.
func patternsOf(l Label) (all []pattern) {
	add := func(form string, factor, cost float64, put func(i int) []byte) {
		p := pattern{form: form, factor: factor, cost: cost}
		for i := range l.Values {
			p.bytes = append(p.bytes, put(i))
		}
		if !slices.ContainsFunc(p.bytes, func(b []byte) bool { return b == nil }) {
			all = append(all, p)
		}
	}
	if l.Texts != nil {
		for _, e := range encodings {
			add(e[0], 1, 0, func(i int) []byte {
				b, _ := charset.Encode(l.Texts[i], e[1])
				return b
			})
		}
		return all
	}
	for _, factor := range factors {
		for _, form := range forms(slices.Min(l.Values) < 0) {
			isShort := form[1] == '3' && slices.Max(l.Values)*factor.by < 1<<16 // numbers of two bytes are rarely in three
			if (form != "text" || factor.by == 1) && !isShort {
				add(form, factor.by, formCosts[form]+factor.cost, func(i int) []byte { return put(times(l.Values[i], factor.by), form) })
			}
		}
	}
	return all
}

// times returns a value as it is stored with a factor: whole, if it is but for what binary digits cannot say.
func times(v, factor float64) float64 {
	x := v * factor
	if factor < 1 {
		x = v / math.Round(1/factor)
	}
	if whole := math.Round(x); math.Abs(x-whole) < 1e-9*math.Abs(x) {
		return whole
	}
	return x
}

// search returns where a label may stand in a group of buffers.
func search(group []*Buffer, g int, l Label) (all []Candidate) {
	for _, p := range patternsOf(l) {
		for _, at := range hits(group, p.bytes) {
			if l.Texts == nil && p.form == "text" && isInDigits(group[0], at.offsets[0], len(p.bytes[0])) {
				continue
			}
			c := Candidate{Label: l.Name, Offsets: at.offsets, Type: p.form, Factor: p.factor, Buffer: group[0].Name, group: g, score: at.score - p.cost, size: int64(len(p.bytes[0]))}
			c.settle(l.Texts != nil || p.form == "text")
			all = append(all, c)
		}
	}
	return all
}

// Span returns the bytes in the first file.
func (c *Candidate) Span() span.Span { return span.Span{Offset: c.Offsets[0], Length: c.size} }

// settle says where the lowest byte of a number is, and makes what is aligned and little-endian likelier.
func (c *Candidate) settle(isText bool) {
	n := c.size
	c.low = c.Offsets[0]
	if isBig(c.Type) {
		c.score -= math.Ln2
	}
	if isText {
		return
	}
	if isBig(c.Type) && c.Type[0] != 'f' {
		c.low += n - 1
	}
	if c.isAligned = !slices.ContainsFunc(c.Offsets, func(at int64) bool { return at%n != 0 }); !c.isAligned {
		c.score -= math.Ln2
	}
}

// isInDigits reports whether digits at an offset are a part of more digits.
func isInDigits(b *Buffer, at int64, n int) bool {
	isDigit := func(i int64) bool { return i >= 0 && i < int64(len(b.Data)) && b.Data[i] >= '0' && b.Data[i] <= '9' }
	return isDigit(at-1) || isDigit(at+int64(n))
}

// A hit is where patterns stand in the buffers of a group.
type hit struct {
	offsets []int64
	score   float64
}

// hits returns where patterns stand: at the same offset, at the same distance from the end, or, where they are rare,
// anywhere.
func hits(group []*Buffer, patterns [][]byte) (all []hit) {
	first := positions(group[0], patterns[0], math.MaxInt)
	for _, at := range first {
		same, fromEnd := make([]int64, len(group)), make([]int64, len(group))
		for i, b := range group {
			same[i], fromEnd[i] = int64(at), int64(len(b.Data)-len(group[0].Data)+at)
		}
		if s, ok := scored(group, patterns, same); ok {
			all = append(all, hit{same, s})
		} else if s, ok := scored(group, patterns, fromEnd); ok {
			all = append(all, hit{fromEnd, s - math.Ln2})
		}
	}
	if len(group) == 1 || len(first) > mostHits {
		return all
	}
	at := [][]int64{}
	for _, p := range first {
		at = append(at, []int64{int64(p)})
	}
	for i, b := range group[1:] {
		others := positions(b, patterns[i+1], mostHits+1)
		if len(others) > mostHits || len(others)*len(at) > 4096 {
			return all
		}
		var longer [][]int64
		for _, x := range at {
			for _, p := range others {
				longer = append(longer, append(slices.Clip(x), int64(p)))
			}
		}
		at = longer
	}
	for _, x := range at {
		s, _ := scored(group, patterns, x)
		for i, b := range group[1:] {
			shift := math.Abs(float64(x[i+1] - x[0])) // it may be anywhere in each, but is rather near
			s -= min(math.Log(float64(len(b.Data)+1)), 1+1.5*math.Log1p(shift))
			s += alike(group[0], b, int(x[0]), int(x[i+1]), len(patterns[0]), len(patterns[i+1]))
		}
		all = append(all, hit{x, s - 1})
	}
	return all
}

// positions returns where a pattern stands in a buffer, at most in so many places; what is packed in it has none.
func positions(b *Buffer, pattern []byte, most int) (all []int) {
	for _, p := range b.apart {
		for at := p.from; len(all) < most; {
			i := bytes.Index(b.Data[at:p.to], pattern)
			if i < 0 {
				break
			}
			all = append(all, at+i)
			at += i + 1
		}
	}
	return all
}

// scored returns how improbable it is that patterns stand at offsets by chance, if they do.
func scored(group []*Buffer, patterns [][]byte, offsets []int64) (score float64, ok bool) {
	score = -math.Log(float64(len(group[0].Data) + 1))
	for i, b := range group {
		at := int(offsets[i])
		if at < 0 || at > len(b.Data) || !bytes.HasPrefix(b.Data[at:], patterns[i]) {
			return 0, false
		}
		score -= b.chance(at, patterns[i])
	}
	return score, true
}

// alike returns how improbable it is that the bytes around two places are as equal as they are.
func alike(a, b *Buffer, x, y, n, m int) (score float64) {
	const most = 12
	for i := 1; i <= most && x-i >= 0 && y-i >= 0 && a.Data[x-i] == b.Data[y-i]; i++ {
		score -= a.chance(x-i, a.Data[x-i:x-i+1]) / 2
	}
	for i := 0; i < most && x+n+i < len(a.Data) && y+m+i < len(b.Data) && a.Data[x+n+i] == b.Data[y+m+i]; i++ {
		score -= a.chance(x+n+i, a.Data[x+n+i:x+n+i+1]) / 2
	}
	return score
}

// best returns the likeliest candidates in order: of several at one place only the likeliest, and the likeliest that is aligned.
func best(all []Candidate, most int) (kept []Candidate) {
	slices.SortStableFunc(all, func(a, b Candidate) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.low, b.low)) })
	const seen, seenAligned = 1, 2
	places := map[string]int{}
	for _, c := range all {
		kind := c.Type[:1]
		if kind == "s" {
			kind = "u"
		}
		key := fmt.Sprint(c.group, kind, c.low, c.Offsets[1:])
		if was := places[key]; was == seenAligned || was == seen && !c.isAligned {
			continue
		}
		places[key] = seen
		if c.isAligned {
			places[key] = seenAligned
		}
		kept = append(kept, c)
	}
	if len(kept) == 0 {
		return nil
	}
	top := max(kept[0].score, 0)
	sum := math.Exp(-top) // that it is none of them
	for _, c := range kept {
		sum += math.Exp(c.score - top)
	}
	for i := range kept {
		kept[i].Likelihood = math.Exp(kept[i].score-top) / sum
	}
	return kept[:min(most, len(kept))]
}

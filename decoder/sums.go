package decoder

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/wrap/checksum"
)

// A Sum is a value that is a checksum or the size of another value near it, as games keep the MD5 of a text beside the text.
type Sum struct {
	Path, Of string // of the checksum, and of what it is of, "" if no known way to compute it gives it
	way      checksum.Place
	form     int    // of what: a number of forms
	was      string // its digits
	kind     string // what it is like, if Of is ""
	literal  string // that of the checksum
}

// Within returns the checksum as one in what the value at a path holds.
func (s Sum) Within(path string) Sum {
	s.Path = path + strings.TrimPrefix(s.Path, "$")
	if s.Of != "" {
		s.Of = path + strings.TrimPrefix(s.Of, "$")
	}
	return s
}

// Title returns the kind of the checksum: "MD5".
func (s *Sum) Title() string {
	if s.Of == "" {
		return s.kind
	}
	return s.way.Title()
}

const (
	mostWithSums  = 1 << 20 // bytes of the largest buffer in which such checksums are looked for
	mostLiteral   = 1 << 10 // bytes of the literal of one
	leastSumDigit = 32      // digits of a text that is one under any name
	leastSize     = 15      // number that is no size, as small numbers are often equal to others
)

// mostSiblings are the numbers of children of a value among which they are, by how deep it is.
var mostSiblings = []int{64, 64, 16, 8}

// Sums finds the checksums of other values among the outermost values, and in up to three levels of what they hold. What they
// are of is beside them, or beside the value that they are in, or what they are in, without them. One comes before those that include it. Buffers of more than
// 1 MiB are not searched.
func Sums(ctx context.Context, r *tree.Reader) ([]Sum, error) {
	_, asks := r.Tree.Reading.(format.Locator)
	x := sumSearch{ctx: ctx, r: r, hasSizes: !asks}
	if r.Tree.Region.Length > mostWithSums {
		return nil, nil
	}
	err := x.in(r.Tree.Base, nil, 0)
	return inOrder(x.found), err
}

// inOrder puts checksums before those that include them.
func inOrder(all []Sum) (ordered []Sum) {
	for len(all) > 0 {
		i := slices.IndexFunc(all, func(s Sum) bool { return !slices.ContainsFunc(all, s.includes) })
		i = max(i, 0)
		ordered, all = append(ordered, all[i]), slices.Delete(all, i, i+1)
	}
	return ordered
}

// includes reports whether another checksum is in what this one is of.
func (s *Sum) includes(other Sum) bool {
	rest, ok := strings.CutPrefix(other.Path, s.Of)
	return ok && s.Of != "" && other.Path != s.Path && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

type sumSearch struct {
	ctx      context.Context
	r        *tree.Reader
	hasSizes bool // nothing else asks about numbers that were equal to a size
	found    []Sum
}

// in searches a value. beside are those that its members may be of.
func (x *sumSearch) in(of *tree.Node, beside []*tree.Node, depth int) error {
	children, err := x.children(of, mostSiblings[depth])
	for i, c := range children {
		if err != nil {
			break
		}
		others := append(append(children[:i:i], children[i+1:]...), beside...)
		if text, number, ok := x.looksLike(c); ok {
			for in := c.Parent; in != nil && in.Parent != nil; in = in.Parent {
				others = append(others, in)
			}
			err = x.fit(c, text, number, others)
		} else if depth+1 < len(mostSiblings) && c.Layout != tree.Leaf {
			err = x.in(c, others[:len(children)-1], depth+1)
		}
	}
	return errors.Join(err, x.ctx.Err())
}

// children returns the first children of a value.
func (x *sumSearch) children(of *tree.Node, most int) (all []*tree.Node, err error) {
	c, err := x.r.Child(of, 0)
	for ; err == nil && len(all) < most; c, err = x.r.Next(c) {
		if c, err = x.r.Finish(c); err != nil {
			break
		}
		all = append(all, c)
	}
	if errors.Is(err, tree.ErrNoChild) {
		err = nil
	}
	return all, err
}

// looksLike reports whether a value may be a checksum: a text of many mixed digits or, under a name that says so, one of
// eight or a number; or a size, under such a name.
func (x *sumSearch) looksLike(n *tree.Node) (text string, number uint32, ok bool) {
	named, least := saysSum(x.r.Step(n)), float64(math.MaxUint16)
	if x.hasSizes && saysSize(x.r.Step(n)) {
		named, least = true, leastSize
	}
	switch s := x.r.Plain(&n.Value); s.Kind {
	case tree.Int, tree.Uint:
		return "", uint32(s.Bits), named && float64(s.Bits) > least && s.Bits <= math.MaxUint32
	case tree.Float64:
		f := math.Float64frombits(s.Bits)
		return "", uint32(f), named && f > least && f <= math.MaxUint32 && f == math.Trunc(f)
	case tree.Text:
		text = string(s.View(x.r.Window(), 0, 2*leastSumDigit+1))
		return text, 0, named && isShortSum(text) || len(text) >= leastSumDigit && checksum.Resembles([]byte(text)) != ""
	}
	return "", 0, false
}

// isShortSum reports whether a text may be a number of four bytes, or eight hexadecimal digits.
func isShortSum(text string) bool {
	_, err := strconv.ParseUint(text, 10, 32)
	if len(text) == 8 {
		_, err = strconv.ParseUint(text, 16, 32)
	}
	return err == nil && len(text) >= 7
}

// fit notes that a value is a checksum of one of some others, if it is.
func (x *sumSearch) fit(n *tree.Node, text string, number uint32, others []*tree.Node) error {
	for _, o := range others {
		for form := range forms {
			held := forms[form](x.r, o, n)
			if held == nil {
				continue
			}
			if way := x.wayOf(n, o, text, number, held); way != nil {
				was := cmp.Or(text, strconv.FormatUint(uint64(number), 10))
				literal := string(x.r.AppendLiteral(nil, &n.Value, mostLiteral))
				x.found = append(x.found, Sum{Path: x.r.Path(n), Of: x.r.Path(o), way: *way, form: form, was: was, literal: literal})
				return x.r.Window().Err()
			}
		}
		if x.ctx.Err() != nil {
			return x.ctx.Err()
		}
	}
	kind := checksum.Resembles([]byte(text))
	if isShortSum(text) {
		kind = "CRC-32"
	}
	if kind != "" && saysSum(x.r.Step(n)) {
		x.found = append(x.found, Sum{Path: x.r.Path(n), kind: kind, literal: string(x.r.AppendLiteral(nil, &n.Value, mostLiteral))})
	}
	return nil
}

// wayOf returns the kind of checksum or size that a value is of what is held of another one; nil if it is none.
func (x *sumSearch) wayOf(n, of *tree.Node, text string, number uint32, held []byte) (way *checksum.Place) {
	if text == "" && saysSize(x.r.Step(n)) {
		kinds := []string{checksum.Length, checksum.Size}
		if x.r.Plain(&of.Value).Kind != tree.Text {
			kinds = kinds[1:]
		}
		for _, sum := range kinds {
			way := &checksum.Place{Sum: sum, Form: checksum.Big}
			if binary.BigEndian.Uint32(way.Compute(held)) == number {
				return way
			}
		}
		return nil
	}
	is := []byte(text)
	if text == "" {
		is = binary.BigEndian.AppendUint32(nil, number)
	}
	if way = checksum.Of(func() []byte { return held }).Matching(is); way != nil && text == "" && way.Form != checksum.Big {
		return nil
	}
	return way
}

// saysSize reports whether the name of a value says that it is the size of something.
func saysSize(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"size", "length", "len", "bytes"}, func(s string) bool { return strings.HasSuffix(name, s) })
}

// saysSum reports whether the name of a value says that it is a checksum.
func saysSum(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"sum", "hash", "crc", "md5", "sha1", "sha256", "hmac", "signature", "digest"}, func(s string) bool { return strings.Contains(name, s) })
}

// forms are what a checksum may be of: the content of a text or of bytes, all bytes of a value, and these as JSON in the
// layouts in which games write it before they hash it. A form returns nil if the value has it not. What holds the checksum is without
// it, or with an empty text in its place.
var forms = slices.Concat([]holding{contentOf, bytesOf},
	laidOut(json.Compact),
	laidOut(spaced),
	laidOut(func(dst *bytes.Buffer, b []byte) error { return json.Indent(dst, b, "", "\t") }),
	laidOut(func(dst *bytes.Buffer, b []byte) error { return json.Indent(dst, b, "", "  ") }),
	laidOut(func(dst *bytes.Buffer, b []byte) error { return json.Indent(dst, b, "", "    ") }),
)

// A holding returns what a value holds, of which another one is the checksum.
type holding func(r *tree.Reader, n, sum *tree.Node) []byte

// isWithin reports whether a value is in another one.
func isWithin(n, in *tree.Node) bool { return in.Head <= n.Head && n.Tail <= in.Tail }

// contentOf is the form of the content of a text or of bytes.
func contentOf(r *tree.Reader, n, _ *tree.Node) []byte {
	s := r.Plain(&n.Value)
	if s.Kind != tree.Text && s.Kind != tree.Bytes || s.Len() == 0 {
		return nil
	}
	if s.Own != nil {
		return bytes.Clone(s.Own)
	}
	return source.Read(r.Tree.Source, s.Span)
}

// bytesOf is the form of all bytes of a value.
func bytesOf(r *tree.Reader, n, sum *tree.Node) []byte {
	if n.Tail <= n.Head || isWithin(sum, n) { // it lies elsewhere
		return nil
	}
	return source.Read(r.Tree.Source, span.Between(n.Head, n.Tail))
}

// laidOut are the forms of a list or an object of JSON in a layout.
func laidOut(layout func(dst *bytes.Buffer, b []byte) error) (all []holding) {
	for _, without := range []func(b []byte, at, end int) []byte{removed, emptied} {
		all = append(all, func(r *tree.Reader, n, sum *tree.Node) []byte {
			b := source.Read(r.Tree.Source, span.Between(n.Head, n.Tail))
			if len(b) < 2 || b[0] != '{' && b[0] != '[' {
				return nil
			}
			if isWithin(sum, n) {
				b = without(b, int(sum.Head-n.Head), int(sum.Tail-n.Head))
			}
			var dst bytes.Buffer
			if layout(&dst, b) != nil {
				return nil
			}
			return dst.Bytes()
		})
	}
	return all
}

// removed returns JSON without the member whose value is from at to end; nil if it has none there.
func removed(b []byte, at, end int) []byte {
	const blanks = " \t\r\n"
	key := bytes.TrimRight(b[:at], blanks+":")
	from := bytes.LastIndexByte(key[:max(0, len(key)-1)], '"')
	if from < 0 || key[len(key)-1] != '"' {
		return nil
	}
	before, after := bytes.TrimRight(b[:from], blanks), bytes.TrimLeft(b[end:], blanks)
	if rest, ok := bytes.CutPrefix(after, []byte(",")); ok {
		after = rest
	} else {
		before = bytes.TrimSuffix(before, []byte(","))
	}
	return slices.Concat(before, after)
}

// emptied returns JSON with an empty text from at to end.
func emptied(b []byte, at, end int) []byte { return slices.Concat(b[:at], []byte(`""`), b[end:]) }

// spaced is the layout of JSON in one line with a blank after each comma and colon.
func spaced(dst *bytes.Buffer, b []byte) error {
	var compact bytes.Buffer
	if err := json.Compact(&compact, b); err != nil {
		return err
	}
	inText := false
	for i, c := range compact.Bytes() {
		if dst.WriteByte(c); c == '"' && !isEscaped(compact.Bytes()[:i]) {
			inText = !inText
		}
		if !inText && (c == ',' || c == ':') {
			dst.WriteByte(' ')
		}
	}
	return nil
}

// isEscaped reports whether what follows bytes of a text is escaped by them.
func isEscaped(b []byte) bool { return (len(b)-len(bytes.TrimRight(b, "\\")))%2 == 1 }

// Again returns the checksum in a tree in which what it is of has changed, and the literal that it is to get; "" if it fits, or is
// not what it was.
func (s *Sum) Again(r *tree.Reader) (n *tree.Node, literal string, err error) {
	if n, err = r.Resolve(s.Path); err != nil || !s.isLeft(r, n) {
		return nil, "", ignoreNoMatch(err)
	}
	of, err := r.Resolve(s.Of)
	if err == nil {
		of, err = r.Finish(of)
	}
	if err != nil {
		return nil, "", ignoreNoMatch(err)
	}
	held := forms[s.form](r, of, n)
	if held == nil {
		return nil, "", nil
	}
	sum := s.way.Compute(held)
	is := string(sum)
	if !s.way.IsText() {
		is = strconv.FormatUint(uint64(binary.BigEndian.Uint32(sum)), 10)
	}
	if is == s.was {
		return nil, "", nil
	}
	return n, strings.Replace(s.literal, s.was, is, 1), nil
}

// IsLeft reports whether the checksum is what it was.
func (s *Sum) IsLeft(r *tree.Reader) bool {
	n, err := r.Resolve(s.Path)
	return err == nil && s.isLeft(r, n)
}

func (s *Sum) isLeft(r *tree.Reader, n *tree.Node) bool {
	return string(r.AppendLiteral(nil, &n.Value, mostLiteral)) == s.literal
}

func ignoreNoMatch(err error) error {
	if errors.Is(err, tree.ErrNoMatch) {
		return nil
	}
	return err
}

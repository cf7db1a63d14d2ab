package decoder

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/wrap/checksum"
)

// A Sum is a value that is a checksum of another value near it, as games keep the MD5 of a text beside the text.
type Sum struct {
	Path, Of string // of the checksum, and of what it is of
	way      checksum.Place
	content  bool   // of the content of a text or of bytes, rather than of the value as it is written
	was      string // its digits
	literal  string // that of the checksum
}

// Title returns the kind of the checksum: "MD5".
func (s *Sum) Title() string { return s.way.Title() }

const (
	mostWithSums  = 1 << 20 // bytes of the largest buffer in which such checksums are looked for
	mostSiblings  = 64      // children of a value among which they are
	sumDepth      = 3       // values in values in which they are
	mostLiteral   = 1 << 10 // bytes of the literal of one
	leastSumDigit = 32      // digits of a text that is one under any name
)

// Sums finds the checksums of other values among the outermost values, and in up to three levels of what they hold. What they
// are of is beside them, or beside the value that they are in. Buffers of more than 1 MiB are not searched.
func Sums(ctx context.Context, r *tree.Reader) ([]Sum, error) {
	x := sumSearch{ctx: ctx, r: r}
	if r.Tree.Region.Length > mostWithSums {
		return nil, nil
	}
	err := x.in(r.Tree.Base, nil, 0)
	return x.found, err
}

type sumSearch struct {
	ctx   context.Context
	r     *tree.Reader
	found []Sum
}

// in searches a value. beside are those that its members may be of.
func (x *sumSearch) in(of *tree.Node, beside []*tree.Node, depth int) error {
	children, err := x.children(of)
	for i, c := range children {
		if err != nil {
			break
		}
		others := append(append(children[:i:i], children[i+1:]...), beside...)
		if text, number, ok := x.looksLike(c); ok {
			err = x.fit(c, text, number, others)
		} else if depth < sumDepth && c.Layout != tree.Leaf {
			err = x.in(c, others[:len(children)-1], depth+1)
		}
	}
	return errors.Join(err, x.ctx.Err())
}

// children returns the first children of a value.
func (x *sumSearch) children(of *tree.Node) (all []*tree.Node, err error) {
	c, err := x.r.Child(of, 0)
	for ; err == nil && len(all) < mostSiblings; c, err = x.r.Next(c) {
		if c.End == tree.Unknown {
			if c, err = x.r.Finish(c); err != nil {
				break
			}
		}
		all = append(all, c)
	}
	if errors.Is(err, tree.ErrNoChild) {
		err = nil
	}
	return all, err
}

// looksLike reports whether a value may be a checksum: a text of many mixed digits or, under a name that says so, one of
// eight or a number.
func (x *sumSearch) looksLike(n *tree.Node) (text string, number uint32, ok bool) {
	name := strings.ToLower(x.r.Step(n))
	isNamed := strings.Contains(name, "sum") || strings.Contains(name, "hash") || strings.Contains(name, "crc")
	switch s := x.r.Plain(&n.Value); s.Kind {
	case tree.Int, tree.Uint:
		return "", uint32(s.Bits), isNamed && s.Bits > math.MaxUint16 && s.Bits <= math.MaxUint32
	case tree.Float64:
		f := math.Float64frombits(s.Bits)
		return "", uint32(f), isNamed && f > math.MaxUint16 && f <= math.MaxUint32 && f == math.Trunc(f)
	case tree.Text:
		text = string(s.View(x.r.Window(), 0, 2*leastSumDigit+1))
		return text, 0, isNamed && len(text) == 8 || len(text) >= leastSumDigit && checksum.Resembles([]byte(text)) != ""
	}
	return "", 0, false
}

// fit notes that a value is a checksum of one of some others, if it is.
func (x *sumSearch) fit(n *tree.Node, text string, number uint32, others []*tree.Node) error {
	for _, o := range others {
		for _, content := range []bool{true, false} {
			held, ok := heldBy(x.r, o, content)
			if !ok {
				continue
			}
			var way *checksum.Place
			checksum.Written(max(len(text), 4), held, func(p checksum.Place, sum []byte) {
				if way == nil && (text != "" && string(sum) == text || text == "" && p.Form == checksum.Big && binary.BigEndian.Uint32(sum) == number) {
					way = &p
				}
			})
			if way != nil {
				was := cmp.Or(text, strconv.FormatUint(uint64(number), 10))
				literal := string(x.r.AppendLiteral(nil, &n.Value, mostLiteral))
				x.found = append(x.found, Sum{Path: x.r.Path(n), Of: x.r.Path(o), way: *way, content: content, was: was, literal: literal})
				return x.r.Window().Err()
			}
		}
		if x.ctx.Err() != nil {
			return x.ctx.Err()
		}
	}
	return nil
}

// heldBy returns what a checksum may be of: the content of a text or of bytes, or all bytes of a value. ok is false if that
// is nothing.
func heldBy(r *tree.Reader, n *tree.Node, content bool) (held func() io.Reader, ok bool) {
	at := span.Between(n.Head, n.Tail)
	if content {
		s := r.Plain(&n.Value)
		if s.Kind != tree.Text && s.Kind != tree.Bytes {
			return nil, false
		}
		if own := bytes.Clone(s.Own); own != nil {
			return func() io.Reader { return bytes.NewReader(own) }, len(own) > 0
		}
		at = s.Span
	}
	return func() io.Reader { return io.NewSectionReader(r.Tree.Source, at.Offset, at.Length) }, at.Length > 0
}

// Again returns the checksum in a tree in which what it is of has changed, and the literal that it is to get; "" if it fits, or is
// not what it was.
func (s *Sum) Again(r *tree.Reader) (n *tree.Node, literal string, err error) {
	n, err = r.Resolve(s.Path)
	if err != nil || string(r.AppendLiteral(nil, &n.Value, mostLiteral)) != s.literal {
		return nil, "", ignoreNoMatch(err)
	}
	of, err := r.Resolve(s.Of)
	if err == nil {
		of, err = r.Finish(of)
	}
	if err != nil {
		return nil, "", ignoreNoMatch(err)
	}
	held, ok := heldBy(r, of, s.content)
	if !ok {
		return nil, "", nil
	}
	sum, err := s.way.Compute(held())
	if err != nil {
		return nil, "", err
	}
	is := string(sum)
	if !s.way.IsText() {
		is = strconv.FormatUint(uint64(binary.BigEndian.Uint32(sum)), 10)
	}
	if is == s.was {
		return nil, "", nil
	}
	return n, strings.Replace(s.literal, s.was, is, 1), nil
}

func ignoreNoMatch(err error) error {
	if errors.Is(err, tree.ErrNoMatch) {
		return nil
	}
	return err
}

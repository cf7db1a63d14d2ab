package textual

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"varview/decoder/edit"
	"varview/decoder/span"
	"varview/decoder/tree"
)

var _ tree.Remedier = Editor{}

// Remedy implements tree.Remedier.
func (d Editor) Remedy(_, v *tree.Value, p *span.Problem) string {
	switch p.Code {
	case NoValue:
		return "complete the word, or put quotes around it"
	case span.TrailingBytes:
		return "delete what follows the value"
	case span.MissingValue:
		return "insert null"
	case span.Truncated:
		return "close what is open"
	}
	return ""
}

// Repair implements edit.Repairer: what is missing is inserted, and what is too much deleted.
func (d Editor) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	e := d.begin(ctx, r, edit.Options{})
	token := func() string { return string(all(e.w, p.Span)) }
	switch p.Code {
	case ExtraMark:
		e.put(p.Offset, p.End())
	case MissingMark:
		mark := ","
		if n.KeyAt != tree.Unknown {
			mark = ":"
		}
		e.put(n.Start, n.Start, mark)
	case OpenText:
		e.put(n.Tail, n.Tail, `"`)
	case BadEscape:
		e.put(p.Offset, p.Offset, `\`)
	case NoValue:
		e.put(p.Offset, p.End(), e.complete(token()))
	case OddKey:
		n, err := r.Finish(n)
		if err != nil || n.Layout >= tree.Sequence {
			return edit.Repair{}, errors.New("this container cannot become a key")
		}
		e.put(n.Head, n.Tail, e.quote(string(all(e.w, span.Between(n.Head, n.Tail)))))
	case span.MissingValue:
		text := ": null"
		if before := strings.TrimRight(e.between(max(0, p.Offset-64), p.Offset), blanks); strings.HasSuffix(before, ":") {
			text = "null"
		}
		e.put(p.Offset, p.Offset, text)
	case span.InvalidUTF8:
		s := textSpan(&n.Value)
		e.put(s.Offset, s.End(), string(bytes.ToValidUTF8(all(e.w, s), []byte(string(utf8.RuneError)))))
	case span.TrailingBytes:
		e.put(p.Offset, p.End())
	case WrongBracket:
		e.put(p.Offset, p.End(), string(rune(n.Sub)))
	case OpenBracket:
		done, err := r.Finish(n)
		if err != nil {
			return edit.Repair{}, err
		}
		e.put(done.Tail, done.Tail, string(rune(n.Sub)))
	case span.Truncated:
		if err := e.close(n); err != nil {
			return edit.Repair{}, err
		}
	default:
		return edit.Repair{}, errors.New("there is no repair for this")
	}
	splices, err := e.done()
	repair := edit.Repair{Splices: splices}
	repair.NameLoss(e.w)
	return repair, err
}

// quote returns the token of a text.
func (e *editing) quote(s string) string {
	return string(e.Encode(Datum{Scalar: tree.Scalar{Kind: tree.Text}, Data: []byte(s)}, nil))
}

// complete returns what characters that are no value were meant to be: a word that is cut, or a text
// without one or both of its quotes.
func (e *editing) complete(s string) string {
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(word, s) {
			return word
		}
	}
	if n := strings.TrimRight(s, "+-.eE"); n != "" && n != s && isDecimal([]byte(n)) {
		return n
	}
	return e.quote(strings.Trim(s, `"'`))
}

// close closes all that is open where the text ends, from the innermost value outwards.
func (e *editing) close(n *tree.Node) error {
	last := n
	for last.Layout >= tree.Sequence {
		c, err := e.r.LastChild(last)
		if errors.Is(err, tree.ErrNoChild) {
			break
		}
		if err != nil {
			return err
		}
		last = c
	}
	done, err := e.r.Finish(last)
	if err != nil {
		return err
	}
	text, at := "", done.End
	if done.Damage != nil && done.Damage.Code == span.Truncated {
		text = "null"
	}
	for c := last; c.Parent != nil; c = c.Parent {
		v, err := e.r.Finish(c)
		if err != nil {
			return err
		}
		if v.Layout >= tree.Sequence && v.Open {
			at = max(at, v.Tail)
			if key := e.r.Key(last); c.Layout == tree.Pairs && key == nil && v.Count == 0 && v.Tail > v.Body {
				text = ": null" // the text ends after the first key
			}
			text += string(rune(v.Sub))
		}
	}
	if text == "" {
		return errors.New("nothing is open here")
	}
	// A separator that ends the text has nothing after it.
	limit := e.r.Tree.Region.End()
	end := skip(e.w, at, limit, betweenAll)
	if end < limit && !isEnd(e.w, end, limit) {
		end = at
	}
	for end > at && isBlank[e.w.Byte(end-1)] {
		end--
	}
	e.put(at, end, text)
	return nil
}

package kaitai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/engine/deflate"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/spec"
)

// A shape is a random description of a record, with a writer that is the oracle: it knows only the values.
type shape struct {
	name   string
	parts  []part
	ownEnd bool // it has its own stream, at the end of which the texts lie that its offsets lead to
}

type part struct {
	kind partKind
	id   string
	how  int    // how a size is written
	of   *shape // of list, sized, packed, mixed, away
}

type partKind int

const (
	number partKind = iota
	text
	ended    // text with a terminator
	aligned  // text with zeros behind it, up to a multiple of 4
	padded   // text of fixed size
	optional // text and a number that are there if a number before them is 1
	chosen   // text, or two numbers, as a number before it says
	list
	sized
	packed
	mixed // xor
	pointed
	away // record that an offset leads to, without a size
	partKinds
)

// A val is the value of a part; only what its kind needs is set.
type val struct {
	n    uint16
	s    string
	recs [][]val
}

// sizes are the ways in which a text's length can be written: the attributes, the expression, and the bytes; ok is
// false for a length that cannot be.
var sizes = []struct {
	seq, expr string
	put       func(n int) ([]byte, bool)
}{
	{"type: u1", "len_%s", func(n int) ([]byte, bool) { return []byte{byte(n)}, n < 256 }},
	{"type: u2be", "len_%s + 3", func(n int) ([]byte, bool) { return binary.BigEndian.AppendUint16(nil, uint16(n-3)), n >= 3 }},
	{"type: u2le", "2 * len_%s", func(n int) ([]byte, bool) { return binary.LittleEndian.AppendUint16(nil, uint16(n/2)), n%2 == 0 }},
	{"type: u1", "len_%s - 5", func(n int) ([]byte, bool) { return []byte{byte(n + 5)}, n < 251 }},
	{"type: u4le", "len_%s >> 8", func(n int) ([]byte, bool) { return binary.LittleEndian.AppendUint32(nil, uint32(n<<8|0x5a)), true }},
	{"{type: str, size: 3, encoding: ASCII}", "len_%s.to_i", func(n int) ([]byte, bool) { return fmt.Appendf(nil, "%03d", n), n < 1000 }},
	{"type: vlq", "len_%s.value", func(n int) ([]byte, bool) { return binary.AppendUvarint(nil, uint64(n)), true }},
	{"type: halves", "(len_%[1]s.high << 8) | len_%[1]s.low", func(n int) ([]byte, bool) { return []byte{byte(n), byte(n >> 8)}, true }},
}

func randomShape(r *rand.Rand, all *[]*shape, ownEnd bool, depth int) *shape {
	s := &shape{name: fmt.Sprintf("t%d", len(*all)), ownEnd: ownEnd}
	*all = append(*all, s)
	for i := range 1 + r.IntN(4) {
		p := part{kind: partKind(r.IntN(int(partKinds))), id: fmt.Sprintf("%c%d", 'a'+i, len(*all)), how: r.IntN(len(sizes))}
		switch {
		case p.kind >= pointed && !ownEnd:
			p.kind = number
		case depth > 2 && p.kind >= list && p.kind != pointed:
			p.kind = text
		case p.kind == list || p.kind == away:
			p.of = randomShape(r, all, false, depth+1)
		case p.kind >= sized && p.kind <= mixed:
			p.of = randomShape(r, all, true, depth+1)
			p.how %= 2 // the size of what is packed is odd or even by chance
		}
		s.parts = append(s.parts, p)
	}
	return s
}

// describe writes the attributes of the record.
func (s *shape) describe() string {
	var seq, instances strings.Builder
	for _, p := range s.parts {
		length := func() string {
			attr := strings.Trim(sizes[p.how].seq, "{}")
			fmt.Fprintf(&seq, "      - {id: len_%s, %s}\n", p.id, attr)
			return fmt.Sprintf(sizes[p.how].expr, p.id)
		}
		switch p.kind {
		case number:
			fmt.Fprintf(&seq, "      - {id: %s, type: u2}\n", p.id)
		case text:
			fmt.Fprintf(&seq, "      - {id: %s, type: str, size: '%s'}\n", p.id, length())
		case ended:
			fmt.Fprintf(&seq, "      - {id: %s, type: strz}\n", p.id)
		case padded:
			fmt.Fprintf(&seq, "      - {id: %s, type: str, size: 20, terminator: 0}\n", p.id)
		case aligned:
			fmt.Fprintf(&seq, "      - {id: len_%[1]s, type: u1}\n      - {id: %[1]s, type: str, size: len_%[1]s}\n      - {id: pad_%[1]s, size: (4 - len_%[1]s %% 4) %% 4}\n", p.id)
		case optional:
			fmt.Fprintf(&seq, "      - {id: has_%[1]s, type: u1}\n      - {id: num_%[1]s, type: u2, enum: color, if: has_%[1]s == 1}\n      - {id: %[1]s, type: strz, if: has_%[1]s == 1}\n", p.id)
		case chosen:
			fmt.Fprintf(&seq, "      - {id: kind_%[1]s, type: u1}\n      - {id: more_%[1]s, type: u1, if: kind_%[1]s == 2}\n      - id: %[1]s\n        type: {switch-on: kind_%[1]s, cases: {1: strz, 2: u4}}\n", p.id)
		case list:
			fmt.Fprintf(&seq, "      - {id: %s, type: %s, repeat: expr, repeat-expr: '%s'}\n", p.id, p.of.name, length())
		case pointed:
			fmt.Fprintf(&seq, "      - {id: ofs_%s, type: u4}\n", p.id)
			fmt.Fprintf(&instances, "      %s: {pos: ofs_%s, type: strz}\n", p.id, p.id)
		case away:
			fmt.Fprintf(&seq, "      - {id: ofs_%s, type: u4}\n", p.id)
			fmt.Fprintf(&instances, "      %s: {pos: ofs_%s, type: %s}\n", p.id, p.id, p.of.name)
		default:
			process := map[partKind]string{packed: ", process: zlib", mixed: ", process: xor(0x5a)"}[p.kind]
			fmt.Fprintf(&seq, "      - {id: %s, type: %s, size: '%s'%s}\n", p.id, p.of.name, length(), process)
		}
	}
	text := "    seq:\n" + seq.String()
	if instances.Len() > 0 {
		text += "    instances:\n" + instances.String()
	}
	return text
}

// encode writes a record; ok is false if a length cannot be written.
func (s *shape) encode(rec []val, before int) (b []byte, ok bool) {
	type pointer struct {
		at int
		to []byte
	}
	var pointers []pointer
	ok = true
	put := func(how, n int) {
		x, fits := sizes[how].put(n)
		b, ok = append(b, x...), ok && fits
	}
	for i, p := range s.parts {
		v := rec[i]
		switch p.kind {
		case number:
			b = binary.LittleEndian.AppendUint16(b, v.n)
		case text:
			put(p.how, len(v.s))
			b = append(b, v.s...)
		case ended:
			b = append(b, v.s+"\x00"...)
		case padded:
			b = append(b, v.s+strings.Repeat("\x00", max(0, 20-len(v.s)))...)
			ok = ok && len(v.s) <= 20
		case aligned:
			b = append(append(b, byte(len(v.s))), v.s+strings.Repeat("\x00", (4-len(v.s)%4)%4)...)
		case optional:
			if b = append(b, byte(v.n&1)); v.n&1 == 1 {
				b = append(append(b, 7, 0), v.s+"\x00"...)
			}
		case chosen:
			if b = append(b, byte(1+v.n&1)); v.n&1 == 0 {
				b = append(b, v.s+"\x00"...)
			} else {
				b = append(b, 0, 0, 0, 0, 0)
			}
		case list:
			put(p.how, len(v.recs))
			for _, x := range v.recs {
				one, fits := p.of.encode(x, 0)
				b, ok = append(b, one...), ok && fits
			}
		case pointed:
			pointers = append(pointers, pointer{len(b), []byte(v.s + "\x00")})
			b = append(b, 0, 0, 0, 0)
		case away:
			one, fits := p.of.encode(v.recs[0], 0)
			pointers, ok = append(pointers, pointer{len(b), one}), ok && fits
			b = append(b, 0, 0, 0, 0)
		default:
			inner, fits := p.of.encode(v.recs[0], 0)
			switch p.kind {
			case packed:
				var out bytes.Buffer
				w := deflate.NewZlib(&out, [2]byte{0x78, 0x9c})
				w.Write(inner)
				w.Close()
				inner = out.Bytes()
			case mixed:
				for i := range inner {
					inner[i] ^= 0x5a
				}
			}
			put(p.how, len(inner))
			b, ok = append(b, inner...), ok && fits
		}
	}
	for _, p := range pointers {
		binary.LittleEndian.PutUint32(b[p.at:], uint32(before+len(b)))
		b = append(b, p.to...)
	}
	return b, ok
}

func (s *shape) random(r *rand.Rand) (rec []val) {
	for _, p := range s.parts {
		v := val{n: uint16(r.IntN(1 << 16)), s: randomText(r)}
		switch {
		case p.kind == list:
			for range []int{4, 6, 8}[r.IntN(3)] {
				v.recs = append(v.recs, p.of.random(r))
			}
		case p.of != nil:
			v.recs = [][]val{p.of.random(r)}
		}
		rec = append(rec, v)
	}
	return rec
}

func randomText(r *rand.Rand) string { return strings.Repeat("abcdefgh", 3)[:4+2*r.IntN(8)] }

// clone copies a record, so that an edit of the copy leaves the record.
func clone(rec []val) (all []val) {
	for _, v := range rec {
		recs := v.recs
		v.recs = nil
		for _, x := range recs {
			v.recs = append(v.recs, clone(x))
		}
		all = append(all, v)
	}
	return all
}

// An edited is an edit: its path, and what it does.
type edited struct {
	path, literal string
	kind          string // set, delete, move, copy
	to            int64
}

// edit makes a random edit in a record, and says which; ok is false if there is nothing to edit in the part that was
// drawn.
func (s *shape) edit(r *rand.Rand, rec []val, path string) (e edited, ok bool) {
	i := r.IntN(len(s.parts))
	p, v := s.parts[i], &rec[i]
	path += "." + p.id
	switch p.kind {
	case number:
		v.n = uint16(r.IntN(1 << 16))
		return edited{path, fmt.Sprint(v.n), "set", 0}, true
	case text, ended, padded, pointed, aligned:
		v.s = strings.Repeat("xyz", 9)[:r.IntN(24)]
		return edited{path, fmt.Sprintf("%q", v.s), "set", 0}, true
	case optional, chosen:
		if isText := v.n&1 == 1 == (p.kind == optional); isText && r.IntN(2) == 0 {
			v.s = strings.Repeat("xyz", 9)[:r.IntN(24)]
			return edited{path, fmt.Sprintf("%q", v.s), "set", 0}, true
		}
		v.n, v.s = v.n^1, ""
		at, first := strings.LastIndexByte(path, '.')+1, uint16(0)
		prefix := "has_"
		if p.kind == chosen {
			prefix, first = "kind_", 1
		}
		return edited{path[:at] + prefix + p.id, fmt.Sprint(first + v.n&1), "set", 0}, true
	case sized, packed, mixed, away:
		return p.of.edit(r, v.recs[0], path)
	}
	n := len(v.recs)
	if n == 0 {
		return e, false
	}
	at, to := r.IntN(n), r.IntN(n)
	here := fmt.Sprintf("%s[%d]", path, at)
	x := v.recs[at]
	switch r.IntN(4) {
	case 0:
		v.recs = append(v.recs[:at:at], v.recs[at+1:]...)
		return edited{here, "", "delete", 0}, true
	case 1:
		without := append(v.recs[:at:at], v.recs[at+1:]...)
		v.recs = append(without[:to:to], append([][]val{x}, without[to:]...)...)
		return edited{here, "", "move", int64(to)}, true
	case 2:
		v.recs = append(v.recs[:to:to], append([][]val{clone(x)}, v.recs[to:]...)...)
		return edited{here, "", "copy", int64(to)}, true
	}
	return p.of.edit(r, x, here)
}

// apply makes the edit with the program.
func (e *edited) apply(tr *tree.Tree, choices ...edit.Choice) ([]source.Splice, error) {
	n, err := tr.NewReader().Resolve(e.path)
	if err != nil {
		return nil, err
	}
	return e.make(tr, n, choices...)
}

// make makes the edit of a node.
func (e *edited) make(tr *tree.Tree, n *tree.Node, choices ...edit.Choice) ([]source.Splice, error) {
	ctx, r, x, o := context.Background(), tr.NewReader(), tr.Reading.(edit.Editor), edit.Options{Choices: choices}
	switch e.kind {
	case "set":
		o.Choices = append(o.Choices, edit.MakeEmpty)
		return x.Set(ctx, r, n, edit.Content{Literal: e.literal}, o)
	case "delete":
		return x.Delete(ctx, r, n, o)
	case "move":
		return x.Move(ctx, r, n, e.to, o)
	case "insert":
		return x.Insert(ctx, r, n, e.to, edit.Content{Literal: e.literal}, o)
	}
	return x.Insert(ctx, r, n.Parent, e.to, edit.Content{Copy: n, From: r}, o)
}

const follows = `
meta: {id: random, endian: le, encoding: ASCII}
seq:
  - {id: sum, type: u4, -varview-value: crc32(all)}
  - {id: size, type: u4, -varview-value: _io.size}
  - {id: top, type: t0, size-eos: true}
instances: {all: {pos: 4, size-eos: true}}
enums: {color: {7: red, 9: blue}}
types:
  vlq:
    seq: [{id: groups, type: group, repeat: until, repeat-until: not _.more}]
    instances: {value: {value: 'groups[0].v + (groups.size > 1 ? groups[1].v << 7 : 0)'}}
    types: {group: {seq: [{id: more, type: b1}, {id: v, type: b7}]}}
  halves: {seq: [{id: low, type: u1}, {id: high, type: u1}]}
`

// TestFollows: random edits of random descriptions give the bytes that a writer of the edited values gives, or are
// refused where no length says them.
func TestFollows(t *testing.T) {
	shapes, edits := 24, 12
	refused := 0
	for seed := range shapes {
		r := rand.New(rand.NewPCG(uint64(seed), 49))
		var all []*shape
		top := randomShape(r, &all, true, 0)
		text := follows
		for _, s := range all {
			text += "  " + s.name + ":\n" + s.describe()
		}
		whole := func(rec []val) ([]byte, bool) {
			body, ok := top.encode(rec, 0)
			b := binary.LittleEndian.AppendUint32(nil, uint32(8+len(body)))
			b = append(b, body...)
			return append(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(b)), b...), ok
		}
		now := top.random(r)
		for range edits {
			data, ok := whole(now)
			if !ok {
				break // of a length that the description cannot say from the start
			}
			next := clone(now)
			e, ok := top.edit(r, next, "top")
			if !ok {
				continue
			}
			splices, err := e.apply(openAs(t, text, data))
			want, isPossible := whole(next)
			switch {
			case err != nil && isPossible:
				t.Fatalf("seed %d: %s %s %s %d: %v\n%s", seed, e.kind, e.path, e.literal, e.to, err, text)
			case err == nil && !isPossible:
				t.Fatalf("seed %d: %s %s %s %d is not refused\n%s", seed, e.kind, e.path, e.literal, e.to, text)
			case err != nil:
				refused++
				continue
			}
			if got := spliced(data, splices); !bytes.Equal(got, want) {
				t.Fatalf("seed %d: %s %s %s %d:\n%x, not\n%x, of\n%x\n%s", seed, e.kind, e.path, e.literal, e.to, got, want, data, text)
			}
			now = next
		}
	}
	if refused == 0 {
		t.Error("no edit was impossible")
	}
}

// A counted source counts the bytes that are read.
type counted struct {
	source.Source
	n *int64
}

func (c counted) ReadAt(b []byte, off int64) (int, error) {
	*c.n += int64(len(b))
	return c.Source.ReadAt(b, off)
}

// TestIndependentEdits: numbers on which nothing depends are set one after another without reading the file again for each,
// although numbers that are not equal to anything any more are asked about.
func TestIndependentEdits(t *testing.T) {
	const text = `
meta: {id: many, endian: le, encoding: ASCII}
seq: [{id: count, type: u2}, {id: items, type: item, repeat: expr, repeat-expr: count}]
types:
  item: {seq: [{id: x, type: u4}, {id: length, type: u1}, {id: name, type: str, size: length}]}
`
	const items = 5000
	data := binary.LittleEndian.AppendUint16(nil, items)
	for i := range items {
		name := strings.Repeat("n", i%20)
		data = append(binary.LittleEndian.AppendUint32(data, uint32(i)), byte(len(name)))
		data = append(data, name...)
	}
	top, err := spec.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var read int64
	region := span.Between(0, int64(len(data)))
	src := counted{source.Bytes(data), &read}
	tr := tree.New(src, describe(top, nil, nil).Open(src, region), region)
	r, asked := tr.NewReader(), edit.Options{Unequal: func(c *edit.ChoiceError) error { return c }}
	const sets = 20
	for i := range sets {
		n, err := r.Resolve(fmt.Sprintf("$.items[%d].x", items-sets+i))
		if err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			read = 0 // the first has found the place
		}
		if splices, err := tr.Reading.(edit.Editor).Set(context.Background(), r, n, edit.Content{Literal: "70000"}, asked); err != nil || len(splices) == 0 {
			t.Fatalf("%d splices, %v", len(splices), err)
		}
	}
	if read > int64(len(data)) {
		t.Errorf("%d bytes of %d are read for %d more edits", read, len(data), sets-1)
	}
}

// TestLongEdits: random edits in arrays so long that their elements are not kept give the bytes that a writer of the edited
// values gives, without reading what they leave alone again, and what is remembered of the file reads like the file.
func TestLongEdits(t *testing.T) {
	const text = `
meta: {id: long, endian: le, encoding: ASCII}
seq:
  - {id: size, type: u4, -varview-value: _io.size}
  - {id: ofs, type: u4}
  - {id: len_title, type: u1}
  - {id: title, type: str, size: len_title}
  - {id: num_items, type: u2}
  - {id: items, type: item, repeat: expr, repeat-expr: num_items}
  - {id: pairs, type: pair, repeat: expr, repeat-expr: num_items}
instances:
  tail: {pos: ofs, type: item}
types:
  item:
    seq: [{id: len, type: u1}, {id: name, type: str, size: len}, {id: tags, type: tag, repeat: expr, repeat-expr: len % 3}, {id: more, size: 300}]
    types: {tag: {seq: [{id: v, type: u1}, {id: more, size: _parent.len % 2}]}}
  pair: {seq: [{id: a, type: u2}, {id: b, type: u1}]}
`
	r := rand.New(rand.NewPCG(49, 1))
	title, items, pairs := "Save", []string{}, []string{}
	word := func(n int) string { return strings.Repeat("abcdefgh", 3)[:n] }
	for range 16000 {
		items, pairs = append(items, word(r.IntN(12))), append(pairs, string([]byte{byte(r.IntN(256)), 1, 2}))
	}
	item := func(b []byte, s string) []byte {
		b = append(append(b, byte(len(s))), s...)
		return append(b, make([]byte, len(s)%3*(1+len(s)%2)+300)...)
	}
	whole := func() []byte {
		b := append(make([]byte, 8, 6<<20), byte(len(title)))
		b = binary.LittleEndian.AppendUint16(append(b, title...), uint16(len(items)))
		for _, s := range items {
			b = item(b, s)
		}
		b = append(b, strings.Join(pairs, "")...)
		binary.LittleEndian.PutUint32(b[4:], uint32(len(b)))
		b = item(b, "tail!")
		binary.LittleEndian.PutUint32(b, uint32(len(b)))
		return b
	}
	data, read := whole(), int64(0)
	tr := openAs(t, text, data)
	export(t, tr)
	for i := range 8 {
		at := r.IntN(len(items))
		e := edited{kind: "set", path: fmt.Sprintf("items[%d].name", at), literal: `"` + word(r.IntN(6)*3) + `"`}
		switch i % 4 {
		case 0:
			title = word(r.IntN(20))
			e.path, e.literal = "title", `"`+title+`"`
		case 1:
			e.path, e.literal = fmt.Sprintf("pairs[%d].b", at), "7"
			pairs[at] = pairs[at][:2] + "\x07"
		case 2:
			e = edited{kind: "move", path: fmt.Sprintf("items[%d]", at), to: int64(r.IntN(len(items)))}
			s := items[at]
			items = slices.Delete(items, at, at+1)
			items = slices.Insert(items, int(e.to), s)
		default:
			n := len(items[at])
			for len(e.literal)-2 > n || (len(e.literal)-2)%3 != n%3 || (len(e.literal)-2)%2 != n%2 { // the tags would be others
				e.literal = `"` + word(r.IntN(n+1)) + `"`
			}
			items[at] = e.literal[1 : len(e.literal)-1]
		}
		n, err := tr.NewReader().Resolve(e.path)
		if err != nil {
			t.Fatal(err)
		}
		before := read
		splices, err := e.make(tr, n)
		if err != nil {
			t.Fatalf("%d: %+v: %v", i, e, err)
		}
		if e.kind == "set" && e.path != "title" && read-before > int64(len(data))/2 { // what is behind the title is first read in the wrong place
			t.Errorf("%d: %+v: %d bytes of %d are read", i, e, read-before, len(data))
		}
		if got, want := spliced(data, splices), whole(); !bytes.Equal(got, want) {
			t.Fatalf("%d: %+v: %d bytes, not %d", i, e, len(got), len(want))
		}
		data = whole()
		tr = tr.Reopen(counted{source.Bytes(data), &read}, splices)
		if _, err := tr.NewReader().Resolve("pairs[15999].a"); err != nil {
			t.Fatal(err)
		}
		if i%8 == 3 && export(t, tr) != export(t, openAs(t, text, data)) {
			t.Fatalf("%d: %+v: what is remembered reads otherwise", i, e)
		}
	}
}

// TestFirstElement puts the first element into a section that has no bytes yet.
func TestFirstElement(t *testing.T) {
	const text = `
meta: {id: sections, endian: le, encoding: ASCII}
seq: [{id: ofs, type: u1}, {id: len, type: u1}, {id: gold, type: u1}]
instances: {notes: {pos: ofs, size: len, type: notes}}
types:
  notes: {seq: [{id: list, type: note, repeat: eos}]}
  note: {seq: [{id: len, type: u1}, {id: text, type: str, size: len}]}
`
	data := []byte("\x03\x00\x07tail")
	tr := openAs(t, text, data)
	n, err := tr.NewReader().Resolve("notes.list")
	if err != nil {
		t.Fatal(err)
	}
	splices, err := tr.Reading.(edit.Editor).Insert(t.Context(), tr.NewReader(), n, 0, edit.Content{Literal: `{text: "hi"}`}, edit.Options{})
	if got := string(spliced(data, splices)); err != nil || got != "\x03\x03\x07\x02hitail" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestGiven: what is given for a new value reads so afterwards, or is refused by name.
func TestGiven(t *testing.T) {
	const text = `
meta: {id: index, endian: le, encoding: ASCII}
seq: [{id: n, type: u1}, {id: idx, type: ent, repeat: expr, repeat-expr: n}, {id: rest, size-eos: true}]
types:
  ent:
    seq: [{id: ofs, type: u1}, {id: len, type: u1}, {id: l, type: u1}, {id: name, type: str, size: l}, {id: f, type: f4}]
    instances: {data: {pos: ofs, type: str, size: len}, twice: {value: len * 2}}
`
	data := []byte("\x01\x0a\x03\x01x\x00\x00\x00\x00.abc")
	for _, c := range []struct{ at, literal, want string }{
		{"insert", `{data: "new"}`, "\x02\x11\x03\x01x\x00\x00\x00\x00\x14\x03\x00\x00\x00\x00\x00.abcnew"}, {"insert", `{ofs: 19, len: 3, data: "xyz"}`, "\x02\x11\x03\x01x\x00\x00\x00\x00\x14\x03\x00\x00\x00\x00\x00.abcxyz"},
		{"insert", `{ofs: 19, len: 3, name: "zz", data: "abc", twice: 6, f: 0.1}`, "\x02\x13\x03\x01x\x00\x00\x00\x00\x13\x03\x02zz\xcd\xcc\xcc\x3d.abc"},
		{"insert", `{name: "zz", l: 3}`, "!l (description:6) follows other values: it would be 2, not 3"}, {"insert", `{len: 1, twice: 3}`, "!twice (description:7) is computed"},
		{"idx", `[{data: "new"}]`, "\x01\x09\x03\x00\x00\x00\x00\x00.new"}, {"idx", `[{ofs: 8, len: 3}]`, "\x01\x08\x03\x00\x00\x00\x00\x00.abc"}, {"idx[0]", `{ofs: 10, len: 3, name: "x", data: "abd"}`, "!data (description:7) lies elsewhere"},
		{"idx[0]", `{ofs: 10, len: 3, name: "y", data: "abc", f: 0.0}`, "\x01\x0a\x03\x01y\x00\x00\x00\x00.abc"},
	} {
		tr := openAs(t, text, data)
		path, do := c.at, tr.Reading.(edit.Editor).Set
		if path == "insert" {
			path, do = "idx", func(ctx context.Context, r *tree.Reader, n *tree.Node, v edit.Content, o edit.Options) ([]source.Splice, error) {
				return tr.Reading.(edit.Editor).Insert(ctx, r, n, 1, v, o)
			}
		}
		n, err := tr.NewReader().Resolve(path)
		if err != nil {
			t.Fatal(err)
		}
		splices, err := do(t.Context(), tr.NewReader(), n, edit.Content{Literal: c.literal}, edit.Options{})
		if refusal, refused := strings.CutPrefix(c.want, "!"); refused {
			if err == nil || !strings.Contains(err.Error(), refusal) {
				t.Errorf("%s %s: %v", c.at, c.literal, err)
			}
		} else if got := string(spliced(data, splices)); err != nil || got != c.want {
			t.Errorf("%s %s: %q, %v", c.at, c.literal, got, err)
		}
	}
}

// TestTables: the elements of arrays and the fields of records that were offsets are named, and follow; what is equal to
// an offset by chance does not. So do tables of sizes, and of offsets that are counted from a list or from the end of the table.
func TestTables(t *testing.T) {
	const text = `
meta: {id: offsets, endian: le, encoding: ASCII}
seq:
  - {id: la, type: u1}
  - {id: a, type: str, size: la}
  - {id: xs, type: u2, repeat: expr, repeat-expr: 2}
  - {id: blobs, type: blob, repeat: expr, repeat-expr: 3}
  - {id: tab, type: u1, repeat: expr, repeat-expr: 4}
  - {id: recs, type: rec, repeat: expr, repeat-expr: 2}
  - {id: chance, type: u1, repeat: expr, repeat-expr: 3}
types:
  blob: {seq: [{id: l, type: u1}, {id: s, type: str, size: l}]}
  rec: {seq: [{id: at, type: u1}, {id: q, type: u1}]}
`
	const relative = `
meta: {id: relative, endian: le, encoding: ASCII}
seq:
  - {id: num, type: u1}
  - {id: ix, type: ix, repeat: expr, repeat-expr: num}
  - {id: gap, type: u2}
  - {id: recs, type: rec, repeat: expr, repeat-expr: num}
  - {id: lens, type: u1, repeat: expr, repeat-expr: num}
types:
  ix: {seq: [{id: id, type: u1}, {id: rel, type: u1}, {id: ofs, type: u1}]}
  rec: {seq: [{id: name, type: strz}, {id: n, type: u1}]}
`
	data := []byte("\x10hello world text\x01\x02\x03\x04\x02aa\x01b\x00" + "\x15\x18\x00\x1a" + "\x11\x01\x1b\x02" + "\x15\x18\x63")
	beside := []byte("\x03\x07\x02\x00\x08\x06\x04\x09\x09\x07\x00\x00ab\x00\x05c\x00\x06def\x00\x07\x04\x03\x05")
	for _, c := range []struct{ path, literal, want, named string }{
		{"recs[0].name", `"xyz"`, "\x03\x07\x02\x00\x08\x07\x05\x09\x0a\x08\x00\x00xyz\x00\x05c\x00\x06def\x00\x07\x05\x03\x05", "rel, ofs, lens"},
		{"recs[2].name", `"z"`, "\x03\x07\x02\x00\x08\x06\x04\x09\x09\x07\x00\x00ab\x00\x05c\x00\x06z\x00\x07\x04\x03\x03", "lens"},
		{"a", `"longer text for it"`, "\x12longer text for it\x01\x02\x03\x04\x02aa\x01b\x00" + "\x17\x1a\x00\x1c" + "\x13\x01\x1d\x02" + "\x15\x18\x63", "tab, at"},
		{"blobs[1].s", `"bcd"`, "\x10hello world text\x01\x02\x03\x04\x02aa\x03bcd\x00" + "\x15\x18\x00\x1c" + "\x11\x01\x1d\x02" + "\x15\x18\x63", "tab, at"},
		{"xs[0]", "9", "\x10hello world text\x09\x00\x03\x04\x02aa\x01b\x00" + "\x15\x18\x00\x1a" + "\x11\x01\x1b\x02" + "\x15\x18\x63", ""},
	} {
		text, data := text, data
		if strings.HasPrefix(c.path, "recs[") {
			text, data = relative, beside
		}
		tr := openAs(t, text, data)
		n, err := tr.NewReader().Resolve(c.path)
		if err != nil {
			t.Fatal(err)
		}
		var named []string
		set := func(o edit.Options) string {
			splices, err := tr.Reading.(edit.Editor).Set(t.Context(), tr.NewReader(), n, edit.Content{Literal: c.literal}, o)
			if err != nil {
				t.Fatal(err)
			}
			return string(spliced(data, splices))
		}
		set(edit.Options{Unequal: func(e *edit.ChoiceError) error {
			name, _, _ := strings.Cut(e.Text, " (")
			named = append(named, name[strings.LastIndexByte(name, '.')+1:])
			return nil
		}})
		got := set(edit.Options{Choices: []edit.Choice{edit.KeepEqual}})
		if strings.Join(named, ", ") != c.named || got != c.want {
			t.Errorf("%s: %q, named are %q", c.path, got, named)
		}
	}
}

// TestRanks: of two fields that could change, the one that says nothing of others does.
func TestRanks(t *testing.T) {
	const (
		head   = "meta: {endian: le, encoding: ASCII}\nseq:\n  - {id: base, type: u1}\n"
		names  = head + "  - {id: names, type: name, repeat: expr, repeat-expr: 2}\n  - {id: other, type: ref}\n  - {id: pool, size-eos: true}\ntypes:\n  name: {seq: [{id: ofs, type: u1}], instances: {text: {pos: _parent.base + ofs, type: strz}}}\n  ref: {seq: [{id: ofs, type: u1}], instances: {text: {pos: ofs, type: strz}}}\n"
		slot   = "  - {id: tab, type: u1, repeat: expr, repeat-expr: 2}\n"
		ends   = head + slot + "  - {id: recs, type: rec(_index), repeat: expr, repeat-expr: 2}\ntypes:\n  rec: {params: [{id: i, type: s4}], seq: [{id: text, type: str, size: '_root.tab[i] - (i == 0 ? 0 : _root.tab[i - 1])'}]}\n"
		shared = head + slot + "instances:\n  recs: {type: slot(_index), repeat: expr, repeat-expr: 2}\ntypes:\n  slot: {params: [{id: i, type: s4}], instances: {text: {pos: '_root.base + _root.tab[i] * 2', type: text}}}\n  text: {seq: [{id: len, type: u1}, {id: s, type: str, size: len}, {id: pad, size: (len + 1) % 2}]}\n"
	)
	for _, c := range []struct{ text, data, path, literal, want string }{
		{names, "\x04\x00\x03\x09ab\x00cd\x00ef\x00", "names[0].text", "abcd", "\x04\x00\x05\x0babcd\x00cd\x00ef\x00"}, // another type has an offset of the same name
		{ends, "\x00\x02\x05abcde", "recs[0].text", "xyzw", "\x00\x04\x07xyzwcde"},
		{ends, "\x00\x02\x05abcde", "recs[1].text", "", "\x00\x02\x02ab"},
		{shared, "\x03\x00\x01\x01a\x01b", "recs[0].text.s", "xyz", "\x03\x00\x02\x03xyz\x01b"},
		{shared, "\x03\x00\x01\x01a\x01b", "recs[0].text.s", "xy", "\x03\x00\x02\x02xy\x00\x01b"},
	} {
		tr := openAs(t, c.text, []byte(c.data))
		n, err := tr.NewReader().Resolve(c.path)
		if err != nil {
			t.Fatal(err)
		}
		splices, err := tr.Reading.(edit.Editor).Set(t.Context(), tr.NewReader(), n, edit.Content{Literal: strconv.Quote(c.literal)}, edit.Options{})
		if got := string(spliced([]byte(c.data), splices)); err != nil || got != c.want {
			t.Errorf("%s%s %q: %q (%v), not %q", c.text, c.path, c.literal, got, err, c.want)
		}
	}
}

// TestRuns: a number that was the size of several fields behind it is named, and follows.
func TestRuns(t *testing.T) {
	const types = "types:\n  hdr: {seq: [{id: magic, contents: HD}, {id: a_number, type: u1}]}\n  s: {seq: [{id: len, type: u1}, {id: t, type: str, size: len}]}\n"
	const meta = "meta: {endian: le, encoding: ASCII}\nseq:\n"
	const body = "  - {id: name, type: s}\n  - {id: num, type: u1}\n  - {id: items, type: s, repeat: expr, repeat-expr: num}\n"
	for _, c := range []struct{ text, data, want, named string }{
		{meta + "  - {id: a_number, type: u1}\n" + body + "  - {id: trail, size: 2}\n" + types, "\x11\x04Mira\x02\x07lantern\x02axZZ", "\x13\x06Mirala\x02\x07lantern\x02axZZ", "all from name to items"},
		{meta + "  - {id: h, type: hdr}\n" + body + "  - {id: trail, size: 2}\n" + types, "HD\x11\x04Mira\x02\x07lantern\x02axZZ", "HD\x13\x06Mirala\x02\x07lantern\x02axZZ", "all from name to items"},
		{meta + "  - {id: h, type: hdr}\n" + body + types, "HD\x11\x04Mira\x02\x07lantern\x02ax", "HD\x13\x06Mirala\x02\x07lantern\x02ax", "all from name on"},
		{meta + "  - {id: h, type: hdr}\n" + body + types, "HD\x12\x04Mira\x02\x07lantern\x02ax", "HD\x12\x06Mirala\x02\x07lantern\x02ax", ""},
		// What expressions use is another attribute of the same name, or no attribute.
		{meta + "  - {id: len, type: u1}\n" + body + types, "\x12\x04Mira\x02\x07lantern\x02ax", "\x14\x06Mirala\x02\x07lantern\x02ax", "the size of the file"},
		{meta + "  - {id: size, type: u1}\n" + body + "instances: {last: {pos: _io.size - 1, type: u1}, many: {value: items.size}}\n" + types, "\x12\x04Mira\x02\x07lantern\x02ax", "\x14\x06Mirala\x02\x07lantern\x02ax", "the size of the file"},
	} {
		tr := openAs(t, c.text, []byte(c.data))
		n, err := tr.NewReader().Resolve("name.t")
		if err != nil {
			t.Fatal(err)
		}
		named := ""
		set := func(o edit.Options) string {
			splices, err := tr.Reading.(edit.Editor).Set(t.Context(), tr.NewReader(), n, edit.Content{Literal: `"Mirala"`}, o)
			if err != nil {
				t.Fatal(err)
			}
			return string(spliced([]byte(c.data), splices))
		}
		set(edit.Options{Unequal: func(e *edit.ChoiceError) error { named += e.Text; return nil }})
		got := set(edit.Options{Choices: []edit.Choice{edit.KeepEqual}})
		if got != c.want || !strings.Contains(named, c.named) || (named == "") != (c.named == "") {
			t.Errorf("%s: %q, named is %q, not %q", c.text, got, named, c.named)
		}
	}
}

// TestDamagedEdits: the number and the size of what is cut off stay what they are, whatever is edited before it.
func TestDamagedEdits(t *testing.T) {
	const (
		head  = "meta: {endian: le, encoding: ASCII}\nseq:\n  - {id: len, type: u1}\n  - {id: name, type: str, size: len}\n  - {id: n, type: u1}\n"
		types = "types:\n  body: {seq: [{id: items, type: item, repeat: eos}]}\n  item: {seq: [{id: len, type: u1}, {id: t, type: str, size: len}]}\n"
	)
	for _, c := range []struct{ text, data, path, want string }{
		{head + "  - {id: items, type: item, repeat: expr, repeat-expr: n}\n" + types, "\x02ab\x05\x01x\x02yz", "name", "\x04wxyz\x05\x01x\x02yz"},
		{head + "  - {id: items, type: item, repeat: expr, repeat-expr: n}\n" + types, "\x02ab\x05\x01x\x02yz", "items[0].t", "\x02ab\x05\x04wxyz\x02yz"},
		{head + "  - {id: body, size: n}\n" + types, "\x02ab\x05\x01x", "name", "\x04wxyz\x05\x01x"},
		{head + "  - {id: body, size: n, type: body}\n" + types, "\x02ab\x05\x01x", "name", "\x04wxyz\x05\x01x"},
		{head + "  - {id: body, size: n, type: body, process: xor(3)}\n" + types, "\x02ab\x05\x01x", "name", "\x04wxyz\x05\x01x"},
	} {
		tr := openAs(t, c.text, []byte(c.data))
		n, err := tr.NewReader().Resolve(c.path)
		if err != nil {
			t.Fatal(err)
		}
		splices, err := tr.Reading.(edit.Editor).Set(t.Context(), tr.NewReader(), n, edit.Content{Literal: `"wxyz"`}, edit.Options{})
		if got := string(spliced([]byte(c.data), splices)); err != nil || got != c.want {
			t.Errorf("%s%s: %q (%v), not %q", c.text, c.path, got, err, c.want)
		}
	}
}

// TestSizeOfUnpacked: the size of what a process unpacks is that of the bytes from which a value is read, also without a type.
func TestSizeOfUnpacked(t *testing.T) {
	var out bytes.Buffer
	w := deflate.NewZlib(&out, [2]byte{0x78, 0x9c})
	w.Write([]byte("a name of some bytes some bytes some bytes\x00"))
	w.Close()
	data := slices.Concat([]byte{43, byte(out.Len())}, out.Bytes())
	for _, typ := range []string{"", "type: body, "} {
		text := "meta: {id: unpacked, encoding: ASCII}\nseq: [{id: plain, type: u1, -varview-value: body._sizeof}, {id: n, type: u1}, {id: body, " +
			typ + "size: n, process: zlib}]\ntypes: {body: {seq: [{id: name, type: strz}]}}\n"
		tr := openAs(t, text, data)
		diagnose.Run(t.Context(), tr, diagnose.Options{}, func(d diagnose.Diagnosis) bool {
			t.Errorf("%q: %s", typ, d.Message)
			return true
		})
	}
}

// TestPlainSize: a number that was the size of what is unpacked follows it, however small both are: that field says how many bytes are stored.
func TestPlainSize(t *testing.T) {
	const text = `
meta: {id: plain, encoding: ASCII}
seq: [{id: plain, type: u1}, {id: n, type: u1}, {id: body, type: body, size: n, process: zlib}]
types: {body: {seq: [{id: name, type: strz}]}}
`
	data := deflated([]byte("a name of some bytes\x00"))
	tr := openAs(t, text, append([]byte{21, byte(len(data))}, data...))
	got, err := setIn(t, tr, "body.name", `"another one, which is longer"`, edit.Options{Choices: []edit.Choice{edit.KeepEqual}})
	if err != nil || got[0] != 29 || string(inflated([]byte(got[2:]))) != "another one, which is longer\x00" {
		t.Errorf("%x, %v", got, err)
	}
}

// TestStoredSize: a number that was the size of packed bytes follows it.
func TestStoredSize(t *testing.T) {
	const text = `
meta: {id: stored, encoding: ASCII}
seq: [{id: n, type: u1}, {id: body, type: body, size: n, process: zlib}, {id: body_size, type: u1}]
types: {body: {seq: [{id: name, type: strz}]}}
`
	packed := func(s string) []byte {
		var out bytes.Buffer
		w := deflate.NewZlib(&out, [2]byte{0x78, 0x9c})
		w.Write([]byte(s + "\x00"))
		w.Close()
		return slices.Concat([]byte{byte(out.Len())}, out.Bytes(), []byte{byte(out.Len())})
	}
	data := packed("a name of some bytes")
	tr := openAs(t, text, data)
	n, err := tr.NewReader().Resolve("body.name")
	if err != nil {
		t.Fatal(err)
	}
	splices, err := tr.Reading.(edit.Editor).Set(t.Context(), tr.NewReader(), n, edit.Content{Literal: `"another one"`}, edit.Options{Choices: []edit.Choice{edit.KeepEqual}})
	if got := spliced(data, splices); err != nil || string(got) != string(packed("another one")) {
		t.Errorf("%x, %v", got, err)
	}
}

// TestMisreads: an edit tells that others keep their bytes although it says how many these are, not that it leads elsewhere.
func TestMisreads(t *testing.T) {
	const text = `
meta: {id: counts, endian: le, encoding: ASCII}
seq: [{id: n, type: u1}, {id: ofs, type: u1}, {id: xs, type: u1, repeat: expr, repeat-expr: n}, {id: rest, type: strz}]
instances: {far: {pos: ofs, type: u1}}
`
	for _, c := range []struct {
		path, literal string
		choices       []edit.Choice
		want          bool
	}{
		{"n", "0", nil, true}, {"n", "0", []edit.Choice{edit.KeepBytes}, false}, {"ofs", "4", nil, false},
		{"xs", "[]", nil, false},
	} {
		tr, outcome := openAs(t, text, []byte("\x02\x05\x01\x02ab\x00")), edit.Outcome{}
		n, err := tr.NewReader().Resolve(c.path)
		if err == nil {
			_, err = tr.Reading.(edit.Editor).Set(t.Context(), tr.NewReader(), n, edit.Content{Literal: c.literal}, edit.Options{Choices: c.choices, Outcome: &outcome})
		}
		if got := outcome.Misreads; err != nil || got != c.want {
			t.Errorf("%s=%s %v: %v, %v", c.path, c.literal, c.choices, got, err)
		}
	}
}

// TestApart: what elements lead to elsewhere follows them. A copy gets bytes of its own, or leads to the same value if
// something else reads that too; bytes of a new element come behind those of its neighbour, or at the end.
func TestApart(t *testing.T) {
	const text = `
meta: {id: directory, endian: le, encoding: ASCII}
seq: [{id: size, type: u1, -varview-value: _io.size}, {id: ofs_dir, type: u1}, {id: num, type: u1}]
instances: {dir: {pos: ofs_dir, type: entry, repeat: expr, repeat-expr: num}}
types:
  entry:
    seq: [{id: ofs, type: u1}, {id: len, type: u1}]
    instances: {data: {pos: ofs, size: len}}
`
	const inSeq = `
meta: {id: directory, endian: le, encoding: ASCII}
seq: [{id: size, type: u1}, {id: num, type: u1}, {id: dir, type: entry, repeat: expr, repeat-expr: num}, {id: blob, size: size}]
types:
  entry:
    seq: [{id: ofs, type: u1}]
    instances: {data: {io: _root._io, pos: ofs, type: rec}}
  rec: {seq: [{id: name, type: strz}]}
`
	const records = `
meta: {id: directory, endian: le, encoding: ASCII}
seq: [{id: num, type: u1}, {id: dir, type: entry, repeat: expr, repeat-expr: num}, {id: recs, type: strz, repeat: eos}]
types:
  entry: {seq: [{id: ofs, type: u1}], instances: {rec: {pos: ofs, type: strz}}}
`
	const one = `
meta: {id: header, endian: le, encoding: ASCII}
seq: [{id: ofs, type: u1}, {id: len, type: u1}, {id: ofs_text, type: u1}, {id: len_text, type: u1}]
instances: {notes: {pos: ofs, size: len, type: notes}, text: {pos: ofs_text, size: len_text}}
types: {notes: {seq: [{id: list, type: strz, encoding: ASCII, repeat: eos}]}}
`
	const dir = "meta: {id: directory, endian: le, encoding: ASCII}\nseq: [{id: num, type: u1}, {id: dir, type: entry, repeat: expr, repeat-expr: num}]\ntypes:\n  entry: {seq: [{id: ofs, type: u1}], instances: {rec: {pos: ofs, type: rec}}}\n"
	nested := dir + "  rec: {seq: [{id: num, type: u1}, {id: lines, type: line, repeat: expr, repeat-expr: num}]}\n  line: {seq: [{id: ofs, type: u1}], instances: {s: {pos: ofs, type: strz}}}\n"
	kept := dir + "  rec: {seq: [{id: twice, type: u1, -varview-value: len * 2}, {id: len, type: u1}, {id: s, type: str, size: len}]}\n"
	last := "\x0c\x08\x02abcde\x03\x02\x05\x03" // the directory is behind the data
	for _, c := range []struct {
		text, data string
		e          edited
		want       string
	}{
		{text, last, edited{"dir[0]", "", "copy", 2}, "\x10\x0a\x03ababcde\x03\x02\x07\x03\x05\x02"},
		{text, last, edited{"dir[1]", "", "copy", 0}, "\x11\x0b\x03abcdecde\x08\x03\x03\x02\x05\x03"},
		{text, last, edited{"dir[0].data", `"longer"`, "set", 0}, "\x10\x0c\x02longercde\x03\x06\x09\x03"},
		{text, last, edited{"dir", `{data: "new"}`, "insert", 2}, "\x11\x0b\x03abcdenew\x03\x02\x05\x03\x08\x03"},
		{text, "\x03\x03\x00", edited{"dir", `{data: "new"}`, "insert", 0}, "\x08\x03\x01\x05\x03new"},
		{inSeq, "\x05\x02\x04\x06a\x00bc\x00", edited{"dir[0]", "", "copy", 2}, "\x07\x03\x05\x09\x07a\x00a\x00bc\x00"},
		{inSeq, "\x05\x02\x04\x06a\x00bc\x00", edited{"dir[1]", "", "copy", 2}, "\x08\x03\x05\x07\x0aa\x00bc\x00bc\x00"},
		{text, last, edited{"dir[0]", "", "delete", 0}, "\x08\x06\x01cde\x03\x03"},
		{text, last, edited{"dir[1]", "", "delete", 0}, "\x07\x05\x01ab\x03\x02"},
		{text, "\x0c\x08\x02abcde\x03\x03\x05\x03", edited{"dir[1]", "", "delete", 0}, "\x0a\x08\x01abcde\x03\x03"}, // the other one reads its first byte
		{inSeq, "\x05\x02\x04\x06a\x00bc\x00", edited{"dir[0]", "", "delete", 0}, "\x03\x01\x03bc\x00"},
		{records, "\x02\x03\x05a\x00bc\x00", edited{"dir[1]", "", "delete", 0}, "\x01\x02a\x00bc\x00"},
		{one, "\x00\x00\x00\x00", edited{"text", `"hi"`, "set", 0}, "\x00\x00\x04\x02hi"},
		{one, "\x00\x00\x00\x00", edited{"notes.list", `"hi"`, "insert", 0}, "-"},
		{nested, "\x02\x03\x0b\x02\x06\x08a\x00bc\x00\x01\x0dd\x00", edited{"dir[0]", "", "delete", 0}, "\x01\x02\x01\x04d\x00"},
		{nested, "\x02\x03\x06\x02\x06\x08\x01\x08bc\x00", edited{"dir[0]", "", "delete", 0}, "\x01\x02\x01\x04bc\x00"}, // whose first line is the second record
		{kept, "\x02\x03\x07\x04\x02ab\x02\x01c", edited{"dir[0]", "", "delete", 0}, "\x01\x02\x02\x01c"},
		{records, "\x02\x03\x05a\x00bc\x00", edited{"dir[1]", "", "copy", 0}, "\x03\x06\x04\x06a\x00bc\x00"},
		{records, "\x02\x03\x03a\x00bc\x00", edited{"dir[1]", "", "copy", 2}, "\x03\x04\x04\x04a\x00bc\x00"},
	} {
		got := "-"
		splices, err := c.e.apply(openAs(t, c.text, []byte(c.data)))
		if err == nil {
			got = string(spliced([]byte(c.data), splices))
		}
		if got != c.want {
			t.Errorf("%v: %q, not %q: %v", c.e, got, c.want, err)
		}
	}
}

// TestNewElements: elements are made whose parts have sizes, types that a switch chooses, numbers in groups, terminators that
// are not zero, padding up to a multiple in the file, or sizes that are kept. Values that are kept and used decide nothing else.
func TestNewElements(t *testing.T) {
	const chunks = `
meta: {id: chunks, endian: be, encoding: ASCII}
seq: [{id: total, type: u1, -varview-value: _io.size}, {id: num, type: u1}, {id: chunks, type: chunk, repeat: expr, repeat-expr: num}, {id: end, size: total - _io.pos}]
types:
  chunk:
    seq:
      - {id: kind, type: u1}
      - {id: len, type: vlq}
      - {id: body, size: len.value, type: {switch-on: kind, cases: {1: note, 2: list, 3: mixed, 4: ids}}}
      - {id: pad, size: (4 - _io.pos % 4) % 4}
  ids: {seq: [{id: id, type: vlq}, {id: num, type: u1}, {id: ids, type: vlq, repeat: expr, repeat-expr: num}]}
  note: {-webide-representation: '{text}', seq: [{id: text, type: str, size-eos: true}]}
  list: {seq: [{id: names, type: str, terminator: 0x0a, repeat: eos}]}
  mixed: {seq: [{id: size, type: u1, -varview-value: name._sizeof}, {id: name, type: str, terminator: 0xff}, {id: rest, type: recs}]}
  recs: {seq: [{id: recs, type: rec, repeat: until, repeat-until: _.kind == 0}]}
  rec: {seq: [{id: kind, type: u1}, {id: v, type: {switch-on: kind, cases: {1: u1, 2: u2}}}]}
  vlq:
    seq: [{id: groups, type: g, repeat: until, repeat-until: not _.more}]
    instances: {value: {value: 'groups[0].v + (groups.size > 1 ? groups[1].v << 7 : 0)'}}
    types: {g: {seq: [{id: more, type: b1}, {id: v, type: b7}]}}
`
	const netstrings = `
meta: {id: netstrings, encoding: ASCII}
seq: [{id: num, type: u1}, {id: chunks, type: chunk, repeat: expr, repeat-expr: num}]
types:
  chunk: {seq: [{id: len, type: str, terminator: 0x3a}, {id: s, type: str, size: len.to_i}, {id: rest, type: u1}, {id: more, size: rest - 1, type: more}]}
  more: {seq: [{id: codes, type: u2be, repeat: eos}]}
`
	data := "\x0d\x01\x01\x02hi\x00\x00tail!"
	long := strings.Repeat("x", 130)
	for _, c := range []struct {
		e    edited
		want string
	}{
		{edited{"chunks", `{kind: 1, body: {text: "longer"}}`, "insert", 1}, "\x15\x02\x01\x02hi\x00\x00\x01\x06longertail!"},
		{edited{"chunks", `{kind: 1, body: {text: "` + long + `"}}`, "insert", 0}, "\x91\x02\x01\x82\x01" + long + "\x00\x01\x02hitail!"},
		{edited{"chunks", `{kind: 3, body: {name: "ab"}}`, "insert", 1}, "\x15\x02\x01\x02hi\x00\x00\x03\x05\x03ab\xff\x00\x00tail!"},
		{edited{"chunks", `{kind: 3, body: {name: "a", rest: {recs: [{kind: 2, v: 258}, {kind: 0}]}}}`, "insert", 1}, "\x19\x02\x01\x02hi\x00\x00\x03\x07\x02a\xff\x02\x01\x02\x00\x00\x00\x00tail!"},
		{edited{"chunks", `{kind: 9}`, "insert", 1}, "\x11\x02\x01\x02hi\x00\x00\x09\x00\x00\x00tail!"},
		{edited{"chunks[0].body", `"other"`, "set", 0}, "\x11\x01\x01\x05other\x00\x00\x00tail!"},
		{edited{"chunks", `{kind: 4, body: {id: 300, ids: [1, 128, 129]}}`, "insert", 1}, "\x19\x02\x01\x02hi\x00\x00\x04\x08\xac\x02\x03\x01\x80\x01\x81\x01\x00\x00tail!"},
		{edited{"chunks", `{kind: 1, body: "longer"}`, "insert", 1}, "\x15\x02\x01\x02hi\x00\x00\x01\x06longertail!"},
		{edited{"chunks[0].body", `{text: "other"}`, "set", 0}, "\x11\x01\x01\x05other\x00\x00\x00tail!"},
		{edited{"end", `"longer tail"`, "set", 0}, "\x13\x01\x01\x02hi\x00\x00longer tail"},
	} {
		splices, err := c.e.apply(openAs(t, chunks, []byte(data)))
		if got := string(spliced([]byte(data), splices)); err != nil || got != c.want {
			t.Errorf("%v: %q, not %q: %v", c.e, got, c.want, err)
		}
	}
	const halves = `
meta: {id: halves, encoding: ASCII}
seq: [{id: num, type: u1}, {id: recs, type: rec, repeat: expr, repeat-expr: num}]
types: {rec: {seq: [{id: low, type: u1}, {id: high, type: u1}, {id: s, type: str, size: low | (high << 8)}]}}
`
	long = strings.Repeat("x", 258)
	insert := edited{"recs", `{s: "` + long + `"}`, "insert", 1}
	splices, err := insert.apply(openAs(t, halves, []byte("\x01\x01\x00a")))
	if got, want := string(spliced([]byte("\x01\x01\x00a"), splices)), "\x02\x01\x00a\x02\x01"+long; err != nil || got != want {
		t.Errorf("%q, not %q: %v", got, want, err)
	}
	const packs = `
meta: {id: packs, encoding: ASCII}
seq: [{id: num, type: u1}, {id: heads, type: head(_index), repeat: expr, repeat-expr: num}, {id: bodies, type: body, size: 'heads[_index].len', process: xor(1), repeat: expr, repeat-expr: num}]
types:
  head: {params: [{id: i, type: u1}], seq: [{id: len, type: u1}, {id: sum, type: u2be, -varview-value: '_root.bodies[i]._sizeof * 2'}]}
  body: {seq: [{id: lines, type: strz, repeat: eos}]}
`
	for _, c := range []struct {
		e    edited
		want string
	}{
		{edited{"bodies[0].lines[0]", `"xyz"`, "set", 0}, "\x01\x04\x00\x08yx{\x01"},
		{edited{"bodies", `{lines: ["b", "c"]}`, "insert", 1}, "\x02\x02\x00\x04\x04\x00\x08`\x01c\x01b\x01"},
	} {
		data := "\x01\x02\x00\x04`\x01"
		splices, err := c.e.apply(openAs(t, packs, []byte(data)))
		if got := string(spliced([]byte(data), splices)); err != nil || got != c.want {
			t.Errorf("%v: %q, not %q: %v", c.e, got, c.want, err)
		}
	}
	for literal, want := range map[string]string{
		`{}`:                              "\x010:\x01",
		`{s: ""}`:                         "\x010:\x01",
		`{s: "hello world"}`:              "\x0111:hello world\x01",
		`{s: "a", more: {codes: [1, 2]}}`: "\x011:a\x05\x00\x01\x00\x02",
	} {
		e := edited{"chunks", literal, "insert", 0}
		splices, err := e.apply(openAs(t, netstrings, []byte("\x00")))
		if got := string(spliced([]byte("\x00"), splices)); err != nil || got != want {
			t.Errorf("%s: %q, not %q: %v", literal, got, want, err)
		}
	}
}

// TestDecides: of a base and an offset that follows it which is meant; a size in units has room for what fills them; a new packed
// value is packed although its bytes were given a size first; a list in what a packed offset leads to has its elements.
func TestDecides(t *testing.T) {
	const based = `
meta: {id: based, endian: le, encoding: ASCII}
seq: [{id: name, type: strz}, {id: n, type: u1}, {id: base, type: u1}, {id: e, type: ent, repeat: expr, repeat-expr: n}]
types: {ent: {seq: [{id: ofs, type: u1}], instances: {v: {pos: _parent.base + ofs, type: strz}}}}
`
	const units = `
meta: {id: units, encoding: ASCII}
seq: [{id: words, type: u1}, {id: a, type: strz, size: 4 * words}, {id: b, type: u1}]
`
	const packed = `
meta: {id: packed, encoding: ASCII}
seq: [{id: n, type: u1}, {id: c, type: chunk, repeat: expr, repeat-expr: n}]
types:
  chunk: {seq: [{id: len, type: u1}, {id: data, size: len, type: inside, process: zlib}]}
  inside: {seq: [{id: x, type: strz}]}
`
	const behind = `
meta: {id: behind, encoding: ASCII}
seq: [{id: n, type: u1}, {id: ofs, type: u1}, {id: pool, size: ofs - 2}]
instances: {dir: {pos: ofs, type: ent, repeat: expr, repeat-expr: n}, end: {pos: ofs + n * 2, size: 2}}
types: {ent: {seq: [{id: k, type: u1}, {id: v, type: u1}]}}
`
	const summed = `
meta: {id: summed, encoding: ASCII}
seq: [{id: last, type: u1}, {id: sum, type: u1, -varview-value: sum8(body)}, {id: names, type: strz, repeat: expr, repeat-expr: last + 1}]
instances: {body: {pos: 2, size: _io.size - 3}}
`
	const window = `
meta: {id: window, encoding: ASCII}
seq: [{id: sum, type: u1, -varview-value: sum8(head)}, {id: names, type: strz, repeat: eos}]
instances: {head: {pos: 1, size: 2}}
`
	const apart = `
meta: {id: apart, encoding: ASCII}
seq: [{id: len, type: u1}, {id: body, size: len, type: body, process: xor(1)}]
types:
  body: {seq: [{id: ofs, type: u1}, {id: len, type: u1}], instances: {s: {pos: ofs, size: len, type: list}}}
  list: {seq: [{id: names, type: u1, repeat: eos}]}
`
	data := "A\x00\x02\x06\x00\x02a\x00b\x00"
	z := func(s string) string {
		var out bytes.Buffer
		w := deflate.NewZlib(&out, [2]byte{0x78, 0x9c})
		w.Write([]byte(s))
		w.Close()
		return string(rune(out.Len())) + out.String()
	}
	for _, c := range []struct {
		text, data string
		e          edited
		want       string
	}{
		{based, data, edited{"name", `"ABCDE"`, "set", 0}, "ABCDE\x00\x02\x0a\x00\x02a\x00b\x00"},
		{based, data, edited{"e[0].v", `"aa"`, "set", 0}, "A\x00\x02\x06\x00\x03aa\x00b\x00"},
		{based, data, edited{"e[1].v", `"bb"`, "set", 0}, "A\x00\x02\x06\x00\x02a\x00bb\x00"},
		{units, "\x01abc\x009", edited{"a", `"longer"`, "set", 0}, "\x02longer\x00\x009"},
		{units, "\x02longer\x00\x009", edited{"a", `"more text"`, "set", 0}, "\x03more text\x00\x00\x009"},
		{units, "\x02abcdefg\x009", edited{"a", `"a"`, "set", 0}, "\x01a\x00\x00\x009"},
		{behind, "\x01\x03x\x11ab!!", edited{"dir", `{k: 7}`, "insert", 0}, "\x02\x03x\x07\x00\x11ab!!"},
		{summed, "\x01\xc3a\x00b\x00!", edited{"names", `"x"`, "insert", 0}, "\x02\x3bx\x00a\x00b\x00!"}, // what is inserted at its start is summed
		{window, "\xc3ab\x00cd\x00", edited{"names[0]", "", "delete", 0}, "\xc7cd\x00"},                  // of so many bytes, whatever they are
		{window, "\xc3ab\x00cd\x00", edited{"names", `"x"`, "insert", 0}, "\x78x\x00ab\x00cd\x00"},
		{packed, "\x01" + z("ab\x00"), edited{"c", `{len: 11, data: {x: "new"}}`, "insert", 0}, "\x02" + z("new\x00") + z("ab\x00")},
	} {
		splices, err := c.e.apply(openAs(t, c.text, []byte(c.data)))
		if got := string(spliced([]byte(c.data), splices)); err != nil || got != c.want {
			t.Errorf("%v: %q, not %q: %v", c.e, got, c.want, err)
		}
	}
	tr := openAs(t, apart, []byte("\x04\x03\x03\x08\x09"))
	if n, err := tr.NewReader().Resolve("body.s.names"); err != nil || n.Count != 2 {
		t.Errorf("a list behind a packed offset has %d elements, %v", n.Count, err)
	}
}

// TestTwins: where one field says how many elements a list and a table have, the table gets and loses numbers with the list, if they are
// offsets of the elements or say something of each; other lists are not changed with it.
func TestTwins(t *testing.T) {
	const (
		meta   = "meta: {id: twins, endian: le, encoding: ASCII}\n"
		items  = "  - {id: items, type: item, repeat: expr, repeat-expr: num}\n"
		item   = "types:\n  item: {seq: [{id: len, type: u1}, {id: s, type: str, size: len}]}\n"
		offset = meta + "seq:\n  - {id: num, type: u1}\n  - {id: tab, type: u1, repeat: expr, repeat-expr: num}\n" + items + "  - {id: end, type: u1}\n" + item
		refs   = meta + "seq:\n  - {id: num, type: u1}\n" + items + "  - {id: tab, type: ref, repeat: expr, repeat-expr: num}\n" + item + "  ref: {seq: [{id: kind, type: u1}, {id: at, type: u1}]}\n"
		dir    = meta + "seq:\n  - {id: num, type: u1}\n  - {id: tab, type: ref, repeat: expr, repeat-expr: num}\n" + items + item + "  ref: {seq: [{id: at, type: u1}, {id: size, type: u1}, {id: flags, type: u1}]}\n"
		sized  = meta + "seq:\n  - {id: num, type: u1}\n  - {id: tab, type: ref, repeat: expr, repeat-expr: num}\n  - {id: items, type: str, size: 'tab[_index].size', repeat: expr, repeat-expr: num}\ntypes: {ref: {seq: [{id: size, type: u1}, {id: flags, type: u1}]}}\n"
		sizes  = meta + "seq:\n  - {id: h, type: head}\n  - {id: items, type: str, size: 'h.tab[_index]', repeat: expr, repeat-expr: h.num}\ntypes:\n  head: {seq: [{id: num, type: u1}, {id: tab, type: u1, repeat: expr, repeat-expr: num}]}\n"
		digits = meta + "seq:\n  - {id: num, type: u1}\n" + items + "types: {item: {seq: [{id: len, type: str, size: 2}, {id: s, type: str, size: len.to_i}]}}\n"
		led    = meta + "seq: [{id: num, type: u1}, {id: tab, type: u1, repeat: expr, repeat-expr: num}, {id: gold, type: u1}]\ninstances: {items: {type: item(_index), repeat: expr, repeat-expr: num}}\ntypes:\n  item: {params: [{id: i, type: s4}], instances: {s: {pos: '_root.tab[i]', type: strz}}}\n"
		ends   = meta + "seq: [{id: num, type: u1}, {id: tab, type: u1, repeat: expr, repeat-expr: num + 1}, {id: gold, type: u1}]\ninstances: {items: {type: item(_index), repeat: expr, repeat-expr: num}}\ntypes:\n  item: {params: [{id: i, type: s4}], instances: {s: {pos: '_root.tab[i]', size: '_root.tab[i + 1] - _root.tab[i]', type: str}}}\n"
		both   = meta + "seq: [{id: num, type: u1}, {id: tab, type: u1, repeat: expr, repeat-expr: num}, {id: lens, type: u1, repeat: expr, repeat-expr: num}, {id: items, type: item(_index), repeat: expr, repeat-expr: num}, {id: size, type: u1}, {id: data, size: size}]\ninstances: {all: {pos: 0, size: _io.size}}\ntypes:\n  item: {params: [{id: i, type: s4}], instances: {s: {pos: '_root.tab[i]', size: '_root.lens[i]', type: str}}}\n"
		heap   = meta + "seq: [{id: num, type: u1}, {id: size, type: u1}, {id: tab, type: u1, repeat: expr, repeat-expr: num}, {id: heap, type: heap, size: size}]\ntypes:\n  heap: {instances: {items: {type: item(_index), repeat: expr, repeat-expr: _root.num}}}\n  item: {params: [{id: i, type: s4}], instances: {s: {pos: '_root.tab[i]', type: strz}}}\n"
		all    = meta + "seq: [{id: num, type: u1}, {id: ofs, type: u1}, {id: size, type: u1}, {id: all, size: size}, {id: gold, type: u1}]\ninstances: {items: {pos: ofs, type: item, repeat: expr, repeat-expr: num}}\ntypes:\n  item: {seq: [{id: len, type: u1}, {id: s, type: str, size: len}, {id: more, type: u1}, {id: x, type: u1, if: more == 1}]}\n"
		filled = meta + "seq: [{id: num, type: u1}, {id: items, type: item, repeat: expr, repeat-expr: num}]\ntypes: {item: {seq: [{id: len, type: u1}, {id: s, type: str, size: len}, {id: fill, size: (4 - _io.pos % 4) % 4}]}}\n"
		words  = meta + "seq: [{id: num, type: u1}, {id: items, type: item, repeat: expr, repeat-expr: num}]\ntypes:\n  item: {seq: [{id: words, type: u1}, {id: body, type: text, size: words * 4}]}\n  text: {seq: [{id: len, type: u1}, {id: s, type: str, size: len}]}\n"
	)
	for _, c := range []struct {
		text, data string
		e          edited
		want       string // "" for none
	}{
		{offset, "\x02\x03\x06\x02ab\x01c\xff", edited{"items", `{s: "xyz"}`, "insert", 1}, "\x03\x04\x07\x0b\x02ab\x03xyz\x01c\xff"},
		{offset, "\x02\x03\x06\x02ab\x01c\xff", edited{"items[0]", "", "delete", 0}, "\x01\x02\x01c\xff"},
		{offset, "\x02\x00\x03\x02ab\x01c\xff", edited{"items", `{s: "xyz"}`, "insert", 2}, "\x03\x00\x03\x05\x02ab\x01c\x03xyz\xff"},
		{offset, "\x02\x03\x06\x02ab\x01c\xff", edited{"items", `[{s: "q"}]`, "set", 0}, "\x01\x02\x01q\xff"},
		{offset, "\x02\x09\x05\x02ab\x01c\xff", edited{"items[0]", "", "delete", 0}, ""},
		{refs, "\x02\x02ab\x01c\x07\x01\x09\x04", edited{"items[0]", "", "delete", 0}, "\x01\x01c\x09\x01"},
		{refs, "\x02\x02ab\x01c\x07\x01\x09\x04", edited{"items", `{s: "xyz"}`, "insert", 1}, "\x03\x02ab\x03xyz\x01c\x07\x01\x00\x04\x09\x08"}, // of no kind, until one says so
		{dir, "\x02\x07\x03\x07\x0a\x02\x09\x02ab\x01c", edited{"items", `{s: "xyz"}`, "insert", 1}, "\x03\x0a\x03\x07\x0d\x04\x00\x11\x02\x09\x02ab\x03xyz\x01c"},
		{dir, "\x02\x07\x03\x07\x0a\x02\x09\x02ab\x01c", edited{"items[0]", "", "move", 1}, "\x02\x07\x02\x09\x09\x03\x07\x01c\x02ab"},
		{sized, "\x02\x03\x07\x02\x09abcde", edited{"items[0]", "", "move", 1}, "\x02\x02\x09\x03\x07deabc"},
		{sized, "\x02\x03\x07\x02\x09abcde", edited{"items", `"wxyz"`, "insert", 2}, "\x03\x03\x07\x02\x09\x04\x00abcdewxyz"},
		{sizes, "\x02\x03\x02abcde", edited{"items", `"wxyz"`, "insert", 1}, "\x03\x03\x04\x02abcwxyzde"},
		{sizes, "\x02\x03\x02abcde", edited{"items", `["w", "", "xy"]`, "set", 0}, "\x03\x01\x00\x02wxy"},
		{sizes, "\x02\x03\x02abcde", edited{"items[0]", "", "delete", 0}, "\x01\x02de"},
		{led, "\x02\x04\x07\x55ab\x00c\x00", edited{"items[0].s", `"x"`, "set", 0}, "\x02\x04\x06\x55x\x00c\x00"},
		{ends, "\x02\x05\x07\x08\x55abc", edited{"items[0]", "", "delete", 0}, "\x01\x04\x05\x55c"}, // one more offset than elements
		{ends, "\x02\x05\x07\x08\x55abc", edited{"items[1]", "", "delete", 0}, "\x01\x04\x06\x55ab"},
		{ends, "\x02\x05\x07\x08\x55abc", edited{"items", `{s: "xyz"}`, "insert", 1}, "\x03\x06\x08\x0b\x0c\x55abxyzc"},
		{ends, "\x02\x05\x07\x08\x55abc", edited{"items", `{s: "xyz"}`, "insert", 2}, "\x03\x06\x08\x09\x0c\x55abcxyz"},
		{heap, "\x02\x05\x00\x03ab\x00c\x00", edited{"heap.items", `{s: "xyz"}`, "insert", 1}, "\x03\x09\x00\x03\x07ab\x00xyz\x00c\x00"}, // offsets in another stream
		{heap, "\x02\x05\x00\x03ab\x00c\x00", edited{"heap.items[0]", "", "delete", 0}, "\x01\x02\x00c\x00"},
		{all, "\x02\x03\x07\x02ab\x00\x01c\x00\x55", edited{"items", `{s: "xyz"}`, "insert", 0}, "\x03\x03\x0c\x03xyz\x00\x02ab\x00\x01c\x00\x55"}, // what is described as bytes has them too
		{all, "\x02\x03\x07\x02ab\x00\x01c\x00\x55", edited{"items", `{s: "xyz"}`, "insert", 2}, "\x03\x03\x0c\x02ab\x00\x01c\x00\x03xyz\x00\x55"},
		{all, "\x02\x03\x07\x02ab\x00\x01c\x00\x55", edited{"items[1]", "", "delete", 0}, "\x01\x03\x04\x02ab\x00\x55"},
		{all, "\x02\x03\x07\x02ab\x00\x01c\x00\x55", edited{"items[1].more", "1", "set", 0}, "\x02\x03\x08\x02ab\x00\x01c\x01\x00\x55"},
		{digits, "\x0103abc", edited{"items", `{s: "xyzw"}`, "insert", 1}, "\x0203abc04xyzw"},
		{both, "\x02\x06\x09\x03\x02\x05abcde", edited{"items[0]", "", "delete", 0}, "\x01\x04\x02\x02de"},
		{both, "\x02\x06\x09\x03\x02\x05abcde", edited{"items[1]", "", "delete", 0}, "\x01\x04\x03\x03abc"},
		{filled, "\x02\x02ab\x03bcd", edited{"items", `{s: "x"}`, "insert", 0}, "\x03\x01x\x00\x02ab\x00\x03bcd"}, // each is filled up where it is now
		{filled, "\x03\x01x\x00\x02ab\x00\x03bcd", edited{"items[0]", "", "delete", 0}, "\x02\x02ab\x03bcd"},
		{words, "\x01\x01\x02ab\x00", edited{"items", `{body: {s: "abcd"}}`, "insert", 1}, "\x02\x01\x02ab\x00\x02\x04abcd\x00\x00\x00"},
		{led, "\x02\x04\x07\x55ab\x00c\x00", edited{"items", `{s: "xyz"}`, "insert", 1}, "\x03\x05\x08\x0c\x55ab\x00xyz\x00c\x00"},
	} {
		splices, err := c.e.apply(openAs(t, c.text, []byte(c.data)))
		if got := string(spliced([]byte(c.data), splices)); (err == nil) != (c.want != "") || err == nil && got != c.want {
			t.Errorf("%v of %q: %q, not %q: %v", c.e, c.data, got, c.want, err)
		}
	}
	const levels = meta + "seq: [{id: num, type: u1}, {id: ids, type: u1, repeat: expr, repeat-expr: num}, {id: levels, type: u2, repeat: expr, repeat-expr: num}]\n"
	for _, c := range []struct {
		e    edited
		want string
	}{
		{edited{"ids", "7", "insert", 1}, "\x03\x01\x07\x02\x11\x00\x00\x00\x22\x00"},
		{edited{"levels[0]", "", "delete", 0}, "\x01\x02\x22\x00"},
		{edited{"ids", "[7]", "set", 0}, "\x01\x07\x11\x00"},
	} {
		data := "\x02\x01\x02\x11\x00\x22\x00"
		tr := openAs(t, levels, []byte(data))
		var choice *edit.ChoiceError
		if _, err := c.e.apply(tr); !errors.As(err, &choice) || len(choice.Choices) != 1 || choice.Choices[0].Kind() != edit.KeepEqual {
			t.Errorf("%v is not asked: %v", c.e, err)
		}
		splices, err := c.e.apply(tr, edit.KeepEqual)
		if got := string(spliced([]byte(data), splices)); err != nil || got != c.want {
			t.Errorf("%v: %q, not %q: %v", c.e, got, c.want, err)
		}
	}
	const away = meta + "seq: [{id: dir, type: ent, repeat: expr, repeat-expr: 2}]\ntypes:\n  ent: {seq: [{id: ofs, type: u1}], instances: {rec: {pos: ofs, type: rec}}}\n" +
		"  rec: {seq: [{id: num, type: u1}, {id: tab, type: u1, repeat: expr, repeat-expr: num}, {id: items, type: strz, repeat: expr, repeat-expr: num}]}\n"
	data, e := "\x02\x06\x01\x00c\x00\x02\x00\x03ab\x00c\x00", edited{"dir[1].rec.items[0]", "", "delete", 0}
	splices, err := e.apply(openAs(t, away, []byte(data)))
	if got, want := string(spliced([]byte(data), splices)), "\x02\x06\x01\x00c\x00\x01\x00c\x00"; err != nil || got != want {
		t.Errorf("%q, not %q: %v", got, want, err)
	}
}

// TestTwinsFilled: what is around and in the elements of a list that follows another one is filled up where it is then.
func TestTwinsFilled(t *testing.T) {
	const text = `
meta: {id: twins, encoding: ASCII}
seq: [{id: num, type: u1}, {id: ids, type: u1, repeat: expr, repeat-expr: num}, {id: names, type: name, repeat: expr, repeat-expr: num}, {id: end, type: u1}]
types: {name: {seq: [{id: len, type: u1}, {id: s, type: str, size: len}, {id: fill, size: (4 - _io.pos % 4) % 4}]}}
`
	file := func(ids string, names ...string) string {
		b := string(rune(len(ids))) + ids
		for _, s := range names {
			b += string(rune(len(s))) + s
			b += strings.Repeat("\x00", -len(b)&3)
		}
		return b + "."
	}
	for _, c := range []struct {
		e    edited
		want string
	}{
		{edited{"ids", "7", "insert", 1}, file("a\x07bc", "x", "", "", "long")},
		{edited{"ids", "7", "insert", 3}, file("abc\x07", "x", "", "long", "")},
		{edited{"ids[0]", "", "delete", 0}, file("bc", "", "long")},
		{edited{"ids[2]", "", "delete", 0}, file("ab", "x", "")},
		{edited{"ids", "[1, 2, 3, 4, 5]", "set", 0}, file("\x01\x02\x03\x04\x05", "x", "", "long", "", "")},
		{edited{"ids", "[1]", "set", 0}, file("\x01", "x")},
		{edited{"names", `{s: "new"}`, "insert", 1}, file("a\x00bc", "x", "new", "", "long")},
	} {
		was := file("abc", "x", "", "long")
		splices, err := c.e.apply(openAs(t, text, []byte(was)), edit.KeepEqual)
		if got := string(spliced([]byte(was), splices)); err != nil || got != c.want {
			t.Errorf("%v: %q, not %q: %v", c.e, got, c.want, err)
		}
	}
}

// TestSlots: what is put into a list of so many slots fills the first empty one from there on, or the first of all; what is deleted
// leaves an empty one. Nothing is put into a full list.
func TestSlots(t *testing.T) {
	const text = `
meta: {id: slots, endian: le, encoding: ASCII}
seq: [{id: slots, type: slot, repeat: expr, repeat-expr: 4}, {id: end, type: u1}]
types: {slot: {seq: [{id: n, type: u1}, {id: s, type: str, size: 2, pad-right: 0}]}}
`
	for _, c := range []struct {
		data string
		e    edited
		want string // "" for none
	}{
		{"\x01ab\x00\x00\x00\x02c\x00\x00\x00\x00\xff", edited{"slots", `{n: 7, s: "z"}`, "insert", 0}, "\x01ab\x07z\x00\x02c\x00\x00\x00\x00\xff"},
		{"\x01ab\x00\x00\x00\x02c\x00\x00\x00\x00\xff", edited{"slots", `{n: 7, s: "z"}`, "insert", 2}, "\x01ab\x00\x00\x00\x02c\x00\x07z\x00\xff"},
		{"\x01ab\x00\x00\x00\x02c\x00\x00\x00\x00\xff", edited{"slots", `{n: 7, s: "z"}`, "insert", 4}, "\x01ab\x07z\x00\x02c\x00\x00\x00\x00\xff"},
		{"\x01ab\x00\x00\x00\x02c\x00\x00\x00\x00\xff", edited{"slots[0]", "", "copy", 1}, "\x01ab\x01ab\x02c\x00\x00\x00\x00\xff"},
		{"\x01ab\xff\xff\xff\x02c\x00\xff\xff\xff\xff", edited{"slots[2]", "", "delete", 0}, "\x01ab\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"},
		{"\x01ab\x02c\x00\x02c\x00\x03\x00\x00\xff", edited{"slots", `{n: 7}`, "insert", 0}, ""},
		{"\x01ab\x02c\x00\x02c\x00\x03\x00\x00\xff", edited{"slots[0]", "", "delete", 0}, ""}, // what is an empty one?
	} {
		splices, err := c.e.apply(openAs(t, text, []byte(c.data)))
		if got := string(spliced([]byte(c.data), splices)); (err == nil) != (c.want != "") || err == nil && got != c.want {
			t.Errorf("%v of %q: %q, not %q: %v", c.e, c.data, got, c.want, err)
		}
	}
}

// TestLast: where a flag in the last element ends a list, another element has it once the last is another one. What looks like a flag,
// and is more or ends a list that has an empty last element, stays as it is.
func TestLast(t *testing.T) {
	list := func(attrs, until string) string {
		return "meta: {id: last, endian: le, encoding: ASCII, bit-endian: be}\nseq: [{id: items, type: item, repeat: until, repeat-until: '" + until + "'}, {id: end, type: u1}]\ntypes: {item: {seq: [" + attrs + "]}}\n"
	}
	last, more := list("{id: last, type: u1}, {id: s, type: strz}", "_.last == 1"), list("{id: s, type: strz}, {id: more, type: b1}, {id: n, type: b7}", "not _.more")
	used := list("{id: kind, type: u1}, {id: s, type: strz, if: kind != 0}", "_.kind == 0")
	for _, c := range []struct {
		text, data string
		e          edited
		want       string // "" for none
	}{
		{last, "\x00a\x00\x01b\x00\xff", edited{"items", `{s: "xy"}`, "insert", 2}, "\x00a\x00\x00b\x00\x01xy\x00\xff"},
		{last, "\x00a\x00\x01b\x00\xff", edited{"items", `{s: "xy"}`, "insert", 0}, "\x00xy\x00\x00a\x00\x01b\x00\xff"},
		{last, "\x00a\x00\x01b\x00\xff", edited{"items[1]", "", "delete", 0}, "\x01a\x00\xff"},
		{last, "\x00a\x00\x01b\x00\xff", edited{"items[1]", "", "move", 0}, "\x00b\x00\x01a\x00\xff"},
		{last, "\x00a\x00\x01b\x00\xff", edited{"items[0]", "", "move", 1}, "\x00b\x00\x01a\x00\xff"},
		{last, "\x00a\x00\x01b\x00\xff", edited{"items[1]", "", "copy", 2}, "\x00a\x00\x00b\x00\x01b\x00\xff"},
		{last, "\x01b\x00\xff", edited{"items", `{s: "xy"}`, "insert", 1}, "\x00b\x00\x01xy\x00\xff"},
		{last, "\x01b\x00\xff", edited{"items[0]", "", "delete", 0}, ""},
		{more, "a\x00\x85b\x00\x06\xff", edited{"items[1]", "", "delete", 0}, "a\x00\x05\xff"},
		{more, "a\x00\x85b\x00\x06\xff", edited{"items", `{s: "c", n: 1}`, "insert", 1}, "a\x00\x85c\x00\x81b\x00\x06\xff"},
		{used, "\x01a\x00\x00\xff", edited{"items[1]", "", "delete", 0}, ""},
		{list("{id: n, type: u1}, {id: s, type: strz}", "_.n == 0"), "\x01a\x00\x00\x00\xff", edited{"items[1]", "", "delete", 0}, ""},
		{list("{id: n, type: u1}, {id: s, type: strz}", "_.n == 0"), "\x01a\x00\x03b\x00\x00c\x00\xff", edited{"items[2]", "", "delete", 0}, ""},
	} {
		splices, err := c.e.apply(openAs(t, c.text, []byte(c.data)))
		if got := string(spliced([]byte(c.data), splices)); (err == nil) != (c.want != "") || err == nil && got != c.want {
			t.Errorf("%v of %q: %q, not %q: %v", c.e, c.data, got, c.want, err)
		}
	}
}

// TestFixed: an edit that nothing can follow is refused with what is in its way.
func TestFixed(t *testing.T) {
	for size, why := range map[string]string{
		"n % 100": "the size of s (description:2) would have to be 3: what decides it cannot be worked out from that",
		"1":       "there is room for 1 bytes, and this has 3",
	} {
		text := "meta: {id: fixed, endian: le, encoding: ASCII}\nseq: [{id: n, type: u1}, {id: s, type: str, size: '" + size + "'}]\n"
		e := edited{"s", `"abc"`, "set", 0}
		_, err := e.apply(openAs(t, text, []byte("\x65a")))
		if err == nil || err.Error() != why {
			t.Errorf("%s: %v", size, err)
		}
	}
}

// TestRoom: where a struct has its own bytes, and these cannot have another size, zeros behind what is read of it make room.
func TestRoom(t *testing.T) {
	const (
		types  = "types:\n  rec: {seq: [{id: s, type: strz}]}\n"
		words  = "meta: {id: words, endian: le, encoding: ASCII}\nseq: [{id: n, type: u1}, {id: rec, type: rec, size: 4 * n}, {id: end, type: u1}]\n" + types
		fixed  = "meta: {id: fixed, endian: le, encoding: ASCII}\nseq: [{id: n, type: u1}, {id: recs, type: rec, size: n, repeat: expr, repeat-expr: 2}]\n" + types
		filled = "meta: {id: filled, endian: le, encoding: ASCII}\nseq: [{id: n, type: u1}, {id: rec, type: rec, size: 4 * n}]\ntypes:\n  rec: {seq: [{id: s, type: strz}, {id: pad, size-eos: true}]}\n"
		pages  = "meta: {id: pages, endian: le, encoding: ASCII}\nseq: [{id: num, type: u1}, {id: n, type: u1}, {id: recs, type: rec, size: n, repeat: expr, repeat-expr: num}]\ntypes:\n  rec: {seq: [{id: s, type: strz}, {id: free, size-eos: true}]}\n"
		room   = "meta: {id: room, encoding: ASCII}\nseq: [{id: n, type: u1}, {id: s, type: str, size: n}, {id: pad, size: 5 - n}, {id: end, type: u1}]\n"
		comes  = "meta: {id: comes, endian: le, encoding: ASCII}\nseq: [{id: n, type: u1}, {id: rec, type: rec, size: 4 * n}, {id: end, type: u1}]\nenums: {e: {5: five}}\ntypes:\n  rec: {seq: [{id: s, type: strz}, {id: has, type: str, size: 1}, {id: more, type: u1, enum: e, if: 'has == \"y\"'}]}\n"
		rests  = "meta: {id: rests, endian: le, encoding: ASCII}\nseq: [{id: n, type: u1}, {id: rec, type: rec, size: 4 * n}]\ntypes:\n  rec: {seq: [{id: s, type: strz}, {id: rest, size: 2}]}\n"
		behind = "meta: {id: behind, endian: le, encoding: ASCII}\nseq: [{id: n, type: u1}, {id: rec, type: rec, size: 4 * n}]\ntypes:\n  rec: {seq: [{id: e, type: ent, repeat: expr, repeat-expr: 2}]}\n  ent: {seq: [{id: ofs, type: u1}], instances: {s: {pos: ofs, type: strz}}}\n"
		open   = "meta: {id: open, endian: le, encoding: ASCII}\nseq: [{id: n, type: u1}, {id: rec, type: rec, size: n}]\n" + types
	)
	for _, c := range []struct{ text, data, path, literal, want string }{
		{words, "\x01abc\x00\xff", "rec.s", "a", "\x01a\x00\x00\x00\xff"},
		{words, "\x01abc\x00\xff", "rec.s", "abcd", "\x02abcd\x00\x00\x00\x00\xff"},
		{words, "\x02abcd\x00\x00\x00\x00\xff", "rec.s", "abcdef", "\x02abcdef\x00\x00\xff"},
		{words, "\x02abcd\x00\x00\x00\x00\xff", "rec.s", "ab", "\x01ab\x00\x00\xff"},
		{words, "\x02abcd\x00\x00\x07\x00\xff", "rec.s", "abcdef", ""},               // something is there
		{pages, "\x01\x05ab\x00\x00\x00", "recs[0].s", "abc", "\x01\x05abc\x00\x00"}, // of pages, of which there is one
		{pages, "\x01\x05ab\x00\x00\x00", "recs[0].s", "abcde", "\x01\x08abcde\x00\x00\x00"},
		{comes, "\x02abc\x00n\x00\x00\x00\xff", "rec.has", "y", "\x02abc\x00y\x05\x00\x00\xff"},
		{comes, "\x02abcde\x00n\x00\xff", "rec.has", "y", "\x02abcde\x00y\x05\xff"},
		{fixed, "\x04abc\x00d\x00\x00\x00", "recs[0].s", "x", "\x04x\x00\x00\x00d\x00\x00\x00"},
		{fixed, "\x04abc\x00d\x00\x00\x00", "recs[1].s", "def", "\x04abc\x00def\x00"},
		{fixed, "\x04abc\x00d\x00\x00\x00", "recs[1].s", "defg", ""},
		{filled, "\x02a\x00\x00\x00\x00\x00\x00\x00", "rec.s", "abcd", "\x02abcd\x00\x00\x00\x00"},
		{filled, "\x02abcd\x00\xff\xff\xff", "rec.s", "a", "\x01a\x00\xff\xff"},
		{filled, "\x02a\x00\x00\x00\x00\x00\x00\x07", "rec.s", "abcd", "\x03abcd\x00\x00\x00\x00\x00\x00\x07\x00"}, // something is there
		{room, "\x02ab\x20\x20\x20\xff", "s", "abcd", "\x04abcd\x20\xff"},
		{room, "\x02ab\x20\x20\x20\xff", "s", "", "\x00\x20\x20\x20\x20\x20\xff"},
		{room, "\x02ab\x20\x20\x20\xff", "s", "abcdef", ""},
		{room, "\x02ab\x20\x07\x20\xff", "s", "a", ""},                                      // something is there
		{rests, "\x02abc\x00\x07\x07\x00\x00", "rec.s", "abcd", "\x02abcd\x00\x07\x07\x00"}, // what has one size fills nothing up
		{rests, "\x02abc\x00\x07\x07\x00\x00", "rec.s", "abcdefg", "\x03abcdefg\x00\x07\x07\x00\x00"},
		{rests, "\x02abc\x00\x00\x00\x00\x00", "rec.s", "a", "\x01a\x00\x00\x00"},
		{behind, "\x02\x02\x04a\x00bcd\x00", "rec.e[0].s", "ab", "\x03\x02\x05ab\x00bcd\x00\x00\x00\x00"}, // instances read up to the end
		{behind, "\x02\x02\x04a\x00b\x00\x00\x00", "rec.e[1].s", "bcd", "\x02\x02\x04a\x00bcd\x00"},
		{behind, "\x02\x02\x04a\x00b\x00\x00\x07", "rec.e[1].s", "bcd", ""},
		{open, "\x06abc\x00\x00\x00", "rec.s", "x", "\x04x\x00\x00\x00"}, // what is behind it may mean something
	} {
		e := edited{c.path, strconv.Quote(c.literal), "set", 0}
		splices, err := e.apply(openAs(t, c.text, []byte(c.data)))
		if got := string(spliced([]byte(c.data), splices)); (err == nil) != (c.want != "") || err == nil && got != c.want {
			t.Errorf("%v of %q: %q, not %q: %v", e, c.data, got, c.want, err)
		}
	}
}

// TestChance: a small number is not taken for a size or a number that a field says, unless its name says so; it is for one that is
// deeper in what is beside it or lies elsewhere. A number that is 0 is one if its name says of what.
func TestChance(t *testing.T) {
	const footer = `
meta: {id: footer, endian: le, encoding: ASCII}
seq: [{id: items, type: strz, repeat: expr, repeat-expr: tail.n}]
instances: {tail: {pos: _io.size - 4, type: tail}}
types: {tail: {seq: [{id: n, type: u1}, {id: len_items, type: u1}, {id: item_count, type: u1}, {id: zero, type: u1}]}}
`
	const text = `
meta: {id: chance, endian: le, encoding: ASCII}
seq: [{id: item_count, type: u1}, {id: hp, type: u1}, {id: body, type: body}]
types:
  body: {seq: [{id: num, type: u1}, {id: items, type: item, repeat: expr, repeat-expr: num}, {id: num_wins, type: u1}]}
  item: {seq: [{id: len, type: u1}, {id: s, type: str, size: len}, {id: size, type: u1}]}
`
	const named = `
meta: {id: named, endian: le, encoding: ASCII}
seq: [{id: file_len, type: u1}, {id: tail_offset, type: u1}, {id: item, type: strz}, {id: tail, type: tail}]
types: {tail: {seq: [{id: by, type: strz}, {id: total, type: u1}]}}
`
	const boxes = `
meta: {id: boxes, encoding: ASCII}
seq: [{id: num, type: u1}, {id: boxes, type: box, repeat: eos}]
types:
  box: {seq: [{id: n, type: u1}, {id: items, type: item, repeat: expr, repeat-expr: n}]}
  item: {seq: [{id: len, type: u1}, {id: s, type: str, size: len}]}
`
	const bag = `
meta: {id: bag, encoding: ASCII}
seq: [{id: num_bag, type: u1}, {id: len, type: u1}, {id: bag, type: bag, size: len}, {id: motto, type: str, size: 3}]
types:
  bag: {seq: [{id: list, type: item, repeat: eos}]}
  item: {seq: [{id: len, type: u1}, {id: s, type: str, size: len}]}
`
	const element = `
meta: {id: element, endian: le, encoding: ASCII}
seq: [{id: items, type: item, repeat: expr, repeat-expr: 2}, {id: pet, type: u1}]
types: {item: {seq: [{id: s, type: strz}, {id: qty, type: u1}, {id: pad, size: 8}]}}
`
	data := []byte("\x02\x02\x02\x02ab\x02\x01c\x01\x02")
	for _, c := range []struct{ path, literal, op, want, named string }{
		{"body.items[0]", "", "delete", "\x01\x02\x01\x01c\x01\x02", "item_count"},
		{"body.items[0].s", `"xyz"`, "set", "\x02\x02\x02\x03xyz\x02\x01c\x01\x02", ""},
		{"tail.by", `"ab"`, "set", "\x15\x11item 012345678\x00ab\x00\x15", "file_len, total"}, // the tail's offset was equal to the size of it and what is before it, too
		{"items[0]", "", "delete", "bc\x00\x01\x03\x01\x00", "len_items, item_count"},
		{"items[0].s", `"a"`, "set", "a\x00\x17........c\x00\x05........!", ""}, // other elements have nothing of the kind
		{"boxes[1].items[1]", "", "delete", "\x02\x02\x02ab\x01c\x01\x01d", ""}, // still the number of boxes
		{"bag.list[0]", "", "delete", "\x02\x04\x01b\x01cwxy", "num_bag"},       // a text beside it has that size by chance
		{"items", `["new"]`, "set", "new\x00\x01\x04\x01\x00", "len_items, item_count"},
	} {
		text, data := text, data
		switch c.path {
		case "items[0]":
			text, data = footer, []byte("a\x00bc\x00\x02\x05\x02\x00")
		case "tail.by":
			text, data = named, []byte("\x13\x11item 012345678\x00\x00\x13")
		case "items":
			text, data = footer, []byte("\x00\x00\x00\x00")
		case "bag.list[0]":
			text, data = bag, []byte("\x03\x06\x01a\x01b\x01cwxy")
		case "boxes[1].items[1]":
			text, data = boxes, []byte("\x02\x02\x02ab\x01c\x02\x01d\x01e")
		case "items[0].s":
			text, data = element, []byte("ab\x00\x17........c\x00\x05........!") // 0x17 is where pet is
		}
		tr := openAs(t, text, data)
		n, err := tr.NewReader().Resolve(c.path)
		if err != nil {
			t.Fatal(err)
		}
		var named []string
		edit1 := func(o edit.Options) string {
			e, r := tr.Reading.(edit.Editor), tr.NewReader()
			splices, err := e.Delete(t.Context(), r, n, o)
			if c.op == "set" {
				splices, err = e.Set(t.Context(), r, n, edit.Content{Literal: c.literal}, o)
			}
			if err != nil {
				t.Fatal(err)
			}
			return string(spliced(data, splices))
		}
		edit1(edit.Options{Unequal: func(e *edit.ChoiceError) error {
			name, _, _ := strings.Cut(e.Text, " (")
			named = append(named, name)
			return nil
		}})
		if got := edit1(edit.Options{Choices: []edit.Choice{edit.KeepEqual}}); got != c.want || strings.Join(named, ", ") != c.named {
			t.Errorf("%s: %q, not %q; named are %q", c.path, got, c.want, named)
		}
	}
}

// TestDigits: a size in digits that end somewhere has as many as it needs; where others fill up the place of one, that stays full.
func TestDigits(t *testing.T) {
	const text = `
meta: {id: digits, encoding: ASCII}
seq: [{id: len, type: str, terminator: 0x0a}, {id: s, type: str, size: len.to_i}, {id: wide, type: str, size: 3}, {id: z, type: str, size: wide.to_i}]
`
	for _, c := range []struct{ path, literal, data, want string }{
		{"s", `"x"`, "12\nhello, world003abc", "1\nx003abc"},
		{"s", `""`, "12\nhello, world003abc", "0\n003abc"},
		{"s", `"x"`, "012\nhello, world003abc", "001\nx003abc"},
		{"s", `"hello, world"`, "1\nx003abc", "12\nhello, world003abc"},
		{"z", `"x"`, "1\nx012hello, world", "1\nx001x"},
		{"z", `"x"`, "1\nx 12hello, world", "1\nx  1x"},
		{"z", `"x"`, "1\nx120" + strings.Repeat("z", 120), "1\nx001x"},
	} {
		tr := openAs(t, text, []byte(c.data))
		if got, err := setIn(t, tr, c.path, c.literal, edit.Options{}); err != nil || got != c.want {
			t.Errorf("%q %s=%s: %q, not %q (%v)", c.data, c.path, c.literal, got, c.want, err)
		}
	}
}

// setIn returns the bytes of a tree once a value is set.
func setIn(t *testing.T, tr *tree.Tree, path, literal string, o edit.Options) (string, error) {
	t.Helper()
	n, err := tr.NewReader().Resolve(path)
	if err != nil {
		t.Fatal(err)
	}
	splices, err := tr.Reading.(edit.Editor).Set(t.Context(), tr.NewReader(), n, edit.Content{Literal: literal}, o)
	data := make([]byte, tr.Source.Size())
	if _, err := tr.Source.ReadAt(data, 0); err != nil {
		t.Fatal(err)
	}
	return string(spliced(data, splices)), err
}

// TestFilledLength: a number that was the length of a text which something fills up is named, and follows.
func TestFilledLength(t *testing.T) {
	const text = `
meta: {id: filled, encoding: UTF-8}
seq: [{id: len_name, type: u1}, {id: name, type: str, size: 8, terminator: 0}, {id: len_title, type: u1}, {id: title, type: str, size: 8, pad-right: 0x20}, {id: rest, size-eos: true}]
`
	const data = "\x04Mira\x00\x00\x00\x00\x04Dame    ."
	for _, c := range []struct{ path, literal, want, named string }{
		{"name", `"Bo"`, "\x02Bo\x00\x00\x00\x00\x00\x00\x04Dame    .", "len_name"},
		{"name", `"Anna"`, "\x04Anna\x00\x00\x00\x00\x04Dame    .", ""},
		{"title", `"Lady H"`, "\x04Mira\x00\x00\x00\x00\x06Lady H  .", "len_title"},
	} {
		tr, named := openAs(t, text, []byte(data)), ""
		_, err := setIn(t, tr, c.path, c.literal, edit.Options{Unequal: func(e *edit.ChoiceError) error { named += e.Text; return nil }})
		got, errKept := setIn(t, tr, c.path, c.literal, edit.Options{Choices: []edit.Choice{edit.KeepEqual}})
		if name, _, _ := strings.Cut(named, " ("); err != nil || errKept != nil || got != c.want || name != c.named {
			t.Errorf("%s=%s: %q, not %q; named is %q (%v, %v)", c.path, c.literal, got, c.want, named, err, errKept)
		}
	}
	tr, named := openAs(t, text, []byte(data)), ""
	if _, err := setIn(t, tr, "name", `"Åsa"`, edit.Options{Unequal: func(e *edit.ChoiceError) error { named += e.Text; return nil }}); err != nil || !strings.Contains(named, "in characters or") {
		t.Errorf("a text of 3 characters in 4 bytes: %q, %v", named, err)
	}
}

// TestBlockLength: a length that decides a size in blocks is that of the text, if it was; what else it has beside the size stays.
func TestBlockLength(t *testing.T) {
	for _, c := range []struct{ size, data, literal, want string }{
		{"(len + 3) / 4 * 4", "\x02ab\x00\x00.", `"xyz"`, "\x03xyz\x00."},
		{"(len + 3) / 4 * 4", "\x02ab\x00\x00.", `"abcde"`, "\x05abcde\x00\x00\x00."},
		{"(len + 3) / 4 * 4", "\x06abcdef\x00\x00.", `"xy"`, "\x02xy\x00\x00."},
		{"(len + 3) / 4 * 4", "\x04ab\x00\x00.", `"xyz"`, "\x04xyz\x00."},
		{"len >> 1", "\x05ab.", `"xyz"`, "\x07xyz."},
		{"len - 1", "\x03ab.", `"x"`, "\x02x."},
		{"len + 1", "\x02ab\x00.", `"x"`, "\x01x\x00."},
		{"len + 1", "\x02abc.", `"wxyz"`, "\x03wxyz."},
	} {
		text := "meta: {id: blocks, encoding: ASCII}\nseq: [{id: len, type: u1}, {id: s, type: str, size: " + c.size + ", terminator: 0}, {id: end, contents: .}]\n"
		if got, err := setIn(t, openAs(t, text, []byte(c.data)), "s", c.literal, edit.Options{}); err != nil || got != c.want {
			t.Errorf("%s of %q: %q, not %q (%v)", c.size, c.data, got, c.want, err)
		}
	}
}

// TestSumBesideSize: a checksum of bytes is asked about where an edit inserts some at their start, and changes the size before them.
func TestSumBesideSize(t *testing.T) {
	const text = `
meta: {id: beside, endian: le}
seq: [{id: n, type: u1}, {id: crc, type: u4}, {id: size, type: u1}, {id: all, size: size}]
instances: {items: {pos: 6, type: u4, repeat: expr, repeat-expr: n}}
`
	const items = "abcdefgh"
	data := binary.LittleEndian.AppendUint32([]byte("\x02"), crc32.ChecksumIEEE([]byte(items)))
	data = append(data, "\x08"+items...)
	tr, asked := openAs(t, text, data), ""
	list, err := tr.NewReader().Resolve("items")
	if err == nil {
		_, err = tr.Reading.(edit.Editor).Insert(t.Context(), tr.NewReader(), list, 0, edit.Content{Literal: "7"}, edit.Options{Unequal: func(e *edit.ChoiceError) error { asked += e.Text; return nil }})
	}
	if err != nil || !strings.Contains(asked, "crc (description:3) was the crc32 of all") {
		t.Errorf("asked about %q: %v", asked, err)
	}
}

// TestFillInRoom: what fills up a value comes into a body that is filled up as well, and of which the zeros were used up before.
func TestFillInRoom(t *testing.T) {
	const text = `
meta: {id: room, encoding: ASCII}
seq: [{id: words, type: u1}, {id: body, type: body, size: words * 4}, {id: end, contents: .}]
types:
  body: {seq: [{id: room, type: u1}, {id: in, type: in, size: room}]}
  in: {seq: [{id: len, type: u1}, {id: s, type: str, size: len}, {id: fill, size: (16 - len % 16) % 16}]}
`
	file := func(c string, n int) string {
		in := string(rune(n)) + strings.Repeat(c, n) + strings.Repeat("\x00", -n&15)
		body := string(rune(len(in))) + in
		body += strings.Repeat("\x00", -len(body)&3)
		return string(rune(len(body)/4)) + body + "."
	}
	for n := 1; n < 60; n++ {
		for _, was := range []int{16, 32, 5, 40} {
			got, err := setIn(t, openAs(t, text, []byte(file("a", was))), "body.in.s", strconv.Quote(strings.Repeat("b", n)), edit.Options{})
			if want := file("b", n); err != nil || got != want {
				t.Errorf("%d after %d: %q, not %q (%v)", n, was, got, want, err)
			}
		}
	}
}

// TestSameBytes: two instances have the same bytes, of which one is read as bytes; what is inserted at their start is in both.
func TestSameBytes(t *testing.T) {
	const text = `
meta: {id: same, encoding: ASCII}
seq: [{id: num, type: u1}, {id: dir, type: entry, repeat: expr, repeat-expr: num}]
types:
  entry:
    seq: [{id: ofs, type: u1}, {id: len, type: u1}, {id: sum, type: u1, -varview-value: sum8(raw)}]
    instances: {raw: {io: _root._io, pos: ofs, size: len}, body: {io: _root._io, pos: ofs, size: len, type: body}}
  body: {seq: [{id: vals, type: u1, repeat: eos}]}
`
	const data = "\x02\x07\x02\x03\x09\x01\x05\x01\x02\x05"
	tr := openAs(t, text, []byte(data))
	for _, c := range []struct{ path, want string }{
		{"dir[0].body.vals", "\x02\x07\x03\x0c\x0a\x01\x05\x09\x01\x02\x05"},
		{"dir[1].body.vals", "\x02\x07\x02\x03\x09\x02\x0e\x01\x02\x09\x05"},
	} {
		n, err := tr.NewReader().Resolve(c.path)
		if err != nil {
			t.Fatal(err)
		}
		splices, err := tr.Reading.(edit.Editor).Insert(t.Context(), tr.NewReader(), n, 0, edit.Content{Literal: "9"}, edit.Options{})
		if got := string(spliced([]byte(data), splices)); err != nil || got != c.want {
			t.Errorf("%s: %q, not %q (%v)", c.path, got, c.want, err)
		}
	}
	for _, c := range []struct {
		e    edited
		want string
	}{
		{edited{"dir", `{body: {vals: [4, 6]}}`, "insert", 2}, "\x03\x0a\x02\x03\x0c\x01\x05\x0d\x02\x0a\x01\x02\x05\x04\x06"},
		{edited{"dir[0]", "", "delete", 0}, "\x01\x04\x01\x05\x05"},
	} {
		splices, err := c.e.apply(tr)
		if got := string(spliced([]byte(data), splices)); err != nil || got != c.want {
			t.Errorf("%v: %q, not %q (%v)", c.e, got, c.want, err)
		}
	}
}

// TestFresh: what the elements beside a new one say of themselves, and the literal does not say of that, is named, and follows; what the
// literal says stays, and so does what is equal by chance.
func TestFresh(t *testing.T) {
	const text = `
meta: {id: fresh, endian: le, encoding: ASCII}
seq: [{id: num, type: u1}, {id: recs, type: rec, repeat: expr, repeat-expr: num}]
types:
  rec: {seq: [{id: len, type: u1}, {id: body, type: body, size: len}, {id: again, type: u1}, {id: check, type: u1}, {id: qty, type: u1}]}
  body: {seq: [{id: used, type: u1}, {id: name, type: str, size: 4, terminator: 0}, {id: bag, type: rest}]}
  rest: {seq: [{id: s, type: strz}]}
`
	rec := func(name, s string, again, check int, qty byte) string {
		body := string(rune(len(name))) + name + strings.Repeat("\x00", 4-len(name)) + s + "\x00"
		sum := byte(check)
		if check < 0 {
			sum = 0
			for i := range len(body) {
				sum += body[i]
			}
		}
		if again < 0 {
			again = len(body)
		}
		return string(rune(len(body))) + body + string([]byte{byte(again), sum, qty})
	}
	olds := []string{rec("abc", "x", -1, -1, 3), rec("ab", "xyzw", -1, -1, 2), rec("d", "uvwxyzuvw", -1, -1, 4)}
	const given, sums = `{body: {name: "new", bag: {s: "st"}}, qty: 9}`, `{body: {used: 3, name: "new", bag: {s: "st"}}, again: 7, check: 5}`
	isNew, isGiven := rec("new", "st", -1, -1, 9), rec("new", "st", 7, 5, 0)
	before := "\x03" + olds[0] + rec("ab", "yz", -1, -1, 5) + olds[2]
	for _, c := range []struct{ was, path, literal, want, named string }{
		{"", "", given, "\x04" + olds[0] + isNew + olds[1] + olds[2], "used, again, check"},
		{"", "", sums, "\x04" + olds[0] + isGiven + olds[1] + olds[2], ""},
		{"", "recs[1]", given, "\x03" + olds[0] + isNew + olds[2], "used, again, check"},
		{before, "recs[1]", given, "\x03" + olds[0] + isNew + olds[2], "used, again, check"}, // which keeps its size
		{"", "recs[1]", sums, "\x03" + olds[0] + isGiven + olds[2], ""},
		{"", "recs", "[" + sums + ", " + given + "]", "\x02" + isGiven + isNew, "used, again, check"},
	} {
		was := cmp.Or(c.was, "\x03"+strings.Join(olds, ""))
		tr := openAs(t, text, []byte(was))
		var named []string
		change := func(o edit.Options) string {
			n, err := tr.NewReader().Resolve(cmp.Or(c.path, "recs"))
			if err != nil {
				t.Fatal(err)
			}
			e, content := tr.Reading.(edit.Editor), edit.Content{Literal: c.literal}
			var splices []source.Splice
			if c.path == "" {
				splices, err = e.Insert(t.Context(), tr.NewReader(), n, 1, content, o)
			} else {
				splices, err = e.Set(t.Context(), tr.NewReader(), n, content, o)
			}
			if err != nil {
				t.Errorf("%s %s: %v", c.path, c.literal, err)
			}
			return string(spliced([]byte(was), splices))
		}
		change(edit.Options{Unequal: func(e *edit.ChoiceError) error {
			name, _, _ := strings.Cut(e.Text, " (")
			named = append(named, name)
			return nil
		}})
		if got := change(edit.Options{Choices: []edit.Choice{edit.KeepEqual}}); got != c.want || strings.Join(named, ", ") != c.named {
			t.Errorf("%s %s: %q, not %q; named are %q", c.path, c.literal, got, c.want, named)
		}
	}
}

// TestFreshMany: a list that is set as a whole gets all its checksums, however many, and one question is about all of them.
func TestFreshMany(t *testing.T) {
	const text = `
meta: {id: fresh, endian: le}
seq: [{id: num, type: u2}, {id: recs, type: rec, repeat: expr, repeat-expr: num}, {id: crc_all, type: u4}]
types:
  rec: {seq: [{id: crc, type: u4}, {id: body, type: body}]}
  body: {seq: [{id: gold, type: u4}]}
`
	file := func(n, more int) []byte {
		b := binary.LittleEndian.AppendUint16(nil, uint16(n))
		for i := range n {
			gold := binary.LittleEndian.AppendUint32(nil, uint32(i+more))
			b = append(binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(gold)), gold...)
		}
		return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	}
	for _, n := range []int{2, 150, 2000} {
		tr := openAs(t, text, file(n, 1))
		list, err := tr.NewReader().Resolve("recs")
		if err != nil {
			t.Fatal(err)
		}
		var items []string
		for i := range n {
			items = append(items, fmt.Sprintf("{body: {gold: %d}}", i+1000))
		}
		set := edit.Content{Literal: "[" + strings.Join(items, ", ") + "]"}
		splices, err := tr.Reading.(edit.Editor).Set(t.Context(), tr.NewReader(), list, set, edit.Options{Choices: []edit.Choice{edit.KeepEqual}})
		if got := spliced(file(n, 1), splices); err != nil || !bytes.Equal(got, file(n, 1000)) {
			t.Errorf("%d: %x (%v)", n, got, err)
		}
		var asked []*edit.ChoiceError
		if _, err = tr.Reading.(edit.Editor).Set(t.Context(), tr.NewReader(), list, set, edit.Options{Unequal: func(e *edit.ChoiceError) error { asked = append(asked, e); return nil }}); err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(asked, func(a, b *edit.ChoiceError) int { return cmp.Compare(a.Choices[0], b.Choices[0]) })
		if len(asked) != 2 || asked[0].Choices[0] != edit.KeepEqual.For("crc") || asked[1].Choices[0] != edit.KeepEqual.For("crc_all") || !strings.Contains(asked[0].Text, fmt.Sprintf("%d times more", n-1)) {
			t.Errorf("%d: asked about %v", n, asked)
		}
	}
}

// TestFreshLike: what a struct outside of lists says of itself follows too, if the one that was in its place shows it, and what those in
// the other slots say, if some of these are empty.
func TestFreshLike(t *testing.T) {
	const meta = "meta: {id: fresh, endian: le, encoding: ASCII}\nseq:\n"
	summed := func(body string) string {
		return string(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(body)))) + body
	}
	free := strings.Repeat("\x00", 9)
	for _, c := range []struct{ text, was, path, literal, want string }{
		{"  - {id: head, type: part}\n  - {id: end, contents: [1]}\n" +
			"types: {part: {seq: [{id: crc, type: u4}, {id: body, type: body}]}, body: {seq: [{id: gold, type: u1}, {id: s, type: strz}]}}",
			summed("\x07abcd\x00") + "\x01", "head", `{body: {gold: 9, s: "longer"}}`, summed("\x09longer\x00") + "\x01"},
		{"  - {id: slots, type: slot, repeat: expr, repeat-expr: 4}\n" +
			"types: {slot: {seq: [{id: crc, type: u4}, {id: body, type: body}]}, body: {seq: [{id: gold, type: u1}, {id: s, type: str, size: 4}]}}",
			free + summed("\x07abcd") + free + summed("\x06efgh"), "slots[0]", `{body: {gold: 9, s: "newx"}}`, summed("\x09newx") + summed("\x07abcd") + free + summed("\x06efgh")},
	} {
		tr := openAs(t, meta+c.text, []byte(c.was))
		n, err := tr.NewReader().Resolve(c.path)
		if err != nil {
			t.Fatal(err)
		}
		splices, err := tr.Reading.(edit.Editor).Set(t.Context(), tr.NewReader(), n, edit.Content{Literal: c.literal}, edit.Options{Choices: []edit.Choice{edit.KeepEqual}})
		if got := spliced([]byte(c.was), splices); err != nil || string(got) != c.want {
			t.Errorf("%s: %q, not %q (%v)", c.path, got, c.want, err)
		}
	}
}

package kaitai

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/source/sourcetest"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/spec"
	_ "varview/internal/lessgc"
)

const (
	saveFormat = "../../../testdata/kaitai/save.ksy"
	saveFile   = "../../../testdata/kaitai/save.sav"
)

// openAs opens bytes as a description says.
func openAs(t testing.TB, text string, data []byte) *tree.Tree {
	t.Helper()
	top, err := spec.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return openType(top, data)
}

func openType(top *spec.Type, data []byte) *tree.Tree {
	region := span.Between(0, int64(len(data)))
	src := source.Bytes(data)
	return tree.New(src, describe(top, nil, nil).Open(src, region), region)
}

func openSave(t testing.TB) (*tree.Tree, []byte) {
	t.Helper()
	top, err := spec.Load(saveFormat, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(saveFile)
	if err != nil {
		t.Fatal(err)
	}
	return openType(top, data), data
}

func export(t testing.TB, tr *tree.Tree) string {
	t.Helper()
	var out bytes.Buffer
	r := tr.NewReader()
	if err := r.WriteJSON(context.Background(), &out, &tr.Base.Value); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out.String())
}

// tile checks that the fields of a tree are in order, not empty, and cover its bytes, and returns them.
func tile(t testing.TB, tr *tree.Tree) (all []string) {
	t.Helper()
	at := int64(0)
	err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		if f.Offset != at || f.Length <= 0 {
			t.Fatalf("%v %s follows %#x", f.Span, f.Path, at)
		}
		at = f.End()
		all = append(all, fmt.Sprintf("%v %s", f.Kind, f.Path))
		return nil
	})
	if err != nil || at != tr.Source.Size() {
		t.Fatalf("the fields end at %#x of %#x (%v)", at, tr.Source.Size(), err)
	}
	return all
}

func problems(t testing.TB, tr *tree.Tree) (all []string) {
	t.Helper()
	tr.Check(context.Background(), tree.CheckOptions{Workers: 1}, func(p span.Problem, n *tree.Node) {
		all = append(all, fmt.Sprintf("%s %s", p.Code, tr.NewReader().Path(n)))
	})
	return all
}

// TestCostly: what a description asks for is bounded by the size of the file, whatever it is.
func TestCostly(t *testing.T) {
	levels := func(first string, n int, next string) string {
		text := first
		for i := range n {
			text += strings.NewReplacer("$0", fmt.Sprint(i), "$1", fmt.Sprint(i+1)).Replace(next)
		}
		return text
	}
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	z.Write(make([]byte, 100<<20))
	z.Close()
	const rec = "\ntypes: {t: {seq: [{id: x, type: u1}], instances: {v: {"
	bytesOf := func(n int) string { return strings.Repeat("A", n) }
	for _, c := range []struct{ name, text, data, want string }{
		{"types twice in each other", levels("seq: [{id: a, type: t0}]\ntypes:\n  t30: {}\n", 30, "  t$0: {seq: [{id: a, type: t$1}, {id: b, type: t$1}]}\n"), "A", "the description asks for too much work"},
		{"strings that double", levels("instances:\n  s0: {value: '\"0123456789\"'}\n", 30, "  s$1: {value: s$0 + s$0}\n"), "A", "the description asks for too much work"},
		{"f-strings that double", levels("instances:\n  s0: {value: '\"0123456789\"'}\n", 30, "  s$1: {value: 'f\"{s$0}{s$0}\"'}\n"), "A", "the description asks for too much work"},
		{"arrays that double", levels("instances:\n  s0: {value: '[1000, 2000]'}\n", 60, "  s$1: {value: '[s$0, s$0]'}\n"), "A", "the description ends before the file does"},
		{"little bytes that hold much", "seq: [{id: a, size-eos: true, process: zlib}]", packed.String(), "a: the description asks for too much work"},
		{"all bytes for each", "seq: [{id: h, size: 100000}, {id: r, type: t, repeat: eos}]" + rec + "value: _parent.h.max}}}}", bytesOf(110_000), "v: the description asks for too much work"},
		{"all elements for each", "seq: [{id: r, type: t, repeat: eos}]" + rec + "pos: 0, type: e, repeat: eos}}}, e: {seq: [{id: n, type: u1}, {id: s, size: n % 3}]}}", bytesOf(20_001), "v: the description asks for too much work"},
		{"each needs the one before", "seq: [{id: r, type: t(_index), repeat: eos}]" + strings.Replace(rec, "seq", "params: [{id: i, type: u8}], seq", 1) + "value: 'i == 0 ? 0 : _parent.r[i - 1].v + 1'}}}}", bytesOf(20_000), "v: the description asks for too much work"},
		{"each looks at the first", "seq: [{id: r, type: t, repeat: eos}]" + rec + "value: '_parent.r[0].x + _parent.r.size'}}}}", bytesOf(20_000), ""},
		{"an expression for each case", "seq: [{id: r, type: {switch-on: 1, cases: {" + levels("", 10_000, "'0 + $00': u1, ") + "_: u1}}, repeat: eos}]", bytesOf(50_000), "r: the description asks for too much work"},
		{"a value for each case", "seq: [{id: r, type: {switch-on: 9999, cases: {" + levels("", 10_000, "$0: u1, ") + "_: u1}}, repeat: eos}]", bytesOf(50_000), ""},
		{"types many times in elements", levels("seq: [{id: r, type: t0, repeat: eos}]\ntypes:\n  t9: {seq: [{id: x, type: u1}]}\n", 9, "  t$0: {seq: ["+strings.Repeat("{type: t$1, if: false}, ", 50)+"{type: u1}]}\n"), bytesOf(6000), ""},
	} {
		first := ""
		tr := openAs(t, c.text, []byte(c.data))
		tr.Check(context.Background(), tree.CheckOptions{Workers: 1}, func(p span.Problem, _ *tree.Node) { first = cmp.Or(first, p.Message) })
		if !strings.HasPrefix(first, c.want) && !strings.Contains(first, ": "+c.want) || c.want == "" && first != "" {
			t.Errorf("%s: %q", c.name, first)
		}
		r := tr.NewReader()
		if err := r.WriteJSON(context.Background(), &limited{1 << 20}, &tr.Base.Value); err != nil && err != errFull {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, text := range []string{
		levels("-c0: &c0 [1, 2]\n", 20, "-c$1: &c$1 [*c$0, *c$0]\n") + "seq: [{id: a, contents: *c20}]", // 2²¹ bytes
		"types: &t {x: {types: *t}}",
	} {
		if _, err := spec.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), "too many values") {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}

// limited is a writer that is full after some bytes.
type limited struct{ left int }

var errFull = errors.New("full")

func (l *limited) Write(b []byte) (int, error) {
	if l.left -= len(b); l.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestSave(t *testing.T) {
	tr, _ := openSave(t)
	const want = `{"magic":{"type":"bytes","hex":"53415645"},"version":2,` +
		`"flags":{"difficulty":{"type":"enum","value":1,"name":"difficulty::normal"},"is_hardcore":true,"reserved":0,"seconds":3723},` +
		`"player":{"name":"Ada","gold":1250,"health":87.5},"num_items":3,"items":[` +
		`{"kind":{"type":"enum","value":1,"name":"kind::sword"},"len_name":11,"name":"rusty blade","count":1,"charge":null},` +
		`{"kind":{"type":"enum","value":2,"name":"kind::potion"},"len_name":7,"name":"healing","count":5,"charge":null},` +
		`{"kind":{"type":"enum","value":7,"name":"kind::staff"},"len_name":7,"name":"old oak","count":1,"charge":0.75}],` +
		`"notes_offset":90,"settings_size":3,"settings":{"volume":70,"language":"en"},"notes":"Find the key under the mill.","is_rich":true}`
	if got := export(t, tr); got != want {
		t.Error(got)
	}
	if p := problems(t, tr); p != nil {
		t.Error(p)
	}
	fields := strings.Join(tile(t, tr), "\n")
	for _, want := range []string{"magic $.magic\n", "type $.flags.difficulty\n", "terminator $.player.name\npadding $.player.name\n", "data $.settings\ngap $.notes\ntext $.notes\nterminator $.notes"} {
		if !strings.Contains(fields, want) {
			t.Errorf("%q is not in\n%s", want, fields)
		}
	}
	r := tr.NewReader()
	n, err := r.Resolve("items[1]")
	if err != nil {
		t.Fatal(err)
	}
	if got := string(r.AppendLiteral(nil, &n.Value, 80)); got != "healing x5" {
		t.Errorf("the representation is %s", got)
	}
	nested := openAs(t, "meta: {id: x}\nseq: [{id: at, type: rect}]\ntypes:\n  rect: {seq: [{id: w, type: u1}, {id: p, type: pos}], -webide-representation: '{w} at {p}'}\n  pos: {seq: [{id: x, type: u1}], -webide-representation: '<{x}>'}\n", []byte{3, 4}).NewReader()
	if n, err := nested.Resolve("at"); err != nil || string(nested.AppendLiteral(nil, &n.Value, 80)) != "3 at <4>" {
		t.Errorf("the representation of a record in a record: %v", err)
	}
	n, _ = r.Resolve("items[0].kind")
	if got := tr.Reading.(tree.Described).Notes(&n.Value); len(got) != 1 || got[0] != "It cuts." {
		t.Errorf("the notes are %q", got)
	}
}

const pngLike = `
meta: {endian: be}
seq:
  - {id: table, type: entry, repeat: expr, repeat-expr: 2}
types:
  entry:
    seq:
      - {id: at, type: u1}
      - {id: len, type: u1}
    instances:
      body: {io: _root._io, pos: at, size: len, type: body}
      again: {value: body}
  body:
    seq: [{id: x, type: u1}]
    instances:
      last: {pos: _io.size - 1, type: u1}
`

// TestPlaces: instances are shown where they lie, and lead there from where they belong.
func TestPlaces(t *testing.T) {
	tr := openAs(t, pngLike, []byte{8, 3, 4, 3, 10, 11, 12, 99, 20, 21, 22, 98})
	got := strings.Join(tile(t, tr), "\n")
	const want = "value $.table[0].at\nvalue $.table[0].len\nvalue $.table[1].at\nvalue $.table[1].len\n" +
		"value $.table[1].body.x\ngap $.table[1].body.last\nvalue $.table[1].body.last\n" +
		"gap $.table[0].body\nvalue $.table[0].body.x\ngap $.table[0].body.last\nvalue $.table[0].body.last\ngap $"
	if got != want {
		t.Errorf("the fields are\n%s", got)
	}
	r := tr.NewReader()
	if n, err := r.Resolve("table[0].body.x"); err != nil || n.Start != 8 || n.End != 9 {
		t.Errorf("%v, %v", n, err)
	}
	for path, want := range map[string]string{"table[0].body.x": "20", "table[1].again.last": "12", "table[1].body": "{x: 10, last: 12}"} {
		n, err := r.Resolve(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(r.AppendLiteral(nil, &n.Value, 80)); got != want {
			t.Errorf("%s is %s", path, got)
		}
	}
}

// TestLed: what only instances lead to is reached as any other value is, and each value once where it is asked for anywhere.
func TestLed(t *testing.T) {
	const (
		seq   = "meta: {endian: le, encoding: UTF-8}\nseq:\n  - {id: n, type: u1}\n  - {id: ents, type: ent, repeat: expr, repeat-expr: n}\n"
		types = "types:\n  ent: {seq: [{id: ofs, type: u1}], instances: {body: {pos: ofs, type: body}}}\n  body: {seq: [{id: len, type: u1}, {id: name, type: str, size: len}, {id: hp, type: u2}]}\n"
		data  = "\x03\x04\x08\x04\x01A\x0a\x00\x02Bo\x14\x00"
		all   = "  - {id: rest, size-eos: true}\n"
		list  = "instances:\n  first: {pos: 4, type: body}\n  again: {pos: 4, type: body, repeat: expr, repeat-expr: 2}\n  best: {value: 'ents[1].body'}\n  bytes: {pos: 1, type: u1, repeat: expr, repeat-expr: 3}\n"
		loop  = "seq: [{id: ofs, type: u1}]\ninstances: {next: {pos: ofs, type: ring}}\ntypes: {ring: {seq: [{id: ofs, type: u1}, {id: x, type: u1}], instances: {next: {pos: ofs, type: ring}}}}"
	)
	for _, c := range []struct{ text, data, path, want string }{
		{seq + types, data, "ents[*].body.hp", "[10 20 10]"},
		{seq + types, data, "..hp", "[10 20]"},
		{seq + all + types, data, "ents[*].body.hp", "[10 20 10]"},
		{seq + all + types, data, "..hp", "[10 20]"},
		{seq + all + types, data, "ents[ofs>4].body.name", "[\"Bo\"]"},
		{seq + all + types, data, "ents[body.hp>10].ofs", "[8]"},
		{seq + all + types, data, "rest[*]", "[]"},
		{seq + all + list + types, data, "again[*].hp", "[10 20]"},
		{seq + all + list + types, data, "again[-1:].hp", "[20]"},
		{seq + all + list + types, data, "bytes[*]", "[4 8 4]"},
		{seq + all + list + types, data, "best.hp", "[20]"},
		{seq + list + types, data, "..bytes[1]", "[8]"},
		{loop, "\x01\x03a\x01b", "..x", "[97 98]"},
		{loop, "\x01\x03a\x01b", "next.next.next.next.x", "[98]"},
	} {
		tr := openAs(t, c.text, []byte(c.data))
		found := []string{}
		r := tr.NewReader()
		err := r.EachAt(context.Background(), c.path, func(n *tree.Node) error {
			found = append(found, string(tr.NewReader().AppendLiteral(nil, &n.Value, 100)))
			if again, err := r.AtIndexes(n.Indexes()); err != nil || r.Path(again) != r.Path(n) {
				t.Errorf("%s %s: %v, not %s", c.text, c.path, err, r.Path(n))
			}
			return nil
		})
		if err != nil && !errors.Is(err, tree.ErrNoMatch) || fmt.Sprint(found) != c.want {
			t.Errorf("%s\n%s: %v (%v), not %s", c.text, c.path, found, err, c.want)
		}
		tile(t, tr)
	}
}

// TestManyLed: what more instances lead to than are looked at for children is reached by its path, and its problems are found.
func TestManyLed(t *testing.T) {
	const text = "meta: {endian: le}\nseq:\n  - {id: ents, type: ent, repeat: expr, repeat-expr: 70000}\n  - {id: all, size-eos: true}\ntypes:\n  ent: {seq: [{id: ofs, type: u4}], instances: {rec: {pos: ofs, type: rec}}}\n  rec: {seq: [{id: x, type: u1, valid: {max: 9}}]}\n"
	var data []byte
	for i := range uint32(70000) {
		data = binary.LittleEndian.AppendUint32(data, 280000+i)
	}
	data = append(append(data, make([]byte, 69999)...), 10)
	tr := openAs(t, text, data)
	if got := fmt.Sprint(problems(t, tr)); got != "[not-valid $.ents[69999].rec]" {
		t.Error(got)
	}
	count := 0
	err := tr.NewReader().EachAt(context.Background(), "ents[*].rec.x", func(*tree.Node) error { count++; return nil })
	if err != nil || count != 70000 {
		t.Errorf("%d (%v)", count, err)
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct{ text, data, want string }{
		{"seq: [{id: a, contents: AB}]", "AC", "[wrong-content $.a]"},
		{"seq: [{id: a, type: u1, valid: {max: 64}}]", "A", "[not-valid $.a]"},
		{"seq: [{id: a, type: u1, valid: {any-of: [64, 65]}}]", "A", "[]"},
		{"seq: [{id: a, type: u1, repeat: eos, valid: {expr: _ < 66}}]", "AB", "[not-valid $.a[1]]"},
		{"seq: [{id: a, size: 3}]", "AB", "[truncated $.a]"},
		{"seq: [{id: a, type: str, size-eos: true, encoding: UTF-8}]", "\xff", "[invalid-text $.a]"},
		{"seq: [{id: a, type: u1}]\ninstances: {b: {value: a / 0}}", "A", "[expression-failed $.b]"},
		{"instances: {a: {value: b}, b: {value: a}}", "A", "[expression-failed $.a expression-failed $.b trailing-bytes $]"},
		{"seq: [{id: a, type: e, repeat: eos}]\ntypes: {e: {}}", "A", "[endless-repeat $.a trailing-bytes $]"},
		{"seq: [{id: a, type: t}]\ntypes: {t: {seq: [{id: a, type: t}]}}", "A", "[too-deep "},
		{"seq: [{id: a, size: 1, process: my_own(1)}, {id: b, type: u1}]", "AB", "[process-failed $.a]"},
		{"seq: [{id: a, size-eos: true, process: zlib}]", "AB", "[process-failed $.a]"},
		{"seq: [{id: a, type: strz, encoding: ASCII}]", "AB", "[truncated $.a]"},
		{"seq: [{id: a, size: 1, type: t}, {id: b, type: u1}]\ntypes: {t: {seq: [{id: c, type: u1}, {id: d, type: u1}]}}", "AB", "[truncated $.a.d]"},
		{"instances: {a: {pos: 9, type: u1}}", "AB", "[truncated $.a trailing-bytes $]"},
		{"seq: [{id: a, size: 2}]\ninstances: {p: {pos: 0, type: t}}\ntypes: {t: {seq: [{id: b, contents: AX}]}}", "AB", "[wrong-content $.p.b]"},
		{"seq: [{id: a, size: 2, process: xor(1), type: t}]\ntypes: {t: {instances: {p: {pos: 1, type: u1, valid: 1, repeat: expr, repeat-expr: 1}}}}", "AB", "[not-valid $.a.p[0]]"},
		{"seq: [{id: a, type: t}]\ntypes: {t: {seq: [{id: b, type: u1}], instances: {p: {pos: 0, type: t}}}}", "A", "[]"},
		{"seq: [{id: a, size: 0, type: t}, {id: b, type: u1}]\ntypes: {t: {seq: [{id: c, type: u1}]}}", "A", "[truncated $.a.c]"},
	} {
		tr := openAs(t, c.text, []byte(c.data))
		if got := fmt.Sprint(problems(t, tr)); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, not %s", c.text, got, c.want)
		}
		tile(t, tr)
		if out := export(t, tr); !json.Valid([]byte(out)) {
			t.Errorf("%s: %q", c.text, out)
		}
	}
}

// TestLong: elements that are not kept read as those that are.
func TestLong(t *testing.T) {
	const text = "seq: [{id: a, type: e, repeat: eos}]\ntypes: {e: {seq: [{id: n, type: u1}, {id: s, type: str, size: n, encoding: ASCII}%s]}}"
	r := rand.New(rand.NewPCG(1, 2))
	var data []byte
	var want []string
	for range 3 * 4096 {
		s := strings.Repeat("x", r.IntN(5)) + "y"
		data, want = append(append(data, byte(len(s))), s...), append(want, s)
	}
	for try, more := range []string{"", ", {id: m, type: u1, if: n == 9}", ""} {
		text := fmt.Sprintf(text, more)
		if try == 2 { // in memory
			text = strings.Replace(strings.Replace(text, "seq: [", "seq: [{id: in, size-eos: true, process: xor(0), type: in}]\ntypes:\n  in:\n    seq: [", 1), "\ntypes: {e:", "\n  e:", 1)
			text = strings.TrimSuffix(text, "}")
		}
		tr := openAs(t, text, data)
		rd := tr.NewReader()
		for range 200 {
			i := r.IntN(len(want))
			n, err := rd.Resolve(fmt.Sprintf("%sa[%d].s", []string{"", "", "in."}[try], i))
			if err != nil {
				t.Fatal(err)
			}
			if got := string(rd.AppendLiteral(nil, &n.Value, 80)); got != fmt.Sprintf("%q", want[i]) {
				t.Fatalf("element %d is %s, not %q", i, got, want[i])
			}
		}
		if p := problems(t, tr); p != nil {
			t.Error(p)
		}
		tile(t, tr)
	}
}

// TestLongAllocations: on the way to an element of a long list the sizes of those before it are found without reading them.
func TestLongAllocations(t *testing.T) {
	const text = "seq: [{id: a, type: e, repeat: eos}]\ntypes: {e: {seq: [{id: n, type: u1}, {id: s, type: str, size: n, encoding: ASCII}]}}"
	tr := openAs(t, text, []byte(strings.Repeat("\x03abc\x01d", 8*4096)))
	list, err := tr.NewReader().Resolve("a")
	if err != nil {
		t.Fatal(err)
	}
	all := list.Object.(*node).array()
	all.Len()
	i := int64(0)
	average := testing.AllocsPerRun(200, func() {
		i = (i + 20011) % (16 * 4096)
		if c := all.Cell(i); c.End-c.Start != 2+2*(1-i%2) {
			t.Fatalf("element %d has %d bytes", i, c.End-c.Start)
		}
	})
	if average > 8 {
		t.Errorf("%v allocations for an element", average)
	}
}

// TestLazy: the first elements of a long list are shown before the others are looked at, and what follows
// the list is found all the same.
func TestLazy(t *testing.T) {
	const text = "seq: [{id: n, type: u1}, {id: a, type: e, repeat: %s}, {id: z, type: u1}]\n" +
		"types: {e: {seq: [{id: n, type: u1}, {id: s, size: n}]}}\ninstances: {last: {value: 'z + a[a.size - 1].n'}, end: {pos: _io.size - 1, type: u1}}"
	const count = 200_000
	data := append(append([]byte{9}, bytes.Repeat([]byte{3, 'a', 'b', 'c', 1, 'd'}, count/2)...), 7, 0, 8)
	for _, repeat := range []string{fmt.Sprintf("expr, repeat-expr: %d", count), fmt.Sprintf("until, repeat-until: _index == %d", count-1)} {
		top, err := spec.Parse(fmt.Appendf(nil, text, repeat))
		if err != nil {
			t.Fatal(err)
		}
		src, region := &sourcetest.Counted{Source: source.Bytes(data)}, span.Between(0, int64(len(data)))
		tr := tree.New(src, describe(top, nil, nil).Open(src, region), region)
		r := tr.NewReader()
		if n, err := r.Resolve("a[2].n"); err != nil || n.Start != 7 || src.Bytes > 450_000 {
			t.Fatalf("%v, %v after %d bytes", n, err, src.Bytes)
		}
		for path, want := range map[string]string{"z": "7", "last": "8", "a[199999].n": "1", "end": "8"} {
			n, err := r.Resolve(path)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(r.AppendLiteral(nil, &n.Value, 20)); got != want {
				t.Errorf("%s is %s", path, got)
			}
		}
		n, _ := r.Resolve("a")
		if got := r.Count(n); got != count {
			t.Errorf("%d elements", got)
		}
		tile(t, tr)
	}
	cut := openAs(t, fmt.Sprintf(text, "expr, repeat-expr: 200001"), data[:len(data)-2])
	if got := fmt.Sprint(problems(t, cut)); got != "[truncated $.a[200000].s expression-failed $.last]" {
		t.Error(got)
	}
	again := func() {
		if n, err := cut.NewReader().Resolve("n"); err != nil || n.Start != 0 {
			t.Error(n, err)
		}
	}
	if n := testing.AllocsPerRun(3, again); n > 10_000 {
		t.Errorf("the elements are looked at again: %v allocations", n)
	}
}

// TestLazyInstance: the same for a list that is an instance, if nothing in its elements lies elsewhere.
func TestLazyInstance(t *testing.T) {
	data := bytes.Repeat([]byte{3, 'a', 'b', 'c', 1, 'd'}, 100_000)
	top, err := spec.Parse([]byte("types: {e: {seq: [{id: n, type: u1}, {id: s, size: n}]}}\ninstances: {a: {pos: 0, type: e, repeat: eos}}"))
	if err != nil {
		t.Fatal(err)
	}
	src, region := &sourcetest.Counted{Source: source.Bytes(data)}, span.Between(0, int64(len(data)))
	tr := tree.New(src, describe(top, nil, nil).Open(src, region), region)
	if n, err := tr.NewReader().Resolve("a[2].n"); err != nil || n.Start != 6 || src.Bytes > 450_000 {
		t.Fatalf("%v, %v after %d bytes", n, err, src.Bytes)
	}
	if p := problems(t, tr); p != nil {
		t.Error(p)
	}
	tile(t, tr)
}

// TestSteers: an edit of a value tells that others may read differently if it decides how they are read without
// changing sizes, or if an instance reads its bytes again.
func TestSteers(t *testing.T) {
	for _, c := range []struct {
		text, path string
		want       bool
	}{
		{"seq: [{id: a, type: u1}]", "a", false},
		{"seq: [{id: a, type: u1}]\ninstances: {b: {value: a + 1}}", "a", false},
		{"seq: [{id: a, type: u1}]\ninstances: {b: {pos: 0, type: u1}, c: {value: b + 1}}", "a", true},
		{"seq: [{id: a, type: u1}]\ninstances: {b: {pos: 1, type: u1}}", "a", false},
		{"seq: [{id: x, type: p}, {id: y, type: p}]\ntypes: {p: {seq: [{id: of, type: u1}], instances: {at: {pos: of, type: t}}}, t: {seq: [{id: v, type: u1}]}}", "x.at.v", true},
		{"seq: [{id: x, type: p}]\ntypes: {p: {seq: [{id: of, type: u1}], instances: {at: {pos: of, type: t}}}, t: {seq: [{id: v, type: u1}]}}", "x.at.v", false},
		{"seq: [{id: a, type: u1, repeat: until, repeat-until: _ == 1}]", "a[0]", true},
		{"seq: [{id: a, type: u1}, {id: s, size: 1, type: t}]\ntypes: {t: {instances: {b: {io: _root._io, pos: 0, type: u1}}}}", "a", true},
		{"seq: [{id: a, type: u1}, {id: s, size: 1, type: t}]\ntypes: {t: {seq: [{id: b, type: u1}]}}", "a", false},
	} {
		tr := openAs(t, c.text, []byte{2, 2, 1})
		n, err := tr.NewReader().Resolve(c.path)
		var outcome edit.Outcome
		if err == nil {
			_, err = tr.Reading.(edit.Editor).Set(t.Context(), tr.NewReader(), n, edit.Content{Literal: "1"}, edit.Options{Outcome: &outcome})
		}
		if got := outcome.Steers; err != nil || got != c.want {
			t.Errorf("%s: %v, %v", c.text, got, err)
		}
	}
}

func TestEdits(t *testing.T) {
	tr, data := openSave(t)
	for _, c := range []struct{ path, literal, want string }{
		{"version", "3", "3"}, {"version", "4", "!not allow"}, {"version", "70000", "!u2le is from 0 to 65535"}, {"version", "2", "="},
		{"flags.difficulty", "hard", "hard"}, {"flags.difficulty", "difficulty::easy", "easy"}, {"flags.difficulty", "4", "!b2 is from 0 to 3"}, {"flags.difficulty", "odd", "!difficulty has no odd; it has easy, normal, hard"},
		{"flags.is_hardcore", "false", "false"}, {"flags.reserved", "21", "21"}, {"flags.seconds", "1", "1"}, {"player.health", "1.25", "1.25"}, {"player.health", "1", "1.0"},
		{"player.name", `"Grace"`, `"Grace"`}, {"player.name", `"123456789012"`, `"123456789012"`}, {"player.name", `"1234567890123"`, "!room for 12"}, {"player.name", `"a\u0000b"`, "!terminator"},
		{"items[0].name", `"RUSTY BLADE"`, `"RUSTY BLADE"`}, {"items[0].name", `"short"`, `"short"`}, {"magic", "bytes(00000000)", "!asks for"}, {"notes", `"Find the key under the hill."`, `"Find the key under the hill."`},
		{"notes", `"No."`, `"No."`}, {"is_rich", "false", "!computed"}, {"items", "7", "!a list is expected"}, {"items[0].charge", "1.0", "!absent"}, {"settings.volume", "1", "1"}, {"settings.language", `"fr"`, `"fr"`}, {"player.gold", `"x"`, "!expected"},
	} {
		r := tr.NewReader()
		n, err := r.Resolve(c.path)
		if err != nil {
			t.Fatal(err)
		}
		splices, err := tr.Reading.(edit.Editor).Set(context.Background(), r, n, edit.Content{Literal: c.literal}, edit.Options{})
		if text, refused := strings.CutPrefix(c.want, "!"); refused || err != nil {
			if err == nil || !refused || !strings.Contains(err.Error(), text) {
				t.Errorf("%s=%s: %v", c.path, c.literal, err)
			}
			continue
		}
		if c.want == "=" {
			if splices != nil {
				t.Errorf("%s=%s changes bytes", c.path, c.literal)
			}
			continue
		}
		now := spliced(data, splices)
		after, _ := tr.Edited(source.Bytes(now), splices, func(p span.Problem) { t.Errorf("%s=%s: %v", c.path, c.literal, p) })
		rd := after.NewReader()
		if n, err = rd.Resolve(c.path); err != nil {
			t.Fatal(err)
		}
		if got := string(rd.AppendLiteral(nil, &n.Value, 80)); got != c.want {
			t.Errorf("%s=%s gives %s", c.path, c.literal, got)
		}
		if export(t, after) == export(t, tr) || strings.Count(export(t, after), ":") != strings.Count(export(t, tr), ":") {
			t.Errorf("%s=%s: %s", c.path, c.literal, export(t, after))
		}
	}
}

// spliced returns data with splices.
func spliced(data []byte, splices []source.Splice) []byte {
	edited := source.Memory(data).Splice(splices)
	now := make([]byte, edited.Size())
	edited.ReadAt(now, 0)
	return now
}

// TestProcessed: edits of what processes make of bytes are stored as these processes read them.
func TestProcessed(t *testing.T) {
	const text = `
meta: {id: processed, endian: le, encoding: ASCII}
seq:
  - {id: key, size: 3}
  - {id: outer, size: 12, process: xor(key), type: outer}
  - {id: text, type: str, size: 4, process: rol(3)}
  - {id: raw, size: 4, process: xor(0x21)}
  - {id: packed, size-eos: true, process: zlib, type: packed}
types:
  outer:
    seq:
      - {id: a, type: u2}
      - {id: b, type: b4}
      - {id: c, type: b12}
      - {id: inner, size: 6, process: 'ror(_parent.key[0])', type: inner}
      - {id: tail, type: u2}
  inner:
    seq: [{id: s, type: str, size: 4, pad-right: 0}, {id: v, type: s2be}]
    instances: {last: {pos: 5, type: u1}}
  packed: {seq: [{id: x, type: u1}]}
`
	type plain struct {
		key, text, raw, s string
		a, tail           uint16
		b, c              int
		v                 int16
	}
	packed, _ := hex.DecodeString("789c63040000020002") // 01, by Python's zlib
	stored := func(p plain) []byte {
		inner := append([]byte((p.s + "\x00\x00\x00\x00")[:4]), byte(p.v>>8), byte(p.v))
		for i := range inner {
			inner[i] = bits.RotateLeft8(inner[i], int(p.key[0]))
		}
		outer := append([]byte{byte(p.a), byte(p.a >> 8), byte(p.b<<4 | p.c>>8), byte(p.c)}, inner...)
		outer = append(outer, byte(p.tail), byte(p.tail>>8))
		for i := range outer {
			outer[i] ^= p.key[i%3]
		}
		all := append([]byte(p.key), outer...)
		for _, c := range []byte(p.text) {
			all = append(all, bits.RotateLeft8(c, -3))
		}
		for _, c := range []byte(p.raw) {
			all = append(all, c^0x21)
		}
		return append(all, packed...)
	}
	r := rand.New(rand.NewPCG(7, 8))
	now := plain{key: "\x05\x66\x07", text: "text", raw: "\x01\x02\x03\x04", s: "abc", a: 1, b: 2, c: 3, v: -4, tail: 5}
	for range 300 {
		next, n := now, r.IntN(1<<16)
		word := fmt.Sprintf("%04x", n)
		path, literal := "", ""
		switch r.IntN(9) {
		case 0:
			next.a, path, literal = uint16(n), "outer.a", fmt.Sprint(n)
		case 1:
			next.b, path, literal = n%16, "outer.b", fmt.Sprint(n%16)
		case 2:
			next.c, path, literal = n%4096, "outer.c", fmt.Sprint(n%4096)
		case 3:
			next.s, path, literal = word[:n%5], "outer.inner.s", fmt.Sprintf("%q", word[:n%5])
		case 4:
			next.v, path, literal = int16(n), "outer.inner.v", fmt.Sprint(int16(n))
		case 5:
			next.tail, path, literal = uint16(n), "outer.tail", fmt.Sprint(n)
		case 6:
			next.text, path, literal = word, "text", fmt.Sprintf("%q", word)
		case 7:
			next.raw, path, literal = word, "raw", fmt.Sprintf("bytes(%x)", word)
		case 8:
			next.v, path, literal = now.v&^0xff|int16(n%256), "outer.inner.last", fmt.Sprint(n%256)
		}
		tr := openAs(t, text, stored(now))
		splices, err := trySet(tr, path, literal)
		if err != nil || (splices == nil) != (next == now) {
			t.Fatalf("%s=%s: %v, %v", path, literal, splices, err)
		}
		if got := spliced(stored(now), splices); !bytes.Equal(got, stored(next)) {
			t.Fatalf("%s=%s: %x, not %x", path, literal, got, stored(next))
		}
		now = next
	}
	tr := openAs(t, text, stored(now))
	tile(t, tr)
	for path, want := range map[string]string{`text="long text"`: "room for 4", "outer=1": "outer is expected", "outer.b=16": "from 0 to 15"} {
		path, literal, _ := strings.Cut(path, "=")
		if _, err := trySet(tr, path, literal); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s=%s: %v", path, literal, err)
		}
	}
}

// TestFilled: a value that is set reads as it was typed, and one that is set to itself changes nothing.
func TestFilled(t *testing.T) {
	for _, c := range []struct{ attr, data, literal, want string }{
		{"size: 4, type: strz", "A\x00zz", `"A"`, "A\x00zz"},
		{"size: 4, type: strz", "A\x00zz", `"B"`, "B\x00\x00\x00"},
		{"size: 4, type: strz, include: true", "A\x00zz", `"B\u0000"`, "B\x00\x00\x00"},
		{"size: 4, type: strz, include: true", "A\x00zz", `"BCDE"`, "BCDE"},
		{"size: 4, type: strz, include: true", "A\x00zz", `"B"`, "!ends with its terminator"},
		{"size: 4, type: strz, include: true", "A\x00zz", `""`, "!ends with its terminator"},
		{"size: 4, terminator: 0x41, include: true", "BAzz", `bytes(414243)`, "!ends with its terminator"},
		{"size: 2, pad-right: 0", "AB", `bytes(4100)`, "!padding"},
		{"type: u1, repeat: expr, repeat-expr: 2", "A", `null`, "!"},
		{"type: f4be, repeat: expr, repeat-expr: 2", "ABCDE", `1.5`, "!"},
	} {
		path := "a"
		if strings.Contains(c.attr, "repeat") {
			path = "a[1]" // which is cut off
		}
		tr := openAs(t, "meta: {encoding: ASCII}\nseq: [{id: a, "+c.attr+"}]", []byte(c.data))
		splices, err := trySet(tr, path, c.literal)
		text, refused := strings.CutPrefix(c.want, "!")
		if refused && (err == nil || !strings.Contains(err.Error(), text)) || !refused && (err != nil || string(spliced([]byte(c.data), splices)) != c.want) {
			t.Errorf("%s=%s: %v, %v", c.attr, c.literal, splices, err)
		}
	}
}

func trySet(tr *tree.Tree, path, literal string) ([]source.Splice, error) {
	r := tr.NewReader()
	n, err := r.Resolve(path)
	if err != nil {
		return nil, err
	}
	return tr.Reading.(edit.Editor).Set(context.Background(), r, n, edit.Content{Literal: literal}, edit.Options{})
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) { os.WriteFile(dir+"/"+name, []byte(text), 0o666) }
	find := func(file, start string) string {
		f, _ := Family.(family).FindDescription(dir+"/"+file, []byte(start), [][]format.Format{Family.(family).Descriptions(dir, nil, func(error) {})}, nil)
		if f == nil {
			return ""
		}
		return f.Info().Dialect.Name
	}
	write("a.ksy", "meta: {id: a, file-extension: [sav, bak]}\nseq: [{id: m, contents: SAVE}]")
	write("b.ksy", "meta: {id: b}\nseq: [{id: m, contents: MAGIC}]")
	write("c.ksy", "meta: {id: c}\nseq: [{id: m, type: u1}]")
	for _, c := range [][3]string{{"x.sav", "SAVE1", "a"}, {"x.SAV", "SAVE1", "a"}, {"x.sav", "other", ""}, {"x.dat", "SAVE1", ""}, {"x.dat", "MAGIC", "b"}, {"x", "MAGI", ""}, {"c.sav", "other", "c"}, {"c.sav", "SAVE1", "c"}, {"a", "SAVE1", "a"}, {"b.dat", "other", ""}} {
		if got := find(c[0], c[1]); got != c[2] {
			t.Errorf("%s with %s is %q, not %q", c[0], c[1], got, c[2])
		}
	}
	if write("d.ksy", "meta: {id: d, file-extension: sav}"); find("x.sav", "SAVE1") != "" {
		t.Error("one of two descriptions is taken")
	}
}

// FuzzData: any bytes read as the descriptions here say are tiled, exported and checked.
func FuzzData(f *testing.F) {
	top, err := spec.Load(saveFormat, nil)
	if err != nil {
		f.Fatal(err)
	}
	data, _ := os.ReadFile(saveFile)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) { tryAll(t, openType(top, data)) })
}

// FuzzDescription: so are those that any description reads.
func FuzzDescription(f *testing.F) {
	text, _ := os.ReadFile(saveFormat)
	f.Add(string(text), []byte("SAVE"))
	f.Add(pngLike, []byte{8, 3, 4, 3, 10, 11, 12, 99, 20, 21, 22, 98})
	f.Add("seq: [{id: a, type: u1, repeat: until, repeat-until: _ == 3 or _io.eof}, {id: b, type: b3}]\ninstances: {c: {value: a[_index]}}", []byte{1, 2, 3, 4})
	f.Add("seq: [{id: a, size: 3, terminator: 0, pad-right: 1, type: t, if: true}]\ntypes: {t: {seq: [{id: z, type: {switch-on: _io.size, cases: {1: u1, _: s1}}}]}}", []byte{1, 0, 1})
	f.Fuzz(func(t *testing.T, text string, data []byte) {
		if len(text) > 1<<10 || len(data) > 64 {
			return // counts of values without bytes grow with each level
		}
		top, err := spec.Parse([]byte(text))
		if err == nil {
			tryAll(t, openType(top, data))
		}
	})
}

func tryAll(t *testing.T, tr *tree.Tree) {
	tile(t, tr)
	problems(t, tr)
	if out := export(t, tr); !json.Valid([]byte(out)) {
		t.Fatalf("%q", out)
	}
	r := tr.NewReader()
	r.AppendLiteral(nil, &tr.Base.Value, 100)
}

// TestBits: bits go on in the next value of a type, but not after other attributes, as in the code that
// Kaitai's compiler generates.
func TestBits(t *testing.T) {
	const nibbles = "\ntypes: {nibble: {seq: [{id: v, type: b4}]}}"
	for _, c := range []struct{ text, want string }{
		{"seq: [{id: a, type: nibble}, {id: b, type: nibble}, {id: c, type: u1}]" + nibbles, `{"a":{"v":1},"b":{"v":2},"c":52}`},
		{"seq: [{id: a, type: nibble, repeat: expr, repeat-expr: 3}]" + nibbles, `{"a":[{"v":1},{"v":2},{"v":3}]}`},
		{"seq: [{id: a, type: b4}, {id: b, type: nibble}]" + nibbles, `{"a":1,"b":{"v":3}}`},
		{"seq: [{id: a, type: b4}, {id: b, type: b12}]", `{"a":1,"b":564}`},
		{"meta: {bit-endian: le}\nseq: [{id: a, type: b4}, {id: b, type: b12}]", `{"a":2,"b":833}`},
	} {
		tr := openAs(t, c.text, []byte{0x12, 0x34, 0x56})
		if got := export(t, tr); got != c.want {
			t.Errorf("%s: %s, not %s", c.text, got, c.want)
		}
		tile(t, tr)
	}
}

// unpassed is a reading that passes values one by one.
type unpassed struct{ *reading }

func (unpassed) Pass(*source.Window, *tree.Value, *tree.Stretch) {}

// TestPass: elements that are passed over at once have the problems that they have one by one.
func TestPass(t *testing.T) {
	const text = `
meta: {id: bits, endian: be, bit-endian: le}
seq: [{id: recs, type: rec, repeat: %s}]
types:
  rec:
    seq:
      - {id: kind, type: str, size: 1, encoding: ASCII}
      - {id: flags, type: flags}
      - {id: len, type: u1, valid: {max: 30}}
      - {id: opt, type: u4, if: flags.has_opt and flags.level > 1}
      - {id: arr, type: s2, repeat: expr, repeat-expr: flags.level}
      - {id: name, type: strz, encoding: UTF-8}
      - {id: body, size: len, type: {switch-on: kind, cases: {'"A"': a, '"B"': b, '"C"': c}}}
    instances:
      total: {value: 'len * 2 + flags.level'}
      big: {value: '100 / (total - 3) > 10 and name.length > 2', if: kind == "A"}
  flags: {seq: [{id: has_opt, type: b1}, {id: level, type: b2}, {id: r, type: b5}]}
  a: {seq: [{id: v, type: f4, if: _parent.flags.has_opt and _io.size >= 4}, {id: rest, size-eos: true}]}
  b: {seq: [{id: s, type: str, size-eos: true, encoding: UTF-8}]}
  c: {seq: [{id: n, type: u1}, {id: e, type: u1, enum: e, valid: {any-of: ['e::x', 'e::y']}, repeat: expr, repeat-expr: n %% 3}, {id: m, contents: A, if: not _io.eof and _parent.opt > 0}]}
enums: {e: {1: x, 2: y}}
`
	r := rand.New(rand.NewPCG(3, 4))
	for try := range 6 {
		var data []byte
		count := 0
		for ; len(data) < 70_000*(try/5)+6000; count++ { // more than are kept, or fewer
			f, n := r.IntN(8), r.IntN(8)
			data = append(data, "ABCD"[r.IntN(4)], byte(f), byte(n))
			if f&1 == 1 && f>>1 > 1 {
				data = append(data, 0, 0, 1, 2)
			}
			data = append(append(append(data, make([]byte, 2*(f>>1))...), "name\x00"...), "\x01\x01AAAAAAAAAA"[:n]...)
		}
		for range try {
			data[len(data)/2+r.IntN(len(data)/2)] ^= byte(1 << r.IntN(8))
		}
		repeat := []string{"eos", fmt.Sprintf("expr, repeat-expr: %d", count), fmt.Sprintf("until, repeat-until: _index == %d", count-1)}[try%3]
		got := openAs(t, fmt.Sprintf(text, repeat), data)
		plain := openAs(t, fmt.Sprintf(text, repeat), data)
		slow := tree.New(plain.Source, unpassed{plain.Reading.(*reading)}, plain.Region)
		a, b := problems(t, got), problems(t, slow)
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Fatalf("try %d: %d problems %.300s\nnot %d %.300s", try, len(a), fmt.Sprint(a), len(b), fmt.Sprint(b))
		}
		if try > 2 && len(b) == 0 {
			t.Error("no problems to compare")
		}
	}
}

// TestAsCompiled: values that the code of Kaitai's compiler gives in JavaScript, version 0.11; in Python
// for include without consume.
func TestAsCompiled(t *testing.T) {
	for _, c := range []struct{ text, data, want string }{
		{`seq: [{id: a, type: u1}]` + "\n" + `instances: {b: {value: 'f"{a + 1}{"x}"}\n\"{a}"'}}`, "A", `{"a":65,"b":"66x}\n\"65"}`},
		{"seq: [{id: a, type: str, size: 2, encoding: ISO-8859-2}]", "\x80\xb1", `{"a":"\u0080ą"}`},
		{"seq: [{id: a, terminator: 0x3b, include: true, consume: false}, {id: b, type: u1}]", "A;", `{"a":{"type":"bytes","hex":"413b"},"b":59}`},
		{"seq: [{id: a, type: {switch-on: 1, cases: {1: b2, _: b4}}}, {id: b, type: strz, encoding: ASCII, if: false}, {id: c, type: b6}]", "A", `{"a":1,"b":null,"c":1}`},
		{"seq: [{id: a, type: b3}, {id: b, type: {switch-on: 1, cases: {1: b2, _: b4}}}]", "AB", `{"a":2,"b":1}`},
		{"seq: [{id: a, type: u1, enum: e}]\nenums: {e: {\"65\": x}}", "A", `{"a":{"type":"enum","value":65,"name":"e::x"}}`},
		{"seq: [{id: a, type: {switch-on: _index, cases: {1: u1}}, repeat: expr, repeat-expr: 3}]", "A", `{"a":[65]}`},
		{"seq: [{id: a, size: 4, type: {switch-on: 1, cases: {1: u1}}, repeat: expr, repeat-expr: 2}, {id: b, type: u1}]", "ABC", `{"a":[65,66],"b":67}`},
		{"seq: [{id: a, type: u1}]\ninstances: {b: {pos: 9, type: u1, repeat: expr, repeat-expr: 0}, c: {value: sizeof<u4>}}", "A", `{"a":65,"b":[],"c":4}`},
		{"seq: [{id: a, type: b4}, {id: b, type: b4, if: p > 0}]\ninstances: {p: {pos: 0, type: u1}}", "AB", `{"a":4,"b":4,"p":65}`},
		{"seq: [{id: a, type: t, repeat: expr, repeat-expr: 2}]\ntypes: {t: {seq: [{id: b, type: u}]}, u: {seq: [{id: x, type: u1}], instances: {p: {pos: x, type: u1}}}}", "\x03\x04abc", `{"a":[{"b":{"x":3,"p":98}},{"b":{"x":4,"p":99}}]}`},
		{"seq: [{id: a, type: b4, repeat: eos}]", "ABC", `{"a":[4,1,4,2,4,3]}`},
		{"seq: [{id: a, type: b4, repeat: until, repeat-until: _io.eof}]", "AB", `{"a":[4,1,4,2]}`},
		{"seq: [{id: a, type: b4}]\ninstances: {e: {value: _io.eof}}", "A", `{"a":4,"e":false}`},
		{"seq: [{id: a, size: 1, type: t}]\ntypes: {t: {seq: [{id: b, type: b4}], instances: {e: {value: _io.eof}}}}", "A", `{"a":{"b":4,"e":false}}`},
		{"seq: [{id: a, type: b4}, {id: b, type: b4, if: not _io.eof}, {id: c, type: b4, if: not _io.eof}]", "A", `{"a":4,"b":1,"c":null}`},
		{"seq: [{id: a, type: b4}, {id: b, type: u1, if: not _io.eof}]", "A", `{"a":4,"b":null}`},
		// is_b is needed first by c, and then to read what contains it.
		{"seq: [{id: a, size: 2, type: t}, {id: c, type: u1, if: a.is_b}]\ntypes: {t: {seq: [{id: x, type: u1}, {id: y, type: u1, if: is_b}], instances: {is_b: {value: x == 65}}}}", "ABC", `{"a":{"x":65,"y":66,"is_b":true},"c":67}`},
	} {
		tr := openAs(t, c.text, []byte(c.data))
		if got := export(t, tr); got != c.want {
			t.Errorf("%s: %s, not %s", c.text, got, c.want)
		}
		tile(t, tr)
	}
}

// TestPassValues: so have texts in other encodings, and texts, bytes and floats with valid.
func TestPassValues(t *testing.T) {
	const text = `
meta: {id: values, endian: le}
seq: [{id: recs, type: rec, repeat: eos}]
types:
  rec:
    seq:
      - {id: s, type: strz, encoding: UTF-16LE, valid: {expr: _.length < 5}}
      - {id: f, type: f4, valid: {expr: _ > -1e37}}
      - {id: t, type: str, size: 2, encoding: SJIS}
      - {id: u, type: str, size: 1, encoding: ISO-8859-3, valid: {any-of: ['"\u0000"', '"A"', '"\u00a3"']}}
      - {id: v, size: 1, valid: {min: '[0]'}}
      - {id: w, terminator: [0, 0], if: 'v != [65]'}
`
	r := rand.New(rand.NewPCG(5, 6))
	for range 2 {
		var data []byte
		for range 2000 {
			n := 2 * r.IntN(6)
			data = append(data, "A\x00B\x00C\x00\x85\x30E\x00"[:n]...)
			data = append(data, 0, 0, byte(r.IntN(256)), 1, 2, 0x42, "A\x82"[r.IntN(2)], 0xa0, "A\x00\xa3"[r.IntN(3)])
			data = append(data, []string{"A", "BCD\x00\x00"}[r.IntN(2)]...)
		}
		for range 5 {
			data[len(data)/2+r.IntN(len(data)/2)] ^= byte(1 << r.IntN(8))
		}
		got, plain := openAs(t, text, data), openAs(t, text, data)
		a, b := problems(t, got), problems(t, tree.New(plain.Source, unpassed{plain.Reading.(*reading)}, plain.Region))
		if fmt.Sprint(a) != fmt.Sprint(b) || len(b) == 0 {
			t.Fatalf("%d problems %.300s\nnot %d %.300s", len(a), fmt.Sprint(a), len(b), fmt.Sprint(b))
		}
	}
}

// TestPassTerminated: a text in bytes of a given size ends at its terminator where sizes are measured, too.
func TestPassTerminated(t *testing.T) {
	for _, size := range []string{"type: strz, size: 2", "type: str, size: 2, terminator: 0"} {
		text := "seq: [{id: a, type: e, repeat: eos}]\ntypes: {e: {seq: [{id: t, encoding: ASCII, " + size + "}, {id: v, type: {switch-on: t, cases: {'\"A\"': u1}}, size: 1}, {id: w, size: 2, if: t == \"A\"}]}}"
		tr := openAs(t, text, bytes.Repeat([]byte("A\x00xyzB\x00x"), 3000))
		n, err := tr.NewReader().Resolve("a[3001].v")
		if err != nil || n.Start != 1500*8+7 {
			t.Errorf("%s: %v, %v", size, n, err)
		}
		if p := problems(t, tr); p != nil {
			t.Error(p)
		}
		tile(t, tr)
	}
}

// TestFitLong: bytes that are short in one file only are not always the same.
func TestFitLong(t *testing.T) {
	top, err := spec.Parse([]byte("meta: {id: fit, endian: le}\nseq:\n  - {id: magic, contents: SAVE}\n  - {id: unknown, size-eos: true}\n"))
	if err != nil {
		t.Fatal(err)
	}
	var files []format.Region
	for _, rest := range []string{"\x01\x02", strings.Repeat("\x01\x02", 30), strings.Repeat("\x03", 40)} {
		b := []byte("SAVE" + rest)
		files = append(files, format.Region{Src: source.Bytes(b), At: span.Between(0, int64(len(b)))})
	}
	if found, _, err := describe(top, nil, nil).Fit(t.Context(), files); len(found) > 0 || err != nil {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestFit: what holds in all files is said of each field, unless the description says it already; a file that it cannot read
// does not count.
func TestFit(t *testing.T) {
	top, err := spec.Parse([]byte(`
meta: {id: fit, endian: le, encoding: UTF-8}
seq:
  - {id: magic, contents: SAVE}
  - {id: version, type: u2}
  - {id: sum, type: u4}
  - {id: len, type: u1}
  - {id: rest, type: u1}
  - {id: len_name, type: u1}
  - {id: name, type: str, size: len_name}
  - {id: gold, type: u2}
  - {id: difficulty, type: u1}
  - {id: items, type: item, repeat: eos, size: 3}
types:
  item: {seq: [{id: kind, type: u1}, {id: mark, size: 1}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	var files []format.Region
	add := func(b []byte) {
		files = append(files, format.Region{Src: source.Bytes(b), At: span.Between(0, int64(len(b)))})
	}
	for i, name := range []string{"Ada", "Tobias", "Mira", "Ada", "Bo", "Mira", "Ada", "Bo"} {
		body := append([]byte{0, 0, byte(len(name))}, name...)
		body = append(binary.LittleEndian.AppendUint16(body, uint16(1000+77*i)), byte(i%2))
		for range i {
			body = append(body, 7, 1, 2)
		}
		body[0], body[1] = byte(10+len(body)), byte(len(body)-2)
		file := append([]byte("SAVE"), 2, 0)
		file = binary.LittleEndian.AppendUint32(file, crc32.ChecksumIEEE(body))
		add(append(file, body...))
	}
	add([]byte("SAV"))
	add([]byte("PK\x03\x04 another file with many more bytes than it needs"))
	found, problems, err := describe(top, nil, nil).Fit(t.Context(), files)
	if err != nil || len(problems) != 2 || problems[8] == nil || problems[9] == nil {
		t.Errorf("%v, %v", problems, err)
	}
	var got []string
	for _, f := range found {
		got = append(got, strings.TrimSpace(f.Path+" "+f.Says+"  "+f.Ksy))
	}
	want := []string{
		"$.version is always 2  valid: 2",
		"$.sum equals crc32 of all behind sum  -varview-value: crc32(protected), where protected is an instance with the bytes of all behind sum",
		"$.len equals _io.size  -varview-value: _io.size",
		"$.rest equals _io.size - 12  -varview-value: _io.size - 12",
		"$.gold is from 1000 to 1539  valid: {min: 1000, max: 1539}",
		"$.difficulty is one of 0, 1  valid: {any-of: [0, 1]}",
		"$.items[].kind is always 7  valid: 7",
		"$.items[].mark is always [0x01]  contents: [0x01]",
	}
	want = append(want, "nothing claims 1 byte of $.items[], in 7 of 8 files")
	if !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

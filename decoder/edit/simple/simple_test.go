package simple_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"varview/decoder/edit/simple"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// values is how many values of the toy format were read.
var values int

// toy is a format with low bytes first, in which each value begins with a letter.
var toy = simple.New(simple.Description{
	Name: "toy", Title: "Toy", About: "tests", Types: []string{"number", "text", "list", "blob"},
	LittleEndian: true,
	Sniff: func(start []byte, size int64) format.Claim {
		if size == 98 && len(start) == 98 && start[0] == 'l' {
			return format.Signature
		}
		return format.None
	},
	Value: func(c *simple.Cursor) {
		values++
		switch c.Peek() {
		case 'n':
			c.Type("number")
			c.Number(1, span.Type, "type")
			c.Means("a number")
			c.Int(2)
		case 'f':
			c.Type("number")
			c.Number(1, span.Type, "type")
			c.Float(4)
		case 't':
			c.Type("text")
			c.Number(1, span.Type, "type")
			c.Text(c.Number(2, span.Length, "length"))
		case 'l':
			c.Type("list")
			c.Number(1, span.Type, "type")
			c.Items(c.Number(8, span.Length, "count"))
			c.Number(1, span.Value, "nothing") // not read
		case 'b': // 10 bytes, without a length
			c.Type("blob")
			c.Number(1, span.Type, "type")
			c.Bytes(10)
		case 'x': // of no type that has a name
			c.Number(1, span.Type, "type")
			c.Fail(span.UnknownType, "no such type")
			c.Fail(span.Truncated, "not reported")
			c.Number(1, span.Value, "not read")
			c.Means("nothing")
		case 'e': // reads nothing
			c.Items(1 << 63)
		}
	},
})

func open(t testing.TB, text string, region span.Span) *tree.Tree {
	t.Helper()
	src := source.Bytes(text)
	formats := toy.Formats(&format.Request{Dialect: "toy"}, src, region)
	if len(formats) != 1 {
		t.Fatalf("%d formats", len(formats))
	}
	return tree.New(src, formats[0].Open(src, region), region)
}

// TestValues reads values of the toy format: text and JSON, all fields, and problems.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		bytes, text, json string
		fields, problems  []string
	}{
		{"n\xfe\xff", "-2", "-2", []string{"$ 0 type type=a number", "$ 1 value value=-2"}, nil},
		{"f\x00\x00\x80?", "1.0", "1.0", []string{"$ 0 type type=102", "$ 1 value value=1.0"}, nil},
		{"t\x02\x00a\n", `"a\n"`, `"a\n"`, []string{"$ 0 type type=116", "$ 1 length length=2", `$ 3 text text=a\n`}, nil},
		{"b0123456789", "blob(30313233343536373839)", `{"type":"blob","hex":"30313233343536373839"}`,
			[]string{"$ 0 type type=98", "$ 1 data data=30313233343536373839"}, nil},
		{"b012", "<truncated>", `{"type":"Damaged","problem":"truncated","offset":0}`,
			[]string{"$ 0 type type=98", "$ 1 gap gap=303132"}, []string{"error truncated 1+3 blob is cut: data needs 10 bytes, but 3 bytes are left"}},
		{"t\x03\x00a", "<length-overrun>", `{"type":"Damaged","problem":"length-overrun","offset":0}`,
			[]string{"$ 0 type type=116", "$ 1 length length=3", "$ 3 gap gap=61"}, []string{"error length-overrun 1+2 text of 3 bytes, but 1 byte is left"}},
		{"xy", "<unknown-type>", `{"type":"Damaged","problem":"unknown-type","offset":0}`,
			[]string{"$ 0 type type=120", "$ 1 gap gap=79"}, []string{"error unknown-type 0+1 no such type"}},
		{"l\x02\x00\x00\x00\x00\x00\x00\x00en\x01\x00", "[<unknown-type>]", `[{"type":"Damaged","problem":"unknown-type","offset":9}]`,
			[]string{"$ 0 type type=108", "$ 1 length count=2", "$[0] 9 gap gap=656e0100"}, []string{"error unknown-type 9+4 no value begins here"}},
		{"l\xff\xff\xff\xff\xff\xff\xff\xffn\x01\x00", "[1]", "[1]",
			[]string{"$ 0 type type=108", "$ 1 length count=18446744073709551615", "$[0] 9 type type=a number", "$[0] 10 value value=1"},
			[]string{"error length-overrun 1+8 list counts 1,152,921,504,606,846,976, but 3 bytes are left"}},
	} {
		tr := open(t, c.bytes, span.Between(0, int64(len(c.bytes))))
		check(t, c.bytes, tr, c.text, c.json, c.fields, c.problems)
	}
	region := open(t, "abn\x05\x00c", span.Between(2, 5)) // with bytes around it
	check(t, "region", region, "5", "5", []string{"$ 0 gap gap=6162", "$ 2 type type=a number", "$ 3 value value=5", "$ 5 gap gap=63"}, nil)
}

// TestDescribe: what a value is was found out when it was read, and is not again as long as its window shows the same bytes.
func TestDescribe(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector lets what is kept go")
	}
	tr := open(t, "n\x05\x00", span.Between(0, 3))
	w := source.NewWindow(tr.Source)
	var v tree.Value
	tr.Reading.Read(w, &tr.Base.Value, tree.Slot{}, 0, &v)
	for want, bytes := range []string{"n\x05\x00", "n\x06\x00"} {
		if want > 0 {
			w.Reset(source.Bytes(bytes))
		}
		values = 0
		if s := tr.Reading.(tree.Describer).Describe(w, &v); s.Bits != 5+uint64(want) || values != want {
			t.Errorf("%q is %d, read %d times", bytes, s.Bits, values)
		}
	}
}

func check(t *testing.T, name string, tr *tree.Tree, text, json string, fields, problems []string) {
	t.Helper()
	ctx, r := context.Background(), tr.NewReader()
	var gotText, gotJSON bytes.Buffer
	var gotFields, gotProblems []string
	err := tr.EachField(ctx, func(f tree.OwnedField) error {
		gotFields = append(gotFields, fmt.Sprintf("%s %d %s %s=%s", f.Path, f.Offset, f.Kind, f.Label, f.Value))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = tr.Check(ctx, tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) {
		gotProblems = append(gotProblems, fmt.Sprintf("%s %s %d+%d %s", p.Severity, p.Code, p.Offset, p.Length, p.Message))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.WriteText(ctx, &gotText, &tr.Base.Value); err != nil || gotText.String() != text {
		t.Errorf("%q: %s, want %s (%v)", name, &gotText, text, err)
	}
	if err := r.WriteJSON(ctx, &gotJSON, &tr.Base.Value); err != nil || gotJSON.String() != json+"\n" {
		t.Errorf("%q: JSON %s, want %s (%v)", name, &gotJSON, json, err)
	}
	if !slices.Equal(gotFields, fields) {
		t.Errorf("%q: fields %q, want %q", name, gotFields, fields)
	}
	if !slices.Equal(gotProblems, problems) {
		t.Errorf("%q: problems %q, want %q", name, gotProblems, problems)
	}
}

// TestFamily checks the description of a family.
func TestFamily(t *testing.T) {
	d := toy.Dialects()
	if toy.Name() != "toy" || len(d) != 1 || d[0].Name != "toy" || d[0].Format != "toy" || d[0].Title != "Toy" || d[0].About != "tests" || len(d[0].Types) != 4 {
		t.Errorf("%+v", d)
	}
	src := source.Bytes(append([]byte("abl"), make([]byte, 100)...))
	if got := toy.Sniff(src, span.Between(2, 100)); got != format.Signature {
		t.Errorf("claim %d of a region", got)
	}
	if got := toy.Sniff(src, span.Between(0, 0)); got != format.None {
		t.Errorf("claim %d of nothing", got)
	}
	info := toy.Formats(&format.Request{}, src, span.Between(0, 3))[0].Info()
	if want := (format.Info{Dialect: d[0], Framing: "raw"}); info != want {
		t.Errorf("%+v", info)
	}
}

// TestKeyFoundOnce: what precedes a key is read once where the keys are passed, and again only for a key alone.
func TestKeyFoundOnce(t *testing.T) {
	const keys = 1000
	calls := 0
	family := simple.New(simple.Description{
		Name: "pairs", Types: []string{"all", "key", "text"},
		Sniff: func([]byte, int64) format.Claim { return format.Signature },
		Value: func(c *simple.Cursor) {
			if c.Place().In == 0 {
				c.Inside(1)
				c.PairsUntil()
				return
			}
			c.Text(1)
		},
		HasChild: func(c *simple.Cursor) bool {
			for calls++; c.Peek() == '\n'; {
				c.Field(1, span.Padding, "blank")
			}
			return c.Left() > 0
		},
		Foot: func(*simple.Cursor) {},
	})
	src := source.Bytes(bytes.Repeat([]byte("\n\nkv"), keys))
	region := span.Between(0, int64(len(src)))
	tr := tree.New(src, family.Formats(&format.Request{Dialect: "pairs"}, src, region)[0].Open(src, region), region)
	calls = 0
	if err := tr.BuildIndex(t.Context()); err != nil || calls < keys || calls > keys+keys/10 {
		t.Errorf("%d keys were looked for %d times (%v)", keys, calls, err)
	}
	if n, err := tr.NewReader().Resolve("$.k#7"); err != nil || n.Start != 6*4+3 {
		t.Errorf("the seventh value is %+v (%v)", n, err)
	}
}

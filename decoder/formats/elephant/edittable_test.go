package elephant_test

import (
	"context"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
)

const one, two = "000000000000f03f", "0000000000000040" // f64

// do makes an edit in the notation of the tables: "set PATH=LITERAL", "insert PATH INDEX NAME=LITERAL",
// "copy PATH INDEX NAME=FROM", "paste PATH=FROM", "delete PATH", "move PATH INDEX"; options come first.
func do(t *testing.T, b *Block, what string) ([]source.Splice, error) {
	t.Helper()
	tr := b.Tree(b.Data)
	r, e, ctx := tr.NewReader(), tr.Reading.(edit.Editor), context.Background()
	o := edit.Options{}
	options := map[string]func(){"retype": func() { o.Retype = true }, "inherit": func() { o.Orphans = edit.Inherit },
		"undefined": func() { o.Orphans = edit.Undefined }}
	words, value, _ := strings.Cut(what, "=")
	args := strings.Fields(words)
	for options[args[0]] != nil {
		options[args[0]]()
		args = args[1:]
	}
	n, err := r.Resolve(args[1])
	if err != nil {
		t.Fatal(what, err)
	}
	index, c := int64(0), edit.Content{Literal: value}
	if len(args) > 2 {
		index = int64(args[2][0] - '0')
	}
	if len(args) > 3 {
		c.Key = args[3]
	}
	switch args[0] {
	case "insert":
		return e.Insert(ctx, r, n, index, c, o)
	case "copy":
		if c.Copy, err = r.Resolve(value); err != nil {
			t.Fatal(err)
		}
		c.From = r
		return e.Insert(ctx, r, n, index, c, o)
	case "paste":
		if c.Copy, err = r.Resolve(value); err != nil {
			t.Fatal(err)
		}
		c.From = r
		return e.Set(ctx, r, n, c, o)
	case "delete":
		return e.Delete(ctx, r, n, o)
	case "move":
		return e.Move(ctx, r, n, index, o)
	}
	return e.Set(ctx, r, n, c, o)
}

// TestEdits: the bytes after edits, by the specification.
func TestEdits(t *testing.T) {
	for _, c := range []struct{ was, what, want string }{
		{"01 07", "set $=8", "01 08"},
		{"cccc 01 07", "set $=8", "cccc 01 08"},
		{"01 07", "set $=u16(8)", "03 0800"},
		{"01 07", "set $=-0x8", "01 07 !u8 holds 0 to 255"},
		{"01 07", "retype set $=-8", "09 00000000000020c0"},
		{"01 07", "retype set $=undefined", "cf"},
		{"0d 6100", `set $="b"`, "0d 6200"},
		{"0a 02", "set $=true", "0a 02"},
		{"0a 02", "set $=false", "0a 00"},
		{"09 010000000000f87f", "set $=nan", "09 010000000000f87f"},
		{"0c 0000000000000000", "set $=-5", "0c fbffffffffffffff"},
		{"07 0000", "set $=65504", "07 ff7b"},
		{"07 0000", "set $=-0.1", "07 66ae"},
		{"08 00000000", "set $=0.1", "08 cdcccc3d"},

		{"cd 0200 01 0708", "set $[1]=9", "cd 0200 01 0709"},
		{"cd 0200 01 0708", `retype set $[1]="x"`, "cd 0200 cc 0107 0b7800"},
		{"cd 0200 01 0708", "set $[1]=u16(9)", "cd 0200 cc 0107 030900"},
		{"cd 0100 01 07", `retype set $[0]="x"`, "cd 0100 0b 7800"},
		{"cd 0200 01 0708", "insert $ 1=9", "cd 0300 01 070908"},
		{"cd 0200 01 0708", "insert $ 2=true", "cd 0300 cc 0107 0108 0a01"},
		{"cd 0200 01 0708", "insert $ 0=300", "cd 0300 cc 09 0000000000c07240 0107 0108"},
		{"cd 0000", `insert $ 0="a"`, "cd 0100 0b 6100"},
		{"cd 0100 0b 6100", "delete $[0]", "cd 0000"},
		{"cd 0200 cf", "insert $ 1=1", "cd 0300 cc cf 09" + one + "cf"},
		{"cd 0200 cf", "delete $[1]", "cd 0100 cf"},
		{"cd 0300 01 070809", "move $[0] 2", "cd 0300 01 080907"},
		{"cd 0300 01 070809", "move $[2] 0", "cd 0300 01 090708"},
		{"cd 0300 01 070809", "set $=[7, 8, 1, 9]", "cd 0400 01 07080109"},
		{"cd 0300 01 070809", "set $=[7, 9]", "cd 0200 01 0709"},
		{"cd 0300 01 070809", `set $=[7, "x", 9]`, "cd 0300 cc 0107 0b7800 0109"},
		{"cd 0200 01 0708", `set $=["x", "y"]`, "cd 0200 0b 7800 7900"},
		{"cd 0200 01 0708", "set $=[]", "cd 0000"},
		{"1.3.0 0f 0000", "insert $ 0=undefined", "1.3.0 0f 0100 11"},

		{"cd 0200 cc 0107 cd 0100 01 08", "copy $[1] 1=$[0]", "cd 0200 cc 0107 cd 0200 01 0807"},
		{"cd 0200 cc 0307 00 cd 0100 01 08", "copy $[1] 1=$[0]", "cd 0200 cc 0307 00 cd 0200 01 0807"},
		{"cd 0200 cc 0c 010000000000e0ff cd 0100 09" + one, "copy $[1] 1=$[0]",
			"cd 0200 cc 0c 010000000000e0ff cd 0200 cc 09" + one + "0c 010000000000e0ff"}, // 2^64 - 2^53 + 1
		{"cd 0200 cc 0c 000000000000e0ff cd 0100 09" + one, "copy $[1] 1=$[0]",
			"cd 0200 cc 0c 000000000000e0ff cd 0200 09" + one + "0000000000fcef43"},
		{"cd 0200 cc 09 9a9999999999b93f cd 0100 08 0000803f", "copy $[1] 1=$[0]",
			"cd 0200 cc 09 9a9999999999b93f cd 0200 cc 08 0000803f 09 9a9999999999b93f"}, // 0.1 as f64

		{"ce 0100 6100 01 07", "set $.a@key=b", "ce 0100 6200 01 07"},
		{"ce 0100 6100 01 07", `set $.a@key="é ü"`, "ce 0100 c3a920c3bc00 01 07"},
		{"ce 0100 6100 01 07", `insert $ 0 "b"=true`, "ce 0200 6200 0a01 6100 0107"},
		{"ce 0200 6100 01 07 6200 cf", "delete $.a", "ce 0100 6200 cf"},
		{"ce 0200 6100 01 07 6200 cf", "move $.a 1", "ce 0200 6200 cf 6100 01 07"},
		{"ce 0200 6100 01 07 6200 cf", "set $={ b: undefined, new: u8(1), a: 8 }", "ce 0300 6200 cf 6e657700 0101 6100 0108"},
		{"ce 0100 6100 01 07", "set $={}", "ce 0000"},
	} {
		checkEdit(t, c.was, c.what, c.want)
	}
}

// TestReferenceEdits: what follows for references and constructors.
func TestReferenceEdits(t *testing.T) {
	const pair = "cd 0200 cd 0000 ffff0100"                                   // an array and a reference to it
	const named = "ce feff 0000 4100 80 0000"                                 // A {}
	const chain = "cd 0300 ce feff 0000 4100 80 0100 7800 0107 feff 0000 80 " // A { x: u8(7) }, A …
	for _, c := range []struct{ was, what, want string }{
		{pair, "insert $ 0=[]", "cd 0300 cd 0000 0000 ffff0200"},
		{pair, "insert $ 2=[]", "cd 0300 cd 0000 ffff0100 0000"},
		{pair, "insert $ 0=ref($[0])", "cd 0300 cd 0000 ffff0100 ffff0100"},
		{pair, "insert $ 2=ref($)", "cd 0300 cd 0000 ffff0100 ffff0000"},
		{pair, "insert $ 2=ref(#9)", "cd 0300 cc cd0000 cdffff0100 ceffff0900"},
		{pair, "copy $ 0=$[0]", "cd 0300 cd 0000 0000 ffff0200"},
		{pair, "copy $ 2=$", "cd 0300 cd 0000 ffff0100 0200 cd 0000 ffff0300"},
		{"ce 0200 6100 ce 0200 7800 cd0000 7900 cdffff0200 6200 ce 0200 7800 cd 0100 0107 7900 cdffff0400", "paste $.a=$.b",
			"ce 0200 6100 ce 0200 7800 cd 0100 0107 7900 cdffff0200 6200 ce 0200 7800 cd 0100 0107 7900 cdffff0400"},
		{"ce 0200 6100 ce 0100 7900 cdffff0000 6200 ce 0200 7800 cd 0000 7900 cdffff0300", "paste $.a=$.b",
			"ce 0200 6100 ce 0200 7800 cd 0000 7900 cdffff0200 6200 ce 0200 7800 cd 0000 7900 cdffff0400"},
		{pair, "delete $[1]", "cd 0100 cd 0000"},
		{pair, "inherit delete $[0]", "cd 0100 cd 0000"},
		{pair, "undefined delete $[0]", "cd 0100 cc cf"},
		{pair, "undefined set $[0]=ref($)", "cd 0200 cc cd ffff0000 cf"},
		{"cd 0300 cd 0100 01 07 0000 ffff0100", "move $[2] 0", "cd 0300 cd 0100 01 07 ffff0100 0000"},
		{"cd 0300 cd 0000 0100 cd ffff0100 ffff0200", "inherit delete $[0]", "cd 0200 cd 0100 cd 0000 ffff0100"},
		{"cd 0100 cd ffff0200", "insert $ 0=[[]]", "cd 0200 cd 0100 cd 0000 ffffffff"}, // 2 would lead to the new one
		{"cd 0100 cd ffff0500", "insert $ 0=[]", "cd 0200 cd 0000 ffff0500"},

		{"cd 0200 " + named + "feff 0000 80 0000", "delete $[0]", "cd 0100 " + named},
		{chain + "0000 feff 0000 80 0000", "move $[1] 0",
			"cd 0300 ce feff 0000 4100 80 0000 feff 0000 80 0100 7800 0107 feff 0000 80 0000"},
		{"cd 0100 " + named, "insert $ 0=A { }", "cd 0200 " + named + "feff 0000 80 0000"},
		{"cd 0100 " + named, "insert $ 1=B { x: 1 }", "cd 0200 " + named + "feff 0100 4200 80 0100 7800 09" + one},
		{"cd 0000", `insert $ 0=P { a: 7, b: "" }`, "cd 0100 ce feff 0000 5000 01 0000 07 00 cf"},
		{"cd 0000", `insert $ 0=P { c: 1 }`, "cd 0100 ce feff 0000 5000 01 0100 0200 0000 09" + one},
		{"1.0.0 0f 0000", "insert $ 0=B { x: true }", "1.0.0 0f 0100 20 4200 00 0100 7800 0a01"},
		{"1.0.0 0f 0200 0e 22 4200 00 0000 0101", "insert $ 0=C {}", "1.0.0 0f 0300 0e 23 4300 00 0000 22 4200 00 0000 0101"},
		{"1.0.0 0f 0200 0e 22 4200 00 0000 22 00 0000", "delete $[0]", "1.0.0 0f 0100 0e 22 4200 00 0000"},
	} {
		checkEdit(t, c.was, c.what, c.want)
	}
}

// TestSchemaEdits: the members of a schema are stored and left out.
func TestSchemaEdits(t *testing.T) {
	const p, middle = "ce feff 0000 5000 01 0000 07 6800 cf", "ce feff 0000 5000 01 0200 0000 07 cf"
	for _, c := range []struct{ was, what, want string }{
		{p, "set $.a=9", "ce feff 0000 5000 01 0000 09 6800 cf"},
		{p, "set $.b=default", middle},
		{p, "delete $.b", middle},
		{p, "retype set $.c=2", "ce feff 0000 5000 01 0000 07 6800 09" + two},
		{middle, `set $.b="h"`, p},
		{middle, `insert $ 1="h"`, p},
		{middle, `insert $ 0 b="h"`, p},
		{middle, "set $.a=default", "ce feff 0000 5000 01 0100 0200 0000 cf"},
		{"ce feff 0000 5000 01 0300 0200 0000 07", "set $.a=default", "ce feff 0000 5000 01 0100 0300 0200 0000"},
		{"ce feff 0000 5000 01 0300 0200 0300 0000 07", "set $.c=undefined", "ce feff 0000 5000 01 0200 0000 07 cf"},
		{p, `set $=P { c: true, b: "h" }`, "ce feff 0000 5000 01 0100 0000 6800 0a01"},
		{"ce feff 0000 5100 01 0000 0000", "set $.s=Q { s: ref($) }", "ce feff 0000 5100 01 0000 feff 0000 01 0000 ffff0000"},
	} {
		checkEdit(t, c.was, c.what, c.want)
	}
}

// checkEdit makes an edit; after a ! comes the expected error instead.
func checkEdit(t *testing.T, was, what, want string) {
	t.Helper()
	want, message, fails := strings.Cut(want, "!")
	b := TableBlock(t, was)
	splices, err := do(t, &b, what)
	switch {
	case fails && (err == nil || !strings.Contains(err.Error(), message)):
		t.Errorf("%s: %s: %v, want %s", was, what, err, message)
	case !fails && err != nil:
		t.Errorf("%s: %s: %v", was, what, err)
	default:
		got := Spliced(t, b.Data, splices)
		if w := Sample(t, want); string(got) != string(w) {
			t.Errorf("%s: %s:\n%x, want\n%x", was, what, got, w)
		}
	}
}

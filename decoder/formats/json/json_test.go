package json_test

import (
	"context"
	stdjson "encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/edit/simple/simpletest"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/json"
)

var background = context.Background()

// open reads text as the likeliest dialect.
func open(text string) *tree.Tree {
	src, region := source.Bytes(text), span.Between(0, int64(len(text)))
	f := json.Family.Formats(&format.Request{}, src, region)[0]
	return tree.New(src, f.Open(src, region), region)
}

// problems lists all problems but the notes about the whole text.
func problems(t testing.TB, tr *tree.Tree) (all []string) {
	t.Helper()
	err := tr.Check(background, tree.CheckOptions{Workers: 1}, func(p span.Problem, n *tree.Node) {
		if p.Length > 0 || p.Severity > span.Note {
			all = append(all, fmt.Sprintf("%s %s %d+%d %s: %s", p.Severity, p.Code, p.Offset, p.Length, tr.NewReader().Path(n), p.Message))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// buffered lists the messages of all problems, including those of the whole text.
func buffered(t testing.TB, tr *tree.Tree) (all []string) {
	t.Helper()
	if err := tr.Check(background, tree.CheckOptions{Workers: 1}, func(p span.Problem, _ *tree.Node) { all = append(all, p.Message) }); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestFields holds what every byte is.
func TestFields(t *testing.T) {
	got := strings.Join(simpletest.FieldsOf(t, open("\ufeff{\"a\" : [ 1, true,\r\n-2.50e3],\"\\u00e9\\n\":null}\n\x00\x00")), "\n")
	want := strings.TrimSpace(`
$ magic byte order mark=\ufeff
$ type bracket={
$.a@key text text=a
$.a padding blank= 
$.a terminator colon=:
$.a padding blank= 
$.a type bracket=[
$.a[0] padding blank= 
$.a[0] value value=1
$.a[1] terminator comma=,
$.a[1] padding blank= 
$.a[1] value value=true
$.a[2] terminator comma=,
$.a[2] padding blank=\r\n
$.a[2] value value=-2.50e3
$.a terminator bracket=]
$["é\n"]@key terminator comma=,
$["é\n"]@key text text=é\n
$["é\n"] terminator colon=:
$["é\n"] value value=null
$ terminator bracket=}
$ padding blank=\n
$ padding unused=0000`)
	if got != want {
		t.Errorf("%s", got)
	}
}

// TestMeaning checks what texts mean: as literals, and as exported JSON.
func TestMeaning(t *testing.T) {
	for _, c := range [][3]string{
		{`{}`, `{}`, `{}`},
		{" [ ] ", `[]`, `[]`},
		{`{"a":1,"a":{"type":"x","hex":"00"}}`, `{"a": 1, "a": {"type": "x", "hex": "00"}}`, `{"a":1,"a":{"type":"x","hex":"00"}}`},
		{`[9007199254740993,1.50,1e999,-0,1E+2,0.1000000000000000055511151231257827]`, `[9007199254740993, 1.50, 1e999, -0, 1E+2, 0.1000000000000000055511151231257827]`,
			`[9007199254740993,1.50,1e999,-0,1E+2,0.1000000000000000055511151231257827]`},
		{`[inf,-inf,nan,NaN,Infinity,01,1.,.5,+1]`, `[inf, -inf, nan, NaN, Infinity, 01, 1., .5, +1]`, `["inf","-inf","nan","nan","inf",1,1.0,0.5,1]`},
		{`"\"\\\/\b\f\n\r\t\u0041\ud83d\ude00"`, `"\"\\/\b\f\n\r\tA😀"`, `"\"\\/\b\f\n\r\tA😀"`},
		{"[1,]", "[1]", "[1]"},
		{"{\"a\":1}\n{\"b\":2}\n", `[{"a": 1}, {"b": 2}]`, `[{"a":1},{"b":2}]`},
		{"1\n[2]\n\n\"x\"", `[1, [2], "x"]`, `[1,[2],"x"]`},
		{"\"raw\ttab\"", `"raw\ttab"`, `"raw\ttab"`},
		{`"\v\q"`, `"\u000b\\q"`, `"\u000b\\q"`},
	} {
		tr := open(c[0])
		if got := simpletest.LiteralOf(t, tr); got != c[1] {
			t.Errorf("%q: %s, want %s", c[0], got, c[1])
		}
		if got := simpletest.JSONOf(t, tr); got != c[2] {
			t.Errorf("%q: exported %s, want %s", c[0], got, c[2])
		}
	}
}

// TestDamage checks what is reported of damaged texts, what can still be read, and the result of all
// repairs. "" stands for a text that stays as it is.
func TestDamage(t *testing.T) {
	for _, c := range []struct{ text, says, reads, repaired string }{
		{`{"a":[1,2`, "truncated 9", `{"a": [1, 2]}`, `{"a":[1,2]}`},
		{"{\"a\": 1,\n", "truncated 7", `{"a": 1}`, "{\"a\": 1}\n"},
		{`{"a":1,"b`, "open-text 7, truncated 9", `{"a": 1, "b": <missing-value-of-key>}`, `{"a":1,"b": null}`},
		{`{"a":`, "truncated 5", `{"a": <truncated>}`, `{"a":null}`},
		{`{"a":tru`, "no-value 5", `{"a": <no-value>}`, `{"a":true}`},
		{`{"a":"xy` + "\x00\x00\x00\x00", "open-text 5, truncated 8", `{"a": "xy"}`, `{"a":"xy"}` + "\x00\x00\x00\x00"},
		{`{"a":1` + "\x00\x00\x00", "truncated 6", `{"a": 1}`, `{"a":1}` + "\x00\x00\x00"},
		{`{"a" 1}`, "missing-mark 5", `{"a": 1}`, `{"a": 1}`},
		{"[1 2\n3]", "missing-mark 3, missing-mark 5", `[1, 2, 3]`, "[1, 2,\n3]"},
		{`[1,,2]`, "extra-mark 3", `[1, 2]`, `[1,2]`},
		{`[,1]`, "extra-mark 1", `[1]`, `[1]`},
		{`[1,,]`, "extra-mark 2", `[1]`, `[1]`},
		{`{"a":}`, "missing-value-of-key 5", `{"a": <missing-value-of-key>}`, `{"a":null}`},
		{`{"a"}`, "missing-value-of-key 4", `{"a": <missing-value-of-key>}`, `{"a": null}`},
		{`{"a":[1,{"b":2],"c":3}`, "open-bracket 8", `{"a": [1, {"b": 2}], "c": 3}`, `{"a":[1,{"b":2}],"c":3}`},
		{`[1,2}`, "wrong-bracket 4", `[1, 2]`, `[1,2]`},
		{`{"a":{"b":1,"c":2]}`, "wrong-bracket 17", `{"a": {"b": 1, "c": 2}}`, `{"a":{"b":1,"c":2}}`},
		{"{\n\t\"a\": \"x,\n\t\"b\": 2\n}", "open-text 8", `{"a": "x", "b": 2}`, "{\n\t\"a\": \"x\",\n\t\"b\": 2\n}"},
		{`{"a":"x,"b":"y"}`, "open-text 5", `{"a": "x", "b": "y"}`, `{"a":"x","b":"y"}`},
		{`{"a":x","b":1}`, "no-value 5", `{"a": <no-value>, "b": 1}`, `{"a":"x","b":1}`},
		{`{a":1}`, "no-value 1", `{<no-value>: 1}`, `{"a":1}`},
		{`["a\qb"]`, "bad-escape 3", `["a\\qb"]`, `["a\\qb"]`},
		{"[\"a\xe4\"]", "invalid-utf8 3", `["a\udce4"]`, "[\"a\ufffd\"]"},
		{"[\"ab\xc3", "open-text 1, invalid-utf8 4, truncated 5", `["ab\udcc3"]`, "[\"ab\ufffd\"]"},
		{`{"a":1} bare text`, "trailing-bytes 8", `{"a": 1}`, `{"a":1} `},
		{`{"a":1,"\u0061":2}`, "repeated-key 7", `{"a": 1, "a": 2}`, ""},
		{`[{"a":1,"\u0061":2}]`, "repeated-key 8", `[{"a": 1, "a": 2}]`, ""},
		{`{"a":1,"\\u0061":2,"u0061":3}`, "", `{"a": 1, "\\u0061": 2, "u0061": 3}`, ""},
		{`{1:2}`, "odd-key 1", `{1: 2}`, `{"1":2}`},
		{`[1]]`, "trailing-bytes 3", `[1]`, `[1]`},
	} {
		if c.reads == "" {
			simpletest.FieldsOf(t, open(c.text))
			continue
		}
		tr := open(c.text)
		simpletest.FieldsOf(t, tr)
		var says []string
		for _, p := range problems(t, tr) {
			if f := strings.Fields(p); f[0] != "note" {
				says = append(says, f[1]+" "+f[2][:strings.IndexByte(f[2], '+')])
			}
		}
		if got := strings.Join(says, ", "); got != c.says {
			t.Errorf("%q: %s, want %s", c.text, got, c.says)
		}
		if got := simpletest.LiteralOf(t, tr); got != c.reads {
			t.Errorf("%q reads as %s, want %s", c.text, got, c.reads)
		}
		if got := repaired(t, c.text); c.repaired != "" && got != c.repaired {
			t.Errorf("%q: repaired %q, want %q", c.text, got, c.repaired)
		}
	}
}

// repaired makes the repair of the first problem that has one, again and again.
func repaired(t testing.TB, text string) string {
	t.Helper()
	for range 10 {
		tr := open(text)
		next := text
		err := tr.Check(background, tree.CheckOptions{Workers: 1}, func(p span.Problem, n *tree.Node) {
			if p.Repair == "" || next != text {
				return
			}
			r := tr.NewReader()
			if owner, err := r.At(p.Offset); err == nil { // which the program asks for the repair
				n = owner
			}
			fix, err := tr.Reading.(edit.Repairer).Repair(background, r, n, &p)
			if err != nil {
				t.Errorf("%q: %s: %v", text, p.Code, err)
			}
			next = spliced(t, text, fix.Splices)
		})
		if err != nil {
			t.Fatal(err)
		}
		if next == text {
			break
		}
		text = next
	}
	return text
}

// spliced returns a text after an edit, which must be undone by its inverse.
func spliced(t testing.TB, text string, splices []source.Splice) string {
	t.Helper()
	b, err := simpletest.Spliced(t, open(text), splices, nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestSuite tests texts in several layouts: cuts, owners, import, and random edits.
func TestSuite(t *testing.T) {
	s := simpletest.Suite{Family: json.Family, AnyEnd: true}
	for _, text := range []string{`{"a": [1, true, -2.50e3], "\u00e9": null}`, "{\n\t\"a\": [],\n\t\"b\": {\"x\": \"y\"}\n}\n", `[[], {}, [1,[2,[3]]], "x"]`, "{\r\n  \"k\": 1\r\n}\r\n"} {
		s.Samples = append(s.Samples, simpletest.Sample{Text: text})
	}
	s.Run(t)
}

// TestPlaces holds that messages name line and column, in characters.
func TestPlaces(t *testing.T) {
	got := problems(t, open("{\n  \"é\": 1\n  \"b\": \"Zażółć\" 3\n}"))
	want := []string{
		`error missing-mark 14+1 $.b@key: a comma is missing at line 3, column 3`,
	}
	if len(got) == 0 || got[0] != want[0] {
		t.Errorf("%q", got)
	}
}

// TestNotes checks what is reported about what only some readers accept, and about what Godot changes.
func TestNotes(t *testing.T) {
	for _, c := range [][2]string{
		{`[1,]`, "loose-syntax"}, {`[01]`, "loose-syntax"}, {"[\"\x01\"]", "loose-syntax"},
		{`["(1.0, -2.5)"]`, "lost-in-engine"}, {`["(1, 2, 3, 4)"]`, "lost-in-engine"}, {`["[P: (0.0, 0.0), S: (4.0, 5.0)]"]`, "lost-in-engine"},
		{`["0.2,0.1,0.9,1"]`, "lost-in-engine"}, {`["1,0,1,1"]`, ""}, {`["0.2,0.1,0.9"]`, ""}, {`["0.2,0.1,0.9,2"]`, ""}, {`["10.5.0.1"]`, ""},
		{`["(1, 2"]`, ""}, {`["(one, two)"]`, ""}, {`["(1, 2, 3, 4, 5)"]`, ""}, {`["[P: (1, 2), S: (1, 2, 3)]"]`, ""},
		{`["@i64@-46$i64$"]`, "loose-syntax"}, {`["@@nan$$"]`, "loose-syntax"},
		{`[9007199254740993]`, "lost-in-engine"}, {`[9007199254740992]`, ""}, {`[123456789012345]`, ""}, {`["@name"]`, ""}, {`[1.5]`, ""},
		{`["a\vb"]`, "loose-syntax"}, {`["a\\vb"]`, ""}, {`[1e300]`, "lost-in-engine"}, {`[-1e99999]`, "lost-in-engine"}, {`[1e30]`, ""}, {`[-.5]`, "loose-syntax"},
	} {
		got := problems(t, open(c[0]))
		if c[1] == "" && len(got) > 0 || c[1] != "" && (len(got) != 1 || !strings.HasPrefix(got[0], "note "+c[1])) {
			t.Errorf("%s: %q", c[0], got)
		}
	}
	for _, p := range buffered(t, open(`{"a":"x"}12345678901234567890123e5f678901`)) {
		if strings.Contains(p, "digits") {
			t.Errorf("a checksum is taken for a number: %s", p)
		}
	}
	texts := strings.Repeat(`"a text \"12\" \\",`, 8000)
	for end, want := range map[string]string{"1.5": "", "7": "whole numbers", "12345.678901234567": "digits", `"7"`: "",
		"1e-7": "six decimals", "0.1234567": "six decimals", "0.123456000": "", "1.5e-5": "", "123.4567891e1": ""} {
		got := strings.Join(buffered(t, open("["+texts+end+"]")), "")
		if !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("far off %s: %q", end, got)
		}
	}
	if got := problems(t, open(`["@i64@-46$i64$"]`)); !strings.HasSuffix(got[0], "stands for the int64 -70") {
		t.Error(got)
	}
}

// TestNotesAtRandom holds, for random lists, which numbers Godot would change.
func TestNotesAtRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	for range 300 {
		whole, long, text := false, false, "["
		for range r.IntN(12) {
			switch r.IntN(8) {
			case 0:
				whole, text = true, text+pick("0", "7", "-12")
			case 1:
				long, text = true, text+pick("1.234567890123456", "-0.1234567890123456e7")
			case 2, 3:
				text += pick("0.5", "-1e9", "12345.6789012345", "0.00000000000000001")
			default:
				var inside string
				for range r.IntN(6) {
					inside += pick("7", ",", `\\`, `\"`, "1.234567890123456", " ", "é")
				}
				text += `"` + inside + `"`
			}
			text += pick(",", ", ", "\n,")
		}
		text += "null]"
		got := strings.Join(buffered(t, open(text)), "")
		if strings.Contains(got, "whole numbers") != whole || strings.Contains(got, "more than 15 digits") != long {
			t.Errorf("%s (whole %t, long %t): %q", text, whole, long, got)
		}
	}
}

// TestCut cuts a text at every byte: it is read up to there, and once repaired it is JSON.
func TestCut(t *testing.T) {
	text := "{\"name\": \"Mira \\\"x\\\" \\u00e9\",\n \"list\": [1, -2.5e3, true, null, {\"k\": []}],\n \"o\": {}}"
	for n := 1; n < len(text); n++ {
		simpletest.FieldsOf(t, open(text[:n]))
		simpletest.LiteralOf(t, open(text[:n]))
		if is := repaired(t, text[:n]); text[n-1] != '.' && !stdjson.Valid([]byte(is)) {
			t.Errorf("%q: repaired %q", text[:n], is)
		}
		for _, b := range []string{text[:n] + "\x00\x00\x00\x00\x00\x00\x00\x00", text[:n] + text[n+1:], text[:n] + "\xff" + text[n:], text[:n] + "\"" + text[n:]} {
			tr := open(b)
			simpletest.FieldsOf(t, tr)
			if out := simpletest.JSONOf(t, tr); !stdjson.Valid([]byte(out)) {
				t.Errorf("%q: %s", b, out)
			}
		}
	}
}

// TestSniff holds what is taken for JSON.
func TestSniff(t *testing.T) {
	for text, want := range map[string]format.Claim{
		`{"a":1}`: format.Signature, "\ufeff [ {": format.Signature, `[1, 2`: format.Signature, "{\n}": format.Signature, `[]`: format.Signature,
		`[true, x`: format.Signature, "[\"\xff": format.Signature,
		`{a": 1}`: format.Signature, `"a": {}`: format.Signature, `]{"a": 1}`: format.Signature, `"a:b": c`: format.None, `"a" = 1`: format.None,
		`5`: format.Signature, "null\n": format.Signature, `-1.5`: format.Signature, `12345678`: format.Signature, `710897003801087149`: format.Signature, `1e5`: format.Signature, `12.305715763757519`: format.Signature, `0200000005000000`: format.None, `"x"`: format.Signature, `{ünï": 1}`: format.Signature,
		``: format.None, `[audio]`: format.None, `[2024] log`: format.None, `{ x: 1 }`: format.LastResort, `hello`: format.None, "[gd_scene]": format.None,
		"{\"" + strings.Repeat("\x01\x02\xff", 50): format.None,
	} {
		if got := json.Family.Sniff(source.Bytes(text), span.Between(0, int64(len(text)))); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// FuzzTile: the fields of any text are in order, not empty, and cover it; the export is JSON; and passing
// over many values at once finds the same as reading them one by one.
func FuzzTile(f *testing.F) {
	for _, text := range []string{`{"a":[1,2.5,"x\n",null],"b":{}}`, "1\n2\n", `[1,]`, `{"a" 1 "b"`, "[\"\xff\u00e9\\ud800\"]", "\ufeff{}\x00\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tr := open(text)
		n := len(simpletest.FieldsOf(t, tr))
		problems(t, tr)
		simpletest.LiteralOf(t, tr)
		if out := simpletest.JSONOf(t, tr); !stdjson.Valid([]byte(out)) {
			t.Fatalf("%q", out)
		}
		quick := open(text)
		if err := quick.BuildIndex(background); err != nil {
			t.Fatal(err)
		}
		if got := len(simpletest.FieldsOf(t, quick)); got != n {
			t.Fatalf("%d fields once it is indexed, %d before", got, n)
		}
		s := quick.Scanner()
		s.PassOrdinary = true
		for s.Next() != tree.Done {
		}
		slow := open(text).Scanner()
		for slow.Next() != tree.Done {
		}
		if s.Pos() != slow.Pos() {
			t.Fatalf("passed to %d, one by one to %d", s.Pos(), slow.Pos())
		}
	})
}

// TestChildrenInBudget holds that of a list that is not indexed any child near the start is found within the budget of a look
// for the screen: objects that are passed one by one count by their bytes.
func TestChildrenInBudget(t *testing.T) {
	tr := open("[" + strings.Repeat(`{"hp": 1, "pos": [1, 2], "name": "rope"},`, 5000) + "{}]")
	r := tr.NewReader()
	list, err := r.Child(tr.Base, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := int64(500); i >= 0; i -= 20 {
		r := tr.NewReader()
		r.Budget = tree.LookUpBudget
		if n, err := r.Child(list, i); err != nil || n.Slot.Index != i {
			t.Errorf("child %d: %v, %v", i, n, err)
		}
	}
}

// TestColors holds that a text is drawn as a colour if it is one as web pages have it, and stays a text.
func TestColors(t *testing.T) {
	for text, want := range map[string]tree.Form{`"#ff8000"`: tree.FormColor, `"#FF800080"`: tree.FormColor, `"#ff80"`: tree.FormText,
		`"#ff80001"`: tree.FormText, `"a #ff8000"`: tree.FormText, `"#gg8000"`: tree.FormText} {
		tr := open(text)
		n, err := tr.NewReader().Child(tr.Base, 0)
		if err != nil {
			t.Fatal(err)
		}
		if l := tr.NewReader().Look(&n.Value); l.Form != want || want == tree.FormColor && string(l.Text) != strings.Trim(text, `"`) {
			t.Errorf("%s: %v %q", text, l.Form, l.Text)
		}
	}
}

// TestDeepPasses holds that lists in one another are passed at once, not list by list.
func TestDeepPasses(t *testing.T) {
	for _, depth := range []int{30, 60, 90} {
		const lists = 200
		tr := open("[" + strings.Repeat(strings.Repeat("[7,", depth)+"1"+strings.Repeat("]", depth)+",", lists) + "1]")
		s, steps := tr.Scanner(), 0
		for s.PassOrdinary = true; s.Next() != tree.Done; {
			steps++
		}
		if steps > lists {
			t.Errorf("%d steps for %d lists of %d levels", steps, lists, depth)
		}
	}
}

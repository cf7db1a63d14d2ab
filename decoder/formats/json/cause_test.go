package json_test

import (
	"bytes"
	"cmp"
	stdjson "encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/source/sourcetest"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/json"
)

// TestCauses damages a character: that is reported first, with its place, and the repair restores the text.
func TestCauses(t *testing.T) {
	for _, c := range []struct{ damaged, says, whole string }{
		{`{"a": 1, "b": t`, "no-value: t is not a JSON value at line 1, column 15", `{"a": 1, "b": true}`},
		{`{"a": 1, "b": n`, "no-value: n is not a JSON value at line 1, column 15", `{"a": 1, "b": null}`},
		{`{"a": 1, "b": -`, "no-value: - is not a JSON value at line 1, column 15", `{"a": 1, "b": null}`},
		{`{"a": 1, "b": t, "c": 2}`, "no-value: t is not a JSON value at line 1, column 15", `{"a": 1, "b": "t", "c": 2}`},
		{`{"a": {"b": 1, "c": [{"d": 2}, {"e": 3}], "f": 4}`, "truncated: the text ends at line 1, column 50", `{"a": {"b": 1, "c": [{"d": 2}, {"e": 3}], "f": 4}}`},
		{`{"a": [[1], 2, "b": 4}`, "missing-bytes: ] is missing at line 1, column 14", `{"a": [[1], 2], "b": 4}`},
		{`[{"a": 1}, "b": 2}, {"c": 3}]`, "missing-bytes: { is missing at line 1, column 12", `[{"a": 1}, {"b": 2}, {"c": 3}]`},
		{`{"a": {]}, "b": [1]}`, "extra-bytes: ] too many at line 1, column 8", `{"a": {}, "b": [1]}`},
		{`{"a": ]{}, "b": [1]}`, "extra-bytes: ] too many at line 1, column 7", `{"a": {}, "b": [1]}`},
		{`{"a": [, "b": [1]}`, "missing-bytes: ] is missing at line 1, column 8", `{"a": [], "b": [1]}`},
		{`{"a": }, "b": [1]}`, "missing-bytes: { is missing at line 1, column 7", `{"a": {}, "b": [1]}`},
		{`{{"a": 5, "b": [1, 2], "c": "y"}`, "extra-bytes: { too many at line 1, column 2", `{"a": 5, "b": [1, 2], "c": "y"}`},
		{`{"a": 55"12, "b": ["x"], "c": "y"}`, `extra-bytes: " too many at line 1, column 9`, `{"a": 5512, "b": ["x"], "c": "y"}`},
		{"{\"a\":{\"b\":1}\n{\"a\":{\"b\":2}}\n{\"a\":{\"b\":3}}\n", "open-bracket: } is missing at line 1, column 13", "{\"a\":{\"b\":1}}\n{\"a\":{\"b\":2}}\n{\"a\":{\"b\":3}}\n"},
		{"{\"a\":1}\n\"a\":2,\"b\":[]}\n{\"a\":3}\n", "missing-bytes: { is missing at line 2, column 1", "{\"a\":1}\n{\"a\":2,\"b\":[]}\n{\"a\":3}\n"},
		{"{\"a\":\"x,\"b\":1}\n{\"a\":\"y\",\"b\":2}\n", "open-text: the closing quote of this text is missing at line 1, column 8", "{\"a\":\"x\",\"b\":1}\n{\"a\":\"y\",\"b\":2}\n"},
		{"{\"a\":1,\"b\"\n{\"a\":2}\n{\"a\":3}\n", "missing-value-of-key: a value is missing at line 1, column 11", "{\"a\":1,\"b\": null}\n{\"a\":2}\n{\"a\":3}\n"},
		{"{\"a\":[1,\n{\"a\":2}\n{\"a\":3}\n", "open-bracket: ] is missing at line 1, column 8", "{\"a\":[1]}\n{\"a\":2}\n{\"a\":3}\n"},
		{"{\"a\":1}]\n{\"a\":2}\n", "no-value: ] is not a JSON value at line 1, column 8", "{\"a\":1}\n{\"a\":2}\n"},
		{"{\"a\":\"h\xa9llo\"}", "invalid-utf8: byte 0xa9 at line 1, column 8", "{\"a\":\"h\ufffdllo\"}"},
		{"{\"a\":\"h\xc3", "open-text: the text ends at line 1, column 9 within quotes", "{\"a\":\"h\ufffd\"}"},
		{"[1, inf, 2]", "engine-refuses: inf is not a number of JSON", "[1, 1e999, 2]"},
		{"{\"a\": -Infinity}", "engine-refuses: -Infinity is not a number of JSON", "{\"a\": -1e999}"},
		{"[.5]", "engine-refuses: .5 is not a number of JSON", "[0.5]"},
		{"[+15]", "engine-refuses: +15 is not a number of JSON", "[15]"},
		{"{\"a\": 1,\n \"b\": {\"c\" 2\x00\x00\x00\x00", "", "{\"a\": 1,\n \"b\": {\"c\": 2}}\x00\x00\x00\x00"},
	} {
		text, first, _ := mended(t, c.damaged)
		if !strings.HasPrefix(first, c.says) || !strings.Contains(first, "line") && !strings.HasPrefix(first, "engine-refuses") {
			t.Errorf("%q: %s", c.damaged, first)
		}
		for line := range strings.Lines(strings.TrimRight(text, "\x00")) {
			if !strings.Contains(text, "\n{\"a\":") {
				line = strings.TrimRight(text, "\x00")
			}
			if !stdjson.Valid([]byte(line)) {
				t.Errorf("%q: repaired %q", c.damaged, text)
				break
			}
		}
		if c.whole != "" && text != c.whole {
			t.Errorf("%q: repaired %q, want %q", c.damaged, text, c.whole)
		}
	}
}

// TestReadersOfDamage: Godot 3 reads over what is behind a value, and refuses what is before it.
func TestReadersOfDamage(t *testing.T) {
	for text, over := range map[string]bool{`}{"a":1}`: false, `,{"a":1}`: false, `]{"a":[1,2]}`: false, `"a":1,"b":[1,2]}`: false, `{"a":1},"b":2,"c":[3]}`: false, `{"a":1}}`: true, `[1] x`: true} {
		var errors []string
		if err := diagnose.Run(background, open(text), diagnose.Options{}, func(d diagnose.Diagnosis) bool {
			if d.Severity == span.Error {
				errors = append(errors, d.Message+": "+d.Engine)
			}
			return true
		}); err != nil || len(errors) != 1 || strings.Contains(errors[0], "reads over it") != over {
			t.Errorf("%s: %q, %v", text, errors, err)
		}
	}
}

// TestSecondValue: what follows a value without a line end is damage of JSON lines, whose readers take one value of a line.
func TestSecondValue(t *testing.T) {
	for _, c := range []struct{ text, says, whole string }{
		{"{\"a\":1}\n{\"b\":2}{\"c\":[3]}\n{\"d\":4}\n", "missing-mark: a line end is missing at line 2, column 8 before another value", "{\"a\":1}\n{\"b\":2}\n{\"c\":[3]}\n{\"d\":4}\n"},
		{"[1]\n[2]\t[3] [4]\n[5]\n", "missing-mark: a line end is missing at line 2, column 5", "[1]\n[2]\n\t[3]\n [4]\n[5]\n"},
	} {
		if text, first, loss := mended(t, c.text); !strings.HasPrefix(first, c.says) || text != c.whole || loss != "" {
			t.Errorf("%q: %s; repaired %q, want %q; lost: %s", c.text, first, text, c.whole, loss)
		}
	}
}

// TestNoNumber: what no engine reads as a number, and nothing means in JSON, is an error and becomes no text.
func TestNoNumber(t *testing.T) {
	for _, word := range []string{"nan", "-nan", "NaN"} {
		tr := open("[1, " + word + "]")
		if got := problems(t, tr); len(got) == 0 || !strings.HasPrefix(got[0], "error engine-refuses") {
			t.Errorf("%s: %q", word, got)
		}
		err := diagnose.Run(background, tr, diagnose.Options{}, func(d diagnose.Diagnosis) bool {
			if d.Severity > span.Note && d.Repair != "" {
				t.Errorf("%s: repair: %s", word, d.Repair)
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestByHand: what people who edit a text get wrong is said where it is, and the repair writes what they meant.
func TestByHand(t *testing.T) {
	for _, c := range []struct{ damaged, says, whole string }{
		{`{"a": 1; "b": 2}`, "wrong-mark: a semicolon at line 1, column 8 stands in place of the comma", `{"a": 1, "b": 2}`},
		{`{"a" = 1, "b": 2}`, "wrong-mark: an equals sign at line 1, column 6 stands in place of the colon", `{"a" : 1, "b": 2}`},
		{`["a"; "b"]`, "wrong-mark: a semicolon at line 1, column 5", `["a", "b"]`},
		{`{"a": "say "hi" now", "b": 2}`, "bad-escape: a quote within this text has no backslash before it at line 1, column 12", `{"a": "say \"hi\" now", "b": 2}`},
		{`["he said "hi"", "x"]`, "bad-escape: a quote within this text", `["he said \"hi\"", "x"]`},
		{`{"a": "x" "b": 2}`, "missing-mark: a comma is missing at line 1, column 11", `{"a": "x", "b": 2}`},
		{`["a" "b", "c"]`, "missing-mark: a comma is missing at line 1, column 6", `["a", "b", "c"]`},
		{`{"path": "C:\Users\bob\new", "b": 2}`, "bad-escape: this backslash does not begin an escape at line 1, column 13", `{"path": "C:\\Users\\bob\\new", "b": 2}`},
		{`{"a": None, "b": nil, "c": undefined, "d": NULL, "e": True}`, "no-value: None is not a JSON value", `{"a": null, "b": null, "c": null, "d": null, "e": true}`},
		{`{“hp”: 5, “name”: “Bob”}`, "no-value: “hp” is not a JSON value", `{"hp": 5, "name": "Bob"}`},
		{"[\n true, // best, so far\n null\n]", "comment: a comment at line 2, column 8: JSON has none", "[\n true, \n null\n]"},
		{"{\n \"a\": 1,\n // the gold\n \"gold\": 55,\n \"hp\": 3\n}", "comment: a comment at line 3, column 2", "{\n \"a\": 1,\n \n \"gold\": 55,\n \"hp\": 3\n}"},
		{"{\"a\": \"x\", # x \"y\" [z]\n \"b\": 2 /* {y}\n z */, \"c\" /* w */: /**/ 3 //\n}\n// end", "comment: a comment at line 1, column 12", "{\"a\": \"x\", \n \"b\": 2 , \"c\" :  3 \n}\n"},
		{"// a long comment at the beginning\n[1, // one, and no more\n]", "comment: a comment at line 1, column 1", "\n[1 \n]"},
		{"{\"a\": 1, // a comment before the cut", "comment: a comment at line 1, column 10", "{\"a\": 1} "},
		{`{"a": 1,#b":2,"c":[]}`, "", `{"a": 1,"b":2,"c":[]}`},
		{`{"a": 1, inf: 5, nan: 6, true: 7, 8: 9, -Infinity: 10}`, "odd-key: a key is a text in quotes at line 1, column 10", `{"a": 1, "inf": 5, "nan": 6, "true": 7, "8": 9, "-Infinity": 10}`},
		{`{'hp': 5, 'name': 'Bob'}`, "no-value: 'hp' is not a JSON value", `{"hp": 5, "name": "Bob"}`},
		{`{ "pos": (1, 2), "at": [P: (1, 2), S: (3, 4)], "b": ((1)) }`, "no-value: (1, 2) is not a JSON value", `{ "pos": "(1, 2)", "at": ["P: (1, 2)", "S: (3, 4)"], "b": "((1))" }`},
		{`{"dir": "C:\games\", "x": 1}`, "open-text: the backslash before the closing quote of this text makes it a part of it at line 1, column 18", `{"dir": "C:\\games\\", "x": 1}`},
		{`{"a": "say \"hi\", "b": "c"}`, "open-text: the closing quote of this text is missing at line 1, column 18", `{"a": "say \"hi\"", "b": "c"}`},
		{`{"a": "x\ud83dy", "b": 2}`, "bad-escape: half of a character", `{"a": "x\ufffdy", "b": 2}`},
	} {
		text, first, loss := mended(t, c.damaged)
		if !strings.HasPrefix(first, c.says) || text != c.whole || loss != "" {
			t.Errorf("%s: %s; repaired %s, want %s; lost: %s", c.damaged, first, text, c.whole, loss)
		}
	}
	for _, text := range []string{
		`{"a": 55,12, "b": ["x"], "c": "y"}`,      // a comma too many, or a point
		`{"a": {"b": [1, "x", "y"]]}, "c": true}`, // a bracket too many, or its partner missing
	} {
		unsure := false
		if err := diagnose.Run(background, open(text), diagnose.Options{}, func(d diagnose.Diagnosis) bool {
			unsure = unsure || d.Unsure && len(d.Alternatives) > 0
			return true
		}); err != nil || !unsure {
			t.Errorf("%s: another cause as likely is not named: %v", text, err)
		}
	}
	for _, text := range []string{`{"pos": Vector2(1, 2), "b": 1}`, `{"a": f(1), "b": 1}`, `{"tint": #ff8800}`,
		`{"a": 0x10}`, `{"a": 1_000}`, `{"a": 1 000}`, `{"a": 1 000, "b": 1}`, `{"a": 1.000.000}`, `{"a": yes}`, `{"a": off, "b": 1}`, `{"a": 1.5f}`} {
		if got, first, loss := mended(t, text); got != text || loss == "" {
			t.Errorf("%s: %s; repaired %s", text, first, got)
		}
	}
}

const inNumber = "it may belong to the number before it, as in 1,5 or 1 000, and which is meant is not known"

// TestSaysWhatToDo: the repair that is named is the one that is made, or why none is.
func TestSaysWhatToDo(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{`{'hp': 5}`, `write "hp"`},
		{`{“hp”: 5}`, `write "hp"`},
		{`{"a": True}`, "write true"},
		{`{"a": None}`, "write null"},
		{`{"a": yes}`, `it may be true or the text "yes", and which is meant is not known`},
		{`{"gold": 1,000}`, "replace , by ."}, // or delete it, which is named too
		{`{"gold": 1 000}`, inNumber},
		{`{"gold": 1,000,000}`, inNumber},
		{`{"gold": 1.000.000}`, `it may be 1000000 or the text "1.000.000", and which is meant is not known`},
		{`{"a": "\ud83d", "b": 2}`, "write U+FFFD in its place"},
	} {
		found := ""
		if err := diagnose.Run(background, open(c.text), diagnose.Options{}, func(d diagnose.Diagnosis) bool {
			if d.Severity > span.Note && found == "" {
				found = d.Repair
			}
			return true
		}); err != nil || found != c.says {
			t.Errorf("%s: %q, want %q; %v", c.text, found, c.says, err)
		}
	}
}

// TestRemains: the end of an older, longer text is what is left over, and not a sign of a missing or surplus quote in the
// value; a bracket too many that ends the value early is that.
func TestRemains(t *testing.T) {
	const long = `"name": "the tower at the river", "pos": [12, 34], "flags": {"met": true, "won": false}`
	for _, c := range []struct{ text, code, whole string }{
		{"{\n  \"tower\": \"x\",\n  \"stone\": \"\"\n}: \"\"\n}", span.TrailingBytes, "{\n  \"tower\": \"x\",\n  \"stone\": \"\"\n}"},
		{`{` + long + `}nger name", "x": 5, "y": 6}`, span.TrailingBytes, `{` + long + `}`},
		{`{` + long + `}stone": "", "longer": [1,2,3,{"x":4}]}`, span.TrailingBytes, `{` + long + `}`},
		{`{` + long + `}e, "b": [7, 8, 9, 10, 11, 12, 13, 14]}`, span.TrailingBytes, `{` + long + `}`},
		{`[1, 2]]`, span.TrailingBytes, `[1, 2]`},
		{`[1, 2], 3, 4, 5]`, span.ExtraBytes, `[1, 2, 3, 4, 5]`},
		{`{"a": [1, 2]}, "b": 4}`, span.ExtraBytes, `{"a": [1, 2], "b": 4}`},
	} {
		tr := open(c.text)
		var first *diagnose.Diagnosis
		err := diagnose.Run(background, tr, diagnose.Options{}, func(d diagnose.Diagnosis) bool {
			if d.Severity == span.Error && first == nil {
				first = &d
			}
			return true
		})
		if err != nil || first == nil || first.Code != c.code {
			t.Fatalf("%q: %v %v", c.text, first, err)
		}
		fix, err := diagnose.Repair(background, tr.NewReader(), first)
		if got := spliced(t, c.text, fix.Splices); err != nil || got != c.whole || fix.Loss != "" {
			t.Errorf("%q: repaired %q, drops %q: %v", c.text, got, fix.Loss, err)
		}
	}
	const closedEarly = "{\"level\": 5, \"count\": [[1, 2, 3, 4, 5, 6, 7, 8], [9], {\"gold\": true}]}, null], \"best\": [50, \"x\"]}"
	for _, text := range []string{closedEarly, `{"a":1}, {"b": "a whole value behind it"}`, `{"a": 1, "inv": []}:1, 2, 3], "b": {"x": 5}, "c": "end"}`} {
		tr := open(text)
		err := diagnose.Run(background, tr, diagnose.Options{}, func(d diagnose.Diagnosis) bool {
			if d.Code != span.TrailingBytes {
				return true
			}
			fix, err := diagnose.Repair(background, tr.NewReader(), &d)
			if err != nil || fix.Loss == "" {
				t.Errorf("%s: a value that is dropped is not named: %v", text, err)
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestCloseDeep: the bytes read to find out what is open, and to close it, grow with the text, at any depth.
func TestCloseDeep(t *testing.T) {
	read := func(n int) int64 {
		src := &sourcetest.Counted{Source: source.Bytes(strings.Repeat("[", n))}
		region := span.Between(0, src.Size())
		tr := tree.New(src, json.Family.Formats(&format.Request{}, src, region)[0].Open(src, region), region)
		if err := tr.BuildIndex(background); err != nil {
			t.Fatal(err)
		}
		closed := false
		err := diagnose.Run(background, tr, diagnose.Options{}, func(d diagnose.Diagnosis) bool {
			closed = len(d.Splices) == 1 && d.Splices[0].Added() == int64(n)
			return false
		})
		if err != nil || !closed {
			t.Fatal(closed, err)
		}
		return src.Bytes
	}
	if few, many := read(1<<15), read(1<<16); many > 4*few {
		t.Errorf("%d bytes read for 32 KiB, %d for 64 KiB", few, many)
	}
}

// TestTooDeep: what is nested too deeply ends in one gap, and is checked within bounds.
func TestTooDeep(t *testing.T) {
	tr := open(strings.Repeat("[", tree.MaxDepth+1000))
	n := 0
	s := tr.Scanner()
	var fields []span.Field
	for ev := s.Next(); ev != tree.Done; ev = s.Next() {
		fields = s.AppendFields(fields[:0], ev)
		n += len(fields)
	}
	if n > 2*tree.MaxDepth {
		t.Errorf("%d fields", n)
	}
}

// mended returns a text after all repairs that lose nothing, what was reported first, and what a repair would lose.
func mended(t *testing.T, text string) (_, first, loss string) {
	t.Helper()
	for range 40 {
		var todo, loose *diagnose.Diagnosis
		tr := open(text)
		err := diagnose.Run(background, tr, diagnose.Options{}, func(d diagnose.Diagnosis) bool {
			if d.Severity > span.Note && todo == nil {
				todo = &d
			} else if d.Code == span.Loose && d.Repair != "" {
				loose = &d
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		if todo == nil && first != "" {
			todo = loose
		}
		if todo == nil {
			break
		}
		if first == "" {
			first = todo.Code + ": " + todo.Message
		}
		fix, err := diagnose.Repair(background, tr.NewReader(), todo)
		if err != nil {
			return text, first, err.Error()
		}
		if fix.Loss != "" {
			return text, first, fix.Loss
		}
		text = spliced(t, text, fix.Splices)
	}
	return text, first, ""
}

// TestRepairsAreStrict damages texts in three layouts: what is repaired without a loss is JSON for every reader, and has the
// values that the damage did not hit.
func TestRepairsAreStrict(t *testing.T) {
	const values = `{"gold": 10001, "alive": true, "bag": [{"id": 10002, "is": "axe03"}, {"id": 10004, "is": "bow05"}], "at": [1.5, -2.25], "end": {"w06": null, "x07": [10008, 10009]}, "who": "mira10"}`
	var compact, indented bytes.Buffer
	if err := cmp.Or(stdjson.Compact(&compact, []byte(values)), stdjson.Indent(&indented, []byte(values), "", "\t")); err != nil {
		t.Fatal(err)
	}
	words := regexp.MustCompile(`[a-z]+[0-9]{2}|1000[0-9]`)
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 30 {
		text := []string{values, compact.String(), indented.String()}[n%3]
		at := 1 + r.IntN(len(text)-12)
		damaged := map[int]string{
			0: text[:at] + string(text[at]^1<<r.IntN(7)) + text[at+1:],
			1: text[:at] + string(rune(" {}[],:\"0\x00"[r.IntN(9)])) + text[at:],
			2: text[:at] + text[at+1+r.IntN(2):],
			3: text[:at] + strings.Repeat("\x00", 10) + text[at+10:],
			4: text[:at] + []string{"}:", "Z]", "\x01\""}[r.IntN(3)] + text[at:],
		}[n%5]
		got, first, loss := mended(t, damaged)
		if first == "" || loss != "" {
			continue
		}
		if !stdjson.Valid([]byte(got)) {
			t.Errorf("%q\nrepaired %q", damaged, got)
		}
		lost := 0
		for _, word := range words.FindAllString(damaged, -1) {
			if !strings.Contains(got, word) {
				lost++
			}
		}
		if lost > 0 {
			t.Errorf("%q\nrepaired %q, which lacks %d", damaged, got, lost)
		}
	}
	for damaged, want := range map[string]string{
		`{"a": 1, "inv": [}:1, 2, 3], "b": {"x": 5}, "c": "end"}`: `{"a": 1, "inv": [1, 2, 3], "b": {"x": 5}, "c": "end"}`,
		`{"a": falsd, "b": lull, "c": [alse, ll, tru]}`:           `{"a": false, "b": null, "c": [false, null, true]}`,
		"{\"gold\": 12\x0034, \"c\": 1}":                          `{"gold": 1234, "c": 1}`,
		"{\"a\":1,\v\"b\":2,\"c\":[]}":                            `{"a":1,"b":2,"c":[]}`,
		`{"a":1,*b":2,"c":[]}`:                                    `{"a":1,"b":2,"c":[]}`,
		"{\"n\": \"ab\x00\x00\x00\x00\n \"q\": 1}":                "{\"n\": \"ab\",\n \"q\": 1}",
	} {
		if got, _, loss := mended(t, damaged); got != want {
			t.Errorf("%q: repaired %q (loss %s), want %q", damaged, got, loss, want)
		}
	}
}

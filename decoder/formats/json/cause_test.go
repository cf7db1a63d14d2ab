package json_test

import (
	stdjson "encoding/json"
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
		{`{"a": {"b": 1, "c": [{"d": 2}, {"e": 3}], "f": 4}`, "truncated: the text ends at line 1, column 50", `{"a": {"b": 1, "c": [{"d": 2}, {"e": 3}], "f": 4}}`},
		{`{"a": [[1], 2, "b": 4}`, "missing-bytes: ] is missing at line 1, column 14", `{"a": [[1], 2], "b": 4}`},
		{`[{"a": 1}, "b": 2}, {"c": 3}]`, "missing-bytes: { is missing at line 1, column 12", `[{"a": 1}, {"b": 2}, {"c": 3}]`},
		{`{"a": {]}, "b": [1]}`, "extra-bytes: ] too many at line 1, column 8", `{"a": {}, "b": [1]}`},
		{`{"a": ]{}, "b": [1]}`, "extra-bytes: ] too many at line 1, column 7", `{"a": {}, "b": [1]}`},
		{`{"a": [, "b": [1]}`, "missing-bytes: ] is missing at line 1, column 8", `{"a": [], "b": [1]}`},
		{`{"a": }, "b": [1]}`, "missing-bytes: { is missing at line 1, column 7", `{"a": {}, "b": [1]}`},
		{`{"a": 55"12, "b": ["x"], "c": "y"}`, `extra-bytes: " too many at line 1, column 9`, `{"a": 5512, "b": ["x"], "c": "y"}`},
		{`{"a": 55,12, "b": ["x"], "c": "y"}`, `extra-bytes: , too many at line 1, column 9`, `{"a": 5512, "b": ["x"], "c": "y"}`},
		{"{\"a\":{\"b\":1}\n{\"a\":{\"b\":2}}\n{\"a\":{\"b\":3}}\n", "missing-bytes: } is missing at line 1, column 13", "{\"a\":{\"b\":1}}\n{\"a\":{\"b\":2}}\n{\"a\":{\"b\":3}}\n"},
		{"{\"a\":1}\n\"a\":2,\"b\":[]}\n{\"a\":3}\n", "missing-bytes: { is missing at line 2, column 1", "{\"a\":1}\n{\"a\":2,\"b\":[]}\n{\"a\":3}\n"},
		{"{\"a\":\"x,\"b\":1}\n{\"a\":\"y\",\"b\":2}\n", "open-text: the closing quote of this text is missing at line 1, column 8", "{\"a\":\"x\",\"b\":1}\n{\"a\":\"y\",\"b\":2}\n"},
		{"{\"a\":1}]\n{\"a\":2}\n", "no-value: ] is not a JSON value at line 1, column 8", "{\"a\":1}\n{\"a\":2}\n"},
		{"{\"a\":\"h\xa9llo\"}", "invalid-utf8: byte 0xa9 at line 1, column 8", "{\"a\":\"h\ufffdllo\"}"},
		{"{\"a\":\"h\xc3", "open-text: the text ends at line 1, column 9 within quotes", "{\"a\":\"h\ufffd\"}"},
		{"[1, inf, 2]", "engine-refuses: inf is not a number of JSON", "[1, 1e999, 2]"},
		{"{\"a\": -Infinity}", "engine-refuses: -Infinity is not a number of JSON", "{\"a\": -1e999}"},
		{"[.5]", "engine-refuses: .5 is not a number of JSON", "[0.5]"},
		{"[+15]", "engine-refuses: +15 is not a number of JSON", "[15]"},
		{"{\"a\": 1,\n \"b\": {\"c\" 2\x00\x00\x00\x00", "", "{\"a\": 1,\n \"b\": {\"c\": 2}}\x00\x00\x00\x00"},
	} {
		var first string
		text := c.damaged
		for range 8 {
			var all []diagnose.Diagnosis
			tr := open(text)
			err := diagnose.Run(background, tr, diagnose.Options{}, func(d diagnose.Diagnosis) bool {
				if d.Severity > span.Note {
					all = append(all, d)
				}
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(all) == 0 {
				break
			}
			if first == "" {
				first = all[0].Code + ": " + all[0].Message
			}
			fix, err := diagnose.Repair(background, tr.NewReader(), &all[0])
			if err != nil {
				t.Fatalf("%q: %s: %v", text, all[0].Message, err)
			}
			text = spliced(t, text, fix.Splices)
		}
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
	for _, text := range []string{`{"a":1}, {"b": "a whole value behind it"}`, `{"a": 1, "inv": []}:1, 2, 3], "b": {"x": 5}, "c": "end"}`} {
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

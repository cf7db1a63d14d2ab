package json_test

import (
	stdjson "encoding/json"
	"strings"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/engine/span"
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
		if !strings.HasPrefix(first, c.says) || !strings.Contains(first, "line") {
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

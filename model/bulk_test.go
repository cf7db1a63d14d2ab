package model

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/model/literals"
	"varview/model/search"
)

// bulkSave is a stream of two frames: a dictionary, and an int.
func openBulk(t *testing.T, literal string) *Document {
	t.Helper()
	d := openFile(t, write(t, []byte("\x04\x00\x00\x00\x00\x00\x00\x00\x08\x00\x00\x00\x02\x00\x00\x00\x07\x00\x00\x00")), decoder.Options{Dialect: "godot4", Framing: "stream"})
	tr, err := d.Begin(d.Innermost())
	must(t, err)
	n, err := tr.Reader().Resolve("$[0]")
	must(t, err)
	must(t, tr.Set(context.Background(), n, edit.Content{Literal: literal}, edit.Options{Retype: true}))
	d, err = tr.Commit(context.Background(), "set", Cursor{}, Cursor{})
	must(t, err)
	return d
}

const slots = `{ "slots": [{ "qty": 3, "w": 1.5 }, { "qty": 5, "w": -2.0 }, { "name": "x" }], "qty": 9, "pos": Vector2(1, 2.5), "big": 2147483647, "ids": PackedInt32Array(1, 2) }`

// TestSetAll: values of a path are set together, and one step undoes that.
func TestSetAll(t *testing.T) {
	for _, c := range []struct {
		path, value string
		changed     int
		want        string // the old text and the new one for each change, or an error
	}{
		{"[0].slots[*].qty", "99", 2, `"qty": 3|"qty": 99|"qty": 5|"qty": 99`},
		{"..qty", "*2", 3, `"qty": 3|"qty": 6|"qty": 5|"qty": 10|"qty": 9|"qty": 18`},
		{"..qty", "+10", 3, `"qty": 3|"qty": 13|"qty": 5|"qty": 15|"qty": 9|"qty": 19`},
		{"..qty", "clamp(_, 4, 8)", 3 - 1, `"qty": 3|"qty": 4|"qty": 9|"qty": 8`},
		{"..qty", "5", 2, `"qty": 3|"qty": 5|"qty": 9|"qty": 5`},
		{"[0].slots[*].w", "_ / 2", 2, `"w": 1.5|"w": 0.75|"w": -2.0|"w": -1.0`},
		{"[0].slots[*].w", "-_", 2, `"w": 1.5|"w": -1.5|"w": -2.0|"w": 2.0`},
		{"[0].slots[*].w", "round(_)", 1, `"w": 1.5|"w": 2.0`},
		{"[0].pos.*", "*2", 2, `Vector2(1, 2.5)|Vector2(2, 5)`},
		{"[0].ids[*]", "_ - 3", 2, `PackedInt32Array(1, 2)|PackedInt32Array(-2, -1)`},
		{"..big", "+1", 1, `2147483647|2147483648`}, // in 64 bits
		{"..qty", "3000000000 + _", 3, `"qty": 3|"qty": 3000000003|"qty": 5|"qty": 3000000005|"qty": 9|"qty": 3000000009`},
		{"..name", `"longer"`, 1, `"name": "x"|"name": "longer"`},
		{"[1]", "%4", 1, `], 7]|], 3]`},
		{"..qty", "/2", 0, `error: $[0].slots[0].qty: 1.5 is not a whole number, but the value is one: _/2|round, |floor or |ceil make it one`},
		{"..qty", "/0", 0, `error: $[0].slots[0].qty: the divisor is 0`},
		{"..name", "*2", 0, `error: $[0].slots[2].name: "x" is not a number to calculate with`},
		{"..qty", `"text"`, 0, `error: $[0].slots[0].qty: the new value is String, the old one int`},
		{"..qty", "*2)", 0, `error: the expression _*2) is wrong at character 4`},
		{"..nothing", "5", 0, `error: no value has such a path`},
		{"[0].none[*]", "5", 0, `error: $[0] has no .none`},
	} {
		d := openBulk(t, slots)
		was := docText(t, d)
		tr, err := d.Begin(d.Innermost())
		must(t, err)
		changed, err := tr.SetAll(context.Background(), c.path, c.value, edit.Options{})
		what := c.path + "=" + c.value
		if want, isErr := strings.CutPrefix(c.want, "error: "); isErr {
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s: %v, want %s", what, err, want)
			}
			continue
		}
		if err != nil || changed.Values != c.changed || len(tr.Ops()) != c.changed {
			t.Errorf("%s: %d, %d changes (%v), want %d", what, changed, len(tr.Ops()), err, c.changed)
			continue
		}
		want, steps := was, strings.Split(c.want, "|")
		if strings.HasPrefix(steps[0], `], `) {
			steps[0], steps[1] = "7", "3"
			want = strings.TrimSuffix(want, steps[0]+"]") + steps[1] + "]"
			steps = nil
		}
		for i := 0; i < len(steps); i += 2 {
			want = strings.Replace(want, steps[i], steps[i+1], 1)
		}
		d, err = tr.Commit(context.Background(), "set", Cursor{}, Cursor{})
		must(t, err)
		if got := docText(t, d); got != want {
			t.Errorf("%s:\n%s, want\n%s", what, got, want)
		}
		turn, err := d.Undo(context.Background())
		must(t, err)
		if got := docText(t, turn.Doc); got != was {
			t.Errorf("%s, undone: %s", what, got)
		}
	}
}

// TestSetFound: values in which a query finds something are set, each once.
func TestSetFound(t *testing.T) {
	for _, c := range []struct {
		query, value string
		changed      int
		want         string // the old text and the new one for each change, or an error
	}{
		{"key:qty", "*2", 3, `"qty": 3|"qty": 6|"qty": 5|"qty": 10|"qty": 9|"qty": 18`},
		{"qty", "70", 3, `"qty": 3|"qty": 70|"qty": 5|"qty": 70|"qty": 9|"qty": 70`},
		{"key:qty >4", "0", 2, `"qty": 5|"qty": 0|"qty": 9|"qty": 0`},
		{"key:name | value:x", `"much longer"`, 1, `"name": "x"|"name": "much longer"`},
		{"type:Vector2", "Vector2(0, 0)", 1, `Vector2(1, 2.5)|Vector2(0, 0)`},
		{"=2.5", "+1", 1, `Vector2(1, 2.5)|Vector2(1, 3.5)`},
		{"x:00002040", "+1", 1, `Vector2(1, 2.5)|Vector2(1, 3.5)`},
		{"slots", "5", 0, `error: $[0].slots: the new value is int, the old one Array`},
		{"nowhere", "5", 0, `error: nothing is found`},
	} {
		d := openBulk(t, slots)
		want := docText(t, d)
		tr, err := d.Begin(d.Innermost())
		must(t, err)
		q, err := search.ParseQuery(c.query)
		must(t, err)
		changed, err := tr.SetFound(context.Background(), q, c.value, edit.Options{})
		if text, isErr := strings.CutPrefix(c.want, "error: "); isErr {
			if err == nil || err.Error() != text {
				t.Errorf("%s: %v, want %s", c.query, err, text)
			}
			continue
		}
		if err != nil || changed.Values != c.changed || len(tr.Ops()) != c.changed {
			t.Errorf("%s: %d, %d changes (%v), want %d", c.query, changed, len(tr.Ops()), err, c.changed)
		}
		for steps := strings.Split(c.want, "|"); len(steps) > 1; steps = steps[2:] {
			want = strings.Replace(want, steps[0], steps[1], 1)
		}
		if got := versionText(t, tr); got != want {
			t.Errorf("%s=%s:\n%s, want\n%s", c.query, c.value, got, want)
		}
	}
}

func docText(t *testing.T, d *Document) string {
	t.Helper()
	tr := d.Innermost().Tree()
	s, err := literals.Full(context.Background(), tr.NewReader(), tr.Base)
	must(t, err)
	return s
}

// TestSetInside: of nested hits the outermost are set, together with all others.
func TestSetInside(t *testing.T) {
	for _, c := range []struct{ literal, value, want string }{
		{`{ "a": [1, [2, [3]], 4], "b": [5] }`, "[70, 71]", `{ "a": [70, 71], "b": [70, 71] }`},
		{`{ "a": [[], [7]], "b": [5] }`, "[[]]", `{ "a": [[]], "b": [[]] }`},
	} {
		d := openBulk(t, c.literal)
		tr, err := d.Begin(d.Innermost())
		must(t, err)
		q, err := search.ParseQuery("type:Array")
		must(t, err)
		changed, err := tr.SetFound(context.Background(), q, c.value, edit.Options{})
		if want := (Changed{Values: 2, Inside: 2}); err != nil || changed != want || len(tr.Splices()) != 1 {
			t.Errorf("%s: %+v in %d edits, %v", c.literal, changed, len(tr.Splices()), err)
		}
		if got := versionText(t, tr); got != "["+c.want+", 7]" {
			t.Errorf("%s: %s, not %s", c.literal, got, c.want)
		}
	}
}

// TestSetAllPatch: the patch of a set of many values makes the same of another copy.
func TestSetAllPatch(t *testing.T) {
	d := openBulk(t, slots)
	tr, err := d.Begin(d.Innermost())
	must(t, err)
	_, err = tr.SetAll(context.Background(), "..qty", "3000000000 + _", edit.Options{})
	must(t, err)
	other := openBulk(t, slots)
	again, err := other.Begin(other.Innermost())
	must(t, err)
	must(t, again.Apply(context.Background(), tr.Ops(), edit.Options{}))
	if a, b := versionText(t, tr), versionText(t, again); a != b {
		t.Errorf("%s, want %s", b, a)
	}
}

func versionText(t *testing.T, tr *Transaction) string {
	t.Helper()
	s, err := literals.Full(context.Background(), tr.read, tr.now.tree.Base)
	must(t, err)
	return s
}

// TestSetTogether: values of other sizes that are set together leave the same bytes as those set one
// after the other, in frames whose lengths follow.
func TestSetTogether(t *testing.T) {
	ctx := context.Background()
	frame := `{ "name": "item", "big": 7, "tags": PackedStringArray("a", "bc"), "deep": [{ "name": "other name" }] }`
	for _, dialect := range []string{"godot4", "godot3"} {
		for _, c := range []struct{ path, value string }{{"..name", `"something longer"`}, {"..name", `""`}, {"..big", "5000000000"}, {"[*].tags[*]", `"12345"`}} {
			d := openFile(t, write(t, nil), decoder.Options{Dialect: dialect, Framing: "stream"})
			literal := "[" + strings.Repeat(strings.ReplaceAll(frame, "Packed", map[string]string{"godot4": "Packed", "godot3": "Pool"}[dialect])+", ", 3) + "1]"
			begun, err := d.Begin(d.Innermost())
			must(t, err)
			must(t, begun.Set(ctx, begun.Reader().Tree.Base, edit.Content{Literal: literal}, edit.Options{Retype: true}))
			d, err = begun.Commit(ctx, "set", Cursor{}, Cursor{})
			must(t, err)
			together, err := d.Begin(d.Innermost())
			must(t, err)
			changed, err := together.SetAll(ctx, c.path, c.value, edit.Options{})
			must(t, err)
			if groups := len(together.Splices()); changed.Values < 3 || groups != 1 {
				t.Errorf("%s %s: %d values in %d edits", dialect, c.path, changed, groups)
			}
			single, err := d.Begin(d.Innermost())
			must(t, err)
			for _, op := range together.Ops() {
				n, err := single.Reader().Resolve(op.Path)
				must(t, err)
				must(t, single.Set(ctx, n, edit.Content{Literal: c.value}, edit.Options{}))
			}
			a, _ := readAll(together.now.content)
			b, _ := readAll(single.now.content)
			if !bytes.Equal(a, b) {
				t.Errorf("%s %s=%s:\n% x, want\n% x", dialect, c.path, c.value, a, b)
			}
		}
	}
}

// TestSetDecodesOnce: a number among many that are set is neither parsed nor spelled in more than one way: few objects are made for it.
func TestSetDecodesOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector makes more objects")
	}
	const n = 2000
	list := func(record string) string {
		var b strings.Builder
		for k := range n {
			fmt.Fprintf(&b, record, k, 300+k)
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		most uint64 // objects: nodes of the value and its container, the literal, the splice
		path string
		data string
	}{
		"json":        {13, "..x", "[0" + list(`,{"id":%d,"x":%d,"name":"an item"}`) + "]"},
		"configfile":  {21, "..x", list("[item%d]\nx=%d\npos=Vector2(1, 2)\n\n")},
		"messagepack": {13, "..x", "\xdc\x07\xd0" + strings.Repeat("\x82\xa1x\xcd\x01\x00\xa4name\xa7an item", n)},
		"elephant":    {19, "$[*]", "PELE\x01\x05\x01\x00\xcd\xd0\x07\xcc" + strings.Repeat("\x06\x07\x00\x00\x00", n) + "TNAH"},
	} {
		d := openFile(t, write(t, []byte(c.data)), decoder.Options{})
		tr, err := d.Begin(d.Innermost())
		must(t, err)
		tr.Unrecorded = true
		var was, is runtime.MemStats
		runtime.ReadMemStats(&was)
		done, err := tr.SetAll(context.Background(), c.path, "+5", edit.Options{})
		runtime.ReadMemStats(&is)
		if must(t, err); done.Values != n {
			t.Errorf("%s: %d values changed", name, done.Values)
		}
		if made := (is.Mallocs - was.Mallocs) / n; made > c.most {
			t.Errorf("%s: %d objects for each value, more than %d", name, made, c.most)
		}
	}
}

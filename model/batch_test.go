package model

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/model/patch"
)

// TestApplyTogether: the edits of a patch are one edit of the bytes, however many there are, and
// leave what they say.
func TestApplyTogether(t *testing.T) {
	for _, n := range []int{25, 50, 100} {
		var was []string
		var p patch.Patch
		for i := range n {
			was = append(was, fmt.Sprintf(`{ "a": %d, "b": "x" }`, i))
			path := fmt.Sprintf("$[0][%d]", i)
			p = append(p, patch.Op{Path: path + ".b", Old: `"x"`, New: `"longer text"`})
		}
		for i := n - 1; i > 0; i-- {
			if i%2 == 1 {
				p = append(p, patch.Op{Kind: patch.Insert, Path: fmt.Sprintf("$[0][%d]", i), New: "7"})
			}
		}
		d := openBulk(t, "["+strings.Join(was, ", ")+"]")
		tr, err := d.Begin(d.Innermost())
		must(t, err)
		must(t, tr.Apply(context.Background(), p, edit.Options{}))
		if len(tr.Splices()) != 1 || len(tr.Ops()) != len(p) {
			t.Errorf("%d edits: %d passes over the bytes, %d ops", len(p), len(tr.Splices()), len(tr.Ops()))
		}
		if got := strings.Count(versionText(t, tr), `"longer text"`); got != n {
			t.Errorf("%d of %d values are set", got, n)
		}
	}
}

// TestDeletedTogether: what many values are deleted in does not depend on their number, and leaves the bytes that deleting them
// one by one leaves, with the same ops.
func TestDeletedTogether(t *testing.T) {
	for name, text := range textsOfRecords(50) {
		d := openFile(t, write(t, []byte(text)), decoder.Options{})
		for _, test := range []struct {
			paths  []string
			values int
		}{
			{[]string{"..a"}, 50},
			{[]string{"..b"}, 50},
			{[]string{"..b", "..a"}, 100},
			{[]string{"..c[*]", "..a"}, 100},
			{[]string{"..c", "..c[0]", "..b"}, 100},
		} {
			deleted := func(do func(*Transaction) (int, error)) (tr *Transaction, text string) {
				tr, err := d.Begin(d.Innermost())
				must(t, err)
				n, err := do(tr)
				must(t, err)
				if n != test.values {
					t.Errorf("%s: %d values of %v deleted, want %d", name, n, test.paths, test.values)
				}
				content, err := readAll(tr.now.content)
				must(t, err)
				return tr, string(content)
			}
			tr, is := deleted(func(tr *Transaction) (int, error) { return tr.DeleteAll(t.Context(), edit.Options{}, test.paths...) })
			slow, want := deleted(func(tr *Transaction) (int, error) { return tr.deleteByPaths(t.Context(), edit.Options{}, test.paths) })
			if len(tr.Splices()) != 1 || is != want {
				t.Errorf("%s, %v: in %d passes other bytes:\n%s\nthan one by one:\n%s", name, test.paths, len(tr.Splices()), is, want)
			}
			if !slices.Equal(withoutBeside(tr.Ops()), withoutBeside(slow.Ops())) {
				t.Errorf("%s, %v: ops\n%v\nother than one by one:\n%v", name, test.paths, tr.Ops(), slow.Ops())
			}
		}
	}
}

// withoutBeside returns ops without what comes before and after elements of lists, of which edits made together know less.
func withoutBeside(ops patch.Patch) patch.Patch {
	ops = slices.Clone(ops)
	for i := range ops {
		ops[i].Before, ops[i].After = "", ""
	}
	return ops
}

// TestRestoredOnce: the patch of what was deleted puts it back where it was, and is refused where it has been put back.
func TestRestoredOnce(t *testing.T) {
	for _, text := range []string{`[1,2,3,4,5]`, `[{"id":1},{"id":2},{"id":3}]`, `[[],[[]]]`} {
		d := openFile(t, write(t, []byte(text)), decoder.Options{})
		for _, path := range []string{"$[0]", "$[1]", "$[0:2]", "$[-1]", "$[1:]", "$[*]"} {
			tr, err := d.Begin(d.Innermost())
			must(t, err)
			_, err = tr.DeleteAll(t.Context(), edit.Options{}, path)
			must(t, err)
			back := tr.Ops().Reversed()
			must(t, tr.Apply(t.Context(), back, edit.Options{}))
			content, err := readAll(tr.now.content)
			must(t, err)
			if string(content) != text {
				t.Errorf("%s: without %s, and with it again: %s", text, path, content)
			}
			if err := tr.Apply(t.Context(), back, edit.Options{}); err == nil {
				t.Errorf("%s: %s was put back twice", text, path)
			}
		}
	}
}

// TestDeletedFromMany: values are deleted from more containers than are taken at a time, whose counts and that of the list follow.
func TestDeletedFromMany(t *testing.T) {
	const records = 3*sweptAtOnce/2 + 5
	list := func(n int, record func(i int) string) string {
		b := []byte{0xdd, 0, 0, byte(n >> 8), byte(n)}
		for i := range n {
			b = append(b, record(i)...)
		}
		return string(b)
	}
	both := func(i int) string { return "\x82\xa1a" + string(byte(i%100)) + "\xa1b\xa2xy" }
	for _, test := range []struct{ path, want string }{
		{"..a", list(records, func(int) string { return "\x81\xa1b\xa2xy" })},
		{"..b", list(records, func(i int) string { return "\x81\xa1a" + string(byte(i%100)) })},
		{"$[*]", list(0, nil)},
		{"$[a=7]", list(records-records/100-1, func(i int) string { return both(i + (i+92)/99) })},
	} {
		d := openFile(t, write(t, []byte(list(records, both))), decoder.Options{Dialect: "msgpack"})
		tr, err := d.Begin(d.Innermost())
		must(t, err)
		tr.Unrecorded = true
		_, err = tr.DeleteAll(t.Context(), edit.Options{}, test.path)
		must(t, err)
		content, err := readAll(tr.now.content)
		must(t, err)
		if got := string(content); got != test.want || len(tr.Splices()) != 1 {
			t.Errorf("%s: %d bytes in %d passes, want %d in 1", test.path, len(got), len(tr.Splices()), len(test.want))
		}
	}
}

// TestDeletedFromList: of a list of more elements than are taken at a time all are deleted, or all but the last or the first.
func TestDeletedFromList(t *testing.T) {
	const n = sweptAtOnce + sweptAtOnce/2
	text := "[0" + strings.Repeat(", 1", n-2) + ", 2]"
	for path, want := range map[string]string{"$[*]": "[]", "$[_<2]": "[2]", "$[_>0]": "[0]", "$[_!=1]": "[" + strings.Repeat("1, ", n-3) + "1]"} {
		d := openFile(t, write(t, []byte(text)), decoder.Options{})
		tr, err := d.Begin(d.Innermost())
		must(t, err)
		_, err = tr.DeleteAll(t.Context(), edit.Options{}, path)
		must(t, err)
		content, err := readAll(tr.now.content)
		must(t, err)
		if string(content) != want || len(tr.Splices()) > 2 {
			t.Errorf("%s leaves %d bytes in %d passes, want %d in at most 2", path, len(content), len(tr.Splices()), len(want))
		}
	}
}

// textsOfRecords returns texts of n records with the keys a and b, whose c is empty or has two elements.
func textsOfRecords(n int) map[string]string {
	var records, lines, sections []string
	for i := range n {
		c := []string{"[]", "[1, 2]"}[i%2]
		record := fmt.Sprintf(`{"a": %d, "b": "x", "c": %s}`, i, c)
		records = append(records, record)
		lines = append(lines, record+"\n")
		sections = append(sections, fmt.Sprintf("[s%d]\n\na=%d\nb=\"x\"\nc=%s\n\n", i, i, c))
	}
	return map[string]string{
		"json":       "{\n  \"list\": [\n    " + strings.Join(records, ",\n    ") + "\n  ]\n}\n",
		"json lines": strings.Join(lines, ""),
		"ConfigFile": strings.Join(sections, ""),
	}
}

// TestTextTogether: random edits of what texts hold leave the same bytes in a batch as one after the other.
func TestTextTogether(t *testing.T) {
	const records = 6
	record := map[string]string{"json": "$.list[%d]", "json lines": "$[%d]", "ConfigFile": "$.s%d"}
	for name, text := range textsOfRecords(records) {
		d := openFile(t, write(t, []byte(text)), decoder.Options{})
		for seed := range uint64(150) {
			rng := rand.New(rand.NewPCG(seed, 1))
			single, err := d.Begin(d.Innermost())
			must(t, err)
			together, err := d.Begin(d.Innermost())
			must(t, err)
			b, err := together.Batch(t.Context(), 20)
			must(t, err)
			for range 20 {
				path := fmt.Sprintf(record[name], rng.IntN(records)) + []string{".a", ".b", ".c", ".c[0]", ".c[1]", ""}[rng.IntN(6)]
				n, err := single.Reader().Resolve(path)
				in, inBatch := b.Resolve(t.Context(), path)
				if (err == nil) != (inBatch == nil) {
					t.Fatalf("%s, seed %d: %s is found in one of the two: %v, %v", name, seed, path, err, inBatch)
				}
				if err != nil {
					continue
				}
				switch {
				case n.Layout == tree.Sequence && rng.IntN(2) == 0:
					at := rng.Int64N(single.Reader().Count(n) + 1)
					err = single.Insert(t.Context(), n, at, edit.Content{Literal: "7"}, edit.Options{})
					inBatch = b.Insert(t.Context(), in, at, edit.Content{Literal: "7"}, edit.Options{})
				case rng.IntN(3) == 0:
					to := rng.Int64N(3)
					err = single.Move(t.Context(), n, to, edit.Options{})
					inBatch = b.Move(t.Context(), in, to, edit.Options{})
				default:
					err = single.Delete(t.Context(), n, edit.Options{})
					inBatch = b.Delete(t.Context(), in, edit.Options{})
				}
				if (err == nil) != (inBatch == nil) {
					t.Fatalf("%s, seed %d: an edit at %s fails in one of the two: %v, %v", name, seed, path, err, inBatch)
				}
			}
			must(t, b.Finish(t.Context()))
			want, err := readAll(single.now.content)
			must(t, err)
			if got, err := readAll(together.now.content); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%s, seed %d: %s\nwant %s (%v)", name, seed, got, want, err)
			}
		}
	}
}

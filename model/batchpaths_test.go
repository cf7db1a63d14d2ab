package model

import (
	"context"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/model/patch"
)

// TestBatchPaths: edits that are made together leave, and say, what the same edits leave one after
// the other, also where an earlier one has renamed what a later one names.
func TestBatchPaths(t *testing.T) {
	const was = `{ "a": 1, "b": 2, "c": { "x": [1, 2, 3] }, 5: "five", "B": 3 }` // with a key b twice, once it is written in the bytes: see beginBulkTest
	set := func(path, value string) patch.Op { return patch.Op{Path: path, New: value} }
	insert := func(path, value string) patch.Op { return patch.Op{Kind: patch.Insert, Path: path, New: value} }
	remove := func(path string) patch.Op { return patch.Op{Kind: patch.Delete, Path: path} }
	for _, ops := range []patch.Patch{
		{set("$[0].a", "7"), set("$[0].b#2", "8"), set("$[0].c.x[1]", "9")},
		{set("$[0].a@key", `"z"`), set("$[0].z", "7")},
		{set("$[0].a@key", `"z"`), set("$[0].a", "7")}, // there is none any more
		{set("$[0].a@key", `"z"`), set("$[0].c@key", `"a"`), set("$[0].a.x[0]", "7")},
		{set("$[0].b@key", `"z"`), set("$[0].b", "7"), set("$[0].z", "8")},
		{set("$[0].b@key", `"z"`), set("$[0].b#2", "7")}, // it is no longer the second
		{set("$[0].c@key", `"z"`), set("$[0].z.x[2]", "7"), set("$[0].c.x[2]", "8")},
		{set("$[0][5]@key", "6"), set("$[0][6]", `"six"`), set("$[0][5]", `"five"`)},
		{insert("$[0].d", "{}"), insert("$[0].d.e", "5"), set("$[0].d.e", "6")},
		{insert("$[0].c.x[1]", "7"), insert("$[0].c.x[1]", "8"), set("$[0].c.x[3]", "9"), remove("$[0].c.x[0]")},
		{insert("$[0].a", "1")},
		{insert("$[0].d", "1"), insert("$[0].d", "2")},
		{remove("$[0].b"), set("$[0].b", "7"), remove("$[0].b"), set("$[0].b", "8")},
		{remove("$[0].c.x[2]"), remove("$[0].c.x[1]"), insert("$[0].c.x[1]", "7"), remove("$[0].c")},
		{set("$[0].a", "7"), set("$[0].a", "8"), set("$[0]", "5"), set("$[0]", "6")},
	} {
		wantIs, wantOps, wantErr := oneByOne(t, was, ops)
		for _, few := range []bool{true, false} {
			gotIs, gotOps, gotErr := batched(t, was, ops, few)
			if gotIs != wantIs || gotOps != wantOps || gotErr != wantErr {
				t.Errorf("%v:\n%q %s %s, one by one\n%q %s %s", ops, gotIs, gotOps, gotErr, wantIs, wantOps, wantErr)
			}
		}
	}
}

// oneByOne makes edits one after the other.
func oneByOne(t *testing.T, was string, ops patch.Patch) (is, done, failed string) {
	ctx, tr := context.Background(), beginBulkTest(t, was)
	return outcomeOf(t, tr, ops, func(op patch.Op) error {
		if op.Kind == patch.Insert {
			p, err := tr.ResolvePlace(op.Path)
			if err != nil {
				return err
			}
			return tr.Insert(ctx, p.Parent, p.Index, edit.Content{Key: p.Key, Literal: op.New}, edit.Options{})
		}
		n, err := tr.Reader().Resolve(op.Path)
		if err != nil {
			return err
		}
		if op.Kind == patch.Delete {
			return tr.Delete(ctx, n, edit.Options{})
		}
		return tr.Set(ctx, n, edit.Content{Literal: op.New}, edit.Options{Retype: true})
	}, func() error { return nil })
}

// batched makes edits in one batch, which expects few or many.
func batched(t *testing.T, was string, ops patch.Patch, few bool) (is, done, failed string) {
	ctx, tr := context.Background(), beginBulkTest(t, was)
	n := len(ops)
	if !few {
		n = maxAtOnce
	}
	b, err := tr.Batch(ctx, n)
	must(t, err)
	return outcomeOf(t, tr, ops, func(op patch.Op) error {
		if op.Kind == patch.Insert {
			p, err := b.ResolvePlace(ctx, op.Path)
			if err != nil {
				return err
			}
			return b.Insert(ctx, p.Parent, p.Index, edit.Content{Key: p.Key, Literal: op.New}, edit.Options{})
		}
		n, err := b.Resolve(ctx, op.Path)
		if err != nil {
			return err
		}
		if op.Kind == patch.Delete {
			return b.Delete(ctx, n, edit.Options{})
		}
		return b.Set(ctx, n, edit.Content{Literal: op.New}, edit.Options{Retype: true})
	}, func() error { return b.Finish(ctx) })
}

func beginBulkTest(t *testing.T, was string) *Transaction {
	t.Helper()
	is := strings.Replace(written(t, openBulk(t, was)), "\x01\x00\x00\x00B", "\x01\x00\x00\x00b", 1)
	d := openFile(t, write(t, []byte(is)), decoder.Options{Dialect: "godot4", Framing: "stream"})
	tr, err := d.Begin(d.Innermost())
	must(t, err)
	return tr
}

// outcomeOf makes edits up to the first that fails, and returns the values and the patch that they
// leave, and the error: of a failed one only that, as nothing of a failed transaction is kept.
func outcomeOf(t *testing.T, tr *Transaction, ops patch.Patch, do func(patch.Op) error, finish func() error) (is, done, failed string) {
	t.Helper()
	for _, op := range ops {
		if err := do(op); err != nil {
			return "", "", err.Error()
		}
	}
	must(t, finish())
	var text strings.Builder
	must(t, withoutBeside(tr.Ops()).Write(&text))
	return versionText(t, tr), text.String(), ""
}

package endtoend

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
)

// literalParts are what random literals are made of.
var literalParts = []string{"", " ", "0", "-", "+", ".", "5", "1e", "e5", "99999999999999999999", "nan", "-inf", "0x", "1f", "true", "null", "undefined", `"`, `"a"`, `\`, `\u12`, "'",
	"[", "]", "{", "}", "(", ")", ",", ":", "=", ";", "&", "^", "@", "#", "$", "_", "*2", "/", "Vector2", "Vector2(", "Color", "Array[int](", "PackedByteArray(", "Object(", "Resource(", "u8(", "ref($)", "StringName",
	"é", "\x00", "\xff", "\n", "\x1b[31m"}

// plausible are literals that many values take.
var plausible = []string{"5", "-1", "300", "0.5", "1e300", "9007199254740993", "true", `"a"`, `"-1"`, "[1, 2]", "[]", "{}", "Vector2(1, 2)", `&"n"`, "null", "u8(7)", `"ab\n[c]"`}

func randomLiteral(r *rand.Rand) string {
	if r.IntN(2) == 0 {
		return plausible[r.IntN(len(plausible))]
	}
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(literalParts[r.IntN(len(literalParts))])
	}
	return b.String()
}

// TestRandomLiterals: whatever is typed for a value or a key, in any family, is a value or an error, and what is written is not more damaged than before.
func TestRandomLiterals(t *testing.T) {
	var samples []string
	for _, pattern := range []string{"godot4/save-player-stats.bin", "godot3/save-settings.bin", "pandemonium/*.bin", "elephant/v1-5-1-savegame-player.bin", "godot-text/*", "resource/*.res", "json/*", "gamemaker/*", "msgpack/*", "kaitai/save.sav"} {
		names, err := filepath.Glob(filepath.Join("testdata", pattern))
		if err != nil {
			t.Fatal(err)
		}
		samples = append(samples, names[:min(len(names), 6)]...)
	}
	if len(samples) < 20 {
		t.Fatalf("only %q", samples)
	}
	times := 40
	if testing.Short() {
		times = 10
	}
	r, written := rand.New(rand.NewPCG(42, 8)), 0
	for _, name := range samples {
		doc, err := model.Open(context.Background(), name, model.Options{ReadOnly: false, NoBackup: true})
		if err != nil {
			t.Fatal(err)
		}
		if doc.Missing == nil && !doc.IsForeign() {
			written += typeAnything(t, r, name, doc, times)
		}
		doc.Close()
	}
	if written < times {
		t.Errorf("only %d values were written", written)
	}
}

// typeAnything makes random edits, each of the values as they are in the file.
func typeAnything(t *testing.T, r *rand.Rand, name string, doc *model.Document, times int) (written int) {
	ctx := context.Background()
	nodes, before := someNodes(doc.Tree, 200), 0
	if tr, err := doc.Begin(doc.Innermost()); err == nil {
		before = errorsIn(ctx, tr)
	}
	for range times {
		n, literal := nodes[r.IntN(len(nodes))], randomLiteral(r)
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("%s: %s: %q panics: %v", name, doc.Tree.NewReader().Path(n), literal, p)
				}
			}()
			tr, err := doc.Begin(doc.Innermost())
			if err != nil {
				return
			}
			content, o := edit.Content{Literal: literal}, edit.Options{Retype: r.IntN(2) == 0, Infer: r.IntN(2) == 0}
			switch r.IntN(3) {
			case 0:
				tr.Insert(ctx, n, 0, content, o)
			case 1:
				content.Key = literal
				tr.Insert(ctx, n, 0, content, o)
			default:
				if tr.Set(ctx, n, content, o) != nil {
					return
				}
				written++
				if after := errorsIn(ctx, tr); after > before {
					t.Errorf("%s: %s = %q is written with %d errors, before there were %d", name, doc.Tree.NewReader().Path(n), literal, after, before)
				}
			}
		}()
	}
	return written
}

// someNodes returns the first values of a tree, and their keys.
func someNodes(t *tree.Tree, most int) (all []*tree.Node) {
	s := t.Scanner()
	s.Run(context.Background(), func(ev tree.Event) bool {
		if ev == tree.Enter || ev == tree.Atom {
			all = append(all, s.Current(ev))
		}
		return len(all) < most
	})
	return all
}

// errorsIn counts the errors in the values of a transaction.
func errorsIn(ctx context.Context, t *model.Transaction) (n int) {
	t.Problems(ctx, new(model.Progress), func(f diagnose.Diagnosis) bool {
		if f.Severity >= span.Error {
			n++
		}
		return true
	})
	return n
}

package model

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/decoder/engine/tree"
)

// TestHolders compares the texts that may hold values, which are found while others are passed, with those of a scanner that
// passes none.
func TestHolders(t *testing.T) {
	dir := t.TempDir()
	made := filepath.Join(dir, "made.json")
	if err := os.WriteFile(made, []byte(`{"{\"a\":1}": "{\"b\":[1]}", "c": ["\n[1]", "  {}", "plain", "Vector2(1, 2)", "00112233445566778899", "{", {"d": "[]", "e": "\u007b}"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	paths := []string{made}
	for _, family := range []string{"godot4", "json", "gamemaker", "msgpack"} {
		more, _ := filepath.Glob("../testdata/" + family + "/*.*")
		paths = append(paths, more...)
	}
	for _, path := range paths {
		if st, err := os.Stat(path); err != nil || st.IsDir() {
			continue
		}
		d, err := Open(t.Context(), path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d.Missing != nil || d.IsForeign() {
			d.Close()
			continue
		}
		r := d.Innermost().Tree().NewReader()
		found, err := holders(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		if _, done := r.Tree.Indexed(); !done {
			t.Errorf("%s: the pass has built no index", path)
		}
		var got, want []string
		for _, n := range found {
			got = append(got, r.Path(n.Node))
		}
		s := r.Tree.Scanner()
		for ev := s.Next(); ev != tree.Done; ev = s.Next() {
			if ev == tree.Atom && !s.Slot().Key && r.Look(s.Value()).Form == tree.FormHeld {
				want = append(want, r.Path(s.Current(ev)))
			}
		}
		d.Close()
		if !slices.Equal(got, want) || path == made && len(want) != 7 {
			t.Errorf("%s: %q, not %q", path, got, want)
		}
	}
}

// TestLooksHeld: digits are opened only if their beginning may be values.
func TestLooksHeld(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	noise := make([]byte, 3000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	list := fmt.Sprintf("%x", `{"hp": [`+strings.Repeat("1, ", 1000)+"1]}")
	d := openFile(t, write(t, fmt.Appendf(nil, `{"noise": "%x", "list": "%s"}`, noise, list)), decoder.Options{})
	in := d.Innermost().Tree().NewReader()
	for path, want := range map[string]bool{"$.noise": false, "$.list": true} {
		n, err := in.Resolve(path)
		must(t, err)
		if look := in.Look(&n.Value); look.Form != tree.FormHeld || looksHeld(t.Context(), in, look) != want {
			t.Errorf("%s: %v, not %v", path, !want, want)
		}
	}
}

// TestWithinOnce: what a value holds is packed once for changes that follow one another in it, also in what that holds.
func TestWithinOnce(t *testing.T) {
	ctx := context.Background()
	d := openFile(t, write(t, []byte(`{"a": "eyJocCI6IDcsICJib3ciOiAie1wibVwvcFwiOiAxLCBcInhcIjogMn0ifQ==", "b": "{\"hp\":1}", "b2": 1}`)), decoder.Options{})
	x, err := d.Begin(d.Innermost())
	must(t, err)
	paths := []string{"a@open.hp", `a@open.bow["m/p"]`, "a@open.bow.x", "b.hp", "b2"}
	for at := 0; at < 4; {
		n, _, err := x.EachWithin(ctx, paths[at:], func(inner *Transaction, i int, rest string) (Changed, error) {
			return inner.SetAll(ctx, rest, "9", edit.Options{})
		})
		must(t, err)
		if want := []int{3, 0, 0, 1}[at]; n != want {
			t.Fatalf("%d paths are made together at %d", n, at)
		}
		at += n
	}
	if n, _, err := x.EachWithin(ctx, paths[4:], nil); n != 0 || err != nil || len(x.Splices()) != 2 {
		t.Errorf("%d %v: %d edits", n, err, len(x.Splices()))
	}
	d, err = x.Commit(ctx, "", Cursor{}, Cursor{})
	must(t, err)
	const want = `{"a": "eyJocCI6IDksICJib3ciOiAie1wibVwvcFwiOiA5LCBcInhcIjogOX0ifQ==", "b": "{\"hp\":9}", "b2": 1}`
	if got := held(t, d.Innermost()); got != want {
		t.Errorf("%s\nnot\n%s", got, want)
	}
}

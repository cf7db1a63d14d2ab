package tree_test

import (
	"errors"
	"strings"
	"testing"

	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// TestResolve: paths as people type them.
func TestResolve(t *testing.T) {
	// { "a b": Vector2(…), 5: ^"n/m:s", "d": 1, "d": 2, Vector2i(1, 2): [7], "v": PackedVector2Array(…) }
	data := words(27, 6, 4, 3, 0x622061, 5, 0, 0, 2, 5, 22, 2|1<<31, 1, 0, 1, 'n', 1, 'm', 1, 's',
		4, 1, 'd', 2, 1, 4, 1, 'd', 2, 2, 6, 1, 2, 28, 1, 2, 7, 4, 1, 'v', 35, 1, 0, 0)
	tr := open(t, "godot4", godot.Raw, data)
	r := tr.NewReader()
	for path, want := range map[string]string{
		"": "$", "$": "$", ` ["a b"] `: `$["a b"]`, `$["a b"].y`: `$["a b"].y`, `$[ "a b" ]@key`: `$["a b"]@key`,
		"$[5]": "$[5]", "[5].names[1]": "$[5].names[1]", "$[5].subnames[0]": "$[5].subnames[0]",
		"d": "$.d", ".d": "$.d", `["d"]`: "$.d", "$.d#2": "$.d#2", "$.d#2@key": "$.d#2@key", ".a b": `$["a b"]`, "a b.x": `$["a b"].x`, "{3}": "$.d#2", "{3}@key": "$.d#2@key",
		"[Vector2i(1,2)]": "$[Vector2i(1, 2)]", "[Vector2i(1, 2)][0x0]": "$[Vector2i(1, 2)][0]", "[Vector2i(1, 2)]@key.x": "$[Vector2i(1, 2)]@key.x",
		"v[0].x": "$.v[0].x", "v[-1].y": "$.v[0].y", "[Vector2i(1, 2)][-1]": "$[Vector2i(1, 2)][0]",
	} {
		n, err := r.Resolve(path)
		if err != nil || r.Path(n) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, path := range []string{"$.x", "$.d#3", "$.d#0", "[6]", "{6}", "{-1}", "{x}", "$[5].names[2]", "$[5].names", "$[5][0]", `$["a b"].z`, `$["a b"][0]`,
		`$["a b"][-1]`, "$.v[1]", "$.v[-2]", "$.v[0][0]", "$.v[0][7]", "$.v[0].z", "$.v[9223372036854775807]", "$.d.x", "#2", "@key", "$$", "$.d@key@key",
		"[Vector2i(1, 2)][1]", "[Vector2i(1, 2)][-2]"} {
		n, err := r.Resolve(path)
		var missing *tree.PathError
		if !errors.As(err, &missing) || !strings.HasPrefix(missing.Path, "$") {
			t.Errorf("%s: %v, %v", path, describe(n), err)
		}
	}
	if _, err := r.Resolve("$.nothing"); err == nil || err.Error() != `$ has no .nothing; it has ["a b"] [5] .d .d [Vector2i(1, 2)] .v` {
		t.Error(err)
	}
	for _, path := range []string{"[", "$.x[", `$.v["a`} { // wrong whatever there is
		if _, err := r.Resolve(path); err == nil || errors.Is(err, tree.ErrNoMatch) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if n, err := r.Resolve("$.d#2@key"); err != nil || !n.Slot.Key {
		t.Error(describe(n), err)
	}
}

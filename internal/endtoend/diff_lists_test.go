package endtoend

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varview/model"
	"varview/model/diff"
)

// TestDiffLists: in a list of the same length there are as many differences as values were set, and an
// inserted element is one difference.
func TestDiffLists(t *testing.T) {
	bools, changed := strings.Repeat("false, true, ", 128), ""
	for i, v := range strings.SplitAfter(bools, ", ")[:256] {
		switch {
		case i != 92 && i != 117:
		case strings.HasPrefix(v, "true"):
			v = "false, "
		default:
			v = "true, "
		}
		changed += v
	}
	for _, c := range []struct{ from, to, want string }{
		{"[Vector2(0, 0), Vector2i(0, 0)]", "[Vector2(7, 8), Vector2i(0, 0)]", "changed [0]"},
		{"[" + strings.TrimSuffix(bools, ", ") + "]", "[" + strings.TrimSuffix(changed, ", ") + "]", "changed [92], changed [117]"},
		{"[1, 2, 3, 4]", "[5, 2, 6, 7]", "changed [0], changed [2], changed [3]"},
		{"[1, 2, 3, 4]", "[1, 2, 9, 3, 4]", "added [2]"},
		{"[0, 0, 1, 0]", "[0, 0, 0, 1, 0]", "added [2]"},
		{`["a", "b", "c", "d"]`, `["d", "a", "b", "c"]`, "moved [3]"},
		{"[1, 2, 3, 4, 5, 6]", "[2, 3, 4, 5, 6, 7]", "removed [0], added [5]"},
		{`[{"hp": 1}, {"hp": 2}, null]`, `[{"hp": 2}, {"hp": 3}, null]`, "changed [0].hp, changed [1].hp"},
		{"PackedByteArray(1, 1, 1, 2)", "PackedByteArray(1, 2, 1, 1)", "changed [1], changed [3]"},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"a": c.from, "b": c.to} {
			if err := os.WriteFile(filepath.Join(dir, name+".txt"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			run(t, 0, "import", "--from", "text", "--as", "godot4", filepath.Join(dir, name+".txt"), "-o", filepath.Join(dir, name))
		}
		var found []string
		for _, x := range objects(t, run(t, 1, "diff", "--json", "--as", "godot4", filepath.Join(dir, "a"), filepath.Join(dir, "b")).stdout) {
			found = append(found, x["change"].(string)+" "+strings.TrimPrefix(x["path"].(string), "$"))
		}
		if got := strings.Join(found, ", "); got != c.want {
			t.Errorf("%s to %s: %s, want %s", c.from[:min(80, len(c.from))], c.to[:min(80, len(c.to))], got, c.want)
		}
	}
}

// TestDiffLongList: in a list with long runs of equal bytes, values that were set are paired by position
// too, and not with others beyond such a run.
func TestDiffLongList(t *testing.T) {
	from := make([]string, 3000)
	for i := range from {
		from[i] = "0"
	}
	to := slices.Clone(from)
	to[10], to[1500], to[2900] = "7", "7", "8"
	from[1501] = "7"
	to[1501] = "0"
	dir := t.TempDir()
	for name, list := range map[string][]string{"a": from, "b": to} {
		text := filepath.Join(dir, name+".txt")
		if err := os.WriteFile(text, []byte("["+strings.Join(list, ", ")+"]"), 0o644); err != nil {
			t.Fatal(err)
		}
		run(t, 0, "import", "--from", "text", "--as", "godot4", text, "-o", filepath.Join(dir, name))
	}
	var found []string
	for _, x := range objects(t, run(t, 1, "diff", "--json", "--as", "godot4", filepath.Join(dir, "a"), filepath.Join(dir, "b")).stdout) {
		found = append(found, x["path"].(string))
	}
	if want := []string{"$[10]", "$[1500]", "$[1501]", "$[2900]"}; !slices.Equal(found, want) {
		t.Errorf("%q, want %q", found, want)
	}
}

// TestDiffSchemas: schemas near one of several files, or given, are used for all of them.
func TestDiffSchemas(t *testing.T) {
	near, elsewhere := t.TempDir(), t.TempDir()
	save, gml := "testdata/elephant/v1-5-1-savegame-player.bin", "testdata/elephant/schemas-game.gml"
	base, theirs, ours := filepath.Join(near, "base"), filepath.Join(elsewhere, "theirs"), filepath.Join(elsewhere, "ours")
	for to, from := range map[string]string{base: save, theirs: save, ours: save, filepath.Join(near, "game.gml"): gml} {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run(t, 0, "diff", base, theirs)
	run(t, 0, "set", "--schema", gml, theirs, "$.gold=7")
	run(t, 0, "set", "--schema", gml, ours, "$.seed=8")
	for _, args := range [][]string{{base, theirs}, {theirs, base}, {ours, theirs, "--schema", gml}} {
		if out := run(t, 1, append([]string{"diff"}, args...)...).stdout; !strings.HasPrefix(out, "$.gold\n") {
			t.Errorf("%q: %s", args, out)
		}
	}
	if out := run(t, 1, "diff", "--patch", theirs, base).stdout; !strings.Contains(out, "set $.gold\n- 7\n") {
		t.Error(out)
	}
	merged := filepath.Join(elsewhere, "merged")
	run(t, 0, "merge", base, ours, theirs, "-o", merged)
	for path, want := range map[string]string{"$.gold": "7\n", "$.seed": "8\n"} {
		if out := run(t, 0, "get", "--schema", gml, merged, path).stdout; out != want {
			t.Errorf("%s is %s", path, out)
		}
	}

	ctx := context.Background()
	d, err := model.Open(ctx, base, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	x, err := diff.Open(ctx, d, theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Other.Close()
	if err := x.Compare(ctx, d); err != nil || len(x.Changes) != 1 || x.Changes[0].Path != "$.gold" {
		t.Errorf("%v, %v", x.Changes, err)
	}
}

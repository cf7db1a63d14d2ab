package savefile_test

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	_ "varview/internal/lessgc"
	"varview/model/savefile"
)

const stats = "../../testdata/godot4/save-player-stats.bin"

func open(t *testing.T, path string, o ...savefile.Option) *savefile.File {
	t.Helper()
	f, err := savefile.Open(path, o...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func get(t *testing.T, f *savefile.File, path string) savefile.Value {
	t.Helper()
	v, err := f.Get(path)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// copyOf is a private copy of a file.
func copyOf(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(t.TempDir(), filepath.Base(path))
	if err := os.WriteFile(own, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return own
}

// TestDecodeAny: what the files' truths say.
func TestDecodeAny(t *testing.T) {
	for _, c := range []struct {
		file, path string
		want       any
	}{
		{"godot4/save-player-stats.bin", "[0].buffs", []any{map[string]any{"id": "haste", "left": 4.2}, map[string]any{"id": "regen", "left": 11.75}}},
		{"godot4/save-player-stats.bin", "[0].position", []any{128.25, 4.0, -63.5}},
		{"godot4/save-player-stats.bin", "[0].last_scene", savefile.Literal(`^"/root/World/Forest"`)},
		{"godot4/save-player-stats.bin", "[0].pet", nil},
		{"godot3/array-empty.bin", "", []any{}},
		{"godot3/dictionary-empty.bin", "", map[string]any{}},
		{"godot3/int-two-pow-53-plus-1.bin", "", int64(1<<53 + 1)},
		{"elephant/v1-0-0-struct-odd-names.bin", "", map[string]any{"": "empty name", `"q"`: 3.0, "1": "digit", "__proto": 4.0, "a.b": 2.0, "with space": 1.0, "ünï": true}},
	} {
		var got any
		v := get(t, open(t, "../../testdata/"+c.file), c.path)
		if err := v.Decode(&got); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %s: %#v, %v; want %#v", c.file, c.path, got, err, c.want)
		}
	}
}

// TestDecode: Go types of every kind, and those that do not suit.
func TestDecode(t *testing.T) {
	f := open(t, stats)
	var player struct {
		Name  string
		Level uint8
		Hit   *int `save:"hp"`
		Pet   *string
		Stats map[string]float64
		Buffs []struct{ ID string }
		Where savefile.Value `save:"position"`
		Class savefile.Literal
		XP    float32
		Gone  int `save:"-"`
	}
	if err := get(t, f, "[0]").Decode(&player); err != nil {
		t.Fatal(err)
	}
	var where [3]float32
	if err := player.Where.Decode(&where); err != nil || where != [3]float32{128.25, 4, -63.5} {
		t.Error(where, err)
	}
	if player.Name != "Aria" || player.Level != 17 || player.Hit == nil || *player.Hit != 83 || player.Pet != nil || player.XP != 20480 ||
		!reflect.DeepEqual(player.Stats, map[string]float64{"str": 12, "dex": 19, "int": 9, "luck": 0.15}) ||
		len(player.Buffs) != 2 || player.Buffs[1].ID != "regen" || player.Class != `&"ranger"` {
		t.Errorf("%+v", player)
	}
	for path, into := range map[string]any{
		"[0].name":     new(int),
		"[0].xp":       new(uint8),
		"[0].mana":     new(int),
		"[0].buffs":    new(map[string]any),
		"[0].stats":    new([]int),
		"[0].position": new([2]float64),
		"[0].alive":    new(string),
		"[0].level":    new(chan int),
	} {
		err := get(t, f, path).Decode(into)
		if !errors.Is(err, savefile.ErrType) || !strings.Contains(err.Error(), "$"+path) {
			t.Errorf("%s into %T: %v", path, into, err)
		}
	}
	if err := get(t, f, "[0]").Decode(player); !errors.Is(err, savefile.ErrType) {
		t.Error(err)
	}
}

// TestSet: only the value and what counts it change, and what is saved is read again.
func TestSet(t *testing.T) {
	path := copyOf(t, stats)
	f := open(t, path)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at, v := range map[string]any{
		"[0].name":       "Mirabel \"M\"",
		"[0].level":      18,
		"[0].mana":       math.Inf(1),
		"[0].alive":      false,
		"[0].position":   savefile.Literal("Vector3(1, 2, 3)"),
		"[0].stats":      map[string]any{"str": 1, "list": []any{nil, true, 2.5, "x"}, "empty": map[string]int{}},
		"[0].buffs[0]":   map[string]any{},
		"[0].playtime":   0.1,
		"[0].xp_to_next": 3.0,
	} {
		if err := f.Set(at, v); err != nil {
			t.Errorf("%s: %v", at, err)
		}
	}
	for at, v := range map[string]any{"[0].name": 5, "[0].level": "x", "[0].hp": struct{}{}, "[0].xp": map[int]int{}} {
		if err := f.Set(at, v); !errors.Is(err, savefile.ErrType) {
			t.Errorf("%s: %v", at, err)
		}
	}
	if err := f.Set("[0].nothing", 1); !errors.Is(err, savefile.ErrNotFound) {
		t.Error(err)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, before) {
		t.Fatal("written before it was saved", err)
	}
	var written bytes.Buffer
	if _, err := f.WriteTo(&written); err != nil {
		t.Fatal(err)
	}
	if err := f.Save(); err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, written.Bytes()) {
		t.Fatal("saved is not what was written", err)
	}
	again, err := savefile.Read(&written)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	var got struct {
		Name     string
		Level    int
		Mana     float64
		Alive    bool
		Position [3]float64
		Stats    map[string]any
		Playtime float64
		HP       int
	}
	if err := get(t, again, "[0]").Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.Name != "Mirabel \"M\"" || got.Level != 18 || !math.IsInf(got.Mana, 1) || got.Alive || got.Position != [3]float64{1, 2, 3} || got.Playtime != 0.1 || got.HP != 83 {
		t.Errorf("%+v", got)
	}
	if want := map[string]any{"str": int64(1), "list": []any{nil, true, 2.5, "x"}, "empty": map[string]any{}}; !reflect.DeepEqual(got.Stats, want) {
		t.Errorf("%#v", got.Stats)
	}
	for p, err := range again.Check() {
		t.Error(p, err)
	}
}

// TestSaved: a file that another program has changed is not replaced; another name is not taken.
func TestSaved(t *testing.T) {
	path := copyOf(t, stats)
	one, other := open(t, path), open(t, path, savefile.NoBackup())
	for _, f := range []*savefile.File{one, other} {
		if err := f.Set("[0].hp", 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := one.Save(); err != nil {
		t.Fatal(err)
	}
	if err := other.Save(); !errors.Is(err, savefile.ErrChanged) {
		t.Error(err)
	}
	if err := other.SaveAs(path + ".other"); err != nil {
		t.Error(err)
	}
	if err := one.SaveAs(path + ".other"); err == nil {
		t.Error("SaveAs has replaced a file")
	}
}

// TestEncrypted: a password is needed, and put around the edited file again.
func TestEncrypted(t *testing.T) {
	path := copyOf(t, "../../testdata/wrapped/godot3-encrypted-pass-small.bin")
	if _, err := open(t, path).Get(""); !errors.Is(err, savefile.ErrNoValues) {
		t.Error(err)
	}
	f := open(t, path, savefile.Password("hunter2"))
	if got := f.Wrappers(); len(got) != 1 {
		t.Error(got)
	}
	for v, err := range f.Values() {
		if err != nil || v.Path() == "" || v.Type() == "" || v.Offset() < 0 {
			t.Error(v, err)
		}
	}
}

// TestFields: the fields cover all bytes.
func TestFields(t *testing.T) {
	f := open(t, stats)
	at := int64(0)
	for field, err := range f.Fields() {
		if err != nil || field.Offset != at || field.Length < 1 || field.Kind == "" {
			t.Fatal(field, err)
		}
		at += field.Length
	}
	if at != 716 {
		t.Errorf("%d of 716 bytes", at)
	}
	for range f.Fields() {
		break
	}
}

// TestValues: as many values as the file has, and those of a damaged one.
func TestValues(t *testing.T) {
	n := 0
	for v, err := range open(t, stats).Values() {
		if err != nil {
			t.Fatal(err)
		}
		n++
		if n == 1 && v.Path() != "$[0]" {
			t.Error(v.Path())
		}
	}
	if n < 18 {
		t.Error(n, "values")
	}
	f := open(t, "../../testdata/damaged/truncated-string.bin", savefile.As("godot4"))
	problems := 0
	for p, err := range f.Check() {
		if err != nil || p.Code == "" || p.Severity == "" {
			t.Error(p, err)
		}
		problems++
	}
	if problems == 0 {
		t.Error("a cut file has no problems")
	}
	var v any
	if err := get(t, f, "").Decode(&v); !errors.Is(err, savefile.ErrType) {
		t.Error(v, err)
	}
}

// TestOptions: options that nothing can satisfy are errors, as is a file that is not there.
func TestOptions(t *testing.T) {
	for path, o := range map[string]savefile.Option{stats: savefile.As("godot5"), "none": savefile.MaxUnpacked(1), ".": savefile.Schemas("none")} {
		if f, err := savefile.Open(path, o); err == nil {
			f.Close()
			t.Error(path, "is opened")
		}
	}
}

// TestDamaged: whatever bytes a file has, all that can be asked of it ends.
func TestDamaged(t *testing.T) {
	files, err := filepath.Glob("../../testdata/*/*.bin")
	if err != nil || len(files) < 100 {
		t.Fatal(len(files), err)
	}
	for i, path := range files {
		if i%3 > 0 {
			continue
		}
		f := open(t, path)
		for v, err := range f.Values() {
			if err != nil {
				if !errors.Is(err, savefile.ErrNoValues) {
					t.Errorf("%s: %v", path, err)
				}
				break
			}
			var x any
			if err := v.Decode(&x); err != nil && !errors.Is(err, savefile.ErrType) {
				t.Errorf("%s: %v", path, err)
			}
			v.Name()
			break
		}
	}
}

// TestLongText: texts and bytes are whole, however long.
func TestLongText(t *testing.T) {
	path := copyOf(t, stats)
	f := open(t, path)
	long := strings.Repeat("0123456789", 100_000)
	if err := errors.Join(f.Set("[0].name", long), f.Set("[0].stats", map[string]any{"b": savefile.Literal("PackedByteArray(" + strings.Repeat("7, ", 99_999) + "7)")})); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Name  string
		Stats struct{ B []byte }
	}
	if err := get(t, f, "[0]").Decode(&got); err != nil || got.Name != long || string(got.Stats.B) != strings.Repeat("\a", 100_000) {
		t.Error(len(got.Name), len(got.Stats.B), err)
	}
	var any map[string]any
	if err := get(t, f, "[0]").Decode(&any); err != nil || any["name"] != long {
		t.Error(err)
	}
}

// TestSetKeeps: what was decoded and is set again changes no byte, and what is changed in it keeps its type.
func TestSetKeeps(t *testing.T) {
	path := copyOf(t, stats)
	f := open(t, path)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := errors.Join(get(t, f, "[0]").Decode(&m), f.Set("[0]", m)); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := f.WriteTo(&out); err != nil || !bytes.Equal(out.Bytes(), before) {
		t.Errorf("the same values change bytes (%v)", err)
	}
	m["position"], m["class"], m["level"], m["fresh"] = []float64{1, 2, 3.5}, "mage", 3, []any{1, "x"}
	delete(m, "pet")
	m["buffs"] = append(m["buffs"].([]any), map[string]any{"id": "slow", "left": 1.5})
	if err := f.Set("[0]", m); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string]string{"position": "Vector3(1, 2, 3.5)", "class": `&"mage"`, "level": "3", "fresh": `[1, "x"]`, "last_scene": `^"/root/World/Forest"`, "hp": "83"} {
		if got := get(t, f, "[0]."+at).Literal(); got != want {
			t.Errorf("%s is %s, want %s", at, got, want)
		}
	}
	if _, err := f.Get("[0].pet"); !errors.Is(err, savefile.ErrNotFound) {
		t.Error(err)
	}
	if n := get(t, f, "[0].buffs").Len(); n != 3 {
		t.Error(n, "buffs")
	}
}

// TestSetTypes: in every file that can be edited, the values that were decoded into an any and set again are what
// they were, or are refused.
func TestSetTypes(t *testing.T) {
	set, refused := 0, 0
	for _, pattern := range []string{"godot3/*.bin", "godot4/*.bin", "elephant/*.bin", "msgpack/*.msgpack", "json/*.json", "gamemaker/*.txt", "godot-text/*", "resource/*.res"} {
		files, err := filepath.Glob("../../testdata/" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for i, path := range files {
			if i%4 > 0 && testing.Short() {
				continue
			}
			f := open(t, path)
			v, err := f.Get("")
			var x any
			if err != nil || v.Decode(&x) != nil {
				continue
			}
			var before, after bytes.Buffer
			if _, err := f.WriteTo(&before); err != nil {
				t.Fatal(path, err)
			}
			switch err := f.Set("", x); {
			case errors.Is(err, savefile.ErrType):
				refused++
				continue
			case err != nil:
				refused++
				t.Logf("%s: %v", path, err)
				continue
			}
			if _, err := f.WriteTo(&after); err != nil || !bytes.Equal(before.Bytes(), after.Bytes()) {
				t.Errorf("%s has other bytes (%v)", path, err)
			}
			set++
		}
	}
	if t.Log(set, "set,", refused, "refused"); set < refused {
		t.Error("most are refused")
	}
}

// TestSetMismatch: what does not fit is refused as a whole.
func TestSetMismatch(t *testing.T) {
	f := open(t, copyOf(t, stats))
	for at, v := range map[string]any{
		"[0].position": []any{1, 2},
		"[0].class":    []any{"a"},
		"[0].stats":    []any{1},
		"[0].buffs":    map[string]any{"a": 1},
		"[0].name":     nil,
		"[0].hp":       savefile.Value{},
		"[0]":          map[string]any{"hp": 1, "position": "far away"},
	} {
		if err := f.Set(at, v); !errors.Is(err, savefile.ErrType) {
			t.Errorf("%s to %v: %v", at, v, err)
		}
	}
	if hp := get(t, f, "[0].hp").Literal(); hp != "83" {
		t.Error("hp is", hp)
	}
	if err := f.Set("[0].last_scene", get(t, f, "[0].last_scene")); err != nil {
		t.Error(err)
	}
}

// TestOverwritten: after another program wrote into the file, saving says that it has changed.
func TestOverwritten(t *testing.T) {
	path := copyOf(t, stats)
	f := open(t, path)
	if err := f.Set("[0].hp", 1); err != nil {
		t.Fatal(err)
	}
	w, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.WriteAt([]byte("another game"), 100)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	if err := f.Save(); !errors.Is(err, savefile.ErrChanged) {
		t.Error(err)
	}
}

// TestSaveAs: another name must be free, also the file's own.
func TestSaveAs(t *testing.T) {
	path := copyOf(t, stats)
	f := open(t, path)
	if err := f.SaveAs(path); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if err := f.SaveAs(path + ".new"); err != nil {
		t.Error(err)
	}
}

// TestZeroValue: the zero Value is no value, and nothing that is asked of it panics.
func TestZeroValue(t *testing.T) {
	f := open(t, stats)
	v, err := f.Get("[0].nothing")
	if !errors.Is(err, savefile.ErrNotFound) || v != (savefile.Value{}) {
		t.Error(v, err)
	}
	if v.Path() != "" || v.Type() != "" || v.Literal() != "" || v.Step() != "" || v.Name() != "" || v.Offset() != 0 || v.Len() != 0 {
		t.Error("the zero Value has something")
	}
	for range v.Children() {
		t.Error("the zero Value has children")
	}
	var x any
	if err := v.Decode(&x); !errors.Is(err, savefile.ErrNotFound) {
		t.Error(err)
	}
}

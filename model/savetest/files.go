package savetest

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder"
)

// Files are good and damaged saves, by name.
var Files = map[string][]byte{
	"empty": {},
	"player": Dictionary(
		Text("name"), Text("Mira"),
		Text("pos"), Vector2(12.5, -4),
		Text("items"), Array(
			Dictionary(Text("id"), Integer(7), Text("count"), Integer(2)),
			Text("rope"),
			Array(),
		),
		Text("alive"), Boolean(true),
		Integer(3), Null(),
	),
	"stream":       Stream(Integer(1), Dictionary(Text("a"), Integer(2), Text("b"), Array(Integer(3), Integer(4))), Text("end")),
	"single frame": Stream(Array(Integer(1), Integer(2))),
	"keys": Dictionary(
		Array(Integer(1), Integer(2)), Text("under an array"),
		Vector2(1, 2), Text("under a vector"),
		Text("plain"), Integer(5),
		Dictionary(Text("in"), Array()), Array(Integer(8)),
	),
	"packed": Array(PackedBytes(1, 2, 255), PackedInts(10, 20, 30), PackedVectors(1, 2, 3, 4),
		PackedStrings("one", "", "three"), PackedFloats()),
	"trailing":  Cat(Integer(1), []byte("rest")),
	"gap only":  []byte{1, 2, 3},
	"overrun":   Cat(Words(TArray, 4), Integer(1), Integer(2), Words(TString, 1000), []byte("shor")),
	"lost":      Cat(Words(TDictionary, 2), Text("a"), Integer(1), Text("b")),
	"lost rich": Stream(Cat(Words(TDictionary, 2), Text("a"), Integer(1), Array(Integer(2))), Text("behind")),
	"frames":    Stream(Integer(1), Cat(Words(TUnsorted), []byte("what")), Cat(Integer(3), []byte("more")), Text("last")),
	"repeated":  Dictionary(Text("k"), Integer(1), Text("k"), Integer(2), Text("k"), Array(Integer(3))),
	"deep":      Nested(40),
	"many":      Array(Many(120)...),
}

// Many returns n numbers, from 0.
func Many(n int) [][]byte {
	var vs [][]byte
	for i := range n {
		vs = append(vs, Integer(int32(i)))
	}
	return vs
}

// Must fails the test if err is not nil.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// RepoFile returns the path of a file in the repository.
func RepoFile(name string) string {
	return filepath.Join(root(), "testdata", filepath.FromSlash(name))
}

// root returns the repository's folder, relative to the test's.
func root() string {
	dir := "."
	for range 8 {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Join(dir, "..")
	}
	return dir
}

// Read returns the content of a file in the repository.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(RepoFile(name))
	Must(t, err)
	return data
}

// Secret returns the password or key of a real file, from the file that describes it.
func Secret(t testing.TB, path string) decoder.Options {
	t.Helper()
	var truth struct {
		Password *string `json:"password"`
		Key      string  `json:"key"`
	}
	text, err := os.ReadFile(strings.TrimSuffix(path, filepath.Ext(path)) + ".truth.json")
	if os.IsNotExist(err) {
		return decoder.Options{}
	}
	Must(t, err)
	Must(t, json.Unmarshal(text, &truth))
	var o decoder.Options
	if truth.Password != nil {
		o.Passwords = []string{*truth.Password}
	}
	if truth.Key != "" {
		key, err := hex.DecodeString(truth.Key)
		Must(t, err)
		o.Keys = [][]byte{key}
	}
	return o
}

// RealNames returns the files in the repository that match the patterns.
func RealNames(t testing.TB, patterns ...string) []string {
	t.Helper()
	var names []string
	for _, pattern := range patterns {
		paths, err := filepath.Glob(RepoFile(pattern))
		if err != nil || len(paths) == 0 {
			t.Fatal("no files", pattern, err)
		}
		for _, path := range paths {
			name, err := filepath.Rel(RepoFile("."), path)
			Must(t, err)
			names = append(names, filepath.ToSlash(name))
		}
	}
	return names
}

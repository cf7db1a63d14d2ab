package explore

import (
	"context"
	"path/filepath"
	"testing"

	"varview/decoder"
	"varview/model"
	"varview/model/savetest"
)

// Saves for tests.
var (
	words         = savetest.Words
	cat           = savetest.Cat
	boolean       = savetest.Boolean
	integer       = savetest.Integer
	long          = savetest.Long
	single        = savetest.Single
	double        = savetest.Double
	text          = savetest.Text
	vector2       = savetest.Vector2
	array         = savetest.Array
	dictionary    = savetest.Dictionary
	packedBytes   = savetest.PackedBytes
	packedInts    = savetest.PackedInts
	packedFloats  = savetest.PackedFloats
	packedStrings = savetest.PackedStrings
	packedVectors = savetest.PackedVectors
	stream        = savetest.Stream
	nested        = savetest.Nested
	write         = savetest.Write
	many          = savetest.Many
	files         = savetest.Files
	must          = savetest.Must
	repoFile      = savetest.RepoFile
	read          = savetest.Read
	secret        = savetest.Secret
	realNames     = savetest.RealNames
)

// Numbers of types.
const (
	tBool     = savetest.TBool
	tArray    = savetest.TArray
	tUnsorted = savetest.TUnsorted
)

// openFile opens a file for the length of the test.
func openFile(t testing.TB, path string, o decoder.Options) *model.Document {
	t.Helper()
	return openWith(t, path, model.Options{Options: o})
}

// openWith opens a file with schemas, perhaps, for the length of the test.
func openWith(t testing.TB, path string, o model.Options) *model.Document {
	t.Helper()
	doc, err := model.Open(context.Background(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { doc.Close() })
	return doc
}

// open opens data as Godot 4 wrote it, which short or damaged files leave in
// doubt.
func open(t testing.TB, data []byte, framing string) *model.Document {
	t.Helper()
	return openFile(t, write(t, data), decoder.Options{Dialect: "godot4", Framing: framing})
}

// buildIndex reads all of a document.
func buildIndex(t testing.TB, d *model.Document) {
	t.Helper()
	for _, b := range d.Buffers {
		if err := b.Index(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

// openReal opens one of the repository's files with what opens it.
func openReal(t testing.TB, name string) *model.Document {
	t.Helper()
	return openFile(t, repoFile(name), secret(t, repoFile(name)))
}

// rounds is how many random files are tried: fewer with -short.
func rounds(all uint64) uint64 {
	if testing.Short() {
		return all / 8
	}
	return all
}

// realFiles are saves and packets that Godot 4 wrote.
func realFiles(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "testdata", "saves", "*.bin"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no saves", err)
	}
	return paths
}

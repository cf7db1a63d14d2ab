package model

import (
	"context"
	"testing"

	"varview/decoder"
	"varview/model/savetest"
)

// Saves for tests.
var (
	words      = savetest.Words
	cat        = savetest.Cat
	integer    = savetest.Integer
	text       = savetest.Text
	array      = savetest.Array
	dictionary = savetest.Dictionary
	stream     = savetest.Stream
	nested     = savetest.Nested
	write      = savetest.Write
	files      = savetest.Files
	must       = savetest.Must
	repoFile   = savetest.RepoFile
	read       = savetest.Read
	secret     = savetest.Secret
	realNames  = savetest.RealNames
)

// Numbers of types.
const (
	tBool       = savetest.TBool
	tDictionary = savetest.TDictionary
	tArray      = savetest.TArray
	tPackedByte = savetest.TPackedByte
)

// openFile opens a file for the length of the test.
func openFile(t testing.TB, path string, o decoder.Options) *Document {
	t.Helper()
	return openWith(t, path, Options{Options: o})
}

// openWith opens a file with schemas, perhaps, for the length of the test.
func openWith(t testing.TB, path string, o Options) *Document {
	t.Helper()
	doc, err := Open(context.Background(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { doc.Close() })
	return doc
}

// open opens data as Godot 4 wrote it, which short or damaged files leave in
// doubt.
func open(t testing.TB, data []byte, framing string) *Document {
	t.Helper()
	return openFile(t, write(t, data), decoder.Options{Dialect: "godot4", Framing: framing})
}

// buildIndex reads all of a document.
func buildIndex(t testing.TB, d *Document) {
	t.Helper()
	for _, b := range d.Buffers {
		if err := b.Index(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

// openReal opens one of the repository's files with what opens it.
func openReal(t testing.TB, name string) *Document {
	t.Helper()
	return openFile(t, repoFile(name), secret(t, repoFile(name)))
}

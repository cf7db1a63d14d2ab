package wraptest

import (
	"os"
	"path/filepath"
	"testing"
)

// Files reads the files that match a pattern; there must be some.
func Files(t testing.TB, pattern string) (files [][]byte) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, data)
	}
	return files
}

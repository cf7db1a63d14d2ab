package endtoend

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// pathsFound returns the paths of what a query finds in a file.
func pathsFound(t *testing.T, file, query string) (paths []string) {
	t.Helper()
	out, _ := start(t, []string{"find", "--json", file, query})
	for line := range bytes.Lines([]byte(out.stdout)) {
		var hit struct{ Path string }
		if err := json.Unmarshal(line, &hit); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		paths = append(paths, hit.Path)
	}
	return paths
}

// TestFindNamesInTables: the properties of binary resources, whose names are numbers of strings in a table, are found by name.
func TestFindNamesInTables(t *testing.T) {
	long(t)
	property := regexp.MustCompile(`\.properties\.(\w+)$`)
	files, err := filepath.Glob("testdata/resource/*.scn")
	files2, err2 := filepath.Glob("testdata/resource/*.res")
	files, found := append(files, files2...), 0
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for _, file := range files {
		for _, path := range pathsFound(t, file, "type:*") {
			name := property.FindStringSubmatch(path)
			if name == nil {
				continue
			}
			found++
			for _, query := range []string{name[1], "key:" + name[1], "key:" + name[1] + " type:*"} {
				if got := pathsFound(t, file, query); !slices.Contains(got, path) {
					t.Errorf("%s: %s: finds %v, not %s", file, query, got, path)
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("%d properties", found)
	}
}

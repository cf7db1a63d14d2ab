package random

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// longest is the size in bytes of the longest file of a session.
const longest = 64 << 10

// Files returns the paths of the files below a folder, grouped by their folder: each group is a kind.
func Files(folder string) (kinds [][]string, err error) {
	byFolder := map[string][]string{}
	if folder, err = filepath.Abs(folder); err != nil {
		return nil, err
	}
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if ext := filepath.Ext(path); info.Size() > longest || slices.Contains([]string{".json", ".jsonl", ".md", ".txtar", ".gml", ".gd", ".py"}, ext) {
			return nil
		}
		kind := filepath.Dir(path)
		if name := filepath.Base(path); strings.Contains(kind, "wrapped") { // a wrapper each
			kind += strings.Join(strings.Split(name, "-")[:min(2, strings.Count(name, "-"))], "-")
		}
		byFolder[kind] = append(byFolder[kind], path)
		return nil
	})
	for _, files := range byFolder {
		kinds = append(kinds, files)
	}
	slices.SortFunc(kinds, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	return kinds, err
}

// Pick returns the file for a session; the kinds take turns.
func Pick(kinds [][]string, seed uint64) string {
	files := kinds[seed%uint64(len(kinds))]
	return files[seed/uint64(len(kinds))*7%uint64(len(files))]
}

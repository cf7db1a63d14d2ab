package gml

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxUp is the number of folders above the save's in which the project is searched for.
const maxUp = 8

// maxListed is the number of entries that are read from a folder.
const maxListed = 100_000

// Find returns the paths that Load needs for the save at the given path: the *.gml files in
// its folder, and the folder of the GameMaker project (*.yyp) that contains it, at most
// maxUp folders up. The home folder, the root and the folders above them never count as a
// project.
func Find(save string) []string {
	full, err := filepath.Abs(save)
	if err != nil {
		return nil
	}
	folder := filepath.Dir(full)
	paths, isProject := list(folder)
	home, _ := os.UserHomeDir()
	for up := 0; ; up++ {
		parent := filepath.Dir(folder)
		if folder == parent || home != "" && folder == filepath.Clean(home) {
			return paths
		}
		if isProject {
			return append(paths, folder)
		}
		if up == maxUp {
			return paths
		}
		folder = parent
		_, isProject = list(folder)
	}
}

// list names the GML files in a folder, and reports whether the folder is that of a
// project.
func list(folder string) (files []string, isProject bool) {
	f, err := os.Open(folder)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	for n := 0; n < maxListed; {
		entries, err := f.ReadDir(1000)
		n += len(entries)
		for _, entry := range entries {
			if isGML(entry) {
				files = append(files, filepath.Join(folder, entry.Name()))
			}
			isProject = isProject || entry.Type().IsRegular() && strings.EqualFold(filepath.Ext(entry.Name()), ".yyp")
		}
		if err != nil && !errors.Is(err, io.EOF) || len(entries) == 0 {
			break
		}
	}
	slices.Sort(files)
	return files, isProject
}

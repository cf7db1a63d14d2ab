package saves

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varview/internal/folders"
)

// A File may be a save.
type File struct {
	Path  string
	Of    string // what it belongs to: the name of the folder with the files of a game, or why it is listed
	Size  int64
	When  time.Time // it was changed last
	Saves bool      // it is to be listed only if it is a save
}

const (
	maxFiles = 5000 // that are found
	maxIn    = 500  // in one folder and those below it
	maxSize  = 1 << 40
)

// Find looks for files of games, and calls found with each once. It ends when ctx is done.
func Find(ctx context.Context, places []Place, found func(File)) {
	seen := map[string]bool{}
	for _, p := range places {
		for _, folder := range p.folders() {
			if ctx.Err() != nil || len(seen) >= maxFiles {
				return
			}
			walk(ctx, folder, p.Depth, func(f File) bool {
				if f.Saves = p.Saves; !seen[f.Path] {
					seen[f.Path] = true
					f.Of = p.game(folder)
					found(f)
				}
				return len(seen) < maxFiles
			})
		}
	}
}

// game returns the name of a game from its folder. On macOS that is the identifier of a bundle, which ends with it.
func (p Place) game(folder string) string {
	for range p.Inside {
		folder = filepath.Dir(folder)
	}
	name := filepath.Base(folder)
	if parts := strings.Split(name, "."); len(parts) > 2 && parts[0] == "com" {
		return strings.Join(parts[2:], ".")
	}
	return name
}

// InFolder calls found with the files of a folder and those some levels below it, until it
// returns false. Those in a folder below it are of what that is called.
func InFolder(ctx context.Context, folder string, depth int, found func(File) bool) {
	walk(ctx, folder, depth, func(f File) bool {
		if inside, err := filepath.Rel(folder, f.Path); err == nil && strings.ContainsRune(inside, filepath.Separator) {
			f.Of, _, _ = strings.Cut(inside, string(filepath.Separator))
		}
		return found(f)
	})
}

// walk goes through the files of a folder and those up to depth levels below it.
func walk(ctx context.Context, folder string, depth int, found func(File) bool) {
	n := 0
	own, _ := folders.State() // what the program itself keeps
	filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil || n >= maxIn:
			return fs.SkipAll
		case err != nil:
			return nil
		case entry.IsDir():
			inside, _ := filepath.Rel(folder, path)
			if path == own || path != folder && (isNoise(entry.Name()) || 1+strings.Count(inside, string(filepath.Separator)) > depth) {
				return fs.SkipDir
			}
			return nil
		}
		f, ok := Stat(path)
		if !ok || isNoise(entry.Name()) {
			return nil
		}
		if n++; !found(f) {
			return fs.SkipAll
		}
		return nil
	})
}

// Stat describes a file, and reports whether it is one that can be opened.
func Stat(path string) (File, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSize {
		return File{}, false
	}
	return File{Path: path, Size: info.Size(), When: info.ModTime()}, true
}

// isNoise reports whether a file or folder is something that engines and programs keep beside
// saves, and no save.
func isNoise(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasPrefix(name, ".") || slices.Contains([]string{"logs", "shader_cache", "vulkan", "cache", "node_modules"}, lower) ||
		slices.Contains([]string{".log", ".go", ".gml", ".so", ".exe", ".dll"}, filepath.Ext(lower))
}

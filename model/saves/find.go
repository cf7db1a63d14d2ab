package saves

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varview/decoder/engine/openfile"
	"varview/internal/folders"
)

// A File is a file that may be a save.
type File struct {
	Path  string
	Of    string // what it belongs to: the name of a game's folder, or why it is listed
	Size  int64
	When  time.Time // time of the last change
	Saves bool      // it is listed only if it is a save
}

const (
	maxFiles = 5000 // files found in all
	MaxIn    = 500  // files found in a folder and its subfolders
	maxSize  = 1 << 40
)

// Find looks for files of games, and calls found once for each. It ends when ctx is done.
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

// game returns the name of a game from its folder. On macOS it is the last part of a bundle identifier.
func (p Place) game(folder string) string {
	for range p.Inside {
		folder = filepath.Dir(folder)
	}
	name := filepath.Base(folder)
	if parts := strings.Split(name, "."); len(parts) > 2 && parts[0] == "com" {
		return strings.Join(parts[2:], ".")
	}
	return p.Prefix + name
}

// InFolder calls found with the files of a folder, and of its subfolders down to depth levels, until it
// returns false. Files in a subfolder belong to the game of that name.
func InFolder(ctx context.Context, folder string, depth int, found func(File) bool) {
	walk(ctx, folder, depth, func(f File) bool {
		if inside, err := filepath.Rel(folder, f.Path); err == nil && strings.ContainsRune(inside, filepath.Separator) {
			f.Of, _, _ = strings.Cut(inside, string(filepath.Separator))
		}
		return found(f)
	})
}

// isBackup reports whether a file is what one beside it was before its last save.
func isBackup(path string) bool {
	of, is := strings.CutSuffix(path, "~")
	if !is {
		return false
	}
	_, err := os.Stat(of)
	return err == nil
}

// walk goes through the files of a folder, and of its subfolders down to depth levels.
func walk(ctx context.Context, folder string, depth int, found func(File) bool) {
	n := 0
	own, _ := folders.State() // what the program itself keeps
	filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil || n >= MaxIn:
			return fs.SkipAll
		case err != nil:
			return nil
		case isBackup(path):
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

// Stat describes a file, and reports whether it can be opened.
func Stat(path string) (File, bool) {
	info, err := os.Stat(path)
	if err != nil || !openfile.IsRegular(info.Mode()) || info.Size() > maxSize {
		return File{}, false
	}
	return File{Path: path, Size: info.Size(), When: info.ModTime()}, true
}

// isNoise reports whether a name is that of a file or folder that engines and programs keep beside saves,
// but that is not a save.
func isNoise(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasPrefix(name, ".") || slices.Contains([]string{"logs", "shader_cache", "vulkan", "cache", "node_modules"}, lower) ||
		slices.Contains(noise, filepath.Ext(lower))
}

// noise are the endings of names of programs, their sources and what describes them.
var noise = []string{".log", ".go", ".gml", ".gd", ".so", ".exe", ".dll", ".toml", ".yaml", ".yml", ".md", ".rst", ".py", ".sh", ".rs", ".c", ".h", ".cpp", ".js", ".ts",
	".css", ".html", ".import", ".lock"}

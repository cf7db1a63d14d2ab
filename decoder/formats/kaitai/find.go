package kaitai

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/formats/kaitai/spec"
)

// maxDescriptions is the largest number of descriptions that are read in a folder.
const maxDescriptions = 256

// Descriptions implements format.DescriptionReader.
func (family) Descriptions(folder string, embed format.Embedder) (all []format.Format) {
	files, _ := os.ReadDir(folder)
	files = slices.DeleteFunc(files, func(f os.DirEntry) bool { return filepath.Ext(f.Name()) != ".ksy" })
	for _, f := range files[:min(len(files), maxDescriptions)] {
		if t, err := spec.Load(filepath.Join(folder, f.Name()), nil); err == nil {
			all = append(all, describe(t, embed))
		}
	}
	return all
}

// FindDescription implements format.DescriptionReader. A description fits a file that begins with its
// contents and, if it names extensions, has one of them; one without contents has to name the
// extension. Those that name it come first. In the first folder in which any fits there must be only
// one.
func (family) FindDescription(file string, start []byte, folders [][]format.Format) format.Format {
	ext := strings.ToLower(strings.TrimPrefix(filepath.Ext(file), "."))
	if ext == "ksy" {
		return nil
	}
	for _, all := range folders {
		fit := map[bool][]format.Format{} // by whether they name the extension
		for _, f := range all {
			if isNamed, ok := fits(f.(*description).t, ext, start); ok {
				fit[isNamed] = append(fit[isNamed], f)
			}
		}
		if best := fit[len(fit[true]) > 0]; len(best) == 1 {
			return best[0]
		} else if len(best) > 1 {
			return nil
		}
	}
	return nil
}

// fits reports whether a description is one of a file, and whether it names its extension.
func fits(t *spec.Type, ext string, start []byte) (isNamed, ok bool) {
	isNamed = ext != "" && slices.Contains(t.Extensions, ext)
	magic := firstContents(t, 0)
	if len(t.Extensions) > 0 && !isNamed || !bytes.HasPrefix(start, magic) {
		return false, false
	}
	return isNamed, isNamed || len(magic) >= 3
}

// firstContents returns the contents with which all files of a type begin.
func firstContents(t *spec.Type, depth int) []byte {
	if len(t.Seq) == 0 || depth > 8 {
		return nil
	}
	switch a := t.Seq[0]; {
	case a.If != nil || a.Repeat != spec.Once:
		return nil
	case a.Type.User != nil && a.Process == nil:
		return firstContents(a.Type.User, depth+1)
	default:
		return a.Contents
	}
}

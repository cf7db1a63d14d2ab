package kaitai

import (
	"bytes"
	"fmt"
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
func (family) Descriptions(folder string, embed format.Embedder, report func(error)) (all []format.Format) {
	files, _ := os.ReadDir(folder)
	files = slices.DeleteFunc(files, func(f os.DirEntry) bool { return filepath.Ext(f.Name()) != ".ksy" })
	for _, f := range files[:min(len(files), maxDescriptions)] {
		t, err := spec.Load(filepath.Join(folder, f.Name()), nil)
		if err != nil {
			report(fmt.Errorf("a description that cannot be used: %w", err))
			continue
		}
		all = append(all, describe(t, nil, embed))
	}
	return all
}

// FindDescription implements format.DescriptionReader. A description fits a file that begins with its
// contents and, if it names extensions, has one of them; one without contents has to name the
// extension. Those that name it come first. In the first folder in which any fits there must be only
// one.
func (family) FindDescription(file string, start []byte, folders [][]format.Format, embed format.Embedder) (format.Format, error) {
	ext := strings.ToLower(strings.TrimPrefix(filepath.Ext(file), "."))
	if ext == "ksy" {
		return nil, nil
	}
	var unfit error
	for _, all := range folders {
		fit := map[bool][]format.Format{} // by whether they name the extension
		for _, f := range all {
			t := f.(*description).t
			isNamed, ok := fits(t, ext, start)
			if ok {
				fit[isNamed] = append(fit[isNamed], f)
			} else if isNamed && unfit == nil {
				unfit = fmt.Errorf("%s describes files with .%s that begin with %x; this one begins otherwise", t.File, ext, firstContents(t, 0))
			}
		}
		if best := fit[len(fit[true]) > 0]; len(best) == 1 {
			return best[0], nil
		} else if len(best) > 1 {
			return nil, fmt.Errorf("%s and %s describe such files: --ksy FILE says which is meant", best[0].(*description).t.File, best[1].(*description).t.File)
		}
	}
	if f := knownFor(file, start, embed); f != nil {
		return f, nil
	}
	return nil, unfit
}

// fits reports whether a description is one of a file, and whether it names its extension.
func fits(t *spec.Type, ext string, start []byte) (isNamed, ok bool) {
	isNamed = ext != "" && slices.Contains(t.Extensions, ext)
	magic := firstContents(t, 0)
	if len(t.Extensions) > 0 && !isNamed || !bytes.HasPrefix(start, magic) {
		return isNamed, false
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

package kaitai

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"varview/decoder/format"
	"varview/decoder/kaitai/spec"
)

// maxDescriptions is the number of descriptions in a folder that are looked at.
const maxDescriptions = 256

// FindDescription implements format.DescriptionReader. A description fits a file that begins with its
// contents and, if it names extensions, has one of them; one without contents has to name the
// extension. In the first folder in which any fits it must be the only one.
func (family) FindDescription(file string, start []byte, folders []string) format.Format {
	ext := strings.ToLower(strings.TrimPrefix(filepath.Ext(file), "."))
	if ext == "ksy" {
		return nil
	}
	for _, folder := range folders {
		names, _ := filepath.Glob(filepath.Join(quoteGlob(folder), "*.ksy"))
		var fit []*spec.Type
		for _, name := range names[:min(len(names), maxDescriptions)] {
			t, err := spec.Load(name, nil)
			if err == nil && fits(t, ext, start) {
				fit = append(fit, t)
			}
		}
		switch len(fit) {
		case 0:
		case 1:
			return describe(fit[0])
		default:
			return nil
		}
	}
	return nil
}

// quoteGlob returns a pattern that matches only the path itself.
func quoteGlob(path string) string {
	if os.PathSeparator == '\\' {
		return path
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

func fits(t *spec.Type, ext string, start []byte) bool {
	isNamed := ext != "" && slices.Contains(t.Extensions, ext)
	magic := firstContents(t, 0)
	switch {
	case len(t.Extensions) > 0 && !isNamed, !bytes.HasPrefix(start, magic):
		return false
	}
	return isNamed || len(magic) >= 3
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

package kaitai

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/read"
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
// extension. Those that name it come first, and before them the one that is called as the file is. In the
// first folder in which any fits there must be only one.
func (family) FindDescription(file string, start []byte, folders [][]format.Format, embed format.Embedder) (format.Format, error) {
	ext := strings.ToLower(strings.TrimPrefix(filepath.Ext(file), "."))
	if ext == "ksy" {
		return nil, nil
	}
	var unfit error
	for _, all := range folders {
		var best []format.Format
		var nearest nearness
		for _, f := range all {
			t := f.(*description).t
			near, ok := fits(t, file, ext, start)
			if ok && near > nearest {
				best, nearest = nil, near
			}
			if ok && near == nearest {
				best = append(best, f)
			} else if !ok && near > byContents && unfit == nil {
				what := map[nearness]string{byExtension: "files with ." + ext, byName: "files"}[near]
				unfit = fmt.Errorf("%s describes %s that begin with %x; this one begins otherwise", t.File, what, firstContents(t, 0))
			}
		}
		switch len(best) {
		case 0:
		case 1:
			return best[0], nil
		default:
			return nil, fmt.Errorf("%s and %s describe such files: --ksy FILE says which is meant", best[0].(*description).t.File, best[1].(*description).t.File)
		}
	}
	if f := knownFor(file, start, embed); f != nil {
		return f, nil
	}
	return nil, unfit
}

// A nearness says by what a description fits a file.
type nearness int

const (
	byContents nearness = iota
	byExtension
	byName // without the extension, it is that of the file
)

// fits reports whether a description is one of a file, and by what.
func fits(t *spec.Type, file, ext string, start []byte) (near nearness, ok bool) {
	base := filepath.Base(file)
	switch {
	case strings.TrimSuffix(filepath.Base(t.File), ".ksy") == strings.TrimSuffix(base, filepath.Ext(base)):
		near = byName
	case ext != "" && slices.Contains(t.Extensions, ext):
		near = byExtension
	}
	magic := firstContents(t, 0)
	if len(t.Extensions) > 0 && near == byContents || !bytes.HasPrefix(start, magic) {
		return near, false
	}
	return near, near > byContents || len(magic) >= 3
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

// An inside is where the bytes are that a description is used for, if a process has unpacked them from others.
type inside struct {
	outer  *inside // nil for a file
	src    source.Source
	region span.Span
	path   []read.Place // steps to the value that is packed
}

// open reads bytes as what is inside.
func (in *inside) open(t *spec.Type, src source.Source, region span.Span, foreign read.ForeignReader) *read.Doc {
	if in == nil {
		return read.New(t, src, region, foreign)
	}
	return read.Inside(in.outer.open(t, in.src, in.region, foreign), in.path, src, region)
}

// IsPacked implements format.Unpacker.
func (r *reading) IsPacked(v *tree.Value) bool {
	defer r.lock()()
	n := r.nodeOf(v)
	return n != nil && n.inner == nil && n.cell.Buf != nil && !n.cell.Buf.IsFile()
}

// Unpacked implements format.Unpacker.
func (r *reading) Unpacked(v *tree.Value) (u format.Unpacked, ok bool) {
	defer r.lock()()
	n := r.nodeOf(v)
	if n == nil || n.inner != nil || n.cell.Bad != nil || n.cell.Buf == nil {
		return u, false
	}
	b := n.cell.Buf
	u.At = span.Between(n.cell.Start, n.cell.End)
	if s := n.object(); s != nil && s.IO.Buf != b { // it is itself packed
		b, u.At = s.IO.Buf, span.Span{}
	}
	if b.IsFile() {
		return u, false
	}
	by := *r.description
	by.in = &inside{r.in, r.doc.Root.IO.Buf.Source(), r.region, b.Path()}
	u.Data, u.By, u.Path = slices.Clone(b.Append(nil, 0, b.Source().Size())), &by, "$"
	for _, p := range by.in.path {
		u.Path += "." + p.String()
	}
	return u, true
}

// Unknown implements format.Unpacker.
func (r *reading) Unknown() int64 {
	defer r.lock()()
	return unknownIn(r.doc.Root)
}

// unknownIn returns the number of bytes in fields of a struct that "ksy new" has named, or that are what is left of these.
func unknownIn(s *read.Struct) (n int64) {
	s.Ensure()
	for i := range s.Cells {
		c, a := &s.Cells[i], s.Type.Seq[i]
		size := c.End - c.Start
		in, isStruct := c.Val.Ref.(*read.Struct)
		switch {
		case isStruct && in.IO.Buf == c.Buf:
			n += unknownIn(in)
		case isStruct && in.IO.End > 0: // packed
			n += size * unknownIn(in) / in.IO.End
		case isUnknown(a) && strings.HasPrefix(a.ID, "unknown"):
			n += size
		}
	}
	return n
}

// Package resource reads and edits Godot's binary resources: .res, .scn and the files of other
// endings that have the same format. Their values are read, written and edited by the packages that
// do so for Variants; this package knows the file around them.
package resource

import (
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

// Family is Godot's binary resources.
var Family format.Family = family{}

type family struct{}

// A Format reads the files of an engine.
type Format struct {
	dialect  *types.Dialect
	declared bool // by the file
}

var formats = []*Format{{dialect: types.Resource4}, {dialect: types.Resource3}}

// infos describe the dialects, in the order of formats.
var infos = func() (all []*format.Dialect) {
	for _, f := range formats {
		d := f.dialect
		all = append(all, &format.Dialect{Name: d.Name, Format: "resource", Title: d.Title, About: d.About, Types: d.Types(), Generation: d.Generation(), Kin: "resources"})
	}
	return all
}()

// Name implements format.Family.
func (family) Name() string { return "resource" }

// Dialects implements format.Family.
func (family) Dialects() []*format.Dialect { return infos }

// Hints implements format.Family.
func (family) Hints() format.Hints {
	return format.Hints{
		Title:    "Godot resource",
		Literal:  `a literal: 42, 1.5, "text", true, [1, 2], { "k": 1 }, Vector2(1, 2), SubResource("id")`,
		Empty:    "null",
		Commands: "w   set 100   goto 0x1f4 or $.properties.name   quit",
	}
}

const magic = "RSRC"

// Sniff implements format.Family. The payload of an RSCC has no magic at its start.
func (family) Sniff(src source.Source, region span.Span) format.Claim {
	w := source.NewWindow(src)
	switch {
	case string(w.View(region.Offset, 4)) != magic && (region.Length <= leastSize || !isPlausible(w, region.Offset)):
		return format.None
	case string(w.View(region.End()-4, 4)) == magic:
		return format.Enclosed
	}
	return format.Signature
}

// leastSize is the size of the head of a file.
const leastSize = 40

// isPlausible reports whether the words at an offset can follow the magic.
func isPlausible(w *source.Window, off int64) bool {
	big := w.U32(off) != 0
	if word := w.U32(off); word != 0 && word != 1 && word != 1<<24 {
		return false
	}
	w.SetBigEndian(big)
	defer w.SetBigEndian(false)
	wide, major, minor, version, length := w.U32(off+4), w.U32(off+8), w.U32(off+12), w.U32(off+16), w.U32(off+20)
	return wide <= 1 && major-1 < 4 && minor < 100 && version < 100 && length-1 < 200 && w.Byte(off+23+int64(length)) == 0 && w.Byte(off+24) >= 'A'
}

// Formats implements format.Family: the file says which engine it is of.
func (family) Formats(r *format.Request, src source.Source, region span.Span) []format.Format {
	if r.Framing != "" && r.Framing != "raw" || r.Double {
		return nil
	}
	h := readHead(src, region)
	for _, f := range formats {
		declared := f.dialect == h.dialect()
		if r.Dialect == f.dialect.Name || r.Dialect == "" && declared {
			return []format.Format{&Format{f.dialect, declared}}
		}
	}
	return nil
}

// Info implements format.Format.
func (f *Format) Info() format.Info {
	i := format.Info{Framing: "raw", Declared: f.declared}
	for _, d := range infos {
		if d.Name == f.dialect.Name {
			i.Dialect = d
		}
	}
	return i
}

// Open implements format.Format.
func (f *Format) Open(src source.Source, region span.Span) tree.Reading { return f.open(src, region) }

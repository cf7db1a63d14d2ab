package kaitai

import (
	"bytes"
	"embed"
	"sync"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

//go:embed known/*.ksy
var knownFiles embed.FS

// A known is a description that comes with the program.
type known struct {
	name, title string
	magic       []byte // with which all files of the format begin
	load        func() *description
}

// knownOnes are used for files that begin like theirs, if they can read them.
var knownOnes = []known{{"gvas", "GVAS, saves of Unreal Engine", []byte("GVAS"), sync.OnceValue(func() *description { return loadKnown("gvas", "GVAS, by description") })}}

func loadKnown(name, title string) *description {
	text, err := knownFiles.ReadFile("known/" + name + ".ksy")
	if err != nil {
		panic(err)
	}
	t, err := spec.Parse(text)
	if err != nil {
		panic(err) // a test loads all
	}
	d := describe(t, nil, nil)
	d.isKnown, d.dialect.Title, d.dialect.About = true, title, "described by the program"
	return d
}

// knownFor returns the known description of files that begin with some bytes; nil if there is none.
func knownFor(start []byte) format.Format {
	for _, k := range knownOnes {
		if bytes.HasPrefix(start, k.magic) {
			return k.load()
		}
	}
	return nil
}

// KnownDescriptions implements format.DescriptionReader.
func (family) KnownDescriptions() (names, titles []string) {
	for _, k := range knownOnes {
		names, titles = append(names, k.name), append(titles, k.title)
	}
	return names, titles
}

// mostProbed is the largest size in bytes of a file that is read to its end before a known description is used.
const mostProbed = 64 << 20

// CanRead implements format.Custom.
func (d *description) CanRead(src source.Source) bool {
	if !d.isKnown || src.Size() > mostProbed {
		return true
	}
	root := read.New(d.t, src, span.Between(0, src.Size()), nil).Root
	root.Ensure()
	return root.Bad == nil
}

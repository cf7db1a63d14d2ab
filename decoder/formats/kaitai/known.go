package kaitai

import (
	"bytes"
	"embed"
	"encoding/binary"
	"path/filepath"
	"slices"
	"strings"
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
	name  string
	magic string           // with which all files of the format begin
	exts  []string         // of which they have one, with the dot; nil for any
	with  string           // the name of the description whose types it uses; "" for none
	order binary.ByteOrder // of the lengths before JSON texts, all that such a file is; nil for another one
	once  sync.Once
	by    *description // once it is loaded
}

// knownOnes are used for files that begin like theirs, if they can read them.
var knownOnes = []*known{
	{name: "gvas", magic: "GVAS"},
	{name: "nbt", magic: "\x0a\x00"},
	{name: "region", magic: "\x00", exts: []string{".mca", ".mcr"}, with: "nbt"},
	{name: "godot-settings", magic: "ECFG"},
	{name: "texts-le", order: binary.LittleEndian},
	{name: "texts-be", order: binary.BigEndian},
}

// load returns the description.
func (k *known) load() *description {
	k.once.Do(func() {
		text := textOf(k.name)
		if k.with != "" {
			_, types, _ := bytes.Cut(textOf(k.with), []byte("\ntypes:\n"))
			text = append(text, types...)
		}
		t, err := spec.Parse(text)
		if err != nil {
			panic(err) // a test loads all
		}
		d := describe(t, nil, nil)
		name, _, _ := strings.Cut(t.Title, ",")
		d.isKnown, d.texts, d.dialect.Title, d.dialect.About = true, k.order, name+", by description", "described by the program"
		k.by = d
	})
	return k.by
}

func textOf(name string) []byte {
	text, err := knownFiles.ReadFile("known/" + name + ".ksy")
	if err != nil {
		panic(err)
	}
	return text
}

// knownFor returns the known description of a file that begins with some bytes; nil if there is none.
func knownFor(file string, start []byte, embed format.Embedder) format.Format {
	for _, k := range knownOnes {
		if !bytes.HasPrefix(start, []byte(k.magic)) || k.order != nil && !k.mayBeTexts(start) {
			continue
		}
		if k.exts == nil || slices.Contains(k.exts, strings.ToLower(filepath.Ext(file))) {
			d := *k.load()
			d.embed = embed
			return &d
		}
	}
	return nil
}

// mayBeTexts reports whether a file may begin with the length of a JSON text, of which the other order makes a larger number.
func (k *known) mayBeTexts(start []byte) bool {
	if len(start) <= sizeOfText || strings.IndexByte("{[", start[sizeOfText]) < 0 {
		return false
	}
	n := k.order.Uint32(start)
	return n == min(binary.LittleEndian.Uint32(start), binary.BigEndian.Uint32(start))
}

// KnownDescriptions implements format.DescriptionReader.
func (family) KnownDescriptions() (names, titles []string) {
	for _, k := range knownOnes {
		names, titles = append(names, k.name), append(titles, k.load().t.Title)
	}
	return names, titles
}

// mostProbed is the largest size in bytes of a file that is read to its end before a known description is used.
const mostProbed = 64 << 20

// CanRead implements format.Custom.
func (d *description) CanRead(src source.Source) bool {
	switch {
	case d.texts != nil:
		return areTexts(src, d.texts)
	case !d.isKnown, src.Size() > mostProbed:
		return true
	}
	root := read.New(d.t, src, span.Between(0, src.Size()), d.openForeign).Root
	root.Ensure()
	if p := root.Bad; p != nil { // perhaps the end was cut off
		return p.Code == span.Truncated && p.In.IsFile() && p.At.Offset > src.Size()/2
	}
	return root.End == src.Size() || len(firstContents(d.t, 0)) > 0 || d.streams.hasInstances
}

// sizeOfText is the number of bytes of the length before a JSON text.
const sizeOfText = 4

// areTexts reports whether a file is two JSON texts or more, each with its length before it.
func areTexts(src source.Source, order binary.ByteOrder) bool {
	w, at, count := source.NewWindow(src), int64(0), 0
	for at+sizeOfText < src.Size() {
		b := w.View(at, sizeOfText+1)
		if len(b) <= sizeOfText || strings.IndexByte("{[", b[sizeOfText]) < 0 {
			return false
		}
		at += sizeOfText + int64(order.Uint32(b))
		if at > src.Size() || strings.IndexByte("}]", w.Byte(at-1)) < 0 {
			return false
		}
		count++
	}
	return count > 1 && at == src.Size()
}

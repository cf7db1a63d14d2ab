package text

import (
	"strconv"
	"strings"
	"sync"

	"varview/decoder/format"
	"varview/decoder/godot/internal/types"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/textual"
	"varview/decoder/tree"
)

var (
	_ tree.Shortcutter = (*reading)(nil)
	_ tree.Reopener    = (*reading)(nil)
	_ format.Starter   = (*reading)(nil)
)

// A reading reads one text.
type reading struct {
	textual.Editor
	engine *types.Dialect
	src    source.Source
	region span.Span
	ids    func() [2]map[string]int64 // the places of external and of other resources by their ids
}

// Open implements format.Format.
func (f *Format) Open(src source.Source, region span.Span) tree.Reading {
	return newReading(&f.Format, f.engine, src, region)
}

func newReading(f *textual.Format, engine *types.Dialect, src source.Source, region span.Span) *reading {
	r := &reading{Editor: textual.NewEditor(f), engine: engine, src: src, region: region}
	r.ids = sync.OnceValue(r.readIDs)
	return r
}

// Reopen implements tree.Reopener.
func (r *reading) Reopen(src source.Source, region span.Span) tree.Reading {
	return newReading(r.Base(), r.engine, src, region)
}

// typeName is the grammar's Name.
func typeName(v *tree.Value) string {
	switch {
	case textual.IsBuffer(v):
		return "text"
	case v.Inner == inFile || v.Inner == inConfig:
		return "file"
	case v.Inner == inTag:
		return "tag"
	case v.Inner == inSection || v.Inner == inBare:
		return "section"
	case v.Type == 0:
		return "value"
	}
	return types.Of(idOf(v)).Name
}

// Fields implements tree.Reading.
func (r *reading) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	fields = r.Editor.Fields(w, parent, v, fields)
	if id := idOf(v); (id == types.Property || id == types.Name) && len(fields) > 0 && fields[len(fields)-1].Label == "value" {
		fields[len(fields)-1].Kind, fields[len(fields)-1].Label = span.Text, "name"
	}
	return fields
}

// Shortcut implements tree.Shortcutter: $.properties are those of the main resource.
func (r *reading) Shortcut(v *tree.Value, rest string) string {
	if v.Inner != inFile || !strings.HasPrefix(rest, ".properties") {
		return rest
	}
	main, ok := r.ids()[1][""]
	if !ok {
		return rest
	}
	return ".resources[" + strconv.FormatInt(main, 10) + "]" + rest
}

// readIDs reads the ids of all resources. That of the main resource is "".
func (r *reading) readIDs() (all [2]map[string]int64) {
	own := newReading(r.Base(), r.engine, r.src, r.region)
	n := tree.New(r.src, own, r.region).NewReader()
	for i, name := range partNames[:kindNodes] {
		all[i] = map[string]int64{}
		list, err := n.Resolve("$." + name)
		if err != nil {
			continue
		}
		tag, err := n.Child(list, 0)
		for index := int64(0); err == nil; index++ {
			if id, err := own.idOf(n, tag); err == nil {
				all[i][id] = index
			}
			tag, err = n.Next(tag)
		}
	}
	return all
}

// Start implements format.Starter: the main resource is what the file is about.
func (r *reading) Start() string {
	if _, ok := r.ids()[1][""]; !ok || r.Grammar != grammars[kind{inFile, r.engine}] {
		return ""
	}
	return "$.properties"
}

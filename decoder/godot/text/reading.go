package text

import (
	"strconv"
	"strings"

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
}

// Open implements format.Format.
func (f *Format) Open(src source.Source, region span.Span) tree.Reading {
	return &reading{textual.NewEditor(&f.Format), f.engine, src, region}
}

// Reopen implements tree.Reopener.
func (r *reading) Reopen(src source.Source, region span.Span) tree.Reading {
	return &reading{textual.NewEditor(r.Base()), r.engine, src, region}
}

// TypeName implements tree.Reading.
func (r *reading) TypeName(v *tree.Value) string {
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
	n := tree.New(r.src, r.Reopen(r.src, r.region), r.region).NewReader()
	list, err := n.Resolve("$.resources")
	if err != nil {
		return rest
	}
	return ".resources[" + strconv.FormatInt(n.Count(list)-1, 10) + "]" + rest
}

// Start implements format.Starter: the main resource is what the file is about.
func (r *reading) Start() string {
	if r.Grammar != grammars[kind{inFile, r.engine}] {
		return ""
	}
	return "$.properties"
}

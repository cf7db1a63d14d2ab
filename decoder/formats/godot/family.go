package godot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/convert"
	"varview/decoder/formats/godot/internal/json"
	"varview/decoder/formats/godot/internal/scout"
	"varview/decoder/formats/godot/internal/variant"
)

// Family is Godot's Variant serialization, and Pandemonium's.
var Family format.Family = family{}

type family struct{}

// infos describe the dialects, in their order.
var infos = func() (all []*format.Dialect) {
	for _, d := range Dialects() {
		all = append(all, &format.Dialect{Name: d.Name, Format: "godot", Title: d.Title, About: d.About, Types: d.Types(),
			Generation: d.Generation(), Framed: true, Bare: true, Double: d.HasDouble(), Rare: !d.Common(), Unwritten: !d.Written()})
	}
	return all
}()

// Name implements format.Family.
func (family) Name() string { return "godot" }

// Dialects implements format.Family.
func (family) Dialects() []*format.Dialect { return infos }

// Homes implements format.Housed: user:// of the engines.
func (family) Homes() []format.Home {
	return []format.Home{{Data: "godot/app_userdata", Log: "logs/godot.log"}, {Data: "pandemonium/app_userdata"}}
}

// Hints implements format.Family.
func (family) Hints() format.Hints {
	return format.Hints{
		Title:    "Godot",
		Literal:  `a literal: 42, 1.5, "text", true, [1, 2], { "k": 1 }, Vector2(1, 2)`,
		Empty:    "null",
		Commands: "w   set 100   goto 0x1f4 or $.path   as godot3   quit",
	}
}

// Sniff implements format.Family: values have no signature.
func (family) Sniff(source.Source, span.Span) format.Claim { return format.Plausible }

// Formats implements format.Family. The likelier dialect comes before the likelier framing,
// because a small stream of Godot 4 can also be read as one bare value of a rarer dialect.
// Files hold streams, everything else bare values.
func (family) Formats(r *format.Request, _ source.Source, _ span.Span) (all []format.Format) {
	framings := []Settings{{Framing: Raw}, {Framing: Stream}, {Framing: Stream, BigEndian: true}}
	if r.Framing == Sequence.String() {
		framings = []Settings{{Framing: Sequence}}
	} else if r.InFile {
		framings = append(framings[1:], framings[0])
	}
	for _, d := range Dialects() {
		switch {
		case r.Dialect != "" && r.Dialect != d.Name, r.Double && !d.HasDouble():
			continue
		case r.Dialect == "" && r.Generation > 0 && (!d.Written() || d.Generation() != r.Generation):
			continue
		}
		for _, f := range framings {
			if r.Framing == "" || r.Framing == f.Framing.String() {
				f.Dialect, f.Double = d, r.Double
				all = append(all, New(f))
			}
		}
	}
	return all
}

// Info implements format.Format.
func (f *Format) Info() format.Info {
	i := format.Info{Framing: f.Framing.String(), BigEndian: f.BigEndian}
	for _, d := range infos {
		if d.Name == f.Dialect.Name {
			i.Dialect = d
		}
	}
	return i
}

// Open implements format.Format. The format learns nothing and is its own reading.
func (f *Format) Open(source.Source, span.Span) tree.Reading { return f }

// hastyText is the number of bytes of a string that a quick reading of the beginning
// inspects.
const hastyText = 256 << 10

// ForPrefix implements format.PrefixReader.
func (f *Format) ForPrefix() format.Format {
	h := *f.Settings
	h.MaxText = hastyText
	return New(h)
}

// Import implements format.Importer.
func (family) Import(ctx context.Context, in io.Reader, out io.Writer, r *format.ImportRequest) error {
	d, _ := ByName(r.Dialect)
	f := New(Settings{Dialect: d, Double: r.Double, BigEndian: r.BigEndian})
	switch r.Framing {
	case Stream.String():
		f.Framing = Stream
	case Sequence.String():
		f.Framing = Sequence
	}
	switch r.Form {
	case format.Plain:
		return json.ImportPlain(ctx, f.Variant(), in, out)
	case format.Literals:
		return json.ImportLiterals(ctx, f.Variant(), in, out)
	}
	return f.Import(ctx, in, out)
}

// Convert implements format.Converter. Only dialects that an engine writes are written.
func (family) Convert(ctx context.Context, r *tree.Reader, q *format.ConvertRequest, out io.Writer) error {
	from, ok := r.Tree.Reading.(*Format)
	d, _ := ByName(q.Dialect)
	switch {
	case !ok:
		return errors.New("only files of Godot and Pandemonium can be converted to " + d.Title + "")
	case !d.Written():
		return fmt.Errorf("%s is not a dialect of any engine: %s", d.Name, d.About)
	}
	to := New(Settings{Dialect: d, Framing: from.Framing, BigEndian: from.BigEndian})
	switch q.Framing {
	case Raw.String():
		to.Framing, to.BigEndian = Raw, false
	case Stream.String():
		to.Framing = Stream
	case Sequence.String():
		to.Framing, to.BigEndian = Sequence, false
	}
	to.Double = d.HasDouble() && (q.Bits == 64 || q.Bits == 0 && from.Double)
	return convert.Convert(ctx, r, from.Variant(), to.Variant(), q, out)
}

// DeclaredIn implements format.Importer: the JSON form is the same for all dialects.
func (family) DeclaredIn([]byte) string { return "" }

// ScoutBytes implements format.Scout.
func (family) ScoutBytes(b []byte, found func(at int, dialect string)) { scout.Bytes(b, found) }

// ScoutText implements format.Scout.
func (family) ScoutText(text []byte, spend func(int) bool) []format.Hazard {
	return scout.Text(text, spend)
}

// maxScriptName is the number of bytes of a script's name that are returned.
const maxScriptName = 256

// Script implements format.Auditor. An object names its script in a property, a typed
// container in its element type.
func (f *Format) Script(r *tree.Reader, n *tree.Node, at span.Span) format.Script {
	switch {
	case n.Slot.Key && keyText(r, n) == variant.SourceProperty:
		return ownSource(r, n)
	case n.Slot.Key:
		return propertyScript(r, n)
	}
	name := elementScript(r, at)
	return format.Script{Name: name, Path: r.Path(n), Code: format.CodeAt(name)}
}

// keyText returns the name of a property.
func keyText(r *tree.Reader, key *tree.Node) string {
	s := r.Plain(&key.Value)
	return string(s.View(r.Window(), 0, s.Len()))
}

// ownSource returns the script whose source is a property, unless it is the script of an object: that is
// reported itself.
func ownSource(r *tree.Reader, source *tree.Node) format.Script {
	script := source.Parent
	if key := r.Key(script); key != nil && keyText(r, key) == "script" {
		return format.Script{}
	}
	name := string(r.Tree.AppendType(nil, r.Window(), &script.Value))
	return scout.Source(r, r.Path(script), name)
}

// propertyScript returns the script that is the value of a property: by its path, or by its class if the
// source itself is in the file.
func propertyScript(r *tree.Reader, key *tree.Node) format.Script {
	value, err := r.Next(key)
	if err != nil {
		return format.Script{Name: "that is damaged", Path: r.Path(key), Code: format.FileCode}
	}
	path := r.Path(value)
	if value.Layout == tree.Leaf {
		name := strings.Trim(string(r.AppendLiteral(nil, &value.Value, maxScriptName)), `"`)
		return format.Script{Name: name, Path: path, Code: format.CodeAt(name)}
	}
	name := string(r.Tree.AppendType(nil, r.Window(), &value.Value))
	return scout.Source(r, path, name)
}

// elementScript returns the path of the script of a container's elements, which is in a
// span.
func elementScript(r *tree.Reader, at span.Span) (name string) {
	r.EachFieldIn(at.Offset, at.End(), func(f span.Field, _ bool) {
		if f.Kind == span.Text {
			name = string(tree.AppendEscaped(nil, r.Window().View(f.Offset, min(f.Length, maxScriptName)), 0))
		}
	})
	return name
}

// Fork implements tree.Resyncer. A Format learns nothing.
func (f *Format) Fork(int64, bool) tree.Reading { return f }

// AcceptsAmbiguous implements tree.Resyncer. A count determines where a container ends,
// so that there is hardly ever more than one place.
func (f *Format) AcceptsAmbiguous() bool { return false }

// Resynced implements tree.Resyncer.
func (f *Format) Resynced(int64, int64) {}

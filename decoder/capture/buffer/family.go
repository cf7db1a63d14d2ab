package buffer

import (
	"varview/decoder/capture/message"
	"varview/decoder/format"
	"varview/decoder/godot"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Family is the buffer with the messages of a capture.
var Family format.Family = family{}

type family struct{}

var dialect = &format.Dialect{Name: "messages", Format: "capture", Title: "messages of a capture",
	About: "Godot's networking in a capture (pcap, pcapng)", Types: []string{"message"}}

// Name implements format.Family.
func (family) Name() string { return "capture" }

// Dialects implements format.Family.
func (family) Dialects() []*format.Dialect { return []*format.Dialect{dialect} }

// Sniff implements format.Family.
func (family) Sniff(src source.Source, region span.Span) format.Claim {
	if string(source.NewWindow(src).View(region.Offset, min(region.Length, int64(len(Signature))))) == Signature {
		return format.Signature
	}
	return format.None
}

// Formats implements format.Family.
func (family) Formats(r *format.Request, _ source.Source, _ span.Span) []format.Format {
	if r.Dialect != "" && r.Dialect != dialect.Name || r.Framing != "" && r.Framing != "raw" {
		return nil
	}
	return []format.Format{formatOf{r.Double}}
}

// Hints implements format.Family.
func (family) Hints() format.Hints {
	return format.Hints{Title: "Messages", Literal: `a literal: 42, 1.5, "text", true, [1, 2], { "k": 1 }, Vector2(1, 2)`, Empty: "null",
		Commands: "w   goto $.messages[12]   quit"}
}

// formatOf is the only format. It says whether components of Variants have 64 bits.
type formatOf struct{ double bool }

// Info implements format.Format.
func (f formatOf) Info() format.Info {
	return format.Info{Dialect: dialect, Framing: "raw", Declared: true}
}

// Open implements format.Format.
func (f formatOf) Open(source.Source, span.Span) tree.Reading { return f.open() }

func (f formatOf) open() *reading {
	r := &reading{parser: parser{double: f.double}}
	for _, p := range []message.Protocol{message.Variants4, message.Variants3} {
		d, _ := godot.ByName(p.Dialect())
		r.formats = append(r.formats, godot.New(godot.Settings{Dialect: d, Double: f.double && d.HasDouble()}))
	}
	return r
}

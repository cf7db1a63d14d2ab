package decoder

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"varview/decoder/detect"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/formats/elephant"
	"varview/decoder/formats/gamemaker"
	"varview/decoder/formats/godot"
	"varview/decoder/formats/godot/resource"
	godottext "varview/decoder/formats/godot/text"
	"varview/decoder/formats/json"
	"varview/decoder/formats/kaitai"
	"varview/decoder/formats/msgpack"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
	"varview/decoder/network/units"
	"varview/decoder/wrap"
	"varview/decoder/wrap/recipe"
)

// Families are the formats of files, the likeliest first. To add one takes a folder and a line here.
var Families = []format.Family{
	godot.Family,
	resource.Family,
	elephant.Family,
	godottext.Config,
	gamemaker.Ini,
	godottext.Family,
	json.Family,
	msgpack.Family,
	kaitai.Family,
	gamemaker.DS,
	gamemaker.Properties,
	gamemaker.Lines,
	gamemaker.Snap,
	gamemaker.OldSnap,
	units.Family,
}

// families are Families as detection uses them.
func families() detect.Table { return Families }

// Dialects lists what can be opened, the likeliest first.
func Dialects() (all []*format.Dialect) {
	for _, f := range Families {
		all = append(all, f.Dialects()...)
	}
	return all
}

// Homes lists where games keep their files.
func Homes() (all []format.Home) {
	for _, f := range Families {
		if h, ok := f.(format.Housed); ok {
			all = append(all, h.Homes()...)
		}
	}
	return all
}

// A FramingInfo describes a framing for people.
type FramingInfo struct {
	Name  string `json:"framing"`
	About string `json:"about"`
}

// Framings returns the ways in which values can follow one another in a buffer.
func Framings() []FramingInfo {
	return []FramingInfo{
		{"raw", "one bare value: var_to_bytes, PacketPeer.put_var, a UDP packet"},
		{"stream", "values, each after its length in 4 bytes: store_var, StreamPeer.put_var"},
		{format.Sequence, "two or more bare values to the end: var_to_bytes several times"},
	}
}

// Codes describes the problems of all families, wrappers and captures, in the order of their
// codes.
func Codes() []span.Code {
	all := slices.Concat(span.Codes, wrap.Codes, detect.ForeignCodes, payload.Codes, message.Codes, []span.Code{
		{Code: TooManyLayers, Severity: span.Error, About: "more nested wrappers than are opened"},
	})
	for _, f := range Families {
		if c, ok := f.(format.CodeLister); ok {
			all = append(all, c.Codes()...)
		}
	}
	slices.SortFunc(all, func(a, b span.Code) int { return cmp.Compare(a.Code, b.Code) })
	return all
}

// ScoutBytes calls found with each offset in b at which a value may begin that creates an object or runs
// code, as format.Scout does.
func ScoutBytes(b []byte, found func(at int, dialect string)) {
	for _, f := range Families {
		if s, ok := f.(format.Scout); ok {
			s.ScoutBytes(b, found)
		}
	}
}

// ScoutText returns what parsing a text as a value would create or run, as format.Scout does.
func ScoutText(text []byte, spend func(int) bool) (all []format.Hazard) {
	for _, f := range Families {
		if s, ok := f.(format.Scout); ok {
			all = append(all, s.ScoutText(text, spend)...)
		}
	}
	return all
}

// IsSigned reports whether bytes begin with the signature of a family.
func IsSigned(b []byte) bool {
	signed, _ := families().Signed(source.Bytes(b), span.Between(0, int64(len(b))))
	return signed != nil
}

// ReadDescription reads the description of a format, as format.DescriptionReader does.
func ReadDescription(file string, dirs []string) (f format.Format, err error) {
	for _, x := range Families {
		if r, ok := x.(format.DescriptionReader); ok {
			return r.ReadDescription(file, dirs, embed)
		}
	}
	return nil, errors.New("no family reads descriptions")
}

// Descriptions reads the descriptions in a folder, as format.DescriptionReader does.
func Descriptions(folder string, report func(error)) []format.Format {
	for _, x := range Families {
		if r, ok := x.(format.DescriptionReader); ok {
			return r.Descriptions(folder, embed, report)
		}
	}
	return nil
}

// KnownDescriptions returns the descriptions that come with the program, as format.DescriptionReader does.
func KnownDescriptions() (names, titles []string) {
	for _, x := range Families {
		if r, ok := x.(format.DescriptionReader); ok {
			return r.KnownDescriptions()
		}
	}
	return nil, nil
}

// CheckDescription returns what is wrong with a description, as format.DescriptionReader does.
func CheckDescription(file string, dirs []string) ([]*format.DescriptionProblem, error) {
	for _, x := range Families {
		if r, ok := x.(format.DescriptionReader); ok {
			return r.CheckDescription(file, dirs)
		}
	}
	return nil, nil
}

// FindDescription looks for the description of a file among those of folders, as format.DescriptionReader does. It is
// one of what the recipe r unpacks, which may be nil.
func FindDescription(ctx context.Context, src source.Source, file string, r *Recipe, folders [][]format.Format) (format.Format, error) {
	if r != nil && !slices.ContainsFunc(folders, func(all []format.Format) bool { return len(all) > 0 }) {
		return nil, nil
	}
	const enough = 4096
	if r != nil {
		d, err := Open(ctx, src, Options{Recipe: r, Bare: true})
		if err != nil {
			return nil, err
		}
		defer d.Close()
		src = d.Tree.Source
	}
	f, err := findDescription(file, source.NewWindow(src).View(0, enough), folders)
	if t, ok := f.(format.Custom); ok && !t.CanRead(src) {
		return nil, err
	}
	return f, err
}

// findDescription is FindDescription for a file that begins with some bytes.
func findDescription(file string, start []byte, folders [][]format.Format) (format.Format, error) {
	for _, x := range Families {
		if r, ok := x.(format.DescriptionReader); ok {
			return r.FindDescription(file, start, folders, embed)
		}
	}
	return nil, nil
}

// FindPacked looks for a description of what a file of one stream of gzip or zlib holds, among those of folders and those that come with
// the program, and returns the recipe that unpacks it too; nil for none.
func FindPacked(ctx context.Context, src source.Source, file string, folders [][]format.Format) (*Recipe, format.Format, error) {
	const enough = 4096
	start := source.NewWindow(src).View(0, enough)
	step := recipe.Step{Step: "gzip"}
	if len(start) > 0 && start[0] == 0x78 {
		step.Step = "zlib"
	}
	begins, _ := recipe.Start(step, start, int64(len(start)) == src.Size(), enough)
	if len(begins) == 0 {
		return nil, nil, nil
	}
	f, err := findDescription(file, begins, folders)
	if f == nil || err != nil {
		return nil, nil, err
	}
	r, err := recipe.New(step.Step, nil, step)
	if err != nil {
		return nil, nil, err
	}
	d, err := Open(ctx, src, Options{Recipe: r, Bare: true, Described: f})
	if err != nil {
		return nil, nil, err
	}
	defer d.Close()
	if t, ok := f.(format.Custom); ok && !t.CanRead(d.Tree.Source) {
		return nil, nil, nil
	}
	return r, f, nil
}

// ReadNames reads the names for the values of a file, as format.NameReader does.
func ReadNames(file string, folders []string) (n format.Names, err error) {
	for _, f := range Families {
		if r, ok := f.(format.NameReader); ok {
			return r.ReadNames(file, folders)
		}
	}
	return n, nil
}

// FindSchemas returns the files and folders that may contain the schemas of a save.
func FindSchemas(save string) (paths []string) {
	for _, f := range Families {
		if r, ok := f.(format.SchemaReader); ok {
			paths = append(paths, r.FindSchemas(save)...)
		}
	}
	return paths
}

// ReadSchemas reads the schemas in files and folders: a library for each family that has any. It returns
// what can be read, together with an error about what cannot.
func ReadSchemas(paths []string) (all []format.Schemas, err error) {
	var errs []error
	for _, f := range Families {
		if r, ok := f.(format.SchemaReader); ok {
			s, err := r.ReadSchemas(paths)
			all, errs = append(all, s), append(errs, err)
		}
	}
	return all, errors.Join(errs...)
}

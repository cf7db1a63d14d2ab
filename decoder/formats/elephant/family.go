package elephant

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/gml"
	"varview/decoder/formats/elephant/internal/block"
)

// Family is the family of Elephant, a serialisation library for GameMaker.
var Family format.Family = family{}

type family struct{}

// rules are those of all versions, the newest first.
var rules = Versions()

// infos describe the dialects, in the order of the versions.
var infos = func() (all []*format.Dialect) {
	for i := range rules {
		r := &rules[i]
		all = append(all, &format.Dialect{Name: r.Dialect(), Format: "elephant", Title: r.Title(), About: r.About(), Types: r.Types(),
			Outdated: !r.IsCurrent()})
	}
	return all
}()

// Name implements format.Family.
func (family) Name() string { return "elephant" }

// Dialects implements format.Family.
func (family) Dialects() []*format.Dialect { return infos }

// Homes implements format.Housed: where GameMaker's games save.
func (family) Homes() []format.Home { return []format.Home{{Loose: true}} }

// Hints implements format.Family.
func (family) Hints() format.Hints {
	return format.Hints{
		Title:    "Elephant",
		Literal:  `a literal: 42, u8(7), "text", true, undefined, [1, 2], { k: 1 }`,
		Empty:    "undefined",
		Commands: "w   set 100   goto $.path   schema scripts/   quit",
		Prefixed: true,
		Schemas:  true,
	}
}

// Sniff implements format.Family.
func (family) Sniff(src source.Source, region span.Span) format.Claim {
	_, ok := Sniff(src, region)
	switch {
	case !ok:
		return format.None
	case string(source.NewWindow(src).View(region.End()-4, 4)) == block.MagicFooter:
		return format.Enclosed
	}
	return format.Signature
}

// Formats implements format.Family: the version that the block declares comes first, then the others, by
// the number of bytes in which their headers differ.
func (family) Formats(r *format.Request, src source.Source, region span.Span) []format.Format {
	asked := byDialect(r.Dialect)
	if r.Dialect != "" && asked == nil || r.Framing != "" && r.Framing != "raw" {
		return nil
	}
	libraries := librariesOf(r)
	if asked != nil {
		return []format.Format{New(asked, libraries)}
	}
	h, _ := Sniff(src, region)
	likeliest, known := h.Rules()
	all := []format.Format{New(likeliest, libraries)}
	if known && !h.Contradicts(likeliest) {
		all[0] = declared{New(likeliest, libraries)}
	}
	var others []*Rules
	for i := range rules {
		if &rules[i] != likeliest {
			others = append(others, &rules[i])
		}
	}
	slices.SortStableFunc(others, func(a, b *Rules) int { return cmp.Compare(h.Differing(a), h.Differing(b)) })
	for _, r := range others {
		all = append(all, New(r, libraries))
	}
	return all
}

// byDialect returns the rules of a dialect; nil if it is not one of this family.
func byDialect(name string) *Rules {
	for i := range rules {
		if rules[i].Dialect() == name {
			return &rules[i]
		}
	}
	return nil
}

// librariesOf returns the schemas of a request that are Elephant's.
func librariesOf(r *format.Request) (all []*gml.Library) {
	for _, s := range r.Libraries() {
		if l, ok := s.(*gml.Library); ok {
			all = append(all, l)
		}
	}
	return all
}

// Info implements format.Format.
func (f *Format) Info() format.Info {
	i := format.Info{Framing: "raw"}
	for _, d := range infos {
		if d.Name == f.Rules.Dialect() {
			i.Dialect = d
		}
	}
	return i
}

// A declared format is the one of the version in the header of a block.
type declared struct{ *Format }

// Info implements format.Format.
func (d declared) Info() format.Info {
	i := d.Format.Info()
	i.Declared = true
	return i
}

// Codes implements format.CodeLister.
func (family) Codes() []span.Code { return Codes }

// IsHeaderProblem implements format.HeaderJudge.
func (family) IsHeaderProblem(code string) bool { return block.IsOfHeader(code) }

// FindSchemas implements format.SchemaReader.
func (family) FindSchemas(save string) []string { return gml.Find(save) }

// ReadSchemas implements format.SchemaReader.
func (family) ReadSchemas(paths []string) (format.Schemas, error) { return gml.Load(paths) }

// Convert implements format.Converter.
func (family) Convert(ctx context.Context, r *tree.Reader, q *format.ConvertRequest, out io.Writer) error {
	if _, ok := r.Tree.Reading.(*Reading); !ok {
		return errors.New("only Elephant files can be converted to another version of Elephant")
	}
	if !q.IsPlain() {
		return errors.New("only the version can be chosen in a conversion to Elephant")
	}
	return Convert(ctx, r, byDialect(q.Dialect), out)
}

// aheadBytes is the number of bytes at the start of JSON that are searched for its version.
const aheadBytes = 4096

// Import implements format.Importer. Values in the typed form name their version themselves.
func (family) Import(ctx context.Context, in io.Reader, out io.Writer, r *format.ImportRequest) error {
	ahead := bufio.NewReaderSize(in, aheadBytes)
	head, _ := ahead.Peek(aheadBytes)
	asked := byDialect(r.Dialect)
	if r.Form != format.Exported {
		return errors.New("values of Elephant can be imported only from what export --typed writes")
	}
	if version := versionIn(head); asked != nil && version != "" && version != asked.Name {
		return fmt.Errorf("the values say that they are of Elephant %s, but %s was asked for", version, asked.Name)
	}
	return Import(ctx, ahead, out, asked, librariesOf(&r.Request))
}

// DeclaredIn implements format.Importer. It also returns a version that does not exist:
// Import reports that.
func (family) DeclaredIn(head []byte) string {
	if v := versionIn(head); v != "" {
		return "elephant-" + v
	}
	return ""
}

// versionIn returns the version that values in the typed form name; "" if their beginning does not name
// one.
func versionIn(head []byte) string {
	d := json.NewDecoder(bytes.NewReader(head))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return ""
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return ""
		}
		var block struct{ Version string }
		if key == "elephant" {
			_ = d.Decode(&block) // Import reports the error
			return block.Version
		}
		var other json.RawMessage
		if d.Decode(&other) != nil {
			return ""
		}
	}
	return ""
}

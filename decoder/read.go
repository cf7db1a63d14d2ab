package decoder

import (
	"context"
	"slices"

	"varview/decoder/elephant"
	"varview/decoder/elephant/gml"
	"varview/decoder/godot"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// read opens the values in the innermost buffer.
func (d *Document) read(ctx context.Context, src source.Source, region span.Span, o Options) error {
	h, isElephant := elephant.Sniff(src, region)
	if o.rules() != nil || isElephant && o.Dialect == "" && o.Framing != "stream" {
		return d.readElephant(ctx, src, region, h, o)
	}
	return d.readGodot(ctx, src, region, o)
}

func (d *Document) readGodot(ctx context.Context, src source.Source, region span.Span, o Options) error {
	all := d.ofWrapper(godotCandidates(o, d.inFile()))
	if err := detect(ctx, src, region, all, o.Thorough); err != nil {
		return err
	}
	f := all[0].format().(*godot.Format)
	d.Tree = tree.New(src, f, region)
	d.Format, d.Dialect, d.Title = "godot", f.Dialect.Name, f.Dialect.Title
	d.Framing, d.BigEndian = f.Framing.String(), f.BigEndian
	d.Also = alsoRead(all)
	d.Confidence, d.against = Certain, all[0].cost
	if n := len(d.Layers); n > 0 && all[0].cost == 0 && region.Length <= prefix {
		d.Layers[n-1].ReadsWell()
	}
	switch {
	case len(all) == 1, o.Dialect != "" && o.Framing != "":
		d.Confidence = Given
	case all[0].cost > 0:
		d.Confidence = Weak
	case len(d.Also) > 0:
		d.Confidence = Likely
	}
	return d.suspect(ctx, src, region)
}

// suspect looks whether the buffer that reads badly is a file of another kind.
func (d *Document) suspect(ctx context.Context, src source.Source, region span.Span) (err error) {
	if d.Confidence != Weak || d.asked.Dialect != "" || d.asked.Framing != "" || d.asked.Input != "" {
		return nil
	}
	if d.stranger, err = isForeign(ctx, src, region); d.stranger != nil {
		d.Title = d.stranger.title
	}
	return err
}

// ofWrapper leaves out the dialects of engines that do not write the wrapper around
// the values: Godot 4 encrypts in another way than Godot 3 and Pandemonium.
func (d *Document) ofWrapper(all []*candidate) []*candidate {
	n := len(d.Layers)
	if n == 0 || d.Layers[n-1].Generation == 0 || d.asked.Dialect != "" {
		return all
	}
	is4 := d.Layers[n-1].Generation == 4
	return slices.DeleteFunc(all, func(c *candidate) bool { return c.paper || (c.dialect == godot.Dialects()[0].Name) != is4 })
}

// inFile reports whether the innermost buffer is what Godot's FileAccess wrote.
func (d *Document) inFile() bool {
	n := len(d.Layers)
	return n > 0 && d.Layers[n-1].Kind.IsFile()
}

// readElephant opens a block by the rules of the version it declares, or of
// another that fits where those do not.
func (d *Document) readElephant(ctx context.Context, src source.Source, region span.Span, h elephant.Header, o Options) error {
	var schemas []*gml.Library
	if o.Schemas != nil {
		schemas = o.Schemas()
	}
	all := elephantCandidates(o, h, schemas)
	declared := all[0]
	upTo := min(region.End(), region.Offset+prefix)
	if declared.weigh(ctx, src, region, upTo, 1<<62); declared.cost > 0 && len(all) > 1 {
		if err := detect(ctx, src, region, all, o.Thorough); err != nil {
			return err
		}
	}
	chosen := declared
	if best := all[0]; best.cost == 0 && (!best.schemaless || best == declared) {
		chosen = best
	}
	f := chosen.tree.Reading.(*elephant.Format)
	d.Tree = chosen.tree // which has met the constructors at the beginning
	d.Format, d.Dialect, d.Title, d.Framing = "elephant", f.Rules.Dialect(), f.Rules.Title(), "raw"
	d.Also = []string{}
	d.Confidence, d.against = Certain, chosen.cost
	if o.Dialect != "" {
		d.Confidence = Given
	}
	return ctx.Err()
}

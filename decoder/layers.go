package decoder

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"varview/decoder/detect"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/wrap"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/own"
	"varview/decoder/wrap/recipe"
	"varview/decoder/wrap/zlib"
)

// A Recipe says how the saves of a game are packed.
type Recipe = recipe.Recipe

// ReadRecipe reads a recipe by its file name, or a known one by the name of its game.
func ReadRecipe(name string) (*Recipe, error) {
	for _, r := range recipe.Known {
		if strings.EqualFold(r.Name, name) {
			return r, nil
		}
	}
	return recipe.Read(name)
}

// ReadRecipes reads the recipes in a folder. The errors are about those that cannot be read.
func ReadRecipes(folder string) (all []*Recipe, errs []error) {
	const most = 256
	files, _ := os.ReadDir(folder)
	for _, f := range files {
		if filepath.Ext(f.Name()) != recipe.Extension || len(all) == most {
			continue
		}
		r, err := recipe.Read(filepath.Join(folder, f.Name()))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, r)
	}
	return all, errs
}

// FindRecipe looks for the recipe of a file among those of folders, and then, if known is set, among the known ones, which
// must give something readable. Only one recipe may fit in the first folder in which any does; the error
// says that there are more.
func FindRecipe(ctx context.Context, src source.Source, file string, folders [][]*Recipe, known bool) (*Recipe, error) {
	const enough = 4096
	start := source.NewWindow(src).View(0, enough)
	for _, all := range folders {
		fit := slices.DeleteFunc(slices.Clone(all), func(r *Recipe) bool { return !r.Fits(file, start) })
		if len(fit) > 1 {
			return nil, fmt.Errorf("%s: several recipes fit this file, so none is used: %s, %s", filepath.Base(file), fit[0].Name, fit[1].Name)
		} else if len(fit) == 1 {
			return fit[0], nil
		}
	}
	if !known {
		return nil, nil
	}
	for _, r := range recipe.Known {
		ofGame := len(r.Files) > 0
		if !r.Fits(file, start) {
			continue
		}
		if r, _ = r.For(file); r == nil || !ofGame && len(r.Steps) == 1 && len(wrap.Sniff(src, span.Span{Length: src.Size()}, "")) > 0 {
			continue
		}
		one := *r
		one.Opened = new(recipe.Opened)
		if title, sure := reads(ctx, src, &one); title != "" && (ofGame || sure) {
			return &one, nil
		}
	}
	return unmarked(ctx, src, start)
}

// unmarkedChains returns the steps that are tried for a file without a signature.
func unmarkedChains(start []byte) [][]recipe.Step {
	chains := [][]recipe.Step{{{Step: "brotli"}}}
	if recipe.IsText(start) {
		chains[0] = []recipe.Step{{Step: "base64"}, {Step: "brotli"}}
	}
	const least = 32                                                                 // bytes from which on no other text is likely to become values under one of 255 keys
	if len(start) < least || len(bytes.Trim(start, "0123456789ABCDEFabcdef")) == 0 { // no key makes only these of values
		return chains
	}
	for head := 0; head <= 16 && head+least <= len(start); head += 4 {
		for _, s := range recipe.OneByte(start[head:]) {
			steps := []recipe.Step{{Step: "skip", Bytes: head}, s}
			if head == 0 {
				steps = steps[1:]
			}
			chains = append(chains, steps)
		}
	}
	return chains
}

// unmarked returns the recipe of a file that is combined with one byte, or of a Brotli stream, also in base64. These have
// no signature, so that values must come out, and the file must look like no other wrapper. The result is nil for all
// other files.
func unmarked(ctx context.Context, src source.Source, start []byte) (found *Recipe, err error) {
	packed := source.Bytes(start)
	if len(start) == 0 || len(wrap.Sniff(packed, span.Between(0, packed.Size()), "binary")) > 0 || families().Against(ctx, packed, true) == 0 {
		return nil, nil
	}
	whole := int64(len(start)) == src.Size()
	isSoundAsIs := sync.OnceValue(func() bool {
		_, sure := reads(ctx, src, nil)
		return sure
	})
	isText := map[string]bool{} // keys that give a text without values, in which they are looked for behind other bytes too
	for _, steps := range unmarkedChains(start) {
		const enough = 4096
		out, all := start, whole
		for _, s := range steps {
			out, all = recipe.Start(s, out, all, enough)
		}
		isKeyed := steps[len(steps)-1].Step == "xor"
		key := steps[len(steps)-1].Key
		if isPacked := isKeyed && zlib.Unpacks(out, all); !isPacked && (isText[key] || !recipe.Fits(steps, out) || !looksRead(ctx, out)) {
			continue
		}
		if isKeyed {
			plain := source.Bytes(out)
			signed, _ := families().Signed(plain, span.Between(0, plain.Size()))
			if isSoundAsIs() || signed != nil && !recipe.IsText(out) { // sound behind a header, or no text
				continue
			}
		}
		r, err := recipe.New(steps[len(steps)-1].Step, nil, steps...)
		if err != nil {
			return nil, err
		}
		title, sure := reads(ctx, src, r)
		if isText[key] = title != "" && !sure && recipe.IsText(out); sure {
			r.About = title
			if r = headed(ctx, src, r); headWithin(ctx, src, r) == 0 {
				return r, nil
			}
			found = cmp.Or(found, r) // bytes before the values may not be combined with the key
		}
	}
	return found, nil
}

// reads opens a file by a recipe, or nil for none, and returns what the result is; "" if it is not readable. sure is set
// for values; behind a key that the bytes suggest, for as many as chance does not give.
func reads(ctx context.Context, src source.Source, r *Recipe) (title string, sure bool) {
	const (
		most   = 128 << 20 // bytes that are unpacked to see whether they are values
		enough = 1 << 20   // bytes of sound values that are no chance
	)
	d, err := Open(ctx, src, Options{Recipe: r, Sound: true, MaxUnpacked: most})
	if err != nil {
		return "", false
	}
	defer func() { d.Close() }()
	known := 0
	if r != nil {
		known = len(r.Kinds())
	}
	if d.Missing != nil || len(d.Layers) < known || d.Tree.Region.Length == 0 || d.IsUnexplained() {
		return "", false
	}
	isDamaged, err := d.isDamaged(ctx) // what is in it may then be read badly
	if err != nil {
		return "", false
	}
	d.leaveOpened(r)
	if d.isList() { // a capture is one, whatever is wrong with its packets
		return d.Title, true
	}
	if q, err := d.quality(ctx, enough); !d.IsForeign() && (err != nil || q == readsBadly || d.Confidence == detect.Weak) && !isDamaged {
		return "", false
	}
	if d.IsForeign() {
		return d.Title, false
	}
	least := leastLeaves(r)
	return d.Title, leaves(d.Tree.NewReader(), d.Tree.Base, least) == least
}

// leaveOpened leaves the outermost layer to whoever opens the file by a recipe afterwards, if it is not cut.
func (d *Document) leaveOpened(r *Recipe) {
	if l := d.Layers; r != nil && r.Opened != nil && l[0].Payload != nil && l[0].Packer.CanRewrap() == nil {
		r.Opened.Layer, d.Layers = l[0].Layer, l[1:]
	}
}

// leastLeaves returns how many values are evidence for a recipe, nil for none: empty ones are none.
func leastLeaves(r *Recipe) int {
	if r != nil && len(r.Files) == 0 && r.Steps[len(r.Steps)-1].Step == "xor" {
		return 3
	}
	return 1
}

// leaves returns the number of values in n that hold no others, up to most.
func leaves(r *tree.Reader, n *tree.Node, most int) (all int) {
	for i := int64(0); all < most; i++ {
		child, err := r.Child(n, i)
		switch {
		case err != nil:
			return all
		case child.Layout >= tree.Sequence:
			all += leaves(r, child, most-all)
		default:
			all++
		}
	}
	return all
}

// TryLayers looks for chains of steps after which a file can be read, the shortest first; their About says
// what the result is. It tries all steps that need no key, and keys and constants that the bytes suggest,
// on the beginning of the file. What gives mere text is no answer.
func TryLayers(ctx context.Context, src source.Source, file string) (found []*Recipe, err error) {
	const (
		most      = 64 << 10 // largest number of bytes of the file, and of the result of each step
		mostTried = 1500
		mostSteps = 4
		enough    = 5
	)
	type node struct {
		steps []recipe.Step
		start []byte
		whole bool
	}
	seen := map[string]bool{}
	var todo []node
	begin := func(src source.Source, steps ...recipe.Step) {
		start := bytes.Clone(source.NewWindow(src).View(0, most))
		todo = append(todo, node{steps, start, int64(len(start)) == src.Size()})
		seen[string(start)] = true
	}
	region := span.Between(0, src.Size())
	if at := checksum.Find(src, region, false); at != nil {
		l, err := wrap.Open(ctx, own.Summed(at), src, region, wrap.Options{})
		if err != nil {
			return nil, err
		}
		begin(l.Payload, recipe.Summed(at))
	}
	begin(src)
	for i := 0; i < min(len(todo), mostTried) && len(found) < enough && ctx.Err() == nil; i++ {
		n := todo[i]
		todo[i] = node{}
		if len(found) > 0 && len(n.steps) > len(found[0].Steps) { // fewer steps are likelier
			break
		}
		if len(n.steps) > 0 && recipe.Fits(n.steps, n.start) && looksRead(ctx, n.start) {
			r, err := recipe.New("", []string{patternOf(filepath.Base(file))}, n.steps...)
			if err != nil {
				return nil, err
			}
			title, sure := reads(ctx, src, r)
			if r.About = title; sure {
				found = append(found, headed(ctx, src, r))
			}
			if title != "" {
				continue
			}
		}
		if len(n.steps) == mostSteps || len(found) > 0 {
			continue
		}
		for _, s := range recipe.Guesses(n.start, n.steps) {
			if out, whole := recipe.Start(s, n.start, n.whole, most); len(out) >= 4 && !seen[string(out)] {
				seen[string(out)] = true
				todo = append(todo, node{append(slices.Clip(n.steps), s), out, whole})
			}
		}
	}
	return found, ctx.Err()
}

// hidden are the steps that make bytes a text without a sign of it in them.
var hidden = []string{"xor", "add", "deflate", "brotli", "snappy"}

// Keyed returns the name of the step of these that makes bytes a text, by their beginning; "" for none, and if they are one but for a few.
func Keyed(ctx context.Context, b []byte) string {
	const most, leastKinds = 4 << 10, 16 // of few different bytes some constant makes a text
	start, whole := b[:min(len(b), most)], len(b) <= most
	kinds := map[byte]bool{}
	for _, c := range start {
		kinds[c] = true
	}
	if len(kinds) < leastKinds {
		return ""
	}
	if others := len(start) - len(bytes.Map(textOnly, start)); others < len(start)/4 {
		return ""
	}
	for _, s := range recipe.Guesses(start, nil) {
		if out, _ := recipe.Start(s, start, whole, most); slices.Contains(hidden, s.Step) && recipe.Fits([]recipe.Step{s}, out) && recipe.IsText(out) && looksRead(ctx, out) {
			return s.Step
		}
	}
	return ""
}

// textOnly drops what is no character of a text in ASCII.
func textOnly(c rune) rune {
	if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c >= 0x7f {
		return -1
	}
	return c
}

// headed returns a recipe with a header in place of skipped bytes, or around all that it unpacks, if some of them measure what is behind
// them; else the recipe itself.
func headed(ctx context.Context, src source.Source, r *Recipe) *Recipe {
	chains := recipe.Headed(r.Steps)
	if chains == nil {
		if n := headWithin(ctx, src, r); n > 0 {
			chains = recipe.Headed(append([]recipe.Step{{Step: "skip", Bytes: int(n)}}, r.Steps...))[:1]
		}
	}
	for _, steps := range chains {
		other, err := recipe.New(r.Name, r.Files, steps...)
		if err != nil {
			continue
		}
		if other.About = r.About; followsEdits(ctx, src, other) {
			return other
		}
	}
	return r
}

// headWithin returns the number of bytes of the game's own before the values in what a recipe unpacks.
func headWithin(ctx context.Context, src source.Source, r *Recipe) int64 {
	d, err := Open(ctx, src, Options{Recipe: r})
	if err != nil {
		return 0
	}
	defer d.Close()
	if n := len(r.Kinds()); n < len(d.Layers) {
		return own.Ends(d.Layers[n].Layer)[0].Span.Length
	}
	return 0
}

// followsEdits reports whether a recipe reads a file as values that a number or a checksum in a header of the recipe fits.
func followsEdits(ctx context.Context, src source.Source, r *Recipe) bool {
	if title, sure := reads(ctx, src, r); !sure || title != r.About {
		return false
	}
	d, err := Open(ctx, src, Options{Recipe: r})
	if err != nil {
		return false
	}
	defer d.Close()
	return slices.ContainsFunc(d.Layers, func(l Layer) bool {
		head := own.Ends(l.Layer)[0]
		return int64(len(head.Kept)) < head.Span.Length
	})
}

// looksRead reports whether bytes are values, or text that is not a packed form.
func looksRead(ctx context.Context, b []byte) bool {
	const least = 16
	src := source.Bytes(b)
	if len(wrap.Sniff(src, span.Between(0, src.Size()), "")) > 0 {
		return false
	}
	marks := bytes.Count(b, []byte(`"`)) + bytes.Count(b, []byte("="))
	return recipe.IsText(b) && marks > 0 || len(b) >= least && families().Against(ctx, src, true) == 0
}

// patternOf returns a pattern for the name of a file: special characters of patterns and unprintable ones
// match any character.
func patternOf(name string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune(`*[\`, c) || !unicode.IsPrint(c) {
			return '?'
		}
		return c
	}, name)
}

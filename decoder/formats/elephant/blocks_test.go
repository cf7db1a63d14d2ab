package elephant_test

// This file has what the tests of all parts of the family share: blocks that the library wrote, blocks of a few bytes, and a
// model of values that knows nothing of bytes.

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant"
	"varview/decoder/formats/elephant/gml"
	"varview/internal/elephantref"
	_ "varview/internal/lessgc"
)

// Folder is where the real files are.
const Folder = "../../../testdata/elephant/"

// A Block is a file with the schemas of its game.
type Block struct {
	Name      string
	Data      []byte
	Libraries []*gml.Library
	Schemas   elephantref.Schemas
}

// RealBlocks returns the files that the library wrote, except those in its own wrapper.
func RealBlocks(t testing.TB) (blocks []Block) {
	t.Helper()
	names, err := filepath.Glob(Folder + "*.bin")
	if err != nil || len(names) < 60 {
		t.Fatal(len(names), "files", err)
	}
	for _, name := range names {
		blocks = append(blocks, RealBlock(t, name))
	}
	return blocks
}

func RealBlock(t testing.TB, path string) Block {
	t.Helper()
	b := Block{Name: filepath.Base(path), Data: Read(t, path), Schemas: elephantref.Schemas{}}
	var truth struct{ Schemas *string }
	if err := json.Unmarshal(Read(t, strings.TrimSuffix(path, ".bin")+".truth.json"), &truth); err != nil {
		t.Fatal(err)
	}
	if truth.Schemas != nil {
		stem := Folder + strings.TrimSuffix(*truth.Schemas, ".gml")
		l, err := gml.Load([]string{stem + ".gml"})
		if err != nil {
			t.Fatal(err)
		}
		b.Libraries = []*gml.Library{l}
		if err := json.Unmarshal(Read(t, stem+".schema.json"), &b.Schemas); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func Read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Tree reads bytes with the block's schemas.
func (b *Block) Tree(data []byte) *tree.Tree {
	src := source.Bytes(data)
	region := span.Between(0, src.Size())
	h, _ := elephant.Sniff(src, region)
	rules, _ := h.Rules()
	return tree.New(src, elephant.New(rules, b.Libraries).Open(src, region), region)
}

// Spliced returns the block after an edit.
func Spliced(t testing.TB, data []byte, splices []source.Splice) []byte {
	t.Helper()
	at := int64(0)
	for _, s := range splices {
		if s.Offset < at {
			t.Fatalf("splice at %d, the one before ends at %d", s.Offset, at)
		}
		at = s.End()
	}
	p := source.Memory(data).Splice(splices)
	out := make([]byte, p.Size())
	if n, err := p.ReadAt(out, 0); n < len(out) {
		t.Fatal(err)
	}
	return out
}

// Each calls f for all values of a tree, elements and names included.
func Each(t testing.TB, tr *tree.Tree, f func(*tree.Node)) {
	t.Helper()
	s := tr.Scanner()
	s.Elements = true
	err := s.Run(context.Background(), func(ev tree.Event) bool {
		if ev == tree.Enter || ev == tree.Atom {
			f(s.Current(ev))
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Problems lists the problems of a block, with their repairs: from Remedy for those that the tree itself
// reports.
func Problems(t testing.TB, tr *tree.Tree) (all []span.Problem) {
	t.Helper()
	err := tr.Check(context.Background(), tree.CheckOptions{}, func(p span.Problem, at *tree.Node) {
		if p.Repair == "" {
			p.Repair = tr.Reading.(*elephant.Reading).Remedy(nil, &at.Value, &p)
		}
		all = append(all, p)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Found returns a problem as the tables write it: code@offset+length.
func Found(p *span.Problem) string { return fmt.Sprintf("%s@%d+%d", p.Code, p.Offset, p.Length) }

func FoundAll(all []span.Problem) string {
	var out []string
	for i := range all {
		out = append(out, Found(&all[i]))
	}
	return strings.Join(out, " ")
}

// Bytes returns the bytes of hexadecimal digits, and of text in quotes without blanks.
func Bytes(t testing.TB, text string) (data []byte) {
	t.Helper()
	for _, word := range strings.Fields(text) {
		if quoted, ok := strings.CutPrefix(word, "'"); ok {
			data = append(append(data, quoted...), 0)
			continue
		}
		b, err := hex.DecodeString(word)
		if err != nil {
			t.Fatal(word, err)
		}
		data = append(data, b...)
	}
	return data
}

const (
	Head151 = "50454c45 01050100 "
	Head140 = "50454c45 00040100 "
	Head130 = "50454c45 00030100 "
	Head120 = "50454c45 00020100 "
	Head110 = "41544d43 00010100 "
	Head100 = "41544d43 00000100 "
	Foot    = " 544e4148"
)

// BuiltBlocks returns random blocks, so many of every version, which hold more of everything than real ones.
func BuiltBlocks(t *testing.T, each int) (blocks []Block) {
	built, err := elephantref.ReadBuilt(each)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range built {
		l, err := gml.Parse("game.gml", []byte(b.GML))
		if err != nil {
			t.Fatal(err)
		}
		version := strings.ReplaceAll(b.Version.String(), ".", "-")
		blocks = append(blocks, Block{fmt.Sprintf("v%s-built-%d", version, i), b.Block, []*gml.Library{l}, b.Schemas})
	}
	return blocks
}

// gameCode has the constructors of the tables.
const gameCode = `
function P() constructor { a = 0; b = ""; c = undefined;
	ELEPHANT_SCHEMA { v1 : { a : buffer_u8, b : buffer_string, c : buffer_any } } }
function Q() constructor { s = {};
	ELEPHANT_SCHEMA { v1 : { s : buffer_struct } } }
`

// Sample returns a block of hexadecimal digits and blanks, which have no header and footer. Its version is
// 1.5.1 unless the digits begin with a version.
func Sample(t *testing.T, text string) []byte {
	t.Helper()
	header, footer := "50454c4501050100", "544e4148"
	if rest, ok := strings.CutPrefix(text, "1.0.0 "); ok {
		header, footer, text = "41544d4300000100", "", rest
	}
	if rest, ok := strings.CutPrefix(text, "1.3.0 "); ok {
		header, text = "50454c4500030100", rest
	}
	data, err := hex.DecodeString(header + strings.ReplaceAll(text, " ", "") + footer)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TableBlock(t *testing.T, text string) Block {
	t.Helper()
	l, err := gml.Parse("game.gml", []byte(gameCode))
	if err != nil {
		t.Fatal(err)
	}
	return Block{Name: text, Data: Sample(t, text), Libraries: []*gml.Library{l}}
}

// A Thing is a value of a game. It knows nothing of bytes. The target of a reference is the same Thing in
// both places.
type Thing struct {
	Kind  string // number, text, bool, undefined, array, struct, default, nowhere
	Text  string // text of a scalar; constructor and version of a struct
	Names []string
	Kids  []*Thing
	Fixed bool // a schema says what members there are
}

func (x *Thing) IsContainer() bool { return x.Kind == "array" || x.Kind == "struct" }

// ThingOf converts what the second decoder has read.
func ThingOf(f *elephantref.File, schemas elephantref.Schemas) *Thing {
	return toThing(f.Root, schemas, map[*elephantref.Value]*Thing{})
}

func toThing(v *elephantref.Value, schemas elephantref.Schemas, seen map[*elephantref.Value]*Thing) *Thing {
	x := &Thing{}
	seen[v] = x
	switch v.Type {
	case elephantref.Ref:
		if v.Ref.Dangling {
			x.Kind = "nowhere"
			return x
		}
		return seen[v.Ref.Target]
	case elephantref.Array:
		x.Kind = "array"
		for _, e := range v.Array.Elems {
			x.Kids = append(x.Kids, toThing(e, schemas, seen))
		}
	case elephantref.Struct:
		x.structOf(v.Struct, schemas, seen)
	case elephantref.String, elephantref.Text:
		x.Kind, x.Text = "text", v.Text
	case elephantref.Undefined:
		x.Kind = "undefined"
	case elephantref.Bool:
		x.Kind, x.Text = "bool", strconv.FormatBool(v.Num != 0)
	case elephantref.U64:
		x.Kind, x.Text = "number", fmt.Sprint(int64(v.Int)) // as GameMaker has it
	default:
		x.Kind, x.Text = "number", strconv.FormatFloat(v.Num, 'f', -1, 64)
	}
	return x
}

func (x *Thing) structOf(s *elephantref.StructValue, schemas elephantref.Schemas, seen map[*elephantref.Value]*Thing) {
	x.Kind = "struct"
	if s.Constructed {
		x.Text = fmt.Sprint(s.Constructor, " v", s.Version, " ", s.Verbose)
	}
	if !s.Constructed || s.Verbose {
		for _, m := range s.Members {
			x.Names = append(x.Names, m.Name)
			x.Kids = append(x.Kids, toThing(m.Value, schemas, seen))
		}
		return
	}
	x.Fixed = true
	left := s.Members
	for i, m := range schemas[s.Constructor].Versions[s.Version].Members {
		x.Names = append(x.Names, m.Name)
		if slices.Contains(s.Skipped, i+1) {
			x.Kids = append(x.Kids, &Thing{Kind: "default"})
			continue
		}
		x.Kids = append(x.Kids, toThing(left[0].Value, schemas, seen))
		left = left[1:]
	}
}

// Differs returns where two things differ; "" if they are equal. A thing that is in two places in one must
// be in both in the other.
func Differs(got, want *Thing) string {
	return compare(got, want, "$", map[*Thing]*Thing{}, map[*Thing]*Thing{})
}

func compare(got, want *Thing, path string, pairs, back map[*Thing]*Thing) string {
	if want.IsContainer() && got.IsContainer() {
		if pairs[want] != nil || back[got] != nil {
			if pairs[want] == got && back[got] == want {
				return ""
			}
			return path + ": leads elsewhere"
		}
		pairs[want], back[got] = got, want
	}
	if got.Kind != want.Kind || got.Text != want.Text || len(got.Kids) != len(want.Kids) || !slices.Equal(got.Names, want.Names) {
		return fmt.Sprintf("%s: %s %q %q with %d, want %s %q %q with %d", path,
			got.Kind, got.Text, got.Names, len(got.Kids), want.Kind, want.Text, want.Names, len(want.Kids))
	}
	for i := range want.Kids {
		if diff := compare(got.Kids[i], want.Kids[i], fmt.Sprintf("%s[%d]", path, i), pairs, back); diff != "" {
			return diff
		}
	}
	return ""
}

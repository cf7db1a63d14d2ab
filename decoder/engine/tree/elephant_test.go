package tree_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant"
	"varview/decoder/formats/elephant/gml"
	"varview/internal/elephantref"
)

const elephantFiles = "../../../testdata/elephant/"

// elephantFormat returns the format of a block that may be damaged: the version that it declares, or the
// one that how chooses.
func elephantFormat(data []byte, how uint8, schemas []*gml.Library) (func() tree.Reading, span.Span) {
	src := source.Bytes(data)
	region := span.Between(0, src.Size())
	h, _ := elephant.Sniff(src, region)
	rules, _ := h.Rules()
	if versions := elephant.Versions(); int(how) < len(versions) {
		rules = &versions[how]
	}
	return func() tree.Reading { return elephant.New(rules, schemas).Open(src, region) }, region
}

func realSchemas(t testing.TB) []*gml.Library {
	l, err := gml.Load([]string{elephantFiles})
	if err != nil {
		t.Fatal(err)
	}
	return []*gml.Library{l}
}

// realBlocks returns the files that the library wrote, and damaged ones.
func realBlocks(t testing.TB) [][]byte {
	names, _ := filepath.Glob(elephantFiles + "*.bin")
	damaged, _ := filepath.Glob(elephantFiles + "corrupt/*.bin")
	if len(names) < 60 || len(damaged) < 40 {
		t.Fatalf("%d files, %d damaged", len(names), len(damaged))
	}
	var blocks [][]byte
	for _, name := range append(names, damaged...) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		blocks = append(blocks, data)
	}
	return blocks
}

// TestElephantReaders: all ways to find a value agree, and give it the same number; with schemas, without,
// cut and changed.
func TestElephantReaders(t *testing.T) {
	schemas := realSchemas(t)
	r := rand.New(rand.NewPCG(3, 4))
	for i, data := range realBlocks(t) {
		if testing.Short() && i%5 > 0 || len(data) > 4096 {
			continue
		}
		for round := range 4 {
			changed := slices.Clone(data)
			switch {
			case round == 2 && len(data) > 0:
				changed = changed[:r.IntN(len(data))]
			case round == 3 && len(data) > 0:
				changed[r.IntN(len(data))] = byte(r.Uint32())
			}
			known := schemas
			if round == 1 {
				known = nil
			}
			f, region := elephantFormat(changed, 0xff, known)
			consistent(t, changed, f, region)
		}
	}
}

// TestElephantBuiltReaders: the same on random files.
func TestElephantBuiltReaders(t *testing.T) {
	for _, b := range builtBlocks(t, randomRounds(6)) {
		f, region := elephantFormat(b.data, 0xff, b.libraries)
		consistent(t, b.data, f, region)
	}
}

// A builtBlock is a random block.
type builtBlock struct {
	data      []byte
	libraries []*gml.Library
	version   elephantref.Version
	how       uint8 // for elephantFormat: its version
}

// builtBlocks returns random blocks, so many of every version.
func builtBlocks(t testing.TB, each int) (all []builtBlock) {
	blocks, err := elephantref.ReadBuilt(each)
	if err != nil {
		t.Fatal(err)
	}
	versions := elephantref.Versions()
	for _, b := range blocks {
		l, err := gml.Parse("built.gml", []byte(b.GML))
		if err != nil {
			t.Fatal(err)
		}
		how := uint8(len(versions) - 1 - slices.Index(versions, b.Version))
		all = append(all, builtBlock{b.Block, []*gml.Library{l}, b.Version, how})
	}
	return all
}

// damage changes n bits.
func (b *builtBlock) damage(r *rand.Rand, n int) {
	for range n {
		b.data[r.IntN(len(b.data))] ^= 1 << r.IntN(8)
	}
}

// FuzzElephant: any bytes are tiled, all ways to read them agree, and nothing that is found in them lies
// outside them.
func FuzzElephant(f *testing.F) {
	for i, data := range realBlocks(f) {
		if len(data) < 600 {
			f.Add(data, uint8(i))
		}
	}
	schemas := realSchemas(f)
	f.Fuzz(func(t *testing.T, data []byte, how uint8) {
		if len(data) > 600 {
			return
		}
		known := schemas
		if how&0x80 != 0 {
			known = nil
		}
		format, region := elephantFormat(data, how&0x7f, known)
		consistent(t, data, format, region)
		sameSizes(t, data, format, region)
	})
}

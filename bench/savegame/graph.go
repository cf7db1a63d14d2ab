package savegame

import (
	_ "embed"
	"encoding/binary"
	"path/filepath"
	"strings"
)

// graphSchemas is the GML that declares the constructors in Graph files.
//
//go:embed graph.gml
var graphSchemas string

// schemaPath is where WriteFile writes the schemas of a Graph: next to it, with the
// ending gml.
func schemaPath(graph string) string {
	return strings.TrimSuffix(graph, filepath.Ext(graph)) + ".gml"
}

// A graph makes up one Elephant block: a struct of maps with the things and events
// on them.
type graph struct {
	block
	random
	verbose   bool  // no struct has a schema
	landmarks []int // numbers of structs that references lead to
}

// A reference is stored in 16 bits, so that it leads only to one of the first 65536 arrays and structs.
const (
	mostNumbers   = 1 << 16
	mostLandmarks = 2000
)

// landmark makes the struct that begins next a target for references.
func (g *graph) landmark() {
	if g.canRefer() && len(g.landmarks) < mostLandmarks {
		g.landmarks = append(g.landmarks, g.started)
	}
}

// canRefer reports whether a reference that begins now has one meaning: the library cuts the numbers of later arrays and
// structs to 16 bits.
func (g *graph) canRefer() bool {
	return g.started < mostNumbers
}

// somewhere refers to a landmark; the root is always one.
func (g *graph) somewhere() {
	g.refer(g.landmarks[g.below(len(g.landmarks))])
}

const graphFooter = "TNAH"

// writeGraph writes the block. Its root is a struct, with the file's one player first.
func (p Plan) writeGraph(w target) error {
	g := &graph{random: random(p.Seed*2 + 1), verbose: p.Kind == Verbose}
	g.buf = append(g.buf, "PELE\x01\x05\x01\x00"...)
	g.tag(tagStruct)
	g.landmark()
	root := g.openStruct()
	g.member("player", tagStruct)
	g.actor()
	entries := 1
	out := sink{w: w}
	const least = 64 // only a chunk is longer
	for {
		left := p.Size - out.flushed - int64(len(g.buf)) - int64(len(graphFooter))
		if left < least {
			break
		}
		g.entry(entries, int(left))
		entries++
		if err := out.flush(&g.buf, flushAt); err != nil {
			return err
		}
	}
	g.buf = append(g.buf, graphFooter...)
	if err := out.flush(&g.buf, 0); err != nil {
		return err
	}
	_, err := w.WriteAt(binary.LittleEndian.AppendUint16(nil, uint16(entries)), int64(root))
	return err
}

// entry appends a member of the root, of no more than about left bytes.
func (g *graph) entry(n, left int) {
	if left < 600 {
		g.setting(n)
		return
	}
	g.chunk(n, min(left-200, g.between(2000, 300_000)))
}

// setting appends a member with one short value.
func (g *graph) setting(n int) {
	word := g.pick(words)
	switch draw := g.below(7); {
	case draw == 0:
		g.numbered(word, n, tagBool)
		g.bool(n&1 == 0)
	case draw == 1:
		g.numbered(word, n, tagString)
		g.text(g.pick(names))
	case draw == 2:
		g.numbered(word, n, tagUndefined)
	case draw == 3:
		g.numbered(word, n, tagU64)
		g.u64(g.next())
	case draw == 4 && g.canRefer():
		g.numbered(word, n, tagStruct)
		g.somewhere()
	case draw == 5: // as the library stores an int32
		g.numbered(word, n, tagS32)
		g.u32(uint32(g.next()))
	default:
		g.numbered(word, n, tagF64)
		g.f64(g.amount())
	}
}

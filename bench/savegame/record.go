package savegame

import "encoding/binary"

// LastText is the last value of a Mixed or MixedRaw file: a String that occurs nowhere else.
const LastText = "the last value"

// Of the entries of a Mixed or MixedRaw file one in RecordEvery is any value; all others but the last are Dictionaries that
// begin with "frame" and their number, which takes 32 bits.
const RecordEvery = 4

// One entry in largeEvery has tens of megabytes, the first of them early enough for files of 64 MiB.
const (
	largeEvery = 4000
	firstLarge = 1000
)

// withObjects is the first entry with objects. Only in an Objects file there are more, one in moreObjects.
const (
	withObjects = 40
	moreObjects = 8
)

// ending is the part of a file whose entries are short, so that the last one ends where the file should.
const ending = 16 << 10

// entry appends value n of a file of which left bytes remain.
func (g *generator) entry(n int, left int64) {
	g.double = g.below(16) == 0 && g.dialect == Godot4
	switch {
	case left < ending:
		g.record(n, min(200, int(left)))
	case n%RecordEvery == RecordEvery-1:
		g.value(0)
	default:
		g.record(n, int(min(int64(g.recordSize(n)), left-ending/2)))
	}
}

// frame makes a frame of what one appends: its length comes first.
func (g *generator) frame(one func()) {
	at := len(g.buf)
	g.u32(0)
	one()
	binary.LittleEndian.PutUint32(g.buf[at:], uint32(len(g.buf)-at-4))
}

// recordSize draws the sizes of a save: most entries are small, some large.
func (g *generator) recordSize(n int) int {
	if n%largeEvery == firstLarge {
		return g.between(8<<20, 40<<20)
	}
	switch draw := g.below(1000); {
	case draw < 8:
		return g.between(100_000, 1<<20)
	case draw < 100:
		return g.between(10_000, 100_000)
	case draw < 450:
		return g.between(400, 10_000)
	}
	return g.between(36, 400)
}

// record appends a Dictionary of about size bytes.
func (g *generator) record(n, size int) {
	start := len(g.buf)
	at := g.open(typeDictionary)
	g.string("frame")
	g.int(int64(n))
	count := 1
	if n == withObjects || g.manyObjects && n%moreObjects == 0 {
		g.string("objects")
		g.objects()
		count++
	}
	count += g.sections(start+size, 0)
	g.close(at, count)
}

// deepestGroup is the greatest nesting of group sections.
const deepestGroup = 6

// sections appends entries of a Dictionary until about end, an index of buf, and returns how many.
func (g *generator) sections(end, depth int) int {
	count := 0
	for ; end-len(g.buf) >= 40; count++ {
		switch left := end - len(g.buf); {
		case left < 800:
			g.numbered(g.pick(words), count)
			g.leaf()
		case left < 3000 && g.below(4) != 0:
			g.numbered("actor", count)
			g.actor(g.below(1 << 20))
		default:
			g.section(count, min(left-32, g.between(600, 1<<20)), depth)
		}
	}
	return count
}

// section appends an entry whose value has about size bytes.
func (g *generator) section(n, size, depth int) {
	// An array of one kind seldom grows as large as a list of things.
	packed := min(size, 4000)
	switch draw := g.below(40); {
	case draw < 10 && depth < deepestGroup:
		g.numbered("group", n)
		end := len(g.buf) + size
		at := g.open(typeDictionary)
		g.close(at, g.sections(end, depth+1))
	case draw < 24:
		g.numbered("actors", n)
		g.list(size, g.actor)
	case draw < 30:
		g.numbered("state", n)
		g.list(min(size, 40_000), func(int) { g.value(0) })
	case draw < 34:
		g.numbered("journal", n)
		g.list(min(size, 20_000), func(int) { g.sentence(g.between(3, 20)) })
	case draw == 34:
		g.numbered("tiles", n)
		g.tiles(packed)
	case draw == 35:
		g.numbered("picture", n)
		g.bytes(packed - g.below(4))
	case draw == 36:
		g.numbered("heights", n)
		g.packed(typeFloat32s, packed/4)
	case draw == 37:
		g.numbered("route", n)
		g.packed(typeVector3s, packed/24)
	case draw == 38:
		g.numbered("seen", n)
		g.strings(packed / 16)
	default:
		g.numbered("board", n)
		g.board(packed)
	}
}

// list appends an Array of what one appends, until it has size bytes.
func (g *generator) list(size int, one func(i int)) {
	start := len(g.buf)
	at := g.open(typeArray)
	count := 0
	for ; len(g.buf)-start < size; count++ {
		one(count)
	}
	g.close(at, count)
}

// tiles appends a map's cells as a packed array of n bytes, in runs as maps have them.
func (g *generator) tiles(n int) {
	left, tile := 0, 0
	at := g.open(typeInt32s)
	g.elements(typeInt32s, n/4, func() float64 {
		if left == 0 {
			left, tile = g.between(1, 24), g.below(512)
		}
		left--
		return float64(tile)
	})
	g.close(at, n/4)
}

// board appends a Dictionary of n bytes from places to what is there.
func (g *generator) board(n int) {
	start := len(g.buf)
	at := g.open(typeDictionary)
	count := 0
	for ; len(g.buf)-start < n; count++ {
		g.cell(count)
		g.leaf()
	}
	g.close(at, count)
}

// actor appends a Dictionary of about 900 bytes: the state of one character.
func (g *generator) actor(n int) {
	at := g.open(typeDictionary)
	g.string("id")
	g.int(int64(n))
	g.string("uid")
	g.int(int64(g.next() >> 1))
	g.string("name")
	g.string(g.pick(names))
	g.string("state")
	g.name(g.pick(words))
	g.string("alive")
	g.bool(g.below(8) != 0)
	g.string("position")
	g.vector(typeVector3)
	g.string("transform")
	g.vector(typeTransform3D)
	g.string("tint")
	g.vector(typeColor)
	g.string("hp")
	g.float(g.amount())
	g.string("target")
	g.nodePath(typeNodePath)
	g.string("tags")
	g.strings(g.below(5))
	g.string("inventory")
	g.inventory(g.below(6))
	g.string("note")
	g.sentence(g.below(16))
	g.string("extra")
	g.value(0)
	g.close(at, 14)
}

// inventory appends n Dictionaries, in an Array that may have their type.
func (g *generator) inventory(n int) {
	if g.dialect == Godot4 && g.below(2) == 0 {
		g.header(typeArray, ofBuiltin)
		g.u32(uint32(typeDictionary))
	} else {
		g.header(typeArray, 0)
	}
	at := g.openCount()
	for i := range n {
		slot := g.open(typeDictionary)
		g.string("item")
		g.string(g.pick(words))
		g.string("count")
		g.int(int64(g.below(100)))
		g.string("cell")
		g.cell(i)
		g.close(slot, 3)
	}
	g.close(at, n)
}

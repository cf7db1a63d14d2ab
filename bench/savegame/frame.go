package savegame

import "encoding/binary"

// frame appends entry n of a Stream: its length, then a record.
func (g *generator) frame(n int, left int64) {
	at := len(g.buf)
	g.u32(0)
	g.record(n, g.recordSize(left))
	binary.LittleEndian.PutUint32(g.buf[at:], uint32(len(g.buf)-at-4))
}

// chunk appends entry n of a Raw file: a key, then a record.
func (g *generator) chunk(n int, left int64) {
	g.numbered("chunk", n)
	g.record(n, g.recordSize(left-24))
}

// recordSize draws the sizes of a save: most small, some large, one in two thousand of several megabytes.
func (g *generator) recordSize(left int64) int {
	size := 0
	switch draw := g.below(10_000); {
	case draw < 5:
		size = g.between(1<<20, 4<<20)
	case draw < 500:
		size = g.between(20_000, 100_000)
	case draw < 3500:
		size = g.between(1000, 20_000)
	default:
		size = g.between(40, 1000)
	}
	return int(min(int64(size), left))
}

// record appends a Dictionary of about size bytes, whose first entry is "frame": n.
func (g *generator) record(n, size int) {
	start := len(g.buf)
	at := g.open(typeDictionary)
	g.string("frame")
	g.int(int64(n))
	count := 1 + g.sections(start+size, 0)
	g.close(at, count)
}

// deepest is the greatest nesting of group sections.
const deepest = 6

// sections appends entries of a Dictionary until about end, an index of buf, and returns how many.
func (g *generator) sections(end, depth int) int {
	count := 0
	for ; end-len(g.buf) >= 48; count++ {
		switch left := end - len(g.buf); {
		case left < 800:
			g.setting(count)
		case left < 3000 && g.below(4) != 0:
			g.numbered("actor", count)
			g.actor(g.below(1 << 20))
		default:
			g.section(count, min(left-32, g.between(600, 400_000)), depth)
		}
	}
	return count
}

// setting appends an entry with one short value.
func (g *generator) setting(n int) {
	g.numbered(g.pick(words), n)
	switch g.below(9) {
	case 0:
		g.bool(n&1 == 0)
	case 1, 2:
		g.int(int64(g.below(100_000)) - 1000)
	case 3:
		g.int(int64(g.next()))
	case 4:
		g.amount()
	case 5:
		g.vector(typeVector2, g.coordinate(), g.coordinate())
	case 6:
		g.string(g.pick(names))
	case 7:
		g.string(g.pick(lines))
	case 8:
		g.tags()
	}
}

// section appends an entry whose value has about size bytes.
func (g *generator) section(n, size, depth int) {
	// An array of one kind seldom grows as large as a list of things.
	packed := min(size, 40_000)
	switch draw := g.below(20); {
	case draw < 6 && depth < deepest:
		g.numbered("group", n)
		end := len(g.buf) + size
		at := g.open(typeDictionary)
		g.close(at, g.sections(end, depth+1))
	case draw < 12:
		g.numbered("actors", n)
		g.list(size, func(i int) { g.actor(i) })
	case draw < 14:
		g.numbered("journal", n)
		g.list(min(size, 20_000), func(int) { g.string(g.pick(lines)) })
	case draw == 14:
		g.numbered("tiles", n)
		g.tiles(packed)
	case draw == 15:
		g.numbered("picture", n)
		g.bytes(packed - g.below(4))
	case draw == 16:
		g.numbered("heights", n)
		g.reals(typeFloat32s, 1, packed)
	case draw == 17:
		g.numbered("route", n)
		if n&1 == 0 {
			g.reals(typeVector2s, 2, packed)
		} else {
			g.reals(typeVector3s, 3, packed)
		}
	case draw == 18:
		g.numbered("stamps", n)
		g.stamps(packed)
	default:
		g.numbered("seen", n)
		g.strings(packed)
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

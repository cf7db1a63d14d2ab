package savegame

// chunk appends a member that is one map of about size bytes.
func (g *graph) chunk(n, size int) {
	end := len(g.buf) + size
	g.numbered("chunk", n, tagStruct)
	g.landmark()
	at := g.openStruct()
	g.member("biome", tagString)
	g.text(g.pick(words))
	g.member("cell", tagArray)
	g.numbers(2)
	g.member("seen", tagBool)
	g.bool(g.below(3) != 0)
	count := 3
	for ; end-len(g.buf) >= 64; count++ {
		if left := end - len(g.buf); left < 400 {
			g.setting(count)
		} else {
			g.section(count, min(left-200, g.between(200, 60_000)))
		}
	}
	g.setCount(at, count)
}

// section appends a member whose value has about size bytes.
func (g *graph) section(n, size int) {
	switch draw := g.below(20); {
	case draw < 6:
		g.numbered("actors", n, tagArray)
		g.list(tagStruct, size, g.actor)
	case draw < 8:
		g.numbered("quests", n, tagArray)
		g.list(tagStruct, size, g.quest)
	case draw < 10:
		g.numbered("journal", n, tagArray)
		g.list(tagString, min(size, 20_000), func() { g.text(g.pick(lines)) })
	case draw < 12:
		g.numbered("effects", n, tagArray)
		g.list(tagStruct, min(size, 10_000), g.effect)
	case draw == 12:
		g.numbered("heights", n, tagArray)
		g.numbers(min(size/8, mostElements))
	case draw == 13:
		g.numbered("grid", n, tagArray)
		g.list(tagArray, size, func() { g.numbers(64) })
	case draw == 14:
		g.numbered("seen", n, tagArray)
		g.list(tagBool, min(size, 4000), func() { g.bool(g.below(2) == 0) })
	case draw < 17:
		g.numbered("lamps", n, tagArray)
		g.list(tagStruct, min(size, 20_000), g.lamp)
	case draw == 17:
		g.numbered("stamps", n, tagArray)
		g.list(tagU64, min(size, 4000), func() { g.u64(g.next() >> 1) })
	case draw == 18:
		g.numbered("empty", n, tagArray)
		g.nothing(g.below(12))
	default:
		g.numbered("log", n, tagArray)
		g.list(tagAny, min(size, 20_000), g.event)
	}
}

// list appends an array of what one appends, until it has size bytes.
func (g *graph) list(element tag, size int, one func()) {
	start := len(g.buf)
	at := g.openArray(element)
	count := 0
	for ; len(g.buf)-start < size && count < mostElements; count++ {
		one()
	}
	g.closeArray(at, count)
}

func (g *graph) numbers(n int) {
	at := g.openArray(tagF64)
	for range n {
		g.f64(g.coordinate())
	}
	g.closeArray(at, n)
}

// construct begins a struct of c by a version of its schema, with n members less
// those skipped, given by their position among all names. In a Verbose file it has
// no schema.
func (g *graph) construct(c constructor, version byte, n int, skipped ...int) {
	if g.verbose {
		g.block.construct(c, verboseBody)
		g.u16(n - len(skipped))
		return
	}
	g.block.construct(c, version)
	g.skip(skipped...)
}

// name begins a member of a constructed struct. By a schema it has neither name nor tag.
func (g *graph) name(name string, t tag) {
	if g.verbose {
		g.member(name, t)
	}
}

// number appends a member that is a number. The schema gives its datatype; without
// one it is f64.
func (g *graph) number(name string, t tag, v float64) {
	if g.verbose {
		g.member(name, tagF64)
		t = tagF64
	}
	switch t {
	case tagU8, tagS8:
		g.buf = append(g.buf, byte(int(v)))
	case tagU16, tagS16:
		g.u16(int(v))
	case tagU32, tagS32:
		g.u32(uint32(int(v)))
	case tagF16:
		g.u16(halfOfOne + int((v-1)*1024))
	case tagF32:
		g.f32(float32(v))
	default:
		g.f64(v)
	}
}

// halfOfOne is 1 in 16 bits; the next 1023 numbers are 1/1024 apart.
const halfOfOne = 0x3c00

// lamp appends a Lamp, which has the datatypes that no other constructor has.
func (g *graph) lamp() {
	g.construct(lamp, 1, 5)
	g.number("bend", tagS8, float64(g.below(256)-128))
	g.number("glow", tagF16, 1+float64(g.below(1024))/1024)
	g.number("height", tagS16, float64(g.below(65536)-32768))
	if g.verbose {
		g.member("label", tagString)
	}
	g.text(g.pick(lines))
	g.number("tint", tagU32, float64(g.below(1<<32)))
}

// nothing appends an array of n undefined values, which take no bytes.
func (g *graph) nothing(n int) {
	at := g.openArray(tagUndefined)
	g.closeArray(at, n)
}

// actor appends an Actor. Of one in four alive and xp, members 1 and 8, are left out.
func (g *graph) actor() {
	g.landmark()
	whole := g.below(4) != 0
	if whole {
		g.construct(actor, 2, 8)
		g.name("alive", tagBool)
		g.bool(g.below(8) != 0)
	} else {
		g.construct(actor, 2, 8, 1, 8)
	}
	g.number("hp", tagS32, float64(g.below(1000)-100))
	g.name("inventory", tagArray)
	g.items(g.below(5))
	g.name("name", tagString)
	g.text(g.pick(names))
	g.name("position", tagStruct)
	g.construct(vec2, 1, 2)
	g.number("x", tagF32, g.coordinate())
	g.number("y", tagF32, g.coordinate())
	g.target()
	g.name("uid", tagU64)
	g.u64(g.next() >> 1)
	if whole {
		g.number("xp", tagF64, g.amount())
	}
}

// target appends a member that may be of any datatype: mostly undefined.
func (g *graph) target() {
	if g.verbose {
		g.text("target")
	}
	if g.below(3) > 0 || !g.canRefer() {
		g.tag(tagUndefined)
		return
	}
	g.tag(tagStruct)
	g.somewhere()
}

func (g *graph) items(n int) {
	at := g.openArray(tagStruct)
	for range n {
		g.construct(item, 1, 3)
		g.number("count", tagU16, float64(g.between(1, 100)))
		g.name("id", tagString)
		g.text(g.pick(words))
		g.number("rarity", tagU8, float64(g.below(6)))
	}
	g.closeArray(at, n)
}

// effect appends a struct of a constructor without schema.
func (g *graph) effect() {
	g.block.construct(effect, verboseBody)
	g.u16(2)
	g.member("kind", tagString)
	g.text(g.pick(words))
	g.member("left", tagF64)
	g.f64(g.amount())
}

// quest appends a struct without constructor.
func (g *graph) quest() {
	at := g.openStruct()
	g.member("title", tagString)
	g.text(g.pick(names))
	g.member("steps", tagArray)
	g.list(tagString, g.between(40, 200), func() { g.text(g.pick(lines)) })
	g.member("reward", tagF64)
	g.f64(g.amount())
	g.member("done", tagBool)
	g.bool(g.below(2) == 0)
	count := 4
	if g.below(2) == 0 && g.canRefer() {
		g.member("giver", tagStruct)
		g.somewhere()
		count++
	}
	g.setCount(at, count)
}

// event appends an element of an array of mixed values.
func (g *graph) event() {
	switch g.below(4) {
	case 0:
		g.tag(tagF64)
		g.f64(g.amount())
	case 1:
		g.tag(tagBool)
		g.bool(g.below(2) == 0)
	case 2:
		g.tag(tagArray)
		g.numbers(2)
	default:
		g.tag(tagString)
		g.text(g.pick(lines))
	}
}

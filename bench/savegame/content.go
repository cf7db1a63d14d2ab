package savegame

import (
	"encoding/binary"
	"math/bits"
	"strconv"
)

// random is xorshift64*: its numbers depend only on the seed.
type random uint64

func (r *random) next() uint64 {
	x := uint64(*r)
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	*r = random(x)
	return x * 0x2545f4914f6cdd1d
}

// below returns a number in [0, n).
func (r *random) below(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// between returns a number in [low, high).
func (r *random) between(low, high int) int {
	return low + r.below(high-low)
}

// coordinate returns a multiple of 1/8 in [-2048, 2048), which 32 bits hold exactly.
func (r *random) coordinate() float32 {
	return float32(r.below(32768)-16384) / 8
}

var names = []string{
	"Mira", "Torben", "Aiko", "Old Gate Keeper", "Søren Ødegård", "Größenwahn", "Élodie", "北の塔", "Ночной страж", "żółw",
	"Captain Ines", "rusty_lantern", "Wolf", "🗡 Dawnbreaker", "innkeeper", "Merchant of the Lower Market",
}

var words = []string{
	"idle", "walk", "hostile", "quest_item", "stackable", "fire", "poisoned", "legendary", "bound", "hidden", "npc", "boss",
	"tutorial", "cave", "harbour", "night", "été", "城", "undead", "flying", "merchant", "locked", "broken", "loot",
	"shield", "potion_small", "arrow", "key_of_the_eastern_tower", "map", "torch", "rope", "coin",
}

var lines = []string{
	"The gate opened before the bell had finished.",
	"Picked up 12 coins.",
	"„Wer ist da?“ fragte der Wächter.",
	"You feel a cold wind from the lower levels; something large is moving down there.",
	"New objective: find the ferryman.",
	"ドアは閉まっている。",
	"Autosave complete",
	"Mira: I would not go down there alone, but then nobody ever asks me.",
}

// A generator makes up the values of a save.
type generator struct {
	encoder
	random
	number []byte // scratch of numbered
}

func newGenerator(d Dialect, seed uint64) *generator {
	g := &generator{random: random(seed*2 + 1)}
	g.dialect, g.ids = d, typeIDs[d]
	return g
}

func (g *generator) pick(from []string) string {
	return from[g.below(len(from))]
}

// numbered appends a String such as quest_17; keys made so are unique in their Dictionary.
func (g *generator) numbered(word string, n int) {
	g.number = append(append(g.number[:0], word...), '_')
	g.number = strconv.AppendInt(g.number, int64(n), 10)
	g.header(typeString)
	g.u32(uint32(len(g.number)))
	g.buf = append(g.buf, g.number...)
	g.pad(len(g.number))
}

// item appends one element of the Dict kind.
func (g *generator) item(n int) {
	at := g.open(typeDictionary)
	g.string("id")
	g.int(int64(n))
	g.string("name")
	g.string(g.pick(names))
	g.string("pos")
	g.vector(typeVector2, g.coordinate(), g.coordinate())
	g.string("hp")
	g.amount()
	g.string("tags")
	g.tags()
	g.string("alive")
	g.bool(g.below(8) != 0)
	g.close(at, 6)
}

// amount appends a float, of which one in four needs 64 bits.
func (g *generator) amount() {
	v := float64(g.below(4000)) / 4
	if g.below(4) == 0 {
		v += 0.1
	}
	g.float(v)
}

func (g *generator) tags() {
	n := g.below(5)
	at := g.open(typeArray)
	for range n {
		g.string(g.pick(words))
	}
	g.close(at, n)
}

// actor appends a Dictionary of about 600 bytes: the state of one character.
func (g *generator) actor(n int) {
	at := g.open(typeDictionary)
	g.string("id")
	g.int(int64(n))
	g.string("uid")
	g.int(int64(g.next() >> 1))
	g.string("name")
	g.string(g.pick(names))
	g.string("state")
	g.stringName(g.pick(words))
	g.string("position")
	g.vector(typeVector3, g.coordinate(), g.coordinate(), g.coordinate())
	g.string("transform")
	g.vector(typeTransform3D, 1, 0, 0, 0, 1, 0, 0, 0, 1, g.coordinate(), g.coordinate(), g.coordinate())
	g.string("tint")
	g.vector(typeColor, float32(g.below(256))/255, float32(g.below(256))/255, float32(g.below(256))/255, 1)
	g.string("hp")
	g.amount()
	g.string("target")
	g.nodePath("root", "World", g.pick(words))
	g.string("tags")
	g.tags()
	g.string("inventory")
	slots := g.below(6)
	inventory := g.open(typeArray)
	for i := range slots {
		slot := g.open(typeDictionary)
		g.string("item")
		g.string(g.pick(words))
		g.string("count")
		g.int(int64(g.below(100)))
		g.string("cell")
		g.vector2i(i, g.below(8))
		g.close(slot, 3)
	}
	g.close(inventory, slots)
	g.close(at, 11)
}

// tiles appends a map's cells as a packed array of n bytes, in runs as maps have them.
func (g *generator) tiles(n int) {
	at := g.open(typeInt32s)
	count := n / 4
	for left := count; left > 0; {
		run, tile := min(left, g.between(1, 24)), uint32(g.below(512))
		for range run {
			g.u32(tile)
		}
		left -= run
	}
	g.close(at, count)
}

// bytes appends a byte array of n bytes that do not repeat, like a compressed picture.
func (g *generator) bytes(n int) {
	at := g.open(typeBytes)
	for left := n; left > 0; left -= 8 {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], g.next())
		g.buf = append(g.buf, word[:min(left, 8)]...)
	}
	g.pad(n)
	g.close(at, n)
}

// reals appends a packed array of about n bytes of t, whose elements have width components.
func (g *generator) reals(t variantType, width, n int) {
	at := g.open(t)
	count := n / (4 * width)
	for range count * width {
		g.f32s(g.coordinate())
	}
	g.close(at, count)
}

// stamps appends times as PackedInt64Array; Godot 3 has only 32 bits for them.
func (g *generator) stamps(n int) {
	at := g.open(typeInt64s)
	count := n / 8
	stamp := 1_700_000_000_000 + uint64(g.below(1e9))
	for range count {
		stamp += uint64(g.below(60_000))
		if g.dialect == Godot3 {
			g.u32(uint32(stamp / 1000))
		} else {
			g.u64(stamp)
		}
	}
	g.close(at, count)
}

// strings appends a packed array of strings, each stored with a NUL that its length counts.
func (g *generator) strings(n int) {
	at := g.open(typeStrings)
	count := 0
	for start := len(g.buf); len(g.buf)-start < n; count++ {
		s := g.pick(words)
		g.u32(uint32(len(s) + 1))
		g.buf = append(append(g.buf, s...), 0)
		g.pad(len(s) + 1)
	}
	g.close(at, count)
}

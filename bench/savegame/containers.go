package savegame

// Flags of containers whose elements have a type, which Godot has written since 4.4.
const (
	ofBuiltin      = 1 << 16
	ofClass        = 2 << 16
	ofScript       = 3 << 16
	ofBuiltinPairs = 1<<16 | 1<<18 // keys and values
)

// deepest is the greatest nesting of containers in a value that is not a record.
const deepest = 4

// value appends any value, of which few have more than some hundred bytes.
func (g *generator) value(depth int) {
	if depth == deepest || g.below(100) >= 18 {
		g.leaf()
		return
	}
	n, typed := g.below(7), g.dialect == Godot4 && g.below(4) == 0
	switch list := g.below(2) == 0; {
	case list && typed:
		g.typedArray(n)
	case list:
		g.array(n, depth)
	case typed:
		g.typedDictionary(n)
	default:
		g.dictionary(n, depth)
	}
}

func (g *generator) choose() choice {
	return g.draw[g.below(len(g.draw))]
}

// leaf appends a value without children.
func (g *generator) leaf() {
	c := g.choose()
	c.make(g, c.kind)
}

func (g *generator) array(n, depth int) {
	at := g.open(typeArray)
	for range n {
		g.value(depth + 1)
	}
	g.close(at, n)
}

// typedArray appends an Array whose elements all have one type. Nothing can have the type Nil: an Array of nulls is one of
// a class.
func (g *generator) typedArray(n int) {
	c := g.choose()
	if c.kind == typeNil {
		g.header(typeArray, ofClass)
		g.text("Resource")
	} else {
		g.header(typeArray, ofBuiltin)
		g.u32(uint32(c.kind))
	}
	at := g.openCount()
	for range n {
		c.make(g, c.kind)
	}
	g.close(at, n)
}

// dictionary appends one whose keys are Strings, three times in four, or anything that has an order.
func (g *generator) dictionary(n, depth int) {
	odd := g.below(4) == 0
	at := g.open(typeDictionary)
	for i := range n {
		if odd {
			g.key(i)
		} else {
			g.numbered(g.pick(words), i)
		}
		g.value(depth + 1)
	}
	g.close(at, n)
}

// typedDictionary appends one from names to values of one type.
func (g *generator) typedDictionary(n int) {
	c := g.choose()
	for c.kind == typeNil {
		c = g.choose()
	}
	g.header(typeDictionary, ofBuiltinPairs)
	g.u32(uint32(typeString))
	g.u32(uint32(c.kind))
	at := g.openCount()
	for i := range n {
		g.numbered(g.pick(words), i)
		c.make(g, c.kind)
	}
	g.close(at, n)
}

// key appends key i of a Dictionary, which no other key of it equals. Godot 4 takes a String and a StringName of one text
// for the same key, but they have different texts here.
func (g *generator) key(i int) {
	switch g.below(6) {
	case 0, 1:
		g.int(int64(i))
	case 2:
		g.float(float64(i) + 0.5)
	case 3:
		g.cell(i)
	case 4:
		g.name(words[i])
	default:
		g.numbered(g.pick(words), i)
	}
}

// cell appends place i of a board, which is a Vector2 in Godot 3.
func (g *generator) cell(i int) {
	t := typeVector2i
	if !g.has(t) {
		t = typeVector2
	}
	g.header(t, g.width(t))
	at := []float64{float64(i), float64(i / 8)}
	g.elements(t, 1, func() float64 {
		v := at[0]
		at = at[1:]
		return v
	})
}

// objects appends an Array of what a save should not have, but some have: objects by their ids, and in Godot 4 also a whole one
// and what a script types. Godot 3 would refuse the file for a whole one.
func (g *generator) objects() {
	at := g.open(typeArray)
	count := 1
	g.object(g.next() >> 1)
	if g.dialect == Godot4 {
		g.whole("Resource")
		g.header(typeArray, ofClass)
		g.text("EncodedObjectAsID")
		inner := g.openCount()
		g.object(g.next() >> 1)
		g.close(inner, 1)
		g.header(typeArray, ofScript)
		g.text("res://items/item.gd")
		g.openCount()
		count = 4
	}
	g.close(at, count)
}

func (g *generator) object(id uint64) {
	g.header(typeObject, wide)
	g.u64(id)
}

// whole appends an object with its properties.
func (g *generator) whole(class string) {
	g.header(typeObject, 0)
	g.text(class)
	g.u32(2)
	g.text("resource_name")
	g.string(g.pick(names))
	g.text("script")
	g.header(typeNil, 0)
}

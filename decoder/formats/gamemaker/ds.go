// Package gamemaker reads and writes what GameMaker games save: the data structures of ds_map_write
// and its siblings, and the binary form of the library SNAP.
package gamemaker

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"varview/decoder/edit/simple"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/notation"
)

// DS is the family of the structures that ds_map_write, ds_list_write, ds_grid_write, ds_stack_write,
// ds_queue_write and ds_priority_write write. They are wrapped in hexadecimal digits.
var DS = simple.New(simple.Description{
	Name:  "gamemaker-ds",
	Title: "GameMaker data structure",
	About: "ds_map_write and its siblings in GameMaker",

	Within: "hex",

	Types: slices.Concat(structures[1:], []string{"real", "string", "array", "row", "ptr", "undefined", "int32", "int64", "bool"}),
	Sniff: sniffStructure,
	Value: readStructure,

	LittleEndian: true,
	Floats:       true,
	CESU8:        true,
	Numbers:      []string{"ptr", "int32", "int64"},
	Engine: map[string]string{
		"":                 "missing values are undefined; GameMaker stops with an error within a number, and reads other characters within a string",
		span.Truncated:     "GameMaker stops with an error within a number, and reads other characters within a string",
		span.LengthOverrun: "the values that are missing are undefined; a count from 2147483648 on is negative, and nothing is read",
		span.UnknownType:   "undefined, and what follows is read as the next type",
		span.RepeatedKey:   "the last value counts, in the place of the first",
	},

	Encode:    encodeValue,
	Header:    headValue,
	Members:   structureMembers,
	Bounds:    bounds,
	Structure: importStructure,
	Ignored:   isUnused,
})

// structures are the names of structures, by the hundreds of their ids. The rest of an id is the version.
var structures = []string{"", "ds_stack", "ds_queue", "ds_list", "ds_map", "ds_priority", "ds_grid"}

const (
	stack = 1 + iota
	queue
	list
	mapping
	priority
	grid
)

// The versions. They are also places: the values in a structure are read by its version.
const (
	oldest = 1 + iota // GameMaker 8: real and string
	older             // an array has rows
	newer             // an array has values
	row               // a row of an array of the version older
)

// Type ids of values.
const (
	typeReal      = 0
	typeString    = 1
	typeArray     = 2
	typePtr       = 3
	typeUndefined = 5
	typeObject    = 6
	typeInt32     = 7
	typeInt64     = 10
	typeBool      = 13
	typeRef       = 15
)

// structureOf returns the structure and version of an id, and whether the id has any.
func structureOf(id uint64) (kind, version int, ok bool) {
	kind, version = int(min(id, 999)/100), int(id%100)
	return kind, version, kind >= stack && kind <= grid && version >= oldest && version <= newer
}

// sniffStructure accepts an id. Other formats also begin with such numbers: how the
// values read decides.
func sniffStructure(start []byte, _ int64) format.Claim {
	if len(start) < 4 {
		return format.None
	}
	if _, _, ok := structureOf(uint64(binary.LittleEndian.Uint32(start))); !ok {
		return format.None
	}
	return format.Plausible // perhaps cut in its counts
}

// readStructure reads a value by its place.
func readStructure(c *simple.Cursor) {
	switch version := c.Place().In; version {
	case 0:
		readRoot(c)
	case oldest:
		readOldest(c)
	case row:
		c.Type("row")
		c.Inside(older)
		c.Items(c.Number(4, span.Length, "count"))
	default:
		readValue(c, version)
	}
}

// readRoot reads the id and the counts of a structure.
func readRoot(c *simple.Cursor) {
	id := c.Number(4, span.Magic, "id")
	kind, version, ok := structureOf(id)
	if !ok {
		c.Fail(span.UnknownType, fmt.Sprintf("no structure has the id %d", id))
		return
	}
	c.Type(structures[kind])
	c.Means(structures[kind] + " " + strconv.FormatUint(id, 10))
	c.Inside(uint32(version))
	switch kind {
	case queue:
		readQueue(c)
	case grid:
		width := c.Number(4, span.Length, "width")
		c.Counts()
		c.Number(4, span.Length, "height")
		c.Columns(width)
	case priority:
		c.Number(4, span.Length, "count")
		c.Columns(2)
	case mapping:
		n := c.Number(4, span.Length, "count")
		if version == oldest {
			c.Columns(2)
		} else {
			c.Pairs(n)
		}
	default:
		c.Items(c.Number(4, span.Length, "count"))
	}
}

// readQueue reads the slots of a queue. Those before first and from last on are unused.
func readQueue(c *simple.Cursor) {
	last := c.Number(4, span.Length, "last")
	c.Index(true)
	first := c.Number(4, span.Length, "first")
	c.Index(false)
	slots := c.Number(4, span.Length, "slots")
	if last > slots || first > last {
		c.Warn(span.EngineReadBack, fmt.Sprintf("the values of the queue are the slots %d to %d of %d", first, last, slots))
	}
	c.Items(slots)
}

// isUnused reports whether a child is an unused slot of a queue.
func isUnused(c *simple.Cursor, i int64) bool {
	if c.Place().In != 0 {
		return false
	}
	kind, _, ok := structureOf(c.Number(4, span.Magic, "id"))
	last := c.Number(4, span.Length, "last")
	return ok && kind == queue && (i >= int64(last) || i < int64(c.Number(4, span.Length, "first")))
}

// bounds implements the description's Bounds: the unused slots of a queue before and behind those in use.
func bounds(w *source.Window, v *tree.Value) []byte {
	if v.Sub != 0 || w.U32(v.Start)/100 != queue {
		return nil
	}
	last, first, slots := w.U32(v.Start+4), w.U32(v.Start+8), w.U32(v.Start+12)
	if first == 0 && last == slots {
		return nil
	}
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, first), slots-last)
}

// readOldest reads a value of the version oldest.
func readOldest(c *simple.Cursor) {
	switch t := c.Number(4, span.Type, "type"); t {
	case typeReal:
		c.SaysType("real")
		c.Float(8)
		c.Number(4, span.Padding, "padding")
	case typeString:
		c.SaysType("string")
		c.Number(8, span.Padding, "padding")
		c.Text(c.Number(4, span.Length, "length"))
	default:
		c.Fail(span.UnknownType, fmt.Sprintf("type %d does not exist in this version", t))
	}
}

// readValue reads a value of the versions older and newer.
func readValue(c *simple.Cursor, version uint32) {
	t := c.Number(4, span.Type, "type")
	switch t {
	case typeReal:
		c.SaysType("real")
		c.Float(8)
	case typeString:
		c.SaysType("string")
		c.Text(c.Number(4, span.Length, "length"))
	case typeArray:
		c.SaysType("array")
		if version == older {
			c.Inside(row)
			c.Items(c.Number(4, span.Length, "rows"))
		} else {
			c.Items(c.Number(4, span.Length, "count"))
		}
	case typePtr:
		c.SaysType("ptr")
		c.Uint(8)
	case typeInt32:
		c.SaysType("int32")
		c.Int(4)
	case typeInt64:
		c.SaysType("int64")
		c.Int(8)
	case typeBool:
		c.SaysType("bool")
		x := math.Float64frombits(c.Number(8, span.Value, "value"))
		c.Bool(x != 0)
		if x != 0 && x != 1 {
			c.Warn(span.BoolValue, fmt.Sprintf("the bool is the number %v", x))
		}
	case typeUndefined:
		c.SaysType("undefined")
		c.Null()
	default:
		readLost(c, t)
	}
}

// marks of a list or map that was marked as a member of another structure.
const marks = 1<<30 | 1<<31

// readLost reads a value for which GameMaker writes a type but no content.
func readLost(c *simple.Cursor, t uint64) {
	c.Type("undefined")
	switch {
	case t == typeObject || t == typeRef:
		c.Warn(span.EngineReadBack, fmt.Sprintf("GameMaker could not write this value, of its type %d", t))
		c.Null()
	case t&marks != 0 && t&^marks <= typeRef:
		c.Warn(span.EngineReadBack, "a marked list or map: GameMaker writes only its type")
		c.Null()
	default:
		c.Fail(span.UnknownType, fmt.Sprintf("type %d does not exist", t))
	}
}

// u32 returns the bytes of numbers.
func u32(numbers ...uint32) (b []byte) {
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

// encodeOldest returns the bytes of a value in a structure of the oldest version.
func encodeOldest(d simple.Datum) []byte {
	switch d.Kind {
	case tree.Float64:
		return append(binary.LittleEndian.AppendUint64(u32(typeReal), d.Bits), 0, 0, 0, 0)
	case tree.Text:
		return append(u32(typeString, 0, 0, uint32(len(d.Data))), d.Data...)
	}
	return nil
}

// encodeValue returns the bytes of a value without children.
func encodeValue(d simple.Datum) []byte {
	in := d.Place.In
	if in != oldest && in != older && in != newer {
		return nil
	}
	switch {
	case in == oldest:
		return encodeOldest(d)
	case d.Kind == tree.Float64:
		return binary.LittleEndian.AppendUint64(u32(typeReal), d.Bits)
	case d.Kind == tree.Text:
		return append(u32(typeString, uint32(len(d.Data))), d.Data...)
	case d.Kind == tree.Null:
		return u32(typeUndefined)
	case d.Kind == tree.Bool:
		return binary.LittleEndian.AppendUint64(u32(typeBool), math.Float64bits(float64(d.Bits)))
	case d.Name == "int32":
		return u32(typeInt32, uint32(d.Bits))
	case d.Name == "int64":
		return binary.LittleEndian.AppendUint64(u32(typeInt64), d.Bits)
	case d.Name == "ptr":
		return binary.LittleEndian.AppendUint64(u32(typePtr), d.Bits)
	}
	return nil
}

// headValue returns the bytes before n children of a new structure or an array.
func headValue(at simple.Place, l tree.Layout, n, _ int64) []byte {
	switch {
	case n > math.MaxUint32 || l == tree.Pairs && at.In != 0 || at.In == oldest:
		return nil
	case at.In == row:
		return u32(uint32(n))
	case at.In != 0:
		return u32(typeArray, uint32(n))
	case l == tree.Pairs:
		return u32(mapping*100+newer, uint32(n))
	}
	return u32(list*100+newer, uint32(n))
}

// structureMembers returns the members that a structure has in JSON beside its children.
func structureMembers(w *source.Window, v *tree.Value) string {
	if v.Sub != 0 {
		return ""
	}
	id := w.U32(v.Start)
	switch id / 100 {
	case queue:
		return fmt.Sprintf(`"id":%d,"last":%d,"first":%d,`, id, w.U32(v.Start+4), w.U32(v.Start+8))
	case grid:
		return fmt.Sprintf(`"id":%d,"width":%d,"height":%d,`, id, w.U32(v.Start+4), w.U32(v.Start+8))
	}
	return fmt.Sprintf(`"id":%d,`, id)
}

// importStructure is the inverse of structureMembers and the children: it returns the head of a structure
// and its children.
func importStructure(name string, members map[string]*notation.Value) (head []byte, children []*notation.Value, err error) {
	var wrong error
	number := func(name string, otherwise int) uint32 {
		v := members[name]
		if v == nil {
			return uint32(otherwise)
		}
		n, err := notation.ParseInt(string(v.Text))
		if v.Kind != notation.Number || err != nil || n < 0 || n > math.MaxUint32 {
			wrong = fmt.Errorf("%s is not a number of 32 bits", name)
		}
		return uint32(n)
	}
	kind := slices.Index(structures, name)
	id := number("id", kind*100+newer)
	if is, _, ok := structureOf(uint64(id)); !ok || is != kind {
		return nil, nil, fmt.Errorf("%s does not have the id %d", name, id)
	}
	children, counts, err := flatten(kind, id%100 == oldest, members["value"])
	switch {
	case kind == queue:
		counts = []uint32{number("last", len(children)), number("first", 0), uint32(len(children))}
	case kind == grid && err == nil && counts[0] == 0: // no column tells the height
		counts[1] = number("height", 0)
	}
	if err == nil {
		err = wrong
	}
	return u32(append([]uint32{id}, counts...)...), children, err
}

// flatten returns the children of a structure in the order of their bytes, and the counts before them.
func flatten(kind int, isOldest bool, value *notation.Value) (children []*notation.Value, counts []uint32, err error) {
	rows, err := rowsOf(kind, value.Items)
	if err != nil {
		return nil, nil, err
	}
	n := uint32(len(value.Items))
	switch {
	case kind == grid && n == 0:
		return nil, []uint32{0, 0}, nil
	case kind == grid:
		return gather(value, 0, rows), []uint32{n, uint32(rows)}, nil
	case kind == mapping && !isOldest:
		return gather(value, 0, 2), []uint32{n}, nil
	case kind == mapping || kind == priority:
		return slices.Concat(gather(value, 0, 1), gather(value, 1, 2)), []uint32{n}, nil
	}
	for i := range value.Items {
		children = append(children, &value.Items[i])
	}
	return children, []uint32{n}, nil
}

// rowsOf returns how many values each member of a structure has.
func rowsOf(kind int, members []notation.Value) (rows int, err error) {
	rows = 2
	if kind == grid && len(members) > 0 {
		rows = len(members[0].Items)
	}
	hasRows := kind == mapping || kind == priority || kind == grid
	if hasRows && slices.ContainsFunc(members, func(m notation.Value) bool { return len(m.Items) != rows }) {
		err = fmt.Errorf("each member of %s has %d values", structures[kind], rows)
	}
	return rows, err
}

// gather returns the items [from, to) of each item.
func gather(v *notation.Value, from, to int) (all []*notation.Value) {
	for i := range v.Items {
		for j := from; j < to; j++ {
			all = append(all, &v.Items[i].Items[j])
		}
	}
	return all
}

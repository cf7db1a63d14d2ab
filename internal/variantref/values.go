package variantref

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

const wideFlag = 1 << 16 // 64-bit numbers; objects as ids

// value reads a header and what follows it, and returns the type's name.
func (d *decoder) value(out *strings.Builder) string {
	header := d.u32()
	if int(header&0xff) >= len(d.types) {
		panic(failure(errData))
	}
	name := d.types[header&0xff]
	if header&0xff00 != 0 {
		d.odd("high bits of a type")
	}
	if header>>16&^d.known(name) != 0 {
		d.odd("unknown flags")
	}
	if d.noFlags {
		header &= 0xff
	}
	if d.depth++; d.depth > d.levels+1 {
		panic(failure(errDepth))
	}
	d.payload(out, name, header)
	d.depth--
	return name
}

// known returns the flag bits that have a meaning for a type, without the lower
// half.
func (d *decoder) known(name string) uint32 {
	s, isShape := shapes[name]
	switch {
	case d.noFlags:
		return 0
	case name == "int", name == "float", name == "Object", strings.HasSuffix(name, "TypedArray"):
		return 1
	case d.typed && name == "Array":
		return 3
	case d.typed && name == "Dictionary":
		return 15
	case d.wide && (isShape && !s.ints && !s.narrow || elements[name].wide):
		return 1
	}
	return 0
}

func (d *decoder) payload(out *strings.Builder, name string, header uint32) {
	wide := header&wideFlag != 0
	switch name {
	case "Nil":
		out.WriteString("null")
	case "bool":
		out.WriteString(d.bool())
	case "int":
		out.WriteString("int " + d.int(wide || d.noFlags))
	case "float":
		out.WriteString("float " + d.float(wide))
	case "String", "StringName":
		out.WriteString(name + " " + strconv.Quote(d.text(false)))
	case "NodePath":
		d.nodePath(out)
	case "RID":
		out.WriteString("RID " + d.rid())
	case "Callable":
		out.WriteString(name)
	case "Signal":
		fmt.Fprintf(out, "Signal %q %d", d.text(false), d.u64())
	case "Object":
		d.object(out, wide)
	default:
		d.container(out, name, header)
	}
}

func (d *decoder) container(out *strings.Builder, name string, header uint32) {
	wide := header&wideFlag != 0
	switch name {
	case "Dictionary":
		d.dictionary(out, header)
	case "Array":
		d.array(out, header)
	case "TypedArray", "PackedTypedArray":
		d.typedArray(out, name, wide)
	case "PackedStringArray", "PoolStringArray":
		d.strings(out, name)
	default:
		d.numbers(out, name, wide)
	}
}

func (d *decoder) bool() string {
	n := d.u32()
	if n > 1 {
		d.odd("a bool of " + strconv.Itoa(int(n)))
	}
	return strconv.FormatBool(n != 0)
}

// numbers reads a vector or a packed array.
func (d *decoder) numbers(out *strings.Builder, name string, wide bool) {
	if s, ok := shapes[name]; ok {
		d.shape(out, name, s, wide && d.wide && !s.ints && !s.narrow)
		return
	}
	d.packed(out, name, elements[name], wide)
}

func (d *decoder) rid() string {
	if !d.ridID {
		return "0"
	}
	return strconv.FormatUint(d.u64(), 10)
}

func (d *decoder) int(wide bool) string {
	if wide {
		return strconv.FormatInt(int64(d.u64()), 10)
	}
	return strconv.FormatInt(int64(int32(d.u32())), 10)
}

// float is the number in 64 bits, as the engine keeps it.
func (d *decoder) float(wide bool) string {
	if wide {
		return bits64(d.u64())
	}
	n := d.u32()
	if math.IsNaN(float64(math.Float32frombits(n))) {
		return fmt.Sprintf("nan%08x", n)
	}
	return bits64(math.Float64bits(float64(math.Float32frombits(n))))
}

func bits64(n uint64) string {
	if math.IsNaN(math.Float64frombits(n)) {
		return fmt.Sprintf("nan%016x", n)
	}
	return fmt.Sprintf("%016x", n)
}

// number is a component of size bytes, to the bit.
func (d *decoder) number(size int, ints bool) string {
	switch {
	case size == 1:
		return strconv.Itoa(int(d.take(1, errData)[0]))
	case ints:
		return d.int(size == 8)
	case size == 8:
		return bits64(d.u64())
	}
	n := d.u32()
	if math.IsNaN(float64(math.Float32frombits(n))) {
		return fmt.Sprintf("nan%08x", n)
	}
	return fmt.Sprintf("%08x", n)
}

func (d *decoder) shape(out *strings.Builder, name string, s shape, wide bool) {
	size := 4
	if wide {
		size = 8
	}
	if s.count*size > len(d.data)-d.at {
		panic(failure(errData))
	}
	var parts []string
	for range s.count {
		parts = append(parts, d.number(size, s.ints))
	}
	if s.matrix { // rows
		for _, at := range [3][2]int{{1, 3}, {2, 6}, {5, 7}} {
			parts[at[0]], parts[at[1]] = parts[at[1]], parts[at[0]]
		}
	}
	out.WriteString(name + "[" + strings.Join(parts, ", ") + "]")
}

func (d *decoder) packed(out *strings.Builder, name string, e element, wide bool) {
	if wide && d.wide && e.wide {
		e.size = 8
	}
	n := int64(int32(d.u32()))
	if n < 0 || n*int64(e.count*e.size) > int64(len(d.data)-d.at) {
		panic(failure(errData))
	}
	out.WriteString(name + "[")
	for i := range int(n) * e.count {
		if i > 0 {
			out.WriteString(", ")
		}
		out.WriteString(d.number(e.size, e.ints))
	}
	out.WriteByte(']')
	if e.size == 1 { // the padding may be missing at the very end
		if pad := int(-n & 3); pad > len(d.data)-d.at {
			d.odd("missing padding")
			d.at = len(d.data)
		} else {
			d.pad(pad)
		}
	}
}

// pad skips padding.
func (d *decoder) pad(n int) {
	for _, c := range d.take(n, errEOF) {
		if c != 0 {
			d.odd("padding that is not zero")
		}
	}
}

func (d *decoder) strings(out *strings.Builder, name string) {
	n := int32(d.u32())
	if n < 0 {
		d.odd("a negative count")
	}
	out.WriteString(name + "[")
	for i := int32(0); i < n; i++ {
		if i > 0 {
			out.WriteString(", ")
		}
		out.WriteString(strconv.Quote(d.text(true)))
	}
	out.WriteByte(']')
}

func (d *decoder) nodePath(out *strings.Builder) {
	names := d.u32()
	if names&(1<<31) == 0 {
		panic(failure(errData)) // the old form, which the engines refuse
	}
	names &^= 1 << 31
	subnames, flags := d.u32(), d.u32()
	if flags&2 != 0 {
		d.odd("obsolete flag of a NodePath")
		subnames++
	}
	if flags&^3 != 0 {
		d.odd("unknown flags of a NodePath")
	}
	odd := d.reading.Oddness
	var parts [2][]string
	for i := range names + subnames { // in 32 bits, as the engine counts
		of := &parts[1]
		if i < names {
			of = &parts[0]
		}
		*of = append(*of, strconv.Quote(d.text(false)))
	}
	out.WriteString(fmt.Sprint("NodePath ", flags&1 != 0))
	for _, p := range parts {
		out.WriteString("[" + strings.Join(p, ", ") + "]")
	}
	if d.reading.Oddness == "padding that is not zero" {
		d.reading.Oddness = odd // engines leave garbage there
	}
}

func (d *decoder) object(out *strings.Builder, asID bool) {
	if asID {
		if id := d.u64(); id != 0 {
			fmt.Fprintf(out, "Object %d", id)
		} else {
			d.odd("an object with the id 0")
			out.WriteString("null")
		}
		return
	}
	if !d.options.Objects {
		panic(failure(errObject))
	}
	class := d.text(false)
	if class == "" {
		d.odd("a null object that is no Nil")
		out.WriteString("null")
		return
	}
	if d.options.Classes != nil && !slices.Contains(d.options.Classes, class) {
		panic(failure(errClass))
	}
	d.reading.Classes = append(d.reading.Classes, class)
	fmt.Fprintf(out, "Object %s[", class)
	n := int32(d.u32())
	if n < 0 {
		d.odd("a negative count")
	}
	for i := int32(0); i < n; i++ {
		if i > 0 {
			out.WriteString(", ")
		}
		fmt.Fprintf(out, "%q: ", d.text(false))
		d.value(out)
	}
	out.WriteByte(']')
}

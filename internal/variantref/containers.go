package variantref

import (
	"strconv"
	"strings"
)

// A kind is the element type of a typed container.
type kind struct {
	name  string // type, class or script; "" for anything
	class bool   // name is that of a class or script
}

// kind reads the container type that two flag bits select.
func (d *decoder) kind(bits uint32) kind {
	switch bits & 3 {
	case 1:
		id := int32(d.u32())
		if id < 0 || int(id) >= len(d.types) {
			panic(failure(errData))
		}
		if id == 0 {
			d.odd("a container typed as Nil")
			return kind{}
		}
		return kind{name: d.types[id]}
	case 2, 3:
		name := d.text(false)
		if bits&3 == 3 && d.options.Objects && !strings.HasPrefix(name, "res://") {
			panic(failure(errData))
		}
		if name == "" {
			d.odd("a container without a class")
		}
		return kind{name, true}
	}
	return kind{}
}

// takes reports whether a container of this kind keeps a value of a type, and
// returns the type that is kept: Godot 4 turns ints and floats, String and
// StringName into one another.
func (k kind) takes(name, value string) (string, bool) {
	want := k.name
	if k.class {
		want = "Object"
	}
	switch {
	case want == "" || want == name || want == "Object" && name == "Nil":
		return value, true
	case want == "float" && name == "int", want == "int" && name == "float",
		want == "String" && name == "StringName", want == "StringName" && name == "String":
		return want + " of " + value, true
	}
	return "", false
}

func (k kind) String() string { return "<" + k.name + ">" }

// count reads the count of a container, whose highest bit engines ignore.
func (d *decoder) count() uint32 {
	n := d.u32()
	if n>>31 != 0 {
		d.odd("a shared bit")
	}
	return n &^ (1 << 31)
}

// one reads one whole value.
func (d *decoder) one() (name, value string) {
	var out strings.Builder
	name = d.value(&out)
	return name, out.String()
}

func (d *decoder) array(out *strings.Builder, header uint32) {
	var elem kind
	if d.typed {
		elem = d.kind(header >> 16)
	}
	out.WriteString("Array")
	if elem.name != "" {
		out.WriteString(elem.String())
	}
	d.elements(out, elem)
}

// elements reads a count and that number of values. Those of another kind are
// dropped.
func (d *decoder) elements(out *strings.Builder, elem kind) {
	out.WriteByte('[')
	n, kept := d.count(), 0
	for i := uint32(0); i < n; i++ {
		name, value := d.one()
		if !elem.exactly(name) {
			d.odd("an element of another type")
		}
		value, ok := elem.takes(name, value)
		if !ok {
			continue
		}
		if kept++; kept > 1 {
			out.WriteString(", ")
		}
		out.WriteString(value)
	}
	out.WriteByte(']')
}

// exactly reports whether values of a type are of this kind.
func (k kind) exactly(name string) bool {
	return k.name == "" || k.name == name || (k.class || k.name == "Object") && (name == "Object" || name == "Nil")
}

func (d *decoder) typedArray(out *strings.Builder, name string, asIDs bool) {
	id := d.u32() &^ (1 << 31)
	if int64(id) >= int64(len(d.types)) {
		panic(failure(errData))
	}
	var elem kind
	if id > 0 {
		elem.name = d.types[id]
	}
	class := ""
	if elem.name == "Object" && !asIDs {
		of, value := d.one()
		if of != "StringName" && of != "String" {
			d.odd("a class that is no StringName")
		}
		class = value
	}
	out.WriteString(name)
	if elem.name != "" {
		out.WriteString(elem.String())
	}
	if class != "" {
		out.WriteString("(" + class + ")")
	}
	strict := kind{name: elem.name}
	out.WriteByte('[')
	n, kept := d.count(), 0
	for i := uint32(0); i < n; i++ {
		of, value := d.one()
		if !strict.exactly(of) {
			d.odd("an element of another type")
			continue
		}
		if kept++; kept > 1 {
			out.WriteString(", ")
		}
		out.WriteString(value)
	}
	out.WriteByte(']')
}

// dictionary reads pairs. Equal keys become one entry with the first place and the
// last value.
func (d *decoder) dictionary(out *strings.Builder, header uint32) {
	var key, value kind
	if d.typed {
		key, value = d.kind(header>>16), d.kind(header>>18)
	}
	out.WriteString("Dictionary")
	if key.name != "" || value.name != "" {
		out.WriteString(key.String() + value.String())
	}
	var keys, values []string
	at := map[string]int{}
	for n := d.count(); n > 0; n-- {
		keyType, k := d.one()
		valueType, v := d.one()
		if !key.exactly(keyType) || !value.exactly(valueType) {
			d.odd("an entry of another type")
		}
		k, ok := key.takes(keyType, k)
		if !ok {
			continue
		}
		i, repeated := at[d.same(k)]
		if repeated {
			d.odd("a repeated key")
			values[i] = v
			continue
		}
		at[d.same(k)] = len(keys)
		keys, values = append(keys, k), append(values, v)
	}
	for i := range keys {
		keys[i] += ": " + values[i]
	}
	out.WriteString("[" + strings.Join(keys, ", ") + "]")
}

// same returns a form in which equal keys are equal.
func (d *decoder) same(key string) string {
	if text, ok := strings.CutPrefix(key, "StringName "); ok && d.loose {
		if _, err := strconv.Unquote(text); err == nil {
			return "String " + text
		}
	}
	return key
}

package tree_test

import (
	"encoding/binary"
	"fmt"
	"strings"

	"varview/decoder/engine/span"
)

// A plain is a value as the naive reader sees it: everything in memory.
type plain struct {
	name       string
	start, end int64
	key        *plain
	children   []*plain
	keyOpen    *plain // key with children whose value is still to come
}

// A naive reads well-formed buffers by the specification alone.
type naive struct {
	dialect string
	double  bool
	b       []byte
	at      int64
	fields  []span.Field
}

func (r *naive) take(n int64, kind span.Kind) {
	if n > 0 {
		r.fields = append(r.fields, span.Field{Span: span.Span{Offset: r.at, Length: n}, Kind: kind})
		r.at += n
	}
}

func (r *naive) u32() uint32 { return binary.LittleEndian.Uint32(r.b[r.at:]) }

func (r *naive) text(nul bool) {
	n := int64(r.u32())
	r.take(4, span.Length)
	if nul && n > 0 && r.b[r.at+n-1] == 0 {
		r.take(n-1, span.Text)
		r.take(1, span.Terminator)
	} else {
		r.take(n, span.Text)
	}
	r.take(-n&3, span.Padding)
}

func (r *naive) part(name string, nul bool) *plain {
	p := &plain{name: name, start: r.at}
	r.text(nul)
	p.end = r.at
	return p
}

func (r *naive) count() int {
	n := r.u32() &^ (1 << 31)
	r.take(4, span.Length)
	return int(n)
}

// numbers reads n numbers as children of p.
func (r *naive) numbers(p *plain, n, size int, integer bool) {
	name := "float"
	if integer {
		name = "int"
	}
	for range n {
		c := &plain{name: name, start: r.at, end: r.at + int64(size)}
		r.take(int64(size), span.Value)
		p.children = append(p.children, c)
	}
}

func (r *naive) containerTypes(flags uint32, kinds int) {
	for i := range kinds {
		switch flags >> (2 * i) & 3 {
		case 1:
			r.take(4, span.Type)
		case 2, 3:
			r.text(false)
		}
	}
}

func (r *naive) value() *plain {
	p := &plain{start: r.at}
	defer func() { p.end = r.at }()
	header := r.u32()
	p.name = idTables[r.dialect][header&0xff]
	flags := header >> 16
	wide := flags&1 != 0
	godot4 := r.dialect == "godot4"
	r.take(2, span.Type)
	r.take(2, span.Flags)
	switch p.name {
	case "Nil", "Callable":
	case "bool":
		r.take(4, span.Value)
	case "int", "float":
		if r.dialect == "godot3-early-docs" {
			wide = p.name == "int"
		}
		if wide {
			r.take(8, span.Value)
		} else {
			r.take(4, span.Value)
		}
	case "String", "StringName":
		r.text(false)
	case "NodePath":
		names, subs, pathFlags := r.count(), int(binary.LittleEndian.Uint32(r.b[r.at:])), binary.LittleEndian.Uint32(r.b[r.at+4:])
		r.take(4, span.Length)
		r.take(4, span.Flags)
		for range names + subs + int(pathFlags>>1&1) {
			p.children = append(p.children, r.part("name", false))
		}
	case "RID":
		if godot4 {
			r.take(8, span.ID)
		}
	case "Object":
		if wide && r.dialect != "godot3-early-docs" {
			r.take(8, span.ID)
			break
		}
		empty := r.u32() == 0
		r.text(false)
		if empty {
			break
		}
		for range r.count() {
			key := r.part("property name", false)
			c := r.value()
			c.key = key
			p.children = append(p.children, c)
		}
	case "Signal":
		r.text(false)
		r.take(8, span.ID)
	case "Dictionary":
		if godot4 {
			r.containerTypes(flags, 2)
		}
		for range r.count() {
			key := r.value()
			c := r.value()
			c.key = key
			p.children = append(p.children, c)
		}
	case "Array":
		if godot4 {
			r.containerTypes(flags, 1)
		}
		for range r.count() {
			p.children = append(p.children, r.value())
		}
	case "TypedArray", "PackedTypedArray":
		elem := r.u32()
		r.take(4, span.Type)
		if elem == 23 && !wide {
			r.take(2, span.Type)
			r.take(2, span.Flags)
			r.text(false)
		}
		for range r.count() {
			p.children = append(p.children, r.value())
		}
	case "PackedByteArray", "PoolByteArray":
		n := int64(r.count())
		r.take(n, span.Data)
		r.take(-n&3, span.Padding)
	case "PackedStringArray", "PoolStringArray":
		for range r.count() {
			p.children = append(p.children, r.part("String", true))
		}
	default:
		elem := elementOf(p.name)
		w := uint32(0)
		if wide && godot4 {
			w = 1
		}
		if elem == "" {
			r.numbers(p, components[p.name], componentSize(p.name, w, r.double), strings.HasSuffix(p.name, "i"))
			break
		}
		n, size, integer := r.count(), componentSize(elem, w, r.double), elem[0] == 'i' || strings.HasSuffix(elem, "i")
		if components[elem] == 0 {
			r.numbers(p, n, size, integer)
			break
		}
		for range n {
			c := &plain{name: elem, start: r.at}
			r.numbers(c, components[elem], size, integer)
			c.end = r.at
			p.children = append(p.children, c)
		}
	}
	return p
}

// buffer reads a whole buffer.
func (r *naive) buffer(stream bool) *plain {
	root := &plain{name: "value", end: int64(len(r.b))}
	if !stream {
		root.children = []*plain{r.value()}
		return root
	}
	root.name = "stream"
	for r.at < int64(len(r.b)) {
		start := r.at
		r.take(4, span.Length)
		v := r.value()
		v.start = start
		root.children = append(root.children, v)
	}
	return root
}

// differ returns the first difference of two trees; "" if there is none.
func (p *plain) differ(q *plain, path string) string {
	if p == nil || q == nil {
		if p == q {
			return ""
		}
		return path + ": one has no value"
	}
	if p.name != q.name || p.start != q.start || p.end != q.end || len(p.children) != len(q.children) {
		return fmt.Sprintf("%s: %s %d–%d, %d children, not %s %d–%d, %d children", path,
			p.name, p.start, p.end, len(p.children), q.name, q.start, q.end, len(q.children))
	}
	for i := range p.children {
		at := fmt.Sprintf("%s/%d", path, i)
		if d := p.children[i].differ(q.children[i], at); d != "" {
			return d
		}
		if d := p.children[i].key.differ(q.children[i].key, at+"@key"); d != "" {
			return d
		}
	}
	return ""
}

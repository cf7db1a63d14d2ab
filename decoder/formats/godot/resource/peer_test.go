package resource_test

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A peer is a file as this reader, which shares no code with the program, understands it. Values are
// texts: equal ones are equal values.
type peer struct {
	class, script string
	external      [][2]string // class and path
	resources     []peerResource

	b       []byte
	at      int
	order   binary.ByteOrder
	names   []string
	indexed bool
	godot4  bool
}

type peerResource struct {
	id, class  string
	properties [][2]string // name and value
}

func (p *peer) take(n int) []byte {
	if n < 0 || n > len(p.b)-p.at {
		panic(fmt.Sprintf("%d bytes at %#x, but %d are left", n, p.at, len(p.b)-p.at))
	}
	p.at += n
	return p.b[p.at-n : p.at]
}

func (p *peer) u32() uint32 { return p.order.Uint32(p.take(4)) }
func (p *peer) u64() uint64 { return p.order.Uint64(p.take(8)) }

func (p *peer) text() string {
	b := p.take(int(p.u32()))
	if b[len(b)-1] != 0 {
		panic(fmt.Sprintf("no NUL before %#x", p.at))
	}
	return string(b[:len(b)-1])
}

func (p *peer) name() string { return p.names[p.u32()] }

// read reads a file. It panics unless every byte has a meaning.
func read(b []byte) *peer {
	p := &peer{b: b, order: binary.LittleEndian}
	if string(b[:4]) == "RSRC" {
		p.at = 4
	}
	if p.u32() != 0 {
		p.order = binary.BigEndian
	}
	p.u32()
	major := p.u32()
	p.take(8)
	p.class = p.text()
	p.u64()
	flags := uint32(0)
	if p.godot4 = major == 4; p.godot4 {
		flags = p.u32()
		p.u64()
		if flags&8 != 0 {
			p.script = p.text()
		}
		p.take(44)
	} else {
		p.take(56)
	}
	p.indexed = flags&1 != 0
	for range p.u32() {
		p.names = append(p.names, p.text())
	}
	for range p.u32() {
		p.external = append(p.external, [2]string{p.text(), p.text()})
		if flags&2 != 0 {
			p.u64()
		}
	}
	var offsets []uint64
	for range p.u32() {
		p.resources = append(p.resources, peerResource{id: strings.TrimPrefix(p.text(), "local://")})
		offsets = append(offsets, p.u64())
	}
	for i := range p.resources {
		if uint64(p.at) != offsets[i] {
			panic(fmt.Sprintf("resource %d is said to be at %#x, it is at %#x", i, offsets[i], p.at))
		}
		r := &p.resources[i]
		r.class = p.text()
		for range p.u32() {
			r.properties = append(r.properties, [2]string{p.name(), p.value()})
		}
	}
	if string(p.take(4)) != "RSRC" || p.at != len(b) {
		panic("no RSRC at the end")
	}
	return p
}

// reals are the numbers of components of types.
var reals = map[uint32]int{10: 2, 11: 4, 12: 3, 13: 4, 14: 4, 15: 6, 16: 9, 17: 12, 18: 6, 20: 4, 45: 2, 46: 4, 47: 3, 50: 4, 51: 4, 52: 16}

// elements is the number of 32-bit words of an element of a packed array.
var elements = map[uint32]int{32: 1, 33: 1, 35: 3, 36: 4, 37: 2, 48: 2, 49: 2, 53: 4}

func (p *peer) words(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%08x", p.u32())
	}
	return "(" + strings.Join(out, " ") + ")"
}

func float(x float64) string { return fmt.Sprintf("float %016x", math.Float64bits(x)) }

func (p *peer) value() string {
	t := p.u32()
	if n := reals[t]; n > 0 {
		return fmt.Sprint(t, p.words(n))
	}
	if n := elements[t]; n > 0 {
		return fmt.Sprint(t, p.words(n*int(p.u32())))
	}
	switch t {
	case 1:
		return "null"
	case 2:
		return fmt.Sprint("bool ", p.u32())
	case 3:
		return fmt.Sprint("int ", int32(p.u32()))
	case 4:
		return float(float64(math.Float32frombits(p.u32())))
	case 5:
		return strconv.Quote(p.text())
	case 22:
		counts := p.take(4)
		names, subnames := p.order.Uint16(counts), p.order.Uint16(counts[2:])
		s := fmt.Sprint("path ", subnames>>15)
		for range int(names) {
			s += "/" + p.name()
		}
		for range int(subnames & 0x7fff) {
			s += ":" + p.name()
		}
		return s
	case 23:
		return fmt.Sprint("rid ", p.u32())
	case 24:
		return p.reference()
	case 26:
		s := "{"
		for range p.u32() &^ (1 << 31) {
			s += p.value() + "=" + p.value() + ","
		}
		return s + "}"
	case 30:
		s := "["
		for range p.u32() &^ (1 << 31) {
			s += p.value() + ","
		}
		return s + "]"
	case 31:
		n := int(p.u32())
		b := p.take(n)
		p.take(-n & 3)
		return fmt.Sprintf("bytes %x", b)
	case 34:
		s := "texts"
		for range p.u32() {
			s += strconv.Quote(p.text())
		}
		return s
	case 40:
		return fmt.Sprint("int ", int64(p.u64()))
	case 41:
		return float(math.Float64frombits(p.u64()))
	case 44:
		return "&" + strconv.Quote(p.text())
	}
	panic(fmt.Sprintf("type %d before %#x", t, p.at))
}

func (p *peer) reference() string {
	kind, n := p.u32(), p.u32()
	switch {
	case kind == 3:
		return fmt.Sprint("external ", p.external[n][1])
	case kind == 2 && p.indexed:
		return "internal " + p.resources[n].id
	case kind == 2:
		return fmt.Sprint("internal ", n)
	}
	panic(fmt.Sprintf("reference of kind %d before %#x", kind, p.at))
}

// String returns all that the file says.
func (p *peer) String() string {
	s := fmt.Sprintln(p.class, p.script, p.external)
	for _, r := range p.resources {
		s += fmt.Sprintln(r.id, r.class)
		for _, v := range r.properties {
			s += fmt.Sprintln(" ", v[0], v[1])
		}
	}
	return s
}

// A truth is what an engine wrote.
type truth struct {
	Dialect  string
	Wrappers []string
	Value    struct {
		Type        string
		ScriptClass string `json:"script_class"`
		External    []struct{ Type, Path string }
		Resources   []struct {
			ID, Type   string
			Properties map[string]any
		}
	}
}

// files returns the names of the test files that are not compressed.
func files(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("../../../../testdata/resource/*.expect.json")
	if err != nil || len(names) == 0 {
		t.Fatal("no files: ", err)
	}
	var plain []string
	for _, name := range names {
		if !strings.Contains(name, "compress") {
			plain = append(plain, strings.TrimSuffix(name, ".expect.json"))
		}
	}
	return plain
}

func load(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPeer compares the reader of the tests with what engines say they wrote: scalars, texts, references
// and containers of these.
func TestPeer(t *testing.T) {
	for _, name := range files(t) {
		var want truth
		if err := json.Unmarshal(load(t, name+".expect.json"), &want); err != nil {
			t.Fatal(err)
		}
		p := read(load(t, name))
		if p.class != want.Value.Type || p.script != want.Value.ScriptClass || len(p.resources) != len(want.Value.Resources) || len(p.external) != len(want.Value.External) {
			t.Errorf("%s: %s", name, p)
			continue
		}
		for i, r := range want.Value.Resources {
			is := p.resources[i]
			if is.id != r.ID || is.class != r.Type || len(is.properties) != len(r.Properties) {
				t.Errorf("%s: %s %s, want %s %s", name, is.id, is.class, r.ID, r.Type)
			}
			for _, v := range is.properties {
				if says := p.said(r.Properties[v[0]]); !strings.Contains(says, "?") && says != v[1] {
					t.Errorf("%s: %s: %s, want %s", name, v[0], v[1], says)
				}
			}
		}
	}
}

// said returns the text of a value in a truth, with a ? for types that are not compared here.
func (p *peer) said(v any) string {
	m, ok := v.(map[string]any)
	if !ok {
		switch v {
		case nil:
			return "null"
		case true:
			return "bool 1"
		}
		return "bool 0"
	}
	list := func(key string, item func(any) string) (s string) {
		for _, x := range m[key].([]any) {
			s += item(x) + ","
		}
		return s
	}
	switch m["type"] {
	case "int":
		return "int " + m["value"].(string)
	case "float":
		b, _ := hex.DecodeString(m["f64"].(string))
		return fmt.Sprintf("float %016x", binary.BigEndian.Uint64(b))
	case "String":
		return strconv.Quote(m["value"].(string))
	case "StringName":
		return "&" + strconv.Quote(m["value"].(string))
	case "SubResource":
		return "internal " + m["id"].(string)
	case "ExtResource":
		n, _ := strconv.Atoi(m["id"].(string))
		return "external " + p.external[n][1]
	case "Array":
		return "[" + list("items", p.said) + "]"
	case "Dictionary":
		return "{" + list("pairs", func(x any) string { return p.said(x.([]any)[0]) + "=" + p.said(x.([]any)[1]) }) + "}"
	}
	return "?"
}

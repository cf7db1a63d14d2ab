package endtoend

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestSafePayloads: check --safe finds an object or a script in every form in which a game may decode it, says
// whose code it is, and --safe=foreign accepts only the game's own.
func TestSafePayloads(t *testing.T) {
	long(t)
	folder := t.TempDir()
	codes := map[string]string{}
	put := func(name, data, code string) {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		codes[name] = code
	}
	r := rand.New(rand.NewPCG(*safeSeed, 0))
	for i, p := range payloads {
		if i%4 != 2 {
			continue
		}
		bin, text, native := p.value.bin(nil), p.value.text(), p.value.native()
		name := fmt.Sprintf("%02d-", i)
		put(name+"binary.bin", string(bin), p.code)
		put(name+"stream.bin", string(binary.LittleEndian.AppendUint32(nil, uint32(len(bin))))+string(bin), p.code)
		put(name+"text.txt", text, p.code)
		put(name+"native.json", native, p.code)
		put(name+"config.cfg", "[a]\n\nx=1\ny="+text+"\nz=2\n", p.code)
		put(name+"numbers.cfg", "[a]\n\nx=PackedByteArray("+numbers(bin)+")\n", p.code)
		put(name+"pool.cfg", "[a]\n\nx=PoolByteArray( "+numbers(bin)+" )\n", p.code)
		put(name+"base64.cfg", "[a]\n\nx=PackedByteArray(\""+base64.StdEncoding.EncodeToString(bin)+"\")\n", p.code)
		put(name+"list.json", `{"x": [`+numbers(bin)+`]}`, p.code)
		quoted, _ := json.Marshal(map[string]string{"x": text})
		put(name+"text.json", string(quoted), p.code)
		quoted, _ = json.Marshal(map[string]string{"x": native})
		put(name+"native-in.json", string(quoted), p.code)
		inBytes := "[a]\n\nx=PackedByteArray(" + numbers(bin) + ")\n"
		put(name+"hex.txt", hex.EncodeToString(binText(binary.LittleEndian.AppendUint32(nil, 29), inBytes)), p.code)
		form := r.IntN(3)
		nested := [][]byte{bin, []byte(text), []byte(native)}[form]
		name += []string{"binary", "text", "native"}[form]
		for depth := 1; depth <= 8; depth++ {
			h := holders[r.IntN(len(holders))]
			nested, name = h.in(nested), name+"-"+h.name
			put(name, string(nested), p.code)
		}
	}
	for _, asked := range []string{"--safe", "--safe=foreign"} {
		out, _ := start(t, []string{"check", asked, "--json", folder})
		seen := 0
		for line := range strings.Lines(out.stdout) {
			var is struct {
				File, Verdict, Code, Why string
				Safe                     bool
			}
			if err := json.Unmarshal([]byte(line), &is); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			seen++
			want := codes[is.File]
			verdict := "code"
			if want == "none" {
				verdict = "objects"
			}
			safe := asked != "--safe" && (want == "own" || want == "none")
			if is.Why != "" && strings.Count(is.File, "-") >= 8 { // what is deeper is not known
				safe = false
			}
			if is.Verdict == "unknown" && strings.Count(is.File, "-") >= 8 {
				verdict, want = "unknown", is.Code
			}
			if is.Verdict != verdict || is.Code != want || is.Safe != safe {
				t.Errorf("%s %s: %s %s, safe %v (%s), want %s %s, safe %v", asked, filepath.Base(is.File), is.Verdict, is.Code, is.Safe, is.Why, verdict, want, safe)
			}
		}
		if seen != len(codes) {
			t.Errorf("%d of %d files:\n%s", seen, len(codes), out.stderr)
		}
	}
}

var safeSeed = flag.Uint64("safe-seed", 1, "of the random nestings of payloads")

// holders are forms in which a save holds bytes, or the text of another.
var holders = []struct {
	name string
	in   func(b []byte) []byte
}{
	{"base64", func(b []byte) []byte { return []byte(base64.StdEncoding.EncodeToString(b)) }},
	{"hex", func(b []byte) []byte { return []byte(hex.EncodeToString(b)) }},
	{"zlib", zlibOf},
	{"base64.json", func(b []byte) []byte { return []byte(`{"x": "` + base64.StdEncoding.EncodeToString(b) + `"}`) }},
	{"list.json", func(b []byte) []byte { return []byte(`{"x": [` + numbers(b) + `]}`) }},
	{"native.json", func(b []byte) []byte { return []byte(`{"type": "PackedByteArray", "args": [` + numbers(b) + `]}`) }},
	{"numbers.cfg", func(b []byte) []byte { return []byte("[a]\n\nx=PackedByteArray(" + numbers(b) + ")\n") }},
	{"pool.txt", func(b []byte) []byte { return []byte("PoolByteArray( " + numbers(b) + " )") }},
	{"base64.cfg", func(b []byte) []byte {
		return []byte("[a]\n\nx=PackedByteArray(\"" + base64.StdEncoding.EncodeToString(b) + "\")\n")
	}},
	{"text.cfg", func(b []byte) []byte {
		if !utf8.Valid(b) {
			b = []byte(base64.StdEncoding.EncodeToString(b))
		}
		return []byte("[a]\n\nx=" + inQuotes(string(b)) + "\n")
	}},
	{"bytes.bin", func(b []byte) []byte { // a PackedByteArray
		return binText(binary.LittleEndian.AppendUint32(nil, 29), string(b))
	}},
	{"stream.bin", func(b []byte) []byte {
		v := binText(binary.LittleEndian.AppendUint32(nil, 29), string(b))
		return append(binary.LittleEndian.AppendUint32(nil, uint32(len(v))), v...)
	}},
}

// payloads are values that a game must not decode, with whose code they run.
var payloads = []struct {
	value godotValue
	code  string
}{
	{scripted("res://a.gd"), "own"},
	{scripted("res://data/items/sword.gd"), "own"},
	{scripted("uid://c8r5x0m0w1"), "own"},
	{scripted("user://a.gd"), "other"},
	{scripted("user://mods/a.tres"), "other"},
	{scripted("/tmp/a.gd"), "other"},
	{scripted(`C:\mods\a.gd`), "other"},
	{scripted("res://../a.gd"), "other"},
	{scripted("../a.gd"), "other"},
	{godotValue{class: "Node", props: []godotProp{{"script", sourced("extends Node")}}}, "file"},
	{sourced("extends Resource"), "file"},
	{sourced(""), "none"},
	{godotValue{class: "Node2D", props: []godotProp{{"name", godotValue{string: "Body"}}}}, "none"},
	{godotValue{isArray: true, of: "res://a.gd"}, "own"},
	{godotValue{isArray: true, of: "user://a.gd"}, "other"},
	{godotValue{isDictionary: true, of: "res://a.gd"}, "own"},
	{godotValue{isDictionary: true, keyOf: "/tmp/a.gd"}, "other"},
	{godotValue{isArray: true, items: []godotValue{{string: "some text before"}, scripted("user://b.gd")}}, "other"},
	{godotValue{isDictionary: true, items: []godotValue{{string: "a key"}, scripted("res://b.gd")}}, "own"},
	{godotValue{class: "Node", props: []godotProp{{"meta", godotValue{isArray: true, items: []godotValue{sourced("extends Node")}}}}}, "file"},
}

func scripted(path string) godotValue {
	return godotValue{class: "Resource", props: []godotProp{{"resource_name", godotValue{string: "some name"}}, {"script", godotValue{script: path}}}}
}

func sourced(code string) godotValue {
	return godotValue{class: "GDScript", props: []godotProp{{"script/source", godotValue{string: code}}}}
}

// A godotValue is an object, a list, a dictionary or a text, in the forms that Godot 4 writes.
type godotValue struct {
	class, string, script string
	props                 []godotProp
	isArray, isDictionary bool
	of, keyOf             string // scripts of its elements
	items                 []godotValue
}

type godotProp struct {
	name  string
	value godotValue
}

func binText(dst []byte, s string) []byte {
	dst = append(binary.LittleEndian.AppendUint32(dst, uint32(len(s))), s...)
	for len(dst)%4 != 0 {
		dst = append(dst, 0)
	}
	return dst
}

// bin appends the value as var_to_bytes_with_objects writes it.
func (v godotValue) bin(dst []byte) []byte {
	u32 := binary.LittleEndian.AppendUint32
	const isScript = 3
	switch {
	case v.class != "":
		dst = u32(binText(u32(dst, 24), v.class), uint32(len(v.props)))
		for _, p := range v.props {
			dst = p.value.bin(binText(dst, p.name))
		}
		return dst
	case v.isArray, v.isDictionary:
		id, flags, n := uint32(28), uint32(0), len(v.items)
		if v.isDictionary {
			id, n = 27, n/2
		}
		if v.of != "" {
			flags = isScript
			if v.isDictionary {
				flags <<= 2
			}
		}
		if v.keyOf != "" {
			flags |= isScript
		}
		dst = u32(dst, id|flags<<16)
		for _, s := range []string{v.keyOf, v.of} {
			if s != "" {
				dst = binText(dst, s)
			}
		}
		dst = u32(dst, uint32(n))
		for _, i := range v.items {
			dst = i.bin(dst)
		}
		return dst
	}
	return binText(u32(dst, 4), v.string+v.script)
}

func inQuotes(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// text returns the value as var_to_str writes it.
func (v godotValue) text() string {
	typed := func(s string) string {
		if s == "" {
			return "Variant"
		}
		return "Resource(" + inQuotes(s) + ")"
	}
	var parts []string
	switch {
	case v.class != "":
		for _, p := range v.props {
			parts = append(parts, inQuotes(p.name)+":"+p.value.text())
		}
		return "Object(" + strings.Join(append([]string{v.class}, parts...), ",") + ")"
	case v.isArray:
		for _, i := range v.items {
			parts = append(parts, i.text())
		}
		list := "[" + strings.Join(parts, ", ") + "]"
		if v.of == "" {
			return list
		}
		return "Array[" + typed(v.of) + "](" + list + ")"
	case v.isDictionary:
		for i := 0; i < len(v.items); i += 2 {
			parts = append(parts, v.items[i].text()+": "+v.items[i+1].text())
		}
		list := "{" + strings.Join(parts, ", ") + "}"
		if v.of+v.keyOf == "" {
			return list
		}
		return "Dictionary[" + typed(v.keyOf) + ", " + typed(v.of) + "](" + list + ")"
	case v.script != "":
		return typed(v.script)
	}
	return inQuotes(v.string)
}

// native returns the value as JSON.from_native writes it.
func (v godotValue) native() string {
	var parts []string
	switch {
	case v.class != "":
		for _, p := range v.props {
			parts = append(parts, inQuotes(p.name), p.value.native())
		}
		return `{"type": ` + inQuotes(v.class) + `, "props": [` + strings.Join(parts, ", ") + "]}"
	case v.isArray && v.of == "", v.isArray, v.isDictionary:
		for _, i := range v.items {
			parts = append(parts, i.native())
		}
		list := "[" + strings.Join(parts, ", ") + "]"
		switch {
		case v.isDictionary:
			return `{"type": "Dictionary", "key_type": ` + inQuotes(v.keyOf) + `, "value_type": ` + inQuotes(v.of) + `, "args": ` + list + "}"
		case v.of != "":
			return `{"type": "Array", "elem_type": ` + inQuotes(v.of) + `, "args": ` + list + "}"
		}
		return list
	}
	return inQuotes("s:" + v.string + v.script)
}

func numbers(b []byte) string {
	var all []string
	for _, c := range b {
		all = append(all, fmt.Sprint(c))
	}
	return strings.Join(all, ", ")
}

func zlibOf(b []byte) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

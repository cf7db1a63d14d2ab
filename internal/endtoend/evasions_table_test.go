package endtoend

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
)

// An evasion is a save of Godot 3 that creates no object when it is loaded, but holds bytes or a
// text that do more than that once a careless game decodes them.
type evasion struct {
	name   string
	data   []byte
	decode string // the steps of testdata/engine/careless.gd, "" for those that its engine does not know
	says   string // what check --safe says of it, after its name
}

const (
	saysBytes = "runs code, once its bytes are decoded: %: script GDScript with its source code at $.script; objects: Reference, GDScript"
	saysText  = "runs code, once its bytes are decoded: %: Reference, Resource res://evil.gd"
)

// evil is an object whose script tells that it runs.
var evil = object3("Reference", "script", object3("GDScript", "script/source", string3("extends Reference\nfunc _init():\n\tprint(\"THE SCRIPT RAN\")\n")))

// The text of an object with such a script, which is in a file beside the game.
const evilText = `Object(Reference,"script":Resource("res://evil.gd"))`

// evasions are made when they are needed: every process that a script runs would make them.
var evasions = sync.OnceValue(func() []evasion {
	return []evasion{
		{"as-it-is", array3(pool3(evil)), "0 var", says(saysBytes, "$[0] (Godot 3, raw)")},
		{"framed", array3(pool3(framed3(evil))), "0 skip:4 var", says(saysBytes, "$[0] (Godot 3, raw)")},
		{"after-a-header", array3(pool3(append([]byte("SAVE\x01\x00"), evil...))), "0 skip:6 var", says(saysBytes, "$[0] (Godot 3, raw)")},
		{"before-other-bytes", array3(pool3(append(slices.Clone(evil), "and the rest"...))), "0 var", says(saysBytes, "$[0] (Godot 3, raw)")},
		{"gzip", array3(pool3(gzipped(evil))), "0 unpack:3 var", says(saysBytes, "$[0] (gzip, Godot 3, raw)")},
		{"zlib", array3(pool3(zlibbed(evil))), "0 unpack:1 var", says(saysBytes, "$[0] (zlib, Godot 3, raw)")},
		{"fastlz", array3(pool3(fastlzOf(evil))), "0 unpack:0 var", says(saysBytes, "$[0] (FastLZ, Godot 3, raw)")},
		{"raw-deflate", array3(pool3(deflated(evil))), "", says(saysBytes, "$[0] (deflate, Godot 3, raw)")},
		{"gcpf", array3(pool3(gcpf3(framed3(evil)))), "0 gcpf skip:4 var", strings.Replace(says(saysBytes, "$[0] (GCPF, FastLZ → Godot 3, stream)"), "$.script", "$[0].script", 1)},
		{"base64", array3(string3(base64.StdEncoding.EncodeToString(evil))), "0 base64 var", says(saysBytes, "$[0] (base64, Godot 3, raw)")},
		{"hex", array3(string3(hex.EncodeToString(evil))), "0 hex var", says(saysBytes, "$[0] (hex, Godot 3, raw)")},
		{"hex-upper-case-with-blanks", array3(string3(spaced(evil))), "0 hex var", says(saysBytes, "$[0] (hex, Godot 3, raw)")},
		{"base64-for-urls", array3(string3(base64.RawURLEncoding.EncodeToString(gzipped(evil)))), "", says(saysBytes, "$[0] (base64, gzip, Godot 3, raw)")},
		{"base64-in-short-lines", array3(string3(strings.TrimSpace(inLines(base64.StdEncoding.EncodeToString(evil), 8)))), "0 base64 var", says(saysBytes, "$[0] (base64, Godot 3, raw)")},
		{"base64-of-gzip-of-a-frame", array3(string3(base64.StdEncoding.EncodeToString(gzipped(framed3(evil))))), "0 base64 unpack:3 skip:4 var",
			says(saysBytes, "$[0] (base64, gzip, Godot 3, raw)")},
		{"base64-in-json", array3(string3(`{"save":"` + base64.StdEncoding.EncodeToString(evil) + `"}`)), "0 json:save base64 var", says(saysBytes, "$[0] (base64, Godot 3, raw)")},
		{"base64-as-a-key", dictionary3("k", base64.StdEncoding.EncodeToString(zlibbed(evil))), "key base64 unpack:1 var", ""},
		{"base64-in-a-node-path", array3(path3(base64.StdEncoding.EncodeToString(gzipped(evil)))), "", says(saysBytes, "$[0].names[0] (base64, gzip, Godot 3, raw)")},
		{"base64-in-a-list-of-strings", array3(strings3("x", base64.StdEncoding.EncodeToString(evil))), "0 1 base64 var", says(saysBytes, "$[0][1] (base64, Godot 3, raw)")},
		{"a-save-in-a-save", array3(pool3(array3(string3(base64.StdEncoding.EncodeToString(gzipped(array3(pool3(evil)))))))),
			"0 var 0 base64 unpack:3 var 0 var", says(saysBytes, "$[0] (base64, gzip, Godot 3, raw)")},
		{"ints", ints3(evil), "ints var", says(saysBytes, "$ (Godot 3, raw)")},
		{"eight-times-base64", array3(string3(often(evil, 8))), "0 base64 base64 base64 base64 base64 base64 base64 base64 var",
			says(saysBytes, "$[0] (base64, base64, base64, base64, base64, base64, base64, base64, Godot 3, raw)")},
		{"nine-times-base64", array3(string3(often(evil, 9))), "0 base64 base64 base64 base64 base64 base64 base64 base64 base64 var",
			"unknown: $[0]: bytes are packed in one another more than 8 times"},
		{"encrypted", array3(pool3(append([]byte("GDEC"), noise(200)...))), "", "unknown: $[0]: the file is encrypted: give its password or its key (--password or --key)"},
		{"text", array3(string3(evilText)), "0 str2var", says(saysText, "$[0] (text)")},
		{"text-with-blanks-and-a-comment", array3(string3("{ \"a\": [1, Object ; not yet\n\t ( Reference , \"script\":\n Resource (\"res://evil.gd\" ) ) ] }")), "0 str2var",
			says(saysText, "$[0] (text)")},
		{"text-of-a-resource", array3(string3(`Resource("res://evil.gd")`)), "0 str2var new", "runs code, once its bytes are decoded: $[0] (text): Resource res://evil.gd"},
		{"text-in-json", array3(string3(`{"save":` + quoted(evilText) + `}`)), "0 json:save str2var", says(saysText, "$[0] (text)")},
		{"text-in-bytes", array3(pool3([]byte(evilText))), "0 utf8 str2var", says(saysText, "$[0] (text)")},
		{"text-in-utf-16", array3(pool3(wide(evilText, 2))), "", says(saysText, "$[0] (wide characters, text)")},
		{"text-in-utf-32-after-a-header", array3(pool3(append([]byte{1, 2, 3}, wide(evilText, 4)...))), "", says(saysText, "$[0] (wide characters, text)")},
		{"zip", array3(pool3(append([]byte("PK\x03\x04"), noise(200)...))), "", "unknown: $[0]: a ZIP archive is not looked into"},
		{"text-of-settings", array3(string3("[player]\nname=\"Mira\"\nitem=" + evilText + "\n")), "0 config:player:item", says(saysText, "$[0] (text)")},
		{"text-of-a-file", array3(string3("[gd_resource type=\"Resource\" load_steps=2 format=2]\n[ext_resource path=\"res://evil.gd\" type=\"Script\" id=1]\n[resource]\nscript = ExtResource( 1 )\n")), "",
			"runs code, once its bytes are decoded: $[0] (text): a resource as text, with what it loads"},
	}
})

// harmless are texts and bytes in which there is nothing to find.
var harmless = [][]byte{
	string3("The Object (noun) of the Resource(\"res://x\") is an Object(Node, 1)."),
	string3("Object"), string3("Resource"), string3("res://icon.png"), string3("Object(noun) Resource: (x)"),
	string3("the quick brown fox jumps over the lazy dog"), string3("550e8400-e29b-41d4-a716-446655440000"),
	string3("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"), string3(`{"Object": [1, 2], "Resource": "wood"}`),
	pool3(make([]byte, 4096)), pool3(bytes.Repeat([]byte{17, 0, 0, 0}, 100)), pool3([]byte("\x89PNG\r\n\x1a\n")),
}

func says(form, where string) string { return strings.Replace(form, "%", where, 1) }

// The following make values of Godot 3 by its specification.

func word3(n int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(n)) }

func padded3(s string) []byte {
	return slices.Concat(word3(len(s)), []byte(s), make([]byte, -len(s)&3))
}

func string3(s string) []byte { return append(word3(4), padded3(s)...) }
func pool3(b []byte) []byte   { return append(word3(20), padded3(string(b))...) }
func path3(s string) []byte {
	return slices.Concat(word3(15), word3(1|1<<31), word3(0), word3(0), padded3(s))
}
func array3(values ...[]byte) []byte {
	return slices.Concat(word3(19), word3(len(values)), slices.Concat(values...))
}
func dictionary3(value, key string) []byte {
	return slices.Concat(word3(18), word3(1), string3(key), string3(value))
}
func object3(class, property string, value []byte) []byte {
	return slices.Concat(word3(17), padded3(class), word3(1), padded3(property), value)
}
func strings3(all ...string) []byte {
	b := append(word3(23), word3(len(all))...)
	for _, s := range all {
		b = append(b, padded3(s+"\x00")...)
	}
	return b
}
func ints3(b []byte) []byte   { return slices.Concat(word3(21), word3(len(b)/4), b) }
func framed3(b []byte) []byte { return append(word3(len(b)), b...) }

// wide returns a text with several bytes per character, all 0 except the first.
func wide(s string, size int) (b []byte) {
	for _, c := range []byte(s) {
		b = append(append(b, c), make([]byte, size-1)...)
	}
	return b
}

// inLines divides a text into lines of n characters.
func inLines(s string, n int) string {
	lines := ""
	for ; len(s) > n; s = s[n:] {
		lines += s[:n] + "\n"
	}
	return lines + s
}

// The following pack with a library whose version is fixed, so that the bytes stay the same.

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func zlibbed(b []byte) []byte {
	var out bytes.Buffer
	w, _ := zlib.NewWriterLevel(&out, zlib.BestCompression)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func deflated(b []byte) []byte {
	var out bytes.Buffer
	w, _ := flate.NewWriter(&out, flate.BestCompression)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

// fastlzOf packs bytes as FastLZ without any repetition.
func fastlzOf(b []byte) (out []byte) {
	for part := range slices.Chunk(b, 7) {
		out = append(append(out, byte(len(part)-1)), part...)
	}
	return out
}

func gcpf3(b []byte) []byte {
	packed := fastlzOf(b)
	return slices.Concat([]byte("GCPF"), word3(0), word3(4096), word3(len(b)), word3(len(packed)), packed, []byte("GCPF"))
}

func noise(n int) (b []byte) {
	x := uint32(1)
	for range n {
		x = x*1664525 + 1013904223
		b = append(b, byte(x>>24))
	}
	return b
}

func spaced(b []byte) string {
	var words []string
	for _, c := range b {
		words = append(words, strings.ToUpper(hex.EncodeToString([]byte{c})))
	}
	return strings.Join(words, " ")
}

func often(b []byte, times int) string {
	for range times {
		b = []byte(base64.StdEncoding.EncodeToString(b))
	}
	return string(b)
}

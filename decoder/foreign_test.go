package decoder

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"varview/decoder/detect"
	"varview/decoder/diagnose"
)

// told returns the codes and messages of the problems of the values.
func told(t *testing.T, d *Document) (all []string) {
	t.Helper()
	err := d.Diagnose(context.Background(), d.Tree, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
		all = append(all, f.Code+": "+f.Message)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestForeign(t *testing.T) {
	pe := "MZ" + strings.Repeat("\x90\x00", 29) + "\x40\x00\x00\x00PE\x00\x00L\x01"
	for _, c := range []struct{ data, title, says string }{
		{"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "PNG image", "not-a-save: this is a PNG image, not a save or packet"},
		{"\xff\xd8\xff\xe0\x00\x10JFIF\x00", "JPEG image", "not-a-save: this is a JPEG image, not a save or packet"},
		{"RIFF\x24\x00\x00\x00WAVEfmt ", "WAV sound", "not-a-save: this is a WAV sound, not a save or packet"},
		{"PK\x03\x04\x14\x00\x00\x00\x08\x00", "ZIP archive", "not-a-save: this is a ZIP archive, not a save or packet; a recipe reads the files in it, which \"varview layers --try\" writes"},
		{"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\x04\x00", "gzip archive", "not-a-save: this is a gzip archive, not a save or packet"},
		{"GDPC\x02\x00\x00\x00\x04\x00\x00\x00", "Godot pack (.pck)", "not-a-save: this is a Godot pack (.pck), not a save or packet"},
		{"SQLite format 3\x00\x10\x00\x01\x01", "SQLite database", "not-a-save: this is an SQLite database, not a save or packet"},
		{pe, "Windows program", "not-a-save: this is a Windows program, not a save or packet"},
		{"<?xml version=\"1.0\"?>\n<save/>\n", "XML text", "not-a-save: this is an XML text, not a save or packet"},
		{"<!DOCTYPE HTML>\n<p>", "HTML page", "not-a-save: this is an HTML page, not a save or packet"},
		{"[![Build](b.svg)](x)\n\nUse Vector2(1, 2) or Color(1, 1, 1).\n", "text file", "not-a-save: this is a text file, not a save or packet of binary values"},
		{"[Home] uses Foo(bar), see #aabbcc\n", "text file", "not-a-save: this is a text file, not a save or packet of binary values"},
		{"[1] See Foo(bar)\n[2] and Baz(x)\n", "text file", "not-a-save: this is a text file, not a save or packet of binary values"},
		{"gold=5\n<<<<<<< HEAD\nhp=7\n=======\nhp=8\n>>>>>>> main\n", "text with a merge conflict", "not-a-save: this is a text with a merge conflict, not a save or packet: it has the lines of two files, between <<<<<<< and >>>>>>>, of which one side is to be deleted"},
		{"Größe: 3, Name: Mira\n", "text file", "not-a-save: this is a text file, not a save or packet of binary values"},
		{"#define mira_width 16\n#define mira_height 16\n", "text file", "not-a-save: this is a text file, not a save or packet of binary values"},
		{"let x = 5;\nlet y = 6;\n", "text file", "not-a-save: this is a text file, not a save or packet of binary values"},
		{"public int hp = 5;\n", "text file", "not-a-save: this is a text file, not a save or packet of binary values"},
		{"We know that E=5\n", "text file", "not-a-save: this is a text file, not a save or packet of binary values"},
		{"Chapter 1\nIt was dark.\n1\n", "text file", "not-a-save: this is a text file, not a save or packet of binary values"},
		{"1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\nBye\n", "text file", "not-a-save: this is a text file, not a save or packet of binary values"},
		{"o Cube\n" + strings.Repeat("v 1.000000 -1.000000 1.000000\n", 9) + "vn 0.0000 1.0000 0.0000\nf 1/1/1 5/2/1\n", "text file", "not-a-save: this is a text file, not a save or packet of binary values"},
		{"P3\n3 2\n255\n" + strings.Repeat("255 0 0\n", 9), "text file", "not-a-save: this is a text file, not a save or packet of binary values"},
		{strings.Repeat("1\n00:00:01,000 --> 00:00:02,000\n12\n\n", 99), "text file", "not-a-save: this is a text file, not a save or packet of binary values"},
		{strings.Repeat("+49 30 1234567\n+49 171 44556\n", 9), "text file", "not-a-save: this is a text file, not a save or packet of binary values"},
		{"https://example.com/a?q=1\nhttps://example.com/b?q=true\n", "text file", "not-a-save: this is a text file, not a save or packet of binary values"},
		{"1+1=2\n2+2=4\n", "text file", "not-a-save: this is a text file, not a save or packet of binary values"},
		{"numpy==1.2\nrequests==2.0\n", "text file", "not-a-save: this is a text file, not a save or packet of binary values"},
		{strings.Repeat("# a licence, and what it says in many words\n", 3) + "import re\nfrom os import path\n", "text file", "not-a-save: this is a text file, not a save or packet of binary values"},
		{"[Desktop Entry]\nName[an]=Demonio\nName[ar]=x\n", "INI text (as ConfigFile writes it)", "not-a-save: this is an INI text (as ConfigFile writes it), not a save or packet of binary values"},
		{"# a game's\ntitle = \"Hero\"\n\n[player]\npos.x = 1.5\n\n[[items]]\n# one\nname = \"rope\"\n", "TOML text", "not-a-save: this is a TOML text, not a save or packet; --as lines edits it line by line"},
		{"[[items]]\nname = \"rope\"\n[[items]]\nname = \"oil\"\n", "TOML text", "not-a-save: this is a TOML text, not a save or packet; --as lines edits it line by line"},
		{"[player]\nname = \"Mira\"\npos = { x = 1, y = 2 }\n", "TOML text", "not-a-save: this is a TOML text, not a save or packet; --as lines edits it line by line"},
		{strings.Repeat("\x00", 16), "all zeros", "all-zeros: the file is 16 zero bytes: it was never written, or the disk lost it"},
		{strings.Repeat("\x00", 16<<20+1), "all zeros", "all-zeros: the first 16,777,216 bytes of the file are zero: it was never written, or the disk lost it"},
		{"\x18\x00\x00\x00\x1b\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x07\x00\x00\x00\x02\x00\x00\x00�\x00\x00\x00", "bytes lost",
			"replaced-bytes: bytes were replaced by EF BF BD in 1 place: a program took the file for text; the original bytes are lost: get the file again"},
	} {
		name := c.data[:min(len(c.data), 20)]
		d := open(t, []byte(c.data), Options{})
		if got := told(t, d); !d.IsForeign() || d.Title != c.title || fmt.Sprint(got) != "["+c.says+"]" {
			t.Errorf("%q: %s, %q", name, d.Title, got)
		}
		if d := open(t, []byte(c.data), Options{Dialect: "godot4", Framing: "raw"}); d.IsForeign() {
			t.Errorf("%q: %s, but it was asked to be read", name, d.Title)
		}
		if d := open(t, []byte(c.data), Options{Input: "binary"}); d.IsForeign() {
			t.Errorf("%q: %s, but it was said what it is", name, d.Title)
		}
	}
}

// TestNotForeign: small values, and files too small to decide, are not foreign files.
func TestNotForeign(t *testing.T) {
	for _, data := range []string{
		"\x00\x00\x00\x00",                                             // Nil
		strings.Repeat("\x00", 15),                                     // cut short
		"\x04\x00\x00\x00\x03\x00\x00\x00\xef\xbf\xbd\x00",             // the text U+FFFD
		"\x0c\x00\x00\x00\x04\x00\x00\x00\x03\x00\x00\x00PNG\x00",      // in a frame
		"\x04\x00\x00\x00\x08\x00\x00\x00\x89PNG\r\n",                  // a damaged text
		"\x1c\x00\x00\x00\x02\x00\x00\x00" + strings.Repeat("\x00", 8), // [null, null]
		"\x04\x00\x00\x00\xff\x00\x00\x00{\"hp\": 42}",                 // JSON in a value that is cut
		"\x02\x00\x00\x00\xff\xff\xff\x7f\xff\xd8\xff",                 // no JPEG: not at the beginning
		"RIFF\x00\x00\x00\x00AIFF",                                     // another sound
		"\xef\xbf\xbd\xff\x00\x00\x00\x00" + "\x01\x02\x03",            // not UTF-8 otherwise
		"\x00ab",
	} {
		if d := open(t, []byte(data), Options{}); d.IsForeign() && d.foreign.Code != detect.NotKnown {
			t.Errorf("%q: %s", data, d.Title)
		}
	}
}

// TestNotKnown: bytes that make no sense in any dialect are not values, unless the user says so. Small or
// damaged ones that do make sense are.
func TestNotKnown(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 6))
	noise := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.IntN(256))
		}
		return string(b)
	}
	floats, shorts := "", ""
	for range 5000 {
		floats += string(binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(r.NormFloat64()))))
		shorts += string(binary.LittleEndian.AppendUint16(nil, uint16(r.IntN(500))))
	}
	for name, data := range map[string]string{"noise": noise(100), "much noise": noise(100_000), "floats": floats[:400], "many floats": floats, "shorts": shorts[:300],
		"what one key would make a number": "(38\u1e00972656\\A23C1042\xff)"} {
		d := open(t, []byte(data), Options{})
		if got := told(t, d); len(got) != 1 || !strings.HasPrefix(got[0], detect.NotKnown+": ") {
			t.Errorf("%s: %s, %q", name, d.Title, got)
		}
		if d := open(t, []byte(data), Options{Dialect: "godot3"}); d.IsForeign() {
			t.Errorf("%s: %s, but it was asked to be read", name, d.Title)
		}
	}
	save := readFile(t, "../testdata/godot4/packet-chat.bin")
	large := slices.Concat(words(28, 20_000), []byte(strings.Repeat("\x02\x00\x00\x00\x07\x00\x00\x00", 20_000)))
	for name, data := range map[string][]byte{"wrong type": append([]byte{99}, save[1:]...), "wrong type of a large value": append([]byte{99}, large[1:]...),
		"cut": save[:len(save)/2], "noise at the end": append(slices.Clone(save[:len(save)/2]), noise(len(save)/2)...)} {
		if d := open(t, data, Options{}); d.IsForeign() || d.Dialect != "godot4" {
			t.Errorf("%s: %s %s", name, d.Title, d.Dialect)
		}
	}
}

// TestForms: a file with only a short signature is named if no dialect explains it.
func TestForms(t *testing.T) {
	nbt := "\x0a\x00\x00\x03\x00\x04Time\x00\x00\x00\x08\x08\x00\x04Name\x00\x05World\x00"
	for title, data := range map[string]string{
		"Minecraft's NBT":                               nbt,
		"Minecraft's NBT ":                              "\x0a\x00\x00\x05\x00\x01h\x40\x20\x00\x00\x01\x00\x02ab\x01\x00", // Godot's Quat of damaged numbers
		"gzip archive of Minecraft's NBT":               zipped(t, nbt),
		"Ruby's Marshal data (as RPG Maker writes it) ": "\x04\x08[\x08i\x06i\x0b[\x09i\x07i\x08i\x09i\x0a",
		"Minecraft's NBT (Bedrock)":                     "\x0a\x00\x00\x03\x04\x00Time\x88\x99\x00\x11\x08\x04\x00Name\x05\x00World\x00",
		"Ruby's Marshal data (as RPG Maker writes it)":  "\x04\x08{\x07:\x07hpi\x5c:\x09goldi\x02\xd9\x05:\x09name\"\x09Mira",
		"Python pickle":                                 "\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00}\x94\x8c\x02hp\x94K\x03s.",
		"BSON":                                          "\x1a\x00\x00\x00\x10hp\x00\x87\x99\x88\x77\x10gold\x00\x99\x88\x77\x66\x00\x00\x00\x00",
		"text file in UTF-16":                           "\xff\xfeN\x00a\x00m\x00e\x00:\x00 \x00M\x00i\x00r\x00a\x00",
		"Unreal Engine save (GVAS)":                     "GVAS\x02\x00\x00\x00\x06\x02\x00\x00",
		"MIDI sound":                                    "MThd\x00\x00\x00\x06\x00\x01\x00\x02\x01\xe0MTrk",
		"binary property list":                          "bplist00\xd1\x01\x02Shp\x10\x57",
		"file of another kind (font/woff2, .woff2)":     "wOF2\x00\x01\x00\x00" + strings.Repeat("\xc3\x99", 20),
	} {
		d := open(t, []byte(data), Options{})
		if got := told(t, d); d.Title != strings.TrimSpace(title) || len(got) != 1 || !strings.HasPrefix(got[0], detect.NotASave+": ") {
			t.Errorf("%s: %s, %q", title, d.Title, got)
		}
	}
}

func zipped(t *testing.T, data string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(data)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestForeignEdited: bytes that replace those of a foreign file are judged anew.
func TestForeignEdited(t *testing.T) {
	d := open(t, make([]byte, 64), Options{})
	other := open(t, []byte("\x04\x00\x00\x00\xff\x00\x00\x00hp"), Options{Dialect: "godot4", Framing: "raw"})
	var codes []string
	err := d.Diagnose(context.Background(), other.Tree, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
		codes = append(codes, f.Code)
		return true
	})
	if err != nil || len(codes) == 0 || codes[0] == detect.AllZeros {
		t.Errorf("%s, %v", codes, err)
	}
}

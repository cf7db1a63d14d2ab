package decoder

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/span"
	"varview/decoder/score"
)

// TestDamagedDialects: no damaged file is certain to be in another dialect.
func TestDamagedDialects(t *testing.T) {
	var files []string
	for _, folder := range []string{"godot3", "godot4", "pandemonium", "elephant"} {
		all, err := filepath.Glob(filepath.Join("../testdata", folder, "*.bin"))
		if err != nil || len(all) == 0 {
			t.Fatal(folder, err)
		}
		files = append(files, all...)
	}
	r := rand.New(rand.NewPCG(28, 6))
	for tried := 0; tried < 40; {
		name := files[r.IntN(len(files))]
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		right := open(t, b, Options{})
		if right.Confidence != Certain || right.Dialect == "" {
			continue // nothing says which dialect it is
		}
		tried++
		if family := strings.TrimRight(filepath.Base(filepath.Dir(name)), "0123456789"); !strings.HasPrefix(right.Dialect, family) {
			t.Errorf("%s is read as %s", name, right.Dialect)
		}
		damaged, how := damage(r, b)
		if d := open(t, damaged, Options{}); d.Confidence == Certain && d.Dialect != right.Dialect && d.Dialect != "" && !slices.Contains(d.Also, right.Dialect) {
			t.Errorf("%s, %s: for certain %s, not %s: %x", name, how, d.Dialect, right.Dialect, damaged)
		}
	}
}

// damage changes some bytes, and says how.
func damage(r *rand.Rand, b []byte) ([]byte, string) {
	b = slices.Clone(b)
	at := r.IntN(len(b))
	n := min(1+r.IntN(8), len(b)-at)
	switch r.IntN(5) {
	case 0:
		b[at] ^= 1 << r.IntN(8)
		return b, "a bit flipped"
	case 1:
		for i := range n {
			b[at+i] = byte(r.Uint32())
		}
		return b, "bytes overwritten"
	case 2:
		return b[:at], "cut off"
	case 3:
		return slices.Delete(b, at, at+n), "bytes lost"
	}
	return slices.Insert(b, at, make([]byte, n)...), "zeros inserted"
}

// TestDamagedText: where the signature of a text stands at its beginning, that is not taken for a header of the game's own before a part
// that is sound by itself.
func TestDamagedText(t *testing.T) {
	const text = `[gd_resource type="Resource" load_steps=2 format=2]

[ext_resource path="res://item.gd" type="Script" id=1]

[resource]
script = ExtResource( 1 )
title = "y line
break sword gyzkea potion"
count = -34
weight = -106012.0
position = Vector2( 0, 0 )
list = [ "\"", "\\", "
", "
", "	", "'", "\\n", "ends with \\", "CONTROL", "{}[]()=:;#&^", "[gd_resource]", "multi

line
", "sword shield" ]
data = {

}
flag = tru`
	for _, change := range []string{" =", " ,=", " :"} {
		text := strings.NewReplacer("script =", "script"+change, "CONTROL", "\b\f\v\a").Replace(text)
		if d := open(t, []byte(text), Options{Name: "hero.tres"}); len(d.Layers) > 0 || !strings.HasSuffix(d.Dialect, "-text") {
			t.Errorf("%q is read as %s in %d layers", text, d.Dialect, len(d.Layers))
		}
	}
}

// TestMarksAround: marks of a text before or behind one are damage of it, not bytes of the game's own.
func TestMarksAround(t *testing.T) {
	const text = `{"gold": 5, "items": [1, 2, 3], "name": "Mira", "pos": {"x": 1}}`
	for _, s := range []string{"{" + text, "(" + text, text + "}", text + "]}", "}" + text} {
		d := open(t, []byte(s), Options{Name: "hero.json"})
		bad, err := score.HasProblem(t.Context(), d.Tree, true, func(p *span.Problem) bool { return p.Severity == span.Error })
		if err != nil || len(d.Layers) > 0 || d.Dialect != "json" || !bad {
			t.Errorf("%s is read as %s in %d layers, with an error: %v (%v)", s, d.Dialect, len(d.Layers), bad, err)
		}
	}
}

// TestDamagedFirstLine: a first line of JSON that is damaged is no header of what is sound behind it.
func TestDamagedFirstLine(t *testing.T) {
	const rest = "{\n\"hp\": 50,\n\"pos\": Vector2( 3, 4 )\n}\n[ 1, 2 ]\nColor( 1, 0, 0.5, 1 )\n"
	for _, line := range []string{`{"name":"x,"v":1}`, `{"name":"x","v":}`} {
		d := open(t, []byte(line+"\n"+rest), Options{Name: "slot.save"})
		bad, err := score.HasProblem(t.Context(), d.Tree, true, func(p *span.Problem) bool { return p.Severity == span.Error })
		if err != nil || len(d.Layers) > 0 || !bad {
			t.Errorf("%s is read as %s in %d layers, with an error: %v (%v)", line, d.Dialect, len(d.Layers), bad, err)
		}
	}
}

// TestDamagedFrame: damage that makes a value end early hides nothing as a header or trailer of the game's own. It is named.
func TestDamagedFrame(t *testing.T) {
	word := binary.LittleEndian.AppendUint32
	text := func(b []byte, s string) []byte {
		b = append(word(word(b, 4), uint32(len(s))), s...)
		return append(b, make([]byte, -len(s)&3)...)
	}
	entry := func(b []byte, key string, n int) []byte { return word(word(text(b, key), 2), uint32(n)) }
	value := word(text(word(word(nil, 27), 3), "inv"), 28)
	value = word(value, 8)
	packed := append([]byte{0x84, 0xa3}, "inv\x96"...)
	for i := range 8 {
		value = entry(text(text(entry(word(word(value, 27), 3), "id", i), "name"), fmt.Sprint("item", i)), "q", 3*i)
		if i < 6 {
			packed = fmt.Appendf(packed, "\x83\xa2id%c\xa4name\xa5item%d\xa1q%c", i, i, 3*i)
		}
	}
	value = entry(entry(value, "gold", 1234), "level", 7)
	packed = append(packed, "\xa3pos\x92\x01\x02\xa4gold\xcd\x04\xd2\xa1t\xa3end"...)
	stream := append(word(nil, uint32(len(value))), value...)
	for _, c := range []struct {
		save    []byte
		dialect string
		damage  func(b []byte) []byte
	}{
		{stream, "godot4", func(b []byte) []byte { clear(b[140:153]); return b }},
		{stream, "godot4", func(b []byte) []byte { clear(b[len(b)-70 : len(b)-50]); return b }},
		{stream, "godot4", func(b []byte) []byte { b[4+12+16] = 6; return b }},
		{packed, "msgpack", func(b []byte) []byte { return slices.Insert(b, 44, 5) }},
		{packed, "msgpack", func(b []byte) []byte { b[5]--; return b }},
		{packed, "msgpack", func(b []byte) []byte { b[0]--; return b }},
	} {
		if d := open(t, slices.Clone(c.save), Options{}); d.Dialect != c.dialect || len(d.Layers) > 0 {
			t.Fatalf("%s is read as %s in %d layers", c.dialect, d.Dialect, len(d.Layers))
		}
		b := c.damage(slices.Clone(c.save))
		d := open(t, b, Options{})
		bad, err := score.HasProblem(t.Context(), d.Tree, true, func(p *span.Problem) bool { return p.Severity > span.Note })
		if err != nil || d.Dialect != c.dialect || len(d.Layers) > 0 || !bad {
			t.Errorf("%x: read as %s in %d layers, with a problem: %v (%v)", b, d.Dialect, len(d.Layers), bad, err)
		}
	}
}

package gamemaker

import (
	"strings"
	"testing"

	"varview/decoder/edit/simple"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// pairAt glances at a line and returns its key and text, and where it ends; 0 if it is not plain.
func pairAt(in uint32, line string) (key, text string, end int) {
	k := glanceLines(simple.Place{In: in, Key: true}, []byte(line))
	value := k.Before + int(k.Size) + k.Tail
	if k.Type != "key" || k.Head > 0 {
		return "", "", 0
	}
	v := glanceLines(simple.Place{In: in}, []byte(line[value:]))
	if v.Type != "text" {
		return "", "", 0
	}
	from := value + v.Head
	return line[k.Before : value-k.Tail], line[from : from+int(v.Size)], from + int(v.Size) + v.Tail
}

// TestGlanceLines says which lines are passed at once, and where their parts are.
func TestGlanceLines(t *testing.T) {
	for _, in := range []uint32{inSection, inProperties} {
		for _, c := range []struct{ line, key, text string }{
			{"x=1\n", "x", "1"},
			{"x=1\r\nnext", "x", "1"},
			{"\n\r\nx=1\n", "x", "1"},
			{"Item_2=-0.500000\n", "Item_2", "-0.500000"},
			{"name=\"item 777 of a bag\"\n", "name", "item 777 of a bag"},
			{"a=\"x;y#z=[1]'\"\n", "a", "x;y#z=[1]'"},
			{"a=\"\"\n", "a", ""},
		} {
			key, text, end := pairAt(in, c.line)
			if key != c.key || text != c.text || end == 0 || c.line[end-1] != '\n' {
				t.Errorf("%q: %q, %q, %d", c.line, key, text, end)
			}
		}
		for _, line := range []string{
			"", "\n", "x", "x=", "x=\n", "=1\n", " x=1\n", "x =1\n", "x= 1\n", "x=1 \n", "x=1;y\n", "x=1#\n", ";x=1\n", "[x]=1\n", "x=1", "x=1\r", "x=1\rz\n",
			"x=a b\n", "x=ä\n", "ä=1\n", "x='1'\n", "x=\"1\n", "x=\"1", "x=\"1\"", "x=\"1\" \n", "x=\"1\"2\n", "x=\"1\\\"2\"\n", "x=\"ä\"\n", "x=\"a\tb\"\n",
			"x=\"a\x7f\"\n", "x=[1]\n", "x=\"1\"\"\n", " \nx=1\n", "\rx=1\n",
		} {
			if key, text, end := pairAt(in, line); end != 0 {
				t.Errorf("%q: %q, %q, %d", line, key, text, end)
			}
		}
	}
	for header, want := range map[string]simple.Glance{
		"[a b]\n":         {Type: "name", Kind: span.Text, Head: 1, Size: 3, Tail: 2},
		"\r\n\n[a]\r\nx=": {Type: "name", Kind: span.Text, Before: 3, Head: 1, Size: 1, Tail: 3},
		"[a":              {}, "[a]": {}, "[a]\r": {}, "[a] \n": {}, "[ä]\n": {}, "[a\n]\n": {}, " [a]\n": {}, "x=1\n": {}, "": {}, "[": {},
	} {
		if g := glanceLines(simple.Place{In: inFile, Key: true}, []byte(header)); g.Type != want.Type || g.Type != "" && g != want {
			t.Errorf("%q: %+v", header, g)
		}
	}
	for line, want := range map[string]bool{"[": true, "\n[x]\n": true, "": false, "\n": false, "x=1\n": false, " [x]\n": false} {
		if g := glanceLines(simple.Place{In: inSection, Key: true}, []byte(line)); g.Ends != want {
			t.Errorf("%q: %+v", line, g)
		}
	}
}

// TestPlainPassed: whoever only passes a file reads no part of a plain section.
func TestPlainPassed(t *testing.T) {
	const sections = 1000
	src := source.Bytes(strings.Repeat("[some section]\r\nx=1\r\nname=\"a name of one\"\r\npos=-0.500000\r\n\r\n", sections))
	region, read, counting := span.Between(0, src.Size()), 0, ini
	counting.Value = func(c *simple.Cursor) {
		read++
		readIni(c)
	}
	f := simple.New(counting).Formats(&format.Request{}, src, region)[0]
	if err := tree.New(src, f.Open(src, region), region).BuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	if most := sections / 2; read > most {
		t.Errorf("%d values were read of %d sections", read, sections)
	}
}

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

// TestPlainPair says which lines are passed at once, and where their parts are.
func TestPlainPair(t *testing.T) {
	for _, c := range []struct{ line, key, text string }{
		{"x=1\n", "x", "1"},
		{"x=1\r\nnext", "x", "1"},
		{"Item_2=-0.500000\n", "Item_2", "-0.500000"},
		{"name=\"item 777 of a bag\"\n", "name", "item 777 of a bag"},
		{"a=\"x;y#z=[1]'\"\n", "a", "x;y#z=[1]'"},
		{"a=\"\"\n", "a", ""},
	} {
		p := plainPair([]byte(c.line))
		if p.End == 0 || c.line[:p.Key] != c.key || c.line[p.From:p.To] != c.text || p.Head != p.Key+1 || c.line[p.End-1] != '\n' {
			t.Errorf("%q: %+v", c.line, p)
		}
	}
	for _, line := range []string{
		"", "\n", "x", "x=", "x=\n", "=1\n", " x=1\n", "x =1\n", "x= 1\n", "x=1 \n", "x=1;y\n", "x=1#\n", ";x=1\n", "[x]=1\n", "x=1", "x=1\r", "x=1\rz\n",
		"x=a b\n", "x=ä\n", "ä=1\n", "x='1'\n", "x=\"1\n", "x=\"1", "x=\"1\"", "x=\"1\" \n", "x=\"1\"2\n", "x=\"1\\\"2\"\n", "x=\"ä\"\n", "x=\"a\tb\"\n",
		"x=\"a\x7f\"\n", "x=[1]\n", "x=\"1\"\"\n",
	} {
		if p := plainPair([]byte(line)); p.End != 0 {
			t.Errorf("%q: %+v", line, p)
		}
	}
}

// TestPlainPassed: whoever only passes a file reads no key and no value of a plain line.
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
	if most := 2*sections + sections/2; read > most {
		t.Errorf("%d values were read of %d sections", read, sections)
	}
}

package gamemaker_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"varview/decoder/edit/simple/simpletest"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/source/sourcetest"
	"varview/decoder/engine/span"
	"varview/decoder/formats/gamemaker"
)

// TestIni reads lines of all forms: their meaning, their fields and their problems.
func TestIni(t *testing.T) {
	s := simpletest.Suite{Family: gamemaker.Ini, AnyEnd: true}
	for _, c := range []struct {
		text, json, fields string
		problems           []string
	}{
		{"[a]\r\nx=\"1\"\r\n", `{"a":{"x":"1"}}`,
			`type [=[; text text=a; terminator ]=]\r\n; text text=x; type ==\u003d; type quote="; text text=1; terminator quote="; terminator line end=\r\n`, nil},
		{"[a]\nx=1.000000 ; c\n[b]", `{"a":{"x":"1.000000"},"b":{}}`,
			`type [=[; text text=a; terminator ]=]\n; text text=x; type ===; text text=1.000000; padding blank= ; text rest of the line=; c; terminator line end=\n; type [=[; text text=b; terminator ]=]`, nil},
		{" ; c\n\n\n[a b]\n k = v w\n# d\n", `{"a b":{"k":"v w"}}`,
			`text comment= ; c\n; padding blank=\n\n; type [=[; text text=a b; terminator ]=]\n; padding blank= ; text text=k; type == =; padding blank= ; text text=v w; terminator line end=\n; text comment=# d\n`, nil},
		{"x=1\n[a]\njunk\ny=\nz='it\"s'\n", `{"":{"x":"1"},"a":{"y":"","z":"it\"s"}}`,
			`text text=x; type ===; text text=1; terminator line end=\n; type [=[; text text=a; terminator ]=]\n; text ignored line=junk\n; text text=y; type ===; terminator line end=\n; text text=z; type ===; type quote='; text text=it"s; terminator quote='; terminator line end=\n`,
			[]string{"warning engine-cannot-read 0+0 $[\"\"]@key: keys before the first section: GameMaker does not read them", "warning engine-cannot-read 8+5 $.a.y@key: a line that is neither a section nor a key is ignored"}},
		{"[a]\ni=[1;2]\nj={a#}\nk=\"a\\\"b\" c\nl=\"a\\\"\nm='b\n", `{"a":{"i":"[1;2]","j":"{a#}","k":"a\\\"b","l":"a\\\"","m":"b"}}`, "",
			[]string{"warning engine-cannot-read 28+1 $.a.k: the line has text after the closing quote, which is ignored",
				"warning engine-cannot-read 33+3 $.a.l: no quote ends the text, which goes up to the end of the line",
				"warning engine-cannot-read 40+1 $.a.m: no quote ends the text, which goes up to the end of the line"}},
		{"[a]\nx=1\nx=2\n[a]\n", `{"type":"ini","args":["a",{"type":"section","args":["x","1","x","2"]},"a",{}]}`, "",
			[]string{"warning repeated-key 8+2 $.a.x#2@key: an earlier entry has the same key", "warning repeated-key 12+4 $.a#2@key: an earlier entry has the same key"}},
		{"[a]\nx=1\ny=3\nx =2\n", `{"a":{"type":"section","args":["x","1","y","3","x","2"]}}`, "",
			[]string{"warning repeated-key 12+3 $.a.x#2@key: an earlier entry has the same key"}},
		{"[a\nx=1\n", `{"a":{"x":"1"}}`, "", []string{"warning truncated 2+1 $.a@key: the bracket at the end of the name is missing"}},
		{"[a]\nx=\"\xff\"\n", `{"a":{"x":{"type":"text","hex":"ff"}}}`, "", []string{"warning invalid-utf8 7+1 $.a.x: byte 0xff is not valid UTF-8"}},
	} {
		s.Samples = append(s.Samples, simpletest.Sample{Text: c.text, JSON: c.json, Fields: strings.ReplaceAll(c.fields, `\u003d`, "="), Problems: c.problems})
	}
	s.Run(t)
}

// TestSniffIni: any key may begin a section, of those with brackets one as GameMaker writes it.
func TestSniffIni(t *testing.T) {
	for text, want := range map[string]format.Claim{
		"[0]\nin[0]=\"5.000000\"\n": format.Signature, "[a]\nx = 1\n": format.Signature, "[Desktop Entry]\nName[an]=Demonio\n": format.None,
		"[a]\nx=C:/Games/x (USA).sfc\n": format.Signature, "[link](x)\n": format.None,
		"[a]\ngold 100\nhp=\"5.000000\"\n": format.LastResort, "[a]\ngold 100\nhp=5\n": format.None,
		"[a]\nx=1\ny=2\nz=3\njunk\njunk\n": format.Signature, "x=1\n\n; c\ny =\n[a]\nz=1\n": format.LastResort, "x=1\n[1,2]\n": format.None, "x=1\n[a]\n": format.None,
		"[i:j]\n\nmax = b\nif max {\n}\n": format.None, "[ me ]\n* urgency=low\n* fixes: a\n  and b\n": format.None,
	} {
		if got := gamemaker.Ini.Sniff(source.Bytes(text), span.Between(0, int64(len(text)))); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestProperties reads and edits keys without sections: all behind the equals sign is the value.
func TestProperties(t *testing.T) {
	s := simpletest.Suite{Family: gamemaker.Properties, AnyEnd: true}
	s.Samples = []simpletest.Sample{
		{Text: "#Mon Jul 14\nname=Player 1\r\n\nwindow.width = 800 ; px\n", JSON: `{"name":"Player 1","window.width":"800 ; px"}`,
			Fields: `text comment=#Mon Jul 14\n; text text=name; type ==\u003d; text text=Player 1; terminator line end=\r\n; padding blank=\n; text text=window.width; type == =; padding blank= ; text text=800 ; px; terminator line end=\n`},
		{Text: "a=\nb=b\\:7=8\nc=\"x y\"", JSON: `{"a":"","b":"b\\:7=8","c":"x y"}`},
		{Text: "a=1\nb=2\n# end\n", JSON: `{"a":"1","b":"2"}`},
		{Text: "a=\"./x\",\nb=\"\nc='d'\n", JSON: `{"a":"\"./x\",","b":"\"","c":"d"}`},
		{Text: "a=1\n[b]\nc\n=2\n", JSON: `{"a":"1","":"2"}`, Problems: []string{
			"warning engine-cannot-read 4+4 $[\"\"]@key: a line that is neither a section nor a key is ignored",
			"warning engine-cannot-read 8+2 $[\"\"]@key: a line that is neither a section nor a key is ignored"}},
	}
	for i := range s.Samples {
		s.Samples[i].Fields = strings.ReplaceAll(s.Samples[i].Fields, `\u003d`, "=")
	}
	s.Run(t)
	simpletest.CheckTexts(t, gamemaker.Properties, []simpletest.Edit{
		{"# c\nx = 1\ny=2\n", "set", "$.x", `"#7; \"8\""`, "# c\nx = #7; \"8\"\ny=2\n"},
		{"x=1\r\ny=\"2\"\r\n", "set", "$.y", "5", "x=1\r\ny=\"5\"\r\n"},
		{"x=\"1\",\ny=2\n", "set", "$.x", `"\"3\","`, "x=\"3\",\ny=2\n"},
		{"x=1\ny=2", "set", "$.y", `""`, "x=1\ny=\n"},
		{"x=1\ny=2", "set", "$.y", `" 2"`, "keys and values has no value for this"},
		{"x = 1\ny = 2", "insert", "$.z", `"v w"`, "x = 1\ny = 2\nz = v w\n"},
		{"x=1\ny=2\n", "delete", "$.x", "", "y=2\n"},
		{"x=1\ny=2\n", "set", "$.y@key", `"b.c"`, "x=1\nb.c=2\n"},
	})
	for text, want := range map[string]format.Claim{
		"a=1\nb.c = x y\n": format.LastResort, "#x\n\n; y\nkey-1=\nkey-2=": format.LastResort, "a=1\n": format.None, "a=1\n[s]\nb=2\n": format.None,
		"#!/bin/sh\nA=1\nB=2\n": format.None, "a=1\nif (a==b) c=2\n": format.None, "let x = 5;\nlet y = 6;\n": format.None, "a=1\nb=2\nprose\n": format.None,
		strings.Repeat("k=v\n", 2000) + "[s]\n": format.LastResort,
	} {
		if got := gamemaker.Properties.Sniff(source.Bytes(text), span.Between(0, int64(len(text)))); got != want {
			t.Errorf("%.40q: %v, want %v", text, got, want)
		}
	}
}

// TestIniEdits checks that an edit leaves the rest of its line and all other lines as they are.
func TestIniEdits(t *testing.T) {
	simpletest.CheckTexts(t, gamemaker.Ini, []simpletest.Edit{
		{"[a]\nx = 1 ; c\n", "set", "$.a.x", "2", "[a]\nx = 2 ; c\n"},
		{"[a]\nx=\"20.000000\"\n", "set", "$.a.x", "7", "[a]\nx=\"7.000000\"\n"},
		{"[a]\nx=\"20.000000\"\n", "set", "$.a.x", "1e-9", "[a]\nx=\"1e-09\"\n"},
		{"[a]\nx=\"20.000000\"\n", "set", "$.a.x", "true", "[a]\nx=\"true\"\n"},
		{"[a]\r\nx=\"1\"\r\n", "set", "$.a.x", `"say \"hi\""`, "[a]\r\nx='say \"hi\"'\r\n"},
		{"[a]\r\nx=\"1\"\r\n", "set", "$.a.x", `"it's \"x\""`, "[a]\r\nx=it's \"x\"\r\n"},
		{"[a]\r\nx=\"1\"\r\n", "set", "$.a.x", `"\"it's\""`, "INI has no value for this"},
		{"[a]\r\nx=\"1\"\r\n", "set", "$.a.x", `"a\nb"`, "INI has no value for this"},
		{"[a]\r\nx=\"1\"\r\n", "set", "$.a.x", `"a\\"`, "INI has no value for this"},
		{"[a]\nx=1\n", "set", "$.a.x", `"a;b"`, "[a]\nx=\"a;b\"\n"},
		{"[a]\nx=1\r\ny=2\n", "set", "$.a.y", `"p;q"`, "[a]\nx=1\r\ny=\"p;q\"\n"}, // each line keeps its end
		{"[a]\nx = 1", "insert", "$.a.y", `"b"`, "[a]\nx = 1\ny = b\n"},
		{"[a]\nx=1\n", "set", "$.a.x@key", `"y z"`, "[a]\ny z=1\n"},
		{"[a]\nx=1\n", "set", "$.a.x@key", `"y=z"`, "INI has no key like this"},
		{"[a]\nx=1\n", "set", "$.a.x@key", `"[y"`, "INI has no key like this"},
		{"[a]\nx=1\n", "set", "$.a.x@key", `";y"`, "INI has no key like this"},
		{"; c\n[a]\nx=1\n", "set", "$.a@key", `"b"`, "; c\n[b]\nx=1\n"},
		{"[a]\nx=1\n\n[c]\n", "insert", "$.b", `{"k": "v"}`, "[a]\nx=1\n\n[c]\n\n[b]\nk=v\n"},
		{"; c\nz=1\n[a]\nx=1\n", "first", "$.b", `{"k": "v"}`, "entries before all sections stay there"},
		{"; c\n[a]\nx=1\n", "first", "$.b", `{"k": "v"}`, "; c\n[b]\nk=v\n[a]\nx=1\n"},
		{"z=1\n[a]\nx=1\n", "set", "$[\"\"].z", "2", "z=2\n[a]\nx=1\n"},
		{"z=1\n[a]\nx=1\n", "insert", "$[\"\"].y", "2", "z=1\ny=2\n[a]\nx=1\n"},
		{"z=1\n[a]\nx=1\n", "delete", "$[\"\"]", "", "[a]\nx=1\n"},
		{"z=1\n[a]\nx=1\n", "set", "$[\"\"]@key", `"b"`, "[b]\nz=1\n[a]\nx=1\n"},
		{"z=1\n[a]\nx=1\n", "set", "$", `{"a": {"x": "1"}, "": {"z": "1"}}`, "[a]\nx=1\n[]\nz=1\n"},
		{"[a]\n[c]\nx = \"1\"\n", "insert", "$.b", `{"k": "1", "l": "v w"}`, "[a]\n[c]\nx = \"1\"\n[b]\nk = \"1\"\nl = \"v w\"\n"},
		{"[a]\r\nx=1\r\n\r\n; of c\r\n[c]\r\nx=1\r\n\r\n", "insert", "$.b", `{"k": "v w", "l": "", "m": "a;b"}`, "[a]\r\nx=1\r\n\r\n; of c\r\n[c]\r\nx=1\r\n\r\n[b]\r\nk=v w\r\nl=\"\"\r\nm=\"a;b\"\r\n\r\n"},
		{"[a]\nx=1\n; of c\n\n[c]\n", "insert", "$.b", `{}`, "[a]\nx=1\n; of c\n\n[c]\n[b]\n"},
		{"[a]\n[c]\nx=1\n", "insert", "$.a.y", `"v"`, "[a]\ny=v\n[c]\nx=1\n"},
		{"[a]\nx=1\n", "set", "$.a", `{"x": "1", "y": "v"}`, "[a]\nx=1\ny=v\n"},
		{"; c\nz 1\n", "first", "$.b", `{"k": "v"}`, "; c\nz 1\n[b]\nk=\"v\"\n"},
		{"[a]\nx=1\n; of y\ny=2\n", "delete", "$.a.y", "", "[a]\nx=1\n; of y\n"},
		{"[a]\nx=1\n[b]\ny=2\n", "delete", "$.a", "", "[b]\ny=2\n"},
		{"[a]\n; c\nx=1 ; d\ny=2", "set", "$.a", `{"y": "3", "x": "1"}`, "[a]\ny=3\n; c\nx=1 ; d\n"},
	})
}

// A line is a line of an INI file in memory.
type line struct{ before, name, value, after string }

// TestIniRandom makes random edits of files with comments and blank lines, and compares them with the same
// edits of lines in memory.
func TestIniRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 60 {
		sections := [][]line{}
		render := func() string {
			var text strings.Builder
			for _, lines := range sections {
				for i, l := range lines {
					text.WriteString(l.before)
					if i == 0 {
						fmt.Fprintf(&text, "[%s]\n", l.name)
					} else {
						fmt.Fprintf(&text, "%s=\"%s\"%s\n", l.name, l.value, l.after)
					}
				}
			}
			return text.String()
		}
		layout := func() line {
			return line{[]string{"", "\n", "; note=1\n", "  # [x]\n\n"}[r.IntN(4)], fmt.Sprint("n", r.IntN(1e6)), "v", []string{"", " ; c", "\t"}[r.IntN(3)]}
		}
		for range 1 + r.IntN(3) {
			lines := []line{layout()}
			for range 1 + r.IntN(4) {
				lines = append(lines, layout())
			}
			sections = append(sections, lines)
		}
		for range 10 {
			b := render()
			i := r.IntN(len(sections))
			lines := sections[i]
			op, path, value := "set", "$."+lines[0].name, ""
			switch n := len(lines) - 1; {
			case r.IntN(3) == 0: // a new key before all others
				name := fmt.Sprint("new", r.IntN(1e6))
				op, path, value = "insert", path+"."+name, `"w"`
				fresh := line{"", name, "w", ""}
				sections[i] = slices.Insert(lines, 1, fresh)
			case n > 0 && r.IntN(3) == 0:
				at := 1 + r.IntN(n)
				op, path = "delete", path+"."+lines[at].name
				if at < n {
					lines[at+1].before = lines[at].before + lines[at+1].before
				} else if lines[at].before != "" {
					if i+1 == len(sections) {
						continue // what is before it ends the file
					}
					sections[i+1][0].before = lines[at].before + sections[i+1][0].before
				}
				sections[i] = slices.Delete(lines, at, at+1)
			case n > 0:
				at := 1 + r.IntN(n)
				lines[at].value = fmt.Sprint("text ", r.IntN(100))
				path, value = path+"."+lines[at].name, `"`+lines[at].value+`"`
			default:
				path, value, lines[0].name = path+"@key", `"renamed"`+"", "renamed"
				if strings.Contains(b, "[renamed]") {
					continue
				}
			}
			if op == "insert" { // the helper inserts at the front
				op = "first"
			}
			got, err := simpletest.Change(t, open(t, "ini", []byte(b)), op, path, value)
			if want := render(); err != nil || string(got) != want {
				t.Fatalf("%q: %s %s=%s: %v gives\n%q, want\n%q", b, op, path, value, err, got, want)
			}
		}
	}
}

// TestIniReads: a line is looked at where it is, without fetching all that follows it.
func TestIniReads(t *testing.T) {
	tree := open(t, "ini", []byte(strings.Repeat("[some section]\nx=1\nname=\"a name of one\"\n\n", 5000)))
	counted := &sourcetest.Counted{Source: tree.Source}
	tree.Source = counted
	if err := tree.BuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	if counted.Bytes > 2*tree.Source.Size() {
		t.Errorf("%d reads of %d bytes for a file of %d", counted.Reads, counted.Bytes, tree.Source.Size())
	}
}

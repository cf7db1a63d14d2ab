package elephantref

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// Fields by hand, from the annotated examples of the specification (section 11).
var annotated = []struct {
	file, schemas string
	want          string // offset length kind path
}{
	{"v1-5-1-diffs-middle-member", "schemas-basic", `
		0 4 magic $
		4 4 version $
		8 1 type $
		9 2 length $
		11 2 ctor $
		13 7 text $
		20 1 terminator $
		21 1 schema $
		22 2 skip $
		24 2 skip $
		26 2 skip $
		28 2 terminator $
		30 4 value $.hp
		34 2 length $.loot
		36 8 value $.y
		44 4 magic $`},
	{"v1-0-0-ctor-array-of-one", "schemas-basic", `
		0 4 magic $
		4 4 version $
		8 1 type $
		9 2 length $
		11 1 type $
		12 7 text $[0]
		19 1 terminator $[0]
		20 1 schema $[0]
		21 1 value $[0].hp
		22 1 terminator $[0].name`},
	{"v1-5-1-array-mixed", "", `
		0 4 magic $
		4 4 version $
		8 1 type $
		9 2 length $
		11 1 type $
		12 1 type $[0]
		13 8 value $[0]
		21 1 type $[1]
		22 3 text $[1]
		25 1 terminator $[1]
		26 1 type $[2]
		27 1 value $[2]
		28 1 type $[3]
		29 1 type $[4]
		30 8 value $[4]
		38 1 type $[5]
		39 2 length $[5]
		41 1 type $[5]
		42 8 value $[5][0]
		50 1 type $[6]
		51 2 length $[6]
		53 5 text $[6].seven@key
		58 1 terminator $[6].seven@key
		59 1 type $[6].seven
		60 8 value $[6].seven
		68 4 magic $`},
}

func TestFieldsOfAnnotatedFiles(t *testing.T) {
	for _, tt := range annotated {
		f, err := Decode(readFile(t, "../../testdata/elephant/"+tt.file+".bin"), readSchemas(t, tt.schemas))
		if err != nil {
			t.Fatal(tt.file, err)
		}
		checkFields(t, tt.file, f, tt.want)
	}
}

func checkFields(t *testing.T, name string, f *File, want string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(want), "\n")
	got := f.Fields()
	for i := range max(len(got), len(lines)) {
		g, w := "", ""
		if i < len(got) {
			g = fmt.Sprintf("%d %d %s %s", got[i].Offset, got[i].Length, got[i].Kind, got[i].Path)
		}
		if i < len(lines) {
			w = strings.TrimSpace(lines[i])
		}
		if g != w {
			t.Errorf("%s: field %q, want %q", name, g, w)
		}
	}
}

// TestPaths reads handmade structs with repeated names, references and odd names.
func TestPaths(t *testing.T) {
	tests := []struct{ name, block, want string }{
		{"a repeated name", "50454c45 01050100 ce 0300 6100 cf 6200 cf 6100 cd 0100 cf 544e4148", `
			0 4 magic $
			4 4 version $
			8 1 type $
			9 2 length $
			11 1 text $.a@key
			12 1 terminator $.a@key
			13 1 type $.a
			14 1 text $.b@key
			15 1 terminator $.b@key
			16 1 type $.b
			17 1 text $.a#2@key
			18 1 terminator $.a#2@key
			19 1 type $.a#2
			20 2 length $.a#2
			22 1 type $.a#2
			23 4 magic $`},
		{"no name, a quoted one, a reference, bytes after the block", "50454c45 01050100 ce 0200 00 ce ffff 0000 220a00 cf 544e4148 0102", `
			0 4 magic $
			4 4 version $
			8 1 type $
			9 2 length $
			11 1 terminator $[""]@key
			12 1 type $[""]
			13 2 length $[""]
			15 2 ref $[""]
			17 2 text $["\"\n"]@key
			19 1 terminator $["\"\n"]@key
			20 1 type $["\"\n"]
			21 4 magic $
			25 2 gap $`},
	}
	for _, tt := range tests {
		f, err := Decode(fromHex(t, tt.block), nil)
		if err != nil {
			t.Fatal(tt.name, err)
		}
		checkFields(t, tt.name, f, tt.want)
	}
}

func fromHex(t *testing.T, digits string) []byte {
	block, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return block
}

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"":             `""`,
		`a"b\`:         `"a\"b\\"`,
		"\t\x1b\x7f":   `"\t\u001b\u007f"`,
		"ü\u200d":      `"ü\u200d"`,
		"\u202e":       `"\u202e"`,
		"\U000e0001":   `"\udb40\udc01"`, // a tag character, as a surrogate pair
		"\xff\ufffd":   `"\udcff` + "\ufffd" + `"`,
		"\xe2\x82":     `"\udce2\udc82"`,
		"name\u2028br": `"name\u2028br"`,
	} {
		if got := quote(text); got != want {
			t.Errorf("quote(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestErrorsSayWhere(t *testing.T) {
	critter := Schemas{"Critter": {Versions: map[int]*Schema{1: {Members: []Member{{"hp", U8}}}, 2: {Verbose: true}}}}
	tests := []struct {
		block string
		want  Error
	}{
		{"50454c45 01050100 10 0000 544e4148", Error{8, "illegal datatype 16"}},
		{"50454c45 00030100 ce 0000 544e4148", Error{8, "illegal datatype 206"}},
		{"50454c45 00040100 ce 0100 6100 0f 0000 544e4148", Error{13, "illegal datatype 15"}},
		{"41544d43 00000100 12", Error{8, "illegal datatype 18"}},
		{"41544d43 00020100 cf", Error{0, "header mismatch"}},
		{"50454c45 00000100 11", Error{0, "header mismatch"}},
		{"50454c45 02050100 cf", Error{4, "unsupported version 1.5.2"}},
		{"50454c45 01050100 09 0000", Error{9, "8 bytes needed, 2 are left"}},
		{"50454c45 01050100 cf 544e4149", Error{9, "footer mismatch"}},
		{"50454c45 01050100 0b 6161", Error{9, "string runs past the end"}},
		{"50454c45 01050100 ce feff 0000 5800 80", Error{13, `no constructor "X"`}},
		{"50454c45 01050100 ce feff 0000 4372697474657200 03", Error{21, `constructor "Critter" has no schema v3`}},
		{"50454c45 01050100 ce feff 0000 4372697474657200 02",
			Error{21, `schema v2 of constructor "Critter" is a verbose one, the body is not`}},
		{"50454c45 01050100 ce feff 0000 4372697474657200 01 0300", Error{22, "skipped member 3 of 1"}},
		{"41544d43 00000100 20 5800 01", Error{11, `constructor "X" has no schema v1`}},
		{"50454c45 01050100 cd" + strings.Repeat("0100cd", maxDepth), Error{9 + 3*maxDepth, "more than 2048 levels"}},
	}
	for _, tt := range tests {
		_, err := Decode(fromHex(t, tt.block), critter)
		if !reflect.DeepEqual(err, &tt.want) {
			t.Errorf("%.60s: %v, want %v", tt.block, err, &tt.want)
		}
	}
}

// TestValuesAreCounted checks that elements without bytes cannot fill the memory.
func TestValuesAreCounted(t *testing.T) {
	var block strings.Builder
	block.WriteString("50454c45 01050100 cd 0010 cd") // 4096 arrays of 65534 times undefined
	block.WriteString(strings.Repeat("feff cf", 4096))
	block.WriteString("544e4148")
	if _, err := Decode(fromHex(t, block.String()), nil); err == nil || !strings.Contains(err.Error(), "more than 4194304 values") {
		t.Error(err)
	}
}

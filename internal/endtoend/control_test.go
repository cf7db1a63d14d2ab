package endtoend

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// poison is text that acts on a terminal: escape sequences, also in one byte and in
// UTF-8, and other control characters, also those that turn text around or are not seen.
const poison = "\u202e\u200b\x1b[2J\x1b]0;x\x07\u009b31m\b\r\t\x7f\v\u0085\x1bc\x9b2J\x9c\x00\n\x1b"

// textCommands are all commands that print the content of a file. FILE is the file,
// OUT one that does not exist.
var textCommands = [][]string{
	{"FILE"},
	{"dump", "FILE"},
	{"dump", "--json", "FILE"},
	{"export", "FILE"},
	{"export", "--text", "FILE"},
	{"export", "--typed", "FILE"},
	{"get", "FILE", "$"},
	{"get", "FILE", "$.missing" + poison},
	{"get", "--json", "FILE", "$"},
	{"restore", "--dry-run", "FILE"},
	{"find", "FILE", "type:*"},
	{"find", "--json", "FILE", "type:*"},
	{"find", "FILE", "key:" + poison + " >x" + poison},
	{"info", "FILE"},
	{"info", "--json", "FILE"},
	{"check", "FILE"},
	{"check", "--json", "FILE"},
	{"check", "--safe", "FILE"},
	{"check", "--format", "junit", "FILE"}, {"check", "--format", "sarif", "FILE"}, {"check", "--format", "github", "FILE"},
	{"check", "--safe", "--json", "FILE"},
	{"repair", "--dry-run", "FILE"},
	{"repair", "--dry-run", "--json", "FILE"},
	{"repair", "--list", "FILE"},
	{"set", "--dry-run", "FILE", "[0]=1"},
	{"set", "--dry-run", "FILE", "$=" + poison},
	{"set", "--dry-run", "--patch", "-", "FILE", "[0]=1"},
	{"insert", "--dry-run", "FILE", "[0]=1"},
	{"delete", "--dry-run", "FILE", "[0]"},
	{"import", "FILE", "-o", "OUT", "--as", "godot4"},
	{"convert", "FILE", "--to", "elephant-1.5.1", "-o", "OUT"},
	{"diff", "FILE", "testdata/godot4/save-settings.bin"},
	{"diff", "--json", "testdata/godot4/save-settings.bin", "FILE"},
	{"diff", "--patch", "testdata/godot4/save-settings.bin", "FILE"},
	{"diff", "--textconv", "FILE"},
	{"merge", "testdata/godot4/save-settings.bin", "FILE", "testdata/godot4/store-several-types.bin", "-o", "OUT"},
	{"packets", "FILE"},
	{"table", "FILE", "$"},
	{"table", "--csv", "FILE", "[0]"},
	{"sort", "--dry-run", "FILE", "[0]"},
	{"config"},
	{"formats", poison},
	{"recover", "FILE"},
	{"layers", "FILE"}, {"layers", "FILE", "--try"},
	{"ksy", "new", "FILE"}, {"guess", "FILE"}, {"guess", "FILE", "a" + poison + "=1"},
}

// endless are commands that do not end by themselves; tests of their own run them.
var endless = []string{"watch", "listen"}

// poisonedFiles have text wherever there can be text: keys, names of classes, properties, members and
// constructors, paths, scripts.
var poisonedFiles = []string{
	"godot4/typed-array-script", "godot4/dictionary-nonstring-keys", "godot4/node-path-subnames", "godot4/packed-string",
	"godot4/typed-dict-class-value", "godot4/signal-object", "godot4/string-name", "godot4/packet-chat",
	"godot3/object-full-scripted-resource", "godot3/pool-string-array-unicode", "pandemonium/p53-object-full-typed-array-resource",
	"elephant/v1-5-1-struct-odd-names", "elephant/v1-5-1-ctor-version-verbose", "elephant/v1-0-0-ctor-array-of-different",
	"elephant/v1-5-1-savegame-player", "damaged/truncated-string",
}

// TestControlCharacters puts control characters into all text in files, and into their names, and checks
// what each command prints. All files and all commands take part, but not in every combination.
func TestControlCharacters(t *testing.T) {
	long(t)
	dir := poisonedFolder(t)
	const every = 16
	for i, name := range poisonedFiles {
		name = filepath.Join("testdata", name+".bin")
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "save"+poisonedName()+".dat")
		write(t, file, poisoned(t, name, data))
		for j := i % every; j < len(textCommands); j += every {
			checkPlain(t, name, dir, file, textCommands[j])
		}
	}
}

// TestControlCharactersInText does the same for files that are text, whose
// characters appear in messages.
func TestControlCharactersInText(t *testing.T) {
	long(t)
	dir, first := poisonedFolder(t), 0
	const every = 7
	for name, content := range map[string]string{
		"xxd":     "00000000: 0200 0000 0500 0000  " + poison[:9] + "\n00000008: 0200" + poison + "\n",
		"hexdump": "00000000  02 00 00 00 05 00 00 00                           |" + poison[:8] + "|\n",
		"base64":  "AgAAAAUA\x1b[2JAAA=\u009b",
		"json":    `{"type":"Vector2","args":["` + poison + `"]}`,
		"object":  "Object(\x1b[31mX)", "resource": "[gd_resource type=\"A\x1b[31m\" format=3]\n\n[resource]\na = Object(\x1b[31mX)\nb = \x1b]0;x\x07\n",
		"config": "[a]\n\nb=Object(\x1b[31mX)\nc=\x1b[2J\n", "ini": "[\x1b[2J]\na=\x1b[31m\n",
		"nothing": strings.Repeat(poison, 20),
	} {
		file := filepath.Join(dir, "save"+poisonedName()+".dat")
		write(t, file, []byte(content))
		for i := first; i < len(textCommands); i += every {
			checkPlain(t, name, dir, file, textCommands[i])
		}
		first = (first + 1) % every // so that all commands take part
	}
}

// TestAllCommandsAreChecked checks that the tests above cover all commands.
func TestAllCommandsAreChecked(t *testing.T) {
	help := run(t, 0, "--help").stdout
	_, list, _ := strings.Cut(help, "\n\nLook:\n")
	list, _, _ = strings.Cut(list, "\n\nFlags:\n")
	listed := regexp.MustCompile(`(?m)^  ([a-z]+) `).FindAllStringSubmatch(list, -1)
	if len(listed) < 10 {
		t.Fatalf("the help lists %q", list)
	}
	for _, m := range listed {
		known := slices.ContainsFunc(textCommands, func(c []string) bool { return c[0] == m[1] })
		if !known && !slices.Contains(endless, m[1]) && m[1] != "help" && m[1] != "completion" && m[1] != "git" && m[1] != "version" { // which read no file
			t.Errorf("no test runs %s on control characters", m[1])
		}
	}
}

// poisonedName is the part of poison that a file's name can contain.
func poisonedName() string {
	if runtime.GOOS == "windows" {
		return ""
	}
	return strings.NewReplacer("\x00", "", "\n", "").Replace(poison)
}

// poisonedFolder is a folder with GML whose names are control characters.
func poisonedFolder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a"+poisonedName())
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "x"+poisonedName()+".gml"), []byte("function Item(a"+poison+") constructor { ELEPHANT_SCHEMA { v1 : { \"a"+poison+"\" : buffer_"+poison+" } } }\nfunction "+poison))
	return dir
}

// poisoned returns a file with all text replaced by control characters.
func poisoned(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	data = bytes.Clone(data)
	for line := range strings.Lines(run(t, 0, "dump", "--json", "--buffer", "0", name).stdout) {
		var f struct {
			Offset, Length int
			Kind, Path     string
		}
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		if f.Kind != "text" {
			continue
		}
		text := data[f.Offset : f.Offset+f.Length]
		if string(text) == "script" { // which marks a script
			continue
		}
		for i := range text {
			if c := poison[(i+f.Offset)%len(poison)]; c != 0 {
				text[i] = c
			}
		}
	}
	return data
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkPlain runs a command and looks for characters that act on a terminal.
func checkPlain(t *testing.T, what, dir, file string, command []string) {
	t.Helper()
	var args []string
	for _, a := range command {
		switch a {
		case "FILE":
			a = file
		case "OUT":
			a = filepath.Join(dir, "out")
		}
		args = append(args, a)
	}
	out, _ := start(t, args)
	os.Remove(filepath.Join(dir, "out"))
	for _, printed := range []string{out.stdout, out.stderr} {
		if !utf8.ValidString(printed) {
			t.Fatalf("%s: varview %q prints bytes that are no UTF-8: %.200q", what, command, printed)
		}
		for at, r := range printed {
			if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || strings.ContainsRune("\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff", r) {
				t.Fatalf("%s: varview %q prints %q at %d: %.200q", what, command, r, at, printed[max(0, at-60):])
			}
		}
	}
}

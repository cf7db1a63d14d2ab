//go:build unix

package endtoend

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"varview/cli"
	"varview/decoder/engine/span"
	packet "varview/decoder/network/link"
	"varview/decoder/network/pcap"
	"varview/model"
)

// described are commands and the schema that their output follows, in docs/schemas. $TMP is a folder with the
// files that jsonFiles makes.
var described = []struct{ schema, command string }{
	{"check", "check --json testdata/damaged/bytes-count-2-to-the-31.bin testdata/captures/mp-enet-norelay.pcap testdata/elephant/corrupt/ctor-verbose-bit-set.bin testdata/wrapped/godot4-gcpf-zstd-small.bin"},
	{"check", "check --format json testdata/gamemaker testdata/json"},
	{"check", "repair --list --json testdata/damaged/bool-of-7.bin testdata/damaged/nested-too-deep.bin"},
	{"safe", "check --safe --json testdata/evasions/a-save-in-a-save.bin testdata/godot-text/save.tres testdata/elephant/corrupt/ctor-index-starts-at-7.bin testdata/damaged/nested-too-deep.bin"},
	{"codes", "check --codes --json"},
	{"diff", "diff --json testdata/godot3 testdata/pandemonium"},
	{"diff", "diff --json testdata/godot3/save-settings.bin testdata/godot4/save-settings.bin"},
	{"diff", "diff --json $TMP/moved.json $TMP/moved2.json"},
	{"diff", "diff --json $TMP/deep.json $TMP/deep2.json"},
	{"diff", "diff --json $TMP/a.raw $TMP/b.raw"},
	{"diff-stat", "diff --stat --json testdata/godot3 testdata/godot4"},
	{"diff-stat", "diff --stat --json $TMP/a.raw $TMP/b.raw"},
	{"dump", "dump --json testdata/godot4/save-inventory.bin"},
	{"dump", "dump --json testdata/wrapped/godot4-gcpf-zstd-small.bin"},
	{"dump", "dump --json testdata/damaged/invalid-utf8.bin"},
	{"dump", "dump --json testdata/captures/udp.pcap testdata/godot4/bool-true.bin"},
	{"find", "find --json testdata/msgpack testdata/elephant/v1-0-0-savegame-player.bin testdata/captures/udp.pcap ."},
	{"find", "find --json testdata/godot4/save-inventory.bin x:00"},
	{"find", "find --json --buffer 0 testdata/wrapped/godot4-gcpf-zstd-small.bin x:47"},
	{"file-value", "get --json testdata/godot4/save-player-stats.bin testdata/godot3/save-player-stats.bin [0].name"},
	{"file-value", "export testdata/pandemonium testdata/msgpack"},
	{"file-value", "export --json testdata/elephant/v1-0-0-savegame-player.bin testdata/kaitai"},
	{"file-value", "export --jsonl testdata/json testdata/gamemaker"},
	{"", "get --json testdata/godot4/save-player-stats.bin [0]"},
	{"", "table --json testdata/godot4/save-player-stats.bin --columns name=..name"},
	{"formats", "formats --json"},
	{"dialect", "formats --json godot4"},
	{"dialect", "formats --json json"},
	{"info", "info --json testdata/elephant/v1-2-1-export-ctor.txt testdata/damaged/bytes-count-2-to-the-31.bin testdata/wrapped/godot3-encrypted-key-multiple-of-16.bin testdata/elephant/corrupt/ctor-index-starts-at-7.bin testdata/handmade/godot4-big-endian-lengths.bin testdata/gamemaker testdata/msgpack testdata/kaitai"},
	{"info", "info --json $TMP/noise $TMP/structs.ele"},
	{"info", "info --json --as godot4 $TMP/save.dat"},
	{"changes", "set --dry-run --json $TMP/save.dat [0].hp=1 [0].name=\"Mirabel\""},
	{"changes", "set --json $TMP/save.dat $TMP/save2.dat [0].hp=1"},
	{"changes", "insert --dry-run --json $TMP/save.dat [0].stats.con=7"},
	{"changes", "delete --dry-run --json $TMP/save.dat [0].stats.luck"},
	{"changes", "set --dry-run --json testdata/kaitai/save.sav testdata/kaitai/save.sav num_items=2"},
	{"changes", "sort --dry-run --json $TMP/moved.json list"},
	{"repair changes", "repair --dry-run --json testdata/damaged/array-count-2-to-the-31-less-1.bin testdata/damaged/nested-too-deep.bin $TMP/twice.dat"},
	{"repair", "repair --drop --json --as godot4 --framing raw $TMP/twice.dat"},
	{"loss", "convert --to godot3 --as-null --json testdata/godot4/save-settings.bin testdata/godot4/save-player-stats.bin -o $TMP/converted"},
	{"loss", "convert --to godot3 --as-dictionary --json testdata/godot4/save-settings.bin -o $TMP/converted.bin"},
	{"table", "table --json testdata/godot4/save-inventory.bin [0].slots"},
	{"table", "table --json testdata/godot4/save-inventory.bin $TMP/save3.dat [0].currency"},
	{"packets", "packets --json testdata/captures/client_spawn.pcap"},
	{"packets", "packets --json testdata/captures/mp-enet-norelay.pcap"},
	{"packets", "packets --json testdata/sessions/udp-zlib.pcap"},
	{"packets-flows", "packets --flows --json --every 100ms testdata/captures/mp-enet-norelay.pcap"},
	{"packets-stats", "packets --stats --json testdata/captures/auth.pcap"},
	{"config", "config --json"},
	{"version", "version --json"},
	{"conflict", "merge --json $TMP/base.json $TMP/ours.json $TMP/theirs.json -o $TMP/merged.json"},
	{"guess", "guess --json testdata/godot4/save-player-stats.bin testdata/wrapped/godot4-gcpf-zstd-small.bin"},
	{"guess-place", "guess --json testdata/godot4/save-player-stats.bin level=17"},
	{"guess-place", "guess --json testdata/wrapped/godot4-gcpf-zstd-small.bin n=1"},
	{"layers", "layers --json $TMP/file1.rpgsave"},
	{"layers", "layers --json --try $TMP/base64.dat"},
}

// TestSchemas: what commands print as JSON conforms to docs/schemas, which describes nothing else.
func TestSchemas(t *testing.T) {
	long(t)
	ownFolders(t)
	s := &schemaTest{T: t, schemas: map[string]*schema{}, commands: map[string]bool{}}
	files, err := filepath.Glob("docs/schemas/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		s.load(file)
	}
	folder := jsonFiles(t)
	for _, d := range described {
		args := strings.Fields(strings.ReplaceAll(d.command, "$TMP", folder))
		s.commands[args[0]] = s.commands[args[0]] || slices.Contains(args, "--json")
		out, status := start(t, args)
		if status > 1 && !strings.Contains(d.command, "testdata/") || out.stdout == "" {
			t.Errorf("%s: status %d, %.300s", d.command, status, out.stderr)
		}
		s.check(d.command, strings.Fields(d.schema), out.stdout)
	}
	s.recover()
	s.watch(folder)
	s.live(filepath.Join(folder, "live.pcapng"))
	for _, name := range []string{"recover", "watch", "listen"} {
		s.commands[name] = true
	}
	for _, cmd := range cli.Command().Commands() {
		if cmd.Flags().Lookup("json") != nil && !s.commands[cmd.Name()] {
			t.Errorf("%s --json has no schema", cmd.Name())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.schemas)) {
		s.schemas[name].unseen(t, name)
	}
}

// A schemaTest compares output with the schemas.
type schemaTest struct {
	*testing.T
	schemas  map[string]*schema
	commands map[string]bool // that were run
}

// A schema is one of docs/schemas, with what was seen of it.
type schema struct {
	compiled *jsonschema.Schema
	document map[string]any
	seen     map[string]bool // properties, by their place in the document
}

func (s *schemaTest) load(file string) {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	compiled, err := c.Compile(file)
	if err != nil {
		s.Fatal(err)
	}
	x := &schema{compiled: compiled, seen: map[string]bool{}}
	if err := json.Unmarshal(readFile(s.T, file), &x.document); err != nil {
		s.Fatal(err)
	}
	s.schemas[strings.TrimSuffix(filepath.Base(file), ".json")] = x
}

// check compares each line of an output with one of the schemas; without a schema, any JSON will do.
func (s *schemaTest) check(what string, names []string, out string) {
	s.Helper()
	failed := 0
	for line := range strings.Lines(out) {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err == nil {
			err = repeatedName(line)
		}
		if err != nil {
			s.Errorf("%s: %v: %s", what, err, line)
			return
		}
		var all []error
		for _, name := range names {
			x := s.schemas[name]
			if err := x.compiled.Validate(v); err != nil {
				all = append(all, err)
				continue
			}
			x.visit("", x.document, v)
			all = nil
			break
		}
		if len(all) > 0 {
			if failed++; failed < 4 {
				s.Errorf("%s: %v\n%s", what, errors.Join(all...), line)
			}
		}
	}
}

// repeatedName reports a name that an object has twice; those in it may come from a file.
func repeatedName(line string) error {
	d, depth, isName := json.NewDecoder(strings.NewReader(line)), 0, false
	names := map[string]bool{}
	for {
		token, err := d.Token()
		if err != nil {
			return nil
		}
		switch delim, _ := token.(json.Delim); delim {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		default:
			if name, _ := token.(string); depth == 1 && isName && names[name] {
				return fmt.Errorf("%q is there twice", name)
			} else if depth == 1 && isName {
				names[name], isName = true, false
				continue
			}
		}
		isName = depth == 1
	}
}

// visit notes the properties that a value has.
func (x *schema) visit(place string, node map[string]any, v any) {
	if ref, ok := node["$ref"].(string); ok {
		target := any(x.document)
		for step := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
			target = target.(map[string]any)[step]
		}
		node = target.(map[string]any)
	}
	for i, one := range listIn(node["oneOf"]) {
		if fits(one.(map[string]any), v) {
			x.visit(fmt.Sprintf("%s/oneOf/%d", place, i), one.(map[string]any), v)
		}
	}
	switch v := v.(type) {
	case map[string]any:
		properties, _ := node["properties"].(map[string]any)
		for name, inner := range v {
			if p, ok := properties[name].(map[string]any); ok {
				x.seen[place+"/"+name] = true
				x.visit(place+"/"+name, p, inner)
			} else if p, ok := node["additionalProperties"].(map[string]any); ok {
				x.visit(place+"/*", p, inner)
			}
		}
	case []any:
		for _, inner := range v {
			if items, ok := node["items"].(map[string]any); ok {
				x.visit(place+"/[]", items, inner)
			}
		}
	}
}

// fits reports whether a value has exactly what one of several schemas requires.
func fits(node map[string]any, v any) bool {
	properties, _ := node["properties"].(map[string]any)
	object, _ := v.(map[string]any)
	for name := range object {
		if properties[name] == nil {
			return false
		}
	}
	return !slices.ContainsFunc(listIn(node["required"]), func(name any) bool { _, ok := object[name.(string)]; return !ok })
}

func listIn(v any) []any { l, _ := v.([]any); return l }

// unseen reports the properties that no output contained.
func (x *schema) unseen(t *testing.T, name string) {
	var walk func(place string, node map[string]any)
	walk = func(place string, node map[string]any) {
		if node["description"] == nil && place == "" {
			t.Errorf("%s: no description", name)
		}
		for i, one := range listIn(node["oneOf"]) {
			walk(fmt.Sprintf("%s/oneOf/%d", place, i), one.(map[string]any))
		}
		properties, _ := node["properties"].(map[string]any)
		if properties != nil && node["additionalProperties"] != false {
			t.Errorf("%s: %s is open", name, place)
		}
		for _, p := range slices.Sorted(maps.Keys(properties)) {
			inner := properties[p].(map[string]any)
			if !x.seen[place+"/"+p] {
				t.Errorf("%s: no output has %s/%s", name, place, p)
			}
			if inner["description"] == nil && inner["$ref"] == nil {
				t.Errorf("%s: %s/%s has no description", name, place, p)
			}
			walk(place+"/"+p, inner)
		}
		for _, more := range []struct{ key, step string }{{"items", "/[]"}, {"additionalProperties", "/*"}} {
			if inner, ok := node[more.key].(map[string]any); ok {
				walk(place+more.step, inner)
			}
		}
	}
	walk("", x.document)
}

// jsonFiles makes a folder of files that testdata does not have.
func jsonFiles(t *testing.T) string {
	folder := t.TempDir()
	nested := func(n int, inner string) string { return strings.Repeat("[", n) + inner + strings.Repeat("]", n) }
	for name, content := range map[string]string{
		"save3.dat": string(readFile(t, "testdata/godot4/save-inventory.bin")), "save.dat": string(readFile(t, "testdata/godot4/save-player-stats.bin")), "save2.dat": string(readFile(t, "testdata/godot4/save-player-stats.bin")),
		"structs.ele": string(readFile(t, manyStructs(t))),
		"twice.dat":   "\x1b\x00\x00\x00\x02\x00\x00\x00\x04\x00\x00\x00\x02\x00\x00\x00hp\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x04\x00\x00\x00\x02\x00\x00\x00hp\x00\x00\x02\x00\x00\x00\x02\x00\x00\x00",
		"a.raw":       "\x89PNG\r\n\x1a\n one", "b.raw": "\x89PNG\r\n\x1a\n two", "noise": "\x93\x17\xf0\x00\x01\xfe\xa8\x0c\x55",
		"moved.json": `{"list":["c","a","b"],"n":1}`, "moved2.json": `{"list":["a","b","c"],"n":1.0}`,
		"deep.json": nested(300, "1"), "deep2.json": nested(300, "2"),

		"base.json": `{"x":1,"list":[1,1,1,1,1],"y":0}`, "ours.json": `{"x":2,"list":[1,1,1,1],"y":0}`, "theirs.json": `{"x":3,"list":[1,2,1,3,1],"y":0}`,
		"base64.dat":    "eyJnb2xkIjo5OSwibmFtZSI6Ik1pcmEiLCJpdGVtcyI6WzEsMiwzXX0=",
		"file1.rpgsave": "N4KABGBEDmD2A2ATSAuMBOdAacUB2AhgLYCmqUAsgJYBOBkOEkVALiUQM7kDauTADrBZVYeBnyiDho8RCYALEjQBGsuZAL9+8Mo3WbtuiRq061TA2b0XTRuVEt39t8w5fW3hyLgC6eyABm8LCwNOQA7P4cJCTIaACMAEwAzAAsAKwAbOEgAL5AA=",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// manyStructs makes an Elephant file with more constructors than info lists.
func manyStructs(t *testing.T) string {
	values := []byte(`{"type":"array","elephant":{"version":"1.5.1","header":"PELE","footer":true,"tags":204},"id":0,"elem":"any","value":[`)
	for i := range 1001 {
		values = fmt.Appendf(values, `{"type":"struct","id":%d,"constructor":"C%d","constructor_index":%d,"schema_version":1,"verbose":true,"value":[]},`, i+1, i, i)
	}
	folder := t.TempDir()
	typed, file := filepath.Join(folder, "values.json"), filepath.Join(folder, "structs.ele")
	if err := os.WriteFile(typed, append(bytes.TrimSuffix(values, []byte(",")), "]}"...), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, 0, "import", typed, "-o", file)
	return file
}

// recover leaves edits and reads the list of them.
func (s *schemaTest) recover() {
	plain, broken := ownCopy(s.T, "testdata/godot4/save-player-stats.bin"), ownCopy(s.T, "testdata/godot4/save-player-stats.bin")
	leaveUnsaved(s.T, broken, "[0].hp=1", "[0].level=3", "[0].mana=2.5")
	journals, _ := filepath.Glob(filepath.Join(xdg.StateHome, "varview", "unsaved", "*"))
	b := readFile(s.T, journals[0])
	b[bytes.Index(b, []byte(`"set $[0].level"`))] ^= 1
	if err := os.WriteFile(journals[0], b, 0o600); err != nil {
		s.Fatal(err)
	}
	d := openModel(s.T, plain, model.Options{})
	defer d.Close()
	if err := d.KeepUnsaved(); err != nil {
		s.Fatal(err)
	}
	s.check("recover", []string{"recover"}, run(s.T, 0, "recover", "--json").stdout)
}

// piped runs a command and returns the lines of its output; told is where its messages go.
func (s *schemaTest) piped(args ...string) (lines *bufio.Scanner, told *os.File) {
	in, out, err := os.Pipe()
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { in.Close() })
	told = scratch(s.T)
	go func() {
		cli.Run(args, os.Stdin, out, told)
		out.Close()
	}()
	return bufio.NewScanner(in), told
}

// untilTold waits for a message, and returns all messages so far.
func (s *schemaTest) untilTold(told *os.File, what string) string {
	for range 500 {
		if all := string(readFile(s.T, told.Name())); strings.Contains(all, what) {
			return all
		}
		time.Sleep(20 * time.Millisecond)
	}
	s.Fatalf("%q was not told", what)
	return ""
}

// watch changes files that are watched.
func (s *schemaTest) watch(folder string) {
	save, deep := ownCopy(s.T, "testdata/godot4/save-player-stats.bin"), filepath.Join(folder, "deep.json")
	for name, change := range map[string]func(){
		save: func() {
			run(s.T, 0, "set", save, "[0].hp=1", "[0].level=17.0", `[0].buffs@key="effects"`, "--retype", "--no-backup")
		},
		deep: func() { os.Rename(filepath.Join(folder, "deep2.json"), deep) },
	} {
		lines, told := s.piped("watch", name, "--count", "1", "--json", "--when", "[0].hp=1")
		s.untilTold(told, "waiting for it to be saved")
		change()
		for lines.Scan() {
			s.check("watch", []string{"watch"}, lines.Text()+"\n")
		}
	}
}

// live lets a capture be sent to listen, and through it to a server.
func (s *schemaTest) live(recorded string) {
	sink, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		s.Fatal(err)
	}
	defer sink.Close()
	for _, args := range [][]string{{"listen", "udp", ":0"}, {"proxy", "udp", ":0", sink.LocalAddr().String(), "--fault", "duplicate=100%", "-o", recorded}} {
		cmd := exec.Command("varview", append(args, "--json")...)
		var out bytes.Buffer
		cmd.Stdout = &out
		told, err := cmd.StderrPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			s.Fatal(err)
		}
		line, err := bufio.NewReader(told).ReadString('\n')
		if err != nil {
			s.Fatal(err)
		}
		at := strings.TrimSuffix(strings.Fields(line)[4], ",")
		c, err := net.Dial("udp", at)
		if err != nil {
			s.Fatal(err)
		}
		sendAgain(s.T, "testdata/captures/auth.pcap", c)
		c.Close()
		time.Sleep(200 * time.Millisecond)
		cmd.Process.Signal(syscall.SIGTERM) // an interrupt is ignored where the tests are started in the background
		_ = cmd.Wait()                      // with the status of the signal
		if !bytes.Contains(out.Bytes(), []byte(`"kind"`)) {
			s.Errorf("%q: %s", args, out.String())
		}
		s.check(args[0], []string{"packets", "fault"}, out.String())
	}
	s.check("comments", []string{"packets"}, run(s.T, 0, "packets", "--json", recorded).stdout)
}

// sendAgain sends the UDP datagrams that the first sender of a capture has sent.
func sendAgain(t *testing.T, name string, to io.Writer) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := pcap.NewReader(f, func(int, span.Problem) {})
	if _, err := r.Open(); err != nil {
		t.Fatal(err)
	}
	first := 0
	for p, err := r.Next(); err == nil; p, err = r.Next() {
		var h packet.Packet
		packet.Decode(p.Link, p.Data, p.Wire, &h)
		udp, ok := packet.ParseUDP(p.Data[h.Start:h.End])
		if first = cmp.Or(first, int(udp.Src)); ok && int(udp.Src) == first {
			_, _ = to.Write(p.Data[h.Start+packet.UDPSize : h.End])
		}
	}
}

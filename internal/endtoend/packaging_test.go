package endtoend

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// readYAML reads from a file what a variable has fields for.
func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = yaml.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// packed is a file that is packed, or a pattern of several.
type packed struct {
	Src string
	Dst string
}

// UnmarshalYAML also accepts the name alone.
func (p *packed) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		p.Src = node.Value
		return nil
	}
	type both packed
	return node.Decode((*both)(p))
}

// isThere checks that what is packed is in the project, or made by packaging/build.
func (p packed) isThere(t *testing.T) {
	t.Helper()
	if strings.HasPrefix(p.Src, "packaging/out/") {
		return
	}
	if found, err := filepath.Glob(p.Src); err != nil || len(found) == 0 {
		t.Errorf("there is no %s (%v)", p.Src, err)
	}
}

// TestRelease: a release has a static program for every system, which tells its version.
func TestRelease(t *testing.T) {
	var release struct {
		Builds []struct {
			Binary, Ldflags          string
			Env, Flags, Goos, Goarch []string
		}
		Archives []struct{ Files []packed }
	}
	readYAML(t, ".goreleaser.yaml", &release)
	if len(release.Builds) != 1 || len(release.Archives) != 1 {
		t.Fatalf("%d builds, %d archives", len(release.Builds), len(release.Archives))
	}
	build := release.Builds[0]
	if !slices.Equal(build.Goos, []string{"linux", "darwin", "windows"}) || !slices.Equal(build.Goarch, []string{"amd64", "arm64"}) {
		t.Errorf("it is built for %v on %v", build.Goos, build.Goarch)
	}
	if !slices.Contains(build.Env, "CGO_ENABLED=0") || !slices.Contains(build.Flags, "-trimpath") {
		t.Errorf("it is built with %v %v", build.Env, build.Flags)
	}
	for _, file := range release.Archives[0].Files {
		file.isThere(t)
	}
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := filepath.Join(t.TempDir(), build.Binary+".exe")
	flags := strings.ReplaceAll(build.Ldflags, "{{ .Version }}", "1.2.3")
	if out, err := exec.Command("go", "build", "-ldflags", flags, "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(program, "--version").Output()
	if said := string(out); err != nil || !strings.HasPrefix(said, "varview 1.2.3 (") || !strings.HasSuffix(said, runtime.Version()+")\n") {
		t.Errorf("--version says %q (%v)", said, err)
	}
}

// TestPackage: the content of the packages exists, and is installed at absolute paths.
func TestPackage(t *testing.T) {
	var config struct{ Contents []packed }
	readYAML(t, "packaging/nfpm.yaml", &config)
	if len(config.Contents) < 10 {
		t.Fatalf("the packages hold %v", config.Contents)
	}
	for _, file := range config.Contents {
		file.isThere(t)
		if !strings.HasPrefix(file.Dst, "/usr/") {
			t.Errorf("%s goes to %s", file.Src, file.Dst)
		}
	}
}

// mimeType is a type of files, recognised by the bytes at their start.
type mimeType struct {
	Name    string  `xml:"type,attr"`
	Matches []match `xml:"magic>match"`
}

// match says which bytes are at an offset; if it contains others, one of them has to match too.
type match struct {
	Type   string  `xml:"type,attr"`
	Offset int     `xml:"offset,attr"`
	Value  string  `xml:"value,attr"`
	Inside []match `xml:"match"`
}

// bytes returns the bytes to look for.
func (m match) bytes(t *testing.T) []byte {
	t.Helper()
	switch m.Type {
	case "string":
		return []byte(m.Value)
	case "little16":
		n, err := strconv.ParseUint(m.Value, 0, 16)
		if err != nil {
			t.Fatal(err)
		}
		return binary.LittleEndian.AppendUint16(nil, uint16(n))
	}
	t.Fatalf("this test knows no matches of type %s", m.Type)
	return nil
}

// holds reports whether data matches.
func (m match) holds(t *testing.T, data []byte) bool {
	return bytes.HasPrefix(data[min(m.Offset, len(data)):], m.bytes(t)) &&
		(len(m.Inside) == 0 || slices.ContainsFunc(m.Inside, func(m match) bool { return m.holds(t, data) }))
}

// readTypes returns the types of files that the packages describe.
func readTypes(t *testing.T) []mimeType {
	t.Helper()
	var described struct {
		Types []mimeType `xml:"mime-type"`
	}
	data, err := os.ReadFile("packaging/varview.xml")
	if err == nil {
		err = xml.Unmarshal(data, &described)
	}
	if err != nil {
		t.Fatal(err)
	}
	return described.Types
}

// TestTypes: desktops recognise the files that have a signature, and do not mistake one type for another.
func TestTypes(t *testing.T) {
	types, recognised := readTypes(t), map[string]int{}
	for _, folder := range []string{"godot3", "godot4", "pandemonium", "elephant", "wrapped"} {
		files, err := filepath.Glob(filepath.Join("testdata", folder, "*.bin"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%d files in %s (%v)", len(files), folder, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, described := range types {
				if slices.ContainsFunc(described.Matches, func(m match) bool { return m.holds(t, data) }) {
					got = described.Name
				}
			}
			if want := typeOf(t, file); got != want {
				t.Errorf("%s is taken for %q, not %q", file, got, want)
			}
			recognised[got]++
		}
	}
	if len(recognised) != len(types)+1 {
		t.Errorf("files of these types: %v", recognised)
	}
}

// typeOf returns the type of a file according to varview; "" for one without a signature.
func typeOf(t *testing.T, file string) string {
	t.Helper()
	var info struct {
		Dialect  string
		Wrappers []string
	}
	out, _ := start(t, []string{"info", "--json", file})
	if err := json.Unmarshal([]byte(out.stdout), &info); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	switch {
	case len(info.Wrappers) > 0:
		return map[string]string{"gcpf": "application/x-godot-compressed", "gdec": "application/x-godot-encrypted"}[info.Wrappers[0]]
	case strings.HasPrefix(info.Dialect, "elephant-"):
		return "application/x-elephant"
	}
	return ""
}

// TestDesktopEntry: desktops offer varview for every type that the packages describe.
func TestDesktopEntry(t *testing.T) {
	entry, err := os.ReadFile("packaging/varview.desktop")
	if err != nil {
		t.Fatal(err)
	}
	want := "\nMimeType="
	for _, described := range readTypes(t) {
		want += described.Name + ";"
	}
	if !strings.Contains(string(entry), want+"\n") {
		t.Errorf("the desktop entry has not %q:\n%s", want, entry)
	}
}

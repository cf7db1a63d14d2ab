//go:build unix

package endtoend

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// check --safe finds what decoding the bytes and texts of a save would run, and nothing if there is
// nothing.
func TestEvasions(t *testing.T) {
	for _, e := range evasions() {
		name := filepath.Join("testdata/evasions", e.name+".bin")
		if *update {
			if err := os.WriteFile(name, e.data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if kept, err := os.ReadFile(name); err != nil || !bytes.Equal(kept, e.data) {
			t.Errorf("%s is not what its source says (%v); go test ./internal/endtoend -run Evasions -update writes it", name, err)
			continue
		}
		written, status := start(t, []string{"check", "--safe", "--as", "godot3", "--framing", "raw", name})
		out := written.stdout
		says := strings.TrimSpace(strings.TrimPrefix(out, name+": "))
		if status != 1 || e.says != "" && says != e.says || e.says == "" && !strings.HasPrefix(says, "runs code, once its bytes are decoded: ") {
			t.Errorf("%s:\n%s\nwant %s", e.name, says, e.says)
		}
	}
	for _, e := range evasions() { // nor is what detection makes of them called safe
		if out, status := start(t, []string{"check", "--safe", filepath.Join("testdata/evasions", e.name+".bin")}); status != 1 {
			t.Errorf("%s, as it is detected: %s", e.name, out.stdout)
		}
	}
	for _, value := range harmless {
		name := filepath.Join(t.TempDir(), "harmless")
		if err := os.WriteFile(name, array3(value, string3("and a text")), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, _ := start(t, []string{"check", "--safe", "--as", "godot3", "--framing", "raw", name}); !strings.HasSuffix(out.stdout, ": no objects\n") {
			t.Errorf("%q: %s", value, out.stdout)
		}
	}
}

// Content packed in a few bytes is looked into as far as the budget of work allows, and the rest is
// unknown.
func TestEvasionsBudget(t *testing.T) {
	name := filepath.Join(t.TempDir(), "bomb")
	bomb := gzipped(bytes.Repeat([]byte("a bomb"), 12<<20))
	if err := os.WriteFile(name, array3(pool3(bomb)), 0o600); err != nil {
		t.Fatal(err)
	}
	out := run(t, 1, "check", "--safe", "--as", "godot3", "--framing", "raw", name).stdout
	if want := name + ": unknown: $[0]: gzip: more is packed in it than varview looks into\n"; out != want {
		t.Errorf("%s, want %s", out, want)
	}
}

// Many words that may be base64 digits do not make the verdict unknown.
func TestEvasionsWords(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var words [][]byte
	for range 500 {
		word := make([]byte, 18)
		for i := range word {
			word[i] = byte(random.Uint32())
		}
		words = append(words, string3(base64.StdEncoding.EncodeToString(word)))
	}
	name := filepath.Join(t.TempDir(), "words")
	for says, last := range map[string][]byte{"no objects": string3("the end"), "runs code, once its bytes are decoded: ": string3(evilText)} {
		if err := os.WriteFile(name, array3(append(words, last)...), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, _ := start(t, []string{"check", "--safe", "--as", "godot3", "--framing", "raw", name}); !strings.HasPrefix(out.stdout, name+": "+says) {
			t.Errorf("%s, want %s", out.stdout, says)
		}
	}
}

// The engine runs the scripts when a game decodes what the saves hold.
func TestEvasionsEngine(t *testing.T) {
	if _, err := exec.LookPath("godot3-server"); err != nil {
		t.Skip("the engine is not here: install godot3-server (Godot 3, headless)")
	}
	dir := t.TempDir()
	type job struct {
		Name   string `json:"name"`
		Path   string `json:"path"`
		Decode string `json:"decode"`
	}
	var jobs []job
	for _, e := range evasions() {
		if e.decode != "" {
			path, err := filepath.Abs(filepath.Join("testdata/evasions", e.name+".bin"))
			if err != nil {
				t.Fatal(err)
			}
			jobs = append(jobs, job{e.name, path, e.decode})
		}
	}
	list, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"godot3.gd": readFile(t, "testdata/engine/careless.gd"), "jobs.json": list, "project.godot": []byte("config_version=4\n"),
		"evil.gd": []byte("extends Reference\nfunc _init():\n\tprint(\"THE SCRIPT RAN\")\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	said := runEngine(t, dir)
	for _, j := range jobs {
		_, after, _ := strings.Cut(said, "decoding "+j.Name+"\n")
		if part, _, _ := strings.Cut(after, "decoding "); !strings.Contains(part, "THE SCRIPT RAN") {
			t.Errorf("%s: the script has not run:\n%s", j.Name, part)
		}
	}
}

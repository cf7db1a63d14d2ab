//go:build unix

package endtoend

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// An engineJob is a task of testdata/engine/godot3.gd with a file.
type engineJob struct {
	Do      string `json:"do"` // raw, base64, read, write
	Path    string `json:"path"`
	Objects bool   `json:"objects"` // whole objects, not their ids

	// Of read and write.
	Wrapper  string `json:"wrapper"` // "", compressed, key, password
	Mode     int    `json:"mode"`    // of compression
	Key      string `json:"key"`
	Password string `json:"password"`

	Count int    `json:"count"` // read: number of values
	From  string `json:"from"`  // write: plain file whose values are stored
	Times int    `json:"times"` // write: how often
}

// An engineCase is a file, and the values that the engine must find in it.
type engineCase struct {
	about   string
	job     engineJob
	want    []string // canonical forms
	history string   // the commands that have made it
}

// TestGodotEngine edits files with the command line and has the real engine load
// the results.
func TestGodotEngine(t *testing.T) {
	long(t)
	t.Parallel()
	if _, err := exec.LookPath("godot3-server"); err != nil {
		t.Skip("the engine is not here: install godot3-server (Godot 3, headless) to load what is saved")
	}
	var cases []engineCase
	for i, s := range savedFiles(t) {
		cases = append(cases, s.unedited())
		cases = append(cases, s.changed(t, uint64(i))...)
	}
	for _, some := range []func(*testing.T) []engineCase{smallEdits, wholeObjects, everyType, everyLength} {
		cases = append(cases, some(t)...)
	}
	var jobs []engineJob
	for _, c := range cases {
		jobs = append(jobs, c.job)
	}
	for i, answer := range askEngine(t, jobs) {
		t.Run(cases[i].about, func(t *testing.T) { cases[i].compare(t, answer) })
	}
}

// compare compares the engine's answer with the expected values.
func (c *engineCase) compare(t *testing.T, answer any) {
	values, ok := answer.([]any)
	if !ok {
		t.Fatalf("the engine cannot read it: %s\nafter %s", quoted(answer), c.history)
	}
	if len(values) != len(c.want) {
		t.Fatalf("the engine reads %d values, want %d\nafter %s", len(values), len(c.want), c.history)
	}
	for i, v := range values {
		if got := canonicalTyped(v); got != c.want[i] {
			t.Errorf("value %d:\nthe engine reads %s\n           want %s\nafter %s", i, got, c.want[i], c.history)
		}
	}
}

// askEngine has one process of the engine do all jobs.
func askEngine(t *testing.T, jobs []engineJob) []any {
	t.Helper()
	dir := t.TempDir()
	script := readFile(t, "testdata/engine/godot3.gd")
	list, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"godot3.gd": script, "jobs.json": list, "project.godot": []byte("config_version=4\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	said := runEngine(t, dir)
	f, err := os.Open(filepath.Join(dir, "answers.txt"))
	if err != nil {
		t.Fatalf("the engine has answered nothing: %s", said)
	}
	defer f.Close()
	var answers []any
	for r := bufio.NewReader(f); ; {
		line, err := r.ReadString('\n')
		if err != nil {
			break
		}
		var answer any
		decode(t, line, &answer)
		answers = append(answers, answer)
	}
	if len(answers) != len(jobs) {
		t.Fatalf("%d answers of %d; the engine said: %s", len(answers), len(jobs), said)
	}
	return answers
}

// runEngine runs the script in dir and returns what the engine printed.
func runEngine(t *testing.T, dir string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, "godot3-server", "--path", dir, "-s", "godot3.gd")
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir)
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		t.Fatalf("the engine: %v: %s", err, said.String())
	}
	return said.String()
}

// savedFiles copies all files of Godot 3, and those that the engine makes for this
// test, to a folder in which they can be edited.
func savedFiles(t *testing.T) []*savedFile {
	t.Helper()
	dir := t.TempDir()
	var files []*savedFile
	names, err := filepath.Glob("testdata/[gpw]*/*.truth.json") // Godot's, Pandemonium's and wrapped ones
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		base := strings.TrimSuffix(name, ".truth.json")
		tr := readTruth(t, base)
		if !strings.HasPrefix(tr.Engine, "Godot 3") || hasWhole(tr.Value) || hasWhole(tr.Wire) {
			continue // wholeObjects has those
		}
		from := base + ".bin"
		s := &savedFile{about: strings.TrimPrefix(from, "testdata/"), path: filepath.Join(dir, filepath.Base(from)), truth: tr}
		copyFile(t, from, s.path)
		files = append(files, s)
	}
	if len(files) < 30 {
		t.Fatalf("%d files of Godot 3", len(files))
	}
	return append(files, madeFiles(t, dir)...)
}

// madeFiles has the engine write values of every type in every wrapper, in more
// than one block.
func madeFiles(t *testing.T, dir string) []*savedFile {
	t.Helper()
	const from, times = "testdata/godot3/store-all-types", 3
	plain, err := filepath.Abs(from + ".bin")
	if err != nil {
		t.Fatal(err)
	}
	password := "pässwörd"
	key := strings.Repeat("07f8", 16)
	var files []*savedFile
	var jobs []engineJob
	add := func(name string, job engineJob, tr truth) {
		tr.Value = nil
		for range times {
			tr.Value = append(list(tr.Value), list(readTruth(t, from).Value)...)
		}
		job.Do, job.Path, job.From, job.Times = "write", filepath.Join(dir, "made-"+name), plain, times
		jobs = append(jobs, job)
		files = append(files, &savedFile{about: "made/" + name, path: job.Path, truth: tr})
	}
	for mode, name := range []string{"fastlz", "deflate", "zstd", "gzip"} {
		add(name, engineJob{Wrapper: "compressed", Mode: mode}, truth{Framing: "gcpf"})
	}
	add("key", engineJob{Wrapper: "key", Key: key}, truth{Framing: "gdec", Key: key})
	add("password", engineJob{Wrapper: "password", Password: password}, truth{Framing: "gdec", Password: &password})
	for i, answer := range askEngine(t, jobs) {
		if text := quoted(answer); text != `"written"` {
			t.Fatalf("%s: the engine cannot write it: %s", files[i].about, text)
		}
	}
	return files
}

func readTruth(t *testing.T, name string) truth {
	t.Helper()
	var tr truth
	decode(t, string(readFile(t, name+".truth.json")), &tr)
	return tr
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	if err := os.WriteFile(to, readFile(t, from), 0o600); err != nil {
		t.Fatal(err)
	}
}

// hasWhole reports whether there is an object with its properties in a value of a
// truth, and not only its id.
func hasWhole(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, hasWhole)
	case object:
		if v["class"] != nil {
			return true
		}
		for _, x := range v {
			if hasWhole(x) {
				return true
			}
		}
	}
	return false
}

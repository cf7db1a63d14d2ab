package gml

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// write makes files below folder, with the folders they need.
func write(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// below gives paths relative to folder, with slashes.
func below(t *testing.T, folder string, paths []string) []string {
	t.Helper()
	var all []string
	for _, path := range paths {
		name, err := filepath.Rel(folder, path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, filepath.ToSlash(name))
	}
	return all
}

func TestLoad(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{
		"a.gml":                 in("v1 : { a : HP }"),
		"scripts/deep/m.GML":    "#macro HP buffer_u8",
		"scripts/notes.txt":     "function B() constructor {}",
		".git/c.gml":            "function C() constructor {}",
		"scripts/.hidden/d.gml": "function D() constructor {}",
		"elsewhere/e.gml":       "function E() constructor {}",
		"single.text":           "function F() constructor {}",
	})
	project := filepath.Join(folder, "scripts")
	if runtime.GOOS != "windows" {
		for _, link := range []string{"elsewhere", "elsewhere/e.gml"} {
			if err := os.Symlink(filepath.Join(folder, link), filepath.Join(project, "link"+filepath.Base(link))); err != nil {
				t.Fatal(err)
			}
		}
	}
	lib, err := Load([]string{filepath.Join(folder, "a.gml"), project, filepath.Join(folder, "single.text"), filepath.Join(project, "..", "a.gml")})
	if err != nil {
		t.Error(err)
	}
	var names []string
	for _, f := range lib.files {
		names = append(names, f.name)
	}
	if got := below(t, folder, names); !slices.Equal(got, []string{"a.gml", "scripts/deep/m.GML", "single.text"}) {
		t.Errorf("files %q", got)
	}
	if got := show(lib); got != "v1 a:u8" {
		t.Error(got)
	}
	if got := lib.Constructors(); !slices.Equal(got, []string{"A", "F"}) {
		t.Error(got)
	}
	hidden, err := Load([]string{filepath.Join(folder, ".git")})
	if _, ok := hidden.Constructor("C"); !ok || err != nil {
		t.Errorf("a hidden folder that is asked for: %v", err)
	}
}

func TestLoadLinkedFolder(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{"real/a.gml": in("v1 : {}")})
	link := filepath.Join(folder, "link")
	if err := os.Symlink(filepath.Join(folder, "real"), link); err != nil {
		t.Skip(err)
	}
	lib, err := Load([]string{link})
	if got := show(lib); got != "v1" || err != nil {
		t.Error(got, err)
	}
}

func TestLoadErrors(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{
		"good.gml":  in("v1 : {}"),
		"bad.gml":   "}",
		"large.gml": strings.Repeat(" ", maxFileSize) + "x",
		"full.gml":  strings.Repeat(" ", maxFileSize-1) + "}",
	})
	missing := filepath.Join(folder, "missing.gml")
	lib, err := Load([]string{missing, folder})
	if got := show(lib); got != "v1" || err == nil {
		t.Fatal(got, err)
	}
	lines := strings.Split(err.Error(), "\n")
	want := []string{
		missing + ": " + fs.ErrNotExist.Error(),
		filepath.Join(folder, "large.gml") + ": larger than 16 MiB, the most that is read",
		filepath.Join(folder, "bad.gml") + ":1:1: this } has no matching {",
		filepath.Join(folder, "full.gml") + ":1:16777216: this } has no matching {",
	}
	if runtime.GOOS != "windows" {
		want[0] = missing + ": no such file or directory"
	} else {
		want[0], lines[0] = "", ""
	}
	if !slices.Equal(lines, want) {
		t.Errorf("%q\nwant %q", lines, want)
	}
	if lib, err := Load(nil); err != nil || lib.Len() != 0 {
		t.Error("nothing to load: ", err)
	}
}

func TestLoadManyErrors(t *testing.T) {
	folder := t.TempDir()
	for i := range 7 {
		write(t, folder, map[string]string{string(rune('a'+i)) + ".gml": strings.Repeat("}", 30)})
	}
	_, err := Load([]string{folder})
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != maxProblems+1 || lines[maxProblems] != "and 110 more errors in the GML files" { // 7 files of 30
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}

func TestFind(t *testing.T) {
	folder := t.TempDir()
	deep := "p/1/2/3/4/5/6/7/8"
	write(t, folder, map[string]string{
		"p/game.yyp":            "{}",
		"p/scripts/a/a.gml":     "",
		deep + "/save.dat":      "",
		deep + "/9/save.dat":    "",
		"p/1/b.gml":             "",
		"p/1/A.GML":             "",
		"p/1/c.gml.txt":         "",
		"plain/save.dat":        "",
		"plain/x.gml":           "",
		"plain/folder.gml/y":    "",
		"plain/project.yyp/z":   "",
		"home/game.yyp":         "",
		"home/user.gml":         "",
		"home/game/in.yyp":      "",
		"home/game/saves/s.gml": "",
	})
	t.Setenv("HOME", filepath.Join(folder, "home"))
	t.Setenv("USERPROFILE", filepath.Join(folder, "home"))
	for save, want := range map[string][]string{
		"p/save.dat":             {"p"},
		"p/1/save.dat":           {"p/1/A.GML", "p/1/b.gml", "p"},
		deep + "/save.dat":       {"p"},
		deep + "/9/save.dat":     nil, // nine folders up
		"plain/save.dat":         {"plain/x.gml"},
		"home/save.dat":          {"home/user.gml"},
		"home/other/save.dat":    nil,
		"home/game/saves/my.sav": {"home/game/saves/s.gml", "home/game"},
		"missing/save.dat":       nil,
	} {
		if got := below(t, folder, Find(filepath.Join(folder, filepath.FromSlash(save)))); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", save, got, want)
		}
	}
}

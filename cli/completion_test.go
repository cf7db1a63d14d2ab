package cli

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"varview/cli/env"
)

// completed returns what is offered after arguments, without descriptions, and the directive, ":4".
func completed(t *testing.T, args ...string) (offered []string, directive string) {
	t.Helper()
	var out bytes.Buffer
	e := commands{&env.Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, CompleteWithin: time.Hour}}
	root := e.rootCommand()
	root.SetOut(&out)
	root.SetErr(io.Discard)
	root.SetArgs(append([]string{cobra.ShellCompNoDescRequestCmd}, args...))
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	return lines[:len(lines)-1], lines[len(lines)-1]
}

// TestCompletePaths: paths in a file are completed wherever a command takes one.
func TestCompletePaths(t *testing.T) {
	t.Chdir("../testdata")
	const (
		stats   = "godot4/save-player-stats.bin"
		numbers = "godot4/packet-position-update.bin"
		secret  = "wrapped/godot3-encrypted-pass-player.bin"

		paths, files, none = ":6", ":0", ":4"
	)
	all := []string{"[0].stats.str", "[0].stats.dex", "[0].stats.int", "[0].stats.luck"}
	for _, c := range []struct {
		typed     string // arguments, divided by blanks
		want      []string
		directive string
	}{
		{"get " + stats + " [0].stats.", all, paths},
		{"get " + stats + " [0].stats", all, paths}, // which is the path of a value
		{"get " + stats + " [0].sta", []string{"[0].stats"}, paths},
		{"get " + stats + " $[0].sta", []string{"$[0].stats"}, paths},
		{"get " + stats + " [0].xp", []string{"[0].xp", "[0].xp_to_next"}, paths},
		{"get " + stats + " [0].position", []string{"[0].position.x", "[0].position.y", "[0].position.z"}, paths},
		{"get " + stats + " [*].stats.d", []string{"[*].stats.dex"}, paths},
		{"get " + stats + " ..stats.d", []string{"..stats.dex"}, paths},
		{"get " + numbers + " ", []string{"[0]", "[1]", "[2]", "[3]", "[4]"}, paths},
		{"get " + stats + " [0].level", nil, files}, // nothing is in it
		{"get " + stats + " [0].nothing.s", nil, files},
		{"get " + stats + " godot4/save", nil, files},
		{"get " + stats, nil, files},
		{"get nothing.bin [0].s", nil, files},
		{"get godot4 [0].s", nil, files},
		{"get - [0].s", nil, files},
		{"get --as nothing " + stats + " [0].s", nil, files},
		{"get " + secret + " ", nil, files},
		{"get --password mypass " + secret + " [0].max", []string{"[0].max_hp"}, paths},
		{"get --password-file ../testdata/nothing " + secret + " [0].max", nil, files},
		{"delete " + stats + " [0].name [0].sta", []string{"[0].stats"}, paths},
		{"table " + stats + " [0].sta", []string{"[0].stats"}, paths},
		{"sort " + stats + " [0].sta", []string{"[0].stats"}, paths},
		{"set " + stats + " [0].name=1 [0].l", []string{"[0].level=", "[0].last_scene"}, paths}, // a NodePath has parts
		{"set " + stats + " [0].level", []string{"[0].level="}, paths},
		{"set " + stats + " [0].level=", nil, files},
		{"set kaitai/save.sav flags.difficulty=", []string{"flags.difficulty=easy", "flags.difficulty=normal", "flags.difficulty=hard"}, paths},
		{"set kaitai/save.sav items[1].kind=s", []string{"items[1].kind=sword", "items[1].kind=staff"}, paths},
		{"set kaitai/save.sav version=", nil, files},
		{"insert " + stats + " [0].sta", []string{"[0].stats"}, paths},
		{"find " + stats + " --only [0].sta", []string{"[0].stats"}, paths},
		{"find --only [0].sta", nil, none},
		{"diff " + stats + " " + stats + " --only [0].sta", []string{"[0].stats"}, paths},
		{"diff " + stats + " [0].sta", nil, files},
	} {
		got, directive := completed(t, strings.Split(c.typed, " ")...)
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) || directive != c.directive {
			t.Errorf("%s: %q %s, want %q %s", c.typed, got, directive, c.want, c.directive)
		}
	}
}

// TestCompletionTexts: the texts of cobra that are replaced are there, each once.
func TestCompletionTexts(t *testing.T) {
	for shell, s := range scripts {
		var cobras bytes.Buffer
		if err := s.write(Command(), &cobras, true); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(s.other); i += 2 {
			if n := strings.Count(cobras.String(), s.other[i]); n != 1 {
				t.Errorf("%s: %d times %q", shell, n, s.other[i])
			}
		}
	}
}

// TestCompletionInBash: paths are completed in quotes and without.
func TestCompletionInBash(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	file := filepath.Join(t.TempDir(), "completion")
	f, err := os.Create(file)
	if err == nil {
		err = WriteCompletion(Command(), "bash", f, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	const program = `
complete() { :; }; compopt() { :; }; __varview_handle_special_char() { :; }
varview() { printf '%s\n' $'["HP max"].x\tint  1' ':6'; printf '%s' "${@: -1}" >> "$LOG"; }
source "$SCRIPT"
cur=$TYPED words=(varview get save.dat "$TYPED") COMP_TYPE=9
COMPREPLY=()
__varview_get_completion_results
__varview_process_completion_results
printf '%s\n' "${COMPREPLY[@]}"`
	for typed, want := range map[string][2]string{ // what the program gets, and what bash is given
		`'["HP`:      {`["HP`, "[\"HP max\"].x\n[\"HP max\"].x."}, // of two bash takes what is common, and closes no quote
		`'["HP'`:     {`["HP`, `\[\"HP\ max\"\].x`},
		`\[\"HP\ ma`: {`["HP ma`, `\[\"HP\ max\"\].x`},
		`[`:          {`[`, `\[\"HP\ max\"\].x`},
		`"[\"HP`:     {`["HP`, ""}, // quotes in quotes are too much
	} {
		log := filepath.Join(t.TempDir(), "log")
		cmd := exec.Command("bash", "-c", program)
		cmd.Env = append(os.Environ(), "TYPED="+typed, "SCRIPT="+file, "LOG="+log)
		out, err := cmd.Output()
		got, err2 := os.ReadFile(log)
		if string(got) != want[0] || strings.TrimSpace(string(out)) != want[1] || err != nil || err2 != nil {
			t.Errorf("%s: %q %q %v %v, want %q", typed, got, out, err, err2, want)
		}
	}
}

package text

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// probeEnv names a folder. The test binary, run in a pane, prints the lines of the
// file "in" there, and writes their measures to the file "out".
const probeEnv = "VARVIEW_TEXT_PROBE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(probeEnv); dir != "" {
		if err := probe(dir); err != nil {
			os.WriteFile(filepath.Join(dir, "err"), []byte(err.Error()), 0o600)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// probe prints each line and asks the terminal for the position of its cursor.
func probe(dir string) error {
	in, err := os.ReadFile(filepath.Join(dir, "in"))
	if err != nil {
		return err
	}
	var columns strings.Builder
	answers := bufio.NewReader(os.Stdin)
	lines := strings.Split(strings.TrimSuffix(string(in), "\n"), "\n")
	for batch := range slices.Chunk(lines, 50) {
		for _, line := range batch {
			fmt.Printf("\r\x1b[2K%s\x1b[6n", line)
		}
		for range batch {
			answer, err := answers.ReadString('R') // ESC [ row ; column R
			if err != nil {
				return err
			}
			_, column, _ := strings.Cut(strings.TrimSuffix(answer, "R"), ";")
			columns.WriteString(column + "\n")
		}
	}
	part := filepath.Join(dir, "part")
	if err := os.WriteFile(part, []byte(columns.String()), 0o600); err != nil {
		return err
	}
	return os.Rename(part, filepath.Join(dir, "out"))
}

// tmuxColumns returns the columns that each line takes in a pane of tmux.
func tmuxColumns(t *testing.T, lines []string) []int {
	t.Helper()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed: no terminal to measure with")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "in"), []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server := []string{"-S", filepath.Join(dir, "socket"), "-f", os.DevNull, "-u"}
	start := exec.Command(tmux, append(server, "new-session", "-d", "-x", "1000", "-y", "4",
		"stty raw -echo; exec '"+self+"'")...)
	start.Env = append(os.Environ(), probeEnv+"="+dir, "LC_ALL=C.UTF-8", "TMUX=")
	if out, err := start.CombinedOutput(); err != nil {
		t.Skipf("tmux does not start: %v: %s", err, out)
	}
	t.Cleanup(func() { exec.Command(tmux, append(server, "kill-server")...).Run() })

	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		out, err := os.ReadFile(filepath.Join(dir, "out"))
		if err == nil {
			var columns []int
			for _, field := range strings.Fields(string(out)) {
				column, _ := strconv.Atoi(field)
				columns = append(columns, column-1)
			}
			return columns
		}
		if msg, err := os.ReadFile(filepath.Join(dir, "err")); err == nil || time.Now().After(deadline) {
			t.Fatalf("no answer from tmux: %s", msg)
		}
	}
}

// pieces are what random strings are made of: bases, marks, joiners, selectors and
// whatever else a cluster may hold.
var pieces = strings.Fields("a 1 # é ◌ …  e\u0301 \u0301 \u0327 \u20e3 \u20dd 日 漢 \U000e0100 \ufe00 か ﾞ ｶ ｰ " +
	"👨 👩 🎮 🏽 ❤ ⚕ ☎ ℹ © ‼ 🏴 \u200d \u200c \ufe0e \ufe0f 🇩 🇪 क ष \u094d \u093f \u093e \u0bbe த ണ \u0d4e \u0d4d ශ \u0dca " +
	"ก \u0e33 \u0e49 ກ \u0eb3 ខ \u17d2 မ \u1039 \u102c ש \u05b8 ا ب \u0651 \u0600 ٣ \U0001e900 \u1100 \u1161 \u11a8 가 각 ꥠ \u302e " +
	"\u200b \u200e \u200f \u202e \u2060 \ufeff \u00ad \u034f \u115f ᠠ \u180b \u180e \U000e0067 \u2028 \x1b \n \x85 \ufffd \u0378 \ue000")

func randomText(r *rand.Rand) string {
	var s strings.Builder
	for range 1 + r.IntN(12) {
		s.WriteString(pieces[r.IntN(len(pieces))])
		if r.IntN(8) == 0 {
			s.WriteByte(' ')
		}
	}
	return s.String()
}

// TestRandomText checks random combinations of pieces.
func TestRandomText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		s := randomText(r)
		checkClean(t, s)
		checkFit(t, s, r.IntN(20))
		if t.Failed() {
			t.FailNow()
		}
	}
}

// TestTmux prints clean and fitted text in tmux and compares where the cursor
// lands with Width.
func TestTmux(t *testing.T) {
	var lines []string
	for _, test := range cleanTests {
		s := Clean(test.in)
		lines = append(lines, s, Fit(s, test.width/2), CutLeft(s, test.width/2))
	}
	codePoints(func(r rune) { lines = append(lines, Clean("x"+string(r)), Clean(string(r))) })
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		s := Clean(randomText(r))
		lines = append(lines, s, Fit(s, r.IntN(20)), CutLeft(s, r.IntN(20)))
	}
	columns := tmuxColumns(t, lines)
	if len(columns) != len(lines) {
		t.Fatalf("%d answers to %d lines", len(columns), len(lines))
	}
	bad := 0
	for i, s := range lines {
		if w := Width(s); w != columns[i] {
			t.Errorf("%+q: tmux %d columns, Width %d", s, columns[i], w)
			if bad++; bad == 20 {
				t.FailNow()
			}
		}
	}
}

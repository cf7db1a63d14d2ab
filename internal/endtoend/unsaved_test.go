package endtoend

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"varview/decoder"
	"varview/model"
	"varview/model/explore"
)

// A session is a sequence of random edits, undos, redos and saves of a file, which is always the same.
type session struct {
	*editor
	path    string
	chance  *rand.Rand
	isTwice bool // another process does the same, so nothing is saved that each save encrypts anew
}

func newSession(t *testing.T, path string, seed uint64, isTwice bool) *session {
	t.Helper()
	d := openModel(t, path, model.Options{NoBackup: true})
	return &session{
		editor: &editor{t: t, d: d, r: rand.New(rand.NewPCG(seed, 1)), did: map[string]int{}},
		path:   path, chance: rand.New(rand.NewPCG(seed, 2)), isTwice: isTwice,
	}
}

// act does the next thing.
func (s *session) act() {
	s.t.Helper()
	ctx := context.Background()
	var turn model.Turn
	var err error
	switch s.chance.IntN(16) {
	default:
		if literals[s.d.Format] != nil && s.d.CanEdit(s.d.Innermost()) == nil {
			s.step()
		}
		return
	case 8:
		if b := s.d.Buffers[0]; s.d.CanEdit(b) == nil {
			s.make(b, s.bytes(explore.New(b)))
		}
		return
	case 0, 1, 2, 3:
		if !s.d.CanUndo() {
			return
		}
		turn, err = s.d.Undo(ctx)
	case 4, 5:
		if !s.d.CanRedo() {
			return
		}
		turn, err = s.d.Redo(ctx)
	case 6:
		if s.d.IsModified() && !(s.isTwice && s.d.IsEncrypted()) {
			s.save()
		}
		return
	case 7:
		if since := s.d.Steps() - 2; since >= 0 && s.d.IsModified() {
			s.d.Join(since, "two")
		}
		return
	}
	if err == nil { // an edit of a wrapper's bytes cannot be undone once they were written again
		s.d = turn.Doc
	}
}

// make makes an edit, if that is possible.
func (s *session) make(b *model.Buffer, in model.Intention) {
	p, err := s.d.Prepare(context.Background(), b, in)
	if err != nil {
		return
	}
	if turn, err := s.d.Make(context.Background(), p); err == nil {
		s.d = turn.Doc
	}
}

// save saves the file. If wrapping it again fails, nothing happens.
func (s *session) save() {
	w, err := s.d.Save(model.SaveOptions{})
	if err == nil {
		err = w.Write(context.Background(), new(model.Progress))
	}
	if err == nil {
		s.d.Saved(w)
	}
}

// state returns a checksum of the edited bytes.
func (s *session) state() string {
	return stateOf(s.t, s.d)
}

func stateOf(t *testing.T, d *model.Document) string {
	h := sha256.New()
	for _, b := range d.Buffers {
		own := strings.HasPrefix(b.Title(), "own ")
		if own || b == d.Innermost() || !d.IsEncrypted() { // each save encrypts anew
			h.Write(readBuffer(t, b))
		}
		if own {
			break // damaged bytes are a header of the game's own once they are opened again
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// sessionFiles are a few files of each format, among them packed and encrypted ones.
func sessionFiles(t *testing.T) (some []string) {
	for i, name := range editFiles(t) {
		info, err := os.Stat(name)
		if err == nil && info.Size() < 50<<10 && (i%4 == 0 || strings.Contains(name, "wrapped")) {
			some = append(some, name)
		}
	}
	return append(some, "testdata/kaitai/save.sav")
}

func descriptionOf(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) + ".ksy" }

// ownCopy copies a file with its truth and its description into a new folder.
func ownCopy(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), filepath.Base(name))
	for _, f := range [][2]string{{name, path}, {truthOf(name), truthOf(path)}, {descriptionOf(name), descriptionOf(path)}} {
		if data, err := os.ReadFile(f[0]); err == nil {
			if err := os.WriteFile(f[1], data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return path
}

// ownFolders keeps the program's own files in a folder of the test.
func ownFolders(t *testing.T) {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
}

// recovered opens a file as the next start of the program does, and takes the unsaved edits.
func recovered(t *testing.T, path string) *model.Document {
	t.Helper()
	d := openModel(t, path, model.Options{})
	if err := d.KeepUnsaved(); err != nil {
		t.Fatal(err)
	}
	list, err := d.FindUnsaved()()
	if err != nil || len(list) > 1 {
		t.Fatalf("%d journals, %v", len(list), err)
	}
	if len(list) == 0 {
		return d
	}
	again, err := d.Recover(context.Background(), new(model.Progress), list[0])
	if err != nil {
		t.Fatalf("%s: %v", list[0].State(), err)
	}
	again.TakeOver(d)
	d.Close()
	return again
}

// TestRecover: whenever the program ends, all edits can be restored with their history, and lost and
// restored again.
func TestRecover(t *testing.T) {
	ownFolders(t)
	for i, name := range sessionFiles(t) {
		t.Run(name, func(t *testing.T) {
			path := ownCopy(t, name)
			s := newSession(t, path, uint64(i), false)
			if s.d.Missing != nil {
				s.d.Close()
				t.Skip("no values in it")
			}
			for range 2 {
				if err := s.d.KeepUnsaved(); err != nil {
					t.Fatal(err)
				}
				for range 8 {
					s.act()
				}
				want, modified := s.state(), s.d.IsModified()
				if err := s.d.CloseJournal(true); err != nil { // as if it had been killed
					t.Fatal(err)
				}
				s.d.Close()
				if s.d = recovered(t, path); s.state() != want || s.d.IsModified() != modified {
					t.Fatalf("other bytes, or modified: %v\n%s", s.d.IsModified(), strings.Join(s.log, "\n"))
				}
			}
			if err := s.d.CloseJournal(false); err != nil {
				t.Error(err)
			}
			s.d.Close()
			if left, err := model.AllUnsaved(); err != nil || len(left) > 0 {
				t.Errorf("%d are left, %v", len(left), err)
			}
		})
	}
}

// TestUndoProcessed: edits of a described file, also of what a process makes of its bytes, can be undone, made
// again, and restored with their history.
func TestUndoProcessed(t *testing.T) {
	ownFolders(t)
	ctx := context.Background()
	path := ownCopy(t, "testdata/kaitai/save.sav")
	d := openModel(t, path, model.Options{})
	if err := d.KeepUnsaved(); err != nil {
		t.Fatal(err)
	}
	states := []string{stateOf(t, d)}
	follow := func(turn model.Turn, err error, want string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if d = turn.Doc; want != "" && stateOf(t, d) != want {
			t.Fatal("other bytes")
		}
	}
	for _, c := range [][2]string{{"settings.volume", "1"}, {"flags.difficulty", "hard"}, {"settings.language", `"fr"`}, {"player.name", `"Grace"`}} {
		n, err := d.Innermost().Tree().NewReader().Resolve(c[0])
		if err != nil {
			t.Fatal(err)
		}
		p, err := d.Prepare(ctx, d.Innermost(), explore.New(d.Innermost()).Set(n, c[1]))
		if err != nil {
			t.Fatalf("%s=%s: %v", c[0], c[1], err)
		}
		turn, err := d.Make(ctx, p)
		follow(turn, err, "")
		states = append(states, stateOf(t, d))
	}
	for _, want := range []string{states[3], states[2], states[1], states[0]} {
		turn, err := d.Undo(ctx)
		follow(turn, err, want)
	}
	for _, want := range states[1:] {
		turn, err := d.Redo(ctx)
		follow(turn, err, want)
	}
	if err := d.CloseJournal(true); err != nil { // as if it had been killed
		t.Fatal(err)
	}
	d.Close()
	if d = recovered(t, path); stateOf(t, d) != states[4] {
		t.Fatal("other bytes are restored")
	}
	defer func() { d.CloseJournal(false); d.Close() }()
	for _, want := range []string{states[3], states[2]} {
		turn, err := d.Undo(ctx)
		follow(turn, err, want)
	}
	// settings lie at 0x53, under xor(0x5a): the volume, and the language.
	if got := readBuffer(t, d.Innermost())[0x53:0x56]; string(got) != "\x5b\x3f\x34" {
		t.Errorf("%x", got)
	}
}

// TestKilled kills the program at random moments of random sessions: every edit older than a second is
// restored, no undone edit is, and the bytes are those of the same session in this process.
func TestKilled(t *testing.T) {
	long(t)
	ownFolders(t)
	files := sessionFiles(t)
	for i := range 12 {
		name := files[i*len(files)/12]
		t.Run(name, func(t *testing.T) {
			t.Parallel() // they mostly wait
			path, same := ownCopy(t, name), ownCopy(t, name)
			if d := openModel(t, path, model.Options{}); d.Missing != nil {
				d.Close()
				t.Skip("no values in it")
			} else {
				d.Close()
			}
			n, old := killed(t, path, uint64(i))
			s := newSession(t, same, uint64(i), true)
			defer func() { s.d.Close() }()
			d := recovered(t, path)
			defer func() { d.CloseJournal(false); d.Close() }()
			is := stateOf(t, d)
			for k := 0; k <= n+1; k++ { // one more may have been made than was said
				if k >= old && s.state() == is {
					return
				}
				s.act()
			}
			t.Errorf("the bytes are those of no moment from %d to %d", old, n)
		})
	}
}

// killed runs a session in a process of its own and kills it. n is the number of acts that it reported,
// old how many of them were older than a second.
func killed(t *testing.T, path string, seed uint64) (n, old int) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, "-test.run", "^TestSession$", "-test.timeout", "1m")
	c.Env = append(os.Environ(), fmt.Sprintf("VARVIEW_TEST_SESSION=%d %s", seed, path))
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var trouble bytes.Buffer
	c.Stderr = &trouble
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	var said []time.Time
	next := func() bool {
		line, err := lines.ReadString('\n')
		if err != nil {
			return false
		}
		var nano int64
		if _, err := fmt.Sscanf(line, "did %d", &nano); err == nil {
			said = append(said, time.Unix(0, nano))
		}
		return true
	}
	for len(said) == 0 {
		if !next() {
			c.Wait()
			t.Fatalf("the session has not begun: %s", trouble.String())
		}
	}
	moment := time.AfterFunc(time.Duration(rand.Int64N(int64(1700*time.Millisecond))), func() { c.Process.Kill() })
	defer moment.Stop()
	for next() {
	}
	at := time.Now()
	io.Copy(io.Discard, out)
	c.Wait()
	for _, when := range said {
		if at.Sub(when) > time.Second {
			old++
		}
	}
	return len(said), old
}

// TestSession is the process that TestKilled kills.
func TestSession(t *testing.T) {
	var seed uint64
	given := os.Getenv("VARVIEW_TEST_SESSION")
	number, path, _ := strings.Cut(given, " ")
	if _, err := fmt.Sscan(number, &seed); err != nil {
		t.Skip("it is run by TestKilled")
	}
	s := newSession(t, path, seed, true)
	if err := s.d.KeepUnsaved(); err != nil {
		t.Fatal(err)
	}
	for range 100_000 {
		s.act()
		fmt.Printf("did %d\n", time.Now().UnixNano())
		time.Sleep(time.Duration(rand.Int64N(int64(20 * time.Millisecond))))
	}
}

// leaveUnsaved sets values of a file, and ends as if the program had been killed.
func leaveUnsaved(t *testing.T, path string, assignments ...string) {
	t.Helper()
	ctx := context.Background()
	d := openModel(t, path, model.Options{})
	defer d.Close()
	err := d.KeepUnsaved()
	for _, a := range assignments {
		path, literal, _ := strings.Cut(a, "=")
		n, missing := d.Innermost().Resolve(path)
		if missing != nil {
			t.Fatal(missing)
		}
		p, cannot := d.Prepare(ctx, d.Innermost(), explore.New(d.Innermost()).Set(n, literal))
		if cannot != nil {
			t.Fatal(cannot)
		}
		_, cannot = d.Make(ctx, p)
		err = errors.Join(err, cannot)
	}
	if err := errors.Join(err, d.CloseJournal(true)); err != nil {
		t.Fatal(err)
	}
}

// TestRecoverCommand: the command lists unsaved edits, writes them as a patch that can be applied, and
// discards them.
func TestRecoverCommand(t *testing.T) {
	ownFolders(t)
	if out := run(t, 0, "recover"); out.stderr != "varview: there are no unsaved edits\n" {
		t.Errorf("%+v", out)
	}
	plain, locked := ownCopy(t, "testdata/godot4/save-player-stats.bin"), ownCopy(t, "testdata/wrapped/godot3-encrypted-pass-small.bin")
	leaveUnsaved(t, plain, "[0].hp=1", "[0].level=3")
	leaveUnsaved(t, locked, `[0]={ "a": 1 }`)
	if err := os.Remove(locked); err != nil {
		t.Fatal(err)
	}
	list := run(t, 0, "recover").stdout
	for _, want := range []string{plain + ": 2 edits of 20", locked + ": 1 edit of 20", ", encrypted; the file is gone\n"} {
		if !strings.Contains(list, want) {
			t.Errorf("%q is not in the list:\n%s", want, list)
		}
	}
	if out := run(t, 0, "recover", "--json").stdout; !strings.Contains(out, `"edits":2,"encrypted":false,"state":""}`) {
		t.Error(out)
	}
	want := "varview patch 1\nset $[0].hp\n- 83\n+ 1\nset $[0].level\n- 17\n+ 3\n"
	if got := regexp.MustCompile(`(?m)^sum [0-9a-f]{32}\n`).ReplaceAllString(run(t, 0, "recover", plain).stdout, ""); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if out := run(t, 2, "recover", locked).stderr; !strings.Contains(out, "encrypted with its key") {
		t.Error(out)
	}
	run(t, 2, "recover", "--discard")
	run(t, 0, "recover", plain, "--discard")
	run(t, 0, "recover", locked, "--discard")
	run(t, 2, "recover", plain)
	if left, err := model.AllUnsaved(); err != nil || len(left) > 0 {
		t.Errorf("%d are left, %v", len(left), err)
	}
}

// TestRecoverDamaged: the command writes the edits that can be read, says how many cannot, and never
// drops a journal that cannot be read completely.
func TestRecoverDamaged(t *testing.T) {
	ownFolders(t)
	path := ownCopy(t, "testdata/godot4/save-player-stats.bin")
	leaveUnsaved(t, path, "[0].hp=1", "[0].level=3", "[0].mana=2.5")
	journals, _ := filepath.Glob(filepath.Join(xdg.StateHome, "varview", "unsaved", "*"))
	if len(journals) != 1 {
		t.Fatalf("%q", journals)
	}
	b, err := os.ReadFile(journals[0])
	if err != nil {
		t.Fatal(err)
	}
	b[bytes.Index(b, []byte(`"set $[0].level"`))] ^= 1
	if err := os.WriteFile(journals[0], b, 0o600); err != nil {
		t.Fatal(err)
	}
	want := "\nset $[0].hp\n- 83\n+ 1\nsum "
	for range 2 {
		out := run(t, 1, "recover", path)
		if !strings.Contains(out.stdout, want) || strings.Count(out.stdout, "\nset ") != 1 || !strings.Contains(out.stderr, ": 2 of 3 steps cannot be read\n") {
			t.Errorf("%s%s, want %s", out.stdout, out.stderr, want)
		}
	}
	if out := run(t, 0, "recover").stdout; !strings.Contains(out, "; 2 of 3 steps cannot be read, in "+journals[0]) {
		t.Error(out)
	}
	if out := run(t, 0, "recover", "--json").stdout; !strings.Contains(out, `"missing":2,"loss":"2 of 3 steps cannot be read","journal":"`+journals[0]) {
		t.Error(out)
	}
	run(t, 0, "recover", path, "--discard")
	aside := journals[0] + ".unreadable"
	if is, err := os.ReadFile(aside); err != nil || !bytes.Equal(is, b) {
		t.Errorf("not set aside: %v", err)
	}
	if out := run(t, 0, "recover").stdout; !strings.Contains(out, "which cannot be read: set aside; they stay in "+aside) {
		t.Error(out)
	}
}

// TestRecoverChanged: after the file has changed, the edits that still apply are made, and those that the
// file already contains are not made twice.
func TestRecoverChanged(t *testing.T) {
	ownFolders(t)
	path := ownCopy(t, "testdata/godot4/save-player-stats.bin")
	ctx := context.Background()
	leaveUnsaved(t, path, "[0].hp=1", "[0].mana=2.0", "[0].level=3")
	run(t, 0, "set", path, "[0].mana=2.0", "[0].level=77", `[0].name="other"`)

	d := openModel(t, path, model.Options{})
	defer func() { d.Close() }()
	list, err := d.FindUnsaved()()
	if err != nil || len(list) != 1 || list[0].State() != "the file has changed since" || list[0].Edits() != 3 {
		t.Fatalf("%+v, %v", list, err)
	}
	if _, err := d.Recover(ctx, new(model.Progress), list[0]); err == nil {
		t.Error("made in another file than they were made in")
	}
	var r model.Reapplied
	p, err := d.Prepare(ctx, d.Innermost(), explore.New(d.Innermost()).Repeat("take unsaved edits", list[0].Ops(), &r))
	if err == nil {
		_, err = d.Make(ctx, p)
	}
	if err != nil || r.Made != 1 || r.Already != 1 || len(r.Failed) != 1 || !strings.Contains(r.Failed[0], "[0].level is 77 here") {
		t.Errorf("%+v, %v", r, err)
	}
	if err := list[0].Discard(); err != nil {
		t.Error(err)
	}
	if list, err := d.FindUnsaved()(); err != nil || len(list) > 0 {
		t.Errorf("%d are left, %v", len(list), err)
	}
}

// TestTwoPrograms: two programs that edit one file see each other.
func TestTwoPrograms(t *testing.T) {
	ownFolders(t)
	path := ownCopy(t, "testdata/godot4/save-player-stats.bin")
	var docs [2]*model.Document
	for i := range docs {
		docs[i] = openModel(t, path, model.Options{Options: decoder.Options{}})
		defer docs[i].Close()
		if err := docs[i].KeepUnsaved(); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range docs {
		list, err := d.FindUnsaved()()
		if err != nil || len(list) != 1 || !list[0].IsAlive || list[0].PID != os.Getpid() {
			t.Errorf("%+v, %v", list, err)
		}
	}
	if err := docs[0].CloseJournal(false); err != nil {
		t.Error(err)
	}
	if list, err := docs[1].FindUnsaved()(); err != nil || len(list) > 0 {
		t.Errorf("%+v, %v", list, err)
	}
	docs[1].CloseJournal(false)
}

// TestUnsavedEncrypted: the journal of an encrypted file contains none of its bytes, and is of no use
// without the password.
func TestUnsavedEncrypted(t *testing.T) {
	ownFolders(t)
	for _, name := range sessionFiles(t) {
		d := openModel(t, name, model.Options{})
		d.Close()
		if d.IsEncrypted() && d.Missing == nil {
			t.Run(name, func(t *testing.T) { checkEncrypted(t, ownCopy(t, name)) })
		}
	}
}

func checkEncrypted(t *testing.T, path string) {
	const word = "a word that nobody may read"
	ctx := context.Background()
	d := openModel(t, path, model.Options{})
	if err := d.KeepUnsaved(); err != nil {
		t.Fatal(err)
	}
	b := d.Innermost()
	p, err := d.Prepare(ctx, b, explore.New(b).PutBytes(0, 0, []byte(word), 0))
	if err == nil {
		_, err = d.Make(ctx, p)
	}
	if err == nil {
		err = d.CloseJournal(true)
	}
	if err != nil {
		t.Fatal(err)
	}
	d.Close()
	if d, err = model.Open(ctx, path, model.Options{}); err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	list, err := d.FindUnsaved()()
	if err != nil || len(list) != 1 || list[0].Locked != 1 || len(list[0].Lead) != 0 {
		t.Fatalf("%+v, %v", list, err)
	}
	if all := readFile(t, list[0].Name); bytes.Contains(all, []byte(word)) || bytes.Contains(all, []byte("61206f7264")) || bytes.Contains(all, []byte("insert ")) {
		t.Error("it can be read")
	}
	if err := list[0].Discard(); err != nil {
		t.Error(err)
	}
}

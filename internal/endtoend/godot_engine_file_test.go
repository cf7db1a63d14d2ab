//go:build unix

package endtoend

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// A savedFile is a file of Godot 3 and the values in it, as its truth has them.
type savedFile struct {
	about string
	path  string
	truth truth

	history []string // commands that were carried out on it
}

// values are those of the file; a raw one has one.
func (s *savedFile) values() []any {
	if s.truth.framing() == "stream" {
		return list(s.truth.Value)
	}
	return []any{s.truth.Value}
}

func (s *savedFile) setValues(values []any) {
	if s.truth.Value = values; s.truth.framing() == "raw" {
		s.truth.Value = values[0]
	}
}

// want returns the canonical forms of the values.
func (s *savedFile) want() []string {
	var all []string
	for _, v := range s.values() {
		all = append(all, canonicalTyped(v))
	}
	return all
}

// job has the engine read the file.
func (s *savedFile) job() engineJob {
	j := engineJob{Do: "read", Path: s.path, Count: len(s.values()), Key: s.truth.Key}
	switch {
	case s.truth.Framing == "raw" || s.truth.Framing == "base64":
		j.Do = s.truth.Framing
	case s.truth.Framing == "gcpf":
		j.Wrapper, j.Mode = "compressed", s.mode()
	case s.truth.Password != nil:
		j.Wrapper, j.Password = "password", *s.truth.Password
	case s.truth.Key != "":
		j.Wrapper = "key"
	}
	return j
}

// mode is the compression of a GCPF file.
func (s *savedFile) mode() int {
	head := make([]byte, 8)
	f, err := os.Open(s.path)
	if err != nil {
		return -1
	}
	defer f.Close()
	if _, err := f.Read(head); err != nil {
		return -1
	}
	return int(binary.LittleEndian.Uint32(head[4:]))
}

// unedited returns the case of the unchanged file.
func (s *savedFile) unedited() engineCase {
	before := *s
	before.path += ".before"
	data, err := os.ReadFile(s.path)
	if err == nil {
		err = os.WriteFile(before.path, data, 0o600)
	}
	if err != nil {
		before.path = err.Error() // which the engine cannot open
	}
	return before.as("unedited")
}

// as returns the case in which the engine reads the file as it is now.
func (s *savedFile) as(about string) engineCase {
	return engineCase{s.about + "/" + about, s.job(), s.want(), strings.Join(s.history, "\n      ")}
}

// changed returns the file after some random edits, if they can be made.
func (s *savedFile) changed(t *testing.T, seed uint64) []engineCase {
	commands := 6
	if testing.Short() {
		commands = 2
	}
	r := rand.New(rand.NewPCG(4, seed))
	return attempt(t, s, "edited", func(t *testing.T) {
		for range commands {
			s.carryOut(t, r, s.edit(t, r))
		}
	})
}

// attempt edits a file, and returns the case in which the engine reads it
// afterwards.
func attempt(t *testing.T, s *savedFile, about string, edit func(t *testing.T)) []engineCase {
	if !t.Run(s.about+"/"+about+" by varview", edit) {
		return nil
	}
	return []engineCase{s.as(about)}
}

// carryOut runs a command of varview on the file, in place or through another file.
func (s *savedFile) carryOut(t *testing.T, r *rand.Rand, args []string) {
	t.Helper()
	s.history = append(s.history, fmt.Sprintf("%q", args))
	args = append(args, "--as", "godot3", "--framing", s.truth.framing())
	args = append(args, s.truth.unlock()...)
	if r.IntN(2) == 0 {
		s.command(t, append(args, "--no-backup"))
		return
	}
	before := readFile(t, s.path)
	s.command(t, append(args, "-o", s.path+".out"))
	if !bytes.Equal(before, readFile(t, s.path)) {
		t.Fatalf("%q has changed the file itself", args)
	}
	if err := os.Rename(s.path+".out", s.path); err != nil {
		t.Fatal(err)
	}
}

func (s *savedFile) command(t *testing.T, args []string) {
	t.Helper()
	if out, status := start(t, args); status != 0 {
		t.Fatalf("status %d: %safter %s", status, out.stderr, strings.Join(s.history, "\n      "))
	}
}

// edit changes the values in a random way, and returns the command that makes the
// same change in the file.
func (s *savedFile) edit(t *testing.T, r *rand.Rand) []string {
	t.Helper()
	switch r.IntN(4) {
	case 0:
		if len(s.slots(r)) > 0 {
			return s.insert(r)
		}
	case 1:
		var removable []place
		for _, p := range s.places() {
			if last := p.path == "$[0]" && len(s.values()) == 1; p.remove != nil && !last {
				removable = append(removable, p)
			}
		}
		if len(removable) > 0 {
			p := removable[r.IntN(len(removable))]
			p.remove()
			return []string{"delete", s.path, p.path}
		}
	}
	return s.set(r)
}

// insert puts up to three values where there is room for them.
func (s *savedFile) insert(r *rand.Rand) []string {
	args := []string{"insert", s.path}
	for range 1 + r.IntN(3) {
		slots := s.slots(r)
		slot := slots[r.IntN(len(slots))]
		v := randomOf(r, slot.kind)
		slot.insert(v)
		args = append(args, slot.path+"="+literalOf(slot.kind, v))
	}
	return args
}

// set changes up to three values that do not contain each other.
func (s *savedFile) set(r *rand.Rand) []string {
	args := []string{"set", s.path}
	var chosen []string
	var set []func(retype bool)
	retype := false
	for range 1 + r.IntN(3) {
		places := s.places()
		p := places[r.IntN(len(places))]
		if overlaps(chosen, p.path) {
			continue
		}
		chosen = append(chosen, p.path)
		v := randomInstead(r, p)
		args = append(args, p.path+"="+literalOf(p.kind, v))
		typed := p.kind == "value" || p.kind == "key"
		retype = retype || typed && typeName(settled(p.now, v)) != typeName(p.now)
		set = append(set, func(retype bool) {
			if typed && !retype {
				v = settled(p.now, v)
			}
			p.set(v)
		})
	}
	for _, f := range set {
		f(retype)
	}
	if retype {
		args = append(args, "--retype")
	}
	return args
}

// settled returns the value that is stored when v replaces now without --retype: an int in place of a
// float becomes a float.
func settled(now, v any) any {
	if typeName(now) == "float" && typeName(v) == "int" {
		return object{"type": "float", "value": json.Number(text(v.(object)["value"]))}
	}
	return v
}

// overlaps reports whether a path leads into one of several paths or the other way
// round, or to one of their keys.
func overlaps(paths []string, path string) bool {
	for _, p := range paths {
		p, q := strings.TrimSuffix(p, "@key"), strings.TrimSuffix(path, "@key")
		if strings.HasPrefix(p, q) || strings.HasPrefix(q, p) {
			return true
		}
	}
	return false
}

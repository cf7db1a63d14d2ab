//go:build unix

package endtoend

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// inGodot3 are the names of types in canonical forms, as Godot 3 has them.
var inGodot3 = strings.NewReplacer("Quaternion", "Quat", "Transform3D", "Transform", "PackedByteArray", "PoolByteArray",
	"PackedInt32Array", "PoolIntArray", "PackedInt64Array", "PoolIntArray", "PackedFloat32Array", "PoolRealArray", "PackedStringArray", "PoolStringArray",
	"PackedVector2Array", "PoolVector2Array", "PackedVector3Array", "PoolVector3Array", "PackedColorArray", "PoolColorArray",
	"StringName ", "String ", "PackedTypedArray", "Array", "TypedArray", "Array", `"\ufeff`, `"`) // the engine drops a byte order mark

// elementType matches the type of a typed container in a canonical form.
var elementType = regexp.MustCompile(`(Array|Dictionary)(<\w+>)+`)

// rid matches a RID in a canonical form; Godot 3 stores no id for it.
var rid = regexp.MustCompile(`RID \d+`)

// TestGodotEngineConvert converts files of Godot 4 and Pandemonium to Godot 3, in the
// wrappers that they are in, and has Godot 3 load them.
func TestGodotEngineConvert(t *testing.T) {
	long(t)
	t.Parallel()
	if _, err := exec.LookPath("godot3-server"); err != nil {
		t.Skip("the engine is not here: install godot3-server (Godot 3, headless) to load what is converted")
	}
	dir := t.TempDir()
	var cases []engineCase
	var jobs []engineJob
	stopped := 0
	eachTruth(t, func(t *testing.T, name string, tr truth) {
		if strings.HasPrefix(tr.Engine, "Godot 3") || hasWhole(tr.Value) || hasWhole(tr.Wire) || hasWhole(tr.Exact) || tr.Framing == "base64" {
			return
		}
		s := &savedFile{about: name, path: filepath.Join(dir, filepath.Base(name)), truth: tr}
		args := append([]string{"convert", name, "--to", "godot3", "--as", tr.dialect(), "--framing", tr.framing(), "-o", s.path}, tr.unlock()...)
		if out, status := start(t, args); status != 0 {
			if !strings.Contains(out.stderr, "nothing is written: ") {
				t.Error(name, out.stderr)
			}
			stopped++
			return
		}
		c := engineCase{about: name, history: strings.Join(args, " ")}
		for _, form := range tr.values(t) {
			c.want = append(c.want, inGodot3.Replace(rid.ReplaceAllString(elementType.ReplaceAllString(form, "$1"), "RID 0")))
		}
		c.job = s.job()
		c.job.Count = len(c.want)
		cases, jobs = append(cases, c), append(jobs, c.job)
	})
	if len(cases) < 60 || stopped < 10 {
		t.Fatalf("%d files are converted, %d are not", len(cases), stopped)
	}
	for i, answer := range askEngine(t, jobs) {
		t.Run(cases[i].about, func(t *testing.T) { cases[i].compare(t, answer) })
	}
}

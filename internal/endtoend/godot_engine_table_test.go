//go:build unix

package endtoend

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// copyOf returns a copy of a file of testdata, to be edited.
func copyOf(t *testing.T, name string) *savedFile {
	t.Helper()
	s := &savedFile{about: filepath.Base(name), path: filepath.Join(t.TempDir(), "copy.bin"), truth: readTruth(t, name)}
	copyFile(t, name+".bin", s.path)
	return s
}

// everyType puts a value of every type in the place of every other, next to it, and
// into containers, all with one command.
func everyType(t *testing.T) []engineCase {
	t.Helper()
	r := rand.New(rand.NewPCG(4, 4))
	var cases []engineCase
	add := func(s *savedFile, about string, args []string) {
		cases = append(cases, attempt(t, s, about, func(t *testing.T) { s.carryOut(t, r, args) })...)
	}
	for by := range typeNames {
		s := copyOf(t, "testdata/godot3/array-mixed")
		items := list(s.truth.Value.(object)["value"])
		args := []string{"set", s.path, "--retype"}
		for i := range items {
			v := randomTyped(r, typeNames[(i+by)%len(typeNames)], 3)
			args = append(args, fmt.Sprintf("$[%d]=%s", i, valueLiteral(v)))
			items[i] = v
		}
		add(s, fmt.Sprintf("set the type %d further", by), args)
	}
	for _, name := range typeNames {
		s := copyOf(t, "testdata/godot3/save-player-stats")
		player := list(s.truth.Value)[0].(object)
		v := randomTyped(r, name, 3)
		player["value"] = append(list(player["value"]), []any{object{"type": "String", "value": "new key"}, v})
		add(s, "insert into a dictionary/"+name, []string{"insert", s.path, `$[0]["new key"]=` + valueLiteral(v)})

		s = copyOf(t, "testdata/godot3/save-player-stats")
		v = randomTyped(r, name, 3)
		s.truth.Value = append([]any{v}, list(s.truth.Value)...)
		add(s, "insert into a stream/"+name, []string{"insert", s.path, "$[0]=" + valueLiteral(v)})

		s = copyOf(t, "testdata/godot3/int-two-pow-53-plus-1")
		v = object{"type": "Array", "value": []any{object{"type": "Dictionary", "value": []any{[]any{
			object{"type": "int", "value": "1"}, randomTyped(r, name, 3)}}}, randomTyped(r, name, 3)}}
		s.truth.Value = v
		add(s, "in a whole value/"+name, []string{"set", s.path, "$=" + valueLiteral(v), "--retype"})
	}
	return cases
}

// everyLength makes strings longer and shorter, across all boundaries of padding.
func everyLength(t *testing.T) []engineCase {
	t.Helper()
	r := rand.New(rand.NewPCG(4, 5))
	var cases []engineCase
	for n := range 10 {
		s := copyOf(t, "testdata/godot3/store-strings")
		args := []string{"set", s.path}
		for i, v := range list(s.truth.Value) {
			text := strings.Repeat("x", (n+3*i)%10)
			v.(object)["value"] = text
			args = append(args, fmt.Sprintf("$[%d]=%q", i, text))
		}
		cases = append(cases, attempt(t, s, fmt.Sprintf("%d bytes", n), func(t *testing.T) { s.carryOut(t, r, args) })...)

		for _, name := range []string{"PoolByteArray", "PoolStringArray"} {
			s := copyOf(t, "testdata/godot3/array-mixed")
			items := list(s.truth.Value.(object)["value"])
			i := slices.IndexFunc(items, func(v any) bool { return typeName(v) == name })
			items[i] = object{"type": name, "value": several(n, func() any { return randomOf(r, elements[name]) })}
			args := []string{"set", s.path, fmt.Sprintf("$[%d]=%s", i, valueLiteral(items[i]))}
			cases = append(cases, attempt(t, s, fmt.Sprintf("%s of %d", name, n), func(t *testing.T) { s.carryOut(t, r, args) })...)
		}
	}
	return cases
}

// smallEdits are edits that people make.
func smallEdits(t *testing.T) []engineCase {
	t.Helper()
	var cases []engineCase
	for _, c := range []struct {
		name   string // of the file
		edits  []string
		values string // the values after it, in the form of export
	}{
		{"int-two-pow-53-plus-1", []string{"set|$=5"}, `["i:5"]`},
		{"int-two-pow-53-plus-1", []string{"set|$=0x7fffffffffffffff"}, `["i:9223372036854775807"]`},
		{"float-nan", []string{"set|$=2"}, `["f:2.0"]`},
		{"float-nan", []string{"set|$=0.1"}, `["f:0.1"]`},
		{"pool-byte-array-len5", []string{"delete|$[0]", "set|$[3]=0xff", "insert|$[4]=1"},
			`[{"type":"PoolByteArray","args":[55,105,155,255,1]}]`},
		{"pool-string-array-lengths", []string{"delete|$[0]", "set|$[4]=\"\"", `insert|$[0]="first"`},
			`[{"type":"PoolStringArray","args":["first","a","ab","abc","abcd",""]}]`},
		{"node-path-subnames", []string{`set|$.names[1]="Äpfel"`, "delete|$.subnames[0]"}, `["np:Path2D/Äpfel:x"]`},
		{"node-path-subnames", []string{`set|$=^"/root"`}, `["np:/root"]`},
		{"transform-1-to-12", []string{"set|$.basis.y.z=-6.5|$.origin.x=0"},
			`[{"type":"Transform","args":[1,2,3,4,5,-6.5,7,8,9,0,11,12]}]`},
		{"transform2d-columns", []string{"set|$.x.y=20|$.origin.y=60"}, `[{"type":"Transform2D","args":[1,20,3,4,5,60]}]`},
		{"packet-chat", []string{"set|$.msg@key=\"text\"|$.from=70000000000", "delete|$.ch"},
			`[{"type":"Dictionary","args":["s:t","s:chat","s:from","i:70000000000","s:text","s:hello everyone 👋"]}]`},
		{"dictionary-odd-keys", []string{`set|$[2.5]@key=3.5|$[Vector2(1, 2)]@key.y=-2`, "delete|$[true]|$[null]", `delete|$[^"a:b"]`},
			`[{"type":"Dictionary","args":["i:1","s:int","f:3.5","s:float",{"type":"Vector2","args":[1,-2]},"s:vector2",` +
				`{"type":"Color","args":[1,0,0,1]},"s:color"]}]`},
		{"stream-peer-put-var", []string{"delete|$[0]", "set|$[1].y=0.25", `insert|$[3]=[]`, "set|$[2].four=\"fourteen\"|--retype"},
			`["s:two",{"type":"Vector3","args":[3,0.25,3]},{"type":"Dictionary","args":["s:four","s:fourteen"]},[]]`},
		{"store-nils", []string{"delete|$[0]", "set|$[0]=Color(#ff000080)|--retype"}, `[{"type":"Color","args":[1,0,0,0.5019608]}]`},
	} {
		s := copyOf(t, "testdata/godot3/"+c.name)
		var values []any
		decode(t, c.values, &values)
		of := attempt(t, s, strings.Join(c.edits, " "), func(t *testing.T) {
			for i, e := range c.edits {
				command, rest, _ := strings.Cut(e, "|")
				s.carryOut(t, rand.New(rand.NewPCG(4, uint64(i))), append([]string{command, s.path}, strings.Split(rest, "|")...))
			}
		})
		for _, engine := range of {
			engine.job.Count, engine.want = len(values), nil
			for _, v := range values {
				engine.want = append(engine.want, canonicalExport(v))
			}
			cases = append(cases, engine)
		}
	}
	return cases
}

// wholeObjects edits objects with their properties, which the engine creates again.
func wholeObjects(t *testing.T) []engineCase {
	t.Helper()
	var cases []engineCase
	for _, c := range []struct {
		name  string
		args  []string
		value string // in the form of export
	}{
		{"testdata/godot3/object-full-gradient", []string{`$.resource_name="sunset"`, "$.offsets[1]=0.75", "$.colors[2].g=0.125"},
			`{"type":"Gradient","props":["resource_local_to_scene",false,"resource_name","s:sunset","offsets",` +
				`{"type":"PoolRealArray","args":[0,0.75,1]},"colors",{"type":"PoolColorArray","args":[0,0,0,1,0.5,0.5,0.5,1,1,0.125,1,1]},"script",null]}`},
		{"testdata/wrapped/godot3-base64-object-full", []string{`$.resource_name="a longer name"`},
			`{"type":"Resource","props":["resource_local_to_scene",false,"resource_name","s:a longer name","script",null]}`},
	} {
		s := copyOf(t, c.name)
		s.truth.Value = object{"type": "Nil"} // the old value does not matter
		of := attempt(t, s, "whole", func(t *testing.T) {
			s.carryOut(t, rand.New(rand.NewPCG(4, 6)), append([]string{"set", s.path}, c.args...))
		})
		for _, engine := range of {
			var value any
			decode(t, c.value, &value)
			engine.job.Objects, engine.want = true, []string{canonicalExport(value)}
			cases = append(cases, engine)
		}
	}
	return cases
}

package elephantref

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"testing"

	_ "varview/internal/lessgc"
)

// TestBuildRoundTrips checks that Decode reads the file as it was meant.
func TestBuildRoundTrips(t *testing.T) {
	for seed := range uint64(1000) {
		meant, block, classes := build(rand.New(rand.NewPCG(seed, 1)), buildOptions{})
		checkBuilt(t, seed, meant, block, classes.schemas())
	}
}

func checkBuilt(t *testing.T, seed uint64, meant *File, block []byte, schemas Schemas) {
	t.Helper()
	got, err := Decode(block, schemas)
	if err != nil {
		t.Fatalf("seed %d, %v: %v\n%x", seed, meant.Version, err, block)
	}
	if !reflect.DeepEqual(got.Typed(), meant.Typed()) {
		t.Fatalf("seed %d, %v:\n got %v\nwant %v", seed, meant.Version, got.Typed(), meant.Typed())
	}
	checkTiling(t, got, len(block))
}

// checkTiling checks that every byte has one owner.
func checkTiling(t *testing.T, f *File, size int) {
	t.Helper()
	at := 0
	for _, field := range f.Fields() {
		if field.Offset != at || field.Length <= 0 {
			t.Fatalf("field %+v does not begin at %#x", field, at)
		}
		at += field.Length
	}
	if at != size {
		t.Fatalf("fields end at %#x of %#x", at, size)
	}
}

func TestBuildEveryVersion(t *testing.T) {
	for _, version := range Versions() {
		for _, dev := range []bool{false, true} {
			for seed := range uint64(40) {
				o := buildOptions{Version: version, Dev: dev, Size: 2000}
				meant, block, classes := build(rand.New(rand.NewPCG(seed, 2)), o)
				if meant.Version != version {
					t.Fatalf("%v instead of %v", meant.Version, version)
				}
				checkBuilt(t, seed, meant, block, classes.schemas())
			}
		}
	}
}

// TestBuiltFile holds the random blocks that other packages read to what build makes: of every version one of each size.
func TestBuiltFile(t *testing.T) {
	var out bytes.Buffer
	for i := range 9 {
		for _, version := range Versions() {
			r := rand.New(rand.NewPCG(uint64(i), 3))
			_, block, classes := build(r, buildOptions{Version: version, Dev: i%5 == 4, Size: 60 << (i % 6), Depth: 2 + i%6})
			line, err := json.Marshal(map[string]any{
				"Version": version, "Block": block, "Schemas": written(classes.schemas()), "GML": classes.gml(r)})
			if err != nil {
				t.Fatal(err)
			}
			out.Write(append(line, '\n'))
		}
	}
	const name = "testdata/built.jsonl"
	if *update {
		if err := os.WriteFile(name, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(readFile(t, name), out.Bytes()) {
		t.Error("build makes other blocks than the file has; write it again with -update")
	}
}

var update = flag.Bool("update", false, "write the file of random blocks again")

// written returns schemas in the form that Schemas.UnmarshalJSON reads.
func written(schemas Schemas) map[string]jsonConstructor {
	out := map[string]jsonConstructor{}
	for name, c := range schemas {
		versions := map[string]jsonSchema{}
		for v, s := range c.Versions {
			var members [][2]string
			for _, m := range s.Members {
				members = append(members, [2]string{m.Name, m.Type.String()})
			}
			versions["v"+strconv.Itoa(v)] = jsonSchema{Members: members, Verbose: s.Verbose}
		}
		out[name] = jsonConstructor{Members: c.Members, Schema: versions, Inherited: c.Inherited, Force: c.Force, Exclude: c.Exclude}
	}
	return out
}

func TestBuildSize(t *testing.T) {
	for _, size := range []int{500, 20_000, 1 << 20} {
		meant, block, classes := build(rand.New(rand.NewPCG(1, 4)), buildOptions{Size: size})
		if len(block) < size/2 || len(block) > size*2 {
			t.Errorf("%d bytes for %d", len(block), size)
		}
		checkBuilt(t, 1, meant, block, classes.schemas())
	}
}

// TestBuildReachesEverything checks that random files contain everything the format
// has; otherwise tests that use them would test less than they seem to.
func TestBuildReachesEverything(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(1500) {
		_, block, classes := build(rand.New(rand.NewPCG(seed, 5)), buildOptions{})
		f, err := Decode(block, classes.schemas())
		if err != nil {
			t.Fatal(seed, err)
		}
		seen["version "+f.Version.String()+" "+f.Header+" "+strconv.Itoa(f.Tags)] = true
		for _, field := range f.Fields() {
			seen[field.Kind] = true
		}
		noteValue(seen, f.Root)
	}
	for _, c := range randomKinds {
		if !seen[c] {
			t.Errorf("no random file has: %s", c)
		}
	}
}

var randomKinds = []string{
	"version 1.0.0 ATMC 14", "version 1.1.0 ATMC 14", "version 1.1.0 PELE 14", "version 1.2.0 PELE 14", "version 1.2.1 PELE 14",
	"version 1.3.0 PELE 14", "version 1.4.0 PELE 14", "version 1.4.0 PELE 204", "version 1.5.0 PELE 204", "version 1.5.1 PELE 204",
	"magic", "version", "type", "length", "value", "text", "terminator", "ref", "ctor", "schema", "skip",
	"u8", "s8", "u16", "s16", "u32", "s32", "f16", "f32", "f64", "bool", "string", "u64", "text", "undefined", "array", "struct",
	"elem any", "elem f64", "elem bool", "elem string", "elem undefined", "elem u64", "elem s32", "elem array", "elem struct",
	"elem constructor32", "elem constructor33", "elem ",
	"plain", "verbose", "verbose by version", "by schema", "skipping", "to itself", "to array", "to struct", "to empty", "NaN", "-0", "Infinity",
}

func noteValue(seen map[string]bool, v *Value) {
	seen[v.Type.String()] = true
	switch v.Type {
	case F16, F32, F64:
		if special, ok := typedScalar(v).(string); ok {
			seen[special] = true
		}
	case Array:
		seen["elem "+v.Array.Elem] = true
		for _, e := range v.Array.Elems {
			noteValue(seen, e)
		}
	case Struct:
		noteStruct(seen, v.Struct)
	case Ref:
		noteReference(seen, v)
	}
}

func noteStruct(seen map[string]bool, s *StructValue) {
	seen["plain"] = seen["plain"] || !s.Constructed
	seen["verbose"] = seen["verbose"] || s.Constructed && s.Verbose && s.Version == 0
	seen["verbose by version"] = seen["verbose by version"] || s.Constructed && s.Verbose && s.Version > 0
	seen["by schema"] = seen["by schema"] || !s.Verbose
	seen["skipping"] = seen["skipping"] || len(s.Skipped) > 0
	for _, m := range s.Members {
		noteValue(seen, m.Value)
	}
}

func noteReference(seen map[string]bool, v *Value) {
	target := v.Ref.Target
	seen["to "+target.Type.String()] = true
	if target.Type == Array && len(target.Array.Elems) == 0 || target.Type == Struct && len(target.Struct.Members) == 0 {
		seen["to empty"] = true
	}
	for up := v.parent; up != nil; up = up.parent {
		if up == target {
			seen["to itself"] = true
		}
	}
}

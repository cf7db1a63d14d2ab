package msgpack_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	peer "github.com/vmihailenco/msgpack/v5"

	"varview/decoder/tree"
)

// blob is an ext of type 5, as the peer represents it.
type blob struct{ data []byte }

func init() {
	peer.RegisterExtEncoder(5, blob{}, func(_ *peer.Encoder, v reflect.Value) ([]byte, error) { return v.Interface().(blob).data, nil })
}

// An entry is an entry of a map that keeps its order.
type entry struct{ key, value any }

// encode writes a value with the peer, with the entries of maps in order.
func encode(t testing.TB, enc *peer.Encoder, v any) {
	t.Helper()
	var err error
	switch v := v.(type) {
	case []entry:
		err = enc.EncodeMapLen(len(v))
		for _, e := range v {
			encode(t, enc, e.key)
			encode(t, enc, e.value)
		}
	case []any:
		err = enc.EncodeArrayLen(len(v))
		for _, e := range v {
			encode(t, enc, e)
		}
	default:
		err = enc.Encode(v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// wantJSON returns what export prints for a value, by the documentation.
func wantJSON(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case float32:
		return wantFloat(float64(v), 32)
	case float64:
		return wantFloat(v, 64)
	case []byte:
		return `{"type":"bin","hex":"` + hex.EncodeToString(v) + `"}`
	case blob:
		return `{"type":"ext","code":5,"hex":"` + hex.EncodeToString(v.data) + `"}`
	case time.Time:
		b, err := peer.Marshal(v)
		if err != nil {
			panic(err)
		}
		at := bytes.IndexByte(b, 0xff) + 1 // after its type
		return `{"type":"ext","code":-1,"hex":"` + hex.EncodeToString(b[at:]) + `","text":"` + v.UTC().Format(time.RFC3339Nano) + `"}`
	case string:
		var out bytes.Buffer
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		if enc.Encode(v) != nil {
			panic(v)
		}
		return strings.TrimSpace(strings.ReplaceAll(out.String(), "\u007f", `\u007f`))
	case []any:
		var all []string
		for _, e := range v {
			all = append(all, wantJSON(e))
		}
		return "[" + strings.Join(all, ",") + "]"
	case []entry:
		var object, args []string
		seen := map[string]bool{}
		isObject := true
		for _, e := range v {
			key, isText := e.key.(string)
			isObject = isObject && isText && !seen[key] && len(key) <= 64<<10
			seen[key] = true
			object = append(object, wantJSON(e.key)+":"+wantJSON(e.value))
			args = append(args, wantJSON(e.key), wantJSON(e.value))
		}
		if isObject {
			return "{" + strings.Join(object, ",") + "}"
		}
		return `{"type":"map","args":[` + strings.Join(args, ",") + "]}"
	}
	return fmt.Sprint(v)
}

func wantFloat(x float64, bits int) string {
	switch {
	case math.IsNaN(x):
		return `"nan"`
	case math.IsInf(x, 0):
		return `"` + strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(x, 'g', -1, 64), "+")) + `"`
	}
	s := strconv.FormatFloat(x, 'g', -1, bits)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// randomValue returns a value nested at most depth levels deep.
func randomValue(r *rand.Rand, depth int) any {
	n := 12
	if depth > 0 {
		n = 16
	}
	switch r.IntN(n) {
	case 0:
		return nil
	case 1:
		return r.IntN(2) == 0
	case 2:
		return int64(r.Uint64()) >> r.IntN(64)
	case 3:
		return r.Uint64() >> r.IntN(64)
	case 4:
		return int8(r.Uint64())
	case 5:
		return math.Float32frombits(r.Uint32())
	case 6:
		return math.Float64frombits(r.Uint64())
	case 7:
		return []float64{0, math.Copysign(0, -1), 1, -2, 1e300, math.Inf(1), math.Inf(-1), math.NaN()}[r.IntN(8)]
	case 8:
		return randomBytes(r)
	case 9:
		return blob{randomBytes(r)}
	case 10, 11:
		return randomText(r)
	case 12, 13:
		all := make([]any, r.IntN(20))
		for i := range all {
			all[i] = randomValue(r, depth-1)
		}
		return all
	}
	all := make([]entry, r.IntN(20))
	texts := r.IntN(2) == 0
	for i := range all {
		if all[i] = (entry{randomText(r), randomValue(r, depth-1)}); !texts {
			all[i].key = randomValue(r, depth-1)
		}
	}
	return all
}

func randomBytes(r *rand.Rand) []byte {
	b := make([]byte, []int{0, 1, 2, 4, 8, 16, 17, 255, 256, 70000}[min(r.IntN(12), r.IntN(10))])
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range []int{0, 1, 5, 31, 32, 255, 256, 70000}[min(r.IntN(8), r.IntN(8))] {
		b.WriteRune([]rune("ab \n\x01\x7f\"\\é漢😀")[r.IntN(11)])
	}
	return b.String()
}

// TestPeer encodes random values with an independent library. All of them must be read without a problem
// and exported as documented.
func TestPeer(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		v := randomValue(r, r.IntN(5))
		var out bytes.Buffer
		enc := peer.NewEncoder(&out)
		enc.UseCompactInts(i%2 == 0)
		encode(t, enc, v)
		tr := open(t, out.Bytes())
		if got, want := export(t, tr), wantJSON(v); got != want {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			t.Fatalf("value %d: …%.60s, want …%.60s", i, got[max(0, at-20):], want[max(0, at-20):])
		}
		if out.Len() < 4000 {
			checkOwners(t, tr)
		}
		for _, p := range problems(t, tr) {
			if !strings.Contains(p, " repeated-key ") {
				t.Fatalf("%x: %s", out.Bytes(), p)
			}
		}
	}
}

// checkOwners checks that a reader finds the owner of every field by its offset, and finds it again by its
// path.
func checkOwners(t *testing.T, tr *tree.Tree) {
	t.Helper()
	r := tr.NewReader()
	err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		n, err := r.At(f.Offset)
		if err != nil || r.Path(n) != string(f.Path) {
			t.Fatalf("%#x is owned by %s, not by %s (%v)", f.Offset, r.Path(n), f.Path, err)
		}
		again, err := r.Resolve(string(f.Path))
		if err != nil || again.Start != n.Start {
			t.Fatalf("%s leads to %+v, not to %#x (%v)", f.Path, again, n.Start, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPeerTime compares timestamps.
func TestPeerTime(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		at := time.Unix(r.Int64N(year10000-year0)+year0, 0)
		if r.IntN(2) == 0 {
			at = time.Unix(r.Int64N(1<<34), r.Int64N(1e9))
		}
		b, err := peer.Marshal(at)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := literal(t, open(t, b)), "timestamp("+at.UTC().Format(time.RFC3339Nano)+")"; got != want {
			t.Errorf("%x: %s, want %s", b, got, want)
		}
	}
}

// The years that RFC 3339 can write, in seconds since 1970.
var year0, year10000 = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()

var update = flag.Bool("update", false, "write the files in testdata/msgpack")

// examples are the files in testdata/msgpack, made by the peer.
var examples = map[string]any{
	"save": []entry{
		{"version", 3},
		{"player", []entry{
			{"name", "Mira"}, {"hp", 87}, {"pos", []any{12.5, float32(0.25), -4.0}}, {"gold", uint64(1) << 40}, {"dead", false}, {"guild", nil},
		}},
		{"items", []any{
			[]entry{{"id", "sword"}, {"count", 1}, {"bonus", []any{1, 2, 3}}},
			[]entry{{"id", "potion"}, {"count", 12}},
		}},
		{"saved", time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)},
		{"started", time.Date(2025, 12, 31, 23, 59, 59, 250_000_000, time.UTC)},
		{"born", time.Date(1959, 6, 1, 0, 0, 0, 1, time.UTC)},
		{"thumbnail", []byte{0x00, 0xff, 0x10}},
		{"engine", blob{[]byte{1, 2, 3}}},
		{"visited", []entry{{1, true}, {-40, false}, {[]any{2, 3}, "bridge"}, {nil, 0}}},
	},
	"list": []any{0, 127, 128, 65536, -1, -33, -129, math.MaxInt64, uint64(math.MaxUint64), math.Inf(1), "", "Grüße, \x1b[31m", []any{}, []entry{}},
}

// TestExamples reads the example files: they are what the peer writes, and their export is the truth beside
// them.
func TestExamples(t *testing.T) {
	for name, v := range examples {
		var out bytes.Buffer
		enc := peer.NewEncoder(&out)
		enc.UseCompactInts(true)
		encode(t, enc, v)
		file := "../../testdata/msgpack/" + name + ".msgpack"
		truth := strings.TrimSuffix(file, ".msgpack") + ".truth.json"
		if *update {
			if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(truth, []byte(wantJSON(v)+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(file)
		if err != nil || !slices.Equal(data, out.Bytes()) {
			t.Errorf("%s is not what the peer writes (%v)", file, err)
		}
		if want, err := os.ReadFile(truth); err != nil || export(t, open(t, data))+"\n" != string(want) {
			t.Errorf("%s: %s, want %s (%v)", file, export(t, open(t, data)), want, err)
		}
	}
}

package msgpack_test

import (
	"bytes"
	"encoding/binary"
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
	"github.com/vmihailenco/msgpack/v5/msgpcode"

	"varview/decoder/edit/simple/simpletest"
)

// An ext is an ext as it is read.
type ext struct {
	code int8
	data []byte
}

// blob is an ext of type 5, as the peer knows it.
type blob struct{ data []byte }

func init() {
	peer.RegisterExtEncoder(5, blob{}, func(_ *peer.Encoder, v reflect.Value) ([]byte, error) { return v.Interface().(blob).data, nil })
}

// An entry is an entry of a map that keeps its order.
type entry struct{ key, value any }

// encode writes a value as the peer does, with the entries of maps in order.
func encode(enc *peer.Encoder, v any) error {
	switch v := v.(type) {
	case []entry:
		err := enc.EncodeMapLen(len(v))
		for i := 0; i < len(v) && err == nil; i++ {
			if err = encode(enc, v[i].key); err == nil {
				err = encode(enc, v[i].value)
			}
		}
		return err
	case []any:
		err := enc.EncodeArrayLen(len(v))
		for i := 0; i < len(v) && err == nil; i++ {
			err = encode(enc, v[i])
		}
		return err
	}
	return enc.Encode(v)
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
		return wantJSON(ext{5, v.data})
	case ext:
		text := ""
		if at, is := timeOf(v); is {
			text = `,"text":"` + at.Format(time.RFC3339Nano) + `"`
		}
		return fmt.Sprintf(`{"type":"ext","code":%d,"hex":"%x"%s}`, v.code, v.data, text)
	case time.Time:
		b, err := peer.Marshal(v)
		if err != nil {
			panic(err)
		}
		at := bytes.IndexByte(b, 0xff) + 1 // after its type
		return wantJSON(ext{-1, b[at:]})
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

// timeOf returns the time that an ext is, if the peer reads it as one.
func timeOf(x ext) (at time.Time, is bool) {
	n := len(x.data)
	if x.code != -1 || n != 4 && n != 8 && n != 12 {
		return at, false
	}
	head := map[int][]byte{4: {0xd6, 0xff}, 8: {0xd7, 0xff}, 12: {0xc7, 12, 0xff}}[n]
	err := peer.Unmarshal(slices.Concat(head, x.data), &at)
	at = at.UTC()
	return at, err == nil && at.Year() >= 0 && at.Year() < 10000 && (n == 4 || nanoseconds(x.data) < 1e9)
}

// nanoseconds returns those of a timestamp of 8 or 12 bytes.
func nanoseconds(b []byte) uint32 {
	n := binary.BigEndian.Uint32(b)
	if len(b) == 8 {
		n >>= 2
	}
	return n
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

// random makes a file of random values with an independent library.
func random(r *rand.Rand) simpletest.Sample {
	v := withoutRepeats(randomValue(r, r.IntN(5)))
	var out bytes.Buffer
	enc := peer.NewEncoder(&out)
	enc.UseCompactInts(r.IntN(2) == 0)
	if err := encode(enc, v); err != nil {
		panic(err)
	}
	return simpletest.Sample{Hex: hex.EncodeToString(out.Bytes()), JSON: wantJSON(v)}
}

// withoutRepeats removes entries whose keys repeat.
func withoutRepeats(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = withoutRepeats(v[i])
		}
	case []entry:
		seen := map[string]bool{}
		all := []entry{}
		for _, e := range v {
			e.key, e.value = withoutRepeats(e.key), withoutRepeats(e.value)
			if text := wantJSON(e.key); !seen[text] {
				seen[text] = true
				all = append(all, e)
			}
		}
		return all
	}
	return v
}

// peerJSON reads a file with the independent library, and writes its JSON.
func peerJSON(b []byte) (string, error) {
	in := bytes.NewReader(b)
	v, err := decode(peer.NewDecoder(in))
	if err != nil || in.Len() > 0 {
		return "", fmt.Errorf("%d bytes are left: %v", in.Len(), err)
	}
	return wantJSON(v), nil
}

// decode reads a value as the peer does, with the entries of maps in order.
func decode(dec *peer.Decoder) (any, error) {
	code, err := dec.PeekCode()
	switch {
	case err != nil:
		return nil, err
	case msgpcode.IsFixedMap(code), code == msgpcode.Map16, code == msgpcode.Map32:
		n, err := dec.DecodeMapLen()
		all := make([]entry, n)
		for i := 0; i < n && err == nil; i++ {
			if all[i].key, err = decode(dec); err == nil {
				all[i].value, err = decode(dec)
			}
		}
		return all, err
	case msgpcode.IsFixedArray(code), code == msgpcode.Array16, code == msgpcode.Array32:
		n, err := dec.DecodeArrayLen()
		all := make([]any, n)
		for i := 0; i < n && err == nil; i++ {
			all[i], err = decode(dec)
		}
		return all, err
	case msgpcode.IsExt(code):
		return decodeExt(dec)
	}
	return dec.DecodeInterface()
}

// decodeExt reads an ext of any type.
func decodeExt(dec *peer.Decoder) (any, error) {
	whole, err := dec.DecodeRaw()
	if err != nil {
		return nil, err
	}
	id, n, err := peer.NewDecoder(bytes.NewReader(whole)).DecodeExtHeader()
	return ext{id, whole[len(whole)-n:]}, err
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
		if got, want := simpletest.LiteralOf(t, open(t, b)), "timestamp("+at.UTC().Format(time.RFC3339Nano)+")"; got != want {
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
		if err := encode(enc, v); err != nil {
			t.Fatal(err)
		}
		file := "../../../testdata/msgpack/" + name + ".msgpack"
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
		if want, err := os.ReadFile(truth); err != nil || simpletest.JSONOf(t, open(t, data))+"\n" != string(want) {
			t.Errorf("%s: %s, want %s (%v)", file, simpletest.JSONOf(t, open(t, data)), want, err)
		}
	}
}

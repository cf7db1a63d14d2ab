package decoder

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"varview/decoder/engine/tree"
)

// step is a step of a path: .name, ["any text"] or [3].
var step = regexp.MustCompile(`^(?:\.(\w+)|\[("(?:[^"\\]|\\.)*")\]|\[(\d+)\])`)

// inJSON follows a path in a value of JSON. It fails only for keys that are not text.
func inJSON(v any, path string) (found any, ok bool) {
	for path = strings.TrimPrefix(path, "$"); path != ""; {
		m := step.FindStringSubmatch(path)
		if m == nil {
			return nil, false
		}
		path = path[len(m[0]):]
		switch in := v.(type) {
		case map[string]any:
			name := m[1]
			if m[2] != "" && json.Unmarshal([]byte(m[2]), &name) != nil {
				return nil, false
			}
			if v, ok = in[name]; !ok || m[3] != "" {
				return nil, false
			}
		case []any:
			i, err := strconv.Atoi(m[3])
			if err != nil || i >= len(in) {
				return nil, false
			}
			v = in[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// isMeant reports whether a value of JSON equals the meaning of a value without children.
func isMeant(r *tree.Reader, v *tree.Value, got any) bool {
	s := r.Plain(v)
	switch s.Kind {
	case tree.Null:
		return got == nil
	case tree.Bool:
		return got == (s.Bits != 0)
	case tree.Text:
		text := s.View(r.Window(), 0, s.Len())
		return got == string(text) || !utf8.Valid(text) && got != nil
	case tree.Int:
		n, ok := got.(json.Number)
		exact, is := new(big.Rat).SetString(n.String())
		short, err := strconv.ParseFloat(n.String(), 32) // the shortest digits of 32 bits
		return ok && is && (exact.Cmp(new(big.Rat).SetInt64(int64(s.Bits))) == 0 ||
			strings.ContainsAny(n.String(), ".e") && err == nil && short == float64(int64(s.Bits)))
	case tree.Float64:
		x := math.Float64frombits(s.Bits)
		n, ok := got.(json.Number)
		if !ok {
			return got == nil && (math.IsNaN(x) || math.IsInf(x, 0))
		}
		y, err := n.Float64()
		return err == nil && (y == x || float32(y) == float32(x) && float64(float32(x)) == x)
	}
	return got != nil
}

// TestMeaningJSON: the JSON without types is right JSON, and has each value at its path.
func TestMeaningJSON(t *testing.T) {
	for folder, least := range map[string]int{"godot3": 300, "godot4": 300, "json": 20, "msgpack": 40, "elephant": 40, "godot-text": 40, "resource": 40, "gamemaker": 40} {
		files, err := filepath.Glob(filepath.Join("../testdata", folder, "*"))
		if err != nil || len(files) == 0 {
			t.Fatal(folder, err)
		}
		checked, lost := 0, 0
		for i, name := range files {
			if len(files) > 100 && i%3 > 0 {
				continue
			}
			data, err := os.ReadFile(name)
			if err != nil || strings.HasSuffix(name, ".gml") {
				continue
			}
			d := open(t, data, Options{})
			if d.Missing != nil {
				continue
			}
			in := d.Buffers()[len(d.Buffers())-1]
			r := in.NewReader()
			var out bytes.Buffer
			if _, err := r.WriteMeaning(context.Background(), &out, &in.Base.Value); err != nil {
				t.Fatal(name, err)
			}
			if strings.Contains(out.String(), "\n") {
				t.Errorf("%s: more than a line", name)
			}
			decoder := json.NewDecoder(&out)
			decoder.UseNumber()
			var all any
			if err := decoder.Decode(&all); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			eachBelow(t, in.NewReader(), in.Base, func(n *tree.Node) {
				if n == in.Base || n.Layout != tree.Leaf || n.Slot.Key || n.Damage != nil {
					return
				}
				path := r.Path(n)
				got, ok := inJSON(all, path)
				switch {
				case !ok:
					lost++
				case !isMeant(r, &n.Value, got):
					t.Errorf("%s: %s is %v", name, path, got)
				default:
					checked++
				}
			})
		}
		if checked < least || lost > checked/4 {
			t.Errorf("%s: %d values compared, %d not found", folder, checked, lost)
		}
	}
}

package godot_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"varview/decoder/formats/godot/internal/numeric"
)

// TestFloat: the digits read back as the same number and are the fewest possible.
func TestFloat(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 50_000 {
		x := math.Float64frombits(r.Uint64())
		switch r.IntN(5) {
		case 0:
			x = float64(r.IntN(1<<30)-1<<29) / 1000
		case 1:
			x = float64(r.IntN(1<<20)-1<<19) / 8
		case 2:
			x = float64(r.IntN(1<<24)) / 1000 // on both sides of 8192
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		for _, size := range []int{32, 64} {
			if size == 32 {
				x = float64(float32(x))
			}
			if math.IsInf(x, 0) {
				break
			}
			got := string(numeric.AppendFloat(nil, x, size, numeric.StyleTagged))
			back, err := strconv.ParseFloat(got, size)
			if err != nil || math.Float64bits(back) != math.Float64bits(x) {
				t.Fatalf("%g: %s", x, got)
			}
			if !strings.ContainsAny(got, ".e") {
				t.Fatalf("%s could be an int", got)
			}
			digits := strings.Trim(strings.SplitN(strings.NewReplacer("-", "", ".", "").Replace(got), "e", 2)[0], "0")
			fewest := strconv.FormatFloat(math.Abs(x), 'e', -1, size)
			if want := strings.Trim(strings.Replace(strings.SplitN(fewest, "e", 2)[0], ".", "", 1), "0"); digits != want {
				t.Fatalf("%s: digits %s, not %s", got, digits, want)
			}
		}
	}
}

func TestFloatStyles(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string // short, text, float, JSON, tagged
	}{
		{2, "2 2 2.0 2.0 2.0"},
		{math.Copysign(0, -1), "-0 -0 -0.0 -0.0 -0.0"},
		{math.Inf(1), `inf inf inf "inf" inf`},
		{math.Inf(-1), `-inf inf_neg inf_neg "-inf" -inf`},
		{math.NaN(), `nan nan nan "nan" nan`},
		{1e16, "1e+16 1e+16 1e+16 1e+16 1e+16"},
		{1e15, "1000000000000000 1000000000000000 1000000000000000.0 1000000000000000.0 1000000000000000.0"},
		{0.00001, "0.00001 0.00001 0.00001 0.00001 0.00001"},
		{5e-324, "5e-324 5e-324 5e-324 5e-324 5e-324"},
	} {
		var got []string
		for s := numeric.StyleShort; s <= numeric.StyleTagged; s++ {
			got = append(got, string(numeric.AppendFloat(nil, c.x, 64, s)))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%g: %v, not %s", c.x, got, c.want)
		}
	}
}

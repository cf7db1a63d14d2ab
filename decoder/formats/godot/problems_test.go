package godot_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// TestText: problems of strings, by dialect.
func TestText(t *testing.T) {
	long := strings.Repeat("20202020", 50_000)
	for _, c := range []struct{ dialect, digits, want string }{
		{"godot4", "04000000 03000000 efbbbf00", span.ByteOrderMark},
		{"godot4", "04000000 03000000 61006200", span.NulInText},
		{"godot4", "04000000 03000000 eda08000", span.InvalidUTF8}, // a surrogate
		{"godot3", "04000000 03000000 eda08000", ""},
		{"godot3", "04000000 04000000 f4908080", ""}, // past 10FFFF
		{"pandemonium", "04000000 04000000 f4908080", span.InvalidUTF8},
		{"godot3", "04000000 02000000 c0800000", span.InvalidUTF8}, // overlong
		{"godot3", "04000000 01000000 e4000000", span.InvalidUTF8},
		{"godot4", "04000000 03000000 61626301", span.NonZeroPadding},
		{"godot4", "04000000 03000000 616263", span.MissingPadding},
		{"godot4", "1d000000 03000000 616263", span.MissingPadding},
		{"godot4", "16000000 01000080 00000000 00000000 01000000 61aabbcc", ""}, // engines leave garbage there
		{"godot4", "04000000 400d0300" + long, ""},
		{"godot4", "04000000 440d0300" + long + "202020ff", span.InvalidUTF8},
		{"godot4", "04000000 440d0300" + long + "20202000", span.NulInText},
		{"godot4", "16000000 01000000 61000000", span.OldNodePath},
		{"godot4", "18000000 01000000 41000000 01000000 06000000 7363726970740000 04000000 00000000", span.ObjectInData + " " + span.RunsCode},
		{"godot4", "18000100 0900000000000000", span.ObjectByID},
		{"pandemonium", "13000000" + strings.Repeat("00", 64), span.EngineReadBack},
	} {
		tr := Read(t, c.dialect, c.digits)
		var codes []string
		s := tr.Scanner()
		s.Report = func(p span.Problem) { codes = append(codes, p.Code) }
		for s.Next() != tree.Done {
		}
		if got := strings.Join(codes, " "); got != c.want {
			t.Errorf("%s %.60s: %q, not %q", c.dialect, c.digits, got, c.want)
		}
	}
}

// TestPassed: values that are passed quickly have no problems when they are read one
// by one.
func TestPassed(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	wide := Bytes(t, "1c000000 02000000 02000100 05000000 00000000 03000100 00000000 0000f83f")
	if n := Problems(t, TreeOf(FormatOf("godot4 raw"), wide))[span.WideNumber]; n != 2 {
		t.Errorf("%d wide numbers", n)
	}
	for _, file := range Files(t) {
		if len(file.Data) == 0 || len(file.Data) > 3000 {
			continue
		}
		for range 20 {
			data := Mutated(r, file.Data)
			want := map[string]int{}
			s := TreeOf(file.Format, data).Scanner()
			s.Report = func(p span.Problem) { want[p.Code]++ }
			if err := s.Run(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			if got := Problems(t, TreeOf(file.Format, data)); !maps.Equal(got, want) {
				t.Errorf("%s as % x: %v, not %v", file.Name, data, got, want)
			}
		}
	}
}

package json_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"varview/decoder/godot/internal/godottest"
	"varview/decoder/godot/internal/json"
)

// TestOrdinary holds that values written straight from their bytes are as those written one
// by one, of sound files and of such with changes anywhere.
func TestOrdinary(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	files := append(godottest.Files(t), godottest.File{Name: "NaN", Format: godottest.FormatOf("godot4"),
		Data: godottest.Bytes(t, "1c000000 02000000 03000000 0000c07f 03000100 010000000000f87f")})
	for _, file := range files {
		if len(file.Data) == 0 {
			continue
		}
		data := file.Data
		for range 40 {
			got := strings.TrimSuffix(exported(t, file.Format, data), "\n")
			if want := json.WriteEach(file.Format.Variant(), godottest.TreeOf(file.Format, data).NewReader()); got != want {
				t.Fatalf("%s: % x\n%s\nwant\n%s", file.Name, data, got, want)
			}
			data = godottest.Mutated(random, file.Data)
		}
	}
}

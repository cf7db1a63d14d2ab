package literal_test

import (
	"math/rand/v2"
	"testing"

	"varview/decoder/godot/internal/godottest"
	"varview/decoder/godot/internal/literal"
)

// TestOrdinary holds that values written straight from their bytes are as those written one
// by one, of sound files and of such with changes anywhere.
func TestOrdinary(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, file := range godottest.Files(t) {
		if len(file.Data) == 0 {
			continue
		}
		data := file.Data
		for range 40 {
			r := godottest.TreeOf(file.Format, data).NewReader()
			got := godottest.TextOf(t, r, &r.Tree.Base.Value)
			if want := literal.WriteEach(file.Format.Variant(), r); got != want {
				t.Fatalf("%s: % x\n%s\nwant\n%s", file.Name, data, got, want)
			}
			data = godottest.Mutated(random, file.Data)
		}
	}
}

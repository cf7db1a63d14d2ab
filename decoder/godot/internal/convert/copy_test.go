package convert_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"varview/decoder/format"
	"varview/decoder/godot"
	direct "varview/decoder/godot/internal/convert"
	"varview/decoder/godot/internal/godottest"
	"varview/decoder/godot/internal/variant"
	"varview/decoder/tree"
)

// TestCopied holds that values copied as they are, but for the ids of their types, are as
// those converted one by one, of sound files and of such with changes anywhere.
func TestCopied(t *testing.T) {
	type conversion func(context.Context, *tree.Reader, *variant.Format, *variant.Format, *format.ConvertRequest, io.Writer) error
	random := rand.New(rand.NewPCG(1, 1))
	for _, file := range godottest.Files(t) {
		if len(file.Data) == 0 {
			continue
		}
		data := file.Data
		for i := range 20 {
			for _, name := range []string{"godot4", "godot3", "pandemonium", "pandemonium3"} {
				to := godot.New(godot.Settings{Dialect: godottest.FormatOf(name).Dialect, Framing: file.Format.Framing, BigEndian: file.Format.BigEndian})
				to.Double = file.Format.Double && to.Dialect.HasDouble()
				of := func(with conversion) string {
					var out bytes.Buffer
					var said strings.Builder
					q := format.ConvertRequest{Dialect: name, Lost: []format.Outcome{format.Stops, format.Dropped, format.Nulled, format.Described}[i%4], Paths: true,
						Report: func(l format.Loss) { fmt.Fprintln(&said, l) }}
					err := with(context.Background(), godottest.TreeOf(file.Format, data).NewReader(), file.Format.Variant(), to.Variant(), &q, &out)
					if err != nil {
						return said.String() + err.Error() // what was written is of no use
					}
					return fmt.Sprintf("%s% x", &said, out.Bytes())
				}
				if got, want := of(direct.Convert), of(direct.Each); got != want {
					t.Fatalf("%s to %s: % x\n%s\nwant\n%s", file.Name, name, data, got, want)
				}
			}
			data = godottest.Mutated(random, file.Data)
		}
	}
}

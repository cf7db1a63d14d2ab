package decoder

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"varview/decoder/engine/span"
	"varview/decoder/score"
)

// savedItems returns a dictionary as Godot 3 or 4 stores it, with a list of dictionaries.
func savedItems(version, items int, name string) []byte {
	types := map[int][3]uint32{3: {18, 19, 4}, 4: {27, 28, 4}}[version]
	word := func(b []byte, n uint32) []byte { return binary.LittleEndian.AppendUint32(b, n) }
	text := func(b []byte, s string) []byte {
		b = append(word(word(b, types[2]), uint32(len(s))), s...)
		return append(b, make([]byte, -len(s)&3)...)
	}
	b := word(word(nil, types[0]), 3)
	b = word(word(text(b, "version"), 2), 3)
	b = text(text(b, "name"), name)
	b = word(word(text(b, "items"), types[1]), uint32(items))
	for i := range items {
		b = word(word(b, types[0]), 3)
		b = text(text(b, "id"), fmt.Sprintf("%s_%03d", name, i))
		b = word(word(text(b, "count"), 2), uint32(i*7%100))
		b = word(word(text(b, "equipped"), 1), uint32(i&1))
	}
	return b
}

// TestBlocksInFrame: where a block within framed values is repeated, removed or overwritten by that of another save, the length of the frame
// is no header of the game's own without an error.
func TestBlocksInFrame(t *testing.T) {
	framed := func(values ...[]byte) (b []byte) {
		for _, v := range values {
			b = append(binary.LittleEndian.AppendUint32(b, uint32(len(v))), v...)
		}
		return b
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, version := range []int{3, 4} {
		for name, saves := range map[string][2][]byte{
			"one value":     {framed(savedItems(version, 120, "sword")), framed(savedItems(version, 100, "shields"))},
			"a small value": {framed(savedItems(version, 12, "sword")), framed(savedItems(version, 16, "shields"))},
			"two values":    {framed(savedItems(version, 60, "sword"), savedItems(version, 30, "bow")), framed(savedItems(version, 50, "shields"), savedItems(version, 30, "ax"))},
		} {
			save, other := saves[0], saves[1]
			for range 8 {
				n := 64 << r.IntN(5)
				n = min(n, len(save)/4&^3)
				at := 64 + r.IntN((len(save)-2*n-64)/4)*4
				for what, b := range map[string][]byte{
					"repeated":    slices.Concat(save[:at+n], save[at:]),
					"removed":     slices.Concat(save[:at], save[at+n:]),
					"overwritten": slices.Concat(save[:at], other[min(at, len(other)):min(at+n, len(other))], save[at+n:]),
				} {
					if bytes.Equal(b, save) {
						continue
					}
					d := openBytes(t, b)
					isSeen := hasError(t, d)
					if len(d.Layers) > 0 && d.Layers[0].Region.Length-d.Layers[0].Payload.Size() == 4 && !isSeen {
						t.Errorf("Godot %d, %s, %d bytes %s at %d: %s %s in %d layers, %s", version, name, n, what, at, d.Dialect, d.Framing, len(d.Layers), d.Confidence)
					}
				}
			}
		}
	}
}

// hasError reports whether the values have an error.
func hasError(t *testing.T, d *Document) bool {
	bad, err := score.HasProblem(context.Background(), d.Tree, true, func(p *span.Problem) bool { return p.Severity == span.Error })
	if err != nil {
		t.Fatal(err)
	}
	return bad
}

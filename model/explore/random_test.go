package explore

import (
	"math/rand/v2"
	"strings"

	"varview/model/savetest"
)

// someTexts are for random keys and strings; some are no identifiers, no ASCII, empty.
var someTexts = []string{"", "a", "hp", "player", "a.b", "two words", "Ärger", "冒険", "🎮", "x\ny", "\"q\"", "]", "@key", "#2", "\xff\xfe", strings.Repeat("long", 20)}

// randomValue is a value nested at most depth levels.
func randomValue(r *rand.Rand, depth int) []byte {
	kinds := 16
	if depth == 0 {
		kinds = 12
	}
	pick := func() string { return someTexts[r.IntN(len(someTexts))] }
	switch r.IntN(kinds) {
	case 0:
		return savetest.Null()
	case 1:
		return boolean(r.IntN(2) == 0)
	case 2:
		return integer(int32(r.IntN(20) - 5))
	case 3:
		return long(r.Int64())
	case 4:
		return double(float64(r.IntN(8)) / 2)
	case 5, 6:
		return text(pick())
	case 7:
		return vector2(float32(r.IntN(4)), 1)
	case 8:
		return packedBytes(make([]byte, r.IntN(6))...)
	case 9:
		return packedInts(make([]uint32, r.IntN(4))...)
	case 10:
		return packedVectors(make([]float32, 2*r.IntN(3))...)
	case 11:
		return packedStrings(pick(), pick())
	case 12, 13:
		values := make([][]byte, r.IntN(5))
		for i := range values {
			values[i] = randomValue(r, depth-1)
		}
		return array(values...)
	}
	pairs := make([][]byte, 2*r.IntN(5))
	for i := range pairs {
		if pairs[i] = randomValue(r, depth-1); i%2 == 0 && r.IntN(3) > 0 {
			pairs[i] = text(pick())
		}
	}
	return dictionary(pairs...)
}

// randomFile is a bare value or a stream, every second one damaged.
func randomFile(r *rand.Rand) (data []byte, framing string) {
	if framing = "raw"; r.IntN(2) == 0 {
		framing = "stream"
		var values [][]byte
		for range r.IntN(4) {
			values = append(values, randomValue(r, 2))
		}
		data = stream(values...)
	} else {
		data = randomValue(r, 3)
	}
	if r.IntN(2) == 0 {
		return data, framing
	}
	for range 1 + r.IntN(3) {
		if len(data) == 0 {
			break
		}
		i := r.IntN(len(data))
		switch r.IntN(4) {
		case 0:
			data = data[:i]
		case 1:
			data[i] ^= 1 << r.IntN(8)
		case 2:
			data[i&^3] = byte(r.IntN(40))
		case 3:
			data = append(data, "behind"[:1+i%6]...)
		}
	}
	return data, framing
}

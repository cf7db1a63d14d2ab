package decoder_test

import (
	"slices"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
)

// TestNumbersInOrder: the numbers to which many edits add are read from first to last, each once.
func TestNumbersInOrder(t *testing.T) {
	var together edit.Together
	var read []int64
	for i := range int64(200) {
		at := span.Span{Offset: i * 37 % 100, Length: 1}
		together.Add(at, 1, func(by int64) ([]byte, error) {
			read = append(read, at.Offset)
			return []byte{byte(by)}, nil
		})
		together.Keep()
	}
	splices, err := together.Splices()
	if err != nil || len(splices) != 100 || len(read) != 100 || !slices.IsSorted(read) || splices[7].Offset != 7 {
		t.Errorf("%d splices, numbers read at %v, %v", len(splices), read, err)
	}
}

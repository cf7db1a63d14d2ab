package model

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"varview/decoder"
)

// TestToGuess: all bytes of a file that nobody knows are guessed about.
func TestToGuess(t *testing.T) {
	data := make([]byte, 200<<10)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range data {
		data[i] = byte(r.IntN(256))
	}
	f, err := openFile(t, write(t, data), decoder.Options{}).ToGuess(1 << 20)
	must(t, err)
	if len(f) == 0 || !bytes.Equal(f[0].Data, data) {
		t.Errorf("%d buffers, of which the first has not the %d bytes of the file", len(f), len(data))
	}
}

package hidden

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/andybalholm/brotli"
)

// TestBrotli: bytes that do not look like a Brotli stream at first are not one, and streams of any window
// and quality are found.
func TestBrotli(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	for window := 10; window <= 24; window++ {
		for quality := 0; quality <= 11; quality += 3 {
			for _, n := range []int{1, 60, 5000} {
				plain := make([]byte, n)
				if quality > 0 {
					random.Read(plain[:n/2+1])
				}
				var packed bytes.Buffer
				w := brotli.NewWriterOptions(&packed, brotli.WriterOptions{Quality: quality, LGWin: window})
				w.Write(plain)
				if quality == 6 {
					w.Flush()
					w.Write(nil)
				}
				w.Close()
				for packed.Len() < 8 { // shorter ones are not looked for
					packed.WriteByte(0)
				}
				if !mayBeBrotli(packed.Bytes()) {
					t.Errorf("window %d, quality %d, %d bytes: %x", window, quality, n, packed.Bytes()[:8])
				}
			}
		}
	}
	b := make([]byte, 40)
	refused := 0
	for range 2000 {
		random.Read(b)
		if mayBeBrotli(b) {
			continue
		}
		refused++
		if c := unpack(brotli.NewReader(bytes.NewReader(b)), 1<<20); c.Err == nil && len(c.Bytes) > 0 {
			t.Errorf("%x holds %x", b, c.Bytes)
		}
	}
	if refused < 500 {
		t.Errorf("only %d of 2000 refused", refused)
	}
}

// TestDeflateAgain: an inflater that was used for something else reads the next stream.
func TestDeflateAgain(t *testing.T) {
	stream := []byte{0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xf0, 0x40, 0x90, 0x8a, 0x00} // of "Hello Hello Hello!", by zlib
	for i := range 3 {
		var got []byte
		unsigned(stream, 1<<20, func(c Content) {
			if c.How == "deflate" {
				got = c.Bytes
			}
		})
		if string(got) != "Hello Hello Hello!" {
			t.Errorf("%d: %q", i, got)
		}
		unsigned([]byte("no stream at all, of any kind"), 1<<20, func(Content) {})
	}
}

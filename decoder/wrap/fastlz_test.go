package wrap

import (
	"bytes"
	"errors"
	"testing"

	"varview/decoder/wrap/fastlz"
	"varview/decoder/wrap/wraptest"
)

// TestInstructions: each instruction of both levels, by the description of
// the format.
func TestInstructions(t *testing.T) {
	zeros := 9 + 32*255 + 20
	far := []byte{0x20 | 3, 'a', 'b', 'c', 0}
	far = append(append(append(far, 7<<5), bytes.Repeat([]byte{255}, 32)...), 20, 0) // zeros, from 1 byte back
	far = append(far, 1<<5|31, 255, 0, 1)                                            // 3 bytes from 8191+1+1 back
	wide := append([]byte("abc"), make([]byte, 1+zeros)...)
	wide = append(wide, wide[len(wide)-8193:][:3]...)
	for _, c := range []struct {
		name   string
		packed []byte
		want   []byte
		room   int
		err    error
	}{
		{"literal", []byte{2, 'a', 'b', 'c'}, []byte("abc"), 3, nil},
		{"short match", []byte{2, 'a', 'b', 'c', 1 << 5, 2}, []byte("abcabc"), 6, nil},
		{"run", []byte{0, 'a', 5 << 5, 0}, []byte("aaaaaaaa"), 8, nil},
		{"long match", []byte{0, 'a', 7 << 5, 3, 0}, []byte("aaaaaaaaaaaaa"), 13, nil},
		{"level 2", far, wide, len(wide), nil},
		{"a byte alone at the end", []byte{0, 'a', 1 << 5, 0, 7}, []byte("aaaa"), 4, nil},
		{"nothing", nil, nil, 10, fastlz.ErrEarly},
		{"level 3", []byte{2 << 5, 'a'}, nil, 10, fastlz.ErrDamaged},
		{"cut literal", []byte{5, 'a'}, nil, 10, fastlz.ErrEarly},
		{"cut match", []byte{0, 'a', 7 << 5, 1}, []byte("a"), 99, fastlz.ErrEarly},
		{"too far back", []byte{0, 'a', 1 << 5, 1}, []byte("a"), 99, fastlz.ErrDamaged},
		{"too many literals", []byte{2, 'a', 'b', 'c'}, nil, 2, fastlz.ErrTooMuch},
		{"too long a match", []byte{0, 'a', 1 << 5, 0}, []byte("a"), 3, fastlz.ErrTooMuch},
	} {
		got, err := fastlz.Unpack(make([]byte, 0, c.room), c.packed)
		if !bytes.Equal(got, c.want) || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v", c.name, got[:min(len(got), 20)], err)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	for i, n := range []int{16, 17, 18, 29, 30, 31, 32, 33, 64, 300, 4095, 4096, 65535, 65536, 65537, 300_000} {
		for _, plain := range [][]byte{make([]byte, n), wraptest.Mixed(n, uint64(i)), bytes.Repeat([]byte("ab"), (n+1)/2)[:n]} {
			packed := fastlz.Pack(plain)
			if level := packed[0]>>5 + 1; (level == 2) != (n >= 65536) {
				t.Errorf("%d bytes: level %d", n, level)
			}
			if got, err := fastlz.Unpack(make([]byte, 0, n), packed); err != nil || !bytes.Equal(got, plain) {
				t.Errorf("%d bytes come back as %d: %v", n, len(got), err)
			}
		}
	}
}

// fastlzFiles are real files with blocks of FastLZ.
func fastlzFiles(t testing.TB) [][]byte { return wraptest.Files(t, "testdata/*fastlz*.bin") }

// FuzzFastLZ: any bytes unpack to at most the capacity, and packed bytes unpack to the original.
func FuzzFastLZ(f *testing.F) {
	for _, data := range fastlzFiles(f) {
		f.Add(data[24:], uint16(4096))
		f.Add(data, uint16(16))
	}
	f.Add(append([]byte{0x20}, wraptest.Mixed(70_000, 7)...), uint16(60_000))
	f.Fuzz(func(t *testing.T, data []byte, room uint16) {
		dst := append(make([]byte, 0, int(room)+3), "abc"...)
		got, _ := fastlz.Unpack(dst, data)
		if len(got) > cap(dst) || !bytes.HasPrefix(got, []byte("abc")) {
			t.Fatalf("%d bytes in room for %d", len(got), room)
		}
		if len(data) < fastlz.Least {
			return
		}
		back, err := fastlz.Unpack(make([]byte, 0, len(data)), fastlz.Pack(data))
		if err != nil || !bytes.Equal(back, data) {
			t.Fatalf("%d bytes come back as %d: %v", len(data), len(back), err)
		}
	})
}

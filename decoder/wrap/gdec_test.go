package wrap

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// gdecOf encrypts as Godot 3 or 4 does, with the key of the password "x".
func gdecOf(t testing.TB, generation int, plain []byte) []byte {
	block, err := aes.NewCipher(PasswordKey("x"))
	if err != nil {
		t.Fatal(err)
	}
	sum := md5.Sum(plain)
	size := binary.LittleEndian.AppendUint64(nil, uint64(len(plain)))
	text := append(bytes.Clone(plain), make([]byte, (len(plain)+15)/16*16-len(plain))...)
	if generation == 3 {
		for i := 0; i < len(text); i += 16 {
			block.Encrypt(text[i:], text[i:])
		}
		return slices.Concat([]byte("GDEC"), le(1), sum[:], size, text)
	}
	iv := []byte("0123456789abcdef")
	cipher.NewCFBEncrypter(block, iv).XORKeyStream(text, text) //lint:ignore SA1019 what Godot uses
	return slices.Concat([]byte("GDEC"), sum[:], size, iv, text)
}

func password(s string) Options { return Options{MaxUnpacked: 1 << 30, Password: &s} }

// TestPasswordKey: md5("x") in hexadecimal digits.
func TestPasswordKey(t *testing.T) {
	if got := string(PasswordKey("x")); got != "9dd4e461268c8034f5c8564e155c67a6" {
		t.Error(got)
	}
}

// TestGDECDamage: each kind of damage has its code and place, and the rest of the payload can be read. The
// header of generation 3 has 32 bytes, that of 4 has 44; 50 plain bytes take 64.
func TestGDECDamage(t *testing.T) {
	plain := mixed(50, 8)
	three, four := gdecOf(t, 3, plain), gdecOf(t, 4, plain)
	flipped := bytes.Clone(plain)
	flipped[0] ^= 1
	const none = -1
	for _, c := range []struct {
		name  string
		data  []byte
		size  int // size of the payload, which is right from byte 32 on
		state State
		wrong bool
		want  []string
	}{
		{"good 3", three, 50, Matches, false, nil},
		{"good 4", four, 50, Matches, false, nil},
		{"flipped bit 3", put(three, 33, three[33]^1), 50, Differs, false, []string{"error checksum 8+16"}},
		{"flipped bit 4", put(four, 45, four[45]^1), 50, Differs, false, []string{"error checksum 4+16"}},
		{"other MD5", put(four, 4, four[4]^1), 50, Differs, false, []string{"error checksum 4+16"}},
		{"flipped bit in the start value", put(four, 28, four[28]^1), 50, Differs, false, []string{"error checksum 4+16"}},
		{"cut 3", three[:32+40], 32, Unknown, false, []string{"error truncated 64+8"}},
		{"cut 4", four[:44+40], 40, Unknown, false, []string{"error truncated 76+8"}},
		{"padding cut", four[:44+50], 50, Matches, false, []string{"error truncated 92+2"}},
		{"bytes behind 3", append(bytes.Clone(three), 7), 50, Matches, false, []string{"warning trailing-bytes 96+1"}},
		{"bytes behind 4", append(bytes.Clone(four), 7), 50, Matches, false, []string{"warning trailing-bytes 108+1"}},
		{"other mode", put(three, 4, 2), 50, Matches, false, []string{"error unknown-mode 4+4"}},
		{"size too large", put(four, 20, 55), 55, Differs, false, []string{"error checksum 4+16"}},
		{"size of 2⁶⁴-1", put(four, 20, 255, 255, 255, 255, 255, 255, 255, 255), 64, Unknown, false, []string{"error wrong-size 20+8"}},
		{"cut header", four[:30], none, Unknown, false, []string{"error truncated 0+30"}},
		{"magic alone", four[:4], none, Unknown, false, []string{"error truncated 0+4"}},
		{"other magic", put(four, 0, 'g'), 50, Matches, false, []string{"error bad-magic 0+4"}},
		{"no magic", put(four, 0, 'g', 'd'), none, Unknown, false, []string{"error unrecognized 0+108"}},
	} {
		l := open(t, GDEC, c.data, password("x"))
		if got := problems(t, l, c.data); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
		checkTree(t, c.data, l)
		if c.size == none {
			if l.Payload != nil || l.Missing == nil {
				t.Errorf("%s: has a payload", c.name)
			}
			continue
		}
		got := payload(t, l)
		if len(got) != c.size || !bytes.Equal(got[32:min(50, len(got))], plain[32:min(50, len(got))]) {
			t.Errorf("%s: %d bytes", c.name, len(got))
		}
		if l.Checksum() != c.state || l.LooksWrong() != c.wrong {
			t.Errorf("%s: %v, looks wrong: %v", c.name, l.Checksum(), l.LooksWrong())
		}
	}
}

// TestGDECWrongKey: with a wrong key the padding is not zero.
func TestGDECWrongKey(t *testing.T) {
	for generation, at := range map[int]int{3: 8, 4: 4} {
		data := gdecOf(t, generation, mixed(50, 8))
		l := open(t, GDEC, data, password("y"))
		if l.Checksum() != Differs || !l.LooksWrong() || l.Generation != generation {
			t.Errorf("%d: %v, looks wrong: %v", generation, l.Checksum(), l.LooksWrong())
		}
		if got := problems(t, l, data); !slices.Equal(got, []string{fmt.Sprintf("error wrong-key %d+16", at)}) {
			t.Error(got)
		}
	}
}

// TestGDECNoKey: without a key the header is described.
func TestGDECNoKey(t *testing.T) {
	for generation, data := range map[int][]byte{3: gdecOf(t, 3, []byte("plain")), 4: gdecOf(t, 4, []byte("plain"))} {
		l := open(t, GDEC, data, Options{MaxUnpacked: 1})
		if l.Payload != nil || l.Missing.Code != NeedsKey || l.Generation != generation || l.LooksWrong() {
			t.Errorf("generation %d, not %d: %+v", l.Generation, generation, l.Missing)
		}
		checkTree(t, data, l)
	}
	if _, err := Open(context.Background(), GDEC, source.Bytes(nil), span.Span{}, Options{Key: make([]byte, 31), MaxUnpacked: 1}); !errors.Is(err, ErrKeyLength) {
		t.Error(err)
	}
}

// TestGDECNeitherFits: if neither size nor mode tells the generation, the MD5 does.
func TestGDECNeitherFits(t *testing.T) {
	plain := mixed(100, 2)
	data := gdecOf(t, 3, plain)
	copy(data[4:], le(2))                    // no mode of Godot 3
	data = append(data, make([]byte, 12)...) // so that neither size fits
	l := open(t, GDEC, data, password("x"))
	if l.Generation != 3 || l.Checksum() != Matches || !bytes.Equal(payload(t, l), plain) {
		t.Errorf("generation %d, %v", l.Generation, l.Checksum())
	}
}

// TestGDECAnyPlace reads pieces of a payload at and around the borders of cipher blocks and of the pieces
// decrypted at once.
func TestGDECAnyPlace(t *testing.T) {
	plain := mixed(200_005, 9)
	for _, generation := range []int{3, 4} {
		l := open(t, GDEC, gdecOf(t, generation, plain), password("x"))
		for _, at := range []int{0, 1, 15, 16, 17, 65_535, 65_536, 65_537, 131_071, 200_000, 200_004, 200_005, 200_006} {
			for _, n := range []int{0, 1, 15, 16, 17, 33, 65_536, 70_001, 300_000} {
				b := make([]byte, n)
				got, err := l.Payload.ReadAt(b, int64(at))
				want := plain[min(at, len(plain)):min(at+n, len(plain))]
				if !bytes.Equal(b[:got], want) || (err == io.EOF) != (len(want) < n) {
					t.Fatalf("generation %d: %d bytes at %d: %d, %v", generation, n, at, got, err)
				}
			}
		}
	}
}

// TestGDECVerify: Verify finds out what Open did not.
func TestGDECVerify(t *testing.T) {
	l := open(t, GDEC, gdecOf(t, 4, mixed(500_000, 9)), password("x"))
	l.SetChecksum(Unknown)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := l.Verify(ctx, nil); !errors.Is(err, context.Canceled) || l.Checksum() != Unknown {
		t.Errorf("%v, %v", err, l.Checksum())
	}
	last := int64(0)
	if err := l.Verify(context.Background(), func(done, all int64) {
		if done <= last || done > all {
			t.Errorf("%d of %d after %d", done, all, last)
		}
		last = done
	}); err != nil || l.Checksum() != Matches || last != 500_000 {
		t.Errorf("%v, %v, %d", err, l.Checksum(), last)
	}
}

// TestGDECHole: a hole of the cipher text becomes one of the payload. In CFB it takes the next cipher block
// with it.
func TestGDECHole(t *testing.T) {
	plain := mixed(1000, 6)
	for generation, want := range map[int]string{3: "208+16", 4: "208+32"} {
		data := gdecOf(t, generation, plain)
		start := int64(len(data) - 1008)
		src := holey{data, span.Span{Offset: start + 210, Length: 3}}
		l, err := Open(context.Background(), GDEC, src, span.Between(0, int64(len(data))), password("x"))
		if err != nil {
			t.Fatal(err)
		}
		holes(t, fmt.Sprint("generation ", generation), l.Payload, plain, want)
	}
}

// holey is a source some of whose bytes cannot be read.
type holey struct {
	source.Bytes
	hole span.Span
}

func (h holey) ReadAt(p []byte, off int64) (int, error) {
	n, err := h.Bytes.ReadAt(p, off)
	if off >= h.hole.End() || off+int64(n) <= h.hole.Offset {
		return n, err
	}
	n = int(max(0, h.hole.Offset-off))
	return n, &source.HoleError{Span: h.hole, Err: errDamaged}
}

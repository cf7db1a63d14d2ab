package decoder

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"varview/decoder/wrap"
	"varview/decoder/wrap/gdec"
)

// encrypted makes a GDEC of a generation of Godot with the password "right", without padding and with a
// wrong MD5.
func encrypted(t *testing.T, generation int, plain []byte) []byte {
	block, err := aes.NewCipher(gdec.PasswordKey("right"))
	if err != nil {
		t.Fatal(err)
	}
	text, sum, iv := bytes.Clone(plain), []byte("no MD5 of theirs"), []byte("0123456789abcdef")
	size := binary.LittleEndian.AppendUint64(nil, uint64(len(plain)))
	if generation == 4 {
		cipher.NewCFBEncrypter(block, iv).XORKeyStream(text, text) //lint:ignore SA1019 what Godot uses
		return slices.Concat([]byte("GDEC"), sum, size, iv, text)
	}
	for i := 0; i < len(text); i += 16 {
		block.Encrypt(text[i:], text[i:])
	}
	return slices.Concat([]byte("GDEC\x01\x00\x00\x00"), sum, size, text)
}

// noise returns n random bytes.
func noise(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.IntN(256))
	}
	return b
}

// TestNoiseIsNoSave: noise, as a wrong key yields it, is not taken for values, even if it begins with the
// type of a packed array, whose elements may be any bytes.
func TestNoiseIsNoSave(t *testing.T) {
	for _, size := range []int{256, 1 << 10, 16 << 10, 57_296, 1 << 20} {
		for id := range 40 {
			if size > 1<<10 && id%4 > 0 {
				continue
			}
			plain := noise(size, uint64(size+id))
			plain[0] = byte(id)
			d := open(t, encrypted(t, 3+id%2, plain), Options{Passwords: []string{"right"}})
			if d.Missing == nil || d.Missing.Code != wrap.WrongKey {
				t.Errorf("%d bytes, type %d: %s %s", size, id, d.Dialect, d.Framing)
			}
		}
	}
}

// TestRightPasswordDamaged: a damaged file is opened with the right password wherever the damage is,
// although neither MD5 nor padding confirms the password.
func TestRightPasswordDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for generation, id := range map[int]byte{3: 0x12, 4: 0x1b} {
		for _, items := range []int{3, 31, 1023} { // {0: "item 0…", 1: …}, a multiple of 16 bytes
			plain := binary.LittleEndian.AppendUint32([]byte{id, 0, 0, 0}, uint32(items))
			for i := range items {
				plain = binary.LittleEndian.AppendUint32(append(plain, 2, 0, 0, 0), uint32(i))
				plain = append(append(plain, 4, 0, 0, 0, 12, 0, 0, 0), fmt.Sprintf("item %7d", i)...)
			}
			plain = append(plain, make([]byte, 15)...)[:len(plain)&^15]
			for range 2 {
				data := encrypted(t, generation, plain)
				at := 44 + r.IntN(len(data)-48)
				for i := range 4 {
					data[at+i] ^= byte(1 + r.IntN(255))
				}
				d := open(t, data, Options{Passwords: []string{"nobody", "right"}})
				if d.Missing != nil {
					t.Errorf("generation %d, %d bytes, damaged at %d: %+v", generation, len(plain), at, d.Missing)
				}
			}
		}
	}
}

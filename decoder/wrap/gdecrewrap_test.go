package wrap

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"encoding/binary"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// checkGDEC decrypts by the format's description, without the reader under test.
func checkGDEC(t testing.TB, got []byte, l *Layer, old []byte, o Options, plain []byte) {
	key := o.Key
	if key == nil {
		key = PasswordKey(*o.Password)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	head, rest := got[:4], got[4:]
	if l.Generation == 3 {
		if !bytes.Equal(rest[:4], old[4:8]) {
			t.Errorf("mode %x", rest[:4])
		}
		rest = rest[4:]
	}
	sum, size, rest := rest[:16], binary.LittleEndian.Uint64(rest[16:]), rest[24:]
	if want := md5.Sum(plain); string(head) != "GDEC" || !bytes.Equal(sum, want[:]) || size != uint64(len(plain)) {
		t.Errorf("%s of %d bytes, MD5 %x", head, size, sum)
	}
	if l.Generation == 4 {
		iv := rest[:16]
		if bytes.Equal(iv, old[28:44]) {
			t.Error("the start value is not a new one")
		}
		rest = bytes.Clone(rest[16:])
		cipher.NewCFBDecrypter(block, iv).XORKeyStream(rest, rest) //lint:ignore SA1019 what Godot uses
	} else {
		rest = bytes.Clone(rest)
		for i := 0; i < len(rest); i += 16 {
			block.Decrypt(rest[i:], rest[i:])
		}
	}
	if len(rest) != (len(plain)+15)/16*16 || !bytes.Equal(rest, append(bytes.Clone(plain), make([]byte, len(rest)-len(plain))...)) {
		t.Errorf("%d bytes of cipher text", len(rest))
	}
}

// TestRewrapDamagedGDEC: a cut file is whole after wrapping, and damaged bytes get a new MD5, if the
// padding shows that the key is right.
func TestRewrapDamagedGDEC(t *testing.T) {
	plain := mixed(50, 8)
	for _, generation := range []int{3, 4} {
		whole := gdecOf(t, generation, plain)
		start := len(whole) - 64
		for name, c := range map[string]struct {
			data []byte
			rest string
		}{
			"flipped": {put(whole, start+1, whole[start+1]^1), ""},
			"cut":     {whole[:start+40], string(whole[start+32 : start+40])},
			"behind":  {append(bytes.Clone(whole), "behind"...), "behind"},
		} {
			if name == "cut" && generation == 4 {
				c.rest = ""
			}
			l := open(t, GDEC, c.data, password("x"))
			before := payload(t, l)
			after, same := change{3, 0, []byte("new")}.apply(before)
			got := rewrap(t, l, after, same, password("x"))
			if !bytes.HasSuffix(got, []byte(c.rest)) {
				t.Errorf("%d, %s: ends in %x, not %x", generation, name, got[len(got)-16:], c.rest)
			}
			checkGDEC(t, got[:len(got)-len(c.rest)], l, c.data, password("x"), after)
		}
	}
}

// TestRewrapVerifies: an unverified key is verified before anything is written.
func TestRewrapVerifies(t *testing.T) {
	l := open(t, GDEC, gdecOf(t, 4, mixed(1000, 2)), password("y"))
	l.SetChecksum(Unknown)
	if l.CanRewrap() != nil {
		t.Error("not unknown")
	}
	var out memory
	if _, err := l.Rewrap(context.Background(), source.Bytes("plain"), nil, &out, 0, nil); err == nil || len(out) > 0 {
		t.Errorf("%d bytes are written", len(out))
	}
}

// TestRewrapLargeGDEC: more than is encrypted at once.
func TestRewrapLargeGDEC(t *testing.T) {
	for _, generation := range []int{3, 4} {
		for _, n := range []int{64<<10 - 1, 64 << 10, 64<<10 + 1, 300_000} {
			plain := mixed(n, 4)
			data := gdecOf(t, generation, []byte("x"))
			l := open(t, GDEC, data, password("x"))
			got := rewrap(t, l, plain, nil, password("x"))
			checkGDEC(t, got, l, data, password("x"), plain)
			if again := open(t, GDEC, got, password("x")); again.Checksum() != Matches || again.Region != span.Between(0, int64(len(got))) {
				t.Error(again.Checksum())
			}
		}
	}
}

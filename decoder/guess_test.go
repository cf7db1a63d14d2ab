package decoder

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/source"
)

// TestTryLayers finds the chains with which text was packed here, and none for text that is not packed.
func TestTryLayers(t *testing.T) {
	save := []byte(`{"gold": 12, "name": "Mira", "items": ["potion", "sword", "shield"], "pos": {"x": 12.5, "y": -3}}`)
	xor := func(b []byte, key string) []byte {
		b = bytes.Clone(b)
		for i := range b {
			b[i] ^= key[i%len(key)]
		}
		return b
	}
	u32 := func(n int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(n)) }
	var zipped, deflated bytes.Buffer
	g := gzip.NewWriter(&zipped)
	g.Write(save)
	g.Close()
	z := zlib.NewWriter(&deflated)
	z.Write(save)
	z.Close()
	raw := deflated.Bytes()[2 : deflated.Len()-4]
	for _, c := range []struct {
		name, chain, key string
		packed           []byte
	}{
		{"base64 of gzip", "base64 → gzip", "", []byte(base64.StdEncoding.EncodeToString(zipped.Bytes()))},
		{"a key of three", "xor", "key", xor(save, "key")},
		{"a key in base64", "base64 → xor", "abc", []byte(base64.StdEncoding.EncodeToString(xor(save, "abc")))},
		{"a key of gzip", "xor → gzip", "", xor(zipped.Bytes(), "U")},
		{"one byte", "xor", "~", xor(save, "~")},
		{"a header before gzip", "skip → gzip", "", append([]byte("SAVE\x07"), zipped.Bytes()...)},
		{"a size before gzip of a key", "header → xor → gzip", "", slices.Concat(u32(len(save)), xor(zipped.Bytes(), "U"))},
		{"a size before deflate", "header → deflate", "", slices.Concat(u32(len(save)), raw)},
		{"a size before a key", "header → xor", "key", slices.Concat([]byte("SV\x01\x00"), u32(len(save)), xor(save, "key"))},
		{"a CRC of packed bytes", "header → xor", "key", slices.Concat([]byte("SV\x01\x00"), u32(int(crc32.ChecksumIEEE(xor(save, "key")))), xor(save, "key"))},
		{"a CRC of plain bytes", "header → xor", "key", slices.Concat([]byte("SV\x01\x00"), u32(int(crc32.ChecksumIEEE(save))), xor(save, "key"))},
		{"a size and a CRC that have the key too", "xor → header", "", xor(slices.Concat(u32(len(save)), u32(int(crc32.ChecksumIEEE(save))), save), "key")},
		{"a CRC behind a key", "checksum → xor", "key", slices.Concat(xor(save, "key"), u32(int(crc32.ChecksumIEEE(xor(save, "key")))))},
		{"UTF-16", "utf16", "", bytes.Join([][]byte{nil, bytes.Join(bytes.Split(save, nil), []byte{0}), {0}}, nil)},
		{"mere text of one byte", "", "", xor([]byte(strings.Repeat("This is a text of some notes, and nothing else. ", 8)), "U")},
		{"hex of deflate", "hex → deflate", "", []byte(hex.EncodeToString(raw))},
		{"prose", "", "", []byte(strings.Repeat("This is \"a text\" of some notes. Nothing is packed in it.\n", 5))},
		{"a digest", "", "", []byte(strings.Repeat("d41d8cd98f00b204e9800998ecf8427e", 4))},
	} {
		found, err := TryLayers(context.Background(), source.Bytes(c.packed), "save.dat")
		chain, key := "", ""
		if len(found) > 0 {
			chain, key = found[0].Chain(), found[0].Steps[len(found[0].Steps)-1].Key
		}
		if err != nil || chain != c.chain || key != c.key {
			t.Errorf("%s: %q, key %q: %v", c.name, chain, key, err)
		}
	}
}

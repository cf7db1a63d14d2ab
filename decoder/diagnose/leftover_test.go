package diagnose_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"varview/decoder/edit/simple/simpletest"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
	"varview/decoder/formats/msgpack"
)

// packed returns {"items": [{"id": 0}, …], "end": 5} in MessagePack.
func packed(items int) []byte {
	b := []byte("\x82\xa5items\xdc")
	b = binary.BigEndian.AppendUint16(b, uint16(items))
	for i := range items {
		b = append(b, "\x81\xa2id"...)
		b = append(b, byte(i))
	}
	return append(b, "\xa3end\x05"...)
}

// TestNewOverOld: behind a whole save is the end of an older, longer one. That a larger count takes it in is not certain: what is
// left over is named too.
func TestNewOverOld(t *testing.T) {
	for _, items := range []int{20, 40, 70, 99} {
		t.Run(fmt.Sprint(items), func(t *testing.T) {
			is, old := packed(items), packed(100)
			data := append(bytes.Clone(is), old[len(is):]...)
			tr := simpletest.Open(t, msgpack.Family, data)
			all := findings(t, tr)
			if len(all) == 0 {
				t.Fatal("no findings")
			}
			left := &all[0]
			if left.Code != span.TrailingBytes {
				if !left.Unsure {
					t.Fatalf("taken for certain: %+v", left)
				}
				if left = &left.Alternatives[0]; left.Code == span.WrongCount {
					return // another count is as likely too: nothing is written either
				}
			}
			if left.Code != span.TrailingBytes || left.Offset != int64(len(is)) {
				t.Fatalf("not what is left over from %#x on: %+v", len(is), left)
			}
			if fixed := repaired(t, tr, data, left); !bytes.Equal(fixed, is) {
				t.Errorf("% x is left", fixed)
			}
		})
	}
}

// TestCertainCount: a count is the cause where the value cannot be read rightly without it, or where a frame holds what is left over.
func TestCertainCount(t *testing.T) {
	is, save := packed(100), []byte("\x18\x00\x00\x00\x1c\x00\x00\x00\x02\x00\x00\x00\x02\x00\x00\x00\x07\x00\x00\x00\x02\x00\x00\x00\x09\x00\x00\x00")
	damaged, framed := put(is, 9, 1, 60), put(save, 8, 1, 1)
	for _, test := range []struct {
		data, want []byte
		tree       *tree.Tree
	}{
		{damaged, is, simpletest.Open(t, msgpack.Family, damaged)},
		{framed, save, treeOf(framed, godot.Stream)},
	} {
		f := &findings(t, test.tree)[0]
		if f.Code != span.WrongCount || f.Unsure {
			t.Errorf("not certain: %+v", f)
		}
		if fixed := repaired(t, test.tree, test.data, f); !bytes.Equal(fixed, test.want) {
			t.Errorf("not restored: % x", fixed)
		}
	}
}

package units

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// TestHead: the head of a record is its fields in their order, little-endian.
func TestHead(t *testing.T) {
	var b []byte
	for i := range recordSize {
		b = append(b, byte(i*37+200))
	}
	b[45], b[59] = 2, 1 // a protocol that exists, and a bool
	var want head
	if n, err := binary.Decode(b, le, &want); n != recordSize || err != nil {
		t.Fatal(n, err)
	}
	if got := parseHead(b); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
	if got := want.append([]byte("x")); !bytes.Equal(got[1:], b) {
		t.Errorf("% x, not % x", got[1:], b)
	}
	if got, none := parseHead(b[:recordSize-1]), parseHead(nil); got != none {
		t.Errorf("a head that is cut is %+v", got)
	}
}

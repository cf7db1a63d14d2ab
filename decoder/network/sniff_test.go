package network

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/gzip"
)

func TestSniff(t *testing.T) {
	pcap := append([]byte("\xd4\xc3\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x00\x00\x01\x00\x00\x00"), make([]byte, 9000)...)
	ng := append([]byte("\x0a\x0d\x0d\x0a\x1c\x00\x00\x00\x4d\x3c\x2b\x1a\x01\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\x1c\x00\x00\x00"), make([]byte, 9000)...)
	var packed bytes.Buffer
	noise := make([]byte, 2*Sniffed)
	w := gzip.NewWriter(&packed)
	w.Write(pcap[:24])
	rand.NewChaCha8([32]byte{}).Read(noise)
	w.Write(noise)
	w.Close()
	for _, test := range []struct {
		name string
		b    []byte
		want bool
	}{
		{"pcap", pcap, true}, {"pcapng", ng, true}, {"gzip", packed.Bytes(), true}, {"cut gzip", packed.Bytes()[:Sniffed], true},
		{"empty", nil, false}, {"text", []byte("no capture at all, only a text"), false}, {"cut", pcap[:8], false}, {"gzip of nothing", packed.Bytes()[:4], false},
	} {
		if got := Sniff(test.b); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

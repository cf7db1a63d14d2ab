package capture

import (
	"bytes"
	"io"

	"varview/decoder/capture/pcap"
)

// Sniffed is the number of bytes by which Sniff knows a capture.
const Sniffed = 4 << 10

// Sniff reports whether a file begins like a capture, which may be compressed. Its first bytes
// are enough.
func Sniff(head []byte) bool {
	plain, closePlain, err := unpack(bytes.NewReader(head))
	if err != nil {
		return false
	}
	defer closePlain()
	var start [pcap.FileHeaderSize]byte
	n, _ := io.ReadFull(plain, start[:]) // the rest of what is packed is missing
	if _, ok := pcap.ParseHeader(start[:n]); ok {
		return true
	}
	_, ok := pcap.SectionOrder(start[:n])
	return ok
}

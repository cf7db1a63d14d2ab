package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"varview/decoder/capture/enet"
	"varview/decoder/capture/payload"
)

// TestDatagramChecksum: the checksum of ENet that held before an edit holds after it, and one that
// cannot be calculated is an error.
func TestDatagramChecksum(t *testing.T) {
	const id = 0x1a2b3c4d
	head := []byte{0x80, 3, 0, 9}
	commands := []byte("\x86\x01\x00\x05\x00\x04\x05\x00\x00\x00\x07\x02\x00\x05\x00\x02\x00\x03xyz")
	b := binary.BigEndian.AppendUint32(bytes.Clone(head), enet.Checksum(head, id, commands))
	b = append(b, commands...)
	p := &payload.Payload{Flow: &payload.Flow{Transport: payload.ENet, Checksum: true}, Connection: &payload.Connection{Began: true, ConnectID: id}, Channel: 1, Sequence: 5}
	got, err := datagram(b, []change{{old: []byte("\x05\x00\x00\x00"), new: []byte("longer"), payload: p, total: 6, rebuilt: true}})
	if err != nil {
		t.Fatal(err)
	}
	var u enet.Unpacker
	var d enet.Datagram
	if !u.Parse(&d, got, 0, true) || !d.ChecksumHolds(got, id) || len(d.List) != 2 || string(d.Commands[d.List[0].Data:d.List[0].End()]) != "longer" {
		t.Errorf("%x: %+v", got, d)
	}
	p.Connection.Began = false
	if _, err = datagram(b, []change{{old: []byte("\x05\x00\x00\x00"), new: []byte("longer"), payload: p}}); !errors.Is(err, errNoID) {
		t.Error(err)
	}
}

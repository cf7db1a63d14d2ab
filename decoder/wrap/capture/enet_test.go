package capture

import (
	"bytes"
	"encoding/binary"
	"testing"

	"varview/decoder/capture/enet"
	"varview/decoder/capture/payload"
)

// TestDatagramChecksum: the checksum of ENet that held before an edit holds after it, also if the
// capture does not have the beginning of the connection.
func TestDatagramChecksum(t *testing.T) {
	const id = 0x1a2b3c4d
	head := []byte{0x80, 3, 0, 9}
	commands := []byte("\x86\x01\x00\x05\x00\x04\x05\x00\x00\x00\x07\x02\x00\x05\x00\x02\x00\x03xyz")
	b := binary.BigEndian.AppendUint32(bytes.Clone(head), enet.Checksum(head, id, commands))
	b = append(b, commands...)
	p := &payload.Payload{Flow: &payload.Flow{Transport: payload.ENet, Checksum: true}, Connection: &payload.Connection{Began: true, ConnectID: id}, Channel: 1, Sequence: 5}
	for _, began := range []bool{true, false} { // the capture may begin later
		if p.Connection.Began = began; !began {
			p.Connection.ConnectID = 0
		}
		got, err := datagram(b, []change{{old: []byte("\x05\x00\x00\x00"), new: []byte("longer"), payload: p, total: 6, rebuilt: true}})
		if err != nil {
			t.Fatal(err)
		}
		var u enet.Unpacker
		var d enet.Datagram
		if !u.Parse(&d, got, 0, true) || !d.ChecksumHolds(got, id) || len(d.List) != 2 || string(d.Commands[d.List[0].Data:d.List[0].End()]) != "longer" {
			t.Errorf("%v: %x: %+v", began, got, d)
		}
	}

	// One that is wrong stays as it is.
	b[4] ^= 1
	p.Connection = &payload.Connection{Began: true, ConnectID: id}
	got, err := datagram(b, []change{{old: []byte("\x05\x00\x00\x00"), new: []byte("\x06\x00\x00\x00"), payload: p, total: 4, rebuilt: true}})
	if err != nil || !bytes.Equal(got[4:8], b[4:8]) {
		t.Errorf("%x, %v", got, err)
	}
}

package capture

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"varview/decoder/network/enet"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
)

// TestDatagramChecksum: an ENet checksum that fits before an edit fits after it, even if the capture lacks
// the beginning of the connection.
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

	// A wrong checksum stays as it is.
	b[4] ^= 1
	p.Connection = &payload.Connection{Began: true, ConnectID: id}
	got, err := datagram(b, []change{{old: []byte("\x05\x00\x00\x00"), new: []byte("\x06\x00\x00\x00"), payload: p, total: 4, rebuilt: true}})
	if err != nil || !bytes.Equal(got[4:8], b[4:8]) {
		t.Errorf("%x, %v", got, err)
	}
}

// TestSentAgain: of many changes the ones that a packet repeats are found, for a minute. The cost per
// packet does not depend on the number of changes.
func TestSentAgain(t *testing.T) {
	const count = 40_000
	flow := &payload.Flow{Transport: payload.ENet}
	a, b := netip.MustParseAddrPort("127.0.0.1:4000"), netip.MustParseAddrPort("127.0.0.1:7000")
	resent := again{}
	when := time.Unix(1000, 0)
	packet := func(i int, data string, at time.Time) *pcap.Packet {
		ip := append([]byte("\x45\x00\x00\x27\x00\x00\x00\x00\x40\x11\x00\x00\x7f\x00\x00\x01\x7f\x00\x00\x01\x0f\xa0\x1b\x58\x00\x13\x00\x00"),
			0x80, 0, 0, 9, 0x86, 1, byte(i>>8), byte(i), 0, 3)
		ip = append(ip, data...)
		ip[3], ip[25] = byte(len(ip)), byte(len(ip)-20)
		return &pcap.Packet{Link: 101, Data: ip, Wire: len(ip), Time: at}
	}
	for i := range count {
		p := &payload.Payload{Flow: flow, Src: a, Dst: b, Channel: 1, Sequence: uint16(i), Mode: payload.Reliable}
		resent.note(packet(i, "old", when), []change{{old: []byte("old"), new: []byte("newer"), payload: p, number: i}})
	}
	for i := range count {
		if found := resent.find(packet(i, "old", when.Add(time.Minute))); len(found) != 1 || found[0].number != i || !found[0].rebuilt {
			t.Fatalf("packet %d: %+v", i, found)
		}
	}
	if found := resent.find(packet(7, "not", when)); len(found) != 0 {
		t.Errorf("other data: %+v", found)
	}
	if found := resent.find(packet(7, "old", when.Add(time.Minute+1))); len(found) != 0 {
		t.Errorf("after more than a minute: %+v", found)
	}
}

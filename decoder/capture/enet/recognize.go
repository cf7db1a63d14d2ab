package enet

// Certainty is how certainly a datagram is one of ENet.
type Certainty uint8

// The certainties.
const (
	No     Certainty = iota
	Likely           // all of it is as ENet sends it, which may be by chance
	Sure             // it connects
)

// IsFirst reports whether the first datagram of a flow is one of ENet.
func IsFirst(b []byte) bool {
	var u Unpacker
	defer u.Close()
	certainty, _ := u.Recognize(b)
	return certainty > No
}

// Recognize reports how certainly a datagram is one of ENet, and whether it has a checksum.
func (u *Unpacker) Recognize(b []byte) (certainty Certainty, checksum bool) {
	var d Datagram
	for _, checksum := range []bool{false, true} {
		if !u.Parse(&d, b, 0, checksum) || !d.isStrict() {
			continue
		}
		if checksum && !d.connectsWith(b) {
			return Likely, true
		}
		if d.connects() {
			return Sure, checksum
		}
		return Likely, checksum
	}
	return No, false
}

// connects reports whether a datagram asks for a connection or grants one.
func (d *Datagram) connects() bool {
	return d.Peer == noPeer && d.first(Connect) != nil || d.find(VerifyConnect) != nil
}

// connectsWith reports whether a datagram connects and its checksum holds.
func (d *Datagram) connectsWith(b []byte) bool {
	if d.first(Connect) != nil {
		return d.ChecksumHolds(b, 0)
	}
	c := d.find(VerifyConnect)
	return c != nil && d.ChecksumHolds(b, c.u32(40))
}

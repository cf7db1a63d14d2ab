package inspect

import (
	"crypto/md5"
	"crypto/sha256"
	"hash"
	"hash/crc32"
	"math"
)

// Sums are checksums of bytes, and their entropy.
type Sums struct {
	CRC32   uint32 // IEEE 802.3, as in zip and PNG
	MD5     [md5.Size]byte
	SHA256  [sha256.Size]byte
	Entropy float64 // entropy in bits per byte, 0 to 8
}

// A Summer computes the Sums of the bytes written to it.
type Summer struct {
	crc, md5, sha hash.Hash
	counts        Counts
}

// NewSummer returns a summer of no bytes.
func NewSummer() *Summer { return &Summer{crc: crc32.NewIEEE(), md5: md5.New(), sha: sha256.New()} }

// Write implements io.Writer. It never fails.
func (s *Summer) Write(b []byte) (int, error) {
	s.crc.Write(b)
	s.md5.Write(b)
	s.sha.Write(b)
	s.counts.Add(b)
	return len(b), nil
}

// Sums returns the sums of all bytes so far.
func (s *Summer) Sums() Sums {
	var sums Sums
	for _, b := range s.crc.Sum(nil) {
		sums.CRC32 = sums.CRC32<<8 | uint32(b)
	}
	s.md5.Sum(sums.MD5[:0])
	s.sha.Sum(sums.SHA256[:0])
	sums.Entropy = s.counts.Entropy()
	return sums
}

// Counts holds how often each byte value occurs.
type Counts [256]int64

// Add counts bytes.
func (c *Counts) Add(b []byte) {
	for _, x := range b {
		c[x]++
	}
}

// Entropy returns the entropy in bits per byte, 0 to 8: low if few values are frequent, near 8 for packed
// or encrypted bytes.
func (c *Counts) Entropy() float64 {
	all := int64(0)
	for _, n := range c {
		all += n
	}
	bits := 0.0
	for _, n := range c {
		if n > 0 {
			share := float64(n) / float64(all)
			bits -= share * math.Log2(share)
		}
	}
	return bits
}

package inspect

import (
	"crypto/md5"
	"crypto/sha256"
	"hash"
	"hash/crc32"
	"math"
)

// Sums are checksums of bytes, and how much they vary.
type Sums struct {
	CRC32   uint32 // of IEEE 802.3, as in zip and PNG
	MD5     [md5.Size]byte
	SHA256  [sha256.Size]byte
	Entropy float64 // bits a byte, 0 to 8
}

// A Summer takes bytes and sums them.
type Summer struct {
	crc, md5, sha hash.Hash
	counts        Counts
}

// NewSummer returns a summer of no bytes.
func NewSummer() *Summer { return &Summer{crc: crc32.NewIEEE(), md5: md5.New(), sha: sha256.New()} }

// Write implements io.Writer. It returns no error.
func (s *Summer) Write(b []byte) (int, error) {
	s.crc.Write(b)
	s.md5.Write(b)
	s.sha.Write(b)
	s.counts.Add(b)
	return len(b), nil
}

// Sums are the sums of all bytes so far.
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

// Counts are how often each byte occurs.
type Counts [256]int64

// Add counts bytes.
func (c *Counts) Add(b []byte) {
	for _, x := range b {
		c[x]++
	}
}

// Entropy is the entropy of the bytes in bits a byte, 0 to 8: little where few values are
// frequent, near 8 in packed or encrypted bytes.
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

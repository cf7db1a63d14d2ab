package journal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
)

// A seal encrypts records, or leaves them as they are where it is nil.
type seal struct {
	cipher.AEAD
	n uint64 // number of the next record
}

// newSalt returns the salt of a new base.
func newSalt() []byte {
	salt := make([]byte, sha256.Size)
	rand.Read(salt)
	return salt
}

func newSeal(secret, salt []byte) (*seal, error) {
	key, err := hkdf.Key(sha256.New, secret, salt, "varview journal", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	return &seal{AEAD: gcm}, err
}

// nonce is that of the next record.
func (s *seal) nonce() []byte {
	b := make([]byte, s.NonceSize())
	binary.BigEndian.PutUint64(b[len(b)-8:], s.n)
	s.n++
	return b
}

// seal encrypts the content of a record.
func (s *seal) seal(kind byte, b []byte) []byte {
	if s == nil {
		return b
	}
	return s.Seal(nil, s.nonce(), b, []byte{kind})
}

// open decrypts the content of a record.
func (s *seal) open(kind byte, b []byte) ([]byte, error) {
	if s == nil {
		return b, nil
	}
	return s.Open(nil, s.nonce(), b, []byte{kind})
}

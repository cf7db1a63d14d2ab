package journal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
)

// A seal encrypts records; a nil seal leaves them as they are.
type seal struct{ cipher.AEAD }

// newSalt returns the salt for a new base.
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
	return &seal{gcm}, err
}

// nonce returns the nonce of a record.
func (s *seal) nonce(number uint32) []byte {
	b := make([]byte, s.NonceSize())
	binary.BigEndian.PutUint32(b[len(b)-4:], number)
	return b
}

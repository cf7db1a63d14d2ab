// Package packed remembers how blocks of compressed files were packed before an edit replaced them:
// engines pack the same bytes differently than this program, and a value that is set back should restore
// the file. What is kept can only be read by somebody who has the same bytes, which are the key.
package packed

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"varview/decoder/engine/source"
	"varview/internal/folders"
)

const (
	maxFile  = 8 << 20  // bytes that are kept of one save
	maxFiles = 32       // saves
	maxAll   = 32 << 20 // bytes in all
	nameSize = 16
	headSize = nameSize + 4
)

// A Store remembers blocks. It is safe for concurrent use. A nil Store remembers nothing.
type Store struct {
	folder string

	mu    sync.Mutex
	known map[[nameSize]byte][]byte // nil until needed
	fresh []byte                    // records that are not on disk yet
}

// Open returns the user's store; nil if there is no place for it.
func Open() *Store {
	state, err := folders.State()
	if err != nil {
		return nil
	}
	return &Store{folder: filepath.Join(state, "packed")}
}

// secrets returns the name of a block, and the cipher whose key is made from its bytes.
func secrets(mode uint32, plain []byte) (name [nameSize]byte, c cipher.AEAD, err error) {
	h := sha256.New()
	fmt.Fprintf(h, "varview packed block %d\n", mode)
	h.Write(plain)
	key := h.Sum(nil)
	sum := sha256.Sum256(key)
	copy(name[:], sum[:])
	b, err := aes.NewCipher(key)
	if err == nil {
		c, err = cipher.NewGCMWithRandomNonce(b)
	}
	return name, c, err
}

// Find returns how a block was packed; nil if that is unknown.
func (s *Store) Find(mode uint32, plain []byte) []byte {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	if s.known == nil {
		s.load()
	}
	name, c, err := secrets(mode, plain)
	sealed := s.known[name]
	s.mu.Unlock()
	if err != nil || sealed == nil {
		return nil
	}
	b, err := c.Open(nil, nil, sealed, nil)
	if err != nil {
		return nil
	}
	return b
}

// Remember records how a block was packed.
func (s *Store) Remember(mode uint32, plain, packed []byte) {
	if s == nil {
		return
	}
	name, c, err := secrets(mode, plain)
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.load()
	}
	if s.known[name] != nil {
		return
	}
	sealed := c.Seal(nil, nil, packed, nil)
	if len(s.fresh)+headSize+len(sealed) <= maxFile {
		s.fresh = append(binary.LittleEndian.AppendUint32(append(s.fresh, name[:]...), uint32(len(sealed))), sealed...)
	}
}

// files returns the files on disk, newest last.
func (s *Store) files() []string {
	all, _ := filepath.Glob(filepath.Join(s.folder, "*.blocks"))
	slices.Sort(all)
	return all
}

func (s *Store) load() {
	s.known = map[[nameSize]byte][]byte{}
	for _, name := range s.files() {
		b, err := source.ReadRegular(name, maxFile)
		if err != nil {
			continue
		}
		for len(b) >= headSize {
			n := int64(binary.LittleEndian.Uint32(b[nameSize:]))
			if n > int64(len(b)-headSize) {
				break
			}
			s.known[[nameSize]byte(b)] = b[headSize : headSize+n]
			b = b[headSize+n:]
		}
	}
}

// Save writes what was recorded. The oldest records are dropped for it.
func (s *Store) Save() error {
	if s == nil || len(s.fresh) == 0 {
		return nil
	}
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(s.folder, "new")
	if err != nil {
		return err
	}
	_, err = bytes.NewReader(s.fresh).WriteTo(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(s.folder, fmt.Sprintf("%016x-%d.blocks", time.Now().UnixNano(), os.Getpid())))
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	s.fresh, s.known = nil, nil
	n, size := 0, int64(0)
	for _, name := range slices.Backward(s.files()) {
		info, err := os.Lstat(name)
		if err != nil {
			continue
		}
		if n, size = n+1, size+info.Size(); n > maxFiles || size > maxAll {
			os.Remove(name)
		}
	}
	return nil
}

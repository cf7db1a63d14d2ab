// Package journal keeps unsaved edits in a file, so that they outlive the program.
//
// A journal is a line that names the format, followed by records. Each has, with little-endian numbers of 4 bytes,
//
//	0  the mark fe 76 6a 33
//	4  the number of the journal, which is random
//	8  the length of the content in bytes
//	12 the number of the record
//	16 the number of the event that it belongs to, counted from 1, 0 before the first
//	20 its kind, one byte; 80 is added where the content is encrypted
//	21 the CRC-32C of all that follows the mark, without these 4 bytes
//	25 the content: JSON, or plain bytes for data
//
// The records are
//
//	h  the header: whose file it is and who edits it
//	n  the tally: the number of the next record and that of the last event, of 4 bytes each
//	b  the base: the content of the file that the edits are made on
//	p  the past: steps that can be undone or redone, and are in the base already
//	d  data: bytes that the next p or s puts into the file
//	s  a step
//	u  undo, r redo, j several steps become one
//	w  the content of the file that is about to be saved, no event of its own
//
// A journal is read up to the first record that is not whole. The tally is overwritten after each event, so that it is
// known what is missing from there on, also where a journal was cut between two records. It can itself be cut, where the
// power failed, and is then passed over. Bytes that were never counted belong to an event that was being written when the
// program ended.
//
// If the base has a salt, the records after it are encrypted with AES-256-GCM, with a key derived from
// the file's by HKDF-SHA256. The nonce is the number of the record in 12 bytes, big-endian; what lies
// between mark and checksum is authenticated with the content.
package journal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/model/patch"
)

// A Header says whose edits these are.
type Header struct {
	Path    string // absolute path of the file
	PID     int    // process id of the program
	Started time.Time
}

// A Base is the content of the file on which edits are made.
type Base struct {
	Size  int64
	Sum   string // checksum of the content, by the function Sum
	Title string // what the file was read as
	Salt  []byte `json:",omitempty"` // set if the file is encrypted
	Steps int    // number of steps of the past
}

// A Step is one intention: the edits that carry it out.
type Step struct {
	Label         string
	Buffer        int
	Groups        [][]Splice // one list for each edit, each on the bytes that the one before has left
	Back          [][]Splice `json:",omitempty"` // undoes each of Groups; only for steps in the past
	Was, Is       int64      // size of the buffer before and after
	Reopened      bool
	Before, After Cursor
	Ops           patch.Patch
	When          time.Time
}

// A Cursor is where the cursor of the program is.
type Cursor struct {
	InBytes        bool
	Offset, Parent int64
	Depth          int
	Index          int64
	Key            bool
}

// A Splice replaces bytes.
type Splice struct {
	Offset, Length int64
	New            []Piece `json:",omitempty"`
}

// A Piece is a range of the bytes of the base, or of data.
type Piece struct {
	IsBase bool           `json:",omitempty"`
	Offset int64          `json:",omitempty"` // offset in the base, if Data is nil
	Length int64          // in bytes
	Data   *source.Pieces `json:"-"` // nil if the bytes are in the base
}

// A Past is the steps that lead to the base and, if some of them were undone before it was saved, those
// that lead on from it.
type Past struct {
	Steps []*Step
	At    int // number of steps that are done in the base
}

// An Event is a change to the list of steps.
type Event struct {
	Kind  Kind
	Step  *Step  `json:",omitempty"` // for Did
	Since int    `json:",omitempty"` // number of steps before those of a Joined
	Label string `json:",omitempty"` // for Joined
	Sum   string `json:",omitempty"` // for Saving
}

// Kind is the kind of an event.
type Kind byte

// The kinds of events.
const (
	Did    Kind = 's'
	Undid  Kind = 'u'
	Redid  Kind = 'r'
	Joined Kind = 'j'
	Saving Kind = 'w'
)

const (
	title = "varview journal "
	magic = title + "3\n"

	isHeader = 'h'
	isTally  = 'n'
	isBase   = 'b'
	isPast   = 'p'
	isData   = 'd'

	tallyAt   = 1 // record number of the tally
	firstBase = 2 // number of the first record that Forget drops
	tallySize = headSize + 8
	dataSize  = 1 << 20 // largest number of bytes in a record of data
	maxRecord = 1 << 28
)

// eachData calls each for all pieces of the steps that are data.
func eachData(steps []*Step, each func(*Piece) error) error {
	for _, s := range steps {
		for _, groups := range [][][]Splice{s.Groups, s.Back} {
			for _, splices := range groups {
				for i := range splices {
					for j := range splices[i].New {
						p := &splices[i].New[j]
						if p.IsBase {
							continue
						}
						if err := each(p); err != nil {
							return err
						}
					}
				}
			}
		}
	}
	return nil
}

// PiecesOf returns bytes as pieces of a journal. Pieces of base are referred to.
func PiecesOf(p *source.Pieces, base source.Source) (pieces []Piece) {
	if p == nil {
		return nil
	}
	p.List(func(_ int64, x source.Piece) bool {
		if base != nil && source.Same(x.Src, base) {
			pieces = append(pieces, Piece{IsBase: true, Offset: x.Offset, Length: x.Length})
		} else {
			pieces = append(pieces, Piece{Length: x.Length, Data: source.Join(x)})
		}
		return true
	})
	return pieces
}

// Join returns the bytes of pieces; base is what they refer to.
func Join(pieces []Piece, base source.Source) (*source.Pieces, error) {
	var all []source.Piece
	for _, p := range pieces {
		switch {
		case !p.IsBase && p.Data == nil:
			if p.Length != 0 {
				return nil, errDamaged
			}
		case !p.IsBase:
			p.Data.List(func(_ int64, x source.Piece) bool {
				all = append(all, x)
				return true
			})
		case p.Offset < 0 || p.Length < 0 || p.Offset > base.Size()-p.Length:
			return nil, errDamaged
		default:
			all = append(all, source.Piece{Src: base, Span: span.Span{Offset: p.Offset, Length: p.Length}})
		}
	}
	return source.Join(all...), nil
}

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

const (
	summedWhole = 64 << 20 // size in bytes up to which a whole file is summed
	samples     = 256      // parts of a larger file that are summed
	sampleSize  = 64 << 10
)

// Sum identifies content: it is the SHA-256 of all of it up to 64 MiB, and beyond that of its size and
// 256 parts.
func Sum(src source.Source) (string, error) {
	h, size := sha256.New(), src.Size()
	if size <= summedWhole {
		_, err := io.Copy(h, io.NewSectionReader(src, 0, size))
		return hex.EncodeToString(h.Sum(nil)), err
	}
	fmt.Fprintln(h, size)
	b := make([]byte, sampleSize)
	for i := range int64(samples) {
		if _, err := src.ReadAt(b, (size-sampleSize)/(samples-1)*i); err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// A stack is the steps that can be undone or redone.
type stack struct {
	steps []*Step
	at    int // number of steps that are done
}

// happen applies an event.
func (s *stack) happen(e Event) error {
	switch {
	case e.Kind == Did && e.Step != nil:
		s.steps = append(s.steps[:s.at], e.Step)
		s.at++
	case e.Kind == Undid && s.at > 0:
		s.at--
	case e.Kind == Redid && s.at < len(s.steps):
		s.at++
	case e.Kind == Joined && e.Since >= 0 && e.Since < s.at:
		s.steps = append(s.steps[:e.Since], join(s.steps[e.Since:s.at], e.Label))
		s.at = len(s.steps)
	default:
		return errDamaged
	}
	return nil
}

// lead returns the steps that lead from those in the base to those that are done.
func (s *stack) lead(base []*Step) (lead []Lead) {
	done, same := s.steps[:s.at], 0
	for same < min(len(done), len(base)) && done[same] == base[same] {
		same++
	}
	for _, step := range slices.Backward(base[same:]) {
		lead = append(lead, Lead{Step: step, Undone: true})
	}
	for _, step := range done[same:] {
		lead = append(lead, Lead{Step: step})
	}
	return lead
}

// join joins several steps into one.
func join(steps []*Step, label string) *Step {
	one := *steps[0]
	one.Label = label
	for _, s := range steps[1:] {
		one.Groups = append(slices.Clip(one.Groups), s.Groups...)
		one.Back = append(slices.Clip(one.Back), s.Back...)
		one.Ops = append(slices.Clip(one.Ops), s.Ops...)
		one.After, one.Is, one.Reopened, one.When = s.After, s.Is, one.Reopened || s.Reopened, s.When
	}
	return &one
}

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

package resource

import (
	"hash/fnv"
	"strconv"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/formats/godot/internal/types"
)

// A head is what a file says before the values: how they are read, and what they refer to. It is read as
// far as possible.
type head struct {
	magic     int64 // length of the magic; 0 in the payload of an RSCC
	big, wide bool  // byte order, 64-bit components
	major     uint32
	minor     uint32
	version   uint32
	flags     uint32
	imported  int64 // offset of the import metadata; 0 if there are none

	base             int64 // base of the offsets in the file
	importAt         int64 // offsets of numbers: of the one for imported,
	filesAt, tableAt int64 // offsets of the counts of the tables

	strings span.Span   // the table, after its count
	texts   []span.Span // without their NUL
	files   int64       // number of external resources
	table   []entry
	sum     uint64 // hash of the strings and ids
}

// An entry is an internal resource in the table.
type entry struct {
	id     string // what follows local://, or the whole path
	start  int64  // offset of the entry
	at     int64  // offset of the number that says where the resource begins
	offset int64  // where that is
}

// Flags of a Godot 4 file.
const (
	flagNamed  = 1 // references are indexes
	flagUIDs   = 2
	flagWide   = 4
	flagScript = 8
)

const (
	maxEntries = 1 << 20 // largest number of entries of a table that are known; references to others are shown as numbers
	maxID      = 4096
	local      = "local://"
)

// A headReader is at an offset of a head.
type headReader struct {
	*source.Window
	at, end int64
	ok      bool // false once the bytes have ended
}

// take returns the offset of the next n bytes.
func (r *headReader) take(n int64) int64 {
	at := r.at
	if r.ok = r.ok && n >= 0 && n <= r.end-r.at; !r.ok {
		return r.end
	}
	r.at += n
	return at
}

func (r *headReader) u32() uint32 { return r.U32(r.take(4)) }

// text returns the next string, without its NUL.
func (r *headReader) text() span.Span {
	n := int64(r.u32())
	s := span.Span{Offset: r.take(n), Length: n}
	if !r.ok {
		return span.Span{}
	}
	if n > 0 && r.Byte(s.End()-1) == 0 {
		s.Length--
	}
	return s
}

func readHead(src source.Source, region span.Span) *head {
	r := &headReader{Window: source.NewWindow(src), at: region.Offset, end: region.End(), ok: true}
	h := &head{base: region.Offset}
	if string(r.View(r.at, 4)) == magic {
		h.magic = 4
		r.take(4)
	}
	h.big = r.u32() != 0
	r.SetBigEndian(h.big)
	h.wide = r.u32() != 0
	h.major, h.minor, h.version = r.u32(), r.u32(), r.u32()
	r.text()
	h.importAt = r.take(8)
	if n := int64(r.U64(h.importAt)); r.ok && n > 0 {
		h.imported = h.base + n
	}
	if reserved := int64(56); h.major < 4 {
		r.take(reserved)
	} else {
		h.flags = r.u32()
		h.wide = h.flags&flagWide != 0
		r.take(8)
		if h.flags&flagScript != 0 {
			r.text()
		}
		r.take(44)
	}
	h.readTables(r)
	return h
}

func (h *head) readTables(r *headReader) {
	sum := fnv.New64a()
	for n, i := r.u32(), uint32(0); i < n && r.ok; i++ {
		if i == 0 {
			h.strings.Offset = r.at
		}
		if s := r.text(); r.ok && i < maxEntries {
			h.texts = append(h.texts, s)
			sum.Write(r.View(s.Offset, s.Length+1))
		}
	}
	if h.strings.Length = r.at - h.strings.Offset; len(h.texts) == 0 {
		h.strings = span.Span{Offset: r.at}
	}
	h.filesAt = r.at
	n := r.u32()
	for ; h.files < int64(n) && r.ok; h.files++ {
		r.text()
		r.text()
		if h.flags&flagUIDs != 0 {
			r.take(8)
		}
	}
	h.tableAt = r.at
	for n, i := r.u32(), uint32(0); i < n && r.ok; i++ {
		start := r.at
		path := r.text()
		id := strings.TrimPrefix(string(r.View(path.Offset, min(path.Length, maxID))), local)
		if at := r.take(8); r.ok && i < maxEntries {
			h.table = append(h.table, entry{id, start, at, h.base + int64(r.U64(at))})
			sum.Write([]byte(id + "\x00"))
		}
	}
	h.sum = sum.Sum64()
}

// dialect returns the dialect of the engine that the file names; nil if there is none.
func (h *head) dialect() *types.Dialect {
	switch h.major {
	case 1, 2, 3:
		return types.Resource3
	case 4:
		return types.Resource4
	}
	return nil
}

// isIndexed reports whether references to internal resources are indexes, not the numbers in their ids.
func (h *head) isIndexed() bool { return h.flags&flagNamed != 0 }

// tables are the tables of a head as values see them. Added strings belong to an edit.
type tables struct {
	*head
	w     *source.Window // window in which an edit finds strings
	added [][]byte
	known map[string]uint32

	inserts bool // the edit inserts a resource
	before  int  // this one of the table
}

// Text implements variant.Tables.
func (t *tables) Text(i uint32) (span.Span, bool) {
	if i < uint32(len(t.texts)) {
		return t.texts[i], true
	}
	return span.Span{}, false
}

// Add implements variant.Tables.
func (t *tables) Add(text []byte) uint32 {
	if t.known == nil {
		t.known = map[string]uint32{}
		for i, s := range t.texts {
			if _, ok := t.known[string(t.w.View(s.Offset, s.Length))]; !ok && s.Length <= source.MaxView {
				t.known[string(t.w.View(s.Offset, s.Length))] = uint32(i)
			}
		}
	}
	i, ok := t.known[string(text)]
	if !ok {
		i = uint32(len(t.texts) + len(t.added))
		t.known[string(text)] = i
		t.added = append(t.added, text)
	}
	return i
}

// ID implements variant.Tables.
func (t *tables) ID(of types.ID, n uint32) string {
	switch {
	case of == types.ExtResource && int64(n) < t.files:
		return strconv.FormatUint(uint64(n), 10)
	case of == types.SubResource && !t.isIndexed():
		return strconv.FormatUint(uint64(n), 10)
	case of == types.SubResource && n < uint32(len(t.table)):
		return t.table[n].id
	}
	return ""
}

// Number implements variant.Tables.
func (t *tables) Number(of types.ID, id string) (uint32, bool) {
	n, err := strconv.ParseUint(id, 10, 32)
	if of == types.ExtResource {
		return uint32(n), err == nil && int64(n) < t.files
	}
	for i := range t.table {
		if t.table[i].id == id {
			if t.isIndexed() && t.inserts && i >= t.before {
				return uint32(i) + 1, true
			} else if t.isIndexed() {
				return uint32(i), true
			}
			return uint32(n), err == nil
		}
	}
	return 0, false
}

// target returns the number in the table of the resource to which a reference stores n; -1 if there is
// none.
func (h *head) target(n uint32) int {
	if h.isIndexed() {
		if n < uint32(len(h.table)) {
			return int(n)
		}
		return -1
	}
	id := strconv.FormatUint(uint64(n), 10)
	for i := range h.table {
		if h.table[i].id == id {
			return i
		}
	}
	return -1
}

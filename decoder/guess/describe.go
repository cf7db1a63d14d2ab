package guess

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/engine/span"
)

// The likelihood from which a notice becomes a part of a description: of a size less, since edits keep it right.
const (
	likely     = 0.9
	likelySize = 0.8
)

// Describe returns the start of a description in the language of Kaitai Struct, with all bytes that nothing is known
// of. id names it. With others it says what holds in all files: numbers that differ are described, and it ends where the others are
// not like the first any more.
func Describe(f File, id string, others ...File) string {
	return describe(describer{file: f, all: Notices(f, others...)}, id, others)
}

// Begin is Describe with only the magic and what has to follow edits: checksums, sizes, and what is packed. What is noticed in some
// bytes of the file is left out.
func Begin(f File, id string, except span.Span) string {
	all := slices.DeleteFunc(Notices(f), func(n Notice) bool {
		return n.Buffer == "" && n.Offset < except.End() && n.Offset+n.Length > except.Offset
	})
	return describe(describer{file: f, all: all, onlyFollowing: true}, id, nil)
}

func describe(d describer, id string, others []File) string {
	f := d.file
	d.names = map[string]int{}
	if len(others) > 0 {
		d.rows = Beside(append([]File{f}, others...), false)
	}
	var meta, types strings.Builder
	order, big := "le", 0 // numbers that are big-endian, less those that are not
	for _, n := range d.all {
		if n.Likelihood > likely {
			big += map[string]int{"be": 1, "le": -1}[n.order()]
		}
	}
	if big > 0 {
		order = "be"
	}
	fmt.Fprintf(&meta, "meta:\n  id: %s\n  endian: %s\n  encoding: UTF-8\n", id, order)
	meta.WriteString(d.sequence(&f[0], ""))
	for _, b := range d.opened {
		fmt.Fprintf(&types, "  %s:\n%s", b.id, d.sequence(b.Buffer, "    "))
	}
	if types.Len() > 0 {
		meta.WriteString("types:\n" + types.String())
	}
	return meta.String()
}

type describer struct {
	file   File
	all    []Notice
	names  map[string]int
	opened []opened

	onlyFollowing bool  // all else is not described
	rows          []Row // in which other files differ; nil without these
}

// describes reports whether a notice becomes an attribute.
func (d *describer) describes(n *Notice) bool {
	least, isSize := likely, n.name == "size"
	if isSize {
		least = likelySize
	}
	isOther := d.onlyFollowing && n.name != "checksum" && n.name != "magic" && !isSize && n.stream == 0
	return n.Likelihood >= least && n.name != "records" && !isOther
}

// numbers returns the numbers between two offsets of a buffer that other files have too.
func (d *describer) numbers(b *Buffer, from, to int64) (all []*Row) {
	for i := range d.rows {
		r := &d.rows[i]
		if first := r.Offsets[0]; r.Buffer == b.Name && first >= from && r.size > 0 && first+r.size <= to {
			all, from = append(all, r), first+r.size
		}
	}
	return all
}

// end returns where a buffer is not like those of the other files any more: where bytes begin that are no number in all of them, and
// no text after its length.
func (d *describer) end(b *Buffer) int64 {
	for i := range d.rows {
		r := &d.rows[i]
		isText := slices.ContainsFunc(d.all, func(n Notice) bool {
			return n.Buffer == b.Name && n.Offset == r.Offsets[0] && n.size == "" && n.form != ""
		})
		if r.Buffer == b.Name && !isText && r.size == 0 {
			return r.Offsets[0]
		}
	}
	return int64(len(b.Data))
}

// An opened is a stream whose content is described as a type.
type opened struct {
	*Buffer
	id string
}

// name returns a name that no attribute has yet.
func (d *describer) name(of string) string {
	d.names[of]++
	if n := d.names[of]; n > 1 {
		return fmt.Sprintf("%s_%d", of, n)
	}
	return of
}

// sequence describes the bytes of a buffer in order.
func (d *describer) sequence(b *Buffer, indent string) string {
	var seq, instances strings.Builder
	at, length, size := int64(0), "", ""
	attribute := func(id, comment string, lines ...string) {
		fmt.Fprintf(&seq, "%s  - id: %s", indent, id)
		if comment != "" {
			fmt.Fprintf(&seq, " # %s", strings.Map(oneLine, comment))
		}
		fmt.Fprintf(&seq, "\n%s    %s\n", indent, strings.Join(lines, "\n"+indent+"    "))
	}
	unknown := func(to int64) {
		if to > at {
			attribute(d.name("unknown"), "", fmt.Sprint("size: ", to-at))
		}
		at = to
	}
	upTo := func(to int64) {
		for _, r := range d.numbers(b, at, to) {
			unknown(r.Offsets[0])
			attribute(d.name("value"), strings.Join(r.shown, ", "), "type: "+r.Type)
			at += r.size
		}
	}
	end := d.end(b)
	for i := range d.all {
		n := &d.all[i]
		if n.Buffer != b.Name || n.Offset < at || n.Offset >= end || !d.describes(n) {
			continue
		}
		upTo(n.Offset)
		unknown(n.Offset)
		at = n.Offset + n.Length
		lines := append([]string(nil), n.Ksy...)
		id := d.name(n.name)
		switch {
		case n.size == "text":
			length = id
		case n.size == "stream":
			size = id
		case n.name == "text" && lines[1] == "size: len_text":
			lines[1] = "size: " + cmp.Or(length, fmt.Sprint(n.Length)) // what else says it has no attribute
			length = ""
		case n.name == "checksum":
			lines = d.protect(n, lines, indent, &instances)
		case b.Name == "" && n.stream > 0:
			s := &d.file[n.stream]
			if size != "" {
				lines[0] = "size: " + size
			}
			if lines = lines[:1]; s.kind == "zlib" {
				lines = append([]string{"type: " + id + "_body"}, append(lines, "process: zlib")...)
				d.opened = append(d.opened, opened{s, id + "_body"})
			}
		}
		attribute(id, fmt.Sprintf("%s: %s, %.0f %%", n.What, n.Value, 100*n.Likelihood), lines...)
	}
	if upTo(end); at < int64(len(b.Data)) && (at > 0 || !d.onlyFollowing) {
		attribute(d.name("unknown"), "", "size-eos: true")
	}
	text := indent + "seq:\n" + seq.String()
	if instances.Len() > 0 {
		text += indent + "instances:\n" + instances.String()
	}
	return text
}

// oneLine leaves out what would end a comment.
func oneLine(r rune) rune {
	if r < ' ' {
		return -1
	}
	return r
}

// protect adds an instance with the bytes that a checksum is of; where there is none, the checksum is only a number.
func (d *describer) protect(n *Notice, lines []string, indent string, instances *strings.Builder) []string {
	instance := func(from int64, extent string) (id string) {
		id = d.name("protected")
		fmt.Fprintf(instances, "%s  %s:\n%s    pos: %d\n%s    %s\n", indent, id, indent, from, indent, extent)
		return id
	}
	var of string
	switch rest := int64(len(d.file[0].Data)) - n.to; {
	case n.isZeroed:
		before, behind := instance(0, fmt.Sprint("size: ", n.Offset)), instance(n.Offset+n.Length, "size-eos: true")
		return append(lines[:1], strings.NewReplacer("before", before, "behind", behind).Replace(lines[1]))
	case n.to <= n.from:
		return lines[:1]
	case rest > 0:
		of = instance(n.from, fmt.Sprint("size: _io.size - ", n.from+rest))
	default:
		of = instance(n.from, "size-eos: true")
	}
	return append(lines[:1], strings.Replace(lines[1], "protected", of, 1))
}

package guess

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/engine/span"
)

// sizeOfText is the line for a text with its length before it in bytes.
const sizeOfText = "size: len_text"

// The likelihood from which a notice becomes a part of a description; of a size less where the user describes the rest.
const (
	likely     = 0.9
	likelySize = 0.8
)

// Describe returns the start of a description in the language of Kaitai Struct, with all bytes that nothing is known
// of. id names it. With others it says what holds in all files: numbers that differ are described, and it ends where the others are
// not like the first any more.
func Describe(f File, id string, others ...File) string {
	if all := append([]File{f}, others...); !slices.ContainsFunc(all, func(f File) bool { return !f.isPacked() }) {
		for i, f := range all { // what they are packed with is opened without a description
			all[i] = Open(f[1].Data)
		}
		f, others = all[0], all[1:]
	}
	return describe(describer{files: append([]File{f}, others...), all: Notices(f, others...)}, id)
}

// isPacked reports whether all of a file is packed in a way that says what it is.
func (f File) isPacked() bool {
	return len(f) > 1 && f[1].kind != "deflate" && f[1].at == 0 && f[1].length == len(f[0].Data)
}

// Begin is Describe with only the magic and what has to follow edits: checksums, sizes, and what is packed. What is noticed in some
// bytes of the file is left out.
func Begin(f File, id string, except span.Span) string {
	all := slices.DeleteFunc(Notices(f), func(n Notice) bool {
		return n.Buffer == "" && n.Offset < except.End() && n.Offset+n.Length > except.Offset
	})
	return describe(describer{files: []File{f}, all: all, onlyFollowing: true}, id)
}

func describe(d describer, id string) string {
	f, others := d.files[0], d.files[1:]
	d.names, d.noticed = map[string]int{}, [][]Notice{d.all}
	for _, o := range others {
		d.noticed = append(d.noticed, Notices(o))
	}
	if len(others) > 0 {
		d.rows = Beside(d.files, false)
	}
	var meta, types strings.Builder
	order, big := "le", 0 // numbers that are big-endian, less those that are not
	for _, n := range d.all {
		if n.Likelihood > likely && n.Buffer == "" {
			big += map[string]int{"be": 1, "le": -1}[n.order()]
		}
	}
	for _, r := range d.rows {
		if r.size > 1 && isBig(r.Type) && r.Buffer == "" {
			big++
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
	files   []File
	all     []Notice
	noticed [][]Notice // in each file
	names   map[string]int
	opened  []opened

	onlyFollowing bool   // all else is not described
	rows          []*Row // in which other files differ; nil without these
}

// describes reports whether a notice becomes an attribute.
func (d *describer) describes(n *Notice) bool {
	least, isSize := likely, n.name == "size"
	if isSize && d.onlyFollowing {
		least = likelySize
	}
	isOther := d.onlyFollowing && n.name != "checksum" && n.name != "magic" && !isSize && n.stream == 0
	return n.Likelihood >= least && n.name != "records" && !isOther
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

// A sequence is the attributes of a buffer in order, up to where the same buffers of other files are not like it any more.
type sequence struct {
	*describer
	*Buffer
	indent         string
	seq, instances strings.Builder
	group          []*Buffer         // of all files
	at             []int64           // behind what is described, in each
	end            int64             // where they are not alike any more
	length         string            // the attribute with the length of the text that follows
	sizes          map[string]string // attributes with the sizes of streams
}

// sequence describes the bytes of a buffer in order.
func (d *describer) sequence(b *Buffer, indent string) string {
	s := &sequence{describer: d, Buffer: b, indent: indent, end: b.size(), sizes: map[string]string{}}
	for _, f := range d.files {
		if o := f.like(b); o != nil {
			s.group, s.at = append(s.group, o), append(s.at, 0)
		}
	}
	for i := range d.all {
		n := &d.all[i]
		switch {
		case n.Buffer != b.Name || !d.describes(n):
		case s.isFromEnd(n):
			s.fromEnd(n)
		case n.Offset >= s.at[0] && n.Offset < s.end:
			s.notice(n)
		}
	}
	s.upTo(s.end)
	if s.isLeft() && (s.at[0] > 0 || !d.onlyFollowing) {
		s.attribute(d.name("unknown"), "", "size-eos: true")
	}
	text := indent + "seq:\n" + s.seq.String()
	for _, o := range d.files[0][1:] {
		if !slices.ContainsFunc(d.opened, func(x opened) bool { return x.Buffer.Name == o.Name }) {
			text = strings.ReplaceAll(text, "\n"+indent+"    -varview-value: "+o.id()+"._sizeof", "")
		}
	}
	if s.instances.Len() > 0 {
		text += indent + "instances:\n" + s.instances.String()
	}
	return text
}

// isLeft reports whether some bytes are left in one of the files.
func (s *sequence) isLeft() bool {
	for i, b := range s.group {
		if s.at[i] < b.size() {
			return true
		}
	}
	return false
}

func (s *sequence) attribute(id, comment string, lines ...string) {
	fmt.Fprintf(&s.seq, "%s  - id: %s", s.indent, id)
	if comment != "" {
		fmt.Fprintf(&s.seq, " # %s", comment)
	}
	fmt.Fprintf(&s.seq, "\n%s    %s\n", s.indent, strings.Join(lines, "\n"+s.indent+"    "))
}

// isFromEnd reports whether a notice is of a checksum behind what it is of, in files of other sizes.
func (s *sequence) isFromEnd(n *Notice) bool {
	isOther := func(b *Buffer) bool { return b.size() != s.size() }
	return n.name == "checksum" && n.to > 0 && n.Offset >= n.to && slices.ContainsFunc(s.group, isOther)
}

// fromEnd describes a checksum by its distance from the end.
func (s *sequence) fromEnd(n *Notice) {
	s.instance(n.name, append([]string{fmt.Sprint("pos: _io.size - ", s.size()-n.Offset)}, s.protect(n, n.Ksy)...)...)
}

// pass passes so many bytes in all files.
func (s *sequence) pass(n int64) {
	for i := range s.at {
		s.at[i] += n
	}
}

func (s *sequence) unknown(to int64) {
	if n := to - s.at[0]; n > 0 {
		s.attribute(s.name("unknown"), "", fmt.Sprint("size: ", n))
		s.pass(n)
	}
}

// upTo describes the numbers up to an offset, or up to bytes that differ in another way, or are elsewhere in other files: all ends there.
func (s *sequence) upTo(to int64) {
	for i, r := range s.rows {
		first := r.Offsets[0]
		isHalved := first+r.size > to && i+1 < len(s.rows) && s.rows[i+1].Offsets[0] == first // a number of 2 bytes fits
		if r.Buffer != s.Name || first < s.at[0] || first >= to || isHalved {
			continue
		}
		isOther := r.size == 0 || first+r.size > to
		for i, at := range r.Offsets {
			isOther = isOther || at-s.at[i] != first-s.at[0]
		}
		if isOther {
			s.end = first
			return
		}
		s.unknown(first)
		s.attribute(s.name("value"), strings.Join(r.shown, ", "), "type: "+r.Type)
		s.pass(r.size)
	}
}

// lengthIn returns how many bytes what is noticed has in a file, if the same is noticed there, or has one length.
func (s *sequence) lengthIn(file int, n *Notice) (length int64, ok bool) {
	b, at := s.group[file], s.at[file]+n.Offset-s.at[0]
	isSized := n.isEnded() || n.form != "" && s.length != ""
	switch {
	case n.isSizedText() && isSized:
		t := texts{}
		t.add(n)
		_, end, ok := t.behind(b.Data, int(n.Offset), int(at))
		return int64(end) - at, ok
	case n.stream > 0:
		isSized = s.sizes[s.files[0][n.stream].Name] != ""
	case n.isFixed, n.name != "text" && n.name != "magic":
		return n.Length, at+n.Length <= b.size()
	}
	i := slices.IndexFunc(s.noticed[file], func(o Notice) bool {
		return o.Buffer == b.Name && o.Offset == at && o.name == n.name && o.form == n.form
	})
	if i < 0 {
		return 0, false
	}
	o := &s.noticed[file][i]
	return o.Length, (isSized || o.Length == n.Length) && (n.name != "magic" || o.Value == n.Value)
}

// notice describes what is noticed, and the bytes before it; if other files have it not, all ends there.
func (s *sequence) notice(n *Notice) {
	lengths := make([]int64, len(s.at))
	for i := range lengths {
		var ok bool
		if lengths[i], ok = s.lengthIn(i, n); !ok {
			s.end = n.Offset
			return
		}
	}
	if s.upTo(n.Offset); s.end < n.Offset {
		return
	}
	s.unknown(n.Offset)
	for i := range s.at {
		s.at[i] += lengths[i]
	}
	lines := append([]string(nil), n.Ksy...)
	var id string
	if n.stream > 0 {
		id = s.files[0][n.stream].id()
	} else {
		id = s.name(n.name)
	}
	switch {
	case n.size == "text":
		s.length = id
	case n.size != "":
		s.sizes[n.size] = id
	case n.name == "text" && strings.HasPrefix(lines[1], sizeOfText):
		lines[1] = strings.Replace(lines[1], "len_text", cmp.Or(s.length, fmt.Sprint(n.Length)), 1) // what else says it has no attribute
		s.length = ""
	case n.name == "checksum":
		lines = s.protect(n, lines)
	case s.Name == "" && n.stream > 0:
		b := &s.files[0][n.stream]
		if size := s.sizes[b.Name]; size != "" {
			lines[0] = "size: " + size
		}
		if lines = lines[:1]; b.kind == "zlib" {
			lines = append([]string{"type: " + id + "_body"}, append(lines, "process: zlib")...)
			s.opened = append(s.opened, opened{b, id + "_body"})
		}
	}
	s.attribute(id, fmt.Sprintf("%s: %s, %.0f %%", n.What, n.Value, 100*n.Likelihood), lines...)
}

// instance adds an instance, and returns its name.
func (s *sequence) instance(of string, lines ...string) (id string) {
	id = s.name(of)
	fmt.Fprintf(&s.instances, "%s  %s:\n%s    %s\n", s.indent, id, s.indent, strings.Join(lines, "\n"+s.indent+"    "))
	return id
}

// protect adds an instance with the bytes that a checksum is of; where there is none, the checksum is only a number.
func (s *sequence) protect(n *Notice, lines []string) []string {
	instance := func(from int64, extent string) string {
		return s.instance("protected", fmt.Sprint("pos: ", from), extent)
	}
	var of string
	switch rest := int64(len(s.files[0][0].Data)) - n.to; {
	case n.isZeroed:
		before, behind := instance(0, fmt.Sprint("size: ", n.Offset)), instance(n.Offset+n.Length, "size-eos: true")
		return append(lines[:1], strings.NewReplacer("before", before, "behind", behind).Replace(lines[1]))
	case n.part.to > 0 && len(s.files) == 1: // in another file it may be elsewhere
		of = instance(int64(n.part.from), fmt.Sprint("size: ", n.part.to-n.part.from))
	case n.to <= n.from:
		return lines[:1]
	case rest > 0:
		of = instance(n.from, fmt.Sprint("size: _io.size - ", n.from+rest))
	default:
		of = instance(n.from, "size-eos: true")
	}
	return append(lines[:1], strings.Replace(lines[1], "protected", of, 1))
}

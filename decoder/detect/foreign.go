package detect

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gabriel-vasile/mimetype"
	"github.com/klauspost/compress/gzip"

	"varview/decoder/format"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// The codes of files that contain no values.
const (
	NotASave      = "not-a-save"     // a file of another kind
	ReplacedBytes = "replaced-bytes" // bytes that were replaced by U+FFFD, and are lost
	AllZeros      = "all-zeros"      // all bytes are zero
	NotKnown      = "not-known"      // no reading explains more than chance would
)

// ForeignCodes describe the problems of foreign files.
var ForeignCodes = []span.Code{
	{Code: NotASave, Severity: span.Error, About: "a file of another kind: a picture, an archive, a text"},
	{Code: ReplacedBytes, Severity: span.Error, About: "a program took the file for text and replaced bytes by EF BF BD: they are lost"},
	{Code: AllZeros, Severity: span.Error, About: "the file is all zeros"},
	{Code: NotKnown, Severity: span.Error, About: "no dialect explains the bytes better than chance would"},
}

// A Foreign is a file that contains no values: a file of another kind, or one whose bytes
// are lost.
type Foreign struct {
	Code    string
	Title   string // what it is, in a few words
	Message string

	isUnexplained bool // no signature shows it, but no reading explains the bytes
}

// Limits of what is examined.
const (
	foreignHead    = 4 << 10
	MaxForeignRead = 16 << 20
	leastZeros     = 16 // fewer zeros may be values
	leastText      = 4
)

// ForeignFile returns the kind of a region without values, nil if it may have some. It
// reads at most 16 MiB, and less of bytes that are not text.
func ForeignFile(ctx context.Context, src source.Source, region span.Span) (*Foreign, error) {
	win := source.NewWindow(src)
	head := bytes.Clone(win.View(region.Offset, min(region.Length, foreignHead)))
	if m := nameBySignature(head); m != "" {
		return notASave(m, ""), win.Err()
	}
	g, err := Glance(ctx, src, region, MaxForeignRead)
	if err != nil {
		return nil, err
	}
	switch {
	case g.zeros && region.Length >= leastZeros:
		what := fmt.Sprintf("the file is %s zero bytes", span.Grouped(region.Length))
		if g.read < region.Length {
			what = fmt.Sprintf("the first %s bytes of the file are zero", span.Grouped(g.read))
		}
		return &Foreign{Code: AllZeros, Title: "all zeros", Message: what + ": it was never written, or the disk lost it"}, nil
	case g.IsText && region.Length >= leastText:
		return foreignText(head, int64(len(head)) == region.Length), nil
	case g.IsLossy():
		return &Foreign{Code: ReplacedBytes, Title: "bytes lost", Message: fmt.Sprintf(
			"bytes were replaced by EF BF BD in %s: a program took the file for text; the original bytes are lost: get the file again", span.Counted(g.replaced, "place"))}, nil
	}
	return nil, nil
}

// UnexplainedAs returns the kind of a region that a reading does not explain, nil if it is not
// known and the reading may yet be right.
func (t Table) UnexplainedAs(src source.Source, region span.Span, r *Result) (*Foreign, error) {
	win := source.NewWindow(src)
	head := bytes.Clone(win.View(region.Offset, min(region.Length, foreignHead)))
	if m := nameByForm(head, region.Length); m != "" {
		known := notASave(m, "")
		known.isUnexplained = true
		return known, win.Err()
	}
	if r.mayBeDamaged {
		return nil, win.Err()
	}
	tried := t.tried(src, region)
	last := len(tried) - 1
	return &Foreign{Code: NotKnown, isUnexplained: true, Title: "unknown file", Message: fmt.Sprintf(
		"it is not known what this is: it has no known signature, and as %s or %s it makes no more sense than random bytes; to read it anyway, name the dialect (--as, :as)",
		strings.Join(tried[:last], ", "), tried[last])}, win.Err()
}

// tried returns the titles of the dialects in which a region may be read. There are at least
// two.
func (t Table) tried(src source.Source, region span.Span) (titles []string) {
	for _, f := range t {
		if f.Sniff(src, region) != format.Plausible {
			continue
		}
		for _, d := range f.Dialects() {
			if !d.Unwritten {
				titles = append(titles, d.Title)
			}
		}
	}
	return titles
}

// Problem returns the problem of a foreign file, as which a buffer was opened, with its
// current bytes. ok is false if these may be values.
func (f *Foreign) Problem(ctx context.Context, t *tree.Tree) (p span.Problem, ok bool, err error) {
	now, err := ForeignFile(ctx, t.Source, t.Region)
	if now == nil && f.isUnexplained {
		now = f
	}
	if now == nil || err != nil {
		return p, false, err
	}
	return span.Problem{Span: t.Region, Severity: span.Error, Code: now.Code, Message: now.Message}, true, nil
}

func notASave(what, more string) *Foreign {
	title := what
	for _, article := range []string{"a ", "an ", "the "} {
		title = strings.TrimPrefix(title, article)
	}
	return &Foreign{Code: NotASave, Title: title, Message: "this is " + what + ", not a save or packet" + more}
}

// foreignText returns the kind of text that begins with head. whole is set if head is all
// of it.
func foreignText(head []byte, whole bool) *Foreign {
	const often = ": Godot and GameMaker games often save as JSON, which any text editor opens"
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	line, _, _ := bytes.Cut(head, []byte("\n"))
	line = bytes.TrimRight(line, " \t\r")
	starts := func(prefix string) bool {
		return len(head) >= len(prefix) && strings.EqualFold(string(head[:len(prefix)]), prefix)
	}
	next := append(bytes.TrimLeft(head[min(1, len(head)):], " \t\r\n"), 0)[0]
	switch {
	case starts("[gd_scene"):
		return notASave("a Godot scene as text (.tscn)", "")
	case starts("[gd_resource"):
		return notASave("a Godot resource as text (.tres)", "")
	case starts("<!doctype html"), starts("<html"):
		return notASave("an HTML page", "")
	case starts("<?xml"):
		return notASave("an XML text", "")
	case whole && (starts("{") || starts("[")) && json.Valid(head), starts("{") && (next == '"' || next == '}'), starts("[") && (next == '{' || next == '"'):
		return notASave("a JSON text", " of binary values"+often)
	case starts("[") && bytes.HasSuffix(line, []byte("]")), starts("; Engine configuration"):
		return notASave("an INI text (as ConfigFile writes it)", " of binary values")
	}
	return notASave("a text file", " of binary values")
}

// A View describes bytes as a whole.
type View struct {
	read     int64 // number of bytes examined
	zeros    bool
	isUTF8   bool
	IsText   bool  // UTF-8 without control characters
	replaced int64 // number of EF BF BD among them
}

// IsLossy reports whether bytes were replaced by EF BF BD.
func (g *View) IsLossy() bool { return g.isUTF8 && !g.IsText && g.replaced > 0 }

// isControl reports whether a byte does not occur in text.
func isControl(c byte) bool {
	return c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' || c == 0x7f
}

// Glance examines at most the given number of bytes, and stops earlier when they are known
// to be neither zeros nor text.
func Glance(ctx context.Context, src source.Source, region span.Span, most int64) (g View, err error) {
	win := source.NewWindow(src)
	g = View{zeros: true, isUTF8: true, IsText: true}
	end := region.Offset + min(region.Length, most)
	for at := region.Offset; at < end && (g.zeros || g.isUTF8); {
		if err := ctx.Err(); err != nil {
			return g, err
		}
		b := win.View(at, end-at)
		if err := win.Err(); err != nil {
			return g, err
		}
		if len(b) == 0 {
			break
		}
		if at+int64(len(b)) < region.End() {
			b = cutSplitRune(b)
		}
		g.add(b)
		at += int64(len(b))
		g.read = at - region.Offset
	}
	return g, nil
}

// cutSplitRune returns b without an incomplete character at its end.
func cutSplitRune(b []byte) []byte {
	for i := len(b) - 1; i >= max(1, len(b)-utf8.UTFMax+1); i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return b[:i]
			}
			break
		}
	}
	return b
}

func (g *View) add(b []byte) {
	g.zeros = g.zeros && len(bytes.TrimLeft(b, "\x00")) == 0
	g.isUTF8 = g.isUTF8 && utf8.Valid(b)
	g.IsText = g.IsText && g.isUTF8
	if !g.isUTF8 {
		return
	}
	for i := 0; i < len(b) && g.IsText; i++ {
		g.IsText = !isControl(b[i])
	}
	g.replaced += int64(bytes.Count(b, []byte("\xef\xbf\xbd")))
}

// A signature is what files of another kind begin with.
type signature struct {
	what  string
	at    int
	magic string
}

// signatures are long enough that damage to a save hardly makes one.
var signatures = []signature{
	{"a PNG image", 0, "\x89PNG\r\n\x1a\n"},
	{"a JPEG image", 0, "\xff\xd8\xff"},
	{"a GIF image", 0, "GIF87a"},
	{"a GIF image", 0, "GIF89a"},
	{"a DirectDraw texture (.dds)", 0, "DDS |\x00\x00\x00"},
	{"a KTX texture", 0, "\xabKTX "},
	{"an ICC colour profile", 36, "acsp"},
	{"an Ogg file (sound or video)", 0, "OggS"},
	{"a FLAC sound", 0, "fLaC"},
	{"an MP3 sound", 0, "ID3"},
	{"a MIDI sound", 0, "MThd\x00\x00\x00\x06"},
	{"a tracker module (.xm)", 0, "Extended Module: "},
	{"a tracker module (.it)", 0, "IMPM"},
	{"a ZIP archive", 0, "PK\x03\x04"},
	{"a ZIP archive", 0, "PK\x05\x06"},
	{"a 7z archive", 0, "7z\xbc\xaf\x27\x1c"},
	{"a RAR archive", 0, "Rar!\x1a\x07"},
	{"an xz archive", 0, "\xfd7zXZ\x00"},
	{"a Zstandard archive", 0, "\x28\xb5\x2f\xfd"},
	{"an LZ4 archive", 0, "\x04\x22\x4d\x18"},
	{"a Snappy archive", 0, "\xff\x06\x00\x00sNaPpY"},
	{"a PDF document", 0, "%PDF-"},
	{"an ELF program", 0, "\x7fELF"},
	{"a Java class", 0, "\xca\xfe\xba\xbe\x00\x00\x00"},
	{"compiled Lua", 0, "\x1bLua"},
	{"compiled Lua (LuaJIT)", 0, "\x1bLJ"},
	{"an SQLite database", 0, "SQLite format 3\x00"},
	{"an HDF5 file", 0, "\x89HDF\r\n\x1a\n"},
	{"a NumPy array", 0, "\x93NUMPY"},
	{"an Avro file", 0, "Obj\x01"},
	{"a binary property list", 0, "bplist00"},
	{"an Apple bookmark", 0, "book\x00\x00\x00\x00mark"},
	{"a Windows registry hive", 0, "regf"},
	{"a serialized Java object", 0, "\xac\xed\x00\x05"},
	{"a serialized .NET object (BinaryFormatter)", 0, "\x00\x01\x00\x00\x00\xff\xff\xff\xff\x01\x00\x00\x00\x00\x00\x00\x00"},
	{"a Flash shared object (.sol)", 6, "TCSO\x00\x04"},
	{"a Godot resource (.res, .scn)", 0, "RSRC"},
	{"a Godot resource, compressed (.res, .scn)", 0, "RSCC"},
	{"a Godot pack (.pck)", 0, "GDPC"},
	{"a Godot texture (.ctex)", 0, "GST2"},
	{"a Godot texture (.stex)", 0, "GDST"},
	{"a compiled GDScript", 0, "GDSC"},
	{"an Unreal Engine save (GVAS)", 0, "GVAS"},
	{"a Unity asset bundle", 0, "UnityFS\x00"},
	{"a Unity asset bundle", 0, "UnityWeb\x00"},
	{"a Unity asset bundle", 0, "UnityRaw\x00"},
	{"an encrypted image or sound of RPG Maker", 0, "RPGMV\x00\x00\x00"},
	{"an archive of RPG Maker", 0, "RGSSAD\x00"},
	{"a Terraria world or character", 4, "relogic"},
	{"a Skyrim save", 0, "TESV_SAVEGAME"},
	{"an Elder Scrolls plug-in", 0, "TES4"},
	{"a Quake pack (.pak)", 0, "PACK"},
	{"a Doom archive (.wad)", 0, "PWAD"},
	{"a Doom archive (.wad)", 0, "IWAD"},
	{"a Quake level (.bsp)", 0, "IBSP"},
	{"a Source level (.bsp)", 0, "VBSP"},
	{"a Realm database", 16, "T-DB"},
}

// forms are the contents of containers that begin alike: the magic of the container, and
// what the files are that have some bytes after it.
var forms = []struct {
	container string
	signature
}{
	{"RIFF", signature{"a WebP image", 8, "WEBP"}},
	{"RIFF", signature{"a WAV sound", 8, "WAVE"}},
	{"RIFF", signature{"an AVI video", 8, "AVI "}},
	{"FORM", signature{"the data of a GameMaker game (data.win)", 8, "GEN8"}},
	{"FORM", signature{"an AIFF sound", 8, "AIF"}},
}

func (s *signature) is(head []byte) bool {
	return len(head) >= s.at+len(s.magic) && string(head[s.at:s.at+len(s.magic)]) == s.magic
}

// nameBySignature returns the kind of file that begins with head, "" if it is not known.
func nameBySignature(head []byte) string {
	for i := range signatures {
		if signatures[i].is(head) {
			return signatures[i].what
		}
	}
	for i := range forms {
		if bytes.HasPrefix(head, []byte(forms[i].container)) && forms[i].is(head) {
			return forms[i].what
		}
	}
	if bytes.HasPrefix(head, []byte("\x1f\x8b\x08")) {
		return nameOfGzip(head)
	}
	const pointer = 0x3c // offset at which a file that begins with MZ has the offset of the PE header
	if bytes.HasPrefix(head, []byte("MZ")) && len(head) > pointer+4 {
		if at := int(head[pointer]) | int(head[pointer+1])<<8; at+4 <= len(head) && string(head[at:at+4]) == "PE\x00\x00" {
			return "a Windows program"
		}
	}
	return ""
}

// nameOfGzip names a gzip archive, with what it holds if the unpacked beginning shows that.
func nameOfGzip(head []byte) string {
	const archive = "a gzip archive"
	r, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return archive
	}
	inner := make([]byte, foreignHead)
	n, _ := io.ReadFull(r, inner) // the end may be missing
	if what := cmp.Or(nameBySignature(inner[:n]), nameByForm(inner[:n], 0)); what != "" {
		return archive + " of " + what
	}
	return archive
}

// nameByForm returns the kind of a file of the given size, 0 if it is not known, that begins
// with head: by signatures too short to be looked for in bytes that may be a damaged save.
// "" means that it is not known.
func nameByForm(head []byte, size int64) string {
	for _, f := range []struct {
		what string
		is   func(head []byte, size int64) bool
	}{
		{"Minecraft's NBT", isNBT},
		{"Minecraft's NBT (Bedrock)", isBedrockNBT},
		{"Ruby's Marshal data (as RPG Maker writes it)", isMarshal},
		{"a Python pickle", isPickle},
		{"BSON", isBSON},
		{"a file of tensors (safetensors)", isSafetensors},
		{"a text file in UTF-16", isUTF16},
	} {
		if f.is(head, size) {
			return f.what
		}
	}
	return nameByLibrary(head)
}

// nameByLibrary names what the library knows, but for text, which it sees in any bytes
// without control characters, and for icons, which begin with two small numbers.
func nameByLibrary(head []byte) string {
	m := mimetype.Detect(head)
	kind, _, _ := strings.Cut(m.String(), ";")
	if strings.HasPrefix(kind, "text/") || kind == "application/octet-stream" || kind == "image/x-icon" {
		return ""
	}
	if m.Extension() != "" {
		kind += ", " + m.Extension()
	}
	return "a file of another kind (" + kind + ")"
}

// A tag of NBT has a type, a name with its length, and a payload. The outermost is a
// compound, which begins with another tag.
func isNBT(head []byte, _ int64) bool { return isCompound(head, binary.BigEndian) }

func isBedrockNBT(head []byte, _ int64) bool {
	const header = 8 // a version, and the number of bytes after it
	return isCompound(head, binary.LittleEndian) || len(head) > header && isCompound(head[header:], binary.LittleEndian)
}

func isCompound(head []byte, order binary.ByteOrder) bool {
	const compound, longArray, longName = 10, 12, 64
	name, ok := nbtName(head, order)
	if !ok || head[0] != compound || len(name) > longName {
		return false
	}
	next := head[3+len(name):]
	if len(next) == 0 || next[0] == 0 {
		return len(next) == 1
	}
	name, ok = nbtName(next, order)
	return ok && next[0] <= longArray && 0 < len(name) && len(name) <= longName
}

func nbtName(tag []byte, order binary.ByteOrder) (name []byte, ok bool) {
	if len(tag) < 3 {
		return nil, false
	}
	n := int(order.Uint16(tag[1:]))
	if n > len(tag)-3 {
		return nil, false
	}
	name = tag[3 : 3+n]
	return name, !bytes.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '\ufffd' })
}

func isMarshal(head []byte, _ int64) bool {
	return len(head) > 2 && head[0] == 4 && head[1] == 8 && strings.IndexByte("\"'/0:;@CFITU[cefilmo{}Mu", head[2]) >= 0
}

func isPickle(head []byte, size int64) bool {
	const lastProtocol = 5
	if len(head) < 4 || head[0] != 0x80 || head[1] < 2 || head[1] > lastProtocol {
		return false
	}
	return int64(len(head)) < size || size == 0 || head[len(head)-1] == '.'
}

func isBSON(head []byte, size int64) bool {
	const leastSize, lastType = 5, 0x13
	return len(head) > leastSize && int64(binary.LittleEndian.Uint32(head)) == size && head[4] > 0 && head[4] <= lastType &&
		bytes.IndexByte(head[5:], 0) > 0 && tree.IsIdentifier(head[5:5+bytes.IndexByte(head[5:], 0)])
}

func isSafetensors(head []byte, size int64) bool {
	return len(head) > 10 && binary.LittleEndian.Uint64(head) < uint64(size) && string(head[8:10]) == `{"`
}

func isUTF16(head []byte, _ int64) bool {
	return len(head) >= 4 && (bytes.HasPrefix(head, []byte{0xff, 0xfe}) && head[3] == 0 || bytes.HasPrefix(head, []byte{0xfe, 0xff}) && head[2] == 0)
}

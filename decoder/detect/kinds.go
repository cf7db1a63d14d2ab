package detect

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"strings"

	"github.com/gabriel-vasile/mimetype"
	"github.com/klauspost/compress/gzip"

	"varview/decoder/engine/tree"
)

// A signature is the beginning of files of another kind.
type signature struct {
	what  string
	at    int
	magic string
}

// signatures are so long that damage to a save hardly ever produces one.
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
	{"a Godot pack (.pck)", 0, "GDPC"},
	{"a Godot texture (.ctex)", 0, "GST2"},
	{"a Godot texture (.stex)", 0, "GDST"},
	{"a compiled GDScript", 0, "GDSC"},
	{"the settings of a Godot project (project.binary)", 0, "ECFG"},
	{"an Unreal Engine save (GVAS)", 0, "GVAS"},
	{"a Unity asset bundle", 0, "UnityFS\x00"},
	{"a Unity asset bundle", 0, "UnityWeb\x00"},
	{"a Unity asset bundle", 0, "UnityRaw\x00"},
	{"an encrypted image or sound of RPG Maker", 0, "RPGMV\x00\x00\x00"},
	{"an archive of RPG Maker", 0, "RGSSAD\x00"},
	{"a Terraria world or character", 4, "relogic"},
	{"a Skyrim save", 0, "TESV_SAVEGAME"},
	{"an Elder Scrolls plug-in", 0, "TES4"},
	{"a Doom archive (.wad)", 0, "PWAD"},
	{"a Doom archive (.wad)", 0, "IWAD"},
	{"a Quake level (.bsp)", 0, "IBSP"},
	{"a Source level (.bsp)", 0, "VBSP"},
	{"a Realm database", 16, "T-DB"},
}

// forms are the contents of containers that begin alike, by the magic of the container and some bytes after
// it.
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

// nameBySignature returns the kind of file that begins with head; "" if it is not known.
func nameBySignature(head []byte) string {
	if string(head) == "\x0a\x00\x00" {
		return "an empty compound of Minecraft's NBT"
	}
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
	if bytes.HasPrefix(head, []byte("PACK")) && isQuakePack(head) {
		return "a Quake pack (.pak)"
	}
	const pointer = 0x3c // offset at which a file that begins with MZ holds the offset of the PE header
	if bytes.HasPrefix(head, []byte("MZ")) && len(head) > pointer+4 {
		if at := int(head[pointer]) | int(head[pointer+1])<<8; at+4 <= len(head) && string(head[at:at+4]) == "PE\x00\x00" {
			return "a Windows program"
		}
	}
	return ""
}

// isQuakePack reports whether a directory of whole entries, behind the header, can follow a word that games of their own
// use as well.
func isQuakePack(head []byte) bool {
	const header, entry = 12, 64
	if len(head) < header {
		return false
	}
	offset, size := binary.LittleEndian.Uint32(head[4:]), binary.LittleEndian.Uint32(head[8:])
	return offset >= header && size > 0 && size%entry == 0
}

// nameOfGzip returns the name of a gzip archive, with its content if the unpacked beginning shows that.
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

// nameByForm returns the kind of a file of the given size (0 if unknown) that begins with head; "" if it is
// not known. Its signatures are too short to be looked for in bytes that may be a damaged save.
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

// nameByLibrary names the kinds that the library knows, except text, which it sees in any bytes without
// control characters, and icons, which begin with two small numbers.
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

// isNBT accepts a compound whose first member is a tag too. A tag of NBT has a type, a name with its
// length, and a payload; the outermost tag is a compound.
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

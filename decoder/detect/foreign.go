package detect

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// The codes of files that contain no values.
const (
	NotASave      = "not-a-save"     // a file of another kind
	ReplacedBytes = "replaced-bytes" // bytes that were replaced by U+FFFD, and are lost
	AllZeros      = "all-zeros"      // all bytes are zero
)

// ForeignCodes describe the problems of foreign files.
var ForeignCodes = []span.Code{
	{Code: NotASave, Severity: span.Error, About: "a file of another kind: a picture, an archive, a text"},
	{Code: ReplacedBytes, Severity: span.Error, About: "a program took the file for text and replaced bytes by EF BF BD: they are lost"},
	{Code: AllZeros, Severity: span.Error, About: "the file is all zeros"},
}

// A Foreign is a file that contains no values: a file of another kind, or one whose bytes
// are lost.
type Foreign struct {
	Code    string
	Title   string // what it is, in a few words
	Message string
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
		return &Foreign{AllZeros, "all zeros", what + ": it was never written, or the disk lost it"}, nil
	case g.IsText && region.Length >= leastText:
		return foreignText(head, int64(len(head)) == region.Length), nil
	case g.IsLossy():
		return &Foreign{ReplacedBytes, "bytes lost", fmt.Sprintf(
			"bytes were replaced by EF BF BD in %s: a program took the file for text; the original bytes are lost: get the file again", span.Counted(g.replaced, "place"))}, nil
	}
	return nil, nil
}

// ForeignProblem returns the problem of a buffer that contains no values, with its current
// bytes.
func ForeignProblem(ctx context.Context, t *tree.Tree) (p span.Problem, ok bool, err error) {
	s, err := ForeignFile(ctx, t.Source, t.Region)
	if s == nil || err != nil {
		return p, false, err
	}
	return span.Problem{Span: t.Region, Severity: span.Error, Code: s.Code, Message: s.Message}, true, nil
}

func notASave(what, more string) *Foreign {
	_, title, _ := strings.Cut(what, " ") // without the article
	return &Foreign{NotASave, title, "this is " + what + ", not a save or packet" + more}
}

// signatures are those of files of other kinds.
var signatures = []struct {
	what  string
	at    int
	magic string
}{
	{"a PNG image", 0, "\x89PNG\r\n\x1a\n"},
	{"a JPEG image", 0, "\xff\xd8\xff"},
	{"a GIF image", 0, "GIF87a"},
	{"a GIF image", 0, "GIF89a"},
	{"a WebP image", 8, "WEBP"},
	{"a WAV sound", 8, "WAVE"},
	{"an Ogg file (sound or video)", 0, "OggS"},
	{"a FLAC sound", 0, "fLaC"},
	{"an MP3 sound", 0, "ID3"},
	{"a ZIP archive", 0, "PK\x03\x04"},
	{"a ZIP archive", 0, "PK\x05\x06"},
	{"a gzip archive", 0, "\x1f\x8b\x08"},
	{"a 7z archive", 0, "7z\xbc\xaf\x27\x1c"},
	{"a RAR archive", 0, "Rar!\x1a\x07"},
	{"an xz archive", 0, "\xfd7zXZ\x00"},
	{"a Zstandard archive", 0, "\x28\xb5\x2f\xfd"},
	{"a PDF document", 0, "%PDF-"},
	{"an ELF program", 0, "\x7fELF"},
	{"an SQLite database", 0, "SQLite format 3\x00"},
	{"a Godot resource (.res, .scn)", 0, "RSRC"},
	{"a Godot resource, compressed (.res, .scn)", 0, "RSCC"},
	{"a Godot pack (.pck)", 0, "GDPC"},
	{"a compiled GDScript", 0, "GDSC"},
}

// nameBySignature returns the kind of file that begins with head, "" if it is not known.
func nameBySignature(head []byte) string {
	for _, m := range signatures {
		if len(head) >= m.at+len(m.magic) && string(head[m.at:m.at+len(m.magic)]) == m.magic && (m.at == 0 || bytes.HasPrefix(head, []byte("RIFF"))) {
			return m.what
		}
	}
	const pointer = 0x3c // offset at which a file that begins with MZ has the offset of the PE header
	if bytes.HasPrefix(head, []byte("MZ")) && len(head) > pointer+4 {
		if at := int(head[pointer]) | int(head[pointer+1])<<8; at+4 <= len(head) && string(head[at:at+4]) == "PE\x00\x00" {
			return "a Windows program"
		}
	}
	return ""
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

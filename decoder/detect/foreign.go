package detect

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"varview/decoder/diagnose"
	"varview/decoder/edit/textual"
	"varview/decoder/engine/format"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// Codes of files that contain no values. ForeignCodes says what each means.
const (
	NotASave      = "not-a-save"
	ReplacedBytes = "replaced-bytes"
	AllZeros      = "all-zeros"
	NotKnown      = "not-known"
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

	isUnexplained bool // it has no signature, but no reading explains the bytes
	isText        bool
}

// Limits of what is examined.
const (
	foreignHead    = 4 << 10
	MaxForeignRead = 16 << 20
	leastZeros     = 16 // fewer zeros may be values
	leastText      = 4
)

// ForeignFile returns the kind of a region without values; nil if it may have some. It reads at most 16
// MiB, and less if the bytes are not text.
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
	case g.IsText && textual.IsTOML(head):
		return notASave("a TOML text", "; --as lines edits it line by line"), nil
	case g.IsText && region.Length >= leastText:
		f := foreignText(head)
		f.isText = true
		return f, nil
	case g.IsLossy():
		return &Foreign{Code: ReplacedBytes, Title: "bytes lost", Message: fmt.Sprintf(
			"bytes were replaced by EF BF BD in %s: a program took the file for text; the original bytes are lost: get the file again", span.Counted(g.replaced, "place"))}, nil
	}
	return nil, nil
}

// UnexplainedAs returns the kind of a region that a reading, which has problems, does not explain; nil if it is not known and the reading
// may still be right: not of bytes that are certainly not damaged.
func (t Table) UnexplainedAs(src source.Source, region span.Span, r *Result, isIntact bool) (*Foreign, error) {
	win := source.NewWindow(src)
	head := bytes.Clone(win.View(region.Offset, min(region.Length, foreignHead)))
	if m := nameByForm(head, region.Length); m != "" {
		known := notASave(m, "")
		known.isUnexplained = true
		return known, win.Err()
	}
	if !isIntact && (r.mayBeDamaged || !r.Unexplained) {
		return nil, win.Err()
	}
	tried := t.tried(src, region)
	last := len(tried) - 1
	return &Foreign{Code: NotKnown, isUnexplained: true, Title: "unknown file", Message: fmt.Sprintf(
		"it is not known what this is: it has no known signature, and as %s or %s it makes no more sense than random bytes; to read it anyway, name the dialect (--as, :as)%s",
		strings.Join(tried[:last], ", "), tried[last], zeroedBlock(win.View(region.Offset, min(region.Length, source.MaxView)), region.Offset))}, win.Err()
}

// zeroedBlock names the first block of zeros before others in bytes that begin at an offset; "" if there is none.
func zeroedBlock(b []byte, off int64) string {
	at, n := source.ZeroedRun(b)
	if n == 0 || at+n == len(b) {
		return ""
	}
	return diagnose.Zeroed(off+int64(at), int64(n))
}

// describable are kinds of saves that people have described in the language of Kaitai Struct.
var describable = lazy.Regexp(`GVAS|NBT|Skyrim|Terraria`)

// tried returns the titles of the dialects in which a region may be read. There are at least two.
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

// MayHold reports whether values or packed bytes may be behind a header of the game's own: the file is a text,
// or has no signature of another kind.
func (f *Foreign) MayHold() bool { return f.isUnexplained || f.isText }

// IsText reports whether the file is text of some kind.
func (f *Foreign) IsText() bool { return f.isText }

// Problem returns the problem of a foreign file for its current bytes. ok is false if these may be values.
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
	not := ", not a save or packet"
	if describable().MatchString(what) {
		not = ", which varview does not read"
		more += "; --ksy FILE reads it by a description of its format, which \"varview ksy new\" begins"
	} else if what == "a ZIP archive" || strings.Contains(what, "x-tar") {
		more += "; a recipe reads the files in it, which \"varview layers --try\" writes"
	}
	title := what
	for _, article := range []string{"a ", "an ", "the "} {
		title = strings.TrimPrefix(title, article)
	}
	return &Foreign{Code: NotASave, Title: title, Message: "this is " + what + not + more}
}

// foreignText returns the kind of text that begins with head.
func foreignText(head []byte) *Foreign {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	line, _, _ := bytes.Cut(head, []byte("\n"))
	line = bytes.TrimRight(line, " \t\r")
	starts := func(prefix string) bool {
		return len(head) >= len(prefix) && strings.EqualFold(string(head[:len(prefix)]), prefix)
	}
	switch {
	case diagnose.InConflict(head):
		return notASave("a text with a merge conflict", ": it has the lines of two files, between <<<<<<< and >>>>>>>, of which one side is to be deleted")
	case starts("[gd_scene"):
		return notASave("a Godot scene as text (.tscn)", "")
	case starts("[gd_resource"):
		return notASave("a Godot resource as text (.tres)", "")
	case starts("<!doctype html"), starts("<html"):
		return notASave("an HTML page", "")
	case starts("<?xml"):
		return notASave("an XML text", "")
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

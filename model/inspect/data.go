package inspect

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"image"
	_ "image/jpeg" // formats that can be drawn
	_ "image/png"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	_ "golang.org/x/image/webp"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// Data describes what bytes seem to be.
type Data struct {
	What    string // "PNG image, 32 × 16"; "" if unknown
	IsImage bool   // they can be drawn
	IsText  bool
	Packed  string // step of a recipe that unpacks them; "" if they are not packed
}

// SniffSize is the number of bytes that Sniff looks at.
const SniffSize = 64 << 10

// Sniff returns what bytes beginning with head seem to be.
func Sniff(head []byte) Data {
	if c, name, err := image.DecodeConfig(bytes.NewReader(head)); err == nil {
		names := map[string]string{"png": "PNG", "jpeg": "JPEG", "webp": "WebP"}
		return Data{What: fmt.Sprintf("%s image, %d × %d", names[name], c.Width, c.Height), IsImage: int64(c.Width)*int64(c.Height) <= maxPixels}
	}
	step := source.PackedAs(head)
	switch {
	case step == "zstd":
		return Data{What: "Zstandard", Packed: step}
	case step != "" && len(head) > 2:
		return Data{What: step, Packed: step}
	case isText(head):
		return Data{What: "text", IsText: true}
	}
	return Data{}
}

// isText reports whether bytes are readable UTF-8 text. The last character may be cut.
func isText(b []byte) bool {
	n := 0
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 && len(b) >= utf8.UTFMax || !unicode.IsGraphic(r) && !unicode.IsSpace(r) {
			return false
		}
		b = b[size:]
		n++
	}
	return n >= 4
}

// maxPixels is the largest number of pixels of an image that is drawn: each takes four bytes.
const maxPixels = 16 << 20

// Image reads an image.
func Image(r io.ReadSeeker) (image.Image, error) {
	c, _, err := image.DecodeConfig(r)
	if err != nil {
		return nil, err
	}
	if int64(c.Width)*int64(c.Height) > maxPixels {
		return nil, fmt.Errorf("an image of %d × %d is too large to be drawn", c.Width, c.Height)
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	m, _, err := image.Decode(r)
	return m, err
}

// quoted returns a character as a literal that is safe on a terminal.
func quoted(r rune) string { return string(tree.AppendQuoted(nil, utf8.AppendRune(nil, r))) }

// oneRune returns a typed character, with or without quotes.
func oneRune(s string) (rune, error) {
	if u, err := strconv.Unquote(s); err == nil && s[0] == '"' {
		s = u
	}
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || n < len(s) || r == utf8.RuneError && n == 1 {
		return 0, errors.New("one character")
	}
	return r, nil
}

func utf8Text(b []byte, _ order) string {
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError && n <= 1 {
		return ""
	}
	return quoted(r)
}

func parseUTF8(s string, _ order) ([]byte, error) {
	r, err := oneRune(s)
	return utf8.AppendRune(nil, r), err
}

func utf16Text(b []byte, o order) string {
	r := rune(o.Uint16(b))
	if utf16.IsSurrogate(r) {
		if len(b) < 4 {
			return ""
		}
		if r = utf16.DecodeRune(r, rune(o.Uint16(b[2:]))); r == utf8.RuneError {
			return ""
		}
	}
	return quoted(r)
}

func parseUTF16(s string, o order) (b []byte, err error) {
	r, err := oneRune(s)
	for _, unit := range utf16.AppendRune(nil, r) {
		b = o.AppendUint16(b, unit)
	}
	return b, err
}

// Taken returns the number of bytes that the kind takes of these: of a character those of
// this one.
func (k *Interpretation) Taken(b []byte, big bool) int {
	switch {
	case k.Name == "UTF-8":
		_, n := utf8.DecodeRune(b)
		return max(1, n)
	case k.Name == "UTF-16" && len(b) >= 2 && !utf16.IsSurrogate(rune(orderOf(big).Uint16(b))):
		return 2
	}
	return k.Size
}

// Layouts in which times are shown and typed, all in UTC.
const (
	shownTime = "2006-01-02 15:04:05"
	shownDay  = "2006-01-02"
)

// lastTime is the first second after the year 9999.
const lastTime = 253402300800

// seconds returns the time s seconds after the start of 1970; "" outside the years 1 to 9999.
func seconds(s int64) string {
	if s >= lastTime || s < -62135596800 {
		return ""
	}
	return time.Unix(s, 0).UTC().Format(shownTime)
}

func secondsText(b []byte, o order) string { return seconds(int64(o.Uint32(b))) }

func millisText(b []byte, o order) string {
	ms := int64(o.Uint64(b))
	if s := seconds(ms / 1000); s != "" {
		return time.UnixMilli(ms).UTC().Format(shownTime + ".000")
	}
	return ""
}

// parseTime parses a date with or without a time.
func parseTime(s string) (time.Time, error) {
	for _, form := range []string{shownTime, shownDay, time.RFC3339} { // the first accepts fractions too
		if t, err := time.Parse(form, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, errors.New("type a time in UTC: 2024-05-01 12:30:00")
}

func parseSeconds(s string, o order) ([]byte, error) {
	t, err := parseTime(s)
	if err == nil && (t.Unix() < 0 || t.Unix() > 1<<32-1) {
		err = errors.New("32 bits hold times from 1970 to 2106")
	}
	return o.AppendUint32(nil, uint32(t.Unix())), err
}

func parseMillis(s string, o order) ([]byte, error) {
	t, err := parseTime(s)
	return o.AppendUint64(nil, uint64(t.UnixMilli())), err
}

func colorText(b []byte, _ order) string { return "#" + hex.EncodeToString(b) }

func parseColor(s string, _ order) ([]byte, error) {
	digits, ok := strings.CutPrefix(s, "#")
	if len(digits) == 6 {
		digits += "ff"
	}
	b, err := hex.DecodeString(digits)
	if !ok || err != nil || len(b) != 4 {
		return nil, fmt.Errorf("type #rrggbb or #rrggbbaa")
	}
	return b, nil
}

// IsTime reports whether the text of the kind is a time, which is long.
func (k *Interpretation) IsTime() bool { return k.Name == "time s" || k.Name == "time ms" }

// Sums are checksums of bytes, and their entropy.
type Sums struct {
	CRC32   uint32 // IEEE 802.3, as in zip and PNG
	MD5     [md5.Size]byte
	SHA256  [sha256.Size]byte
	Entropy float64 // entropy in bits per byte, 0 to 8
}

// A Summer computes the Sums of the bytes written to it.
type Summer struct {
	crc, md5, sha hash.Hash
	counts        Counts
}

// NewSummer returns a summer of no bytes.
func NewSummer() *Summer { return &Summer{crc: crc32.NewIEEE(), md5: md5.New(), sha: sha256.New()} }

// Write implements io.Writer. It never fails.
func (s *Summer) Write(b []byte) (int, error) {
	s.crc.Write(b)
	s.md5.Write(b)
	s.sha.Write(b)
	s.counts.Add(b)
	return len(b), nil
}

// Sums returns the sums of all bytes so far.
func (s *Summer) Sums() Sums {
	var sums Sums
	for _, b := range s.crc.Sum(nil) {
		sums.CRC32 = sums.CRC32<<8 | uint32(b)
	}
	s.md5.Sum(sums.MD5[:0])
	s.sha.Sum(sums.SHA256[:0])
	sums.Entropy = s.counts.Entropy()
	return sums
}

// Counts holds how often each byte value occurs.
type Counts [256]int64

// Add counts bytes.
func (c *Counts) Add(b []byte) {
	for _, x := range b {
		c[x]++
	}
}

// Entropy returns the entropy in bits per byte, 0 to 8: low if few values are frequent, near 8 for packed
// or encrypted bytes.
func (c *Counts) Entropy() float64 {
	all := int64(0)
	for _, n := range c {
		all += n
	}
	bits := 0.0
	for _, n := range c {
		if n > 0 {
			share := float64(n) / float64(all)
			bits -= share * math.Log2(share)
		}
	}
	return bits
}

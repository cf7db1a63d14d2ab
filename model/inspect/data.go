package inspect

import (
	"bytes"
	"fmt"
	"image"
	_ "image/jpeg" // formats that can be drawn
	_ "image/png"
	"io"
	"unicode"
	"unicode/utf8"

	_ "golang.org/x/image/webp"

	"varview/decoder/engine/source"
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

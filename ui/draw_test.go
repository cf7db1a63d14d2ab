package ui

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

// floats is a value of a type whose payload is floats; counted has a count before them.
func floats(kind uint32, counted int, vs ...float32) []byte {
	b := words(kind)
	if counted > 0 {
		b = words(kind, uint32(counted))
	}
	for _, v := range vs {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func packedBytes(data []byte) []byte {
	b := append(words(29, uint32(len(data))), data...)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

func pngOf(width, height int) []byte {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range m.Pix {
		m.Pix[i] = 255
	}
	m.Set(0, 0, color.RGBA{200, 100, 50, 255})
	var b bytes.Buffer
	png.Encode(&b, m)
	return b.Bytes()
}

// drawable are values of which something is drawn.
func drawable() []byte {
	return dictionary(
		str("tint"), floats(20, 0, 0.2, 0.4, 1, 1),
		str("glass"), floats(20, 0, 1, 0, 0, 0.5),
		str("palette"), floats(37, 3, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1),
		str("wave"), floats(32, 6, 0, 1, 2, 3, 2, 1),
		str("scores"), array(integer(4), integer(8), float(0.5)),
		str("route"), floats(35, 3, 0, 0, 10, 20, 5, 5),
		str("turned"), floats(15, 0, 0, 0.70710677, 0, 0.70710677),
		str("basis"), floats(17, 0, 1, 0, 0, 0, 0, -1, 0, 1, 0),
		str("place"), floats(18, 0, 0, -1, 0, 1, 0, 0, 0, 0, 1, 10, 20.5, -3),
		str("shot"), packedBytes(pngOf(4, 4)),
		str("note"), packedBytes([]byte("A note,\nin two lines.\x1b[31m"[:21])),
		str("saved"), integer(1714566600),
		str("flags"), integer(20480),
	)
}

func openDrawable(t *testing.T, width, height int, profile termenv.Profile) *screen {
	t.Helper()
	return openScreen(t, save(t, drawable()), width, height, profile)
}

// What is drawn of values in the inspector.
func TestInspectorDraws(t *testing.T) {
	s := openDrawable(t, 180, 60, termenv.Ascii)
	at := func(path string) { s.enter(":", "goto $."+path) }
	at("tint")
	s.wantShown("#3366ff")
	at("glass")
	s.wantShown("#ff000080")
	at("wave")
	s.wantRow("graph", "▁▃▆█▆▃")
	s.wantRow("min", "0")
	s.wantRow("max", "3")
	s.wantRow("mean", "1.5")
	s.wantRow("elements", "6")
	at("scores")
	s.wantRow("max", "8")
	at("route")
	s.wantRow("x", "0", "to", "10")
	s.wantRow("y", "0", "to", "20")
	at("turned")
	s.wantRow("rotation", "x", "0°", "y", "90°", "z", "0°")
	at("basis")
	s.wantRow("rotation", "x", "90°", "y", "0°", "z", "0°")
	at("place")
	s.wantRow("rotation", "x", "0°", "y", "0°", "z", "90°")
	s.wantRow("z", "0", "0", "1", "-3")
	at("shot")
	s.wantRow("holds", "PNG", "image,", "4", "×", "4")
	at("note")
	s.wantRow("holds", "text")
	at("saved")
	s.wantRow("time", "2024-05-01", "12:30:00", "UTC")
	at("flags")
	s.wantShown("bits set   12 14")
}

// The whole window: plots, points, colours, images, text; and what is nothing to be drawn.
func TestDraw(t *testing.T) {
	s := openDrawable(t, 80, 24, termenv.Ascii)
	at := func(path string) {
		s.enter(":", "goto $."+path)
		s.press("o")
	}
	at("wave")
	s.wantShown("6 elements · min 0 · max 3 · mean 1.5")
	s.wantShown("any key closes this")
	s.press("x")
	s.wantShown("tab bytes")
	at("route")
	s.wantShown("3 elements")
	s.press("esc")
	at("palette")
	s.wantShown("#ff0000")
	s.wantShown("#0000ff")
	s.press("esc")
	at("tint")
	s.wantShown("#3366ff")
	s.press("esc")
	at("shot")
	s.wantShown("PNG image, 4 × 4")
	s.wantShown("████")
	s.press("esc")
	at("note")
	s.wantShown("in two lines.")
	s.press("esc")
	at("flags")
	s.wantShown("there is nothing to draw here")
	s.press("g", "o")
	s.wantShown("there is nothing to draw here")
}

// A colour is beside its value in the tree, in the colours that the terminal has.
func TestSwatches(t *testing.T) {
	for profile, want := range map[termenv.Profile]string{
		termenv.TrueColor: "\x1b[48;2;51;102;255m  \x1b[0m", termenv.ANSI256: "\x1b[48;5;63m  \x1b[0m", termenv.ANSI: "\x1b[104m  \x1b[0m", termenv.Ascii: "   #3366ff",
	} {
		s := openDrawable(t, 100, 24, profile)
		s.press("j", "j")
		s.frame()
		if !strings.Contains(s.m.View(), want) {
			t.Errorf("%v: no %q", profile, want)
		}
	}
}

// An array of a million numbers is drawn by a job, from some of them.
func TestDrawMany(t *testing.T) {
	const n = 300_000
	data := words(32, n)
	for i := range n {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(i)))
	}
	s := openScreen(t, save(t, data), 180, 45, termenv.Ascii)
	s.wantRow("elements", "300,000", "elements,", "150,000")
	s.wantRow("max", "299998")
	s.press("o")
	s.wantShown("300,000 elements, 150,000 of them drawn")
}

// Points in space are seen from above: x and z.
func TestPointsInSpace(t *testing.T) {
	s := openScreen(t, save(t, dictionary(str("path"), floats(36, 2, -1, 20, 3, 4, 50, 6))), 180, 40, termenv.Ascii)
	s.press("j")
	s.wantRow("x", "-1", "to", "4")
	s.wantRow("z", "3", "to", "6")
	s.press("o")
	s.wantShown("2 elements · seen from above: x to the right, z down")
}

package draw

import (
	"image"
	"math"
	"strings"

	"golang.org/x/image/draw"

	"varview/ui/paint"
)

// blocks draws an image in at most width columns and height lines, two pixels per character. Without
// colours it draws the brightness.
func blocks(m image.Image, width, height int, s *paint.Styles) [][]paint.Piece {
	size := m.Bounds().Size()
	if size.X == 0 || size.Y == 0 {
		return nil
	}
	share := min(float64(width)/float64(size.X), float64(2*height)/float64(size.Y))
	if share > 1 {
		share = math.Floor(share)
	}
	w, h := max(1, int(float64(size.X)*share)), max(1, int(float64(size.Y)*share))
	small := image.NewRGBA(image.Rect(0, 0, w, h+h%2))
	scaler := draw.Interpolator(draw.NearestNeighbor)
	if share < 1 {
		scaler = draw.ApproxBiLinear
	}
	scaler.Scale(small, image.Rect(0, 0, w, h), m, m.Bounds(), draw.Src, nil)
	var lines [][]paint.Piece
	for y := 0; y < h; y += 2 {
		var line []paint.Piece
		for x := range w {
			up, down := small.RGBAAt(x, y), small.RGBAAt(x, y+1)
			if !s.InColour {
				light := (int(up.R) + int(up.G) + int(up.B) + int(down.R) + int(down.G) + int(down.B)) / 6
				line = append(line, paint.Plain(shades[light*len(shades)/256]))
				continue
			}
			line = append(line, paint.Piece{Text: "▀", Paint: s.Color([3]byte{up.R, up.G, up.B}) + s.Swatch([3]byte{down.R, down.G, down.B})})
		}
		lines = append(lines, line)
	}
	return lines
}

// shades are characters from dark to light.
var shades = strings.Split(" ░▒▓█", "")

package inspect

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"image"
	"image/jpeg"
	"image/png"
	"math"
	"math/rand"
	"testing"
)

func multiply(a, b [3][3]float64) (m [3][3]float64) {
	for r := range 3 {
		for c := range 3 {
			for k := range 3 {
				m[r][c] += a[r][k] * b[k][c]
			}
		}
	}
	return m
}

// turn is the matrix that turns about an axis, by the definition.
func turn(axis int, degrees float64) [3][3]float64 {
	s, c := math.Sincos(degrees * math.Pi / 180)
	return [3][3][3]float64{
		{{1, 0, 0}, {0, c, -s}, {0, s, c}},
		{{c, 0, s}, {0, 1, 0}, {-s, 0, c}},
		{{c, -s, 0}, {s, c, 0}, {0, 0, 1}},
	}[axis]
}

// A turn about y, x and z, in that order, is found again, whatever is scaled; straight up
// and down one of the angles is 0.
func TestEuler(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for i := range 2000 {
		want := [3]float64{random.Float64()*178 - 89, random.Float64()*358 - 179, random.Float64()*358 - 179}
		if i%10 == 0 {
			want[0], want[2] = float64(i%20*18-90), 0
		}
		m := multiply(multiply(turn(1, want[1]), turn(0, want[0])), turn(2, want[2]))
		scale := [3]float64{1 + random.Float64(), 0.1 + random.Float64(), 3 * (random.Float64() + 0.1)}
		for r := range 3 {
			for c := range 3 {
				m[r][c] *= scale[c]
			}
		}
		got := Euler(m)
		for k := range 3 {
			if math.Abs(got[k]-want[k]) > 1e-4 {
				t.Fatalf("%v, want %v", got, want)
			}
		}
	}
	half := math.Sqrt(0.5)
	if got := Euler(Rows(0, half, 0, half)); math.Abs(got[1]-90) > 1e-9 || math.Abs(got[0])+math.Abs(got[2]) > 1e-9 {
		t.Errorf("a quarter about y is %v", got)
	}
	if got := Euler(Rows(2, 0, 0, 2)); math.Abs(got[0]-90) > 1e-9 {
		t.Errorf("a quarter about x, of a quaternion that is not of length 1, is %v", got)
	}
}

func TestSeries(t *testing.T) {
	s := &Series{}
	for _, v := range []float64{3, math.NaN(), 1, 8, math.Inf(1)} {
		s.Add(v)
	}
	if s.Min != 1 || s.Max != 8 || s.Mean != 4 {
		t.Errorf("%+v", s)
	}
	if got := s.Spark(10); got != "▃ ▁█ " {
		t.Errorf("%q", got)
	}
	if got := s.Spark(2); len([]rune(got)) != 2 {
		t.Errorf("%q", got)
	}
	same := &Series{}
	for range 100 {
		same.Add(5)
	}
	if got := same.Spark(3); got != "▄▄▄" {
		t.Errorf("%q", got)
	}
}

func TestTimestamp(t *testing.T) {
	for v, want := range map[float64]string{1714566600: "2024-05-01 12:30:00", 1714566600500: "2024-05-01 12:30:00", 946684799: "", 20480: "", -1: "", math.NaN(): "", math.Inf(1): ""} {
		if got := Timestamp(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
}

// Bytes are recognised by what real encoders write.
func TestSniff(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 32, 16))
	encoded := func(encode func(*bytes.Buffer) error) []byte {
		var b bytes.Buffer
		if err := encode(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	webp := []byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00") // 1 × 1
	for want, b := range map[string][]byte{
		"PNG image, 32 × 16":  encoded(func(b *bytes.Buffer) error { return png.Encode(b, m) }),
		"JPEG image, 32 × 16": encoded(func(b *bytes.Buffer) error { return jpeg.Encode(b, m, nil) }),
		"WebP image, 1 × 1":   webp,
		"gzip":                encoded(func(b *bytes.Buffer) error { w := gzip.NewWriter(b); w.Write([]byte("x")); return w.Close() }),
		"zlib":                encoded(func(b *bytes.Buffer) error { w := zlib.NewWriter(b); w.Write([]byte("x")); return w.Close() }),
		"Zstandard":           {0x28, 0xb5, 0x2f, 0xfd, 0, 0},
		"text":                []byte("grün\nund\tso"),
		"":                    {0x1b, '[', '2', 'J'},
	} {
		if got := Sniff(b); got.What != want {
			t.Errorf("%q, want %q", got.What, want)
		}
	}
	for _, b := range [][]byte{nil, {0}, {0x78}, []byte("\x89PNG\r\n\x1a\n"), {0xff, 0xd8, 0xff}} {
		if got := Sniff(b); got.What != "" {
			t.Errorf("% x is %q", b, got.What)
		}
	}
}

// An image is not unpacked where that would take much memory.
func TestLargeImage(t *testing.T) {
	var b bytes.Buffer
	png.Encode(&b, image.NewGray(image.Rect(0, 0, 5000, 4000)))
	if got := Sniff(b.Bytes()); got.IsImage || got.What != "PNG image, 5000 × 4000" {
		t.Errorf("%+v", got)
	}
	if _, err := Image(bytes.NewReader(b.Bytes())); err == nil {
		t.Error("it is unpacked")
	}
}

func TestHex(t *testing.T) {
	for want, c := range map[string][4]float64{"#ff0080": {1, 0, 0.5, 1}, "#ff33007f": {1.5, 0.2, -1, 0.498}, "#000000": {math.NaN(), 0, 0, 1}} {
		if got := Hex(c); got != want {
			t.Errorf("%v is %s, want %s", c, got, want)
		}
	}
}

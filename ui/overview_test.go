package ui

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

// bar is the last column of the bytes.
func (s *screen) bar() string {
	s.t.Helper()
	var bar strings.Builder
	l := &s.m.layout
	for _, line := range strings.Split(s.frame(), "\n")[1 : 1+l.hex.Height] {
		runes := []rune(line)
		bar.WriteRune(runes[len(runes)-2])
	}
	return bar.String()
}

func (s *screen) wantBar(want string) {
	s.t.Helper()
	if got := s.bar(); got != want {
		s.t.Errorf("the bar is %q, want %q", got, want)
	}
}

// many is an array of n times 8 bytes.
func many(n int) []byte {
	var values [][]byte
	for i := range n {
		values = append(values, integer(int32(i)))
	}
	return array(values...)
}

// The bar shows what is in view, and where things are. The pane has 11 rows of 8 bytes: the
// buffer of 880 bytes is ten times as long, and a row of the bar is 80 bytes.
func TestOverview(t *testing.T) {
	s := openScreen(t, save(t, many(109)), 100, 16, termenv.Ascii)
	s.wantBar("▐▐         ")
	s.press("tab", "G")
	s.wantBar("         ▐▐")
	s.enter(":", "goto 172") // in the third row, of a number
	s.typeText("r41\x1b")
	s.press("g")
	s.wantBar("▐▐•        ")
	s.enter(":", "goto 400")
	s.typeText("mx")
	s.press("g")
	s.wantBar("▐▐•  '     ")
	s.enter("/", "x:35 00 00 00") // 0x35 at 8+8*53+4 = 436
	s.press("g")
	s.wantBar("▐▐•  +     ")
	s.enter(":", "goto 808") // the header of a value
	s.typeText("rff\x1b")
	s.press("g")
	if bar := []rune(s.bar()); bar[10] != '✗' {
		t.Errorf("the bar %q has no problem", string(bar))
	}
}

// A buffer that is in view as a whole has no bar.
func TestNoOverview(t *testing.T) {
	s := openScreen(t, save(t, many(5)), 100, 16, termenv.Ascii)
	s.typeText("jdd")
	s.wantBar("           ")
}

// A click on the bar goes to what it shows.
func TestClickTheBar(t *testing.T) {
	s := openScreen(t, save(t, many(109)), 100, 16, termenv.Ascii)
	s.click(98, 1+5)
	s.wantOffset(400)
	s.click(98, 1)
	s.wantOffset(0)
}

// Zeros do not vary, random bytes do.
func TestEntropyStrip(t *testing.T) {
	b := make([]byte, 200<<10)
	rand.New(rand.NewSource(1)).Read(b[100<<10:])
	s := openScreen(t, save(t, packedBytes(b)), 100, 16, termenv.Ascii)
	s.enter(":", "entropy")
	bar := s.bar()
	if !strings.HasPrefix(bar, "▁▁▁▁▁") || !strings.HasSuffix(bar, "████") && !strings.HasSuffix(bar, "▇▇▇▇") {
		t.Errorf("the bar is %q", bar)
	}
	s.typeText("jdd") // which changes the bytes
	s.enter(":", "entropy")
	if bar := s.bar(); strings.ContainsRune(bar, '▁') {
		t.Errorf("it stays: %q", bar)
	}
}

// Entropy and sums are of any buffer, wherever its bytes come from.
func TestEntropyOfEveryBuffer(t *testing.T) {
	for _, data := range wrappedAndElephant() {
		s := openScreen(t, save(t, data), 100, 24, termenv.Ascii)
		s.press("esc") // where a password is asked for
		for range s.m.desk.Doc.Buffers {
			s.enter(":", "entropy")
			s.wantShown("the bar at the right shows the entropy")
			s.press("tab", "v", "l", "l", "j", "esc")
			s.enter(":", "entropy")
			s.press("<")
		}
	}
}

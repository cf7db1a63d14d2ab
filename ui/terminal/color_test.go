package terminal

import (
	"math"
	"testing"
)

func TestBackground(t *testing.T) {
	tests := []struct {
		reply    string
		dark, ok bool
	}{
		{"\x1b]11;rgb:0000/0000/0000\a", true, true},
		{"\x1b]11;rgb:ffff/ffff/ffff\x1b\\", false, true},
		{"\x1b]11;rgb:1e/1e/2e\a", true, true},
		{"\x1b]11;rgb:f/f/e\a", false, true},
		{"\x1b]11;rgba:fdfd/f6f6/e3e3/8000\a", false, true},
		{"\x1b]11;#002b36\a", true, true},
		{"\x1b]11;#fff\a", false, true},
		{"\x1b]11;rgb:0000/0000/ffff\a", true, true},  // blue
		{"\x1b]11;rgb:ffff/ffff/0000\a", false, true}, // yellow
		{"\x1b]10;rgb:ffff/ffff/ffff\a", false, false},
		{"\x1b]11;?\a", false, false},
		{"\x1b]11;\a", false, false},
		{"\x1b]11;rgb:ff/ff\a", false, false},
		{"\x1b]11;rgb:ff/ff/ff/ff\a", false, false},
		{"\x1b]11;rgb:ff//ff\a", false, false},
		{"\x1b]11;rgb:fffff/ff/ff\a", false, false},
		{"\x1b]11;rgb:gg/ff/ff\a", false, false},
		{"\x1b]11;rgb:+f/ff/ff\a", false, false},
		{"\x1b]11;#ffff\a", false, false},
		{"\x1b]11;#\a", false, false},
	}
	for _, test := range tests {
		rgb, ok := background([]byte(test.reply))
		if ok != test.ok || ok && isDark(rgb) != test.dark {
			t.Errorf("%q: %v, %v; want dark %v, %v", test.reply, rgb, ok, test.dark, test.ok)
		}
	}
}

func TestLuminance(t *testing.T) {
	for _, test := range []struct {
		rgb  [3]float64
		want float64
	}{
		{[3]float64{0, 0, 0}, 0},
		{[3]float64{1, 1, 1}, 1},
		{[3]float64{1, 0, 0}, 0.2126},
		{[3]float64{0.5, 0.5, 0.5}, 0.2140},
	} {
		if got := luminance(test.rgb); math.Abs(got-test.want) > 1e-4 {
			t.Errorf("%v: %v, want %v", test.rgb, got, test.want)
		}
	}
}

package inspect

import "testing"

func TestUnhex(t *testing.T) {
	for text, want := range map[string][4]float64{"#ff8000": {1, 128. / 255, 0, 1}, "#00FF0033": {0, 1, 0, 0.2}} {
		if got := Unhex(text); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

package output

import "testing"

func TestLikelyTheme(t *testing.T) {
	for in, want := range map[string]string{
		"": "dark", "15;0": "dark", "0;15": "light", "0;default;15": "light", "12;8": "dark", "0;7": "light", "7": "dark", "x;y;z": "dark",
	} {
		if got := likelyTheme(in); got != want {
			t.Errorf("COLORFGBG=%q: %s, want %s", in, got, want)
		}
	}
}

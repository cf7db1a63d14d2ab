package text

import (
	"runtime"
	"strings"
	"testing"
)

func TestCut(t *testing.T) {
	for _, test := range []struct {
		in            string
		width         int
		cut, fit, end string
	}{
		{"", 0, "", "", ""},
		{"", 3, "", "   ", ""},
		{"abc", -1, "", "", ""},
		{"abc", 0, "", "", ""},
		{"abc", 1, "…", "…", "…"},
		{"abc", 2, "a…", "a…", "…c"},
		{"abc", 3, "abc", "abc", "abc"},
		{"abc", 5, "abc", "abc  ", "abc"},
		{"日本語", 1, "…", "…", "…"},
		{"日本語", 2, "…", "… ", "…"},
		{"日本語", 3, "日…", "日…", "…語"},
		{"日本語", 4, "日…", "日… ", "…語"},
		{"日本語", 6, "日本語", "日本語", "日本語"},
		{"日本語", 7, "日本語", "日本語 ", "日本語"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…", "e\u0301…", "…e\u0301"},
		{"abe\u0301fg", 3, "ab…", "ab…", "…fg"},
		{"abe\u0301fg", 4, "abe\u0301…", "abe\u0301…", "…e\u0301fg"},
		{"/saves/slot1/player.dat", 11, "/saves/slo…", "/saves/slo…", "…player.dat"},
		{"שלום עולם", 5, "שלום…\u200e", "שלום…\u200e", "…עולם\u200e"},
		{"שלום", 5, "שלום\u200e", "שלום\u200e ", "שלום\u200e"},
		{"abc שלום", 3, "ab…", "ab…", "…ום\u200e"},
		{"क\u093eक\u093e", 3, "क\u200b\u093e…", "क\u200b\u093e…", "…क\u200b\u093e"},
		{"क\u093eक\u093e", 2, "क\u200b…", "क\u200b…", "…\u200b\u093e"},
	} {
		s := Clean(test.in)
		if got := Cut(s, test.width); got != test.cut {
			t.Errorf("Cut(%+q, %d) = %+q, want %+q", s, test.width, got, test.cut)
		}
		if got := Fit(s, test.width); got != test.fit {
			t.Errorf("Fit(%+q, %d) = %+q, want %+q", s, test.width, got, test.fit)
		}
		if got := CutLeft(s, test.width); got != test.end {
			t.Errorf("CutLeft(%+q, %d) = %+q, want %+q", s, test.width, got, test.end)
		}
	}
}

// TestFitPadsFar needs more blanks than the constant holds.
func TestFitPadsFar(t *testing.T) {
	if got, want := Fit("a", 1000), "a"+strings.Repeat(" ", 999); got != want {
		t.Errorf("got %d bytes", len(got))
	}
}

// TestHeadReadsLittle gives Head a value so long that it must not clean all of it.
func TestHeadReadsLittle(t *testing.T) {
	long := strings.Repeat("é\x00", 16<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if got, want := Head(long, 12), `é\x00é\x00é…`; got != want {
		t.Errorf("got %+q, want %+q", got, want)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("used %d bytes of memory", used)
	}
}

// checkFit checks what holds for every clean text and width.
func checkFit(t *testing.T, in string, width int) {
	t.Helper()
	s := Clean(in)
	cut, fit, left := Cut(s, width), Fit(s, width), CutLeft(s, width)
	for _, got := range []string{cut, fit, left} {
		checkSafe(t, got)
		if endsRightToLeft(got) {
			t.Errorf("%+q in %d columns: %+q is not closed", s, width, got)
		}
	}
	if w := Width(fit); w != max(width, 0) {
		t.Errorf("Fit(%+q, %d) takes %d: %+q", s, width, w, fit)
	}
	if !strings.HasPrefix(fit, cut) {
		t.Errorf("Fit(%+q, %d) = %+q, Cut %+q", s, width, fit, cut)
	}
	whole := Width(s) <= width && width > 0
	for _, got := range []string{cut, left} {
		// at most one wide cluster less than fits
		if w := Width(got); w > max(width, 0) || !whole && w < width-1 || whole && got != s {
			t.Errorf("%+q cut to %d takes %d: %+q", s, width, w, got)
		}
	}
	if got := Head(in, width); got != cut {
		t.Errorf("Head(%+q, %d) = %+q, Cut %+q", in, width, got, cut)
	}
}

// FuzzText cleans and fits any bytes.
func FuzzText(f *testing.F) {
	for _, test := range cleanTests {
		f.Add(test.in, test.width/2)
	}
	f.Fuzz(func(t *testing.T, in string, width int) {
		width %= 300
		checkClean(t, in)
		checkFit(t, in, width)
	})
}

// TestAllWidths fits every example into every width.
func TestAllWidths(t *testing.T) {
	for _, test := range cleanTests {
		for width := -1; width <= test.width+2; width++ {
			checkFit(t, test.in, width)
		}
	}
}

var benchTexts = map[string]string{
	"ascii":   "The cat was last seen near the old mill, by the river.",
	"escapes": "The cat was last seen\nnear the \"old mill\",\tby the river.\r\n",
	"mixed":   "naïve — ελληνικά 日本語 🐘 👋🏽 tail of plain text",
	"cjk":     "冒険の書を読んでから日本語のテキストを表示する",
	"hindi":   "नमस्ते दुनिया, यह एक परीक्षण है",
}

func benchmarkAll(b *testing.B, f func(s string)) {
	for name, s := range benchTexts {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				f(s)
			}
		})
	}
}

func BenchmarkClean(b *testing.B) { benchmarkAll(b, func(s string) { Clean(s) }) }
func BenchmarkCut(b *testing.B)   { benchmarkAll(b, func(s string) { Cut(s, 30) }) }
func BenchmarkFit(b *testing.B)   { benchmarkAll(b, func(s string) { Fit(s, 80) }) }
func BenchmarkWidth(b *testing.B) { benchmarkAll(b, func(s string) { Width(s) }) }

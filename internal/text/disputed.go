package text

import "unicode"

// disputed holds characters that Clean escapes although they are graphic:
//
//   - those on whose width ansi.StringWidth (Unicode 17), glibc 2.36 as tmux 3.3a
//     uses it (Unicode 14), Python's wcwidth 0.7 and go-runewidth 0.0.19 differ,
//     each measured over all code points; spacing and nonspacing marks only where
//     the first two differ;
//   - those of Unicode 15, to which older terminals give no column or any;
//   - letters that join the character after them (Grapheme_Cluster_Break=Prepend).
//
// It is complete for the tables of Go's package unicode in version 15.0.
var disputed = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x0CF3, 0x0CF3, 1}, // Unicode 15
		{0x0D4E, 0x0D4E, 1}, // dot reph: prepended
		{0x0ECE, 0x0ECE, 1}, // Unicode 15
		{0x1160, 0x11FF, 1}, // Hangul vowels and trailing consonants: 0 or 1
		{0x2630, 0x2637, 1}, // trigrams: 2 since Unicode 16
		{0x268A, 0x268F, 1}, // monograms, digrams: 2 since Unicode 16
		{0x302E, 0x302F, 1}, // Hangul tone marks: spacing marks of 2
		{0x3248, 0x324F, 1}, // numbers on black squares: 1 or 2
		{0x4DC0, 0x4DFF, 1}, // hexagrams: 2 since Unicode 16
		{0xD7B0, 0xD7FB, 1}, // Hangul vowels and trailing consonants: 0 or 1
	},
	R32: []unicode.Range32{
		{0x10EFD, 0x10EFF, 1}, // Unicode 15
		{0x111C2, 0x111C3, 1}, // Sharada: prepended
		{0x1123F, 0x11241, 1}, // Unicode 15
		{0x1193F, 0x1193F, 1}, // Dives Akuru: prepended
		{0x11941, 0x11941, 1}, // Dives Akuru: prepended
		{0x11A84, 0x11A89, 1}, // Soyombo: prepended
		{0x11B00, 0x11B09, 1}, // Unicode 15
		{0x11D46, 0x11D46, 1}, // Masaram Gondi: prepended
		{0x11F00, 0x11F59, 1}, // Unicode 15
		{0x1342F, 0x13455, 1}, // Unicode 15
		{0x16FF0, 0x16FF1, 1}, // Vietnamese reading marks: spacing marks of 2
		{0x1B132, 0x1B155, 1}, // Unicode 15
		{0x1D2C0, 0x1D2D3, 1}, // Unicode 15
		{0x1D300, 0x1D376, 1}, // Tai Xuan Jing, counting rods: 2 since Unicode 16
		{0x1DF25, 0x1DF2A, 1}, // Unicode 15
		{0x1E030, 0x1E08F, 1}, // Unicode 15
		{0x1E4D0, 0x1E4F9, 1}, // Unicode 15
		{0x1F1E6, 0x1F1FF, 1}, // regional indicators: 1 or 2, and pairs
		{0x1F6DC, 0x1F6DC, 1}, // Unicode 15, like all below
		{0x1F774, 0x1F77F, 1},
		{0x1F7D9, 0x1F7D9, 1},
		{0x1FA75, 0x1FA77, 1},
		{0x1FA87, 0x1FA88, 1},
		{0x1FAAD, 0x1FAAF, 1},
		{0x1FABB, 0x1FABF, 1},
		{0x1FACE, 0x1FACF, 1},
		{0x1FADA, 0x1FADB, 1},
		{0x1FAE8, 0x1FAE8, 1},
		{0x1FAF7, 0x1FAF8, 1},
		{0x2B739, 0x2B739, 1},
		{0x31350, 0x323AF, 1},
	},
}

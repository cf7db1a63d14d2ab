package literals

import "unicode/utf8"

// Alike returns how many bytes two texts have in common at their beginning and at their end.
func Alike(a, b string) (from, to int) {
	most := min(len(a), len(b))
	for from < most && a[from] == b[from] {
		from++
	}
	for from > 0 && from < len(a) && !utf8.RuneStart(a[from]) {
		from--
	}
	for to < most-from && a[len(a)-1-to] == b[len(b)-1-to] {
		to++
	}
	for to > 0 && !utf8.RuneStart(a[len(a)-to]) {
		to--
	}
	return from, to
}

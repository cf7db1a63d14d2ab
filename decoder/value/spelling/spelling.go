// Package spelling guesses which word was meant by a misspelt one.
package spelling

import (
	"slices"
	"strings"
)

// Nearest returns the known word most like the given one, or the only one that begins with it; "" if none is much like it.
func Nearest(word string, known []string) string {
	if i := slices.IndexFunc(known, begins(word)); i >= 0 && len(word) >= leastBeginning && !slices.ContainsFunc(known[i+1:], begins(word)) {
		return known[i]
	}
	nearest, least := "", min(2, (len(word)+1)/3)+1
	for _, k := range known {
		if d := distance(word, k); d < least {
			nearest, least = k, d
		}
	}
	return nearest
}

// Constant returns which of true, false and null a word of another language means; "" for none.
func Constant(word string) string {
	switch strings.ToLower(word) {
	case "true", "yes", "on":
		return "true"
	case "false", "no", "off":
		return "false"
	case "null", "nil", "none", "undefined":
		return "null"
	}
	return ""
}

// leastBeginning is the least length in bytes of the beginning of a word that stands for it.
const leastBeginning = 3

// begins returns what reports whether a word begins another.
func begins(word string) func(string) bool {
	return func(k string) bool { return strings.HasPrefix(k, word) }
}

// distance returns the number of bytes to insert, delete or replace, or of neighbours to swap, between two
// words.
func distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[0] {
		rows[0][j] = j
	}
	before, last, row := rows[2], rows[0], rows[1]
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			replaced := last[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = min(replaced, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

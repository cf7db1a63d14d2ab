// Package spelling finds which word was probably meant by one that is misspelt.
package spelling

// Nearest returns the known word that is the most like another one, "" if none is much like it.
func Nearest(word string, known []string) string {
	nearest, least := "", min(2, (len(word)+1)/3)+1
	for _, k := range known {
		if d := distance(word, k); d < least {
			nearest, least = k, d
		}
	}
	return nearest
}

// distance is the number of bytes to insert, delete or replace between two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

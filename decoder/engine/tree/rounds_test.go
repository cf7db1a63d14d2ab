package tree_test

import (
	"flag"
	"testing"

	_ "varview/internal/lessgc"
)

var rounds = flag.Int("rounds", 1, "how many times as many random files and edits are tried")

// randomRounds returns the number of random cases that a test tries: half of n, more with -rounds, fewer with
// -short.
func randomRounds(n int) int {
	n = (n**rounds + 1) / 2
	if testing.Short() {
		n = (n + 2) / 3
	}
	return n
}

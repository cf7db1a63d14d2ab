// Package wraptest makes and reads bytes for the tests of wrappers.
package wraptest

import (
	"bytes"
	"math/rand/v2"
)

// Mixed makes n bytes that repeat themselves near, far and in runs.
func Mixed(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, 0, n+1000)
	for len(b) < n {
		switch r.IntN(4) {
		case 0:
			for range 1 + r.IntN(40) {
				b = append(b, byte(r.IntN(256)))
			}
		case 1:
			b = append(b, bytes.Repeat([]byte{byte(r.IntN(4))}, 1+r.IntN(700))...)
		default:
			if len(b) > 0 {
				from := len(b) - 1 - r.IntN(min(len(b), 1<<(1+r.IntN(18))))
				for i := range 1 + r.IntN(300) {
					b = append(b, b[from+i])
				}
			}
		}
	}
	return b[:n]
}

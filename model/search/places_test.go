package search

import (
	"slices"
	"testing"
)

func TestPlaces(t *testing.T) {
	for _, test := range []struct {
		query, text string
		want        []Range
	}{
		{"hp", "max_hp HP", []Range{{4, 6}, {7, 9}}},
		{"HP", "max_hp HP", []Range{{7, 9}}},
		{"aa", "aaaaa", []Range{{0, 2}, {2, 4}}},
		{"gold | old", "gold old", []Range{{0, 4}, {5, 8}}},
		{"-gold coin", "gold coin", []Range{{5, 9}}},
		{`/[0-9]+/ type:int`, "slot12 of 3", []Range{{4, 6}, {10, 11}}},
		{"/x*/", "abc", nil},
		{">5", "67", nil},
		{"key:ü", "für", []Range{{1, 3}}},
	} {
		q, err := ParseQuery(test.query)
		if err != nil {
			t.Fatal(err)
		}
		if got := q.Places(test.text); !slices.Equal(got, test.want) {
			t.Errorf("%s in %q: %v, want %v", test.query, test.text, got, test.want)
		}
	}
}

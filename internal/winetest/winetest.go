// Package winetest skips tests that Wine cannot pass, with what is wrong with Wine. Windows itself runs them.
package winetest

import "testing"

// Skip skips the rest of a test under Wine.
func Skip(t testing.TB, fault string) {
	t.Helper()
	if isWine() {
		t.Skip("Wine 8: " + fault)
	}
}

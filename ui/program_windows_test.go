package ui_test

import "testing"

func TestProgram(t *testing.T) {
	t.Skip("needs a pseudo-terminal of Unix")
}

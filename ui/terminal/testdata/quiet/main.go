// Command quiet links Bubble Tea and package terminal.
package main

import (
	"fmt"

	_ "github.com/charmbracelet/bubbletea"

	_ "varview/ui/terminal"
)

func main() { fmt.Println("main") }

// Command asks links Bubble Tea and nothing else.
package main

import (
	"fmt"

	_ "github.com/charmbracelet/bubbletea"
)

func main() { fmt.Println("main") }

// Command varview shows what every byte of a game's save file or network packet
// is for.
package main

import (
	"os"

	"varview/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

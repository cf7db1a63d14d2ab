// Keys uses the terminal program at random: keys, commands, words in one write, the mouse and windows of
// any size, with files of every kind.
//
//	go run ./bench/keys -sessions 200
//
// It prints the faults that it finds, with the session's seed: a panic, a line that is not as wide as the
// window, an edit that undo does not name or undo. -seed N -sessions 1 repeats one session.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"varview/bench/keys/session"
)

func main() {
	seed := flag.Uint64("seed", 0, "seed of the first session")
	sessions := flag.Uint64("sessions", 200, "number of sessions")
	steps := flag.Int("steps", 150, "number of steps in each")
	folder := flag.String("files", "testdata", "folder with files")
	flag.Parse()
	if err := run(*folder, *seed, *sessions, *steps); err != nil {
		fmt.Fprintln(os.Stderr, "keys:", err)
		os.Exit(1)
	}
}

func run(folder string, seed, sessions uint64, steps int) error {
	files, err := session.Files(folder)
	if err != nil {
		return err
	}
	found := 0
	for n := range sessions {
		file := session.Pick(files, seed+n)
		err := inFolder(func() error { return session.Play(context.Background(), file, seed+n, steps) })
		if err != nil {
			found++
			fmt.Printf("seed %d, %s: %v\n\n", seed+n, file, err)
		}
	}
	fmt.Printf("%d sessions, %d with a fault\n", sessions, found)
	if found > 0 {
		return fmt.Errorf("%d faults", found)
	}
	return nil
}

// inFolder calls do in a new folder, which is deleted afterwards.
func inFolder(do func() error) error {
	was, err := os.Getwd()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "varview-keys")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	defer os.Chdir(was)
	if err := os.Chdir(folder); err != nil {
		return err
	}
	return do()
}

package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	godotProgram = "godot3-server"
	godotLimit   = 2 * time.Minute // a script with an error in it never ends
)

//go:embed bytes2var.gd
var godotScript string

var godotSaid = regexp.MustCompile(`(?m)^bytes2var usec (\d+) values (\d+)$`)

// bytes2var lets Godot 3 decode the file, an Array, and returns the time of its bytes2var alone.
func bytes2var(ctx context.Context, engine, path string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, godotLimit)
	defer cancel()
	file, err := filepath.Abs(path)
	if err != nil {
		return 0, err
	}
	project, err := os.MkdirTemp("", "bytes2var")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(project)
	for name, text := range map[string]string{"project.godot": "config_version=4\n", "bytes2var.gd": godotScript} {
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o666); err != nil {
			return 0, err
		}
	}
	cmd := exec.CommandContext(ctx, engine, "--path", project, "-s", "bytes2var.gd")
	cmd.Env = append(os.Environ(), "BENCH_FILE="+file, "HOME="+project, "XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=")
	said, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	found := godotSaid.FindSubmatch(said)
	if err != nil || found == nil {
		return 0, fmt.Errorf("%s: %v: %s", engine, err, cut(strings.TrimSpace(string(said)), 300))
	}
	if string(found[2]) == "0" {
		return 0, fmt.Errorf("%s decoded no values of %s", engine, path)
	}
	usec, err := strconv.ParseInt(string(found[1]), 10, 64)
	return time.Duration(usec) * time.Microsecond, err
}

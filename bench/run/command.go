package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// command runs a program to its end, without keeping what it writes to standard output, and returns its time.
func (b *bench) command(ctx context.Context, name string, args ...string) (time.Duration, error) {
	o, err := b.pipe(ctx, 0, name, args...)
	return o.took, err
}

// output is the result of a command whose standard output was read.
type output struct {
	bytes  int64
	took   time.Duration
	memory int64         // highest RssAnon
	used   time.Duration // processor time
	status int
	cut    bool // ended by the time limit, not by itself
}

// pipe runs a command and counts its output, for at most limit; 0 is no limit.
func (b *bench) pipe(ctx context.Context, limit time.Duration, name string, args ...string) (output, error) {
	var o output
	line := name + " " + strings.Join(args, " ")
	if b.verbose {
		fmt.Fprintln(b.log, "+", line)
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = b.env
	var said, head bytes.Buffer
	cmd.Stderr = &said
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return o, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return o, err
	}
	watch := watchMemory(cmd.Process.Pid)
	buf := make([]byte, 1<<20)
	for {
		n, err := stdout.Read(buf)
		o.bytes += int64(n)
		head.Write(buf[:min(n, max(300-head.Len(), 0))])
		if err != nil {
			if err != io.EOF {
				said.WriteString(err.Error())
			}
			break
		}
		if limit > 0 && time.Since(start) > limit {
			o.cut = true
			cmd.Process.Kill()
			break
		}
	}
	o.memory = watch.highest()
	err = cmd.Wait()
	o.took = time.Since(start)
	o.status = cmd.ProcessState.ExitCode()
	o.used = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	switch {
	case o.cut:
		return o, nil
	case ctx.Err() != nil:
		return o, fmt.Errorf("%s: %w", line, ctx.Err())
	case errors.As(err, new(*exec.ExitError)):
		return o, fmt.Errorf("%s: %w: %s", line, err, cut(strings.TrimSpace(said.String()+" "+head.String()), 300))
	}
	return o, err
}

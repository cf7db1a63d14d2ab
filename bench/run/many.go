package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	manyChanges      = 20_000
	manyChangeBudget = 2 * time.Second
	manyValues       = 300_000
	manyValueBudget  = 3 * time.Second
)

// many measures commands that make thousands of changes.
func many(ctx context.Context, b *bench) ([]row, error) {
	dir, err := os.MkdirTemp(b.dir, "many-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	in := func(name string) string { return filepath.Join(dir, name) }
	all := func(k int) int { return items(k) + 5000 }
	files := map[string][]byte{
		"base":   itemList(2*manyChanges, items),
		"ours":   itemList(2*manyChanges, everyFourth(0, items)),
		"theirs": itemList(2*manyChanges, everyFourth(2, items)),
		"merged": itemList(2*manyChanges, everyFourth(2, everyFourth(0, items))),
		"other":  itemList(manyChanges, all),
		"short":  itemList(manyChanges, items),
		"twice":  list(manyChanges, items, true),
		"values": itemList(manyValues, items),
		"set":    itemList(manyValues, all),
	}
	for name, content := range files {
		if err := os.WriteFile(in(name), content, 0o600); err != nil {
			return nil, err
		}
	}
	var rows []row
	add := func(what string, took, budget time.Duration) {
		rows = append(rows, row{what: what, ours: fmt.Sprintf("%.2f s", took.Seconds()), budget: fmt.Sprintf("≤ %.0f s", budget.Seconds()), verdict: within(took <= budget)})
	}
	patch, err := b.processorTime(ctx, in("patch"), "diff", in("short"), in("other"), "--patch")
	if err != nil {
		return nil, err
	}
	add(fmt.Sprintf("diff --patch, %d changes", manyChanges), patch, manyChangeBudget)
	for _, m := range []struct {
		what, want string
		budget     time.Duration
		args       []string
	}{
		{fmt.Sprintf("set --apply, %d changes", manyChanges), "other", manyChangeBudget, []string{"set", in("short"), "--apply", in("patch")}},
		{fmt.Sprintf("merge, %d changes", manyChanges), "merged", manyChangeBudget, []string{"merge", in("base"), in("ours"), in("theirs")}},
		{fmt.Sprintf("set, %d values", manyValues), "set", manyValueBudget, []string{"set", in("values"), "..qty=+5000"}},
		{fmt.Sprintf("set, %d paths", manyChanges), "other", manyChangeBudget, append([]string{"set", in("short")}, each(func(k int) string { return fmt.Sprintf("$[%d].qty=%d", k, all(k)) })...)},
		{fmt.Sprintf("insert, %d paths", manyChanges), "twice", manyChangeBudget, append([]string{"insert", in("short")}, each(func(k int) string { return fmt.Sprintf("$[%d]=%d", 2*k, k) })...)},
		{fmt.Sprintf("delete, %d paths", manyChanges), "short", manyChangeBudget, append([]string{"delete", in("twice")}, each(func(k int) string { return fmt.Sprintf("$[%d]", 2*k) })...)},
	} {
		took, err := b.processorTime(ctx, "", append(m.args, "-o", in("out"), "--force", "--no-backup")...)
		if err != nil {
			return rows, err
		}
		if out, err := os.ReadFile(in("out")); err != nil || !bytes.Equal(out, files[m.want]) {
			return rows, fmt.Errorf("%s: wrong result (%v)", m.what, err)
		}
		add(m.what, took, m.budget)
	}
	return rows, nil
}

// processorTime returns the processor time that a command takes in the program itself. Its output
// goes to a file, if one is named.
func (b *bench) processorTime(ctx context.Context, output string, args ...string) (time.Duration, error) {
	cmd := exec.CommandContext(ctx, b.bin, args...)
	cmd.Env = b.env
	var said bytes.Buffer
	cmd.Stderr = &said
	if output != "" {
		f, err := os.Create(output)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		cmd.Stdout = f
	}
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); args[0] == "diff" && errors.As(err, &exit) && exit.ExitCode() == 1 { // the files differ
		err = nil
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w: %s", args[0], err, cut(strings.TrimSpace(said.String()), 300))
	}
	return cmd.ProcessState.UserTime(), nil
}

// each returns the command-line arguments for all changes.
func each(of func(k int) string) []string {
	args := make([]string, manyChanges)
	for k := range args {
		args[k] = of(k)
	}
	return args
}

func items(k int) int { return k * 7919 % 1000 }

// everyFourth changes every fourth of some numbers.
func everyFourth(first int, of func(int) int) func(int) int {
	return func(k int) int {
		if k%4 == first {
			return of(k) + 5000
		}
		return of(k)
	}
}

// itemList returns a Godot 4 Array of Dictionaries, whose size does not depend on the numbers.
func itemList(n int, qty func(k int) int) []byte { return list(n, qty, false) }

// list is itemList in which each item may follow its number.
func list(n int, qty func(k int) int, numbered bool) []byte {
	var b []byte
	word := func(words ...int) {
		for _, w := range words {
			b = binary.LittleEndian.AppendUint32(b, uint32(w))
		}
	}
	text := func(s string) {
		word(4, len(s))
		b = append(b, s...)
		b = append(b, make([]byte, (4-len(s)%4)%4)...)
	}
	count := n
	if numbered {
		count *= 2
	}
	word(28, count)
	for k := range n {
		if numbered {
			word(2, k)
		}
		word(27, 3)
		text("id")
		word(2, k)
		text("qty")
		word(2, qty(k))
		text("name")
		text(fmt.Sprintf("item %d of a bag in which there are many", k))
	}
	return b
}

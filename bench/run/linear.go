package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"varview/bench/savegame"
)

const (
	growthBudget  = 1.1 // exponent of the processor time over the size
	privateBudget = 160 << 20

	// leastTime is the processor time up to which it says nothing of its growth.
	leastTime = 60 * time.Millisecond
)

// A task is a command that every family is asked for. Its arguments name files: FILE, one in which a value of each hundredth
// record is another (EDITED), one in which others are (OTHER), what is written (OUT), and the patch of the task before (PATCH);
// ROWS is the path of the records, COLUMN one of their columns, TO the dialect to which the family is converted.
type task struct {
	name   string
	rate   float64 // least MB of FILE a second of processor; 0 for no budget
	args   []string
	of     map[string]float64 // other rates, of single families
	jq     string             // the program with which jq does the same
	except []string           // families that cannot do it
}

var tasks = []task{
	{name: "check", rate: 25, args: words("check FILE"), jq: "empty"},
	{name: "info", rate: 25, args: words("info FILE")},
	{name: "check --safe", rate: 30, of: map[string]float64{"godot4": 60}, args: words("check --safe FILE")},
	{name: "find text", rate: 20, args: words("find FILE", `"item 777 of"`)},
	{name: "find by key", rate: 20, args: words("find -c FILE", "key:x >500"), jq: "..|objects|.x|select(.>500)"},
	{name: "table --sort", rate: 10, args: words("table FILE ROWS --sort COLUMN"), except: []string{"lines"}},
	{name: "table --csv", rate: 10, args: words("table FILE ROWS --csv"), jq: "(.items//[.])[]|[.id,.x,.name]|@csv", except: []string{"lines"}},
	{name: "set", rate: 15, args: words("set FILE ..x=*2 -o OUT --force --no-backup"), jq: "if .items then .items|=map(.x*=2) else .x*=2 end", except: []string{"ini", "lines"}},
	{name: "delete", args: words("delete FILE ..id -o OUT --force --no-backup"), jq: "del(..|objects|.id)", except: []string{"ksy", "lines", "res"}},
	{name: "diff", rate: 15, args: words("diff FILE EDITED")},
	{name: "diff --patch", rate: 12, args: words("diff --patch FILE EDITED")},
	{name: "set --apply", rate: 12, args: words("set FILE --apply PATCH -o OUT --force --no-backup")},
	{name: "merge", rate: 8, args: words("merge FILE EDITED OTHER -o OUT --force --no-backup")},
	{name: "export", args: words("export FILE")},
	{name: "convert", args: words("convert --to TO -o OUT --force FILE")},
	{name: "dump", args: words("dump FILE")},
}

// pacedRate is the number of MB a second at which encoding/json validates the records where the rates are those of the table.
const pacedRate = 300

// pace returns how fast this machine is now beside one for which the rates are meant; at most 1.
func pace() (float64, error) {
	var text bytes.Buffer
	in := families[slices.IndexFunc(families, func(f family) bool { return f.name == "json" })]
	if err := in.write(&text, 40_000, items); err != nil {
		return 0, err
	}
	best := 0.0
	for range 3 {
		before, err := ownTime()
		if err != nil {
			return 0, err
		}
		if !json.Valid(text.Bytes()) {
			return 0, errors.New("the records are no JSON")
		}
		after, err := ownTime()
		if err != nil {
			return 0, err
		}
		best = max(best, speed(int64(text.Len()), after-before))
	}
	return min(1, best/pacedRate), nil
}

// ownTime returns the processor time that this process has used.
func ownTime() (time.Duration, error) {
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), err
}

// words returns the words of a command line, and more arguments.
func words(line string, more ...string) []string { return append(strings.Fields(line), more...) }

// linear measures every task in every family at two sizes: neither its time nor its memory may depend on anything but the bytes.
func linear(ctx context.Context, b *bench) (rows []row, err error) {
	if b.pace, err = pace(); err != nil {
		return nil, err
	}
	for _, f := range families {
		if b.family != "" && !slices.Contains(strings.Split(b.family, ","), f.name) {
			continue
		}
		r, err := b.linearRows(ctx, f)
		rows = append(rows, r...)
		if err != nil {
			return rows, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return rows, nil
}

func (b *bench) linearRows(ctx context.Context, f family) (rows []row, err error) {
	if err := os.MkdirAll(b.dir, 0o777); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(b.dir, "linear-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "bag.ksy"), []byte(bag), 0o600); err != nil {
		return nil, err
	}
	var named [2]*strings.Replacer
	var sizes [2]int64
	for i, size := range b.linear {
		names := []string{"BAG", filepath.Join(dir, "bag.ksy"), "ROWS", f.rows, "COLUMN", "x", "TO", f.to, "OUT", filepath.Join(dir, "out"), "PATCH", filepath.Join(dir, fmt.Sprint("patch", i))}
		for k, name := range []string{"FILE", "EDITED", "OTHER"} {
			path, err := f.file(ctx, b, dir, fmt.Sprint(name, i), size, edited(k))
			if err != nil {
				return nil, err
			}
			names = append(names, name, path)
			if st, err := os.Stat(path); err == nil && k == 0 {
				sizes[i] = max(st.Size(), map[bool]int64{true: size}[f.pack != nil]) // of what is packed, the content
			}
		}
		named[i] = strings.NewReplacer(names...)
	}
	for _, t := range tasks {
		if slices.Contains(t.except, f.name) || f.to == "" && slices.Contains(t.args, "TO") {
			continue
		}
		r, err := b.taskRow(ctx, f, t, named, sizes)
		if err != nil {
			r = row{what: t.name + ", " + f.name, verdict: failed, notes: []string{err.Error()}}
		}
		rows = append(rows, r)
	}
	return rows, ctx.Err()
}

// edited returns the numbers of the records: as they are, or with others in each hundredth.
func edited(version int) func(k int) int {
	return func(k int) int {
		if version > 0 && k%100 == 50*(version-1) {
			return items(k) + 10_000*version
		}
		return items(k)
	}
}

// taskRow carries out a task with both files.
func (b *bench) taskRow(ctx context.Context, f family, t task, named [2]*strings.Replacer, sizes [2]int64) (row, error) {
	var o [2]output
	for i := range o {
		args := slices.Insert(slices.Clone(t.args), 1, f.flags...)
		for k := range args {
			args[k] = named[i].Replace(args[k])
		}
		var err error
		if o[i], err = b.pipe(ctx, 0, b.bin, args...); err != nil && !errors.As(err, new(*exec.ExitError)) || o[i].status > 1 {
			return row{}, err
		}
		if t.name == "diff --patch" { // for the task after it
			if _, err := b.processorTime(ctx, named[i].Replace("PATCH"), args...); err != nil {
				return row{}, err
			}
		}
	}
	grown := 0.0
	if o[1].used > leastTime {
		grown = math.Log(float64(o[1].used)/float64(max(o[0].used, leastTime/4))) / math.Log(float64(sizes[1])/float64(sizes[0]))
	}
	rate, least := speed(sizes[1], o[1].used), t.rate
	if x, is := t.of[f.name]; is {
		least = x
	}
	least *= b.pace
	r := row{
		what:    fmt.Sprintf("%s, %s %s", t.name, savegame.FormatSize(b.linear[1]), f.name),
		ours:    fmt.Sprintf("%.1f MB/s, ^%.2f, %.0f MiB", rate, grown, float64(o[1].memory)/(1<<20)),
		ratio:   times(rate / max(least, 1)),
		budget:  fmt.Sprintf("≥ %.1f MB/s, ^%.1f, %d MiB", least, growthBudget, privateBudget>>20),
		verdict: within(rate >= least && grown <= growthBudget && o[1].memory <= privateBudget),
	}
	if t.jq != "" && strings.HasPrefix(f.name, "json") {
		if _, err := exec.LookPath(jqProgram); err == nil {
			peer, err := b.pipe(ctx, 0, jqProgram, "-c", "-r", t.jq, named[1].Replace("FILE"))
			if err != nil {
				return r, err
			}
			r.peer = fmt.Sprintf("jq %.1f MB/s, %.0f MiB", speed(sizes[1], peer.used), float64(peer.memory)/(1<<20))
		}
	}
	return r, nil
}

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/metrics"

	"varview/bench/hostile"
	"varview/cli"
	"varview/decoder"
	"varview/model"
	"varview/model/explore"
	"varview/model/search"
)

// A work is what was done for a request: any of it may grow too fast.
type work struct {
	blocks    int64 // of statements that were executed
	allocated int64 // bytes
	written   int64 // bytes
}

func (w work) String() string {
	return fmt.Sprintf("%d/%dK/%dK", w.blocks/1000, w.allocated>>10, w.written>>10)
}

// A request is a command, or what the program does when keys are pressed.
type request struct {
	name string
	do   func(f files, out *os.File) error
}

// command returns the request of a command; FILE, EDITED and MERGED stand for the files.
func command(name string, args ...string) request {
	return request{name, func(f files, out *os.File) error {
		var all []string
		for _, a := range args {
			switch a {
			case "FILE":
				a = f.plain
			case "EDITED":
				a = f.edited
			case "MERGED":
				a = f.merged
			}
			all = append(all, a)
		}
		if f.kind.IsEncrypted() {
			all = append(all, "--password", hostile.Password)
		}
		null, err := os.Open(os.DevNull)
		if err != nil {
			return err
		}
		defer null.Close()
		cli.Run(all, null, out, out)
		return nil
	}}
}

var requests = []request{
	command("info", "info", "FILE"),
	command("check", "check", "FILE"),
	command("safe", "check", "--safe", "FILE"),
	command("dump", "dump", "FILE"),
	command("dump-json", "dump", "--json", "FILE"),
	command("export", "export", "FILE"),
	command("export-text", "export", "--text", "FILE"),
	command("find", "find", "FILE", "nothing"),
	command("find-type", "find", "FILE", "type:int"),
	command("get", "get", "FILE", "$"),
	command("get-json", "get", "--json", "FILE", "$"),
	command("get-pattern", "get", "FILE", "$..k"),
	command("diff-self", "diff", "FILE", "FILE"),
	command("diff", "diff", "FILE", "EDITED"),
	command("patch", "diff", "--patch", "FILE", "EDITED"),
	command("merge-self", "merge", "FILE", "FILE", "FILE", "-o", "MERGED", "--force", "--no-backup"),
	command("merge", "merge", "FILE", "FILE", "EDITED", "-o", "MERGED", "--force", "--no-backup"),
	command("table", "table", "FILE", "$"),
	command("repair", "repair", "--dry-run", "FILE"),
	{"explore", explorer},
}

// explorer is what the program does with a file for some keys.
func explorer(f files, _ *os.File) error {
	ctx := context.Background()
	o := model.Options{Options: decoder.Options{}}
	if f.kind.IsEncrypted() {
		o.Passwords = []string{hostile.Password}
	}
	doc, err := model.Open(ctx, f.plain, o)
	if err != nil {
		return err
	}
	defer doc.Close()
	b := doc.Innermost()
	x := explore.New(b)
	x.SetHeight(40)
	look := func() {
		x.Rows(200)
		x.Describe(200)
	}
	look()
	for _, b := range doc.Buffers {
		if err := b.Index(ctx); err != nil {
			return err
		}
	}
	x.Indexed()
	x.Last()
	look()
	for range 3 {
		x.MoveRows(-1)
		look()
	}
	x.GoTo(b.Size() / 2)
	look()
	x.MoveRows(1)
	look()
	x.ToBytes()
	x.MoveBytes(1)
	look()
	x.ToRows()
	q, err := search.ParseQuery("type:int")
	if err != nil {
		return err
	}
	for range 3 {
		h, _, err := b.Search(ctx, q, x.Spot(), false, new(model.Progress))
		if err == io.EOF {
			break
		}
		x.GoToHit(h)
		look()
	}
	x.Parent(1)
	look()
	x.Fold()
	look()
	x.First()
	x.UnfoldTo(5)
	look()
	x.MoveRows(1000)
	look()
	return nil
}

var sample = []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}

func allocated() int64 {
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// count carries out a request and counts what is done.
func count(r request, f files) (w work, err error) {
	out, err := os.CreateTemp("", "cost")
	if err != nil {
		return w, err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	if _, err := executed(); err != nil {
		return w, err
	}
	before := allocated()
	if err := r.do(f, out); err != nil {
		return w, err
	}
	w.allocated = allocated() - before
	if w.blocks, err = executed(); err != nil {
		return w, err
	}
	st, err := out.Stat()
	if err != nil {
		return w, err
	}
	w.written = st.Size()
	return w, nil
}

// growth is by what factor the work has grown at most from a file to one that is twice as large.
func growth(works []work) (most float64) {
	for i := 1; i < len(works); i++ {
		for _, x := range []struct{ a, b, least int64 }{
			{works[i-1].blocks, works[i].blocks, 300_000},
			{works[i-1].allocated, works[i].allocated, 16 << 20},
			{works[i-1].written, works[i].written, 100 << 10},
		} {
			most = max(most, float64(x.b)/float64(max(x.a, x.least)))
		}
	}
	return most
}

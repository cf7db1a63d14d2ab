package hostile_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"

	"varview/bench/hostile"
	"varview/cli"
	"varview/model"
	"varview/model/explore"
	"varview/model/search"
)

// tooMuch is the growth of the cost, when the file's size doubles, from which it no longer counts as proportional.
const tooMuch = 2.6

// TestCosts doubles hostile files: what is allocated and written may at most double too.
func TestCosts(t *testing.T) {
	t.Setenv("VARVIEW_CONFIG", "")
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	file := filepath.Join(t.TempDir(), "hostile")
	for kind, names := range map[string]string{
		"deep-arrays":      "info,check,dump,export,get-json,explore",
		"deep-keys":        "check",
		"deep-list":        "dump,export,explore",
		"gcpf-wrong-table": "info,check",
	} {
		k, err := hostile.Named(kind)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range requests {
			if !slices.Contains(strings.Split(names, ","), r.name) {
				continue
			}
			var works []work
			for _, size := range []int{40_000, 80_000} {
				if err := os.WriteFile(file, k.Bytes(size), 0o666); err != nil {
					t.Fatal(err)
				}
				w, err := count(r, file)
				if err != nil {
					t.Fatal(err)
				}
				works = append(works, w)
			}
			if g := growth(works); g > tooMuch || works[0].allocated == 0 {
				t.Errorf("%s, %s: %.1f times as much for twice the bytes: %v", kind, r.name, g, works)
			}
		}
	}
}

// A work is what was done for a request: any of it may grow too fast.
type work struct {
	allocated int64 // bytes
	written   int64 // bytes
}

func (w work) String() string {
	return fmt.Sprintf("%dK/%dK", w.allocated>>10, w.written>>10)
}

// A request is a command, or what the program does when keys are pressed.
type request struct {
	name string
	do   func(file string, out *os.File) error
}

// command returns the request of a command; FILE stands for the file.
func command(name string, args ...string) request {
	return request{name, func(file string, out *os.File) error {
		var all []string
		for _, a := range args {
			if a == "FILE" {
				a = file
			}
			all = append(all, a)
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
	command("dump", "dump", "FILE"),
	command("export", "export", "FILE"),
	command("get-json", "get", "--json", "FILE", "$"),
	{"explore", explorer},
}

// explorer is what the program does with a file for some keys.
func explorer(file string, _ *os.File) error {
	ctx := context.Background()
	doc, err := model.Open(ctx, file, model.Options{})
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
func count(r request, file string) (w work, err error) {
	out, err := os.CreateTemp("", "cost")
	if err != nil {
		return w, err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	before := allocated()
	if err := r.do(file, out); err != nil {
		return w, err
	}
	w.allocated = allocated() - before
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
			{works[i-1].allocated, works[i].allocated, 16 << 20},
			{works[i-1].written, works[i].written, 100 << 10},
		} {
			most = max(most, float64(x.b)/float64(max(x.a, x.least)))
		}
	}
	return most
}

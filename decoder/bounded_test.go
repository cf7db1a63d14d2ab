package decoder

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// words makes bytes of little-endian words.
func words(ws ...uint32) []byte {
	var b []byte
	for _, w := range ws {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// bomb is a GCPF of one gzip block that claims to hold 4096 bytes, and holds n zeros.
func bomb(n int) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(make([]byte, n))
	w.Close()
	return slices.Concat([]byte("GCPF"), words(3, 4096, 4095, uint32(b.Len())), b.Bytes(), []byte("GCPF"))
}

// wrappedOften is data in n zlib streams around each other.
func wrappedOften(data []byte, n int) []byte {
	for range n {
		data = deflated(data)
	}
	return data
}

// livingBytes is what the last garbage collection has found in use: how soon one ends depends on what else the machine does.
func livingBytes() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// most is how many bytes more than before the heap may hold while work is under way.
func most(work func()) (peak int64) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	runtime.GC()
	before := livingBytes()
	done := make(chan bool)
	go func() {
		defer close(done)
		work()
	}()
	for {
		select {
		case <-done:
			return max(peak, livingBytes()-before)
		case <-time.After(time.Millisecond):
			peak = max(peak, livingBytes()-before)
		}
	}
}

// checkAndRepair does what "check" and a dry run of "repair" do.
func checkAndRepair(t *testing.T, data []byte) {
	ctx := context.Background()
	d, err := Open(ctx, source.Bytes(data), Options{Thorough: Through, MaxUnpacked: 16 << 20})
	if err != nil {
		t.Error(err)
		return
	}
	defer d.Close()
	report := func(tr *tree.Tree, f *diagnose.Diagnosis) {
		if f.Repair != "" {
			diagnose.Repair(ctx, tr.NewReader(), f) // which may be refused
		}
	}
	for _, l := range d.Layers {
		err := l.Verify(ctx, nil)
		if err == nil {
			err = l.Tree.Check(ctx, tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) { report(l.Tree, &diagnose.Diagnosis{Problem: p}) })
		}
		if err != nil {
			t.Error(err)
		}
	}
	if d.Missing != nil {
		return
	}
	n := 0
	err = d.Diagnose(ctx, d.Tree, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
		if n++; n <= 20 {
			report(d.Tree, &f)
		}
		return true
	})
	if err != nil {
		t.Error(err)
	}
}

// TestBounded: claims of a file cost no memory. 131,072 levels of nesting are followed, a block of up to 64
// MiB is unpacked, and everything else is read piece by piece.
func TestBounded(t *testing.T) {
	const little, nested, block = 16 << 20, 160 << 20, 96 << 20
	const head, foot, full = "PELE\x01\x05\x01\x00", "TNAH", "\xfd\xff"
	undefined := "\xcd" + full + "\xcd" + strings.Repeat(full+"\xcf", 65533)
	type input struct {
		name  string
		data  []byte
		bytes int64
	}
	inputs := []input{
		{"nested arrays", append(bytes.Repeat(words(28, 1), 150_000), words(2, 7)...), nested},
		{"nested arrays, cut", bytes.Repeat(words(28, 1), 150_000), nested},
		{"nested arrays of Elephant", []byte(head + "\xcd" + strings.Repeat("\x01\x00\xcd", 150_000) + "\x00\x00\x01" + foot), nested},
		{"2^32 values without bytes", []byte(head + undefined + foot), little},
		{"as many, cut", []byte(head + undefined[:90_000]), little},
		{"string arrays of negative count", append(words(19, 100_000), bytes.Repeat(words(23, 0xffffffff), 100_000)...), little},
		{"zeros", make([]byte, 4<<20), little},
		{"one byte", bytes.Repeat([]byte{4}, 4<<20), little},
		{"characters for bytes", bytes.Repeat([]byte("\xc3\xbf\x00\x00"), 1<<19), little},
		{"line ends", bytes.Repeat([]byte("\x00\r\n\x00"), 1<<19), little},
		{"an unpacked block larger than it says", bomb(64 << 20), block},
		{"16 wrappers", wrappedOften(words(2, 7), 16), little},
		{"20 wrappers", wrappedOften(words(2, 7), 20), little},
	}
	for _, in := range inputs {
		t.Run(in.name, func(t *testing.T) {
			if peak := most(func() { checkAndRepair(t, in.data) }); peak > in.bytes {
				t.Errorf("%d MiB, more than %d", peak>>20, in.bytes>>20)
			}
		})
	}
	peak := most(func() {
		for id := range uint32(39) { // a huge count of each type
			checkAndRepair(t, append(words(id, 0x7fffffff), bytes.Repeat(words(1), 150)...))
		}
	})
	if peak > little {
		t.Errorf("%d MiB for huge counts, more than %d", peak>>20, little>>20)
	}
}

package packets

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"varview/cli/env"
	"varview/decoder/network/link"
	"varview/decoder/network/pcap"
)

// TestWait: a file that grows is printed as it grows.
func TestWait(t *testing.T) {
	data, err := os.ReadFile("../../testdata/captures/udp.pcap")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "grows.pcap")
	if err := os.WriteFile(name, data[:len(data)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	done := make(chan error, 1)
	go func() {
		done <- Run(ctx, &env.Env{Stdout: out, Stderr: out}, name, "", Options{Wait: true, Extract: -1})
	}()
	lines := func(least int) int {
		for range 200 {
			b, _ := os.ReadFile(out.Name())
			if n := bytes.Count(b, []byte("\n")); n >= least {
				return n
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Fatalf("fewer than %d lines", least)
		return 0
	}
	if n := lines(20); n > 60 {
		t.Errorf("%d lines of half a file", n)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(data[len(data)/2:]); err != nil {
		t.Fatal(err)
	}
	f.Close()
	lines(71) // with the heading
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestPipe: the few messages of a capture that comes through a pipe are printed before it ends.
func TestPipe(t *testing.T) {
	in, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w, err := pcap.NewWriter(write)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		done <- Run(context.Background(), &env.Env{Stdin: in, Stdout: out, Stderr: out}, "-", "", Options{Extract: -1})
	}()
	for i := range 3 {
		if err := w.Packet(link.Datagram(client, server, []byte(value(i))), time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	for range 200 {
		if b, _ := os.ReadFile(out.Name()); bytes.Count(b, []byte(`"value`)) == 3 {
			write.Close()
			if err := <-done; err != nil {
				t.Error(err)
			}
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("nothing was printed")
}

package live

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varview/cli/env"
)

// TestReplay: what clients have sent is sent again, in its order, and with --speed sooner.
func TestReplay(t *testing.T) {
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	s := begin(t, "udp", "")
	c := dial(t, "udp", s.address)
	for i, text := range []string{seven, hello, seven} {
		if _, err := c.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if i < 2 {
			time.Sleep(200 * time.Millisecond)
		}
	}
	time.Sleep(100 * time.Millisecond)
	s.end()
	for _, speed := range []struct {
		factor      float64
		least, most time.Duration
	}{{1, 350 * time.Millisecond, 10 * time.Second}, {0, 0, 300 * time.Millisecond}} {
		began := time.Now()
		e := &env.Env{Stdout: out, Stderr: out}
		if err := Replay(context.Background(), e, s.file, Replaying{To: server.LocalAddr().String(), Speed: speed.factor}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took < speed.least || took > speed.most {
			t.Errorf("at speed %v it took %v", speed.factor, took)
		}
		var got []string
		b := make([]byte, 100)
		_ = server.SetReadDeadline(time.Now().Add(10 * time.Second))
		for range 3 {
			n, _, err := server.ReadFrom(b)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(b[:n]))
		}
		if !slices.Equal(got, []string{seven, hello, seven}) {
			t.Errorf("%q", got)
		}
	}
	b, _ := os.ReadFile(out.Name())
	if want := "3 datagrams of 1 flow sent to " + server.LocalAddr().String() + "\n"; string(b) != want+want {
		t.Errorf("%s", b)
	}
}

// TestReplayFar: nothing is sent to another machine unless that is allowed.
func TestReplayFar(t *testing.T) {
	for _, to := range []string{"192.0.2.1:7000", "0.0.0.0:7000"} {
		if err := Replay(context.Background(), &env.Env{}, "nowhere", Replaying{To: to}); err == nil || err.Error() != "--to "+to+": that may be another machine: --to-network allows it" {
			t.Errorf("%s: %v", to, err)
		}
	}
}

// TestReplayENet: before an ENet session is sent again, a warning says that servers drop it.
func TestReplayENet(t *testing.T) {
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	_ = server.SetReadDeadline(time.Now().Add(10 * time.Second))
	told, tell, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer told.Close()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	done := make(chan error, 1)
	go func() {
		defer tell.Close()
		done <- Replay(context.Background(), &env.Env{Stdout: out, Stderr: tell}, "../../testdata/captures/mp-enet-norelay.pcap",
			Replaying{To: server.LocalAddr().String()})
	}()
	b := make([]byte, 1<<16)
	if _, _, err := server.ReadFrom(b); err != nil {
		t.Fatal(err)
	}
	n, _ := told.Read(b) // which is there by now
	if want := "varview: flow 1 is ENet: a server expects the ids of a connection that it has agreed to itself"; !strings.HasPrefix(string(b[:n]), want) {
		t.Errorf("%q", b[:n])
	}
	rest, _ := io.ReadAll(told)
	if err := <-done; err != nil || len(rest) > 0 {
		t.Errorf("%v, then %q", err, rest)
	}
}

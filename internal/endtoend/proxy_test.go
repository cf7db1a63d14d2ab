//go:build unix

package endtoend

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestGodotProxy: two processes of Godot 3 talk through the proxy, and the messages that it
// prints, and those in the capture that it writes, are what both have received.
func TestGodotProxy(t *testing.T) {
	long(t)
	if _, err := exec.LookPath("godot3-server"); err != nil {
		t.Skip("the engine is not here: install godot3-server (Godot 3, headless)")
	}
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	file, printed, want := recordGame(ctx, t)
	if len(want) != 6 {
		t.Fatalf("the engines have received %v", want)
	}
	again, err := exec.CommandContext(ctx, "varview", "packets", "--json", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	for name, out := range map[string][]byte{"printed": printed, "recorded": again} {
		got := receivedCalls(t, out)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, but the engines received %v", name, got, want)
		}
	}
}

// recordGame lets two processes of Godot play through the proxy. It returns the capture, what
// the proxy has printed, and what both engines have received.
func recordGame(ctx context.Context, t *testing.T) (file string, printed []byte, received []string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "game.pcapng")
	port := freePort(t)
	proxy := exec.CommandContext(ctx, "varview", "proxy", "udp", ":0", "127.0.0.1:"+port, "--json", "-o", file)
	var out bytes.Buffer
	proxy.Stdout = &out
	told, err := proxy.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := proxy.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(told).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, at, err := net.SplitHostPort(strings.TrimSuffix(strings.Fields(line)[4], ","))
	if err != nil {
		t.Fatal(line, err)
	}
	server := playSide(ctx, t, "server", port)
	client := playSide(ctx, t, "client", at)
	received = slices.Concat(server(), client())
	if err := proxy.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = proxy.Wait() // with the status of the signal
	return file, out.Bytes(), received
}

// receivedCalls returns the calls among messages as testdata/engine/network prints them.
func receivedCalls(t *testing.T, out []byte) (all []string) {
	for line := range bytes.Lines(out) {
		var m struct {
			Kind, Name string
			From       int32
			Values     []string
		}
		if err := json.Unmarshal(line, &m); err != nil {
			continue // the values of other messages are no texts
		}
		if m.Kind == "rpc" && m.Name == "hello" {
			all = append(all, fmt.Sprintf("got %d %s %s", m.From, strings.TrimPrefix(m.Values[0], "i:"), strings.TrimPrefix(m.Values[1], "s:")))
		}
	}
	return all
}

// freePort returns a port of UDP that nobody uses.
func freePort(t *testing.T) string {
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, port, _ := net.SplitHostPort(c.LocalAddr().String())
	return port
}

// playSide starts one side of testdata/engine/network. What is returned waits for its end,
// and returns what it has received.
func playSide(ctx context.Context, t *testing.T, role, port string) func() []string {
	t.Helper()
	cmd := exec.CommandContext(ctx, "godot3-server", "--path", "testdata/engine/network", "-s", "main.gd", "--role="+role, "--net-port="+port)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return func() (received []string) {
		if err := cmd.Wait(); err != nil {
			t.Fatalf("%s: %v\n%s", role, err, out.String())
		}
		for line := range strings.Lines(out.String()) {
			if strings.HasPrefix(line, "got ") {
				received = append(received, strings.TrimSpace(line))
			}
		}
		return received
	}
}

//go:build unix

package endtoend

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestGodotTakesEdit records a game, edits an argument of a call in the capture, so that its
// datagram grows, and sends the client's datagrams to Godot again: the server must be called
// with the new argument. ENet gives up if the machine is too busy to answer in time, as it would
// with a real client: then the game is played again.
func TestGodotTakesEdit(t *testing.T) {
	if _, err := exec.LookPath("godot3-server"); err != nil {
		t.Skip("the engine is not here: install godot3-server (Godot 3, headless)")
	}
	for range 3 {
		received, want := replayEdited(t)
		if slices.Contains(received, want) {
			return
		}
		t.Logf("the engine was called with %q, not %q", received, want)
		if len(received) > 0 {
			break
		}
	}
	t.Error("the engine was not called with what was edited")
}

// replayEdited records a game, edits a call in it and sends it again. It returns the calls that the
// server received, and the one that was edited.
func replayEdited(t *testing.T) (received []string, want string) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	file, _, _ := recordGame(ctx, t)
	number, client := -1, int32(0)
	for line := range strings.Lines(run(t, 0, "packets", "--json", file, "method:hello to:1 1").stdout) {
		var m struct {
			Message int
			From    int32
			Values  []string
		}
		if err := json.Unmarshal([]byte(line), &m); err == nil && len(m.Values) == 2 && m.Values[1] == "s:text 1" {
			number, client = m.Message, m.From
		}
	}
	if number < 0 {
		t.Fatal("the call is not in the capture")
	}
	edited := filepath.Join(t.TempDir(), "edited.pcapng")
	run(t, 0, "set", file, fmt.Sprintf(`messages[%d].args[1]="what varview has put there"`, number), "-o", edited)

	// ENet counts time in 16 bits of milliseconds: half a minute later the answers in the
	// capture would be too old.
	port := freePort(t)
	server := playSide(ctx, t, "server", port)
	waitForPort(t, port)
	if out, err := exec.CommandContext(ctx, "varview", "packets", "--replay", edited, "--to", "127.0.0.1:"+port).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return server(), fmt.Sprintf("got %d 1 what varview has put there", client)
}

// waitForPort waits until a port of UDP is in use.
func waitForPort(t *testing.T, port string) {
	t.Helper()
	for range 200 {
		c, err := net.ListenPacket("udp", "0.0.0.0:"+port)
		if err != nil {
			return
		}
		c.Close()
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the server does not listen")
}

package live

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"varview/cli/env"
	"varview/cli/flags"
	"varview/cli/packets"
	"varview/decoder/engine/span"
	"varview/decoder/network/message"
	"varview/decoder/network/pcap"
)

// name is the Variant of a string of 5 bytes.
func name(s string) string { return "\x04\x00\x00\x00\x05\x00\x00\x00" + s + "\x00\x00\x00" }

// TestRecordsWhatCame: the file has what the server was sent, in its order, and says what was done
// to it.
func TestRecordsWhatCame(t *testing.T) {
	l, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var o Options
	o.JSON = true
	o.Protocols = map[int]message.Protocol{1: message.Variants3} // so that queries hold from the start
	s := beginWith(t, "udp", l.LocalAddr().String(), o, "alpha corrupt=100%", "bravo drop=100%", "gamma duplicate=100%", "delta delay=100ms", "omega drop=100%")
	c := dial(t, "udp", s.address)
	_ = l.SetReadDeadline(time.Now().Add(20 * time.Second))
	var got []string
	receive := func() {
		b := make([]byte, 100)
		n, _, err := l.ReadFrom(b)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(b[:n]))
	}
	for _, word := range []string{"alpha", "bravo", "gamma", "delta", "hello"} {
		if _, err := c.Write([]byte(name(word))); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		receive()
	}
	if _, err := c.Write([]byte(name("omega"))); err != nil {
		t.Fatal(err)
	}
	for i := 0; !strings.Contains(s.printed(), "omega") && i < 400; i++ {
		time.Sleep(20 * time.Millisecond)
	}
	printed, recorded := s.end()
	if !slices.Equal(recorded, got) {
		t.Errorf("recorded %q, not what came: %q", recorded, got)
	}
	if got[0] == name("alpha") || !slices.Equal(got[1:], []string{name("gamma"), name("gamma"), name("hello"), name("delta")}) {
		t.Errorf("%q", got)
	}
	expectComments(t, s.file,
		"corrupted at byte [0-9]+ of the packet \\(printed as frame 1, message 0\\)",
		"before this packet: 16 bytes from 127.0.0.1:[0-9]+ to "+l.LocalAddr().String()+": dropped \\(printed as frame 2, message 1\\)",
		"duplicated \\(printed as frame 3, message 2\\)",
		"duplicated \\(printed as frame 3, message 2\\)",
		"delayed by 100ms \\(printed as frame 4, message 3\\)")
	var faults []string
	for line := range strings.Lines(printed) {
		var m struct {
			Message int
			Faults  []string
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		faults = append(faults, fmt.Sprint(m.Message, m.Faults))
	}
	want := "0 \\[corrupted at byte [0-9]+ of the packet\\] 1 \\[dropped\\] 2 \\[duplicated\\] 3 \\[delayed by 100ms\\] 4 \\[\\] 5 \\[dropped\\]"
	if all := strings.Join(faults, " "); !regexp.MustCompile("^" + want + "$").MatchString(all) {
		t.Errorf("%s", all)
	}
	checkJSON(t, s.file)
	if b, _ := os.ReadFile(s.file); !bytes.Contains(b, []byte(": dropped (printed as frame 6, message 5)")) {
		t.Error("the file does not tell what was lost at its end")
	}
	tsharkReads(t, s.file)
}

// checkJSON: the messages of a file have the comments of their packets.
func checkJSON(t *testing.T, file string) {
	out, err := os.Create(filepath.Join(t.TempDir(), "json"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := packets.Run(context.Background(), &env.Env{Stdout: out, Stderr: out}, file, "gamma", packets.Options{JSON: true, Extract: -1}); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(out.Name())
	if n := bytes.Count(b, []byte(`"duplicated (printed as frame 3, message 2)"]}`)); n != 2 {
		t.Errorf("%s", b)
	}
}

// expectComments: a file has these comments on its packets.
func expectComments(t *testing.T, file string, want ...string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := pcap.NewReader(f, func(_ int, p span.Problem) { t.Error(p) })
	if ok, err := r.Open(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	var got []string
	for p, err := r.Next(); err == nil; p, err = r.Next() {
		got = append(got, p.Comments...)
	}
	if !regexp.MustCompile("^" + strings.Join(want, "\n") + "$").MatchString(strings.Join(got, "\n")) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

// tsharkReads: where tshark is installed, it reads the comments.
func tsharkReads(t *testing.T, file string) {
	if _, err := exec.LookPath("tshark"); err != nil {
		return
	}
	b, err := exec.Command("tshark", "-r", file, "-T", "fields", "-e", "frame.comment").Output()
	if lines := strings.Split(string(b), "\n"); err != nil || len(lines) != 6 || !strings.HasPrefix(lines[0], "corrupted at byte") ||
		!strings.Contains(lines[1], "dropped (printed as frame 2, message 1)") || !strings.Contains(lines[1], "duplicated") || lines[3] != "" || !strings.HasPrefix(lines[4], "delayed by 100ms") {
		t.Errorf("tshark reads %q, %v", lines, err)
	}
}

// TestRecordLosses: what is lost after the last packet, and of much that is lost all, is told in the
// file.
func TestRecordLosses(t *testing.T) {
	var o flags.Output
	o.Path = filepath.Join(t.TempDir(), "x.pcapng")
	r, err := newRecording(o)
	if err != nil {
		t.Fatal(err)
	}
	const losses = 2000
	for i := range losses {
		if err := r.lose(time.Now(), fmt.Sprintf("loss %d of something", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(o.Path)
	for i := range losses {
		if !bytes.Contains(b, fmt.Appendf(nil, "loss %d of", i)) {
			t.Fatalf("loss %d is not in the file", i)
		}
	}
	expectComments(t, o.Path)
}

package ui

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"varview/model"
)

// firstPackets returns the length of the first n packets of a pcap file.
func firstPackets(b []byte, n int) int {
	at := 24
	for ; n > 0; n-- {
		at += 16 + int(binary.LittleEndian.Uint32(b[at+8:]))
	}
	return at
}

var counted = regexp.MustCompile(`(\d+) of (\d+) messages`)

// A recording that grows is read again: the list stays at its last message, or at the one that was selected.
func TestLive(t *testing.T) {
	all, err := os.ReadFile(repoFile("captures/mp-enet-norelay.pcap"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "live.pcap")
	write := func(n int) {
		t.Helper()
		if err := os.WriteFile(name, all[:n], 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(firstPackets(all, 0))
	s := openWith(t, name, model.Options{ReadOnly: true}, termenv.TrueColor)
	s.m.file.Grows, s.m.records.Follows = true, true
	s.run(s.m.Init())
	s.resizeTo(80, 24)
	s.wantShown("live · read-only")
	grow := func(n int) {
		t.Helper()
		write(n)
		s.run(s.m.file.Look())
		s.run(s.m.Opened())
	}
	grow(firstPackets(all, 1))
	s.wantShown("127.0.0.1:34140 asks 127.0.0.1:24807 for a connection of ENet") // before there are messages
	grow(firstPackets(all, 60))
	messages := func() (at, of string) {
		if m := counted.FindStringSubmatch(s.frame()); m != nil {
			return m[1], m[2]
		}
		t.Fatalf("no count of messages:\n%s", s.frame())
		return "", ""
	}
	at, of := messages()
	if at != of {
		t.Errorf("%s of %s is selected", at, of)
	}
	s.press("1", "g")
	grow(firstPackets(all, 80))
	if at, more := messages(); at != "2" || more == of {
		t.Errorf("%s of %s is selected after %s", at, more, of)
	}
	s.press("G")
	s.m.desk.Say("saved somewhere")
	grow(len(all))
	s.wantShown("saved somewhere") // until a key is pressed
	if at, of := messages(); at != of {
		t.Errorf("%s of %s is selected at the end", at, of)
	}
}

// TestLiveFaults: rules for packets on their way are added and ended; one that cannot be is not kept.
func TestLiveFaults(t *testing.T) {
	s := openRepo(t, "captures/mp-enet-norelay.pcap", 120, 30)
	s.press("esc")
	s.enter(":", "fault drop=10%")
	s.wantShown("varview listen udp :PORT HOST:PORT --tui")
	var rules []string
	s.m.live = &Live{Fault: func(all []string) error {
		if slices.Contains(all, "x") {
			return errors.New("x does nothing")
		}
		rules = all
		return nil
	}}
	for _, c := range []struct{ typed, shown, rules string }{
		{"", "packets are passed on as they come", ""},
		{"drop=10%", "faults: drop=10%;", "drop=10%"},
		{"x", "x does nothing", "drop=10%"},
		{"delay=5ms", "faults: drop=10%; delay=5ms;", "drop=10% delay=5ms"},
		{"none", "packets are passed on as they come", ""},
	} {
		s.enter(":", "fault "+c.typed)
		s.wantShown(c.shown)
		if got := strings.Join(rules, " "); got != c.rules {
			t.Errorf(":fault %s: %q, want %q", c.typed, got, c.rules)
		}
		if strings.Contains(s.frame(), " faults · ") != (c.rules != "") {
			t.Errorf(":fault %s: the title does not say whether there are faults:\n%s", c.typed, s.frame())
		}
	}
}

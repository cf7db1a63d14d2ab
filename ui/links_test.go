package ui

import (
	"fmt"
	"strings"
	"testing"
)

// goTo goes to the row of a value of a buffer, by its path.
func (s *screen) goTo(buffer int, path string) {
	s.t.Helper()
	d := s.m.desk
	n, err := d.Doc.Buffers[buffer].Tree().NewReader().Resolve(path)
	if err != nil {
		s.t.Fatal(err)
	}
	d.ShowBuffer(d.Doc.Buffers[buffer])
	d.Report(d.Explorer.GoToValue(n))
	s.press("j", "k")
}

// wantAt checks the path of the selected value, and its buffer.
func (s *screen) wantAt(buffer int, path string) {
	s.t.Helper()
	x := s.m.desk.Explorer
	if n := x.Subject(); n == nil || x.Path(n) != path || x.Buffer.Number != buffer {
		s.t.Errorf("at %s of buffer %d, not %s of %d\n%s", x.Path(n), x.Buffer.Number, path, buffer, s.frame())
	}
}

// Ids of paths, acknowledgements and what packets carry lead to where they come from, and ctrl+o
// leads back.
func TestLinks(t *testing.T) {
	all := logged(t, "mp-enet-norelay")
	s := openRepo(t, "captures/mp-enet-norelay.pcap", 120, 40)
	s.press("esc")
	tested := false
	for i, m := range all {
		path := fmt.Sprintf("$.messages[%d].path_id", i)
		if n, err := s.m.desk.Doc.Buffers[1].Tree().NewReader().Resolve(path); m.Kind != "rpc" || err != nil || n == nil {
			continue
		}
		s.goTo(1, path)
		s.wantShown("enter jumps to the message that says ")
		s.wantShown("enter follow")
		s.press("enter")
		s.wantShown("simplify-path")
		s.wantShown(m.Path + " is ")
		s.press("ctrl+o")
		s.wantAt(1, path)
		tested = true
		break
	}
	if !tested {
		t.Error("no call by an id")
	}
	s.goTo(1, "$.messages[20]")
	s.press("<")
	s.wantSelected("data ")
	s.wantShown("enet  send_reliable")
	from := s.m.desk.Explorer.Path(s.m.desk.Explorer.Subject())
	s.press("enter")
	s.wantAt(1, "$.messages[20]")
	s.press("ctrl+o")
	s.wantAt(0, from)
	s.press("ctrl+o")
	s.wantAt(1, "$.messages[20]")
	s.press("<", "H", ">")
	s.wantAt(1, "$.messages[20]")
}

// An acknowledgement leads to what it acknowledges.
func TestAcknowledged(t *testing.T) {
	s := openRepo(t, "captures/mp-enet-norelay.pcap", 120, 40)
	s.press("esc")
	s.goTo(0, "$.packets[2].enet.commands[0].acknowledged")
	s.wantShown("enter jumps to the command that is acknowledged")
	s.press("enter")
	if x := s.m.desk.Explorer; !strings.HasPrefix(x.Path(x.Subject()), "$.packets[1].enet.commands[0]") {
		t.Errorf("at %s", x.Path(x.Subject()))
	}
	s.wantSelected("▸ verify_connect  channel 255")
	s.press("ctrl+o")
	s.wantAt(0, "$.packets[2].enet.commands[0].acknowledged")
}

package ui

import (
	"fmt"
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

// Ids of paths and what packets carry lead to where they come from, and ctrl+o
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
	s.wantSelected("▾ message  1556008229 → 1: ")
	s.wantShown("▾ send_reliable")
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

// The values of a message are in its packet too, with all layers around them; there they lead to
// themselves in the messages, where they can be edited.
func TestLayers(t *testing.T) {
	s := openRepo(t, "captures/mp-enet-norelay.pcap", 120, 40)
	s.press("esc")
	args := "$.messages[20].args[1]"
	s.goTo(1, args)
	s.press("<")
	there := "$.packets[33].enet.commands[0].message.args[1]"
	s.wantAt(0, there)
	s.wantSelected(`[1]  "œuvre"`)
	s.wantShown("enter jumps to it in the buffer inside")
	s.press("e")
	s.wantShown("> goes to the value inside, to edit it there")
	s.press(">")
	s.wantAt(1, args)
	s.press("<", " ")
	s.wantAt(1, args)
	s.press("<", "enter")
	s.wantAt(1, args)
	s.press("e", "ctrl+u")
	s.typeText("chœur")
	s.press("enter")
	s.wantSelected(`• [1]  "chœur"`)
	s.press("<")
	s.wantSelected(`[1]  "œuvre"`) // as it is in the file
}

// The part of a message says of which it is one, and leads there.
func TestPartsOfMessages(t *testing.T) {
	s := openRepo(t, "captures/mp-enet-norelay.pcap", 120, 40)
	s.press("esc")
	s.goTo(1, "$.messages[98]")
	s.press("<")
	s.wantAt(0, "$.packets[157].enet.commands[0].data")
	s.wantSelected("data  part 2 of 2 of ")
	s.wantShown("part 2 of 2 of message 98: rpc ")
	s.press("enter")
	s.wantAt(1, "$.messages[98]")
	s.goTo(0, "$.packets[155].enet.commands[0].data")
	s.wantShown("part 1 of 2 of message 98: rpc ")
	s.press(">")
	s.wantAt(1, "$.messages[98]")
}

// While the packets are shown, the list of messages goes from one to the next there.
func TestMessagesInPackets(t *testing.T) {
	s := openRepo(t, "captures/mp-enet-norelay.pcap", 120, 40)
	s.typeText("20g")
	s.press("<")
	s.wantAt(0, "$.packets[33].enet.commands[0].message")
	s.press("j")
	s.wantShown("22 of 121 messages")
	s.wantAt(0, "$.packets[34].enet.commands[0].message")
	s.press(">")
	s.wantAt(1, "$.messages[21]")
	s.press("j")
	s.wantAt(1, "$.messages[22]")
}

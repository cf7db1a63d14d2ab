package ui

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"varview/decoder/engine/span"
	"varview/model"
)

// A loggedMessage is a message as its capture's list of expected messages has it.
type loggedMessage struct {
	Kind, Path, Name string
	From, To         int
	Method           *int `json:"method_id"`
}

// logged reads the messages that a capture in testdata has.
func logged(t *testing.T, name string) (all []loggedMessage) {
	t.Helper()
	f, err := os.Open(repoFile("captures/" + name + ".messages.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Buffer(nil, 1<<20); lines.Scan(); {
		var m loggedMessage
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

// wantCounted checks how many messages are listed: those that hold, of the logged ones.
func (s *screen) wantCounted(all []loggedMessage, holds func(m *loggedMessage) bool) {
	s.t.Helper()
	n := 0
	for i := range all {
		if holds(&all[i]) {
			n++
		}
	}
	s.wantShown(" of " + span.Counted(int64(n), "message"))
}

// A capture opens with the list of its messages, which the panes follow.
func TestMessages(t *testing.T) {
	all := logged(t, "mp-enet-norelay")
	s := openRepo(t, "captures/mp-enet-norelay.pcap", 80, 24)
	s.wantShown(fmt.Sprintf("1 of %d messages", len(all)))
	s.wantShown("time from → to")
	s.typeText("20g")
	s.wantShown(fmt.Sprintf("21 of %d messages", len(all)))
	s.wantSelected("▾ [20]")
	if n, got := s.m.desk.Explorer.Subject(), s.m.desk.Chosen(); n.Start == n.Body || got.Offset != n.Body { // what was sent, without what is noted about it
		t.Errorf("%v is selected of a message at %d", got, n.Start)
	}
	s.press("tab", "j")
	s.wantShown(fmt.Sprintf("21 of %d messages", len(all)))
	s.press("}", "H", "}", "}") // the list follows
	s.wantShown(fmt.Sprintf("23 of %d messages", len(all)))
	s.press("L", "j")
	s.wantShown(fmt.Sprintf("24 of %d messages", len(all)))
	s.wantSelected("▾ [23]")
	s.press("enter", "j")
	s.wantShown(fmt.Sprintf("24 of %d messages", len(all)))
	s.press("L", "esc")
	s.wantNotShown("of 2")
	s.press("L")
	s.wantShown(fmt.Sprintf("24 of %d messages", len(all)))
}

// Messages are filtered, and one node, method or peer is followed.
func TestMessagesNarrowed(t *testing.T) {
	all := logged(t, "mp-enet-norelay")
	at := -1
	for i, m := range all {
		if m.Kind == "rpc" && m.Name == "r_any" && m.From != 1 {
			at = i
		}
	}
	s := openRepo(t, "captures/mp-enet-norelay.pcap", 200, 60)
	everything := func(*loggedMessage) bool { return true }
	for _, test := range []struct {
		keys  string
		holds func(m *loggedMessage) bool
	}{
		{"fn", func(m *loggedMessage) bool { return m.Path == all[at].Path }},
		{"fm", func(m *loggedMessage) bool { return m.Name == "r_any" }},
		{"fp", func(m *loggedMessage) bool { return m.From == all[at].From || m.To == all[at].From }},
	} {
		s.typeText(fmt.Sprintf("%dg%s", at, test.keys))
		s.wantCounted(all, test.holds)
		s.press("esc")
		s.wantCounted(all, everything)
	}
	s.enter("&", "method:chat from:1")
	s.wantCounted(all, func(m *loggedMessage) bool { return m.Name == "chat" && m.From == 1 })
	s.press("f", "n")
	path := ""
	for _, m := range all {
		if m.Name == "chat" && m.From == 1 && path == "" {
			path = m.Path
		}
	}
	s.wantCounted(all, func(m *loggedMessage) bool { return m.Name == "chat" && m.From == 1 && m.Path == path })
	s.press("esc")
	s.wantCounted(all, func(m *loggedMessage) bool { return m.Name == "chat" && m.From == 1 })
	s.enter("/", " kind:rcp")
	s.wantShown("did you mean kind:rpc?")
	s.enter("/", " method:none")
	s.wantShown("no message matches")
	s.press("&")
	s.typeText(" (")
	s.wantShown("at character 21: ")
	s.press("ctrl+u")
	s.wantShown("kind:rpc")
	s.wantShown("nothing shows all")
	s.typeText("method:chat from:1")
	n := 0
	for _, m := range all {
		if m.Name == "chat" && m.From == 1 {
			n++
		}
	}
	s.wantShown(fmt.Sprintf("%d messages ╯", n))
}

// What messages take is added up and drawn; a group becomes what is listed.
func TestMessagesSums(t *testing.T) {
	all := logged(t, "mp-enet-norelay")
	s := openRepo(t, "captures/mp-enet-norelay.pcap", 120, 40)
	s.press("s")
	s.wantShown(fmt.Sprintf("%d messages, ", len(all)))
	s.wantShown("█")
	s.wantShown("iB/s  ")
	chat := func(m *loggedMessage) bool { return m.Kind == "rpc" && m.Name == "chat" }
	count := 0
	for i := range all {
		if chat(&all[i]) {
			count++
		}
	}
	s.wantShown(fmt.Sprintf("›%8d ", count))
	s.press("enter")
	s.wantCounted(all, chat)
}

// Where the list covers the panes, enter goes to the message.
func TestMessagesSmall(t *testing.T) {
	s := openRepo(t, "captures/mp-enet-norelay.pcap", 60, 16)
	s.typeText("20g")
	s.wantShown("21 of")
	s.press("enter")
	s.wantSelected("▾ [20]")
	s.wantNotShown("21 of")
}

// A file that is opened again has the list as it was.
func TestMessagesReloaded(t *testing.T) {
	all := logged(t, "mp-enet-norelay")
	data, err := os.ReadFile(repoFile("captures/mp-enet-norelay.pcap"))
	if err != nil {
		t.Fatal(err)
	}
	s := openScreen(t, save(t, data), 80, 24, termenv.Ascii)
	s.enter("&", "method:chat")
	s.press("j", "j", "tab", "R", "L")
	chat := func(m *loggedMessage) bool { return m.Name == "chat" }
	s.wantCounted(all, chat)
	s.wantShown("3 of 32 messages")
	s.press("esc", "R")
	s.wantNotShown("of 32 messages")
	s.press("L")
	s.wantCounted(all, func(*loggedMessage) bool { return true })
	s.press("s")
	s.run(s.m.file.Reload())
	s.wantShown("largest  kind") // the sums are still open
	s.press("enter")
	s.wantCounted(all, func(m *loggedMessage) bool { return m.Kind == "rpc" && chat(m) })
	s.press("esc", "&")
	s.typeText("method:chat")
	s.m.Update(keyMsg("enter")) // the search has only begun
	s.run(s.m.file.Reload())
	s.wantCounted(all, chat)
}

// A click into the list gives it the keys that the tree has, and selects what was clicked.
func TestMessagesClicked(t *testing.T) {
	s := openRepo(t, "captures/mp-enet-norelay.pcap", 80, 24)
	s.press("tab")
	lines := strings.Split(s.frame(), "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "│ › 0.") })
	s.click(10, at+3)
	s.wantShown("4 of ")
	s.wantSelected("▾ [3]")
	s.press("j")
	s.wantShown("5 of ")
}

// What speaks against a message is marked, said of the selected one, and asked for.
func TestMessagesWithProblems(t *testing.T) {
	data, err := os.ReadFile(repoFile("captures/mp-enet-norelay.pcap"))
	if err != nil {
		t.Fatal(err)
	}
	call := []byte("chat\x00\x02\x02\x00\x00\x00\x0a\x00\x00\x00") // with two arguments, the first is 10
	if bytes.Count(data, call) != 1 {
		t.Fatal("the call is not there")
	}
	data[bytes.Index(data, call)+len("chat\x00")] = 99
	s := openScreen(t, save(t, data), 80, 24, termenv.Ascii)
	s.enter("&", "has:problem")
	s.wantShown("✗›0.065 1556008229 → 1")
	s.wantShown("1 of 1 message · has:problem · ")
	s.wantShown("99")
	s.enter("&", "")
	s.press("g")
	s.wantShown("at 1 of ")
	s.press("!", "enter") // the list follows where that leads
	s.wantShown("✗›0.065 1556008229 → 1")
	s.press("k", "j")
	s.wantShown("✗›0.065 1556008229 → 1")
}

// Where there is no room for addresses the list has ports, which say who sends as well.
func TestMessagesNarrowAddresses(t *testing.T) {
	s := openRepo(t, "captures/udp.pcap", 80, 24)
	s.wantShown("0.000 :45054 → :24812  ?")
	s.resizeTo(200, 60)
	s.wantShown(" 127.0.0.1:45054 → 127.0.0.1:24812 ")
}

// What was begun in the list is not gone on with once another document has closed it.
func TestMessagesReadAnew(t *testing.T) {
	s := openRepo(t, "captures/mp-enet-norelay.pcap", 80, 24)
	s.press("7")
	s.run(s.m.file.ReadAs("godot3"))
	s.wantShown("Godot 3")
	s.press("G")
	s.enter(":", "set $[0]=1")
	s.press("j", "G")
	s.frame()

	s = openRepo(t, "captures/mp-enet-norelay.pcap", 80, 24)
	s.press("&")
	s.typeText("method:chat")
	s.run(s.m.file.ReadAs("godot3"))
	s.press("enter", "j", "G")
	s.wantNotShown("messages ·")

	s = openRepo(t, "captures/mp-enet-norelay.pcap", 80, 24)
	s.press("tab")
	s.run(s.m.file.ReadAs("godot3"))
	s.frame() // without a gap where the list was
}

// What is wrong with the connections is said below the list of messages.
func TestConnectionProblem(t *testing.T) {
	s := openRepo(t, "sessions/ws-closed.pcap", 120, 30)
	s.wantShown(" messages · ✗ the server (10.0.0.2:8427) closes the WebSocket with 1003")
	s.wantShown("! problems")
}

// What happens to connections are lines of the list, at their places in it. The panes show their packets, and then messages again; with
// a query lines are left out as messages are.
func TestConnectionLines(t *testing.T) {
	s := openRepo(t, "sessions/enet-frozen.pcapng", 120, 30) // frame 1 asks, 2 accepts, 55 is sent again and again, 105 disconnects
	s.wantShown("at 1 of 62 messages")
	s.wantSelected("▾ [0]")
	s.press("k")
	s.wantShown("·›-0.060685")
	s.wantShown("accepts the connection")
	s.wantShown("before 62 messages")
	s.wantShown("● 0 capture")
	s.press("j")
	s.wantShown("● 1 messages")
	s.wantSelected("▾ [0]")
	s.press("G")
	s.wantShown("after 62 of 62 messages")
	s.wantShown("disconnects from 127.0.0.1:17700, with the code")
	s.press("f", "n")
	s.wantShown("this line has no node")
	s.enter("&", "kind:connection")
	s.wantShown("at 4 of 4 connection lines · kind:connection")
	s.press("k")
	s.wantShown("✗›40.966884")
	s.press("f", "c")
	s.wantShown("(kind:connection) (flow:1)")
	s.press("esc", "esc")
	s.wantShown("after 22 of 62 messages")
	s.press("f", "c")
	s.wantShown("after 22 of 62 messages · flow:1")
	s.press("enter", "j") // in the tree, from the command that was sent again and again
	s.wantShown("after 22 of 62 messages")
	s.wantSelected("channel  255")

	data, err := os.ReadFile(repoFile("sessions/enet-frozen.pcapng"))
	if err != nil {
		t.Fatal(err)
	}
	s = openScreen(t, save(t, data), 120, 30, termenv.Ascii)
	s.press("enter")
	s.enter(":", "set messages[1].args[0]=5") // an edit leaves them
	s.wantShown("Main/Game.move(5, ")
	s.wantShown("accepts the connection")
}

// TestMessagesAhead: the tree shows the selected message once it has been read that far, and nothing is said meanwhile.
func TestMessagesAhead(t *testing.T) {
	const head = 24                                         // bytes before the first packet
	data, err := os.ReadFile(repoFile("captures/udp.pcap")) // 70 messages
	if err != nil {
		t.Fatal(err)
	}
	data = append(data[:head:head], bytes.Repeat(data[head:], 600)...)
	s := openWith(t, save(t, data), model.Options{ReadOnly: true}, termenv.Ascii)
	s.m.desk.Reading.Waits = true
	s.run(s.m.Init())
	s.resizeTo(120, 40)
	s.press("G")
	s.wantNotShown("not read that far yet")
	s.m.desk.Reading.Waits = false
	s.run(s.m.desk.ReadOn())
	s.wantShown("at 42,000 of 42,000 messages")
	s.wantSelected("▾ [41999]")
}

// TestMessagesNotFound: who searches the values for a kind of message is led to the filter of the list.
func TestMessagesNotFound(t *testing.T) {
	s := openRepo(t, "captures/mp-enet-norelay.pcap", 120, 40)
	s.press("enter") // the tree has the keys
	s.enter("/", "nosuchkind")
	s.wantShown("not found: nosuchkind; in the list of messages & looks at their kinds and names")
}

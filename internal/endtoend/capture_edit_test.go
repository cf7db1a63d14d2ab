package endtoend

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	packet "varview/decoder/network/link"
	"varview/decoder/network/pcap"
)

// TestEditCaptures edits a value of a message and checks that in the written file only this message has
// changed, and that nothing is damaged.
func TestEditCaptures(t *testing.T) {
	for _, test := range []struct {
		capture, path, value, key string // the key of the message that shows the value
		number                    int
		json                      string // the value there
	}{
		{"auth.pcap", "args[0]", `"on"`, "values", 8, `["s:on"]`},
		{"auth.pcap", "inner.args[0]", `"one by"`, "values", 22, `["s:one by"]`},
		{"client_spawn.pcap", "inner.entries[0].values[0]", "Vector2(1, 2)", "values", 24, ""},
		{"mp-enet-norelay.pcap", "args[1]", `"Feuer!"`, "values", 9, ""},
		{"mp-enet-norelay.pcap", "args[0]", "+", "values", 116, ""}, // in fragments
		{"udp.pcap", "value.x.origin.x", "7", "values", 0, ""},
		{"ng-simple-packets.pcapng", "value.x.origin.x", "7", "values", 0, ""},
		{"mp-ws-objects.pcap.gz", "args[1]", "-2147483650", "values", 8, ""}, // masked or not
		{"tcp-putvar-be.pcap", "value[0]", "7", "values", 1, ""},
		{"tcp-overlap-putvar.pcap", "value", "Quat(1, 2, 3, 4)", "values", 1, ""},
	} {
		t.Run(test.capture+" "+test.path, func(t *testing.T) {
			file := "testdata/captures/" + test.capture
			before := objects(t, run(t, 0, "packets", "--json", file).stdout)
			path := "$.messages[" + strconv.Itoa(test.number) + "]." + test.path
			value := test.value
			if value == "+" { // a text of the same length
				was := strings.TrimSpace(run(t, 0, "get", file, path).stdout)
				value = strings.NewReplacer("quest", "Quest", "door", "Door").Replace(was)
			}
			edited := filepath.Join(t.TempDir(), "edited"+filepath.Ext(file))
			out, status := start(t, []string{"set", file, path + "=" + value, "--retype", "-o", edited})
			if status != 0 {
				t.Fatal(out.stderr)
			}
			after := objects(t, run(t, 0, "packets", "--json", edited).stdout)
			if len(before) != len(after) {
				t.Fatalf("%d messages, not %d", len(after), len(before))
			}
			for i := range before {
				for _, m := range []map[string]any{before[i], after[i]} {
					delete(m, "problems") // whose offsets move
				}
				was, is := jsonText(before[i]), jsonText(after[i])
				if (was == is) != (i != test.number) {
					t.Errorf("message %d was %s, is %s", i, was, is)
				}
			}
			if got := jsonText(after[test.number][test.key]); test.json != "" && got != test.json {
				t.Errorf("the value is %s, not %s", got, test.json)
			}
			for _, p := range objects(t, run(t, 0, "check", "--json", edited).stdout) {
				if p["severity"] != "note" || p["code"] == "wrong-checksum" {
					t.Errorf("%v", p)
				}
			}
		})
	}
}

// jsonText writes a value as JSON.
func jsonText(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// TestEditCapturesRefused: an edit that cannot be written is refused with a reason.
func TestEditCapturesRefused(t *testing.T) {
	for _, test := range []struct{ file, path, want string }{
		{"testdata/captures/auth.pcap", `messages[8].path="Other"`, "only the Variants of a message can be edited"},
		{"testdata/captures/auth.pcap", `messages[24].inner.args[0]=null`, "it is sent without its type"},
		{"testdata/captures/auth.pcap", `messages[8].args[0]="longer"`, "this message's length is fixed by its packet"},
		{"testdata/captures/tcp-putvar-be.pcap", `messages[1].value="another text"`, "this message's length is fixed by its packet"},
		{"testdata/captures/enet-peer-range.pcap", `messages[3].value="line\nbreak 🎮 jump line\nBREA"`, "its length is fixed by its packet"},
		{"testdata/captures/ip6-fragments.pcap", `messages[0].value[0][0]="spawn q"`, "it came in IP fragments, which cannot be changed"},
	} {
		out := filepath.Join(t.TempDir(), "out.pcap")
		if got := run(t, 2, "set", test.file, test.path, "--retype", "-o", out).stderr; !strings.Contains(got, test.want) {
			t.Errorf("%s: %s", test.path, got)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: a file is written", test.path)
		}
	}
}

// TestEditAnyCapture: whatever text of whatever message is replaced by one of the same length, that message
// is the only one that differs when the capture is read again.
func TestEditAnyCapture(t *testing.T) {
	long(t)
	random := rand.New(rand.NewSource(5))
	done := 0
	for _, name := range captureFiles(t) {
		before, _ := messagesOf(t, name)
		type place struct {
			number     int
			path, text string
		}
		var places []place
		for i, m := range before {
			values, _ := m["values"].([]any)
			for k, v := range values {
				text, isText := strings.CutPrefix(fmt.Sprint(v), "s:")
				switch {
				case !isText || text == "":
				case m["kind"] == "var":
					places = append(places, place{i, "value", text})
				case m["args"] != nil:
					places = append(places, place{i, fmt.Sprintf("args[%d]", k), text})
				}
			}
		}
		for try := 0; try < 3 && len(places) > 0; try++ {
			p := places[random.Intn(len(places))]
			text := strings.Repeat(string(rune('a'+random.Intn(26))), len(p.text))
			edited := filepath.Join(t.TempDir(), "edited"+filepath.Ext(name))
			out, status := start(t, []string{"set", name, fmt.Sprintf(`messages[%d].%s="%s"`, p.number, p.path, text), "-o", edited})
			if status != 0 {
				if !mayRefuse(out.stderr) {
					t.Errorf("%s: %s", name, out.stderr)
				}
				continue
			}
			done++
			after, _ := messagesOf(t, edited)
			if len(after) != len(before) {
				t.Fatalf("%s: %d messages, not %d, after an edit of %d", name, len(after), len(before), p.number)
			}
			for i := range before {
				if (jsonText(before[i]) == jsonText(after[i])) != (i != p.number) && text != p.text {
					t.Errorf("%s: after an edit of %s of message %d, message %d was %s, is %s", name, p.path, p.number, i, jsonText(before[i]), jsonText(after[i]))
				}
			}
			if !strings.Contains(jsonText(after[p.number]["values"]), "s:"+text) {
				t.Errorf("%s: message %d is %s", name, p.number, jsonText(after[p.number]))
			}
		}
	}
	if done < 20 {
		t.Errorf("%d edits", done)
	}
}

// mayRefuse reports whether an edit may be refused for this reason.
func mayRefuse(reason string) bool {
	return strings.Contains(reason, "it was captured in part") || strings.Contains(reason, "it is compressed in its packet") || strings.Contains(reason, "has no .")
}

// captureFiles lists the captures of the folders that -corpus names, otherwise those of testdata.
func captureFiles(t *testing.T) (names []string) {
	folders := []string{"testdata/captures"}
	if *corpus != "" {
		folders = strings.Split(*corpus, ",")
	}
	for _, folder := range folders {
		found, err := filepath.Glob(filepath.Join(folder, "*.pcap*"))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	if len(names) < 10 {
		t.Fatalf("%d captures", len(names))
	}
	return names
}

// messagesOf returns the messages of a capture without their problems, whose offsets move.
func messagesOf(t *testing.T, name string) (all []map[string]any, stderr string) {
	out, _ := start(t, []string{"packets", "--json", name}) // 1 where there are no messages
	all = objects(t, out.stdout)
	for _, m := range all {
		delete(m, "problems")
	}
	return all, out.stderr
}

// TestEditManyMessages: one edit of many values writes the same capture as an edit of each.
func TestEditManyMessages(t *testing.T) {
	c := newCaptured(t)
	var each []string
	for i := range 3 {
		c.ip(packet.Datagram(c.client, c.server, []byte(variant(fmt.Sprint("text ", i)))))
		each = append(each, fmt.Sprintf(`messages[%d].value="text !"`, i))
	}
	file := c.save()
	var written [2][]byte
	for i, edits := range [][]string{each, {`messages[*].value="text !"`}} {
		out := filepath.Join(t.TempDir(), "out.pcapng")
		run(t, 0, append([]string{"set", file, "-o", out}, edits...)...)
		written[i], _ = os.ReadFile(out)
	}
	if bytes.Count(written[0], []byte("text !")) != 3 || !bytes.Equal(written[0], written[1]) {
		t.Error("edits of each message write other bytes than one of all")
	}
}

// TestEditPackedCapture: a compressed capture that unpacks to more than is allowed cannot be edited,
// since saving would have to unpack it.
func TestEditPackedCapture(t *testing.T) {
	c := newCaptured(t)
	c.ip(packet.Datagram(c.client, c.server, []byte(variant("small"))))
	for range 100 {
		c.ip(make([]byte, 10000)) // what is no IP has no messages
	}
	name := filepath.Join(t.TempDir(), "packed.pcapng.gz")
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(c.file.Bytes())
	_ = w.Close()
	if err := os.WriteFile(name, packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, 0, "get", name, "messages[0].value", "--max-unpacked", "100K")
	edit := []string{"set", name, `messages[0].value="SMALL"`, "-o", filepath.Join(t.TempDir(), "out.pcapng.gz"), "--max-unpacked"}
	if got := run(t, 2, append(edit, "100K")...).stderr; !strings.Contains(got, "only the beginning is unpacked (--max-unpacked)") {
		t.Error(got)
	}
	run(t, 0, append(edit, "2M")...)
}

// TestOneJSON: export writes the messages of a capture as packets does.
func TestOneJSON(t *testing.T) {
	commented := filepath.Join(t.TempDir(), "commented.pcapng")
	file, err := os.Create(commented)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pcap.NewWriter(file)
	a, b := netip.MustParseAddrPort("10.0.0.1:5000"), netip.MustParseAddrPort("10.0.0.2:7000")
	err = errors.Join(err, w.Packet(packet.Datagram(a, b, []byte("hello")), time.Unix(1, 0), "the first", "Grüße"), w.Packet(packet.Datagram(b, a, []byte("you")), time.Unix(2, 0)), file.Close())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"testdata/captures/auth.pcap", "testdata/captures/mp-ws-objects.pcap.gz", "testdata/captures/enet-peer-range.pcap", commented} {
		var exported []map[string]any
		if err := json.Unmarshal([]byte(run(t, 0, "export", name).stdout), &exported); err != nil {
			t.Fatal(err)
		}
		if is, want := jsonText(exported), jsonText(objects(t, run(t, 0, "packets", "--json", name).stdout)); is != want || (name == commented) != strings.Contains(want, "Grüße") {
			t.Errorf("%s: %.300s, not %.300s", name, is, want)
		}
	}
}

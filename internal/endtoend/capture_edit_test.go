package endtoend

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	packet "varview/decoder/network/link"
)

// TestEditCaptures edits a value of a message and checks that in the written file only this message has
// changed, and that nothing is damaged.
func TestEditCaptures(t *testing.T) {
	for _, test := range []struct {
		capture, path, value, key string // the key of the message that shows the value
		number                    int
		json                      string // the value there
	}{
		{"auth.pcap", "args[0]", `"hello there"`, "values", 8, `["s:hello there"]`},
		{"auth.pcap", "args[0]", `""`, "values", 8, `["s:"]`},
		{"auth.pcap", "inner.args[0]", `"relayed"`, "values", 22, `["s:relayed"]`},
		{"auth.pcap", "inner.args[0]", "PackedByteArray(1, 2, 3, 255)", "values", 24, `[{"args":[1,2,3,255],"type":"PackedByteArray"}]`},
		{"client_spawn.pcap", "inner.entries[0].values[0]", "Vector2(1, 2)", "values", 24, ""},
		{"mp-enet-norelay.pcap", "args[0]", `"longer than it was"`, "values", 9, ""},
		{"mp-enet-norelay.pcap", "args[0]", "+ five", "values", 116, ""}, // in fragments
		{"enet-peer-range.pcap", "value", "", "values", 3, ""},           // packed
		{"udp.pcap", "value", `"another text"`, "values", 0, `["s:another text"]`},
		{"ng-simple-packets.pcapng", "value", `"another text, also longer"`, "values", 0, `["s:another text, also longer"]`},
		{"mp-ws-objects.pcap.gz", "args[1]", "7", "values", 8, ""}, // masked or not, of the same length
		{"mp-ws-objects.pcap.gz", "args[0]", `"longer than it was, and than a short frame: ` + strings.Repeat("x", 200) + `"`, "values", 8, ""},
		{"tcp-putvar-be.pcap", "value", `"another text, of another length"`, "values", 1, `["s:another text, of another length"]`},
		{"tcp-overlap-putvar.pcap", "value", `""`, "values", 1, `["s:"]`},
	} {
		t.Run(test.capture+" "+test.path, func(t *testing.T) {
			file := "testdata/captures/" + test.capture
			before := objects(t, run(t, 0, "packets", "--json", file).stdout)
			path := "$.messages[" + strconv.Itoa(test.number) + "]." + test.path
			value := test.value
			if more, ok := strings.CutPrefix(value, "+"); ok {
				was := strings.TrimSpace(run(t, 0, "get", file, path).stdout)
				value = strings.TrimSuffix(was, `"`) + more + `"`
			}
			if value == "" { // a longer one of the same type is a text
				value = `"a text, whatever it was before"`
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
		{"testdata/captures/auth.pcap", `messages[24].inner.args[0]=PackedByteArray()`, "the call would have no argument"},
		{"testdata/captures/auth.pcap", `messages[24].inner.args[0]=null`, "and must remain a PackedByteArray"},
		{"testdata/captures/enet-peer-range.pcap", `messages[3].value="` + strings.Repeat("x", 5000) + `"`, "more bytes than ENet accepts"},
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

// TestEditAnyCapture: whatever value of whatever message gets another length, that message is the only
// one that differs when the capture is read again.
func TestEditAnyCapture(t *testing.T) {
	names := captureFiles(t)
	random := rand.New(rand.NewSource(5))
	done := 0
	for _, name := range names {
		before, _ := messagesOf(t, name)
		var paths []string
		var numbers []int
		for i, m := range before {
			list, _ := m["args"].([]any)
			for k := range list {
				numbers, paths = append(numbers, i), append(paths, fmt.Sprintf("args[%d]", k))
			}
			if m["kind"] == "var" {
				numbers, paths = append(numbers, i), append(paths, "value")
			}
		}
		for try := 0; try < 3 && len(paths) > 0; try++ {
			k := random.Intn(len(paths))
			n, text := numbers[k], strings.Repeat("x", []int{0, 1, 10, 124, 300, 1000}[random.Intn(6)])
			edited := filepath.Join(t.TempDir(), "edited"+filepath.Ext(name))
			out, status := start(t, []string{"set", name, fmt.Sprintf(`messages[%d].%s="%s"`, n, paths[k], text), "--retype", "-o", edited})
			if status != 0 {
				if !mayRefuse(out.stderr) {
					t.Errorf("%s: %s", name, out.stderr)
				}
				continue
			}
			done++
			after, _ := messagesOf(t, edited)
			if len(after) != len(before) {
				t.Fatalf("%s: %d messages, not %d, after an edit of %d", name, len(after), len(before), n)
			}
			for i := range before {
				if (jsonText(before[i]) == jsonText(after[i])) != (i != n) && jsonText(before[n]) != jsonText(after[n]) {
					t.Errorf("%s: after an edit of %s of message %d, message %d was %s, is %s", name, paths[k], n, i, jsonText(before[i]), jsonText(after[i]))
				}
			}
			if !strings.Contains(jsonText(after[n]["values"]), "s:"+text) {
				t.Errorf("%s: message %d is %s", name, n, jsonText(after[n]))
			}
		}
	}
	if done < len(names) {
		t.Errorf("%d edits in %d captures", done, len(names))
	}
}

// mayRefuse reports whether an edit may be refused for this reason.
func mayRefuse(reason string) bool {
	for _, known := range []string{
		"a whole number of 64 bits is expected", "true or false is expected", "and must remain a PackedByteArray", // a value in a short form
		"it was captured in part", "more bytes than ENet accepts", "has no .",
	} {
		if strings.Contains(reason, known) {
			return true
		}
	}
	return false
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
	for _, name := range []string{"udp.pcap", "tcp-putvar-be.pcap"} {
		file := "testdata/captures/" + name
		messages, _ := messagesOf(t, file)
		const value = `.value="of another length"`
		var each []string
		for i, m := range messages {
			if m["kind"] == "var" {
				each = append(each, fmt.Sprintf("messages[%d]%s", i, value))
			}
		}
		var written [2][]byte
		for i, edits := range [][]string{each, {"messages[*]" + value}} {
			out := filepath.Join(t.TempDir(), "out.pcap")
			run(t, 0, append([]string{"set", file, "--retype", "-o", out}, edits...)...)
			written[i], _ = os.ReadFile(out)
		}
		if len(each) < 2 || !bytes.Equal(written[0], written[1]) {
			t.Errorf("%s: %d edits write other bytes than one", name, len(each))
		}
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
	edit := []string{"set", name, `messages[0].value="tiny"`, "-o", filepath.Join(t.TempDir(), "out.pcapng.gz"), "--max-unpacked"}
	if got := run(t, 2, append(edit, "100K")...).stderr; !strings.Contains(got, "it unpacks to more bytes than --max-unpacked allows") {
		t.Error(got)
	}
	run(t, 0, append(edit, "2M")...)
}

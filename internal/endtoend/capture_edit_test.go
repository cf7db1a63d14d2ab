package endtoend

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestEditCaptures edits a value of a message and checks that in the file that is written only
// this message says something else, and that nothing is damaged.
func TestEditCaptures(t *testing.T) {
	for _, test := range []struct {
		capture, path, value, key string // the key of the message that shows the value
		number                    int
		json                      string // the value there
	}{
		{"auth.pcap", "args[0]", `"hello there"`, "values", 8, `["s:hello there"]`},
		{"auth.pcap", "args[0]", `""`, "values", 8, `["s:"]`},
		{"auth.pcap", "inner.args[0]", `"relayed"`, "values", 22, `["s:relayed"]`},
		{"client_spawn.pcap", "inner.entries[0].values[0]", "Vector2(1, 2)", "values", 24, ""},
		{"mp-enet-norelay.pcap", "args[0]", `"longer than it was"`, "values", 9, ""},
		{"mp-enet-norelay.pcap", "args[0]", "+ five", "values", 116, ""}, // in fragments
		{"enet-peer-range.pcap", "value", "", "values", 3, ""},           // packed
		{"udp.pcap", "value", `"another text"`, "values", 0, `["s:another text"]`},
		{"ng-simple-packets.pcapng", "value", `"another text, also longer"`, "values", 0, `["s:another text, also longer"]`},
		{"mp-ws-objects.pcap.gz", "args[1]", "7", "values", 8, ""}, // masked or not, of the same length
	} {
		t.Run(test.capture+" "+test.path, func(t *testing.T) {
			file := plainCapture(t, "testdata/captures/"+test.capture)
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
			edited := filepath.Join(t.TempDir(), "edited.pcap")
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
				if p["severity"] != "note" {
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

// plainCapture returns a capture, unpacked if it is not.
func plainCapture(t *testing.T, name string) string {
	if !strings.HasSuffix(name, ".gz") {
		return name
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "plain.pcap")
	if err := os.WriteFile(plain, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return plain
}

// TestEditCapturesRefused: what cannot be written is refused, and says why.
func TestEditCapturesRefused(t *testing.T) {
	ws := plainCapture(t, "testdata/captures/mp-ws-objects.pcap.gz")
	for _, test := range []struct{ file, path, want string }{
		{ws, `messages[8].args[0]="a longer text than that was"`, "message 8: it was sent over websocket, where a change of its length would move all that follows"},
		{"testdata/captures/mp-ws-objects.pcap.gz", `messages[8].args[1]=7`, "a compressed capture is not written again: unpack the file first"},
		{"testdata/captures/auth.pcap", `messages[8].path="Other"`, "of a message only Variants can be edited"},
	} {
		out := filepath.Join(t.TempDir(), "out.pcap")
		if got := run(t, 2, "set", test.file, test.path, "-o", out).stderr; !strings.Contains(got, test.want) {
			t.Errorf("%s: %s", test.path, got)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: a file is written", test.path)
		}
	}
}

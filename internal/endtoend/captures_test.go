package endtoend

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCaptures compares the messages of captures with those that engines logged
// (NAME.messages.jsonl): all of them must come out, and no others.
func TestCaptures(t *testing.T) {
	wanted, err := filepath.Glob("testdata/captures/*.messages.jsonl")
	if err != nil || len(wanted) < 5 {
		t.Fatalf("%d lists of messages (%v)", len(wanted), err)
	}
	for _, name := range wanted {
		captures, err := filepath.Glob(strings.TrimSuffix(name, ".messages.jsonl") + ".pcap*")
		if err != nil || len(captures) == 0 {
			continue // what comes out of several others
		}
		t.Run(filepath.Base(captures[0]), func(t *testing.T) { compareMessages(t, captures[0], name) })
	}
}

// compareMessages compares the messages of a capture with a list.
func compareMessages(t *testing.T, capture, list string) {
	data, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	want := objects(t, string(data))
	keys := map[string]map[string]bool{} // that messages of a kind have
	for _, m := range want {
		kind := m["kind"].(string)
		if keys[kind] == nil {
			keys[kind] = map[string]bool{}
		}
		for key := range m {
			keys[kind][key] = true
		}
	}
	left := map[string]int{}
	for _, m := range objects(t, run(t, 0, "packets", "--json", capture).stdout) {
		left[only(m, keys[m["kind"].(string)])]++
	}
	for _, m := range want {
		key := only(m, keys[m["kind"].(string)])
		if left[key]--; left[key] == -1 {
			t.Errorf("missing: %s", key)
		}
	}
	for key, n := range left {
		if n > 0 {
			t.Errorf("%d more: %s", n, key)
		}
	}
}

// objects reads one object per line.
func objects(t *testing.T, lines string) (all []map[string]any) {
	t.Helper()
	for line := range strings.Lines(lines) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, m)
	}
	return all
}

// only writes the members of an object with some keys.
func only(m map[string]any, keys map[string]bool) string {
	some := map[string]any{}
	for key := range keys {
		some[key] = m[key]
	}
	text, _ := json.Marshal(some)
	return string(text)
}

// TestDamagedCaptures checks that damage is reported with its packet, its place and its path,
// and that all other messages come out.
func TestDamagedCaptures(t *testing.T) {
	const whole = "testdata/captures/mp-enet-norelay.pcap"
	data, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	all := len(objects(t, run(t, 0, "packets", "--json", whole).stdout))
	for _, test := range []struct {
		name        string
		offset      int
		was, is     string
		code, path  string
		frame, lost int
	}{
		{"argument count", 0x2de3, "\x01", "\xc8", "argument-count", "$.messages[66].argument_count", 105, 0},
		{"type of an argument", 0x2de4, "\x06", "\x1b", "unknown-type", "$.messages[66].gap", 105, 0},
		{"type of a message", 0x2dd4, "\x00", "\x07", "unknown-message", "$.messages[66].type", 105, 0},
		{"length in ENet", 0x2dca, "\x00\x2c", "\xff\x00", "length-overrun", "$.packets[104]", 105, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			damaged := append([]byte{}, data...)
			if got := string(damaged[test.offset : test.offset+len(test.was)]); got != test.was {
				t.Fatalf("%q is there, not %q", got, test.was)
			}
			copy(damaged[test.offset:], test.is)
			name := filepath.Join(t.TempDir(), "damaged.pcap")
			if err := os.WriteFile(name, damaged, 0o644); err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprint(test.code, " ", test.path, " ", test.frame, " ", test.offset)
			var found []string
			for _, p := range objects(t, run(t, 1, "check", "--json", name).stdout) {
				if p["severity"] == "error" {
					found = append(found, fmt.Sprint(p["code"], " ", p["path"], " ", p["frame"], " ", p["offset"]))
				}
			}
			if len(found) != 1 || found[0] != want {
				t.Errorf("errors %q, not %q", found, want)
			}
			if got := len(objects(t, run(t, 0, "packets", "--json", name).stdout)); got != all-test.lost {
				t.Errorf("%d messages, not %d", got, all-test.lost)
			}
		})
	}
}

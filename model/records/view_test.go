package records

import (
	"os"
	"slices"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/source"
)

// open returns the records of a capture in testdata.
func open(t *testing.T, name string) *List {
	t.Helper()
	data, err := os.ReadFile("../../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	d, err := decoder.Open(t.Context(), source.Bytes(data), decoder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	all := d.Buffers()
	return Of(all[len(all)-1])
}

// TestView: each record and remark of a view is at one position, records and the remarks at one place in their order; one that is not
// in it leads to what follows it.
func TestView(t *testing.T) {
	for _, name := range []string{"sessions/enet-frozen.pcapng", "captures/mp-enet-norelay.pcap", "sessions/godot3-ws-large.pcap", "sessions/trouble/ws-no-pong.pcap", "sessions/udp-two.pcap"} {
		l := open(t, name)
		whole := l.All()
		if whole.Len() != l.Count()+int64(len(l.Remarks)) {
			t.Errorf("%s: %d lines of %d records and %d remarks", name, whole.Len(), l.Count(), len(l.Remarks))
		}
		for _, query := range []string{"", "kind:rpc", "kind:connection", "-kind:connection", "has:problem", "kind:connection | kind:rpc", "flow:1"} {
			v, err := (&Search{Query: query}).Look(t.Context(), l, func(int64, int64) {})
			if err != nil {
				t.Fatal(err)
			}
			record, seen := int64(-1), []int64{}
			for i := range v.Len() {
				n := v.At(i)
				if at := v.Find(n); at != i {
					t.Errorf("%s: %q: %d is at %d, and found at %d", name, query, n, i, at)
				}
				switch x := l.Remark(n); {
				case x == nil && n <= record, x != nil && record >= x.Before:
					t.Errorf("%s: %q: %d is after record %d", name, query, n, record)
				case x == nil:
					record = n
				}
				seen = append(seen, n)
			}
			for i := range whole.Len() { // where the next one in the view is, in the order of all
				want := i
				for want < whole.Len() && (!slices.Contains(seen, whole.At(want)) || whole.At(want) < 0 && want > i) {
					want++
				}
				if at := v.Find(whole.At(i)); want < whole.Len() && v.At(at) != whole.At(want) {
					t.Errorf("%s: %q: %d leads to %d, not %d", name, query, whole.At(i), v.At(at), whole.At(want))
				}
			}
		}
	}
}

// TestRemarkPlaces: a remark stands where its packet is among those of the messages, also one that is known only at the end of the capture.
func TestRemarkPlaces(t *testing.T) {
	for _, name := range []string{"sessions/enet-frozen.pcapng", "captures/mp-enet-norelay.pcap", "sessions/godot3-ws-large.pcap", "sessions/trouble/tcp-zero-window.pcap"} {
		l := open(t, name)
		if len(l.Remarks) == 0 {
			t.Fatalf("%s has no remarks", name)
		}
		r := l.Tree.NewReader()
		for i := range l.Remarks {
			x := &l.Remarks[i]
			if x.When.IsZero() {
				t.Errorf("%s: no time of %q", name, x.Problem.Message)
			}
			for n := range l.Count() {
				row, err := l.Row(r, n, 80)
				if err != nil {
					t.Fatal(err)
				}
				if isBefore := n < x.Before; isBefore && row.When.After(x.When) || !isBefore && row.When.Before(x.When) {
					t.Errorf("%s: message %d of %s, and before message %d of %s: %s", name, n, row.When, x.Before, x.When, x.Problem.Message)
				}
			}
		}
	}
}

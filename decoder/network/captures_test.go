package network_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"varview/decoder/network"
	"varview/decoder/network/payload"
	_ "varview/internal/lessgc"
)

const folder = "../../testdata/captures/"

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(folder + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A recorder keeps what an engine hands over, as text.
type recorder struct {
	payloads []string // transport, source, destination, bytes
	frames   [][]int
	problems []string
	check    func(*payload.Payload)
}

func (r *recorder) Payload(p *payload.Payload) {
	r.payloads = append(r.payloads, fmt.Sprint(p.Flow.Transport, " ", p.Src, " ", p.Dst, " ", hex.EncodeToString(p.Bytes)))
	r.frames = append(r.frames, slices.Clone(p.Frames))
	if r.check != nil {
		r.check(p)
	}
}

func (r *recorder) Closed(*payload.Flow) {}

func (r *recorder) Problem(p *payload.Problem) {
	if !p.Event {
		r.problems = append(r.problems, fmt.Sprint(p.Frame, " ", p.Code))
	}
}

// message is a message in the truth of a capture.
type message struct {
	Transport, Src, Dst string
	Kind                string
	Data                string
	From, To, Peer      int32
}

// want returns the payloads that carry the messages of a recording.
func want(t testing.TB, recording string) (all []string) {
	lines := bufio.NewScanner(bytes.NewReader(readFile(t, recording+".messages.jsonl")))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var m message
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		data, _ := hex.DecodeString(m.Data)
		if strings.HasPrefix(recording, "enet-") { // Godot's header: source and target
			switch m.Kind {
			case "add-peer":
				data = append(number(0), number(m.Peer)...)
			case "del-peer":
				data = append(number(1), number(m.Peer)...)
			default:
				data = slices.Concat(number(m.From), number(m.To), data)
			}
		}
		all = append(all, fmt.Sprint(m.Transport, " ", m.Src, " ", m.Dst, " ", hex.EncodeToString(data)))
	}
	return all
}

func number(n int32) []byte { return []byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)} }

// TestCaptures: what engines sent is read from captures, and the parts of each payload are where its bytes
// are.
func TestCaptures(t *testing.T) {
	for _, c := range []struct {
		name       string
		recordings []string
		addresses  bool // are as in the recordings
	}{
		{"udp.pcap", []string{"udp"}, true},
		{"tcp-putvar-be.pcap", []string{"tcp-putvar-be"}, true},
		{"enet-peer-range.pcap", []string{"enet-peer-range"}, true},
		{"enet-reconnect.pcap", []string{"enet-reconnect"}, true},
		{"enet-duplicates.pcap", []string{"enet-peer"}, false},
		{"tcp-overlap-putvar.pcap", []string{"tcp-putvar"}, false},
		{"ip6-fragments.pcap", []string{"udp-v6"}, false},
		{"ng-simple-packets.pcapng", []string{"udp"}, false},
		{"ng-interfaces.pcapng", []string{"enet-reconnect", "udp", "tcp-putvar"}, false},
	} {
		data := readFile(t, c.name)
		r := &recorder{check: func(p *payload.Payload) { checkParts(t, data, p) }}
		if _, err := network.Read(context.Background(), bytes.NewReader(data), network.Options{}, r); err != nil {
			t.Fatal(err)
		}
		var wanted []string
		for _, recording := range c.recordings {
			wanted = append(wanted, want(t, recording)...)
		}
		got := r.payloads
		if !c.addresses {
			got, wanted = withoutAddresses(got), withoutAddresses(wanted)
		}
		slices.Sort(got)
		slices.Sort(wanted)
		if len(wanted) < 28 || !slices.Equal(got, wanted) {
			t.Errorf("%s: %d payloads, not %d: %s", c.name, len(got), len(wanted), difference(got, wanted))
		}
		r.problems = slices.DeleteFunc(r.problems, func(p string) bool {
			return (c.name == "tcp-overlap-putvar.pcap" || c.name == "enet-peer-range.pcap") && strings.HasSuffix(p, " sent-again")
		})
		if len(r.problems) > 0 { // segments that overlap repeat something, and a peer on a slow machine does
			t.Errorf("%s: %v", c.name, r.problems)
		}
	}
}

func withoutAddresses(all []string) (out []string) {
	for _, s := range all {
		words := strings.Fields(s + " -")
		out = append(out, words[0]+" "+words[3])
	}
	return out
}

func difference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return got[i] + "\nnot " + want[i]
		}
	}
	return ""
}

// checkParts checks that the parts of a payload are as long as it, and lead to its bytes.
func checkParts(t testing.TB, file []byte, p *payload.Payload) {
	at := int64(0)
	for _, part := range p.Parts {
		if part.Form != payload.Unpacked {
			for i := range part.Length {
				b := file[part.At.Offset+i]
				if part.Form == payload.Masked {
					b ^= part.Mask[i&3]
				}
				if b != p.Bytes[at+i] {
					t.Fatalf("frame %d: the byte %d of a payload is not at %#x", p.Frame(), at+i, part.At.Offset+i)
				}
			}
		}
		at += part.Length
	}
	if at != int64(len(p.Bytes)) {
		t.Fatalf("frame %d: the parts have %d bytes, the payload %d", p.Frame(), at, len(p.Bytes))
	}
	if len(p.Frames) == 0 || !slices.IsSorted(p.Frames) {
		t.Fatalf("frames %v", p.Frames)
	}
}

// TestPacked: a compressed capture is read as if it were not.
func TestPacked(t *testing.T) {
	plain := readFile(t, "udp.pcap")
	var zipped, zstded bytes.Buffer
	g := gzip.NewWriter(&zipped)
	_, _ = g.Write(plain)
	_ = g.Close()
	z, _ := zstd.NewWriter(&zstded)
	_, _ = z.Write(plain)
	_ = z.Close()
	wanted := want(t, "udp")
	for name, data := range map[string][]byte{"gzip": zipped.Bytes(), "zstd": zstded.Bytes()} {
		r := new(recorder)
		if _, err := network.Read(context.Background(), bytes.NewReader(data), network.Options{}, r); err != nil || len(r.problems) > 0 {
			t.Fatal(name, err, r.problems)
		}
		slices.SortFunc(r.payloads, cmp.Compare)
		slices.Sort(wanted)
		if !slices.Equal(r.payloads, wanted) {
			t.Errorf("%s: %s", name, difference(r.payloads, wanted))
		}
		r = new(recorder)
		if _, err := network.Read(context.Background(), bytes.NewReader(data[:len(data)/2]), network.Options{}, r); err != nil || len(r.problems) == 0 || len(r.payloads) > len(wanted) {
			t.Errorf("%s, cut: %d payloads, %v, %v", name, len(r.payloads), r.problems, err)
		}
		r = new(recorder)
		if _, err := network.Read(context.Background(), bytes.NewReader(data), network.Options{MaxUnpacked: 1000}, r); err != nil || !slices.Contains(r.problems, "0 unreadable") {
			t.Errorf("%s, limited: %v, %v", name, r.problems, err)
		}
	}
}

// TestPackedDamaged: a changed byte of a compressed capture is a problem, not an error; what cannot be read
// from the file is an error.
func TestPackedDamaged(t *testing.T) {
	var zipped, zstded bytes.Buffer
	g := gzip.NewWriter(&zipped)
	_, _ = g.Write(readFile(t, "udp.pcap"))
	_ = g.Close()
	z, _ := zstd.NewWriter(&zstded)
	_, _ = z.Write(readFile(t, "udp.pcap"))
	_ = z.Close()
	for name, whole := range map[string][]byte{"gzip": zipped.Bytes(), "zstd": zstded.Bytes()} {
		for at := 0; at < len(whole); at += 1 + at/20 {
			for _, by := range []byte{1, 6, 0xff} {
				data := bytes.Clone(whole)
				data[at] ^= by
				if _, err := network.Read(context.Background(), bytes.NewReader(data), network.Options{}, new(recorder)); err != nil {
					t.Fatalf("%s, byte %d: %v", name, at, err)
				}
			}
		}
		broken := errors.New("the disk is broken")
		in := io.MultiReader(bytes.NewReader(whole[:len(whole)/2]), iotest.ErrReader(broken))
		if _, err := network.Read(context.Background(), in, network.Options{}, new(recorder)); !errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFlows: what a flow carries can be set.
func TestFlows(t *testing.T) {
	data := readFile(t, "enet-reconnect.pcap")
	r := new(recorder)
	o := network.Options{Flows: map[int]payload.Transport{2: payload.UDP}}
	if _, err := network.Read(context.Background(), bytes.NewReader(data), o, r); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, p := range r.payloads {
		counts[strings.Fields(p)[0]]++
	}
	if counts["udp"] < 8 || counts["enet"] != 24 {
		t.Errorf("%v", counts)
	}
}

// TestNotACapture: any other file is a problem, not an error.
func TestNotACapture(t *testing.T) {
	for _, data := range []string{"", "GCPF", strings.Repeat("no capture ", 100)} {
		r := new(recorder)
		s, err := network.Read(context.Background(), strings.NewReader(data), network.Options{}, r)
		if err != nil || s.Packets != 0 || !slices.Equal(r.problems, []string{"0 no-capture"}) {
			t.Errorf("%q: %v %v", data[:min(len(data), 10)], r.problems, err)
		}
	}
}

// TestStreams: what is said of TCP streams: nothing wrong where a game does not send for get_var, and one cause once.
func TestStreams(t *testing.T) {
	const value = "\x04\x00\x00\x00\x10\x00\x00\x00Aria is here now" // of 24 bytes
	packed := base64.StdEncoding.EncodeToString([]byte(value)) + "\n"
	framed := strings.Repeat("\x18\x00\x00\x00"+value, 20)
	for _, c := range []struct {
		name, stream string
		segment      int // size
		lost         int // a segment that is not in the capture
		cut          int // bytes that the file lacks
		want         string
	}{
		{"JSON after 16 bits", strings.Repeat("\x00\x11{\"hero\": \"Brann\"}", 20), 19, -1, 0, "the TCP stream has JSON, with a length of 16 bits before each value"},
		{"values after 16 bits", strings.Repeat("\x18\x00"+value, 20), 26, -1, 0, "other-framing"},
		{"values in base64", strings.Repeat(packed, 20), len(packed), -1, 0, "the TCP stream has values in base64, with one text on each line"},
		{"text", strings.Repeat("SAY hello\n", 20), 10, -1, 0, "the TCP stream has text, with one text on each line"},
		{"a file that is cut", framed, 28, -1, 20, "truncated missing-segment"},
		{"a segment that is lost", framed, 10, 4, 0, "missing-segment"},
	} {
		var file bytes.Buffer
		at := 0
		g := generate(1+len(c.stream)/c.segment, func(i int) []byte {
			if i == 0 {
				return tcp(1, 0, 2, nil)
			}
			if i == c.lost+1 {
				at += c.segment
			}
			b := tcp(1, uint32(1+at), 16, []byte(c.stream[at:min(len(c.stream), at+c.segment)]))
			at = min(len(c.stream), at+c.segment)
			return b
		})
		_, _ = file.ReadFrom(g)
		file.Truncate(file.Len() - c.cut)
		var got notes
		if _, err := network.Read(context.Background(), &file, network.Options{}, &got); err != nil || got.payloads == 0 {
			t.Errorf("%s: %d payloads, %v", c.name, got.payloads, err)
		}
		var said []string
		for _, p := range got.problems {
			said = append(said, cmp.Or(p.Code, p.Message))
		}
		if all := strings.Join(said, " "); all != c.want {
			t.Errorf("%s: %s, not %s", c.name, all, c.want)
		}
	}
}

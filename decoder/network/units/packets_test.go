package units

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/network"
	"varview/decoder/network/payload"
)

func open(b []byte) *tree.Tree {
	src, region := source.Bytes(b), span.Between(0, int64(len(b)))
	var found problemsOf
	is, err := network.Read(context.Background(), bytes.NewReader(b), network.Options{}, &found)
	if err != nil {
		panic(err)
	}
	return tree.New(src, New(src, region, Known{Summary: is, Problems: found}), region)
}

// problemsOf takes the problems of a capture.
type problemsOf []span.Problem

func (*problemsOf) Payload(*payload.Payload) {}
func (*problemsOf) Closed(*payload.Flow)     {}
func (all *problemsOf) Problem(p *payload.Problem) {
	if !p.Event && p.Severity == span.Error {
		*all = append(*all, p.Problem)
	}
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../../../testdata/captures/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// fields lists all fields as "path kind label=meaning" and checks that they tile the bytes.
func fields(t testing.TB, tr *tree.Tree) (all []string) {
	t.Helper()
	at := int64(0)
	err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		if f.Offset != at || f.Length <= 0 {
			t.Fatalf("field %+v at %d", f, at)
		}
		at = f.End()
		all = append(all, fmt.Sprintf("%s %s %s=%s", f.Path, f.Kind, f.Label, f.Value))
		return nil
	})
	if err != nil || at != tr.Source.Size() {
		t.Fatalf("fields end at %d of %d: %v", at, tr.Source.Size(), err)
	}
	return all
}

// problems lists all problems, "code path".
func problems(t testing.TB, tr *tree.Tree) (all []string) {
	t.Helper()
	err := tr.Check(context.Background(), tree.CheckOptions{}, func(p span.Problem, n *tree.Node) {
		if p.Offset < 0 || p.End() > tr.Source.Size() {
			t.Errorf("%s at %v of %d bytes", p.Code, p.Span, tr.Source.Size())
		}
		all = append(all, p.Code+" "+tr.NewReader().Path(n))
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestCaptures: the fields of real captures tile them, and nothing is reported.
func TestCaptures(t *testing.T) {
	names, err := filepath.Glob("../../../testdata/captures/*.pcap*")
	if err != nil || len(names) < 8 {
		t.Fatal(names, err)
	}
	for _, name := range slices.DeleteFunc(names, func(name string) bool { return filepath.Ext(name) == ".gz" }) {
		tr := open(readFile(t, filepath.Base(name)))
		if all := fields(t, tr); len(all) < 500 {
			t.Errorf("%s: %d fields", name, len(all))
		}
		if p := problems(t, tr); p != nil {
			t.Errorf("%s: %v", name, p)
		}
	}
}

// frame is an Ethernet frame of IPv4 and UDP with an ENet datagram of CONNECT, then two bytes that fill it
// up.
const frame = "02000000000202000000000108004500005000010000401100007f0000017f000001" + "1b58 1b59 003c 0000" +
	"8fff0001 82ff0001 0000 ff ff 00000578 00010000 00000003 00000000 00000000 00001388 00000002 00000002 0a0b0c0d 00000007" + "aaaa"

// TestFields: the fields of a file with a packet, by hand.
func TestFields(t *testing.T) {
	packet, err := hex.DecodeString(strings.ReplaceAll(frame, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	file := append([]byte("\xd4\xc3\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x00\x00\x01\x00\x00\x00"), "\x07\x00\x00\x00\x08\x00\x00\x00"...)
	file = le.AppendUint32(file, uint32(len(packet)))
	file = append(le.AppendUint32(file, uint32(len(packet))), packet...)
	want := strings.Fields(`
		$.header.magic=d4c3b2a1 $.header.major=2 $.header.minor=4 $.header.zone=00000000 $.header.accuracy=00000000 $.header.snaplen=65535 $.header.link_type=1
		$.packets[0].seconds=7 $.packets[0].fraction=8 $.packets[0].captured=96 $.packets[0].wire=96
		$.packets[0].eth.dst=02:00:00:00:00:02 $.packets[0].eth.src=02:00:00:00:00:01 $.packets[0].eth.type=0x800
		$.packets[0].ip.version=0x45 $.packets[0].ip.tos=0x0 $.packets[0].ip.length=80 $.packets[0].ip.id=1 $.packets[0].ip.fragment=0x0 $.packets[0].ip.ttl=64
		$.packets[0].ip.protocol=17 $.packets[0].ip.checksum=0x0 $.packets[0].ip.src=127.0.0.1 $.packets[0].ip.dst=127.0.0.1
		$.packets[0].udp.sport=7000 $.packets[0].udp.dport=7001 $.packets[0].udp.length=60 $.packets[0].udp.checksum=0x0
		$.packets[0].enet.peer=peer_4095,_session_0,_with_the_time $.packets[0].enet.sent_time=1
		$.packets[0].enet.commands[0].command=connect $.packets[0].enet.commands[0].channel=255 $.packets[0].enet.commands[0].sequence=1
		$.packets[0].enet.commands[0].peer=0 $.packets[0].enet.commands[0].incoming_session=255 $.packets[0].enet.commands[0].outgoing_session=255
		$.packets[0].enet.commands[0].mtu=1400 $.packets[0].enet.commands[0].window=65536 $.packets[0].enet.commands[0].channels=3
		$.packets[0].enet.commands[0].incoming=0 $.packets[0].enet.commands[0].outgoing=0 $.packets[0].enet.commands[0].interval=5000
		$.packets[0].enet.commands[0].acceleration=2 $.packets[0].enet.commands[0].deceleration=2 $.packets[0].enet.commands[0].connect_id=0xa0b0c0d
		$.packets[0].enet.commands[0].data=7 $.packets[0].padding=aaaa`)
	tr := open(file)
	var got []string
	for _, f := range fields(t, tr) {
		path, meaning, _ := strings.Cut(f, " ")
		_, meaning, _ = strings.Cut(meaning, "=")
		got = append(got, path+"="+strings.ReplaceAll(meaning, " ", "_"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	n, err := tr.NewReader().Resolve("packets[0].udp.sport")
	if err != nil || n.Start != 24+16+34 || n.End != n.Start+2 {
		t.Errorf("%+v, %v", n, err)
	}
}

// TestDamage: damage is reported where it is, and what follows is read.
func TestDamage(t *testing.T) {
	data := readFile(t, "enet-reconnect.pcap")
	long := slices.Clone(data)
	binary.LittleEndian.PutUint32(long[24+8:], 0x7fffffff) // of the first packet
	ng := readFile(t, "ng-simple-packets.pcapng")
	longBlock := slices.Clone(ng)
	first := binary.LittleEndian.Uint32(ng[4:])
	second := first + binary.LittleEndian.Uint32(ng[first+4:])
	binary.LittleEndian.PutUint32(longBlock[second+4:], 0xfffffff0)
	command := slices.Clone(data)
	at, n := 24, 0
	for ; n < 12 || data[at+16+42]&0x80 == 0; n++ { // up to a datagram with a time
		at += 16 + int(binary.LittleEndian.Uint32(data[at+8:]))
	}
	command[at+16+42+4] = 0x8d // a command that does not exist
	for _, c := range []struct {
		name string
		data []byte
		want []string
		path string // that is still there
	}{
		{"no capture", []byte("no capture"), []string{"no-capture $"}, ""},
		{"cut in a packet", data[:24+16+10], []string{"truncated $.packets[0]"}, "packets[0].captured"},
		{"cut in a header", data[:24+5], []string{"truncated $.packets[0]"}, ""},
		{"a captured length that cannot be", long, []string{"length-overrun $.packets[0]", "unreadable $.packets[0]"}, "packets[80].udp.sport"},
		{"a command that does not exist, in a flow that is ENet's", command, []string{fmt.Sprintf("wrong-enet-command $.packets[%d]", n)}, fmt.Sprintf("packets[%d].enet.gap", n)},
		{"a length of a block that cannot be", longBlock, []string{"length-overrun $.blocks[1]", "unreadable $.blocks[1]"}, "blocks[60].udp.sport"},
	} {
		tr := open(c.data)
		fields(t, tr)
		if got := problems(t, tr); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v", c.name, got)
		}
		if _, err := tr.NewReader().Resolve(c.path); c.path != "" && err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// FuzzTile: the fields of any bytes are in order, not empty, and cover them; what is exported
// is JSON.
func FuzzTile(f *testing.F) {
	for _, name := range []string{"udp.pcap", "enet-reconnect.pcap", "ng-interfaces.pcapng"} {
		f.Add(readFile(f, name)[:2000])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tr := open(data)
		fields(t, tr)
		problems(t, tr)
		var out bytes.Buffer
		if err := tr.NewReader().WriteJSON(context.Background(), &out, &tr.Base.Value); err != nil || !json.Valid(out.Bytes()) {
			t.Fatalf("%v %q", err, out.Bytes())
		}
	})
}

// TestTunnel: the headers around a tunnel and in it are shown.
func TestTunnel(t *testing.T) {
	all := fields(t, open(readFile(t, "../sessions/link-vxlan.pcap")))
	for _, want := range []string{"$.packets[0].udp.dport value dport=4789", "$.packets[0].vxlan.network id network=000001", "$.packets[0].udp2.dport value dport=8427"} {
		if !slices.Contains(all, want) {
			t.Errorf("no %s in %q", want, all[:50])
		}
	}
}

// A counting reading counts the values that are read.
type counting struct {
	*Packets
	read int
}

func (r *counting) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	r.read++
	r.Packets.Read(w, parent, slot, off, v)
}

// TestCheckPasses: packets in which nothing is known to be wrong are passed, and not read with all that is in them.
func TestCheckPasses(t *testing.T) {
	tr := open(readFile(t, "auth.pcap"))
	r := &counting{Packets: tr.Reading.(*Packets)}
	of := tree.New(tr.Source, r, tr.Region)
	fields(t, of)
	all := r.read
	for _, problem := range []span.Span{{}, {Offset: 1000, Length: 1}} {
		if r.problems = nil; problem.Length > 0 {
			r.problems = []span.Problem{{Span: problem, Severity: span.Error, Code: "bad"}}
		}
		r.read = 0
		if found := problems(t, of); len(found) != len(r.problems) || r.read > all*3/5 {
			t.Errorf("%d values of %d are read, problems %v", r.read, all, found)
		}
	}
}

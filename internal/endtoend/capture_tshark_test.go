package endtoend

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"varview/decoder/engine/span"
	packet "varview/decoder/network/link"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
)

// wiresharkFields are the fields that both programs read of a packet, with Wireshark's names.
var wiresharkFields = strings.Fields("frame.cap_len frame.len ip.src ip.dst ipv6.src ipv6.dst ip.checksum.status " +
	"udp.srcport udp.dstport udp.length udp.checksum.status tcp.srcport tcp.dstport tcp.seq_raw tcp.ack_raw tcp.flags tcp.hdr_len tcp.checksum.status")

// ofIP is the number of these fields up to IP.
const ofIP = 7

// TestWireshark: tshark reads the same IP packets, and the same headers of IP, UDP and TCP with the same
// checksums, in all captures; -corpus names other captures. (To tshark, blocks that are not packets, such
// as custom blocks of pcapng, are frames too.)
func TestWireshark(t *testing.T) {
	long(t)
	t.Parallel()
	if _, err := exec.LookPath("tshark"); err != nil {
		t.Skip("tshark is not here: install it to compare with")
	}
	packets := 0
	for _, name := range captureFiles(t) {
		own := ownRows(t, name)
		theirs, failed := tsharkRows(t, name)
		if len(own) < len(theirs) || len(own) > len(theirs) && !failed {
			t.Errorf("%s: %d packets, tshark has %d (fails: %v)", name, len(own), len(theirs), failed)
			continue
		}
		for i, row := range theirs {
			if own[i] != row && !strings.HasPrefix(row, own[i]+"\t") {
				t.Errorf("%s:\n%s, not\n%s", filepath.Base(name), own[i], row)
				break
			}
		}
		packets += len(theirs)
	}
	if packets < 500 {
		t.Errorf("%d packets are compared", packets)
	}
}

// tsharkRows returns the fields of each packet as tshark prints them, and whether tshark fails: it does
// not read on after damage.
func tsharkRows(t *testing.T, name string) (rows []string, failed bool) {
	args := []string{"-n", "-r", name, "-T", "fields", "-E", "occurrence=l", "-Y", "ip or ipv6"}
	for _, o := range []string{"ip.defragment:FALSE", "ipv6.defragment:FALSE", "ip.check_checksum:TRUE", "udp.check_checksum:TRUE", "tcp.check_checksum:TRUE"} {
		args = append(args, "-o", o)
	}
	for _, f := range wiresharkFields {
		args = append(args, "-e", f)
	}
	var out bytes.Buffer
	c := exec.Command("tshark", args...)
	c.Stdout = &out
	failed = c.Run() != nil
	for line := range strings.Lines(out.String()) {
		rows = append(rows, strings.TrimSuffix(line, "\n"))
	}
	return rows, failed
}

// ownRows returns the same rows from varview's own reading. IP fragments are left out.
func ownRows(t *testing.T, name string) (rows []string) {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	r := pcap.NewReader(in, func(int, span.Problem) {})
	if ok, err := r.Open(); !ok || err != nil {
		return nil
	}
	for {
		p, err := r.Next()
		if err == io.EOF {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		var h packet.Packet
		packet.Decode(p.Link, p.Data, p.Wire, &h)
		if h.IsIP {
			rows = append(rows, strings.Join(ownRow(&p, &h), "\t"))
		}
	}
}

func ownRow(p *pcap.Packet, h *packet.Packet) []string {
	var row [18]string
	row[0], row[1] = fmt.Sprint(len(p.Data)), fmt.Sprint(p.Wire)
	for _, x := range h.Headers() {
		switch x.Layer {
		case packet.IPv4:
			b := p.Data[x.Start:]
			row[2], row[3] = netip.AddrFrom4([4]byte(b[12:16])).String(), netip.AddrFrom4([4]byte(b[16:20])).String()
			row[6] = map[bool]string{true: "1", false: "0"}[packet.Sum(b[:x.End-x.Start]) == 0]
		case packet.IPv6:
			b := p.Data[x.Start:]
			row[4], row[5] = netip.AddrFrom16([16]byte(b[8:24])).String(), netip.AddrFrom16([16]byte(b[24:40])).String()
		}
	}
	b := p.Data[h.Start:h.End]
	if h.IsFragment {
		return row[:ofIP]
	}
	status := map[packet.SumState]string{packet.Holds: "1", packet.Pending: "0", packet.Wrong: "0", packet.NoSum: "3"}
	switch h.Protocol {
	case packet.ProtoUDP:
		if u, ok := packet.ParseUDP(b); ok {
			row[7], row[8], row[9] = fmt.Sprint(u.Src), fmt.Sprint(u.Dst), fmt.Sprint(u.Length)
			if row[10] = "2"; h.Missing == 0 {
				row[10] = status[packet.CheckSum(b, h.Protocol, h.Src, h.Dst)]
			}
		}
	case packet.ProtoTCP:
		if c, ok := packet.ParseTCP(b); ok {
			row[11], row[12], row[13], row[14] = fmt.Sprint(c.Src), fmt.Sprint(c.Dst), fmt.Sprint(c.Seq), fmt.Sprint(c.Ack)
			row[15], row[16] = fmt.Sprintf("0x%04x", c.Flags), fmt.Sprint(c.Size)
			if row[17] = "2"; h.Missing == 0 {
				row[17] = status[packet.CheckSum(b, h.Protocol, h.Src, h.Dst)]
			}
		}
	}
	return row[:]
}

// TestWiresharkTCP: tshark counts as many packets, bytes, repeated segments and full windows of each side of a TCP connection, and, where
// nothing is repeated, as many round trips, which take as long. (An acknowledgement of what was repeated may be that of either.)
func TestWiresharkTCP(t *testing.T) {
	long(t)
	if _, err := exec.LookPath("tshark"); err != nil {
		t.Skip("tshark is not here: install it to compare with")
	}
	for _, name := range []string{"captures/tcp-putvar-be.pcap", "captures/mp-ws-objects.pcap.gz", "sessions/ws-closed.pcap", "sessions/tcp-json-lines.pcap", "sessions/trouble/tcp-zero-window.pcap", "sessions/trouble/ws-no-pong.pcap"} {
		name = "testdata/" + name
		out, err := exec.Command("tshark", strings.Fields("-n -r "+name+" -Y tcp -T fields -e ip.src -e tcp.srcport -e ip.dst -e tcp.dstport -e frame.len -e tcp.analysis.retransmission -e tcp.analysis.zero_window -e tcp.analysis.ack_rtt")...).Output()
		if err != nil {
			t.Fatal(err)
		}
		theirs, trips := map[string][4]int{}, map[string]payload.Trips{}
		for line := range strings.Lines(string(out)) {
			var size int
			cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			fmt.Sscan(cells[4], &size)
			side, to := strings.Join(cells[:4], ":"), strings.Join(append(cells[2:4:4], cells[:2]...), ":")
			if seconds, err := strconv.ParseFloat(cells[7], 64); err == nil { // of what the other side has sent
				is := trips[to]
				is.Add(time.Duration(seconds * float64(time.Second)))
				trips[to] = is
			}
			is := theirs[side]
			is[0], is[1], is[2], is[3] = is[0]+1, is[1]+size, is[2]+len(cells[5]), is[3]+len(cells[6])
			theirs[side] = is
		}
		own := map[string][4]int{}
		for _, r := range objects(t, run(t, 0, "packets", "--flows", "--json", name).stdout) {
			number := func(name string) int { return int(r[name].(float64)) }
			side := r["src"].(string) + ":" + r["dst"].(string)
			own[side] = [4]int{number("packets"), number("wire"), number("resent"), number("zero_windows")}
			is := trips[side]
			if ms := float64(is.Mean()) / float64(time.Millisecond); theirs[side][2] == 0 && (is.Count != number("trips") || math.Abs(ms-r["rtt"].(float64)) > 0.01) {
				t.Errorf("%s: %s: %v round trips of %v ms, tshark has %d of %f", name, side, r["trips"], r["rtt"], is.Count, ms)
			}
		}
		if len(theirs) == 0 || fmt.Sprint(own) != fmt.Sprint(theirs) {
			t.Errorf("%s: %v, tshark has %v", name, own, theirs)
		}
	}
}

package packets

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"time"

	"varview/decoder/network/message"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
	"varview/internal/text"
)

// A flowRow says what one side of a flow has sent, in all or in an interval. Times are in milliseconds.
type flowRow struct {
	Time      float64 `json:"time"` // seconds from the start of the capture to that of the interval
	Flow      int     `json:"flow"`
	Transport string  `json:"transport"`
	Src       string  `json:"src"`
	Dst       string  `json:"dst"`
	Peer      string  `json:"peer,omitempty"`
	Packets   int     `json:"packets"`
	Wire      int64   `json:"wire"`
	Messages  int     `json:"messages"`
	Bytes     int     `json:"bytes"`
	Resent    int     `json:"resent"`
	Dropped   int     `json:"dropped"`
	Trips     int     `json:"trips"`
	RTT       float64 `json:"rtt"`
	Least     float64 `json:"rtt_least"`
	Most      float64 `json:"rtt_most"`
	Variance  float64 `json:"rtt_variance"`
	Throttle  int     `json:"throttle_least"`
	Unacked   int     `json:"unacked"`
	MostAcked int     `json:"unacked_most"`
	Fragments int     `json:"fragments_most"`
	Zero      int     `json:"zero_windows"`
}

// flows are the conversations of a capture.
type flows struct {
	every  time.Duration // length of the intervals; 0 for the capture as a whole
	list   []*talk
	byFlow map[*payload.Flow]*talk
	first  time.Time
	next   time.Duration // end of the interval
	rows   []flowRow
}

// A talk is a flow with what its messages add up to.
type talk struct {
	*payload.Flow
	sides [2]struct {
		now, before said
		peer        string
	}
}

// A said is what one side has sent so far.
type said struct {
	payload.Traffic
	messages, bytes int
}

// begin notes a flow.
func (f *flows) begin(of *payload.Flow) {
	if f.byFlow == nil {
		f.byFlow = map[*payload.Flow]*talk{}
	}
	f.byFlow[of] = &talk{Flow: of}
	f.list = append(f.list, f.byFlow[of])
}

// packet ends the intervals before a packet.
func (f *flows) packet(p *pcap.Packet) {
	if f.first.IsZero() {
		f.first, f.next = p.Time, f.every
	}
	for f.every > 0 && !p.Time.IsZero() && p.Time.Sub(f.first) >= f.next {
		f.end(f.next - f.every)
		f.next = max(f.next+f.every, p.Time.Sub(f.first).Truncate(f.every)+f.every)
	}
}

// message counts a message.
func (f *flows) message(m *message.Message) {
	t := f.byFlow[m.Payload.Flow]
	if t == nil {
		return
	}
	s := &t.sides[0]
	if m.Payload.Src != t.A {
		s = &t.sides[1]
	}
	s.now.messages++
	s.now.bytes += len(m.Payload.Bytes)
	if m.From.Known && m.Kind != message.Relay && (m.Protocol == message.Godot4 || m.From.ID == 1 || m.Payload.Connection == nil || m.Payload.Src != m.Payload.Connection.Server) {
		s.peer = fmt.Sprint(m.From.ID)
	}
}

// end ends an interval that began at a time.
func (f *flows) end(at time.Duration) {
	for _, t := range f.list {
		for i := range t.sides {
			s := &t.sides[i]
			s.now.Traffic = t.Sent[i]
			if s.now.Packets > s.before.Packets {
				f.rows = append(f.rows, s.now.row(&s.before, t.Flow, i, at, s.peer))
			}
			s.before = s.now
		}
	}
}

// row returns what was sent since another time.
func (s *said) row(since *said, f *payload.Flow, side int, at time.Duration, peer string) flowRow {
	ends := [2]netip.AddrPort{f.A, f.B}
	trips := payload.Trips{Count: s.Trips.Count - since.Trips.Count, Sum: s.Trips.Sum - since.Trips.Sum}
	ms := func(d time.Duration) float64 {
		return float64(d.Round(10*time.Microsecond)) / float64(time.Millisecond)
	}
	return flowRow{Time: at.Seconds(), Flow: f.Number, Transport: f.Transport.String(), Src: ends[side].String(), Dst: ends[1-side].String(), Peer: peer,
		Packets: s.Packets - since.Packets, Wire: s.Wire - since.Wire, Messages: s.messages - since.messages, Bytes: s.bytes - since.bytes,
		Resent: s.Resent - since.Resent, Dropped: max(0, s.Dropped-since.Dropped), Trips: trips.Count, RTT: ms(trips.Mean()), Least: ms(s.Trips.Least), Most: ms(s.Trips.Most),
		Variance: ms(s.Trips.Variance), Throttle: s.Throttle.Least, Unacked: s.Unacked, MostAcked: s.MostAcked, Fragments: s.MostParts, Zero: s.ZeroWindows - since.ZeroWindows}
}

// write writes the rows as JSON lines, as CSV, or for people.
func (f *flows) write(out *bufio.Writer, o *Options) error {
	if f.every == 0 {
		f.end(0)
	} else {
		f.end(f.next - f.every)
	}
	switch {
	case o.JSON:
		for _, r := range f.rows {
			out.Write(appendLine(nil, r))
		}
	case o.CSV:
		w := csv.NewWriter(out)
		w.Write(flowRow{}.cells(true))
		for _, r := range f.rows {
			w.Write(r.cells(false))
		}
		w.Flush()
		return w.Error()
	default:
		fmt.Fprintf(out, "%8s %4s %-9s %-*s %-11s %7s %10s %8s %10s %6s %7s  %-22s %8s %8s %7s %5s %4s\n", "time", "flow", "carries", fromToWidth, "from → to", "peer",
			"packets", "wire", "messages", "bytes", "resent", "dropped", "rtt ms (least–most)", "variance", "throttle", "unacked", "parts", "zero")
		for _, r := range f.rows {
			fmt.Fprintln(out, strings.TrimRight(r.line(), " "))
		}
	}
	return nil
}

// fromToWidth is the width of the column with the two sides.
const fromToWidth = 44

// line returns the row for people.
func (r *flowRow) line() string {
	trips, variance, throttle := "", "", ""
	if r.Trips > 0 {
		trips, variance = fmt.Sprintf("%.1f (%.1f–%.1f)", r.RTT, r.Least, r.Most), fmt.Sprintf("%.1f", r.Variance)
	}
	if r.Transport == payload.ENet.String() && r.Trips > 0 {
		throttle = fmt.Sprintf("%d of %d", r.Throttle, payload.FullThrottle)
	}
	return fmt.Sprintf("%8.1f %4d %-9s %s %-11s %7d %10d %8d %10d %6d %7d  %s %8s %8s %7d %5d %4d", r.Time, r.Flow, r.Transport, text.Fit(r.Src+" → "+r.Dst, fromToWidth), r.Peer,
		r.Packets, r.Wire, r.Messages, r.Bytes, r.Resent, r.Dropped, text.Fit(trips, 22), variance, throttle, r.MostAcked, r.Fragments, r.Zero)
}

// cells returns the names of the columns, or the row's texts.
func (r flowRow) cells(names bool) (all []string) {
	v := reflect.ValueOf(r)
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if !names {
			name = fmt.Sprint(v.Field(i).Interface())
		}
		all = append(all, name)
	}
	return all
}

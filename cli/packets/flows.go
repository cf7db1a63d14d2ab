package packets

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"fmt"
	"net/netip"
	"reflect"
	"slices"
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
	frame  int           // the last packet
	ended  []interval
}

// An interval begins at a time, and has ended.
type interval struct {
	at   time.Duration
	last int // the last packet before its end
}

// A talk is a flow with what its sides have sent.
type talk struct {
	*payload.Flow
	sides [2]side
}

// A side is what one side of a flow has sent.
type side struct {
	before payload.Traffic  // up to the interval
	rows   map[int]*flowRow // by the number of the interval
	peer   string           // as far as the rows are written
}

// row returns the row of an interval.
func (s *side) row(number int) *flowRow {
	r := s.rows[number]
	if r == nil {
		if s.rows == nil {
			s.rows = map[int]*flowRow{}
		}
		r = new(flowRow)
		s.rows[number] = r
	}
	return r
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
	f.frame = p.Frame
}

// message counts a message in the interval of the packet that completed it. That may have ended, as messages are
// held back until it is known what they are.
func (f *flows) message(m *message.Message) {
	t := f.byFlow[m.Payload.Flow]
	if t == nil {
		return
	}
	s := &t.sides[0]
	if m.Payload.Src != t.A {
		s = &t.sides[1]
	}
	number, _ := slices.BinarySearchFunc(f.ended, m.Payload.Frame(), func(i interval, frame int) int { return cmp.Compare(i.last, frame) })
	r := s.row(number)
	r.Messages++
	r.Bytes += len(m.Payload.Bytes)
	if m.From.Known && m.Kind != message.Relay && (m.Protocol == message.Godot4 || m.From.ID == 1 || m.Payload.Connection == nil || m.Payload.Src != m.Payload.Connection.Server) {
		r.Peer = fmt.Sprint(m.From.ID)
	}
}

// end ends an interval that began at a time.
func (f *flows) end(at time.Duration) {
	for _, t := range f.list {
		for i := range t.sides {
			s := &t.sides[i]
			if t.Sent[i].Packets > s.before.Packets {
				s.row(len(f.ended)).traffic(&t.Sent[i], &s.before)
			}
			s.before = t.Sent[i]
		}
	}
	f.ended = append(f.ended, interval{at, f.frame})
}

// rows ends the last interval and returns all rows.
func (f *flows) rows() (all []*flowRow) {
	f.end(max(0, f.next-f.every))
	for number, in := range f.ended {
		for _, t := range f.list {
			ends := [2]netip.AddrPort{t.A, t.B}
			for i := range t.sides {
				s := &t.sides[i]
				r := s.rows[number]
				if r == nil {
					continue
				}
				r.Time, r.Flow, r.Transport = in.at.Seconds(), t.Number, t.Transport.String()
				r.Src, r.Dst = ends[i].String(), ends[1-i].String()
				r.Peer = cmp.Or(r.Peer, s.peer)
				s.peer = r.Peer
				all = append(all, r)
			}
		}
	}
	return all
}

// traffic sets what was sent since another time.
func (r *flowRow) traffic(now, before *payload.Traffic) {
	trips := payload.Trips{Count: now.Trips.Count - before.Trips.Count, Sum: now.Trips.Sum - before.Trips.Sum}
	ms := func(d time.Duration) float64 {
		return float64(d.Round(10*time.Microsecond)) / float64(time.Millisecond)
	}
	r.Packets, r.Wire, r.Resent, r.Dropped = now.Packets-before.Packets, now.Wire-before.Wire, now.Resent-before.Resent, max(0, now.Dropped-before.Dropped)
	r.Trips, r.RTT, r.Least, r.Most, r.Variance = trips.Count, ms(trips.Mean()), ms(now.Trips.Least), ms(now.Trips.Most), ms(now.Trips.Variance)
	r.Throttle, r.Unacked, r.MostAcked, r.Fragments, r.Zero = now.Throttle.Least, now.Unacked, now.MostAcked, now.MostParts, now.ZeroWindows-before.ZeroWindows
}

// writeFlows writes the rows as JSON lines, as CSV, or for people.
func writeFlows(out *bufio.Writer, rows []*flowRow, o *Options) error {
	switch {
	case o.JSON:
		for _, r := range rows {
			out.Write(appendLine(nil, r))
		}
	case o.CSV:
		w := csv.NewWriter(out)
		w.Write(flowRow{}.cells(true))
		for _, r := range rows {
			w.Write(r.cells(false))
		}
		w.Flush()
		return w.Error()
	default:
		fmt.Fprintf(out, "%8s %4s %-9s %-*s %-11s %7s %10s %8s %10s %6s %7s  %-22s %8s %8s %7s %5s %4s\n", "time", "flow", "carries", fromToWidth, "from → to", "peer",
			"packets", "wire", "messages", "bytes", "resent", "dropped", "rtt ms (least–most)", "variance", "throttle", "unacked", "parts", "zero")
		for _, r := range rows {
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

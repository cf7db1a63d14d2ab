package capture

import (
	"fmt"

	"varview/decoder/capture/link"
	"varview/decoder/capture/payload"
	"varview/decoder/span"
)

// sums counts the checksums of a flow's packets.
type sums struct {
	packets, wrong int
	first          payload.Part // the first that does not hold
}

// maxSummed is the most flows whose checksums are reported.
const maxSummed = 100

// check checks the checksums of the packet at work: of IPv4, and that of a UDP datagram or TCP
// segment, of which missing more bytes were sent than captured. One that does not hold changes
// nothing: where packets are captured before they are sent, the network card sets it later.
func (f *flow) check(b payload.Bytes, missing int) {
	f.sums.packets++
	e := f.engine
	wrong := payload.Part{}
	for _, h := range e.headers.Headers() {
		if h.Layer == link.IPv4 && !link.HeaderHolds(e.packet.Data[h.Start:h.End]) {
			wrong = payload.Part{At: span.Span{Offset: e.packet.At.Offset + int64(h.Start) + 10, Length: 2}, Length: 2, Frame: e.packet.Frame}
		}
	}
	if missing == 0 && link.CheckSum(b.Data, e.headers.Protocol, e.headers.Src, e.headers.Dst) == link.Wrong {
		wrong = b.Slice(link.SumAt(e.headers.Protocol), 2).Parts[0]
	}
	if wrong.Length == 0 {
		return
	}
	if f.sums.wrong++; f.sums.wrong == 1 {
		f.sums.first = wrong
	}
}

// reportSums reports how many checksums of the flow do not hold.
func (f *flow) reportSums() {
	e := f.engine
	if f.sums.wrong == 0 || e.summed == maxSummed {
		return
	}
	message := fmt.Sprintf("the checksums of %s in %d of this flow are wrong, first in this one: receivers drop them, unless they were captured before they were sent",
		span.Counted(int64(f.sums.wrong), "packet"), f.sums.packets)
	if e.summed++; e.summed == maxSummed {
		message += "; those of more flows are not reported"
	}
	at := f.sums.first
	e.problem(f.Flow, at.Frame, payload.Bytes{Parts: []payload.Part{at}}, payload.WrongSum, span.Note, message)
}

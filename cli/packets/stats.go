package packets

import (
	"bufio"
	"fmt"
	"strings"

	"varview/decoder/span"
	"varview/model/records"
	"varview/ui/text"
)

// writeStats prints the groups of messages as a table, those that take the most first.
func writeStats(out *bufio.Writer, s *records.Stats) error {
	fmt.Fprintf(out, "%s, %s", span.Counted(s.Records, "message"), span.Bytes(s.Bytes))
	if seconds := s.Last.Sub(s.First).Seconds(); seconds > 0 {
		fmt.Fprintf(out, " in %.3f s: %.0f bytes a second", seconds, s.Rate(s.Bytes))
	}
	fmt.Fprint(out, "\n\n   count      bytes  share   bytes/s  largest (message)  kind                 method\n")
	for _, g := range s.Groups() {
		share := 0.0
		if s.Bytes > 0 {
			share = 100 * float64(g.Bytes) / float64(s.Bytes)
		}
		line := fmt.Sprintf("%8d %10d %5.1f%% %9.0f %8d %9s  %s  %s", g.Count, g.Bytes, share, s.Rate(g.Bytes), g.Largest,
			fmt.Sprintf("(%d)", g.Where), text.Fit(g.Kind, 19), text.Clean(g.Title()))
		fmt.Fprintln(out, strings.TrimRight(line, " "))
	}
	return nil
}

// appendStatsJSON appends the groups of messages, a line each.
func appendStatsJSON(dst []byte, s *records.Stats) []byte {
	j := jsonWriter{dst: dst}
	for _, g := range s.Groups() {
		j.begin()
		j.text("kind", g.Kind)
		if g.Method != "" {
			j.text("method", g.Method)
			j.text("path", g.Path)
			j.number("nodes", int64(g.Nodes))
		}
		j.number("count", g.Count)
		j.number("bytes", g.Bytes)
		j.key("bytes_per_second")
		j.dst = fmt.Appendf(j.dst, "%.1f", s.Rate(g.Bytes))
		j.number("largest", g.Largest)
		j.number("largest_message", int64(g.Where))
		j.end()
		j.dst = append(j.dst, '\n')
	}
	return j.dst
}

package output

import (
	"bufio"
	"fmt"
	"io"
	"sort"

	"varview/decoder/format"
	"varview/decoder/tree"
)

// A LossList lists the values that a conversion changes or loses.
type LossList struct {
	out    *bufio.Writer // of JSON, nil for a list for people
	file   string        // name of the file, if there are several; otherwise ""
	tell   func(line string)
	lost   int64
	counts map[string]int64 // number of changed values for each reason
}

// maxListed is the number of lost values that are listed for people.
const maxListed = 20

// maxReasons bounds the number of reasons that are counted.
const maxReasons = 1000

// NewLossList returns a list that is written to out as JSON, one value on each line, with
// the file if it is one of several; or it is told line by line.
func NewLossList(out io.Writer, json bool, file string, tell func(line string)) *LossList {
	l := &LossList{file: file, tell: tell, counts: map[string]int64{}}
	if json {
		l.out = bufio.NewWriter(out)
	}
	return l
}

// Add adds a value.
func (l *LossList) Add(x format.Loss) {
	switch {
	case l.out != nil:
		l.out.Write(appendLossJSON(nil, x, l.file))
	case x.Outcome == format.Changed:
		if len(l.counts) < maxReasons || l.counts[x.Reason] > 0 {
			l.counts[x.Reason]++
		}
	default:
		if l.lost++; l.lost <= maxListed {
			l.tell(fmt.Sprintf("%s: %s%s", x.Path, x.Reason, became[x.Outcome]))
		}
	}
}

// became says what happens to a value.
var became = map[format.Outcome]string{format.Dropped: "; left out", format.Nulled: "; null takes its place",
	format.Described: "; a Dictionary takes its place", format.Texted: "; its text takes its place"}

// appendLossJSON appends a line of --report json.
func appendLossJSON(dst []byte, x format.Loss, file string) []byte {
	dst = append(appendFile(append(dst, '{'), file), `"path":`...)
	dst = AppendPathJSON(dst, []byte(x.Path))
	dst = tree.AppendQuoted(append(dst, `,"type":`...), []byte(x.Type))
	dst = tree.AppendQuoted(append(dst, `,"outcome":`...), []byte(x.Outcome.String()))
	dst = tree.AppendQuoted(append(dst, `,"reason":`...), []byte(x.Reason))
	return append(dst, "}\n"...)
}

// End ends the list.
func (l *LossList) End() error {
	if l.out != nil {
		return l.out.Flush()
	}
	if more := l.lost - maxListed; more > 0 {
		l.tell(fmt.Sprintf("%d more like these; --report json lists all", more))
	}
	var reasons []string
	for reason := range l.counts {
		reasons = append(reasons, reason)
	}
	sort.Strings(reasons)
	for _, reason := range reasons {
		l.tell(fmt.Sprintf("%s (%d)", reason, l.counts[reason]))
	}
	return nil
}

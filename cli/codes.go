package cli

import (
	"bufio"
	"fmt"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
)

// codes lists the codes of all problems: how severe they can be, what they mean, and what repairs them.
func (e commands) codes(asJSON bool) error {
	out := bufio.NewWriter(e.Stdout)
	codes := model.Codes()
	if asJSON {
		writeCodesJSON(out, codes)
	} else {
		writeCodes(out, codes)
	}
	return out.Flush()
}

func writeCodes(out *bufio.Writer, codes []span.Code) {
	fmt.Fprintf(out, "%-20s  %-8s  %s\n", "CODE", "SEVERITY", "PROBLEM; REPAIR")
	for _, c := range codes {
		fmt.Fprintf(out, "%-20s  %-8s  %s", c.Code, c.Severity, c.About)
		if c.Repair != "" {
			fmt.Fprintf(out, "; %s", c.Repair)
		}
		out.WriteByte('\n')
	}
}

// writeCodesJSON writes a JSON object for each code.
func writeCodesJSON(out *bufio.Writer, codes []span.Code) {
	var line []byte
	for _, c := range codes {
		line = fmt.Appendf(line[:0], `{"code":"%s","severity":"%s","about":`, c.Code, c.Severity)
		line = tree.AppendQuoted(line, []byte(c.About))
		if c.Repair != "" {
			line = tree.AppendQuoted(append(line, `,"repair":`...), []byte(c.Repair))
		}
		out.Write(append(line, "}\n"...))
	}
}

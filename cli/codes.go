package cli

import (
	"bufio"
	"fmt"

	"varview/cli/output"
	"varview/decoder/engine/span"
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
		line = output.Begin(line[:0]).Text("code", c.Code).Text("severity", c.Severity.String()).Text("about", c.About).Some("repair", c.Repair).Line()
		out.Write(line)
	}
}

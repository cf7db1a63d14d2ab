package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"

	"varview/decoder"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// codes lists the codes of all problems: how severe they can be, what they mean,
// and what puts them right.
func (e *env) codes(asJSON bool) error {
	out := bufio.NewWriter(e.stdout)
	codes := allCodes()
	if asJSON {
		writeCodesJSON(out, codes)
	} else {
		writeCodes(out, codes)
	}
	return out.Flush()
}

// allCodes are the codes that check can print.
func allCodes() []span.Code {
	empty := span.Code{Code: emptyFile, Severity: span.Warning, About: "a file without a single byte"}
	return sortedCodes(append(decoder.Codes(), empty))
}

func sortedCodes(codes []span.Code) []span.Code {
	slices.SortFunc(codes, func(a, b span.Code) int { return cmp.Compare(a.Code, b.Code) })
	return codes
}

func writeCodes(out *bufio.Writer, codes []span.Code) {
	fmt.Fprintf(out, "%-20s  %-8s  %s\n", "CODE", "SEVERITY", "WHAT IS WRONG; WHAT PUTS IT RIGHT")
	for _, c := range codes {
		fmt.Fprintf(out, "%-20s  %-8s  %s", c.Code, c.Severity, c.About)
		if c.Repair != "" {
			fmt.Fprintf(out, "; %s", c.Repair)
		}
		out.WriteByte('\n')
	}
}

// writeCodesJSON writes an object of JSON a code.
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

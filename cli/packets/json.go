package packets

import (
	"bytes"
	"encoding/json"

	"varview/decoder/network/message"
)

// appendJSON appends a message as a line of "packets --json", with the comments of its packets.
func appendJSON(dst []byte, m *message.Message, comments []string) []byte {
	return append(m.AppendJSON(dst, comments), '\n')
}

// appendLine appends a value of texts and numbers as a line of JSON.
func appendLine(dst []byte, v any) []byte {
	out := bytes.NewBuffer(dst)
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return out.Bytes()
}

// withFaults adds to the line of a message what was done to its packets.
func withFaults(line []byte, faults []string) []byte {
	if len(faults) == 0 {
		return line
	}
	line = appendLine(append(bytes.TrimSuffix(line, []byte("}\n")), `,"faults":`...), faults)
	return append(bytes.TrimSuffix(line, []byte("\n")), "}\n"...)
}

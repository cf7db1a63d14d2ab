package packets

import (
	"bytes"
	"encoding/json"

	"varview/cli/output"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
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

// A problemJSON is a problem as a line of "check --json".
type problemJSON struct {
	File     string          `json:"file"`
	Severity string          `json:"severity"`
	Code     string          `json:"code"`
	Buffer   int             `json:"buffer"`
	Frame    int             `json:"frame,omitempty"`
	Offset   int64           `json:"offset"`
	Length   int64           `json:"length"`
	Path     json.RawMessage `json:"path"`
	Message  string          `json:"message"`
	Engine   string          `json:"engine,omitempty"`
	Repair   string          `json:"repair,omitempty"`
}

// AppendProblemJSON appends a problem of a capture as a line of "check --json". The path leads to the
// message or the frame.
func AppendProblemJSON(dst []byte, file string, p *payload.Problem, path string) []byte {
	return appendLine(dst, problemJSON{file, p.Severity.String(), p.Code, 0, p.Frame, p.Offset, p.Length,
		output.AppendPathJSON(nil, []byte(path)), p.Message, p.Engine, p.Repair})
}

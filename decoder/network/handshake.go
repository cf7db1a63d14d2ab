package network

import (
	"fmt"
	"strings"
	"time"

	"varview/decoder/network/payload"
)

// Asked implements websocket.Out.
func (h *half) Asked(protocols string) {
	h.of.asked, h.of.askedAt, h.of.protocols = true, h.of.flow.engine.packet.Time, protocols
	if h.of.refusal != nil {
		h.of.refusal()
	}
}

// Open implements websocket.Out.
func (h *half) Open(wrong string) {
	src, dst := h.of.flow.Ends(h.isB)
	h.of.answered = true
	h.of.flow.Event(payload.Bytes{}, fmt.Sprintf("%s accepts the WebSocket of %s", src, dst))
	if wrong != "" {
		at := payload.Bytes{Parts: h.of.flow.engine.part[:]}.Clone()
		h.of.refusal = func() {
			h.Problem(at, payload.Refused, fmt.Sprintf("%s, so %s refuses the WebSocket", wrong, dst))
		}
	}
	if c := h.of.connection; !c.Server.IsValid() {
		c.Server, c.Client = h.of.flow.Ends(h.isB)
	}
}

// statuses are those with which WebSocket connections are closed because of an error.
var statuses = map[int]string{1002: "protocol error", 1003: "unsupported data", 1006: "abnormal closure", 1007: "invalid text", 1008: "policy violation",
	1009: "message too large", 1010: "missing extension", 1011: "internal error", 1012: "restart of the server", 1013: "try again later", 1015: "TLS failed"}

// Ping implements websocket.Out.
func (h *half) Ping(isAnswer bool) {
	if h.pings++; isAnswer {
		h.pings, h.other.pings = h.pings-1, 0
	}
}

// unansweredPings says how many pings of a side were not answered; "" if that is usual.
func (h *half) unansweredPings() string {
	const enough = 2
	if h.pings < enough {
		return ""
	}
	return fmt.Sprintf("; its last %d pings were not answered", h.pings)
}

// answers say what may be wrong if a server answers a request for a WebSocket with a status of HTTP.
var answers = map[string]string{
	"200": "the path is that of a page, or a proxy does not pass on the header Upgrade",
	"301": "connect to that address", "302": "connect to that address", "307": "connect to that address", "308": "connect to that address",
	"401": "it expects a login", "403": "it does not allow this client, or its Origin", "404": "it has no WebSocket at this path",
	"502": "a proxy answers, and the game's server behind it is not there", "503": "a proxy answers, and the game's server behind it is not there",
	"504": "a proxy answers, and the game's server behind it does not",
}

// Close implements websocket.Out.
func (h *half) Close(at payload.Bytes, status int, reason string) {
	h.of.parted = true
	src, _ := h.of.flow.Ends(h.isB)
	side := "the client"
	if src == h.of.connection.Server {
		side = "the server"
	}
	message := fmt.Sprintf("%s (%s) closes the WebSocket", side, src)
	if status > 0 {
		message += fmt.Sprintf(" with %d", status)
	}
	if name := statuses[status]; name != "" {
		message += ", " + name
	}
	if reason != "" {
		message += fmt.Sprintf(": %q", reason)
	}
	message += h.unansweredPings()
	if statuses[status] != "" && !h.of.complained {
		h.of.complained = true // the other side repeats the status
		h.Problem(at, payload.ClosedBadly, message)
	} else {
		h.of.flow.Event(at, message)
	}
	h.of.flow.engine.handler.Closed(h.of.flow.Flow)
}

// Refused implements websocket.Out.
func (h *half) Refused(at payload.Bytes, status string) {
	c := h.of
	c.flow.Transport = payload.Stream
	message := "the server refuses the WebSocket: " + status
	if words := strings.Fields(status); len(words) > 1 && answers[words[1]] != "" {
		message += ": " + answers[words[1]]
	}
	if status == "" {
		message = fmt.Sprintf("%s asks for a WebSocket, and %s answers with something else than HTTP: another program listens there", c.connection.Client, c.connection.Server)
		if isTLS(at.Data) {
			message = fmt.Sprintf("%s asks for a WebSocket (ws://), and %s answers with TLS: wss:// is what it expects", c.connection.Client, c.connection.Server)
		}
	}
	refuse := func() {
		c.complained = true
		h.Problem(at, payload.Refused, message)
	}
	switch {
	case c.asked:
		refuse()
	case status != "": // what was asked for may be captured later
		c.refusal, c.isHTTP = refuse, true
	default:
		c.isHTTP = isHead(at.Data)
		c.notes(at.Data)
	}
	for _, side := range c.sides {
		if side == h || c.refusal == nil {
			side.reader = nil
		}
	}
}

// unansweredWebSocket reports that the capture has no answer to the client.
func (c *conversation) unansweredWebSocket(at payload.Bytes) {
	client, server := c.connection.Client, c.connection.Server
	const enough = 3 * time.Second
	switch since := c.flow.engine.summary.Last.Sub(c.askedAt); {
	case c.endedBy != nil && c.endedBy.src() == server:
		with, why := "without a subprotocol", "it expects one"
		if c.protocols != "" {
			with, why = fmt.Sprintf("with the subprotocol %q", c.protocols), "it has another or none"
		}
		c.flow.Problem(at, payload.Refused, fmt.Sprintf("%s asks for a WebSocket %s, and %s %s without an answer: %s (of which Godot's servers tell nobody), another program listens there, or it has failed",
			client, with, server, c.howEnded(client), why))
	case since >= enough:
		c.flow.Problem(at, payload.NoAnswer, fmt.Sprintf("%s asks for a WebSocket, and %s has not answered after %.1f s", client, server, since.Seconds()))
	default:
		c.flow.Problem(at, payload.NotUnderstood, fmt.Sprintf("%s asks for a WebSocket, and the capture has no answer of %s", client, server))
	}
}

// isTLS reports whether bytes begin a record of TLS.
func isTLS(b []byte) bool { return len(b) > 2 && b[0] >= 20 && b[0] <= 23 && b[1] == 3 && b[2] <= 4 }

// alerts are those with which a side of TLS refuses the other (RFC 8446, 6).
var alerts = map[byte]string{40: "handshake_failure", 42: "bad_certificate", 43: "unsupported_certificate", 44: "certificate_revoked", 45: "certificate_expired",
	46: "certificate_unknown", 48: "unknown_ca", 70: "protocol_version", 112: "unrecognized_name", 116: "certificate_required"}

// tls looks at the bytes of a segment of an encrypted connection: the other side may not speak TLS, or refuse it.
func (h *half) tls(b payload.Bytes) {
	c := h.of
	src, dst := c.flow.Ends(h.isB)
	const alert, size = 21, 7
	switch isFirst := !h.spoken; {
	case c.complained || !c.sawSYN:
	case isFirst && len(b.Data) > 2 && !isTLS(b.Data):
		c.complained = true
		h.Problem(b, payload.Refused, fmt.Sprintf("%s speaks TLS (wss:// or https://), and %s answers without it: ws:// is what it expects, or it lacks its certificate", dst, src))
	case len(b.Data) == size && b.Data[0] == alert && alerts[b.Data[size-1]] != "":
		c.complained = true
		h.Problem(b, payload.Refused, fmt.Sprintf("%s refuses the TLS of %s: %s", src, dst, alerts[b.Data[size-1]]))
	}
	h.spoken = true
}

// concludeTLS reports that one side has ended a connection of TLS without an answer.
func (c *conversation) concludeTLS(at payload.Bytes) {
	if by := c.endedBy; by != nil && c.sawSYN && !by.spoken && by.other.spoken {
		src, dst := c.flow.Ends(by.isB)
		c.flow.Problem(at, payload.Refused, fmt.Sprintf("%s speaks TLS (wss:// or https://), and %s %s without an answer: ws:// is what it expects, or it lacks its certificate", dst, src, c.howEnded(dst)))
	}
}

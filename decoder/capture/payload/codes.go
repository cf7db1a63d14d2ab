package payload

import "varview/decoder/span"

// The codes of problems of captures and transports.
const (
	NoCapture        = "no-capture"           // a file that begins like no capture
	UnknownInterface = "unknown-interface"    // a packet without a description of its interface
	UnknownLink      = "unknown-link-type"    // packets of a link type that is not read
	WrongHeader      = "wrong-packet-header"  // a header that contradicts itself or the packet
	MissingSegment   = "missing-segment"      // bytes of a TCP stream that were not captured
	WrongFrame       = "bad-websocket-frame"  // a frame that WebSocket does not allow
	WrongCommand     = "wrong-enet-command"   // bytes that are no command of ENet
	WrongSum         = "wrong-checksum"       // checksums of IP, UDP or TCP that do not hold
	WrongChecksum    = "wrong-enet-checksum"  // a checksum of ENet that does not hold
	MissingCommand   = "missing-enet-command" // reliable commands that were not captured
	OtherSession     = "other-enet-session"   // a datagram that is not of the session that was agreed on
	Encrypted        = "encrypted-flow"       // a flow that is not read
	TooMuch          = "left-out"             // what waited for more packets and was given up
	TooMany          = "too-many"             // more of something than is kept at a time
)

// Codes describes them.
var Codes = []span.Code{
	{Code: NoCapture, Severity: span.Error, About: "a file that is not a capture: neither pcap nor pcapng"},
	{Code: UnknownInterface, Severity: span.Error, About: "a packet of an interface that the capture does not describe"},
	{Code: UnknownLink, Severity: span.Warning, About: "packets of a link type that is not read"},
	{Code: WrongHeader, Severity: span.Error, About: "a header of IP, UDP or TCP that contradicts itself or the packet"},
	{Code: MissingSegment, Severity: span.Warning, About: "bytes of a TCP stream that the capture does not have"},
	{Code: WrongFrame, Severity: span.Error, About: "a frame that WebSocket does not allow"},
	{Code: WrongCommand, Severity: span.Error, About: "bytes that are not a command of ENet, or flags that it never sets"},
	{Code: WrongSum, Severity: span.Note, About: "wrong checksums of IP, UDP or TCP in a flow, other than those left to the network card"},
	{Code: WrongChecksum, Severity: span.Error, About: "the checksum of an ENet datagram is wrong, so that receivers drop it"},
	{Code: MissingCommand, Severity: span.Warning, About: "reliable commands of ENet, or fragments, that the capture does not have"},
	{Code: OtherSession, Severity: span.Note, About: "an ENet datagram of a connection that is over"},
	{Code: Encrypted, Severity: span.Note, About: "a flow that is encrypted with TLS or DTLS, and is not read"},
	{Code: TooMuch, Severity: span.Warning, About: "a message or stream of which too much would have to be kept until the rest comes"},
	{Code: TooMany, Severity: span.Warning, About: "more flows or interfaces than are kept at a time"},
}

package websocket

import (
	"bufio"
	"bytes"
	"net/http"
	"strings"
)

// MaxHead is the longest HTTP head that is read.
const MaxHead = 16 << 10

// A Session is what both sides of a connection have agreed on.
type Session struct {
	Path     string // of the client's request
	Protocol string // that the server chose

	isPacked bool    // permessage-deflate
	fresh    [2]bool // the client, the server forgets what it packed before each message
}

// HeadEnd returns the length of the HTTP head that b begins with, -1 while its end is
// missing.
func HeadEnd(b []byte) int {
	if i := bytes.Index(b, []byte("\r\n\r\n")); i >= 0 {
		return i + 4
	}
	return -1
}

// request reads the client's head. It reports whether that asks for WebSocket.
func (s *Session) request(head []byte) bool {
	r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(head)))
	if err != nil || !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		return false
	}
	s.Path = r.RequestURI
	return true
}

// response reads the server's head. It reports whether that agrees.
func (s *Session) response(head []byte) bool {
	r, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(head)), nil)
	if err != nil || r.StatusCode != http.StatusSwitchingProtocols {
		return false
	}
	s.Protocol = r.Header.Get("Sec-WebSocket-Protocol")
	for _, line := range r.Header.Values("Sec-WebSocket-Extensions") {
		for extension := range strings.SplitSeq(line, ",") {
			s.extension(extension)
		}
	}
	return true
}

// Agrees reports whether a server's head, as far as it is there, agrees to WebSocket.
func Agrees(head []byte) bool { return bytes.HasPrefix(head, []byte("HTTP/1.1 101")) }

// WithoutExtensions returns a client's head without the extensions that it offers, so that
// messages come unpacked.
func WithoutExtensions(head []byte) (is []byte) {
	for line := range bytes.SplitAfterSeq(head, []byte("\r\n")) {
		if name, _, _ := bytes.Cut(line, []byte(":")); !bytes.EqualFold(name, []byte("Sec-WebSocket-Extensions")) {
			is = append(is, line...)
		}
	}
	return is
}

func (s *Session) extension(text string) {
	name, parameters, _ := strings.Cut(text, ";")
	if strings.TrimSpace(name) != "permessage-deflate" {
		return
	}
	s.isPacked = true
	for p := range strings.SplitSeq(parameters, ";") {
		switch strings.TrimSpace(p) {
		case "client_no_context_takeover":
			s.fresh[0] = true
		case "server_no_context_takeover":
			s.fresh[1] = true
		}
	}
}

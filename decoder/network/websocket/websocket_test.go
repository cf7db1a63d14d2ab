package websocket

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"

	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
	"varview/decoder/network/pool"
)

type recorder struct {
	t    *testing.T
	file string
	all  []string
	lost bool // it was said
}

func (r *recorder) Open(string) { r.all = append(r.all, "open") }

func (r *recorder) Message(b payload.Bytes, text, partial bool) {
	kind := "binary"
	if text {
		kind = "text"
	}
	if partial {
		kind += " partial"
	}
	r.all = append(r.all, fmt.Sprintf("%s %q", kind, b.Data))
	at := 0
	for _, p := range b.Parts {
		for i := range p.Length {
			if p.Form != payload.Unpacked && r.file[p.At.Offset+i]^p.Mask[i&3] != b.Data[at] {
				r.t.Errorf("a byte of %q is not at %d", b.Data, p.At.Offset+i)
			}
			at++
		}
	}
	if at != len(b.Data) {
		r.t.Errorf("%q has parts of %d bytes", b.Data, at)
	}
}

func (r *recorder) Asked(string)                     {}
func (r *recorder) Ping(bool)                        {}
func (r *recorder) Close(payload.Bytes, int, string) { r.all = append(r.all, "close") }
func (r *recorder) Problem(_ payload.Bytes, code, message string) {
	r.all = append(r.all, code)
	r.lost = r.lost || strings.Contains(message, "what follows")
}
func (r *recorder) Refused(payload.Bytes, string) { r.all = append(r.all, "refused") }

// read reads a stream in segments, which are separated by |; a gap of n bytes is (n).
func read(t *testing.T, stream string, s *Session, isServer, inHead bool) []string {
	r := &recorder{t: t, file: stream}
	p := pool.New(1 << 20)
	reader := NewReader(p, s, isServer, inHead, r)
	at := 0
	for word := range strings.SplitSeq(stream, "|") {
		var n int64
		if _, err := fmt.Sscanf(word, "(%d)", &n); err == nil {
			reader.Gap(n)
		} else {
			part := payload.Part{At: span.Span{Offset: int64(at), Length: int64(len(word))}, Length: int64(len(word)), Frame: 1}
			reader.Data(payload.Bytes{Data: []byte(word), Parts: []payload.Part{part}})
		}
		at += len(word) + 1
	}
	reader.End()
	if p.Used() != 0 {
		t.Errorf("%q: %d bytes wait", stream, p.Used())
	}
	return r.all
}

const masked = "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58" // "Hello" (RFC 6455, section 5.7)

// TestFrames: the examples of RFC 6455 and 7692, and what is wrong.
func TestFrames(t *testing.T) {
	fresh := [2]bool{true, true}
	for _, c := range []struct {
		name, in string
		session  Session
		server   bool
		want     []string
	}{
		{"unmasked", "\x81\x05Hello", Session{}, true, []string{`text "Hello"`}},
		{"masked", masked, Session{}, false, []string{`text "Hello"`}},
		{"masked, in segments", masked[:1] + "|" + masked[1:4] + "|" + masked[4:7] + "|" + masked[7:], Session{}, false, []string{`text "Hello"`}},
		{"fragments", "\x01\x03Hel\x80\x02lo", Session{}, true, []string{`text "Hello"`}},
		{"a ping between fragments", "\x01\x03Hel\x89\x05Hello\x80\x02lo", Session{}, true, []string{`text "Hello"`}},
		{"256 bytes", "\x82\x7e\x01\x00" + strings.Repeat("x", 256), Session{}, true, []string{`binary "` + strings.Repeat("x", 256) + `"`}},
		{"a length of 8 bytes", "\x82\x7f\x00\x00\x00\x00\x00\x00\x00\x02ab", Session{}, true, []string{`binary "ab"`}},
		{"empty", "\x82\x00", Session{}, true, []string{`binary ""`}},
		{"close", "\x88\x05\x03\xe8bye", Session{}, true, []string{"close"}},
		{"close as Godot 3 sends it", "\x88\x06\x0f\xa1bye\x00", Session{}, true, []string{"close"}},
		{"close without a code", "\x88\x00", Session{}, true, []string{"close"}},
		{"close that is cut", "\x88\x02", Session{}, true, []string{"close"}},
		{"compressed", "\xc1\x07\xf2\x48\xcd\xc9\xc9\x07\x00", Session{isPacked: true}, true, []string{`text "Hello"`}},
		{"compressed, in fragments", "\x41\x03\xf2\x48\xcd\x80\x04\xc9\xc9\x07\x00", Session{isPacked: true}, true, []string{`text "Hello"`}},
		{"compressed, referring back", "\xc1\x07\xf2\x48\xcd\xc9\xc9\x07\x00\xc1\x05\xf2\x00\x11\x00\x00", Session{isPacked: true}, true, []string{`text "Hello"`, `text "Hello"`}},
		{"compressed, referring back to nothing", "\xc1\x07\xf2\x48\xcd\xc9\xc9\x07\x00\xc1\x05\xf2\x00\x11\x00\x00", Session{isPacked: true, fresh: fresh}, true, []string{`text "Hello"`, "capture-begins-late"}},
		{"compressed, with a block of no compression", "\xc1\x0b\x00\x05\x00\xfa\xffHello\x00", Session{isPacked: true}, true, []string{`text "Hello"`}},
		{"a mask from a server", masked, Session{}, true, []string{payload.WrongFrame, `text "Hello"`}},
		{"reserved bits", "\xa1\x01a|\x82\x01b", Session{}, true, []string{payload.WrongFrame, `binary "b"`}},
		{"an unknown type", "\x83\x01a|\x82\x01b", Session{}, true, []string{payload.WrongFrame, `binary "b"`}},
		{"too long", "\x82\x7f\x00\x00\x00\x00\x80\x00\x00\x00|ab|\x82\x01b", Session{}, true, []string{payload.WrongFrame, `binary "b"`}},
		{"continues nothing", "\x80\x01a|\x82\x01b", Session{}, true, []string{payload.WrongFrame, `binary "b"`}},
		{"ends in a message", "\x82\x05ab", Session{}, true, []string{"truncated", `binary partial "ab"`}},
		{"ends between frames", "\x02\x02ab", Session{}, true, []string{"truncated"}},
		{"a gap in a fragment", "\x02\x02a|(1)|\x80\x01c\x82\x01d", Session{}, true, []string{"missing-segment", `binary "d"`}},
		{"a gap in the last fragment", "\x02\x01a\x80\x02|(2)|\x82\x01d", Session{}, true, []string{"missing-segment", `binary "d"`}},
		{"a gap in a message", "\x82\x05a|(4)|\x82\x01b", Session{}, true, []string{"missing-segment", `binary partial "a"`, `binary "b"`}},
		{"a gap over the end of a message", "\x82\x05ab|(7)|c\x82\x01b|\x82\x02|cd", Session{}, true, []string{"missing-segment", `binary partial "ab"`, `binary "cd"`}},
	} {
		if got := read(t, c.in, &c.session, c.server, false); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
	}
}

// TestHandshake: the heads of HTTP.
func TestHandshake(t *testing.T) {
	request := "GET /chat HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
	response := "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: game\r\n" +
		"Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; client_max_window_bits=15\r\n\r\n"
	s := new(Session)
	if got := read(t, request+masked, s, false, true); !slices.Equal(got, []string{`text "Hello"`}) {
		t.Errorf("%v", got)
	}
	if got := read(t, response[:30]+"|"+response[30:]+"\x81\x05Hello", s, true, true); !slices.Equal(got, []string{"open", `text "Hello"`}) {
		t.Errorf("%v", got)
	}
	if !s.isPacked || s.fresh != [2]bool{false, true} {
		t.Errorf("%+v", s)
	}
	for _, c := range []struct {
		in     string
		server bool
	}{
		{"GET / HTTP/1.1\r\nHost: x\r\n\r\nabc", false}, {"HTTP/1.1 200 OK\r\n\r\nabc", true}, {"HTTP/1.1 200 OK|(5)", true}, {"GET " + strings.Repeat("x", maxHead), false}, {"HTTP\r\n\r\n", true},
	} {
		if got := read(t, c.in, new(Session), c.server, true); !slices.Contains(got, "refused") {
			t.Errorf("%q: %v", c.in[:min(len(c.in), 20)], got)
		}
	}
	if got := read(t, response[:40]+"|(99)|\x81\x05Hello", new(Session), true, true); !slices.Equal(got, []string{"open", `text "Hello"`}) {
		t.Errorf("%v", got)
	}
}

// FuzzReader: the result is the same however the stream is cut into segments.
func FuzzReader(f *testing.F) {
	f.Add([]byte(masked), uint8(3), false)
	f.Add([]byte("\x01\x03Hel\x89\x05Hello\x80\x02lo\x88\x05\x03\xe8bye"), uint8(1), true)
	f.Add([]byte("\xc1\x07\xf2\x48\xcd\xc9\xc9\x07\x00\xc1\x05\xf2\x00\x11\x00\x00"), uint8(2), true)
	f.Fuzz(func(t *testing.T, data []byte, step uint8, isServer bool) {
		run := func(step int) []string {
			r := &recorder{t: t, file: string(data)}
			reader := NewReader(pool.New(1<<20), new(Session), isServer, false, r)
			for at := 0; at < len(data); at += step {
				n := min(step, len(data)-at)
				part := payload.Part{At: span.Span{Offset: int64(at), Length: int64(n)}, Length: int64(n), Frame: 1}
				reader.Data(payload.Bytes{Data: data[at : at+n], Parts: []payload.Part{part}})
				if r.lost { // it is found again at the start of a segment
					return r.all
				}
			}
			reader.End()
			return r.all
		}
		if whole, cut := run(len(data)+1), run(int(step)+1); !slices.Equal(whole, cut) {
			t.Fatalf("%v, in segments %v", whole, cut)
		}
	})
}

// TestBomb: a message that unpacks to more than the limit is an error, and the window for the next one is
// no longer than deflate allows.
func TestBomb(t *testing.T) {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(make([]byte, maxMessage+1)); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	var f inflater
	plain, err := f.unpack(bytes.TrimSuffix(packed.Bytes(), messageEnd[:4]), false)
	if plain != nil || !errors.Is(err, errTooMuch) || cap(f.window) > 2*windowSize {
		t.Errorf("%d bytes, %v, a window of %d", len(plain), err, cap(f.window))
	}
}

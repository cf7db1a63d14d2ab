package network_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
	"varview/decoder/network/pool"
	"varview/decoder/network/stream"
)

type messageRecorder struct{ all []string }

func (r *messageRecorder) Value(b payload.Bytes, partial bool) {
	text := fmt.Sprintf("%q", b.Data)
	if partial {
		text += " partial"
	}
	r.all = append(r.all, text)
}

func (r *messageRecorder) Problem(_ payload.Bytes, code, _ string) { r.all = append(r.all, code) }

func bytesOf(text string) payload.Bytes {
	return payload.Bytes{Data: []byte(text), Parts: []payload.Part{{At: span.Span{Length: int64(len(text))}, Length: int64(len(text)), Frame: 1}}}
}

// TestReader: segments, which are separated by |; a gap of n bytes is (n).
func TestReader(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"whole", "\x02\x00\x00\x00ab\x01\x00\x00\x00c", []string{`"ab"`, `"c"`}},
		{"split", "\x02|\x00\x00\x00a|b\x01\x00|\x00\x00|c", []string{`"ab"`, `"c"`}},
		{"empty", "\x00\x00\x00\x00\x01\x00\x00\x00c", []string{`""`, `"c"`}},
		{"ends early", "\x04\x00\x00\x00ab", []string{"truncated", `"ab" partial`}},
		{"too long, found again", "\xff\xff\xff\x7fab|zzzzz|\x01\x00\x00\x00c|\x02\x00\x00\x00|de", []string{"length-overrun", `"c"`, `"de"`}},
		{"a gap in a value", "\x04\x00\x00\x00ab|(2)|\x01\x00\x00\x00c", []string{"missing-segment", `"ab" partial`, `"c"`}},
		{"a gap over the end of a value", "\x04\x00\x00\x00ab|(3)|\x00\x00\x00c|\x01\x00\x00\x00d", []string{"missing-segment", `"ab" partial`, `"d"`}},
	} {
		r := new(messageRecorder)
		p := pool.New(1 << 20)
		reader := stream.NewReader(p, stream.Lengths(false), r)
		for word := range strings.SplitSeq(c.in, "|") {
			var n int64
			if _, err := fmt.Sscanf(word, "(%d)", &n); err == nil {
				reader.Gap(n)
			} else {
				reader.Data(bytesOf(word))
			}
		}
		reader.End()
		if !slices.Equal(r.all, c.want) || p.Used() != 0 {
			t.Errorf("%s: %v, not %v; %d bytes wait", c.name, r.all, c.want, p.Used())
		}
	}
}

// TestRecognize: the byte order of lengths, or that there are none.
func TestRecognize(t *testing.T) {
	for _, c := range []struct {
		in            string
		ok, big, more bool
	}{
		{"\x14\x00\x00\x00", true, false, false},
		{"\x00\x00\x00\x14\x02\x00\x00\x00", true, true, false},
		{"\x00\x01\x02\x00", true, true, false},
		{"SSH-2.0", false, false, false},
		{"\x00\x00\x00\x00", false, false, false},
		{"\x14\x00", false, false, true},
	} {
		if ok, big, more := stream.Recognize([]byte(c.in)); ok != c.ok || more != c.more || ok && big != c.big {
			t.Errorf("%q: %v %v %v", c.in, ok, big, more)
		}
	}
}

// TestMayBegin: whether a segment begins with a value.
func TestMayBegin(t *testing.T) {
	for in, want := range map[string]bool{
		"\x02\x00\x00\x00ab\x01\x00\x00\x00c":               true,
		"\x02\x00\x00\x00ab\x01\x00":                        true, // the length goes on in the next segment
		"\x02\x00\x00\x00a":                                 true,
		"\x04\x00\x00\x00\x05\x00\x00\x00hello\x00\x00\x00": false, // a String, in the middle of the stream
		"\x00\x00\x00\x00":                                  false,
	} {
		if got := stream.MayBegin([]byte(in), false); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
}

// TestMemory: a long value is given up if the pool is full, and the next one is read.
func TestMemory(t *testing.T) {
	r := new(messageRecorder)
	waiting := pool.New(10_000)
	reader := stream.NewReader(waiting, stream.Lengths(false), r)
	reader.Data(bytesOf("\x00\x00\x10\x00"))
	for range 1 << 20 / 1024 {
		reader.Data(bytesOf(strings.Repeat("x", 1024)))
		waiting.Trim()
	}
	reader.Data(bytesOf("\x01\x00\x00\x00c"))
	if want := []string{payload.TooMuch, `"c"`}; !slices.Equal(r.all, want) {
		t.Errorf("%v", r.all)
	}
}

// FuzzReader: values are the same however the stream is cut into segments.
func FuzzReader(f *testing.F) {
	f.Add([]byte("\x02\x00\x00\x00ab\x01\x00\x00\x00c"), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, step uint8) {
		read := func(step int) []string {
			r := new(messageRecorder)
			reader := stream.NewReader(pool.New(1<<20), stream.Lengths(false), r)
			for at := 0; at < len(data); at += step {
				reader.Data(bytesOf(string(data[at:min(at+step, len(data))])))
			}
			reader.End()
			if i := slices.Index(r.all, span.LengthOverrun); i >= 0 {
				return r.all[:i] // it is found again at the start of a segment
			}
			return r.all
		}
		if whole, cut := read(len(data)+1), read(int(step)+1); !slices.Equal(whole, cut) {
			t.Fatalf("%v, in segments %v", whole, cut)
		}
	})
}

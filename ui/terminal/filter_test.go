package terminal

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// replyPattern matches a reply anywhere.
var replyPattern = regexp.MustCompile(fmt.Sprintf(`\x1b\]1[01];[ -~]{0,%d}(?:\x07|\x1b\\)`, maxColor))

// sift runs input through a filter in pieces of the sizes given, the last of
// which repeats; it returns what passes and the replies.
func sift(input []byte, sizes ...byte) (passed []byte, replies []string) {
	f := filter{onReply: func(reply []byte) { replies = append(replies, string(reply)) }}
	passed = []byte{}
	for len(input) > 0 {
		size := len(input)
		if len(sizes) > 0 {
			size = min(1+int(sizes[0]), size)
		}
		if len(sizes) > 1 {
			sizes = sizes[1:]
		}
		passed = f.feed(passed, input[:size])
		input = input[size:]
	}
	return f.flush(passed), replies
}

func TestFilter(t *testing.T) {
	const dark, light = "\x1b]11;rgb:1e1e/1e1e/2e2e\a", "\x1b]11;rgb:ffff/ffff/ffff\x1b\\"
	longest := "\x1b]11;" + strings.Repeat("f", maxColor)
	tests := []struct {
		name, input, passed string
		replies             []string
	}{
		{"keys", "abc\x1b[A\x1bOP\x1b[<0;1;2M", "abc\x1b[A\x1bOP\x1b[<0;1;2M", nil},
		{"reply", dark, "", []string{dark}},
		{"reply ended by ST", light, "", []string{light}},
		{"between keys", "a" + dark + "b" + light + "\x1b[A", "ab\x1b[A", []string{dark, light}},
		{"foreground", "x\x1b]10;rgb:0/0/0\ay", "xy", []string{"\x1b]10;rgb:0/0/0\a"}},
		{"after escape", "\x1b" + dark, "\x1b", []string{dark}},
		{"after alt+]", "\x1b]" + dark, "\x1b]", []string{dark}},
		{"in what began alike", "\x1b]11;rgb:" + dark, "\x1b]11;rgb:", []string{dark}},
		{"escape alone", "\x1b", "\x1b", nil},
		{"alt+]", "\x1b]", "\x1b]", nil},
		{"alt+] and digits", "\x1b]12;x\a", "\x1b]12;x\a", nil},
		{"other reply", "\x1b]4;1;rgb:0/0/0\a", "\x1b]4;1;rgb:0/0/0\a", nil},
		{"not ended", "\x1b]11;rgb:0/0", "\x1b]11;rgb:0/0", nil},
		{"ended by ESC alone", "\x1b]11;#000\x1b", "\x1b]11;#000\x1b", nil},
		{"control character inside", "\x1b]11;#0\r00\a", "\x1b]11;#0\r00\a", nil},
		{"text beyond ASCII inside", "\x1b]11;é\a", "\x1b]11;é\a", nil},
		{"longest", longest + "\x1b\\", "", []string{longest + "\x1b\\"}},
		{"too long", longest + "f\a", longest + "f\a", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for size := range len(test.input) {
				passed, replies := sift([]byte(test.input), byte(size))
				if string(passed) != test.passed || fmt.Sprint(replies) != fmt.Sprint(test.replies) {
					t.Errorf("in pieces of %d: %q, %q; want %q, %q", size+1, passed, replies, test.passed, test.replies)
				}
			}
		})
	}
}

// The bytes held back are always fewer than the longest reply, so that a Read of
// that length has room for one more.
func TestFilterHoldsLessThanAReply(t *testing.T) {
	f := filter{}
	f.feed(nil, []byte("\x1b]11;"+strings.Repeat(" ", maxColor)+"\x1b"))
	if len(f.held) != maxReply-1 {
		t.Errorf("%d held, want %d", len(f.held), maxReply-1)
	}
}

func FuzzFilter(f *testing.F) {
	f.Add([]byte("a\x1b]11;rgb:0000/0000/0000\ab\x1b[A"), []byte{0})
	f.Add([]byte("\x1b\x1b]10;#fff\x1b\\\x1b]11;"), []byte{2, 7})
	f.Add([]byte("\x1b]11;rgb:ff/\x1b]11;?\x1b\\\\"), []byte{})
	f.Fuzz(func(t *testing.T, input, sizes []byte) {
		passed, replies := sift(input, sizes...)
		if want := replyPattern.ReplaceAll(input, nil); !bytes.Equal(passed, want) {
			t.Errorf("%q in %v passes as %q, want %q", input, sizes, passed, want)
		}
		if want := len(replyPattern.FindAll(input, -1)); len(replies) != want {
			t.Errorf("%q in %v: %d replies, want %d", input, sizes, len(replies), want)
		}
	})
}

// A reply between any bytes without replies is removed, and nothing else.
func FuzzFilterBetweenKeys(f *testing.F) {
	f.Add([]byte("abc"), 1, true, []byte{0})
	f.Add([]byte("\x1b[A\x1b]\x1b\\"), 5, false, []byte{3, 1})
	f.Add([]byte("\x1b]11;\x1b"), 6, false, []byte{200})
	f.Fuzz(func(t *testing.T, keys []byte, at int, st bool, sizes []byte) {
		if replyPattern.Match(keys) {
			t.Skip()
		}
		at = min(max(at, 0), len(keys))
		reply := "\x1b]11;rgb:1e1e/1e1e/2e2e\a"
		if st {
			reply = strings.Replace(reply, "\a", "\x1b\\", 1)
		}
		input := string(keys[:at]) + reply + string(keys[at:])
		passed, replies := sift([]byte(input), sizes...)
		if !bytes.Equal(passed, keys) || len(replies) != 1 || replies[0] != reply {
			t.Errorf("%q in %v passes as %q, %q", input, sizes, passed, replies)
		}
	})
}
